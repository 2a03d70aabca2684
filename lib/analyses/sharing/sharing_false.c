/* sharing_false.c: false sharing: lines, contents and advice.

   Valgrind runs one thread at a time, for long, so that a line goes from
   thread to thread far less often than when they run side by side.  What would
   happen then is estimated from how often which thread used which bytes while
   which others could run (dg_contention.h), so that it is the same for
   whatever turns the threads took.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>
#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"

/* Lines whose contents are told.  */
#define MOST_DETAILED 100
/* Characters of names in one line of text, but for the first.  */
#define MOST_TEXT 50
/* Lines that would move less often do not matter, whatever threads did.  */
#define FEWEST_MOVES 100
/* A share of a line's accesses: one in so many.  */
#define SLIGHT 100

/* By enum dg_line_kind.  */
static const char *const kind_names[] = { "none", "true", "false", "mixed" };

struct entry {
  const struct dg_line_verdict *verdict;
  const struct sharing_line *line;     /* how it moved; NULL: no room */
  uint64_t true_transfers, false_transfers;
  /* If threads ran in parallel as far as they could.  */
  uint64_t estimated, estimated_false;
  bool is_in_turns;        /* they could not */
  uint32_t first, end;     /* in sharing->order: what was counted there */
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

/* Whether the log says by barriers and the like who waited for whom: then a
   thread that stops is one that waits for all.  */
static bool
has_rounds (const struct sharing *sharing)
{
  size_t n;
  const struct dg_sync *syncs = dg_log_syncs (sharing->log, &n);

  for (size_t i = 0; i < n; i++)
    if (syncs[i].kind == DG_SYNC_RELEASE)
      return true;
  return false;
}

/* How it moved in this run, and would in parallel.  */
static void
set_transfers (const struct sharing *sharing, bool has_rounds,
               struct entry *entry)
{
  entry->line = sharing_lines_find (&sharing->lines, entry->verdict->line);
  for (uint32_t i = entry->line != NULL ? entry->line->users : 0; i != 0;
       i = sharing->lines.users[i - 1].next) {
    entry->true_transfers += sharing->lines.users[i - 1].true_transfers;
    entry->false_transfers += sharing->lines.users[i - 1].false_transfers;
  }
  entry->is_in_turns = !has_rounds
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

/* ---- What is in it ------------------------------------------------------ */

static const struct sharing_count *
item (const struct sharing *sharing, uint32_t i)
{
  return &sharing->counts.items[sharing->order[i]];
}

static uint32_t
first_at (const struct sharing *sharing, uint64_t address)
{
  return DG_BISECT (0, sharing->counts.n, i,
                    item (sharing, i)->key.address < address);
}

static void
set_contents (const struct sharing *sharing, struct entry *entry)
{
  unsigned shift = sharing->shared_lines.line_shift;
  uint64_t low = entry->verdict->line << shift;
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

struct name {
  const struct dg_named *named;
  uint64_t accesses;
};

static int
compare_names (const void *a, const void *b)
{
  const struct name *x = a, *y = b;

  return DG_COMPARE (y->accesses, x->accesses)
           ?: strcmp (x->named->name, y->named->name);
}

/* Its variables, each once: what is used most comes first.  */
static GArray *
names_of (const struct sharing *sharing, const struct entry *entry)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (struct name));
  struct content content;
  uint32_t at = entry->first;

  while (next_content (sharing, entry, &at, &content)) {
    struct name new = { content.named, 0 }, *name = NULL;

    for (guint i = 0; i < names->len && name == NULL; i++) {
      name = &g_array_index (names, struct name, i);
      if (strcmp (name->named->name, new.named->name) != 0)
        name = NULL;
    }
    if (name == NULL) {
      g_array_append_val (names, new);
      name = &g_array_index (names, struct name, names->len - 1);
    }
    name->accesses += content.reads + content.writes;
  }
  g_array_sort (names, compare_names);
  return names;
}

/* Of an address that a stack has used again and again, hardly anything is told
   by what was there in passing.  */
static bool
is_slight (uint64_t accesses, const struct entry *entry)
{
  return accesses * SLIGHT < entry->verdict->reads + entry->verdict->writes;
}

static char *
names_text (const GArray *names, const struct entry *entry)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < names->len; i++) {
    const struct name *name = &g_array_index (names, struct name, i);

    if (i > 0 && (text->len + strlen (name->named->name) > MOST_TEXT
                  || is_slight (name->accesses, entry)))
      break;
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            name->named->name);
  }
  if (i < names->len)
    g_string_append_printf (text, " and %u more", names->len - i);
  return g_string_free (text, FALSE);
}

