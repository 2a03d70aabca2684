/* reuse_each.c: reuse distances, access by access (dg_simulate.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/error.h"
#include "libdatagrind.h"
#include "reuse_stack.h"

#define LINE_BITS 6

struct dg_reuse_each {
  struct dg_reuse_stack stack;
  uint32_t n;              /* accesses; nobody asks how many */
};

struct dg_reuse_each *
dg_reuse_each_new (struct dg_error *err)
{
  struct dg_reuse_each *each = g_try_new0 (struct dg_reuse_each, 1);

  if (each == NULL)
    dg_error_nomem (err);
  else if (dg_reuse_stack_room (&each->stack, 1) < 0) {
    dg_error_nomem (err);
    dg_reuse_each_free (each);
    return NULL;
  }
  return each;
}

void
dg_reuse_each_free (struct dg_reuse_each *each)
{
  if (each == NULL)
    return;
  dg_reuse_stack_fini (&each->stack);
  g_free (each);
}

int
dg_reuse_each_access (struct dg_reuse_each *each, uint64_t address,
                      uint32_t size, uint32_t *distance, struct dg_error *err)
{
  uint64_t end = size > 0 ? address + (size - 1) : address;
  uint64_t line = address >> LINE_BITS;
  uint64_t last = (end < address ? UINT64_MAX : end) >> LINE_BITS;

  *distance = 0;
  each->n++;
  for (;; line++) {
    uint32_t found, elapsed;

    if (dg_reuse_stack_touch (&each->stack, line, each->n, &found, &elapsed)
        == NULL)
      return dg_error_nomem (err);
    *distance = MAX (*distance, found);
    if (line == last)
      return 0;
  }
}
