/*--------------------------------------------------------------------*/
/*--- Datagrind: what superblocks access.               dg_block.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Blocks live until the end: runs in the buffer name them long after
   Valgrind has thrown their translations away.  A block that is translated
   again with the same contents is the same block, so that code that comes
   and goes does not grow this table.  */

#include "dg_tool.h"
#include "dg_ring.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static DgBlock** chains;
static UInt      n_chains;
static UInt      n_blocks;

DgVariant* DG_(variants);
UChar*     DG_(variant_instrs);
static UInt       n_variants = 1;
static UInt       max_variants;

static UInt mix ( UInt h, UWord w )
{
   h ^= (UInt)w ^ (UInt)((ULong)w >> 32);
   h *= 0x9E3779B1;
   return h ^ (h >> 15);
}

static UInt hash_block ( const DgBlock* b )
{
   UInt h = mix(b->n_instrs, b->n_entries);
   for (UInt i = 0; i < b->n_instrs; i++)
      h = mix(h, b->instrs[i].addr + b->instrs[i].size);
   for (UInt i = 0; i < b->n_entries; i++)
      h = mix(h, b->entries[i].disp ^ (b->entries[i].word << 16)
                 ^ (b->entries[i].size << 8) ^ b->entries[i].iseq);
   for (UInt i = 0; b->values != NULL && i < b->n_entries; i++)
      h = mix(h, b->values[i].disp ^ (b->values[i].from << 16)
                 ^ b->values[i].kind);
   return h;
}

static Bool same_block ( const DgBlock* a, const DgBlock* b )
{
   if (a->hash != b->hash || a->n_instrs != b->n_instrs
       || a->n_entries != b->n_entries || a->n_words != b->n_words
       || a->call_site != b->call_site)
      return False;
   for (UInt i = 0; i < a->n_instrs; i++)
      if (a->instrs[i].addr != b->instrs[i].addr
          || a->instrs[i].size != b->instrs[i].size)
         return False;
   for (UInt i = 0; i < a->n_entries; i++) {
      const DgEntry* x = &a->entries[i];
      const DgEntry* y = &b->entries[i];
      if (x->disp != y->disp || x->word != y->word || x->kind != y->kind
          || x->size != y->size || x->iseq != y->iseq
          || x->guarded != y->guarded)
         return False;
   }
   for (UInt i = 0; a->values != NULL && i < a->n_entries; i++) {
      const DgValue* x = &a->values[i];
      const DgValue* y = &b->values[i];
      if (x->disp != y->disp || x->from != y->from || x->kind != y->kind)
         return False;
   }
   return True;
}

static void grow_chains ( void )
{
   UInt       n     = n_chains == 0 ? 4096 : 4 * n_chains;
   DgBlock**  fresh = VG_(calloc)("dg.block.chains", n, sizeof(DgBlock*));
   for (UInt i = 0; i < n_chains; i++)
      for (DgBlock* b = chains[i]; b != NULL; ) {
         DgBlock* next = b->next;
         b->next = fresh[b->hash % n];
         fresh[b->hash % n] = b;
         b = next;
      }
   VG_(free)(chains);
   chains   = fresh;
   n_chains = n;
}

/* Of all entries, and one at least.  */
#define N_STEPS(b)  ((b)->n_entries / DG_STEPS + 1)

static UInt number_of ( UInt index )
{
   UInt length = DG_HDR_WORDS + DG_(variants)[index].run_words;
   return (index << DG_LENGTH_BITS)
          | (length <= DG_LENGTH_MASK ? length : 0);
}

