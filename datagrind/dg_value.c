/*--------------------------------------------------------------------*/
/*--- Datagrind: what accesses read and write.          dg_value.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* With --datagrind-values=yes.  Many values need not be stored.  A program
   often loads what it uses as an address a moment later, or pushes what was an
   address before, and the word of that address is in the run anyway; and much
   of what it stores is a constant, or was loaded in the same block.  So the
   block says where the value of each entry is found (dg_ring.h), and a run
   only brings the bytes of the other values, behind its words, in the order of
   the entries.

   A statement of IR behind the access stores the temporary that was loaded or
   stored, whatever the type of the temporary.  A helper that accesses memory
   has no such temporary: another helper copies the memory.  The value of a
   store-conditional, which may fail, is loaded from memory behind it.

   The log does not contain
   - the values of accesses of more than 64 bytes, such as those of xsave;
   - what system calls write: the value of the next load shows this.  */

#include "dg_ir.h"
#include "dg_ring.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#define MAX_VALUE  64            /* bytes */
/* There is room for 4096 words behind the limit of the run buffer, and a
   statement adds two values at most.  */
#define MAX_RUN_WORDS  3900

/*------------------------------------------------------------*/
/*--- What a statement reads or writes                     ---*/
/*------------------------------------------------------------*/

static UInt size_of ( const DgBuilder* b, const IRExpr* e )
{
   return sizeofIRType(typeOfIRExpr(b->in->tyenv, e));
}

/* The operation that gives the bytes that a LoadG has loaded from its result,
   which is wider; Iop_INVALID: the result is as wide as these bytes.  */
static IROp narrows ( IRLoadGOp cvt )
{
   switch (cvt) {
      case ILGop_16Uto32:
      case ILGop_16Sto32: return Iop_32to16;
      case ILGop_8Uto32:
      case ILGop_8Sto32:  return Iop_32to8;
      default:            return Iop_INVALID;
   }
}

/* The expression with the value of the k-th access of a statement, behind that
   statement; NULL: no single expression has this value.  */
static IRExpr* value_of ( const IRStmt* st, UInt k )
{
   switch (st->tag) {
      case Ist_WrTmp:  return rd(st->Ist.WrTmp.tmp);
      case Ist_Store:  return st->Ist.Store.data;
      case Ist_StoreG: return st->Ist.StoreG.details->data;
      case Ist_LoadG: {
         const IRLoadG* lg = st->Ist.LoadG.details;
         return narrows(lg->cvt) == Iop_INVALID ? rd(lg->dst) : NULL;
      }
      case Ist_CAS: {
         const IRCAS* cas = st->Ist.CAS.details;
         return k == 0 && cas->dataHi == NULL ? rd(cas->oldLo) : NULL;
      }
      case Ist_LLSC:
         return st->Ist.LLSC.storedata == NULL ? rd(st->Ist.LLSC.result)
                                               : NULL;
      default: return NULL;
   }
}

/*------------------------------------------------------------*/
/*--- First pass: where values are found                   ---*/
/*------------------------------------------------------------*/

/* The number whose low bytes are those of the constant, and whose other bytes
   are copies of the sign.  False: a word has too few bytes for it.  */
static Bool constant_of ( const IRConst* c, /*OUT*/Word* value )
{
   switch (c->tag) {
      case Ico_U8:   *value = (Char)c->Ico.U8;   return True;
      case Ico_U16:  *value = (Short)c->Ico.U16; return True;
      case Ico_U32:  *value = (Int)c->Ico.U32;   return True;
      case Ico_F32i: *value = (Int)c->Ico.F32i;  return True;
#     if VG_WORDSIZE == 8
      case Ico_U64:  *value = c->Ico.U64;        return True;
      case Ico_F64i: *value = c->Ico.F64i;       return True;
#     endif
      case Ico_V128:
         *value = -(Word)(c->Ico.V128 != 0);
         return c->Ico.V128 == 0 || c->Ico.V128 == 0xFFFF;
      case Ico_V256:
         *value = -(Word)(c->Ico.V256 != 0);
         return c->Ico.V256 == 0 || c->Ico.V256 == 0xFFFFFFFF;
      default:
         return False;
   }
}

static Bool is_number ( const IRExpr* e, /*OUT*/Word* value )
{
   return e->tag == Iex_Const && constant_of(e->Iex.Const.con, value);
}

