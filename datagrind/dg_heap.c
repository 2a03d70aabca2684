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
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_replacemalloc.h"
#include "valgrind.h"

typedef struct {
   Addr   addr;
   SizeT  size;                  /* asked for */
   SizeT  usable;
   SizeT  align;
   ULong  seqno;
   Addr   ip;                    /* where it was allocated */
   UInt   node;                  /* and the path to there */
   UInt   thread;
   UInt   next;                  /* in its chain, or of those not in use */
   UChar  allocator;
} Block;

/* Programs allocate and free millions of times, and touch their blocks in
   between: what counts is how many cache lines a look-up needs.  So blocks of
   one page of memory, which mostly come and go together, have their chains
   side by side.  */
typedef struct {
   UInt* chains;                 /* first block of each, or NONE */
   UInt  n_chains;               /* a power of two */
   UInt  n;
} Table;

/* Two tables, since a pool may hand out the first bytes of a block that it
   got from malloc as a block of its own.  Requests never touch ours: what
   the program says of its memory must not change what free does.  */
static Table  blocks;            /* malloc's */
static Table  likes;             /* VALGRIND_MALLOCLIKE_BLOCK's */
static ULong  seqno;

#define REDZONE  0

/*------------------------------------------------------------*/
/*--- Blocks                                               ---*/
/*------------------------------------------------------------*/

#define PAGE_BITS  10
#define PAGE_SIZE  (1 << PAGE_BITS)
#define NONE       0xFFFFFFFF

static Block** pages;
static UInt    max_pages;
static UInt    n_blocks;         /* used once */
static UInt    first_free = NONE;

static inline Block* block_at ( UInt i )
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
      pages = VG_(realloc)("dg.heap.pages", pages,
                           max_pages * sizeof(Block*));
   }
   if ((i & (PAGE_SIZE - 1)) == 0)
      pages[i >> PAGE_BITS] = VG_(malloc)("dg.heap.page",
                                          PAGE_SIZE * sizeof(Block));
   return i;
}

static void free_block ( UInt i )
{
   block_at(i)->next = first_free;
   first_free = i;
}

static inline UInt* chain_of ( const Table* t, Addr a )
{
   ULong page = (ULong)(a >> 12) * 0x9E3779B97F4A7C15ULL;
   return &t->chains[((UInt)(page >> 32) ^ (UInt)(a >> 4))
                     & (t->n_chains - 1)];
}

/* What leads to the block at a, or to the end of its chain.  */
static inline UInt* link_to ( const Table* t, Addr a )
{
   UInt* p = chain_of(t, a);
   while (*p != NONE && block_at(*p)->addr != a)
      p = &block_at(*p)->next;
   return p;
}

static inline Block* find ( const Table* t, Addr a )
{
   UInt i = *link_to(t, a);
   return i == NONE ? NULL : block_at(i);
}

static void add ( Table* t, UInt i )
{
   UInt* p = chain_of(t, block_at(i)->addr);
   block_at(i)->next = *p;
   *p = i;
}

static void grow ( Table* t )
{
   Table fresh;
   fresh.n        = t->n;
   fresh.n_chains = t->n_chains == 0 ? 1024 : 4 * t->n_chains;
   fresh.chains   = VG_(malloc)("dg.heap.chains",
                                fresh.n_chains * sizeof(UInt));
   VG_(memset)(fresh.chains, 0xff, fresh.n_chains * sizeof(UInt));
   for (UInt k = 0; k < t->n_chains; k++)
      for (UInt i = t->chains[k]; i != NONE; ) {
         UInt next = block_at(i)->next;
         add(&fresh, i);
         i = next;
      }
   VG_(free)(t->chains);
   *t = fresh;
}

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

/* An instruction and the path that leads to it.  */
static UChar* put_stack ( UChar* p, Addr ip, UInt node, UInt depth )
{
   p = DG_(put_word)(p, 1 + depth);
   p = DG_(put_word)(p, ip);
   DG_(node_path)(node, (DgUnalignedAddr*)p);
   return p + depth * sizeof(Addr);
}

static void write_alloc ( const Block* b, Addr old )
{
   UInt   depth = DG_(node_depth)(b->node);
   UChar* p = DG_(rec_in_place)(DG_R_MALLOC_BLOCK,
                                (4 + depth) * sizeof(UWord));
   DG_(totals).heap_allocs++;
   if (p == NULL)
      return;
   p = DG_(put_word)(p, b->addr);
   p = DG_(put_word)(p, b->size);
   DG_(rec_done)(put_stack(p, b->ip, b->node, depth));

   p = DG_(rec_in_place)(DG_R_HEAP_ALLOC, 8 + 1 + 4 * sizeof(UWord));
   if (p == NULL)
      return;
   p = DG_(put_quad)(p, b->seqno);
   p = DG_(put_word)(p, b->thread);
   p = DG_(put_byte)(p, b->allocator);
   p = DG_(put_word)(p, b->usable);
   p = DG_(put_word)(p, b->align);
   DG_(rec_done)(DG_(put_word)(p, old));
}

