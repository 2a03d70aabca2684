/* sharing_false.c: false sharing: what is told of lines.

   Valgrind runs one thread at a time, for long, so that a line goes from
   thread to thread far less often than when they run side by side.  What would
   happen then is estimated from how often which thread used which bytes while
   which others could run (dg_contention.h), so that it is the same for
   whatever turns the threads took.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>

#include "base/compare.h"
#include "base/error.h"

/* Lines whose contents are told.  */
#define MOST_DETAILED 100
/* Lines that would move less often do not matter, whatever threads did.  */
#define FEWEST_MOVES 100

/* By enum dg_line_kind.  */
static const char *const kind_names[] = { "none", "true", "false", "mixed" };

struct entry {
  const struct dg_line_verdict *verdict;
  const struct sharing_line *line;     /* how it moved; NULL: no room */
  uint64_t true_transfers, false_transfers;
  /* If threads ran in parallel as far as they could.  */
  uint64_t estimated, estimated_false;
  bool is_in_turns;        /* they could not */
};

/* ---- One line ----------------------------------------------------------- */

static int
compare_users (const void *a, const void *b)
{
  const struct sharing_user *x = *(const struct sharing_user *const *) a;
  const struct sharing_user *y = *(const struct sharing_user *const *) b;

  return DG_COMPARE (y->writes, x->writes)
           ?: DG_COMPARE (x->thread, y->thread);
}

/* Its users, by writes.  */
static void
list_users (const struct sharing *sharing, const struct sharing_line *line,
            GPtrArray *users)
{
  g_ptr_array_set_size (users, 0);
  if (line == NULL)
    return;
  for (uint32_t i = line->users; i != 0; i = sharing->lines.users[i - 1].next)
    g_ptr_array_add (users, &sharing->lines.users[i - 1]);
  g_ptr_array_sort (users, compare_users);
}

/* How often threads were let go by barriers and the like.  */
static uint64_t
count_rounds (const struct sharing *sharing)
{
  size_t n;
  const struct dg_sync *syncs = dg_log_syncs (sharing->log, &n);
  uint64_t rounds = 0;

  for (size_t i = 0; i < n; i++)
    rounds += syncs[i].kind == DG_SYNC_RELEASE;
  return rounds;
}

/* Whether barriers explain why a thread that has stopped has a line again:
   then it waited for all others, not for this line, which each of them takes
   once in a round.  */
static bool
is_by_rounds (uint64_t rounds, const struct entry *entry)
{
  return rounds > 0 && entry->line != NULL
         && entry->true_transfers + entry->false_transfers
              <= (rounds + 1) * entry->line->n_users;
}

/* How it moved in this run, and would in parallel.  */
static void
set_transfers (const struct sharing *sharing, uint64_t rounds,
               struct entry *entry)
{
  entry->line = sharing_lines_find (&sharing->lines, entry->verdict->line);
  for (uint32_t i = entry->line != NULL ? entry->line->users : 0; i != 0;
       i = sharing->lines.users[i - 1].next) {
    entry->true_transfers += sharing->lines.users[i - 1].true_transfers;
    entry->false_transfers += sharing->lines.users[i - 1].false_transfers;
  }
  entry->is_in_turns = !is_by_rounds (rounds, entry)
                       && entry->verdict->transfers >= FEWEST_MOVES
                       && sharing_line_is_in_turns (
                         entry->line,
                         entry->verdict->reads + entry->verdict->writes);
  entry->estimated_false =
    entry->is_in_turns ? entry->false_transfers
                       : (uint64_t) (entry->verdict->false_transfers + 0.5);
  entry->estimated =
    entry->is_in_turns ? entry->true_transfers + entry->false_transfers
                       : (uint64_t) (entry->verdict->transfers + 0.5);
}

/* There is none for what is lost seldom.  */
static char *
advice_text (const struct sharing_contents *contents,
             const struct entry *entry, const GArray *names)
{
  if (entry->estimated_false < FEWEST_MOVES)
    return g_strdup ("");
  return sharing_contents_advice (contents, names);
}

/* ---- Tables ------------------------------------------------------------- */

