/* patterns_fields.c: which fields of structures are used together, which not,
   and what could be gained by laying them out otherwise.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_state.h"

#include <string.h>

#include "base/compare.h"
#include "dg_record.h"

/* Of visits: what more than that touch is hot, what less than this, cold.  */
#define HOT_SHARE  0.5
#define COLD_SHARE 0.05
/* Kinds with fewer visits, or less than this of all accesses to objects, get
   no advice.  */
#define FEWEST_VISITS 64
/* Global variables with fewer are not shown: there are many that only the
   dynamic linker touches.  */
#define FEWEST_SHOWN 16
#define FEWEST_SHARE  0.01
/* Two fields with less in common than that do not go together.  */
#define TOGETHER_SHARE 0.8

/* Neighbouring granules that are a field, or nobody knows what.  */
struct field {
  char *name;
  uint32_t offset, bytes;
  struct dg_pattern_granules set;
  uint64_t reads, writes, visits;
};

struct object {
  const struct dg_pattern_object_sums *sums;
  const struct dg_pattern_place *place;
  char *name;
  uint64_t accesses;
  GArray *fields;          /* struct field, by offset */
};

/* ---- Fields ---- */

static void
field_clear (void *data)
{
  g_free (((struct field *) data)->name);
}

static void
object_free (void *data)
{
  struct object *object = data;

  g_free (object->name);
  g_array_unref (object->fields);
  g_free (object);
}

/* The way to a field without what stands for elements: an array within an
   object is one field, whatever it is made of.  */
static char *
name_of_path (const char *path)
{
  const char *bound;

  /* Of an array of objects, the first: "[0].x".  */
  while (*path == '[' && (bound = strchr (path, ']')) != NULL)
    path = bound + 1;
  path += *path == '.';
  return g_strndup (path, strcspn (path, "["));
}

/* What lies at an offset of an object, and how far it goes.  */
static void
field_at (struct dg_patterns *self, const struct object *object,
          uint32_t offset, struct field *field)
{
  struct dg_field found;
  uint64_t end = 0;

  field->offset = offset;
  field->bytes = dg_pattern_kind_granule (object->sums->kind);
  if (!object->sums->kind.is_typed) {
    field->name = g_strdup_printf ("+%u", offset);
    return;
  }
  if (dg_patterns_field (self, object->place, offset, &found)) {
    field->name = name_of_path (found.path);
    end = found.is_padding ? 0 : found.offset + found.size;
  }
  if (!field->name || !*field->name) {
    g_free (field->name);
    field->name = g_strdup ("(padding)");
  }
  field->bytes = end > offset ? (uint32_t) (end - offset) : 1;
}

static void
list_parts (struct dg_patterns *self, struct object *object)
{
  uint32_t bytes = object->sums->kind.bytes;
  GArray *fields = object->fields;

  for (uint32_t offset = 0; offset < bytes;) {
    struct field field = { 0 }, *last = NULL;

    field_at (self, object, offset, &field);
    field.bytes = MIN (field.bytes, bytes - offset);
    offset += field.bytes;
    if (fields->len > 0)
      last = &g_array_index (fields, struct field, fields->len - 1);
    if (last && strcmp (last->name, field.name) == 0) {
      last->bytes += field.bytes;
      g_free (field.name);
    } else
      g_array_append_val (fields, field);
  }
}

static void
make_fields (struct dg_patterns *self, struct object *object)
{
  const struct dg_pattern_object_sums *sums = object->sums;
  unsigned granule = dg_pattern_kind_granule (sums->kind);

  list_parts (self, object);
  for (guint n = 0; n < object->fields->len; n++) {
    struct field *field = &g_array_index (object->fields, struct field, n);
    unsigned first = field->offset / granule;
    unsigned last = (field->offset + field->bytes - 1) / granule;

    for (unsigned i = first; i <= last; i++)
      dg_granules_add (&field->set, i);
    field->reads = dg_pattern_sums_touches (sums, &sums->reads, field->offset,
                                            field->bytes);
    field->writes = dg_pattern_sums_touches (sums, &sums->writes,
                                             field->offset, field->bytes);
    /* Others in its granules may have more.  */
    field->visits = MIN (dg_pattern_sums_visits_any (sums, &field->set),
                         field->reads + field->writes);
  }
}

/* ---- Objects ---- */

static struct object *
object_new (struct dg_patterns *self,
            const struct dg_pattern_object_sums *sums)
{
  struct object *object = g_new0 (struct object, 1);

  object->sums = sums;
  object->place =
    &g_array_index (self->places, struct dg_pattern_place, sums->kind.site);
  object->name =
    sums->kind.is_typed && object->place->type
      ? g_strdup_printf ("%s, %u bytes, %s", object->place->type,
                         sums->kind.bytes, object->place->name)
      : g_strdup_printf ("%u bytes, %s", sums->kind.bytes,
                         object->place->name);
  object->accesses =
    dg_pattern_sums_touches (sums, &sums->reads, 0, sums->kind.bytes)
    + dg_pattern_sums_touches (sums, &sums->writes, 0, sums->kind.bytes);
  object->fields = g_array_new (FALSE, FALSE, sizeof (struct field));
  g_array_set_clear_func (object->fields, field_clear);
  return object;
}

