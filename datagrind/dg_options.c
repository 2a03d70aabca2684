/*--------------------------------------------------------------------*/
/*--- Datagrind: command line options.                dg_options.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_tool.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_replacemalloc.h"
#include "pub_tool_xarray.h"

/* Products of these with each other are numbers.  */
#define MAX_WINDOW     1000000000000000ULL
#define MAX_WINDOW_MS  3600000ULL

DgOptions DG_(opt) = {
   .out_file     = "datagrind.out.%p",
   .ring_dir     = NULL,
   .ring_child   = -1,
   .exact        = False,
   .fold         = True,
   .start        = True,
   .stack_depth  = 254,
   .max_nodes    = 4000000,
   .skip         = 0,
   .stop_after   = 0,
   .window_record = 0,
   .window_every = 0,
   .window_by_ms = False,
   .window_seed  = 0,
   .max_size     = 0,
   .scripts      = False,
   .stacks       = False,
   .values       = False,
   .replace_malloc = True,
   .check_stacks = 0,
   .gaps         = DG_GAPS_AUTO,
   .toggle_fns   = NULL,
   .only         = NULL,
};

/* A decimal number, with k, M or G behind it for powers of 1000, or Ki, Mi or
   Gi for powers of 1024: the part of dg's grammar that recording needs.  */
static ULong parse_number ( const HChar* arg, const HChar* text, ULong min )
{
   HChar* end;
   ULong  n = 0, scale = 1, unit = 1000;
   if (text[0] < '0' || text[0] > '9')
      VG_(fmsg_bad_option)(arg, "'%s' is not a number.\n", text);
   n = VG_(strtoull10)(text, &end);
   if (*end != 0 && end[1] == 'i')
      unit = 1024;
   switch (*end) {
      case 'G': scale *= unit; /* fall through */
      case 'M': scale *= unit; /* fall through */
      case 'k': scale *= unit; end++; break;
      /* Alone it could mean either.  */
      case 'K': if (unit == 1024) { scale *= unit; end++; } break;
      default: break;
   }
   if (scale > 1 && *end == 'i')
      end++;
   if (*end != 0)
      VG_(fmsg_bad_option)(arg, "'%s' is not a number, optionally followed by "
                                "k, M, G (1000), Ki, Mi or Gi (1024).\n",
                                text);
   /* strtoull10 wraps around; 19 digits do not.  */
   if (end - text > 19 || (scale != 0 && n > ~0ULL / scale))
      VG_(fmsg_bad_option)(arg, "%s is too large.\n", text);
   n *= scale;
   if (n < min)
      VG_(fmsg_bad_option)(arg, "%s is too small; the minimum is %llu.\n",
                                text,
                           min);
   return n;
}

/* RECORD/EVERY: of instructions, or with "ms" behind both, of time.  */
static void parse_window ( const HChar* arg, const HChar* text )
{
   DgOptions* o = &DG_(opt);
   HChar      copy[VG_(strlen)(text) + 1];
   HChar*     part[2] = { copy, NULL };
   Bool       is_ms[2];
   VG_(strcpy)(copy, text);
   part[1] = VG_(strchr)(copy, '/');
   if (part[1] == NULL)
      VG_(fmsg_bad_option)(arg, "'%s' is not RECORD/EVERY, such as 1M/100M or "
                                "5ms/500ms.\n", text);
   *part[1]++ = 0;
   for (UInt i = 0; i < 2; i++) {
      SizeT n  = VG_(strlen)(part[i]);
      is_ms[i] = n > 2 && VG_(strcmp)(part[i] + n - 2, "ms") == 0;
      if (is_ms[i])
         part[i][n - 2] = 0;
   }
   if (is_ms[0] != is_ms[1])
      VG_(fmsg_bad_option)(arg, "either both numbers are of instructions or "
                                "both are of milliseconds (ms).\n");
   o->window_by_ms  = is_ms[0];
   o->window_record = parse_number(arg, part[0], 1);
   o->window_every  = parse_number(arg, part[1], 1);
   if (o->window_every > (is_ms[0] ? MAX_WINDOW_MS : MAX_WINDOW))
      VG_(fmsg_bad_option)(arg, "%s is too large.\n", part[1]);
   if (o->window_record >= o->window_every)
      VG_(fmsg_bad_option)(arg, "%s of every %s is all; record less, or leave "
                                "this option out.\n", part[0], part[1]);
}

static void add_toggle_fn ( const HChar* arg, const HChar* name )
{
   if (name[0] == 0)
      VG_(fmsg_bad_option)(arg, "the name of the function is missing.\n");
   if (DG_(opt).toggle_fns == NULL)
      DG_(opt).toggle_fns = VG_(newXA)(VG_(malloc), "dg.options.toggle_fns",
                                       VG_(free), sizeof(const HChar*));
   VG_(addToXA)(DG_(opt).toggle_fns, &name);
}

