/* site_lines.c: distinguishes allocation sites on the same line.

   What shares a line is known when all sites of the log are, so these are
   listed when the first one is named; that takes a look-up for each code
   address that stands in a stack that allocates.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "site_lines.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "dg_record.h"
#include "symbols_scopes.h"
#include "base/compare.h"
#include "base/path.h"
#include "log/log_births.h"
#include "site_frames.h"

/* The most frames that one code address has, and that a stack has.  */
#define MOST_FRAMES 16
#define MOST_LEVELS (DG_HEAP_STACK * MOST_FRAMES)

/* A call that stands in a line; texts are interned.  */
struct call {
  const char *module;
  uint64_t offset;         /* in the module */
  uint32_t depth;          /* see struct dg_site_frame */
  bool is_outer;           /* calls something that allocates; else a site */
  /* What it shares with others: */
  const char *function, *file;
  uint32_t line, column;
  uint64_t scope;          /* the function, or the inlined call, it is in */
  uint64_t inner;          /* what it calls, if that is inlined there; else the
                              offset: of one inlined call, all is one */
  /* What is told of it; 0: nothing.  */
  uint32_t told_column, told_call, told_folders;
};

struct dg_site_lines {
  const struct dg_log *log;
  size_t levels;
  GMutex lock;             /* while it is made */
  gint is_made;            /* atomic: what follows is set, for good */
  GHashTable *calls;       /* struct call, of those that something is told of;
                              NULL: there are none */
};

struct dg_site_lines *
dg_site_lines_new (const struct dg_log *log, uint32_t levels)
{
  struct dg_site_lines *lines = g_new0 (struct dg_site_lines, 1);

  lines->log = log;
  lines->levels = CLAMP (levels, 1, MOST_LEVELS);
  g_mutex_init (&lines->lock);
  return lines;
}

void
dg_site_lines_free (struct dg_site_lines *lines)
{
  if (lines == NULL)
    return;
  if (lines->calls != NULL)
    g_hash_table_unref (lines->calls);
  g_mutex_clear (&lines->lock);
  g_free (lines);
}

/* ---- All calls of the log --------------------------------------------- */

static guint
hash_call (gconstpointer data)
{
  const struct call *call = data;
  uint64_t bits = (uint64_t) (uintptr_t) call->module ^ call->offset;

  bits = (bits + call->depth * 2 + call->is_outer)
         * UINT64_C (0x9e3779b97f4a7c15);
  return (guint) (bits >> 32);
}

static gboolean
equal_calls (gconstpointer a, gconstpointer b)
{
  const struct call *x = a, *y = b;

  return x->offset == y->offset && x->module == y->module
         && x->depth == y->depth && x->is_outer == y->is_outer;
}

static struct call
call_of (const struct dg_site_frame *frame, bool is_outer)
{
  return (struct call){.module = frame->frame.module,
                       .offset = frame->frame.module_offset,
                       .depth = frame->depth, .is_outer = is_outer};
}

static void
add_call (GHashTable *calls, struct dg_symbols *symbols,
          const struct dg_site_frame *from, uint64_t icount, bool is_outer)
{
  const struct dg_frame *frame = &from->frame;
  struct call call = call_of (from, is_outer);
  uint64_t scopes[MOST_FRAMES];
  size_t n;

  /* Without these, nobody is told of a line.  */
  if (frame->module == NULL || frame->function == NULL || frame->file == NULL
      || frame->line == 0 || g_hash_table_contains (calls, &call))
    return;
  n = dg_symbols_scopes (symbols, from->address, icount, scopes, MOST_FRAMES);
  call.function = frame->function;
  call.file = frame->file;
  call.line = frame->line;
  call.column = frame->column;
  call.scope = from->depth < n ? scopes[from->depth] : 0;
  call.inner = from->depth > 0 && from->depth < n ? scopes[from->depth - 1]
                                                  : call.offset;
  g_hash_table_add (calls, g_memdup2 (&call, sizeof call));
}

/* Stacks are kept once each, so that their sites are at an address of their
   own.  */
static GHashTable *
list_calls (const struct dg_site_lines *lines,
            const struct dg_site_options *how)
{
  const struct dg_log *log = lines->log;
  GHashTable *calls =
    g_hash_table_new_full (hash_call, equal_calls, g_free, NULL);
  GHashTable *stacks = g_hash_table_new (NULL, NULL);
  struct dg_site_frame *frames = g_new (struct dg_site_frame, lines->levels);
  struct dg_site_options plain = *how;
  struct dg_log_birth birth;

  plain.lines = NULL;
  for (size_t i = 0; dg_log_first_birth (log, i, &birth); i++) {
    size_t n;

    if (!g_hash_table_add (stacks, (gpointer) birth.stack.sites))
      continue;
    n = dg_site_frames_list (&plain, &birth.stack, birth.icount,
                             dg_site_is_call (birth.allocator), frames,
                             lines->levels);
    for (size_t k = 0; k < n; k++)
      add_call (calls, how->symbols, &frames[k], birth.icount, k > 0);
  }
  g_free (frames);
  g_hash_table_unref (stacks);
  return calls;
}

/* ---- Which of them share a line --------------------------------------- */

static int
compare_lines (const struct call *x, const struct call *y)
{
  return DG_COMPARE ((uintptr_t) x->function, (uintptr_t) y->function)
         ?: DG_COMPARE ((uintptr_t) x->file, (uintptr_t) y->file)
         ?: DG_COMPARE (x->line, y->line)
         ?: x->is_outer - y->is_outer;
}

