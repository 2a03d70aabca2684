/* advise_walk.c: rules about the order in which code accesses memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_groups.h"
#include "advise_rules.h"

#include <inttypes.h>
#include <string.h>

/* "400,000 D1 misses, 95 % of all".  */
static void
say_misses (struct advise_finding *finding, const struct advise_facts *facts,
            double misses)
{
  char *count = advise_count_text ((uint64_t) (misses + 0.5));
  char *share = advise_percent_text (
    facts->misses > 0 ? MIN (1, misses / (double) facts->misses) : 0);

  advise_finding_say (finding, "%s D1 misses, %s of all", count, share);
  g_free (count);
  g_free (share);
}

/* Objects that a step may leave out: who leaves out more walks across rows of
   them.  */
#define FEW_OBJECTS 8

/* From one block of the heap to the next.  What lies between blocks is the
   allocator's, and Valgrind's is not that of the program.  */
static bool
is_between_blocks (const struct advise_facts *facts,
                   const struct advise_stream *stream)
{
  const struct advise_site *site =
    stream->memory != NULL ? advise_facts_site (facts, stream->memory) : NULL;

  return site != NULL && site->blocks > 1
         && (uint64_t) ABS (stream->stride) >= site->max_size;
}

/* Whether steps go from one object to the next, or over some, in an array.  */
static bool
is_by_object (const struct advise_stream *stream)
{
  int64_t step = ABS (stream->stride);

  return stream->object != NULL && stream->object->type != NULL
         && stream->object->size > 0 && step % stream->object->size == 0
         && step <= (int64_t) stream->object->size * FEW_OBJECTS;
}

/* What each step of a walk goes to: an element of an array, or a block that is
   one object.  NULL: that is not known.  */
static const struct advise_object *
walked_object (const struct advise_facts *facts,
               const struct advise_stream *stream)
{
  const struct advise_site *site;

  if (is_by_object (stream))
    return stream->object;
  if (stream->object == NULL || !is_between_blocks (facts, stream))
    return NULL;
  /* A site may allocate several things.  */
  site = advise_facts_site (facts, stream->memory);
  return site->max_size < 2 * (uint64_t) stream->object->size ? stream->object
                                                              : NULL;
}

/* What of a stream's cost the repair saves.  */
typedef double (*saved_fn) (const struct advise_stream *stream);

static double
all_of_it (const struct advise_stream *stream)
{
  (void) stream;
  return 1;
}

/* Where what is used lies side by side, lines are fetched for that only.  */
static double
unused_part (const struct advise_stream *stream)
{
  return 1 - stream->line_use;
}

/* What a rule says about each group.  */
typedef void (*say_fn) (const struct advise_facts *facts,
                        const struct advise_group *group, const char *code,
                        const char *memory, struct advise_finding *finding);

/* Accesses of the code in order are what most repairs come to.  */
static void
try_in_order (const struct advise_group *group,
              struct advise_finding *finding)
{
  finding->accesses = (uint64_t) group->accesses;
  advise_finding_try (finding, "in-order",
                      advise_group_where (group));
}

static void
find_groups (const struct advise_rule *rule, struct advise_search *search,
             advise_stream_fn takes, saved_fn saved, say_fn say)
{
  const struct advise_facts *facts = search->facts;
  GPtrArray *groups = advise_groups (facts, takes, search->explained);

  for (guint i = 0; i < groups->len; i++) {
    const struct advise_group *group = groups->pdata[i];
    struct advise_finding *finding;
    double amount = 0;
    char *code, *memory;

    for (guint k = 0; k < group->streams->len; k++) {
      const struct advise_stream *stream = group->streams->pdata[k];

      amount += stream->cycles * saved (stream);
    }
    /* Blocks that grow again and again are elsewhere each time.  */
    if (!advise_search_is_enough (search, rule, amount)
        || (group->top->memory != NULL
            && advise_search_find (search, "regrowth", group->top->memory,
                                   NULL)))
      continue;
    code = advise_code_text (&group->top->line->code);
    /* Of several types of one site, that of a walk which does not go from
       object to object is not known.  */
    memory = advise_memory_text (group->top->memory,
                                 group->top->pattern == ADVISE_STRIDED
                                   ? walked_object (facts, group->top)
                                   : group->top->object);
    finding = advise_group_finding (group);
    say (facts, group, code, memory, finding);
    if (advise_search_take (search, rule, finding, amount))
      advise_group_explain (group, search->explained);
    g_free (code);
    g_free (memory);
  }
  g_ptr_array_unref (groups);
}

