/* completion.c: names that conditions can have, gathered and searched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "completion.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "query.h"
#include "refs.h"

#define MAX_INLINED 32
/* Blocks that are looked up at once, between two looks at the clock.  */
#define BATCH 64
/* Longer names are not offered.  */
#define MOST_LENGTH 300
#define NOT "not "

#define OF_EVENTS (1u << DV_COMPLETION_EVENTS)
#define OF_RANGES (1u << DV_COMPLETION_RANGES)

enum kind { FN, FILE_, DSO, USER_EVENT, USER_RANGE, THREAD, VAR, N_KINDS };

static const struct {
  const char *prefix;
  unsigned sides;
} kinds[N_KINDS] = {
  [FN] = { "fn:", OF_EVENTS | OF_RANGES },
  [FILE_] = { "file:", OF_EVENTS | OF_RANGES },
  [DSO] = { "dso:", OF_EVENTS | OF_RANGES },
  [USER_EVENT] = { "user:", OF_EVENTS },
  [USER_RANGE] = { "user:", OF_RANGES },
  [THREAD] = { "thread:", OF_EVENTS },
  [VAR] = { "var:", OF_RANGES },
};

/* What can be typed first, in the order in which it is offered.  */
static const struct {
  const char *word;
  unsigned sides;
} words[] = {
  { "fn:", OF_EVENTS | OF_RANGES },   { "file:", OF_EVENTS | OF_RANGES },
  { "dso:", OF_EVENTS | OF_RANGES },  { "user:", OF_EVENTS | OF_RANGES },
  { "thread:", OF_EVENTS },           { "var:", OF_RANGES },
  { "addr:", OF_RANGES },             { "range", OF_RANGES },
  { "malloc", OF_RANGES },            { NOT, OF_EVENTS | OF_RANGES },
};

struct entry {
  enum kind kind;
  size_t length;           /* of the name */
  char *name, *folded;
};

struct dv_completion {
  struct dv_data *data;    /* NULL: none */
  GMutex lock;             /* guards all below */
  GPtrArray *entries;      /* struct entry; only ever appended to */
  GHashTable *seen;        /* struct entry -> itself */
};

static void
entry_free (void *memory)
{
  struct entry *entry = memory;
  g_free (entry->name);
  g_free (entry->folded);
  g_free (entry);
}

static guint
entry_hash (gconstpointer key)
{
  const struct entry *entry = key;
  return dg_hash_text (entry->name) * 31u + (guint) entry->kind;
}

static gboolean
entry_equal (gconstpointer a, gconstpointer b)
{
  const struct entry *x = a, *y = b;
  return x->kind == y->kind && strcmp (x->name, y->name) == 0;
}

static void
complete_clear (void *memory)
{
  struct dv_completion *complete = memory;
  g_hash_table_unref (complete->seen);
  g_ptr_array_unref (complete->entries);
  g_mutex_clear (&complete->lock);
  dv_data_unref (complete->data);
}

struct dv_completion *
dv_completion_new (struct dv_data *data)
{
  struct dv_completion *complete = g_atomic_rc_box_new0 (struct dv_completion);
  complete->data = data != NULL ? dv_data_ref (data) : NULL;
  g_mutex_init (&complete->lock);
  complete->entries = g_ptr_array_new_with_free_func (entry_free);
  complete->seen = g_hash_table_new (entry_hash, entry_equal);
  return complete;
}

DV_DEFINE_REFS (dv_completion, complete_clear)

struct dv_data *
dv_completion_data (const struct dv_completion *complete)
{
  return complete->data;
}

/* ---- Gathering ------------------------------------------------------- */

/* Locked.  */
static void
add (struct dv_completion *complete, enum kind kind, const char *name)
{
  struct entry key = { .kind = kind, .name = (char *) name };
  if (name == NULL || *name == '\0' || strlen (name) > MOST_LENGTH
      || !g_utf8_validate (name, -1, NULL)
      || g_hash_table_contains (complete->seen, &key))
    return;
  struct entry *entry = g_new (struct entry, 1);
  *entry = (struct entry){ kind, strlen (name), g_strdup (name),
                           dv_query_fold (name) };
  g_ptr_array_add (complete->entries, entry);
  g_hash_table_add (complete->seen, entry);
}

