/* cache_callgrind.c: costs of code and calls in callgrind's format.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_callgrind.h"

#include <inttypes.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/shown.h"

/* The figures in the order in which KCachegrind likes them.  */
static const struct { enum dg_cache_event event; const char *name; } events[]
  = { { DG_EV_IR, "Ir" }, { DG_EV_DR, "Dr" }, { DG_EV_DW, "Dw" },
      { DG_EV_I1MR, "I1mr" }, { DG_EV_D1MR, "D1mr" }, { DG_EV_D1MW, "D1mw" },
      { DG_EV_ILMR, "ILmr" }, { DG_EV_DLMR, "DLmr" },
      { DG_EV_DLMW, "DLmw" } };

/* Names are those of dg_symbols: equal ones have one pointer.  */
struct function {
  const char *module, *file, *name;
};

/* Costs at a line of a function, in itself or by calling another.  */
struct cost {
  struct function in;
  const char *file;        /* of the line, which may be inlined */
  uint32_t line;
  struct function to;      /* all NULL, and: */
  bool is_call;
  uint32_t to_line;        /* not part of what costs are distinguished by */
  uint64_t calls, visit;   /* visit: the latest that added to it */
  uint64_t sums[DG_EVENTS_NINE];
};

/* Where an address is.  */
struct place {
  struct function in;
  const char *file;
  uint32_t line, in_line;  /* in_line: of the real function */
};

/* Where a function is entered that was called from some path: at the block
   that is the first to run with these callers.  */
struct entry {
  uint32_t path;
  struct function in;
  uint64_t block;          /* its address */
};

struct dg_cache_callgrind {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  GHashTable *costs;       /* struct cost, a set */
  GHashTable *entries;     /* struct entry, a set */
  GHashTable *places;      /* of an address: struct place */
  uint64_t visits;
};

/* ---- What costs are distinguished by ------------------------------------ */

static guint
hash_cost (gconstpointer item)
{
  const struct cost *cost = item;
  guint hash = cost->line * 2654435761u ^ cost->is_call;

  hash = dg_hash_pointer (hash, cost->in.module);
  hash = dg_hash_pointer (hash, cost->in.name);
  hash = dg_hash_pointer (hash, cost->file);
  hash = dg_hash_pointer (hash, cost->to.module);
  return dg_hash_pointer (hash, cost->to.name);
}

static gboolean
are_functions_equal (const struct function *a, const struct function *b)
{
  return a->module == b->module && a->file == b->file && a->name == b->name;
}

static gboolean
are_costs_equal (gconstpointer a, gconstpointer b)
{
  const struct cost *x = a, *y = b;

  return x->line == y->line && x->file == y->file
         && x->is_call == y->is_call && are_functions_equal (&x->in, &y->in)
         && are_functions_equal (&x->to, &y->to);
}

static guint
hash_entry (gconstpointer item)
{
  const struct entry *entry = item;

  return dg_hash_pointer (entry->path, entry->in.name);
}

static gboolean
are_entries_equal (gconstpointer a, gconstpointer b)
{
  const struct entry *x = a, *y = b;

  return x->path == y->path && are_functions_equal (&x->in, &y->in);
}

/* ---- Gathering -------------------------------------------------------- */

struct dg_cache_callgrind *
dg_cache_callgrind_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_cache_callgrind *out = g_new0 (struct dg_cache_callgrind, 1);

  out->log = log;
  out->symbols = symbols;
  out->costs = g_hash_table_new_full (hash_cost, are_costs_equal, g_free,
                                      NULL);
  out->entries = g_hash_table_new_full (hash_entry, are_entries_equal, g_free,
                                        NULL);
  out->places = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free,
                                       g_free);
  return out;
}

void
dg_cache_callgrind_free (struct dg_cache_callgrind *out)
{
  if (out == NULL)
    return;
  g_hash_table_destroy (out->costs);
  g_hash_table_destroy (out->entries);
  g_hash_table_destroy (out->places);
  g_free (out);
}

#define FRAMES 64

/* Code that is loaded where other code was is taken for that.  */
static const struct place *
find_place (struct dg_cache_callgrind *out, uint64_t address, uint64_t icount)
{
  struct place *place = g_hash_table_lookup (out->places, &address);
  struct dg_frame frames[FRAMES];
  gint64 *key;
  size_t n;

  if (place != NULL)
    return place;
  n = dg_symbols_frames (out->symbols, address, icount, frames, FRAMES);
  place = g_new (struct place, 1);
  *place = (struct place) {
    .in = { frames[n - 1].module, frames[n - 1].file,
            frames[n - 1].function },
    .file = frames[0].file,
    .line = frames[0].line,
    .in_line = frames[n - 1].line
  };
  key = g_new (gint64, 1);
  *key = (gint64) address;
  g_hash_table_insert (out->places, key, place);
  return place;
}

