/* code_name.h: what people are shown of code, where a function's name does not
   say enough: names made up of addresses, and code of no file, as what a
   compiler makes while the program runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CODE_NAME_H
#define DG_CODE_NAME_H

#include <glib.h>

#include "libdatagrind.h"

/* Is it "func_0x1234", which says nothing without its module?  */
bool dg_code_name_is_made_up (const char *function);

/* "f"; "func_0x1234 (libx.so)" of a name that is made up; "??? (libx.so)" of
   code of no function, and "???" of none of either.  Both may be NULL.  */
void dg_code_name_append (GString *text, const char *function,
                          const char *module);

/* ---- Code of no module ---- */

/* Its names, for dg_symbols_frames, which all ask.  */
struct dg_code_names;

/* Both must outlive it, and it what it names.  Never NULL.  */
struct dg_code_names *dg_code_names_new (const struct dg_log *log,
                                         struct dg_symbols *symbols);
/* NULL is fine.  */
void dg_code_names_free (struct dg_code_names *names);

/* A frame of which nothing is known gets its function; others stay as they
   are.  Equal names have equal pointers.  Any thread.  */
void dg_code_names_fill (struct dg_code_names *names, uint64_t address,
                         uint64_t icount, struct dg_frame *frame);

/* symbols.c: dg_symbols_frames for those to whom such a name is none, as they
   look for the name of a function, or name such code.  */
size_t dg_symbols_plain_frames (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount, struct dg_frame *out,
                                size_t max);

#endif /* DG_CODE_NAME_H */
