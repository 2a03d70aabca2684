/*--------------------------------------------------------------------*/
/*--- Datagrind: functions of scripts.                 dg_script.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* --datagrind-scripts=yes: an interpreter runs a script in one function, its
   evaluator, which calls itself, or does not, when the script calls.  Where
   the script is cannot be seen from the stack, but from the instructions that
   the evaluator fetches.  So its blocks have a comparison: is what they fetch
   in the line where the thread was?  If not, the interpreter's data are asked
   for the frames, and the path of the thread gets sites of the script's
   functions and lines behind that of the call of the evaluator.

   Frames are kept for each call of an evaluator, so that mostly only the
   innermost one, or one more or less, must be looked at.  */

#include "dg_arch.h"
#include "dg_script.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

static const DgInterpreter* const interpreters[]
   = { &DG_(python), &DG_(perl) };
#define N_INTERPRETERS  (sizeof interpreters / sizeof interpreters[0])

/* A frame, and the path to its function's caller.  */
typedef struct {
   Addr        frame;
   DgScriptFn* fn;
   UInt        parent;
   Addr        site;             /* where it is, or called the next one */
} Level;

/* The evaluator was called when the stack pointer was there.  */
typedef struct {
   UWord        sp;
   UInt         base;            /* the path to it */
   const DgInterpreter* of;
   DgScriptCall call;
   UInt         first;           /* of its levels */
} Call;

typedef struct {
   Call*  calls;
   UInt   n_calls, max_calls;
   Level* levels;
   UInt   n_levels, max_levels;
   Addr   word;                  /* where a word says where its script is; 0:
                                    nowhere */
} Thread;

/* The word of threads that have none.  */
static const UWord nowhere;

static Thread*      threads;
static UInt         n_threads;
static VgHashTable* functions;
static UInt         n_functions;

/* Frames that are looked at, at most; and calls of evaluators.  */
#define MOST_FRAMES  250
#define MOST_CALLS   10000

/*------------------------------------------------------------*/
/*--- Functions                                            ---*/
/*------------------------------------------------------------*/

static void name_function ( const DgInterpreter* of, const DgScriptFn* fn,
                            const DgScriptText* text )
{
   DgCodeName c = { .start = (Addr)DG_SCRIPT_SITE(fn->number),
                    .size = (SizeT)1 << DG_SCRIPT_LINE_BITS,
                    .name = text->name, .file = text->file,
                    .language = of->language, .what = DG_CODE_SCRIPT };
   DG_(code_write)(&c);
}

static DgScriptFn* function_of ( const DgInterpreter* of,
                                 const DgScriptFrame* f )
{
   DgScriptText text;
   UWord       key   = f->function + 31 * f->unit;
   UInt        check = of->check(f);
   DgScriptFn* fn    = VG_(HT_lookup)(functions, key);
   if (fn != NULL && fn->check == check && fn->function == f->function
       && fn->unit == f->unit)
      return fn;
   if (!of->describe(f, &text))
      return NULL;
   if (fn == NULL) {
      fn = VG_(calloc)("dg.script.function", 1, sizeof(DgScriptFn));
      fn->key = key;
      VG_(HT_add_node)(functions, fn);
   }
   VG_(free)(fn->lines);
   fn->function = f->function;
   fn->unit     = f->unit;
   fn->check    = check;
   fn->number   = n_functions++;
   fn->base     = text.base;
   fn->size     = text.size;
   fn->lines    = text.lines;
   fn->n_lines  = text.n_lines;
   name_function(of, fn, &text);
   return fn;
}

/* The line of an address in the function's code; [*low, *low + *size) is of
   it, too.  */
static UInt line_at ( const DgInterpreter* of, const DgScriptFn* fn, Addr at,
                      Addr* low, UWord* size )
{
   if (of->line != NULL) {
      *low  = at;
      *size = 1;
      return of->line(at);
   }
   UWord off = at - fn->base;
   UInt  i = 0, n = fn->n_lines;
   while (n > 0) {
      UInt half = n / 2;
      if (fn->lines[i + half].end <= off) {
         i += half + 1;
         n -= half + 1;
      } else
         n = half;
   }
   UWord from = i > 0 ? fn->lines[i - 1].end : 0;
   UWord to   = i < fn->n_lines ? fn->lines[i].end : fn->size;
   *low  = fn->base + from;
   *size = to - from;
   return i < fn->n_lines ? fn->lines[i].line : 0;
}

static Addr site_of ( const DgScriptFn* fn, UInt line )
{
   UInt most = (1u << DG_SCRIPT_LINE_BITS) - 1;
   return (Addr)DG_SCRIPT_SITE(fn->number) | (line < most ? line : most);
}

/*------------------------------------------------------------*/
/*--- Calls of evaluators                                  ---*/
/*------------------------------------------------------------*/

