/*--------------------------------------------------------------------*/
/*--- Datagrind: how superblocks are left.              dg_leave.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Calls and returns keep the shadow stack, as dg_stack says.  What they do is
   in the IR as long as it is plain; a call of a path that is not in the table,
   or a stack pointer that the top frame does not expect, leads to a function.
   Such a function is called with as few arguments as can be, since these are
   computed whether it is called or not.  */

#include "dg_ir.h"

/*------------------------------------------------------------*/
/*--- Calls and returns                                    ---*/
/*------------------------------------------------------------*/

/* What it was last set to, or else what it is.  */
static IRTemp get_sp ( DgBuilder* b )
{
   if (b->t_last_sp != IRTemp_INVALID)
      return b->t_last_sp;
   return assign(b, b->word_ty, IRExpr_Get(b->offset_sp, b->word_ty));
}

#define FRAME_SP    __builtin_offsetof(DgFrame, sp)
#define FRAME_NODE  __builtin_offsetof(DgFrame, node)
#define CALL_CHILD  __builtin_offsetof(DgCall, child)

/* The entry of DG_(calls) for the path and this block, and a word that is not
   0 if it is for another.  Both are in the run's header.  */
static IRTemp find_call ( DgBuilder* b, IRTemp* other )
{
   UWord  mask = (DG_N_CALLS - 1) * sizeof(DgCall);
   UWord  key  = DG_CALL_KEY(b->def->variant) & mask;
   IRTemp hdr  = load(b, rd(b->t_run));
   IRTemp node = b->word_size == 8 ? hdr : load_at(b, b->t_run, 4);
   IRTemp n    = b->word_size == 8
                 ? shift(b, Iop_Shr64, hdr, DG_NODE_SHIFT - 4)
                 : shift(b, Iop_Shl32, node, 4);
   IRTemp x  = binop(b, OP(b, Xor), rd(n), mk_word(b, key));
   IRTemp at = binop(b, OP(b, And), rd(x), mk_word(b, mask));
   IRTemp e  = binop(b, OP(b, Add), rd(at), mk_addr(b, DG_(calls)));

   *other = binop(b, OP(b, Xor), rd(hdr), rd(load(b, rd(e))));
   if (b->word_size == 4)
      *other = either(b, *other, binop(b, Iop_Xor32, rd(node),
                                       rd(load_at(b, e, 4))));
   return e;
}

/* What the frame of a call has for its stack pointer, which is `last' behind
   that; or of a return, where it is `last' behind that.  */
static IRTemp frame_sp ( DgBuilder* b, IRTemp last, Bool is_call )
{
   return plus(b, last, DG_ARCH_LEAF + (is_call ? DG_ARCH_PUSHES : 0));
}

/* A word that is not 0 if the top frame is dead, or there is no room for
   another.  */
static IRTemp no_frame ( DgBuilder* b, IRTemp last, IRTemp sp )
{
   IRTemp top  = LOAD_HOT(b, top);
   IRTemp live = below(b, DG_ARCH_LEAF > 0 ? last : sp,
                       load_at(b, top, FRAME_SP));
   IRTemp room = below(b, top, LOAD_HOT(b, frames_limit));
   IRTemp both = binop(b, OP(b, And), rd(live), rd(room));
   return no_top_bit(b, both);
}

static void push_frame ( DgBuilder* b, IRTemp sp, IRExpr* child )
{
   IRTemp node  = LOAD_HOT(b, node);
   IRTemp frame = plus(b, LOAD_HOT(b, top), sizeof(DgFrame));
   store_at(b, frame, FRAME_SP, sp);
   store_at(b, frame, FRAME_NODE, node);
   STORE_HOT(b, top, frame);
   store(b, rd(plus(b, hot(b), __builtin_offsetof(DgHot, node))), child);
}

static void emit_call ( DgBuilder* b )
{
   IRTemp last = get_sp(b);
   IRTemp sp   = frame_sp(b, last, True);
   IRTemp other;
   IRTemp e    = find_call(b, &other);
   IRTemp slow = either(b, other, no_frame(b, last, sp));
   call_if(b, not_zero(b, slow), 1, "DG_(call_slow)", &DG_(call_slow),
           mkIRExprVec_1(rd(b->t_run)));
   push_frame(b, sp, rd(load_at(b, e, CALL_CHILD)));
}

/* The path is made when somebody wants to know it.  */
static void emit_light_call ( DgBuilder* b )
{
   IRTemp last = get_sp(b);
   IRTemp sp   = frame_sp(b, last, True);
   UInt   site = DG_(gap_site)(b->block.call_site);
   call_if(b, not_zero(b, no_frame(b, last, sp)), 0, "DG_(call_slow_light)",
           &DG_(call_slow_light), mkIRExprVec_0());
   push_frame(b, sp, mk_word(b, DG_CALL_REF(site)));
}

static void emit_return ( DgBuilder* b )
{
   IRTemp last = get_sp(b);
   IRTemp sp   = frame_sp(b, last, False);
   IRTemp top  = LOAD_HOT(b, top);
   IRTemp bad  = cond(b, OP(b, CmpNE), rd(sp),
                      rd(load_at(b, top, FRAME_SP)));
   IRExpr* moved = b->t_sp == IRTemp_INVALID
                   ? mk_word(b, b->sp_moved)
                   : rd(binop(b, OP(b, Sub), rd(last), rd(b->t_sp)));
   call_if(b, bad, 1, "DG_(ret_slow)", &DG_(ret_slow), mkIRExprVec_1(moved));

   IRTemp top2 = LOAD_HOT(b, top);
   IRTemp down = binop(b, OP(b, Sub), rd(top2), mk_word(b, sizeof(DgFrame)));
   STORE_HOT(b, node, load_at(b, top2, FRAME_NODE));
   STORE_HOT(b, top, down);
}

