/*--------------------------------------------------------------------*/
/*--- Datagrind: Perl's frames.                          dg_perl.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Perl runs a tree of operations, each a function, in a loop that is a
   function, too.  Which statement it is at is in PL_curcop, which each
   statement sets at its begin; that is the word which blocks of the loop
   compare.  Subroutines are contexts on a stack, in an array, with contexts
   of loops and others in between; sorting and the like have another such
   stack.

   Perl 5.36 with threads, as distributions build it (perl.h, cop.h, sv.h, cv.h
   in its CORE folder).  What is at PL_curcop must be a statement: an operation
   whose function is Perl_pp_nextstate.  */

#include "dg_script.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

/* The interpreter */
#define PERL_CURCOP     208
#define PERL_STACKINFO  224
#define PERL_MAIN_CV    1800
/* A stack of contexts */
#define SI_CONTEXTS     8
#define SI_PREVIOUS     16
#define SI_TOP          32
/* A context */
#define CX_SIZE         104
#define CX_TYPE         0
#define CX_OLDCOP       16
#define CX_CV           72
#define CX_SUB          9
/* A statement */
#define COP_FUNCTION    16
#define COP_LINE        36
#define COP_FILE        48
/* Values */
#define SV_BODY         0
#define CV_STASH        32
#define CV_GV           56
#define CV_FLAGS        92
#define CV_NAMED        0x8000
#define GV_NAME         32
#define GV_STASH        40
#define HV_NAME         32
#define HV_NAMES        60
#define HEK_LENGTH      4
#define HEK_TEXT        8

#define MOST_CONTEXTS   10000    /* that are looked at for one */
#define MOST_STACKS     100
#define MOST_NAME       500
#define MOST_FILE       1024

static Addr word_or_0 ( Addr a )
{
   Addr word;
   return word_at(a, &word) ? word : 0;
}

/* The functions of statements.  */
static Addr nextstate, dbstate;

static Bool is_known ( void )
{
   if (nextstate == 0) {
      nextstate = DG_(core_symbol)("Perl_pp_nextstate");
      dbstate   = DG_(core_symbol)("Perl_pp_dbstate");
   }
   return nextstate != 0;
}

static Bool is_statement ( Addr cop )
{
   Addr function = word_or_0(cop + COP_FUNCTION);
   return function != 0 && (function == nextstate || function == dbstate);
}

/*------------------------------------------------------------*/
/*--- Files                                                ---*/
/*------------------------------------------------------------*/

/* Statements have the name of their file in a place of their own each.  */
typedef struct _File {
   struct _File* next;           /* VgHashNode */
   UWord         hash;           /* key */
   HChar         name[];
} File;

static Word other_file ( const void* x, const void* y )
{
   return VG_(strcmp)(((const File*)x)->name, ((const File*)y)->name);
}

/* The one of that name: its address is the unit of functions.  0: it cannot be
   read.  */
static Addr file_at ( Addr text )
{
   static VgHashTable* files;
   static struct { File file; HChar room[MOST_FILE]; } key;
   SizeT n;
   if (files == NULL)
      files = VG_(HT_construct)("dg.perl.files");
   if (!DG_(core_length)(text, MOST_FILE - 1, &n)
       || !DG_(core_copy)(key.file.name, text, n))
      return 0;
   key.file.name[n] = 0;
   key.file.hash    = DG_(code_hash)((const UChar*)key.file.name, n);
   File* f = VG_(HT_gen_lookup)(files, &key.file, other_file);
   if (f == NULL) {
      f = VG_(malloc)("dg.perl.file", sizeof(File) + n + 1);
      f->hash = key.file.hash;
      VG_(strcpy)(f->name, key.file.name);
      VG_(HT_add_node)(files, f);
   }
   return (Addr)f;
}

/*------------------------------------------------------------*/
/*--- Frames                                               ---*/
/*------------------------------------------------------------*/

/* The innermost subroutine at or below context *ix of the stack *si; 0: it is
   the program itself.  */
static Addr find_sub ( Addr* si, Int* ix )
{
   UInt left = MOST_CONTEXTS;
   for (UInt k = 0; *si != 0 && k < MOST_STACKS; k++) {
      Addr contexts = word_or_0(*si + SI_CONTEXTS);
      for (; *ix >= 0 && left > 0; --*ix, left--) {
         UChar type;
         Addr  cx = contexts + (Addr)*ix * CX_SIZE;
         if (!DG_(core_copy)(&type, cx + CX_TYPE, 1))
            return 0;
         if ((type & 15) == CX_SUB)
            return cx;
      }
      *si = word_or_0(*si + SI_PREVIOUS);
      if (*si == 0 || !DG_(core_copy)(ix, *si + SI_TOP, sizeof *ix))
         return 0;
   }
   return 0;
}

/* The stack of contexts that is in use, and its last one.  */
static Bool find_top ( const DgScriptCall* call, Addr* si, Int* ix )
{
   return word_at(call->arg[0] + PERL_STACKINFO, si) && *si != 0
          && DG_(core_copy)(ix, *si + SI_TOP, sizeof *ix);
}

