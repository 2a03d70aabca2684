/*--------------------------------------------------------------------*/
/*--- Datagrind: the run buffer.                          dg_run.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* The IR fills the buffer.  With a ring its runs go there as they are; else
   they become BBRUN records here.  Blocks are short, so that must be too: a
   header (node, variant) is looked up in a
   small table of all that a plain run's record needs.  The first
   time a header is met its CONTEXT, and perhaps the BBDEF, is written.  */

#include "dg_tool.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

/* Half of a small L2 cache; behind the limit a block still fits.  */
#define BUFFER_WORDS  (160 * 1024 / sizeof(UWord))
#define SLACK_WORDS   4096

static UWord buffer[BUFFER_WORDS + SLACK_WORDS] __attribute__((aligned(64)));

DgTotals DG_(totals);

/* Header -> context.  A large program has so many that the table does not fit
   in the caches that are near, and then where they are is what counts: blocks
   that were translated one after the other, as those of a function are, have
   theirs side by side for each call path.  */
typedef struct {
   UWord hdr[DG_HDR_WORDS];
   UInt  context;
   UInt  unused;
} Slot;

#define SLOT_BITS  18
#define GROUP_BITS 3
static Slot slots[1 << SLOT_BITS] __attribute__((aligned(256)));

/* Of bytes in a record with a short length and what is stored behind it for
   nothing.  */
#define SHORT_ROOM   512

/* (variant's block, node) -> context of this log.  Open addressing.  */
typedef struct {
   const DgBlock* block;         /* NULL: empty */
   UInt node;
   UInt context;
} Context;

static Context* contexts;
static UInt     n_contexts;
static UInt     max_contexts;    /* a power of two */

/*------------------------------------------------------------*/
/*--- Definitions                                          ---*/
/*------------------------------------------------------------*/

static UInt context_slot ( const DgBlock* b, UInt node )
{
   ULong h = (((ULong)(UWord)b >> 4) ^ ((ULong)node << 32))
             * 0x9E3779B97F4A7C15ULL;
   UInt  i = (UInt)(h >> 32) & (max_contexts - 1);
   while (contexts[i].block != NULL
          && (contexts[i].block != b || contexts[i].node != node))
      i = (i + 1) & (max_contexts - 1);
   return i;
}

static void grow_contexts ( void )
{
   Context* old = contexts;
   UInt   n_old = max_contexts;
   max_contexts = n_old == 0 ? 16384 : 2 * n_old;
   contexts = VG_(calloc)("dg.run.contexts", max_contexts, sizeof(Context));
   for (UInt i = 0; i < n_old; i++)
      if (old[i].block != NULL)
         contexts[context_slot(old[i].block, old[i].node)] = old[i];
   VG_(free)(old);
}

static DgRecord record;

static void define_block ( DgBlock* b )
{
   DG_(rec_begin)(&record, DG_R_BBDEF);
   DG_(rec_byte)(&record, b->n_instrs);
   DG_(rec_word)(&record, b->n_entries);
   for (UInt i = 0; i < b->n_instrs; i++) {
      DG_(rec_word)(&record, b->instrs[i].addr);
      DG_(rec_byte)(&record, b->instrs[i].size);
   }
   for (UInt i = 0; i < b->n_entries; i++) {
      DG_(rec_byte)(&record, b->entries[i].kind);
      DG_(rec_byte)(&record, b->entries[i].size);
      DG_(rec_byte)(&record, b->entries[i].iseq);
   }
   DG_(rec_write)(&record);
   b->log_index = DG_(totals).bbdefs++;
   DG_(block_write_notes)(b);
}

static UInt define_context ( DgBlock* b, UInt node )
{
   Addr sites[256];
   UInt n = DG_(node_path)(node, sites);
   if (b->log_index == DG_NOT_IN_LOG)
      define_block(b);
   DG_(rec_begin)(&record, DG_R_CONTEXT);
   DG_(rec_word)(&record, b->log_index);
   DG_(rec_byte)(&record, n + 1);
   DG_(rec_word)(&record, b->instrs[0].addr);
   for (UInt i = 0; i < n; i++)
      DG_(rec_word)(&record, sites[i]);
   DG_(rec_write)(&record);
   return DG_(totals).contexts++;
}

static UInt context_of ( DgBlock* b, UInt node )
{
   UInt i = context_slot(b, node);
   if (contexts[i].block == NULL) {
      if (2 * (n_contexts + 1) > max_contexts) {
         grow_contexts();
         i = context_slot(b, node);
      }
      contexts[i].block   = b;
      contexts[i].node    = node;
      contexts[i].context = define_context(b, node);
      n_contexts++;
   }
   return contexts[i].context;
}