/* Also a local that nobody knows, "main().<NA>".  */
static bool
is_nameless (const struct dg_named *named)
{
  return g_str_has_suffix (named->name, "<NA>");
}

/* Where most of a line's accesses are for bytes that threads have in common,
   it stays a shared one wherever the others go.  */
static bool
is_mostly_true (const struct dg_line_verdict *verdict)
{
  return verdict->true_accesses > verdict->false_accesses;
}

/* Locals of two functions are neighbours by chance.  */
static bool
are_of_two_frames (const struct dg_named *a, const struct dg_named *b)
{
  const char *end = strstr (a->name, "().");

  return a->kind == DG_VARIABLE_LOCAL && b->kind == DG_VARIABLE_LOCAL
         && (end == NULL
             || strncmp (a->name, b->name, (size_t) (end - a->name) + 3) != 0);
}

/* The thread that writes most of it; 0: none writes.  */
static uint32_t
writer_of (const struct sharing *sharing, const struct content *content)
{
  uint64_t most = 0, writes = 0;
  uint32_t writer = 0, thread = 0;

  /* Counts of a thread stand together.  */
  for (uint32_t i = content->first; i < content->end; i++) {
    const struct sharing_count *count = item (sharing, i);

    if (count->key.thread != thread)
      writes = 0;
    thread = count->key.thread;
    writes += count->writes;
    if (writes > most) {
      most = writes;
      writer = thread;
    }
  }
  return writer;
}

/* Whether the same field of several elements is in the line, and different
   threads write it: an element is a thread's, as a whole.  */
static bool
is_by_element (const struct sharing *sharing, const struct entry *entry,
               const struct dg_named *field)
{
  struct content content;
  uint32_t at = entry->first, writer = 0;

  while (next_content (sharing, entry, &at, &content)) {
    uint32_t other = strcmp (content.named->name, field->name) == 0
                       ? writer_of (sharing, &content) : 0;

    if (other != 0 && writer != 0 && other != writer)
      return true;
    writer = other != 0 ? other : writer;
  }
  return false;
}