/* ---- Sparse walks ----------------------------------------------------- */

/* The share of visits from which on a field is one that the walks use: what is
   touched once for four visits to others may lie elsewhere.  */
static double
used_share (const struct advise_object *object)
{
  double most = 0;

  for (guint i = 0; object != NULL && i < object->fields->len; i++)
    most = MAX (most,
                g_array_index (object->fields, struct advise_field, i).share);
  return most / 4;
}

/* Bytes that the visits to an object use; 0: unknown.  */
static uint32_t
used_bytes (const struct advise_object *object)
{
  uint32_t bytes = 0;
  char *names = advise_fields_text (object, used_share (object), 1, &bytes);

  g_free (names);
  return bytes;
}

/* Steps up to this many bytes are those of elements.  */
#define ELEMENT_BYTES 256
/* A walk that uses more of the lines it fetches wastes little.  */
#define POOR_USE 0.5

/* Fields that each visit uses another of: the access is all that is known.  */
static uint32_t
used_by (const struct advise_stream *stream)
{
  uint32_t used = used_bytes (stream->object);

  return used > 0 ? used : stream->size;
}

/* Bytes that no field has: to use half of the others is to leave fields
   out.  */
static uint32_t
padding_of (const struct advise_object *object)
{
  uint32_t bytes = 0;

  for (guint i = 0; i < object->fields->len; i++) {
    const struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);

    bytes += advise_field_is_padding (field) ? field->size : 0;
  }
  return MIN (bytes, object->size);
}

static bool
is_sparse (const struct advise_facts *facts,
           const struct advise_stream *stream)
{
  const struct advise_object *object;
  int64_t step = ABS (stream->stride);

  if (stream->pattern != ADVISE_STRIDED || stream->line_use > POOR_USE
      || step < facts->line_size / 2)
    return false;
  object = walked_object (facts, stream);
  if (object != NULL)
    return used_by (stream) * 2 <= object->size - padding_of (object);
  return (stream->object == NULL || stream->object->type == NULL)
         && !is_between_blocks (facts, stream) && step <= ELEMENT_BYTES
         && stream->size > 0
         && 2 * stream->size <= MIN (step, facts->line_size);
}

static void
say_sparse (const struct advise_facts *facts, const struct advise_group *group,
            const char *code, const char *memory,
            struct advise_finding *finding)
{
  const struct advise_stream *top = group->top;
  const struct advise_object *object = walked_object (facts, top);
  uint32_t used = object != NULL ? used_by (top) : top->size;
  /* A walk that leaves out objects is known by these all the same.  */
  int64_t step = object != NULL ? object->size : ABS (top->stride);
  char *names = advise_fields_text (object, used_share (object), 1, NULL);
  char *never = advise_fields_text (object, 0, -1, NULL);

  advise_finding_say (finding,
                      "%s walks %s with stride %" G_GINT64_FORMAT
                      " and uses %" PRIu32 " of each %" G_GINT64_FORMAT
                      " bytes",
                      code, memory, step, used, step);
  if (names != NULL)
    advise_finding_say (finding, " (%s)", names);
  advise_finding_say (finding, ": ");
  say_misses (finding, facts, group->misses);
  advise_finding_say (finding, ".");
  if (never != NULL)
    advise_finding_say (finding, "  Never touched: %s.", never);
  if (names != NULL)
    advise_finding_do (finding,
                       "Keep %s in arrays of their own, or move the other"
                       " fields to a structure of their own",
                       names);
  else
    advise_finding_do (finding, "Store what one walk uses side by side");
  if (used > 0 && used < facts->line_size)
    advise_finding_do (finding,
                       ": a line would hold %" PRIu32
                       " elements instead of %" G_GINT64_FORMAT,
                       facts->line_size / used,
                       MAX (1, (int64_t) facts->line_size / step));
  advise_finding_do (finding, ".");
  finding->accesses = group->accesses;
  if (names != NULL)
    advise_finding_try (finding, "split",
                        advise_fields_where (object, used_share (object), 1));
  else
    try_in_order (group, finding);
  g_free (names);
  g_free (never);
}

