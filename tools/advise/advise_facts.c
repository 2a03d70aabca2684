/* advise_facts.c: what analyses found about a run, in the form that rules
   read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_facts.h"

#include "advise_table.h"
#include "base/stack_names.h"

#include <inttypes.h>
#include <string.h>

/* ---- Lines ------------------------------------------------------------ */

static guint
hash_code (gconstpointer key)
{
  const struct advise_code *code = key;
  guint hash = code->line;

  hash = hash * 31 + (code->file != NULL ? dg_hash_text (code->file) : 0);
  return hash * 31
         + (code->function != NULL ? dg_hash_text (code->function) : 0);
}

static gboolean
is_same_code (gconstpointer a, gconstpointer b)
{
  const struct advise_code *x = a, *y = b;

  return x->line == y->line && g_strcmp0 (x->file, y->file) == 0
         && g_strcmp0 (x->function, y->function) == 0
         && g_strcmp0 (x->module, y->module) == 0;
}

bool
advise_module_is_own (const char *module)
{
  static const char *const folders[] = {"/lib", "/usr/lib", NULL};
  const char *slash = module != NULL ? strrchr (module, '/') : NULL;
  const char *base = slash != NULL ? slash + 1 : module;

  /* Those of the system; programs may be there as well.  */
  for (size_t i = 0; module != NULL && folders[i] != NULL; i++)
    if (g_str_has_prefix (module, folders[i])
        && strstr (base, ".so") != NULL)
      return false;
  return module == NULL || !dg_module_is_runtime (module);
}

struct advise_code
advise_facts_code (const struct advise_table *table)
{
  return (struct advise_code) {
    .function = advise_table_text (table, "function"),
    .file = advise_table_text (table, "file"),
    .module = advise_table_text (table, "module"),
    .line = (uint32_t) advise_table_number (table, "line")};
}

static struct advise_line *
line_of (struct advise_facts *facts, const struct advise_code *code)
{
  struct advise_line *line = g_hash_table_lookup (facts->by_code, code);

  if (line == NULL) {
    line = g_new0 (struct advise_line, 1);
    line->code = *code;
    line->is_own = advise_module_is_own (code->module);
    g_hash_table_insert (facts->by_code, &line->code, line);
    g_ptr_array_add (facts->lines, line);
  }
  return line;
}

static void
read_cache (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  advise_table_init (&table, report, "cache", "rows");
  while (advise_table_next (&table)) {
    struct advise_code code = advise_facts_code (&table);
    struct advise_line *line = line_of (facts, &code);

    line->instructions += advise_table_number (&table, "Ir");
    line->fetch_misses += advise_table_number (&table, "I1mr");
    line->fetch_ll_misses += advise_table_number (&table, "ILmr");
    line->accesses += advise_table_number (&table, "Dr")
                      + advise_table_number (&table, "Dw");
    line->misses += advise_table_number (&table, "D1mr")
                    + advise_table_number (&table, "D1mw");
    line->ll_misses += advise_table_number (&table, "DLmr")
                       + advise_table_number (&table, "DLmw");
  }
  advise_table_init (&table, report, "cache", "levels");
  while (advise_table_next (&table)) {
    const char *name = advise_table_text (&table, "name");

    if (g_strcmp0 (name, "D1") == 0) {
      facts->d1_lines = advise_table_number (&table, "entries");
      facts->line_size = (uint32_t) advise_table_number (&table, "line_size");
    } else if (g_strcmp0 (name, "LL") == 0) {
      facts->ll_bytes = advise_table_number (&table, "size");
    }
  }
}

static void
read_reuse (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  facts->has_distances =
    facts->d1_lines > 0
    && advise_table_value (report, "reuse", "far_lines") == facts->d1_lines;
  advise_table_init (&table, report, "reuse", "rows");
  while (advise_table_next (&table)) {
    struct advise_code code = advise_facts_code (&table);
    struct advise_line *line = line_of (facts, &code);

    line->cold += advise_table_number (&table, "cold");
    line->far += advise_table_number (&table, "far");
    line->distance = advise_table_real (&table, "mean");
  }
}

static void
read_time (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  advise_table_init (&table, report, "time", "rows");
  while (advise_table_next (&table)) {
    struct advise_code code = advise_facts_code (&table);
    struct advise_line *line = line_of (facts, &code);

    line->cycles += advise_table_number (&table, "cycles")
                    - advise_table_number (&table, "page_cycles");
    line->memory_cycles += advise_table_number (&table, "memory_cycles");
    line->fetch_cycles += advise_table_number (&table, "fetch_cycles");
    line->forward_cycles += advise_table_number (&table, "forward_cycles");
    line->branch_cycles += advise_table_number (&table, "branch_cycles");
    line->branches += advise_table_number (&table, "branches");
    line->mispredicted += advise_table_number (&table, "mispredictions");
    line->forward_fails += advise_table_number (&table, "forward_fails");
    line->aliases += advise_table_number (&table, "aliases");
  }
}

