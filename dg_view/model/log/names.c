/* names.c: names of functions and labels, gathered and searched.

   Blocks, not contexts, are looked up: a hundred thousand contexts are often
   the paths to a few thousand blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "names.h"

#include <string.h>

#include "format.h"
#include "refs.h"

#define MAX_INLINED 32
/* Blocks that are looked up at once, between two looks at the clock.  */
#define BATCH 64

struct entry {
  enum dv_name_kind kind;
  const char *name, *module, *file;
  char *owned;             /* what `name` is, if it is ours */
  char *folded;
  uint32_t line, first, last_block;
  uint64_t count;
  GArray *code;            /* uint64_t: its instructions with accesses */
};

struct dv_names {
  struct dv_data *data;
  GMutex lock;             /* guards all below */
  GPtrArray *entries;      /* struct entry; only ever appended to */
  GHashTable *index;       /* struct entry -> itself */
};

static void
entry_free (void *memory)
{
  struct entry *entry = memory;
  if (entry->code != NULL)
    g_array_unref (entry->code);
  g_free (entry->owned);
  g_free (entry->folded);
  g_free (entry);
}

static guint
entry_hash (gconstpointer key)
{
  const struct entry *entry = key;
  return dg_hash_text (entry->name) * 31u + dg_hash_text (entry->module) * 7u
         + (guint) entry->kind;
}

static gboolean
entry_equal (gconstpointer a, gconstpointer b)
{
  const struct entry *x = a, *y = b;
  return x->kind == y->kind && strcmp (x->name, y->name) == 0
         && strcmp (x->module, y->module) == 0
         && strcmp (x->file, y->file) == 0;
}

static void
names_clear (void *memory)
{
  struct dv_names *names = memory;
  g_hash_table_unref (names->index);
  g_ptr_array_unref (names->entries);
  g_mutex_clear (&names->lock);
  dv_data_unref (names->data);
}

struct dv_names *
dv_names_new (struct dv_data *data)
{
  struct dv_names *names = g_atomic_rc_box_new0 (struct dv_names);
  names->data = dv_data_ref (data);
  g_mutex_init (&names->lock);
  names->entries = g_ptr_array_new_with_free_func (entry_free);
  names->index = g_hash_table_new (entry_hash, entry_equal);
  return names;
}

DV_DEFINE_REFS (dv_names, names_clear)

struct dv_data *
dv_names_data (const struct dv_names *names)
{
  return names->data;
}

/* ---- Gathering ------------------------------------------------------- */

/* The entry for what `key` has as kind, name, module and file; takes `owned`
   over if it is new.  Locked.  */
static struct entry *
add (struct dv_names *names, const struct entry *key, uint32_t first)
{
  struct entry wanted = *key;
  if (!g_utf8_validate (key->name, -1, NULL))
    wanted.name = wanted.owned = g_utf8_make_valid (key->name, -1);
  struct entry *entry = g_hash_table_lookup (names->index, &wanted);
  if (entry == NULL) {
    entry = g_new0 (struct entry, 1);
    *entry = wanted;
    entry->folded = dv_query_fold (wanted.name);
    entry->first = first;
    entry->last_block = DG_NONE;
    g_ptr_array_add (names->entries, entry);
    g_hash_table_add (names->index, entry);
  } else if (wanted.owned != key->owned) {
    g_free (wanted.owned);
  }
  return entry;
}

static const char *
or_nothing (const char *text)
{
  return text != NULL ? text : "";
}

/* A module is found by its base name, but told apart by its path.  */
static void
add_module (struct dv_names *names, const struct dg_module *module,
            uint32_t i)
{
  struct entry key = { .kind = DV_NAME_MODULE,
                       .name = dv_format_base (module->file),
                       .module = module->file, .file = "" };
  if (*key.name != '\0')
    add (names, &key, i);
}

static void
gather_labels (struct dv_names *names)
{
  const struct dg_log *log = names->data->log;
  size_t n;
  const struct dg_event *events = dg_log_events (log, &n);
  for (size_t i = 0; i < n; i++) {
    struct entry key = { .kind = DV_NAME_EVENT, .name = events[i].label,
                         .module = "", .file = "" };
    add (names, &key, (uint32_t) i)->count++;
  }
  const struct dg_range *ranges = dg_log_ranges (log, &n);
  for (size_t i = 0; i < n; i++) {
    struct entry key = { .kind = DV_NAME_RANGE, .name = ranges[i].label,
                         .module = "", .file = ranges[i].type };
    add (names, &key, (uint32_t) i)->count++;
  }
  const struct dg_thread *threads = dg_log_threads (log, &n);
  for (size_t i = 0; i < n; i++) {
    char *name = *threads[i].name != '\0'
      ? g_strdup_printf ("%u (%s)", threads[i].number, threads[i].name)
      : g_strdup_printf ("%u", threads[i].number);
    struct entry key = { .kind = DV_NAME_THREAD, .name = name, .owned = name,
                         .module = "", .file = "" };
    struct entry *entry = add (names, &key, (uint32_t) i);
    entry->count += threads[i].instructions;
    if (entry->owned != name)
      g_free (name);
  }
  const struct dg_module *modules = dg_log_modules (log, &n);
  for (size_t i = 0; i < n; i++)
    add_module (names, &modules[i], (uint32_t) i);
}

