/*--------------------------------------------------------------------*/
/*--- Datagrind: heap blocks.                            dg_heap.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_tool.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_poolalloc.h"
#include "pub_tool_replacemalloc.h"
#include "valgrind.h"

typedef struct _Block {
   struct _Block* next;          /* VgHashNode */
   Addr   addr;                  /* key */
   SizeT  size;                  /* asked for */
   SizeT  usable;
   SizeT  align;
   ULong  seqno;
   UInt   node;                  /* where it was allocated: its path */
   Addr   ip;                    /* and the allocator's address */
   UInt   thread;
   UChar  allocator;
} Block;

/* Two tables, since a pool may hand out the first bytes of a block that it
   got from malloc as a block of its own.  Requests never touch ours: what
   the program says of its memory must not change what free does.  */
static VgHashTable* blocks;      /* malloc's */
static VgHashTable* likes;       /* VALGRIND_MALLOCLIKE_BLOCK's */
static PoolAlloc*   pool;        /* of Block */
static ULong        seqno;
static DgRecord     record;

#define REDZONE  0

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

static void write_stack ( const Addr* ips, UInt n )
{
   DG_(rec_word)(&record, n);
   for (UInt i = 0; i < n; i++)
      DG_(rec_word)(&record, ips[i]);
}

static void write_alloc ( const Block* b, Addr old )
{
   Addr ips[256];
   ips[0] = b->ip;
   UInt n = 1 + DG_(node_path)(b->node, ips + 1);
   DG_(rec_begin)(&record, DG_R_MALLOC_BLOCK);
   DG_(rec_word)(&record, b->addr);
   DG_(rec_word)(&record, b->size);
   write_stack(ips, n);
   DG_(rec_write)(&record);
   DG_(totals).heap_allocs++;
   DG_(rec_begin)(&record, DG_R_HEAP_ALLOC);
   DG_(rec_quad)(&record, b->seqno);
   DG_(rec_word)(&record, b->thread);
   DG_(rec_byte)(&record, b->allocator);
   DG_(rec_word)(&record, b->usable);
   DG_(rec_word)(&record, b->align);
   DG_(rec_word)(&record, old);
   DG_(rec_write)(&record);
}

static void write_free ( ThreadId tid, Addr a, UChar deallocator )
{
   Addr ips[256];
   UInt n = DG_(stack_here)(tid, ips);
   DG_(rec_begin)(&record, DG_R_FREE_BLOCK);
   DG_(rec_word)(&record, a);
   DG_(rec_write)(&record);
   DG_(totals).heap_frees++;
   DG_(rec_begin)(&record, DG_R_HEAP_FREE);
   DG_(rec_quad)(&record, ++seqno);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_byte)(&record, deallocator);
   write_stack(ips, n);
   DG_(rec_write)(&record);
}

static void add_block ( VgHashTable* table, ThreadId tid, Addr a, SizeT size,
                        SizeT usable, SizeT align, UChar allocator, Addr old )
{
   Block* b = VG_(allocEltPA)(pool);
   DG_(flush_runs)();
   b->addr      = a;
   b->size      = size;
   b->usable    = usable;
   b->align     = align;
   b->seqno     = ++seqno;
   b->node      = DG_NODE(DG_(hot).node);
   b->ip        = VG_(get_IP)(tid);
   b->thread    = DG_(thread_number)(tid);
   b->allocator = allocator;
   VG_(HT_add_node)(table, b);
   write_alloc(b, old);
}

static void forget_block ( ThreadId tid, Block* b, UChar deallocator )
{
   DG_(flush_runs)();
   write_free(tid, b->addr, deallocator);
   VG_(freeEltPA)(pool, b);
}

/* The block is gone from the table and the log; its memory is not.  */
static Bool remove_block ( VgHashTable* table, ThreadId tid, Addr a,
                           UChar deallocator )
{
   Block* b = VG_(HT_remove)(table, a);
   if (b == NULL)
      return False;
   forget_block(tid, b, deallocator);
   return True;
}

/*------------------------------------------------------------*/
/*--- malloc() and the like                                ---*/
/*------------------------------------------------------------*/

