/* calibrate.c: measures this machine for the time model.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "time/time_host.h"
#include "time/time_settings.h"

#define RUNS       61
#define QUICK_RUNS 9
/* On a busy machine, the rest is measured with fewer runs after this.  */
#define HURRY_US   8000000

/* All figures of --machine, in the order in which they are shown.  */
static const struct {
  const char *name, *title, *unit;
} shown[] = {
  {"mhz", "Frequency", "MHz"},
  {"width", "Instructions that enter", "a cycle"},
  {"window", "Instructions in the window", "instructions"},
  {"stores", "Stores in the queue", "stores"},
  {"taken", "Taken branches", "a cycle"},
  {"mispredicted", "Wrong prediction", "cycles"},
  {"multiply-latency", "Multiplication", "cycles"},
  {"divide-latency", "Division", "cycles"},
  {"float-add-latency", "Floating-point addition", "cycles"},
  {"float-multiply-latency", "Floating-point multiplication", "cycles"},
  {"float-divide-latency", "Floating-point division", "cycles"},
  {"root-latency", "Square root", "cycles"},
  {"forward", "Load of what was just stored", "cycles"},
  {"forward-fails", "Load of more than was stored", "cycles"},
  {"renames-memory", "Memory is renamed", "0 or 1"},
  {"locked", "Atomic instruction", "cycles"},
  {"repeat-start", "Start of rep movs", "cycles"},
  {"repeat-bytes", "Speed of rep movs", "bytes/cycle"},
  {"code-lines", "Size of L1 for code", "lines"},
  {"code-ways", "Ways of L1 for code", "ways"},
  {"l1-lines", "Size of L1", "lines"},
  {"l1-ways", "Ways of L1", "ways"},
  {"l1-latency", "Latency of L1", "cycles"},
  {"l2-lines", "Size of L2", "lines"},
  {"l2-ways", "Ways of L2", "ways"},
  {"l2-latency", "Latency of L2", "cycles"},
  {"l2-gap", "Gap between lines of L2", "1/8 cycle"},
  {"l3-lines", "Size of L3", "lines"},
  {"l3-ways", "Ways of L3", "ways"},
  {"l3-latency", "Latency of L3", "cycles"},
  {"l3-gap", "Gap between lines of L3", "1/8 cycle"},
  {"memory", "Latency of memory", "cycles"},
  {"memory-gap", "Gap between lines of memory", "1/8 cycle"},
  {"misses", "Misses at a time", "misses"},
  {"set-gap", "Gap between fills of a set", "1/8 cycle"},
  {"bank-gap", "Gap between lines of a bank", "1/8 cycle"},
  {"refill", "Store to a line that left L1", "cycles"},
  {"tlb-pages", "Size of the first TLB", "pages"},
  {"tlb2-pages", "Size of the second TLB", "pages"},
  {"tlb2-latency", "Latency of the second TLB", "cycles"},
  {"walk", "Walk of page tables", "cycles"},
  {"walkers", "Walks at a time", "walks"},
  {"page", "First touch of a page", "cycles"},
};

/* ---- Figures ---- */

static struct dg_calibrated_figure *
find (const struct dg_calibration *calibration, const char *name)
{
  for (size_t i = 0; i < calibration->n; i++)
    if (strcmp (calibration->figures[i].name, name) == 0)
      return &calibration->figures[i];
  g_assert_not_reached ();
}

uint64_t
dg_calibration_value (const struct dg_calibration *calibration,
                      const char *name)
{
  return find (calibration, name)->value;
}

void
dg_calibration_measured (struct dg_calibration *calibration, const char *name,
                         double value, double spread, double most)
{
  struct dg_calibrated_figure *figure = find (calibration, name);
  const struct dg_time_setting *setting = dg_time_setting_find (name);

  value = rint (value);
  calibration->measured++;
  figure->spread = spread;
  if (!(spread <= most) || !(value >= setting->least)
      || !(value <= setting->most)) {
    calibration->unsteady++;
    figure->by = DG_CALIBRATED_UNSTEADY;
    return;
  }
  figure->value = (uint64_t) value;
  figure->by = DG_CALIBRATED_MEASURED;
}

void
dg_calibration_known (struct dg_calibration *calibration, const char *name,
                      uint64_t value)
{
  struct dg_calibrated_figure *figure = find (calibration, name);
  const struct dg_time_setting *setting = dg_time_setting_find (name);

  if (value < MAX (setting->least, 1) || value > setting->most)
    return;
  figure->value = value;
  figure->by = DG_CALIBRATED_SYSTEM;
}

double
dg_calibration_ran (const struct dg_calibration *calibration)
{
  const struct dg_calibrate_clock *clock = &calibration->clock;
  double ns
    = 1e3 * (double) (g_get_monotonic_time () - calibration->start_us);

  return ns > 0 ? MIN ((clock->now (clock->user) - calibration->start_ns) / ns,
                       1)
                : 1;
}