static inline UInt run_number ( const UWord* run )
{
   return (UInt)run[0];
}

static inline UInt run_node ( const UWord* run )
{
#  if VG_WORDSIZE == 8
   return DG_NODE(run[0]);
#  else
   return run[1];
#  endif
}

static inline UInt run_length ( const UWord* run )
{
   UInt n = run[0] & DG_LENGTH_MASK;
   if (UNLIKELY(n == 0))
      n = DG_HDR_WORDS + DG_VARIANT(run_number(run))->run_words;
   return n;
}

static void fill_slot ( Slot* s, const UWord* run )
{
   s->context = context_of(DG_VARIANT(run_number(run))->block,
                           run_node(run));
   for (UInt i = 0; i < DG_HDR_WORDS; i++)
      s->hdr[i] = run[i];
}

/*------------------------------------------------------------*/
/*--- Runs                                                 ---*/
/*------------------------------------------------------------*/

static inline Slot* slot_for ( const UWord* run )
{
#  if VG_WORDSIZE == 8
   ULong key = run[0];
#  else
   ULong key = run[0] | (ULong)run[1] << 32;
#  endif
   UInt group = ((key >> (DG_LENGTH_BITS + GROUP_BITS))
                 * 0x9E3779B97F4A7C15ULL) >> (64 - SLOT_BITS + GROUP_BITS);
   UInt place = (UInt)(key >> DG_LENGTH_BITS) & ((1 << GROUP_BITS) - 1);
   return &slots[group << GROUP_BITS | place];
}

static inline Slot* second_slot ( Slot* s )
{
   return (Slot*)((Addr)s ^ (sizeof(Slot) << GROUP_BITS));
}

static inline Bool slot_is ( const Slot* s, const UWord* run )
{
#  if VG_WORDSIZE == 8
   return s->hdr[0] == run[0];
#  else
   return s->hdr[0] == run[0] && s->hdr[1] == run[1];
#  endif
}

typedef UWord UnalignedWord  __attribute__((aligned(1)));
typedef ULong UnalignedULong __attribute__((aligned(1)));
typedef UInt  UnalignedUInt  __attribute__((aligned(1)));

typedef DgPair UnalignedPair __attribute__((aligned(1)));

static inline void put_steps ( UnalignedWord* to, const DgStep* step,
                               const DgMask* mask, const UWord* words )
{
   for (UInt k = 0; k < DG_STEPS / 2; k++) {
      DgPair pair = { words[step->word[2 * k]], words[step->word[2 * k + 1]] };
      if (mask != NULL)
         pair &= mask->mask[k];
      *(UnalignedPair*)(to + 2 * k) = pair + step->disp[k];
   }
}

static inline void put_addresses ( UnalignedWord* to, const DgVariant* v,
                                   const UWord* words )
{
   const DgStep* step = v->steps;
   UInt          n    = v->n_steps;
   if (v->masks == NULL) {
      put_steps(to, step, NULL, words);
      for (; UNLIKELY(n > 1); n--)
         put_steps(to += DG_STEPS, ++step, NULL, words);
   } else {
      const DgMask* mask = v->masks;
      put_steps(to, step, mask, words);
      for (; UNLIKELY(n > 1); n--)
         put_steps(to += DG_STEPS, ++step, ++mask, words);
   }
}

/* Any run of any block; n_instrs of v's or fewer were executed.  */
static void record_slowly ( const UWord* run, const DgVariant* v )
{
   UWord    addrs[v->n_entries + DG_STEPS];
   DgBlock* b       = v->block;
   UWord    context = context_of(b, run_node(run));
   UInt     missing_reads = 0, missing_writes = 0;
   const UWord* words = run + DG_HDR_WORDS;

   for (UInt i = 0; !b->odd && i < v->n_steps; i++)
      put_steps(addrs + i * DG_STEPS, v->steps + i,
                v->masks == NULL ? NULL : v->masks + i, words);
   for (UInt i = 0; b->odd && i < v->n_entries; i++) {
      const DgEntry* e = &b->entries[i];
      Bool not_made = e->guarded && words[e->word] == 0;
      addrs[i] = not_made ? 0 : e->disp;
      if (e->word != DG_NO_WORD && !not_made)
         addrs[i] += words[e->word];
      /* A continued access counts once, at its last entry.  */
      if (not_made || e->size == 255) {
         if (e->kind == DG_ACC_READ)
            missing_reads++;
         else
            missing_writes++;
      }
   }
   DG_(rec_begin)(&record, DG_R_BBRUN);
   DG_(rec_word)(&record, context);
   DG_(rec_byte)(&record, v->n_instrs);
   DG_(rec_bytes)(&record, addrs, v->n_entries * sizeof(UWord));
   DG_(rec_write)(&record);
   if (b->values != NULL)
      DG_(value_write)(b, v->n_entries, words, addrs);

   UInt reads = DG_COUNT_READS(v->counts[1]);
   UInt sps   = DG_COUNT_SPS(v->counts[1]);
   DG_(totals).runs++;
   DG_(totals).instructions += v->n_instrs;
   DG_(totals).entries      += v->n_entries;
   DG_(totals).reads        += reads - missing_reads;
   DG_(totals).writes       += v->n_entries - reads - sps - missing_writes;
}