static void
gather_labels (struct dv_completion *complete)
{
  const struct dg_log *log = complete->data->log;
  size_t n;
  const struct dg_event *events = dg_log_events (log, &n);
  for (size_t i = 0; i < n; i++)
    add (complete, USER_EVENT, events[i].label);
  const struct dg_range *ranges = dg_log_ranges (log, &n);
  for (size_t i = 0; i < n; i++)
    add (complete, USER_RANGE, ranges[i].label);
  const struct dg_thread *threads = dg_log_threads (log, &n);
  for (size_t i = 0; i < n; i++) {
    char number[16];
    g_snprintf (number, sizeof number, "%u", threads[i].number);
    add (complete, THREAD, number);
    add (complete, THREAD, threads[i].name);
  }
  const struct dg_module *modules = dg_log_modules (log, &n);
  for (size_t i = 0; i < n; i++)
    add (complete, DSO, dv_format_base (modules[i].file));
}

/* Of all functions on the stack of some code.  */
static void
add_frames (struct dv_completion *complete, uint64_t address)
{
  struct dg_frame frames[MAX_INLINED];
  size_t n = dg_symbols_frames (complete->data->symbols, address,
                                dv_data_code_moment (complete->data, address),
                                frames, MAX_INLINED);
  g_mutex_lock (&complete->lock);
  for (size_t i = 0; i < n; i++) {
    add (complete, FN, frames[i].function);
    add (complete, FILE_, dv_format_base (frames[i].file));
  }
  g_mutex_unlock (&complete->lock);
}

static int
add_variable (void *user, const struct dg_data_symbol *variable)
{
  struct dv_completion *complete = user;
  g_mutex_lock (&complete->lock);
  add (complete, VAR, variable->name);
  g_mutex_unlock (&complete->lock);
  return 0;
}

static int
gather_code (struct dv_completion *complete, dg_progress_fn progress,
             void *user)
{
  const struct dg_log *log = complete->data->log;
  uint64_t n = dg_log_summary (log)->bbdefs;
  for (uint64_t i = 0; i < n; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (log, (uint32_t) i);
    if (i % BATCH == 0 && progress != NULL && progress (user, i, n) != 0)
      return DG_ERR_CANCELLED;
    for (unsigned k = 0; k < bbdef->n_instrs; k++)
      add_frames (complete, bbdef->instrs[k].address);
  }
  return 0;
}

int
dv_completion_gather (struct dv_completion *complete, dg_progress_fn progress,
                      void *user, struct dg_error *err)
{
  if (complete->data == NULL)
    return 0;
  g_mutex_lock (&complete->lock);
  gather_labels (complete);
  g_mutex_unlock (&complete->lock);
  if (complete->data->symbols == NULL)
    return 0;
  int code = gather_code (complete, progress, user);
  if (code == 0)
    code = dg_symbols_variables (complete->data->symbols, NULL, add_variable,
                                 complete);
  if (code < 0)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  return code;
}

/* ---- Searching ------------------------------------------------------- */

struct found {
  int rank;
  size_t length;
  const char *prefix, *name;
};

static int
compare_found (const struct found *x, const struct found *y)
{
  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  if (x->length != y->length)
    return x->length < y->length ? -1 : 1;
  int order = strcmp (x->name, y->name);
  return order != 0 ? order : strcmp (x->prefix, y->prefix);
}

/* Keeps the best `most`, in order: few are shown of very many.  */
static void
keep_best (GArray *best, const struct found *one, guint most)
{
  guint at = best->len;
  while (at > 0
         && compare_found (one, &g_array_index (best, struct found, at - 1))
              < 0)
    at--;
  if (at >= most)
    return;
  g_array_insert_val (best, at, *one);
  if (best->len > most)
    g_array_set_size (best, most);
}

