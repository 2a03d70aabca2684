/* long_test.h: how much a test tries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LONG_TEST_H
#define DG_LONG_TEST_H

#include <stdbool.h>

/* Whether a test tries all that it could (DG_TEST_LONG, as `make check-all`
   sets it), and not each thing in one way.  */
bool is_long_test (void);

#endif /* DG_LONG_TEST_H */