/* The first n instructions of a run, which is lost.  */
static void record_part ( UWord* run, UInt n )
{
   UInt number = run_number(run);
   if (n == 0)
      return;
   if (n < DG_VARIANT(number)->n_instrs) {
      UInt cut = DG_(block_cut_at)(DG_VARIANT(number)->block, n);
      run[0] = (run[0] ^ number) | cut;
      number = cut;
   }
   if (DG_(opt).ring_dir == NULL) {
      record_slowly(run, DG_VARIANT(number));
   } else {
      DG_(ring_runs)(run, DG_HDR_WORDS + DG_VARIANT(number)->run_words);
      DG_(totals).instructions += n;
   }
}

void DG_(run_pass_over) ( ULong n_instrs )
{
   DG_(totals).icount += n_instrs;
   DG_(ring_skip)(n_instrs);
}

/* A run near a moment at which a window opens or closes: it does at the first
   run that begins at or behind the moment, but recording ends after the very
   instruction.  */
static void run_at_edge ( UWord* run )
{
   UInt left = DG_VARIANT(run_number(run))->n_instrs;
   if (DG_(totals).icount >= DG_(window_next))
      DG_(window_due)();
   if (DG_(recording)) {
      ULong until = DG_(window_end) - DG_(totals).icount;
      UInt  n     = until < left ? until : left;
      record_part(run, n);
      DG_(totals).icount += n;
      left -= n;
      if (DG_(totals).icount >= DG_(window_end))
         DG_(window_due)();
   }
   DG_(run_pass_over)(left);
}

/* The run's slot wherever it is, else one that is not its.  */
static inline Slot* find_slot ( const UWord* run )
{
   Slot* s = slot_for(run);
   return LIKELY(slot_is(s, run)) ? s : second_slot(s);
}

static void add_slot ( const UWord* run )
{
   Slot* s = slot_for(run);
   Slot* t = second_slot(s);
   if (slot_for(t->hdr) != t)
      *t = *s;
   fill_slot(s, run);
}

/* Type, length, context, instructions of a plain run.  */
static inline void put_prefix ( UChar* out, const DgVariant* v, UInt context )
{
   UInt length = v->record_size - 2;
#  if defined(VG_BIGENDIAN) && VG_WORDSIZE == 8
   *(UnalignedULong*)out = (ULong)DG_R_BBRUN << 56 | (ULong)length << 48
                           | context >> 16;
   *(UnalignedUInt*)(out + 8) = context << 16 | (UInt)v->n_instrs << 8;
#  elif defined(VG_BIGENDIAN)
   *(UnalignedULong*)out = (ULong)DG_R_BBRUN << 56 | (ULong)length << 48
                           | (ULong)context << 16 | (UInt)v->n_instrs << 8;
#  else
   ULong prefix = DG_R_BBRUN | length << 8 | (ULong)context << 16;
#  if VG_WORDSIZE == 8
   *(UnalignedULong*)out = prefix;
   *(UnalignedUInt*)(out + 8) = (UInt)v->n_instrs << 16;
#  else
   *(UnalignedULong*)out = prefix | (ULong)v->n_instrs << 48;
#  endif
#  endif
}

/* The loop of the whole tool: plain runs that have their slots, as long as
   there is room.  Returns the first run that is something else, or end.
   Stores more than it keeps, which the next record overwrites.  */
