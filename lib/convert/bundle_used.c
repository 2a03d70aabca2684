/* bundle_used.c: which addresses of a log names are asked for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bundle_used.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

#define LINE_SHIFT 6

static void
add_code (GArray *code, const struct dg_log *log)
{
  uint64_t n = dg_log_summary (log)->bbdefs;
  uint32_t n_paths = dg_log_n_call_paths (log);

  for (uint64_t i = 0; i < n; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (log, (uint32_t) i);

    for (unsigned k = 0; k < bbdef->n_instrs; k++)
      g_array_append_val (code, bbdef->instrs[k].address);
  }
  for (uint32_t i = 1; i < n_paths; i++) {
    uint64_t site = dg_log_call_path (log, i).site;

    g_array_append_val (code, site);
  }
}

/* Each once.  */
static void
put_in_order (GArray *code)
{
  uint64_t *all = (uint64_t *) (void *) code->data;
  guint n = 0;

  g_array_sort (code, dg_compare_u64);
  for (guint i = 0; i < code->len; i++)
    if (n == 0 || all[n - 1] != all[i])
      all[n++] = all[i];
  g_array_set_size (code, n);
}

static void
add_types (GPtrArray *types, const struct dg_log *log)
{
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (log, &n);
  GHashTable *seen = g_hash_table_new (dg_hash_text, g_str_equal);

  for (size_t i = 0; i < n; i++)
    if (ranges[i].type[0] != '\0'
        && g_hash_table_add (seen, (gpointer) ranges[i].type))
      g_ptr_array_add (types, (gpointer) ranges[i].type);
  g_hash_table_unref (seen);
}

static int
find_lines (struct dg_bundle_used *used, const struct dg_log *log,
            dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dg_index *index;
  int code = dg_index_open (log, &index, err);

  if (code < 0)
    code = dg_index_build (log, NULL, 0, progress, user, &index, err);
  if (code < 0)
    return code;
  code = dg_index_pages (index, LINE_SHIFT, &used->lines, &used->used.n_lines,
                         err);
  dg_index_close (index);
  return code;
}

int
dg_bundle_used_init (struct dg_bundle_used *used, const struct dg_log *log,
                     dg_progress_fn progress, void *user, struct dg_error *err)
{
  int code;

  memset (used, 0, sizeof *used);
  used->code = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  add_code (used->code, log);
  put_in_order (used->code);
  used->types = g_ptr_array_new ();
  add_types (used->types, log);
  code = find_lines (used, log, progress, user, err);
  used->used.code = (const uint64_t *) (void *) used->code->data;
  used->used.n_code = used->code->len;
  used->used.lines = used->lines;
  used->used.types = (const char *const *) used->types->pdata;
  used->used.n_types = used->types->len;
  return code;
}

void
dg_bundle_used_fini (struct dg_bundle_used *used)
{
  if (used->code != NULL)
    g_array_unref (used->code);
  if (used->types != NULL)
    g_ptr_array_unref (used->types);
  free (used->lines);
  memset (used, 0, sizeof *used);
}
