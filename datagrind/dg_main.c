/*--------------------------------------------------------------------*/
/*--- Datagrind: what Valgrind calls first and last.     dg_main.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_arch.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_options.h"

/* Superblocks as they are written: calls that VEX follows would be lost to
   the shadow stack, and unrolled loops make blocks that left early more
   often than not.  */
static void dg_post_clo_init ( void )
{
   VG_(clo_vex_control).guest_chase         = False;
   VG_(clo_vex_control).iropt_unroll_thresh = 0;
   if (DG_ARCH_FALLBACK_LLSC)
      DG_(core_fallback_llsc)();
   if (DG_(opt).exact)
      VG_(clo_vex_control).iropt_register_updates_default
         = VexRegUpdAllregsAtEachInsn;
   if (!DG_(opt).replace_malloc)
      DG_(heap_own_malloc)();
   DG_(node_init)();
   DG_(run_init)();
   DG_(stack_init)();
   DG_(process_start)();
   DG_(gap_init)();
}

static void dg_pre_clo_init ( void )
{
   VG_(details_name)            ("Datagrind");
   VG_(details_version)         (NULL);
   VG_(details_description)     ("a memory access recorder");
   VG_(details_copyright_author)
      ("Copyright (C) 2026, and GNU GPL'd, by the Datagrind developers.");
   VG_(details_bug_reports_to)  (VG_BUGS_TO);
   VG_(details_avg_translation_sizeB) (400);

   VG_(basic_tool_funcs)        (dg_post_clo_init, DG_(instrument),
                                 DG_(process_end));
   VG_(needs_command_line_options)(DG_(process_cmd_line_option),
                                   DG_(print_usage),
                                   DG_(print_debug_usage));

   DG_(code_init)();
   DG_(script_init)();
   DG_(heap_init)();
   DG_(map_init)();
   DG_(tls_init)();
   DG_(thread_init)();
   DG_(order_init)();
   DG_(clreq_init)();
   DG_(process_init)();
}

VG_DETERMINE_INTERFACE_VERSION(dg_pre_clo_init)

/*--------------------------------------------------------------------*/
/*--- end                                                dg_main.c ---*/
/*--------------------------------------------------------------------*/
