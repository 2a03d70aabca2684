/* symbols_files.h: the files that the names of a log are read from, for others
   to keep.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_FILES_H
#define DG_SYMBOLS_FILES_H

#include "symbols_image.h"

enum dg_symbols_file_kind {
  DG_SYMBOLS_FILE_MODULE,
  DG_SYMBOLS_FILE_DEBUG,   /* separate debug information of that */
  DG_SYMBOLS_FILE_SHARED,  /* what several of these share */
  DG_SYMBOLS_FILE_SPLIT    /* a unit that stands in a file of its own, or in
                              a package */
};

struct dg_object;

struct dg_symbols_file {
  struct dg_object *object;
  enum dg_symbols_file_kind kind;
  const char *module;      /* as the log has it */
  const char *path;        /* of the file on this machine */
  const uint8_t *id;       /* build-id, that of SHARED its own; of SPLIT its
                              number */
  size_t n_id;
  uint64_t unit;           /* of SPLIT its number */
};

/* What names may be asked for: addresses of the program, ascending, each
   once.  */
struct dg_symbols_used {
  const uint64_t *code;    /* of instructions, and call sites */
  const uint64_t *lines;   /* of 64 bytes that were accessed: address / 64 */
  const char *const *types;   /* that the program has named */
  size_t n_code, n_lines, n_types;
};

/* Calls `each` for every file of every module of which anything is used, those
   that the log brings left out; it returns 0, or an error that ends it.  Opens
   all debug information, which takes its time.  What cannot be used is among
   the problems of the symbols.  */
int dg_symbols_files (struct dg_symbols *symbols,
                      const struct dg_symbols_used *used,
                      int (*each) (void *user,
                                   const struct dg_symbols_file *file,
                                   struct dg_error *err),
                      void *user, struct dg_error *err);

/* A descriptor of what is to be kept of a file, or DG_ERR_*.  */
int dg_symbols_file_open (const struct dg_symbols_file *file,
                          struct dg_error *err);

/* Clears what no address that is used needs of the image of a file.  */
void dg_symbols_file_trim (struct dg_symbols *symbols,
                           const struct dg_symbols_file *file,
                            const struct dg_symbols_used *used,
                            struct dg_symbols_image *image);

#endif /* DG_SYMBOLS_FILES_H */
