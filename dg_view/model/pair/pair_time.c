/* pair_time.c: the time axis of two logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_time.h"

#include <string.h>

#include "model/log/order.h"

/* So many pairs of events are compared at most; of more, events are paired by
   their number among those with the same label.  */
#define MOST_PAIRS ((size_t) 1 << 24)

/* The beginning or the end of an event.  */
struct mark {
  const char *label;
  uint64_t icount;
  uint32_t order;          /* of two at the same icount */
  bool is_end;
};

/* ---- The events of a log -------------------------------------------- */

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const struct mark *x = a, *y = b;
  if (x->icount != y->icount)
    return x->icount < y->icount ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void
add_mark (GArray *marks, const struct dv_scene *scene, struct mark mark)
{
  if (mark.icount > scene->full.y0 && mark.icount < scene->full.y1)
    g_array_append_val (marks, mark);
}

static GArray *
marks_of (const struct dv_scene *scene)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (struct mark));
  size_t n;
  const struct dg_event *events = dg_log_events (scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    const struct dg_event *e = &events[i];
    add_mark (marks, scene, (struct mark){ e->label, e->start_icount,
                                           e->start_order, false });
    if (e->end_order != DG_NONE)
      add_mark (marks, scene, (struct mark){ e->label, e->end_icount,
                                             e->end_order, true });
  }
  g_array_sort (marks, compare_marks);
  return marks;
}

static bool
is_same (const struct mark *a, const struct mark *b)
{
  return a->is_end == b->is_end && strcmp (a->label, b->label) == 0;
}

/* ---- Pairs of events ------------------------------------------------ */

/* What follows the pairs before on both sides.  */
static void
add_knot (struct dv_pair_time *time, const struct mark *a,
          const struct mark *b)
{
  const struct dv_pair_knot *last =
    &g_array_index (time->knots, struct dv_pair_knot, time->knots->len - 1);
  if (a->icount <= last->icount[0] || b->icount <= last->icount[1])
    return;
  struct dv_pair_knot knot = { { a->icount, b->icount }, 0, b->label,
                               b->is_end };
  g_array_append_val (time->knots, knot);
  time->events++;
}

/* The longest sequence of events that both have.  */
static void
pair_sequences (struct dv_pair_time *time, const struct mark *a, size_t n,
                const struct mark *b, size_t m)
{
  size_t width = m + 1, i = 0, j = 0;
  uint16_t *length = g_new0 (uint16_t, (n + 1) * width);
  for (i = n; i-- > 0;)
    for (j = m; j-- > 0;) {
      uint16_t *here = &length[i * width + j];
      *here = is_same (&a[i], &b[j]) ? (uint16_t) (here[width + 1] + 1)
                                     : MAX (here[1], here[width]);
    }
  for (i = 0, j = 0; i < n && j < m;) {
    const uint16_t *here = &length[i * width + j];
    if (is_same (&a[i], &b[j]))
      add_knot (time, &a[i++], &b[j++]);
    else if (here[width] >= here[1])
      i++;
    else
      j++;
  }
  g_free (length);
}

static char *
numbered (GHashTable *seen, const struct mark *mark)
{
  char *name = g_strdup_printf ("%d%s", mark->is_end, mark->label);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (seen, name)) + 1;
  char *key = g_strdup_printf ("%u %s", n, name);
  g_hash_table_insert (seen, name, GUINT_TO_POINTER (n));
  return key;
}

/* The first with the first of that label, and so on.  */
static void
pair_numbers (struct dv_pair_time *time, const struct mark *a, size_t n,
              const struct mark *b, size_t m)
{
  GHashTable *known =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  GHashTable *seen =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  for (size_t i = 0; i < n; i++)
    g_hash_table_insert (known, numbered (seen, &a[i]), (gpointer) &a[i]);
  g_hash_table_remove_all (seen);
  for (size_t j = 0; j < m; j++) {
    char *key = numbered (seen, &b[j]);
    const struct mark *mark = g_hash_table_lookup (known, key);
    if (mark != NULL)
      add_knot (time, mark, &b[j]);
    g_free (key);
  }
  g_hash_table_unref (seen);
  g_hash_table_unref (known);
}

