/* whatif_changes.c: the changes that the options of `dg whatif` ask for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_changes.h"

#include <string.h>

#include "base/error.h"

/* The largest alignment, and the largest padding of an element.  */
#define MOST_BYTES (UINT64_C (1) << 21)

/* One change of an option: WHAT:REST.  */
struct item {
  const char *option;
  const char *text;        /* all of it */
  char *what, *rest;       /* rest: NULL if there is none */
};

static void
target_free (void *data)
{
  struct dg_whatif_target *target = data;

  g_free (target->what);
  g_strfreev (target->names);
  g_ptr_array_unref (target->narrowed);
  g_array_unref (target->widths);
  g_ptr_array_unref (target->layouts);
  g_free (target);
}

static void
layout_free (void *data)
{
  dg_whatif_layout_free (data);
}

static struct dg_whatif_target *
target_of (GPtrArray *targets, const char *what)
{
  struct dg_whatif_target *target;

  for (guint i = 0; i < targets->len; i++) {
    target = g_ptr_array_index (targets, i);
    if (strcmp (target->what, what) == 0)
      return target;
  }
  target = g_new0 (struct dg_whatif_target, 1);
  target->what = g_strdup (what);
  target->narrowed = g_ptr_array_new_with_free_func (g_free);
  target->widths = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  target->layouts = g_ptr_array_new_with_free_func (layout_free);
  g_ptr_array_add (targets, target);
  return target;
}

/* ---- Values ---- */

static int
refuse (const struct item *item, const char *form, struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_INVALID,
                       "'%s' does not fit --%s, which takes %s", item->text,
                       item->option, form);
}

/* The last single colon: not a part of "::".  NULL: there is none.  */
static const char *
last_colon (const char *text)
{
  for (const char *c = text + strlen (text); c-- > text;)
    if (*c == ':') {
      if (c > text && c[-1] == ':')
        c--;
      else
        return c;
    }
  return NULL;
}

static bool
read_bytes (const char *text, uint64_t *bytes)
{
  return text != NULL && dg_number_parse (text, DG_QUANTITY_BYTES, bytes)
         && *bytes > 0 && *bytes <= MOST_BYTES;
}

static bool
is_power (uint64_t number)
{
  return (number & (number - 1)) == 0;
}

static int
set_how (struct dg_whatif_target *target, const struct item *item,
         enum dg_whatif_how how, struct dg_error *err)
{
  if (target->how != DG_WHATIF_SAME)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--%s and --%s cannot both change '%s'",
                         target->how_option, item->option, target->what);
  target->how = how;
  target->how_option = item->option;
  return 0;
}

/* ---- Options ---- */

static int
take_names (GPtrArray *targets, const struct item *item,
            enum dg_whatif_how how, struct dg_error *err)
{
  struct dg_whatif_target *target;

  if (item->rest == NULL || *item->rest == '\0')
    return refuse (item, "TYPE:FIELD,...", err);
  target = target_of (targets, item->what);
  if (set_how (target, item, how, err) < 0)
    return DG_ERR_INVALID;
  target->names = g_strsplit (item->rest, ",", -1);
  return 0;
}

static int
take_split (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  return take_names (targets, item, DG_WHATIF_SPLIT, err);
}

static int
take_order (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  return take_names (targets, item, DG_WHATIF_ORDER, err);
}

static int
take_soa (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  return set_how (target_of (targets, item->text), item, DG_WHATIF_SOA, err);
}

static int
take_pack (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  return set_how (target_of (targets, item->text), item, DG_WHATIF_PACK, err);
}

static int
take_narrow (GPtrArray *targets, const struct item *item,
             struct dg_error *err)
{
  char *dot = strrchr (item->what, '.');
  struct dg_whatif_target *target;
  uint64_t width;

  if (dot == NULL || dot[1] == '\0' || !read_bytes (item->rest, &width))
    return refuse (item, "TYPE.FIELD:BYTES", err);
  *dot = '\0';
  target = target_of (targets, item->what);
  g_ptr_array_add (target->narrowed, g_strdup (dot + 1));
  g_array_append_val (target->widths, width);
  return 0;
}

