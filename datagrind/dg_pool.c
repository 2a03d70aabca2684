/*--------------------------------------------------------------------*/
/*--- Datagrind: pools.                                  dg_pool.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* VALGRIND_CREATE_MEMPOOL and what belongs to it.  A piece of a pool is a
   block like others, in a table of its pool; the log has POOL_BLOCK behind
   its records.  What the program says need not make sense: a request that
   names a pool or a piece that is not there is ignored, and what comes into
   being where something is ends that.  */

#include "dg_tool.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "valgrind.h"

typedef struct _Pool {
   struct _Pool* next;           /* VgHashNode */
   UWord   addr;                 /* key */
   ULong   order;                /* of their making */
   Bool    auto_free;            /* a piece takes with it what was told by
                                    VALGRIND_MALLOCLIKE_BLOCK of its bytes */
   DgLives pieces;
} Pool;

static VgHashTable* pools;
static ULong        n_pools;     /* made so far */
static DgRecord     record;

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

static void write_pool ( UChar what, Addr pool, Addr other )
{
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_POOL);
   DG_(rec_byte)(&record, what);
   DG_(rec_word)(&record, pool);
   DG_(rec_word)(&record, other);
   DG_(rec_write)(&record);
}

static void write_piece ( const Pool* pool )
{
   DG_(rec_begin)(&record, DG_R_POOL_BLOCK);
   DG_(rec_word)(&record, pool->addr);
   DG_(rec_write)(&record);
}

/*------------------------------------------------------------*/
/*--- Pieces                                               ---*/
/*------------------------------------------------------------*/

/* Returns whether there was one.  */
static Bool free_piece ( Pool* pool, ThreadId tid, Addr a )
{
   const DgLive* piece = DG_(live_find)(&pool->pieces, a);
   if (piece == NULL)
      return False;
   if (pool->auto_free)
      DG_(heap_freelike_in)(tid, a, piece->size);
   DG_(heap_remove)(&pool->pieces, tid, a, DG_ALLOC_POOL_FREE);
   write_piece(pool);
   return True;
}

/* old: where its bytes were, or 0.  */
static void add_piece ( Pool* pool, ThreadId tid, Addr a, SizeT size,
                        Addr old )
{
   free_piece(pool, tid, a);
   DG_(heap_add)(&pool->pieces, tid, a, size, size, 0, DG_ALLOC_POOL, old);
   write_piece(pool);
}

/* Another one that is at the new place ends before: what replaces a block
   comes right behind the end of that.  */
static void change ( Pool* pool, ThreadId tid, Addr from, Addr to,
                     SizeT size )
{
   if (DG_(live_find)(&pool->pieces, from) == NULL)
      return;
   if (to != from)
      free_piece(pool, tid, to);
   free_piece(pool, tid, from);
   add_piece(pool, tid, to, size, from);
}

/* Also of those that would go on behind the end of memory.  */
static Addr last_of ( Addr a, SizeT size )
{
   if (size <= 1)
      return a;
   return size - 1 > ~(Addr)0 - a ? ~(Addr)0 : a + size - 1;
}

/* Keeps of a piece what lies in [low, high], both included.  */
static void trim_piece ( Pool* pool, ThreadId tid, const DgLive* piece,
                         Addr low, Addr high )
{
   Addr a    = piece->addr;
   Addr last = last_of(a, piece->size);
   if (a >= low && last <= high)
      return;
   if (last < low || a > high) {
      free_piece(pool, tid, a);
      return;
   }
   Addr first = a < low ? low : a;
   if (last > high)
      last = high;
   change(pool, tid, a, first, last - first + 1);
}

/*------------------------------------------------------------*/
/*--- Pools                                                ---*/
/*------------------------------------------------------------*/

static void destroy ( ThreadId tid, Addr a )
{
   Pool* pool = VG_(HT_lookup)(pools, a);
   if (pool == NULL)
      return;
   UInt     n   = pool->pieces.n;
   DgLive** all = DG_(lives_in_order)(&pool->pieces);
   for (UInt i = 0; i < n; i++)
      free_piece(pool, tid, all[i]->addr);
   VG_(free)(all);
   write_pool(DG_POOL_DESTROY, a, 0);
   VG_(HT_remove)(pools, a);
   DG_(lives_done)(&pool->pieces);
   VG_(free)(pool);
}

