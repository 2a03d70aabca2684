/* curve_groups.c: who allocates, by site, function, module, allocator or
   thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve.h"

#include "dg_record.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/progress.h"
#include "symbols/sites.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* What makes two origins one group.  Texts are interned, so that pointers say
   whether they are equal.  */
struct key {
  const char *function, *file, *module;
  uint64_t number;         /* address, line, allocator, or thread */
  uint32_t column, call;   /* of several sites on a line */
};

static guint
hash_key (gconstpointer memory)
{
  const struct key *key = memory;
  uint64_t hash = (uint64_t) (uintptr_t) key->function;

  hash = hash * 31 + (uint64_t) (uintptr_t) key->file;
  hash = hash * 31 + (uint64_t) (uintptr_t) key->module;
  hash = hash * 31 + key->column + ((uint64_t) key->call << 32);
  hash = (hash * 31 + key->number) * 0x9e3779b97f4a7c15u;
  return (guint) (hash >> 32);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (struct key)) == 0;
}

/* While groups are made.  */
struct maker {
  struct dg_curve_source *source;
  struct dg_curve_groups *groups;
  enum dg_curve_by by;
  struct dg_table table;   /* struct dg_curve_group */
  GHashTable *numbers;     /* struct key -> its number + 1 */
  GString *name;
};

/* ---- Names ------------------------------------------------------------ */

static const char *
allocator_name (uint8_t allocator)
{
  static const char *const names[] = {
    [DG_ALLOC_UNKNOWN] = "unknown allocator",
    [DG_ALLOC_MALLOC] = "malloc",
    [DG_ALLOC_CALLOC] = "calloc",
    [DG_ALLOC_REALLOC] = "realloc",
    [DG_ALLOC_MEMALIGN] = "memalign",
    [DG_ALLOC_NEW] = "operator new",
    [DG_ALLOC_NEW_ARRAY] = "operator new[]",
    [DG_ALLOC_NEW_ALIGNED] = "operator new, aligned",
    [DG_ALLOC_NEW_ARRAY_ALIGNED] = "operator new[], aligned",
    [DG_ALLOC_MALLOCLIKE] = "the program's own allocator",
    [DG_ALLOC_RESIZE_IN_PLACE] = "resized in place"
  };
  return allocator < G_N_ELEMENTS (names) && names[allocator] != NULL
           ? names[allocator]
           : names[DG_ALLOC_UNKNOWN];
}

static void
name_thread (const struct maker *maker, uint32_t number)
{
  const struct dg_thread *thread
    = dg_log_thread (maker->source->log, number);

  if (number == 0) {
    g_string_assign (maker->name, "unknown thread");
    return;
  }
  g_string_printf (maker->name, "thread %u", number);
  if (thread != NULL && thread->name[0] != '\0')
    g_string_append_printf (maker->name, " (%s)", thread->name);
}

/* Name and key of an origin's group, as far as frames tell.  */
static void
describe_frame (const struct maker *maker, struct dg_site_frame *site,
                struct key *key)
{
  struct dg_frame *frame = &site->frame;
  GString *name = maker->name;

  key->module = frame->module;
  switch (maker->by) {
  case DG_CURVE_BY_MODULE:
    g_string_assign (name, frame->module != NULL
                             ? dg_path_base (frame->module)
                             : "unknown module");
    frame->function = frame->file = NULL;
    frame->line = site->column = site->call = site->folders = 0;
    return;
  case DG_CURVE_BY_FUNCTION:
    key->function = frame->function;
    if (frame->function != NULL)
      g_string_assign (name, frame->function);
    else
      g_string_printf (name, "??? (%s)",
                       frame->module != NULL ? dg_path_base (frame->module)
                                             : "unknown module");
    frame->line = site->column = site->call = site->folders = 0;
    return;
  default:
    key->function = frame->function;
    key->file = frame->file;
    /* With no line, each address is one of its own only when nothing better
       is known.  */
    key->number = frame->function == NULL ? site->address : frame->line;
    key->column = site->column;
    key->call = site->call;
    dg_sites_name (name, site, "unknown site");
    return;
  }
}

/* ---- Making ----------------------------------------------------------- */

/* The group of that key, which may be new: its number, or DG_NONE without
   memory.  */
static uint32_t
take_group (struct maker *maker, const struct key *key,
            const struct dg_site_frame *site, uint32_t origin)
{
  const struct dg_frame *frame = &site->frame;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (maker->numbers, key));
  struct dg_curve_group *group;

  if (number > 0)
    return number - 1;
  group = dg_table_add (&maker->table, sizeof *group);
  if (group == NULL)
    return DG_NONE;
  group->name = dg_arena_string (&maker->groups->arena, maker->name->str);
  group->function = frame->function;
  group->file = frame->file;
  group->module = frame->module;
  group->line = frame->line;
  group->column = site->column;
  group->call = site->call;
  group->folders = site->folders;
  group->origin = origin;
  number = (guint) maker->table.n;
  g_hash_table_insert (maker->numbers, g_memdup2 (key, sizeof *key),
                       GUINT_TO_POINTER (number));
  return group->name != NULL ? number - 1 : DG_NONE;
}

