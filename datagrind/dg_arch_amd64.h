/*--------------------------------------------------------------------*/
/*--- Datagrind: amd64.                            dg_arch_amd64.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What each of these is: dg_arch.h.  */

#define DG_ARCH_NAME            "amd64"
#define DG_ARCH_MACHINE         EM_X86_64
#define DG_ARCH_NOFOLLOW        0400000
#define DG_ARCH_STATE           VexGuestAMD64State
#define DG_ARCH_FIRST_REG       OFFSET_amd64_RAX
#define DG_ARCH_N_REGS          16
#define DG_ARCH_REQUEST         OFFSET_amd64_RAX
#define DG_ARCH_RESULT          OFFSET_amd64_RDX
#define DG_ARCH_PARAM(i)        ((i) == 0 ? OFFSET_amd64_RDI \
                                          : OFFSET_amd64_RSI)
#define DG_ARCH_CLONE_FLAGS     0
#define DG_ARCH_PUSHES          8
#define DG_ARCH_LEAF            0
#define DG_ARCH_TP_IS_SELF      True
#define DG_ARCH_TLS_ABOVE       0
#define DG_ARCH_FALLBACK_LLSC   False
#define DG_ARCH_LIGHT           True

static inline Addr DG_(arch_thread_pointer) ( ThreadId tid )
{
   return DG_(arch_quad)(tid, offsetof(VexGuestAMD64State, guest_FS_CONST));
}

static inline ULong DG_(arch_ticks) ( void )
{
   return __builtin_ia32_rdtsc();
}

/*--------------------------------------------------------------------*/
/*--- end                                          dg_arch_amd64.h ---*/
/*--------------------------------------------------------------------*/
