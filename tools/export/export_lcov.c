/* export_lcov.c: which source lines were executed, and how often, as lcov's
   .info files have it: "SF:FILE", "DA:LINE,COUNT" for each line with code,
   "LF:" and "LH:", how many there are and were executed, "end_of_record".

   A count is that of executions of the line, as compilers count them: the
   most of any instruction of the line, added up over the functions that
   contain it (templates, inlined calls).  Only own code is there, and nothing
   of libraries that all processes have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

#include <inttypes.h>

/* Levels of inlined calls at one instruction, at most.  */
#define MAX_FRAMES 64

struct block {
  uint64_t *counts;        /* of each instruction; NULL: it did not run */
  uint64_t icount;         /* of its first run */
};

/* An instruction, which several blocks may have.  */
struct instr {
  uint64_t address, icount, count;
};

/* A line within a function; names are interned.  */
struct line {
  const char *file, *function;
  uint32_t number;
  uint64_t count;
};

struct lcov {
  struct block *blocks;
  size_t n_blocks;
  struct dg_mine *mine;
  struct dg_symbols *symbols;
  GHashTable *lines;       /* struct line, as key and value */
  GHashTable *modules;     /* names, interned, of executed own code */
  const char *module;      /* whose lines are asked for */
};

/* ---- Counts ------------------------------------------------------------- */

int
export_lcov_begin (struct export *export, struct dg_error *err)
{
  struct lcov *lcov = export->state = g_new0 (struct lcov, 1);

  lcov->n_blocks = dg_log_summary (export->log)->bbdefs;
  lcov->blocks = g_new0 (struct block, lcov->n_blocks + 1);
  lcov->symbols = export->symbols;
  lcov->mine = dg_mine_new (export->log, DG_MINE_SOURCES, err);
  return lcov->mine != NULL ? 0 : DG_ERR_NOMEM;
}

void
export_lcov_put (struct export *export, const struct export_instr *instr)
{
  struct lcov *lcov = export->state;
  const struct dg_bbdef *bbdef = instr->bbdef;
  struct block *block;

  if (bbdef == NULL || instr->is_more)
    return;
  /* All repetitions of rep movs and the like count as one execution.  */
  if (bbdef->repeats != DG_REPEATS_NOT && instr->index + 1 == bbdef->n_instrs
      && (instr->n > 0 || bbdef->repeats == DG_REPEATS_FURTHER))
    return;
  block = &lcov->blocks[bbdef->number];
  if (G_UNLIKELY (block->counts == NULL)) {
    block->counts = g_new0 (uint64_t, bbdef->n_instrs);
    block->icount = instr->icount;
  }
  block->counts[instr->index]++;
}

/* ---- Lines -------------------------------------------------------------- */

static guint
hash_line (gconstpointer key)
{
  const struct line *line = key;

  return g_direct_hash (line->file) * 31 + g_direct_hash (line->function) * 17
         + line->number;
}

static gboolean
is_same_line (gconstpointer one, gconstpointer other)
{
  const struct line *a = one, *b = other;

  return a->file == b->file && a->function == b->function
         && a->number == b->number;
}

static void
add_line (struct lcov *lcov, const char *file, const char *function,
          uint32_t number, uint64_t count)
{
  struct line key = {file, function, number, count};
  struct line *line = g_hash_table_lookup (lcov->lines, &key);

  if (line == NULL)
    g_hash_table_add (lcov->lines, g_memdup2 (&key, sizeof key));
  else
    line->count = MAX (line->count, count);
}

static void
place_instr (gpointer key, gpointer value, gpointer user)
{
  struct lcov *lcov = user;
  const struct instr *instr = value;
  struct dg_frame frames[MAX_FRAMES];
  size_t n = dg_symbols_frames (lcov->symbols, instr->address, instr->icount,
                                frames, MAX_FRAMES);

  (void) key;
  if (frames[0].file == NULL || frames[0].line == 0
      || frames[0].module == NULL || dg_module_is_runtime (frames[0].module)
      || !dg_mine_has (lcov->mine, &frames[0]))
    return;
  add_line (lcov, frames[0].file, frames[n - 1].function, frames[0].line,
            instr->count);
  g_hash_table_add (lcov->modules, (gpointer) frames[0].module);
}

