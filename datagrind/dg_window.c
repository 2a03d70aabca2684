/*--------------------------------------------------------------------*/
/*--- Datagrind: windows in time.                      dg_window.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Outside of windows the hot path works as ever, since instructions are
   counted and stacks are kept; its runs are dropped where the buffer is
   emptied, which is what costs most.

   --datagrind-window: whatever is to be recorded is divided into periods, and
   a part of each is recorded.  It begins at a random place of the period, and
   what reaches beyond the period's end comes at its begin, so each moment has
   the same chance; and blocks are recorded if they begin in the window, so
   each of their instructions has the same chance as well.  Readers find the
   periods by DG_WINDOW_PERIOD.  */

#include "dg_tool.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_options.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_xarray.h"
#include "pub_tool_debuginfo.h"

Bool  DG_(recording);
ULong DG_(window_next) = DG_NEVER;
ULong DG_(window_end)  = DG_NEVER;

static Bool  skipping;           /* --datagrind-skip is not over */
static Bool  stopped;            /* --datagrind-stop-after is */
static Bool  wanted;             /* what recording would be without it, and
                                    without --datagrind-window */
static UInt  toggle_depth;       /* toggle functions that are running */
static Bool  is_delayed;         /* recording shall begin when it can: */
static UChar delayed_why;

static void write_state ( Bool on, UChar why )
{
   static DgRecord r;
   DG_(rec_begin)(&r, DG_R_WINDOW);
   DG_(rec_byte)(&r, on);
   DG_(rec_byte)(&r, why);
   DG_(rec_quad)(&r, DG_(ring_open) ? 0 : DG_(totals).icount);
   DG_(rec_write)(&r);
}

static void write_window ( UChar why )
{
   write_state(DG_(recording), why);
   if (DG_(recording))
      DG_(thread_in_log)();
}

/*------------------------------------------------------------*/
/*--- --datagrind-window                                   ---*/
/*------------------------------------------------------------*/

/* What a period by time is before any speed is known, and its bounds.  */
#define FIRST_LENGTH  1000000ULL
#define LEAST_LENGTH  10000ULL
#define MOST_LENGTH   1000000000000ULL

typedef struct {
   ULong number;                 /* from 0 */
   ULong start, length, record;  /* in instructions */
   ULong offset;                 /* where its window begins, from start */
   ULong start_ns;               /* by time: worked until then */
   Bool  is_told;                /* it is in the log */
} Period;

static Period period;
static ULong  salt;              /* of a forked child: its own places */
static UInt   n_forks;           /* of this process so far */

static inline Bool is_periodic ( void )
{
   return DG_(opt).window_every != 0;
}

/* A number that looks random, of one (splitmix64).  */
static ULong scramble ( ULong x )
{
   x += 0x9E3779B97F4A7C15ULL;
   x  = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
   x  = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
   return x ^ (x >> 31);
}

/* By time: how many instructions the next period shall have, so that it takes
   as long as it should if the program goes on as in this one.  That what is
   recorded is a part of the instructions, not of the time, gives all of them
   the same chance: code that is slow while it is recorded would else count
   for more.  */
static ULong next_length ( ULong icount, ULong now_ns )
{
   ULong done = icount - period.start;
   ULong us   = (now_ns - period.start_ns) / 1000 + 1;
   ULong want = 1000 * DG_(opt).window_every;
   ULong n    = done / us * want + done % us * want / us;
   if (n > 4 * period.length)
      n = 4 * period.length;
   if (n < period.length / 4)
      n = period.length / 4;
   return n < LEAST_LENGTH ? LEAST_LENGTH : n > MOST_LENGTH ? MOST_LENGTH : n;
}

static void place_window ( void )
{
   ULong seed = scramble(DG_(opt).window_seed ^ salt);
   period.offset  = scramble(seed ^ period.number) % period.length;
   period.is_told = False;
}

static void set_length ( ULong length )
{
   period.length = length;
   period.record = DG_(opt).window_record;
   if (DG_(opt).window_by_ms) {
      period.record = length * DG_(opt).window_record / DG_(opt).window_every;
      if (period.record == 0)
         period.record = 1;
   }
}

static void begin_periods ( void )
{
   VG_(memset)(&period, 0, sizeof period);
   set_length(DG_(opt).window_by_ms ? FIRST_LENGTH : DG_(opt).window_every);
   if (DG_(opt).window_by_ms)
      period.start_ns = DG_(worked_ns)();
   place_window();
}

/* Goes to the period of now, if it is another one.  */
static void find_period ( void )
{
   ULong icount = DG_(totals).icount, past = icount - period.start;
   if (past < period.length)
      return;
   if (DG_(opt).window_by_ms) {
      ULong now = DG_(worked_ns)();
      set_length(next_length(icount, now));
      period.start    = icount;
      period.start_ns = now;
      period.number++;
   } else {
      period.number += past / period.length;
      period.start  += past - past % period.length;
   }
   place_window();
}

/* Is the moment in the window?  And where this ends to be so.  */
static Bool is_in_window ( ULong* until )
{
   ULong at    = DG_(totals).icount - period.start;
   ULong end   = period.offset + period.record;
   Bool  wraps = end > period.length;
   ULong first = wraps ? end - period.length : period.offset;
   ULong last  = wraps ? period.offset : end;
   *until = period.start + (at < first ? first : at < last ? last
                                                           : period.length);
   return wraps != (at >= first && at < last);
}

/*------------------------------------------------------------*/
/*--- On and off                                           ---*/
/*------------------------------------------------------------*/

/* When the next thing happens, counted in executed instructions: what is
   wanted, until when the window lets it.  */
