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

#include "dg_ir.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

/* An access of an IR statement, or the stack pointer's new value.  */
typedef struct {
   IRExpr* addr;             /* or that value */
   IRExpr* guard;            /* NULL: always made */
   Int     size;
   UChar   kind;
} Access;

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

static Int cas_size ( const DgBuilder* b, const IRCAS* cas )
{
   Int size = sizeofIRType(typeOfIRExpr(b->in->tyenv, cas->dataLo));
   return cas->dataHi != NULL ? 2 * size : size;
}

/* The accesses of a statement in their order; at most two.  */
static UInt accesses_of ( const DgBuilder* b, const IRStmt* st, Access* a )
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

IRTemp DG_(base_of) ( const DgBuilder* b, const IRExpr* e, Word* disp )
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
static Bool follows_sp ( DgBuilder* b, const IRExpr* e )
{
   IROp and = OP(b, And);
   b->sp_moved = 0;
   for (;;) {
      Word   disp;
      IRTemp t = DG_(base_of)(b, e, &disp);
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

void DG_(look_at_sp) ( DgBuilder* b, const IRStmt* st )
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

static UShort word_for ( DgBuilder* b, const Access* a, /*OUT*/Word* disp,
                         /*OUT*/Bool* is_new )
{
   *is_new = a->guard != NULL;
   if (a->guard != NULL) {
      *disp = 0;
      return b->block.n_words++;
   }
   IRTemp t = DG_(base_of)(b, a->addr, disp);
   if (t == IRTemp_INVALID)
      return DG_NO_WORD;
   if (b->temp_word[t] == 0) {
      b->temp_word[t] = ++b->block.n_words;
      *is_new = True;
   }
   return b->temp_word[t] - 1;
}

/* The k-th access of a statement.  One of more than 254 bytes goes on in
   further entries.  */
static void add_entries ( DgBuilder* b, const IRStmt* st, const Access* a,
                          UInt k )
{
   Word   disp;
   Bool   is_new;
   UShort word = word_for(b, a, &disp, &is_new);
   Int    size = a->size;
   for (;;) {
      b->is_new_word[b->block.n_entries] = is_new;
      DgEntry* e = &b->entries[b->block.n_entries++];
      e->disp    = disp;
      e->word    = word;
      e->kind    = a->kind;
      e->size    = size < 255 ? size : 255;
      e->iseq    = b->block.n_instrs - 1;
      e->guarded = a->guard != NULL;
      DG_(flow_entry)(st, a->addr, a->kind);
      if (b->block.values != NULL)
         DG_(value_entry)(b, st, k, a->size);
      if (size < 255)
         return;
      size -= 255;
      disp += 255;
      is_new = False;
   }
}

static void add_exit ( DgBuilder* b )
{
   DgState* s = &b->exits[b->n_exits++];
   s->n_instrs  = b->block.n_instrs;
   s->n_entries = b->block.n_entries;
   s->n_words   = b->block.n_words;
}

/* Exits that are taken when an instruction faults, as misaligned vector loads
   do, leave the run as it is: the signal finds it, as it does when a load
   faults by itself.  */
Bool DG_(is_fault_exit) ( const IRStmt* exit )
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

void DG_(look_at_end) ( DgBuilder* b, Addr end )
{
   /* Of some architectures VEX calls all direct jumps so.  */
   b->is_return = DG_(arch_is_return)(end, b->in->jumpkind);
   b->is_call = b->in->jumpkind == Ijk_Call
                && (DG_ARCH_PUSHES > 0 || DG_(arch_is_call)(end));
   if (b->is_call)
      b->block.call_site = end - 1;
}

/* Returns the index of the first statement before `stop' that is not looked
   at, or that.  */
static Int look_at ( DgBuilder* b, Int first, Int stop )
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
          || b->n_exits + 2 > MAX_STATES || DG_(value_is_full)(b))
         break;
      UInt n = accesses_of(b, st, a);
      UInt entry = b->block.n_entries;
      for (UInt k = 0; k < n; k++)
         add_entries(b, st, &a[k], k);
      DG_(flow_statement)(st, entry);
      if (st->tag == Ist_WrTmp)
         b->defs[st->Ist.WrTmp.tmp] = st->Ist.WrTmp.data;
      DG_(look_at_sp)(b, st);
      if (st->tag == Ist_Exit && !DG_(is_fault_exit)(st))
         add_exit(b);
   }
   add_exit(b);
   DG_(look_at_end)(b, last + last_len);
   return i;
}

/*------------------------------------------------------------*/
/*--- Second pass: the run                                 ---*/
/*------------------------------------------------------------*/

static void store_header ( DgBuilder* b, UInt variant )
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

static void begin_run ( DgBuilder* b, const VexGuestExtents* vge )
{
   if (DG_(opt).check_stacks != 0) {
      IRTemp n  = LOAD_HOT(b, countdown);
      IRTemp n1 = binop(b, OP(b, Sub), rd(n), mk_word(b, 1));
      STORE_HOT(b, countdown, n1);
      IRTemp now = cond(b, OP(b, CmpEQ), rd(n1), mk_word(b, 0));
      call_if(b, now, 0, "DG_(check_stack)", &DG_(check_stack),
              mkIRExprVec_0());
   }
   DG_(enter_script)(b);
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
   if (b->computed_sp || (b->is_return && !b->sp_exact))
      b->t_sp = assign(b, b->word_ty, IRExpr_Get(b->offset_sp, b->word_ty));
}

