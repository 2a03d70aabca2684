/* random_text.h: random logs as texts of dgasm's language, with everything
   that a log may hold and that is rarely seen.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RANDOM_TEXT_H
#define DG_RANDOM_TEXT_H

/* About so many records; the numbers are those of g_test_rand_int.  The log
   is good.  To be freed.  */
char *random_text_new (unsigned n);

#endif /* DG_RANDOM_TEXT_H */