static Thread* this_thread ( void )
{
   ThreadId tid = DG_(running)();
   threads = DG_(thread_table)("dg.script.threads", threads, &n_threads, tid,
                               sizeof(Thread));
   return &threads[tid];
}

/* No fetch is where the thread was.  */
static void forget_line ( void )
{
   DG_(hot).script_low  = 0;
   DG_(hot).script_size = 0;
}

/* What blocks of evaluators that fetch nothing compare.  */
static void use_word ( const Thread* t )
{
   DG_(hot).script_word = t->word != 0 ? t->word : (Addr)&nowhere;
}

static void drop_call ( Thread* t )
{
   t->n_levels = t->calls[--t->n_calls].first;
}

/* The latest that was made with that stack pointer; NULL: there is none.  */
static Call* call_at ( Thread* t, UWord sp )
{
   for (UInt i = t->n_calls; i > 0; i--)
      if (t->calls[i - 1].sp == sp)
         return &t->calls[i - 1];
   return NULL;
}

/* All calls behind it are gone.  */
static void drop_behind ( Thread* t, const Call* c )
{
   while (&t->calls[t->n_calls - 1] > c)
      drop_call(t);
}

/* At the first instruction of an evaluator, with its first two arguments.  */
VG_REGPARM(3) void DG_(script_enter) ( UWord which, UWord arg0, UWord arg1 )
{
   Thread* t  = this_thread();
   UWord   sp = DG_(hot).top->sp & ~DG_FRAME_MARK;
   forget_line();
   /* It jumped to its beginning.  */
   if (t->n_calls >= MOST_CALLS || DG_(hot).top->sp & DG_FRAME_SCRIPT)
      return;
   if (t->n_calls == t->max_calls) {
      t->max_calls = t->max_calls == 0 ? 64 : 2 * t->max_calls;
      t->calls = VG_(realloc)("dg.script.calls", t->calls,
                              t->max_calls * sizeof(Call));
   }
   Call* c = &t->calls[t->n_calls++];
   c->sp    = sp;
   c->base  = DG_NODE(DG_(hot).node);
   c->of    = interpreters[which];
   c->first = t->n_levels;
   VG_(memset)(&c->call, 0, sizeof c->call);
   c->call.arg[0] = arg0;
   c->call.arg[1] = arg1;
   if (!c->of->enter(&c->call)) {
      t->n_calls--;
      t->word = 0;
   } else {
      DG_(stack_mark_script)();
      if (c->call.word != 0)
         t->word = c->call.word;
   }
   use_word(t);
}

void DG_(script_leave) ( UWord sp )
{
   Thread* t = this_thread();
   Call*   c = call_at(t, sp);
   if (c != NULL) {
      drop_behind(t, c);
      drop_call(t);
   }
   forget_line();
}

/* That of the evaluator that runs.  NULL: it is none that is understood.
   Those behind it are of stacks that were left.  */
static Call* running_call ( Thread* t )
{
   Call* c = call_at(t, DG_(hot).top->sp & ~DG_FRAME_MARK);
   if (c != NULL)
      drop_behind(t, c);
   return c;
}

UInt DG_(script_sites) ( UWord sp, Addr* sites, UInt max, UInt* base )
{
   Thread*     t = this_thread();
   const Call* c = call_at(t, sp);
   UInt        n = 0;
   if (c == NULL)
      return 0;
   UInt end = c + 1 < t->calls + t->n_calls ? c[1].first : t->n_levels;
   for (UInt i = end; i > c->first && n < max; i--)
      if (t->levels[i - 1].site != 0)
         sites[n++] = t->levels[i - 1].site;
   *base = c->base;
   return n;
}

static void add_level ( Thread* t, Addr frame, DgScriptFn* fn, UInt parent )
{
   if (t->n_levels == t->max_levels) {
      t->max_levels = t->max_levels == 0 ? 256 : 2 * t->max_levels;
      t->levels = VG_(realloc)("dg.script.levels", t->levels,
                               t->max_levels * sizeof(Level));
   }
   Level* l = &t->levels[t->n_levels++];
   l->frame  = frame;
   l->fn     = fn;
   l->parent = parent;
   l->site   = 0;
}

/*------------------------------------------------------------*/
/*--- Frames                                               ---*/
/*------------------------------------------------------------*/

/* All frames of the call, from the one that f is.  */
static Bool look_at_all ( Thread* t, const Call* c, DgScriptFrame f )
{
   static DgScriptFrame frames[MOST_FRAMES];
   UInt n = 0;
   UInt parent = c->base;
   for (;;) {
      frames[n++] = f;
      if (n == MOST_FRAMES || f.frame == c->call.first || f.caller == 0)
         break;
      f.frame = f.caller;
      f.at    = f.caller_at;
      if (!c->of->look(&c->call, &f))
         break;
   }
   t->n_levels = c->first;
   while (n > 0) {
      const DgScriptFrame* x  = &frames[--n];
      DgScriptFn*          fn = function_of(c->of, x);
      Addr  low;
      UWord size;
      if (fn == NULL)
         continue;
      add_level(t, x->frame, fn, parent);
      if (n > 0) {
         Addr site = site_of(fn, line_at(c->of, fn, x->at, &low, &size));
         t->levels[t->n_levels - 1].site = site;
         parent = DG_(node_child)(parent, site);
      }
   }
   return t->n_levels > c->first;
}

