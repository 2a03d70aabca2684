/* time_model.h: the processors that execute a log: a core for each thread of
   the program, which other threads have when it has ended, and one last-level
   cache for all cores.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_MODEL_H
#define DG_TIME_MODEL_H

#include "time_core.h"

/* Used by one thread at a time.  */
struct dg_time_model;

/* log, symbols and machine must outlive the model.  NULL and *err: no
   memory.  */
struct dg_time_model *dg_time_model_new (const struct dg_log *log,
                                         struct dg_symbols *symbols,
                                         const struct dg_time_machine *machine,
                                         struct dg_error *err);
void dg_time_model_free (struct dg_time_model *model);

/* Whether the model understands the machine code of the log.  */
bool dg_time_model_knows_code (const struct dg_time_model *model);

/* The core of a thread, chosen by the first call, which is made for the first
   of the thread's runs.  NULL: no memory.  */
struct dg_time_core *dg_time_model_core (struct dg_time_model *model,
                                         uint32_t thread);
/* Adds to the cycles of a thread that count; and what they are: 0 if it has
   not run.  */
void dg_time_model_count (struct dg_time_model *model, uint32_t thread,
                          uint64_t cycles);
uint64_t dg_time_model_counted (const struct dg_time_model *model,
                                uint32_t thread);
/* A run that is not executed: dg_time_core_pass.  */
void dg_time_model_pass (struct dg_time_model *model,
                         const struct dg_run *run);
/* The same of data, or of code, at an address, if there is one node.  */
void dg_time_model_pass_data (struct dg_time_model *model, uint64_t address);
void dg_time_model_pass_code (struct dg_time_model *model, uint64_t address);
/* The decoded block of a run.  NULL: no memory.  */
const struct dg_time_block *dg_time_model_block (struct dg_time_model *model,
                                                 const struct dg_run *run);

#endif /* DG_TIME_MODEL_H */
