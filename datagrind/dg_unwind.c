/*--------------------------------------------------------------------*/
/*--- Datagrind: stacks, compared.                     dg_unwind.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* --datagrind-check-stacks: what the shadow stack says beside what Valgrind's
   unwinder does, at every Nth block and at every heap event.  */

#include "dg_arch.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"

typedef struct {
   ULong samples, same, shadow_deeper, left_out, unwinder_deeper, differ;
   UInt  shown;
} Checked;

static Checked of_blocks, of_heap;

/* Call sites to compare at a block.  */
#define BLOCK_DEPTH 48

/* What handlers return to, which there can be two of: we know which one that
   of the latest handler is.  */
static Bool is_sigreturn ( Addr site )
{
   return DG_ARCH_LEAF > 0 && (site + 1 == DG_(core_sigreturn)(True)
                               || site + 1 == DG_(core_sigreturn)(False));
}

static Bool is_same ( Addr ours, Addr theirs )
{
   return DG_(code_place)(ours) == theirs
          || (is_sigreturn(ours) && is_sigreturn(theirs));
}

/* How many of ours the unwinder confirms.  */
static UInt confirmed ( const Addr* ours, UInt n_ours, const Addr* theirs,
                        UInt n_theirs )
{
   UInt i = 0;
   while (i < n_ours && i < n_theirs && is_same(ours[i], theirs[i]))
      i++;
   return i;
}

/* Whether ours has all of theirs, in that order, and few others: where an
   unwinder meets a call that does not return, at the end of a function, it
   takes the function behind it for the caller, and misses a frame or two.  */
static Bool has_all ( const Addr* ours, UInt n_ours, const Addr* theirs,
                      UInt n_theirs )
{
   UInt k = 0, i = 0;
   for (; i < n_ours && k < n_theirs; i++)
      if (is_same(ours[i], theirs[k]))
         k++;
   return k == n_theirs && i - k <= 3;
}

static void show ( ThreadId tid, const Addr* ours, UInt n_ours,
                   const Addr* theirs, UInt n_theirs, UInt i )
{
   VG_(dmsg)("stack check: thread %u ip %#lx sp %#lx, differs at %u\n", tid,
             VG_(get_IP)(tid), VG_(get_SP)(tid), i);
   DiEpoch ep = VG_(current_DiEpoch)();
   for (UInt k = i > 2 ? i - 2 : 0; k < i + 6; k++) {
      if (k < n_ours)
         VG_(dmsg)("   ours   %2u %s\n", k,
                   VG_(describe_IP)(ep, ours[k], NULL));
      if (k < n_theirs)
         VG_(dmsg)("   theirs %2u %s\n", k,
                   VG_(describe_IP)(ep, theirs[k], NULL));
   }
}

/* Whether a call is one that the recorder's own library makes.  */
static Bool is_wrapper ( Addr site )
{
   const HChar* object;
   return VG_(get_objname)(VG_(current_DiEpoch)(), site, &object)
          && VG_(strstr)(object, "/vgpreload_exp-datagrind") != NULL;
}

/* Of n callers, those up to where it goes round in a circle: it takes the link
   register for what it was, in functions that have lost it.  Who calls has a
   frame of his own, with the one before it.  */
static UInt true_frames ( const Addr* sps, UInt n )
{
   for (UInt k = 1; k < n; k++)
      if (sps[k + 1] <= sps[k])
         return k;
   return n;
}

/* Where the unwinder takes for an address to return to what is behind no call,
   it knows no way: swapcontext of the C library has no other use for the link
   register.  */
static Bool has_lost_link ( Addr theirs )
{
   return DG_ARCH_LEAF > 0 && !is_sigreturn(theirs)
          && !DG_(arch_is_call)(theirs + 1);
}

/* Libgcc makes a handler of exceptions the next to run by giving its
   registers to a frame of its own that has saved other ones: that is what an
   unwinder sees, in uw_install_context_1, if that has a name.  */
static Bool changes_frames ( Addr ip )
{
   const HChar* name;
   DiEpoch      ep = VG_(current_DiEpoch)();
   return DG_ARCH_LEAF > 0
          && ((VG_(get_fnname)(ep, ip, &name)
               && VG_(strcmp)(name, "uw_install_context_1") == 0)
              || (VG_(get_objname)(ep, ip, &name)
                  && VG_(strstr)(name, "/libgcc_s.so") != NULL));
}

