/*--------------------------------------------------------------------*/
/*--- Datagrind: what is added to each superblock. dg_instrument.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* At a block's start: where is the run buffer, is there room (else a call),
   store the run's header, which is the number of the block and that of the
   call path.  Before an access: store what its address needs.  Before an
   exit: move the buffer's end.  At calls and returns: the shadow stack.
   No helper is called but when a buffer is full or a call is new.

   All of these variables are in one struct.  Its address is kept in the
   shadow of the guest's state, where one instruction gets it: VEX has no
   other short way to memory at a constant address.

   Addresses.  x86 code addresses memory by a register and a constant, over
   and over with the same register: stack slots, fields, pushes.  VEX's
   optimiser has made these sums of one temporary and constants, so each
   temporary that addresses are based on is stored once per block, at its
   first use, and the block's definition keeps the constants.  An address
   that is constant altogether is not stored at all.  Values of the stack
   pointer, when they are wanted, are treated alike; mostly the word is there
   already.

   Exits.  A run has the number of a variant of its block: how many
   instructions, accesses and words.  The header says at first that the
   block was run to its end; before an exit that leaves earlier it is
   overwritten, and again behind it.  There are few such exits: VEX is told
   not to follow jumps, so that all but string instructions and the like
   leave at the end.

   What the log does not show, for reasons in here
   - Loads whose result nobody uses: VEX has removed them, unless
     --datagrind-exact=yes.
   - Which accesses of a guarded helper call were made in part.
   - Instruction fetches as accesses: the instructions are in the block.
   - An access's order within its instruction is VEX's.  */

#include "dg_tool.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "libvex_guest_offsets.h"

/* VEX stops at 60 or so guest instructions; what would be over is not
   instrumented, and said.  */
#define MAX_INSTRS   255
#define MAX_ACCESSES 2048
#define MAX_STATES   512

/* An access of an IR statement, or the stack pointer's new value.  */
typedef struct {
   IRExpr* addr;             /* or that value */
   IRExpr* guard;            /* NULL: always made */
   Int     size;
   UChar   kind;
} Access;

/* What must stand in a run's header and at its end before the block can be
   left at an exit.  */
typedef struct {
   UShort n_instrs, n_entries, n_words;
} State;

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

   DgBlock block;            /* being put together */
   DgInstr instrs[MAX_INSTRS + 1];
   DgEntry entries[MAX_ACCESSES];
   State   exits[MAX_STATES];
   UInt    n_exits;
   Bool    computed_sp;
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
   UInt    at_word;
   UInt    at_exit;
   UInt    header_variant;   /* what the header says here */
   UInt    end_words;        /* where the buffer's end is here; ~0: unmoved */
} Builder;

/*------------------------------------------------------------*/
/*--- IR, for short                                        ---*/
/*------------------------------------------------------------*/

static void emit ( Builder* b, IRStmt* st )
{
   addStmtToIRSB(b->out, st);
}

static IRExpr* mk_word ( const Builder* b, UWord w )
{
   return b->word_size == 8 ? IRExpr_Const(IRConst_U64(w))
                            : IRExpr_Const(IRConst_U32((UInt)w));
}

static IRExpr* mk_addr ( const Builder* b, const void* p )
{
   return mk_word(b, (UWord)p);
}

static IRTemp assign ( Builder* b, IRType ty, IRExpr* e )
{
   IRTemp t = newIRTemp(b->out->tyenv, ty);
   emit(b, IRStmt_WrTmp(t, e));
   return t;
}

static IRExpr* rd ( IRTemp t )
{
   return IRExpr_RdTmp(t);
}

#if defined(VG_BIGENDIAN)
#  define HOST_END Iend_BE
#else
#  define HOST_END Iend_LE
#endif

static IRTemp load ( Builder* b, IRExpr* addr )
{
   return assign(b, b->word_ty, IRExpr_Load(HOST_END, b->word_ty, addr));
}