/* Stores the words that the next access is the first to need.  */
static void store_words ( DgBuilder* b, const Access* a )
{
   const DgEntry* e = &b->def->entries[b->at_entry];
   if (b->is_new_word[b->at_entry]) {
      IRExpr* value;
      if (a->guard != NULL) {
         value = rd(assign(b, b->word_ty,
                           IRExpr_ITE(a->guard, a->addr, mk_word(b, 0))));
      } else {
         Word   disp;
         IRTemp t = DG_(base_of)(b, a->addr, &disp);
         value = rd(t);
      }
      UWord at = (DG_HDR_WORDS + e->word) * b->word_size;
      store(b, rd(plus(b, b->t_run, at)), value);
   }
   for (Int size = a->size; ; size -= 255) {
      b->at_entry++;
      if (size < 255)
         break;
   }
}

/* Makes memory say what a run that is left here was.  */
static void settle_run ( DgBuilder* b )
{
   const DgState* s = &b->exits[b->at_exit++];
   UInt variant = DG_(block_cut)(b->def, s->n_instrs, s->n_entries,
                                 s->n_words);
   if (variant != b->header_variant)
      store_header(b, variant);
   UInt n_words = DG_VARIANT(variant)->run_words;
   if (n_words != b->end_words) {
      IRTemp end = plus(b, b->t_run, (DG_HDR_WORDS + n_words) * b->word_size);
      STORE_HOT(b, cur, end);
      b->end_words = n_words;
   }
}

/*------------------------------------------------------------*/
/*--- All of it                                            ---*/
/*------------------------------------------------------------*/

void DG_(follow_last_sp) ( DgBuilder* b, const IRStmt* st )
{
   if (st->tag == Ist_Put && st->Ist.Put.offset == b->offset_sp)
      b->t_last_sp = st->Ist.Put.data->tag == Iex_RdTmp
                     ? st->Ist.Put.data->Iex.RdTmp.tmp : IRTemp_INVALID;
   else if (st->tag == Ist_Dirty || st->tag == Ist_PutI)
      b->t_last_sp = IRTemp_INVALID;
}

static void rebuild ( DgBuilder* b, const VexGuestExtents* vge, Int first,
                      Int end )
{
   Access a[2];
   begin_run(b, vge);
   for (Int i = first; i < end; i++) {
      IRStmt* st = b->in->stmts[i];
      UInt    n  = accesses_of(b, st, a);
      UInt entry = b->at_entry;
      for (UInt k = 0; k < n; k++)
         store_words(b, &a[k]);
      if (b->block.values != NULL)
         DG_(value_before)(b, st, entry, n);
      if (st->tag == Ist_Exit && !DG_(is_fault_exit)(st))
         settle_run(b);
      emit(b, st);
      if (b->block.values != NULL)
         DG_(value_behind)(b, st, entry, n);
      DG_(follow_last_sp)(b, st);
      if (b->script >= 0 && st->tag == Ist_WrTmp
          && st->Ist.WrTmp.data->tag == Iex_Load
          && sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty)
             == b->script_fetch)
         b->script_at = st->Ist.WrTmp.data->Iex.Load.addr;
   }
   settle_run(b);
   for (Int i = end; i < b->in->stmts_used; i++) {
      emit(b, b->in->stmts[i]);
      DG_(follow_last_sp)(b, b->in->stmts[i]);
   }

   DG_(leave_block)(b);
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
static void clear_temps ( DgBuilder* b, UInt n )
{
   if (n > b->max_temps) {
      b->max_temps = 2 * n;
      b->defs = VG_(realloc)("dg.instrument.defs", b->defs,
                             b->max_temps * sizeof(IRExpr*));
      b->temp_word = VG_(realloc)("dg.instrument.words", b->temp_word,
                                  b->max_temps * sizeof(UShort));
      if (DG_(opt).values)
         DG_(value_grow_temps)(b);
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
   static DgBuilder builder;
   DgBuilder* b = &builder;

   if (gWordTy != hWordTy)
      VG_(tool_panic)("host/guest word size mismatch");

   DG_(clock_translates)();
   DG_(gap_translates)();
   DG_(undecoded_translated)(in);
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
   b->is_light    = DG_(light);
   b->script_at   = NULL;
   b->t_sp = b->t_last_sp = IRTemp_INVALID;
   b->block.instrs  = b->instrs;
   b->block.entries = b->entries;
   for (Int i = 0; i < first; i++)
      emit(b, in->stmts[i]);

   clear_temps(b, in->tyenv->types_used + 1);
   if (b->is_light && !DG_(code_is_made)(vge->base[0])) {
      DG_(light_look_at)(b, first, stop);
      DG_(light_rebuild)(b, closure, first, stop);
      return b->out;
   }
   DG_(flow_begin)(in, b->word_ty);
   if (DG_(opt).values)
      DG_(value_begin)(b, first, stop);
   Int  end = look_at(b, first, stop);
   b->block.flow = DG_(flow_end)(in->jumpkind, end == in->stmts_used,
                                 &b->block.n_flow);
   DG_(code_translated)(&b->block);
   if (b->is_light) {
      DG_(light_rebuild)(b, closure, first, stop);
      return b->out;
   }
   b->def = DG_(block_intern)(&b->block);
   if (end < stop)
      report_cut(vge->base[0]);

   b->script = DG_(script_block)(vge->base[0], &b->script_entry,
                                    &b->script_fetch);
   b->at_entry = b->at_exit = 0;
   b->header_variant = 0;
   rebuild(b, vge, first, end);

   return b->out;
}

/*--------------------------------------------------------------------*/
/*--- end                                          dg_instrument.c ---*/
/*--------------------------------------------------------------------*/
