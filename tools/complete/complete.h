/* complete.h: `dg __complete`, which the completions of shells call.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMPLETE_H
#define DG_COMPLETE_H

/* dg itself: argv[0] is the command's name, or "--help" and "--schema".
   Returns the exit status.  */
typedef int (*complete_dg_fn) (int argc, char **argv);

/* argv[1] is the program, the last one the word that is completed.  Returns
   the exit status.  */
int complete (complete_dg_fn dg, int argc, char **argv);

#endif /* DG_COMPLETE_H */
