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
   Addr    key;                  /* the interpreter's own object */
   UInt    check;                /* whether it is still that one */
   UInt    number;
   Addr    base;
   UWord   size;
   DgScriptLine* lines;
   UInt    n_lines;
} DgScriptFn;

/* One function that has been called and not returned.  */
typedef struct {
   Addr    frame;                /* 0: none */
   Addr    caller;               /* its frame; 0: the evaluator's caller */
   Addr    function;             /* the interpreter's object */
   Addr    at;                   /* where in its code */
} DgScriptFrame;

/* What is known of the call of an evaluator.  */
typedef struct {
   UWord   arg[2];
   Addr    current_at;           /* where the current frame's address is; 0:
                                    not known yet */
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
   Int          fetch;           /* bytes of the load of an instruction */
   Bool (*find_current) ( DgScriptCall* call );
   Bool (*look)     ( Addr frame, /*OUT*/DgScriptFrame* f );
   /* Changes with what is at function.  */
   UInt (*check)    ( Addr function );
   Bool (*describe) ( Addr function, /*OUT*/DgScriptText* text );
} DgInterpreter;

extern const DgInterpreter DG_(python);

#endif /* __DG_SCRIPT_H */

/*--------------------------------------------------------------------*/
/*--- end                                              dg_script.h ---*/
/*--------------------------------------------------------------------*/