/* Without the backslashes of a condition.  */
static char *
unquote (const char *text)
{
  GString *name = g_string_new (NULL);
  for (; *text != '\0'; text++) {
    if (*text == '\\' && text[1] != '\0')
      text++;
    g_string_append_c (name, *text);
  }
  return g_string_free (name, FALSE);
}

/* Whether a kind is to be searched: the one whose prefix is typed, or any.  */
static bool
is_asked (enum kind kind, enum dv_completion_side side, const char *typed,
          size_t n_prefix)
{
  const char *prefix = kinds[kind].prefix;
  return (kinds[kind].sides >> side & 1) != 0
         && (n_prefix == 0
             || (strlen (prefix) == n_prefix
                 && strncmp (prefix, typed, n_prefix) == 0));
}

/* The best names that match.  */
static void
find_names (struct dv_completion *complete, enum dv_completion_side side,
            const char *typed, GArray *best, guint most)
{
  const char *colon = strchr (typed, ':');
  const char *rest = colon != NULL && colon[1] != ':' ? colon + 1 : typed;
  size_t n_prefix = (size_t) (rest - typed);
  bool asked_kinds[N_KINDS];
  char *name = unquote (rest), *asked = dv_query_fold (name);
  for (enum kind kind = 0; kind < N_KINDS; kind++)
    asked_kinds[kind] = is_asked (kind, side, typed, n_prefix);
  g_mutex_lock (&complete->lock);
  for (guint i = 0; i < complete->entries->len; i++) {
    const struct entry *entry = g_ptr_array_index (complete->entries, i);
    if (!asked_kinds[entry->kind])
      continue;
    int rank = *asked != '\0' ? dv_query_rank (entry->folded, asked) : 1;
    struct found one
      = { rank, entry->length, kinds[entry->kind].prefix, entry->name };
    if (rank > 0)
      keep_best (best, &one, most);
  }
  g_mutex_unlock (&complete->lock);
  g_free (asked);
  g_free (name);
}

static char *
condition (const char *negation, const struct found *found)
{
  char *quoted = dg_filter_quote (found->name);
  char *text = g_strconcat (negation, found->prefix,
                            quoted != NULL ? quoted : "", NULL);
  free (quoted);
  return text;
}

static void
add_words (GPtrArray *all, enum dv_completion_side side, const char *negation,
           const char *typed, guint most)
{
  for (guint i = 0; i < G_N_ELEMENTS (words) && all->len < most; i++) {
    bool is_not = g_str_equal (words[i].word, NOT);
    if ((words[i].sides >> side & 1) != 0
        && strlen (words[i].word) > strlen (typed)
        && g_ascii_strncasecmp (words[i].word, typed, strlen (typed)) == 0
        && !(is_not && *negation != '\0'))
      g_ptr_array_add (all, g_strconcat (negation, words[i].word, NULL));
  }
}

GPtrArray *
dv_completion_find (struct dv_completion *complete,
                    enum dv_completion_side side, const char *typed,
                    guint most)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  const char *negation = "";
  while (*typed == ' ')
    typed++;
  if (g_str_has_prefix (typed, NOT)) {
    negation = NOT;
    typed += strlen (NOT);
    while (*typed == ' ')
      typed++;
  }
  add_words (all, side, negation, typed, most);
  if (*typed == '\0' || all->len >= most)
    return all;
  GArray *found = g_array_new (FALSE, FALSE, sizeof (struct found));
  find_names (complete, side, typed, found, most - all->len);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (all, condition (negation, &g_array_index (
                                                 found, struct found, i)));
  g_array_unref (found);
  return all;
}

char *
dv_completion_negate (const char *condition)
{
  const char *rest = condition;
  if (!g_str_has_prefix (condition, NOT))
    return g_strconcat (NOT, condition, NULL);
  rest += strlen (NOT);
  return g_strdup (rest + strspn (rest, " "));
}
