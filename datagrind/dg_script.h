/*--------------------------------------------------------------------*/
/*--- Datagrind: interpreters of scripts.              dg_script.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#ifndef __DG_SCRIPT_H
#define __DG_SCRIPT_H

#include "dg_tool.h"

/* A function of a script, of which its code is in [base, base + size): what
   the interpreter fetches, or, if that is not known, any range that tells
   functions apart.  Lines hold up to the offset `end`.  */
typedef struct { UInt end, line; } DgScriptLine;

typedef struct _DgScriptFn {
   struct _DgScriptFn* next;     /* VgHashNode */
   UWord   key;
   Addr    function, unit;       /* as in its frames */
   UInt    check;                /* whether it is still that one */
   UInt    number;
   Addr    base;
   UWord   size;
   DgScriptLine* lines;
   UInt    n_lines;
} DgScriptFn;

/* One function that has been called and not returned.  */
typedef struct {
   Addr    frame;
   Addr    function;             /* the interpreter's object */
   Addr    unit;                 /* of several that belong to that; or 0 */
   Addr    at;                   /* where in its code */
   Addr    caller;               /* its frame; 0: there is none */
   Addr    caller_at;            /* where that is, if it does not know */
} DgScriptFrame;

/* What is known of the call of an evaluator.  */
typedef struct {
   UWord   arg[2];
   Addr    first;                /* the outermost frame */
   Addr    word;                 /* that says where the script is, and stays
                                    readable; 0: there is none */
   Addr    current_at;           /* for dg_python: where the current frame's
                                    address is; 0: not known yet */
} DgScriptCall;

/* Names are in memory of these functions until the next call.  */
typedef struct {
   const HChar*  name;
   const HChar*  file;
   Addr          base;
   UWord         size;
   DgScriptLine* lines;          /* VG_(malloc)ed */
   UInt          n_lines;
} DgScriptText;

typedef struct {
   const HChar* language;
   const HChar* evaluator;       /* the name of the function that runs
                                    scripts */
   Int          fetch;           /* bytes of the load of an instruction; 0:
                                    where the script is, is in a word */
   /* Whether it is of a version that is known; its code is there.  */
   Bool (*is_known) ( void );
   /* Fills in first and word of a new call, of which arg is there.  */
   Bool (*enter)    ( DgScriptCall* call );
   /* The innermost frame: at least f->frame; f->at is there.  */
   Bool (*current)  ( DgScriptCall* call, DgScriptFrame* f );
   /* Fills in a frame of which f->frame and f->at are there.  */
   Bool (*look)     ( const DgScriptCall* call, DgScriptFrame* f );
   /* Changes with what its function is.  */
   UInt (*check)    ( const DgScriptFrame* f );
   Bool (*describe) ( const DgScriptFrame* f, /*OUT*/DgScriptText* text );
   /* The line at a place; NULL: functions have tables.  */
   UInt (*line)     ( Addr at );
} DgInterpreter;

static inline Bool word_at ( Addr a, /*OUT*/Addr* word )
{
   return DG_(core_copy)(word, a, sizeof *word);
}

extern const DgInterpreter DG_(python);
extern const DgInterpreter DG_(perl);

#endif /* __DG_SCRIPT_H */

/*--------------------------------------------------------------------*/
/*--- end                                              dg_script.h ---*/
/*--------------------------------------------------------------------*/
