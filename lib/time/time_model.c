/* time_model.c: the processors that execute a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_model.h"

#include <glib.h>

#include "base/error.h"

struct dg_time_model {
  struct dg_time_code *code;
  struct dg_time_shared shared;
  GHashTable *cores;       /* thread -> dg_time_core */
  uint32_t latest_thread;
  struct dg_time_core *latest;           /* its core; NULL at first */
};

static void
free_core (gpointer core)
{
  dg_time_core_free (core);
}

struct dg_time_model *
dg_time_model_new (const struct dg_log *log, struct dg_symbols *symbols,
                   const struct dg_time_machine *machine,
                   struct dg_error *err)
{
  struct dg_time_model *model = g_try_new0 (struct dg_time_model, 1);

  if (model == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  model->cores = g_hash_table_new_full (NULL, NULL, NULL, free_core);
  if (dg_time_shared_init (&model->shared, machine) < 0)
    dg_error_nomem (err);
  else
    model->code = dg_time_code_new (log, symbols, machine, err);
  if (model->code != NULL)
    return model;
  dg_time_model_free (model);
  return NULL;
}

void
dg_time_model_free (struct dg_time_model *model)
{
  if (model == NULL)
    return;
  g_hash_table_unref (model->cores);
  dg_time_code_free (model->code);
  dg_time_shared_fini (&model->shared);
  g_free (model);
}

bool
dg_time_model_knows_code (const struct dg_time_model *model)
{
  return dg_time_code_is_known (model->code);
}

struct dg_time_core *
dg_time_model_core (struct dg_time_model *model, uint32_t thread)
{
  gpointer key = GUINT_TO_POINTER (thread);
  struct dg_time_core *core = model->latest;

  if (G_LIKELY (core != NULL && model->latest_thread == thread))
    return core;
  core = g_hash_table_lookup (model->cores, key);
  if (core == NULL) {
    core = dg_time_core_new (&model->shared);
    if (core != NULL)
      g_hash_table_insert (model->cores, key, core);
  }
  model->latest_thread = thread;
  model->latest = core;
  return core;
}

uint64_t
dg_time_model_counted (const struct dg_time_model *model, uint32_t thread)
{
  const struct dg_time_core *core =
    g_hash_table_lookup (model->cores, GUINT_TO_POINTER (thread));

  return core != NULL ? dg_time_core_counted (core) : 0;
}

void
dg_time_model_pass (struct dg_time_model *model, const struct dg_run *run)
{
  struct dg_time_core *core = dg_time_model_core (model, run->thread);

  if (core != NULL)
    dg_time_core_pass (core, run);
}

void
dg_time_model_pass_data (struct dg_time_model *model, uint64_t address)
{
  dg_time_shared_pass_data (&model->shared, address);
}

void
dg_time_model_pass_code (struct dg_time_model *model, uint64_t address)
{
  dg_time_shared_pass_code (&model->shared, address);
}

const struct dg_time_block *
dg_time_model_block (struct dg_time_model *model, const struct dg_run *run)
{
  return dg_time_code_block (model->code, run->bbdef, run->icount);
}
