/* heap_options.c: options of `dg heap` that are more than a word or a number:
   Massif's, as Massif takes them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_parts.h"

#include "base/moment.h"
#include "base/output.h"
#include "base/printable.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Values ----------------------------------------------------------- */

static bool
parse_yes (const char *text, bool *yes)
{
  if (text == NULL)
    return true;
  *yes = strcmp (text, "yes") == 0;
  return *yes || strcmp (text, "no") == 0;
}

static bool
parse_percent (const char *text, double most, double *percent)
{
  if (text == NULL)
    return true;
  return dg_number_parse_real (text, percent) && *percent >= 0
         && *percent <= most;
}

static bool
parse_unit (const char *text, enum dg_massif_time *unit)
{
  if (text == NULL)
    return true;
  for (unsigned i = DG_MASSIF_TIME_I; i <= DG_MASSIF_TIME_B; i++)
    if (strcmp (text, dg_massif_time_name ((enum dg_massif_time) i)) == 0) {
      *unit = (enum dg_massif_time) i;
      return true;
    }
  return false;
}

static bool
is_within (gint value, guint least, guint most, uint32_t *out)
{
  *out = (uint32_t) value;
  return value >= 0 && (guint) value >= least && (guint) value <= most;
}

/* NULL, or the option that is wrong and what it takes.  */
static const char *
set_massif (const struct heap_typed *t, struct dg_massif_options *o)
{
  if (!parse_yes (t->heap, &o->heap))
    return "--heap must be yes or no";
  if (!parse_yes (t->stacks, &o->stacks))
    return "--stacks must be yes or no";
  if (!parse_yes (t->pages_as_heap, &o->pages_as_heap))
    return "--pages-as-heap must be yes or no";
  if (!is_within (t->heap_admin, 0, DG_MASSIF_MAX_ADMIN, &o->heap_admin))
    return "--heap-admin must be from 0 to 1024";
  if (!is_within (t->depth, 1, DG_MASSIF_MAX_DEPTH, &o->depth))
    return "--depth must be from 1 to 200";
  if (!is_within (t->detailed_freq, 1, DG_MASSIF_MAX_FREQ,
                  &o->detailed_freq))
    return "--detailed-freq must be from 1 to 1000000";
  if (!is_within (t->max_snapshots, DG_MASSIF_MIN_SNAPSHOTS,
                  DG_MASSIF_MAX_SNAPSHOTS, &o->max_snapshots))
    return "--max-snapshots must be from 10 to 1000";
  if (!parse_percent (t->threshold, 100, &o->threshold))
    return "--threshold must be a percentage from 0 to 100";
  if (!parse_percent (t->peak_inaccuracy, 1e9, &o->peak_inaccuracy))
    return "--peak-inaccuracy must be a percentage";
  if (!parse_unit (t->time_unit, &o->time_unit))
    return "--time-unit must be one of i, ms, B";
  if (o->stacks && o->pages_as_heap && o->heap)
    return "--stacks and --pages-as-heap exclude each other";
  return NULL;
}

enum {
  TO_FILE = 1, TO_PRINT = 2, TO_TABLES = 4, TO_RENDER = 8, TO_DHAT = 16,
  TO_FOLDED = 32, TO_SUMMARY = 64
};
#define TO_MASSIF (TO_FILE | TO_PRINT)

/* The output that the options ask for; *BY is the option that asks for it,
   or NULL if none does.  */
static unsigned
output_of (const struct heap_options *o, const char **by)
{
  *by = o->render != NULL ? "--render"
        : o->dhat_out != NULL ? "--dhat-out"
        : o->folded != NULL ? "--folded"
        : o->sites ? "--sites"
        : o->blocks ? "--blocks"
        : o->untouched ? "--untouched"
        : o->late ? "--late"
        : o->print ? "--print" : NULL;
  if (o->render != NULL || o->dhat_out != NULL)
    return o->render != NULL ? TO_RENDER : TO_DHAT;
  if (o->folded != NULL)
    return TO_FOLDED;
  if (o->sites || o->blocks || o->untouched || o->late)
    return TO_TABLES;
  return o->print ? TO_PRINT : o->output != NULL ? TO_FILE : TO_SUMMARY;
}

static size_t
length (char **strings)
{
  return strings != NULL ? g_strv_length (strings) : 0;
}

int
heap_options_set (struct heap_options *options, const struct heap_typed *typed)
{
  struct dg_massif_options *o = &options->massif;
  const char *wrong;

  wrong = set_massif (typed, o);
  if (options->x < 4 || options->x > 1000 || options->y < 4
      || options->y > 1000)
    wrong = "--x and --y are 4 to 1000";
  if (wrong != NULL)
    return cli_fail_usage (options->command, "%s", wrong);
  o->alloc_fns = (const char *const *) typed->alloc_fns;
  o->n_alloc_fns = length (typed->alloc_fns);
  o->ignore_fns = (const char *const *) typed->ignore_fns;
  o->n_ignore_fns = length (typed->ignore_fns);
  o->exact_peak = options->exact_peak;
  o->workers = (unsigned) options->jobs;
  return -1;
}