static struct cost *
find_cost (struct dg_cache_callgrind *out, const struct cost *probe)
{
  struct cost *cost = g_hash_table_lookup (out->costs, probe);

  if (cost == NULL) {
    cost = g_memdup2 (probe, sizeof *probe);
    g_hash_table_add (out->costs, cost);
  }
  return cost;
}

static void
add_sums (uint64_t *to, const uint64_t *from)
{
  unsigned i;

  for (i = 0; i < DG_EVENTS_NINE; i++)
    to[i] += from[i];
}

/* The call at stack[depth], which led to what costs so much.  */
static void
add_call (struct dg_cache_callgrind *out, const uint64_t *stack,
          uint64_t icount, uint32_t depth, const uint64_t *sums,
          uint64_t calls)
{
  const struct place *from = find_place (out, stack[depth], icount);
  const struct place *to = find_place (out, stack[depth - 1], icount);
  struct cost probe = {
    .in = from->in, .file = from->file, .line = from->line, .is_call = true,
    .to = to->in, .to_line = to->in_line
  };
  struct cost *cost = find_cost (out, &probe);

  cost->calls += calls;
  if (cost->visit == out->visits)
    return;
  cost->visit = out->visits;
  add_sums (cost->sums, sums);
}

/* Whether the block is where its function was entered: contexts come in the
   order in which they first ran.  */
static bool
is_entry (struct dg_cache_callgrind *out, uint32_t path, uint64_t block,
          const struct place *place)
{
  struct entry probe = { path, place->in, block };
  const struct entry *entry = g_hash_table_lookup (out->entries, &probe);

  if (entry != NULL)
    return entry->block == block;
  g_hash_table_add (out->entries, g_memdup2 (&probe, sizeof probe));
  return true;
}

void
dg_cache_callgrind_add (void *user, uint32_t context, uint64_t icount,
                        const uint64_t *rows, unsigned n)
{
  struct dg_cache_callgrind *out = user;
  const struct dg_context def = dg_log_context (out->log, context);
  const struct dg_bbdef *bbdef = dg_log_bbdef (out->log, def.bbdef);
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack = dg_log_context_stack (out->log, context, stack);
  uint64_t sums[DG_EVENTS_NINE] = { 0 }, calls = 0;
  uint32_t depth;
  unsigned i;

  out->visits++;
  for (i = 0; i < n; i++) {
    const struct place *place
      = find_place (out, bbdef->instrs[i].address, icount);
    struct cost probe = { .in = place->in, .file = place->file,
                          .line = place->line };
    add_sums (find_cost (out, &probe)->sums, rows + i * DG_EVENTS);
    add_sums (sums, rows + i * DG_EVENTS);
  }
  if (n_stack > 1 && n > 0
      && is_entry (out, def.path, stack[0],
                   find_place (out, stack[0], icount)))
    calls = rows[DG_EV_IR];
  for (depth = 1; depth < n_stack; depth++)
    add_call (out, stack, icount, depth, sums, depth == 1 ? calls : 0);
}

/* ---- Writing ---------------------------------------------------------- */

static int
compare_functions (const struct function *a, const struct function *b)
{
  int order = g_strcmp0 (a->module, b->module);

  if (order == 0)
    order = g_strcmp0 (a->file, b->file);
  return order != 0 ? order : g_strcmp0 (a->name, b->name);
}

static gint
compare_costs (gconstpointer a, gconstpointer b)
{
  const struct cost *x = *(const struct cost *const *) a,
                    *y = *(const struct cost *const *) b;

  return compare_functions (&x->in, &y->in)
         ?: DG_COMPARE (x->is_call, y->is_call)
         ?: g_strcmp0 (x->file, y->file)
         ?: DG_COMPARE (x->line, y->line)
         ?: compare_functions (&x->to, &y->to);
}

/* Names are given numbers when they first occur, one series for each kind.  */
struct writer {
  FILE *file;
  GHashTable *names[3];
};
enum { OBJECT = 0, FILE_NAME, FUNCTION };

/* Lines end where they end, whatever a name has in it.  */
static void
write_text (FILE *file, const char *text)
{
  while (*text != '\0') {
    const char *from = text;

    if (dg_shown_next (&text))
      fwrite (from, 1, (size_t) (text - from), file);
    else
      putc ('?', file);
  }
}