static Bool is_of ( const DgScriptFn* fn, const DgScriptFrame* f )
{
   return fn->function == f->function && fn->unit == f->unit;
}

/* Makes the last level that of the frame.  */
static Bool find_level ( Thread* t, const Call* c, DgScriptFrame f )
{
   if (!c->of->look(&c->call, &f))
      return False;
   if (t->n_levels > c->first && f.frame != c->call.first
       && t->levels[t->n_levels - 1].frame == f.caller) {
      /* A call, from the line where the thread was.  */
      DgScriptFn* fn = function_of(c->of, &f);
      if (fn == NULL)
         return False;
      add_level(t, f.frame, fn, DG_NODE(DG_(hot).node));
      return True;
   }
   for (UInt i = t->n_levels; i > c->first; i--) {
      const Level* l = &t->levels[i - 1];
      if (l->frame == f.frame && is_of(l->fn, &f)
          && (i - 1 == c->first || t->levels[i - 2].frame == f.caller)) {
         t->n_levels = i;
         return True;
      }
   }
   return look_at_all(t, c, f);
}

/* Whether f, the innermost frame, is of the level.  Where that has a range of
   code its function need not be asked for.  */
static Bool is_at ( const DgInterpreter* of, const Level* l,
                    const DgScriptFrame* f )
{
   if (l->frame != f->frame)
      return False;
   return of->line != NULL ? is_of(l->fn, f)
                           : f->at - l->fn->base < l->fn->size;
}

/* The evaluator has fetched something at `at', which is not in the line where
   the thread was.  It need not be an instruction: then nothing changes.  */
VG_REGPARM(1) void DG_(script_moved) ( UWord at )
{
   Thread*       t = this_thread();
   Call*         c = running_call(t);
   DgScriptFrame f = { .at = at };
   if (c == NULL || !c->of->current(&c->call, &f))
      return;
   Level* l = t->n_levels > c->first ? &t->levels[t->n_levels - 1] : NULL;
   if (l == NULL || !is_at(c->of, l, &f)) {
      if (!find_level(t, c, f))
         return;
      l = &t->levels[t->n_levels - 1];
      if (!is_at(c->of, l, &f))
         return;
   }
   UInt line = line_at(c->of, l->fn, at, &DG_(hot).script_low,
                       &DG_(hot).script_size);
   l->site = site_of(l->fn, line);
   DG_(hot).node = DG_REF(DG_(node_child)(l->parent, l->site));
}

/* Another thread runs, or none.  */
void DG_(script_switch) ( ThreadId to )
{
   forget_line();
   DG_(hot).script_word = (Addr)&nowhere;
   if (to != VG_INVALID_THREADID && to < n_threads)
      use_word(&threads[to]);
}

void DG_(script_end_thread) ( ThreadId tid )
{
   if (tid < n_threads) {
      threads[tid].n_calls = threads[tid].n_levels = 0;
      threads[tid].word = 0;
   }
}

/*------------------------------------------------------------*/
/*--- Blocks of evaluators                                 ---*/
/*------------------------------------------------------------*/

#if defined(DG_ARCH_PARAM)

static Bool is_part ( const HChar* name, const HChar* of )
{
   SizeT n = VG_(strlen)(of);
   return VG_(strncmp)(name, of, n) == 0 && (name[n] == 0 || name[n] == '.');
}

/* Of which interpreter's evaluator a block is, or -1; *fetch is how many
   bytes it fetches at once.  */
Int DG_(script_block) ( Addr a, Bool* is_entry, Int* fetch )
{
   const HChar* name;
   DiEpoch      ep = VG_(current_DiEpoch)();
   if (!DG_(opt).scripts || !VG_(get_fnname)(ep, a, &name))
      return -1;
   for (UInt i = 0; i < N_INTERPRETERS; i++) {
      if (!is_part(name, interpreters[i]->evaluator)
          || !interpreters[i]->is_known())
         continue;
      *is_entry = VG_(get_fnname_if_entry)(ep, a, &name)
                  && VG_(strcmp)(name, interpreters[i]->evaluator) == 0;
      *fetch    = interpreters[i]->fetch;
      return i;
   }
   return -1;
}

#else

Int DG_(script_block) ( Addr a, Bool* is_entry, Int* fetch )
{
   return -1;
}

#endif

void DG_(script_init) ( void )
{
   functions = VG_(HT_construct)("dg.script.functions");
   DG_(hot).script_word = (Addr)&nowhere;
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_script.c ---*/
/*--------------------------------------------------------------------*/