/* The temporary t for which the low bytes of e are those of t + *disp;
   IRTemp_INVALID: they are those of *disp.  */
static IRTemp value_base ( const DgBuilder* b, const IRExpr* e,
                           /*OUT*/Word* disp )
{
   *disp = 0;
   for (;;) {
      Word n;
      if (is_number(e, &n)) {
         *disp += n;
         return IRTemp_INVALID;
      }
      IRTemp        t = e->Iex.RdTmp.tmp;
      const IRExpr* d = b->defs[t];
      if (d == NULL)
         return t;
      switch (d->tag) {
         case Iex_RdTmp:
            e = d;
            continue;
         case Iex_Const:
            if (!is_number(d, &n))
               return t;
            e = d;
            continue;
         case Iex_Unop:
            if (d->Iex.Unop.arg->tag != Iex_RdTmp)
               return t;
            switch (d->Iex.Unop.op) {
               case Iop_64to32: case Iop_64to16: case Iop_64to8:
               case Iop_32to16: case Iop_32to8:  case Iop_16to8:
                  e = d->Iex.Unop.arg;
                  continue;
               default:
                  return t;
            }
         case Iex_Binop:
            if (d->Iex.Binop.arg1->tag != Iex_RdTmp
                || !is_number(d->Iex.Binop.arg2, &n))
               return t;
            switch (d->Iex.Binop.op) {
               case Iop_Add64: case Iop_Add32: case Iop_Add16: case Iop_Add8:
                  *disp += n;
                  break;
               case Iop_Sub64: case Iop_Sub32: case Iop_Sub16: case Iop_Sub8:
                  *disp -= n;
                  break;
               default:
                  return t;
            }
            e = d->Iex.Binop.arg1;
            continue;
         default:
            return t;
      }
   }
}

void DG_(value_grow_temps) ( DgBuilder* b )
{
   b->temp_is_base = VG_(realloc)("dg.value.temps", b->temp_is_base,
                                  b->max_temps);
   b->temp_entry = VG_(realloc)("dg.value.temps", b->temp_entry,
                                b->max_temps * sizeof(UShort));
}

static void mark_base ( DgBuilder* b, const IRExpr* addr )
{
   Word   disp;
   IRTemp t = DG_(base_of)(b, addr, &disp);
   if (t != IRTemp_INVALID)
      b->temp_is_base[t] = True;
}

void DG_(value_begin) ( DgBuilder* b, Int first, Int stop )
{
   UInt n = b->in->tyenv->types_used + 1;
   b->block.values = b->values;
   b->value_bytes = 0;
   VG_(memset)(b->temp_is_base, 0, n);
   VG_(memset)(b->temp_entry, 0, n * sizeof(UShort));
   for (Int i = first; i < stop; i++) {
      const IRStmt* st = b->in->stmts[i];
      if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Load)
         mark_base(b, st->Ist.WrTmp.data->Iex.Load.addr);
      else if (st->tag == Ist_Store)
         mark_base(b, st->Ist.Store.addr);
      if (st->tag == Ist_WrTmp)
         b->defs[st->Ist.WrTmp.tmp] = st->Ist.WrTmp.data;
   }
}

/* The number + 1 of the word that a temporary has, or will have because a
   later address is based on it; 0: the temporary has none.  */
static UInt word_of ( DgBuilder* b, IRTemp t, DgValuePlace* place )
{
   if (b->temp_word[t] == 0 && b->temp_is_base[t]) {
      b->temp_word[t]    = ++b->block.n_words;
      place->temp        = t;
      place->is_new_word = True;
   }
   return b->temp_word[t];
}

/* Whether the value of `size' bytes is found in what a run has without it: *v
   says where.  */
static Bool is_found ( DgBuilder* b, const IRExpr* e, UInt size, DgValue* v,
                       DgValuePlace* place )
{
   Word   disp;
   IRTemp t;
   if (e->tag == Iex_Const && !is_number(e, &disp))
      return False;
   t = value_base(b, e, &disp);
   if (t == IRTemp_INVALID) {
      v->kind = DG_RING_VALUE_CONSTANT;
      v->disp = disp;
      return size <= sizeof(UWord) || disp == 0 || disp == -1;
   }
   if (size <= sizeof(UWord) && typeOfIRTemp(b->in->tyenv, t) == b->word_ty
       && word_of(b, t, place) != 0) {
      v->kind = DG_RING_VALUE_WORD;
      v->from = b->temp_word[t] - 1;
      v->disp = disp;
      return True;
   }
   if (b->temp_entry[t] != 0 && (disp == 0 || size <= sizeof(UWord))
       && b->entries[b->temp_entry[t] - 1].size >= size) {
      v->kind = DG_RING_VALUE_ENTRY;
      v->from = b->temp_entry[t] - 1;
      v->disp = disp;
      return True;
   }
   return False;
}

