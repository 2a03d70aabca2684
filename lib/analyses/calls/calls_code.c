/* calls_code.c: which superblocks call, jump and return.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_code.h"

#include <string.h>

#include "symbols/code_name.h"
#include "base/bisect.h"
#include "base/error.h"
#include "log/arch.h"
#include "log/log.h"
#include "symbols/sites.h"
#include "symbols/symbols_frames.h"
#include "base/path.h"

#define MAX_CHAIN 64
/* Of the code of a block; of a larger one the end is not known.  */
#define MOST_BYTES 4096

struct calls_code {
  const struct dg_log *log;
  const struct dg_arch *arch;
  struct dg_symbols *symbols;
  GMutex lock;             /* guards all below, and blocks being made */
  struct calls_block *blocks;
  GHashTable *functions;   /* struct function -> itself */
  GHashTable *labels;      /* label -> struct function, the first one */
  GStringChunk *strings;   /* labels, also those that were changed */
  GPtrArray *by_function;  /* struct function */
};

struct function {
  struct calls_function function;
  uint32_t number;
};

/* ---- Tables ---- */

/* Names are interned.  */
static guint
function_hash (gconstpointer item)
{
  const struct calls_function *f = &((const struct function *) item)->function;

  return g_direct_hash (f->name) * 31 ^ g_direct_hash (f->module);
}

static gboolean
function_equal (gconstpointer a, gconstpointer b)
{
  const struct calls_function *x = &((const struct function *) a)->function;
  const struct calls_function *y = &((const struct function *) b)->function;

  return x->name == y->name && x->module == y->module;
}

struct calls_code *
calls_code_new (const struct dg_log *log, struct dg_symbols *symbols,
                struct dg_error *err)
{
  struct calls_code *code = g_new0 (struct calls_code, 1);

  code->log = log;
  code->arch = dg_arch_of (log);
  code->symbols = symbols;
  g_mutex_init (&code->lock);
  code->functions
    = g_hash_table_new_full (function_hash, function_equal, g_free, NULL);
  code->labels = g_hash_table_new (dg_hash_text, g_str_equal);
  code->strings = g_string_chunk_new (4096);
  code->by_function = g_ptr_array_new ();
  code->blocks = g_try_new0 (struct calls_block,
                             dg_log_summary (log)->bbdefs + 1);
  if (code->blocks == NULL) {
    dg_error_nomem (err);
    calls_code_free (code);
    return NULL;
  }
  return code;
}

void
calls_code_free (struct calls_code *code)
{
  if (code == NULL)
    return;
  g_hash_table_unref (code->functions);
  g_ptr_array_unref (code->by_function);
  g_hash_table_unref (code->labels);
  g_string_chunk_free (code->strings);
  g_free (code->blocks);
  g_mutex_clear (&code->lock);
  g_free (code);
}

struct calls_tables
calls_code_tables (const struct calls_code *code)
{
  const struct dg_contents *contents = &code->log->contents;

  return (struct calls_tables){ code->blocks, contents->defs.contexts.items,
                                &contents->paths.nodes };
}

/* ---- Functions ---- */

/* All below: with the lock held.  */

static const char *
keep_label (struct calls_code *code, GString *text)
{
  char *valid = g_utf8_make_valid (text->str, -1);
  const char *label = g_string_chunk_insert (code->strings, valid);

  g_free (valid);
  return label;
}

static void
add_module (struct calls_code *code, struct calls_function *function)
{
  GString *text = g_string_new (function->label);

  if (function->module != NULL && function->name != NULL
      && !dg_code_name_is_made_up (function->name)) {
    g_string_append_printf (text, " (%s)", dg_path_base (function->module));
    function->label = keep_label (code, text);
  }
  g_string_free (text, TRUE);
}

/* Functions of one name in several modules are distinguished.  */
static void
set_label (struct calls_code *code, struct function *function)
{
  GString *text = g_string_new (NULL);
  struct function *first;
  const char *plain;

  dg_code_name_append (text, function->function.name,
                       function->function.module);
  plain = function->function.label = keep_label (code, text);
  g_string_free (text, TRUE);
  first = g_hash_table_lookup (code->labels, plain);
  if (first == NULL) {
    g_hash_table_insert (code->labels, (gpointer) plain, function);
    return;
  }
  if (strcmp (first->function.label, plain) == 0)
    add_module (code, &first->function);
  add_module (code, &function->function);
}

static uint32_t
intern_function (struct calls_code *code, const struct dg_frame *frame)
{
  struct function probe = { .function = { frame->function, frame->module } };
  struct function *function = g_hash_table_lookup (code->functions, &probe);

  if (function == NULL) {
    function = g_new0 (struct function, 1);
    function->function = probe.function;
    set_label (code, function);
    function->number = code->by_function->len;
    g_hash_table_add (code->functions, function);
    g_ptr_array_add (code->by_function, function);
  }
  return function->number;
}

/* A moment at which a block's module was most likely there, the same no matter
   who asks: the end of the chunk in which it was met first.  */
static uint64_t
moment_of (const struct calls_code *code, uint32_t bbdef)
{
  size_t n, low;
  const struct dg_chunk *chunks = dg_log_chunks (code->log, &n);

  low = DG_BISECT (0, n, i, chunks[i].bbdefs <= bbdef);
  if (low < n && chunks[low].icount > 0)
    return chunks[low].icount - 1;
  return dg_log_summary (code->log)->last_icount;
}

