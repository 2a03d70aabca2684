/* arrow_contexts.c: the tables of the code that ran: contexts and functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_rows.h"
#include "base/bisect.h"
#include "base/error.h"
#include "base/lookup.h"

#define NAME (DG_ARROW_NAME | DG_ARROW_NULLABLE)

/* A moment at which code of this superblock was there, for its names: that of
   the chunk which defines it or, if its module is loaded later in this chunk,
   of this.  */
static uint64_t
moment_of (const struct dg_log *log, const struct dg_bbdef *bbdef)
{
  size_t n_chunks, n_modules, i;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n_chunks);
  const struct dg_module *modules = dg_log_modules (log, &n_modules);
  uint64_t address = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0;
  uint64_t start, end;

  i = DG_BISECT (0, n_chunks, k, chunks[k].bbdefs <= bbdef->number);
  start = i > 0 ? chunks[i - 1].icount : 0;
  end = i < n_chunks ? chunks[i].icount : DG_NEVER;
  for (size_t k = 0; k < n_modules; k++)
    if (address - modules[k].text_address < modules[k].text_size
        && modules[k].load_icount < end && modules[k].unload_icount > start)
      return MAX (start, modules[k].load_icount);
  return start;
}

/* ---- contexts ---- */

static const struct dg_arrow_column contexts_columns[] = {
  { "context", "I", 0, "row of this table without limits" },
  { "superblock", "I", 0, "its number" },
  { "address", "L", DG_ARROW_ADDRESS, "of its first instruction" },
  { "instructions", "I", 0, "of the superblock" },
  { "stack", "+l", DG_ARROW_ADDRESS,
    "this address, then call sites, innermost first" },
  { "function", "u", NAME | DG_ARROW_ON_DEMAND, "of its first instruction" },
  { "file", "u", NAME | DG_ARROW_ON_DEMAND, "source file of it" },
  { "line", "I", DG_ARROW_NULLABLE | DG_ARROW_ON_DEMAND, "line of it" },
  { "module", "u", NAME | DG_ARROW_ON_DEMAND, "executable or library" }
};

/* Number of the last dg_log_contexts.  */
static size_t
count_contexts (const struct dg_log *log)
{
  return dg_log_summary (log)->contexts;
}

static bool
wants_names (const struct dg_arrow_row *row)
{
  return row->column[0] || row->column[1] || row->column[2]
         || row->column[3];
}

static int
put_names (struct dg_arrow_asked *asked, const struct dg_bbdef *bbdef,
           struct dg_arrow_row *row, struct dg_error *err)
{
  struct dg_symbols *symbols = dg_arrow_shared_symbols (asked->shared, err);
  struct dg_frame frame = { .line = 0 };

  if (!symbols)
    return DG_ERR_NOMEM;
  if (bbdef->n_instrs > 0)
    dg_symbols_frames (symbols, bbdef->instrs[0].address,
                       moment_of (asked->log, bbdef), &frame, 1);
  dg_arrow_row_text (row, frame.function);
  dg_arrow_row_text (row, frame.file);
  dg_arrow_row_unless (row, frame.line, 0);
  dg_arrow_row_text (row, frame.module);
  return 0;
}

static int
put_context (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
             struct dg_error *err)
{
  const struct dg_context context = dg_log_context (asked->log, i);
  const struct dg_bbdef *bbdef = dg_log_bbdef (asked->log, context.bbdef);
  uint64_t stack[DG_STACK_MAX];
  struct dg_stack list = { .n = 0, .sites = stack };

  /* Symbols are made before there is a part of a row.  */
  if (wants_names (&(struct dg_arrow_row) { row->column + 5 })
      && !dg_arrow_shared_symbols (asked->shared, err))
    return DG_ERR_NOMEM;
  dg_arrow_row_number (row, i);
  dg_arrow_row_number (row, context.bbdef);
  dg_arrow_row_number (row, bbdef->n_instrs > 0 ? bbdef->instrs[0].address
                                                : 0);
  dg_arrow_row_number (row, bbdef->n_instrs);
  if (dg_arrow_row_wants (row)) {
    list.n = dg_log_context_stack (asked->log, i, stack);
    dg_arrow_row_stack (row, &list);
  }
  if (wants_names (row))
    put_names (asked, bbdef, row, err);
  return 1;
}

static const struct dg_arrow_rows contexts_rows
  = { count_contexts, put_context };
DG_ARROW_ROWS_TABLE (contexts, "superblocks with their call stacks", 0);

/* ---- functions ---- */

static const struct dg_arrow_column functions_columns[] = {
  { "function", "u", DG_ARROW_NULLABLE, "null: unknown" },
  { "file", "u", NAME, "source file" },
  { "line", "I", DG_ARROW_NULLABLE, "lowest line that ran" },
  { "module", "u", NAME, "executable or library" },
  { "address", "L", DG_ARROW_ADDRESS, "lowest of its instructions that ran" },
  { "instructions", "L", 0, "different ones that ran" },
  { "bytes", "L", 0, "of these" }
};

struct function {
  const char *function, *file, *module;  /* interned */
  uint32_t line;
  uint64_t address, instructions, bytes;
};