static void store ( Builder* b, IRExpr* addr, IRExpr* value )
{
   emit(b, IRStmt_Store(HOST_END, addr, value));
}

/* op32 for 32-bit words, and its 64-bit twin.  */
#define OP(b, op)  ((b)->word_size == 8 ? Iop_##op##64 : Iop_##op##32)

static IRTemp binop ( Builder* b, IROp op, IRExpr* x, IRExpr* y )
{
   return assign(b, b->word_ty, IRExpr_Binop(op, x, y));
}

static IRTemp cond ( Builder* b, IROp op, IRExpr* x, IRExpr* y )
{
   return assign(b, Ity_I1, IRExpr_Binop(op, x, y));
}

static IRTemp plus ( Builder* b, IRTemp t, UWord n )
{
   return n == 0 ? t : binop(b, OP(b, Add), rd(t), mk_word(b, n));
}

/* What lies n bytes behind t.  */
static IRTemp load_at ( Builder* b, IRTemp t, UWord n )
{
   return load(b, rd(plus(b, t, n)));
}

static void store_at ( Builder* b, IRTemp t, UWord n, IRTemp value )
{
   store(b, rd(plus(b, t, n)), rd(value));
}

/* To keep its address in a register over many statements would cost more
   than to get it twice.  */
#define HOT_NEAR  24

static IRTemp hot ( Builder* b )
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

static IRTemp shift ( Builder* b, IROp op, IRTemp t, UInt bits )
{
   return binop(b, op, rd(t), IRExpr_Const(IRConst_U8(bits)));
}

static IRTemp either ( Builder* b, IRTemp x, IRTemp y )
{
   return binop(b, OP(b, Or), rd(x), rd(y));
}

static IRTemp not_zero ( Builder* b, IRTemp t )
{
   return cond(b, OP(b, CmpNE), rd(t), mk_word(b, 0));
}

/* A word whose top bit is set if x < y.  Conditions that are made into words
   take several instructions each, so where no address has the top bit it is
   that of a difference.  */
static IRTemp below ( Builder* b, IRTemp x, IRTemp y )
{
   if (b->word_size == 8)
      return binop(b, Iop_Sub64, rd(x), rd(y));
   IRTemp c = cond(b, Iop_CmpLT32U, rd(x), rd(y));
   IRTemp w = assign(b, Ity_I32, IRExpr_Unop(Iop_1Uto32, rd(c)));
   return shift(b, Iop_Shl32, w, 31);
}

/* 0 if the top bit is set, else 1.  */
static IRTemp no_top_bit ( Builder* b, IRTemp t )
{
   IRTemp bit = shift(b, OP(b, Shr), t, 8 * b->word_size - 1);
   return binop(b, OP(b, Xor), rd(bit), mk_word(b, 1));
}

static void touches_hot ( const Builder* b, IRDirty* d )
{
   d->mFx   = Ifx_Modify;
   d->mAddr = mk_addr(b, &DG_(hot));
   d->mSize = sizeof DG_(hot);
}

/* A call of fn, which may change DG_(hot), if guard.  */
static void call_if ( Builder* b, IRTemp guard, Int regparms,
                      const HChar* name, void* fn, IRExpr** args )
{
   IRDirty* d = unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(fn),
                                  args);
   if (guard != IRTemp_INVALID)
      d->guard = rd(guard);
   touches_hot(b, d);
   emit(b, IRStmt_Dirty(d));
}

/*------------------------------------------------------------*/
/*--- What a statement accesses                            ---*/
/*------------------------------------------------------------*/

static Int sizeof_loaded ( IRLoadGOp cvt )
{
   switch (cvt) {
      case ILGop_IdentV128: return 16;
      case ILGop_Ident64:   return 8;
      case ILGop_Ident32:   return 4;
      case ILGop_16Uto32:
      case ILGop_16Sto32:   return 2;
      default:              return 1;
   }
}

