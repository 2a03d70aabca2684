/* mutate_elf.c: an ELF file of this machine, changed in its sections: numbers,
   varints and texts of debug information, the table of symbols, headers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <elf.h>
#include <glib.h>
#include <string.h>

#include "mutate.h"

struct section {
  size_t offset, size;
};

/* Those that lie in the file, but not what is executed, which nothing of what
   is asked depends on.  */
static size_t
find_sections (const uint8_t *bytes, size_t n, struct section *sections,
               size_t max)
{
  Elf64_Ehdr header;
  size_t found = 0;

  if (n < sizeof header)
    return 0;
  memcpy (&header, bytes, sizeof header);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0
      || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shoff > n)
    return 0;
  for (size_t i = 1; i < header.e_shnum && found < max; i++) {
    Elf64_Shdr section;

    if ((n - header.e_shoff) / sizeof section <= i)
      break;
    memcpy (&section, bytes + header.e_shoff + i * sizeof section,
            sizeof section);
    if (section.sh_type == SHT_NOBITS || section.sh_size == 0
        || section.sh_offset > n || section.sh_size > n - section.sh_offset
        || section.sh_flags & SHF_EXECINSTR)
      continue;
    sections[found++] = (struct section) {section.sh_offset, section.sh_size};
  }
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
  size_t n_sections = find_sections (bytes, n, sections,
                                     G_N_ELEMENTS (sections));
  Elf64_Ehdr header;

  for (size_t times = dg_fuzz_below (random, 4) + 1; times > 0; times--) {
    if (n_sections == 0 || dg_fuzz_chance (random, 30)) {
      if (n > 0)
        change (bytes, MIN (n, 200), random);
    } else if (dg_fuzz_chance (random, 12)) {
      memcpy (&header, bytes, sizeof header);
      if (header.e_shoff < n)
        change (bytes + header.e_shoff, n - header.e_shoff, random);
    } else {
      section = &sections[dg_fuzz_below (random, n_sections)];
      change (bytes + section->offset, section->size, random);
    }
  }
  return n;
}
