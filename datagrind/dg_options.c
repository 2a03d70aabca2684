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
   .max_size     = 0,
   .scripts      = False,
   .stacks       = False,
   .replace_malloc = True,
   .check_stacks = 0,
   .toggle_fns   = NULL,
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
   else if (VG_BINT_CLO(arg, DG_RING_CHILD, o->ring_child, 0, 0x7fffffff)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-exact", o->exact)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-fold", o->fold)) {}
   else if (VG_BOOL_CLO(arg, "--datagrind-stacks", o->stacks)) {}
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
   else if (VG_STR_CLO(arg, "--datagrind-max-size", text))
      o->max_size = parse_number(arg, text, 16 * 1024);
   else if (VG_STR_CLO(arg, "--datagrind-toggle-fn", text))
      add_toggle_fn(arg, text);
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
"    --datagrind-skip=<n>[k|M|G]      do not record the first <n> instructions\n"
"                                     [0]\n"
"    --datagrind-stop-after=<n>[k|M|G] stop after <n> recorded instructions\n"
"                                     [never]\n"
"    --datagrind-max-size=<n>[k|M|G]  stop before the log is larger than <n>\n"
"                                     bytes; Ki, Mi, Gi are powers of 1024\n"
"                                     [no limit]\n"
"    --datagrind-stack-depth=<1..254> call sites to keep per stack [254]\n"
"    --datagrind-fold=no|yes          fold recursion in stacks? [yes]\n"
"    --datagrind-max-nodes=<n>[k|M]   call paths to distinguish, 24 to 48 bytes\n"
"                                     of memory each [4M]\n"
"    --datagrind-scripts=no|yes       record functions and lines of Python in\n"
"                                     stacks? [no]\n"
"    --datagrind-stacks=no|yes        record values of the stack pointer, for\n"
"                                     dg heap --stacks=yes? [no]\n"
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
   );
}

/*--------------------------------------------------------------------*/
/*--- end                                             dg_options.c ---*/
/*--------------------------------------------------------------------*/
