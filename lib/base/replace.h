/* replace.h: a file that is written beside its place, under a name of its
   own, and put there when it is complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPLACE_H
#define DG_REPLACE_H

#include "stream.h"

/* Of a new log.  Which addresses a program accesses can tell what it works on:
   nobody else may read that, as with a core file.  */
#define DG_LOG_MODE 0600

struct dg_replace {
  char *path;              /* where symbolic links lead */
  struct dg_output *output;            /* NULL: that is standard output */
  int fd;                  /* the new file, empty at first */
  const char *temporary;   /* to open it again; NULL: there is none */
};

/* Is that standard output: "-", its names in /dev and /proc, or that of the
   file where it goes to?  */
bool dg_replace_is_standard (const char *path);

/* Makes the new file, which is to replace another: where `path` is a symbolic
   link, it stays, and what it leads to is replaced.  Standard output is no
   such: what is written goes behind what it has, as it is written, and that
   cannot be an archive, whose parts know where they are.  DG_ERR_INVALID for
   that, if it is the source's own file, or is anything else but a file;
   DG_ERR_IO.  It is a log: only its owner may read it, or who may read the one
   that it replaces.  */
int dg_replace_begin (struct dg_replace *replace, const char *path,
                      bool is_archive, const struct dg_source *source,
                      struct dg_error *err);

/* Writes all n bytes to a file that is open for it: 0 or DG_ERR_IO.  */
int dg_replace_write (int fd, const void *bytes, size_t n,
                      struct dg_error *err);

/* Waits until all of a file is on its disk, where the file system can: 0, or
   -1 and errno.  */
int dg_replace_sync (int fd);

/* Puts the new file, which has been written, in its place; what was there is
   gone.  */
int dg_replace_commit (struct dg_replace *replace, struct dg_error *err);

/* Without that, the new file is gone.  Frees the rest.  */
void dg_replace_fini (struct dg_replace *replace);

#endif /* DG_REPLACE_H */
