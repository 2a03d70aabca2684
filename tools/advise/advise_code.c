/* advise_code.c: rules about instructions and calls.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_library.h"
#include "advise_rules.h"

#include <string.h>

/* ---- Sums in memory --------------------------------------------------- */

/* Of the accesses of a line, one of so many fails to be forwarded.  */
#define FEWEST_FAILS 8

static bool
is_shared (const struct advise_facts *facts, const char *memory)
{
  for (guint i = 0; i < facts->shared->len; i++) {
    const struct advise_shared *shared =
      &g_array_index (facts->shared, struct advise_shared, i);

    if (shared->variables != NULL && memory != NULL
        && strstr (shared->variables, memory) != NULL)
      return true;
  }
  for (guint i = 0; i < facts->contended->len && memory != NULL; i++) {
    const struct advise_contended *contended =
      &g_array_index (facts->contended, struct advise_contended, i);

    /* With the field, which streams do not have.  */
    if (g_str_has_prefix (contended->variable, memory)
        && contended->others * 50 >= contended->accesses)
      return true;
  }
  return false;
}

/* The same line also reads it, each time.  */
static bool
is_read_too (const struct advise_facts *facts,
             const struct advise_stream *write)
{
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *read =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (read->line == write->line && !read->is_write
        && read->pattern == ADVISE_CONSTANT
        && g_strcmp0 (read->memory, write->memory) == 0
        && read->accesses * 2 >= write->accesses)
      return true;
  }
  return false;
}

/* A load waits so many cycles for a store at most; what else a line waits for
   is not due to the few accesses of a stream.  */
#define MOST_FORWARDED 20

void
advise_accumulator (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    double cost = MIN ((double) stream->line->forward_cycles,
                       (double) stream->accesses * MOST_FORWARDED);
    struct advise_finding *finding;
    char *code, *memory, *count;

    if (!stream->is_write || stream->pattern != ADVISE_CONSTANT
        || !stream->line->is_own
        /* Another thread shall see each step.  */
        || stream->atomic * 2 > stream->accesses
        || !advise_search_is_enough (search, rule, cost)
        || !is_read_too (facts, stream)
        || is_shared (facts, stream->memory))
      continue;
    finding = advise_finding_new (&stream->line->code, stream->memory);
    code = advise_code_text (&stream->line->code);
    memory = stream->memory != NULL
               ? advise_memory_text (stream->memory, NULL)
               : g_strdup ("one address");
    count = advise_count_text (stream->accesses);
    advise_finding_say (finding,
                        "%s reads and writes %s %s times: each time it waits"
                        " for the value that was stored the time before.",
                        code, memory, count);
    advise_finding_do (finding,
                       "Add up in a local variable and store it once after"
                       " the loop; the compiler cannot do this if it may be"
                       " what other pointers point to (restrict).");
    advise_finding_try (finding, "in-register",
                        advise_code_where (&stream->line->code));
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (memory);
    g_free (count);
  }
}

/* ---- Loads after stores ---------------------------------------------- */

void
advise_store_forward (const struct advise_rule *rule,
                      struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    double cost = (double) line->forward_cycles;
    struct advise_finding *finding;
    char *code, *count;

    /* Few of these cannot be what the line waits for.  */
    if (!line->is_own || line->forward_fails * FEWEST_FAILS < line->accesses
        || !advise_search_is_enough (search, rule, cost))
      continue;
    finding = advise_finding_new (&line->code, NULL);
    code = advise_code_text (&line->code);
    count = advise_count_text (line->forward_fails);
    advise_finding_say (finding,
                        "%s loads %s times bytes of which a store just before"
                        " wrote only a part.  A processor passes a value from"
                        " a store to a load that needs no other bytes; here"
                        " the load waits until the store is in the cache.",
                        code, count);
    advise_finding_do (finding,
                       "Load in the sizes that are stored, or put the value"
                       " together in a register by shifts, not in memory.");
    advise_finding_try (finding, "in-register",
                        advise_code_where (&line->code));
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (count);
  }
}

void
advise_aliasing (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    double cost = MIN ((double) line->forward_cycles,
                       (double) line->aliases * MOST_FORWARDED);
    struct advise_finding *finding;
    char *code, *count;

    if (!line->is_own || line->aliases * FEWEST_FAILS < line->accesses
        || line->aliases < line->forward_fails
        || !advise_search_is_enough (search, rule, cost))
      continue;
    finding = advise_finding_new (&line->code, NULL);
    code = advise_code_text (&line->code);
    count = advise_count_text (line->aliases);
    advise_finding_say (finding,
                        "%s loads %s times from where a store just before"
                        " wrote, but for a multiple of 4096 bytes: the load"
                        " is taken for one of the same bytes, and begins"
                        " again.",
                        code, count);
    advise_finding_do (finding,
                       "Let the beginnings of the two arrays differ by another"
                       " distance: some cache lines between them, or between"
                       " their rows, are enough.");
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (count);
  }
}

