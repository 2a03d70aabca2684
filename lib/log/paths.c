/* paths.c: the call paths of a raw log as a tree.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "paths.h"

#include <string.h>

#include "base/error.h"

void
dg_paths_fini (struct dg_paths *paths)
{
  dg_program_fini (&paths->program);
  dg_pairs_fini (&paths->children);
  memset (paths, 0, sizeof *paths);
}

static int
add_node (struct dg_program *program, const struct dg_program_node *node,
          uint32_t *number, struct dg_error *err)
{
  *number = dg_program_counts (program).nodes;
  return dg_program_add_node (program, node, err);
}

/* The call of a path, which is made if it is not there.  */
static int
find_child (struct dg_paths *paths, uint64_t site, uint32_t *node,
            struct dg_error *err)
{
  struct dg_program_node new = { .site = site, .parent = *node };
  int code;

  *node = dg_pairs_find (&paths->children, site, new.parent);
  if (*node != UINT32_MAX)
    return 0;
  code = add_node (&paths->program, &new, node, err);
  if (code == 0
      && dg_pairs_add (&paths->children, site, new.parent, *node) < 0)
    code = dg_error_nomem (err);
  return code;
}

/* The node of n sites, which stand innermost first.  */
static int
find_path (struct dg_paths *paths, const uint64_t *sites, unsigned n,
           uint32_t *node, struct dg_error *err)
{
  unsigned i = 0;

  /* One path begins as the one before it did.  */
  while (i < n && i < paths->n_last && paths->sites[i] == sites[n - 1 - i])
    i++;
  *node = i > 0 ? paths->nodes[i - 1] : 0;
  for (; i < n; i++) {
    int code;

    paths->n_last = i;
    code = find_child (paths, sites[n - 1 - i], node, err);
    if (code < 0)
      return code;
    paths->sites[i] = sites[n - 1 - i];
    paths->nodes[i] = *node;
  }
  paths->n_last = n;
  return 0;
}

int
dg_paths_find (struct dg_paths *paths, const uint64_t *block,
               const uint64_t *stack, unsigned n_stack, uint32_t *node,
               struct dg_error *err)
{
  struct dg_program_node own = { .n_stack = n_stack, .stack = stack };
  int code;

  if (paths->program.n_nodes == 0
      && dg_program_init (&paths->program, err) < 0)
    return DG_ERR_NOMEM;
  if (n_stack > 0 && block && stack[0] == *block)
    return find_path (paths, stack + 1, n_stack - 1, node, err);
  code = find_path (paths, stack + 1, n_stack > 0 ? n_stack - 1 : 0,
                    &own.parent, err);
  return code < 0 ? code : add_node (&paths->program, &own, node, err);
}
