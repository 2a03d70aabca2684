/*--------------------------------------------------------------------*/
/*--- Datagrind: building IR.                              dg_ir.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What dg_instrument and dg_leave share: a superblock that is being
   instrumented, and short names for making IR.  */

#ifndef __DG_IR_H
#define __DG_IR_H

#include "dg_arch.h"
#include "pub_tool_machine.h"

/* VEX stops at 60 or so guest instructions; what would be over is not
   instrumented, and said.  */
#define MAX_INSTRS   255
#define MAX_ACCESSES 2048
#define MAX_STATES   512

/* What must stand in a run's header and at its end before the block can be
   left at an exit.  */
typedef struct {
   UShort n_instrs, n_entries, n_words;
} DgState;

/* What the second pass stores for the value of an entry.  */
typedef struct {
   Bool    is_new_word;      /* the word that has the value is not stored for
                                an earlier entry: */
   IRTemp  temp;             /* what the word is, then */
   UInt    offset;           /* of kind DG_RING_VALUE_BYTES: of the bytes,
                                behind the words of the run */
} DgValuePlace;

typedef struct {
   IRSB*   in;
   IRSB*   out;
   IRType  word_ty;          /* guest's and host's are the same here */
   Int     word_size;
   Int     offset_sp;
   Int     offset_hot;       /* of the address of DG_(hot) */
   IRExpr** defs;            /* by IRTemp: what it was assigned, or NULL */
   UShort* temp_word;        /* by IRTemp: its word + 1, or 0 */
   UInt    max_temps;        /* for which these have room */

   /* Used only if the values of accesses are recorded: if block.values is not
      NULL.  */
   UChar*  temp_is_base;     /* by IRTemp: an address of the block is based on
                                the temporary */
   UShort* temp_entry;       /* by IRTemp: the number of an entry whose value
                                the temporary is + 1, or 0 */
   UInt    value_bytes;      /* that runs bring for the entries so far */
   DgValue      values[MAX_ACCESSES];
   DgValuePlace places[MAX_ACCESSES];

   DgBlock block;            /* being put together */
   DgInstr instrs[MAX_INSTRS + 1];
   DgEntry entries[MAX_ACCESSES];
   Bool    is_new_word[MAX_ACCESSES]; /* no earlier entry has the word of its
                                         address */
   DgState exits[MAX_STATES];
   UInt    n_exits;
   Bool    computed_sp;
   Bool    is_call;          /* it ends with one */
   Bool    is_return;
   Bool    is_light;         /* it makes no run */
   Bool    sp_put;           /* the stack pointer was set, so far */
   Bool    sp_exact;         /* it is the first one plus sp_moved */
   Word    sp_moved;

   DgBlock* def;             /* what it became */
   IRTemp  t_hot;            /* address of DG_(hot) */
   Int     hot_at;           /* the statement that got it */
   IRTemp  t_run;            /* address of the run's header */
   IRTemp  t_node;
   IRTemp  t_sp;             /* stack pointer at the start */
   IRTemp  t_last_sp;        /* what it was set to */
   UInt    at_entry;         /* entries stored so far */
   UInt    at_exit;
   UInt    header_variant;   /* what the header says here */
   Int     script;           /* of which interpreter's evaluator, or -1 */
   Bool    script_entry;
   Int     script_fetch;     /* bytes */
   IRExpr* script_at;        /* where it fetches; NULL: it does not */
   UInt    end_words;        /* where the buffer's end is here; ~0: unmoved */
} DgBuilder;

/*------------------------------------------------------------*/
/*--- IR, for short                                        ---*/
/*------------------------------------------------------------*/

static inline void emit ( DgBuilder* b, IRStmt* st )
{
   addStmtToIRSB(b->out, st);
}

static inline IRExpr* mk_word ( const DgBuilder* b, UWord w )
{
   return b->word_size == 8 ? IRExpr_Const(IRConst_U64(w))
                            : IRExpr_Const(IRConst_U32((UInt)w));
}

static inline IRExpr* mk_addr ( const DgBuilder* b, const void* p )
{
   return mk_word(b, (UWord)p);
}

static inline IRTemp assign ( DgBuilder* b, IRType ty, IRExpr* e )
{
   IRTemp t = newIRTemp(b->out->tyenv, ty);
   emit(b, IRStmt_WrTmp(t, e));
   return t;
}

static inline IRExpr* rd ( IRTemp t )
{
   return IRExpr_RdTmp(t);
}

#if defined(VG_BIGENDIAN)
#  define HOST_END Iend_BE
#else
#  define HOST_END Iend_LE
#endif

static inline IRTemp load ( DgBuilder* b, IRExpr* addr )
{
   return assign(b, b->word_ty, IRExpr_Load(HOST_END, b->word_ty, addr));
}

static inline void store ( DgBuilder* b, IRExpr* addr, IRExpr* value )
{
   emit(b, IRStmt_Store(HOST_END, addr, value));
}

/* op32 for 32-bit words, and its 64-bit twin.  */
#define OP(b, op)  ((b)->word_size == 8 ? Iop_##op##64 : Iop_##op##32)

static inline IRTemp binop ( DgBuilder* b, IROp op, IRExpr* x, IRExpr* y )
{
   return assign(b, b->word_ty, IRExpr_Binop(op, x, y));
}

static inline IRTemp cond ( DgBuilder* b, IROp op, IRExpr* x, IRExpr* y )
{
   return assign(b, Ity_I1, IRExpr_Binop(op, x, y));
}

static inline IRTemp plus ( DgBuilder* b, IRTemp t, UWord n )
{
   return n == 0 ? t : binop(b, OP(b, Add), rd(t), mk_word(b, n));
}

