/*--------------------------------------------------------------------*/
/*--- Datagrind: the life of a log.                   dg_process.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* One process image, one log.  A forked child begins its own, with what it
   has inherited repeated at the start.  A program that becomes another by
   exec ends its log; when that one is recorded too it finds the log of the
   very process under the name that it wants, and takes the next.  */

#include "dg_arch.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_xarray.h"
#include "config.h"

static DgRecord record;
static Bool     exiting;
static Int      exit_code;
static ULong    began;           /* in ns since 1970 */

/*------------------------------------------------------------*/
/*--- Who we are                                           ---*/
/*------------------------------------------------------------*/

/* Field 22 of /proc/PID/stat.  With the pid it names a process for good,
   across exec.  */
ULong DG_(start_ticks) ( ULong pid, HChar* state )
{
   HChar name[64], text[1024];
   *state = 0;
   VG_(sprintf)(name, "/proc/%llu/stat", pid);
   Int fd = VG_(fd_open)(name, VKI_O_RDONLY, 0);
   if (fd < 0)
      return 0;
   Int n = VG_(read)(fd, text, sizeof text - 1);
   VG_(close)(fd);
   if (n <= 0)
      return 0;
   text[n] = 0;
   const HChar* p = VG_(strrchr)(text, ')');   /* the name may hold spaces */
   if (p != NULL && p[1] == ' ')
      *state = p[2];
   for (Int field = 2; p != NULL && field < 22; field++) {
      p = VG_(strchr)(p, ' ');
      if (p != NULL)
         p++;
   }
   return p == NULL ? 0 : VG_(strtoull10)(p, NULL);
}

static UInt cache_line_size ( void )
{
   HChar text[16];
   Int fd = VG_(fd_open)("/sys/devices/system/cpu/cpu0/cache/index0/"
                         "coherency_line_size", VKI_O_RDONLY, 0);
   if (fd < 0)
      return 64;
   Int n = VG_(read)(fd, text, sizeof text - 1);
   VG_(close)(fd);
   if (n <= 0)
      return 64;
   text[n] = 0;
   UInt size = VG_(strtoull10)(text, NULL);
   return size >= 8 && size <= 4096 ? size : 64;
}