static char *
advice_text (const struct sharing *sharing, const struct entry *entry,
             const GArray *names, uint64_t line_size)
{
  const struct dg_named *first, *other;
  bool is_one_whole = true, is_heap = true;
  guint n = 0;

  if (names->len == 0 || is_mostly_true (entry->verdict)
      || entry->estimated_false < FEWEST_MOVES)
    return g_strdup ("");
  while (n < names->len
         && (n == 0
             || !is_slight (g_array_index (names, struct name, n).accesses,
                            entry)))
    n++;
  first = g_array_index (names, struct name, 0).named;
  other = n > 1 ? g_array_index (names, struct name, 1).named : first;
  if (is_nameless (first) || is_nameless (other))
    return g_strdup ("");
  if (n == 1)
    return g_strdup_printf ("give each element of %s %" PRIu64
                            " bytes of its own (padding), or each thread its "
                            "own copy", first->name, line_size);
  if (are_of_two_frames (first, other))
    return g_strdup ("");
  for (guint i = 0; i < n; i++) {
    const struct dg_named *named = g_array_index (names, struct name, i).named;

    is_one_whole = is_one_whole
                   && strcmp (named->whole, first->whole) == 0;
    is_heap = is_heap && named->kind == DG_VARIABLE_HEAP;
  }
  if (is_one_whole && is_by_element (sharing, entry, first))
    return g_strdup_printf ("give each element of %s %" PRIu64
                            " bytes of its own (padding), or each thread its "
                            "own copy", first->whole, line_size);
  if (is_one_whole)
    return g_strdup_printf ("put %s and %s into different lines: alignas (%"
                            PRIu64 ") before the field that other threads "
                            "write",
                            first->name, other->name, line_size);
  if (is_heap)
    return g_strdup_printf ("allocate what different threads write with "
                            "aligned_alloc (%" PRIu64 ", ...)", line_size);
  return g_strdup_printf ("alignas (%" PRIu64 ") on %s and on %s", line_size,
                          first->name, other->name);
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
report_line (struct sharing *sharing, const struct entry *entry,
             struct dg_rows *table)
{
  const struct dg_line_verdict *verdict = entry->verdict;
  uint64_t size = (uint64_t) 1 << sharing->shared_lines.line_shift;
  uint64_t accesses = verdict->reads + verdict->writes;
  GPtrArray *users = g_ptr_array_new ();
  GArray *names = names_of (sharing, entry);
  GArray *pairs[3];
  size_t n[3];
  char *text, *advice;

  list_users (sharing, entry->line, users);
  for (unsigned i = 0; i < 3; i++) {
    pairs[i] = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
    n[i] = add_threads (users, (enum what) i, pairs[i]);
  }
  advice = advice_text (sharing, entry, names, size);
  text = names_text (names, entry);
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
report_content (struct sharing *sharing, const struct content *content,
                struct dg_rows *table)
{
  uint64_t mask = ((uint64_t) 1 << sharing->shared_lines.line_shift) - 1;
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

/* Those that are slight, or those that are not, each by its address.  */
static void
report_contents (struct sharing *sharing, const struct entry *entry,
                 bool slight, struct dg_rows *table)
{
  struct content content;
  uint32_t at = entry->first;

  while (next_content (sharing, entry, &at, &content))
    if (is_slight (content.reads + content.writes, entry) == slight)
      report_content (sharing, &content, table);
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

/* Whether all that was counted in a line belongs to runtime libraries.  */
static bool
is_runtime (const struct sharing *sharing, const struct entry *entry)
{
  for (uint32_t i = entry->first; i < entry->end; i++)
    if (!dg_variables_named (sharing->variables,
                             item (sharing, i)->key.variable)->is_runtime)
      return false;
  return true;
}

/* Lines that are shared falsely, at least in part, and of which something was
   counted.  */
static GArray *
list_lines (struct sharing *sharing, struct dg_report *report,
            struct dg_error *err)
{
  int64_t n = dg_contention_judge (sharing->contention, sharing->phases, err);
  const struct dg_line_verdict *verdicts =
    dg_contention_verdicts (sharing->contention);
  bool rounds = has_rounds (sharing);
  struct dg_rows *moves;
  GArray *entries;

  if (n < 0)
    return NULL;
  entries = g_array_new (FALSE, FALSE, sizeof (struct entry));
  moves = dg_report_table (report, "moves", NULL, move_columns,
                           G_N_ELEMENTS (move_columns));
  for (int64_t i = 0; i < n; i++) {
    struct entry entry = { .verdict = &verdicts[i] };

    set_transfers (sharing, rounds, &entry);
    report_moves (sharing, &entry, moves);
    if (verdicts[i].kind != DG_LINE_FALSE
        && verdicts[i].kind != DG_LINE_MIXED)
      continue;
    set_contents (sharing, &entry);
    if (entry.first == entry.end)
      continue;
    if (is_runtime (sharing, &entry)
        && sharing_is_left_out (sharing, verdicts[i].writes))
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
report_advice (struct sharing *sharing, const GArray *entries,
               struct dg_report *report)
{
  uint64_t size = (uint64_t) 1 << sharing->shared_lines.line_shift;
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
    GArray *names = names_of (sharing, entry);
    char *advice = advice_text (sharing, entry, names, size);

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
  GArray *entries = list_lines (sharing, report, err);
  struct dg_rows *table;
  guint n;
  int code = 0;

  if (entries == NULL)
    return DG_ERR_NOMEM;
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
    report_line (sharing, &g_array_index (entries, struct entry, i), table);
    code = dg_report_pace (report, i, entries->len, err);
  }
  table = dg_report_table (report, "contents", "Contents of these lines",
                           content_columns, G_N_ELEMENTS (content_columns));
  n = MIN (entries->len, MOST_DETAILED);
  for (guint i = 0; i < 2 * n && code == 0; i++) {
    report_contents (sharing, &g_array_index (entries, struct entry, i % n),
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
  report_advice (sharing, entries, report);
  g_array_unref (entries);
  return code;
}
