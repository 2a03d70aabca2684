/* whatif_targets.c: which blocks and variables of a log the changes are
   about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "symbols/symbols_layout.h"
#include "whatif_fields.h"

struct search {
  struct dg_whatif_targets *targets;
  struct dg_variables *variables;
  struct dg_symbols *symbols;
  struct dg_error *err;
};

/* ---- Names ---- */

/* "struct node" is called node as well.  */
static const char *
bare (const char *type)
{
  static const char *const words[] = { "struct ", "union ", "class " };

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (type, words[i]))
      return type + strlen (words[i]);
  return type;
}

/* "struct node" of "struct node [100]".  */
static char *
element_name (const char *type)
{
  size_t n = strcspn (type, "[");

  while (n > 0 && type[n - 1] == ' ')
    n--;
  return g_strndup (type, n);
}

static bool
is_of_type (const struct dg_whatif_target *target, const char *type)
{
  return strcmp (bare (target->what), bare (type)) == 0;
}

/* "main (a.c:9)" is called a.c:9 as well.  Only types have fields that could
   change.  */
static bool
is_place (const struct dg_whatif_target *target, const char *name)
{
  size_t n = strlen (name), m = strlen (target->what);

  if (dg_whatif_target_is_typed (target))
    return false;
  if (strcmp (target->what, name) == 0)
    return true;
  return n > m + 2 && name[n - 1] == ')' && name[n - m - 2] == '('
         && strncmp (name + n - m - 1, target->what, m) == 0;
}

static struct dg_whatif_target *
target_at (const struct search *search, uint32_t i)
{
  return g_ptr_array_index (search->targets->list, i);
}

/* The target of a name; their number: none.  */
static uint32_t
find_target (const struct search *search, const char *name,
             bool (*is_name) (const struct dg_whatif_target *, const char *))
{
  uint32_t i = 0, n = search->targets->list->len;

  while (name != NULL && i < n && !is_name (target_at (search, i), name))
    i++;
  return name != NULL ? i : n;
}

/* ---- Layouts ---- */

static struct dg_whatif_layout *
keep (struct dg_whatif_target *target, struct dg_whatif_layout *layout)
{
  if (target->align > 1)
    layout->align = target->align;
  layout->pool = target->pool;
  g_ptr_array_add (target->layouts, layout);
  return layout;
}

static struct dg_whatif_layout *
layout_of_period (const struct dg_whatif_target *target, uint64_t period)
{
  for (guint i = 0; i < target->layouts->len; i++) {
    struct dg_whatif_layout *layout = g_ptr_array_index (target->layouts, i);

    if (layout->period == period)
      return layout;
  }
  return NULL;
}

/* Of elements of the type that is changed.  */
static struct dg_whatif_layout *
layout_of_type (const struct search *search, struct dg_whatif_target *target,
                const struct dg_type *type, uint64_t period)
{
  struct dg_whatif_layout *layout = layout_of_period (
    target, target->row > 0 ? target->row : period);

  if (layout != NULL)
    return layout;
  if (dg_whatif_target_is_typed (target)) {
    if (target->row > 0) {
      dg_error_set (search->err, DG_ERR_INVALID,
                    "the rows of '%s' cannot be padded while its fields "
                    "change", target->what);
      return NULL;
    }
    layout = dg_whatif_fields_layout (search->symbols, target, type, period,
                                      search->err);
    if (layout == NULL)
      return NULL;
  } else if (target->row > 0) {
    return keep (target, dg_whatif_layout_plain (target->row,
                                                 target->row + target->pad));
  } else {
    layout = dg_whatif_layout_plain (period, period);
  }
  if (target->pad > 0)
    dg_whatif_layout_round (layout, target->pad);
  if (target->align > 1)
    dg_whatif_layout_round (layout, target->align);
  return keep (target, layout);
}

/* Of a variable, or the blocks of a place.  element: bytes of one, if it is an
   array; 0: it has no such parts.  row: bytes of one, or 0.  */