/* ---- Branches --------------------------------------------------------- */

/* Of the branches of a line, one of so many is predicted wrong.  */
#define FEWEST_WRONG 10

void
advise_mispredicted (const struct advise_rule *rule,
                     struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    double cost = (double) line->branch_cycles;
    struct advise_finding *finding;
    char *code, *count, *share;

    if (!line->is_own || line->mispredicted * FEWEST_WRONG < line->branches
        || !advise_search_is_enough (search, rule, cost))
      continue;
    finding = advise_finding_new (&line->code, NULL);
    code = advise_code_text (&line->code);
    count = advise_count_text (line->branches);
    share = advise_percent_text ((double) line->mispredicted
                                 / (double) line->branches);
    advise_finding_say (finding,
                        "%s branches %s times, and in %s of them not as"
                        " predicted: what was begun then is thrown away.",
                        code, count, share);
    advise_finding_do (finding,
                       "Compute the result without a branch (a conditional"
                       " move, arithmetic, a table), sort the data so that the"
                       " same way is taken many times in a row, or decide for"
                       " many elements before the work is done.");
    advise_finding_try (finding, "predicted", advise_code_where (&line->code));
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (count);
    g_free (share);
  }
}

/* ---- Calls ------------------------------------------------------------ */

/* Call, return, and saving registers: so much is saved natively where the
   callers of a function get its code and a compiler does no more with it.  */
#define CALL_CYCLES 3
/* Instructions of a call of a function that is small.  */
#define SMALL 12
/* The first line of a function: where it is declared, about.  */
static struct advise_code
first_line (const struct advise_facts *facts, const char *function)
{
  struct advise_code code = {.function = function};

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];

    if (g_strcmp0 (line->code.function, function) == 0
        && line->code.file != NULL
        && (code.file == NULL || line->code.line < code.line))
      code = line->code;
  }
  return code;
}

void
advise_small_calls (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->functions->len; i++) {
    const struct advise_function *function =
      &g_array_index (facts->functions, struct advise_function, i);
    double cost = (double) function->calls * CALL_CYCLES;
    const struct advise_call *call;
    struct advise_finding *finding;
    struct advise_code code;
    char *count, *where;

    /* One that calls others is more than its own instructions.  */
    if (!function->is_own || function->calls < ADVISE_FEWEST_CALLS
        || function->inclusive > function->self * 11 / 10
        || function->self > function->calls * SMALL
        || !advise_search_is_enough (search, rule, cost))
      continue;
    code = first_line (facts, function->function);
    /* A stub of the linker, or what came without its source, is not for the
       user to inline.  */
    if (code.file == NULL)
      continue;
    call = advise_main_call (facts, function->name);
    finding = advise_finding_new (&code, NULL);
    count = advise_count_text (function->calls);
    where = advise_code_text (&code);
    advise_finding_say (finding,
                        "%s is called %s times for %.0f instructions each",
                        where, count,
                        (double) function->self / (double) function->calls);
    if (call != NULL)
      advise_finding_say (finding, ", mostly by %s", call->caller);
    advise_finding_say (finding, ".");
    advise_finding_do (finding,
                       "Let it be inlined: define it in the header, or compile"
                       " with -flto; if it is called by pointer, call it for"
                       " many elements at once.");
    advise_search_take (search, rule, finding, cost);
    g_free (count);
    g_free (where);
  }
}

/* ---- Byte by byte ----------------------------------------------------- */

/* More instructions for a byte compute something; those of the loop are among
   them.  */
#define BYTE_INSTRUCTIONS 13
/* Bytes that are processed at a time instead.  */
#define AT_A_TIME 8

/* What the loop does for each byte, which need not stand on one line.  */
static uint64_t
loop_instructions (const struct advise_facts *facts,
                   const struct advise_stream *bytes)
{
  const struct advise_code *code = &bytes->line->code;
  uint64_t sum = 0;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];

    if (line->instructions >= bytes->accesses
        && advise_is_same_loop (&line->code, code))
      sum += line->instructions;
  }
  return MAX (sum, bytes->line->instructions);
}

/* Whether the line also goes where each byte leads, or anywhere: then a byte
   is an index, and a step depends on it.  So it is where something else is
   read and written for each byte, such as a table on the stack.  */