static UInt add_access ( Access* a, UInt n, IRExpr* addr, Int size,
                         UChar kind, IRExpr* guard )
{
   /* A guard that is always true is none.  */
   if (guard != NULL && guard->tag == Iex_Const) {
      if (!guard->Iex.Const.con->Ico.U1)
         return n;
      guard = NULL;
   }
   a[n].addr  = addr;
   a[n].size  = size;
   a[n].kind  = kind;
   a[n].guard = guard;
   return n + 1;
}

static Int cas_size ( const Builder* b, const IRCAS* cas )
{
   Int size = sizeofIRType(typeOfIRExpr(b->in->tyenv, cas->dataLo));
   return cas->dataHi != NULL ? 2 * size : size;
}

/* The accesses of a statement in their order; at most two.  */
static UInt accesses_of ( const Builder* b, const IRStmt* st, Access* a )
{
   const IRTypeEnv* env = b->in->tyenv;
   switch (st->tag) {
      case Ist_WrTmp: {
         IRExpr* e = st->Ist.WrTmp.data;
         if (e->tag != Iex_Load)
            return 0;
         return add_access(a, 0, e->Iex.Load.addr,
                           sizeofIRType(e->Iex.Load.ty), DG_ACC_READ, NULL);
      }
      case Ist_Store: {
         IRExpr* data = st->Ist.Store.data;
         return add_access(a, 0, st->Ist.Store.addr,
                           sizeofIRType(typeOfIRExpr(env, data)),
                           DG_ACC_WRITE, NULL);
      }
      case Ist_LoadG: {
         const IRLoadG* lg = st->Ist.LoadG.details;
         return add_access(a, 0, lg->addr, sizeof_loaded(lg->cvt),
                           DG_ACC_READ, lg->guard);
      }
      case Ist_StoreG: {
         const IRStoreG* sg = st->Ist.StoreG.details;
         return add_access(a, 0, sg->addr,
                           sizeofIRType(typeOfIRExpr(env, sg->data)),
                           DG_ACC_WRITE, sg->guard);
      }
      case Ist_Dirty: {
         const IRDirty* d = st->Ist.Dirty.details;
         UInt n = 0;
         if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
            n = add_access(a, n, d->mAddr, d->mSize, DG_ACC_READ, d->guard);
         if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
            n = add_access(a, n, d->mAddr, d->mSize, DG_ACC_WRITE, d->guard);
         return n;
      }
      case Ist_CAS: {
         const IRCAS* cas = st->Ist.CAS.details;
         Int  size = cas_size(b, cas);
         UInt n = add_access(a, 0, cas->addr, size, DG_ACC_READ, NULL);
         return add_access(a, n, cas->addr, size, DG_ACC_WRITE, NULL);
      }
      case Ist_LLSC: {
         IRExpr* data = st->Ist.LLSC.storedata;
         IRType  ty   = data == NULL
                        ? typeOfIRTemp(env, st->Ist.LLSC.result)
                        : typeOfIRExpr(env, data);
         return add_access(a, 0, st->Ist.LLSC.addr, sizeofIRType(ty),
                           data == NULL ? DG_ACC_READ : DG_ACC_WRITE, NULL);
      }
      case Ist_Put: {
         IRExpr* data = st->Ist.Put.data;
         if (!DG_(opt).stacks || st->Ist.Put.offset != b->offset_sp
             || typeOfIRExpr(env, data) != b->word_ty)
            return 0;
         return add_access(a, 0, data, 0, DG_ACC_SP, NULL);
      }
      default:
         return 0;
   }
}

/*------------------------------------------------------------*/
/*--- Addresses as a temporary and a constant              ---*/
/*------------------------------------------------------------*/

static UWord const_of ( const IRExpr* e )
{
   const IRConst* c = e->Iex.Const.con;
   return c->tag == Ico_U64 ? (UWord)c->Ico.U64 : (UWord)(Int)c->Ico.U32;
}

/* Follows sums back to the temporary that they start from, or to a constant
   (IRTemp_INVALID).  */
