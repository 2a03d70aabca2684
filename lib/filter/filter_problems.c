/* filter_problems.c: conditions of a filter that nothing in the log meets, and
   what may have been meant.

   A condition that was met while the filter was made is done with.  For others
   everything is looked at once more, on its own: what was found out before may
   have come to an end at another condition.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_problems.h"

#include <string.h>

#include "log/paths.h"

/* Addresses that were looked at lately.  */
#define RECENT 65536
#define FRAMES 64

/* One condition that nothing met so far.  */
struct wanted {
  struct dg_filter_condition *condition;
  struct dg_nearest *nearest;    /* NULL: out of memory, so no hint */
};

struct search {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  GArray *wanted;           /* struct wanted */
  unsigned n_left;         /* of them that need a stack */
  uint64_t last;           /* moment of the log */
  GHashTable *seen;        /* addresses */
  GHashTable *told;        /* strings of the symbols */
  uint64_t recent[RECENT]; /* addresses + 1 */
};

/* ---- Code ------------------------------------------------------------- */

static const char *
name_in (const struct dg_frame *frame, enum dg_filter_condition_kind kind)
{
  return kind == DG_COND_FN     ? frame->function
         : kind == DG_COND_FILE ? frame->file
                                : frame->module;
}

static void
look_at_frame (struct search *search, const struct dg_frame *frame)
{
  for (guint i = 0; i < search->wanted->len; i++) {
    struct wanted *one = &g_array_index (search->wanted, struct wanted, i);
    struct dg_filter_condition *condition = one->condition;
    const char *name = name_in (frame, condition->kind);

    if (condition->is_met || name == NULL
        || !dg_filter_condition_has_stack (condition))
      continue;
    if (dg_filter_condition_meets_frame (condition, frame)) {
      condition->is_met = true;
      search->n_left--;
    } else if (one->nearest != NULL) {
      dg_nearest_add (one->nearest, name);
    }
  }
}

/* Names stand again and again in frames; the symbols have each once.  */
static bool
is_new (struct search *search, const struct dg_frame *frame)
{
  bool is_one = false;

  if (frame->function != NULL)
    is_one |= g_hash_table_add (search->told, (void *) frame->function);
  if (frame->file != NULL)
    is_one |= g_hash_table_add (search->told, (void *) frame->file);
  if (frame->module != NULL)
    is_one |= g_hash_table_add (search->told, (void *) frame->module);
  return is_one;
}

static void
look_at (struct search *search, uint64_t address)
{
  uint64_t *recent =
    &search->recent[(address * UINT64_C (0x9e3779b97f4a7c15)) >> 48];
  const uint64_t moments[] = {0, search->last};

  if (*recent == address + 1)
    return;
  *recent = address + 1;
  if (!g_hash_table_add (search->seen, GSIZE_TO_POINTER (address)))
    return;
  /* Modules may have followed each other there.  */
  for (size_t i = 0; i < G_N_ELEMENTS (moments); i++) {
    struct dg_frame frames[FRAMES];
    size_t n = dg_symbols_frames (search->symbols, address, moments[i],
                                  frames, FRAMES);

    for (size_t k = 0; k < n; k++)
      if (is_new (search, &frames[k]))
        look_at_frame (search, &frames[k]);
  }
}

static void
look_at_contexts (struct search *search)
{
  const struct dg_summary *summary = dg_log_summary (search->log);

  for (uint32_t i = 1; i < dg_log_n_call_paths (search->log)
                       && search->n_left > 0; i++) {
    uint64_t added[DG_STACK_MAX];
    uint32_t n = dg_paths_added (search->log, i, added);

    for (uint32_t k = 0; k < n; k++)
      look_at (search, added[k]);
  }
  for (uint64_t i = 0; i < summary->bbdefs && search->n_left > 0; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (search->log, (uint32_t) i);

    for (unsigned k = 0; k < bbdef->n_instrs; k++)
      look_at (search, bbdef->instrs[k].address);
  }
}

static void
look_at_blocks (struct search *search)
{
  size_t n = dg_log_n_blocks (search->log);

  for (size_t i = 0; i < n && search->n_left > 0; i++) {
    const struct dg_block block = dg_log_block (search->log, i);

    for (uint32_t k = 0; k < block.alloc_stack.n; k++)
      look_at (search, block.alloc_stack.sites[k]);
  }
}

/* ---- What is not code ------------------------------------------------- */

static void
look_at_label (struct wanted *one, const char *label)
{
  if (strcmp (one->condition->name, label) == 0)
    one->condition->is_met = true;
  else if (one->nearest != NULL)
    dg_nearest_add (one->nearest, label);
}

static int
look_at_variable (void *user, const struct dg_data_symbol *variable)
{
  struct wanted *one = user;

  if (one->nearest != NULL)
    dg_nearest_add (one->nearest, variable->name);
  return 0;
}

static void
look_at_labels (const struct dg_log *log, enum dg_side side,
                struct wanted *one)
{
  size_t n_events, n_ranges;
  const struct dg_event *events = dg_log_events (log, &n_events);
  const struct dg_range *ranges = dg_log_ranges (log, &n_ranges);

  for (size_t i = 0; side == DG_SIDE_EVENTS && i < n_events; i++)
    look_at_label (one, events[i].label);
  for (size_t i = 0; side == DG_SIDE_RANGES && i < n_ranges; i++)
    look_at_label (one, ranges[i].label);
}

