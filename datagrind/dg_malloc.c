/*--------------------------------------------------------------------*/
/*--- Datagrind: heap blocks.                          dg_malloc.c ---*/
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
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_replacemalloc.h"
#include "valgrind.h"

/* Two tables, since a pool may hand out the first bytes of a block that it
   got from malloc as a block of its own.  Requests never touch ours: what
   the program says of its memory must not change what free does.  */
static DgLives blocks;           /* malloc's */
static DgLives likes;            /* VALGRIND_MALLOCLIKE_BLOCK's */
static ULong   seqno;

#define REDZONE  0

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

#define STACK_SIZE(t)  ((1 + (t)->n) * sizeof(UWord))

static UChar* put_stack ( UChar* p, const DgTrace* t )
{
   p = DG_(put_word)(p, t->n);
   for (UInt i = 0; i < t->n; i++)
      p = DG_(put_word)(p, t->sites[i]);
   return p;
}

static void write_alloc ( const DgLive* b, const DgTrace* t, UInt thread,
                          Addr old )
{
   UChar* p = DG_(rec_in_place)(DG_R_MALLOC_BLOCK,
                                2 * sizeof(UWord) + STACK_SIZE(t));
   DG_(totals).heap_allocs++;
   if (p == NULL)
      return;
   p = DG_(put_word)(p, b->addr);
   p = DG_(put_word)(p, b->size);
   DG_(rec_done)(put_stack(p, t));

   p = DG_(rec_in_place)(DG_R_HEAP_ALLOC, 8 + 1 + 4 * sizeof(UWord));
   if (p == NULL)
      return;
   p = DG_(put_quad)(p, b->seqno);
   p = DG_(put_word)(p, thread);
   p = DG_(put_byte)(p, b->allocator);
   p = DG_(put_word)(p, b->usable);
   p = DG_(put_word)(p, b->align);
   DG_(rec_done)(DG_(put_word)(p, old));
}

static void write_free ( ThreadId tid, Addr a, UChar deallocator )
{
   const DgTrace* t = DG_(trace_now)(tid);
   UChar*         p = DG_(rec_in_place)(DG_R_FREE_BLOCK, sizeof(UWord));
   DG_(totals).heap_frees++;
   if (p == NULL)
      return;
   DG_(rec_done)(DG_(put_word)(p, a));

   p = DG_(rec_in_place)(DG_R_HEAP_FREE,
                         8 + 1 + sizeof(UWord) + STACK_SIZE(t));
   if (p == NULL)
      return;
   p = DG_(put_quad)(p, seqno);
   p = DG_(put_word)(p, DG_(thread_number)(tid));
   p = DG_(put_byte)(p, deallocator);
   DG_(rec_done)(put_stack(p, t));
}

/* What a system call does that the running thread makes.  */
void DG_(write_map_stack) ( ThreadId tid )
{
   const DgTrace* t = DG_(trace_now)(tid);
   UChar* p = DG_(rec_in_place)(DG_R_MAP_STACK,
                                sizeof(UWord) + STACK_SIZE(t));
   if (p == NULL)
      return;
   p = DG_(put_word)(p, DG_(thread_number)(tid));
   DG_(rec_done)(put_stack(p, t));
}

/* A new block of table, which has none at a.  */
void DG_(heap_add) ( DgLives* table, ThreadId tid, Addr a, SizeT size,
                     SizeT usable, SizeT align, UChar allocator, Addr old )
{
   DG_(flush_runs)();
   const DgTrace* t = DG_(trace_now)(tid);
   DgLive*        b = DG_(live_add)(table, a);
   b->size      = size;
   b->usable    = usable;
   b->align     = align;
   b->seqno     = ++seqno;
   b->ip        = t->sites[0];
   b->trace     = DG_(trace_keep)(t);
   b->allocator = allocator;
   write_alloc(b, t, DG_(thread_number)(tid), old);
}

/* The block is gone from the table and the log; its memory is not.  False:
   there was none.  */
Bool DG_(heap_remove) ( DgLives* table, ThreadId tid, Addr a,
                        UChar deallocator )
{
   const DgLive* b = DG_(live_remove)(table, a);
   if (b == NULL)
      return False;
   DG_(trace_drop)(b->trace);
   DG_(flush_runs)();
   seqno++;
   write_free(tid, a, deallocator);
   return True;
}

/*------------------------------------------------------------*/
/*--- malloc() and the like                                ---*/
/*------------------------------------------------------------*/

