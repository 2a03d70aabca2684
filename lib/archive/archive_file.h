/* archive_file.h: the file of an archive that has its name while it is
   written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_FILE_H
#define DG_ARCHIVE_FILE_H

#include "libdatagrind.h"

/* It may still have another name.  */
struct dg_archive_file {
  int fd;                  /* or an error's code */
  char *path;              /* NULL: it is the caller's */
  char *temporary;         /* until it is put in the place of another one */
  bool is_new;             /* nothing has been there */
};

/* A file of its own for this name, or the one that is there, empty; locked
   as long as it is open, where file systems can.  The descriptor or an error's
   code.  */
int dg_archive_file_open (const char *path, struct dg_archive_file *file,
                          struct dg_error *err);

/* It has its head (code 0), and gets its name; or it has not, and goes away.
   Returns code, or what became of it.  */
int dg_archive_file_settle (struct dg_archive_file *file, int code,
                            struct dg_error *err);

#endif /* DG_ARCHIVE_FILE_H */