static void
read_threads (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  advise_table_init (&table, report, "time", "thread_cycles");
  while (advise_table_next (&table)) {
    double cycles = (double) advise_table_number (&table, "cycles");

    g_hash_table_insert (
      facts->thread_cycles,
      GSIZE_TO_POINTER (advise_table_number (&table, "thread")),
      g_memdup2 (&cycles, sizeof cycles));
  }
}

static double
time_value (const struct dg_report *report, const char *key)
{
  return (double) advise_table_value (report, "time", key);
}

static void
read_totals (struct advise_facts *facts, const struct dg_report *report)
{
  facts->instructions = advise_table_value (report, "cache", "Ir");
  facts->accesses = advise_table_value (report, "cache", "Dr")
                    + advise_table_value (report, "cache", "Dw");
  facts->misses = advise_table_value (report, "cache", "D1mr")
                  + advise_table_value (report, "cache", "D1mw");
  facts->ll_misses = advise_table_value (report, "cache", "DLmr")
                     + advise_table_value (report, "cache", "DLmw");
  facts->page_cycles = time_value (report, "page_cycles");
  facts->cycles = time_value (report, "cycles") - facts->page_cycles;
  facts->memory_cycles = time_value (report, "memory_cycles");
  facts->fetch_cycles = time_value (report, "fetch_cycles");
  facts->forward_cycles = time_value (report, "forward_cycles");
  facts->branch_cycles = time_value (report, "branch_cycles");
}

/* ---- Objects ---------------------------------------------------------- */

static void
object_free (void *data)
{
  struct advise_object *object = data;

  g_free (object->type);
  g_array_unref (object->fields);
  g_free (object);
}

/* "TYPE, N bytes, MEMORY", or without the type.  */
static struct advise_object *
object_new (const char *text, uint32_t size, uint64_t visits)
{
  struct advise_object *object = g_new0 (struct advise_object, 1);
  char *part = g_strdup_printf ("%" PRIu32 " bytes, ", size);
  const char *bytes = strstr (text, part);
  char *how;

  object->text = text;
  object->size = size;
  object->visits = visits;
  object->memory = bytes != NULL ? bytes + strlen (part) : text;
  if (bytes != NULL && bytes > text + 1) {
    object->type = g_strndup (text, (gsize) (bytes - text) - 2);
    /* How the type is known is of no interest here.  */
    how = g_strrstr (object->type, " (by ");
    if (how != NULL && g_str_has_suffix (object->type, ")"))
      *how = '\0';
  }
  object->fields = g_array_new (FALSE, FALSE, sizeof (struct advise_field));
  g_free (part);
  return object;
}

static void
read_objects (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_object *object = NULL;
  struct advise_table table;

  advise_table_init (&table, report, "patterns", "fields");
  while (advise_table_next (&table)) {
    uint32_t size = (uint32_t) advise_table_number (&table, "size");
    struct advise_field field = {
      .name = advise_table_text (&table, "field"), .size = size,
      .offset = (uint32_t) advise_table_number (&table, "offset"),
      .reads = advise_table_number (&table, "reads"),
      .writes = advise_table_number (&table, "writes"),
      .share = advise_table_real (&table, "visit_share")};

    if (advise_table_is_empty (&table, "offset")) {
      object = object_new (advise_table_text (&table, "structure"), size,
                           advise_table_number (&table, "visits"));
      g_ptr_array_add (facts->objects, object);
    } else if (object != NULL) {
      g_array_append_val (object->fields, field);
    }
  }
  advise_table_init (&table, report, "patterns", "hints");
  while (advise_table_next (&table)) {
    const char *text = advise_table_text (&table, "structure");

    if (strcmp (advise_table_text (&table, "hint"), "together") != 0)
      continue;
    for (guint i = 0; i < facts->objects->len; i++) {
      object = facts->objects->pdata[i];
      if (strcmp (object->text, text) == 0)
        object->together = advise_table_text (&table, "text");
    }
  }
}

/* Of several objects of one site, the one that is visited most.  */
static GHashTable *
objects_by_memory (const struct advise_facts *facts)
{
  GHashTable *by_memory = g_hash_table_new (dg_hash_text, g_str_equal);

  for (guint i = 0; i < facts->objects->len; i++) {
    struct advise_object *object = facts->objects->pdata[i];
    const struct advise_object *known =
      g_hash_table_lookup (by_memory, object->memory);

    if (known == NULL || object->visits > known->visits)
      g_hash_table_insert (by_memory, (gpointer) object->memory, object);
  }
  return by_memory;
}