/* ours are the innermost call sites, at most max.  */
static void compare ( Checked* c, ThreadId tid, const Addr* ours, UInt n_ours,
                      UInt max )
{
   Addr ips[DG_HEAP_STACK + 1], sps[DG_HEAP_STACK + 1];
   UInt n_ips = VG_(get_StackTrace)(tid, ips, max + 1, sps, NULL, 0);
   const Addr* theirs   = ips + 1;
   UInt        n_theirs = n_ips > 0 ? n_ips - 1 : 0;
   if (DG_ARCH_LEAF > 0)
      n_theirs = true_frames(sps, n_theirs);
   /* What scripts do has no frames.  */
   Addr plain[DG_HEAP_STACK];
   UInt n_plain = 0;
   for (UInt k = 0; k < n_ours; k++)
      if (!DG_IS_SCRIPT((ULong)ours[k]))
         plain[n_plain++] = ours[k];
   if (n_ours == max && n_plain < n_theirs)
      n_theirs = n_plain;
   ours   = plain;
   n_ours = n_plain;
   /* The wrappers of pthread functions are not frames of the program, and the
      shadow stack has none of them.  */
   UInt n_program = 0;
   for (UInt k = 0; k < n_theirs; k++)
      if (!is_wrapper(ips[k + 1]))
         ips[1 + n_program++] = ips[k + 1];
   n_theirs = n_program;
   /* Where it knows no way it takes what looks like one, until that is not
      code.  */
   for (UInt k = 0; k < n_theirs; k++)
      if (!DG_(is_code)(theirs[k]))
         n_theirs = k;

   UInt i = confirmed(ours, n_ours, theirs, n_theirs);
   if (i < n_theirs && i < n_ours && changes_frames(ips[0]))
      return;
   if (i < n_theirs && has_lost_link(theirs[i]))
      n_theirs = i;
   c->samples++;
   if (i == n_ours && i == n_theirs)
      c->same++;
   else if (i == n_ours)
      c->unwinder_deeper++;
   else if (i == n_theirs)
      c->shadow_deeper++;
   else if (n_ours < max && has_all(ours, n_ours, theirs, n_theirs))
      c->left_out++;
   else
      c->differ++;
   if (i < n_theirs && VG_(clo_verbosity) >= 2 && c->shown++ < 20)
      show(tid, ours, n_ours, theirs, n_theirs, i);
}

/* Called at the start of every Nth block, where registers are in memory.  */
void DG_(check_stack) ( void )
{
   Addr sites[BLOCK_DEPTH];
   DG_(hot).countdown = DG_(opt).check_stacks;
   UInt n = DG_(stack_sites)(sites, BLOCK_DEPTH, 0);
   compare(&of_blocks, DG_(running)(), sites, n, BLOCK_DEPTH);
}

/* The call sites of a heap event, of which only the innermost max are without
   a gap.  */
void DG_(check_trace) ( ThreadId tid, const Addr* sites, UInt n, UInt max )
{
   compare(&of_heap, tid, sites, n < max ? n : max, max);
}

/* An unwinder that stops early (no unwind information, or a frame it does
   not know) has not contradicted us as far as it went.  */
static void report ( const Checked* c, const HChar* what, const HChar* each )
{
   if (c->samples == 0)
      return;
   ULong good = c->same + c->shadow_deeper + c->left_out;
   UInt  hundredths = (UInt)(good * 10000 / c->samples);
   VG_(umsg)("%s: %u.%02u%% of %llu %s agree with the unwinder "
             "(%llu equal, %llu where the unwinder stops early, %llu where "
             "it leaves frames out, %llu where the shadow stack stops early, "
             "%llu differ)\n", what,
             hundredths / 100, hundredths % 100, c->samples, each,
             c->same, c->shadow_deeper, c->left_out,
             c->unwinder_deeper, c->differ);
}

void DG_(check_report) ( void )
{
   report(&of_blocks, "stacks", "samples");
   report(&of_heap, "heap stacks", "events");
}

/*--------------------------------------------------------------------*/
/*--- end                                              dg_unwind.c ---*/
/*--------------------------------------------------------------------*/
