/* finder.c: the variable, block and place of allocation of each access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "error.h"
#include "variables.h"

#include <glib.h>

struct dg_finder {
  struct dg_variables *variables;
  const struct dg_space *space;
};

struct dg_finder *
dg_finder_new (struct dg_variables *variables, struct dg_error *err)
{
  struct dg_finder *finder = g_try_new0 (struct dg_finder, 1);

  if (finder == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  finder->variables = variables;
  finder->space = dg_variables_space (variables);
  return finder;
}

void
dg_finder_free (struct dg_finder *finder)
{
  g_free (finder);
}

uint32_t
dg_finder_variable (struct dg_finder *finder, const struct dg_access *access)
{
  struct dg_owner owner;

  dg_space_find (finder->space, access->address, access->icount, &owner);
  return dg_variables_ask (finder->variables, access, &owner);
}

uint32_t
dg_finder_block (struct dg_finder *finder, const struct dg_access *access)
{
  uint64_t low, high;

  return dg_space_block (finder->space, access->address, access->icount, &low,
                         &high);
}

uint32_t
dg_finder_site (struct dg_finder *finder, const struct dg_access *access)
{
  uint32_t block = dg_finder_block (finder, access);

  return block == DG_NONE ? 0
                          : dg_variables_block_site (finder->variables, block);
}