static void
pair_events (struct dv_pair_time *time, struct dv_scene *const scenes[2])
{
  GArray *a = marks_of (scenes[0]), *b = marks_of (scenes[1]);
  const struct mark *first = (const struct mark *) (void *) a->data;
  const struct mark *second = (const struct mark *) (void *) b->data;
  if (a->len == 0 || b->len == 0)
    ;
  else if (MAX (a->len, b->len) < UINT16_MAX
           && a->len <= MOST_PAIRS / b->len)
    pair_sequences (time, first, a->len, second, b->len);
  else
    pair_numbers (time, first, a->len, second, b->len);
  g_array_unref (a);
  g_array_unref (b);
}

/* ---- The axis ------------------------------------------------------- */

static void
set_moments (struct dv_pair_time *time)
{
  for (guint i = 0; i < time->knots->len; i++) {
    struct dv_pair_knot *knot =
      &g_array_index (time->knots, struct dv_pair_knot, i);
    if (i > 0)
      knot->moment = knot[-1].moment
                     + MAX (knot->icount[0] - knot[-1].icount[0],
                            knot->icount[1] - knot[-1].icount[1]);
    time->length = knot->moment;
  }
}

void
dv_pair_time_init (struct dv_pair_time *time,
                   struct dv_scene *const scenes[2])
{
  struct dv_pair_knot start = { .moment = 0 }, end = start;
  bool any = false;
  *time = (struct dv_pair_time){ 0 };
  time->knots = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_knot));
  for (unsigned s = 0; s < 2; s++)
    if (scenes[s] != NULL && !dv_view_is_empty (&scenes[s]->full)) {
      start.icount[s] = scenes[s]->full.y0;
      end.icount[s] = scenes[s]->full.y1;
      any = true;
    }
  if (!any)
    return;
  g_array_append_val (time->knots, start);
  if (scenes[1] != NULL)
    pair_events (time, scenes);
  g_array_append_val (time->knots, end);
  set_moments (time);
}

void
dv_pair_time_fini (struct dv_pair_time *time)
{
  if (time->knots != NULL)
    g_array_unref (time->knots);
}

/* ---- Asking --------------------------------------------------------- */

struct dv_pair_pace
dv_pair_time_pace (const struct dv_pair_time *time, unsigned side,
                   uint64_t icount)
{
  const struct dv_pair_knot *knots =
    (const struct dv_pair_knot *) (void *) time->knots->data;
  guint low = 1, high = time->knots->len - 1;
  DV_BISECT (low, high, middle, knots[middle].icount[side] <= icount);
  const struct dv_pair_knot *from = &knots[low - 1], *to = &knots[low];
  uint64_t span = to->icount[side] - from->icount[side];
  return (struct dv_pair_pace){
    .start = from->icount[side], .end = to->icount[side],
    .moment = (double) from->moment,
    .ratio = span > 0 ? (double) (to->moment - from->moment) / (double) span
                      : 0 };
}

uint64_t
dv_pair_time_icount (const struct dv_pair_time *time, unsigned side,
                     uint64_t moment)
{
  if (time->knots->len < 2)
    return 0;
  const struct dv_pair_knot *knots =
    (const struct dv_pair_knot *) (void *) time->knots->data;
  guint low = 1, high = time->knots->len - 1;
  DV_BISECT (low, high, middle, knots[middle].moment <= moment);
  const struct dv_pair_knot *from = &knots[low - 1], *to = &knots[low];
  uint64_t span = to->moment - from->moment;
  uint64_t part = MIN (moment, to->moment) - from->moment;
  return from->icount[side]
         + (span == 0 ? 0
            : (uint64_t) ((unsigned __int128) part
                          * (to->icount[side] - from->icount[side]) / span));
}