static bool
has_look_ups (const struct advise_facts *facts,
              const struct advise_stream *bytes)
{
  bool is_read = false, is_written = false;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *other =
      &g_array_index (facts->streams, struct advise_stream, i);

    /* One variable, such as a sum, is none.  */
    if (other->line != bytes->line || other == bytes
        || other->pattern == ADVISE_CONSTANT
        || other->accesses * 2 < bytes->accesses)
      continue;
    if (other->pattern == ADVISE_RANDOM || other->pattern == ADVISE_OTHER
        || other->pattern == ADVISE_CHASING)
      return true;
    is_read |= !other->is_write && other->size > 1;
    is_written |= other->is_write && other->size > 1;
  }
  return is_read && is_written;
}

/* Whether the loop writes a result for several bytes: then they are computed
   with.  */
static bool
has_fewer_results (const struct advise_facts *facts,
                   const struct advise_stream *bytes)
{
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *other =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (other->is_write && other->memory != NULL
        && other->accesses * 2 <= bytes->accesses
        && other->accesses * 16 >= bytes->accesses
        && advise_is_same_loop (&other->line->code, &bytes->line->code))
      return true;
  }
  return false;
}

void
advise_byte_walk (const struct advise_rule *rule, struct advise_search *search)
{
  static const char *const names[] = {
    "memcpy", "memmove", "mempcpy", "memset", "memcmp", "memchr", "strlen",
    "strchr", "strcmp", "strncmp", "strcpy", "strcat", NULL};
  const struct advise_facts *facts = search->facts;
  uint64_t others = advise_library_sum (facts, names).accesses;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    struct advise_finding *finding;
    char *code, *memory, *count;
    double cost;

    /* All instructions of the line are done for each byte.  Library functions
       that the line calls may do this, too, and know why.  */
    cost = (double) stream->line->cycles * (AT_A_TIME - 1) / AT_A_TIME;
    /* Branches that follow from each byte do so for many at a time, too.  */
    if (stream->line->branch_cycles * 4 > stream->line->cycles)
      continue;
    if (stream->pattern != ADVISE_SEQUENTIAL || stream->size != 1
        || ABS (stream->stride) != 1 || !stream->line->is_own
        || stream->accesses * 10 < facts->accesses
        /* One instruction for each byte is that of a string.  */
        || stream->line->instructions * 2 < stream->accesses * 3
        || loop_instructions (facts, stream)
             > stream->accesses * BYTE_INSTRUCTIONS
        || has_look_ups (facts, stream)
        || (!stream->is_write && has_fewer_results (facts, stream))
        || others * 2 > stream->accesses
        || !advise_search_is_enough (search, rule, cost))
      continue;
    finding = advise_finding_new (&stream->line->code, stream->memory);
    code = advise_code_text (&stream->line->code);
    memory = advise_memory_text (stream->memory, stream->object);
    count = advise_count_text (stream->accesses);
    advise_finding_say (finding,
                        "%s %s %s byte by byte, %s times, one after the"
                        " other.",
                        code, stream->is_write ? "writes" : "reads", memory,
                        count);
    advise_finding_do (finding,
                       "Process 8 bytes or a vector at a time: memcpy, memset,"
                       " memchr and memcmp do, and compilers at -O3 if the"
                       " pointers cannot overlap (restrict).");
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (memory);
    g_free (count);
    /* Its reads and writes are one loop.  */
    return;
  }
}

/* ---- Instruction cache ------------------------------------------------ */

void
advise_code_misses (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;
  const struct advise_line *top = NULL;
  uint64_t misses = 0;
  struct advise_finding *finding;
  char *count, *where;
  double cost = 0;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];

    if (!line->is_own)
      continue;
    /* What is fetched for the first time has to be.  */
    if (line->fetch_misses < 4 * line->fetch_ll_misses)
      continue;
    misses += line->fetch_misses;
    cost += (double) line->fetch_cycles;
    if (top == NULL || line->fetch_misses > top->fetch_misses)
      top = line;
  }
  if (top == NULL || !advise_search_is_enough (search, rule, cost))
    return;
  finding = advise_finding_new (&top->code, NULL);
  count = advise_count_text (misses);
  where = advise_code_text (&top->code);
  advise_finding_say (finding,
                      "Instructions miss the first level %s times, most often"
                      " in %s: more code is in use at a time than the cache"
                      " holds.",
                      count, where);
  advise_finding_do (finding,
                     "Do one step for all elements before the next step, or"
                     " make the code smaller (-Os, less inlining, profile"
                     " guided optimisation).");
  advise_search_take (search, rule, finding, cost);
  g_free (count);
  g_free (where);
}
