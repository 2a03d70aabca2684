/* ruler.c: walks through the objects in view, and then through each field by
   field; what is narrower than a field can be shown is passed over, so that
   there are never more steps than pixels.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "ruler.h"

#include <math.h>
#include <string.h>

#include "model/log/order.h"

/* Pixels between two places where an object may be.  */
#define PROBE 16
/* Names that are narrower than this say less than those of larger parts.  */
#define NAME_WIDTH 24
/* Of a pixel, for variables: in views of more, few have any that is wide
   enough, and debug information need not be read for them.  */
#define MOST_BYTES 4096

struct object {
  uint64_t address, size;
  const char *name;               /* of a range its label */
  const struct dg_type *type;     /* of a range; NULL: a variable */
  uint64_t icount;
};

struct walk {
  const struct dv_scene *scene;
  const struct dv_view *view;
  double bytes_per_pixel;
  GArray *objects;                /* struct object */
  GArray *fields;                 /* struct dv_ruler_field */
};

static void
field_clear (void *memory)
{
  g_free (((struct dv_ruler_field *) memory)->name);
}

DV_DEFINE_COMPARE (compare_fields, struct dv_ruler_field, x->x0)

/* Of memory that may reach to the last address.  */
static uint64_t
end_of (uint64_t address, uint64_t size)
{
  return address + size < address ? UINT64_MAX : address + size;
}

/* The part of some memory that is in view; false: too little of it.  */
static bool
place (const struct walk *walk, uint64_t address, uint64_t size, double least,
       uint64_t *x0, uint64_t *x1)
{
  const struct dv_layout *layout = &walk->scene->layout;
  dv_layout_position (layout, address, x0);
  dv_layout_position (layout, end_of (address, size), x1);
  *x0 = MAX (*x0, walk->view->x0);
  *x1 = MIN (*x1, walk->view->x1);
  return *x0 < *x1 && (double) (*x1 - *x0) / walk->bytes_per_pixel >= least;
}

/* ---- Objects --------------------------------------------------------- */

static bool
is_taken (const struct walk *walk, uint64_t address, uint64_t size)
{
  for (guint i = 0; i < walk->objects->len; i++) {
    const struct object *o = &g_array_index (walk->objects, struct object, i);
    if (address < o->address + o->size && o->address < address + size)
      return true;
  }
  return false;
}

static void
add_range (struct walk *walk, const struct dg_range *range)
{
  uint64_t x0, x1;
  if (*range->type == '\0' || range->size == 0
      || !place (walk, range->address, range->size, DV_RULER_OBJECT, &x0, &x1)
      || is_taken (walk, range->address, range->size))
    return;
  struct object object = {
    .address = range->address, .size = range->size, .name = range->label,
    .type = dg_symbols_type (walk->scene->data->symbols, range->type),
    .icount = range->start_icount };
  if (object.type != NULL && dg_type_size (object.type) > 0)
    g_array_append_val (walk->objects, object);
}

/* Those of the middle first.  */
static void
find_ranges (struct walk *walk)
{
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (walk->scene->data->log, &n);
  const struct dv_view *view = walk->view;
  uint64_t middle = view->y0 + (view->y1 - view->y0) / 2;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < n && ranges[i].start_icount < view->y1; i++) {
      bool is_there = ranges[i].start_icount <= middle
                      && ranges[i].end_icount > middle;
      if (ranges[i].end_icount > view->y0 && is_there == (pass == 0))
        add_range (walk, &ranges[i]);
    }
}

static int
find_variables (struct walk *walk, dg_progress_fn progress, void *user)
{
  const struct dv_view *view = walk->view;
  uint64_t step = (uint64_t) fmax (walk->bytes_per_pixel * PROBE, 1);
  if (walk->bytes_per_pixel > MOST_BYTES)
    return 0;
  for (uint64_t x = view->x0; x < view->x1;) {
    uint64_t address = dv_layout_address (&walk->scene->layout, x);
    struct dg_variable v;
    uint64_t x0, x1;
    if (progress != NULL
        && progress (user, x - view->x0, view->x1 - view->x0) != 0)
      return DG_ERR_CANCELLED;
    x += step;
    if (is_taken (walk, address, 1)
        || !dg_symbols_data (walk->scene->data->symbols, address, view->y0, 0,
                             &v)
        || v.is_section || v.size == 0
        || !place (walk, v.address, v.size, DV_RULER_OBJECT, &x0, &x1)
        || is_taken (walk, v.address, v.size))
      continue;
    struct object object = { .address = v.address, .size = v.size,
                             .name = v.name, .icount = view->y0 };
    g_array_append_val (walk->objects, object);
    x = MAX (x, x1);
  }
  return 0;
}

/* ---- Fields ---------------------------------------------------------- */

/* The field at a byte of an object: where it is, and its path; false: not
   known.  */
static bool
field_at (const struct walk *walk, const struct object *object,
          uint64_t offset, struct dg_field *field)
{
  struct dg_symbols *symbols = walk->scene->data->symbols;
  struct dg_variable v;
  if (object->type != NULL)
    return dg_symbols_field (symbols, object->type, object->size, offset, 0,
                             field);
  if (!dg_symbols_data (symbols, object->address + offset, object->icount, 0,
                        &v)
      || v.address != object->address)
    return false;
  *field = v.field;
  return v.has_field;
}