void
advise_sparse_walk (const struct advise_rule *rule,
                    struct advise_search *search)
{
  find_groups (rule, search, is_sparse, unused_part, say_sparse);
}

/* ---- Walks across rows ------------------------------------------------ */

/* From one structure in a block of its own to the next: that is not a row of a
   matrix, whose blocks have many elements.  */
static bool
is_between_structures (const struct advise_facts *facts,
                       const struct advise_stream *stream)
{
  const struct advise_object *object = stream->object;

  return object != NULL && object->type != NULL && object->fields->len > 1
         && is_between_blocks (facts, stream);
}

static bool
is_down (const struct advise_facts *facts, const struct advise_stream *stream)
{
  return stream->pattern == ADVISE_STRIDED && !is_by_object (stream)
         && ABS (stream->stride) >= 2 * (int64_t) facts->line_size
         && !is_between_structures (facts, stream);
}

static bool
is_column (const struct advise_facts *facts,
           const struct advise_stream *stream)
{
  return is_down (facts, stream) && stream->line_use <= POOR_USE;
}

/* A result is written for so many elements at most.  A sum of everything
   depends on one register, in which order ever it is made.  */
#define MOST_FOR_RESULT 4096
/* It is written so near to the walk: farther away are other loops.  */
#define RESULT_LINES 2

/* Whether code near the line, of the same loops, writes results.  Where they
   go along consecutive addresses, one for each element, the walk is that of a
   transposition, and an exchange would only change the roles.  */
static bool
has_results (const struct advise_facts *facts,
             const struct advise_stream *walk)
{
  bool is_found = false;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (!stream->is_write || stream->memory == NULL
        || stream->accesses * MOST_FOR_RESULT < walk->accesses
        || !advise_is_near (&walk->line->code, &stream->line->code,
                            RESULT_LINES))
      continue;
    if (stream->pattern == ADVISE_SEQUENTIAL
        && stream->accesses * 2 >= walk->accesses)
      return false;
    is_found = true;
  }
  return is_found;
}

static void
say_column (const struct advise_facts *facts, const struct advise_group *group,
            const char *code, const char *memory,
            struct advise_finding *finding)
{
  advise_finding_say (finding,
                      "%s walks %s in steps of %" G_GINT64_FORMAT
                      " bytes, each to another line: ",
                      code, memory, (gint64) ABS (group->top->stride));
  say_misses (finding, facts, group->misses);
  advise_finding_say (finding, ".");
  advise_finding_do (finding,
                     "Exchange the loops, so that the inner one goes along"
                     " consecutive addresses; where both directions are"
                     " needed, work in blocks of a few lines.");
  finding->accesses = (uint64_t) group->accesses;
  advise_finding_try (finding,
                      has_results (facts, group->top) ? "exchange"
                                                      : "in-order",
                      advise_group_where (group));
}

/* Bytes of a vector that every processor of an architecture has, and of the
   two elements of neighbouring columns that compilers load for an inner loop
   that goes down.  */
#define VECTOR_BYTES 16
/* A loop with a smaller share of the cycles of the run is not reported.  */
#define FITTING_SHARE 0.2
/* Lines between two uses of a line, in the mean, from which on the second is
   one of the next column: less is a row of several instructions, or a block
   that is small on purpose.  */
#define COLUMN_LINES 50

/* A walk down a column whose lines the caches keep until the next column takes
   what is beside: it misses little, but each step loads another line.  */
static bool
is_fitting (const struct advise_facts *facts,
            const struct advise_stream *stream)
{
  return is_down (facts, stream) && stream->line_use > POOR_USE
         && stream->line->is_own && !stream->is_write
         && stream->size > 0 && stream->size <= VECTOR_BYTES
         && facts->has_distances && stream->line->distance >= COLUMN_LINES
         && stream->accesses * 10 >= facts->accesses
         && has_results (facts, stream);
}

