/*--------------------------------------------------------------------*/
/*--- Datagrind: what only Valgrind's core can do.       dg_core.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Tools are built on pub_tool_*.h.  Twenty-two things that a recorder needs are
   not there; each has its reason below, and no other file asks the core.  */

#include "coregrind/pub_core_basics.h"
#include "coregrind/pub_core_aspacemgr.h"
#include "coregrind/pub_core_clientstate.h"
#include "coregrind/pub_core_debuginfo.h"
#include "coregrind/pub_core_vki.h"
#include "coregrind/pub_core_vkiscnums.h"
#include "coregrind/pub_core_libcassert.h"
#include "coregrind/pub_core_libcbase.h"
#include "coregrind/pub_core_libcfile.h"
#include "coregrind/pub_core_libcproc.h"
#include "coregrind/pub_core_libcsetjmp.h"
#include "coregrind/pub_core_libcsignal.h"
#include "coregrind/pub_core_options.h"
#include "coregrind/pub_core_redir.h"
#include "coregrind/pub_core_scheduler.h"
#include "coregrind/pub_core_seqmatch.h"
#include "coregrind/pub_core_signals.h"
#include "coregrind/pub_core_syscall.h"
#include "coregrind/pub_core_threadstate.h"
#include "coregrind/pub_core_trampoline.h"
#include "coregrind/pub_core_transtab.h"
#include "coregrind/m_debuginfo/priv_image.h"
#include "dg_tool.h"
#include <elf.h>

/* A fault in translated code, or in what that calls, is the program's: not
   while its heap, which is ours, is half changed.  */
void DG_(core_in_program) ( Bool yes )
{
   VG_(in_generated_code) = yes;
}

/* As --sim-hints=fallback-llsc, which users of a tool that stores between
   load-linked and store-conditional would else have to know.  */
void DG_(core_fallback_llsc) ( void )
{
   VG_(clo_sim_hints) |= SimHint2S(SimHint_fallback_llsc);
}

/* Where the handlers of the program return to, unless it says otherwise.  On
   some architectures those that want no information go elsewhere.  */
Addr DG_(core_sigreturn) ( Bool with_info )
{
#  if defined(VGP_arm64_linux)
   return (Addr)&VG_(arm64_linux_SUBST_FOR_rt_sigreturn);
#  elif defined(VGP_s390x_linux)
   return with_info ? (Addr)&VG_(s390x_linux_SUBST_FOR_rt_sigreturn)
                    : (Addr)&VG_(s390x_linux_SUBST_FOR_sigreturn);
#  else
   return 0;
#  endif
}

/* Out of the way of a program that closes, or counts, its descriptors; or -1,
   and it is closed: what the program opens next could have its number.  The
   core's own function ends the process then.  */
Int DG_(core_safe_fd) ( Int fd )
{
   Int safe = VG_(fcntl)(fd, VKI_F_DUPFD, VG_(fd_hard_limit));
   VG_(close)(fd);
   if (safe < 0)
      return -1;
   VG_(fcntl)(safe, VKI_F_SETFD, VKI_FD_CLOEXEC);
   return safe;
}

/* A file of a folder that is open, wherever the program has its root now; a
   descriptor, or the error, negative.  */
Int DG_(core_open_in) ( Int folder, const HChar* name, Int flags, Int mode )
{
   SysRes r = VG_(do_syscall4)(__NR_openat, folder, (UWord)name, flags, mode);
   return sr_isError(r) ? -(Int)sr_Err(r) : (Int)sr_Res(r);
}

void DG_(core_unlink_in) ( Int folder, const HChar* name )
{
   VG_(do_syscall3)(__NR_unlinkat, folder, (UWord)name, 0);
}

