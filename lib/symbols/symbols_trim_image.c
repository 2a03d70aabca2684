/* symbols_trim_image.c: clears what is not needed of an image.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <gelf.h>
#include <string.h>

#include "base/compare.h"
#include "symbols_trim.h"
#include "symbols_trim_parts.h"

/* A header of a unit of DWARF 4, without its length: a unit that has nothing
   takes at least so much.  */
#define UNIT_HEAD 11

/* A section in the image.  */
struct section {
  uint8_t *bytes;
  uint64_t size;
};

static bool
find_section (const struct dg_symbols_image *image, Elf *elf,
              const char *wanted, struct section *out)
{
  Elf_Scn *section = NULL;
  size_t names;

  out->bytes = NULL;
  out->size = 0;
  if (elf_getshdrstrndx (elf, &names) < 0)
    return false;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name;

    if (gelf_getshdr (section, &header) == NULL
        || (name = elf_strptr (elf, names, header.sh_name)) == NULL
        || strcmp (name, wanted) != 0)
      continue;
    if (header.sh_type == SHT_NOBITS
        || (header.sh_flags & SHF_COMPRESSED) != 0
        || header.sh_offset > image->size
        || header.sh_size > image->size - header.sh_offset)
      return false;
    out->bytes = image->bytes + header.sh_offset;
    out->size = header.sh_size;
    return true;
  }
  return false;
}

/* ---- Sections of which units have parts -------------------------------- */

DG_COMPARE_BY (compare_refs, struct dg_trim_ref, offset)

static void
clear (const struct section *section, uint64_t low, uint64_t high)
{
  if (low < section->size)
    memset (section->bytes + low, 0,
            (size_t) (MIN (high, section->size) - low));
}

/* From where something begins to where the next thing does; what comes before
   all of them stays.  */
static void
clear_lists (const struct dg_trim *trim, const struct section *section,
             GArray *refs)
{
  const struct dg_trim_ref *all = (struct dg_trim_ref *) (void *) refs->data;
  guint i = 0;

  g_array_sort (refs, compare_refs);
  while (i < refs->len) {
    uint64_t offset = all[i].offset;
    bool is_needed = false;

    for (; i < refs->len && all[i].offset == offset; i++)
      is_needed |=
        g_array_index (trim->units, struct dg_trim_unit, all[i].unit)
          .is_needed;
    if (!is_needed)
      clear (section, offset, i < refs->len ? all[i].offset : section->size);
  }
}

/* Those that are needed are referred to; each ends with a zero.  */
static void
clear_strings (const struct section *section, GArray *refs)
{
  const struct dg_trim_ref *all = (struct dg_trim_ref *) (void *) refs->data;
  uint64_t end = 0;

  g_array_sort (refs, compare_refs);
  for (guint i = 0; i < refs->len; i++) {
    uint64_t offset = all[i].offset;
    const uint8_t *zero;

    if (offset >= section->size)
      break;
    if (offset > end)
      clear (section, end, offset);
    zero = memchr (section->bytes + offset, 0, section->size - offset);
    end = MAX (end, zero != NULL ? (uint64_t) (zero - section->bytes)
                                 : section->size);
  }
  clear (section, end, section->size);
}

/* Units in a row that are not needed become one without a DIE.  */
static void
clear_units (const struct dg_trim *trim, const struct section *info)
{
  guint n = trim->units->len;

  for (guint i = 0; i < n;) {
    guint first = i;
    uint64_t start, end;
    uint32_t length;
    uint16_t version = 4;

    while (i < n
           && !g_array_index (trim->units, struct dg_trim_unit, i).is_needed)
      i++;
    if (i == first) {
      i++;
      continue;
    }
    start = g_array_index (trim->units, struct dg_trim_unit, first).start;
    end = g_array_index (trim->units, struct dg_trim_unit, i - 1).end;
    if (end > info->size || end - start < UNIT_HEAD + 1)
      continue;
    clear (info, start, end);
    length = (uint32_t) (end - start - 4);
    memcpy (info->bytes + start, &length, sizeof length);
    memcpy (info->bytes + start + 4, &version, sizeof version);
    info->bytes[start + 10] = 8;
  }
}