static struct dg_whatif_layout *
layout_of_place (const struct search *search, struct dg_whatif_target *target,
                 uint64_t element, uint64_t row)
{
  uint64_t period = 1, stride = 1;
  struct dg_whatif_layout *layout;

  if (target->row > 0)
    row = target->row;
  if (target->pad > 0 && row > 0) {
    period = row;
    stride = row + target->pad;
  } else if (target->pad > 0 && element > 0) {
    period = element;
    stride = dg_whatif_up (element, target->pad);
  } else if (target->pad > 0) {
    dg_error_set (search->err, DG_ERR_INVALID,
                  "the elements of '%s' are not known: give the bytes of its "
                  "rows, as in --pad='%s:%" G_GUINT64_FORMAT "/ROW'",
                  target->what, target->what, target->pad);
    return NULL;
  }
  layout = layout_of_period (target, period);
  return layout != NULL
           ? layout
           : keep (target, dg_whatif_layout_plain (period, stride));
}

/* ---- Blocks ---- */

static int
match_site (const struct search *search, uint32_t number)
{
  const struct dg_site *site =
    dg_variables_named_site (search->variables, number);
  struct dg_whatif_site *out = &search->targets->sites[number];
  uint32_t n = search->targets->list->len, at = n;
  uint64_t element = site->type != NULL ? dg_type_element (site->type) : 0;
  char *name = NULL;

  if (element > 0) {
    name = element_name (dg_type_name (site->type));
    at = find_target (search, name, is_of_type);
    g_free (name);
  }
  if (at < n) {
    const struct dg_type *type =
      dg_symbols_type (search->symbols, target_at (search, at)->what);

    out->layout = layout_of_type (search, target_at (search, at),
                                  type != NULL ? type : site->type, element);
  } else {
    at = find_target (search, site->named.name, is_place);
    if (at == n)
      return 0;
    out->layout =
      layout_of_place (search, target_at (search, at),
                       element > 0 ? element : site->size, 0);
  }
  out->target = at;
  out->cookie = site->has_cookie ? (uint32_t) site->cookie : 0;
  target_at (search, at)->is_known = true;
  return out->layout != NULL ? 0 : DG_ERR_INVALID;
}

static int
match_sites (const struct search *search)
{
  uint32_t n = search->variables->n_sites;

  search->targets->sites = g_try_new0 (struct dg_whatif_site, n + 1);
  if (search->targets->sites == NULL)
    return dg_error_nomem (search->err);
  for (uint32_t i = 1; i < n && search->targets->list->len > 0; i++) {
    int code = match_site (search, i);

    if (code < 0)
      return code;
  }
  return 0;
}

/* ---- Variables ---- */

/* The bytes of a row of "int [4][8]"; 0: it has no rows.  */
static uint64_t
row_bytes (const char *type, uint64_t size)
{
  const char *first = type != NULL ? strchr (type, '[') : NULL;
  const char *second = first != NULL ? strchr (first + 1, '[') : NULL;
  uint64_t count = second != NULL ? strtoull (first + 1, NULL, 10) : 0;

  return count > 0 && size % count == 0 ? size / count : 0;
}

static int
add_variable (const struct search *search, const struct dg_variable *variable,
              uint32_t target, struct dg_whatif_layout *layout)
{
  const struct dg_whatif_variable item = { .address = variable->address,
                                           .size = variable->size,
                                           .layout = layout,
                                           .target = target };

  if (layout == NULL)
    return DG_ERR_INVALID;
  target_at (search, target)->is_known = true;
  g_array_append_val (search->targets->variables, item);
  return 0;
}

static int
match_typed (const struct search *search, const struct dg_variable *variable)
{
  char *name =
    variable->type != NULL ? element_name (variable->type) : NULL;
  uint32_t at = find_target (search, name, is_of_type);
  const struct dg_type *type =
    name != NULL && at < search->targets->list->len
      ? dg_symbols_type (search->symbols, name) : NULL;
  uint64_t element = type != NULL ? dg_type_element (type) : 0;

  g_free (name);
  if (element == 0 || variable->size % element != 0)
    return 1;
  return add_variable (search, variable, at,
                       layout_of_type (search, target_at (search, at), type,
                                       element));
}