/* Also of another user, and where there is no /proc.  */
Bool DG_(core_has_process) ( ULong pid )
{
   SysRes r = VG_(do_syscall2)(__NR_kill, pid, 0);
   return !sr_isError(r) || sr_Err(r) != VKI_ESRCH;
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

/* A log whose disk is full is cut back to its last whole record.  0 or an
   error.  */
UWord DG_(core_truncate) ( Int fd, ULong size )
{
#  if VG_WORDSIZE == 8
   SysRes r = VG_(do_syscall2)(__NR_ftruncate, fd, size);
#  else
   SysRes r = VG_(do_syscall3)(__NR_ftruncate64, fd, (UInt)size,
                               (UInt)(size >> 32));
#  endif
   VG_(lseek)(fd, size, VKI_SEEK_SET);
   return sr_isError(r) ? sr_Err(r) : 0;
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

/* Where a function or a variable of any module is; 0: there is none.  */
Addr DG_(core_symbol) ( const HChar* name )
{
   SymAVMAs at;
   return VG_(lookup_symbol_SLOW)(VG_(current_DiEpoch)(), "*", name, &at)
          ? at.main : 0;
}

/* When the program tells that there is other code now.  */
void DG_(core_discard) ( Addr a, SizeT n )
{
   VG_(discard_translations)(a, n, "datagrind");
}

/* When all code is to be translated in another way.  A translation that runs
   would go on into others that are gone, so none may.  */
void DG_(core_discard_all) ( void )
{
   VG_(discard_translations)(0, ~0ULL, "datagrind");
}

/* Such a translation runs once, at the place of another one of the same
   address, and cannot be gone to.  */
Bool DG_(core_is_original) ( const VgCallbackClosure* c )
{
   return c->nraddr == c->readdr
          && VG_(redir_do_lookup)(c->nraddr, NULL) != c->nraddr;
}

/* Whether a translation runs, which has called us.  */
Bool DG_(core_in_code) ( void )
{
   return VG_(in_generated_code);
}

/* Blocks that a thread executes at most before the scheduler is asked.  Newer
   versions have an option for that.  */
extern const UInt DG_(quantum) __asm__("vgPlain_clo_scheduling_quantum")
   __attribute__((weak));

ULong DG_(core_quantum) ( void )
{
   return &DG_(quantum) != NULL ? DG_(quantum) : 100000;
}

/* The signal that is killing the program, 0 when it ends by itself.  */
Int DG_(core_fatal_signal) ( void )
{
   for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
      if (VG_(threads)[tid].os_state.fatalsig != 0)
         return VG_(threads)[tid].os_state.fatalsig;
   return 0;
}

/* Where the program begins, as its dynamic linker is told: in what was
   started, which another file may have the name of.  To be asked before the
   program runs, in whose memory this is; 0: not known.  */
Addr DG_(core_entry) ( void )
{
   const UWord* aux = VG_(client_auxv);
   for (; aux != NULL && aux[0] != AT_NULL; aux += 2)
      if (aux[0] == AT_ENTRY)
         return aux[1];
   return 0;
}

static VG_MINIMAL_JMP_BUF(fault_place);

static void fault ( Int signal, Addr a )
{
   vki_sigset_t set;
   VG_(sigemptyset)(&set);
   VG_(sigaddset)(&set, signal);
   VG_(sigprocmask)(VKI_SIG_UNBLOCK, &set, NULL);
   VG_MINIMAL_LONGJMP(fault_place);
}

/* Of the program's memory.  That it is mapped is not enough: there is a fault
   behind the end of a file that became shorter.  The core wants to know that
   none of the program's own code runs, which else the fault would be of.  */
Bool DG_(core_copy) ( void* to, Addr from, SizeT n )
{
   if (from == 0 || from + n < from
       || !VG_(am_is_valid_for_client)(from, n, VKI_PROT_READ))
      return False;
   volatile Bool    in_code = VG_(in_generated_code), copied = False;
   fault_catcher_t volatile before = VG_(set_fault_catcher)(fault);
   VG_(in_generated_code) = False;
   if (VG_MINIMAL_SETJMP(fault_place) == 0) {
      VG_(memcpy)(to, (const void*)from, n);
      copied = True;
   }
   VG_(in_generated_code) = in_code;
   VG_(set_fault_catcher)(before);
   return copied;
}

/* Of a string there, up to a zero byte or as long as `most`: False if that
   cannot be read.  */
Bool DG_(core_length) ( Addr a, SizeT most, SizeT* length )
{
   HChar part[64];
   for (*length = 0; *length < most;) {
      SizeT at   = a + *length;
      SizeT left = sizeof part - at % sizeof part;
      SizeT n    = left < most - *length ? left : most - *length;
      if (!DG_(core_copy)(part, at, n))
         return False;
      for (SizeT i = 0; i < n; i++, ++*length)
         if (part[i] == 0)
            return True;
   }
   return True;
}

/*------------------------------------------------------------*/
/*--- What the core reads of files                         ---*/
/*------------------------------------------------------------*/

/* Lines, types and variables are read from the files later, by dg: the core
   would read them at the start of each recording, for nothing, and of some
   compilers it cannot.  It finds the sections of a file by their names, and
   asks for servers of debug information by a variable of the environment.  What
   then takes most of the time is that it compares names of functions that are
   replaced with all symbols of libraries.  The linker puts these three functions
   between (--wrap in Makefile.am); it fails where the core has no such
   function, and the compiler where it has other arguments.  */

#define WRAPPED(name)  VGAPPEND(__wrap_, name)
#define REAL(name)     VGAPPEND(__real_, name)
#define DECLARE(function, name)                                        \
   extern __typeof__(function) WRAPPED(name), REAL(name)

DECLARE(ML_(img_strcmp_c), vgModuleLocal_img_strcmp_c);
DECLARE(VG_(getenv),       vgPlain_getenv);
DECLARE(VG_(string_match), vgPlain_string_match);

static Bool sections_are_chosen = False;

/* Call-frame information is not: the unwinder needs it.  A name with z is that
   of a compressed section.  */
static Bool is_of_debug_information ( const HChar* section )
{
   if (VG_(strcmp)(section, ".gnu_debugaltlink") == 0)
      return True;
   const HChar* name = section + (VG_(strncmp)(section, ".z", 2) == 0 ? 2 : 1);
   return section[0] == '.' && VG_(strncmp)(name, "debug", 5) == 0
          && VG_(strcmp)(name, "debug_frame") != 0;
}

Int WRAPPED(vgModuleLocal_img_strcmp_c) ( DiImage* image, DiOffT at,
                                          const HChar* name )
{
   sections_are_chosen = True;
   return is_of_debug_information(name)
          ? 1 : REAL(vgModuleLocal_img_strcmp_c)(image, at, name);
}

HChar* WRAPPED(vgPlain_getenv) ( const HChar* name )
{
   return VG_(strcmp)(name, "DEBUGINFOD_URLS") == 0
          ? NULL : REAL(vgPlain_getenv)(name);
}

/* Mostly the first character differs, before their lengths are needed.  */
Bool WRAPPED(vgPlain_string_match) ( const HChar* pattern, const HChar* text )
{
   for (; *pattern != '*' && *pattern != '?'; pattern++, text++) {
      if (*pattern != *text)
         return False;
      if (*pattern == 0)
         return True;
   }
   return REAL(vgPlain_string_match)(pattern, text);
}

/* Whether the linker has done so, once the core has read a file.  */
Bool DG_(core_reads_symbols_only) ( void )
{
   return sections_are_chosen;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_core.c ---*/
/*--------------------------------------------------------------------*/
