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
  layout->pages = target->pages;
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

/* ---- Members of other types ---- */

/* So many fields of a type are looked at.  */
#define MOST_LOOKS (1u << 20)

/* A type that changes.  */
struct inner {
  uint32_t target;
  const struct dg_type *type;
  uint64_t period;
  GArray *fields;          /* struct dg_whatif_field */
};

static bool
open_inner (const struct search *search, const char *name,
            struct inner *inner)
{
  inner->target = find_target (search, name, is_of_type);
  if (inner->target == search->targets->list->len)
    return false;
  inner->type = dg_symbols_type (search->symbols, name);
  inner->period =
    inner->type != NULL ? dg_type_element (inner->type) : 0;
  if (inner->period == 0)
    return false;
  inner->fields =
    dg_whatif_fields_list (search->symbols, inner->type, inner->period);
  return true;
}

/* Where the object of a type begins that has a field at a byte.  */
static bool
find_start (const struct inner *inner, const struct dg_field *leaf,
            uint64_t *start)
{
  for (guint i = 0; i < inner->fields->len; i++) {
    const struct dg_whatif_field *field =
      &g_array_index (inner->fields, struct dg_whatif_field, i);

    if (strcmp (field->name, leaf->member) == 0
        && leaf->offset >= field->offset) {
      *start = leaf->offset - field->offset;
      return true;
    }
  }
  return false;
}

static void
add_member (GArray *members, const struct inner *inner, uint64_t start)
{
  struct dg_whatif_member *last = NULL, member = { .offset = start,
                                                   .size = inner->period,
                                                   .target = inner->target };

  if (members->len > 0)
    last = &g_array_index (members, struct dg_whatif_member,
                           members->len - 1);
  if (last != NULL && last->target == inner->target
      && last->offset + last->size == start)
    last->size += inner->period;
  else
    g_array_append_val (members, member);
}

static void
close_inner (struct inner *inner)
{
  if (inner->fields != NULL)
    g_array_unref (inner->fields);
  inner->fields = NULL;
}

/* Finds members of a type that are of types that change.  */
static void
scan (const struct search *search, const struct dg_type *type,
      uint64_t period, GArray *members)
{
  struct inner inner = { .fields = NULL };
  const char *holder = NULL;
  struct dg_field leaf;
  uint64_t start;

  for (uint64_t i = 0, looks = 0; i < period && looks < MOST_LOOKS; looks++) {
    uint64_t next = i + 1;

    if (dg_symbols_field (search->symbols, type, 0, i, 0, &leaf)
        && leaf.holder != NULL && !leaf.is_padding) {
      next = MAX (next, leaf.offset + leaf.size);
      if (leaf.holder != holder) {
        close_inner (&inner);
        holder = leaf.holder;
        open_inner (search, holder, &inner);
      }
      if (inner.fields != NULL && find_start (&inner, &leaf, &start)
          && start + inner.period <= period && start + inner.period > i) {
        add_member (members, &inner, start);
        next = start + inner.period;
      }
    }
    i = next;
  }
  close_inner (&inner);
}

/* Gives members their layouts; single ones have to keep their size.  */
static int
set_layouts (const struct search *search, GArray *members)
{
  for (guint i = members->len; i-- > 0;) {
    struct dg_whatif_member *member =
      &g_array_index (members, struct dg_whatif_member, i);
    struct dg_whatif_target *target = target_at (search, member->target);
    const struct dg_type *type =
      dg_symbols_type (search->symbols, target->what);
    uint64_t period = type != NULL ? dg_type_element (type) : 0;

    if (period == 0 || member->size % period != 0) {
      g_array_remove_index (members, i);
      continue;
    }
    member->layout = layout_of_type (search, target, type, period);
    if (member->layout == NULL)
      return DG_ERR_INVALID;
    if (member->size == period
        && (member->layout->n_parts > 1
            || member->layout->parts[0].stride != period)) {
      g_array_remove_index (members, i);
      continue;
    }
    target->is_known = true;
  }
  return 0;
}

/* *members: those of a type that change; NULL: it has none.  */
static int
find_members (const struct search *search, const struct dg_type *type,
              uint64_t period, GArray **members)
{
  int code;

  *members = NULL;
  if (period == 0)
    return 0;
  *members = g_array_new (FALSE, FALSE, sizeof (struct dg_whatif_member));
  scan (search, type, period, *members);
  code = set_layouts (search, *members);
  if ((*members)->len == 0) {
    g_array_unref (*members);
    *members = NULL;
  }
  return code;
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
    if (at == n) {
      out->period = element;
      out->cookie = site->has_cookie ? (uint32_t) site->cookie : 0;
      return element > 0 ? find_members (search, site->type, element,
                                         &out->members)
                         : 0;
    }
    out->layout =
      layout_of_place (search, target_at (search, at),
                       element > 0 ? element : dg_site_size (site), 0);
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

  search->targets->n_sites = n;
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

/* Members of a variable of another type.  */
static int
match_members (const struct search *search,
               const struct dg_variable *variable)
{
  char *name =
    variable->type != NULL ? element_name (variable->type) : NULL;
  const struct dg_type *type =
    name != NULL ? dg_symbols_type (search->symbols, name) : NULL;
  uint64_t period = type != NULL ? dg_type_element (type) : 0;
  GArray *members = NULL;
  int code = 0;

  g_free (name);
  if (period > 0 && variable->size % period == 0)
    code = find_members (search, type, period, &members);
  for (uint64_t at = 0; members != NULL && at < variable->size; at += period)
    for (guint i = 0; i < members->len; i++) {
      const struct dg_whatif_member *member =
        &g_array_index (members, struct dg_whatif_member, i);
      const struct dg_whatif_variable item = {
        .address = variable->address + at + member->offset,
        .size = member->size,
        .layout = member->layout,
        .target = member->target
      };

      g_array_append_val (search->targets->variables, item);
    }
  if (members != NULL)
    g_array_unref (members);
  return code;
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
    return match_members (search, &variable);
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
  for (uint32_t i = 0; targets->sites != NULL && i < targets->n_sites; i++)
    if (targets->sites[i].members != NULL)
      g_array_unref (targets->sites[i].members);
  g_free (targets->sites);
  if (targets->variables != NULL)
    g_array_unref (targets->variables);
}
