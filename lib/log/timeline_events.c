/* timeline_events.c: the events and ranges that the program marks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline.h"

#include "base/error.h"

static int
start_event (struct dg_timeline *timeline, const struct dg_fields *fields,
             const struct dg_when *when, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  const char *label = dg_arena_string (&contents->arena, fields->strings[0]);
  struct dg_event *event = dg_table_add (&contents->events, sizeof *event);

  /* Equal labels are one string, so that its address is the key.  */
  if (!label || !event
      || dg_spans_open (&timeline->events, (uintptr_t) label, 0,
                        contents->events.n - 1) < 0)
    return dg_error_nomem (err);
  event->start_icount = when->icount;
  event->end_icount = DG_NEVER;
  event->start_order = dg_when_order (when);
  event->end_order = DG_NONE;
  event->label = label;
  contents->summary.events_started++;
  return 0;
}

static int
end_event (struct dg_timeline *timeline, const struct dg_fields *fields,
           const struct dg_when *when, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  const char *label = dg_arena_string (&contents->arena, fields->strings[0]);
  size_t index;

  if (!label)
    return dg_error_nomem (err);
  index = dg_spans_close (&timeline->events, (uintptr_t) label, 0);
  if (index != SIZE_MAX) {
    struct dg_event *event
      = (struct dg_event *) contents->events.items + index;

    event->end_icount = when->icount;
    event->end_order = dg_when_order (when);
  }
  contents->summary.events_ended++;
  return 0;
}

static int
track_range (struct dg_timeline *timeline, const struct dg_fields *fields,
             const struct dg_when *when, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  struct dg_range *range = dg_table_add (&contents->ranges, sizeof *range);

  if (!range)
    return dg_error_nomem (err);
  range->address = fields->words[0];
  range->size = fields->words[1];
  range->start_icount = when->icount;
  range->end_icount = DG_NEVER;
  range->type = dg_arena_string (&contents->arena, fields->strings[0]);
  range->label = dg_arena_string (&contents->arena, fields->strings[1]);
  if (!range->type || !range->label
      || dg_spans_open (&timeline->ranges, range->address, range->size,
                        contents->ranges.n - 1) < 0)
    return dg_error_nomem (err);
  contents->summary.ranges_tracked++;
  return 0;
}

static int
untrack_range (struct dg_timeline *timeline, const struct dg_fields *fields,
               const struct dg_when *when)
{
  struct dg_contents *contents = timeline->contents;
  size_t index = dg_spans_close (&timeline->ranges, fields->words[0],
                                 fields->words[1]);

  if (index != SIZE_MAX)
    ((struct dg_range *) contents->ranges.items)[index].end_icount
      = when->icount;
  contents->summary.ranges_untracked++;
  return 0;
}

int
dg_timeline_event (struct dg_timeline *timeline, uint8_t type,
                   const struct dg_fields *fields, const struct dg_when *when,
                   struct dg_error *err)
{
  switch (type) {
  case DG_R_TRACK_RANGE: return track_range (timeline, fields, when, err);
  case DG_R_UNTRACK_RANGE: return untrack_range (timeline, fields, when);
  case DG_R_START_EVENT: return start_event (timeline, fields, when, err);
  default: return end_event (timeline, fields, when, err);
  }
}