static IRTemp base_of ( const Builder* b, const IRExpr* e, Word* disp )
{
   IROp add = OP(b, Add);
   IROp sub = OP(b, Sub);
   *disp = 0;
   for (;;) {
      if (e->tag == Iex_Const) {
         *disp += const_of(e);
         return IRTemp_INVALID;
      }
      tl_assert(e->tag == Iex_RdTmp);
      IRTemp        t = e->Iex.RdTmp.tmp;
      const IRExpr* d = b->defs[t];
      if (d == NULL)
         return t;
      if (d->tag == Iex_RdTmp || d->tag == Iex_Const) {
         e = d;
         continue;
      }
      if (d->tag != Iex_Binop || d->Iex.Binop.arg1->tag != Iex_RdTmp
          || d->Iex.Binop.arg2->tag != Iex_Const)
         return t;
      if (d->Iex.Binop.op == add)
         *disp += const_of(d->Iex.Binop.arg2);
      else if (d->Iex.Binop.op == sub)
         *disp -= const_of(d->Iex.Binop.arg2);
      else
         return t;
      e = d->Iex.Binop.arg1;
   }
}

/* Whether a new stack pointer is the old one plus a constant, or that
   rounded down: then it is on the same stack.  Notes how far it moved, if that
   is known.  */
static Bool follows_sp ( Builder* b, const IRExpr* e )
{
   IROp and = OP(b, And);
   b->sp_moved = 0;
   for (;;) {
      Word   disp;
      IRTemp t = base_of(b, e, &disp);
      b->sp_moved += disp;
      if (t == IRTemp_INVALID)
         return False;
      const IRExpr* d = b->defs[t];
      if (d == NULL)
         return False;
      if (d->tag == Iex_Get)
         return d->Iex.Get.offset == b->offset_sp;
      if (d->tag != Iex_Binop || d->Iex.Binop.op != and
          || d->Iex.Binop.arg1->tag != Iex_RdTmp
          || d->Iex.Binop.arg2->tag != Iex_Const)
         return False;
      b->sp_exact = False;
      e = d->Iex.Binop.arg1;
   }
}

static void look_at_sp ( Builder* b, const IRStmt* st )
{
   if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Get
       && st->Ist.WrTmp.data->Iex.Get.offset == b->offset_sp && b->sp_put)
      b->sp_exact = False;       /* not what it was at the start */
   if (st->tag != Ist_Put || st->Ist.Put.offset != b->offset_sp)
      return;
   b->sp_put = True;
   if (!follows_sp(b, st->Ist.Put.data))
      b->computed_sp = True;
}

/*------------------------------------------------------------*/
/*--- First pass: what the block does                      ---*/
/*------------------------------------------------------------*/

static UShort word_for ( Builder* b, const Access* a, Word* disp )
{
   if (a->guard != NULL) {
      *disp = 0;
      return b->block.n_words++;
   }
   IRTemp t = base_of(b, a->addr, disp);
   if (t == IRTemp_INVALID)
      return DG_NO_WORD;
   if (b->temp_word[t] == 0)
      b->temp_word[t] = ++b->block.n_words;
   return b->temp_word[t] - 1;
}

/* An access of more than 254 bytes goes on in further entries.  */
static void add_entries ( Builder* b, const IRStmt* st, const Access* a )
{
   Word   disp;
   UShort word = word_for(b, a, &disp);
   Int    size = a->size;
   for (;;) {
      DgEntry* e = &b->entries[b->block.n_entries++];
      e->disp    = disp;
      e->word    = word;
      e->kind    = a->kind;
      e->size    = size < 255 ? size : 255;
      e->iseq    = b->block.n_instrs - 1;
      e->guarded = a->guard != NULL;
      DG_(flow_entry)(st, a->addr, a->kind);
      if (size < 255)
         return;
      size -= 255;
      disp += 255;
   }
}