static UInt new_variant ( DgBlock* b, UInt n_instrs, UInt n_entries,
                          UInt n_words )
{
   if (n_variants >= max_variants) {
      max_variants = max_variants == 0 ? 8192 : 2 * max_variants;
      DG_(variants) = VG_(realloc)("dg.block.variants", DG_(variants),
                                   max_variants * sizeof(DgVariant));
      DG_(variant_instrs) = VG_(realloc)("dg.block.instrs",
                                         DG_(variant_instrs), max_variants);
   }
   DgVariant* v = &DG_(variants)[n_variants];
   v->block     = b;
   v->steps     = b->steps;
   v->masks     = b->masks;
   v->n_instrs  = n_instrs;
   v->n_entries = n_entries;
   v->n_words   = n_words;
   v->run_words = n_words;
   if (b->values != NULL)
      v->run_words = b->n_words + (DG_(value_bytes)(b, n_entries)
                                   + sizeof(UWord) - 1) / sizeof(UWord);
   v->n_steps   = (n_entries + DG_STEPS - 1) / DG_STEPS;
   v->plain     = !b->odd && n_entries <= DG_MAX_SHORT && b->values == NULL;
   v->record_size = DG_PREFIX_SIZE + n_entries * sizeof(UWord);
   v->next      = 0;
   DG_(variant_instrs)[n_variants] = n_instrs;
   v->counts[0] = 1ULL << 32 | n_instrs;
   v->counts[1] = n_entries;
   for (UInt i = 0; i < n_entries; i++)
      if (b->entries[i].kind == DG_ACC_READ)
         v->counts[1] += DG_COUNT_READ;
      else if (b->entries[i].kind == DG_ACC_SP)
         v->counts[1] += DG_COUNT_SP;
   DG_(ring_variant)(v);
   return number_of(n_variants++);
}

/* There is room for them at b->steps, and masks behind.  */
static void make_steps ( DgBlock* b )
{
   UInt n = N_STEPS(b);
   Bool has_const = False;
   b->odd = False;
   for (UInt i = 0; i < b->n_entries; i++) {
      if (b->entries[i].guarded || b->entries[i].size == 255)
         b->odd = True;
      if (b->entries[i].word == DG_NO_WORD)
         has_const = True;
   }
   b->masks = has_const ? (DgMask*)(b->steps + n) : NULL;
   VG_(memset)(b->steps, 0,
               n * (sizeof(DgStep) + (has_const ? sizeof(DgMask) : 0)));
   for (UInt i = 0; i < b->n_entries; i++) {
      const DgEntry* e = &b->entries[i];
      UInt k = i % DG_STEPS;
      Bool is_const = e->word == DG_NO_WORD;
      b->steps[i / DG_STEPS].disp[k / 2][k % 2] = e->disp;
      b->steps[i / DG_STEPS].word[k] = is_const ? 0 : e->word;
      if (has_const)
         b->masks[i / DG_STEPS].mask[k / 2][k % 2]
            = is_const ? 0 : ~(UWord)0;
   }
}

static void write_note ( const DgBlock* b, UChar type, const UChar* bytes,
                         UInt n )
{
   static DgRecord r;
   if (n == 0)
      return;
   DG_(rec_begin)(&r, type);
   DG_(rec_word)(&r, b->instrs[0].addr);
   DG_(rec_byte)(&r, b->n_instrs);
   DG_(rec_word)(&r, b->n_entries);
   DG_(rec_word)(&r, n);
   DG_(rec_bytes)(&r, bytes, n);
   DG_(rec_write)(&r);
}

/* The records that say where the block's addresses come from, and what its
   code is.  They name the block by what it is, and so have no place that they
   must stand at.  */
void DG_(block_write_notes) ( const DgBlock* b )
{
   write_note(b, DG_R_BBFLOW, b->flow, b->n_flow);
   write_note(b, DG_R_BBCODE, b->code, b->n_code);
}

/* The program may change or unmap its code before the block is written, so
   this is when it was translated.  */
static void copy_code ( const DgBlock* b, UChar* to )
{
   for (UInt i = 0; i < b->n_instrs; i++) {
      VG_(memcpy)(to, (const void*)DG_(code_place)(b->instrs[i].addr),
                  b->instrs[i].size);
      to += b->instrs[i].size;
   }
}

/* A copy of c in one piece of memory: programs have many blocks, and each is
   made while they wait.  What needs the most alignment comes first.  */
