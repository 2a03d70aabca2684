/* symbols_sections.c: what a file tells of addresses that no symbol names:
   its sections, and where its functions begin.

   A stripped file still has a table of functions for unwinding, which the
   linker has sorted (.eh_frame_hdr).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_sections.h"
#include "base/bisect.h"
#include "base/compare.h"
#include "symbols_number.h"

#include <gelf.h>
#include <inttypes.h>
#include <string.h>

/* With fewer functions without a name the file is not worth a word.  */
#define MANY_NAMELESS 64

struct start {
  uint64_t address;
  const char *name;    /* interned, once it was asked for */
};

struct dg_sections {
  GArray *sections;    /* struct dg_section, ascending */
  GArray *starts;      /* struct start, ascending */
  guint n_named;       /* of the starts */
};

/* ---- Reading ---------------------------------------------------------- */

static uint32_t
read_u32 (const struct dg_object *object, const uint8_t *p)
{
  return (uint32_t) dg_symbols_number (p, 4, object->is_big_endian);
}

DG_COMPARE_BY (compare_starts, struct start, address)

/* The only form that linkers write: version 1, a table of pairs of 32-bit
   distances from the section, whose number is a 32-bit word.  */
static void
read_starts (struct dg_object *object, Elf_Scn *section, uint64_t address)
{
  static const uint8_t form[] = {1, 0x1b, 0x03, 0x3b};
  const Elf_Data *data = elf_getdata (section, NULL);
  const uint8_t *bytes = data != NULL ? data->d_buf : NULL;
  uint32_t n;

  if (bytes == NULL || data->d_size < 12
      || memcmp (bytes, form, sizeof form) != 0)
    return;
  n = read_u32 (object, bytes + 8);
  if (n > (data->d_size - 12) / 8)
    return;
  for (uint32_t i = 0; i < n; i++) {
    struct start start = {
      address
        + (uint64_t) (int64_t) (int32_t) read_u32 (object,
                                                   bytes + 12 + 8 * i),
      NULL};

    g_array_append_val (object->sections->starts, start);
  }
  g_array_sort (object->sections->starts, compare_starts);
}

DG_COMPARE_BY (compare_sections, struct dg_section, low)

/* What takes no addresses of its own: the zeroed part of thread-local data,
   which every thread has elsewhere.  */
static bool
has_addresses (const GElf_Shdr *header)
{
  return (header->sh_flags & SHF_ALLOC) != 0 && header->sh_size > 0
         && header->sh_size <= UINT64_MAX - header->sh_addr
         && !((header->sh_flags & SHF_TLS) != 0
              && header->sh_type == SHT_NOBITS);
}

static void
read_sections (struct dg_object *object, Elf *elf)
{
  Elf_Scn *section = NULL;
  size_t strings;

  if (elf_getshdrstrndx (elf, &strings) < 0)
    return;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    struct dg_section item;
    GElf_Shdr header;

    if (gelf_getshdr (section, &header) == NULL || !has_addresses (&header))
      continue;
    item.low = header.sh_addr;
    item.high = header.sh_addr + header.sh_size;
    item.name = elf_strptr (elf, strings, header.sh_name);
    item.index = elf_ndxscn (section);
    item.is_code = (header.sh_flags & SHF_EXECINSTR) != 0;
    if (item.name == NULL)
      continue;
    g_array_append_val (object->sections->sections, item);
    if (strcmp (item.name, ".eh_frame_hdr") == 0
        && header.sh_type != SHT_NOBITS)
      read_starts (object, section, header.sh_addr);
  }
  g_array_sort (object->sections->sections, compare_sections);
}

static void
free_sections (gpointer data)
{
  struct dg_sections *sections = data;

  g_array_unref (sections->sections);
  g_array_unref (sections->starts);
  g_free (sections);
}

static const struct dg_sections *
sections_of (struct dg_object *object)
{
  Dwfl_Module *module;
  GElf_Addr bias;
  Elf *elf;

  if (object->sections != NULL)
    return object->sections;
  object->sections = g_new0 (struct dg_sections, 1);
  dg_object_keep (object, object->sections, free_sections);
  object->sections->sections =
    g_array_new (FALSE, FALSE, sizeof (struct dg_section));
  object->sections->starts =
    g_array_new (FALSE, FALSE, sizeof (struct start));
  module = dg_object_module (object);
  elf = module != NULL ? dwfl_module_getelf (module, &bias) : NULL;
  if (elf != NULL)
    read_sections (object, elf);
  return object->sections;
}

/* ---- Searching -------------------------------------------------------- */

const struct dg_section *
dg_section_find (struct dg_object *object, uint64_t address)
{
  const GArray *all = sections_of (object)->sections;
  guint low = DG_BISECT (
    0, all->len, i, g_array_index (all, struct dg_section, i).low <= address);

  if (low == 0
      || address >= g_array_index (all, struct dg_section, low - 1).high)
    return NULL;
  return &g_array_index (all, struct dg_section, low - 1);
}

/* A function reaches to the next one, or to the end of its section.  */
static struct start *
find_start (struct dg_object *object, uint64_t address)
{
  const GArray *all = sections_of (object)->starts;
  const struct dg_section *section;
  struct start *start;
  guint low = DG_BISECT (
    0, all->len, i, g_array_index (all, struct start, i).address <= address);

  section = dg_section_find (object, address);
  if (low == 0 || section == NULL || !section->is_code)
    return NULL;
  start = &g_array_index (all, struct start, low - 1);
  return start->address >= section->low ? start : NULL;
}

/* What to do where the functions of a file have no names.  */
static void
set_hint (struct dg_object *object, struct dg_names *names)
{
  const unsigned char *id = NULL;
  GElf_Addr address;
  int n = dwfl_module_build_id (object->module, &id, &address);
  GString *text = g_string_new (object->path);

  g_string_append (text,
                   ": stripped, so functions have names like func_0x1234. "
                   "Install its debug package (NAME-dbgsym or NAME-dbg), or "
                   "set DEBUGINFOD_URLS");
  if (n > 0)
    g_string_append (text, "; build-id ");
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", id[i]);
  object->hint = dg_names_intern (names, text->str);
  g_string_free (text, TRUE);
}

const char *
dg_section_function (struct dg_object *object, struct dg_names *names,
                     uint64_t address, uint64_t above)
{
  struct start *start = find_start (object, address);

  if (start == NULL || start->address < above)
    return NULL;
  if (start->name == NULL) {
    char *text = g_strdup_printf ("func_0x%" PRIx64, start->address);

    start->name = dg_names_intern (names, text);
    g_free (text);
    if (++object->sections->n_named == MANY_NAMELESS)
      set_hint (object, names);
  }
  return start->name;
}
