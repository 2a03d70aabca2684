/* nomem.h: memory that runs out when a test wants it to.

   A program that has nomem.c gets its own of the functions by which the
   library and the viewer's model ask for memory that they can do without
   (g_try_*), and of those that end the process when there is none: these must
   not be asked for what grows with a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef NOMEM_H
#define NOMEM_H

#include <glib.h>
#include <stdbool.h>

/* From now on the n-th request by g_try_* fails, and if `is_lasting` all
   behind it do, too.  0: none does.  Any thread's requests count.  */
void nomem_begin (int n, bool is_lasting);
/* No more.  Returns whether one has failed.  */
bool nomem_end (void);

/* The largest request since nomem_begin that would have ended the process, in
   bytes.  */
gsize nomem_largest (void);

#endif /* NOMEM_H */
