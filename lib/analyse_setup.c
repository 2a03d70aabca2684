/* analyse_setup.c: what analyses may ask about the command: options, and
   things that they share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "variables.h"

/* ---- Shared things ---- */

void
dg_services_init (struct dg_services *services)
{
  *services = (struct dg_services) { 0 };
  g_mutex_init (&services->mutex);
}

void
dg_services_fini (struct dg_services *services)
{
  dg_variables_free (services->variables);
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

bool
dg_setup_has_intervals (const struct dg_setup *setup)
{
  const struct dg_analyse_options *options = setup->services->options;

  return options->interval_instructions > 0 || options->interval_ns > 0;
}

bool
dg_setup_is_filtered (const struct dg_setup *setup)
{
  return setup->services->is_filtered;
}

/* ---- Parsing ---- */

bool
dg_number_parse (const char *text, uint64_t *number)
{
  static const struct { const char *suffix; uint64_t factor; } factors[] = {
    { "", 1 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 },
    { "ki", 1 << 10 }, { "Mi", 1 << 20 }, { "Gi", 1 << 30 }
  };
  bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  unsigned long long value;
  char *end;

  /* strtoull would take signs and spaces.  */
  if (is_hex ? !g_ascii_isxdigit (text[2]) : !g_ascii_isdigit (text[0]))
    return false;
  errno = 0;
  value = strtoull (text, &end, is_hex ? 16 : 10);
  if (errno == ERANGE)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (factors); i++)
    if (strcmp (end, factors[i].suffix) == 0)
      return !__builtin_mul_overflow (value, factors[i].factor, number);
  return false;
}

/* As it is written everywhere, whatever the locale.  */
static bool
parse_real (const char *text, double *real)
{
  char *end;

  if (!g_ascii_isdigit (text[0]) && text[0] != '.' && text[0] != '-')
    return false;
  *real = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*real);
}

static bool
is_choice (const char *choices, const char *text)
{
  char **names = g_strsplit (choices, ",", -1);
  bool is_one = g_strv_contains ((const char *const *) names, text);

  g_strfreev (names);
  return is_one;
}

static int
set_option (const struct dg_option *option, const char *text,
            struct dg_choice *choice, struct dg_error *err)
{
  const char *fault = NULL;

  if (option->type == DG_OPTION_FLAG) {
    if (text)
      return dg_error_set (err, DG_ERR_INVALID, "--%s takes no value",
                           option->name);
    text = "";
  }
  if (!text)
    return dg_error_set (err, DG_ERR_INVALID, "--%s needs a value",
                         option->name);
  switch (option->type) {
  case DG_OPTION_NUMBER:
    if (!dg_number_parse (text, &choice->number))
      fault = "is no number, such as 4096, 0x1000, 10k or 4Mi";
    break;
  case DG_OPTION_REAL:
    if (!parse_real (text, &choice->real))
      fault = "is no number, such as 0.01";
    break;
  case DG_OPTION_CHOICE:
    if (!is_choice (option->choices, text))
      return dg_error_set (err, DG_ERR_INVALID, "--%s=%s: not one of %s",
                           option->name, text, option->choices);
    break;
  case DG_OPTION_FILE:
    if (*text == '\0')
      fault = "is no file";
    break;
  default:
    break;
  }
  if (fault)
    return dg_error_set (err, DG_ERR_INVALID, "--%s: '%s' %s", option->name,
                         text, fault);
  choice->text = text;
  return 0;
}

static size_t
find_option (const struct dg_analysis *analysis, const char *name)
{
  size_t i = 0;

  while (analysis->options && analysis->options[i].name) {
    if (strcmp (analysis->options[i].name, name) == 0)
      return i;
    i++;
  }
  return SIZE_MAX;
}

bool
dg_analysis_has_option (const struct dg_analysis *analysis, const char *name)
{
  return find_option (analysis, name) != SIZE_MAX;
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
    size_t at = find_option (analysis, options->settings[i].name);

    if (at != SIZE_MAX)
      code = set_option (&analysis->options[at], options->settings[i].value,
                         &setup->choices[at], err);
  }
  return code;
}

void
dg_setup_fini (struct dg_setup *setup)
{
  g_free (setup->choices);
  setup->choices = NULL;
}

/* ---- Asking ---- */

static const struct dg_choice *
choice_of (const struct dg_setup *setup, const char *option)
{
  size_t i = find_option (setup->analysis, option);

  g_assert (i != SIZE_MAX);
  return &setup->choices[i];
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
  return choice_of (setup, option)->number;
}

double
dg_setup_real (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->real;
}

const char *
dg_setup_text (const struct dg_setup *setup, const char *option)
{
  return choice_of (setup, option)->text;
}