/* An instruction with accesses; locked.  */
static void
add_code (struct dv_names *names, const struct dg_frame *frame,
          uint64_t instruction, uint32_t block, uint64_t contexts)
{
  struct entry key = { .kind = DV_NAME_FUNCTION, .name = frame->function,
                       .module = or_nothing (frame->module),
                       .file = or_nothing (frame->file) };
  if (key.name == NULL)
    return;
  struct entry *entry = add (names, &key, 0);
  if (entry->code == NULL) {
    entry->code = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    entry->line = frame->line;
  }
  if (frame->line != 0)
    entry->line = entry->line == 0 ? frame->line
                                   : MIN (entry->line, frame->line);
  guint n = entry->code->len;
  if (n == 0 || g_array_index (entry->code, uint64_t, n - 1) != instruction)
    g_array_append_val (entry->code, instruction);
  if (entry->last_block != block) {
    entry->last_block = block;
    entry->count += contexts;
  }
}

/* Instructions of a block that have accesses.  */
static void
gather_block (struct dv_names *names, uint32_t block, uint64_t contexts)
{
  const struct dg_bbdef *bbdef = dg_log_bbdef (names->data->log, block);
  int last = -1;
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    struct dg_frame frames[MAX_INLINED];
    if (bbdef->slots[i].iseq == last)
      continue;
    last = bbdef->slots[i].iseq;
    uint64_t instruction = bbdef->instrs[last].address;
    size_t n = dg_symbols_frames (names->data->symbols, instruction,
                                  dv_data_code_moment (names->data,
                                                       instruction),
                                  frames, MAX_INLINED);
    g_mutex_lock (&names->lock);
    for (size_t f = 0; f < n; f++)
      add_code (names, &frames[f], instruction, block, contexts);
    g_mutex_unlock (&names->lock);
  }
}

/* How many contexts lead to each block.  */
static uint32_t *
count_contexts (const struct dg_log *log, uint64_t n_blocks)
{
  uint64_t n = dg_log_summary (log)->contexts;
  uint32_t *counts = g_new0 (uint32_t, n_blocks + 1);
  for (uint64_t i = 0; i < n; i++)
    counts[dg_log_context (log, (uint32_t) i).bbdef]++;
  return counts;
}

int
dv_names_gather (struct dv_names *names, dg_progress_fn progress, void *user,
                 struct dg_error *err)
{
  const struct dg_log *log = names->data->log;
  uint64_t n = dg_log_summary (log)->bbdefs;
  g_mutex_lock (&names->lock);
  gather_labels (names);
  g_mutex_unlock (&names->lock);
  if (names->data->symbols == NULL)
    return 0;
  uint32_t *contexts = count_contexts (log, n);
  int code = 0;
  for (uint64_t i = 0; i < n && code == 0; i++) {
    if (i % BATCH == 0 && progress != NULL && progress (user, i, n) != 0)
      code = DG_ERR_CANCELLED;
    else if (contexts[i] > 0)
      gather_block (names, (uint32_t) i, contexts[i]);
  }
  g_free (contexts);
  if (code < 0)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  return code;
}

/* ---- Searching ------------------------------------------------------- */

static int
compare_matches (const void *a, const void *b)
{
  const struct dv_match *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

GArray *
dv_names_find (struct dv_names *names, const struct dv_query *query,
               guint most, guint64 *total)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (struct dv_match));
  *total = 0;
  if (query->name == NULL)
    return matches;
  g_mutex_lock (&names->lock);
  for (guint i = 0; i < names->entries->len; i++) {
    const struct entry *entry = g_ptr_array_index (names->entries, i);
    int rank = query->kinds >> entry->kind & 1
               ? dv_query_rank (entry->folded, query->name) : 0;
    if (rank == 0)
      continue;
    struct dv_match match = {
      .kind = entry->kind, .rank = rank, .id = i, .name = entry->name,
      .module = entry->module, .file = entry->file, .line = entry->line,
      .count = entry->count, .first = entry->first,
    };
    g_array_append_val (matches, match);
  }
  g_mutex_unlock (&names->lock);
  *total = matches->len;
  g_array_sort (matches, compare_matches);

  /* So many of each kind.  */
  guint kept = 0, same = 0;
  for (guint i = 0; i < matches->len; i++) {
    struct dv_match match = g_array_index (matches, struct dv_match, i);
    same = kept > 0 && g_array_index (matches, struct dv_match,
                                      kept - 1).kind == match.kind
           ? same + 1 : 0;
    if (same < most)
      g_array_index (matches, struct dv_match, kept++) = match;
  }
  g_array_set_size (matches, kept);
  return matches;
}

static void
add_entry_code (struct dv_highlight *highlight, const struct entry *entry)
{
  for (guint i = 0; entry->code != NULL && i < entry->code->len; i++)
    dv_highlight_add_code (highlight,
                           g_array_index (entry->code, uint64_t, i));
}

struct dv_highlight *
dv_names_highlight (struct dv_names *names, const struct dv_match *match)
{
  if (match->kind != DV_NAME_FUNCTION && match->kind != DV_NAME_MODULE)
    return NULL;
  struct dv_highlight *highlight = dv_highlight_new (match->name);
  g_mutex_lock (&names->lock);
  const struct entry *entry = g_ptr_array_index (names->entries, match->id);
  if (match->kind == DV_NAME_FUNCTION) {
    add_entry_code (highlight, entry);
  } else {
    for (guint i = 0; i < names->entries->len; i++) {
      const struct entry *other = g_ptr_array_index (names->entries, i);
      if (other->kind == DV_NAME_FUNCTION
          && strcmp (other->module, entry->module) == 0)
        add_entry_code (highlight, other);
    }
  }
  g_mutex_unlock (&names->lock);
  dv_highlight_finish (highlight);
  return highlight;
}