static ULong wall_ns ( void )
{
   struct vki_timespec ts;
   VG_(clock_gettime)(&ts, VKI_CLOCK_REALTIME);
   return (ULong)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

ULong DG_(process_began) ( void )
{
   return began;
}

/*------------------------------------------------------------*/
/*--- The beginning of a log                               ---*/
/*------------------------------------------------------------*/

static void write_header ( void )
{
   DG_(rec_begin)(&record, DG_R_HEADER);
   DG_(rec_bytes)(&record, DG_SIGNATURE, DG_SIGNATURE_SIZE);
   DG_(rec_byte)(&record, DG_VERSION);
#  if defined(VG_BIGENDIAN)
   DG_(rec_byte)(&record, DG_ENDIAN_BIG);
#  else
   DG_(rec_byte)(&record, DG_ENDIAN_LITTLE);
#  endif
   DG_(rec_byte)(&record, sizeof(UWord));
   DG_(rec_write)(&record);
}

/* As much of the command as fits; a long one is cut, not refused.  */
static void write_arguments ( void )
{
   UInt  n = 1 + VG_(sizeXA)(VG_(args_for_client));
   SizeT room = sizeof record.bytes - record.n - sizeof(UWord) - 64;
   UInt  fit = 0;
   for (UInt i = 0; i < n; i++) {
      const HChar* s = i == 0 ? VG_(args_the_exename)
         : *(HChar**)VG_(indexXA)(VG_(args_for_client), i - 1);
      SizeT size = VG_(strlen)(s) + 1;
      if (size > room)
         break;
      room -= size;
      fit++;
   }
   DG_(rec_word)(&record, fit);
   for (UInt i = 0; i < fit; i++)
      DG_(rec_string)(&record, i == 0 ? VG_(args_the_exename)
         : *(HChar**)VG_(indexXA)(VG_(args_for_client), i - 1));
}

static void write_process ( UChar flags )
{
   HChar exe[VKI_PATH_MAX], state;
   VG_(client_fname)(exe, sizeof exe, False);
   if (DG_(opt).fold)
      flags |= DG_PROCESS_FOLDED;
   if (DG_(opt).stacks)
      flags |= DG_PROCESS_STACKS;
   if (DG_(opt).values)
      flags |= DG_PROCESS_VALUES;
   flags |= DG_PROCESS_UNFOLDED_HEAP | DG_PROCESS_ORDER;
   DG_(rec_begin)(&record, DG_R_PROCESS);
   DG_(rec_word)(&record, VG_(getpid)());
   DG_(rec_word)(&record, VG_(getppid)());
   DG_(rec_quad)(&record, DG_(start_ticks)(VG_(getpid)(), &state));
   DG_(rec_quad)(&record, wall_ns());
   DG_(rec_word)(&record, VKI_PAGE_SIZE);
   DG_(rec_word)(&record, cache_line_size());
   DG_(rec_byte)(&record, flags);
   DG_(rec_byte)(&record, DG_(opt).stack_depth);
   DG_(rec_string)(&record, DG_TOOL_VERSION);
   DG_(rec_string)(&record, VERSION);
   DG_(rec_string)(&record, DG_ARCH_NAME);
   DG_(rec_string)(&record, exe);
   /* None where it has been removed, or may not be read.  */
   const HChar* directory = VG_(get_startup_wd)();
   DG_(rec_string)(&record, directory == NULL ? "" : directory);
   write_arguments();
   DG_(rec_write)(&record);
}

/* The living process that writes, or has written, the log at name: its second
   record says.  0 when that is no such log, or the process is gone.  */
static ULong log_owner ( const HChar* name )
{
   struct vg_stat st;
   UChar bytes[64];
   HChar state;
   SysRes r = VG_(stat)(name, &st);
   if (sr_isError(r) || !VKI_S_ISREG(st.mode))
      return 0;
   Int fd = VG_(fd_open)(name, VKI_O_RDONLY, 0);
   if (fd < 0)
      return 0;
   Int n = VG_(read)(fd, bytes, sizeof bytes);
   VG_(close)(fd);
   if (n < (Int)sizeof bytes
       || VG_(memcmp)(bytes + 2, DG_SIGNATURE, DG_SIGNATURE_SIZE) != 0
       || bytes[DG_HEADER_SIZE] != DG_R_PROCESS)
      return 0;
   UInt  word = bytes[DG_HEADER_SIZE - 1] == 8 ? 8 : 4;
   UInt  at   = DG_HEADER_SIZE + (bytes[DG_HEADER_SIZE + 1]
                                  == DG_LENGTH_EXTENDED ? 10 : 2);
   ULong pid = 0, ticks;
   VG_(memcpy)(&pid, bytes + at, word);
   VG_(memcpy)(&ticks, bytes + at + 2 * word, 8);
   return ticks != 0 && ticks == DG_(start_ticks)(pid, &state) ? pid : 0;
}

static Bool has_pid ( const HChar* format )
{
   for (const HChar* p = format; *p != 0; p++)
      if (p[0] == '%' && p[1] != 0 && *++p == 'p')
         return True;
   return False;
}

/* Any number of processes may write to /dev/null and the like.  */
static Bool is_device ( const HChar* name )
{
   struct vg_stat st;
   SysRes r = VG_(stat)(name, &st);
   return !sr_isError(r) && VKI_S_ISCHR(st.mode);
}

/* The name that the options give, or one like it where that is the log of
   another process that lives (a parent; the pid is added), or of this one
   before an exec (a number is).  */
static HChar* choose_name ( UChar* flags )
{
   ULong  pid   = VG_(getpid)();
   HChar* plain = VG_(expand_file_name)("--datagrind-out-file",
                                        DG_(opt).out_file);
   SizeT  size  = VG_(strlen)(plain) + 64;
   HChar* base  = VG_(malloc)("dg.process.name", size);
   HChar* name  = VG_(malloc)("dg.process.name", size);
   ULong  other = log_owner(plain);
   Bool   taken = other != 0 && other != pid;
   if ((*flags & DG_PROCESS_FORKED) && !has_pid(DG_(opt).out_file))
      taken = True;
   if (taken && !is_device(plain))
      VG_(snprintf)(base, size, "%s.%llu", plain, pid);
   else
      VG_(strcpy)(base, plain);
   VG_(strcpy)(name, base);
   for (UInt n = 2; n < 1000 && log_owner(name) == pid; n++) {
      *flags |= DG_PROCESS_EXECED;
      VG_(snprintf)(name, size, "%s.%u", base, n);
   }
   VG_(free)(plain);
   VG_(free)(base);
   return name;
}

static Bool open_file ( UChar* flags )
{
   HChar* name = choose_name(flags);
   Bool   ok   = DG_(out_open)(name, False);
   VG_(free)(name);
   return ok;
}

/* Adds an option to the command line of each Valgrind that this program
   starts: pid is the parent, or 0 if the parent has no log.  A program with the
   option runs without a log if its recorder is gone, instead of ending.  */
static void tell_children ( Int pid )
{
   static HChar option[sizeof DG_RING_CHILD + 16];
   if (option[0] == 0) {
      const HChar* p = option;
      VG_(addToXA)(VG_(args_for_valgrind), &p);
   }
   VG_(sprintf)(option, "%s=%d", DG_RING_CHILD, pid);
}

static Bool open_ring ( UChar* flags )
{
   if (DG_(opt).ring_child == VG_(getpid)())
      *flags |= DG_PROCESS_EXECED;
   Bool ok = DG_(out_open_ring)();
   tell_children(ok ? VG_(getpid)() : 0);
   return ok;
}

/* Opens the log and writes what every log begins with, through to the file:
   who finds it shall know what it is.  */
static Bool begin ( UChar flags )
{
   Bool ok = DG_(opt).ring_dir != NULL ? open_ring(&flags)
                                       : open_file(&flags);
   if (!ok)
      return False;
   write_header();
   write_process(flags);
   DG_(clock_read)();
   DG_(out_sync)();
   return True;
}

/* Whether this program is one of --datagrind-only: by its name, or its path as
   it was started.  */
static Bool is_wanted ( void )
{
   const HChar* only = DG_(opt).only;
   const HChar* path = VG_(args_the_exename);
   if (only == NULL || path == NULL)
      return True;
   const HChar* name = VG_(strrchr)(path, '/');
   if (name == NULL || VG_(strchr)(only, '/') != NULL)
      return VG_(string_match)(only, path);
   return VG_(string_match)(only, name + 1);
}

/* After the options are known.  */
void DG_(process_start) ( void )
{
   began = wall_ns();
   Bool wanted = is_wanted();
   Bool ok     = wanted && begin(0);
   if (!wanted && DG_(opt).ring_dir != NULL)
      tell_children(0);
   if (wanted && !ok && DG_(opt).ring_child < 0)
      VG_(exit)(1);
   DG_(window_init)();
   if (!ok)
      DG_(recording) = False;
}

/*------------------------------------------------------------*/
/*--- Its end                                              ---*/
/*------------------------------------------------------------*/

void DG_(process_exiting) ( Int code )
{
   exiting   = True;
   exit_code = code & 0xff;
}

/* The system call may fail; then the log goes on behind its end record.  */
void DG_(process_exec) ( void )
{
   DG_(flush_runs)();
   DG_(jit_read_all)();
   DG_(clock_read)();
   DG_(out_end)(DG_END_EXEC, 0, False);
}

/* Without an exit of its own the process was killed, perhaps in the middle
   of a block.  */
void DG_(process_end) ( Int code )
{
   ThreadId tid    = DG_(running)();
   Int      signal = DG_(core_fatal_signal)();
   Bool     killed = signal != 0 || !exiting;
   if (killed && tid != VG_INVALID_THREADID)
      DG_(run_interrupted)(VG_(get_IP)(tid), signal);
   DG_(flush_runs)();
   DG_(tls_look)(tid);
   DG_(jit_read_all)();
   DG_(clock_read)();
   DG_(check_report)();
   DG_(gap_stats)();
   if (killed)
      DG_(out_end)(DG_END_SIGNAL, signal, True);
   else
      DG_(out_end)(DG_END_EXIT, exit_code, True);
}

/*------------------------------------------------------------*/
/*--- fork                                                 ---*/
/*------------------------------------------------------------*/

/* Nothing may be in the buffers, or both processes would write it.  */
static void before_fork ( ThreadId tid )
{
   DG_(flush_runs)();
   DG_(jit_read_all)();
   DG_(clock_read)();
   DG_(out_sync)();
   DG_(window_fork)();
}

static void in_child ( ThreadId tid )
{
   Bool was_recording = DG_(recording);
   DG_(jit_forked)();
   if (!DG_(out_is_open)())
      return;
   DG_(out_forget)();
   DG_(run_new_log)();
   exiting = False;
   if (!begin(DG_PROCESS_FORKED)) {
      DG_(recording) = False;
      return;
   }
   DG_(recording) = was_recording;
   DG_(blocks_to_ring)();
   DG_(nodes_to_ring)();
   DG_(thread_repeat)();
   DG_(map_repeat)();
   DG_(code_repeat)();
   DG_(heap_repeat)();
   DG_(clreq_repeat)();
   DG_(window_repeat)();
}

void DG_(process_init) ( void )
{
   VG_(atfork)(before_fork, NULL, in_child);
}

/*--------------------------------------------------------------------*/
/*--- end                                             dg_process.c ---*/
/*--------------------------------------------------------------------*/