static void write_free ( ThreadId tid, Addr a, UChar deallocator )
{
   UInt   node  = DG_NODE(DG_(hot).node);
   UInt   depth = DG_(node_depth)(node);
   UChar* p = DG_(rec_in_place)(DG_R_FREE_BLOCK, sizeof(UWord));
   DG_(totals).heap_frees++;
   if (p == NULL)
      return;
   DG_(rec_done)(DG_(put_word)(p, a));

   p = DG_(rec_in_place)(DG_R_HEAP_FREE,
                         8 + 1 + (3 + depth) * sizeof(UWord));
   if (p == NULL)
      return;
   p = DG_(put_quad)(p, seqno);
   p = DG_(put_word)(p, DG_(thread_number)(tid));
   p = DG_(put_byte)(p, deallocator);
   DG_(rec_done)(put_stack(p, VG_(get_IP)(tid), node, depth));
}

static void add_block ( Table* table, ThreadId tid, Addr a, SizeT size,
                        SizeT usable, SizeT align, UChar allocator, Addr old )
{
   DG_(flush_runs)();
   if (table->n++ >= table->n_chains)
      grow(table);
   UInt   i = new_block();
   Block* b = block_at(i);
   b->addr      = a;
   b->size      = size;
   b->usable    = usable;
   b->align     = align;
   b->seqno     = ++seqno;
   b->node      = DG_NODE(DG_(hot).node);
   b->ip        = VG_(get_IP)(tid);
   b->thread    = DG_(thread_number)(tid);
   b->allocator = allocator;
   add(table, i);
   write_alloc(b, old);
}

/* The block is gone from the table and the log; its memory is not.  */
static Bool remove_block ( Table* table, ThreadId tid, Addr a,
                           UChar deallocator )
{
   UInt* link = link_to(table, a);
   UInt  i    = *link;
   if (i == NONE)
      return False;
   DG_(flush_runs)();
   *link = block_at(i)->next;
   free_block(i);
   table->n--;
   seqno++;
   write_free(tid, a, deallocator);
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
   add_block(&blocks, tid, (Addr)p, size, usable, asked_align, allocator, old);
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
   if (remove_block(&blocks, tid, (Addr)p, deallocator))
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
   Block* b = find(&blocks, (Addr)p);
   if (b == NULL || (SSizeT)n < 0)
      return NULL;
   SizeT usable = b->usable;
   if (n <= usable && n >= usable / 2) {
      remove_block(&blocks, tid, (Addr)p, DG_ALLOC_REALLOC);
      add_block(&blocks, tid, (Addr)p, n, usable, 0, DG_ALLOC_REALLOC,
                (Addr)p);
      return p;
   }
   void* q = VG_(cli_malloc)(VG_(clo_alignment), n);
   if (q == NULL)
      return NULL;
   VG_(memcpy)(q, p, usable < n ? usable : n);
   remove_block(&blocks, tid, (Addr)p, DG_ALLOC_REALLOC);
   VG_(cli_free)(p);
   add_block(&blocks, tid, (Addr)q, n, VG_(cli_malloc_usable_size)(q), 0,
             DG_ALLOC_REALLOC, (Addr)p);
   return q;
}

static SizeT dg_usable_size ( ThreadId tid, void* p )
{
   Block* b = find(&blocks, (Addr)p);
   return b == NULL ? 0 : b->usable;
}

/*------------------------------------------------------------*/
/*--- The program's own allocators                         ---*/
/*------------------------------------------------------------*/

void DG_(heap_malloclike) ( ThreadId tid, Addr a, SizeT size )
{
   remove_block(&likes, tid, a, DG_ALLOC_FREELIKE);
   add_block(&likes, tid, a, size, size, 0, DG_ALLOC_MALLOCLIKE, 0);
}

void DG_(heap_freelike) ( ThreadId tid, Addr a )
{
   remove_block(&likes, tid, a, DG_ALLOC_FREELIKE);
}

/* Of a block of ours, within what it has.  */
void DG_(heap_resize) ( ThreadId tid, Addr a, SizeT new_size )
{
   Table* table  = &likes;
   SizeT  usable = new_size;
   Block* b = find(&likes, a);
   if (b == NULL) {
      table = &blocks;
      b = find(&blocks, a);
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
      const Table* t = i == 0 ? &likes : &blocks;
      for (UInt k = 0; k < t->n_chains; k++)
         for (UInt n = t->chains[k]; n != NONE; n = block_at(n)->next) {
            Block* b = block_at(n);
            if (b->addr <= a && a - b->addr < b->size
                && (best == NULL || b->size < best->size))
               best = b;
         }
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

static void repeat ( const Table* t )
{
   Block** all = VG_(malloc)("dg.heap.repeat", (t->n + 1) * sizeof *all);
   UInt    n   = 0;
   for (UInt k = 0; k < t->n_chains; k++)
      for (UInt i = t->chains[k]; i != NONE; i = block_at(i)->next)
         all[n++] = block_at(i);
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
   repeat(&blocks);
   repeat(&likes);
}

void DG_(heap_init) ( void )
{
   grow(&blocks);
   grow(&likes);
   VG_(needs_malloc_replacement)(
      dg_malloc, dg_new, dg_new_aligned, dg_vec_new, dg_vec_new_aligned,
      dg_memalign, dg_calloc, dg_free, dg_delete, dg_delete_aligned,
      dg_vec_delete, dg_vec_delete_aligned, dg_realloc, dg_usable_size,
      REDZONE);
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_heap.c ---*/
/*--------------------------------------------------------------------*/
