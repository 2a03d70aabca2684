/*--------------------------------------------------------------------*/
/*--- Datagrind: where addresses come from.              dg_flow.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What a DG_R_BBFLOW says of a block is found out while it is instrumented,
   statement by statement: for each temporary and register, whether it is what
   a load has read or what a register had at the block's start, but for a
   constant, or computed from such, or neither.  Nothing of it costs when the
   block runs.  */

#include "dg_arch.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

/* Entries and registers are named by bytes.  */
#define MAX_NAMED  255

/* enum dg_flow of the address proper (or value), and of what is added to it
   and is not a constant; with the numbers of their loads and registers.  */
typedef struct { UChar what, of, index, index_of; } Value;

static const Value nothing;
static Value* temps;
static UInt   max_temps;
static Value  regs[DG_ARCH_N_REGS];
static const IRTypeEnv* env;
static IRType word_ty;
static UChar  bytes[DG_FLOW_MAX];
static UInt   n_bytes;
static Bool   is_full;

/*------------------------------------------------------------*/
/*--- Values                                               ---*/
/*------------------------------------------------------------*/

static Value value ( UChar what, UInt of )
{
   Value v = { what, of, DG_FLOW_NOTHING, 0 };
   return of < MAX_NAMED ? v : nothing;
}

static Bool is_plain ( UChar what )
{
   return what == DG_FLOW_REGISTER || what == DG_FLOW_LOAD;
}

/* What is computed from one of two: a load tells more than a register.  */
static Value of_both ( UChar what1, UChar of1, UChar what2, UChar of2 )
{
   if (what1 == DG_FLOW_LOAD || what1 == DG_FLOW_OF_LOAD)
      return value(DG_FLOW_OF_LOAD, of1);
   if (what2 == DG_FLOW_LOAD || what2 == DG_FLOW_OF_LOAD)
      return value(DG_FLOW_OF_LOAD, of2);
   if (what1 == DG_FLOW_REGISTER || what1 == DG_FLOW_OF_REGISTER)
      return value(DG_FLOW_OF_REGISTER, of1);
   if (what2 == DG_FLOW_REGISTER || what2 == DG_FLOW_OF_REGISTER)
      return value(DG_FLOW_OF_REGISTER, of2);
   return what1 == DG_FLOW_CONSTANT && what2 == DG_FLOW_CONSTANT
          ? value(DG_FLOW_CONSTANT, 0) : nothing;
}

static Value computed ( Value v )
{
   if (v.index == DG_FLOW_NOTHING && v.what == DG_FLOW_CONSTANT)
      return v;
   return of_both(v.what, v.of, v.index, v.index_of);
}

static Value computed2 ( Value v, Value w )
{
   v = computed(v);
   w = computed(w);
   return of_both(v.what, v.of, w.what, w.of);
}

static Value sum ( Value v, Value w )
{
   if (w.what == DG_FLOW_CONSTANT && w.index == DG_FLOW_NOTHING)
      return v;
   if (v.what == DG_FLOW_CONSTANT && v.index == DG_FLOW_NOTHING)
      return w;
   if (!is_plain(v.what) && is_plain(w.what)) {
      Value swap = v;
      v = w;
      w = swap;
   }
   if (!is_plain(v.what))
      return computed2(v, w);
   if (v.index != DG_FLOW_NOTHING || w.index != DG_FLOW_NOTHING
       || !is_plain(w.what)) {
      Value rest = { v.index, v.index_of, DG_FLOW_NOTHING, 0 };
      w = v.index != DG_FLOW_NOTHING ? computed2(w, rest) : computed(w);
   }
   /* Something is added, even if nothing is known of it.  */
   v.index    = w.what != DG_FLOW_NOTHING ? w.what : DG_FLOW_CONSTANT;
   v.index_of = w.of;
   return v;
}

/* Either of them.  */
static Value choice ( Value v, Value w )
{
   if (v.what == w.what && v.of == w.of && v.index == w.index
       && v.index_of == w.index_of)
      return v;
   if (v.what == DG_FLOW_CONSTANT && v.index == DG_FLOW_NOTHING)
      return w;
   if (w.what == DG_FLOW_CONSTANT && w.index == DG_FLOW_NOTHING)
      return v;
   if (v.what == DG_FLOW_LOAD && w.what == DG_FLOW_LOAD
       && v.index == DG_FLOW_NOTHING && w.index == DG_FLOW_NOTHING)
      return v.of > w.of ? v : w;
   return computed2(v, w);
}

