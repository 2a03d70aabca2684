/* jit_names.h: names of code of no file, as what a compiler makes while the
   program runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_JIT_NAMES_H
#define DG_JIT_NAMES_H

#include <glib.h>

#include "libdatagrind.h"

/* Its names, for dg_symbols_frames, which all ask.  */
struct dg_jit_names;

/* Both must outlive it, and it what it names.  Never NULL.  */
struct dg_jit_names *dg_jit_names_new (const struct dg_log *log,
                                         struct dg_symbols *symbols);
/* NULL is fine.  */
void dg_jit_names_free (struct dg_jit_names *names);

/* A frame of which nothing is known gets its function; others stay as they
   are.  Equal names have equal pointers.  Any thread.  */
void dg_jit_names_fill (struct dg_jit_names *names, uint64_t address,
                         uint64_t icount, struct dg_frame *frame);

#endif /* DG_JIT_NAMES_H */
