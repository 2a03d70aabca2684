/*--------------------------------------------------------------------*/
/*--- Datagrind: long gaps between windows.               dg_gap.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Where nothing is recorded the hot path is for nothing, but to translate other
   code takes time.  So the code of a long gap is light (dg_light), and when a
   window is near, or recording begins, all of it is discarded, and what runs on
   is heavy again.  Both keep the shadow stacks and count instructions, so that
   the log is the same either way.

   Which gaps are long: the length is known in advance, of periods and skips.
   Of other gaps heavy code must have run as long as the two changes take, which
   are then half of all time at most.  Both are counted, never measured in
   time, so that the log of a program is the same whenever the program does the
   same.

   Translations may be discarded where none runs: here, when a thread stops,
   and in requests.  No thread runs for more blocks than the scheduler lets it:
   as many before a window code becomes heavy.  */

#include "dg_arch.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

Bool DG_(light);

/* What the two changes take, in instructions of heavy code of which light code
   saves the rest: for each block that is translated, and at least.  */
#define BLOCK_COST   30000ULL
#define LEAST_COST   50000000ULL

/* Instructions between two looks at the clock.  */
#define TICK         300000
/* Of which that many are the work of a word of a run.  */
#define TICK_WORK    32

static Bool  in_gap;             /* heavy code runs, and makes runs for
                                    nothing, */
static ULong gap_start;          /* since then */
static ULong n_blocks;           /* translated since all were discarded, */
static ULong n_before;           /* and between that and the time before */
static Bool  must_leave;

/* For --stats=yes.  */
static ULong n_light, n_light_blocks;

/*------------------------------------------------------------*/
/*--- What light code has numbers for                      ---*/
/*------------------------------------------------------------*/

typedef struct _Site {
   struct _Site* next;           /* VgHashNode */
   Addr  site;                   /* key */
   UInt  number;
} Site;

typedef struct _Segment {
   struct _Segment* next;        /* VgHashNode */
   Addr   start;                 /* key */
   UInt   number;
   UChar  n, added;
   UChar  sizes[];               /* of n instructions */
} Segment;

static VgHashTable* sites;
static XArray*      all_sites;   /* of Addr */
static VgHashTable* segments;
static XArray*      all_segments;/* of Segment*; the first is none */

UInt DG_(gap_site) ( Addr site )
{
   Site* s = VG_(HT_lookup)(sites, site);
   if (s == NULL) {
      s = VG_(malloc)("dg.gap.site", sizeof *s);
      s->site   = site;
      s->number = VG_(addToXA)(all_sites, &site);
      VG_(HT_add_node)(sites, s);
   }
   return s->number;
}

Addr DG_(gap_site_at) ( UInt n )
{
   return *(Addr*)VG_(indexXA)(all_sites, n);
}

static Word other_segment ( const void* x, const void* y )
{
   const Segment* a = x;
   const Segment* b = y;
   return a->start != b->start || a->n != b->n || a->added != b->added
          || VG_(memcmp)(a->sizes, b->sizes, a->n) != 0;
}

UInt DG_(gap_segment) ( const DgInstr* instrs, UInt n, UInt added )
{
   UChar    key_bytes[sizeof(Segment) + 256]
               __attribute__((aligned(sizeof(Addr))));
   Segment* key = (Segment*)key_bytes;
   key->start = DG_(code_place)(instrs[0].addr);
   key->n     = n;
   key->added = added;
   for (UInt i = 0; i < n; i++)
      key->sizes[i] = instrs[i].size;
   Segment* s = VG_(HT_gen_lookup)(segments, key, other_segment);
   if (s == NULL) {
      s = VG_(malloc)("dg.gap.segment", sizeof *s + n);
      VG_(memcpy)(s, key, sizeof *s + n);
      s->number = VG_(addToXA)(all_segments, &s);
      VG_(HT_add_node)(segments, s);
   }
   return s->number;
}

/* None is in use by any code.  */
static void forget_segments ( void )
{
   static Segment* none;
   if (segments != NULL) {
      VG_(HT_destruct)(segments, VG_(free));
      VG_(dropTailXA)(all_segments, VG_(sizeXA)(all_segments));
   }
   segments = VG_(HT_construct)("dg.gap.segments");
   VG_(addToXA)(all_segments, &none);
   DG_(hot).segment = 0;
}

void DG_(gap_interrupted) ( Addr ip )
{
   const Segment* s
      = *(Segment**)VG_(indexXA)(all_segments, DG_(hot).segment);
   DG_(hot).segment = 0;
   if (s == NULL)
      return;
   Addr a = s->start;
   UInt i = 0;
   while (i < s->n && a != ip)
      a += s->sizes[i++];
   if (i < s->n)
      DG_(hot).executed += (Word)i - s->added;
}