static int
match_variable (void *user, const struct dg_data_symbol *symbol)
{
  const struct search *search = user;
  struct dg_variable variable;
  uint32_t at;
  uint64_t element;
  int code;

  if (symbol->thread != 0 || symbol->size == 0
      || (symbol->module != NULL && dg_module_is_runtime (symbol->module))
      || !dg_symbols_data (search->symbols, symbol->address,
                           symbol->start_icount, 0, &variable)
      || variable.address != symbol->address || variable.is_section)
    return 0;
  code = match_typed (search, &variable);
  if (code <= 0)
    return code;
  at = find_target (search, variable.name, is_place);
  if (at == search->targets->list->len)
    return 0;
  element =
    dg_symbols_data_period (search->symbols, &variable, symbol->start_icount);
  return add_variable (
    search, &variable, at,
    layout_of_place (search, target_at (search, at),
                     element > 0 ? element : variable.size,
                     row_bytes (variable.type, variable.size)));
}

/* ---- What is not there ---- */

static int
add_variable_name (void *user, const struct dg_data_symbol *symbol)
{
  if (symbol->module == NULL || !dg_module_is_runtime (symbol->module))
    dg_nearest_add (user, symbol->name);
  return 0;
}

static int
refuse (const struct search *search, const struct dg_whatif_target *target)
{
  struct dg_nearest *nearest = dg_nearest_new (target->what, NULL);
  char *hint = NULL;
  int code;

  for (uint32_t i = 1; nearest != NULL && i < search->variables->n_sites;
       i++) {
    const struct dg_site *site =
      dg_variables_named_site (search->variables, i);
    char *name =
      site->type != NULL ? element_name (dg_type_name (site->type)) : NULL;

    if (name != NULL)
      dg_nearest_add (nearest, bare (name));
    g_free (name);
    if (!dg_whatif_target_is_typed (target))
      dg_nearest_add (nearest, site->named.name);
  }
  if (nearest != NULL) {
    if (!dg_whatif_target_is_typed (target))
      dg_symbols_variables (search->symbols, NULL, add_variable_name, nearest);
    hint = dg_nearest_hint (nearest);
  }
  code = dg_error_set (search->err, DG_ERR_INVALID,
                       dg_whatif_target_is_typed (target)
                         ? "no heap block or global variable of the log has "
                           "the type '%s'%s"
                         : "the log has no type, global variable or place of "
                           "allocation '%s'%s",
                       target->what, hint != NULL ? hint : "");
  dg_nearest_free (nearest);
  free (hint);
  return code;
}

int
dg_whatif_targets_init (struct dg_whatif_targets *targets,
                        struct dg_setup *setup, struct dg_error *err)
{
  struct search search = { .targets = targets, .err = err };
  int code;

  targets->variables =
    g_array_new (FALSE, FALSE, sizeof (struct dg_whatif_variable));
  targets->list = dg_whatif_changes_parse (setup, err);
  if (targets->list == NULL)
    return DG_ERR_INVALID;
  search.symbols = dg_setup_symbols (setup, err);
  if (search.symbols != NULL)
    search.variables = dg_setup_variables (setup, err);
  if (search.variables == NULL)
    return DG_ERR_NOMEM;
  code = match_sites (&search);
  if (code == 0 && targets->list->len > 0)
    code = dg_symbols_variables (search.symbols, NULL, match_variable,
                                 &search);
  for (guint i = 0; code == 0 && i < targets->list->len; i++)
    if (!target_at (&search, i)->is_known)
      code = refuse (&search, target_at (&search, i));
  return code;
}

void
dg_whatif_targets_fini (struct dg_whatif_targets *targets)
{
  if (targets->list != NULL)
    g_ptr_array_unref (targets->list);
  g_free (targets->sites);
  if (targets->variables != NULL)
    g_array_unref (targets->variables);
}