static UWord* record_plain ( UWord* p, UWord* end )
{
   UChar* out       = DG_(out_pos);
   UChar* out_limit = DG_(out_limit) - SHORT_ROOM;
   ULong  counts[2] = { 0, 0 };

   while (p < end && out < out_limit) {
      const Slot*      s = find_slot(p);
      const DgVariant* v = DG_VARIANT(run_number(p));
      if (UNLIKELY(!slot_is(s, p)) || UNLIKELY(!v->plain))
         break;
      put_prefix(out, v, s->context);
      put_addresses((UnalignedWord*)(out + DG_PREFIX_SIZE), v,
                    p + DG_HDR_WORDS);
      UInt length = run_length(p);
      p[0] = 0;
      p   += length;
      out += v->record_size;
      counts[0] += v->counts[0];
      counts[1] += v->counts[1];
   }

   UInt instrs  = (UInt)counts[0];
   UInt entries = DG_COUNT_ENTRIES(counts[1]);
   UInt reads   = DG_COUNT_READS(counts[1]);
   DG_(out_pos)              = out;
   DG_(totals).instructions += instrs;
   DG_(totals).icount       += instrs;
   DG_(totals).runs         += counts[0] >> 32;
   DG_(totals).entries      += entries;
   DG_(totals).reads        += reads;
   DG_(totals).writes       += entries - reads - DG_COUNT_SPS(counts[1]);
   return p;
}

/* A run of any kind, near whatever may be due.  */
static void record_any ( UWord* run )
{
   const DgVariant* v = DG_VARIANT(run_number(run));
   if (DG_(totals).icount + v->n_instrs >= DG_(window_next)) {
      run_at_edge(run);
      return;
   }
   if (DG_(recording))
      record_slowly(run, v);
   DG_(totals).icount += v->n_instrs;
}

/* The run that record_plain stopped at needs its slot, or room, or is not
   plain; True if it has been recorded.  */
static Bool record_other ( UWord* run )
{
   Bool room = DG_(out_room)(2 * SHORT_ROOM);
   if (!slot_is(find_slot(run), run)) {
      add_slot(run);
      room = DG_(out_room)(2 * SHORT_ROOM);
   }
   if (room && DG_VARIANT(run_number(run))->plain)
      return False;
   record_any(run);
   return True;
}

/* Is anything due while the buffer is emptied?  */
static Bool edge_is_near ( void )
{
   return DG_(window_next) <= DG_(totals).icount
          || DG_(window_next) - DG_(totals).icount
             <= 255 * sizeof buffer / sizeof(UWord);
}

/* The runs in [p, end) into the file, as long as that is wanted.  Returns the
   first of the others, or end.  */
static UWord* write_runs ( UWord* p, UWord* end )
{
   while (p < end && DG_(recording)) {
      UInt length = 0;
      if (edge_is_near()) {
         length = run_length(p);
         record_any(p);
      } else {
         p = record_plain(p, end);
         if (p == end)
            break;
         UInt n = run_length(p);
         if (record_other(p))
            length = n;
      }
      if (length != 0)
         p[0] = 0;
      p += length;
   }
   return p;
}

/* Adds up the instructions of runs in [p, end) that are fewer than max, and
   clears the runs if they are to be dropped.  Returns the run with which they
   would not be fewer, or end.  */
static inline UWord* count ( UWord* p, const UWord* end, ULong max,
                             Bool drop, ULong* n )
{
   ULong sum = 0;
   while (p < end) {
      UInt   length = run_length(p);
      ULong  next = sum + DG_(variant_instrs)[run_number(p) >> DG_LENGTH_BITS];
      if (UNLIKELY(next >= max))
         break;
      if (drop)
         p[0] = 0;
      sum = next;
      p  += length;
   }
   *n = sum;
   return p;
}

/* As long as nothing is due: the runs need not be looked at, when nobody
   counts their instructions, or be counted only.  Returns the first of the
   others, or end.  */
static UWord* take ( UWord* p, UWord* end )
{
   ULong  n    = 0;
   ULong  max  = DG_(window_next) > DG_(totals).icount
                 ? DG_(window_next) - DG_(totals).icount : 0;
   UWord* stop = end;
   if (!DG_(recording)) {
      stop = count(p, end, max, True, &n);
      DG_(run_pass_over)(n);
      return stop;
   }
   if (DG_(window_next) != DG_NEVER) {
      stop = count(p, end, max, False, &n);
      DG_(totals).icount       += n;
      DG_(totals).instructions += n;
   }
   DG_(ring_runs)(p, stop - p);
   return stop;
}

void DG_(run_to_buffer) ( void )
{
   DG_(hot).cur   = buffer;
   DG_(hot).limit = buffer + BUFFER_WORDS;
}

