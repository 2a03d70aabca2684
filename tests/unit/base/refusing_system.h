/* refusing_system.h: a system that refuses what is asked for. The program's
   own functions are found before those of libc, by the library that is
   tested, too.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REFUSING_SYSTEM_H
#define DG_REFUSING_SYSTEM_H

#include <stdbool.h>
#include <sys/types.h>

/* Each function does what it always does, but for this.  */
struct refusing_system {
  bool has_no_unnamed; /* O_TMPFILE is unknown */
  bool umask_is_named; /* ... or the umask does not hold for it */
  bool has_no_locks;
  bool has_no_fchmod;
  unsigned thefts; /* so many files are locked by another first */
  int thief;       /* ... by this descriptor */
  char *stolen;
  const char *refused; /* a path that leads nowhere */
  const char *foreign; /* a path that is another user's, as its folder */
  bool has_no_linkat, has_no_rename, is_full;
  bool is_open_to_all; /* new files may be read and written by everybody */
  mode_t made;         /* the mode of the last file that was made */
};

extern struct refusing_system at_work;

#endif /* DG_REFUSING_SYSTEM_H */
