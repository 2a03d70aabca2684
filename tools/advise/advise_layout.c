/* advise_layout.c: rules about the layout of structures.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_groups.h"
#include "advise_rules.h"

#include <inttypes.h>
#include <string.h>

/* Of visits: fields in more are hot, in less cold.  */
#define HOT_SHARE  0.5
#define COLD_SHARE 0.05

/* The streams that go to one object.  */
struct use {
  const struct advise_object *object;
  const struct advise_stream *top;
  double cost, misses, ll_misses;
  uint64_t accesses;
};

/* NULL if none of own code.  */
static bool
use_of (const struct advise_facts *facts, const struct advise_object *object,
        struct use *use)
{
  *use = (struct use) {.object = object};
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (stream->object != object || !stream->line->is_own)
      continue;
    if (use->top == NULL)
      use->top = stream;
    use->cost += stream->cycles;
    use->misses += stream->misses;
    use->ll_misses += stream->ll_misses;
    use->accesses += stream->accesses;
  }
  return use->top != NULL;
}

static struct advise_finding *
use_finding (const struct use *use)
{
  struct advise_finding *finding =
    advise_finding_new (&use->top->line->code, use->object->memory);
  char *memory = advise_memory_text (use->object->memory, use->object);

  advise_finding_say (finding, "%s", memory);
  g_free (memory);
  return finding;
}

/* ---- Hot and cold ----------------------------------------------------- */

/* The lines in which fields of so many visits lie, of an object that begins
   with a line.  */
static double
hot_lines (const struct advise_object *object, uint32_t line_size)
{
  double n = 0;
  uint32_t next = 0;

  for (guint i = 0; i < object->fields->len; i++) {
    const struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);
    uint32_t first = MAX (field->offset / line_size, next);
    uint32_t end = (field->offset + MAX (field->size, 1) - 1) / line_size + 1;

    if (field->share > HOT_SHARE && first < end) {
      n += end - first;
      next = end;
    }
  }
  return MIN (n, (double) object->size / line_size);
}

/* The share of misses that is left in a cache of so many lines when n objects
   take less of them: visits in no order hit with the share of lines that the
   cache holds (the independent reference model).  */
static double
misses_left (double cache, double lines, double less)
{
  double before = 1 - MIN (cache / lines, 1);
  double after = 1 - MIN (cache / less, 1);

  /* What fits already misses at first touch only.  */
  return before > 0 ? after / before : 1;
}

/* Objects that lie here and there are not neighbours for being small: fewer
   lines are used in all, and more of these stay in the caches.  */
static double
saved_by_split (const struct advise_facts *facts, const struct use *use,
                uint32_t hot_bytes)
{
  const struct advise_object *object = use->object;
  const struct advise_site *site = advise_facts_site (facts, object->memory);
  double lines = hot_lines (object, facts->line_size);
  double less = MIN (lines, (double) hot_bytes / facts->line_size), n, all,
         saved;

  if (site == NULL || site->blocks == 0 || lines <= 0)
    return lines > 0 ? use->cost * (1 - less / lines) : 0;
  n = (double) site->live_max * (double) site->bytes / (double) site->blocks
      / object->size;
  saved = advise_misses_weight (
    use->misses
      * (1 - misses_left ((double) facts->d1_lines, n * lines, n * less)),
    use->ll_misses
      * (1 - misses_left ((double) facts->ll_bytes / facts->line_size,
                          n * lines, n * less)));
  all = advise_misses_weight (use->misses, use->ll_misses);
  return all > 0 ? use->cost * saved / all : 0;
}