static int
compare_objects (const void *a, const void *b)
{
  const struct object *x = *(struct object *const *) a;
  const struct object *y = *(struct object *const *) b;

  return DG_COMPARE (y->accesses, x->accesses) ?: strcmp (x->name, y->name);
}

/* ---- Advice ---- */

static void
append_name (GString *text, const struct field *field)
{
  if (text->len > 90) {
    if (!g_str_has_suffix (text->str, ", ..."))
      g_string_append (text, ", ...");
    return;
  }
  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                          field->name);
}

/* Fields that more, or less, than a share of the visits touch; or, below 0,
   that nothing ever touched.  */
static uint32_t
list_fields (const struct object *object, double low, double high,
             GString *names)
{
  uint32_t bytes = 0;

  for (guint i = 0; i < object->fields->len; i++) {
    const struct field *field =
      &g_array_index (object->fields, struct field, i);
    double share = (double) field->visits / (double) object->sums->visits;

    if (share < low || share > high
        || (low < 0 && (field->reads > 0 || field->writes > 0)))
      continue;
    bytes += field->bytes;
    if (strcmp (field->name, "(padding)") != 0)
      append_name (names, field);
  }
  return bytes;
}

static void
add_hint (struct dg_rows *hints, const struct object *object,
          const char *kind, const char *text)
{
  char *shown = g_strdup_printf ("%s: %s", object->name, text);
  const struct dg_cell cells[] = {
    DG_CELL_TEXT (kind), DG_CELL_TEXT (object->name), DG_CELL_TEXT (text),
    DG_CELL_TEXT (shown)
  };

  dg_rows_add (hints, cells);
  g_free (shown);
}

static void
hint_split (struct dg_rows *hints, const struct object *object,
            uint32_t line_size)
{
  GString *hot = g_string_new (NULL), *cold = g_string_new (NULL);
  uint32_t hot_bytes = list_fields (object, HOT_SHARE, 1, hot);
  uint32_t cold_bytes = list_fields (object, 0, COLD_SHARE, cold);

  if (hot_bytes > 0 && object->sums->kind.bytes > line_size / 2
      && cold_bytes * 2 >= object->sums->kind.bytes) {
    char few[DG_NUMBER_TEXT], apart[DG_NUMBER_TEXT], now[DG_NUMBER_TEXT];
    char *text;

    dg_number_text_real (few, sizeof few, COLD_SHARE * 100, 0);
    dg_number_text_real (apart, sizeof apart, (double) line_size / hot_bytes,
                         1);
    dg_number_text_real (now, sizeof now,
                         (double) line_size / object->sums->kind.bytes, 1);
    text = g_strdup_printf (
      "%u of %u bytes are hot (%s); %u are in less than %s %% of visits (%s): "
      "split off, a line would hold %s objects instead of %s",
      hot_bytes, object->sums->kind.bytes, hot->str, cold_bytes, few,
      cold->str, apart, now);
    add_hint (hints, object, "split", text);
    g_free (text);
  }
  g_string_free (hot, TRUE);
  g_string_free (cold, TRUE);
}

static void
hint_unused (struct dg_rows *hints, const struct object *object)
{
  GString *never = g_string_new (NULL);
  uint32_t bytes = list_fields (object, -1, 0, never);

  if (bytes > 0 && never->len > 0) {
    char *text = g_strdup_printf ("%u of %u bytes are never touched: %s",
                                  bytes, object->sums->kind.bytes,
                                  never->str);

    add_hint (hints, object, "unused", text);
    g_free (text);
  }
  g_string_free (never, TRUE);
}

/* Hot fields that go together but lie in different lines, were the object to
   begin with one.  */
static void
hint_together (struct dg_rows *hints, const struct object *object,
               uint32_t line_size)
{
  const GArray *fields = object->fields;

  for (guint i = 0; i < fields->len; i++) {
    const struct field *a = &g_array_index (fields, struct field, i);

    if (a->visits < object->sums->visits * HOT_SHARE)
      continue;
    for (guint j = i + 1; j < fields->len; j++) {
      const struct field *b = &g_array_index (fields, struct field, j);
      struct dg_pattern_granules set = a->set;
      uint64_t both, either;
      char *text;

      if (b->visits < object->sums->visits * HOT_SHARE
          || a->offset / line_size == b->offset / line_size)
        continue;
      for (unsigned k = 0; k < G_N_ELEMENTS (set.words); k++)
        set.words[k] |= b->set.words[k];
      either = dg_pattern_sums_visits_any (object->sums, &set);
      both = a->visits + b->visits - MIN (either, a->visits + b->visits);
      if ((double) both < TOGETHER_SHARE * (double) either)
        continue;
      text = g_strdup_printf (
        "%s and %s are touched together in %.0f %% of their visits, but lie"
        " %u bytes apart, in different lines", a->name, b->name,
        100.0 * (double) both / (double) either, b->offset - a->offset);
      add_hint (hints, object, "together", text);
      g_free (text);
      /* The first of them says it.  */
      return;
    }
  }
}