/*------------------------------------------------------------*/
/*--- Expressions                                          ---*/
/*------------------------------------------------------------*/

static Value of_atom ( const IRExpr* e )
{
   if (e->tag == Iex_RdTmp)
      return temps[e->Iex.RdTmp.tmp];
   return e->tag == Iex_Const ? value(DG_FLOW_CONSTANT, 0) : nothing;
}

/* The register of an offset in the guest's state, or -1.  */
static Int reg_at ( Int offset )
{
   Int size = sizeofIRType(word_ty);
   Int i    = offset - DG_ARCH_FIRST_REG;
   return i >= 0 && i < DG_ARCH_N_REGS * size && i % size == 0 ? i / size : -1;
}

static Value of_get ( Int offset, IRType ty )
{
   Int at = offset - DG_ARCH_FIRST_REG;
   Int r  = at >= 0 ? at / sizeofIRType(word_ty) : -1;
   if (r < 0 || r >= DG_ARCH_N_REGS)
      return nothing;
   return ty == word_ty && reg_at(offset) >= 0 ? regs[r] : computed(regs[r]);
}

static Value of_expr ( const IRExpr* e )
{
   switch (e->tag) {
      case Iex_Get:
         return of_get(e->Iex.Get.offset, e->Iex.Get.ty);
      case Iex_Unop:
         return computed(of_atom(e->Iex.Unop.arg));
      case Iex_Binop: {
         Value v = of_atom(e->Iex.Binop.arg1);
         Value w = of_atom(e->Iex.Binop.arg2);
         IROp  add = word_ty == Ity_I64 ? Iop_Add64 : Iop_Add32;
         IROp  sub = word_ty == Ity_I64 ? Iop_Sub64 : Iop_Sub32;
         if (e->Iex.Binop.op == add)
            return sum(v, w);
         if (e->Iex.Binop.op == sub && w.what == DG_FLOW_CONSTANT)
            return v;
         return computed2(v, w);
      }
      case Iex_ITE:
         return choice(of_atom(e->Iex.ITE.iftrue),
                       of_atom(e->Iex.ITE.iffalse));
      default:
         return of_atom(e);
   }
}

/*------------------------------------------------------------*/
/*--- Statements                                           ---*/
/*------------------------------------------------------------*/

void DG_(flow_begin) ( const IRSB* sb, IRType guest_word )
{
   env     = sb->tyenv;
   word_ty = guest_word;
   n_bytes = 0;
   is_full = False;
   UInt n  = env->types_used + 1;
   if (n > max_temps) {
      max_temps = 2 * n;
      temps = VG_(realloc)("dg.flow.temps", temps,
                           max_temps * sizeof(Value));
   }
   VG_(memset)(temps, 0, n * sizeof(Value));
   for (UInt i = 0; i < DG_ARCH_N_REGS; i++)
      regs[i] = value(DG_FLOW_REGISTER, i);
}

static void put_value ( UChar what, UChar of )
{
   bytes[n_bytes++] = what;
   if (what > DG_FLOW_CONSTANT)
      bytes[n_bytes++] = of;
}

/* What is stored, of the statements that say so.  */
static const IRExpr* data_of ( const IRStmt* st )
{
   switch (st->tag) {
      case Ist_Store:  return st->Ist.Store.data;
      case Ist_StoreG: return st->Ist.StoreG.details->data;
      case Ist_LLSC:   return st->Ist.LLSC.storedata;
      case Ist_CAS:    return st->Ist.CAS.details->dataHi == NULL
                              ? st->Ist.CAS.details->dataLo : NULL;
      default:         return NULL;
   }
}

/* The next entry of the block.  */
void DG_(flow_entry) ( const IRStmt* st, const IRExpr* addr, UChar kind )
{
   const IRExpr* data = kind == DG_ACC_WRITE ? data_of(st) : NULL;
   Value a = kind == DG_ACC_SP ? nothing : of_atom(addr);
   Value d = data != NULL ? of_atom(data) : nothing;
   if (is_full || n_bytes + 6 + 3 * DG_ARCH_N_REGS + 1 > DG_FLOW_MAX) {
      is_full = True;
      return;
   }
   if (d.index != DG_FLOW_NOTHING
       || (data != NULL && typeOfIRExpr(env, data) != word_ty))
      d = computed(d);
   put_value(a.what, a.of);
   put_value(a.index, a.index_of);
   put_value(d.what, d.of);
}