static void
look_at_threads (const struct dg_log *log, struct wanted *one)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (log, &n);

  for (size_t i = 0; i < n; i++)
    if (dg_filter_condition_meets_thread (one->condition, &threads[i]))
      one->condition->is_met = true;
    else if (one->nearest != NULL && threads[i].name[0] != '\0')
      dg_nearest_add (one->nearest, threads[i].name);
}

static void
look_at_rest (const struct dg_log *log, struct dg_symbols *symbols,
              enum dg_side side, struct wanted *one)
{
  size_t n_ranges;

  switch (one->condition->kind) {
  case DG_COND_USER:
    look_at_labels (log, side, one);
    break;
  case DG_COND_RANGE:
    dg_log_ranges (log, &n_ranges);
    one->condition->is_met = n_ranges > 0;
    break;
  case DG_COND_MALLOC:
    one->condition->is_met = dg_log_summary (log)->heap_allocs > 0;
    break;
  case DG_COND_THREAD:
    look_at_threads (log, one);
    break;
  case DG_COND_VAR:
    if (symbols != NULL)
      dg_symbols_variables (symbols, NULL, look_at_variable, one);
    break;
  default:
    break;
  }
}

/* ---- The whole -------------------------------------------------------- */

/* Whether a condition follows this word somewhere in a name.  */
static bool
is_joined (const char *name, const char *word)
{
  while ((name = strstr (name, word)) != NULL) {
    name += strlen (word);
    if (dg_filter_begins_condition (name))
      return true;
  }
  return false;
}

/* What is not in the language, but in others.  NULL: nothing.  */
static const char *
grammar_hint (const struct dg_filter_condition *condition)
{
  const char *name = condition->name != NULL ? condition->name : "";

  if (is_joined (name, " or ") || is_joined (name, " || "))
    return "; a comma stands for 'or'";
  if (is_joined (name, " and ") || is_joined (name, " && "))
    return "; a comma separates conditions, and there is no 'and'";
  if (condition->kind == DG_COND_THREAD && g_ascii_isdigit (name[0])
      && name[strspn (name, "0123456789-.")] == '\0'
      && strpbrk (name, "-.") != NULL)
    return "; several threads are 'thread:1,thread:2'";
  return NULL;
}

static char *
describe (enum dg_side side, const struct wanted *one)
{
  const char *name = one->condition->name;
  const char *grammar = grammar_hint (one->condition);
  char *hint = grammar != NULL        ? g_strdup (grammar)
               : one->nearest != NULL ? dg_nearest_hint (one->nearest)
                                      : g_strdup ("");
  char *text =
    g_strdup_printf ("--%s: %s%s%s matches nothing%s",
                     side == DG_SIDE_EVENTS ? "events" : "ranges",
                     one->condition->is_not ? "not " : "",
                     dg_filter_kind_word (one->condition->kind),
                     name != NULL ? name : "", hint);

  g_free (hint);
  return text;
}

static void
look_at_code (const struct dg_log *log, struct dg_symbols *symbols,
              enum dg_side side, GArray *wanted)
{
  struct search *search = g_try_new0 (struct search, 1);

  if (search == NULL)
    return;
  search->log = log;
  search->symbols = symbols;
  search->wanted = wanted;
  search->last = dg_log_summary (log)->last_icount;
  for (guint i = 0; i < wanted->len; i++)
    search->n_left += dg_filter_condition_has_stack (
      g_array_index (wanted, struct wanted, i).condition);
  search->seen = g_hash_table_new (NULL, NULL);
  search->told = g_hash_table_new (NULL, NULL);
  if (search->n_left > 0 && symbols != NULL) {
    if (side == DG_SIDE_EVENTS)
      look_at_contexts (search);
    else
      look_at_blocks (search);
  }
  g_hash_table_unref (search->seen);
  g_hash_table_unref (search->told);
  g_free (search);
}

static void
find (const struct dg_log *log, struct dg_symbols *symbols, enum dg_side side,
      GArray *conditions, GPtrArray *problems)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (struct wanted));

  for (guint i = 0; i < conditions->len; i++) {
    struct wanted one = {
      &g_array_index (conditions, struct dg_filter_condition, i), NULL};

    if (one.condition->is_met)
      continue;
    if (one.condition->name != NULL)
      one.nearest = dg_nearest_new (one.condition->name, NULL);
    look_at_rest (log, symbols, side, &one);
    g_array_append_val (wanted, one);
  }
  look_at_code (log, symbols, side, wanted);
  for (guint i = 0; i < wanted->len; i++) {
    const struct wanted *one = &g_array_index (wanted, struct wanted, i);

    if (!one->condition->is_met)
      g_ptr_array_add (problems, describe (side, one));
    dg_nearest_free (one->nearest);
  }
  g_array_unref (wanted);
}

GPtrArray *
dg_filter_find_problems (const struct dg_log *log, struct dg_symbols *symbols,
                         GArray *const conditions[DG_N_GROUPS])
{
  GPtrArray *problems = g_ptr_array_new_with_free_func (g_free);

  find (log, symbols, DG_SIDE_EVENTS, conditions[DG_GROUP_EVENTS], problems);
  find (log, symbols, DG_SIDE_EVENTS, conditions[DG_GROUP_NOT_EVENTS],
        problems);
  find (log, symbols, DG_SIDE_RANGES, conditions[DG_GROUP_RANGES], problems);
  find (log, symbols, DG_SIDE_RANGES, conditions[DG_GROUP_NOT_RANGES],
        problems);
  return problems;
}
