/* symbols_plt.c: names for the stubs by which a file calls functions of
   others, which no symbol table names.

   A stub jumps through a word of the global offset table, and the relocation
   of that word names the function.  What the jumps look like is said in
   symbols_arch.h; of architectures that are not there stubs are found, but
   have no names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_plt.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "symbols_arch.h"

/* What is needed while the stubs of one file are read.  */
struct reading {
  Elf *elf;
  const struct dg_symbols_arch *arch;
  uint64_t got;      /* what %ebx holds in 32-bit shared code */
  GHashTable *slots; /* address of a word -> name of its function */
};

/* One that has a name.  */
struct named_stub {
  uint64_t low, high;
  const char *name;
};

static void
add_slot (struct reading *reading, uint64_t address, const char *name)
{
  uint64_t *key = g_new (uint64_t, 1);

  *key = address;
  g_hash_table_replace (reading->slots, key, (gpointer) name);
}

/* One relocation: a word and the number of its symbol.  */
static void
read_relocation (struct reading *reading, const GElf_Shdr *symbols_header,
                 Elf_Data *symbols, uint64_t where, uint64_t info)
{
  GElf_Sym symbol;
  const char *name;

  if (gelf_getsym (symbols, (int) GELF_R_SYM (info), &symbol) == NULL
      || GELF_R_SYM (info) == 0)
    return;
  name = elf_strptr (reading->elf, symbols_header->sh_link, symbol.st_name);
  if (name != NULL && name[0] != '\0')
    add_slot (reading, where, name);
}

static void
read_relocations (struct reading *reading, Elf_Scn *section,
                  const GElf_Shdr *header)
{
  Elf_Scn *symbols_section = elf_getscn (reading->elf, header->sh_link);
  Elf_Data *data = elf_getdata (section, NULL), *symbols;
  GElf_Shdr symbols_header;
  size_t n;

  if (symbols_section == NULL || data == NULL || header->sh_entsize == 0
      || gelf_getshdr (symbols_section, &symbols_header) == NULL)
    return;
  symbols = elf_getdata (symbols_section, NULL);
  if (symbols == NULL)
    return;
  n = data->d_size / header->sh_entsize;
  for (size_t i = 0; i < n && i < G_MAXINT; i++) {
    GElf_Rela rela;
    GElf_Rel rel;

    if (header->sh_type == SHT_RELA) {
      if (gelf_getrela (data, (int) i, &rela) != NULL)
        read_relocation (reading, &symbols_header, symbols, rela.r_offset,
                         rela.r_info);
    } else if (gelf_getrel (data, (int) i, &rel) != NULL) {
      read_relocation (reading, &symbols_header, symbols, rel.r_offset,
                       rel.r_info);
    }
  }
}

static void
add_named (struct dg_object *object, struct dg_names *names,
           const struct dg_symbols_stub *stub, const char *name)
{
  char *text = g_strconcat (dg_names_symbol (names, name), "@plt", NULL);
  struct named_stub named = {stub->low, stub->high,
                             dg_names_intern (names, text)};

  g_array_append_val (object->stubs, named);
  g_free (text);
}

static void
read_stubs (struct dg_object *object, struct dg_names *names,
            const struct reading *reading, Elf_Scn *section,
            const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  struct dg_symbols_stubs stubs = {.address = header->sh_addr,
                                   .unit = header->sh_entsize,
                                   .got = reading->got};

  if (data == NULL || data->d_buf == NULL || reading->arch == NULL
      || reading->arch->stub == NULL)
    return;
  stubs.bytes = data->d_buf;
  stubs.n = data->d_size;
  for (size_t at = 0; at < stubs.n;) {
    struct dg_symbols_stub stub;
    size_t next = reading->arch->stub (&stubs, at, &stub);
    const char *name =
      next > at ? g_hash_table_lookup (reading->slots, &stub.slot) : NULL;

    if (name != NULL)
      add_named (object, names, &stub, name);
    at = MAX (next, at + 1);
  }
}

