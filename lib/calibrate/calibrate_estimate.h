/* calibrate_estimate.h: from times and curves to figures of a processor.

   These functions read no clock and touch no memory but their arguments, so
   that tests can give them any machine.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_ESTIMATE_H
#define DG_CALIBRATE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What many runs of the same loop say together.  */
struct dg_calibrate_sample {
  double value;            /* the lower quartile: what disturbs a run makes it
                              longer, so that the longer ones count less */
  double spread;           /* from the shortest to the median, as a part of
                              the value */
};

/* n > 0; sorts the runs.  */
struct dg_calibrate_sample dg_calibrate_summary (double *runs, size_t n);

/* A point of a curve: cycles of an access, by the bytes or pages that are in
   use.  Points of a curve are in the order of `at`.  */
struct dg_calibrate_point {
  double at, cycles;
};

/* Replaces a curve by the nearest one (least squares) that never falls, as
   the latency of larger data never does but for noise.  */
void dg_calibrate_rise (struct dg_calibrate_point *curve, size_t n);

/* Where a rising curve passes the geometric mean of two latencies, on
   logarithmic axes; 0: nowhere.  With the latencies of two levels this is the
   size of the first.  */
double dg_calibrate_crossing (const struct dg_calibrate_point *curve, size_t n,
                              double low, double high);

/* The value of a curve at a place, interpolated on logarithmic axes; beyond
   its ends, that of the end.  n > 0.  */
double dg_calibrate_at (const struct dg_calibrate_point *curve, size_t n,
                        double at);

/* Levels of a rising curve: stretches of it, an octave or longer, in which it
   grows by at most a fifth an octave.  Stores the latency of each, the
   latencies in rising order, those that are within a fifth of the one before
   left out; returns how many there are, at most `most`.  */
size_t dg_calibrate_levels (const struct dg_calibrate_point *curve, size_t n,
                            double *latencies, size_t most);

#define DG_CALIBRATE_CACHES 3
/* Caches of three levels, and memory.  If there are two, the third has the
   size of the second, and the latency of memory.  */
struct dg_calibrate_hierarchy {
  double bytes[DG_CALIBRATE_CACHES];
  double latency[DG_CALIBRATE_CACHES + 1];
  bool has_memory;         /* the curve is so long that its end is memory */
};

/* From a rising curve of a load that waits for the one before, by the bytes
   that are in use.  known: sizes of caches, where the system knows them; 0:
   not.  The last cache may be smaller than the system says, since others use
   it, too: then its size is where the curve leaves it.  False: the curve has
   not four levels that differ.  */
bool dg_calibrate_hierarchy_find (const struct dg_calibrate_point *curve,
                                  size_t n,
                                  const double known[DG_CALIBRATE_CACHES],
                                  struct dg_calibrate_hierarchy *hierarchy);

/* Two buffers of translations, and the walk after both.  */
struct dg_calibrate_translations {
  double first, second;    /* pages */
  double latency, walk;    /* cycles of what the first, and both, lack */
};

/* From a rising curve of what a load takes longer, by the pages that are in
   use, if each is on another page.  hit: the latency of a hit, of which this
   is a small part.  False: there is no such rise.  */
bool
dg_calibrate_translations_find (const struct dg_calibrate_point *curve,
                                size_t n, double hit,
                                struct dg_calibrate_translations *found);

/* The nearest of 4, 5, 6 or 7 times a power of two, as sizes of caches
   are.  */
uint64_t dg_calibrate_usual (double size);

/* The straight line through points of which some may be far off (Theil and
   Sen): its value at 0, and what it grows by.  n > 1.  */
void dg_calibrate_line (const struct dg_calibrate_point *points, size_t n,
                        double *start, double *slope);

/* Misses at a time: how many loads of a latency overlap, if one is done every
   `apart` cycles.  */
double dg_calibrate_misses (double latency, double apart);

#endif /* DG_CALIBRATE_ESTIMATE_H */