static void add_exit ( Builder* b )
{
   State* s = &b->exits[b->n_exits++];
   s->n_instrs  = b->block.n_instrs;
   s->n_entries = b->block.n_entries;
   s->n_words   = b->block.n_words;
}

/* Exits that are taken when an instruction faults, as misaligned vector loads
   do, leave the run as it is: the signal finds it, as it does when a load
   faults by itself.  */
static Bool is_fault ( const IRStmt* exit )
{
   switch (exit->Ist.Exit.jk) {
      case Ijk_SigILL:
      case Ijk_SigTRAP:
      case Ijk_SigSEGV:
      case Ijk_SigBUS:
      case Ijk_SigFPE:
      case Ijk_SigFPE_IntDiv:
      case Ijk_SigFPE_IntOvf:
         return True;
      default:
         return False;
   }
}

/* Behind the last statement of what the block executes.  Of an instruction
   that VEX cannot decode not even the length is known; it faults, and like
   others that do it is not part of a run.  */
static Int end_of_block ( const IRSB* in )
{
   Int end = in->stmts_used;
   if (in->jumpkind != Ijk_NoDecode)
      return end;
   while (end > 0 && in->stmts[end - 1]->tag != Ist_IMark)
      end--;
   return end > 0 ? end - 1 : in->stmts_used;
}

/* Returns the index of the first statement before `stop' that is not looked
   at, or that.  */
static Int look_at ( Builder* b, Int first, Int stop )
{
   Access a[2];
   Addr   last = 0;
   UInt   last_len = 0;
   Int    i;
   for (i = first; i < stop; i++) {
      const IRStmt* st = b->in->stmts[i];
      if (st->tag == Ist_IMark) {
         if (b->block.n_instrs >= MAX_INSTRS)
            break;
         DgInstr* in = &b->instrs[b->block.n_instrs++];
         last     = st->Ist.IMark.addr;
         last_len = st->Ist.IMark.len;
         in->addr = last;
         in->size = last_len;
      }
      if (b->block.n_entries + 40 > MAX_ACCESSES
          || b->n_exits + 2 > MAX_STATES)
         break;
      UInt n = accesses_of(b, st, a);
      UInt entry = b->block.n_entries;
      for (UInt k = 0; k < n; k++)
         add_entries(b, st, &a[k]);
      DG_(flow_statement)(st, entry);
      if (st->tag == Ist_WrTmp)
         b->defs[st->Ist.WrTmp.tmp] = st->Ist.WrTmp.data;
      look_at_sp(b, st);
      if (st->tag == Ist_Exit && !is_fault(st))
         add_exit(b);
   }
   add_exit(b);
   if (b->in->jumpkind == Ijk_Call)
      b->block.call_site = last + last_len - 1;
   return i;
}

/*------------------------------------------------------------*/
/*--- Second pass: the run                                 ---*/
/*------------------------------------------------------------*/

static void store_header ( Builder* b, UInt variant )
{
   if (b->word_size == 8) {
      store(b, rd(b->t_run), rd(binop(b, OP(b, Or), rd(b->t_node),
                                      mk_word(b, variant))));
   } else {
      store(b, rd(b->t_run), mk_word(b, variant));
      if (b->header_variant == 0)
         store_at(b, b->t_run, 4, b->t_node);
   }
   b->header_variant = variant;
}

