/*--------------------------------------------------------------------*/
/*--- Datagrind: tables of live blocks.                  dg_live.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Programs allocate and free millions of times, and touch their blocks in
   between: what counts is how many cache lines a look-up needs.  So blocks of
   one page of memory, which mostly come and go together, have their chains
   side by side.  */

#include "dg_tool.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#define PAGE_BITS  10
#define PAGE_SIZE  (1 << PAGE_BITS)
#define NONE       0xFFFFFFFF

static DgLive** pages;
static UInt     max_pages;
static UInt     n_blocks;        /* used once */
static UInt     first_free = NONE;

static inline DgLive* block_at ( UInt i )
{
   return &pages[i >> PAGE_BITS][i & (PAGE_SIZE - 1)];
}

static UInt new_block ( void )
{
   UInt i = first_free;
   if (i != NONE) {
      first_free = block_at(i)->next;
      return i;
   }
   i = n_blocks++;
   if ((i >> PAGE_BITS) >= max_pages) {
      max_pages = max_pages == 0 ? 64 : 2 * max_pages;
      pages = VG_(realloc)("dg.live.pages", pages,
                           max_pages * sizeof(DgLive*));
   }
   if ((i & (PAGE_SIZE - 1)) == 0)
      pages[i >> PAGE_BITS] = VG_(malloc)("dg.live.page",
                                          PAGE_SIZE * sizeof(DgLive));
   return i;
}

static inline UInt* chain_of ( const DgLives* t, Addr a )
{
   ULong page = (ULong)(a >> 12) * 0x9E3779B97F4A7C15ULL;
   return &t->chains[((UInt)(page >> 32) ^ (UInt)(a >> 4))
                     & (t->n_chains - 1)];
}

/* What leads to the block at a, or to the end of its chain.  */
static inline UInt* link_to ( const DgLives* t, Addr a )
{
   UInt* p = chain_of(t, a);
   while (*p != NONE && block_at(*p)->addr != a)
      p = &block_at(*p)->next;
   return p;
}

static void chain ( DgLives* t, UInt i )
{
   UInt* p = chain_of(t, block_at(i)->addr);
   block_at(i)->next = *p;
   *p = i;
}

void DG_(lives_init) ( DgLives* t, UInt n_chains )
{
   t->n        = 0;
   t->n_chains = n_chains;
   t->chains   = VG_(malloc)("dg.live.chains", n_chains * sizeof(UInt));
   VG_(memset)(t->chains, 0xff, n_chains * sizeof(UInt));
}

void DG_(lives_done) ( DgLives* t )
{
   VG_(free)(t->chains);
}

static void grow ( DgLives* t )
{
   DgLives fresh;
   DG_(lives_init)(&fresh, 4 * t->n_chains);
   fresh.n = t->n;
   for (UInt k = 0; k < t->n_chains; k++)
      for (UInt i = t->chains[k]; i != NONE; ) {
         UInt next = block_at(i)->next;
         chain(&fresh, i);
         i = next;
      }
   DG_(lives_done)(t);
   *t = fresh;
}

DgLive* DG_(live_find) ( const DgLives* t, Addr a )
{
   UInt i = *link_to(t, a);
   return i == NONE ? NULL : block_at(i);
}

/* There is none at a.  The caller fills in all but addr.  */
DgLive* DG_(live_add) ( DgLives* t, Addr a )
{
   if (4 * t->n++ >= t->n_chains)
      grow(t);
   UInt i = new_block();
   block_at(i)->addr = a;
   chain(t, i);
   return block_at(i);
}

/* Returns what was there, good until the next is added, or NULL.  */
const DgLive* DG_(live_remove) ( DgLives* t, Addr a )
{
   UInt* link = link_to(t, a);
   UInt  i    = *link;
   if (i == NONE)
      return NULL;
   *link = block_at(i)->next;
   block_at(i)->next = first_free;
   first_free = i;
   t->n--;
   return block_at(i);
}

/* The smallest block of t that a is in, if it is smaller than best.  Asked
   rarely: a walk through all will do.  */
const DgLive* DG_(live_around) ( const DgLives* t, Addr a, const DgLive* best )
{
   for (UInt k = 0; k < t->n_chains; k++)
      for (UInt i = t->chains[k]; i != NONE; i = block_at(i)->next) {
         const DgLive* b = block_at(i);
         if (b->addr <= a && a - b->addr < b->size
             && (best == NULL || b->size < best->size))
            best = b;
      }
   return best;
}

static Int by_seqno ( const void* x, const void* y )
{
   const DgLive* a = *(DgLive* const*)x;
   const DgLive* b = *(DgLive* const*)y;
   return a->seqno < b->seqno ? -1 : a->seqno > b->seqno;
}

/* All t->n, in the order in which they were made; to be freed.  */
DgLive** DG_(lives_in_order) ( const DgLives* t )
{
   DgLive** all = VG_(malloc)("dg.live.all", (t->n + 1) * sizeof *all);
   UInt     n   = 0;
   for (UInt k = 0; k < t->n_chains; k++)
      for (UInt i = t->chains[k]; i != NONE; i = block_at(i)->next)
         all[n++] = block_at(i);
   VG_(ssort)(all, n, sizeof *all, by_seqno);
   return all;
}

/* What of t begins in a's 16 bytes, which share a chain, and is less than size
   bytes from low, behind the n in *all.  Returns how many there are then.  */
static UInt gather_at ( const DgLives* t, Addr a, Addr low, SizeT size,
                        DgLive*** all, UInt n )
{
   for (UInt i = *chain_of(t, a); i != NONE; i = block_at(i)->next) {
      DgLive* b = block_at(i);
      if (b->addr >> 4 != a >> 4 || b->addr - low >= size)
         continue;
      if ((n & (n - 1)) == 0)
         *all = VG_(realloc)("dg.live.in", *all, (2 * n + 1) * sizeof **all);
      (*all)[n++] = b;
   }
   return n;
}

/* The *n of t that begin in [a, a + size), in that order; to be freed.  The
   time goes with size or with t, whichever is smaller: pools ask for each of
   their pieces.  */
DgLive** DG_(lives_in) ( const DgLives* t, Addr a, SizeT size, UInt* n )
{
   DgLive** all;
   *n = 0;
   if (size >> 4 < t->n_chains) {
      all = NULL;
      for (SizeT k = 0; k < size + (a & 15); k += 16)
         *n = gather_at(t, a + k, a, size, &all, *n);
      if (all != NULL)
         VG_(ssort)(all, *n, sizeof *all, by_seqno);
      return all;
   }
   all = DG_(lives_in_order)(t);
   for (UInt i = 0; i < t->n; i++)
      if (all[i]->addr - a < size)
         all[(*n)++] = all[i];
   return all;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_live.c ---*/
/*--------------------------------------------------------------------*/
