/* advise_code.c: rules about instructions and calls.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_rules.h"

#include <string.h>

/* ---- Sums in memory --------------------------------------------------- */

/* From a store to the load of the same address.  */
#define FORWARD_CYCLES 4

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

void
advise_accumulator (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    double cost = (double) stream->accesses * FORWARD_CYCLES;
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
    advise_search_take (search, rule, finding, cost);
    g_free (code);
    g_free (memory);
    g_free (count);
  }
}

/* ---- Calls ------------------------------------------------------------ */

/* Call, return, and saving registers.  */
#define CALL_CYCLES 6
/* Instructions of a call of a function that is small.  */
#define SMALL 12
/* Fewer calls cost nothing that is seen.  */
#define FEWEST_CALLS 1000

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

/* Its first line: where it is declared, about.  */
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

/* Who calls it most, or NULL.  */
static const struct advise_call *
main_call (const struct advise_facts *facts, const char *callee)
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
    if (!function->is_own || function->calls < FEWEST_CALLS
        || function->inclusive > function->self * 11 / 10
        || function->self > function->calls * SMALL
        || !advise_search_is_enough (search, rule, cost))
      continue;
    code = first_line (facts, function->function);
    /* A stub of the linker, or what came without its source, is not for the
       user to inline.  */
    if (code.file == NULL)
      continue;
    call = main_call (facts, function->name);
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

/* ---- Functions of the C library ---------------------------------------- */

/* Whether a symbol is one of these functions, in whatever variant for a
   processor: "__strlen_avx2".  */
static bool
is_variant (const char *symbol, const char *const *names)
{
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

/* What the variants of some library functions cost.  */
struct library {
  const char *busiest;     /* the one with most instructions */
  uint64_t most;
  uint64_t calls, self, accesses;
};

static struct library
sum_library (const struct advise_facts *facts, const char *const *names)
{
  struct library sum = {.busiest = NULL};

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
  return sum;
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

/* The line of the call has the costs of the library: the own line whose
   instructions are nearest to them, if they are not much less.  */
static const struct advise_line *
line_of_call (const struct advise_facts *facts, const struct library *library,
              const char *caller)
{
  const struct advise_line *best = NULL;
  uint64_t nearest = UINT64_MAX;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    uint64_t n = line->instructions;
    uint64_t off = n > library->self ? n - library->self : library->self - n;

    /* Its own lines, or those of what is inlined into it.  */
    if (line->is_own && n * 2 >= library->self && off < nearest
        && (caller == NULL || !is_called (facts, line->code.function)
            || g_strcmp0 (line->code.function, caller) == 0)) {
      nearest = off;
      best = line;
    }
  }
  return best;
}

/* The finding at that line, or else at the busiest one of the caller.  */
static struct advise_finding *
library_finding (const struct advise_facts *facts,
                 const struct library *library)
{
  const struct advise_call *call = main_call (facts, library->busiest);
  const struct advise_line *line =
    line_of_call (facts, library, call != NULL ? call->caller : NULL);
  struct advise_code code;

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
  struct library library = sum_library (facts, names);
  struct advise_finding *finding;
  char *count, *where;

  if (library.calls < FEWEST_CALLS / 10
      || !advise_search_is_enough (search, rule, (double) library.self))
    return;
  finding = library_finding (facts, &library);
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
  advise_search_take (search, rule, finding, (double) library.self);
  g_free (count);
  g_free (where);
}

/* Whether the copies are those of a block that grows, which has a rule of its
   own.  */
static bool
is_of_growth (const struct advise_search *search,
              const struct advise_code *code)
{
  for (guint i = 0; i < search->found->len; i++) {
    const struct advise_finding *found = search->found->pdata[i];

    if (strcmp (found->rule, "regrowth") == 0
        && g_strcmp0 (found->code.function, code->function) == 0)
      return true;
  }
  return false;
}

/* Accesses by which a line of code copies itself, by instructions for that:
   those of structures that are passed or assigned.  */
static uint64_t
inline_copies (const struct advise_facts *facts,
               const struct advise_line *line, uint64_t *bytes)
{
  uint64_t reads = 0, writes = 0;

  *bytes = 0;
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (stream->line != line)
      continue;
    *(stream->is_write ? &writes : &reads) += stream->repeated;
    *bytes += stream->is_write ? stream->repeated * stream->size : 0;
  }
  return reads > 0 && writes > 0 ? 2 * MIN (reads, writes) : 0;
}

