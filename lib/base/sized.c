/* sized.c: structs of callers that may be of another version of the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sized.h"

#include <glib.h>
#include <string.h>

#include "error.h"

/* No version of the library has larger ones: who did not set the size.  */
#define MOST 65536

int
dg_sized_take (void *own, size_t n, size_t least, const void *from,
               struct dg_error *err)
{
  const uint8_t *bytes = from;
  size_t size = n;

  memset (own, 0, n);
  if (from)
    memcpy (&size, from, sizeof size);
  if (size < least)
    return dg_error_set (err, DG_ERR_INVALID,
                         "options of %zu bytes, at least %zu are needed", size,
                         least);
  if (size > MOST)
    return dg_error_set (err, DG_ERR_INVALID,
                         "options of %zu bytes: their size was not set", size);
  for (size_t i = n; i < size; i++)
    if (bytes[i] != 0)
      return dg_error_set (err, DG_ERR_INVALID,
                           "options that this version of the library does "
                           "not know");
  if (from)
    memcpy (own, from, MIN (n, size));
  memcpy (own, &n, sizeof n);
  return 0;
}

void
dg_sized_give (void *to, size_t size, const void *own, size_t n)
{
  memset (to, 0, size);
  memcpy (to, own, MIN (n, size));
  if (size >= sizeof size)
    memcpy (to, &size, sizeof size);
}
