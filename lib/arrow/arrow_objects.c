/* arrow_objects.c: the tables of what a log has besides code, accesses and
   heap blocks: threads, modules, mappings, ranges, events and so on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_rows.h"
#include "dg_record.h"

#define NAME DG_ARROW_NAME
#define NULLABLE DG_ARROW_NULLABLE
#define ADDRESS DG_ARROW_ADDRESS
#define IS_NAMED(names, i) ((i) < G_N_ELEMENTS (names) && (names)[i])

/* An item of a list that is found by this function.  */
#define COUNT(list)                        \
  static size_t                            \
  count_##list (const struct dg_log *log)  \
  {                                        \
    size_t n;                              \
                                           \
    dg_log_##list (log, &n);               \
    return n;                              \
  }

/* ---- threads ---- */

COUNT (threads)

static const struct dg_arrow_column threads_columns[] = {
  { "thread", "I", 0, "its number, from 1" },
  { "name", "u", NULLABLE, "as the program named it" },
  { "parent", "I", NULLABLE, "number of the thread that created it" },
  { "os_tid", "L", NULLABLE, "number of the system" },
  { "start", "L", 0, "instruction at which it started" },
  { "end", "L", NULLABLE, "instruction at which it ended" },
  { "stack_low", "L", NULLABLE | ADDRESS, "first byte of its stack" },
  { "stack_high", "L", NULLABLE | ADDRESS, "behind its stack" },
  { "instructions", "L", 0, "that it executed" },
  { "reads", "L", 0, "accesses" },
  { "writes", "L", 0, "accesses" }
};

static int
put_thread (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
            struct dg_error *err)
{
  size_t n;
  const struct dg_thread *thread = &dg_log_threads (asked->log, &n)[i];

  if (!dg_arrow_query_has_thread (asked, thread->number)
      || !dg_arrow_query_has_time (asked, thread->start_icount,
                                   thread->end_icount))
    return 0;
  dg_arrow_row_number (row, thread->number);
  dg_arrow_row_text (row, thread->name[0] ? thread->name : NULL);
  dg_arrow_row_unless (row, thread->parent, 0);
  dg_arrow_row_unless (row, thread->os_tid, 0);
  dg_arrow_row_number (row, thread->start_icount);
  dg_arrow_row_unless (row, thread->end_icount, DG_NEVER);
  dg_arrow_row_unless (row, thread->stack_low, 0);
  dg_arrow_row_unless (row, thread->stack_high, 0);
  dg_arrow_row_number (row, thread->instructions);
  dg_arrow_row_number (row, thread->reads);
  dg_arrow_row_number (row, thread->writes);
  return 1;
}

static const struct dg_arrow_rows threads_rows = { count_threads, put_thread };
DG_ARROW_ROWS_TABLE (threads, "threads of the program",
                     DG_ARROW_THREADS | DG_ARROW_ICOUNTS);

/* ---- modules ---- */

COUNT (modules)

static const struct dg_arrow_column modules_columns[] = {
  { "file", "u", 0, "path" },
  { "soname", "u", NULLABLE, "of a library" },
  { "address", "L", ADDRESS, "of its code" },
  { "size", "L", NULLABLE, "bytes of its code" },
  { "bias", "L", NULLABLE | ADDRESS, "its address minus that in the file" },
  { "build_id", "u", NULLABLE, "hexadecimal" },
  { "start", "L", 0, "instruction at which it was loaded" },
  { "end", "L", NULLABLE, "instruction at which it was unloaded" }
};

static int
put_module (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
            struct dg_error *err)
{
  size_t n;
  const struct dg_module *module = &dg_log_modules (asked->log, &n)[i];
  char id[2 * UINT8_MAX + 1] = "";