void DG_(value_entry) ( DgBuilder* b, const IRStmt* st, UInt k, Int size )
{
   UInt          index = b->block.n_entries - 1;
   DgValue*      v     = &b->values[index];
   DgValuePlace* place = &b->places[index];
   VG_(memset)(v, 0, sizeof *v);
   VG_(memset)(place, 0, sizeof *place);
   if (size == 0 || size > MAX_VALUE)
      return;
   IRExpr* e = value_of(st, k);
   Bool is_whole = e != NULL && size_of(b, e) == (UInt)size;
   if (is_whole && is_found(b, e, size, v, place))
      return;
   v->kind       = DG_RING_VALUE_BYTES;
   v->from       = 0;
   v->disp       = 0;
   place->offset = b->value_bytes;
   b->value_bytes += size;
   /* Of a guarded access that was not made, nobody knows the value.  */
   if (is_whole && e->tag == Iex_RdTmp && !b->entries[index].guarded)
      b->temp_entry[e->Iex.RdTmp.tmp] = index + 1;
}

Bool DG_(value_is_full) ( const DgBuilder* b )
{
   return b->block.values != NULL
          && b->block.n_words + b->value_bytes / sizeof(UWord)
             > MAX_RUN_WORDS;
}

/*------------------------------------------------------------*/
/*--- Second pass: storing them                            ---*/
/*------------------------------------------------------------*/

/* Where a run has the bytes of an entry's value, but for the first n.  */
static IRTemp address_of ( DgBuilder* b, UInt entry, UInt n )
{
   UInt words = DG_HDR_WORDS + b->def->n_words;
   return plus(b, b->t_run,
               words * b->word_size + b->places[entry].offset + n);
}

static void keep ( DgBuilder* b, UInt entry, UInt n, IRExpr* value )
{
   store(b, rd(address_of(b, entry, n)), value);
}

static IRTemp assign_like ( DgBuilder* b, IRExpr* like, IRExpr* e )
{
   return assign(b, typeOfIRExpr(b->out->tyenv, like), e);
}

/* Calls a helper that copies the memory of an access, unless there is a guard
   and the guard is false.  */
static void copy ( DgBuilder* b, UInt entry, IRExpr* addr, UInt size,
                   IRExpr* guard )
{
   IRTemp   to = address_of(b, entry, 0);
   IRDirty* d  = unsafeIRDirty_0_N(3, "DG_(value_copy)",
                                   VG_(fnptr_to_fnentry)(&DG_(value_copy)),
                                   mkIRExprVec_3(rd(to), addr,
                                                 mk_word(b, size)));
   if (guard != NULL)
      d->guard = guard;
   d->mFx   = Ifx_Read;
   d->mAddr = addr;
   d->mSize = size;
   emit(b, IRStmt_Dirty(d));
}

/* Keeps the bytes that a LoadG with a wider result has loaded.  */
static void keep_narrow ( DgBuilder* b, const IRLoadG* lg, UInt entry )
{
   IROp   op = narrows(lg->cvt);
   IRTemp t  = assign(b, op == Iop_32to16 ? Ity_I16 : Ity_I8,
                      IRExpr_Unop(op, rd(lg->dst)));
   keep(b, entry, 0, rd(t));
}

/* Keeps the two halves of a value in the order of memory.  */
static void keep_halves ( DgBuilder* b, IRExpr* low, IRExpr* high, UInt entry )
{
   UInt half = sizeofIRType(typeOfIRExpr(b->out->tyenv, low));
#  if defined(VG_BIGENDIAN)
   IRExpr* first = high;
   IRExpr* last  = low;
#  else
   IRExpr* first = low;
   IRExpr* last  = high;
#  endif
   keep(b, entry, 0, first);
   keep(b, entry, half, last);
}

