/* heap_dhat_points.c: the points of `dg heap --dhat-out`, and their blocks
   over time.

   For DHAT, a realloc is another allocation of the same block: it belongs to
   the point that allocated it first, and starts with the first one.  Its
   copying counts as reads and writes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_dhat.h"

#include <stdlib.h>
#include <string.h>

#include "dg_record.h"

/* ---- Points ----------------------------------------------------------- */

struct making {
  struct heap_dhat *dhat;
  GHashTable *by_stack;    /* sites of a stack -> point + 1 */
  GHashTable *by_frames;   /* GBytes of frames -> point + 1 */
  GHashTable *by_text;     /* text -> frame */
  GHashTable *by_address;  /* address -> struct label */
};

/* The frames of an address, and whether it is the outermost one shown.  */
struct label {
  uint64_t address;
  GArray *frames;          /* guint */
  bool is_last;
};

static void
label_free (gpointer data)
{
  struct label *label = data;

  g_array_unref (label->frames);
  g_free (label);
}

/* Frames of Valgrind's replacements are not shown.  */
static bool
is_replacement (const char *text)
{
  return strstr (text, "vg_replace_malloc.c") != NULL
         || strstr (text, "/vgpreload_") != NULL;
}

static guint
frame_of (struct making *making, const char *text)
{
  GPtrArray *frames = making->dhat->frames;
  gpointer found;
  char *copy;

  if (g_hash_table_lookup_extended (making->by_text, text, NULL, &found))
    return GPOINTER_TO_UINT (found);
  copy = g_strdup (text);
  g_ptr_array_add (frames, copy);
  g_hash_table_insert (making->by_text, copy,
                       GUINT_TO_POINTER (frames->len - 1));
  return frames->len - 1;
}

static const struct label *
label_of (struct making *making, uint64_t address, uint64_t icount)
{
  struct label *label = g_hash_table_lookup (making->by_address, &address);
  char **texts;

  if (label != NULL)
    return label;
  label = g_new (struct label, 1);
  label->address = address;
  label->frames = g_array_new (FALSE, FALSE, sizeof (guint));
  texts = dg_massif_labels (making->dhat->input->symbols, address, icount,
                            &label->is_last);
  for (char **text = texts; *text != NULL; text++)
    if (!is_replacement (*text)) {
      guint frame = frame_of (making, *text);

      g_array_append_val (label->frames, frame);
    }
  g_strfreev (texts);
  g_hash_table_insert (making->by_address, &label->address, label);
  return label;
}

static void
point_free (gpointer data)
{
  struct heap_dhat_point *point = data;

  g_array_unref (point->frames);
  g_free (point->histogram);
  g_free (point);
}

static GArray *
frames_of (struct making *making, const struct dg_block *block)
{
  const struct dg_stack *stack = &block->alloc_stack;
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (guint));
  /* The allocator's own frame is one more.  */
  uint32_t most = making->dhat->input->options->massif.depth + 1;

  for (uint32_t i = 0; i < stack->n && i < most; i++) {
    const struct label *label =
      label_of (making, stack->sites[i], block->alloc_icount);

    g_array_append_vals (frames, label->frames->data, label->frames->len);
    if (label->is_last)
      break;
  }
  return frames;
}

static uint32_t
point_of (struct making *making, size_t index)
{
  const struct dg_block block = dg_log_block (making->dhat->log, index);
  GPtrArray *points = making->dhat->points;
  gpointer key = (gpointer) block.alloc_stack.sites;
  gpointer found = g_hash_table_lookup (making->by_stack, key);
  struct heap_dhat_point *point;
  GArray *frames;
  GBytes *bytes;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  frames = frames_of (making, &block);
  bytes = g_bytes_new (frames->data, frames->len * sizeof (guint));
  found = g_hash_table_lookup (making->by_frames, bytes);
  if (found == NULL) {
    point = g_new0 (struct heap_dhat_point, 1);
    point->frames = g_array_ref (frames);
    g_ptr_array_add (points, point);
    found = GUINT_TO_POINTER (points->len);
    g_hash_table_insert (making->by_frames, g_bytes_ref (bytes), found);
  }
  g_hash_table_insert (making->by_stack, key, found);
  g_bytes_unref (bytes);
  g_array_unref (frames);
  return GPOINTER_TO_UINT (found) - 1;
}