  if (!dg_arrow_query_has_time (asked, module->load_icount,
                                module->unload_icount)
      || !dg_arrow_query_has_memory (asked, module->text_address,
                                     module->text_size))
    return 0;
  for (unsigned k = 0; k < module->n_build_id; k++)
    g_snprintf (id + (size_t) 2 * k, 3, "%02x", module->build_id[k]);
  dg_arrow_row_text (row, module->file);
  dg_arrow_row_text (row, module->soname[0] ? module->soname : NULL);
  dg_arrow_row_number (row, module->text_address);
  dg_arrow_row_unless (row, module->text_size, 0);
  dg_arrow_row_unless (row, module->has_detail ? module->bias : DG_NEVER,
                       DG_NEVER);
  dg_arrow_row_text (row, id[0] ? id : NULL);
  dg_arrow_row_number (row, module->load_icount);
  dg_arrow_row_unless (row, module->unload_icount, DG_NEVER);
  return 1;
}

static const struct dg_arrow_rows modules_rows = { count_modules, put_module };
DG_ARROW_ROWS_TABLE (modules, "the executable and its libraries",
                     DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES);

/* ---- mappings ---- */

COUNT (mappings)

static const struct dg_arrow_column mappings_columns[] = {
  { "address", "L", ADDRESS, "of the first byte" },
  { "size", "L", 0, "bytes" },
  { "start", "L", 0, "instruction at which it was mapped" },
  { "end", "L", NULLABLE, "instruction at which it was unmapped" },
  { "protection", "u", NAME, "r, w, x or -" },
  { "kind", "u", NAME | NULLABLE, "how it was mapped" },
  { "file", "u", NAME | NULLABLE, "path; null: anonymous" },
  { "offset", "L", 0, "in the file; bytes" },
  { "thread", "I", NULLABLE, "number of the thread that mapped it" },
  { "stack", "+l", ADDRESS | DG_ARROW_ON_DEMAND,
    "call sites of the call that mapped it" }
};

static int
put_mapping (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
             struct dg_error *err)
{
  static const char *const kinds[] = { "startup", "mmap", "brk", "remap",
                                       "protect" };
  size_t n;
  const struct dg_mapping *mapping = &dg_log_mappings (asked->log, &n)[i];
  unsigned bits = mapping->protection;
  const char protection[4] = { bits & DG_PROT_READ ? 'r' : '-',
                               bits & DG_PROT_WRITE ? 'w' : '-',
                               bits & DG_PROT_EXEC ? 'x' : '-', '\0' };

  if (!dg_arrow_query_has_time (asked, mapping->start_icount,
                                mapping->end_icount)
      || !dg_arrow_query_has_memory (asked, mapping->address, mapping->size)
      || !dg_arrow_query_has_thread (asked, mapping->thread))
    return 0;
  dg_arrow_row_number (row, mapping->address);
  dg_arrow_row_number (row, mapping->size);
  dg_arrow_row_number (row, mapping->start_icount);
  dg_arrow_row_unless (row, mapping->end_icount, DG_NEVER);
  dg_arrow_row_text (row, protection);
  dg_arrow_row_text (row, IS_NAMED (kinds, mapping->what)
                            ? kinds[mapping->what] : NULL);
  dg_arrow_row_text (row, mapping->file[0] ? mapping->file : NULL);
  dg_arrow_row_number (row, mapping->offset);
  dg_arrow_row_unless (row, mapping->thread, 0);
  dg_arrow_row_stack (row, &mapping->stack);
  return 1;
}

static const struct dg_arrow_rows mappings_rows
  = { count_mappings, put_mapping };
DG_ARROW_ROWS_TABLE (mappings, "memory mappings over time",
                     DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES);

/* ---- ranges ---- */

COUNT (ranges)

static const struct dg_arrow_column ranges_columns[] = {
  { "label", "u", NAME, "of DATAGRIND_TRACK_RANGE" },
  { "type", "u", NAME, "as the program gave it" },
  { "address", "L", ADDRESS, "of the first byte" },
  { "size", "L", 0, "bytes" },
  { "start", "L", 0, "instruction from which on it was tracked" },
  { "end", "L", NULLABLE, "instruction at which this ended" }
};

static int
put_range (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
           struct dg_error *err)
{
  size_t n;
  const struct dg_range *range = &dg_log_ranges (asked->log, &n)[i];

