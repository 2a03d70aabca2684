/* asm.h: text -> log, for tests.  The language is described in asm.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ASM_H
#define DG_ASM_H

#include <glib.h>
#include <stdbool.h>

struct dg_asm {
  /* Set before: what the log is where its text does not say.  */
  unsigned word_size;          /* 4 or 8 */
  bool big_endian;
  /* Set by dg_asm_text.  */
  GByteArray *bytes;
  GHashTable *labels;          /* char * -> gpointer of the offset */
  GPtrArray *expectations;     /* char *: what stands behind "#=" */
};

/* Defaults: 64 bits, little-endian.  */
void dg_asm_init (struct dg_asm *as);
void dg_asm_fini (struct dg_asm *as);

/* Assembles a text; on failure *message (to be freed) says why.  Once.  */
bool dg_asm_text (struct dg_asm *as, const char *text, char **message);

#endif /* DG_ASM_H */
