/* symbols_find.h: the files that an executable's debug information stands in,
   if not in itself: searched for and opened by us, since libdwfl and libdw
   open whatever is there and wait at a FIFO for ever.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_FIND_H
#define DG_SYMBOLS_FIND_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "libdatagrind.h"

/* A file that is looked for, as the log has it, and what was found.  */
struct dg_find {
  const struct dg_log *log;   /* whose module it is */
  const char *path;
  const uint8_t *build_id;
  uint8_t n_build_id;
  bool is_bundled;         /* all of it comes from the log */
  char *debug_file;        /* separate debug information that was opened */
  char *shared_file;       /* likewise, of what several share */
  char *problem;           /* why these cannot be had from the log */
  bool is_unsafe;          /* libdw must not read any of it: problem says
                              why */
  /* What libdw reads, or -1; once all is opened, only of what is not
     trusted.  */
  int module_fd, debug_fd, shared_fd;
  int copy;                /* -1, or what is read in place of the file that has
                              the debug information */
};

/* How a Dwfl finds debug information: by build-id below /usr/lib/debug; by
   its link beside the file, in .debug there, below /usr/lib/debug; before
   these in the folders that the user named (dg_log_set_places); from
   debuginfod servers if the user names any.  Of a module that comes from the
   log: there, and nowhere else.  */
extern const Dwfl_Callbacks dg_find_callbacks;

/* The callbacks need to know whose module this is.  */
void dg_symbols_find_for (Dwfl_Module *module, struct dg_find *find);

/* "/usr/lib/debug/.build-id/xx/yyyy.debug" in one of the folders, open; *path
   receives its name, to be freed.  -1: there is none.  */
int dg_symbols_find_by_build_id (const struct dg_find *find,
                                 const uint8_t *id, size_t n, char **path);

/* Where the file is looked for first: below the sysroot, if there is one, else
   at its path; or then, NULL if nowhere.  To be freed.  */
char *dg_symbols_find_module (const struct dg_find *find, bool is_first);

/* The same path below the sysroot; NULL: there is no sysroot.  And the folders
   with debug files, one after the other, from 0; NULL: there are no more.  To
   be freed.  */
char *dg_symbols_find_rooted (const struct dg_find *find, const char *path);
char *dg_symbols_find_debug_dir (const struct dg_find *find, size_t i);

/* Of a module that comes from the log, what the log has of its debug
   information; NULL: nothing.  */
const struct dg_bundle_file *
dg_symbols_find_bundled_debug (const struct dg_find *find);

/* From now on libdw must not read any of it.  Takes the text.  */
void dg_symbols_find_unsafe (struct dg_find *find, char *why);

/* The folder that libdw takes for that of a module, and what a name means
   there; to be freed.  */
char *dg_symbols_find_folder (Dwfl_Module *module);
char *dg_symbols_find_in (const char *dir, const char *name);

/* The file that a module shares with others and that was not found, but would
   be read; to be freed.  NULL: there is none.  */
char *dg_symbols_find_outside (const struct dg_find *find,
                               Dwfl_Module *module);

/* What libdw would open by itself once it is asked for more: the file that
   several share (.gnu_debugaltlink), and the units that stand in files of
   their own (.dwo).  Returns the first name of these that is not a regular
   file, to be freed, or NULL.  */
char *dg_symbols_find_bad_name (const struct dg_find *find,
                                Dwfl_Module *module);

#endif /* DG_SYMBOLS_FIND_H */
