/* fuzz_light.c: a log as quickly as it can be read: opened, loaded, each run
   and each record read once.  fuzz_checks.c asks for everything; this is for
   numbers of inputs that nothing else could get through.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "fuzz.h"
#include "log/log.h"

/* So that nothing of it is left out.  */
static volatile uint64_t kept;

/* Where they turn out to be damaged, that is told once.  */
static void
read_values (struct dg_reader *reader, const struct dg_run *run)
{
  struct dg_run_values values;

  if (dg_reader_values (reader, &values, NULL) < 0)
    return;
  for (unsigned i = 0; i < run->n_slots; i++)
    for (unsigned k = 0; values.at[i] != DG_NO_VALUE
                         && k < run->bbdef->slots[i].size; k++)
      kept += values.bytes[values.at[i] + k];
}

static void
read_runs (const struct dg_log *log)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_run run;
  bool has_values = dg_log_has_values (log);
  uint64_t runs = 0;
  int code;

  MUST (reader != NULL);
  MUST (!has_values || dg_reader_want_values (reader, NULL) == 0);
  while ((code = dg_reader_run (reader, &run, NULL)) > 0) {
    runs++;
    for (unsigned i = 0; i < run.n_slots; i++)
      kept += run.addresses[run.bbdef->slots[i].entry];
    if (has_values)
      read_values (reader, &run);
  }
  MUST (code == 0 ? runs == dg_log_summary (log)->runs
                  : log->header.is_archive && code == DG_ERR_DAMAGED);
  dg_reader_free (reader);
}

static void
read_records (const struct dg_log *log)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_record record;

  MUST (reader != NULL);
  while (dg_reader_record (reader, &record, NULL) > 0) {
    for (uint32_t i = 0; i < record.n_strings; i++)
      kept += (uint8_t) record.strings[i][0];
    for (uint32_t i = 0; i < record.n_words; i++)
      kept += record.words[i];
  }
  dg_reader_free (reader);
}

void
dg_fuzz_light (const uint8_t *bytes, size_t n)
{
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code = dg_log_open_memory ("fuzz", bytes, n, &log, &err);

  if (code < 0)
    return;
  code = dg_log_load (log, 1, NULL, NULL, &err);
  MUST (code == 0 || code == DG_ERR_DAMAGED || code == DG_ERR_TRUNCATED);
  MUST (code == 0 || err.offset == dg_log_summary (log)->good_bytes);
  read_runs (log);
  read_records (log);
  dg_log_close (log);
}