static void create ( ThreadId tid, Addr a, UWord flags )
{
   UWord auto_free = VALGRIND_MEMPOOL_METAPOOL | VALGRIND_MEMPOOL_AUTO_FREE;
   destroy(tid, a);
   Pool* pool = VG_(malloc)("dg.pool.pool", sizeof(Pool));
   pool->addr      = a;
   pool->order     = n_pools++;
   pool->auto_free = (flags & auto_free) == auto_free;
   DG_(lives_init)(&pool->pieces, 16);
   VG_(HT_add_node)(pools, pool);
   write_pool(DG_POOL_CREATE, a, 0);
}

static void trim ( Pool* pool, ThreadId tid, Addr a, SizeT size )
{
   UInt     n   = pool->pieces.n;
   DgLive** all = DG_(lives_in_order)(&pool->pieces);
   for (UInt i = 0; i < n; i++) {
      DgLive piece = *all[i];
      if (size == 0)
         free_piece(pool, tid, piece.addr);
      else
         trim_piece(pool, tid, &piece, a, last_of(a, size));
   }
   VG_(free)(all);
}

static void move ( ThreadId tid, Addr from, Addr to )
{
   if (from == to || VG_(HT_lookup)(pools, from) == NULL)
      return;
   destroy(tid, to);
   Pool* pool = VG_(HT_remove)(pools, from);
   pool->addr = to;
   VG_(HT_add_node)(pools, pool);
   write_pool(DG_POOL_MOVE, from, to);
}

/* False: no request of a pool.  */
Bool DG_(pool_request) ( ThreadId tid, const UWord* arg, UWord* ret )
{
   Pool* pool = NULL;
   switch (arg[0]) {
      case VG_USERREQ__CREATE_MEMPOOL:
         create(tid, arg[1], arg[4]);
         return True;
      case VG_USERREQ__DESTROY_MEMPOOL:
         destroy(tid, arg[1]);
         return True;
      case VG_USERREQ__MOVE_MEMPOOL:
         move(tid, arg[1], arg[2]);
         return True;
      case VG_USERREQ__MEMPOOL_EXISTS:
         *ret = VG_(HT_lookup)(pools, arg[1]) != NULL;
         return True;
      case VG_USERREQ__MEMPOOL_ALLOC:
      case VG_USERREQ__MEMPOOL_FREE:
      case VG_USERREQ__MEMPOOL_TRIM:
      case VG_USERREQ__MEMPOOL_CHANGE:
         pool = VG_(HT_lookup)(pools, arg[1]);
         break;
      default:
         return False;
   }
   if (pool == NULL)
      return True;
   if (arg[0] == VG_USERREQ__MEMPOOL_ALLOC)
      add_piece(pool, tid, arg[2], arg[3], 0);
   else if (arg[0] == VG_USERREQ__MEMPOOL_FREE)
      free_piece(pool, tid, arg[2]);
   else if (arg[0] == VG_USERREQ__MEMPOOL_TRIM)
      trim(pool, tid, arg[2], arg[3]);
   else
      change(pool, tid, arg[2], arg[3], arg[4]);
   return True;
}

/*------------------------------------------------------------*/
/*--- The rest                                             ---*/
/*------------------------------------------------------------*/

static Int by_order ( const void* x, const void* y )
{
   const Pool* a = *(Pool* const*)x;
   const Pool* b = *(Pool* const*)y;
   return a->order < b->order ? -1 : a->order > b->order;
}

static void repeat ( const Pool* pool )
{
   DgLive** all = DG_(lives_in_order)(&pool->pieces);
   write_pool(DG_POOL_CREATE, pool->addr, 0);
   for (UInt i = 0; i < pool->pieces.n; i++) {
      DG_(heap_write)(all[i]);
      write_piece(pool);
   }
   VG_(free)(all);
}

/* All pools and their pieces, for the log of a forked child.  */
void DG_(pool_repeat) ( void )
{
   UInt   n;
   Pool** all = (Pool**)VG_(HT_to_array)(pools, &n);
   if (all == NULL)
      return;
   VG_(ssort)(all, n, sizeof *all, by_order);
   for (UInt i = 0; i < n; i++)
      repeat(all[i]);
   VG_(free)(all);
}

void DG_(pool_init) ( void )
{
   pools = VG_(HT_construct)("dg.pool.pools");
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_pool.c ---*/
/*--------------------------------------------------------------------*/
