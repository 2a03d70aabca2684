/* symbols_names.h: where strings are interned, and how names of sources are
   mapped.  May be called from anywhere.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_NAMES_H
#define DG_SYMBOLS_NAMES_H

#include <glib.h>
#include <stdbool.h>

/* Where strings are interned, and how names of sources are mapped.  */
struct dg_names {
  GMutex lock;                     /* of `strings` */
  GStringChunk *strings;
  char **source_from, **source_to; /* NULL-terminated, of equal length */
};

void dg_names_init (struct dg_names *names, const char *const *source_paths);
void dg_names_fini (struct dg_names *names);
/* NULL for NULL.  */
const char *dg_names_intern (struct dg_names *names, const char *text);
/* The interned name as a person writes it; C++ and Rust are demangled.  */
const char *dg_names_symbol (struct dg_names *names, const char *symbol);
/* With the return type, if the symbol tells it.  */
const char *dg_names_symbol_full (struct dg_names *names, const char *symbol);
/* The interned, mapped name of a source file; `dir` may be NULL and counts
   only when `file` is relative.  */
const char *dg_names_source (struct dg_names *names, const char *dir,
                             const char *file);

#endif /* DG_SYMBOLS_NAMES_H */