/*------------------------------------------------------------*/
/*--- From one to the other                                ---*/
/*------------------------------------------------------------*/

/* The most instructions that a thread executes before it stops.  */
static ULong margin ( void )
{
   return (DG_(core_quantum)() + 2) * VG_(clo_vex_control).guest_max_insns;
}

/* Scripts and comparisons of stacks are what heavy code does.  */
static Bool can_be_light ( void )
{
   return DG_ARCH_LIGHT && DG_(out_is_open)() && DG_(opt).gaps != DG_GAPS_HEAVY
          && !DG_(opt).scripts && DG_(opt).check_stacks == 0;
}

static void discard ( void )
{
   DG_(core_discard_all)();
   n_before = n_blocks;
   n_blocks = 0;
}

static void begin_light ( void )
{
   DG_(flush_runs)();
   if (DG_(recording))
      return;
   DG_(light) = True;
   n_light++;
   forget_segments();
   discard();
}

static void end_light ( void )
{
   DG_(flush_runs)();
   DG_(light) = must_leave = in_gap = False;
   DG_(stack_resolve_all)();
   discard();
}

/* So many instructions of the gap are needed: what runs in the gap is mostly
   what ran in the one before, and what runs in windows also.  */
static ULong cost ( void )
{
   ULong n = n_blocks + (n_before != 0 ? n_before : n_blocks);
   return DG_(opt).gaps == DG_GAPS_LIGHT ? 0 : LEAST_COST + BLOCK_COST * n;
}

/* How many are to come, if that is known.  */
static ULong left ( ULong now )
{
   return DG_(window_next) == DG_NEVER ? DG_NEVER
          : DG_(window_next) > now ? DG_(window_next) - now : 0;
}

static Bool is_long ( ULong now )
{
   ULong n = left(now);
   return n == DG_NEVER ? now - gap_start >= cost()
                        : n > margin() && n - margin() > cost();
}

Bool DG_(gap_end) ( void )
{
   in_gap = False;
   if (!DG_(light))
      return True;
   if (DG_(core_in_code)()) {
      must_leave = True;
      return False;
   }
   end_light();
   return True;
}

UWord DG_(gap_toggles) ( void )
{
   if (!DG_(toggle_counts)()) {
      DG_(toggle_enter)();
      return 0;
   }
   must_leave = True;
   return 1;
}

/*------------------------------------------------------------*/
/*--- As the program runs                                  ---*/
/*------------------------------------------------------------*/

void DG_(gap_translates) ( void )
{
   n_blocks++;
   n_light_blocks += DG_(light);
}

void DG_(gap_flush) ( void )
{
   ULong n = DG_(hot).executed;
   DG_(hot).executed = 0;
   if (!DG_(out_is_open)())
      return;
   DG_(run_pass_over)(n);
   DG_(out_marker)();
   DG_(clock_flushed)(n / TICK_WORK);
}

/* What heavy code does whenever the buffer is full.  */
static void tick ( void )
{
   ULong now = DG_(totals).icount + DG_(hot).executed;
   if (must_leave || left(now) <= margin()) {
      end_light();
      DG_(window_delayed)();
   } else if (DG_(hot).executed >= TICK) {
      DG_(flush_full)();
   }
}

static void stop_client_code ( ThreadId tid, ULong blocks_done )
{
   if (DG_(recording))
      return;
   if (DG_(light)) {
      tick();
   } else if (can_be_light()) {
      ULong now = DG_(totals).icount;
      if (!in_gap)
         gap_start = now;
      in_gap = True;
      if (is_long(now))
         begin_light();
   }
}

/* Before the program's first instruction, when there is nothing to discard.  */
void DG_(gap_init) ( void )
{
   sites        = VG_(HT_construct)("dg.gap.sites");
   all_sites    = VG_(newXA)(VG_(malloc), "dg.gap.all_sites", VG_(free),
                             sizeof(Addr));
   all_segments = VG_(newXA)(VG_(malloc), "dg.gap.all_segments", VG_(free),
                             sizeof(Segment*));
   forget_segments();
   VG_(track_stop_client_code)(stop_client_code);
   DG_(light) = !DG_(recording) && can_be_light()
                && (DG_(window_next) == DG_NEVER || is_long(0));
   n_light = DG_(light);
}

void DG_(gap_stats) ( void )
{
   if (VG_(clo_stats))
      VG_(dmsg)("light gaps: %llu, light blocks: %llu, sites of calls: %ld\n",
                n_light, n_light_blocks, VG_(sizeXA)(all_sites));
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_gap.c ---*/
/*--------------------------------------------------------------------*/