Bool DG_(process_cmd_line_option) ( const HChar* arg )
{
   const HChar* text;
   DgOptions*   o = &DG_(opt);
   if (VG_STR_CLO(arg, "--datagrind-out-file", o->out_file)) {
      if (o->out_file[0] == 0)
         VG_(fmsg_bad_option)(arg, "the file name is missing.\n");
   }
   else if (VG_STR_CLO(arg, "--datagrind-ring", o->ring_dir)) {
      if (o->ring_dir[0] == 0)
         VG_(fmsg_bad_option)(arg, "the name of the folder is missing.\n");
   }
   else if (VG_STR_CLO(arg, DG_RAW_FAILED, o->raw_failed)) {}
   else if (VG_BINT_CLO(arg, DG_RING_CHILD, o->ring_child, 0, 0x7fffffff)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-exact", o->exact)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-fold", o->fold)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-stacks", o->stacks)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-values", o->values)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-scripts", o->scripts)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-replace-malloc",
                        o->replace_malloc)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-start", o->start)) {}
   else if (VG_BINT_CLO(arg, "--datagrind-stack-depth", o->stack_depth, 1,
                        254)) {}
   else if (VG_STR_CLO(arg, "--datagrind-max-nodes", text)) {
      o->max_nodes = parse_number(arg, text, 1000);
      if (o->max_nodes > 1000000000)
         VG_(fmsg_bad_option)(arg, "the maximum is 1000M.\n");
   }
   else if (VG_STR_CLO(arg, "--datagrind-skip", text))
      o->skip = parse_number(arg, text, 0);
   else if (VG_STR_CLO(arg, "--datagrind-stop-after", text))
      o->stop_after = parse_number(arg, text, 1);
   else if (VG_STR_CLO(arg, "--datagrind-window", text))
      parse_window(arg, text);
   else if (VG_STR_CLO(arg, "--datagrind-window-seed", text))
      o->window_seed = parse_number(arg, text, 0);
   else if (VG_STR_CLO(arg, "--datagrind-max-size", text))
      o->max_size = parse_number(arg, text, 16 * 1024);
   else if (VG_STR_CLO(arg, "--datagrind-toggle-fn", text))
      add_toggle_fn(arg, text);
   else if (VG_STR_CLO(arg, "--datagrind-only", o->only)) {
      if (o->only[0] == 0)
         VG_(fmsg_bad_option)(arg, "the name of the program is missing.\n");
   }
   else if (VG_XACT_CLO(arg, "--datagrind-gaps=auto", o->gaps,
                        DG_GAPS_AUTO)) {}
   else if (VG_XACT_CLO(arg, "--datagrind-gaps=heavy", o->gaps,
                        DG_GAPS_HEAVY)) {}
   else if (VG_XACT_CLO(arg, "--datagrind-gaps=light", o->gaps,
                        DG_GAPS_LIGHT)) {}
   else if (VG_STR_CLO(arg, "--datagrind-check-stacks", text))
      o->check_stacks = parse_number(arg, text, 0);
   else
      return VG_(replacement_malloc_process_cmd_line_option)(arg);
   return True;
}

void DG_(print_usage) ( void )
{
   VG_(printf)(
"    --datagrind-out-file=<file>      output file name [datagrind.out.%%p]\n"
"    --datagrind-ring=<dir>           pass the log to the process that created\n"
"                                     folder <dir>; used by dg record [none]\n"
"    --datagrind-start=no|yes         record from the start? [yes]\n"
"    --datagrind-toggle-fn=<name>     record only while function <name> runs\n"
"                                     (repeatable; * and ? match)\n"
"    --datagrind-only=<name>          record only programs of this name, with\n"
"                                     --trace-children=yes (* and ? match) [all]\n"
"    --datagrind-skip=<n>[k|M|G]      do not record the first <n> instructions\n"
"                                     [0]\n"
"    --datagrind-stop-after=<n>[k|M|G] stop after <n> recorded instructions\n"
"                                     [never]\n"
"    --datagrind-window=<n>[k|M|G]/<m>[k|M|G] record <n> of every <m>\n"
"                                     instructions, or <n>ms/<m>ms, of every <m>\n"
"                                     ms of processor time [all]\n"
"    --datagrind-max-size=<n>[k|M|G]  stop before the log is larger than <n>\n"
"                                     bytes; Ki, Mi, Gi are powers of 1024\n"
"                                     [no limit]\n"
"    --datagrind-stack-depth=<1..254> call sites to keep per stack [254]\n"
"    --datagrind-fold=no|yes          fold recursion in stacks? [yes]\n"
"    --datagrind-max-nodes=<n>[k|M]   call paths to distinguish, 24 to 48 bytes\n"
"                                     of memory each [4M]\n"
"    --datagrind-scripts=no|yes       record functions and lines of Python and\n"
"                                     Perl in stacks? [no]\n"
"    --datagrind-stacks=no|yes        record values of the stack pointer, for\n"
"                                     dg heap --stacks=yes? [no]\n"
"    --datagrind-values=no|yes        record what each access reads or writes?\n"
"                                     The log then contains the program's data\n"
"                                     [no]\n"
"    --datagrind-replace-malloc=no|yes record heap blocks? If not, the program\n"
"                                     keeps its own malloc and mappings [yes]\n"
"    --datagrind-exact=no|yes         record loads whose result is never\n"
"                                     used? Slower. [no]\n"
   );
}

void DG_(print_debug_usage) ( void )
{
   VG_(printf)(
"    --datagrind-check-stacks=<n>     compare the stack with the unwinder's at\n"
"                                     every <n>th block; print the agreement\n"
"                                     at exit, and with -v the first\n"
"                                     differences [0: never]\n"
"    --datagrind-gaps=auto|heavy|light where nothing is recorded: translate code\n"
"                                     as it pays, as ever, or without runs\n"
"                                     wherever that is possible [auto]\n"
"    --datagrind-window-seed=<n>      other places for the windows of periods\n"
"                                     [0]\n"
   );
}

/*--------------------------------------------------------------------*/
/*--- end                                             dg_options.c ---*/
/*--------------------------------------------------------------------*/
