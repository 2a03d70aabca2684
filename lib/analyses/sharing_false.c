/* sharing_false.c: cache lines in which threads disturb each other.

   Valgrind runs one thread at a time, for long, so that a line goes from
   thread to thread far less often than when they run side by side.  For that,
   an estimate: if the accesses of the threads to a line come in random order,
   one of a thread that makes A of them finds the line taken away if the
   latest access of itself or write of another was a write of another, of
   which there are W: A W / (A + W) times.  Only those count that could have
   run side by side: neither had left the line before the other began to live,
   nor did one wait for the end of a thread that it had started.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Writers of a line that the estimate looks at.  */
#define MOST_WRITERS 64
/* Lines whose contents are told.  */
#define MOST_DETAILED 100
/* Characters of names in one line of text, but for the first.  */
#define MOST_TEXT 50

enum kind { KIND_TRUE, KIND_FALSE, KIND_MIXED };
static const char *const kind_names[] = { "true", "false", "mixed" };

struct entry {
  const struct sharing_line *line;
  enum kind kind;
  uint64_t reads, writes;
  uint64_t true_transfers, false_transfers;
  double estimate, false_estimate;
  uint32_t first, end;     /* in sharing->order: what was counted there */
};

/* ---- One line ----------------------------------------------------------- */