static void
find_inline_copies (const struct advise_rule *rule,
                    struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;
  const struct advise_line *top = NULL;
  uint64_t most = 0, moved = 0, bytes;
  struct advise_finding *finding;
  char *where, *amount;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    uint64_t n = line->is_own ? inline_copies (facts, line, &bytes) : 0;

    if (n > most) {
      most = n;
      moved = bytes;
      top = line;
    }
  }
  if (most * 4 < facts->accesses
      || !advise_search_is_enough (search, rule, (double) most / 2))
    return;
  finding = advise_finding_new (&top->code, NULL);
  where = advise_code_text (&top->code);
  amount = advise_bytes_text (moved);
  advise_finding_say (finding,
                      "%.0f %% of all accesses copy memory: %s copies %s, as"
                      " structures that are passed or assigned by value are.",
                      100 * (double) most / (double) facts->accesses, where,
                      moved > 0 ? amount : "it");
  advise_finding_do (finding,
                     "Pass a pointer or a reference instead of the"
                     " structure.");
  advise_search_take (search, rule, finding, (double) most / 2);
  g_free (where);
  g_free (amount);
}

void
advise_copying (const struct advise_rule *rule, struct advise_search *search)
{
  static const char *const names[] = {"memcpy", "memmove", "mempcpy",
                                      "strcpy", "stpcpy", "strncpy", NULL};
  const struct advise_facts *facts = search->facts;
  struct library library = sum_library (facts, names);
  struct advise_finding *finding;
  char *count, *where;

  /* What libraries do stands at the lines that call them.  */
  if (library.accesses * 4 < facts->accesses)
    find_inline_copies (rule, search);
  if (library.calls < FEWEST_CALLS
      || library.accesses * 4 < facts->accesses
      || !advise_search_is_enough (search, rule, (double) library.self))
    return;
  finding = library_finding (facts, &library);
  if (is_of_growth (search, &finding->code)) {
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
  advise_search_take (search, rule, finding, (double) library.self);
  g_free (count);
  g_free (where);
}

/* ---- Byte by byte ----------------------------------------------------- */

/* More instructions for a byte compute something; those of the loop are among
   them.  */
#define BYTE_INSTRUCTIONS 13
/* Bytes that are processed at a time instead.  */
#define AT_A_TIME 8

/* Lines of one loop: so near to each other, and run as often.  */
#define LOOP_LINES 6

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
        && line->code.line + LOOP_LINES >= code->line
        && line->code.line <= code->line + LOOP_LINES
        && g_strcmp0 (line->code.file, code->file) == 0
        && g_strcmp0 (line->code.function, code->function) == 0)
      sum += line->instructions;
  }
  return MAX (sum, bytes->line->instructions);
}

/* Whether the line also goes where each byte leads, or anywhere: then a byte
   is an index, and a step depends on it.  */
static bool
has_look_ups (const struct advise_facts *facts,
              const struct advise_stream *bytes)
{
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *other =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (other->line == bytes->line && other->accesses * 2 >= bytes->accesses
        && (other->pattern == ADVISE_RANDOM || other->pattern == ADVISE_OTHER
            || other->pattern == ADVISE_CHASING))
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
  uint64_t others = sum_library (facts, names).accesses;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    struct advise_finding *finding;
    char *code, *memory, *count;
    double cost;

    /* All instructions of the line are done for each byte.  Library functions
       that the line calls may do this, too, and know why.  */
    cost = (double) stream->line->instructions * (AT_A_TIME - 1) / AT_A_TIME;
    if (stream->pattern != ADVISE_SEQUENTIAL || stream->size != 1
        || ABS (stream->stride) != 1 || !stream->line->is_own
        || stream->accesses * 10 < facts->accesses
        /* One instruction for each byte is that of a string.  */
        || stream->line->instructions * 2 < stream->accesses * 3
        || loop_instructions (facts, stream)
             > stream->accesses * BYTE_INSTRUCTIONS
        || has_look_ups (facts, stream)
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
  uint64_t misses = 0, ll = 0;
  struct advise_finding *finding;
  char *count, *where;
  double cost;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];

    if (!line->is_own)
      continue;
    misses += line->fetch_misses;
    ll += line->fetch_ll_misses;
    if (top == NULL || line->fetch_misses > top->fetch_misses)
      top = line;
  }
  cost = (double) misses * ADVISE_L1_CYCLES + (double) ll * ADVISE_LL_CYCLES;
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
