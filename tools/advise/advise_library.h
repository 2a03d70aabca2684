/* advise_library.h: what functions of the C library cost, and who calls them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_LIBRARY_H
#define DG_ADVISE_LIBRARY_H

#include "advise_facts.h"

/* Fewer calls cost nothing that is seen.  */
#define ADVISE_FEWEST_CALLS 1000

/* The variants of some functions, together.  */
struct advise_library {
  const char *busiest;     /* the one with most instructions */
  uint64_t most;           /* these */
  uint64_t calls, self, accesses;
  double cycles;           /* if they wait for nothing */
};

/* names: "strlen" is also "__strlen_avx2"; NULL-terminated.  */
struct advise_library advise_library_sum (const struct advise_facts *facts,
                                          const char *const *names);

/* Who calls a function most; NULL: nobody is known.  */
const struct advise_call *advise_main_call (const struct advise_facts *facts,
                                            const char *callee);

#endif /* DG_ADVISE_LIBRARY_H */