/* ---- Streams ---------------------------------------------------------- */

static enum advise_pattern
pattern_of (const char *name)
{
  static const struct {
    const char *name;
    enum advise_pattern pattern;
  } patterns[] = {{"stack", ADVISE_STACK},
                  {"constant", ADVISE_CONSTANT},
                  {"sequential", ADVISE_SEQUENTIAL},
                  {"strided", ADVISE_STRIDED},
                  {"pointer-chasing", ADVISE_CHASING},
                  {"random or pointer-chasing", ADVISE_CHASING},
                  {"gather", ADVISE_RANDOM},
                  {"random", ADVISE_RANDOM}};

  for (size_t i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (g_strcmp0 (name, patterns[i].name) == 0)
      return patterns[i].pattern;
  return ADVISE_OTHER;
}

/* The misses of a line of code are divided by the lines that its streams
   fetch.  Where that is not known, by how many misses they would have in a
   cache that keeps nothing.  */
static double
stream_weight (const struct advise_facts *facts,
               const struct advise_stream *stream)
{
  double line = facts->line_size > 0 ? facts->line_size : 64;

  if (stream->line->fetched > 0)
    return (double) stream->fetched;
  switch (stream->pattern) {
  case ADVISE_STRIDED:
  case ADVISE_SEQUENTIAL:
    return (double) stream->accesses
           * MIN (1, (double) ABS (stream->stride) / line);
  case ADVISE_CHASING:
  case ADVISE_RANDOM:
    return (double) stream->accesses;
  case ADVISE_OTHER:
    return (double) stream->accesses / 10;
  default:
    return (double) stream->accesses / 1000;
  }
}

static int
compare_streams (const void *a, const void *b)
{
  const struct advise_stream *x = a, *y = b;
  double p = x->cycles, q = y->cycles;

  if (p != q)
    return p > q ? -1 : 1;
  if (x->accesses != y->accesses)
    return x->accesses > y->accesses ? -1 : 1;
  return 0;
}

/* What an access of a sample stands for.  */
static double
sample_scale (const struct advise_facts *facts, const struct dg_report *report)
{
  uint64_t n = advise_table_value (report, "patterns", "accesses");
  uint64_t sample = advise_table_value (report, "patterns", "sample");

  return sample > 1 && n > 0 ? (double) facts->accesses / (double) n : 1;
}

static void
add_repeated (struct advise_line *line, const struct advise_stream *stream,
              uint64_t repeated)
{
  if (!stream->is_write) {
    line->repeated_reads += repeated;
    return;
  }
  line->repeated_writes += repeated;
  line->repeated_bytes += repeated * stream->size;
}

/* No miss takes longer, in cycles.  */
#define LONGEST_MISS 1000

/* The line of the same loop that misses most; NULL: none does.  */
static struct advise_line *
missing_line (const struct advise_facts *facts, const struct advise_line *line)
{
  struct advise_line *most = NULL;

  for (guint i = 0; i < facts->lines->len; i++) {
    struct advise_line *other = facts->lines->pdata[i];

    if (advise_is_same_loop (&line->code, &other->code)
        && other->misses > (most != NULL ? most->misses : 0))
      most = other;
  }
  return most;
}

/* A line that waits but does not miss waits for what another line of its loop
   has asked for just before.  */
static void
give_waits (struct advise_facts *facts)
{
  for (guint i = 0; i < facts->lines->len; i++) {
    struct advise_line *line = facts->lines->pdata[i];
    struct advise_line *other = line;

    if (line->memory_cycles > line->misses * LONGEST_MISS)
      other = missing_line (facts, line);
    if (other == NULL)
      other = line;
    other->waits += line->memory_cycles;
  }
}

static void
read_streams (struct advise_facts *facts, const struct dg_report *report)
{
  GHashTable *objects = objects_by_memory (facts);
  double scale = sample_scale (facts, report);
  struct advise_table table;

  advise_table_init (&table, report, "patterns", "rows");
  while (advise_table_next (&table)) {
    struct advise_code code = advise_facts_code (&table);
    struct advise_stream stream = {
      .line = line_of (facts, &code),
      .pattern = pattern_of (advise_table_text (&table, "pattern")),
      .is_write =
        g_strcmp0 (advise_table_text (&table, "access"), "write") == 0,
      .size = (uint32_t) advise_table_number (&table, "size"),
      .stride = (int64_t) advise_table_number (&table, "stride"),
      .stride_share = advise_table_real (&table, "stride_share"),
      .accesses =
        (uint64_t) (scale
                    * (double) advise_table_number (&table, "accesses")),
      .atomic =
        (uint64_t) (scale * (double) advise_table_number (&table, "atomic")),
      .fetched =
        (uint64_t) (scale
                    * (double) advise_table_number (&table, "fetched_lines")),
      .line_use = advise_table_is_empty (&table, "line_use_share")
                    ? 1 : advise_table_real (&table, "line_use_share"),
      .memory = advise_table_text (&table, "variable")};

    if (stream.memory != NULL)
      stream.object = g_hash_table_lookup (objects, stream.memory);
    stream.line->fetched += stream.fetched;
    add_repeated (stream.line, &stream,
                  (uint64_t) (scale
                              * (double) advise_table_number (&table,
                                                              "repeated")));
    g_array_append_val (facts->streams, stream);
  }
  give_waits (facts);
  for (guint i = 0; i < facts->streams->len; i++) {
    struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    stream->line->weight += stream_weight (facts, stream);
  }
  for (guint i = 0; i < facts->streams->len; i++) {
    struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);
    const struct advise_line *line = stream->line;
    double share = line->weight > 0
                     ? stream_weight (facts, stream) / line->weight : 0;

    stream->misses = share * (double) line->misses;
    stream->ll_misses = share * (double) line->ll_misses;
    stream->cycles = share * (double) line->waits;
  }
  g_array_sort (facts->streams, compare_streams);
  g_hash_table_unref (objects);
}