/* ---- What has an effect ----------------------------------------------- */

/* Options that not all outputs have a use for.  */
static const struct {
  const char *name;
  unsigned outputs;
} effects[] = {
  {"output", TO_MASSIF | TO_TABLES},
  {"print", TO_PRINT},
  {"x", TO_PRINT},
  {"y", TO_PRINT},
  {"exact-peak", TO_MASSIF},
  {"at", TO_MASSIF},
  {"heap", TO_MASSIF},
  {"heap-admin", TO_MASSIF},
  {"stacks", TO_MASSIF},
  {"pages-as-heap", TO_MASSIF},
  {"depth", TO_MASSIF | TO_DHAT},
  {"alloc-fn", TO_MASSIF | TO_SUMMARY | TO_TABLES | TO_RENDER | TO_FOLDED},
  {"ignore-fn", TO_MASSIF | TO_SUMMARY | TO_RENDER},
  {"threshold", TO_MASSIF},
  {"peak-inaccuracy", TO_MASSIF},
  {"time-unit", TO_MASSIF | TO_RENDER},
  {"detailed-freq", TO_MASSIF},
  {"max-snapshots", TO_MASSIF}};
G_STATIC_ASSERT (G_N_ELEMENTS (effects) <= 32);

uint32_t
heap_options_given (int argc, char **argv)
{
  uint32_t given = 0;

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    for (size_t k = 0; k < G_N_ELEMENTS (effects); k++) {
      size_t n = strlen (effects[k].name);

      if (g_str_has_prefix (argv[i], "--")
          && strncmp (argv[i] + 2, effects[k].name, n) == 0
          && (argv[i][2 + n] == '\0' || argv[i][2 + n] == '='))
        given |= 1u << k;
    }
  return given;
}

int
heap_options_effects (const struct heap_options *options)
{
  const char *by;
  unsigned output = output_of (options, &by);
  uint32_t given = options->given | (options->output != NULL);

  for (size_t k = 0; k < G_N_ELEMENTS (effects); k++) {
    if (!(given & 1u << k) || (effects[k].outputs & output))
      continue;
    if (by == NULL)
      return cli_fail_usage (options->command, "--%s needs %s--print",
                             effects[k].name,
                             effects[k].outputs & TO_FILE ? "--output or "
                                                          : "");
    return cli_fail_usage (options->command, "--%s has no effect with %s",
                           effects[k].name, by);
  }
  return -1;
}

/* ---- Moments ---------------------------------------------------------- */

int
heap_options_moments (struct heap_options *options, const struct dg_log *log,
                      char **texts)
{
  size_t n = length (texts);
  struct dg_massif_moment *at = g_new0 (struct dg_massif_moment, n + 1);

  options->massif.at = at;
  for (size_t i = 0; i < n; i++) {
    struct moment moment;
    char *why = moment_find (&moment, log, texts[i]);

    if (why != NULL) {
      cli_fail_usage (options->command, "%s", why);
      g_free (why);
      return CLI_USAGE;
    }
    at[i] =
      (struct dg_massif_moment){moment.icount, moment.order, texts[i]};
  }
  options->massif.n_at = n;
  return -1;
}

/* ---- What was typed --------------------------------------------------- */

/* Options that Massif has, too.  */
static bool
is_massif (const char *arg)
{
  static const char *const names[] = {
    "heap", "heap-admin", "stacks", "pages-as-heap", "depth", "alloc-fn",
    "ignore-fn", "threshold", "peak-inaccuracy", "time-unit",
    "detailed-freq", "max-snapshots", "exact-peak", "at"};
  size_t n;

  if (!g_str_has_prefix (arg, "--"))
    return false;
  n = strcspn (arg + 2, "=");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == n && strncmp (arg + 2, names[i], n) == 0)
      return true;
  return false;
}

char *
heap_options_typed (int argc, char **argv)
{
  GString *text = g_string_new (NULL);

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
    char *safe;

    if (!is_massif (argv[i]))
      continue;
    safe = printable_text (argv[i]);
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", safe);
    /* Its value stands by itself.  */
    if (strchr (argv[i], '=') == NULL && i + 1 < argc
        && strcmp (argv[i], "--exact-peak") != 0) {
      g_free (safe);
      safe = printable_text (argv[++i]);
      g_string_append_printf (text, "=%s", safe);
    }
    g_free (safe);
  }
  return g_string_free (text, text->len == 0);
}

char *
heap_options_file (const char *pattern, const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  GString *name = g_string_new (NULL);

  for (; *pattern != '\0'; pattern++) {
    if (pattern[0] == '%' && pattern[1] == 'p')
      g_string_append_printf (name, "%" G_GUINT64_FORMAT,
                              process != NULL ? process->pid : 0);
    else if (pattern[0] == '%' && pattern[1] == '%')
      g_string_append_c (name, '%');
    else {
      g_string_append_c (name, *pattern);
      continue;
    }
    pattern++;
  }
  return g_string_free (name, FALSE);
}