static IRTemp is_equal ( DgBuilder* b, IRExpr* x, IRExpr* y )
{
   switch (typeOfIRExpr(b->out->tyenv, x)) {
      case Ity_I8:  return cond(b, Iop_CasCmpEQ8, x, y);
      case Ity_I16: return cond(b, Iop_CasCmpEQ16, x, y);
      case Ity_I32: return cond(b, Iop_CasCmpEQ32, x, y);
      default:      return cond(b, Iop_CasCmpEQ64, x, y);
   }
}

/* Keeps the value of the read of a compare-and-swap (k is 0), or that of its
   write: the new value if the old one was what is expected, else the old
   one.  */
static void keep_cas ( DgBuilder* b, const IRCAS* cas, UInt k, UInt entry )
{
   Bool    is_double = cas->dataHi != NULL;
   IRExpr* low  = rd(cas->oldLo);
   IRExpr* high = is_double ? rd(cas->oldHi) : NULL;
   if (k == 1) {
      IRTemp same = is_equal(b, low, cas->expdLo);
      IRTemp lo   = assign_like(b, low,
                                IRExpr_ITE(rd(same), cas->dataLo, low));
      if (is_double) {
         IRTemp top = is_equal(b, high, cas->expdHi);
         IRTemp hi  = assign_like(b, high,
                                  IRExpr_ITE(rd(same), cas->dataHi, high));
         lo   = assign_like(b, low, IRExpr_ITE(rd(top), rd(lo), low));
         high = rd(assign_like(b, high, IRExpr_ITE(rd(top), rd(hi), high)));
      }
      low = rd(lo);
   }
   if (is_double)
      keep_halves(b, low, high, entry);
   else
      keep(b, entry, 0, low);
}

/* Keeps what memory has behind a store-conditional, which may have failed.  */
static void keep_again ( DgBuilder* b, const IRStmt* st, UInt entry )
{
   IRExpr* data = st->Ist.LLSC.storedata;
   IRType  ty   = typeOfIRExpr(b->out->tyenv, data);
   IRTemp  t    = assign(b, ty, IRExpr_Load(st->Ist.LLSC.end, ty,
                                            st->Ist.LLSC.addr));
   keep(b, entry, 0, rd(t));
}

void DG_(value_before) ( DgBuilder* b, const IRStmt* st, UInt entry, UInt n )
{
   if (st->tag != Ist_Dirty || n == 0)
      return;
   const IRDirty* d = st->Ist.Dirty.details;
   if (b->values[entry].kind == DG_RING_VALUE_BYTES
       && b->entries[entry].kind == DG_ACC_READ)
      copy(b, entry, d->mAddr, d->mSize, d->guard);
}

static void keep_bytes ( DgBuilder* b, const IRStmt* st, UInt k, UInt entry )
{
   IRExpr* e = value_of(st, k);
   if (e != NULL)
      keep(b, entry, 0, e);
   else if (st->tag == Ist_LoadG)
      keep_narrow(b, st->Ist.LoadG.details, entry);
   else if (st->tag == Ist_CAS)
      keep_cas(b, st->Ist.CAS.details, k, entry);
   else if (st->tag == Ist_LLSC)
      keep_again(b, st, entry);
   else if (st->tag == Ist_Dirty && b->entries[entry].kind == DG_ACC_WRITE)
      copy(b, entry, st->Ist.Dirty.details->mAddr,
           st->Ist.Dirty.details->mSize, st->Ist.Dirty.details->guard);
}

void DG_(value_behind) ( DgBuilder* b, const IRStmt* st, UInt entry, UInt n )
{
   for (UInt k = 0; k < n && entry + k < b->at_entry; k++) {
      const DgValuePlace* place = &b->places[entry + k];
      const DgValue*      v     = &b->values[entry + k];
      if (place->is_new_word)
         store(b, rd(plus(b, b->t_run, (DG_HDR_WORDS + v->from)
                                       * b->word_size)), rd(place->temp));
      if (v->kind == DG_RING_VALUE_BYTES)
         keep_bytes(b, st, k, entry + k);
   }
}

VG_REGPARM(3) void DG_(value_copy) ( UWord to, UWord from, UWord size )
{
   VG_(memcpy)((void*)to, (const void*)from, size);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_value.c ---*/
/*--------------------------------------------------------------------*/