/* The function that is not inlined, of an address of a context.  */
static struct dg_frame
real_frame (struct calls_code *code, uint64_t address, uint64_t icount)
{
  struct dg_frame frames[MAX_CHAIN];
  size_t n = dg_symbols_frames (code->symbols, address, icount, frames,
                                MAX_CHAIN);

  return frames[n - 1];
}

size_t
calls_code_functions (struct calls_code *code, uint32_t context,
                      uint64_t address, bool chain, uint32_t *functions,
                      size_t max)
{
  struct dg_frame frames[MAX_CHAIN];
  uint32_t bbdef = dg_log_context (code->log, context).bbdef;
  uint64_t icount = moment_of (code, bbdef);
  size_t n = dg_symbols_frames (code->symbols, address, icount, frames,
                                MAX_CHAIN);
  size_t first = chain ? 0 : n - 1, told = 0;

  g_mutex_lock (&code->lock);
  for (size_t i = first; i < n && told < max; i++)
    functions[told++] = intern_function (code, &frames[i]);
  g_mutex_unlock (&code->lock);
  return told;
}

/* ---- Blocks ---- */

static bool
may_return (struct calls_code *code, const struct dg_bbdef *block,
            const struct dg_instr *last, uint64_t icount)
{
  uint8_t bytes[MOST_BYTES];
  size_t n;

  if (!code->arch->may_return (NULL, last->size))
    return false;
  if (!code->arch->bytes_matter)
    return true;
  n = dg_symbols_bytes (code->symbols, block, icount, bytes, sizeof bytes);
  return code->arch->may_return (n >= last->size ? bytes + n - last->size
                                                 : NULL, last->size);
}

/* The stubs of procedure linkage tables only lead elsewhere: those with a name
   to its function, or to the one without.  That leads to what looks for the
   function, which then leads to it.  */
static uint8_t
flags_of_trampoline (enum dg_symbols_begin begins, const char *function)
{
  bool has_name = function != NULL && !dg_code_name_is_made_up (function);

  if (begins == DG_BEGINS_STUB)
    return has_name ? CALLS_LEADS : CALLS_BINDS;
  if (has_name && g_str_has_prefix (function, "_dl_runtime_resolve"))
    return CALLS_LEADS;
  return 0;
}

static uint8_t
flags_of (struct calls_code *code, const struct dg_bbdef *block,
          const struct dg_frame *frame, uint64_t icount)
{
  const struct dg_instr *last = &block->instrs[block->n_instrs - 1];
  enum dg_symbols_begin begins
    = dg_symbols_begins (code->symbols, block->instrs[0].address, icount);
  uint8_t flags = flags_of_trampoline (begins, frame->function);

  if (begins != DG_BEGINS_NOTHING)
    flags |= CALLS_ENTRY;
  if (may_return (code, block, last, icount))
    flags |= CALLS_MAY_RETURN;
  return flags;
}

/* Names are looked up without the lock: that may take long.  */
void
calls_code_learn (struct calls_code *code, uint32_t number)
{
  const struct dg_bbdef *bbdef = dg_log_bbdef (code->log, number);
  uint64_t icount = moment_of (code, number);
  struct calls_block *known = &code->blocks[number];
  struct calls_block block = { .begin_site = UINT64_MAX,
                               .end_site = UINT64_MAX,
                               .n_instrs
                               = bbdef->repeats != DG_REPEATS_NOT
                                   ? CALLS_REPEATS : bbdef->n_instrs };
  struct dg_frame frame = { 0 };

  if (bbdef->n_instrs > 0) {
    const struct dg_instr *last = &bbdef->instrs[bbdef->n_instrs - 1];

    block.begin_site = bbdef->instrs[0].address - 1;
    block.end_site = last->address + last->size - 1;
    frame = real_frame (code, bbdef->instrs[0].address, icount);
    block.flags = flags_of (code, bbdef, &frame, icount);
  }
  g_mutex_lock (&code->lock);
  if (!known->is_known) {
    known->begin_site = block.begin_site;
    known->end_site = block.end_site;
    known->function = intern_function (code, &frame);
    known->n_instrs = block.n_instrs;
    known->flags = block.flags;
    __atomic_store_n (&known->is_known, 1, __ATOMIC_RELEASE);
  }
  g_mutex_unlock (&code->lock);
}

/* ---- Asking ---- */

uint32_t
calls_code_n_functions (struct calls_code *code)
{
  uint32_t n;

  g_mutex_lock (&code->lock);
  n = code->by_function->len;
  g_mutex_unlock (&code->lock);
  return n;
}

struct calls_function
calls_code_function (struct calls_code *code, uint32_t number)
{
  struct function *function;

  g_mutex_lock (&code->lock);
  function = g_ptr_array_index (code->by_function, number);
  g_mutex_unlock (&code->lock);
  return function->function;
}

int
calls_function_compare (const struct calls_function *a,
                        const struct calls_function *b)
{
  int order = strcmp (a->label, b->label);

  return order != 0 ? order : g_strcmp0 (a->module, b->module);
}
