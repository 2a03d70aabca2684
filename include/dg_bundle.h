/* dg_bundle.h: where names come from: files on this machine, or in the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_BUNDLE_H
#define LIBDATAGRIND_BUNDLE_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files on this machine ------------------------------------------- */

/* A log that is opened takes its places from these variables of the
   environment, the last two with ':' between several.  */
#define DG_PLACES_SYSROOT    "DATAGRIND_SYSROOT"
#define DG_PLACES_DEBUG_DIRS "DATAGRIND_DEBUG_DIRS"
#define DG_PLACES_SOURCE_MAP "DATAGRIND_SOURCE_MAP"

/* Where the files that a log names are, if not where it says.  Arrays are
   NULL-terminated; each member may be NULL.  */
struct dg_places {
  size_t size; /* sizeof (struct dg_places) */
  /* Before the paths of executables and libraries, and of /usr/lib/debug.  */
  const char *sysroot;
  /* Folders with separate debug files, as /usr/lib/debug has them (by build-id
     or path) or directly, which are searched first.  */
  const char *const *debug_dirs;
  /* "FROM=TO": names of source files that start with FROM start with TO
     instead.  */
  const char *const *source_map;
};

/* In place of those from the environment.  Applies to every dg_symbols that is
   made for the log afterwards, and to logs that it grows to.  Copies what it
   gets.  DG_ERR_INVALID: a text of source_map is not of that form.  Not while
   other threads use the log.  */
DG_API int dg_log_set_places (struct dg_log *log,
                              const struct dg_places *places,
                              struct dg_error *err);

/* Reads a source file by its name in a dg_frame: from the log, if it has
   sources (dg_log_bundle), else from this machine.  As dg_regular_read.  */
DG_API int dg_log_read_source (const struct dg_log *log, const char *path,
                               size_t max, char **text, size_t *n,
                               int64_t *changed, struct dg_error *err);

/* Whether the log has that file.  */
DG_API bool dg_log_has_source (const struct dg_log *log, const char *path);

/* ---- Files in the log ------------------------------------------------ */

struct dg_bundle_options {
  size_t size; /* sizeof (struct dg_bundle_options) */
  int level;   /* of zstd, 1 to 19; 0: the default */
  bool sources; /* of all code that was executed */
};

/* What a log has of them.  */
struct dg_bundle_summary {
  uint64_t modules;     /* executables and libraries */
  uint64_t debug_files; /* separate ones, and those that several share */
  uint64_t sources;
  uint64_t file_bytes;   /* of these files on the machine */
  uint64_t stored_bytes; /* in the archive */
};

/* Writes a loaded log as an archive at `path` with what names need of its
   modules and their debug files: names in that archive are those that the log
   has here, on any machine.  An existing file is replaced when the archive is
   complete.  Files that are missing, or that were changed since the recording,
   are left out: *problems receives them, a NULL-terminated array of messages
   to be freed with dg_bundle_free_problems; it may be NULL.  An archive is
   copied, not packed again.  options and summary may be NULL.  Progress is in
   bytes.  */
DG_API int dg_log_bundle (const struct dg_log *log, const char *path,
                          const struct dg_bundle_options *options,
                          dg_progress_fn progress, void *user,
                          struct dg_bundle_summary *summary, char ***problems,
                          struct dg_error *err);
DG_API void dg_bundle_free_problems (char **problems);

/* Of a loaded log.  Returns whether it has any file.  */
DG_API bool dg_log_bundled (const struct dg_log *log,
                            struct dg_bundle_summary *summary);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_BUNDLE_H */