/* The bytes have the order of this machine.  */
static bool
is_ours (Elf *elf)
{
  GElf_Ehdr header;

  return gelf_getehdr (elf, &header) != NULL
         && header.e_ident[EI_DATA]
              == (G_BYTE_ORDER == G_BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB);
}

void
dg_trim_debug (const struct dg_trim *trim, struct dg_symbols_image *image)
{
  static const char *const names[DG_TRIM_SECTIONS] = {
    ".debug_abbrev", ".debug_line", ".debug_loc", ".debug_loclists",
    ".debug_ranges", ".debug_rnglists", ".debug_str"};
  struct section info, sections[DG_TRIM_SECTIONS];
  Elf *elf = elf_memory ((char *) image->bytes, (size_t) image->size);
  bool is_good = elf != NULL && is_ours (elf)
                 && find_section (image, elf, ".debug_info", &info);

  for (unsigned i = 0; is_good && i < DG_TRIM_SECTIONS; i++)
    is_good = find_section (image, elf, names[i], &sections[i])
              || trim->refs[i]->len == 0;
  if (elf != NULL)
    elf_end (elf);
  if (!is_good)
    return;
  clear_units (trim, &info);
  for (unsigned i = 0; i < DG_TRIM_SECTIONS; i++)
    if (i == DG_TRIM_STR)
      clear_strings (&sections[i], trim->refs[i]);
    else
      clear_lists (trim, &sections[i], trim->refs[i]);
}

/* ---- Code -------------------------------------------------------------- */

/* The longest instruction.  */
#define CODE_BYTES 16

DG_COMPARE_BY (compare_ranges, struct dg_trim_range, low)

static GArray *
needed_code (const struct dg_trim *trim, const GArray *code)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_trim_range));

  for (guint i = 0; i < code->len; i++) {
    uint64_t address = g_array_index (code, uint64_t, i);
    struct dg_trim_range range = {address, address + CODE_BYTES};

    g_array_append_val (all, range);
  }
  if (trim != NULL)
    g_array_append_vals (all, trim->ranges->data, trim->ranges->len);
  g_array_sort (all, compare_ranges);
  return all;
}

/* A section that begins at this address.  */
static void
clear_code (const struct section *section, uint64_t address,
            const GArray *needed)
{
  uint64_t end = address;

  for (guint i = 0; i < needed->len; i++) {
    const struct dg_trim_range *range =
      &g_array_index (needed, struct dg_trim_range, i);

    if (range->high <= end)
      continue;
    if (range->low >= address + section->size)
      break;
    if (range->low > end)
      clear (section, end - address, range->low - address);
    end = range->high;
  }
  if (end < address + section->size)
    clear (section, end - address, section->size);
}

void
dg_trim_code (const struct dg_trim *trim, const GArray *code,
              struct dg_symbols_image *image)
{
  Elf *elf = elf_memory ((char *) image->bytes, (size_t) image->size);
  GArray *needed = needed_code (trim, code);
  Elf_Scn *section = NULL;
  size_t names;

  if (elf == NULL || elf_getshdrstrndx (elf, &names) < 0)
    section = NULL;
  else
    while ((section = elf_nextscn (elf, section)) != NULL) {
      struct section here;
      GElf_Shdr header;
      const char *name;

      if (gelf_getshdr (section, &header) == NULL
          || header.sh_type != SHT_PROGBITS
          || (header.sh_flags & SHF_EXECINSTR) == 0
          || (name = elf_strptr (elf, names, header.sh_name)) == NULL
          || g_str_has_prefix (name, ".plt")
          || g_str_has_prefix (name, ".iplt")
          || !find_section (image, elf, name, &here))
        continue;
      clear_code (&here, header.sh_addr, needed);
    }
  g_array_unref (needed);
  if (elf != NULL)
    elf_end (elf);
}