static void
write_name (struct writer *writer, const char *what, int kind,
            const char *name)
{
  GHashTable *names = writer->names[kind];
  const char *text = name != NULL ? name : "???";
  gpointer number = g_hash_table_lookup (names, text);

  if (number != NULL) {
    fprintf (writer->file, "%s=(%u)\n", what, GPOINTER_TO_UINT (number));
    return;
  }
  g_hash_table_insert (names, (gpointer) text,
                       GUINT_TO_POINTER (g_hash_table_size (names) + 1));
  fprintf (writer->file, "%s=(%u) ", what, g_hash_table_size (names));
  write_text (writer->file, text);
  fputs ("\n", writer->file);
}

/* Zeros at the end are left out.  */
static void
write_sums (FILE *file, uint32_t line, const uint64_t *sums)
{
  unsigned n = G_N_ELEMENTS (events), i;

  while (n > 0 && sums[events[n - 1].event] == 0)
    n--;
  fprintf (file, "%" PRIu32, line);
  for (i = 0; i < n; i++)
    fprintf (file, " %" PRIu64, sums[events[i].event]);
  fputs ("\n", file);
}

static void
write_cost (struct writer *writer, const struct cost *cost)
{
  if (cost->is_call) {
    write_name (writer, "cob", OBJECT, cost->to.module);
    write_name (writer, "cfi", FILE_NAME, cost->to.file);
    write_name (writer, "cfn", FUNCTION, cost->to.name);
    /* Readers take what was called no time for the caller's own.  */
    fprintf (writer->file, "calls=%" PRIu64 " %" PRIu32 "\n",
             MAX (cost->calls, 1), cost->to_line);
  }
  write_sums (writer->file, cost->line, cost->sums);
}

static void
write_costs (struct writer *writer, const GPtrArray *costs)
{
  const struct cost *before = NULL;
  const char *file = NULL;
  guint i;

  for (i = 0; i < costs->len; i++) {
    const struct cost *cost = costs->pdata[i];
    if (before == NULL || !are_functions_equal (&before->in, &cost->in)) {
      fputs ("\n", writer->file);
      write_name (writer, "ob", OBJECT, cost->in.module);
      write_name (writer, "fl", FILE_NAME, cost->in.file);
      write_name (writer, "fn", FUNCTION, cost->in.name);
      file = cost->in.file;
    }
    if (cost->file != file) {
      file = cost->file;
      write_name (writer, file == cost->in.file ? "fe" : "fi", FILE_NAME,
                  file);
    }
    write_cost (writer, cost);
    before = cost;
  }
}

static void
write_head (const struct dg_cache_callgrind *out, const char *levels,
            const GPtrArray *costs, FILE *file)
{
  const struct dg_process *process = dg_log_process (out->log);
  uint64_t sums[DG_EVENTS_NINE] = { 0 };
  uint32_t i;

  fputs ("# callgrind format\nversion: 1\ncreator: datagrind\n", file);
  if (process != NULL) {
    fprintf (file, "pid: %" PRIu64 "\ncmd:", process->pid);
    for (i = 0; i < process->argc; i++) {
      fputs (" ", file);
      write_text (file, process->argv[i]);
    }
    fputs ("\n", file);
  }
  fputs (levels, file);
  fputs ("positions: line\nevents:", file);
  for (i = 0; i < G_N_ELEMENTS (events); i++)
    fprintf (file, " %s", events[i].name);
  fputs ("\nsummary:", file);
  for (i = 0; i < costs->len; i++)
    if (!((const struct cost *) costs->pdata[i])->is_call)
      add_sums (sums, ((const struct cost *) costs->pdata[i])->sums);
  for (i = 0; i < G_N_ELEMENTS (events); i++)
    fprintf (file, " %" PRIu64, sums[events[i].event]);
  fputs ("\n", file);
}

void
dg_cache_callgrind_write (struct dg_cache_callgrind *out, const char *levels,
                          FILE *file)
{
  struct writer writer = { .file = file };
  GPtrArray *costs = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer item;
  unsigned i;

  g_hash_table_iter_init (&iter, out->costs);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    g_ptr_array_add (costs, item);
  g_ptr_array_sort (costs, compare_costs);
  for (i = 0; i < G_N_ELEMENTS (writer.names); i++)
    writer.names[i] = g_hash_table_new (dg_hash_text, g_str_equal);
  write_head (out, levels, costs, file);
  write_costs (&writer, costs);
  for (i = 0; i < G_N_ELEMENTS (writer.names); i++)
    g_hash_table_destroy (writer.names[i]);
  g_ptr_array_free (costs, TRUE);
}