static void* allocate ( ThreadId tid, SizeT size, SizeT align,
                        SizeT asked_align, Bool zeroed, UChar allocator,
                        Addr old )
{
   if ((SSizeT)size < 0)
      return NULL;
   void* p = VG_(cli_malloc)(align, size);
   if (p == NULL)
      return NULL;
   if (zeroed)
      VG_(memset)(p, 0, size);
   SizeT usable = VG_(cli_malloc_usable_size)(p);
   add_block(blocks, tid, (Addr)p, size, usable, asked_align, allocator, old);
   return p;
}

static void* dg_malloc ( ThreadId tid, SizeT n )
{
   return allocate(tid, n, VG_(clo_alignment), 0, False, DG_ALLOC_MALLOC, 0);
}

static void* dg_new ( ThreadId tid, SizeT n )
{
   return allocate(tid, n, VG_(clo_alignment), 0, False, DG_ALLOC_NEW, 0);
}

static void* dg_vec_new ( ThreadId tid, SizeT n )
{
   return allocate(tid, n, VG_(clo_alignment), 0, False, DG_ALLOC_NEW_ARRAY,
                   0);
}

static void* dg_calloc ( ThreadId tid, SizeT m, SizeT size )
{
   if (size != 0 && m > ~(SizeT)0 / size)
      return NULL;
   return allocate(tid, m * size, VG_(clo_alignment), 0, True,
                   DG_ALLOC_CALLOC, 0);
}

/* Valgrind 3.21 began to tell the alignment that the program asked for.  */
#if __VALGRIND_MAJOR__ > 3 \
    || (__VALGRIND_MAJOR__ == 3 && __VALGRIND_MINOR__ >= 21)
#  define ALIGN_ARGS      SizeT align, SizeT asked
#  define ASKED           asked
#  define MEMALIGN_ARGS   ThreadId tid, SizeT align, SizeT asked, SizeT n
#else
#  define ALIGN_ARGS      SizeT align
#  define ASKED           align
#  define MEMALIGN_ARGS   ThreadId tid, SizeT align, SizeT n
#endif

static void* dg_new_aligned ( ThreadId tid, SizeT n, ALIGN_ARGS )
{
   return allocate(tid, n, align, ASKED, False, DG_ALLOC_NEW_ALIGNED, 0);
}

static void* dg_vec_new_aligned ( ThreadId tid, SizeT n, ALIGN_ARGS )
{
   return allocate(tid, n, align, ASKED, False, DG_ALLOC_NEW_ARRAY_ALIGNED,
                   0);
}

static void* dg_memalign ( MEMALIGN_ARGS )
{
   return allocate(tid, n, align, ASKED, False, DG_ALLOC_MEMALIGN, 0);
}

static void release ( ThreadId tid, void* p, UChar deallocator )
{
   /* If it is none it is a bad free; not ours to tell.  */
   if (remove_block(blocks, tid, (Addr)p, deallocator))
      VG_(cli_free)(p);
}

static void dg_free ( ThreadId tid, void* p )
{
   release(tid, p, DG_ALLOC_FREE);
}

static void dg_delete ( ThreadId tid, void* p )
{
   release(tid, p, DG_ALLOC_DELETE);
}

static void dg_delete_aligned ( ThreadId tid, void* p, SizeT align )
{
   release(tid, p, DG_ALLOC_DELETE);
}

static void dg_vec_delete ( ThreadId tid, void* p )
{
   release(tid, p, DG_ALLOC_DELETE_ARRAY);
}

static void dg_vec_delete_aligned ( ThreadId tid, void* p, SizeT align )
{
   release(tid, p, DG_ALLOC_DELETE_ARRAY);
}

static void* dg_realloc ( ThreadId tid, void* p, SizeT n )
{
   if (p == NULL)
      return allocate(tid, n, VG_(clo_alignment), 0, False,
                      DG_ALLOC_REALLOC, 0);
   Block* b = VG_(HT_lookup)(blocks, (Addr)p);
   if (b == NULL || (SSizeT)n < 0)
      return NULL;
   SizeT usable = b->usable;
   if (n <= usable && n >= usable / 2) {
      remove_block(blocks, tid, (Addr)p, DG_ALLOC_REALLOC);
      add_block(blocks, tid, (Addr)p, n, usable, 0, DG_ALLOC_REALLOC,
                (Addr)p);
      return p;
   }
   void* q = VG_(cli_malloc)(VG_(clo_alignment), n);
   if (q == NULL)
      return NULL;
   VG_(memcpy)(q, p, usable < n ? usable : n);
   remove_block(blocks, tid, (Addr)p, DG_ALLOC_REALLOC);
   VG_(cli_free)(p);
   add_block(blocks, tid, (Addr)q, n, VG_(cli_malloc_usable_size)(q), 0,
             DG_ALLOC_REALLOC, (Addr)p);
   return q;
}