/* The executed instructions, by address.  */
static GHashTable *
add_blocks (const struct lcov *lcov, const struct dg_log *log)
{
  GHashTable *instrs =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL, g_free);

  for (size_t i = 0; i < lcov->n_blocks; i++) {
    const struct block *block = &lcov->blocks[i];
    const struct dg_bbdef *bbdef = dg_log_bbdef (log, (uint32_t) i);

    for (unsigned k = 0; block->counts != NULL && k < bbdef->n_instrs; k++) {
      uint64_t address = bbdef->instrs[k].address;
      struct instr *instr;

      if (block->counts[k] == 0)
        continue;
      instr = g_hash_table_lookup (instrs, &address);
      if (instr == NULL) {
        instr = g_new0 (struct instr, 1);
        *instr = (struct instr) {address, block->icount, 0};
        g_hash_table_insert (instrs, &instr->address, instr);
      }
      instr->count += block->counts[k];
    }
  }
  return instrs;
}

static int
add_unexecuted (void *user, const char *file, uint32_t number)
{
  struct lcov *lcov = user;
  const struct dg_frame frame = {
    .file = file, .line = number, .module = lcov->module};

  if (dg_mine_has (lcov->mine, &frame))
    add_line (lcov, file, NULL, number, 0);
  return 0;
}

static void
collect_lines (struct lcov *lcov, const struct dg_log *log)
{
  GHashTable *instrs = add_blocks (lcov, log);
  GHashTableIter iter;
  gpointer module;

  lcov->lines =
    g_hash_table_new_full (hash_line, is_same_line, g_free, NULL);
  lcov->modules = g_hash_table_new (NULL, NULL);
  g_hash_table_foreach (instrs, place_instr, lcov);
  g_hash_table_unref (instrs);
  g_hash_table_iter_init (&iter, lcov->modules);
  while (g_hash_table_iter_next (&iter, &module, NULL)) {
    lcov->module = module;
    dg_symbols_lines (lcov->symbols, lcov->module, add_unexecuted, lcov);
  }
}

/* ---- The file ----------------------------------------------------------- */

static gint
compare_lines (gconstpointer one, gconstpointer other)
{
  const struct line *a = *(struct line *const *) one,
                    *b = *(struct line *const *) other;
  int by_file = strcmp (a->file, b->file);

  return by_file != 0            ? by_file
         : a->number < b->number ? -1
                                 : a->number > b->number;
}

static const struct line *
line_at (const GPtrArray *lines, guint i)
{
  return i < lines->len ? lines->pdata[i] : NULL;
}

/* Writes the record of one file, whose lines begin at `i`; returns the place
   after them.  */
static guint
write_file (struct output *out, const GPtrArray *lines, guint i)
{
  const struct line *first = line_at (lines, i), *line = first;
  uint64_t n = 0, n_executed = 0;

  output_format (out, "SF:%s\n", first->file);
  while (line != NULL && line->file == first->file) {
    uint32_t number = line->number;
    uint64_t count = 0;

    for (; line != NULL && line->file == first->file
           && line->number == number;
         line = line_at (lines, ++i))
      count += line->count;
    output_format (out, "DA:%" PRIu32 ",%" PRIu64 "\n", number, count);
    n++;
    n_executed += count > 0;
  }
  output_format (out, "LF:%" PRIu64 "\nLH:%" PRIu64 "\nend_of_record\n", n,
                 n_executed);
  return i;
}

int
export_lcov_end (struct export *export)
{
  struct lcov *lcov = export->state;
  GPtrArray *sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer line;

  collect_lines (lcov, export->log);
  g_hash_table_iter_init (&iter, lcov->lines);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    g_ptr_array_add (sorted, line);
  g_ptr_array_sort (sorted, compare_lines);
  output_text (&export->out, "TN:\n");
  for (guint i = 0; i < sorted->len;)
    i = write_file (&export->out, sorted, i);
  if (sorted->len == 0)
    cli_warn ("warning: no source line of the program is known: compile with "
              "-g");
  g_ptr_array_unref (sorted);
  return CLI_OK;
}

void
export_lcov_fini (struct export *export)
{
  struct lcov *lcov = export->state;

  for (size_t i = 0; i < lcov->n_blocks; i++)
    g_free (lcov->blocks[i].counts);
  g_free (lcov->blocks);
  dg_mine_free (lcov->mine);
  if (lcov->lines != NULL) {
    g_hash_table_unref (lcov->lines);
    g_hash_table_unref (lcov->modules);
  }
}
