/* arrow_text.c: texts that are kept once, as a dictionary of Arrow.

   The two buffers are shared by the dictionary and by all arrays that were
   made of it: what an array sees of them does not change any more.  When a
   buffer is full, its texts move to a new one, twice as large, and the arrays
   keep the old one.  So an array costs no copy.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_text.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"

/* A buffer and how many use it.  */
struct shared {
  gatomicrefcount users;
  size_t room;             /* bytes */
  uint8_t bytes[] __attribute__ ((aligned (8)));
};

struct dg_arrow_text {
  struct dg_lookup lookup;
  uint64_t seed;
  size_t n;                /* texts */
  struct shared *offsets;  /* int32: n + 1 */
  struct shared *bytes;
};

/* ---- Shared buffers ---- */

static struct shared *
shared_new (size_t room)
{
  struct shared *shared = g_try_malloc (sizeof *shared + room);

  if (shared) {
    g_atomic_ref_count_init (&shared->users);
    shared->room = room;
  }
  return shared;
}

static void
shared_drop (struct shared *shared)
{
  if (shared && g_atomic_ref_count_dec (&shared->users))
    g_free (shared);
}

/* Makes room for `need` bytes, of which the first `used` are kept.  */
static bool
shared_grow (struct shared **shared, size_t used, size_t need)
{
  struct shared *larger;

  if (need <= (*shared)->room)
    return true;
  larger = shared_new (MAX (need, 2 * (*shared)->room));
  if (!larger)
    return false;
  memcpy (larger->bytes, (*shared)->bytes, used);
  shared_drop (*shared);
  *shared = larger;
  return true;
}

/* ---- The dictionary ---- */

static uint64_t
hash_text (uint64_t seed, const char *string, size_t n)
{
  uint64_t hash = dg_hash_add (seed, n), word;

  for (; n >= sizeof word; n -= sizeof word, string += sizeof word) {
    memcpy (&word, string, sizeof word);
    hash = dg_hash_add (hash, word);
  }
  word = 0;
  if (n > 0)
    memcpy (&word, string, n);
  return dg_hash_add (hash, word);
}

struct dg_arrow_text *
dg_arrow_text_new (struct dg_error *err)
{
  struct dg_arrow_text *text = g_try_new0 (struct dg_arrow_text, 1);

  if (text) {
    text->seed = dg_hash_seed ();
    text->offsets = shared_new (1024);
    text->bytes = shared_new (4096);
    if (text->offsets && text->bytes) {
      memset (text->offsets->bytes, 0, sizeof (int32_t));
      return text;
    }
    dg_arrow_text_free (text);
  }
  dg_error_nomem (err);
  return NULL;
}

void
dg_arrow_text_free (struct dg_arrow_text *text)
{
  if (!text)
    return;
  dg_lookup_fini (&text->lookup);
  shared_drop (text->offsets);
  shared_drop (text->bytes);
  g_free (text);
}

static const int32_t *
offsets_of (const struct dg_arrow_text *text)
{
  return (const int32_t *) text->offsets->bytes;
}

static int
add (struct dg_arrow_text *text, uint64_t hash, const char *string, size_t n,
     struct dg_error *err)
{
  size_t used = offsets_of (text)[text->n];
  size_t numbers = (text->n + 1) * sizeof (int32_t);
  int32_t end;

  if (used + n > INT32_MAX || text->n == INT32_MAX - 1)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "a column has more than 2 GiB of different texts");
  if (!shared_grow (&text->offsets, numbers, numbers + sizeof end)
      || !shared_grow (&text->bytes, used, used + n)
      || !dg_lookup_add (&text->lookup, hash, text->n))
    return dg_error_nomem (err);
  if (n > 0)
    memcpy (text->bytes->bytes + used, string, n);
  end = used + n;
  memcpy (text->offsets->bytes + numbers, &end, sizeof end);
  return text->n++;
}

int
dg_arrow_text_index (struct dg_arrow_text *text, const char *string,
                     struct dg_error *err)
{
  bool is_valid = g_utf8_validate (string, -1, NULL);
  char *valid = is_valid ? NULL : g_utf8_make_valid (string, -1);
  const char *use = valid ? valid : string;
  size_t n = strlen (use);
  uint64_t hash = hash_text (text->seed, use, n);
  struct dg_probe probe = dg_lookup_probe (&text->lookup, hash);
  const int32_t *offsets = offsets_of (text);
  uint32_t i;
  int index = -1;

  while (index < 0 && dg_probe_next (&probe, &i))
    if ((size_t) (offsets[i + 1] - offsets[i]) == n
        && (n == 0 || memcmp (text->bytes->bytes + offsets[i], use, n) == 0))
      index = i;
  if (index < 0)
    index = add (text, hash, use, n, err);
  g_free (valid);
  return index;
}

/* ---- Arrays of it ---- */

struct view {
  const void *buffers[3];
  struct shared *offsets, *bytes;
};

static void
release_view (struct ArrowArray *array)
{
  struct view *view = array->private_data;

  shared_drop (view->offsets);
  shared_drop (view->bytes);
  g_free (view);
  array->release = NULL;
}

int
dg_arrow_text_array (const struct dg_arrow_text *text, struct ArrowArray *out,
                     struct dg_error *err)
{
  struct view *view = g_try_new0 (struct view, 1);

  if (!view)
    return dg_error_nomem (err);
  view->offsets = text->offsets;
  view->bytes = text->bytes;
  g_atomic_ref_count_inc (&view->offsets->users);
  g_atomic_ref_count_inc (&view->bytes->users);
  view->buffers[1] = view->offsets->bytes;
  view->buffers[2] = view->bytes->bytes;
  *out = (struct ArrowArray) { .length = text->n, .n_buffers = 3,
                               .buffers = view->buffers,
                               .release = release_view,
                               .private_data = view };
  return 0;
}