static const struct dg_column line_columns[] = {
  { "false_share", "False", DG_UNIT_PERCENT, 0 },
  { "estimated_false", "False est.", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "estimated_transfers", "All est.", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "false_transfers", "False seen", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "transfers", "All seen", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "threads", "Threads", DG_UNIT_NUMBER, 0 },
  { "accesses_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "writes_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "transfers_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "false_accesses", "", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "true_accesses", "", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "is_in_turns", "", DG_UNIT_BOOLEAN, DG_COLUMN_JSON_ONLY },
  { "verdict", "Kind", DG_UNIT_TEXT, 0 },
  { "address", "Line", DG_UNIT_ADDRESS, DG_COLUMN_ID },
  { "advice", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "variable", "Variables", DG_UNIT_TEXT, DG_COLUMN_LAST },
};

/* By what is told of them, so that fractions of a transfer do not matter.  */
static int
compare_entries (const void *a, const void *b)
{
  const struct entry *x = a, *y = b;

  return DG_COMPARE (y->estimated_false, x->estimated_false)
           ?: DG_COMPARE (x->verdict->line, y->verdict->line);
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
report_line (struct sharing_contents *contents, const struct entry *entry,
             struct dg_rows *table)
{
  const struct sharing *sharing = contents->sharing;
  const struct dg_line_verdict *verdict = entry->verdict;
  uint64_t accesses = verdict->reads + verdict->writes;
  GPtrArray *users = g_ptr_array_new ();
  GArray *names, *pairs[3];
  size_t n[3];
  char *text, *advice;

  sharing_contents_load (contents, verdict);
  names = sharing_contents_names (contents);
  list_users (sharing, entry->line, users);
  for (unsigned i = 0; i < 3; i++) {
    pairs[i] = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
    n[i] = add_threads (users, (enum what) i, pairs[i]);
  }
  advice = advice_text (contents, entry, names);
  text = sharing_contents_text (contents, names);
  dg_rows_add (
    table,
    (struct dg_cell[]){
      DG_CELL_REAL (verdict->false_accesses / (double) accesses),
      DG_CELL_NUMBER (entry->estimated_false),
      DG_CELL_NUMBER (entry->estimated),
      DG_CELL_NUMBER (entry->false_transfers),
      DG_CELL_NUMBER (entry->true_transfers + entry->false_transfers),
      DG_CELL_NUMBER (accesses),
      DG_CELL_NUMBER (verdict->writes),
      DG_CELL_NUMBER (verdict->threads),
      DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[0]->data, n[0]),
      DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[1]->data, n[1]),
      DG_CELL_PAIRS ((const struct dg_pair *) (void *) pairs[2]->data, n[2]),
      rounded (verdict->false_accesses),
      rounded (verdict->true_accesses),
      DG_CELL_NUMBER (entry->is_in_turns),
      DG_CELL_TEXT (kind_names[verdict->kind]),
      DG_CELL_NUMBER (verdict->line << sharing->shared_lines.line_shift),
      *advice != '\0' ? DG_CELL_TEXT (advice) : DG_CELL_EMPTY,
      DG_CELL_TEXT (text),
    });
  for (unsigned i = 0; i < 3; i++)
    g_array_unref (pairs[i]);
  g_free (text);
  g_free (advice);
  g_array_unref (names);
  g_ptr_array_unref (users);
}