static void begin_run ( Builder* b, const VexGuestExtents* vge )
{
   if (DG_(opt).check_stacks != 0) {
      IRTemp n  = LOAD_HOT(b, countdown);
      IRTemp n1 = binop(b, OP(b, Sub), rd(n), mk_word(b, 1));
      STORE_HOT(b, countdown, n1);
      IRTemp now = cond(b, OP(b, CmpEQ), rd(n1), mk_word(b, 0));
      call_if(b, now, 0, "DG_(check_stack)", &DG_(check_stack),
              mkIRExprVec_0());
   }
   if (DG_(is_toggle_fn)(vge->base[0]))
      call_if(b, IRTemp_INVALID, 0, "DG_(toggle_enter)", &DG_(toggle_enter),
              mkIRExprVec_0());

   IRTemp limit = LOAD_HOT(b, limit);
   IRTemp cur   = LOAD_HOT(b, cur);
   IRTemp full  = cond(b, b->word_size == 8 ? Iop_CmpLE64U : Iop_CmpLE32U,
                       rd(limit), rd(cur));
   call_if(b, full, 0, "DG_(flush_full)", &DG_(flush_full), mkIRExprVec_0());
   b->t_run  = LOAD_HOT(b, cur);
   b->t_node = LOAD_HOT(b, node);
   store_header(b, b->def->variant);
   b->end_words = ~0u;
   if (b->computed_sp || (b->in->jumpkind == Ijk_Ret && !b->sp_exact))
      b->t_sp = assign(b, b->word_ty, IRExpr_Get(b->offset_sp, b->word_ty));
}

/* Stores the words that the next access is the first to need.  */
static void store_words ( Builder* b, const Access* a )
{
   const DgEntry* e = &b->def->entries[b->at_entry];
   if (e->word != DG_NO_WORD && e->word == b->at_word) {
      IRExpr* value;
      if (a->guard != NULL) {
         value = rd(assign(b, b->word_ty,
                           IRExpr_ITE(a->guard, a->addr, mk_word(b, 0))));
      } else {
         Word   disp;
         IRTemp t = base_of(b, a->addr, &disp);
         value = rd(t);
      }
      UWord at = (DG_HDR_WORDS + b->at_word) * b->word_size;
      store(b, rd(plus(b, b->t_run, at)), value);
      b->at_word++;
   }
   for (Int size = a->size; ; size -= 255) {
      b->at_entry++;
      if (size < 255)
         break;
   }
}

/* Makes memory say what a run that is left here was.  */
static void settle_run ( Builder* b )
{
   const State* s = &b->exits[b->at_exit++];
   UInt variant = DG_(block_cut)(b->def, s->n_instrs, s->n_entries,
                                 s->n_words);
   if (variant != b->header_variant)
      store_header(b, variant);
   if (s->n_words != b->end_words) {
      IRTemp end = plus(b, b->t_run,
                        (DG_HDR_WORDS + s->n_words) * b->word_size);
      STORE_HOT(b, cur, end);
      b->end_words = s->n_words;
   }
}

/*------------------------------------------------------------*/
/*--- Calls and returns                                    ---*/
/*------------------------------------------------------------*/

/* What it was last set to, or else what it is.  */
static IRTemp get_sp ( Builder* b )
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
static IRTemp find_call ( Builder* b, IRTemp* other )
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

static void emit_call ( Builder* b )
{
   IRTemp sp = plus(b, get_sp(b), b->word_size);
   IRTemp other;
   IRTemp e    = find_call(b, &other);
   IRTemp top  = LOAD_HOT(b, top);
   IRTemp live = below(b, sp, load_at(b, top, FRAME_SP));
   IRTemp room = below(b, top, LOAD_HOT(b, frames_limit));
   IRTemp both = binop(b, OP(b, And), rd(live), rd(room));
   IRTemp slow = either(b, other, no_top_bit(b, both));
   call_if(b, not_zero(b, slow), 1, "DG_(call_slow)", &DG_(call_slow),
           mkIRExprVec_1(rd(b->t_run)));

   IRTemp child = load_at(b, e, CALL_CHILD);
   IRTemp node  = LOAD_HOT(b, node);
   IRTemp frame = plus(b, LOAD_HOT(b, top), sizeof(DgFrame));
   store_at(b, frame, FRAME_SP, sp);
   store_at(b, frame, FRAME_NODE, node);
   STORE_HOT(b, top, frame);
   STORE_HOT(b, node, child);
}