static int
compare_users (const void *a, const void *b)
{
  const struct sharing_user *x = *(const struct sharing_user *const *) a;
  const struct sharing_user *y = *(const struct sharing_user *const *) b;

  if (x->writes != y->writes)
    return x->writes < y->writes ? 1 : -1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Its users, by writes.  */
static void
list_users (const struct sharing *sharing, const struct sharing_line *line,
            GPtrArray *users)
{
  g_ptr_array_set_size (users, 0);
  for (uint32_t i = line->users; i != 0; i = sharing->lines.users[i - 1].next)
    g_ptr_array_add (users, &sharing->lines.users[i - 1]);
  g_ptr_array_sort (users, compare_users);
}

/* The life of a thread; of all that had its number.  */
struct life {
  uint64_t start, end;
  uint32_t parent;         /* 0: not known */
};

static GHashTable *
list_lives (const struct sharing *sharing)
{
  GHashTable *lives = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  size_t n;
  const struct dg_thread *threads = dg_log_threads (sharing->log, &n);

  for (size_t i = 0; i < n; i++) {
    gpointer key = GUINT_TO_POINTER (threads[i].number);
    struct life *life = g_hash_table_lookup (lives, key);

    if (life == NULL) {
      life = g_new (struct life, 1);
      *life = (struct life){ DG_NEVER, 0, threads[i].parent };
      g_hash_table_insert (lives, key, life);
    }
    life->start = MIN (life->start, threads[i].start_icount);
    life->end = MAX (life->end, threads[i].end_icount);
  }
  return lives;
}

/* Whether a used the line only before b's thread, or after it as far as it is
   known to have waited for that.  */
static bool
is_apart (GHashTable *lives, const struct sharing_user *a,
          const struct sharing_user *b)
{
  const struct life *life =
    g_hash_table_lookup (lives, GUINT_TO_POINTER (b->thread));

  return life != NULL
         && (a->last_icount < life->start
             || (life->parent == a->thread && a->first_icount >= life->end));
}

/* Adds what a thread loses by the writes of the others.  */
static void
add_estimate (GHashTable *lives, const GPtrArray *users,
              const struct sharing_user *user, struct entry *entry)
{
  double own = (double) (user->reads + user->writes);
  double all = 0, apart = 0;

  for (guint i = 0; i < users->len && i < MOST_WRITERS; i++) {
    const struct sharing_user *writer = g_ptr_array_index (users, i);

    if (writer->writes == 0)
      break;
    if (writer == user || is_apart (lives, writer, user)
        || is_apart (lives, user, writer))
      continue;
    all += (double) writer->writes;
    if ((writer->written & user->touched) == 0)
      apart += (double) writer->writes;
  }
  if (all <= 0)
    return;
  entry->estimate += own * all / (own + all);
  entry->false_estimate += own * all / (own + all) * (apart / all);
}

/* Whether a byte that is written is also somebody else's, and whether one
   who writes and one who is there have no such byte in common.  */
static void
set_kind (const GPtrArray *users, struct entry *entry)
{
  bool has_common = false, has_apart = false;

  for (guint i = 0; i < users->len && i < MOST_WRITERS; i++) {
    const struct sharing_user *writer = g_ptr_array_index (users, i);

    if (writer->writes == 0)
      break;
    for (guint k = 0; k < users->len; k++) {
      const struct sharing_user *user = g_ptr_array_index (users, k);

      if (user == writer)
        continue;
      if ((writer->written & user->touched) != 0)
        has_common = true;
      else
        has_apart = true;
    }
  }
  entry->kind = !has_apart ? KIND_TRUE
                           : has_common ? KIND_MIXED : KIND_FALSE;
}

static void
judge (const struct sharing *sharing, GHashTable *lives, GPtrArray *users,
       struct entry *entry)
{
  list_users (sharing, entry->line, users);
  for (guint i = 0; i < users->len; i++) {
    const struct sharing_user *user = g_ptr_array_index (users, i);

    entry->reads += user->reads;
    entry->writes += user->writes;
    entry->true_transfers += user->true_transfers;
    entry->false_transfers += user->false_transfers;
    add_estimate (lives, users, user, entry);
  }
  set_kind (users, entry);
}

/* ---- What is in it ------------------------------------------------------ */

static const struct sharing_count *
item (const struct sharing *sharing, uint32_t i)
{
  return &sharing->counts.items[sharing->order[i]];
}

static uint32_t
first_at (const struct sharing *sharing, uint64_t address)
{
  uint32_t low = 0, high = sharing->counts.n;

  while (low < high) {
    uint32_t middle = low + (high - low) / 2;

    if (item (sharing, middle)->key.address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
set_contents (const struct sharing *sharing, struct entry *entry)
{
  unsigned shift = sharing->sharers.line_shift;
  uint64_t low = entry->line->line << shift;
  uint64_t last = low + ((uint64_t) 1 << shift) - 1;

  entry->first = first_at (sharing, low);
  entry->end = last == UINT64_MAX ? sharing->counts.n
                                  : first_at (sharing, last + 1);
}

/* A variable in a line.  */
struct content {
  uint64_t address;        /* its lowest byte there */
  const struct dg_named *named;
  uint64_t reads, writes;
  uint32_t first, end;     /* in order */
};

/* The next address and variable of a line.  */
static bool
next_content (const struct sharing *sharing, const struct entry *entry,
              uint32_t *at, struct content *out)
{
  const struct sharing_key *key;

  if (*at >= entry->end)
    return false;
  key = &item (sharing, *at)->key;
  memset (out, 0, sizeof *out);
  out->address = key->address;
  out->named = dg_variables_named (sharing->variables, key->variable);
  out->first = *at;
  for (; *at < entry->end; ++*at) {
    const struct sharing_count *count = item (sharing, *at);

    if (count->key.address != key->address
        || count->key.variable != key->variable)
      break;
    out->reads += count->reads;
    out->writes += count->writes;
  }
  out->end = *at;
  return true;
}

/* Its variables, each once, in the order of their addresses.  */
static GPtrArray *
names_of (const struct sharing *sharing, const struct entry *entry)
{
  GPtrArray *names = g_ptr_array_new ();
  struct content content;
  uint32_t at = entry->first;

  while (next_content (sharing, entry, &at, &content)) {
    bool is_known = false;

    for (guint i = 0; i < names->len && !is_known; i++)
      is_known = strcmp (((const struct dg_named *)
                          g_ptr_array_index (names, i))->name,
                         content.named->name) == 0;
    if (!is_known)
      g_ptr_array_add (names, (gpointer) content.named);
  }
  return names;
}

static int
compare_names (const void *a, const void *b)
{
  const struct dg_named *x = *(const struct dg_named *const *) a;
  const struct dg_named *y = *(const struct dg_named *const *) b;

  return strcmp (x->name, y->name);
}

static char *
names_text (GPtrArray *names)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < names->len; i++) {
    const struct dg_named *named = g_ptr_array_index (names, i);

    if (i > 0 && text->len + strlen (named->name) > MOST_TEXT)
      break;
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", named->name);
  }
  if (i < names->len)
    g_string_append_printf (text, " and %u more", names->len - i);
  return g_string_free (text, FALSE);
}

static bool
is_nameless (const struct dg_named *named)
{
  return strcmp (named->name, "<NA>") == 0;
}

static char *
advice_text (const GPtrArray *names, enum kind kind, uint64_t line_size)
{
  const struct dg_named *first, *other;
  bool is_one_whole = true, is_heap = true;

  if (kind == KIND_TRUE || names->len == 0)
    return g_strdup ("");
  first = g_ptr_array_index (names, 0);
  if (is_nameless (first)
      || (names->len > 1 && is_nameless (g_ptr_array_index (names, 1))))
    return g_strdup ("");
  if (names->len == 1)
    return g_strdup_printf ("give each element of %s %" PRIu64
                            " bytes of its own (pad it), or one to each "
                            "thread", first->name, line_size);
  other = g_ptr_array_index (names, 1);
  for (guint i = 0; i < names->len; i++) {
    const struct dg_named *named = g_ptr_array_index (names, i);

    is_one_whole = is_one_whole
                   && strcmp (named->whole, first->whole) == 0;
    is_heap = is_heap && named->kind == DG_VARIABLE_HEAP;
  }
  if (is_one_whole)
    return g_strdup_printf ("keep %s and %s in different lines: alignas (%"
                            PRIu64 ") before the field that others write",
                            first->name, other->name, line_size);
  if (is_heap)
    return g_strdup_printf ("allocate what different threads write with "
                            "aligned_alloc (%" PRIu64 ", ...)", line_size);
  return g_strdup_printf ("alignas (%" PRIu64 ") on %s and on %s", line_size,
                          first->name, other->name);
}

/* ---- Tables ------------------------------------------------------------- */

static const struct dg_column line_columns[] = {
  { "estimated_false", "False est.", DG_UNIT_COUNT, 0 },
  { "estimated_transfers", "All est.", DG_UNIT_COUNT, 0 },
  { "false_transfers", "False seen", DG_UNIT_COUNT, 0 },
  { "transfers", "All seen", DG_UNIT_COUNT, 0 },
  { "accesses", "Accesses", DG_UNIT_COUNT, 0 },
  { "writes", "", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY },
  { "threadcount", "Threads", DG_UNIT_NUMBER, 0 },
  { "threads", "", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
  { "writers", "", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
  { "suffering", "", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
  { "sharing", "Kind", DG_UNIT_TEXT, 0 },
  { "address", "Line", DG_UNIT_ADDRESS, 0 },
  { "advice", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "variables", "Variables", DG_UNIT_TEXT, DG_COLUMN_LAST },
};

static int
compare_entries (const void *a, const void *b)
{
  const struct entry *x = a, *y = b;

  if (x->false_estimate != y->false_estimate)
    return x->false_estimate < y->false_estimate ? 1 : -1;
  if (x->false_transfers != y->false_transfers)
    return x->false_transfers < y->false_transfers ? 1 : -1;
  return (x->line->line > y->line->line) - (x->line->line < y->line->line);
}

/* Pairs of a line's threads: accesses, writes, transfers.  */
enum what { ACCESSES, WRITES, TRANSFERS };

static size_t
add_threads (const GPtrArray *users, enum what what, GArray *to)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  size_t n;

  for (guint i = 0; i < users->len; i++) {
    const struct sharing_user *user = g_ptr_array_index (users, i);
    uint64_t counts[] = { user->reads + user->writes, user->writes,
                          user->true_transfers + user->false_transfers };
    struct dg_pair pair = { user->thread, counts[what] };

    if (pair.count > 0)
      g_array_append_val (pairs, pair);
  }
  g_array_set_size (to, 0);
  n = sharing_add_pairs (to, (struct dg_pair *) (void *) pairs->data,
                         pairs->len);
  g_array_unref (pairs);
  return n;
}

static struct dg_cell
rounded (double estimate)
{
  return DG_CELL_NUMBER ((uint64_t) (estimate + 0.5));
}

static void
report_line (struct sharing *sharing, const struct entry *entry,
             struct dg_rows *table)
{
  uint64_t size = (uint64_t) 1 << sharing->sharers.line_shift;
  GPtrArray *users = g_ptr_array_new (), *names = names_of (sharing, entry);
  GArray *pairs[3];
  size_t n[3];
  char *text, *advice;

  list_users (sharing, entry->line, users);
  for (unsigned i = 0; i < 3; i++) {
    pairs[i] = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
    n[i] = add_threads (users, (enum what) i, pairs[i]);
  }
  advice = advice_text (names, entry->kind, size);
  g_ptr_array_sort (names, compare_names);
  text = names_text (names);
  dg_rows_add (table, (struct dg_cell[]){
    rounded (entry->false_estimate),
    rounded (entry->estimate),
    DG_CELL_NUMBER (entry->false_transfers),
    DG_CELL_NUMBER (entry->true_transfers + entry->false_transfers),
    DG_CELL_NUMBER (entry->reads + entry->writes),
    DG_CELL_NUMBER (entry->writes),
    DG_CELL_NUMBER (users->len),
    DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[0]->data, n[0]),
    DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[1]->data, n[1]),
    DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[2]->data, n[2]),
    DG_CELL_TEXT (kind_names[entry->kind]),
    DG_CELL_NUMBER (entry->line->line << sharing->sharers.line_shift),
    DG_CELL_TEXT (advice),
    DG_CELL_TEXT (text),
  });
  for (unsigned i = 0; i < 3; i++)
    g_array_unref (pairs[i]);
  g_free (text);
  g_free (advice);
  g_ptr_array_unref (names);
  g_ptr_array_unref (users);
}

static const struct dg_column content_columns[] = {
  { "address", "Line", DG_UNIT_ADDRESS, 0 },
  { "offset", "Byte", DG_UNIT_NUMBER, 0 },
  { "reads", "Reads", DG_UNIT_COUNT, 0 },
  { "writes", "Writes", DG_UNIT_COUNT, 0 },
  { "threads", "", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
  { "by", "By", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY },
  { "variable", "Variable", DG_UNIT_TEXT, 0 },
  { "file", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "line", "", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
  { "place", "Mostly from", DG_UNIT_TEXT,
    DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
};

/* The accesses of each thread to a content, and the place that does most.  */
static void
report_content (struct sharing *sharing, const struct content *content,
                struct dg_rows *table)
{
  uint64_t mask = ((uint64_t) 1 << sharing->sharers.line_shift) - 1;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct sharing_row));
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  struct sharing_row row = { .address = content->address,
                             .named = content->named,
                             .first = content->first,
                             .n = content->end - content->first };
  const struct sharing_place *place;
  GArray *pairs, *places;
  char *text, *by;
  size_t n;

  for (uint32_t i = content->first; i < content->end; i++) {
    const struct sharing_count *count = item (sharing, i);
    struct dg_pair pair = { count->key.thread, count->reads + count->writes };

    g_array_append_val (all, pair);
  }
  n = sharing_add_pairs (threads, (struct dg_pair *) (void *) all->data,
                         all->len);
  g_array_append_val (rows, row);
  places = sharing_places (sharing, rows, &pairs);
  place = &g_array_index (places, struct sharing_place, 0);
  text = sharing_place_text (place);
  by = n == 1 ? g_strdup_printf (
                  "thread %" PRIu64,
                  g_array_index (threads, struct dg_pair, 0).key)
              : g_strdup_printf ("%zu threads", n);
  dg_rows_add (table, (struct dg_cell[]){
    DG_CELL_NUMBER (content->address & ~mask),
    DG_CELL_NUMBER (content->address & mask),
    DG_CELL_NUMBER (content->reads),
    DG_CELL_NUMBER (content->writes),
    DG_CELL_PAIRS ((const struct dg_pair *) (void *) threads->data, n),
    DG_CELL_TEXT (by),
    DG_CELL_TEXT (content->named->name),
    DG_CELL_TEXT (place->file),
    place->line > 0 ? DG_CELL_NUMBER (place->line) : DG_CELL_EMPTY,
    DG_CELL_TEXT (text),
  });
  g_free (text);
  g_free (by);
  g_array_unref (places);
  g_array_unref (pairs);
  g_array_unref (all);
  g_array_unref (threads);
  g_array_unref (rows);
}

/* ---- All of it ---------------------------------------------------------- */

/* Lines that somebody writes and of which something was counted.  */
static GArray *
list_lines (struct sharing *sharing)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (struct entry));
  GPtrArray *users = g_ptr_array_new ();
  GHashTable *lives = list_lives (sharing);

  for (uint32_t i = 0; i < sharing->lines.n_lines; i++) {
    struct entry entry = { .line = &sharing->lines.lines[i] };

    if (entry.line->n_users < 2 || entry.line->written == 0)
      continue;
    judge (sharing, lives, users, &entry);
    if (entry.kind == KIND_TRUE)
      continue;
    set_contents (sharing, &entry);
    if (entry.first < entry.end)
      g_array_append_val (entries, entry);
  }
  g_hash_table_unref (lives);
  g_ptr_array_unref (users);
  g_array_sort (entries, compare_entries);
  return entries;
}