static void set_next ( Bool is_wanted, ULong until )
{
   DG_(window_next) = DG_(window_end) = DG_NEVER;
   if (skipping)
      DG_(window_next) = DG_(opt).skip;
   else if (DG_(recording) && DG_(opt).stop_after != 0)
      DG_(window_next) = DG_(window_end) = DG_(totals).icount
         + (DG_(opt).stop_after - DG_(totals).instructions);
   if (is_periodic() && is_wanted && until < DG_(window_next))
      DG_(window_next) = until;
}

static void set_recording ( Bool on )
{
   if (on)
      DG_(gap_end)();
   DG_(recording) = on;
   DG_(ring_leave_place)();
}

/* Runs were wanted or not, and are now; if both, a window opens or closes, or
   a period begins.  */
static void change ( Bool was, Bool is, UChar why )
{
   ULong until = DG_NEVER;
   Bool  before = DG_(recording), in_window = True, is_told = False;
   if (!DG_(out_is_open)())
      return;
   if (is && is_periodic()) {
      find_period();
      in_window = is_in_window(&until);
   }
   set_recording(is && in_window);
   if (is && is_periodic() && !period.is_told) {
      /* What made it begin is told behind it.  */
      is_told = why == DG_WINDOW_PERIODIC || !DG_(recording);
      period.is_told = True;
      if (is_told)
         write_window(DG_WINDOW_PERIOD);
      else
         write_state(False, DG_WINDOW_PERIOD);
   }
   if (!is_told && (was != is || DG_(recording) != before))
      write_window(is && !DG_(recording) ? DG_WINDOW_PERIODIC : why);
   set_next(is, until);
}

/* Whether runs are wanted now, those between two windows, too.  */
Bool DG_(window_is_wanted) ( void )
{
   return wanted && !skipping && !stopped;
}

/* Whether to want runs would change anything.  */
static Bool counts ( void )
{
   return !wanted && !skipping && !stopped;
}

void DG_(window_set) ( Bool on, UChar why )
{
   is_delayed = on && counts() && !DG_(gap_end)();
   if (is_delayed) {
      delayed_why = why;
      return;
   }
   DG_(flush_runs)();
   Bool was = DG_(window_is_wanted)();
   wanted = on;
   Bool is  = DG_(window_is_wanted)();
   if (is != was)
      change(was, is, why);
}

void DG_(window_delayed) ( void )
{
   if (is_delayed)
      DG_(window_set)(True, delayed_why);
}

/* Called while runs are being written: they are as far as
   DG_(totals).icount says.  */
void DG_(window_due) ( void )
{
   Bool was = DG_(window_is_wanted)();
   if (skipping) {
      skipping = False;
      if (wanted)
         change(was, True, DG_WINDOW_SKIP);
      else
         set_next(False, DG_NEVER);
   } else if (DG_(totals).icount >= DG_(window_end)) {
      stopped = True;
      change(was, False, DG_WINDOW_STOP_AFTER);
      DG_(window_next) = DG_(window_end) = DG_NEVER;
   } else {
      change(was, was, DG_WINDOW_PERIODIC);
   }
}

/* A log begins; why it does without recording, if so.  */
static void begin ( UChar why )
{
   Bool is = DG_(window_is_wanted)();
   if (is_periodic()) {
      begin_periods();
      DG_(recording) = False;
      if (is) {
         change(False, True, DG_WINDOW_PERIODIC);
         return;
      }
   }
   if (is)
      DG_(gap_end)();
   DG_(recording) = is;
   if (!is)
      write_window(why);
   set_next(False, DG_NEVER);
}

void DG_(window_init) ( void )
{
   skipping = DG_(opt).skip != 0;
   wanted   = DG_(opt).start && DG_(opt).toggle_fns == NULL;
   begin(skipping ? DG_WINDOW_SKIP : DG_WINDOW_OPTION);
}

/* A child will be forked, which is to have windows of its own, but the same
   ones whenever the program does the same.  */
void DG_(window_fork) ( void )
{
   n_forks++;
}

/* A forked child's log, whose counts begin at 0: what was to be skipped is
   the parent's; what it has recorded is not the child's, but a recording that
   has stopped is not begun again.  */
void DG_(window_repeat) ( void )
{
   salt    = scramble(salt + n_forks);
   n_forks = 0;
   if (stopped)
      wanted = False;
   skipping = stopped = False;
   begin(DG_WINDOW_OPTION);
}

/*------------------------------------------------------------*/
/*--- --datagrind-toggle-fn                                ---*/
/*------------------------------------------------------------*/

Bool DG_(is_toggle_fn) ( Addr entry )
{
   const HChar* name;
   if (DG_(opt).toggle_fns == NULL
       || !VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), entry, &name))
      return False;
   for (Word i = 0; i < VG_(sizeXA)(DG_(opt).toggle_fns); i++)
      if (VG_(string_match)(*(const HChar**)
                               VG_(indexXA)(DG_(opt).toggle_fns, i), name))
         return True;
   return False;
}

/* At the first block of such a function; when the frame on top is dropped it
   has returned.  A function that is entered by a jump, or goes back to its
   start, is entered once.  */
void DG_(toggle_enter) ( void )
{
   if (DG_(hot).top->sp & DG_FRAME_TOGGLE)
      return;
   DG_(stack_mark_toggle)();
   if (toggle_depth++ == 0)
      DG_(window_set)(True, DG_WINDOW_FUNCTION);
}

Bool DG_(toggle_counts) ( void )
{
   return counts() && toggle_depth == 0
          && !(DG_(hot).top->sp & DG_FRAME_TOGGLE);
}

void DG_(toggle_leave) ( void )
{
   if (toggle_depth > 0 && --toggle_depth == 0)
      DG_(window_set)(False, DG_WINDOW_FUNCTION);
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_window.c ---*/
/*--------------------------------------------------------------------*/