/* What lies n bytes behind t.  */
static inline IRTemp load_at ( DgBuilder* b, IRTemp t, UWord n )
{
   return load(b, rd(plus(b, t, n)));
}

static inline void store_at ( DgBuilder* b, IRTemp t, UWord n, IRTemp value )
{
   store(b, rd(plus(b, t, n)), rd(value));
}

/* To keep its address in a register over many statements would cost more
   than to get it twice.  */
#define HOT_NEAR  24

static inline IRTemp hot ( DgBuilder* b )
{
   if (b->t_hot == IRTemp_INVALID
       || b->out->stmts_used - b->hot_at > HOT_NEAR) {
      b->t_hot  = assign(b, b->word_ty,
                         IRExpr_Get(b->offset_hot, b->word_ty));
      b->hot_at = b->out->stmts_used;
   }
   return b->t_hot;
}

#define LOAD_HOT(b, field) \
   load_at(b, hot(b), __builtin_offsetof(DgHot, field))
#define STORE_HOT(b, field, t) \
   store_at(b, hot(b), __builtin_offsetof(DgHot, field), t)

static inline IRTemp shift ( DgBuilder* b, IROp op, IRTemp t, UInt bits )
{
   return binop(b, op, rd(t), IRExpr_Const(IRConst_U8(bits)));
}

static inline IRTemp either ( DgBuilder* b, IRTemp x, IRTemp y )
{
   return binop(b, OP(b, Or), rd(x), rd(y));
}

static inline IRTemp not_zero ( DgBuilder* b, IRTemp t )
{
   return cond(b, OP(b, CmpNE), rd(t), mk_word(b, 0));
}

/* A word whose top bit is set if x < y.  Conditions that are made into words
   take several instructions each, so where no address has the top bit it is
   that of a difference.  */
static inline IRTemp below ( DgBuilder* b, IRTemp x, IRTemp y )
{
   if (b->word_size == 8)
      return binop(b, Iop_Sub64, rd(x), rd(y));
   IRTemp c = cond(b, Iop_CmpLT32U, rd(x), rd(y));
   IRTemp w = assign(b, Ity_I32, IRExpr_Unop(Iop_1Uto32, rd(c)));
   return shift(b, Iop_Shl32, w, 31);
}

/* 0 if the top bit is set, else 1.  */
static inline IRTemp no_top_bit ( DgBuilder* b, IRTemp t )
{
   IRTemp bit = shift(b, OP(b, Shr), t, 8 * b->word_size - 1);
   return binop(b, OP(b, Xor), rd(bit), mk_word(b, 1));
}

static inline void touches_hot ( const DgBuilder* b, IRDirty* d )
{
   d->mFx   = Ifx_Modify;
   d->mAddr = mk_addr(b, &DG_(hot));
   d->mSize = b->is_light ? sizeof DG_(hot)
                          : __builtin_offsetof(DgHot, executed);
}

/* A call of fn, which may change DG_(hot), if guard.  */
static inline void call_if ( DgBuilder* b, IRTemp guard, Int regparms,
                      const HChar* name, void* fn, IRExpr** args )
{
   IRDirty* d = unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(fn),
                                  args);
   if (guard != IRTemp_INVALID)
      d->guard = rd(guard);
   touches_hot(b, d);
   emit(b, IRStmt_Dirty(d));
}

/* The temporary that an address is, plus a constant, *disp;
   IRTemp_INVALID: the address is that constant.  */
IRTemp DG_(base_of) ( const DgBuilder* b, const IRExpr* e, Word* disp );

/* The values of accesses.  Before look_at begins with the first statement of
   [first, stop): the values of the block are recorded; finds the temporaries
   that addresses are based on.  */
void DG_(value_begin)  ( DgBuilder* b, Int first, Int stop );
/* The last entry has just been added.  The entry belongs to the k-th access of
   the statement, which has `size' bytes.  */
void DG_(value_entry)  ( DgBuilder* b, const IRStmt* st, UInt k, Int size );
/* Whether a run of the block, with what one more statement may add, could be
   longer than the room behind the limit of the run buffer.  */
Bool DG_(value_is_full) ( const DgBuilder* b );
/* Makes the arrays by IRTemp as large as max_temps.  */
void DG_(value_grow_temps) ( DgBuilder* b );
/* Add the statements that store the values of n accesses, the first of
   which has that entry: those that must stand before the statement that
   makes the accesses, and those behind that statement.  */
void DG_(value_before) ( DgBuilder* b, const IRStmt* st, UInt entry, UInt n );
void DG_(value_behind) ( DgBuilder* b, const IRStmt* st, UInt entry, UInt n );

/* At the end of a block, behind its run: calls, returns, other changes of the
   stack pointer, requests.  */
void DG_(leave_block) ( DgBuilder* b );
/* At the beginning, before the path is asked for: where a script begins.  */
void DG_(enter_script) ( DgBuilder* b );

/* Of each statement, before it is added: what it does to the stack
   pointer.  */
void DG_(look_at_sp)     ( DgBuilder* b, const IRStmt* st );
/* Behind each that is added.  */
void DG_(follow_last_sp) ( DgBuilder* b, const IRStmt* st );
/* What a block ends with, whose last instruction ends there.  */
void DG_(look_at_end)    ( DgBuilder* b, Addr end );
/* An exit that is taken when an instruction faults.  */
Bool DG_(is_fault_exit)  ( const IRStmt* st );
/* All of a block's statements in [first, stop), in a light gap.  */
void DG_(light_look_at)  ( DgBuilder* b, Int first, Int stop );
void DG_(light_rebuild)  ( DgBuilder* b, const VgCallbackClosure* closure,
                           Int first, Int stop );

#endif /* __DG_IR_H */

/*--------------------------------------------------------------------*/
/*--- end                                                  dg_ir.h ---*/
/*--------------------------------------------------------------------*/