static const struct dg_column content_columns[] = {
  { "address", "Line", DG_UNIT_ADDRESS, DG_COLUMN_ID },
  { "offset", "Byte", DG_UNIT_NUMBER, DG_COLUMN_ID },
  { "reads", "Reads", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "accesses_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "by", "By", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY },
  { "variable", "Variable", DG_UNIT_TEXT, DG_COLUMN_ID },
  { "file", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "line", "", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
  { "place", "Mostly from", DG_UNIT_TEXT,
    DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
};

/* The accesses of each thread to a content, and the place that does most.  */
static void
report_content (struct sharing *sharing, const struct sharing_content *content,
                struct dg_rows *table)
{
  uint64_t mask = ((uint64_t) 1 << sharing->shared_lines.line_shift) - 1;
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  struct sharing_pieces pieces;
  const struct sharing_place *place;
  GArray *pairs, *places;
  char *text, *by;
  size_t n;

  for (guint i = 0; i < content->n; i++) {
    const struct dg_sum *sum = &content->sums[i];
    struct dg_pair pair = { sum->key[SHARING_THREAD],
                            sum->reads + sum->writes };

    g_array_append_val (all, pair);
  }
  n = sharing_add_pairs (threads, (struct dg_pair *) (void *) all->data,
                         all->len);
  sharing_pieces_init (&pieces, sharing);
  sharing_pieces_add (&pieces, content->sums, content->n);
  places = sharing_places (&pieces, &pairs);
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
}

/* Those that are slight, or those that are not, each by its address.  */
static void
report_contents (struct sharing_contents *contents, const struct entry *entry,
                 bool slight, struct dg_rows *table)
{
  struct sharing_content content;
  guint at = 0;

  sharing_contents_load (contents, entry->verdict);
  while (sharing_contents_next (contents, &at, &content))
    if (sharing_contents_is_slight (contents, content.reads + content.writes)
        == slight)
      report_content (contents->sharing, &content, table);
}

/* ---- All of it ---------------------------------------------------------- */

/* Of any kind, for those who ask what a variable costs.  */
static const struct dg_column move_columns[] = {
  { "address", "", DG_UNIT_ADDRESS, DG_COLUMN_ID },
  { "accesses", "", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "transfers", "", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "estimated_transfers", "", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "estimated_false", "", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "is_in_turns", "", DG_UNIT_BOOLEAN, 0 },
};

static void
report_moves (const struct sharing *sharing, const struct entry *entry,
              struct dg_rows *table)
{
  const struct dg_line_verdict *verdict = entry->verdict;

  if (verdict->transfers < FEWEST_MOVES)
    return;
  dg_rows_add (
    table,
    (struct dg_cell[]){
      DG_CELL_NUMBER (verdict->line << sharing->shared_lines.line_shift),
      DG_CELL_NUMBER (verdict->reads + verdict->writes),
      DG_CELL_NUMBER (entry->true_transfers + entry->false_transfers),
      DG_CELL_NUMBER (entry->estimated),
      DG_CELL_NUMBER (entry->estimated_false),
      DG_CELL_NUMBER (entry->is_in_turns),
    });
}

/* Lines that are shared falsely, at least in part, and of which something was
   counted.  */
static GArray *
list_lines (struct sharing_contents *contents, struct dg_report *report,
            struct dg_error *err)
{
  struct sharing *sharing = contents->sharing;
  int64_t n = dg_contention_judge (sharing->contention, sharing->phases, err);
  const struct dg_line_verdict *verdicts =
    dg_contention_verdicts (sharing->contention);
  uint64_t rounds = count_rounds (sharing);
  struct dg_rows *moves;
  GArray *entries;

  if (n < 0)
    return NULL;
  entries = g_array_new (FALSE, FALSE, sizeof (struct entry));
  moves = dg_report_table (report, "moves", NULL, move_columns,
                           G_N_ELEMENTS (move_columns));
  for (int64_t i = 0; i < n; i++) {
    struct entry entry = { .verdict = &verdicts[i] };
    bool is_runtime;

    set_transfers (sharing, rounds, &entry);
    report_moves (sharing, &entry, moves);
    if (verdicts[i].kind != DG_LINE_FALSE
        && verdicts[i].kind != DG_LINE_MIXED)
      continue;
    if (!sharing_contents_has (contents, entry.verdict, &is_runtime))
      continue;
    if (is_runtime && sharing_is_left_out (sharing, verdicts[i].writes))
      sharing->runtime_lines++;
    else
      g_array_append_val (entries, entry);
  }
  g_array_sort (entries, compare_entries);
  return entries;
}

/* Why there may be more than is told here; NULL: there is no more.  */
static const char *
what_is_missing (const struct sharing *sharing)
{
  if (dg_contention_left_out (sharing->contention) > 0)
    return "there was not enough memory for all lines";
  if (sharing->is_restricted || sharing->variable != NULL)
    return "only a part of the log was selected";
  if (sharing_is_partial (sharing))
    return "only a part of the run was recorded";
  return NULL;
}

static void
report_known (const struct sharing *sharing, struct dg_report *report)
{
  switch (dg_phases_known (sharing->phases)) {
  case DG_PHASES_STARTS:
    dg_report_note (report,
                    "The log does not record when threads were created, "
                    "joined or waited at barriers: phases that do not overlap "
                    "may be treated as parallel.");
    break;
  case DG_PHASES_CREATED:
    if (dg_log_summary (sharing->log)->threads > 1)
      dg_report_note (report,
                      "The log records no join and no barrier: phases before "
                      "and after one may be treated as parallel.");
    break;
  case DG_PHASES_TOO_MANY:
    dg_report_note (report,
                    "Threads synchronized too often to follow all of it: "
                    "phases that do not overlap may be treated as parallel.");
    break;
  default:
    break;
  }
}

static void
report_advice (struct sharing_contents *contents, const GArray *entries,
               struct dg_report *report)
{
  const struct sharing *sharing = contents->sharing;
  const char *missing = what_is_missing (sharing);

  if (entries->len == 0 && missing != NULL)
    dg_report_note (report,
                    "No cache line is falsely shared in what was examined, "
                    "but %s.", missing);
  else if (entries->len == 0)
    dg_report_note (report, "No cache line%s is falsely shared.",
                    sharing->runtime_lines > 0 ? " of the program" : "");
  else if (missing != NULL)
    dg_report_note (report, "There may be more such lines: %s.", missing);
  report_known (sharing, report);
  if (entries->len == 0)
    return;
  dg_report_note (report,
                  "False: accesses that lose the line to writes of other "
                  "bytes, by threads that could run in parallel.  Transfer: a "
                  "thread accesses a line that another thread has written "
                  "since.  Seen: in this run, where threads took turns.  "
                  "Est.: if they ran in parallel.");
  for (guint i = 0; i < entries->len && i < 3; i++) {
    const struct entry *entry = &g_array_index (entries, struct entry, i);
    GArray *names;
    char *advice;

    sharing_contents_load (contents, entry->verdict);
    names = sharing_contents_names (contents);
    advice = advice_text (contents, entry, names);
    if (*advice != '\0')
      dg_report_note (report, "Line 0x%" PRIx64 ": %s.",
                      entry->verdict->line << sharing->shared_lines.line_shift,
                      advice);
    g_free (advice);
    g_array_unref (names);
  }
}

int
sharing_report_false (struct sharing *sharing, struct dg_report *report,
                      struct dg_error *err)
{
  struct sharing_contents contents;
  struct dg_rows *table;
  GArray *entries;
  guint n;
  int code = 0;

  sharing_contents_init (&contents, sharing);
  entries = list_lines (&contents, report, err);
  if (entries == NULL) {
    sharing_contents_fini (&contents);
    return DG_ERR_NOMEM;
  }
  dg_report_value (report, "lines_left_out", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (sharing->lines.left_out));
  dg_report_value (report, "library_lines", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (sharing->runtime_lines));
  dg_report_value (report, "accesses_left_out", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (dg_contention_left_out (
                     sharing->contention)));
  table = dg_report_table (report, "line_list",
                           "Falsely shared cache lines",
                           line_columns, G_N_ELEMENTS (line_columns));
  for (guint i = 0; i < entries->len && code == 0; i++) {
    report_line (&contents, &g_array_index (entries, struct entry, i), table);
    code = dg_report_pace (report, i, entries->len, err);
  }
  table = dg_report_table (report, "contents", "Contents of these lines",
                           content_columns, G_N_ELEMENTS (content_columns));
  n = MIN (entries->len, MOST_DETAILED);
  for (guint i = 0; i < 2 * n && code == 0; i++) {
    report_contents (&contents, &g_array_index (entries, struct entry, i % n),
                     i >= n, table);
    code = dg_report_pace (report, i, 2 * n, err);
  }
  if (sharing->lines.left_out > 0)
    dg_report_note (report,
                    "There was no room for %" PRIu64 " users of lines, whose "
                    "transfers are missing from the transfers seen.  "
                    "--addresses=N allows more.", sharing->lines.left_out);
  if (dg_contention_left_out (sharing->contention) > 0)
    dg_report_note (report,
                    "There was no room for %" PRIu64 " accesses, which are "
                    "missing from shares and estimates.  --addresses=N allows "
                    "more.", dg_contention_left_out (sharing->contention));
  report_advice (&contents, entries, report);
  g_array_unref (entries);
  sharing_contents_fini (&contents);
  return code;
}
