/* dg_file.h: reading files that logs name, writing files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_FILE_H
#define LIBDATAGRIND_FILE_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading --------------------------------------------------------- */

/* Reads a file that a log or a module names, such as a source: a regular file
   of at most `max` bytes.  Other files are not even opened, since a FIFO would
   wait for its writer.  *text ends with a 0 byte and is freed with free;
   *changed, unless NULL, is its modification time in seconds.  Returns 0, or
   DG_ERR_INVALID: not a regular file; DG_ERR_LIMIT: too large; DG_ERR_IO,
   DG_ERR_NOMEM: then *text is NULL. The message does not contain the name of
   the file.  */
DG_API int dg_regular_read (const char *path, size_t max, char **text,
                            size_t *n, int64_t *changed, struct dg_error *err);

/* ---- Writing --------------------------------------------------------- */

/* The path where a file with this name is written: symbolic links are
   followed, and not replaced.  To be freed with free.  */
DG_API char *dg_output_path (const char *path);
/* Whether a file can be written there.  DG_ERR_IO: no, because there is
   something other than a regular file (or a character device, if that is
   allowed), or no folder, or no permission.  */
DG_API int dg_output_check (const char *path, bool may_be_device,
                            struct dg_error *err);
/* The text for messages about the errno of a write: that of strerror, except
   for EFBIG, the limit set by the user.  */
DG_API const char *dg_output_error (int error);

/* A new file that replaces `path` (symbolic links are followed) when it is
   complete; until then, the old file is unchanged.  If the file system
   supports it, the new file has no name before, so nothing is left over
   however the process ends; otherwise it is PATH.XXXXXXXX.tmp, and such files
   of killed processes are removed.  */
struct dg_output;
/* mode: permissions (of 0666), regardless of the umask; -1: those of the
   replaced file or, if there is none, as the umask has it.  The file never has
   more permissions.  DG_ERR_IO, DG_ERR_NOMEM (NULL).  */
DG_API int dg_output_open (const char *path, int mode, struct dg_output **out,
                           struct dg_error *err);
/* The descriptor to write to, and a name by which the file can be opened
   again, also for reading.  Both belong to the output.  */
DG_API int dg_output_fd (const struct dg_output *output);
DG_API const char *dg_output_name (const struct dg_output *output);
/* Gives the file its name.  DG_ERR_IO.  */
DG_API int dg_output_commit (struct dg_output *output, struct dg_error *err);
/* Without dg_output_commit, the file is removed.  May be NULL.  */
DG_API void dg_output_close (struct dg_output *output);
/* All of this at once, for data in memory: on failure, the old file is
   unchanged, and there is no other file.  DG_ERR_IO, also for files that
   dg_output_check rejects.  */
DG_API int dg_output_save (const char *path, const void *bytes, size_t n,
                           struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_FILE_H */