int
dg_calibration_tell (struct dg_calibration *calibration, unsigned done,
                     struct dg_error *err)
{
  return dg_progress_tell (&calibration->progress, done, 1000, err);
}

/* ---- The result ---- */

static struct dg_calibration *
calibration_new (bool is_quick, dg_progress_fn progress, void *user)
{
  struct dg_calibration *calibration = g_new0 (struct dg_calibration, 1);
  struct dg_time_processor processor;

  dg_time_processor_here (&processor);
  calibration->processor = dg_time_processor_text (&processor);
  calibration->nearest = dg_time_processor_nearest (&processor);
  calibration->is_quick = is_quick;
  calibration->progress = dg_progress_start (progress, user);
  calibration->n = G_N_ELEMENTS (shown);
  calibration->figures = g_new0 (struct dg_calibrated_figure, calibration->n);
  for (size_t i = 0; i < calibration->n; i++) {
    uint64_t value = dg_time_setting_get (
      dg_time_setting_find (shown[i].name), calibration->nearest);

    calibration->figures[i] = (struct dg_calibrated_figure) {
      .name = shown[i].name, .title = shown[i].title, .unit = shown[i].unit,
      .value = value, .table = value, .spread = -1,
      .by = DG_CALIBRATED_TABLE};
  }
  return calibration;
}

void
dg_calibration_free (struct dg_calibration *calibration)
{
  if (calibration == NULL)
    return;
  if (calibration->text != NULL)
    g_string_free (calibration->text, TRUE);
  g_free (calibration->processor);
  g_free (calibration->figures);
  g_free (calibration);
}

/* Figures of the table are not in the file: a later table may have better
   ones.  */
static void
write_text (struct dg_calibration *calibration)
{
  GString *text = g_string_new (
    "# Figures of a machine for the time model, measured by 'dg calibrate'.\n"
    "# --machine=host reads them; --machine=FILE any file of this form.\n");

  g_string_append_printf (text, "processor=%s\n%s\n", calibration->processor,
                          calibration->nearest->name);
  for (size_t i = 0; i < calibration->n; i++) {
    const struct dg_calibrated_figure *figure = &calibration->figures[i];

    if (figure->by == DG_CALIBRATED_MEASURED
        || figure->by == DG_CALIBRATED_SYSTEM)
      g_string_append_printf (text, "%s=%" G_GUINT64_FORMAT "\n",
                              figure->name, figure->value);
  }
  calibration->text = text;
}

/* A figure in four that is unsteady says more of what else runs than of the
   machine.  */
static int
check (const struct dg_calibration *calibration, struct dg_error *err)
{
  if (calibration->unsteady * 4 > calibration->measured)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "the machine is too busy: %u of %u figures change"
                         " too much from run to run", calibration->unsteady,
                         calibration->measured);
  return 0;
}

int
dg_calibrate (const struct dg_calibrate_options *options,
              dg_progress_fn progress, void *user,
              struct dg_calibration **result, struct dg_error *err)
{
  struct dg_calibrate_options own = {.size = sizeof own};
  struct dg_calibration *calibration;
  int code = DG_SIZED_TAKE (&own, is_quick, options, err);

  *result = NULL;
  if (code < 0)
    return code;
  calibration = calibration_new (own.is_quick, progress, user);
  dg_calibrate_clock_init (&calibration->clock,
                           own.is_quick ? QUICK_RUNS : RUNS);
  calibration->start_us = g_get_monotonic_time ();
  calibration->start_ns = calibration->clock.now (calibration->clock.user);
  calibration->clock.hurry_us = calibration->start_us + HURRY_US;
  dg_calibrate_system_read (&calibration->system);
  code = dg_calibration_cores (calibration, err);
  if (code == 0)
    code = dg_calibration_levels (calibration, err);
  calibration->share = dg_calibration_ran (calibration);
  if (code == 0)
    code = check (calibration, err);
  if (code < 0) {
    dg_calibration_free (calibration);
    return code;
  }
  write_text (calibration);
  *result = calibration;
  return 0;
}

const struct dg_calibrated_figure *
dg_calibration_figures (const struct dg_calibration *calibration, size_t *n)
{
  *n = calibration->n;
  return calibration->figures;
}

const char *
dg_calibration_processor (const struct dg_calibration *calibration)
{
  return calibration->processor;
}

const char *
dg_calibration_nearest (const struct dg_calibration *calibration)
{
  return calibration->nearest->name;
}

const char *
dg_calibration_nearest_title (const struct dg_calibration *calibration)
{
  return calibration->nearest->title;
}

double
dg_calibration_share (const struct dg_calibration *calibration)
{
  return calibration->share;
}

const char *
dg_calibration_text (const struct dg_calibration *calibration)
{
  return calibration->text->str;
}

char *
dg_calibration_path (void)
{
  char *path = dg_time_host_path (), *copy = strdup (path);

  g_free (path);
  return copy;
}