/* How much of a path names the outermost part: "[3]" of "[3].pos.x", "pos" of
   ".pos.x".  */
static size_t
outermost (const char *path)
{
  size_t n = *path == '.' ? 1 : 0;
  if (*path == '[')
    return strcspn (path, "]") + 1;
  return n + strcspn (path + n, ".[");
}

/* Adds a part of an object, or makes the last one longer.  */
static void
add_part (struct walk *walk, const struct object *object, bool begins,
          uint64_t x0, uint64_t x1, const char *path, size_t n_path)
{
  struct dv_ruler_field field = {
    .x0 = x0, .x1 = x1, .begins = begins,
    .name = *object->name == '\0' || (n_path > 0 && path[0] == '[')
                || n_path == 0 || path[0] == '.'
              ? g_strdup_printf ("%s%.*s", object->name, (int) n_path, path)
              : g_strdup_printf ("%s.%.*s", object->name, (int) n_path,
                                 path) };
  struct dv_ruler_field *last
    = walk->fields->len > 0
        ? &g_array_index (walk->fields, struct dv_ruler_field,
                          walk->fields->len - 1)
        : NULL;
  if (last != NULL && !begins && last->x1 == x0
      && strcmp (last->name, field.name) == 0) {
    last->x1 = x1;
    g_free (field.name);
    return;
  }
  g_array_append_val (walk->fields, field);
}

/* One step: the field at a position, as wide as it can be shown, but not
   beyond `end`.  Where the next one begins: steps are counted in positions,
   as an object can have far more bytes than are in the layout.  */
static uint64_t
step (struct walk *walk, const struct object *object, uint64_t x, uint64_t end)
{
  const struct dv_layout *layout = &walk->scene->layout;
  uint64_t least = (uint64_t) ceil (walk->bytes_per_pixel * DV_RULER_FIELD);
  uint64_t offset = dv_layout_address (layout, x) - object->address, next;
  struct dg_field field;
  if (!field_at (walk, object, offset, &field) || field.size == 0) {
    add_part (walk, object, offset == 0, x, end, "", 0);
    return end;
  }
  uint64_t stop = field.is_padding ? offset + 1 : field.offset + field.size;
  stop = CLAMP (stop, offset + 1, object->size);
  dv_layout_position (layout, end_of (object->address, stop), &next);
  next = MIN (next, end);
  bool is_narrow = (double) (next - x) / walk->bytes_per_pixel < NAME_WIDTH;
  if (next - x < least)
    next = x + MIN (least, end - x);
  if (field.is_padding)
    add_part (walk, object, offset == 0, x, next, "", 0);
  else
    add_part (walk, object, offset == 0, x, next, field.path,
              is_narrow ? outermost (field.path) : strlen (field.path));
  return next;
}

/* Where there is no room for names of fields, that of the object says more
   than many lines.  */
static void
join_narrow (struct walk *walk, const struct object *object, guint first,
             uint64_t x0, uint64_t x1)
{
  guint n = walk->fields->len - first;
  if (n > 1
      && (double) (x1 - x0) / walk->bytes_per_pixel
           < (double) n * NAME_WIDTH) {
    bool begins
      = g_array_index (walk->fields, struct dv_ruler_field, first).begins;
    g_array_set_size (walk->fields, first);
    add_part (walk, object, begins, x0, x1, "", 0);
  }
}

static int
walk_object (struct walk *walk, const struct object *object,
             dg_progress_fn progress, void *user)
{
  uint64_t x0, x1;
  guint n = walk->fields->len;
  if (!place (walk, object->address, object->size, 0, &x0, &x1))
    return 0;
  for (uint64_t x = x0; x < x1; x = step (walk, object, x, x1))
    if (progress != NULL && progress (user, x - x0, x1 - x0) != 0)
      return DG_ERR_CANCELLED;
  join_narrow (walk, object, n, x0, x1);
  return 0;
}

GArray *
dv_ruler_new (const struct dv_scene *scene, const struct dv_view *view,
              double width, dg_progress_fn progress, void *user,
              struct dg_error *err)
{
  struct walk walk = { .scene = scene, .view = view };
  int code = 0;
  walk.fields = g_array_new (FALSE, FALSE, sizeof (struct dv_ruler_field));
  g_array_set_clear_func (walk.fields, field_clear);
  if (scene->data->symbols == NULL || dv_view_is_empty (view) || width < 1)
    return walk.fields;
  walk.bytes_per_pixel = (double) (view->x1 - view->x0) / width;
  walk.objects = g_array_new (FALSE, FALSE, sizeof (struct object));
  find_ranges (&walk);
  code = find_variables (&walk, progress, user);
  for (guint i = 0; i < walk.objects->len && code == 0; i++)
    code = walk_object (&walk,
                        &g_array_index (walk.objects, struct object, i),
                        progress, user);
  g_array_unref (walk.objects);
  if (code < 0) {
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
    g_clear_pointer (&walk.fields, g_array_unref);
    return NULL;
  }
  g_array_sort (walk.fields, compare_fields);
  return walk.fields;
}
