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
   emptied, which is what costs most.  */

#include "dg_tool.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_options.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_xarray.h"
#include "pub_tool_debuginfo.h"

Bool  DG_(recording);
ULong DG_(window_next) = DG_NEVER;

static Bool  skipping;           /* --datagrind-skip is not over */
static Bool  wanted;             /* what recording would be without it */
static UInt  toggle_depth;       /* toggle functions that are running */

static void write_window ( UChar why )
{
   static DgRecord r;
   DG_(rec_begin)(&r, DG_R_WINDOW);
   DG_(rec_byte)(&r, DG_(recording));
   DG_(rec_byte)(&r, why);
   DG_(rec_quad)(&r, DG_(ring_open) ? 0 : DG_(totals).icount);
   DG_(rec_write)(&r);
   if (DG_(recording))
      DG_(thread_in_log)();
}

/* When the next thing happens, counted in executed instructions.  */
static void set_next ( void )
{
   DG_(window_next) = DG_NEVER;
   if (skipping)
      DG_(window_next) = DG_(opt).skip;
   else if (DG_(recording) && DG_(opt).stop_after != 0)
      DG_(window_next) = DG_(totals).icount
         + (DG_(opt).stop_after - DG_(totals).instructions);
}

static void change ( Bool on, UChar why )
{
   if (on && DG_(opt).stop_after != 0
       && DG_(totals).instructions >= DG_(opt).stop_after)
      return;
   if (!DG_(out_is_open)() || on == DG_(recording))
      return;
   DG_(recording) = on;
   DG_(ring_leave_place)();
   write_window(why);
   set_next();
}

void DG_(window_set) ( Bool on, UChar why )
{
   DG_(flush_runs)();
   wanted = on;
   if (!skipping)
      change(on, why);
}

/* Called while runs are being written: they are as far as
   DG_(totals).icount says.  */
void DG_(window_due) ( void )
{
   if (skipping) {
      skipping = False;
      set_next();
      if (wanted)
         change(True, DG_WINDOW_SKIP);
   } else {
      change(False, DG_WINDOW_STOP_AFTER);
      DG_(window_next) = DG_NEVER;
   }
}

void DG_(window_init) ( void )
{
   skipping = DG_(opt).skip != 0;
   wanted   = DG_(opt).start && DG_(opt).toggle_fns == NULL;
   DG_(recording) = wanted && !skipping;
   if (!DG_(recording))
      write_window(skipping ? DG_WINDOW_SKIP : DG_WINDOW_OPTION);
   set_next();
}

/* A forked child's log, whose counts begin at 0: what was to be skipped is
   the parent's.  */
void DG_(window_repeat) ( void )
{
   if (skipping)
      DG_(recording) = wanted;
   skipping = False;
   if (!DG_(recording))
      write_window(DG_WINDOW_OPTION);
   set_next();
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
   if (DG_(hot).top->sp & DG_FRAME_MARK)
      return;
   DG_(stack_mark_toggle)();
   if (toggle_depth++ == 0)
      DG_(window_set)(True, DG_WINDOW_FUNCTION);
}

void DG_(toggle_leave) ( void )
{
   if (toggle_depth > 0 && --toggle_depth == 0)
      DG_(window_set)(False, DG_WINDOW_FUNCTION);
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_window.c ---*/
/*--------------------------------------------------------------------*/