/* The stack on which a context is, and its number there.  */
static Bool find_stack ( const DgScriptCall* call, Addr cx, Addr* si, Int* ix )
{
   *si = word_or_0(call->arg[0] + PERL_STACKINFO);
   for (UInt k = 0; *si != 0 && k < MOST_STACKS; k++) {
      Int  top;
      Addr contexts = word_or_0(*si + SI_CONTEXTS);
      if (!DG_(core_copy)(&top, *si + SI_TOP, sizeof top))
         return False;
      if (cx >= contexts && top >= 0 && cx - contexts <= (Addr)top * CX_SIZE) {
         *ix = (cx - contexts) / CX_SIZE;
         return True;
      }
      *si = word_or_0(*si + SI_PREVIOUS);
   }
   return False;
}

/* The program itself has the interpreter as its frame.  */
static Bool fill ( const DgScriptCall* call, Addr cx, DgScriptFrame* f )
{
   f->frame    = cx != 0 ? cx : call->arg[0];
   f->function = word_or_0(cx != 0 ? cx + CX_CV
                                   : call->arg[0] + PERL_MAIN_CV);
   f->unit     = file_at(word_or_0(f->at + COP_FILE));
   return f->unit != 0;
}

static Bool current ( DgScriptCall* call, DgScriptFrame* f )
{
   Int  ix;
   Addr si;
   return is_statement(f->at) && find_top(call, &si, &ix)
          && fill(call, find_sub(&si, &ix), f);
}

static Bool look ( const DgScriptCall* call, DgScriptFrame* f )
{
   Addr si;
   Int  ix;
   f->caller = f->caller_at = 0;
   if (f->frame == call->arg[0])
      return fill(call, 0, f);
   if (!fill(call, f->frame, f) || !find_stack(call, f->frame, &si, &ix))
      return False;
   f->caller_at = word_or_0(f->frame + CX_OLDCOP);
   ix--;
   f->caller = find_sub(&si, &ix);
   if (f->caller == 0)
      f->caller = call->arg[0];
   return True;
}

/* A call begins in the subroutine for which it is made.  */
static Bool enter ( DgScriptCall* call )
{
   Int  ix;
   Addr si, cop, cx;
   call->word = call->arg[0] + PERL_CURCOP;
   if (!find_top(call, &si, &ix) || !word_at(call->word, &cop))
      return False;
   cx = find_sub(&si, &ix);
   call->first = cx != 0 ? cx : call->arg[0];
   return True;
}

/*------------------------------------------------------------*/
/*--- Names                                                ---*/
/*------------------------------------------------------------*/

static Bool copy_hek ( Addr hek, HChar* to, SizeT room )
{
   Int length;
   if (hek == 0 || !DG_(core_copy)(&length, hek + HEK_LENGTH, sizeof length)
       || length <= 0)
      return False;
   if ((SizeT)length >= room)
      length = room - 1;
   if (!DG_(core_copy)(to, hek + HEK_TEXT, length))
      return False;
   to[length] = 0;
   return True;
}

/* The name of a package; of some there are several.  */
static Bool copy_package ( Addr stash, HChar* to, SizeT room )
{
   UInt names;
   Addr body = word_or_0(stash + SV_BODY);
   Addr name = word_or_0(body + HV_NAME);
   if (body == 0 || !DG_(core_copy)(&names, body + HV_NAMES, sizeof names))
      return False;
   if (names != 0)
      name = word_or_0(name);
   return copy_hek(name, to, room);
}

static void name_sub ( Addr cv, HChar* to, SizeT room )
{
   HChar package[MOST_NAME / 2], name[MOST_NAME / 2];
   UInt  flags = 0;
   Addr  body  = word_or_0(cv + SV_BODY);
   Addr  gv    = word_or_0(body + CV_GV), stash = 0;
   DG_(core_copy)(&flags, body + CV_FLAGS, sizeof flags);
   if (flags & CV_NAMED) {
      stash = word_or_0(body + CV_STASH);
   } else if (gv != 0) {
      gv    = word_or_0(gv + SV_BODY);
      stash = word_or_0(gv + GV_STASH);
      gv    = word_or_0(gv + GV_NAME);
   }
   if (!copy_hek(gv, name, sizeof name))
      VG_(strcpy)(name, "__ANON__");
   if (!copy_package(stash, package, sizeof package)
       || VG_(strcmp)(package, "main") == 0)
      VG_(snprintf)(to, room, "%s", name);
   else
      VG_(snprintf)(to, room, "%s::%s", package, name);
}

static UInt check ( const DgScriptFrame* f )
{
   Addr body = word_or_0(f->function + SV_BODY);
   return (UInt)(body >> 4) * 31 + (UInt)(word_or_0(body + CV_GV) >> 4);
}

static Bool describe ( const DgScriptFrame* f, DgScriptText* text )
{
   static HChar name[MOST_NAME];
   VG_(memset)(text, 0, sizeof *text);
   if (f->caller == 0)
      VG_(strcpy)(name, "(main)");
   else
      name_sub(f->function, name, sizeof name);
   text->name = name;
   text->file = ((const File*)f->unit)->name;
   return True;
}

static UInt line ( Addr cop )
{
   UInt n = 0;
   DG_(core_copy)(&n, cop + COP_LINE, sizeof n);
   return n;
}

const DgInterpreter DG_(perl) = {
   .language  = "perl",
   .evaluator = "Perl_runops_standard",
   .fetch     = 0,
   .is_known  = is_known,
   .enter     = enter,
   .current   = current,
   .look      = look,
   .check     = check,
   .describe  = describe,
   .line      = line,
};

/*--------------------------------------------------------------------*/
/*--- end                                                dg_perl.c ---*/
/*--------------------------------------------------------------------*/