static void set_loaded ( IRTemp t, UInt entry )
{
   if (t != IRTemp_INVALID)
      temps[t] = value(typeOfIRTemp(env, t) == word_ty ? DG_FLOW_LOAD
                                                       : DG_FLOW_OF_LOAD,
                       entry);
}

static void lose_state ( Int offset, Int size )
{
   Int word = sizeofIRType(word_ty);
   for (Int r = 0; r < DG_ARCH_N_REGS; r++) {
      Int at = DG_ARCH_FIRST_REG + r * word;
      if (at < offset + size && offset < at + word)
         regs[r] = nothing;
   }
}

static void lose_dirty ( const IRDirty* d )
{
   for (Int i = 0; i < d->nFxState; i++) {
      Int at = d->fxState[i].offset;
      if (d->fxState[i].fx == Ifx_Read)
         continue;
      lose_state(at, d->fxState[i].size);
      for (Int k = 0; k < d->fxState[i].nRepeats; k++) {
         at += d->fxState[i].repeatLen;
         lose_state(at, d->fxState[i].size);
      }
   }
}

/* What a statement does, whose first entry is that one.  */
void DG_(flow_statement) ( const IRStmt* st, UInt entry )
{
   switch (st->tag) {
      case Ist_WrTmp: {
         const IRExpr* e = st->Ist.WrTmp.data;
         if (e->tag == Iex_Load)
            set_loaded(st->Ist.WrTmp.tmp, entry);
         else
            temps[st->Ist.WrTmp.tmp] = of_expr(e);
         break;
      }
      case Ist_LoadG: {
         const IRLoadG* lg = st->Ist.LoadG.details;
         set_loaded(lg->dst, entry);
         if (lg->cvt != ILGop_Ident64 && lg->cvt != ILGop_Ident32)
            temps[lg->dst] = computed(temps[lg->dst]);
         temps[lg->dst] = choice(temps[lg->dst], of_atom(lg->alt));
         break;
      }
      case Ist_LLSC:
         if (st->Ist.LLSC.storedata == NULL)
            set_loaded(st->Ist.LLSC.result, entry);
         break;
      case Ist_CAS:
         set_loaded(st->Ist.CAS.details->oldLo, entry);
         break;
      case Ist_Put: {
         const IRExpr* data = st->Ist.Put.data;
         IRType ty = typeOfIRExpr(env, data);
         Int    r  = reg_at(st->Ist.Put.offset);
         if (r >= 0 && ty == word_ty)
            regs[r] = of_atom(data);
         else
            lose_state(st->Ist.Put.offset, sizeofIRType(ty));
         break;
      }
      case Ist_Dirty:
         lose_dirty(st->Ist.Dirty.details);
         break;
      default:
         break;
   }
}

/*------------------------------------------------------------*/
/*--- The end                                              ---*/
/*------------------------------------------------------------*/

/* Whether what follows the block finds the registers as it left them.  */
static Bool keeps_registers ( IRJumpKind jk )
{
   return jk == Ijk_Boring || jk == Ijk_Call || jk == Ijk_Ret
          || jk == Ijk_Yield;
}

static void put_registers ( void )
{
   UInt at = n_bytes++;
   bytes[at] = 0;
   for (UInt r = 0; r < DG_ARCH_N_REGS; r++) {
      Value v = regs[r];
      if (v.what == DG_FLOW_REGISTER && v.of == r
          && v.index == DG_FLOW_NOTHING)
         continue;
      if (v.index != DG_FLOW_NOTHING)
         v = computed(v);
      bytes[n_bytes++] = r;
      put_value(v.what, v.of);
      bytes[at]++;
   }
}

/* Of a block of which everything was said: what a BBFLOW has of it, until
   the next begins; *n is 0 if that is too much.  */
const UChar* DG_(flow_end) ( IRJumpKind jk, Bool is_whole, UInt* n )
{
   if (is_whole && keeps_registers(jk))
      put_registers();
   else
      bytes[n_bytes++] = DG_FLOW_LOST;
   *n = is_full ? 0 : n_bytes;
   return bytes;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_flow.c ---*/
/*--------------------------------------------------------------------*/
