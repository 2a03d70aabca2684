/*--------------------------------------------------------------------*/
/*--- Datagrind: code in a light gap.                   dg_light.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What a superblock is in a light gap: it counts its instructions and keeps the
   shadow stack.  A call does not look its path up, but says which call it is:
   so what the top of the stack says of its path is the same as ever, as soon as
   DG_(stack_resolve) has made a node of that.

   Instructions are counted before each exit.  What a fault interrupts has a
   number, from which the instructions before the fault are found.  */

#include "dg_ir.h"
#include "pub_tool_libcassert.h"

void DG_(light_look_at) ( DgBuilder* b, Int first, Int stop )
{
   Addr end = 0;
   for (Int i = first; i < stop; i++) {
      const IRStmt* st = b->in->stmts[i];
      if (st->tag == Ist_IMark && b->block.n_instrs < MAX_INSTRS) {
         DgInstr* in = &b->instrs[b->block.n_instrs++];
         in->addr = st->Ist.IMark.addr;
         in->size = st->Ist.IMark.len;
         end      = in->addr + in->size;
      }
      if (st->tag == Ist_WrTmp)
         b->defs[st->Ist.WrTmp.tmp] = st->Ist.WrTmp.data;
      DG_(look_at_sp)(b, st);
   }
   DG_(look_at_end)(b, end);
}

/* A toggle function begins here.  Where nothing goes to, what it does takes
   effect behind the block.  */
static void begin_toggle ( DgBuilder* b, const VgCallbackClosure* closure )
{
   if (DG_(core_is_original)(closure)) {
      call_if(b, IRTemp_INVALID, 0, "DG_(toggle_enter)", &DG_(toggle_enter),
              mkIRExprVec_0());
      return;
   }
   IRTemp leaves = newIRTemp(b->out->tyenv, b->word_ty);
   IRDirty* d = unsafeIRDirty_1_N(leaves, 0, "DG_(gap_toggles)",
                                  VG_(fnptr_to_fnentry)(&DG_(gap_toggles)),
                                  mkIRExprVec_0());
   touches_hot(b, d);
   emit(b, IRStmt_Dirty(d));
   emit(b, IRStmt_Put(DG_ARCH_CMSTART, mk_word(b, closure->nraddr)));
   emit(b, IRStmt_Put(DG_ARCH_CMLEN, mk_word(b, 1)));
   IRConst* here = b->word_size == 8 ? IRConst_U64(closure->nraddr)
                                     : IRConst_U32(closure->nraddr);
   emit(b, IRStmt_Exit(rd(not_zero(b, leaves)), Ijk_InvalICache, here,
                       b->in->offsIP));
}

/* Divisions of integers are the operations that fault.  */
static Bool can_fault ( const IRStmt* st )
{
   const IRExpr* e;
   switch (st->tag) {
      case Ist_NoOp: case Ist_IMark: case Ist_AbiHint: case Ist_Put:
      case Ist_PutI:
         return False;
      case Ist_Exit:
         return DG_(is_fault_exit)(st);
      case Ist_WrTmp:
         e = st->Ist.WrTmp.data;
         return e->tag == Iex_Load
                || (e->tag == Iex_Binop && e->Iex.Binop.op >= Iop_DivU32
                    && e->Iex.Binop.op <= Iop_ModS128);
      default:
         return True;
   }
}

/* Whether a fault may come from statement i on.  */
static Bool faults_from ( const DgBuilder* b, Int i, Int stop )
{
   while (i < stop && !can_fault(b->in->stmts[i]))
      i++;
   return i < stop;
}

/* From statement i on, behind the first n instructions, which have been
   counted.  */
static void begin_segment ( DgBuilder* b, UInt n, Int i, Int stop )
{
   if (!faults_from(b, i, stop))
      return;
   UInt number = DG_(gap_segment)(b->instrs, b->block.n_instrs, n);
   store(b, rd(plus(b, hot(b), __builtin_offsetof(DgHot, segment))),
         mk_word(b, number));
}

static void count ( DgBuilder* b, UInt n )
{
   IRTemp before = LOAD_HOT(b, executed);
   STORE_HOT(b, executed, plus(b, before, n));
}

void DG_(light_rebuild) ( DgBuilder* b, const VgCallbackClosure* closure,
                          Int first, Int stop )
{
   UInt n = 0, counted = 0;
   if (DG_(is_toggle_fn)(closure->readdr))
      begin_toggle(b, closure);
   if (b->computed_sp || (b->is_return && !b->sp_exact))
      b->t_sp = assign(b, b->word_ty, IRExpr_Get(b->offset_sp, b->word_ty));
   begin_segment(b, 0, first, stop);
   for (Int i = first; i < stop; i++) {
      IRStmt* st = b->in->stmts[i];
      Bool leaves = st->tag == Ist_Exit && !DG_(is_fault_exit)(st)
                    && n > counted;
      if (st->tag == Ist_IMark)
         n++;
      if (leaves)
         count(b, n - counted);
      emit(b, st);
      if (leaves) {
         counted = n;
         begin_segment(b, n, i + 1, stop);
      }
      DG_(follow_last_sp)(b, st);
   }
   if (n > counted)
      count(b, n - counted);
   for (Int i = stop; i < b->in->stmts_used; i++) {
      emit(b, b->in->stmts[i]);
      DG_(follow_last_sp)(b, b->in->stmts[i]);
   }
   DG_(leave_block)(b);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_light.c ---*/
/*--------------------------------------------------------------------*/
