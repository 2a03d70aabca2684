/* dg_calibrate.h: measuring this machine for the model of `dg time'.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_CALIBRATE_H
#define LIBDATAGRIND_CALIBRATE_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dg_calibrate_options {
  size_t size;             /* sizeof (struct dg_calibrate_options) */
  bool is_quick;           /* fewer runs of each loop, less memory */
};

/* Where a figure is from.  */
enum dg_calibrated_by {
  DG_CALIBRATED_MEASURED = 0,
  DG_CALIBRATED_SYSTEM,    /* the system knows it */
  DG_CALIBRATED_TABLE,     /* that of the nearest processor: it cannot be
                              measured here */
  DG_CALIBRATED_UNSTEADY   /* the same: what was measured changes too much
                              from run to run */
};

struct dg_calibrated_figure {
  const char *name;        /* "l2-latency", as in --machine */
  const char *title;       /* "Latency of L2" */
  const char *unit;        /* "cycles" */
  uint64_t value;
  uint64_t table;          /* that of the nearest processor */
  double spread;           /* from the shortest run to the median, as a part
                              of the value; below 0: not known */
  enum dg_calibrated_by by;
};

/* The figures of a machine.  */
struct dg_calibration;

/* Measures the machine, which takes up to 20 seconds of one processor, and
   four times the last cache of memory, 512 MiB at most; progress is in
   thousandths.  DG_ERR_LIMIT: it is too busy; the other errors are NOMEM,
   CANCELLED and INVALID.  */
DG_API int dg_calibrate (const struct dg_calibrate_options *options,
                         dg_progress_fn progress, void *user,
                         struct dg_calibration **calibration,
                         struct dg_error *err);
/* May be NULL.  */
DG_API void dg_calibration_free (struct dg_calibration *calibration);

/* In the order in which they are shown.  */
DG_API const struct dg_calibrated_figure *
dg_calibration_figures (const struct dg_calibration *calibration, size_t *n);
/* Vendor, family and model, "AuthenticAMD-25-17"; "unknown".  */
DG_API const char *
dg_calibration_processor (const struct dg_calibration *calibration);
/* The processor of --machine that is most like this one: "zen4", "AMD
   Zen 4".  */
DG_API const char *
dg_calibration_nearest (const struct dg_calibration *calibration);
DG_API const char *
dg_calibration_nearest_title (const struct dg_calibration *calibration);
/* The part of the time in which the calling thread ran: the rest was that of
   other programs.  */
DG_API double
dg_calibration_share (const struct dg_calibration *calibration);
/* The text of the file that --machine reads.  */
DG_API const char *
dg_calibration_text (const struct dg_calibration *calibration);
/* Where --machine=host looks for that file; to be freed with free.  NULL: no
   memory.  */
DG_API char *dg_calibration_path (void);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CALIBRATE_H */
