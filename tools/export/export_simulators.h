/* export_simulators.h: the formats of simulators, for the table of formats.
   What each function does is in export_format.h, how formats look in their
   files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_SIMULATORS_H
#define DG_EXPORT_SIMULATORS_H

#include "export_format.h"

#include "base/cli.h"

/* States of more than one of them.  */
struct export_first {
  uint64_t icount;         /* of the first instruction */
  bool has_begun;
};

/* Instructions since the first one, in units of which `units` are one of the
   format's time: rounded down.  */
static inline uint64_t
export_time (const struct export *export, struct export_first *first,
             uint64_t icount, unsigned units)
{
  if (G_UNLIKELY (!first->has_begun))
    *first = (struct export_first) {.has_begun = true, .icount = icount};
  icount -= first->icount;
  return export->rate == 0
           ? icount * units
           : (uint64_t) ((double) icount * units / export->rate);
}
struct export_simple_o3 {
  uint64_t next_icount;    /* behind the latest one */
  bool has_begun;
};

void export_din_put (struct export *export, const struct export_instr *instr);
void export_din_extended_put (struct export *export,
                              const struct export_instr *instr);

void export_lackey_put (struct export *export,
                        const struct export_instr *instr);

void export_pinatrace_put (struct export *export,
                           const struct export_instr *instr);
int export_pinatrace_end (struct export *export);

void export_loadstore_put (struct export *export,
                           const struct export_instr *instr);
void export_simple_o3_put (struct export *export,
                           const struct export_instr *instr);

void export_dramsim_put (struct export *export,
                         const struct export_instr *instr);

int export_gem5_begin (struct export *export, struct dg_error *err);
void export_gem5_put (struct export *export,
                      const struct export_instr *instr);

int export_oracle_begin (struct export *export, struct dg_error *err);
void export_oracle_put (struct export *export,
                        const struct export_instr *instr);
int export_oracle_end (struct export *export);
void export_oracle_fini (struct export *export);

int export_drmemtrace_begin (struct export *export, struct dg_error *err);
void export_drmemtrace_put (struct export *export,
                            const struct export_instr *instr);
int export_drmemtrace_end (struct export *export);
void export_drmemtrace_fini (struct export *export);

int export_champsim_begin (struct export *export, struct dg_error *err);
void export_champsim_put (struct export *export,
                          const struct export_instr *instr);
int export_champsim_end (struct export *export);
void export_champsim_fini (struct export *export);

/* Not one of a simulator.  */
int export_lcov_begin (struct export *export, struct dg_error *err);
void export_lcov_put (struct export *export, const struct export_instr *instr);
int export_lcov_end (struct export *export);
void export_lcov_fini (struct export *export);

#endif /* DG_EXPORT_SIMULATORS_H */
