/*--------------------------------------------------------------------*/
/*--- Datagrind: what only Valgrind's core can do.       dg_core.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Tools are built on pub_tool_*.h.  Six things that a recorder needs are not
   there; each has its reason below, and no other file asks the core.  */

#include "coregrind/pub_core_basics.h"
#include "coregrind/pub_core_aspacemgr.h"
#include "coregrind/pub_core_vki.h"
#include "coregrind/pub_core_vkiscnums.h"
#include "coregrind/pub_core_libcbase.h"
#include "coregrind/pub_core_libcfile.h"
#include "coregrind/pub_core_libcsignal.h"
#include "coregrind/pub_core_syscall.h"
#include "coregrind/pub_core_threadstate.h"
#include "dg_tool.h"

/* Out of the way of a program that closes, or counts, its descriptors.  */
Int DG_(core_safe_fd) ( Int fd )
{
   Int safe = VG_(safe_fd)(fd);
   return safe >= 0 ? safe : fd;
}

/* A signal that our own writing has raised (SIGPIPE, SIGXFSZ) is pending; the
   core would hand it to the program.  */
void DG_(core_take_back) ( Int signal )
{
   vki_sigset_t  set;
   vki_siginfo_t info;
   VG_(sigemptyset)(&set);
   VG_(sigaddset)(&set, signal);
   VG_(sigtimedwait_zero)(&set, &info);
}

/* A log whose disk is full is cut back to its last whole record.  */
void DG_(core_truncate) ( Int fd, ULong size )
{
#  if VG_WORDSIZE == 8
   VG_(do_syscall2)(__NR_ftruncate, fd, size);
#  else
   VG_(do_syscall3)(__NR_ftruncate64, fd, (UInt)size, (UInt)(size >> 32));
#  endif
   VG_(lseek)(fd, size, VKI_SEEK_SET);
}

/* Memory shared with another process, which is the tool's and not the
   program's.  0 when there is no room for it.  */
Addr DG_(core_map_shared) ( Int fd, SizeT size )
{
   SysRes r = VG_(am_shared_mmap_file_float_valgrind)
                 (size, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
   return sr_isError(r) ? 0 : sr_Res(r);
}

/* Its pages at once, which takes a tenth of the time of faults one by one.
   Kernels before 5.14 do not know this, and then there are faults.  */
void DG_(core_populate) ( Addr a, SizeT size )
{
#  define POPULATE_WRITE 23
   VG_(do_syscall3)(__NR_madvise, a, size, POPULATE_WRITE);
}

/* The signal that is killing the program, 0 when it ends by itself.  */
Int DG_(core_fatal_signal) ( void )
{
   for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
      if (VG_(threads)[tid].os_state.fatalsig != 0)
         return VG_(threads)[tid].os_state.fatalsig;
   return 0;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_core.c ---*/
/*--------------------------------------------------------------------*/