/* What lies in the ring, and n words behind, moves to the buffer.  */
static void leave_ring ( UInt n )
{
   const UWord* from = DG_(ring_place);
   UInt done = DG_(hot).cur - from;
   VG_(memcpy)(buffer, from, (done + n) * sizeof(UWord));
   DG_(ring_leave_place)();
   DG_(hot).cur += done;
}

/* Runs are made in the ring when all of them are wanted, and else, or when
   something must stand before them, in the buffer.  */
void DG_(flush_runs) ( void )
{
   if (UNLIKELY(DG_(hot).executed != 0))
      DG_(gap_flush)();
   if (DG_(ring_place) != NULL) {
      if (DG_(recording) && DG_(thread_is_in_log)()) {
         UWord n = DG_(hot).cur - DG_(ring_place);
         DG_(ring_runs_here)();
         if (n != 0)
            DG_(clock_flushed)(n);
         return;
      }
      leave_ring(0);
   }

   UWord* p   = buffer;
   UWord* end = DG_(hot).cur;
   if (p == end)
      return;
   DG_(hot).cur = buffer;
   if (!DG_(out_is_open)())
      return;
   if (DG_(recording))
      DG_(thread_in_log)();

   while (p < end) {
      if (DG_(recording) && DG_(opt).ring_dir == NULL) {
         p = write_runs(p, end);
      } else {
         p = take(p, end);
         if (p < end) {
            UInt length = run_length(p);
            run_at_edge(p);
            p[0] = 0;
            p += length;
         }
      }
   }
   /* A value of the program may look like a header (see run_interrupted).  */
   if (DG_(opt).values)
      VG_(memset)(buffer, 0, (end - buffer) * sizeof(UWord));
   DG_(out_marker)();
   if (DG_(ring_open) && DG_(recording) && DG_(window_next) == DG_NEVER)
      DG_(ring_take_place)();
   DG_(clock_flushed)(end - buffer);
}

void DG_(flush_full) ( void )
{
   DG_(flush_runs)();
   DG_(tls_look)(DG_(running)());
   DG_(ring_sync)();
}

/*------------------------------------------------------------*/
/*--- Runs that do not end                                 ---*/
/*------------------------------------------------------------*/

static Bool is_fault ( Int signal )
{
   return signal == VKI_SIGSEGV || signal == VKI_SIGBUS
          || signal == VKI_SIGILL || signal == VKI_SIGFPE
          || signal == VKI_SIGTRAP;
}

/* Between blocks what lies at cur is 0, where a header was, or an address of
   a run that has been recorded; that would have to look like a header of the
   current path whose block has an instruction at ip.  In a ring it can be a
   header of long ago, but only faults come in the middle of blocks, and those
   in blocks have begun a run.  */
Bool DG_(run_interrupted) ( Addr ip, Int signal )
{
   UWord* run = DG_(hot).cur;
   UInt   number = run_number(run);
   if (DG_(light) && is_fault(signal))
      DG_(gap_interrupted)(ip);
   if (!DG_(out_is_open)() || DG_(light)
       || (DG_(ring_place) != NULL && !is_fault(signal)))
      return False;
   if (!DG_(is_variant)(number) || run_node(run) != DG_NODE(DG_(hot).node))
      return False;
   DgBlock* b = DG_VARIANT(number)->block;
   UInt n = 0;
   while (n < b->n_instrs && DG_(code_place)(b->instrs[n].addr) != ip)
      n++;
   if (n == b->n_instrs)
      return False;

   if (n == 0) {
      run[0] = 0;
      return True;
   }
   if (DG_(ring_place) != NULL) {
      leave_ring(DG_HDR_WORDS + DG_VARIANT(b->variant)->run_words);
      run = DG_(hot).cur;
   }
   UInt cut = DG_(block_cut_at)(b, n);
   run[0] = (run[0] ^ number) | cut;
   DG_(hot).cur = run + DG_HDR_WORDS + DG_VARIANT(cut)->run_words;
   DG_(flush_runs)();
   return True;
}

void DG_(run_init) ( void )
{
   DG_(run_to_buffer)();
   if (DG_(opt).ring_dir == NULL)
      grow_contexts();
}

/* A new log: nothing is defined in it.  */
void DG_(run_new_log) ( void )
{
   if (DG_(opt).ring_dir == NULL) {
      VG_(memset)(slots, 0, sizeof slots);
      VG_(memset)(contexts, 0, max_contexts * sizeof(Context));
      n_contexts = 0;
   }
   VG_(memset)(&DG_(totals), 0, sizeof DG_(totals));
   DG_(blocks_not_in_log)();
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_run.c ---*/
/*--------------------------------------------------------------------*/
