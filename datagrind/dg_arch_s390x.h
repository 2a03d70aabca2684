/*--------------------------------------------------------------------*/
/*--- Datagrind: s390x.                            dg_arch_s390x.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What each of these is: dg_arch.h.  */

#define DG_ARCH_NAME            "s390x"
#define DG_ARCH_MACHINE         EM_S390
#define DG_ARCH_NOFOLLOW        0400000
#define DG_ARCH_STATE           VexGuestS390XState
#define DG_ARCH_FIRST_REG       offsetof(VexGuestS390XState, guest_r0)
#define DG_ARCH_N_REGS          16
#define DG_ARCH_REQUEST         OFFSET_s390x_r2
#define DG_ARCH_RESULT          OFFSET_s390x_r3
#define DG_ARCH_PARAM(i)        (OFFSET_s390x_r2 + 8 * (i))
#define DG_ARCH_CLONE_FLAGS     1
#define DG_ARCH_PUSHES          0
#define DG_ARCH_LEAF            8      /* that it is a multiple of */
#define DG_ARCH_TP_IS_SELF      True
#define DG_ARCH_TLS_ABOVE       0
#define DG_ARCH_FALLBACK_LLSC   False
#define DG_ARCH_LIGHT           False
#define DG_ARCH_OWN_RETURN

static inline Addr DG_(arch_link) ( ThreadId tid )
{
   return DG_(arch_quad)(tid, offsetof(VexGuestS390XState, guest_r14));
}

/* There are two: the frame of a handler begins with what its callees may use,
   and then has, if it is of the kind with information, the system call.  */
static inline Addr DG_(arch_sigreturn) ( Addr frame )
{
   UShort svc;
   return DG_(core_sigreturn)(DG_(core_copy)(&svc, frame + 160, sizeof svc)
                              && svc == 0x0aad);
}

/* Of those that set the link register: BRASL, BRAS, BAS and BASR.  */
static inline Bool DG_(arch_is_call) ( Addr a )
{
   UChar code[6];
   return DG_(core_copy)(code, a - sizeof code, sizeof code)
          && ((code[0] == 0xc0 && code[1] == 0xe5)
              || (code[2] == 0xa7 && code[3] == 0xe5)
              || (code[2] == 0x4d && code[3] >> 4 == 14)
              || (code[4] == 0x0d && code[5] >> 4 == 14 && code[5] != 0xe0));
}

/* BCR to the link register, whatever the condition.  For VEX all jumps to a
   register are returns that have no condition, and none else.  */
static inline Bool DG_(arch_is_return) ( Addr a, IRJumpKind says )
{
   UChar code[2];
   return (says == Ijk_Ret || says == Ijk_Boring)
          && DG_(core_copy)(code, a - sizeof code, sizeof code)
          && code[0] == 0x07 && code[1] > 15 && (code[1] & 15) == 14;
}

static inline Addr DG_(arch_thread_pointer) ( ThreadId tid )
{
   return DG_(arch_quad)(tid, offsetof(VexGuestS390XState, guest_a0));
}

/* The clock runs at 4096 MHz: made nanoseconds, nearly.  */
static inline ULong DG_(arch_ticks) ( void )
{
   ULong ticks;
   __asm__ volatile ("stckf %0" : "=Q" (ticks) : : "cc");
   return ticks / 4;
}

/*--------------------------------------------------------------------*/
/*--- end                                          dg_arch_s390x.h ---*/
/*--------------------------------------------------------------------*/
