/* export_formats.c: the table of formats.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

const struct export_format export_formats[] = {
  {.name = "din",
   .summary = "Dinero's traces",
   .flags = EXPORT_FETCHES,
   .put = export_din_put},
  {.name = "champsim",
   .summary = "ChampSim's traces: instructions, registers, branches",
   .flags = EXPORT_BINARY | EXPORT_INSTRS | EXPORT_ONE_THREAD | EXPORT_CODE,
   .begin = export_champsim_begin,
   .put = export_champsim_put,
   .end = export_champsim_end,
   .fini = export_champsim_fini},
  {.name = "drmemtrace",
   .summary = "the records of DynamoRIO's drmemtrace",
   .flags = EXPORT_BINARY | EXPORT_INSTRS | EXPORT_BYTES | EXPORT_CODE,
   .begin = export_drmemtrace_begin,
   .put = export_drmemtrace_put,
   .end = export_drmemtrace_end,
   .fini = export_drmemtrace_fini},
  {.name = "pinatrace",
   .summary = "the text of Pin's pinatrace",
   .flags = EXPORT_BYTES,
   .put = export_pinatrace_put,
   .end = export_pinatrace_end},
  {.name = "oracle-general",
   .summary = "libCacheSim's oracleGeneral: requests for lines",
   .flags = EXPORT_BINARY | EXPORT_FETCHES,
   .begin = export_oracle_begin,
   .put = export_oracle_put,
   .end = export_oracle_end,
   .fini = export_oracle_fini},
  {.name = "ramulator-loadstore",
   .summary = "Ramulator 2's LoadStoreTrace",
   .flags = EXPORT_FETCHES,
   .put = export_loadstore_put},
  {.name = "ramulator-simpleo3",
   .summary = "Ramulator 2's SimpleO3",
   .state_size = sizeof (struct export_simple_o3),
   .put = export_simple_o3_put},
  {.name = "dramsim3",
   .summary = "DRAMsim3's traces",
   .flags = EXPORT_FETCHES,
   .state_size = sizeof (struct export_first),
   .put = export_dramsim_put},
  {.name = "gem5",
   .summary = "gem5's traces of packets",
   .flags = EXPORT_BINARY | EXPORT_FETCHES,
   .state_size = sizeof (struct export_first),
   .begin = export_gem5_begin,
   .put = export_gem5_put},
  {.name = "speedscope",
   .summary = "calls over time, for speedscope",
   .flags = EXPORT_CALLS,
   .calls_option = "speedscope"},
  {.name = "firefox",
   .summary = "calls over time, for the Firefox Profiler",
   .flags = EXPORT_CALLS,
   .calls_option = "firefox"},
  {.name = "pprof",
   .summary = "call stacks and their costs, for pprof",
   .flags = EXPORT_CALLS | EXPORT_BINARY,
   .calls_option = "pprof"},
  {.name = "perfetto",
   .summary = "calls and events over time, for Perfetto",
   .flags = EXPORT_CALLS | EXPORT_BINARY,
   .calls_option = "perfetto"},
  {.name = NULL}};

const struct export_format *
export_formats_find (const char *name)
{
  const struct export_format *format = export_formats;

  while (format->name != NULL && strcmp (format->name, name) != 0)
    format++;
  return format->name != NULL ? format : NULL;
}
