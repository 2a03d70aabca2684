/*--------------------------------------------------------------------*/
/*--- Datagrind: stacks of the heap.                    dg_trace.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* A heap event's stack is the shadow stack as it is, recursion and all: it is
   written at once.  Mostly the path, a node, says the same, since few
   programs recurse to where they allocate; then it is not walked again.  Only
   a forked child's log needs the stack of a live block again: those that are
   more than paths are kept here, once each, for as long as a block has
   them.  */

#include "dg_tool.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

/* The innermost entries of a stack that is too deep, and the outermost.  */
#define OUTER  DG_HEAP_OUTERMOST
#define INNER  (DG_HEAP_STACK - OUTER)

typedef struct _Kept {
   struct _Kept* next;           /* VgHashNode */
   UWord       hash;             /* key */
   ULong       n_blocks;         /* that have it */
   UInt        n;
   const Addr* sites;
} Kept;

static VgHashTable* kept;

/* Stacks that are paths, and were asked for before: mostly there is one more
   allocation where others were.  A path never changes.  */
typedef struct {
   UInt    node;
   DgTrace trace;                /* n is 0: none yet */
} Recent;

#define N_RECENT  64
static Recent recent[N_RECENT];

/* The path of the thread that runs, if that is all of its stack; else
   NULL.  */
static DgTrace* recent_path ( void )
{
   UInt    node = DG_NODE(DG_(hot).node);
   Recent* r    = &recent[node % N_RECENT];
   if (!DG_(stack_is_path)())
      return NULL;
   if (r->trace.n == 0 || r->node != node) {
      if (DG_(node_at)(node)->depth >= DG_HEAP_STACK)
         return NULL;
      r->node    = node;
      r->trace.n = 1 + DG_(node_path)(node, r->trace.sites + 1);
   }
   return &r->trace;
}

/* The stack of the thread that runs; good until the next is asked for.  */
const DgTrace* DG_(trace_now) ( ThreadId tid )
{
   static DgTrace other;
   Bool     runs = tid == DG_(running)();
   DG_(stack_resolve)();
   DgTrace* t    = runs ? recent_path() : NULL;
   if (UNLIKELY(t == NULL)) {
      t    = &other;
      t->n = 1;
      if (runs)
         t->n += DG_(stack_sites)(t->sites + 1, INNER - 1, OUTER);
   }
   t->sites[0] = DG_(code_at)(VG_(get_IP)(tid));
   if (UNLIKELY(DG_(opt).check_stacks != 0))
      DG_(check_trace)(tid, t->sites + 1, t->n - 1, INNER - 1);
   return t;
}

static UWord hash_of ( const DgTrace* t )
{
   ULong h = t->n;
   for (UInt i = 0; i < t->n; i++)
      h = (h ^ t->sites[i]) * 0x9E3779B97F4A7C15ULL;
   return h >> 32;
}

static Word other ( const void* x, const void* y )
{
   const Kept* a = x;
   const Kept* b = y;
   return a->n != b->n
          || VG_(memcmp)(a->sites, b->sites, a->n * sizeof(Addr)) != 0;
}

/* A node is kept as an odd number.  */
static Bool is_node ( DgTraceRef ref )
{
   return ref & 1;
}

/* For a block that was made now, with the stack t.  A stack as long as any can
   be may have a gap, which paths do not have.  */
DgTraceRef DG_(trace_keep) ( const DgTrace* t )
{
   UInt node = DG_NODE(DG_(hot).node);
   if (LIKELY(t->n == 1 + DG_(node_at)(node)->depth && t->n < DG_HEAP_STACK
              && !DG_(node_at)(node)->has_script))
      return (DgTraceRef)node << 1 | 1;
   Kept  key = { NULL, hash_of(t), 0, t->n, t->sites };
   Kept* k   = VG_(HT_gen_lookup)(kept, &key, other);
   if (k == NULL) {
      SizeT size = t->n * sizeof(Addr);
      k = VG_(malloc)("dg.trace.kept", sizeof(Kept) + size);
      *k = key;
      k->sites = (const Addr*)(k + 1);
      VG_(memcpy)(k + 1, t->sites, size);
      VG_(HT_add_node)(kept, k);
   }
   k->n_blocks++;
   return (DgTraceRef)k;
}

void DG_(trace_drop) ( DgTraceRef ref )
{
   Kept* k = (Kept*)ref;
   if (LIKELY(is_node(ref)) || --k->n_blocks > 0)
      return;
   VG_(HT_gen_remove)(kept, k, other);
   VG_(free)(k);
}

/* What a block that was made at ip keeps.  */
void DG_(trace_of) ( DgTraceRef ref, Addr ip, DgTrace* t )
{
   if (is_node(ref)) {
      t->sites[0] = ip;
      t->n = 1 + DG_(node_path)(ref >> 1, t->sites + 1);
   } else {
      const Kept* k = (const Kept*)ref;
      t->n = k->n;
      VG_(memcpy)(t->sites, k->sites, k->n * sizeof(Addr));
   }
}

void DG_(trace_init) ( void )
{
   kept = VG_(HT_construct)("dg.trace.table");
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_trace.c ---*/
/*--------------------------------------------------------------------*/