static void
advise (struct dg_rows *hints, const struct object *object, uint64_t accesses,
        uint32_t line_size)
{
  if (object->sums->visits < FEWEST_VISITS
      || (double) object->accesses < FEWEST_SHARE * (double) accesses
      || object->sums->lost * 10 > object->sums->visits)
    return;
  hint_split (hints, object, line_size);
  hint_together (hints, object, line_size);
  hint_unused (hints, object);
}

/* ---- Tables ---- */

static const struct dg_column field_columns[] = {
  { "structure", "Structure", DG_UNIT_TEXT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "offset", "Offset", DG_UNIT_NUMBER, DG_COLUMN_ID },
  { "size", "Size", DG_UNIT_NUMBER, DG_COLUMN_ID },
  { "reads", "Reads", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "visits", "Visits", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "makings", "Makings", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "visit_share", "In visits", DG_UNIT_PERCENT, 0 },
  { "field", "Field", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "shown", "Field", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST }
};

static void
add_fields (struct dg_rows *rows, const struct object *object)
{
  const struct dg_cell title[] = {
    DG_CELL_TEXT (object->name), DG_CELL_EMPTY,
    DG_CELL_NUMBER (object->sums->kind.bytes), DG_CELL_EMPTY, DG_CELL_EMPTY,
    DG_CELL_NUMBER (object->sums->visits),
    DG_CELL_NUMBER (object->sums->makings), DG_CELL_EMPTY, DG_CELL_EMPTY,
    DG_CELL_TEXT (object->name)
  };

  dg_rows_add (rows, title);
  for (guint i = 0; i < object->fields->len; i++) {
    const struct field *field =
      &g_array_index (object->fields, struct field, i);
    char *name = g_strdup_printf ("  %s", field->name);
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (object->name), DG_CELL_NUMBER (field->offset),
      DG_CELL_NUMBER (field->bytes), DG_CELL_NUMBER (field->reads),
      DG_CELL_NUMBER (field->writes), DG_CELL_NUMBER (field->visits),
      DG_CELL_EMPTY,
      DG_CELL_REAL (object->sums->visits > 0
                      ? (double) field->visits / (double) object->sums->visits
                      : 0),
      DG_CELL_TEXT (field->name), DG_CELL_TEXT (name)
    };

    G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (field_columns));
    dg_rows_add (rows, cells);
    g_free (name);
  }
}

int
dg_patterns_report_fields (struct dg_patterns *self, struct dg_report *report,
                           struct dg_error *err)
{
  static const struct dg_column hint_columns[] = {
    { "hint", "Hint", DG_UNIT_TEXT, 0 },
    { "structure", "Structure", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "text", "What", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "shown", "What", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST }
  };
  GPtrArray *objects = g_ptr_array_new_with_free_func (object_free);
  const GPtrArray *sums = dg_pattern_visits_sums (self->visits);
  uint32_t line_size = dg_log_line_size (self->log);
  struct dg_rows *hints, *rows;
  uint64_t accesses = 0;
  int code = 0;

  for (guint i = 0; i < sums->len; i++) {
    struct object *object = object_new (self, sums->pdata[i]);

    accesses += object->accesses;
    g_ptr_array_add (objects, object);
  }
  g_ptr_array_sort (objects, compare_objects);
  hints = dg_report_table (report, "hints", "Layout of structures",
                           hint_columns, G_N_ELEMENTS (hint_columns));
  rows = dg_report_table (report, "fields", "Fields", field_columns,
                          G_N_ELEMENTS (field_columns));
  for (guint i = 0; i < objects->len && code == 0; i++) {
    struct object *object = objects->pdata[i];

    if (object->place->origin != 0 && object->sums->visits < FEWEST_SHOWN)
      continue;
    make_fields (self, object);
    advise (hints, object, accesses, line_size);
    add_fields (rows, object);
    code = dg_report_pace (report, i, objects->len, err);
  }
  if (dg_pattern_visits_lost (self->visits) > 0)
    dg_report_note (report,
                    "There are more than %d kinds of structures: only the "
                    "first ones were examined.", DG_KINDS_MAX);
  g_ptr_array_unref (objects);
  return code;
}
