/* advise_library.c: rules about functions of the C library, and copies.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_library.h"

#include "advise_rules.h"

#include <string.h>

/* ---- Calls ------------------------------------------------------------ */

const struct advise_call *
advise_main_call (const struct advise_facts *facts, const char *callee)
{
  const struct advise_call *best = NULL;

  for (guint i = 0; i < facts->calls->len; i++) {
    const struct advise_call *call =
      &g_array_index (facts->calls, struct advise_call, i);

    if (g_strcmp0 (call->callee, callee) == 0
        && (best == NULL || call->calls > best->calls))
      best = call;
  }
  return best;
}

/* The line of a function with most instructions.  */
static const struct advise_line *
busiest_line (const struct advise_facts *facts, const char *function)
{
  const struct advise_line *best = NULL;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];

    if (g_strcmp0 (line->code.function, function) == 0
        && (best == NULL || line->instructions > best->instructions))
      best = line;
  }
  return best;
}

/* ---- What they cost ---------------------------------------------------- */

/* Whether a symbol is one of these functions, in whatever variant for a
   processor: "__strlen_avx2"; not a function that chooses one:
   "strlen_ifunc".  */
static bool
is_variant (const char *symbol, const char *const *names)
{
  if (symbol != NULL && g_str_has_suffix (symbol, "_ifunc"))
    return false;
  for (; symbol != NULL && *names != NULL; names++) {
    const char *found = strstr (symbol, *names);

    if (found == NULL)
      continue;
    if ((found == symbol || found[-1] == '_')
        && (found[strlen (*names)] == '\0' || found[strlen (*names)] == '_'))
      return true;
  }
  return false;
}

struct advise_library
advise_library_sum (const struct advise_facts *facts, const char *const *names)
{
  struct advise_library sum = {.busiest = NULL};

  for (guint i = 0; i < facts->functions->len; i++) {
    const struct advise_function *function =
      &g_array_index (facts->functions, struct advise_function, i);

    if (!is_variant (function->function, names))
      continue;
    sum.calls += function->calls;
    sum.self += function->self;
    sum.accesses += function->accesses;
    if (function->self > sum.most) {
      sum.most = function->self;
      sum.busiest = function->name;
    }
  }
  sum.cycles = advise_work_cost (facts, sum.self);
  return sum;
}

/* The functions that are summed, as dg whatif takes them; NULL: none.  */
static char *
variants_where (const struct advise_facts *facts, const char *const *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < facts->functions->len; i++) {
    const struct advise_function *function =
      &g_array_index (facts->functions, struct advise_function, i);

    if (is_variant (function->function, names))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ";" : "",
                              function->function);
  }
  return g_string_free (text, text->len == 0);
}

/* Whether it is a function of its own, which is not inlined everywhere.  */
static bool
is_called (const struct advise_facts *facts, const char *function)
{
  for (guint i = 0; i < facts->functions->len; i++)
    if (g_strcmp0 (g_array_index (facts->functions, struct advise_function, i)
                     .function, function) == 0)
      return true;
  return false;
}

/* Two lines may call the library: then each line has about half of what the
   library executes.  */
#define PARTS 2

/* The line of the call has the costs of the library, its instructions and its
   accesses: the own line that has them all, or else about half of them, and of
   these the one whose accesses are nearest.  */
static const struct advise_line *
line_of_call (const struct advise_facts *facts,
              const struct advise_library *library, const char *caller)
{
  const struct advise_line *best = NULL;
  uint64_t nearest = UINT64_MAX;
  bool has_all = false;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    uint64_t n = line->accesses, of = library->accesses;
    uint64_t off = n > of ? n - of : of - n;
    bool is_all = n >= of && line->instructions >= library->self;

    /* Its own lines, or those of what is inlined into it.  */
    if (line->is_own && n * PARTS >= of
        && line->instructions * PARTS >= library->self
        && (is_all > has_all || (is_all == has_all && off < nearest))
        && (caller == NULL || !is_called (facts, line->code.function)
            || g_strcmp0 (line->code.function, caller) == 0)) {
      nearest = off;
      has_all = is_all;
      best = line;
    }
  }
  return best;
}

/* A repetition is one instruction, but as much work as one for so many of its
   accesses, each of which is of a byte or a word.  */
#define AT_A_TIME 16

/* The part of the work of a line that the library does.  */
static double
share_of_library (const struct advise_library *library,
                  const struct advise_line *line)
{
  uint64_t work = MAX (library->self, library->accesses / AT_A_TIME);

  return MIN (1, (double) work / (double) MAX (line->instructions, 1));
}

/* The finding at that line, or else at the busiest one of the caller.  *cost
   becomes what the library costs there, waits included, if that is more.  */
