/* replace.h: a file that is written beside its place, under a name of its
   own, and put there when it is complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPLACE_H
#define DG_REPLACE_H

#include "stream.h"

struct dg_replace {
  const char *path;        /* where symbolic links lead */
  struct dg_output *output;
  int fd;                  /* the new file, empty at first */
  const char *temporary;   /* to open it again; NULL: there is none */
};

/* Would the kernel go where dg_output_path goes?  0, also if there is nothing
   yet, or DG_ERR_IO.  To be asked of the path as it was given.  */
int dg_output_reach (const char *path, struct dg_error *err);

/* Makes the new file, which is to replace another: where `path` is a symbolic
   link, it stays, and what it leads to is replaced.  DG_ERR_INVALID if that is
   the source's own file, or is anything but a file; DG_ERR_IO.  */
int dg_replace_begin (struct dg_replace *replace, const char *path,
                      const struct dg_source *source, struct dg_error *err);

/* Writes all n bytes to a file that is open for it: 0 or DG_ERR_IO.  */
int dg_replace_write (int fd, const void *bytes, size_t n,
                      struct dg_error *err);

/* Puts the new file, which has been written, in its place; what was there is
   gone.  */
int dg_replace_commit (struct dg_replace *replace, struct dg_error *err);

/* Without that, the new file is gone.  Frees the rest.  */
void dg_replace_fini (struct dg_replace *replace);

#endif /* DG_REPLACE_H */