  if (!dg_arrow_query_has_time (asked, range->start_icount, range->end_icount)
      || !dg_arrow_query_has_memory (asked, range->address, range->size))
    return 0;
  dg_arrow_row_text (row, range->label);
  dg_arrow_row_text (row, range->type);
  dg_arrow_row_number (row, range->address);
  dg_arrow_row_number (row, range->size);
  dg_arrow_row_number (row, range->start_icount);
  dg_arrow_row_unless (row, range->end_icount, DG_NEVER);
  return 1;
}

static const struct dg_arrow_rows ranges_rows = { count_ranges, put_range };
DG_ARROW_ROWS_TABLE (ranges, "ranges that the program tracked",
                     DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES);

/* ---- events ---- */

COUNT (events)

static const struct dg_arrow_column events_columns[] = {
  { "label", "u", NAME, "of DATAGRIND_START_EVENT" },
  { "start", "L", 0, "instruction at which it started" },
  { "end", "L", NULLABLE, "instruction at which it ended" }
};

static int
put_event (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
           struct dg_error *err)
{
  size_t n;
  const struct dg_event *event = &dg_log_events (asked->log, &n)[i];

  if (!dg_arrow_query_has_time (asked, event->start_icount,
                                event->end_icount))
    return 0;
  dg_arrow_row_text (row, event->label);
  dg_arrow_row_number (row, event->start_icount);
  dg_arrow_row_unless (row, event->end_icount, DG_NEVER);
  return 1;
}

static const struct dg_arrow_rows events_rows = { count_events, put_event };
DG_ARROW_ROWS_TABLE (events, "events that the program marked",
                     DG_ARROW_ICOUNTS);

/* ---- kernel_accesses ---- */

COUNT (kernel_accesses)

static const struct dg_arrow_column kernel_accesses_columns[] = {
  { "icount", "L", 0, "instructions executed before the system call" },
  { "thread", "I", 0, "number of the thread" },
  { "kind", "u", NAME, "read or write" },
  { "address", "L", ADDRESS, "of the first byte" },
  { "size", "L", 0, "bytes" }
};

static int
put_kernel_access (struct dg_arrow_asked *asked, size_t i,
                   struct dg_arrow_row *row, struct dg_error *err)
{
  size_t n;
  const struct dg_kernel_access *access
    = &dg_log_kernel_accesses (asked->log, &n)[i];

  if (!dg_arrow_query_has_thread (asked, access->thread)
      || !dg_arrow_query_has_time (asked, access->icount, access->icount)
      || !dg_arrow_query_has_memory (asked, access->address, access->size)
      || !(asked->query.kinds >> (access->kind & 31) & 1))
    return 0;
  dg_arrow_row_number (row, access->icount);
  dg_arrow_row_number (row, access->thread);
  dg_arrow_row_text (row, access->kind == DG_ACC_WRITE ? "write" : "read");
  dg_arrow_row_number (row, access->address);
  dg_arrow_row_number (row, access->size);
  return 1;
}

static const struct dg_arrow_rows kernel_accesses_rows
  = { count_kernel_accesses, put_kernel_access };
DG_ARROW_ROWS_TABLE (kernel_accesses, "memory accessed by system calls",
                     DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_ADDRESSES
                       | DG_ARROW_KINDS);

/* ---- clock ---- */

COUNT (clock)

static const struct dg_arrow_column clock_columns[] = {
  { "icount", "L", 0, "instructions executed before" },
  { "ns", "L", 0, "nanoseconds since the start of the recording" }
};

static int
put_clock (struct dg_arrow_asked *asked, size_t i, struct dg_arrow_row *row,
           struct dg_error *err)
{
  size_t n;
  const struct dg_clock *clock = &dg_log_clock (asked->log, &n)[i];

  if (!dg_arrow_query_has_time (asked, clock->icount, clock->icount))
    return 0;
  dg_arrow_row_number (row, clock->icount);
  dg_arrow_row_number (row, clock->ns);
  return 1;
}

static const struct dg_arrow_rows clock_rows = { count_clock, put_clock };
DG_ARROW_ROWS_TABLE (clock, "readings of the clock", DG_ARROW_ICOUNTS);