static void
report_advice (struct sharing *sharing, const GArray *entries,
               struct dg_report *report)
{
  uint64_t size = (uint64_t) 1 << sharing->sharers.line_shift;

  if (entries->len == 0) {
    dg_report_note (report, "No cache line is falsely shared.");
    return;
  }
  dg_report_note (report,
                  "A transfer: a thread comes back to a line that another "
                  "has written since.  False: to bytes that the other did "
                  "not write.  Seen: in this run, in which threads took "
                  "turns.  Est.: if they ran side by side.");
  for (guint i = 0; i < entries->len && i < 3; i++) {
    const struct entry *entry = &g_array_index (entries, struct entry, i);
    GPtrArray *names = names_of (sharing, entry);
    char *advice = advice_text (names, entry->kind, size);

    if (*advice != '\0')
      dg_report_note (report, "Line 0x%" PRIx64 ": %s.",
                      entry->line->line << sharing->sharers.line_shift,
                      advice);
    g_free (advice);
    g_ptr_array_unref (names);
  }
}

int
sharing_report_false (struct sharing *sharing, struct dg_report *report,
                      struct dg_error *err)
{
  GArray *entries = list_lines (sharing);
  struct dg_rows *table;
  int code = 0;

  dg_report_value (report, "lines_left_out", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (sharing->lines.left_out));
  table = dg_report_table (report, "lines",
                           "Cache lines in which threads disturb each other",
                           line_columns, G_N_ELEMENTS (line_columns));
  for (guint i = 0; i < entries->len && code == 0; i++) {
    report_line (sharing, &g_array_index (entries, struct entry, i), table);
    code = dg_report_pace (report, i, entries->len, err);
  }
  table = dg_report_table (report, "contents", "What is in these lines",
                           content_columns, G_N_ELEMENTS (content_columns));
  for (guint i = 0; i < entries->len && i < MOST_DETAILED && code == 0; i++) {
    const struct entry *entry = &g_array_index (entries, struct entry, i);
    struct content content;
    uint32_t at = entry->first;

    while (next_content (sharing, entry, &at, &content))
      report_content (sharing, &content, table);
    code = dg_report_pace (report, i, entries->len, err);
  }
  if (sharing->lines.left_out > 0)
    dg_report_note (report,
                    "There was no room for %" PRIu64 " users of lines, "
                    "which are missing here.  --addresses=N allows more.",
                    sharing->lines.left_out);
  report_advice (sharing, entries, report);
  g_array_unref (entries);
  return code;
}