/* Where calls push nothing, a jump may also leave the top frame with the stack
   pointer that it was called with: where it goes must be known.  */
static void emit_jump_check ( DgBuilder* b )
{
   IRTemp sp  = frame_sp(b, get_sp(b), False);
   IRTemp top = LOAD_HOT(b, top);
   IRTemp at  = cond(b, OP(b, CmpEQ), rd(sp), rd(load_at(b, top, FRAME_SP)));
   call_if(b, at, 1, "DG_(sp_jumped)", &DG_(sp_jumped),
           mkIRExprVec_1(b->in->next));
}

/* The stack pointer was set to something computed.  */
static void emit_sp_check ( DgBuilder* b )
{
   IRTemp sp   = get_sp(b);
   IRTemp top  = LOAD_HOT(b, top);
   IRTemp live = below(b, sp, load_at(b, top, FRAME_SP));
   IRTemp gone = binop(b, OP(b, Sub), rd(sp), rd(b->t_sp));
   IRTemp off  = binop(b, OP(b, Add), rd(gone), mk_word(b, 0x8000));
   IRTemp far  = shift(b, OP(b, Shr), off, 16);
   IRTemp bad  = not_zero(b, either(b, far, no_top_bit(b, live)));
   call_if(b, bad, 1, "DG_(sp_changed)", &DG_(sp_changed),
           mkIRExprVec_1(rd(b->t_sp)));
   if (DG_ARCH_LEAF > 0
       && (b->in->jumpkind == Ijk_Boring || b->in->jumpkind == Ijk_Ret)
       && b->in->next->tag != Iex_Const)
      emit_jump_check(b);
}

/*------------------------------------------------------------*/
/*--- Requests                                             ---*/
/*------------------------------------------------------------*/

/* By a request the program calls our malloc.  Only the scheduler answers
   requests, and to go there and back takes longer than the malloc: so that is
   called from here, and the block goes on as if the request had been
   answered.  */
static void emit_request ( DgBuilder* b )
{
   if (b->in->next->tag != Iex_Const)
      return;
   IRTemp args = assign(b, b->word_ty,
                        IRExpr_Get(DG_ARCH_REQUEST, b->word_ty));
   IRTemp done = newIRTemp(b->out->tyenv, b->word_ty);
   emit(b, IRStmt_Put(b->in->offsIP, b->in->next));
   IRDirty* d = unsafeIRDirty_1_N(done, 1, "DG_(heap_request)",
                                  VG_(fnptr_to_fnentry)(&DG_(heap_request)),
                                  mkIRExprVec_1(rd(args)));
   touches_hot(b, d);
   emit(b, IRStmt_Dirty(d));
   IRTemp is_done = not_zero(b, done);
   IRTemp before  = assign(b, b->word_ty,
                           IRExpr_Get(DG_ARCH_RESULT, b->word_ty));
   IRTemp result  = LOAD_HOT(b, result);
   IRTemp after   = assign(b, b->word_ty,
                           IRExpr_ITE(rd(is_done), rd(result), rd(before)));
   emit(b, IRStmt_Put(DG_ARCH_RESULT, rd(after)));
   emit(b, IRStmt_Exit(rd(is_done), Ijk_Boring, b->in->next->Iex.Const.con,
                       b->in->offsIP));
}

/*------------------------------------------------------------*/
/*--- Scripts                                              ---*/
/*------------------------------------------------------------*/

static void emit_entry ( DgBuilder* b )
{
#  if defined(DG_ARCH_PARAM)
   IRTemp arg0 = assign(b, b->word_ty,
                        IRExpr_Get(DG_ARCH_PARAM(0), b->word_ty));
   IRTemp arg1 = assign(b, b->word_ty,
                        IRExpr_Get(DG_ARCH_PARAM(1), b->word_ty));
   call_if(b, IRTemp_INVALID, 3, "DG_(script_enter)", &DG_(script_enter),
           mkIRExprVec_3(mk_word(b, b->script), rd(arg0), rd(arg1)));
#  endif
}

/* Is that place in the line where the thread was?  */
static void emit_place ( DgBuilder* b, IRExpr* at )
{
   IRTemp low  = LOAD_HOT(b, script_low);
   IRTemp off  = binop(b, OP(b, Sub), at, rd(low));
   IRTemp size = LOAD_HOT(b, script_size);
   IRTemp away = cond(b, b->word_size == 8 ? Iop_CmpLE64U : Iop_CmpLE32U,
                      rd(size), rd(off));
   call_if(b, away, 1, "DG_(script_moved)", &DG_(script_moved),
           mkIRExprVec_1(at));
}

void DG_(enter_script) ( DgBuilder* b )
{
   if (b->script < 0)
      return;
   if (b->script_entry)
      emit_entry(b);
   if (b->script_fetch == 0)
      emit_place(b, rd(load(b, rd(LOAD_HOT(b, script_word)))));
}

/*------------------------------------------------------------*/
/*--- All of it                                            ---*/
/*------------------------------------------------------------*/

void DG_(leave_block) ( DgBuilder* b )
{
   if (b->script_at != NULL)
      emit_place(b, b->script_at);
   if (b->computed_sp && !b->is_return)
      emit_sp_check(b);
   if (b->is_call && b->is_light)
      emit_light_call(b);
   else if (b->is_call)
      emit_call(b);
   else if (b->is_return)
      emit_return(b);
   else if (b->in->jumpkind == Ijk_ClientReq)
      emit_request(b);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_leave.c ---*/
/*--------------------------------------------------------------------*/