static void
find_fitting (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    double cost = (double) stream->line->cycles;
    struct advise_finding *finding;
    char *code, *memory;

    if (!is_fitting (facts, stream) || cost < FITTING_SHARE * facts->cycles
        || g_hash_table_contains (search->explained, stream->line))
      continue;
    finding = advise_finding_new (&stream->line->code, stream->memory);
    code = advise_code_text (&stream->line->code);
    memory = advise_memory_text (stream->memory, NULL);
    advise_finding_say (finding,
                        "%s walks %s in steps of %" G_GINT64_FORMAT
                        " bytes.  The caches keep its lines, but vector"
                        " instructions load elements that are side by side.",
                        code, memory, (gint64) ABS (stream->stride));
    advise_finding_do (finding,
                       "Exchange the loops, so that the inner one goes along"
                       " consecutive addresses: compilers make vector"
                       " instructions of it.");
    finding->accesses = stream->accesses;
    advise_finding_try (finding, "exchange",
                        advise_code_where (&stream->line->code));
    advise_search_take (search, rule, finding, cost);
    g_hash_table_add (search->explained, stream->line);
    g_free (code);
    g_free (memory);
  }
}

void
advise_column_walk (const struct advise_rule *rule,
                    struct advise_search *search)
{
  find_groups (rule, search, is_column, unused_part, say_column);
  find_fitting (rule, search);
}

/* ---- Pointers --------------------------------------------------------- */

/* Of accesses, from which on it matters that they miss.  */
#define MISS_SHARE 0.1

static bool
is_chase (const struct advise_facts *facts, const struct advise_stream *stream)
{
  (void) facts;
  return stream->pattern == ADVISE_CHASING && stream->stride_share < 0.5
         && stream->misses >= MISS_SHARE * (double) stream->accesses;
}

static void
say_chase (const struct advise_facts *facts, const struct advise_group *group,
           const char *code, const char *memory,
           struct advise_finding *finding)
{
  advise_finding_say (finding,
                      "%s follows pointers through %s: each address is known"
                      " only when the access before is done, and ",
                      code, memory);
  say_misses (finding, facts, group->misses);
  advise_finding_say (finding, ", are waited for one after the other.");
  advise_finding_do (finding,
                     "Keep the elements in an array; or allocate them from"
                     " one block in the order in which they are walked; or"
                     " store several in each node.");
  try_in_order (group, finding);
}

void
advise_pointer_chasing (const struct advise_rule *rule,
                        struct advise_search *search)
{
  find_groups (rule, search, is_chase, all_of_it, say_chase);
}

/* ---- No order --------------------------------------------------------- */

/* Who uses more of the lines than this goes along them, piece by piece: as a
   copy does whose ends are of any length.  */
#define SCATTERED_USE 0.75

static bool
is_random (const struct advise_facts *facts,
           const struct advise_stream *stream)
{
  (void) facts;
  return stream->pattern == ADVISE_RANDOM
         && stream->line_use <= SCATTERED_USE
         && stream->misses >= MISS_SHARE * (double) stream->accesses;
}

static void
say_random (const struct advise_facts *facts, const struct advise_group *group,
            const char *code, const char *memory,
            struct advise_finding *finding)
{
  advise_finding_say (finding, "%s accesses %s in no order: ", code, memory);
  say_misses (finding, facts, group->misses);
  advise_finding_say (finding, ".");
  advise_finding_do (finding,
                     "Sort or partition the work so that neighbours are used"
                     " one after the other; make the elements smaller; or"
                     " prefetch what is needed some iterations later, and"
                     " measure the time: no figure here shows a prefetch.");
  try_in_order (group, finding);
}

/* Another order saves no miss of lines that are touched the first time.  */
static double
but_first_touches (const struct advise_stream *stream)
{
  const struct advise_line *line = stream->line;

  return line->misses > line->cold
           ? 1 - (double) line->cold / (double) line->misses : 0;
}

void
advise_random_access (const struct advise_rule *rule,
                      struct advise_search *search)
{
  find_groups (rule, search, is_random, but_first_touches, say_random);
}

/* ---- Again and again -------------------------------------------------- */

/* Nothing is reused before the last level has lost it, and most of it was
   there before.  */