static bool
is_stub_section (const char *name)
{
  return strcmp (name, ".plt") == 0 || strcmp (name, ".plt.sec") == 0
         || strcmp (name, ".plt.got") == 0 || strcmp (name, ".plt.bnd") == 0;
}

typedef void section_fn (struct dg_object *object, struct dg_names *names,
                         struct reading *reading, Elf_Scn *section,
                         const GElf_Shdr *header, const char *name);

static void
visit_for_slots (struct dg_object *object, struct dg_names *names,
                 struct reading *reading, Elf_Scn *section,
                 const GElf_Shdr *header, const char *name)
{
  (void) object;
  (void) names;
  if ((header->sh_type == SHT_RELA || header->sh_type == SHT_REL)
      && header->sh_flags & SHF_ALLOC)
    read_relocations (reading, section, header);
  if (strcmp (name, ".got.plt") == 0
      || (strcmp (name, ".got") == 0 && reading->got == 0))
    reading->got = header->sh_addr;
}

static void
visit_for_stubs (struct dg_object *object, struct dg_names *names,
                 struct reading *reading, Elf_Scn *section,
                 const GElf_Shdr *header, const char *name)
{
  struct dg_segment range = {header->sh_addr,
                             header->sh_addr + header->sh_size};

  if (!is_stub_section (name))
    return;
  g_array_append_val (object->stub_ranges, range);
  if (header->sh_type == SHT_PROGBITS)
    read_stubs (object, names, reading, section, header);
}

static void
visit_sections (struct dg_object *object, struct dg_names *names,
                struct reading *reading, section_fn *visit)
{
  Elf_Scn *section = NULL;
  size_t strings;

  if (elf_getshdrstrndx (reading->elf, &strings) < 0)
    return;
  while ((section = elf_nextscn (reading->elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name;

    if (gelf_getshdr (section, &header) == NULL)
      continue;
    name = elf_strptr (reading->elf, strings, header.sh_name);
    if (name != NULL)
      visit (object, names, reading, section, &header, name);
  }
}

DG_COMPARE_BY (compare_stubs, struct named_stub, low)

static void
read_plt (struct dg_object *object, struct dg_names *names)
{
  Dwfl_Module *module = dg_object_module (object);
  struct reading reading = {0};
  GElf_Addr bias;
  GElf_Ehdr header;

  object->stubs = g_array_new (FALSE, FALSE, sizeof (struct named_stub));
  object->stub_ranges = g_array_new (FALSE, FALSE, sizeof (struct dg_segment));
  reading.elf = module != NULL ? dwfl_module_getelf (module, &bias) : NULL;
  if (reading.elf == NULL || gelf_getehdr (reading.elf, &header) == NULL)
    return;
  reading.arch = dg_symbols_arch_of_machine (header.e_machine);
  reading.slots =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, NULL);
  visit_sections (object, names, &reading, visit_for_slots);
  visit_sections (object, names, &reading, visit_for_stubs);
  g_hash_table_unref (reading.slots);
  if (object->stubs->len > 0)
    qsort (object->stubs->data, object->stubs->len,
           sizeof (struct named_stub), compare_stubs);
}

static const char *
name_of (const struct dg_object *object, uint64_t address)
{
  const struct named_stub *stubs = (const void *) object->stubs->data;
  size_t low = DG_BISECT (0, object->stubs->len, i,
                          stubs[i].low <= address);

  return low > 0 && address < stubs[low - 1].high ? stubs[low - 1].name
                                                  : NULL;
}

bool
dg_plt_find (struct dg_object *object, struct dg_names *names,
             uint64_t address, const char **name)
{
  if (object->stubs == NULL)
    read_plt (object, names);
  for (guint i = 0; i < object->stub_ranges->len; i++) {
    const struct dg_segment *range =
      &g_array_index (object->stub_ranges, struct dg_segment, i);

    if (address >= range->low && address < range->high) {
      *name = name_of (object, address);
      return true;
    }
  }
  return false;
}
