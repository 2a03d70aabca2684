/* dg_file.h: files: one that a log names is read, one of ours is written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_FILE_H
#define LIBDATAGRIND_FILE_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading --------------------------------------------------------- */

/* Reads a file that a log or a module names, such as a source: a regular one
   of at most `max` bytes; others are not even opened, as a FIFO would wait
   for its writer.  *text, which a 0 byte ends, is to be freed with free;
   *changed, unless NULL, is when it was last written, in seconds.
   Returns 0, or DG_ERR_INVALID: no regular file; DG_ERR_LIMIT: too large;
   DG_ERR_IO, DG_ERR_NOMEM: then *text is NULL.  The message does not name the
   file.  */
DG_API int dg_regular_read (const char *path, size_t max, char **text,
                            size_t *n, int64_t *changed, struct dg_error *err);

/* ---- Writing --------------------------------------------------------- */

/* Where everything that writes a file under a name puts it: where symbolic
   links lead, which stay.  To be freed with free.  */
DG_API char *dg_output_path (const char *path);
/* May a file be written there?  DG_ERR_IO: no, because there is something else
   than a regular file (or a device of characters, if that may be), or no
   folder, or no right to it.  */
DG_API int dg_output_check (const char *path, bool may_be_device,
                            struct dg_error *err);
/* The text in messages for the errno of a write: strerror's text, but for
   EFBIG, which is the limit that the user has set.  */
DG_API const char *dg_output_error (int error);

/* A new file that takes the place of what is at `path`, where links lead, when
   it is complete; till then there is only what was.  Where the file system can
   do it, it has no name before, so that nothing is left of it however the
   process ends; elsewhere it is beside the other as PATH.XXXXXXXX.tmp, and
   what an earlier process that was killed has left of such is removed.  */
struct dg_output;
/* `mode` says who may read and write it (of 0666), whatever the umask; or -1:
   those who could the file that it replaces, or, where there is none, as the
   umask has it.  At no moment anybody else may.  DG_ERR_IO, DG_ERR_NOMEM
   (NULL).  */
DG_API int dg_output_open (const char *path, int mode, struct dg_output **out,
                           struct dg_error *err);
/* To be written to; or a name, by which it can be opened once more, also to be
   read.  Both are the output's own.  */
DG_API int dg_output_fd (const struct dg_output *output);
DG_API const char *dg_output_name (const struct dg_output *output);
/* Puts it in its place.  DG_ERR_IO.  */
DG_API int dg_output_commit (struct dg_output *output, struct dg_error *err);
/* Without having been put in its place, it is gone.  May be NULL.  */
DG_API void dg_output_close (struct dg_output *output);
/* All that at once, for what is in memory: on failure there is what was, and
   no other file.  DG_ERR_IO, also for what dg_output_check refuses.  */
DG_API int dg_output_save (const char *path, const void *bytes, size_t n,
                           struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_FILE_H */
