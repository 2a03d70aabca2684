/* libdatagrind.h: the whole interface of the library that reads Datagrind's
   logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Each header below can be included alone.  Three are not included here:
   dg_analysis.h, for authors of analyses, dg_traffic.h, what simulated caches
   ask of memory, for these, and dg_record.h, the constants of the format.

     dg_version.h     the version of the library
     dg_base.h        errors, progress
     dg_file.h        reading files that logs name, writing files
     dg_log.h         dg_log_open, dg_log_load; totals, process, gaps of a log
     dg_context.h     superblocks, contexts, call paths
     dg_timeline.h    threads, heap blocks, mappings, events, chunks
     dg_reader.h      records, runs, accesses, in order
     dg_columns.h     the same accesses, with an array for each field
     dg_symbols.h     address -> function, file, line, module, variable, field
     dg_simulate.h    what caches do with each access
     dg_space.h       address at a moment -> owner
     dg_filter.h      the language of --events and --ranges
     dg_archive.h     dg_log_pack, dg_log_unpack, dg_log_cut, dg_import_lackey
     dg_bundle.h      files that names come from, here or in the log
     dg_capture.h     recording to archives while programs run
     dg_index.h       touched cache lines, chunk by chunk
     dg_insn.h        what instructions do, from their machine code
     dg_analyse.h     run analyses, read their report
     dg_sites.h       allocation sites of stacks; own code
     dg_curve.h       live bytes of the heap over time, for pictures
     dg_massif.h      the same by Massif's algorithm
     dg_usage.h       reads, writes and last use of each heap block
     dg_temporary.h   blocks that the next call of an allocator frees
     dg_allocations.h what each call stack allocates
     dg_time.h        what each call path takes, by the model of dg time
     dg_contention.h  true and false sharing of cache lines
     dg_arrow.h       tables of a log as Arrow batches, for data frames
     dg_number.h      parsing and formatting numbers
     dg_calibrate.h   measuring this machine for the model of dg time
     dg_nearest.h     suggestions for mistyped names
     dg_align.h       which things of several runs are the same

   Rules of the whole library
     - Functions that can fail return 0 (or a count, or a pointer) on success
       and a negative enum dg_code (or NULL) on failure; they then fill *err if
       err is not NULL.  On success *err is unchanged.
     - Bad input is an error, never a crash.  The library prints nothing and
       never exits.
     - Pointers to const that a function returns belong to the object that was
       passed, and are valid as long as it is, unless stated otherwise.
     - icount is a moment: the number of instructions that the program had
       executed before.  Addresses and sizes are in bytes.
     - Structs with options, and results that the caller allocates, begin with
       their size, which the caller sets to the sizeof of the struct.  Later
       versions add members at the end.  The library copies the members that
       it knows; members that an older caller does not have are 0; a size that
       is too small, or a member that is set but unknown, is DG_ERR_INVALID.
       Other structs that callers allocate do not change (there are many, so
       they must be small); structs that functions return pointers to may
       grow, as only the library allocates them.
     - A loaded log is read-only: any number of threads may use it at the
       same time, each with its own dg_reader.  dg_symbols has its own locks;
       dg_space and dg_filter are read-only once made.  */

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
#include "dg_simulate.h"
#include "dg_space.h"
#include "dg_filter.h"
#include "dg_columns.h"

#include "dg_archive.h"
#include "dg_bundle.h"
#include "dg_capture.h"
#include "dg_index.h"
#include "dg_insn.h"

#include "dg_analyse.h"
#include "dg_sites.h"
#include "dg_curve.h"
#include "dg_massif.h"
#include "dg_usage.h"
#include "dg_temporary.h"
#include "dg_allocations.h"
#include "dg_time.h"
#include "dg_contention.h"

#include "dg_arrow.h"

#include "dg_number.h"
#include "dg_calibrate.h"
#include "dg_nearest.h"
#include "dg_align.h"

#endif /* LIBDATAGRIND_H */
