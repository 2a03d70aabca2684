/* page_run.c: what a page keeps of a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include <stdlib.h>

struct page_run *
page_run_new (void)
{
  struct page_run *run = g_new0 (struct page_run, 1);

  run->sources =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, free);
  run->plot = g_string_new (NULL);
  run->charts = g_string_new (NULL);
  run->tables = g_string_new (NULL);
  return run;
}

void
page_run_free (void *data)
{
  struct page_run *run = data;

  g_free (run->path);
  g_free (run->command);
  g_free (run->cautions);
  g_free (run->program);
  g_free (run->machine);
  if (run->found != NULL)
    g_ptr_array_unref (run->found);
  g_hash_table_unref (run->sources);
  page_flame_free (run->flame);
  g_string_free (run->plot, TRUE);
  g_string_free (run->charts, TRUE);
  g_string_free (run->tables, TRUE);
  dg_report_free (run->report);
  g_free (run);
}