static void
hot_cold (const struct advise_rule *rule, struct advise_search *search,
          const struct use *use)
{
  const struct advise_object *object = use->object;
  uint32_t hot_bytes, cold_bytes;
  char *hot = advise_fields_text (object, HOT_SHARE, 1, &hot_bytes);
  char *cold = advise_fields_text (object, 0, COLD_SHARE, &cold_bytes);

  if (hot != NULL && cold != NULL && cold_bytes * 2 >= object->size
      && hot_bytes > 0) {
    struct advise_finding *finding = use_finding (use);
    char *where = advise_code_text (&use->top->line->code);

    advise_finding_say (finding,
                        " has %" PRIu32 " bytes, of which %" PRIu32
                        " are hot (%s) and %" PRIu32
                        " are in less than %.0f %% of visits (%s); most of"
                        " its misses are in %s.",
                        object->size, hot_bytes, hot, cold_bytes,
                        COLD_SHARE * 100, cold, where);
    advise_finding_do (finding,
                       "Move the cold fields to a structure of their own:"
                       " without them, this one has %" PRIu32
                       " bytes instead of %" PRIu32
                       ", and a pointer if it leads to them.",
                       object->size - cold_bytes, object->size);
    finding->accesses = use->accesses;
    advise_finding_try (finding, "split",
                        advise_fields_where (object, COLD_SHARE, 1));
    advise_search_take (search, rule, finding,
                        saved_by_split (search->facts, use, hot_bytes));
    g_free (where);
  }
  g_free (hot);
  g_free (cold);
}

void
advise_hot_cold (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *object = facts->objects->pdata[i];
    struct use use;

    /* A walk over all of them has a rule of its own.  */
    if (object->type == NULL || object->size <= facts->line_size / 2
        || !use_of (facts, object, &use)
        || use.top->pattern == ADVISE_STRIDED
        || use.top->pattern == ADVISE_SEQUENTIAL
        || !advise_search_is_enough (search, rule, use.cost))
      continue;
    hot_cold (rule, search, &use);
  }
}

/* ---- Apart ------------------------------------------------------------ */

static int
compare_shares (const void *a, const void *b)
{
  const struct advise_field *const *x = a, *const *y = b;

  return (*x)->share < (*y)->share ? 1 : (*x)->share > (*y)->share ? -1 : 0;
}

/* The fields in the order in which visits need them.  */
static void
try_together (const struct advise_object *object,
              struct advise_finding *finding)
{
  GPtrArray *fields = g_ptr_array_new ();
  char *type = advise_type_where (object);
  GString *text = g_string_new (type);

  for (guint i = 0; i < object->fields->len; i++) {
    struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);

    if (!advise_field_is_padding (field))
      g_ptr_array_add (fields, field);
  }
  g_ptr_array_sort (fields, compare_shares);
  for (guint i = 0; i < fields->len; i++) {
    const struct advise_field *field = fields->pdata[i];

    g_string_append_printf (text, "%s%s", i > 0 ? "," : ":", field->name);
  }
  advise_finding_try (finding, "order", g_string_free (text, FALSE));
  advise_finding_try_with (finding, "align",
                           g_strdup_printf ("%s:64", type));
  g_free (type);
  g_ptr_array_unref (fields);
}

void
advise_far_fields (const struct advise_rule *rule,
                   struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *object = facts->objects->pdata[i];
    struct advise_finding *finding;
    struct use use;

    /* A walk from one to the next fetches all their lines, however the fields
       lie.  */
    if (object->together == NULL || object->type == NULL
        || !use_of (facts, object, &use)
        || use.top->pattern == ADVISE_STRIDED
        || use.top->pattern == ADVISE_SEQUENTIAL
        || !advise_search_is_enough (search, rule, use.cost))
      continue;
    finding = use_finding (&use);
    advise_finding_say (finding, ": %s.", object->together);
    advise_finding_do (finding,
                       "Declare them one after the other, and begin blocks of"
                       " the structure with a line.");
    finding->accesses = use.accesses;
    try_together (object, finding);
    advise_search_take (search, rule, finding, use.cost);
  }
}

/* ---- Never used ------------------------------------------------------- */

/* Fewer bytes in all do not matter.  */
#define FEWEST_BYTES (16u << 10)

