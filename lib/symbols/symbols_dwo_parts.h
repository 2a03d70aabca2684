/* symbols_dwo_parts.h: what the files symbols_dwo*.c share: sections of split
   debug information.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_DWO_PARTS_H
#define DG_SYMBOLS_DWO_PARTS_H

#include <gelf.h>
#include <glib.h>
#include <stdbool.h>

/* A section of one unit cannot be larger.  */
#define DG_DWO_LARGEST (1u << 29)

enum dg_dwo_section {
  DG_DWO_INFO,
  DG_DWO_TYPES,
  DG_DWO_ABBREV,
  DG_DWO_LINE,
  DG_DWO_LOC,
  DG_DWO_LOCLISTS,
  DG_DWO_RNGLISTS,
  DG_DWO_STR_OFFSETS,
  DG_DWO_STR,
  DG_DWO_SECTIONS
};

/* ".debug_info.dwo" and so on.  */
extern const char *const dg_dwo_names[DG_DWO_SECTIONS];

/* A file that is written.  */
struct dg_dwo_file {
  GElf_Ehdr header;        /* of one of the same kind */
  GByteArray *sections[DG_DWO_SECTIONS];
};

struct dg_dwo_file *dg_dwo_file_new (Elf *like);
void dg_dwo_file_free (struct dg_dwo_file *file);
/* A descriptor of it, in memory; -1: that cannot be.  */
int dg_dwo_file_write (const struct dg_dwo_file *file);

/* Calls `each` for all sections until it is false; kind: DG_DWO_SECTIONS for
   any other section.  False: a section was bad, or `each` was false.  */
bool dg_dwo_sections (Elf *elf,
                      bool (*each) (void *user, const char *name,
                                    unsigned kind, Elf_Scn *section),
                      void *user);
/* The bytes of a section, which is expanded if it was compressed; NULL: there
   are none.  */
const Elf_Data *dg_dwo_data (Elf_Scn *section);

#endif /* DG_SYMBOLS_DWO_PARTS_H */