static void
make_points (struct heap_dhat *dhat)
{
  struct making making = {
    .dhat = dhat,
    .by_stack = g_hash_table_new (NULL, NULL),
    .by_frames = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                        (GDestroyNotify) g_bytes_unref, NULL),
    .by_text = g_hash_table_new (dg_hash_text, g_str_equal),
    .by_address = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL,
                                         label_free)};

  frame_of (&making, "[root]");
  for (size_t i = 0; i < dhat->n; i++)
    dhat->points_of[i] =
      dhat->previous[i] != DG_NONE
        ? dhat->points_of[dhat->previous[i]]
        : point_of (&making, i);
  g_hash_table_unref (making.by_stack);
  g_hash_table_unref (making.by_frames);
  g_hash_table_unref (making.by_text);
  g_hash_table_unref (making.by_address);
}

/* ---- Over time -------------------------------------------------------- */

struct going {
  struct heap_dhat *dhat;
  uint64_t bytes, most;    /* of the whole heap */
  size_t peak;             /* steps up to where it was largest */
  bool is_marked;          /* that is known */
};

static void
grow (struct going *going, struct heap_dhat_point *point, uint64_t bytes,
      uint64_t blocks)
{
  going->bytes += bytes;
  point->bytes += bytes;
  point->blocks += blocks;
  if (!going->is_marked && point->bytes >= point->max_bytes) {
    point->max_bytes = point->bytes;
    point->max_blocks = point->blocks;
  }
}

static void
shrink (struct going *going, struct heap_dhat_point *point, uint64_t bytes,
        uint64_t blocks)
{
  going->bytes -= bytes;
  point->bytes -= bytes;
  point->blocks -= blocks;
}

/* A step of the log, with the next one if it belongs to it: returns the number
   of steps.  */
static size_t
take_step (struct going *going, const struct dg_replay_step *step,
           bool is_last)
{
  struct heap_dhat *dhat = going->dhat;
  struct heap_dhat_point *point = heap_dhat_point (dhat, step->index);
  uint64_t size = heap_dhat_size (dhat, step->index);

  if (step->kind == DG_REPLAY_ALLOC) {
    grow (going, point, size, 1);
    return 1;
  }
  if (!is_last && step[1].kind == DG_REPLAY_ALLOC
      && dhat->previous[step[1].index] == step->index) {
    uint64_t new_size = heap_dhat_size (dhat, step[1].index);

    if (new_size < size)
      shrink (going, point, size - new_size, 0);
    else
      grow (going, point, new_size - size, 0);
    return 2;
  }
  shrink (going, point, size, 1);
  return 1;
}

/* Replays the log: the first time to find the peak (of equal ones, the last),
   the second time for the counts at the peak.  */
static void
go_through (struct going *going, const struct dg_replay_step *steps, size_t n)
{
  struct heap_dhat *dhat = going->dhat;

  going->bytes = 0;
  for (guint i = 0; i < dhat->points->len; i++) {
    struct heap_dhat_point *point = g_ptr_array_index (dhat->points, i);

    point->bytes = point->blocks = 0;
  }
  for (size_t i = 0; i < n;) {
    const struct dg_block_extent block =
      dg_log_block_extent (dhat->log, steps[i].index);
    uint64_t icount = steps[i].kind == DG_REPLAY_ALLOC ? block.alloc_icount
                                                       : block.free_icount;

    i += take_step (going, &steps[i], i + 1 == n);
    if (!going->is_marked && going->bytes >= going->most) {
      /* An equal one that is not reached by growing is no other moment.  */
      if (going->bytes > going->most || steps[i - 1].kind == DG_REPLAY_ALLOC)
        dhat->peak_icount = icount;
      going->most = going->bytes;
      going->peak = i;
    }
    if (going->is_marked && i == going->peak)
      for (guint k = 0; k < dhat->points->len; k++) {
        struct heap_dhat_point *point = g_ptr_array_index (dhat->points, k);

        point->peak_bytes = point->bytes;
        point->peak_blocks = point->blocks;
      }
  }
}

static int
replay (struct heap_dhat *dhat)
{
  struct going going = {.dhat = dhat};
  struct dg_replay_step *steps;
  struct dg_error error;
  size_t n;

  if (dg_log_replay (dhat->input->log->log,
                     1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps, &n,
                     &error) < 0)
    return cli_fail ("%s: %s", dhat->input->log->path, error.message);
  for (size_t i = 1; i < n; i++) {
    struct dg_block_extent old;
    struct dg_block new;

    if (steps[i - 1].kind != DG_REPLAY_FREE
        || steps[i].kind != DG_REPLAY_ALLOC)
      continue;
    old = dg_log_block_extent (dhat->log, steps[i - 1].index);
    new = dg_log_block (dhat->log, steps[i].index);
    if (new.old_address != 0 && new.old_address == old.address
        && old.free_icount == new.alloc_icount)
      dhat->previous[steps[i].index] = steps[i - 1].index;
  }
  make_points (dhat);
  go_through (&going, steps, n);
  going.is_marked = true;
  go_through (&going, steps, n);
  free (steps);
  return CLI_OK;
}

