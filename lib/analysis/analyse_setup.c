/* analyse_setup.c: what analyses may ask about the command: options, and
   things that they share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis.h"

#include "base/error.h"
#include "base/sized.h"
#include "filter/filter.h"
#include "log/block_window.h"
#include "space/space.h"
#include "variables/variables.h"

/* ---- Shared things ---- */

void
dg_analyse_services_init (struct dg_services *services)
{
  *services = (struct dg_services) { 0 };
  g_mutex_init (&services->mutex);
}

void
dg_analyse_services_fini (struct dg_services *services)
{
  dg_shared_lines_fini (&services->shared_lines);
  dg_variables_free (services->variables);
  dg_mine_free (services->mine);
  dg_symbols_free (services->own_symbols);
  dg_space_free (services->own_space);
  g_mutex_clear (&services->mutex);
}

/* With the mutex held.  */
static struct dg_symbols *
get_symbols (struct dg_services *services, struct dg_error *err)
{
  if (!services->symbols)
    services->symbols = services->options->symbols;
  if (!services->symbols)
    services->symbols = services->own_symbols
      = dg_symbols_new (services->log, NULL, err);
  return services->symbols;
}

/* Likewise.  */
static const struct dg_space *
get_space (struct dg_services *services, struct dg_error *err)
{
  if (!services->space)
    services->space = services->options->space;
  if (!services->space)
    services->space = services->own_space
      = dg_space_build (services->log, services->pace, services->pace_user,
                        err);
  return services->space;
}

struct dg_symbols *
dg_setup_symbols (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_symbols *symbols;

  g_mutex_lock (&setup->services->mutex);
  symbols = get_symbols (setup->services, err);
  g_mutex_unlock (&setup->services->mutex);
  return symbols;
}

const struct dg_space *
dg_setup_space (struct dg_setup *setup, struct dg_error *err)
{
  const struct dg_space *space;

  g_mutex_lock (&setup->services->mutex);
  space = get_space (setup->services, err);
  g_mutex_unlock (&setup->services->mutex);
  return space;
}

struct dg_variables *
dg_setup_variables (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_services *services = setup->services;
  struct dg_variables *variables;
  struct dg_symbols *symbols;
  const struct dg_space *space;
  const struct dg_mine *mine;

  if (dg_setup_mine (setup, &mine, err) < 0)
    return NULL;
  g_mutex_lock (&services->mutex);
  if (!services->variables) {
    symbols = get_symbols (services, err);
    space = symbols ? get_space (services, err) : NULL;
    if (space)
      services->variables
        = dg_variables_new (services->log, symbols, space,
                            services->options->allocators, services->workers,
                            err);
  }
  variables = services->variables;
  if (variables && mine)
    dg_variables_set_mine (variables, mine);
  g_mutex_unlock (&services->mutex);
  return variables;
}

const struct dg_log *
dg_setup_log (const struct dg_setup *setup)
{
  return setup->services->log;
}

unsigned
dg_setup_workers (const struct dg_setup *setup)
{
  return setup->services->workers;
}

uint64_t
dg_setup_top (const struct dg_setup *setup)
{
  return setup->services->options->top;
}

void *
dg_setup_user (const struct dg_setup *setup)
{
  return setup->services->options->user;
}

bool
dg_setup_has_intervals (const struct dg_setup *setup)
{
  const struct dg_analyse_options *options = setup->services->options;

  return options->interval_instructions > 0 || options->interval_ns > 0;
}

bool
dg_setup_is_filtered (const struct dg_setup *setup)
{
  return setup->services->is_filtered || setup->is_apart;
}

bool
dg_setup_has_ranges (const struct dg_setup *setup)
{
  const struct dg_filter *filter = setup->services->options->filter;

  return filter != NULL && dg_filter_has_ranges (filter);
}

bool
dg_setup_is_sampled (const struct dg_setup *setup)
{
  return setup->services->is_sampled;
}

/* ---- Options ---- */

static bool
has_flag (const struct dg_setup *setup, const char *name)
{
  return dg_option_find (setup->analysis->options, name)
         && dg_setup_flag (setup, name);
}

int
dg_setup_mine (struct dg_setup *setup, const struct dg_mine **mine,
               struct dg_error *err)
{
  struct dg_services *services = setup->services;
  bool of_program = has_flag (setup, "program"),
       of_script = has_flag (setup, "script");