static void emit_return ( Builder* b )
{
   IRTemp sp  = get_sp(b);
   IRTemp top = LOAD_HOT(b, top);
   IRTemp bad = cond(b, OP(b, CmpNE), rd(sp),
                     rd(load_at(b, top, FRAME_SP)));
   IRExpr* moved = b->t_sp == IRTemp_INVALID
                   ? mk_word(b, b->sp_moved)
                   : rd(binop(b, OP(b, Sub), rd(sp), rd(b->t_sp)));
   call_if(b, bad, 1, "DG_(ret_slow)", &DG_(ret_slow), mkIRExprVec_1(moved));

   IRTemp top2 = LOAD_HOT(b, top);
   IRTemp down = binop(b, OP(b, Sub), rd(top2), mk_word(b, sizeof(DgFrame)));
   STORE_HOT(b, node, load_at(b, top2, FRAME_NODE));
   STORE_HOT(b, top, down);
}

/* The stack pointer was set to something computed.  */
static void emit_sp_check ( Builder* b )
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
}

/*------------------------------------------------------------*/
/*--- Requests                                             ---*/
/*------------------------------------------------------------*/

/* Where a client request has its arguments and its result.  */
#if defined(VGA_amd64)
#  define OFFSET_ARGS    OFFSET_amd64_RAX
#  define OFFSET_RESULT  OFFSET_amd64_RDX
#elif defined(VGA_x86)
#  define OFFSET_ARGS    OFFSET_x86_EAX
#  define OFFSET_RESULT  OFFSET_x86_EDX
#endif

/* By a request the program calls our malloc.  Only the scheduler answers
   requests, and to go there and back takes longer than the malloc: so that is
   called from here, and the block goes on as if the request had been
   answered.  */
static void emit_request ( Builder* b )
{
#  if defined(OFFSET_ARGS)
   if (b->in->next->tag != Iex_Const)
      return;
   IRTemp args = assign(b, b->word_ty,
                        IRExpr_Get(OFFSET_ARGS, b->word_ty));
   IRTemp done = newIRTemp(b->out->tyenv, b->word_ty);
   emit(b, IRStmt_Put(b->in->offsIP, b->in->next));
   IRDirty* d = unsafeIRDirty_1_N(done, 1, "DG_(heap_request)",
                                  VG_(fnptr_to_fnentry)(&DG_(heap_request)),
                                  mkIRExprVec_1(rd(args)));
   touches_hot(b, d);
   emit(b, IRStmt_Dirty(d));
   IRTemp is_done = not_zero(b, done);
   IRTemp before  = assign(b, b->word_ty,
                           IRExpr_Get(OFFSET_RESULT, b->word_ty));
   IRTemp result  = LOAD_HOT(b, result);
   IRTemp after   = assign(b, b->word_ty,
                           IRExpr_ITE(rd(is_done), rd(result), rd(before)));
   emit(b, IRStmt_Put(OFFSET_RESULT, rd(after)));
   emit(b, IRStmt_Exit(rd(is_done), Ijk_Boring, b->in->next->Iex.Const.con,
                       b->in->offsIP));
#  endif
}

/*------------------------------------------------------------*/
/*--- All of it                                            ---*/
/*------------------------------------------------------------*/

static void follow_last_sp ( Builder* b, const IRStmt* st )
{
   if (st->tag == Ist_Put && st->Ist.Put.offset == b->offset_sp)
      b->t_last_sp = st->Ist.Put.data->tag == Iex_RdTmp
                     ? st->Ist.Put.data->Iex.RdTmp.tmp : IRTemp_INVALID;
   else if (st->tag == Ist_Dirty || st->tag == Ist_PutI)
      b->t_last_sp = IRTemp_INVALID;
}

