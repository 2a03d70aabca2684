/*--------------------------------------------------------------------*/
/*--- Datagrind: what differs between architectures.     dg_arch.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Each dg_arch_NAME.h says the same about one architecture, of which this
   process is.  For another one: such a file, and a line below.

   DG_ARCH_NAME             in the log's PROCESS
   DG_ARCH_MACHINE          EM_NAME, as in ELF files and jitdumps
   DG_ARCH_NOFOLLOW         O_NOFOLLOW
   DG_ARCH_STATE            the guest's state
   DG_ARCH_FIRST_REG        the integer registers: where the first is in the
   DG_ARCH_N_REGS           guest's state, and how many there are
   DG_ARCH_REQUEST          where a client request has its arguments,
   DG_ARCH_RESULT           and its result
   DG_ARCH_PARAM(i)         where a function has its i-th argument when it
                            begins; not defined: not in registers
   DG_ARCH_CLONE_FLAGS      which argument of clone has them
   DG_ARCH_PUSHES           bytes that a call pushes: a word, or none, where
                            the address to return to is in a register
   DG_ARCH_LEAF             bytes between the stack pointer before a call and
                            what a DgFrame has for it: where calls push none,
                            a function may run with that very stack pointer,
                            and only what is above has left it
   DG_(arch_link)           where calls push nothing only: that register of a
                            thread,
   DG_(arch_sigreturn)      what Valgrind has the handler of a signal return to
                            whose frame begins there,
   DG_(arch_is_call)        does an instruction that ends there call something?
   DG_(arch_is_return)      does it return?  VEX knows, of most architectures;
                            where not, the file says DG_ARCH_OWN_RETURN
   DG_(arch_thread_pointer) 0: none
   DG_ARCH_TP_IS_SELF       it points to itself (the C library's threads)
   DG_ARCH_TLS_ABOVE        bytes that the C library has between the thread
                            pointer and the executable's thread-local
                            variables; 0: these are below it
   DG_(arch_ticks)          of a clock that costs next to nothing, or ns
   DG_ARCH_FALLBACK_LLSC    whether load-linked and store-conditional must be
                            made of compare-and-swap, since our stores between
                            the two would break the reservation
   DG_ARCH_LIGHT            whether long gaps have code of their own: tested  */

#ifndef __DG_ARCH_H
#define __DG_ARCH_H

#include "dg_tool.h"
#include "pub_tool_guest.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "libvex_guest_offsets.h"

/* Eight bytes of a thread's guest state.  */
static inline ULong DG_(arch_quad) ( ThreadId tid, PtrdiffT offset )
{
   ULong quad = 0;
   VG_(get_shadow_regs_area)(tid, (UChar*)&quad, 0, offset, sizeof quad);
   return quad;
}

#if defined(VGA_amd64)
#  include "dg_arch_amd64.h"
#elif defined(VGA_x86)
#  include "dg_arch_x86.h"
#elif defined(VGA_arm64)
#  include "dg_arch_arm64.h"
#elif defined(VGA_s390x)
#  include "dg_arch_s390x.h"
#else
#  error "exp-datagrind: no dg_arch_NAME.h for this architecture"
#endif

/* Where the code to discard is, for Ijk_InvalICache.  */
#define DG_ARCH_CMSTART  offsetof(DG_ARCH_STATE, guest_CMSTART)
#define DG_ARCH_CMLEN    offsetof(DG_ARCH_STATE, guest_CMLEN)

#if DG_ARCH_PUSHES > 0
static inline Addr DG_(arch_link) ( ThreadId tid )
{
   return 0;
}

static inline Addr DG_(arch_sigreturn) ( Addr frame )
{
   return 0;
}

static inline Bool DG_(arch_is_call) ( Addr a )
{
   return False;
}
#endif

#if !defined(DG_ARCH_OWN_RETURN)
static inline Bool DG_(arch_is_return) ( Addr a, IRJumpKind says )
{
   return says == Ijk_Ret;
}
#endif

#endif /* __DG_ARCH_H */

/*--------------------------------------------------------------------*/
/*--- end                                                dg_arch.h ---*/
/*--------------------------------------------------------------------*/