static int
add_origin (struct maker *maker, uint32_t number)
{
  struct dg_curve_source *source = maker->source;
  const struct dg_curve_origin *origin
    = (const struct dg_curve_origin *) source->origins.items + number;
  const struct dg_site_options how = {
    .size = sizeof how,
    .allocators = source->allocators,
    .symbols = source->symbols,
    .lines = maker->by == DG_CURVE_BY_SITE ? source->lines : NULL};
  struct dg_site_frame site;
  struct key key;

  maker->groups->of[number] = DG_NONE;
  if (origin->is_ignored)
    return 0;
  memset (&key, 0, sizeof key);
  memset (&site, 0, sizeof site);
  g_string_truncate (maker->name, 0);
  if (maker->by == DG_CURVE_BY_ALLOCATOR) {
    g_string_assign (maker->name, allocator_name (origin->allocator));
    key.number = origin->allocator;
  } else if (maker->by == DG_CURVE_BY_THREAD) {
    name_thread (maker, origin->thread);
    key.number = origin->thread;
  } else {
    dg_sites_find (&how, &origin->stack, origin->icount,
                   dg_site_is_call (origin->allocator), &site);
    describe_frame (maker, &site, &key);
  }
  maker->groups->of[number] = take_group (maker, &key, &site, number);
  return maker->groups->of[number] == DG_NONE ? DG_ERR_NOMEM : 0;
}

/* ---- Ranks ------------------------------------------------------------ */

static int
compare_most (gconstpointer a, gconstpointer b, gpointer memory)
{
  const struct dg_curve_group *groups = memory;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return DG_COMPARE (groups[y].most, groups[x].most) ?: DG_COMPARE (x, y);
}

/* One pass over all changes.  */
static int
rank (const struct dg_curve_source *source, struct dg_curve_groups *groups)
{
  uint64_t *bytes = g_try_new0 (uint64_t, groups->n + 1);
  uint32_t *order = g_try_new (uint32_t, groups->n + 1);
  int code = DG_ERR_NOMEM;

  if (bytes == NULL || order == NULL)
    goto out;
  for (size_t i = 1; i <= source->n; i++) {
    uint32_t number = groups->of[source->changes[i] >> 1];
    struct dg_curve_group *group = groups->groups + number;

    bytes[number] += source->totals[i] - source->totals[i - 1];
    if (bytes[number] > group->most)
      group->most = bytes[number];
  }
  for (uint32_t i = 0; i < groups->n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) groups->n, sizeof *order, compare_most,
                     groups->groups);
  for (uint32_t i = 0; i < groups->n; i++)
    groups->groups[order[i]].rank = i;
  code = 0;
out:
  g_free (bytes);
  g_free (order);
  return code;
}

/* ---- All of it -------------------------------------------------------- */

static int
fill (struct maker *maker, const struct dg_progress *progress,
      struct dg_error *err)
{
  size_t n = maker->source->origins.n;

  maker->groups->of = g_try_new (uint32_t, n + 1);
  if (maker->groups->of == NULL)
    return dg_error_nomem (err);
  for (size_t i = 0; i < n; i++) {
    /* Looking up a name may open a file.  */
    if (i % 16 == 0 && dg_progress_tell (progress, i, n, err) < 0)
      return DG_ERR_CANCELLED;
    if (add_origin (maker, (uint32_t) i) < 0)
      return dg_error_nomem (err);
  }
  maker->groups->groups = maker->table.items;
  maker->groups->n = (uint32_t) maker->table.n;
  memset (&maker->table, 0, sizeof maker->table);
  return rank (maker->source, maker->groups) < 0 ? dg_error_nomem (err) : 0;
}

static struct dg_curve_groups *
make_groups (struct dg_curve_source *source, enum dg_curve_by by,
             dg_progress_fn progress, void *user, int *code,
             struct dg_error *err)
{
  struct maker maker = {
    .source = source,
    .groups = g_new0 (struct dg_curve_groups, 1),
    .by = by,
    .numbers = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL),
    .name = g_string_new (NULL)
  };
  const struct dg_progress telling = {progress, user, 0};

  *code = fill (&maker, &telling, err);
  g_hash_table_unref (maker.numbers);
  g_string_free (maker.name, TRUE);
  dg_table_fini (&maker.table);
  if (*code < 0) {
    dg_curve_groups_free (maker.groups);
    return NULL;
  }
  return maker.groups;
}

const struct dg_curve_groups *
dg_curve_groups_get (struct dg_curve_source *source, enum dg_curve_by by,
                     dg_progress_fn progress, void *user, int *code,
                     struct dg_error *err)
{
  const struct dg_curve_groups *groups;

  g_mutex_lock (&source->lock);
  if (source->groups[by] == NULL)
    source->groups[by] = make_groups (source, by, progress, user, code,
                                      err);
  groups = source->groups[by];
  g_mutex_unlock (&source->lock);
  return groups;
}

void
dg_curve_groups_free (struct dg_curve_groups *groups)
{
  if (groups == NULL)
    return;
  g_free (groups->of);
  g_free (groups->groups);
  dg_arena_fini (&groups->arena);
  g_free (groups);
}
