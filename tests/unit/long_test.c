/* long_test.c: how much a test tries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "long_test.h"

#include <glib.h>

bool
is_long_test (void)
{
  const char *value = g_getenv ("DG_TEST_LONG");

  return value != NULL && value[0] != '\0';
}