  *mine = NULL;
  if (!of_program && !of_script && !has_flag (setup, "mine"))
    return 0;
  g_mutex_lock (&services->mutex);
  if (!services->mine)
    services->mine = dg_mine_new (services->log,
                                  of_script    ? DG_MINE_SCRIPT
                                  : of_program ? DG_MINE_PROGRAM
                                               : DG_MINE_SOURCES, err);
  *mine = services->mine;
  g_mutex_unlock (&services->mutex);
  return *mine ? 0 : DG_ERR_NOMEM;
}

static int
set_option (const struct dg_option *option, const char *text,
            struct dg_choice *choice, struct dg_error *err)
{
  int code = dg_option_parse (option, text, &choice->value, err);

  if (code == 0)
    choice->text = text ? text : "";
  return code;
}

int
dg_setup_init (struct dg_setup *setup, struct dg_services *services,
               const struct dg_analysis *analysis, struct dg_error *err)
{
  const struct dg_analyse_options *options = services->options;
  int code = 0;

  *setup = (struct dg_setup) { .services = services, .analysis = analysis };
  while (analysis->options && analysis->options[setup->n].name)
    setup->n++;
  setup->choices = g_try_new0 (struct dg_choice, setup->n + 1);
  if (!setup->choices)
    return dg_error_nomem (err);
  for (size_t i = 0; i < setup->n && code == 0; i++)
    if (analysis->options[i].fallback)
      code = set_option (&analysis->options[i],
                         analysis->options[i].fallback, &setup->choices[i],
                         err);
  /* The last one counts.  */
  for (size_t i = 0; i < options->n_settings && code == 0; i++) {
    const struct dg_option *option
      = dg_option_find (analysis->options, options->settings[i].name);

    if (option)
      code = set_option (option, options->settings[i].value,
                         &setup->choices[option - analysis->options], err);
  }
  return code;
}

void
dg_setup_fini (struct dg_setup *setup)
{
  g_free (setup->choices);
  setup->choices = NULL;
}

/* Before the log is loaded.  */
static enum dg_blocks
blocks_of (const struct dg_analysis *analysis,
           const struct dg_analyse_options *options)
{
  struct dg_services services = { .options = options };
  struct dg_setup setup;
  enum dg_blocks blocks = DG_BLOCKS_ALL;

  if (dg_setup_init (&setup, &services, analysis, NULL) == 0) {
    if (analysis->needs_blocks != NULL && !analysis->needs_blocks (&setup))
      blocks = DG_BLOCKS_NONE;
    else if (analysis->pass_blocks != NULL)
      blocks = DG_BLOCKS_PASSING;
  }
  dg_setup_fini (&setup);
  return blocks;
}

enum dg_blocks
dg_analyse_blocks (const struct dg_analysis *const *analyses, size_t n,
                   const struct dg_analyse_options *options)
{
  struct dg_analyse_options own;
  enum dg_blocks blocks = DG_BLOCKS_NONE;

  if (DG_SIZED_TAKE (&own, n_settings, options, NULL) < 0
      || (own.filter != NULL && dg_filter_has_ranges (own.filter)))
    return DG_BLOCKS_ALL;
  for (size_t i = 0; i < n && blocks != DG_BLOCKS_ALL; i++) {
    enum dg_blocks more = blocks_of (analyses[i], &own);

    if (more != DG_BLOCKS_NONE)
      blocks = more;
  }
  return blocks;
}

int
dg_setup_pass_no_blocks (void *self, uint64_t icount, struct dg_error *err)
{
  (void) self;
  (void) icount;
  (void) err;
  return 0;
}

int
dg_analyse_go_to (struct dg_services *services, uint64_t icount,
                  struct dg_error *err)
{
  int code = dg_block_window_move (services->log, icount, err);

  if (code == 0 && services->space)
    code = dg_space_follow (services->space, err);
  if (code == 0 && services->variables)
    code = dg_variables_follow (services->variables, err);
  return code;
}

bool
dg_setup_needs_no_blocks (const struct dg_setup *setup)
{
  (void) setup;
  return false;
}

/* ---- Asking ---- */

static const struct dg_choice *
choice_of (const struct dg_setup *setup, const char *name)
{
  const struct dg_option *option = dg_option_find (setup->analysis->options,
                                                   name);

  g_assert (option);
  return &setup->choices[option - setup->analysis->options];
}

bool
dg_setup_has (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->text != NULL;
}

bool
dg_setup_flag (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->text != NULL;
}

uint64_t
dg_setup_number (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->value.number;
}

double
dg_setup_real (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->value.real;
}

const char *
dg_setup_text (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->text;
}