static SizeT dg_usable_size ( ThreadId tid, void* p )
{
   Block* b = VG_(HT_lookup)(blocks, (Addr)p);
   return b == NULL ? 0 : b->usable;
}

/*------------------------------------------------------------*/
/*--- The program's own allocators                         ---*/
/*------------------------------------------------------------*/

void DG_(heap_malloclike) ( ThreadId tid, Addr a, SizeT size )
{
   remove_block(likes, tid, a, DG_ALLOC_FREELIKE);
   add_block(likes, tid, a, size, size, 0, DG_ALLOC_MALLOCLIKE, 0);
}

void DG_(heap_freelike) ( ThreadId tid, Addr a )
{
   remove_block(likes, tid, a, DG_ALLOC_FREELIKE);
}

/* Of a block of ours, within what it has.  */
void DG_(heap_resize) ( ThreadId tid, Addr a, SizeT new_size )
{
   VgHashTable* table = likes;
   SizeT        usable = new_size;
   Block* b = VG_(HT_lookup)(likes, a);
   if (b == NULL) {
      table = blocks;
      b = VG_(HT_lookup)(blocks, a);
      if (b == NULL || new_size == 0 || new_size > b->usable)
         return;
      usable = b->usable;
   }
   remove_block(table, tid, a, DG_ALLOC_RESIZE_IN_PLACE);
   if (new_size != 0)
      add_block(table, tid, a, new_size, usable, 0, DG_ALLOC_RESIZE_IN_PLACE,
                a);
}

/*------------------------------------------------------------*/
/*--- The rest                                             ---*/
/*------------------------------------------------------------*/

/* The smallest block that a is in.  Asked rarely: a walk through all will
   do.  */
Bool DG_(heap_find) ( Addr a, Addr* low, Addr* high )
{
   Block* best = NULL;
   for (UInt i = 0; i < 2; i++) {
      VgHashTable* table = i == 0 ? likes : blocks;
      Block* b;
      VG_(HT_ResetIter)(table);
      while ((b = VG_(HT_Next)(table)) != NULL)
         if (b->addr <= a && a - b->addr < b->size
             && (best == NULL || b->size < best->size))
            best = b;
   }
   if (best == NULL)
      return False;
   *low  = best->addr;
   *high = best->addr + best->size - 1;
   return True;
}

static Int by_seqno ( const void* x, const void* y )
{
   const Block* a = *(Block* const*)x;
   const Block* b = *(Block* const*)y;
   return a->seqno < b->seqno ? -1 : a->seqno > b->seqno;
}

static void repeat ( VgHashTable* table )
{
   UInt n;
   Block** all = (Block**)VG_(HT_to_array)(table, &n);
   if (all == NULL)
      return;
   VG_(ssort)(all, n, sizeof *all, by_seqno);
   for (UInt i = 0; i < n; i++) {
      all[i]->thread = 1;
      write_alloc(all[i], 0);
   }
   VG_(free)(all);
}

/* All live blocks, for the log of a forked child.  */
void DG_(heap_repeat) ( void )
{
   repeat(blocks);
   repeat(likes);
}

void DG_(heap_init) ( void )
{
   blocks = VG_(HT_construct)("dg.heap.blocks");
   likes  = VG_(HT_construct)("dg.heap.likes");
   pool   = VG_(newPA)(sizeof(Block), 1000, VG_(malloc), "dg.heap.pool",
                       VG_(free));
   VG_(needs_malloc_replacement)(
      dg_malloc, dg_new, dg_new_aligned, dg_vec_new, dg_vec_new_aligned,
      dg_memalign, dg_calloc, dg_free, dg_delete, dg_delete_aligned,
      dg_vec_delete, dg_vec_delete_aligned, dg_realloc, dg_usable_size,
      REDZONE);
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_heap.c ---*/
/*--------------------------------------------------------------------*/
