/* arrow_owners.c: whose memory accesses are to, as columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_owners.h"

#include <glib.h>

#include "base/error.h"

/* Of a number that was not asked about yet.  */
#define NOT_KNOWN INT32_MIN

/* What a number of a variable or site is in a dictionary; -1: null.  */
struct known {
  int32_t *index;
  uint32_t n;
};

struct dg_arrow_owners {
  struct dg_variables *variables;
  struct dg_finder *finder;
  struct known names, types, sites;
};

struct dg_arrow_owners *
dg_arrow_owners_new (struct dg_arrow_shared *shared, dg_progress_fn progress,
                     void *user, struct dg_error *err)
{
  struct dg_variables *variables
    = dg_arrow_shared_variables (shared, progress, user, err);
  struct dg_arrow_owners *owners;

  if (!variables)
    return NULL;
  owners = g_try_new0 (struct dg_arrow_owners, 1);
  if (!owners) {
    dg_error_nomem (err);
    return NULL;
  }
  owners->variables = variables;
  owners->finder = dg_finder_new (variables, err);
  if (!owners->finder)
    g_clear_pointer (&owners, dg_arrow_owners_free);
  return owners;
}

void
dg_arrow_owners_free (struct dg_arrow_owners *owners)
{
  if (!owners)
    return;
  dg_finder_free (owners->finder);
  g_free (owners->names.index);
  g_free (owners->types.index);
  g_free (owners->sites.index);
  g_free (owners);
}

/* ---- Numbers and names ---- */

static bool
make_room (struct known *known, uint32_t number)
{
  size_t room = MAX ((size_t) number + 1, 2 * (size_t) known->n);
  int32_t *index;

  if (number < known->n)
    return true;
  index = g_try_renew (int32_t, known->index, room);
  if (!index)
    return false;
  for (size_t i = known->n; i < room; i++)
    index[i] = NOT_KNOWN;
  known->index = index;
  known->n = room;
  return true;
}

enum part { NAME, TYPE, SITE };

static const char *
text_of (struct dg_arrow_owners *owners, enum part part, uint32_t number)
{
  struct dg_stack stack;
  const struct dg_named *named;

  if (number == 0)
    return NULL;
  named = part == SITE
            ? dg_variables_site (owners->variables, number, &stack)
            : dg_variables_named (owners->variables, number);
  return part == TYPE ? named->type : named->name;
}

/* Looks a number up that was not asked about yet.  */
static __attribute__ ((noinline)) int
learn (struct dg_arrow_owners *owners, struct known *known, enum part part,
       uint32_t number, struct dg_arrow_array *array, struct dg_error *err)
{
  const char *text;
  int index = -1;

  if (!make_room (known, number))
    return dg_error_nomem (err);
  text = text_of (owners, part, number);
  if (text) {
    index = dg_arrow_text_index (array->text, text, err);
    if (index < 0)
      return index;
  }
  known->index[number] = index;
  return 0;
}

static inline int
put (struct dg_arrow_owners *owners, struct known *known, enum part part,
     uint32_t number, struct dg_arrow_array *array, size_t row,
     struct dg_error *err)
{
  if (G_UNLIKELY (number >= known->n || known->index[number] == NOT_KNOWN)) {
    int code = learn (owners, known, part, number, array, err);

    if (code < 0)
      return code;
  }
  array->index[row] = MAX (known->index[number], 0);
  if (known->index[number] < 0)
    dg_arrow_array_clear (array, row);
  return 0;
}

/* ---- Rows ---- */

static void
put_block (struct dg_arrow_array *array, size_t row, uint32_t block)
{
  array->u32[row] = block == DG_NONE ? 0 : block;
  if (block == DG_NONE)
    dg_arrow_array_clear (array, row);
}

static int
fill_row (struct dg_arrow_owners *owners, const struct dg_access *access,
          size_t row, const struct dg_arrow_owners_columns *columns,
          struct dg_error *err)
{
  int code = 0;

  if (columns->variable || columns->type) {
    uint32_t number = dg_finder_variable (owners->finder, access);

    if (columns->variable)
      code = put (owners, &owners->names, NAME, number, columns->variable,
                  row, err);
    if (columns->type && code == 0)
      code = put (owners, &owners->types, TYPE, number, columns->type, row,
                  err);
  }
  if (columns->site && code == 0)
    code = put (owners, &owners->sites, SITE,
                dg_finder_site (owners->finder, access), columns->site, row,
                err);
  if (columns->block)
    put_block (columns->block, row, dg_finder_block (owners->finder, access));
  return code;
}

int
dg_arrow_owners_fill (struct dg_arrow_owners *owners,
                      const struct dg_columns_arrays *accesses, size_t n,
                      size_t row,
                      const struct dg_arrow_owners_columns *columns,
                      struct dg_error *err)
{
  int code = 0;

  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_access access = {
      .icount = accesses->icount[i], .address = accesses->address[i],
      .instruction = accesses->instruction[i], .size = accesses->size[i],
      .context = accesses->context[i], .thread = accesses->thread[i],
      .kind = accesses->kind[i]
    };

    code = fill_row (owners, &access, row + i, columns, err);
  }
  return code;
}