static struct advise_finding *
library_finding (const struct advise_facts *facts,
                 const struct advise_library *library, double *cost)
{
  const struct advise_call *call = advise_main_call (facts, library->busiest);
  const struct advise_line *line =
    line_of_call (facts, library, call != NULL ? call->caller : NULL);
  struct advise_code code;

  *cost = library->cycles;
  if (line != NULL)
    *cost =
      MAX (*cost, (double) line->cycles * share_of_library (library, line));
  if (line == NULL && call != NULL)
    line = busiest_line (facts, call->caller);
  code =
    line != NULL ? line->code
                 : (struct advise_code) {
                     .function = call != NULL ? call->caller
                                              : library->busiest};

  return advise_finding_new (&code, NULL);
}

void
advise_string_scan (const struct advise_rule *rule,
                    struct advise_search *search)
{
  static const char *const names[] = {"strlen", "strchr", "strrchr", "strstr",
                                      "strcat", "strnlen", "rawmemchr",
                                      "strchrnul", NULL};
  const struct advise_facts *facts = search->facts;
  struct advise_library library = advise_library_sum (facts, names);
  struct advise_finding *finding;
  char *count, *where;
  double cost;

  if (library.calls < ADVISE_FEWEST_CALLS / 10)
    return;
  finding = library_finding (facts, &library, &cost);
  count = advise_count_text (library.calls);
  where = advise_code_text (&finding->code);
  advise_finding_say (finding,
                      "%s and the like are called %s times, mostly by %s, and"
                      " take %.0f instructions each: they read the string from"
                      " its start each time.",
                      library.busiest, count, where,
                      (double) library.self / (double) library.calls);
  advise_finding_do (finding,
                     "Keep the length, or the position that was reached, in a"
                     " variable outside of the loop.");
  finding->accesses = library.accesses;
  advise_finding_try (finding, "remove", variants_where (facts, names));
  advise_search_take (search, rule, finding, cost);
  g_free (count);
  g_free (where);
}

/* A line of code that copies itself, by instructions for that, as it does with
   structures that are passed or assigned.  */
static void
find_inline_copies (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;
  const struct advise_line *top = NULL;
  uint64_t most = 0;
  struct advise_finding *finding;
  char *where, *amount;
  double cost;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    uint64_t n = 2 * MIN (line->repeated_reads, line->repeated_writes);

    if (line->is_own && n > most) {
      most = n;
      top = line;
    }
  }
  /* Most of what such a line does is to copy.  */
  cost = top != NULL ? (double) top->cycles : 0;
  if (most * 4 < facts->accesses
      || !advise_search_is_enough (search, rule, cost))
    return;
  finding = advise_finding_new (&top->code, NULL);
  where = advise_code_text (&top->code);
  amount = advise_bytes_text (top->repeated_bytes);
  advise_finding_say (finding,
                      "%.0f %% of all accesses copy memory: %s copies %s, as"
                      " structures that are passed or assigned by value are.",
                      100 * (double) most / (double) facts->accesses, where,
                      top->repeated_bytes > 0 ? amount : "it");
  advise_finding_do (finding,
                     "Pass a pointer or a reference instead of the"
                     " structure.");
  finding->accesses = most;
  advise_finding_try (finding, "remove", advise_code_where (&top->code));
  advise_search_take (search, rule, finding, cost);
  g_free (where);
  g_free (amount);
}

/* A block that is copied a few times is data that is moved.  */
#define FEWEST_COPIES 16

void
advise_copying (const struct advise_rule *rule, struct advise_search *search)
{
  static const char *const names[] = {"memcpy", "memmove", "mempcpy",
                                      "strcpy", "stpcpy", "strncpy", NULL};
  const struct advise_facts *facts = search->facts;
  struct advise_library library = advise_library_sum (facts, names);
  struct advise_finding *finding;
  char *count, *where;
  double cost;

  /* What libraries do stands at the lines that call them.  */
  if (library.accesses * 4 < facts->accesses)
    find_inline_copies (rule, search);
  if (library.accesses * 4 < facts->accesses)
    return;
  finding = library_finding (facts, &library, &cost);
  /* Few calls of large blocks are much copying if they take so much time.  */
  if (library.calls < ADVISE_FEWEST_CALLS
      && (library.calls < FEWEST_COPIES || cost * 4 < facts->cycles)) {
    advise_finding_free (finding);
    return;
  }
  /* A block that grows has a rule of its own.  */
  if (advise_search_find (search, "regrowth", NULL, finding->code.function)) {
    advise_finding_free (finding);
    return;
  }
  count = advise_count_text (library.calls);
  where = advise_code_text (&finding->code);
  advise_finding_say (finding,
                      "%.0f %% of all accesses copy memory: %s and the like"
                      " are called %s times, mostly by %s.",
                      100 * (double) library.accesses
                        / (double) facts->accesses,
                      library.busiest, count, where);
  advise_finding_do (finding,
                     "Pass pointers instead of copies, or write the data to"
                     " where it will stay.");
  finding->accesses = library.accesses;
  advise_finding_try (finding, "remove", variants_where (facts, names));
  advise_search_take (search, rule, finding, cost);
  g_free (count);
  g_free (where);
}