static DgBlock* copy_block ( const DgBlock* c )
{
   SizeT steps   = N_STEPS(c) * (sizeof(DgStep) + sizeof(DgMask));
   SizeT entries = c->n_entries * sizeof(DgEntry);
   SizeT values  = c->values != NULL ? c->n_entries * sizeof(DgValue) : 0;
   SizeT instrs  = c->n_instrs * sizeof(DgInstr);
   UInt  n_code  = 0;
   for (UInt i = 0; i < c->n_instrs; i++)
      n_code += c->instrs[i].size;
   UChar* p = VG_(malloc)("dg.block.block", steps + sizeof(DgBlock) + entries
                                            + values + instrs + c->n_flow
                                            + n_code);
   DgBlock* b = (DgBlock*)(p + steps);
   *b = *c;
   b->steps   = (DgStep*)p;
   b->entries = (DgEntry*)(b + 1);
   VG_(memcpy)(b->entries, c->entries, entries);
   if (c->values != NULL) {
      b->values = (DgValue*)((UChar*)b->entries + entries);
      VG_(memcpy)(b->values, c->values, values);
   }
   b->instrs = (DgInstr*)((UChar*)b->entries + entries + values);
   VG_(memcpy)(b->instrs, c->instrs, instrs);
   UChar* flow = (UChar*)b->instrs + instrs;
   VG_(memcpy)(flow, c->flow, c->n_flow);
   b->flow = flow;
   copy_code(c, flow + c->n_flow);
   b->code   = flow + c->n_flow;
   b->n_code = n_code;
   make_steps(b);
   return b;
}

/* Everything but next, hash, variant and the indices of the candidate is
   filled in.  Returns the block that stands for it, which is a copy when
   there was none.  */
DgBlock* DG_(block_intern) ( DgBlock* c )
{
   if (n_blocks >= n_chains)
      grow_chains();
   c->hash = hash_block(c);
   for (DgBlock* b = chains[c->hash % n_chains]; b != NULL; b = b->next)
      if (same_block(b, c))
         return b;

   DgBlock* b   = copy_block(c);
   b->log_index = DG_NOT_IN_LOG;
   b->index     = n_blocks++;
   DG_(ring_block)(b);
   if (DG_(ring_open))
      DG_(block_write_notes)(b);
   b->variant   = new_variant(b, b->n_instrs, b->n_entries, b->n_words);
   b->next      = chains[b->hash % n_chains];
   chains[b->hash % n_chains] = b;
   return b;
}

/* The number for runs of b that are left early: one of the few that b has.  */
UInt DG_(block_cut) ( DgBlock* b, UInt n_instrs, UInt n_entries, UInt n_words )
{
   tl_assert(n_instrs <= b->n_instrs && n_entries <= b->n_entries
             && n_words <= b->n_words);
   if (n_instrs == b->n_instrs && n_entries == b->n_entries)
      return b->variant;
   UInt own = b->variant >> DG_LENGTH_BITS;
   for (UInt i = own; i != 0; i = DG_(variants)[i].next)
      if (DG_(variants)[i].n_instrs == n_instrs
          && DG_(variants)[i].n_entries == n_entries)
         return number_of(i);
   UInt number = new_variant(b, n_instrs, n_entries, n_words);
   UInt index  = number >> DG_LENGTH_BITS;
   DG_(variants)[index].next = DG_(variants)[own].next;
   DG_(variants)[own].next   = index;
   return number;
}

/* The same for a run that was stopped between two instructions.  */
UInt DG_(block_cut_at) ( DgBlock* b, UInt n_instrs )
{
   UInt n_entries = 0, n_words = 0;
   while (n_entries < b->n_entries
          && b->entries[n_entries].iseq < n_instrs) {
      UInt w = b->entries[n_entries].word;
      if (w != DG_NO_WORD && w >= n_words)
         n_words = w + 1;
      if (b->values != NULL && b->values[n_entries].kind == DG_RING_VALUE_WORD
          && b->values[n_entries].from >= n_words)
         n_words = b->values[n_entries].from + 1;
      n_entries++;
   }
   return DG_(block_cut)(b, n_instrs, n_entries, n_words);
}

Bool DG_(is_variant) ( UInt number )
{
   UInt index = number >> DG_LENGTH_BITS;
   return index > 0 && index < n_variants && number == number_of(index);
}

/* A new log begins, in which no block is defined.  */
void DG_(blocks_not_in_log) ( void )
{
   for (UInt i = 1; i < n_variants; i++)
      DG_(variants)[i].block->log_index = DG_NOT_IN_LOG;
}

/* All there are, for the ring of a forked child.  A block was made just
   before the first of its variants.  */
void DG_(blocks_to_ring) ( void )
{
   UInt next = 0;
   for (UInt i = 1; i < n_variants; i++) {
      const DgVariant* v = &DG_(variants)[i];
      if (v->block->index == next) {
         DG_(ring_block)(v->block);
         if (DG_(ring_open))
            DG_(block_write_notes)(v->block);
         next++;
      }
      DG_(ring_variant)(v);
   }
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_block.c ---*/
/*--------------------------------------------------------------------*/