static void rebuild ( Builder* b, const VexGuestExtents* vge, Int first,
                      Int end )
{
   Access a[2];
   begin_run(b, vge);
   for (Int i = first; i < end; i++) {
      IRStmt* st = b->in->stmts[i];
      UInt    n  = accesses_of(b, st, a);
      for (UInt k = 0; k < n; k++)
         store_words(b, &a[k]);
      if (st->tag == Ist_Exit && !is_fault(st))
         settle_run(b);
      emit(b, st);
      follow_last_sp(b, st);
   }
   settle_run(b);
   for (Int i = end; i < b->in->stmts_used; i++) {
      emit(b, b->in->stmts[i]);
      follow_last_sp(b, b->in->stmts[i]);
   }

   if (b->computed_sp && b->in->jumpkind != Ijk_Ret)
      emit_sp_check(b);
   if (b->in->jumpkind == Ijk_Call)
      emit_call(b);
   else if (b->in->jumpkind == Ijk_Ret)
      emit_return(b);
   else if (b->in->jumpkind == Ijk_ClientReq)
      emit_request(b);
}

static void report_cut ( Addr a )
{
   static Bool reported = False;
   if (!reported)
      VG_(umsg)("Datagrind: the block at %#lx is too long; its last accesses "
                "are not recorded.\n", a);
   reported = True;
}

/* n of them, of which nothing is known.  */
static void clear_temps ( Builder* b, UInt n )
{
   if (n > b->max_temps) {
      b->max_temps = 2 * n;
      b->defs = VG_(realloc)("dg.instrument.defs", b->defs,
                             b->max_temps * sizeof(IRExpr*));
      b->temp_word = VG_(realloc)("dg.instrument.words", b->temp_word,
                                  b->max_temps * sizeof(UShort));
   }
   VG_(memset)(b->defs, 0, n * sizeof(IRExpr*));
   VG_(memset)(b->temp_word, 0, n * sizeof(UShort));
}

IRSB* DG_(instrument) ( VgCallbackClosure* closure, IRSB* in,
                        const VexGuestLayout* layout,
                        const VexGuestExtents* vge,
                        const VexArchInfo* archinfo_host,
                        IRType gWordTy, IRType hWordTy )
{
   /* VEX translates one block at a time, and this is large.  */
   static Builder builder;
   Builder* b = &builder;

   if (gWordTy != hWordTy)
      VG_(tool_panic)("host/guest word size mismatch");

   DG_(clock_translates)();
   if (!DG_(out_is_open)())
      return in;              /* nothing will ever be recorded again */

   Int first = 0, stop = end_of_block(in);
   while (first < stop && in->stmts[first]->tag != Ist_IMark)
      first++;
   if (first == stop)
      return in;

   VG_(memset)(&b->block, 0, sizeof b->block);
   b->in          = in;
   b->out         = deepCopyIRSBExceptStmts(in);
   b->word_ty     = gWordTy;
   b->word_size   = sizeofIRType(gWordTy);
   b->offset_sp   = layout->offset_SP;
   b->offset_hot  = layout->total_sizeB;      /* of the first shadow */
   b->t_hot       = IRTemp_INVALID;
   b->n_exits     = 0;
   b->computed_sp = False;
   b->sp_put      = False;
   b->sp_exact    = True;
   b->sp_moved    = 0;
   b->block.instrs  = b->instrs;
   b->block.entries = b->entries;

   clear_temps(b, in->tyenv->types_used + 1);
   DG_(flow_begin)(in, b->word_ty);
   Int  end = look_at(b, first, stop);
   b->block.flow = DG_(flow_end)(in->jumpkind, end == in->stmts_used,
                                 &b->block.n_flow);
   b->def = DG_(block_intern)(&b->block);
   if (end < stop)
      report_cut(vge->base[0]);

   b->at_entry = b->at_word = b->at_exit = 0;
   b->header_variant = 0;
   b->t_sp = b->t_last_sp = IRTemp_INVALID;
   for (Int i = 0; i < first; i++)
      emit(b, in->stmts[i]);
   rebuild(b, vge, first, end);

   return b->out;
}

/*--------------------------------------------------------------------*/
/*--- end                                          dg_instrument.c ---*/
/*--------------------------------------------------------------------*/