static gint
compare_calls (gconstpointer a, gconstpointer b)
{
  const struct call *x = *(struct call *const *) a,
                    *y = *(struct call *const *) b;

  return compare_lines (x, y)
         ?: DG_COMPARE (x->column, y->column)
         ?: DG_COMPARE ((uintptr_t) x->module, (uintptr_t) y->module)
         ?: DG_COMPARE (x->scope, y->scope)
         ?: DG_COMPARE (x->offset, y->offset);
}

/* Numbers the calls of one line and column, by address; a function that is
   inlined in several places, or is in several modules, has the same calls in
   each.  One that has no other keeps 0.  */
static void
number_calls (struct call **calls, size_t n)
{
  GHashTable *numbers = g_hash_table_new (dg_hash_uint64, g_int64_equal);
  guint most = 0;

  for (size_t i = 0; i < n; i++) {
    guint number;

    if (i > 0 && (calls[i]->scope != calls[i - 1]->scope
                  || calls[i]->module != calls[i - 1]->module))
      g_hash_table_remove_all (numbers);
    number = GPOINTER_TO_UINT (
      g_hash_table_lookup (numbers, &calls[i]->inner));
    if (number == 0) {
      number = g_hash_table_size (numbers) + 1;
      g_hash_table_insert (numbers, &calls[i]->inner,
                           GUINT_TO_POINTER (number));
    }
    calls[i]->told_call = number;
    most = MAX (most, number);
  }
  for (size_t i = 0; i < n && most < 2; i++)
    calls[i]->told_call = 0;
  g_hash_table_unref (numbers);
}

/* Those of one line.  */
static void
tell_apart (struct call **calls, size_t n)
{
  bool has_columns = calls[0]->column != calls[n - 1]->column;

  for (size_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && calls[end]->column == calls[i]->column; end++)
      if (has_columns)
        calls[end]->told_column = calls[end]->column;
    number_calls (calls + i, end - i);
  }
}

static gboolean
is_alone (gpointer key, gpointer value, gpointer user)
{
  const struct call *call = key;

  (void) value;
  (void) user;
  return call->told_column == 0 && call->told_call == 0
         && call->told_folders == 0;
}

/* ---- Files of one name ------------------------------------------------ */

/* Paths are looked over to that depth; those that differ only above it are
   shown so far.  */
#define MOST_FOLDERS 32

static int
compare_bases (const struct call *x, const struct call *y)
{
  return DG_COMPARE ((uintptr_t) x->function, (uintptr_t) y->function)
         ?: DG_COMPARE (x->line, y->line)
         ?: x->is_outer - y->is_outer
         ?: strcmp (dg_path_base (x->file), dg_path_base (y->file));
}

static gint
compare_files (gconstpointer a, gconstpointer b)
{
  const struct call *x = *(struct call *const *) a,
                    *y = *(struct call *const *) b;

  return compare_bases (x, y)
           ?: DG_COMPARE ((uintptr_t) x->file, (uintptr_t) y->file);
}

/* Functions of one name, on equal lines of files of one name: so many folders
   in front of these as it takes.  */
static void
tell_folders (struct call **calls, size_t n)
{
  GHashTable *tails = g_hash_table_new (dg_hash_text, g_str_equal);
  uint32_t folders = 0;
  bool is_apart = calls[0]->file == calls[n - 1]->file;

  while (!is_apart && folders < MOST_FOLDERS) {
    is_apart = true;
    folders++;
    g_hash_table_remove_all (tails);
    for (size_t i = 0; i < n && is_apart; i++)
      if (i == 0 || calls[i]->file != calls[i - 1]->file)
        is_apart = g_hash_table_add (
          tails, (gpointer) dg_path_tail (calls[i]->file, folders));
  }
  for (size_t i = 0; i < n; i++)
    calls[i]->told_folders = folders;
  g_hash_table_unref (tails);
}

/* Calls `tell` for all that are equal.  */
static void
for_each (struct call **all, size_t n, GCompareFunc order,
          int (*compare_groups) (const struct call *, const struct call *),
          void (*tell) (struct call **, size_t))
{
  qsort (all, n, sizeof all[0], order);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && compare_groups (all[i], all[end]) == 0; end++)
      ;
    tell (all + i, end - i);
  }
}

static void
make (struct dg_site_lines *lines, const struct dg_site_options *how)
{
  GHashTable *calls = list_calls (lines, how);
  guint n;
  struct call **all =
    (struct call **) g_hash_table_get_keys_as_array (calls, &n);

  for_each (all, n, compare_calls, compare_lines, tell_apart);
  for_each (all, n, compare_files, compare_bases, tell_folders);
  g_free (all);
  g_hash_table_foreach_remove (calls, is_alone, NULL);
  if (g_hash_table_size (calls) > 0)
    lines->calls = calls;
  else
    g_hash_table_unref (calls);
}

/* ---- Telling ---------------------------------------------------------- */

void
dg_site_lines_tell (const struct dg_site_options *how,
                    struct dg_site_frame *frames, size_t n)
{
  struct dg_site_lines *lines = how->lines;

  if (how->symbols == NULL)
    return;
  if (!g_atomic_int_get (&lines->is_made)) {
    g_mutex_lock (&lines->lock);
    if (!g_atomic_int_get (&lines->is_made)) {
      make (lines, how);
      g_atomic_int_set (&lines->is_made, 1);
    }
    g_mutex_unlock (&lines->lock);
  }
  for (size_t i = 0; lines->calls != NULL && i < n; i++) {
    const struct call key = call_of (&frames[i], i > 0);
    const struct call *call = g_hash_table_lookup (lines->calls, &key);

    if (call != NULL) {
      frames[i].column = call->told_column;
      frames[i].call = call->told_call;
      frames[i].folders = call->told_folders;
    }
  }
}
