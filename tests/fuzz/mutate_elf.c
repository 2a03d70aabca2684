/* mutate_elf.c: an ELF file, changed in its sections: numbers,
   varints and texts of debug information, the table of symbols, headers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <elf.h>
#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "mutate.h"

struct section {
  size_t offset, size;
};

/* The header of the file, and of a section, as far as it matters.  */
struct layout {
  bool is_32, big_endian;
  uint64_t table;          /* where the headers of sections are */
  size_t n_sections, header_size;
};

static uint64_t
number (const struct layout *layout, const uint8_t *at, unsigned width)
{
  uint64_t value = 0;

  for (unsigned i = 0; i < width; i++)
    value |= (uint64_t) at[layout->big_endian ? width - 1 - i : i] << 8 * i;
  return value;
}

static bool
read_layout (const uint8_t *bytes, size_t n, struct layout *layout)
{
  if (n < sizeof (Elf64_Ehdr) || memcmp (bytes, ELFMAG, SELFMAG) != 0)
    return false;
  layout->is_32 = bytes[EI_CLASS] == ELFCLASS32;
  layout->big_endian = bytes[EI_DATA] == ELFDATA2MSB;
#define FIELD(type, field) \
  (layout->is_32 ? number (layout, bytes + offsetof (Elf32_##type, field), \
                           sizeof ((Elf32_##type *) 0)->field)             \
                 : number (layout, bytes + offsetof (Elf64_##type, field), \
                           sizeof ((Elf64_##type *) 0)->field))
  layout->table = FIELD (Ehdr, e_shoff);
  layout->n_sections = FIELD (Ehdr, e_shnum);
  layout->header_size = layout->is_32 ? sizeof (Elf32_Shdr)
                                      : sizeof (Elf64_Shdr);
  return layout->table <= n;
}

/* Those that lie in the file.  Of what is executed little depends on more than
   the jumps to other files, and where functions begin.  */
static size_t
find_sections (const uint8_t *file, size_t n, const struct layout *layout,
               struct dg_fuzz_random *random, struct section *sections,
               size_t max)
{
  bool code_too = dg_fuzz_chance (random, 4);
  size_t found = 0;

  for (size_t i = 1; i < layout->n_sections && found < max; i++) {
    const uint8_t *bytes = file + layout->table + i * layout->header_size;
    uint64_t offset, size;

    if ((n - layout->table) / layout->header_size <= i)
      break;
    offset = FIELD (Shdr, sh_offset);
    size = FIELD (Shdr, sh_size);
    if (FIELD (Shdr, sh_type) == SHT_NOBITS || size == 0 || offset > n
        || size > n - offset
        || (!code_too && FIELD (Shdr, sh_flags) & SHF_EXECINSTR))
      continue;
    sections[found++] = (struct section) {offset, size};
  }
#undef FIELD
  return found;
}

/* Sizes of sections stay, so that all others stay where they are.  */
static void
change (uint8_t *bytes, size_t n, struct dg_fuzz_random *random)
{
  unsigned width = 1u << dg_fuzz_below (random, 4);
  size_t at = dg_fuzz_below (random, n), length, from;

  switch (dg_fuzz_below (random, 8)) {
  case 0:
    bytes[at] = (uint8_t) dg_fuzz_bits (random);
    break;
  case 1:
  case 2:
    if (width <= n - at)
      dg_mutate_number_at (bytes + at, width, random);
    break;
  case 3:
    length = dg_fuzz_up_to (random, 64, n - at);
    from = dg_fuzz_below (random, n - length + 1);
    memmove (bytes + at, bytes + from, length);
    break;
  case 4:
    /* A byte less, and all behind it moved.  */
    memmove (bytes + at, bytes + at + 1, n - at - 1);
    break;
  case 5:
    memmove (bytes + at + 1, bytes + at, n - at - 1);
    break;
  default:
    /* Forms, tags, attributes and lengths are small.  */
    bytes[at] = (uint8_t) dg_fuzz_number (random, bytes[at]);
    break;
  }
}

size_t
dg_mutate_elf (uint8_t *bytes, size_t n, struct dg_fuzz_random *random)
{
  struct section sections[100], *section;
  struct layout layout = {0};
  size_t n_sections =
    read_layout (bytes, n, &layout)
      ? find_sections (bytes, n, &layout, random, sections,
                       G_N_ELEMENTS (sections))
      : 0;

  for (size_t times = dg_fuzz_below (random, 4) + 1; times > 0; times--) {
    if (n_sections == 0 || dg_fuzz_chance (random, 30)) {
      if (n > 0)
        change (bytes, MIN (n, 200), random);
    } else if (dg_fuzz_chance (random, 12)) {
      if (layout.table < n)
        change (bytes + layout.table, n - layout.table, random);
    } else {
      section = &sections[dg_fuzz_below (random, n_sections)];
      change (bytes + section->offset, section->size, random);
    }
  }
  return n;
}