static int
take_pad (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  char *slash = item->rest != NULL ? strchr (item->rest, '/') : NULL;
  struct dg_whatif_target *target;
  uint64_t pad, row = 0;
  bool is_good = slash == NULL
                 || (dg_number_parse (slash + 1, DG_QUANTITY_BYTES, &row)
                     && row > 0);

  if (slash != NULL)
    *slash = '\0';
  if (!is_good || !read_bytes (item->rest, &pad)
      || (row == 0 && !is_power (pad)))
    return refuse (item, "WHAT:BYTES, a power of two, or WHAT:BYTES/ROW",
                   err);
  target = target_of (targets, item->what);
  target->pad = pad;
  target->row = row;
  return 0;
}

static int
take_align (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  uint64_t align;

  if (!read_bytes (item->rest, &align) || !is_power (align))
    return refuse (item, "WHAT:BYTES, a power of two", err);
  target_of (targets, item->what)->align = align;
  return 0;
}

static int
take_page (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  uint64_t bytes;

  if (!read_bytes (item->rest, &bytes) || bytes != UINT64_C (2) << 20)
    return refuse (item, "WHAT:2Mi", err);
  target_of (targets, item->what)->pages = DG_WHATIF_LARGE_PAGES;
  return 0;
}

static int
take_first_touch (GPtrArray *targets, const struct item *item,
                  struct dg_error *err)
{
  if (g_strcmp0 (item->rest, "by-user") != 0)
    return refuse (item, "WHAT:by-user", err);
  target_of (targets, item->what)->pages = DG_WHATIF_USER_PAGES;
  return 0;
}

/* Names of places contain a colon as well.  */
static int
take_pool (GPtrArray *targets, const struct item *item, struct dg_error *err)
{
  bool is_use = g_strcmp0 (item->rest, "use") == 0;
  bool has_order = is_use || g_strcmp0 (item->rest, "allocation") == 0;

  (void) err;
  target_of (targets, has_order ? item->what : item->text)->pool =
    is_use ? DG_WHATIF_BY_USE : DG_WHATIF_BY_ALLOCATION;
  return 0;
}

static const struct taker {
  const char *option;
  int (*take) (GPtrArray *targets, const struct item *item,
               struct dg_error *err);
} takers[] = {
  { "soa", take_soa },     { "split", take_split },
  { "order", take_order }, { "pack", take_pack },
  { "narrow", take_narrow }, { "pad", take_pad },
  { "align", take_align }, { "pool", take_pool },
  { "page", take_page },   { "first-touch", take_first_touch },
};

static int
take_item (GPtrArray *targets, const struct taker *taker, const char *text,
           struct dg_error *err)
{
  const char *colon = last_colon (text);
  struct item item = { .option = taker->option, .text = text };
  int code;

  if (*text == '\0')
    return refuse (&item, "the name of what is to be changed", err);
  item.what = colon != NULL ? g_strndup (text, (size_t) (colon - text))
                            : g_strdup (text);
  item.rest = colon != NULL ? g_strdup (colon + 1) : NULL;
  code = taker->take (targets, &item, err);
  g_free (item.what);
  g_free (item.rest);
  return code;
}

static int
take_option (GPtrArray *targets, const struct taker *taker, const char *text,
             struct dg_error *err)
{
  char **items = g_strsplit (text, ";", -1);
  int code = 0;

  for (char **item = items; code == 0 && *item != NULL; item++)
    code = take_item (targets, taker, g_strstrip (*item), err);
  g_strfreev (items);
  return code;
}

GPtrArray *
dg_whatif_changes_parse (const struct dg_setup *setup, struct dg_error *err)
{
  GPtrArray *targets = g_ptr_array_new_with_free_func (target_free);
  int code = 0;

  for (size_t i = 0; code == 0 && i < G_N_ELEMENTS (takers); i++)
    if (dg_setup_has (setup, takers[i].option))
      code = take_option (targets, &takers[i],
                          dg_setup_text (setup, takers[i].option), err);
  if (code == 0)
    return targets;
  g_ptr_array_unref (targets);
  return NULL;
}

bool
dg_whatif_target_is_typed (const struct dg_whatif_target *target)
{
  return target->how != DG_WHATIF_SAME || target->narrowed->len > 0;
}
