/*--------------------------------------------------------------------*/
/*--- Datagrind: x86.                                dg_arch_x86.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* What each of these is: dg_arch.h.  */

#define DG_ARCH_NAME            "x86"
#define DG_ARCH_MACHINE         EM_386
#define DG_ARCH_NOFOLLOW        0400000
#define DG_ARCH_STATE           VexGuestX86State
#define DG_ARCH_FIRST_REG       OFFSET_x86_EAX
#define DG_ARCH_N_REGS          8
#define DG_ARCH_REQUEST         OFFSET_x86_EAX
#define DG_ARCH_RESULT          OFFSET_x86_EDX
#define DG_ARCH_CLONE_FLAGS     0
#define DG_ARCH_PUSHES          4
#define DG_ARCH_LEAF            0
#define DG_ARCH_TP_IS_SELF      False
#define DG_ARCH_TLS_ABOVE       0
#define DG_ARCH_FALLBACK_LLSC   False
#define DG_ARCH_LIGHT           True

static inline Addr DG_(arch_thread_pointer) ( ThreadId tid )
{
   UShort selector = 0;
   ULong  table = DG_(arch_quad)(tid, offsetof(VexGuestX86State, guest_GDT));
   VG_(get_shadow_regs_area)(tid, (UChar*)&selector, 0,
                             offsetof(VexGuestX86State, guest_GS),
                             sizeof selector);
   if (table == 0 || selector == 0 || (selector & 4) != 0)
      return 0;
   const VexGuestX86SegDescr* d = (VexGuestX86SegDescr*)(HWord)table
                                  + (selector >> 3);
   return d->LdtEnt.Bits.BaseLow | (UInt)d->LdtEnt.Bits.BaseMid << 16
          | (UInt)d->LdtEnt.Bits.BaseHi << 24;
}

static inline ULong DG_(arch_ticks) ( void )
{
   return __builtin_ia32_rdtsc();
}

/*--------------------------------------------------------------------*/
/*--- end                                            dg_arch_x86.h ---*/
/*--------------------------------------------------------------------*/
