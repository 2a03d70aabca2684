/* time_model.c: the processors that execute a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_model.h"

#include <glib.h>

#include "base/error.h"
#include "base/table.h"
#include "time_places.h"

struct executed {          /* a thread that has run */
  uint32_t number, core;   /* core: index in cores */
  uint64_t counted;        /* cycles */
};

struct dg_time_model {
  struct dg_time_code *code;
  struct dg_time_shared shared;
  struct dg_time_places places;
  struct dg_table cores;   /* struct dg_time_core * of these */
  struct dg_table threads; /* struct executed */
  GHashTable *by_number;   /* thread -> index in these + 1 */
  struct executed *latest; /* NULL at first */
};

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
  model->places.log = log;
  model->by_number = g_hash_table_new (NULL, NULL);
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
  for (size_t i = 0; i < model->cores.n; i++)
    dg_time_core_free (((struct dg_time_core **) model->cores.items)[i]);
  dg_table_fini (&model->cores);
  dg_time_places_fini (&model->places);
  dg_table_fini (&model->threads);
  g_hash_table_unref (model->by_number);
  dg_time_code_free (model->code);
  dg_time_shared_fini (&model->shared);
  g_free (model);
}

bool
dg_time_model_knows_code (const struct dg_time_model *model)
{
  return dg_time_code_is_known (model->code);
}

/* ---- Cores ---- */

/* Makes core i, if it is a new one.  */
static int
make_core (struct dg_time_model *model, uint32_t i)
{
  struct dg_time_core **added;

  if (i < model->cores.n)
    return 0;
  added = dg_table_add (&model->cores, sizeof *added);
  if (added == NULL)
    return DG_ERR_NOMEM;
  *added = dg_time_core_new (&model->shared);
  return *added != NULL ? 0 : DG_ERR_NOMEM;
}

static struct executed *
add_thread (struct dg_time_model *model, uint32_t number)
{
  uint32_t core = dg_time_places_take (&model->places, number);
  struct executed *added = dg_table_add (&model->threads, sizeof *added);

  if (core == UINT32_MAX || added == NULL || make_core (model, core) < 0)
    return NULL;
  *added = (struct executed) { .number = number, .core = core };
  g_hash_table_insert (model->by_number, GUINT_TO_POINTER (number),
                       GSIZE_TO_POINTER (model->threads.n));
  return added;
}

/* NULL: it has not run.  */
static struct executed *
thread_of (const struct dg_time_model *model, uint32_t number)
{
  size_t i;

  if (G_LIKELY (model->latest != NULL && model->latest->number == number))
    return model->latest;
  i = GPOINTER_TO_SIZE (
    g_hash_table_lookup (model->by_number, GUINT_TO_POINTER (number)));
  return i > 0 ? (struct executed *) model->threads.items + i - 1 : NULL;
}

struct dg_time_core *
dg_time_model_core (struct dg_time_model *model, uint32_t thread)
{
  struct executed *of =
    thread_of (model, thread) ?: add_thread (model, thread);

  model->latest = of;
  return of != NULL ? ((struct dg_time_core **) model->cores.items)[of->core]
                    : NULL;
}

void
dg_time_model_count (struct dg_time_model *model, uint32_t thread,
                     uint64_t cycles)
{
  struct executed *of = thread_of (model, thread);

  if (of != NULL)
    of->counted += cycles;
}

uint64_t
dg_time_model_counted (const struct dg_time_model *model, uint32_t thread)
{
  const struct executed *of = thread_of (model, thread);

  return of != NULL ? of->counted : 0;
}

/* ---- Runs ---- */

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