struct functions {
  struct dg_arrow_asked *asked;
  struct dg_table functions;
  struct dg_lookup lookup;         /* of these */
  struct dg_table seen;            /* addresses of instructions */
  struct dg_lookup seen_lookup;
  uint32_t bbdef;                  /* the next to be looked at */
  size_t next;                     /* function to be given */
};

static bool
is_new (struct functions *all, uint64_t address, bool *failed)
{
  uint64_t hash = dg_hash (address), *item;
  struct dg_probe probe = dg_lookup_probe (&all->seen_lookup, hash);
  const uint64_t *seen = all->seen.items;
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (seen[i] == address)
      return false;
  item = dg_lookup_add_item (&all->seen_lookup, hash, &all->seen,
                             sizeof *item);
  if (item)
    *item = address;
  else
    *failed = true;
  return item != NULL;
}

static struct function *
find_function (struct functions *all, const struct dg_frame *frame)
{
  uint64_t hash = dg_hash_add (dg_hash_add (dg_hash ((uintptr_t)
                                                       frame->function),
                                            (uintptr_t) frame->file),
                               (uintptr_t) frame->module);
  struct dg_probe probe = dg_lookup_probe (&all->lookup, hash);
  struct function *functions = all->functions.items, *added;
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (functions[i].function == frame->function
        && functions[i].file == frame->file
        && functions[i].module == frame->module)
      return &functions[i];
  added = dg_lookup_add_item (&all->lookup, hash, &all->functions,
                              sizeof *added);
  if (added)
    *added = (struct function) { frame->function, frame->file, frame->module,
                                 .address = DG_NEVER };
  return added;
}

static int
add_superblock (struct functions *all, const struct dg_bbdef *bbdef,
                struct dg_symbols *symbols, struct dg_error *err)
{
  const struct dg_log *log = all->asked->log;
  uint64_t moment = moment_of (log, bbdef);
  bool failed = false;

  for (unsigned i = 0; i < bbdef->n_instrs && !failed; i++) {
    const struct dg_instr *instr = &bbdef->instrs[i];
    struct function *function;
    struct dg_frame frame;

    if (!is_new (all, instr->address, &failed))
      continue;
    dg_symbols_frames (symbols, instr->address, moment, &frame, 1);
    function = find_function (all, &frame);
    if (!function)
      return dg_error_nomem (err);
    if (frame.line > 0 && (function->line == 0
                           || frame.line < function->line))
      function->line = frame.line;
    function->address = MIN (function->address, instr->address);
    function->instructions++;
    function->bytes += instr->size;
  }
  return failed ? dg_error_nomem (err) : 0;
}

/* Looks at all superblocks, from where it was left.  */
static int
gather (struct functions *all, struct dg_error *err)
{
  struct dg_symbols *symbols
    = dg_arrow_shared_symbols (all->asked->shared, err);
  uint32_t n = dg_log_summary (all->asked->log)->bbdefs;
  int code = symbols ? 0 : DG_ERR_NOMEM;

  for (; all->bbdef < n && code == 0; all->bbdef++) {
    code = dg_progress_pace (&all->asked->progress, all->bbdef, n, err);
    if (code < 0)
      return code;
    code = add_superblock (all, dg_log_bbdef (all->asked->log, all->bbdef),
                           symbols, err);
  }
  return code;
}

static void *
open_functions (struct dg_arrow_asked *asked, struct dg_error *err)
{
  struct functions *all = g_try_new0 (struct functions, 1);

  if (all)
    all->asked = asked;
  else
    dg_error_nomem (err);
  return all;
}

static void
close_functions (void *self)
{
  struct functions *all = self;

  dg_lookup_fini (&all->lookup);
  dg_lookup_fini (&all->seen_lookup);
  dg_table_fini (&all->functions);
  dg_table_fini (&all->seen);
  g_free (all);
}

static ptrdiff_t
next_functions (void *self, struct dg_arrow_array *const *columns, size_t max,
                struct dg_error *err)
{
  struct functions *all = self;
  int code = gather (all, err);
  size_t n = 0;

  if (code < 0)
    return code;
  for (; all->next < all->functions.n && n < max; all->next++) {
    const struct function *function
      = (const struct function *) all->functions.items + all->next;
    struct dg_arrow_row row = { columns };

    if (!dg_arrow_query_has_memory (all->asked, function->address, 1))
      continue;
    dg_arrow_row_text (&row, function->function);
    dg_arrow_row_text (&row, function->file);
    dg_arrow_row_unless (&row, function->line, 0);
    dg_arrow_row_text (&row, function->module);
    dg_arrow_row_number (&row, function->address);
    dg_arrow_row_number (&row, function->instructions);
    dg_arrow_row_number (&row, function->bytes);
    n++;
  }
  return n;
}

static size_t
most_functions (const void *self)
{
  const struct functions *all = self;
  bool is_gathered = all->bbdef == dg_log_summary (all->asked->log)->bbdefs;

  return is_gathered ? all->functions.n - all->next : SIZE_MAX;
}

const struct dg_arrow_source dg_arrow_source_functions = {
  { "functions", "functions of which instructions ran", functions_columns,
    G_N_ELEMENTS (functions_columns), DG_ARROW_ADDRESSES },
  open_functions, NULL, next_functions, close_functions, most_functions
};