void
advise_unused_fields (const struct advise_rule *rule,
                      struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *object = facts->objects->pdata[i];
    const struct advise_site *site = advise_facts_site (facts, object->memory);
    struct advise_finding *finding;
    uint32_t unused = 0;
    char *names, *bytes;
    double wasted;

    if (site == NULL || object->type == NULL || object->size == 0)
      continue;
    /* A class of the library is as it is.  */
    if (g_str_has_prefix (object->type, "std::")
        || g_str_has_prefix (object->type, "__gnu_cxx::"))
      continue;
    names = advise_fields_text (object, 0, -1, &unused);
    wasted = (double) unused * (double) (site->bytes / object->size);
    if (names != NULL && wasted >= FEWEST_BYTES
        && advise_search_is_enough (search, rule, wasted)) {
      finding = advise_finding_new (&site->code, object->memory);
      bytes = advise_bytes_text ((uint64_t) wasted);
      advise_finding_say (finding,
                          "%" PRIu32 " of the %" PRIu32 " bytes of %s of %s"
                          " are never read or written in any object (%s): %s"
                          " in all.",
                          unused, object->size, object->type, object->memory,
                          names, bytes);
      advise_finding_do (finding,
                         "Leave these fields out, or keep them elsewhere for"
                         " the objects that have them.");
      advise_search_take (search, rule, finding, wasted);
      g_free (bytes);
    }
    g_free (names);
  }
}

/* ---- Padding ---------------------------------------------------------- */

/* Bytes of padding that another order of the fields would save.  */
static uint32_t
padding_saved (const struct advise_object *object)
{
  uint32_t used = 0, largest = 1, least;

  for (guint i = 0; i < object->fields->len; i++) {
    const struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);

    if (advise_field_is_padding (field))
      continue;
    used += field->size;
    /* An array or a structure has the alignment of its elements, which is at
       most that of a pointer for all that matter.  */
    if (field->size <= 8 && (field->size & (field->size - 1)) == 0)
      largest = MAX (largest, field->size);
    else if (field->size % 8 == 0)
      largest = 8;
  }
  least = (used + largest - 1) / largest * largest;
  return used > 0 && least < object->size ? object->size - least : 0;
}

/* Padding of the objects of an allocation site, in bytes.  */
static double
padding_of_site (const struct advise_facts *facts,
                 const struct advise_object *object, uint32_t saved)
{
  const struct advise_site *site = advise_facts_site (facts, object->memory);
  struct use use;

  if (site == NULL || !use_of (facts, object, &use))
    return 0;
  return (double) saved * (double) (site->bytes / object->size);
}

/* That of all objects of a type; *n receives their allocation sites.  0: the
   object is not the first one of its type.  */
static double
padding_of_type (const struct advise_facts *facts, guint index, uint32_t saved,
                 unsigned *n)
{
  const struct advise_object *object = facts->objects->pdata[index];
  double wasted = 0;

  *n = 0;
  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *other = facts->objects->pdata[i];
    double bytes;

    if (g_strcmp0 (other->type, object->type) != 0
        || other->size != object->size)
      continue;
    bytes = padding_of_site (facts, other, saved);
    if (bytes > 0 && i < index)
      return 0;
    wasted += bytes;
    *n += bytes > 0;
  }
  return wasted;
}

static void
say_padding (struct advise_finding *finding,
             const struct advise_object *object, uint32_t saved,
             double wasted, unsigned n)
{
  char *bytes = advise_bytes_text ((uint64_t) wasted);

  advise_finding_say (finding, "%s of %s", object->type, object->memory);
  if (n > 1)
    advise_finding_say (finding, " and %u more %s", n - 1,
                        n == 2 ? "place" : "places");
  advise_finding_say (finding,
                      " (%" PRIu32 " bytes) has %" PRIu32 " bytes of padding"
                      " that another order of its fields would save: %s in"
                      " all.", object->size, saved, bytes);
  advise_finding_do (finding,
                     "Declare the fields by size, the largest first: %"
                     PRIu32 " bytes would do.", object->size - saved);
  advise_finding_try (finding, "pack", advise_type_where (object));
  g_free (bytes);
}

void
advise_padding (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *object = facts->objects->pdata[i];
    uint32_t saved = object->type != NULL ? padding_saved (object) : 0;
    struct advise_finding *finding;
    double wasted;
    unsigned n;

    if (saved * 5 < object->size
        || padding_of_site (facts, object, saved) <= 0)
      continue;
    wasted = padding_of_type (facts, i, saved, &n);
    if (wasted < FEWEST_BYTES
        || !advise_search_is_enough (search, rule, wasted))
      continue;
    finding = advise_finding_new (
      &advise_facts_site (facts, object->memory)->code, object->memory);
    say_padding (finding, object, saved, wasted, n);
    advise_search_take (search, rule, finding, wasted);
  }
}