/* Memory where no block is left goes back to the system when Valgrind itself
   needs some.  A program that reads its last block after it has freed it would
   die of that, as it does not alone: so a block of ours stands there until the
   program's next, which finds the heap as it was.  */
static void* guard;

static void guard_heap ( void )
{
   guard = VG_(cli_malloc)(VG_(clo_alignment), 1);
}

static void unguard_heap ( void )
{
   if (guard == NULL)
      return;
   VG_(cli_free)(guard);
   guard = NULL;
}

static void* allocate ( ThreadId tid, SizeT size, SizeT align,
                        SizeT asked_align, Bool zeroed, UChar allocator,
                        Addr old )
{
   if ((SSizeT)size < 0)
      return NULL;
   unguard_heap();
   void* p = VG_(cli_malloc)(align, size);
   if (p == NULL)
      return NULL;
   if (zeroed)
      VG_(memset)(p, 0, size);
   SizeT usable = VG_(cli_malloc_usable_size)(p);
   DG_(heap_add)(&blocks, tid, (Addr)p, size, usable, asked_align, allocator,
                 old);
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
   if (!DG_(heap_remove)(&blocks, tid, (Addr)p, deallocator))
      return;
   VG_(cli_free)(p);
   if (blocks.n == 0)
      guard_heap();
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

/* Whether realloc (p, 0) frees: since 3.20, the tool is asked for it and this
   says how.  Before, there is no such variable, and the core asks for a free.  */
extern Bool VG_(clo_realloc_zero_bytes_frees) __attribute__((weak));

static Bool is_free ( SizeT n )
{
   return n == 0 && &VG_(clo_realloc_zero_bytes_frees) != NULL
          && VG_(clo_realloc_zero_bytes_frees);
}

/* What fits stays where it is, as with other tools of Valgrind: heaps have
   the same blocks then, with the same bytes to spare.  */
static void* dg_realloc ( ThreadId tid, void* p, SizeT n )
{
   if (p == NULL)
      return allocate(tid, n, VG_(clo_alignment), 0, False,
                      DG_ALLOC_REALLOC, 0);
   if (is_free(n)) {
      dg_free(tid, p);
      return NULL;
   }
   const DgLive* b = DG_(live_find)(&blocks, (Addr)p);
   if (b == NULL || (SSizeT)n < 0)
      return NULL;
   SizeT usable = b->usable;
   void* q      = p;
   if (n > usable) {
      q = VG_(cli_malloc)(VG_(clo_alignment), n);
      if (q == NULL)
         return NULL;
      VG_(memcpy)(q, p, usable);
   }
   DG_(heap_remove)(&blocks, tid, (Addr)p, DG_ALLOC_REALLOC);
   if (q != p) {
      VG_(cli_free)(p);
      usable = VG_(cli_malloc_usable_size)(q);
   }
   DG_(heap_add)(&blocks, tid, (Addr)q, n, usable, 0, DG_ALLOC_REALLOC,
                 (Addr)p);
   return q;
}

static SizeT dg_usable_size ( ThreadId tid, void* p )
{
   const DgLive* b = DG_(live_find)(&blocks, (Addr)p);
   return b == NULL ? 0 : b->usable;
}

/* What the replacements in the program call most.  */
typedef UWord Request1 ( ThreadId tid, UWord a );
typedef UWord Request2 ( ThreadId tid, UWord a, UWord b );

static Bool is_request1 ( Addr f )
{
   return f == (Addr)dg_malloc || f == (Addr)dg_free || f == (Addr)dg_new
          || f == (Addr)dg_delete || f == (Addr)dg_vec_new
          || f == (Addr)dg_vec_delete;
}

static Bool is_request2 ( Addr f )
{
   return f == (Addr)dg_calloc || f == (Addr)dg_realloc;
}

VG_REGPARM(1) UWord DG_(heap_request) ( const UWord* arg )
{
   ThreadId tid = DG_(running)();
   UWord    result;
   if (arg[0] == VG_USERREQ__CLIENT_CALL1 && is_request1(arg[1])) {
      DG_(core_in_program)(False);
      result = ((Request1*)arg[1])(tid, arg[2]);
   } else if (arg[0] == VG_USERREQ__CLIENT_CALL2 && is_request2(arg[1])) {
      DG_(core_in_program)(False);
      result = ((Request2*)arg[1])(tid, arg[2], arg[3]);
   } else {
      return 0;
   }
   DG_(core_in_program)(True);
   DG_(hot).result = result;
   return 1;
}

/*------------------------------------------------------------*/
/*--- The program's own allocators                         ---*/
/*------------------------------------------------------------*/

void DG_(heap_malloclike) ( ThreadId tid, Addr a, SizeT size )
{
   DG_(heap_remove)(&likes, tid, a, DG_ALLOC_FREELIKE);
   DG_(heap_add)(&likes, tid, a, size, size, 0, DG_ALLOC_MALLOCLIKE, 0);
}

void DG_(heap_freelike) ( ThreadId tid, Addr a )
{
   DG_(heap_remove)(&likes, tid, a, DG_ALLOC_FREELIKE);
}

/* Of all such blocks that begin in [a, a + size).  */
void DG_(heap_freelike_in) ( ThreadId tid, Addr a, SizeT size )
{
   UInt     n;
   DgLive** all = DG_(lives_in)(&likes, a, size, &n);
   for (UInt i = 0; i < n; i++)
      DG_(heap_freelike)(tid, all[i]->addr);
   VG_(free)(all);
}

/* Of a block of ours, within what it has.  */
void DG_(heap_resize) ( ThreadId tid, Addr a, SizeT new_size )
{
   DgLives*      table  = &likes;
   SizeT         usable = new_size;
   const DgLive* b      = DG_(live_find)(&likes, a);
   if (b == NULL) {
      table = &blocks;
      b = DG_(live_find)(&blocks, a);
      if (b == NULL || new_size == 0 || new_size > b->usable)
         return;
      usable = b->usable;
   }
   DG_(heap_remove)(table, tid, a, DG_ALLOC_RESIZE_IN_PLACE);
   if (new_size != 0)
      DG_(heap_add)(table, tid, a, new_size, usable, 0,
                    DG_ALLOC_RESIZE_IN_PLACE, a);
}

/*------------------------------------------------------------*/
/*--- The rest                                             ---*/
/*------------------------------------------------------------*/

/* The smallest block that a is in.  */
Bool DG_(heap_find) ( Addr a, Addr* low, Addr* high )
{
   const DgLive* best = DG_(live_around)(&likes, a, NULL);
   best = DG_(live_around)(&blocks, a, best);
   if (best == NULL)
      return False;
   *low  = best->addr;
   *high = best->addr + best->size - 1;
   return True;
}

/* For the log of a forked child, whose only thread is the first.  */
void DG_(heap_write) ( const DgLive* b )
{
   static DgTrace t;
   DG_(trace_of)(b->trace, b->ip, &t);
   write_alloc(b, &t, 1, 0);
}

static void repeat ( const DgLives* table )
{
   DgLive** all = DG_(lives_in_order)(table);
   for (UInt i = 0; i < table->n; i++) {
      DgLive b = *all[i];
      /* Nothing else tells that one that was resized is the program's.  */
      if (table == &likes)
         b.allocator = DG_ALLOC_MALLOCLIKE;
      DG_(heap_write)(&b);
   }
   VG_(free)(all);
}

/* All live blocks.  */
void DG_(heap_repeat) ( void )
{
   repeat(&blocks);
   repeat(&likes);
   DG_(pool_repeat)();
}

/* Takes the library that replaces malloc out of what the dynamic linker is
   told to load first.  Valgrind has put it there when options are read.  */
void DG_(heap_own_malloc) ( void )
{
   HChar* list = VG_(getenv)(VG_(LD_PRELOAD_var_name));
   HChar* name = list == NULL ? NULL
                              : VG_(strstr)(list, "vgpreload_exp-datagrind");
   if (name == NULL)
      return;
   HChar* begin = name;
   while (begin > list && begin[-1] != ':')
      begin--;
   HChar* end = name;
   while (*end != ':' && *end != 0)
      end++;
   if (*end == ':')
      end++;
   else if (begin > list)
      begin--;
   VG_(memmove)(begin, end, VG_(strlen)(end) + 1);
}

void DG_(heap_init) ( void )
{
   DG_(trace_init)();
   DG_(pool_init)();
   DG_(lives_init)(&blocks, 4096);
   DG_(lives_init)(&likes, 64);
   VG_(needs_malloc_replacement)(
      dg_malloc, dg_new, dg_new_aligned, dg_vec_new, dg_vec_new_aligned,
      dg_memalign, dg_calloc, dg_free, dg_delete, dg_delete_aligned,
      dg_vec_delete, dg_vec_delete_aligned, dg_realloc, dg_usable_size,
      REDZONE);
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_malloc.c ---*/
/*--------------------------------------------------------------------*/