/* ---- Histograms ------------------------------------------------------- */

/* Whether a block was not made by a realloc.  */
static bool
is_as_allocated (const struct heap_dhat *dhat, size_t block)
{
  return dhat->previous[block] == DG_NONE;
}

/* A block has ended.  Only points all of whose blocks have one size, and the
   first of which was never resized, have histograms.  */
static void
retire (struct heap_dhat *dhat, size_t block)
{
  struct heap_dhat_point *point = heap_dhat_point (dhat, block);
  uint64_t size = heap_dhat_size (dhat, block);

  if (!point->has_ended) {
    point->has_ended = true;
    point->size = size;
    point->is_mixed =
      size > HEAP_DHAT_HISTOGRAM || !is_as_allocated (dhat, block);
  } else if (point->size != size) {
    point->is_mixed = true;
  }
}

static gint
compare_ends (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct heap_dhat *dhat = user;
  const struct dg_block x = dg_log_block (dhat->log, *(const uint32_t *) a);
  const struct dg_block y = dg_log_block (dhat->log, *(const uint32_t *) b);

  /* Blocks that never end are sorted by address.  */
  if (x.free_order != y.free_order)
    return x.free_order < y.free_order ? -1 : 1;
  return x.address < y.address ? -1 : x.address > y.address;
}

static void
make_histograms (struct heap_dhat *dhat)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  bool *is_replaced = g_new0 (bool, dhat->n + 1);

  for (size_t i = 0; i < dhat->n; i++)
    if (dhat->previous[i] != DG_NONE)
      is_replaced[dhat->previous[i]] = true;
  for (size_t i = 0; i < dhat->n; i++) {
    uint32_t block = (uint32_t) i;

    if (!is_replaced[i])
      g_array_append_val (ends, block);
  }
  g_array_sort_with_data (ends, compare_ends, dhat);
  for (guint i = 0; i < ends->len; i++)
    retire (dhat, g_array_index (ends, uint32_t, i));
  for (guint i = 0; i < ends->len; i++) {
    uint32_t block = g_array_index (ends, uint32_t, i);
    struct heap_dhat_point *point = heap_dhat_point (dhat, block);

    if (point->is_mixed)
      continue;
    if (point->histogram == NULL)
      point->histogram = g_new0 (uint32_t, point->size);
    dhat->wants[block] = is_as_allocated (dhat, block);
  }
  g_array_unref (ends);
  g_free (is_replaced);
}

/* ---- All of it -------------------------------------------------------- */

int
heap_dhat_points (struct heap_dhat *dhat)
{
  size_t n = dhat->n + 1;
  int status;

  dhat->points_of = g_try_new0 (uint32_t, n);
  dhat->previous = g_try_new (uint32_t, n);
  dhat->wants = g_try_new0 (uint8_t, n);
  dhat->points = g_ptr_array_new_with_free_func (point_free);
  dhat->frames = g_ptr_array_new_with_free_func (g_free);
  if (dhat->points_of == NULL || dhat->previous == NULL
      || dhat->wants == NULL)
    return cli_fail ("%s: not enough memory", dhat->input->log->path);
  for (size_t i = 0; i < n; i++)
    dhat->previous[i] = DG_NONE;
  status = replay (dhat);
  if (status == CLI_OK)
    make_histograms (dhat);
  return status;
}

void
heap_dhat_fini (struct heap_dhat *dhat)
{
  g_free (dhat->points_of);
  g_free (dhat->previous);
  g_free (dhat->wants);
  g_ptr_array_unref (dhat->points);
  g_ptr_array_unref (dhat->frames);
}

void
heap_dhat_add (void *user, uint32_t i, const struct dg_usage_block *use)
{
  const struct heap_dhat *dhat = user;
  const struct dg_block_extent block = dg_log_block_extent (dhat->log, i);
  struct heap_dhat_point *point = heap_dhat_point (dhat, i);
  uint64_t size = heap_dhat_size (dhat, i);
  uint64_t end =
    block.free_icount != DG_NEVER ? block.free_icount : dhat->end_icount;

  point->total_bytes += size;
  point->total_blocks++;
  point->lifetimes += end - MIN (end, block.alloc_icount);
  if (block.free_icount == DG_NEVER) {
    point->end_bytes += size;
    point->end_blocks++;
  }
  point->read_bytes += use->read_bytes;
  point->written_bytes += use->written_bytes;
  if (dhat->previous[i] != DG_NONE) {
    uint64_t copied = MIN (size, heap_dhat_size (dhat, dhat->previous[i]));

    point->read_bytes += copied;
    point->written_bytes += copied;
  }
}
