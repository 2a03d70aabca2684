/*--------------------------------------------------------------------*/
/*--- Datagrind: arm64.                            dg_arch_arm64.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What each of these is: dg_arch.h.  */

#define DG_ARCH_NAME            "arm64"
#define DG_ARCH_MACHINE         EM_AARCH64
#define DG_ARCH_NOFOLLOW        0100000
#define DG_ARCH_STATE           VexGuestARM64State
#define DG_ARCH_FIRST_REG       OFFSET_arm64_X0
#define DG_ARCH_N_REGS          32     /* and the stack pointer */
#define DG_ARCH_REQUEST         offsetof(VexGuestARM64State, guest_X4)
#define DG_ARCH_RESULT          offsetof(VexGuestARM64State, guest_X3)
#define DG_ARCH_PARAM(i)        (OFFSET_arm64_X0 + 8 * (i))
#define DG_ARCH_CLONE_FLAGS     0
#define DG_ARCH_PUSHES          0
#define DG_ARCH_LEAF            8      /* of 16 that it is a multiple of */
#define DG_ARCH_TP_IS_SELF      False
#define DG_ARCH_TLS_ABOVE       16
#define DG_ARCH_FALLBACK_LLSC   True
#define DG_ARCH_LIGHT           False

static inline Addr DG_(arch_link) ( ThreadId tid )
{
   return DG_(arch_quad)(tid, offsetof(VexGuestARM64State, guest_X30));
}

static inline Addr DG_(arch_sigreturn) ( Addr frame )
{
   return DG_(core_sigreturn)(True);
}

/* BL, BLR, and BLR that authenticates.  */
static inline Bool DG_(arch_is_call) ( Addr a )
{
   UInt word;
   return DG_(core_copy)(&word, a - sizeof word, sizeof word)
          && ((word & 0xfc000000) == 0x94000000
              || (word & 0xfffffc1f) == 0xd63f0000
              || (word & 0xfefff800) == 0xd63f0800);
}

static inline Addr DG_(arch_thread_pointer) ( ThreadId tid )
{
   return DG_(arch_quad)(tid, offsetof(VexGuestARM64State, guest_TPIDR_EL0));
}

/* The counter runs at 20 MHz to 1 GHz: made nanoseconds, nearly.  */
static inline ULong DG_(arch_ticks) ( void )
{
   ULong ticks, rate;
   __asm__ volatile ("mrs %0, cntvct_el0\n\tmrs %1, cntfrq_el0"
                     : "=r" (ticks), "=r" (rate));
   return rate > 0 && rate < 1000000000 ? ticks * (1000000000 / rate) : ticks;
}

/*--------------------------------------------------------------------*/
/*--- end                                          dg_arch_arm64.h ---*/
/*--------------------------------------------------------------------*/