/* ---- Functions -------------------------------------------------------- */

static void
read_functions (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  advise_table_init (&table, report, "calls", "rows");
  while (advise_table_next (&table)) {
    struct advise_function function = {
      .function = advise_table_text (&table, "function"),
      .name = advise_table_text (&table, "name"),
      .module = advise_table_text (&table, "module"),
      .calls = advise_table_number (&table, "calls"),
      .self = advise_table_number (&table, "self_instructions"),
      .inclusive = advise_table_number (&table, "inclusive_instructions"),
      .cycles = advise_table_number (&table, "self_cycles"),
      .inclusive_cycles = advise_table_number (&table, "inclusive_cycles"),
      .l1_misses = advise_table_number (&table, "self_l1_misses"),
      .accesses = advise_table_number (&table, "self_accesses")};

    function.is_own = advise_module_is_own (function.module);
    g_array_append_val (facts->functions, function);
  }
  advise_table_init (&table, report, "calls", "edges");
  while (advise_table_next (&table)) {
    const struct advise_call call = {
      .caller = advise_table_text (&table, "caller"),
      .callee = advise_table_text (&table, "callee"),
      .calls = advise_table_number (&table, "calls")};

    g_array_append_val (facts->calls, call);
  }
}

/* ---- All -------------------------------------------------------------- */

static void
site_free (void *data)
{
  struct advise_site *site = data;

  g_free (site->name);
  g_free (site);
}

void
advise_facts_init (struct advise_facts *facts, const struct dg_report *report)
{
  *facts = (struct advise_facts) {
    .lines = g_ptr_array_new_with_free_func (g_free),
    .by_code = g_hash_table_new (hash_code, is_same_code),
    .streams = g_array_new (FALSE, FALSE, sizeof (struct advise_stream)),
    .objects = g_ptr_array_new_with_free_func (object_free),
    .functions = g_array_new (FALSE, FALSE, sizeof (struct advise_function)),
    .calls = g_array_new (FALSE, FALSE, sizeof (struct advise_call)),
    .thread_cycles = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .shared = g_array_new (FALSE, FALSE, sizeof (struct advise_shared)),
    .contended =
      g_array_new (FALSE, FALSE, sizeof (struct advise_contended)),
    .sites = g_ptr_array_new_with_free_func (site_free),
    .by_site = g_hash_table_new (dg_hash_text, g_str_equal)};
  read_totals (facts, report);
  read_cache (facts, report);
  read_time (facts, report);
  read_threads (facts, report);
  read_reuse (facts, report);
  read_objects (facts, report);
  read_streams (facts, report);
  read_functions (facts, report);
  advise_facts_add_sharing (facts, report);
}

void
advise_facts_fini (struct advise_facts *facts)
{
  g_hash_table_unref (facts->by_code);
  g_ptr_array_unref (facts->lines);
  g_array_unref (facts->streams);
  g_ptr_array_unref (facts->objects);
  g_array_unref (facts->functions);
  g_array_unref (facts->calls);
  g_hash_table_unref (facts->thread_cycles);
  g_array_unref (facts->shared);
  for (guint i = 0; i < facts->contended->len; i++)
    g_hash_table_unref (
      g_array_index (facts->contended, struct advise_contended, i).moves);
  g_array_unref (facts->contended);
  g_hash_table_unref (facts->by_site);
  g_ptr_array_unref (facts->sites);
  stack_names_free (facts->names);
}
