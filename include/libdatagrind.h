/* libdatagrind.h: the library that reads Datagrind's logs, whole.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Each header below can be included alone.  (dg_analysis.h, for those who
   write an analysis, is not among them, nor is dg_record.h, the constants of
   the format.)

     dg_version.h     the version of the library
     dg_base.h        errors, progress
     dg_file.h        files that a log names are read, ours are written
     dg_log.h         dg_log_open, dg_log_load; what a log says of itself
     dg_context.h     the code that it names, and by which calls it was reached
     dg_timeline.h    threads, blocks of the heap, mappings, events, chunks
     dg_reader.h      records, runs, accesses, in order
     dg_columns.h     the same accesses, an array for each of their fields
     dg_symbols.h     address -> function, file, line, module, variable, field
     dg_space.h       address at a moment -> who owns it
     dg_filter.h      the language of --events and --ranges
     dg_archive.h     dg_log_pack, dg_log_unpack, dg_log_cut, dg_import_lackey
     dg_capture.h     an archive while the program runs
     dg_index.h       touched cache lines, chunk by chunk
     dg_analyse.h     run analyses, read their report
     dg_sites.h       which frame of a stack wants memory
     dg_curve.h       the bytes of the heap over time, for pictures
     dg_massif.h      the same by Massif's algorithm
     dg_usage.h       what became of each block of the heap
     dg_contention.h  what threads do to one another in a cache line
     dg_number.h      numbers, as people type and read them
     dg_nearest.h     what a mistyped name may have meant

   Rules of the whole library
     - Functions that can fail return 0 (or a count, or a pointer) on success
       and a negative enum dg_code (or NULL) on failure; they then fill *err
       when err is not NULL, and leave it alone on success.
     - Bad input is an error, never a crash; nothing is printed; no exit.
     - Pointers to const that a function returns belong to the object that
       was asked and live as long as it does, unless another rule is given.
     - icount is a moment: the number of instructions that the program had
       executed before.  Addresses and sizes are in bytes.
     - Options, and results that a caller has room for, begin with their size,
       which the caller sets: sizeof of the struct.  Later versions add members
       behind the last one.  The library copies what it knows; what a caller
       of an earlier version lacks is 0; a size that is too small, or members
       that are set and not known, are DG_ERR_INVALID.  All other structs that
       the caller has room for stay as they are (they are many, and must be
       small); those that a function returns a pointer to may grow, as only the
       library makes them.
     - A loaded log is read-only: any number of threads may use it at once,
       each with its own dg_reader.  dg_symbols locks by itself; dg_space
       and dg_filter are read-only once made.  */

#ifndef LIBDATAGRIND_H
#define LIBDATAGRIND_H

#include "dg_version.h"

#include "dg_base.h"
#include "dg_file.h"

#include "dg_log.h"
#include "dg_context.h"
#include "dg_timeline.h"
#include "dg_reader.h"

#include "dg_symbols.h"
#include "dg_space.h"
#include "dg_filter.h"
#include "dg_columns.h"

#include "dg_archive.h"
#include "dg_capture.h"
#include "dg_index.h"

#include "dg_analyse.h"
#include "dg_sites.h"
#include "dg_curve.h"
#include "dg_massif.h"
#include "dg_usage.h"
#include "dg_contention.h"

#include "dg_number.h"
#include "dg_nearest.h"

#endif /* LIBDATAGRIND_H */
