/* fake_log.h: a log that a test fills by hand.

   Stands in for lib/log.c, so that symbols, space and filter are tested
   with timelines that no recorder would write.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FAKE_LOG_H
#define DG_FAKE_LOG_H

#include "libdatagrind.h"

struct dg_log {
  struct dg_header header;
  struct dg_process *process; /* or NULL */
  struct dg_summary summary;
  struct dg_block *blocks;
  size_t n_blocks;
  struct dg_range *ranges;
  size_t n_ranges;
  struct dg_event *events;
  size_t n_events;
  struct dg_thread *threads;
  size_t n_threads;
  struct dg_module *modules;
  size_t n_modules;
  struct dg_thread_local *thread_locals;
  size_t n_thread_locals;
  struct dg_code_name *code_names;
  size_t n_code_names;
  struct dg_mapping *mappings;
  size_t n_mappings;
  struct dg_bbdef *bbdefs;
  struct dg_context *contexts;
  struct dg_call_path *paths;
  size_t n_paths;
  struct dg_run *runs; /* summary.runs of them */
};

#endif /* DG_FAKE_LOG_H */