static bool
is_rewalk (const struct advise_facts *facts,
           const struct advise_stream *stream)
{
  const struct advise_line *line = stream->line;

  return (stream->pattern == ADVISE_SEQUENTIAL
          || stream->pattern == ADVISE_STRIDED)
         && facts->has_distances && line->far >= 2 * line->cold
         && line->ll_misses * 2 >= line->misses;
}

static void
say_rewalk (const struct advise_facts *facts, const struct advise_group *group,
            const char *code, const char *memory,
            struct advise_finding *finding)
{
  char *cache = advise_bytes_text (facts->ll_bytes);
  char *count = advise_count_text ((uint64_t) (group->ll_misses + 0.5));

  advise_finding_say (finding,
                      "%s walks %s again when a cache of %s has lost it: %s"
                      " misses of the last level.",
                      code, memory, cache, count);
  advise_finding_do (finding,
                     "Do all work on a part that fits the cache before the"
                     " next part is taken (blocking), or merge the loops that"
                     " walk it.");
  finding->accesses = (uint64_t) group->accesses;
  advise_finding_try (finding, "in-l1", advise_group_where (group));
  g_free (cache);
  g_free (count);
}

void
advise_rewalk (const struct advise_rule *rule, struct advise_search *search)
{
  find_groups (rule, search, is_rewalk, all_of_it, say_rewalk);
}

/* ---- Conflicts, by line ----------------------------------------------- */

/* The stream of a line that most of its misses are of, or NULL.  */
static const struct advise_stream *
main_stream (const struct advise_facts *facts, const struct advise_line *line)
{
  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (stream->line == line)
      return stream;
  }
  return NULL;
}

static struct advise_finding *
line_finding (const struct advise_facts *facts, const struct advise_line *line,
              const char *verb)
{
  const struct advise_stream *stream = main_stream (facts, line);
  const char *memory = stream != NULL ? stream->memory : NULL;
  struct advise_finding *finding = advise_finding_new (&line->code, memory);
  char *code = advise_code_text (&line->code);
  char *name =
    advise_memory_text (memory, stream != NULL ? stream->object : NULL);

  advise_finding_say (finding, "%s %s %s", code, verb, name);
  g_free (code);
  g_free (name);
  return finding;
}

/* Proposes that rows get a line more: those whose length is the stride of a
   walk.  */
static void
try_padding (const struct advise_facts *facts, const struct advise_line *line,
             struct advise_finding *finding)
{
  const struct advise_stream *stream = main_stream (facts, line);
  uint64_t row = stream != NULL ? (uint64_t) ABS (stream->stride) : 0;
  char *memory;

  if (row < 2 * facts->line_size || stream->memory == NULL)
    return;
  memory = advise_memory_where (stream->memory);
  advise_finding_try (finding, "pad",
                      g_strdup_printf ("%s:%" PRIu32 "/%" PRIu64, memory,
                                       facts->line_size, row));
  g_free (memory);
}

void
advise_conflict (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->lines->len && facts->has_distances; i++) {
    struct advise_line *line = facts->lines->pdata[i];
    uint64_t needed = line->cold + line->far;
    struct advise_finding *finding;
    double cost;
    char *count;

    if (!line->is_own || line->misses < 2 * needed
        || line->misses * 4 < line->accesses)
      continue;
    cost = (double) line->memory_cycles * (double) (line->misses - needed)
           / (double) line->misses;
    if (!advise_search_is_enough (search, rule, cost))
      continue;
    finding = line_finding (facts, line, "misses D1 with accesses to");
    count = advise_count_text (line->misses - needed);
    advise_finding_say (finding,
                        ": %s misses that a cache of the same size with full"
                        " associativity would not have.  The lines that are in"
                        " use are in the same few sets of the cache.",
                        count);
    advise_finding_do (finding,
                       "Change the distance between what is used together,"
                       " which is a multiple of a large power of two: pad rows"
                       " by a line, or begin arrays at different offsets.");
    finding->accesses = line->accesses;
    try_padding (facts, line, finding);
    if (advise_search_take (search, rule, finding, cost))
      g_hash_table_add (search->explained, line);
    g_free (count);
  }
}
