/*--------------------------------------------------------------------*/
/*--- Datagrind: mappings, modules, system calls.         dg_map.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_arch.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"
#include "pub_tool_threadstate.h"
#include <elf.h>

static DgRecord record;
static XArray*  loaded;          /* of Addr: text addresses of modules */
static Addr     entry;           /* in what was started */
static Bool     in_exec;         /* the log has its end record already */

/*------------------------------------------------------------*/
/*--- Modules                                              ---*/
/*------------------------------------------------------------*/

#if VG_WORDSIZE == 8
typedef Elf64_Ehdr Ehdr;
typedef Elf64_Phdr Phdr;
#else
typedef Elf32_Ehdr Ehdr;
typedef Elf32_Phdr Phdr;
#endif

static Bool read_at ( Int fd, Off64T at, void* to, Int n )
{
   return VG_(lseek)(fd, at, VKI_SEEK_SET) == at && VG_(read)(fd, to, n) == n;
}

static UInt find_build_id ( const UChar* notes, UInt n, UChar* id )
{
   UInt at = 0;
   while (at + 12 <= n) {
      UInt name, desc, type;
      VG_(memcpy)(&name, notes + at, 4);
      VG_(memcpy)(&desc, notes + at + 4, 4);
      VG_(memcpy)(&type, notes + at + 8, 4);
      UInt desc_at = at + 12 + VG_ROUNDUP(name, 4);
      if (name > n || desc > n || desc_at + desc > n)
         return 0;
      if (type == NT_GNU_BUILD_ID && name == 4 && desc <= 64
          && VG_(memcmp)(notes + at + 12, "GNU", 4) == 0) {
         VG_(memcpy)(id, notes + desc_at, desc);
         return desc;
      }
      at = desc_at + VG_ROUNDUP(desc, 4);
   }
   return 0;
}

/* Bytes of the file's build-id, 0 when it has none or is no such file; and
   what there is of it in each thread.  */
static UInt read_file ( const HChar* file, UWord bias, UChar* id, DgTls* tls )
{
   Ehdr  eh;
   UInt  found = 0;
   VG_(memset)(tls, 0, sizeof *tls);
   Int   fd = VG_(fd_open)(file, VKI_O_RDONLY, 0);
   if (fd < 0)
      return 0;
   if (read_at(fd, 0, &eh, sizeof eh)
       && VG_(memcmp)(eh.e_ident, ELFMAG, SELFMAG) == 0
       && eh.e_phentsize == sizeof(Phdr)) {
      for (UInt i = 0; i < eh.e_phnum; i++) {
         Phdr  ph;
         UChar notes[1024];
         if (!read_at(fd, eh.e_phoff + i * sizeof ph, &ph, sizeof ph))
            break;
         if (ph.p_type == PT_NOTE && ph.p_filesz <= sizeof notes && found == 0
             && read_at(fd, ph.p_offset, notes, ph.p_filesz))
            found = find_build_id(notes, ph.p_filesz, id);
         if (ph.p_type == PT_DYNAMIC)
            tls->dynamic = ph.p_vaddr + bias;
         if (ph.p_type == PT_TLS) {
            tls->address = ph.p_vaddr;
            tls->size    = ph.p_memsz;
            tls->align   = ph.p_align;
         }
      }
   }
   VG_(close)(fd);
   return found;
}

static void write_module ( const DebugInfo* di )
{
   UChar        id[64];
   const HChar* file   = VG_(DebugInfo_get_filename)(di);
   const HChar* soname = VG_(DebugInfo_get_soname)(di);
   Addr         text   = VG_(DebugInfo_get_text_avma)(di);
   UWord        bias   = VG_(DebugInfo_get_text_bias)(di);
   DgTls        tls;
   UInt         n_id   = read_file(file, bias, id, &tls);
   tl_assert(DG_(core_reads_symbols_only)());
   tls.is_program = entry - text < VG_(DebugInfo_get_text_size)(di);

   DG_(rec_begin)(&record, DG_R_TEXT_AVMA);
   DG_(rec_word)(&record, text);
   DG_(rec_string)(&record, file);
   DG_(rec_write)(&record);

   DG_(rec_begin)(&record, DG_R_MODULE);
   DG_(rec_word)(&record, text);
   DG_(rec_word)(&record, VG_(DebugInfo_get_text_size)(di));
   DG_(rec_word)(&record, bias);
   DG_(rec_byte)(&record, n_id);
   DG_(rec_bytes)(&record, id, n_id);
   DG_(rec_string)(&record, soname != NULL && VG_(strcmp)(soname, "NONE") != 0
                           ? soname : "");
   DG_(rec_write)(&record);
   DG_(tls_module)(text, &tls);
}

/* Modules that came since the last time.  New ones are the first in the
   core's list, which is long in large programs, and mappings are many.  */
static void look_for_modules ( void )
{
   static const DebugInfo* newest = NULL;
   static Word             n_then = 0;
   if (VG_(next_DebugInfo)(NULL) == newest && VG_(sizeXA)(loaded) == n_then)
      return;
   Bool pending = False;
   for (const DebugInfo* di = VG_(next_DebugInfo)(NULL); di != NULL;
        di = VG_(next_DebugInfo)(di)) {
      Addr text  = VG_(DebugInfo_get_text_avma)(di);
      Bool known = text == 0;    /* not all of it is mapped yet */
      pending |= known;
      for (Word i = 0; !known && i < VG_(sizeXA)(loaded); i++)
         known = *(Addr*)VG_(indexXA)(loaded, i) == text;
      if (known)
         continue;
      DG_(flush_runs)();
      VG_(addToXA)(loaded, &text);
      write_module(di);
   }
   newest = pending ? NULL : VG_(next_DebugInfo)(NULL);
   n_then = VG_(sizeXA)(loaded);
}

static void unload_modules ( Addr a, SizeT len )
{
   for (Word i = VG_(sizeXA)(loaded) - 1; i >= 0; i--) {
      Addr text = *(Addr*)VG_(indexXA)(loaded, i);
      if (text - a >= len)
         continue;
      DG_(tls_look)(DG_(running)());
      DG_(tls_module_gone)(text);
      DG_(rec_begin)(&record, DG_R_MODULE_UNLOAD);
      DG_(rec_word)(&record, text);
      DG_(rec_write)(&record);
      VG_(removeIndexXA)(loaded, i);
   }
}

/*------------------------------------------------------------*/
/*--- Mappings                                             ---*/
/*------------------------------------------------------------*/

static void write_map ( Addr a, SizeT len, UChar prot, UChar what )
{
   NSegment const* seg  = VG_(am_find_nsegment)(a);
   const HChar*    file = seg != NULL ? VG_(am_get_filename)(seg) : NULL;
   ULong           at   = seg != NULL && file != NULL
                          ? seg->offset + (a - seg->start) : 0;
   DG_(rec_begin)(&record, DG_R_MAP);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, len);
   DG_(rec_byte)(&record, prot);
   DG_(rec_byte)(&record, what);
   DG_(rec_quad)(&record, at);
   DG_(rec_string)(&record, file != NULL ? file : "");
   DG_(rec_write)(&record);
}

static UChar prot_of ( Bool r, Bool w, Bool x )
{
   return (r ? DG_PROT_READ : 0) | (w ? DG_PROT_WRITE : 0)
          | (x ? DG_PROT_EXEC : 0);
}

static void new_mem_startup ( Addr a, SizeT len, Bool r, Bool w, Bool x,
                              ULong di_handle )
{
   if (entry == 0)
      entry = DG_(core_entry)();
   write_map(a, len, prot_of(r, w, x), DG_MAP_STARTUP);
   look_for_modules();
}

/* Who asked for the map or unmap that has been written: the thread that runs,
   and that is in a system call.  None does before the program begins.  */
static void write_stack ( void )
{
   ThreadId tid = DG_(running)();
   if (tid != VG_INVALID_THREADID)
      DG_(write_map_stack)(tid);
}

static void new_mem_mmap ( Addr a, SizeT len, Bool r, Bool w, Bool x,
                           ULong di_handle )
{
   DG_(flush_runs)();
   /* What was there is gone, even without a munmap.  */
   if (di_handle == 0)
      unload_modules(a, len);
   DG_(code_unmapped)(a, len);
   write_map(a, len, prot_of(r, w, x), DG_MAP_MMAP);
   write_stack();
   look_for_modules();
   if (x)
      DG_(jit_mapped)(a);
}

static void new_mem_brk ( Addr a, SizeT len, ThreadId tid )
{
   DG_(flush_runs)();
   write_map(a, len, DG_PROT_READ | DG_PROT_WRITE, DG_MAP_BRK);
   write_stack();
}

static void change_mem_mprotect ( Addr a, SizeT len, Bool r, Bool w, Bool x )
{
   DG_(flush_runs)();
   write_map(a, len, prot_of(r, w, x), DG_MAP_PROTECT);
   look_for_modules();
}

static void write_unmap ( Addr a, SizeT len )
{
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_UNMAP);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, len);
   DG_(rec_write)(&record);
   write_stack();
}

static void die_mem_munmap ( Addr a, SizeT len )
{
   write_unmap(a, len);
   unload_modules(a, len);
   DG_(code_unmapped)(a, len);
}

static UChar prot_of_segment ( const NSegment* seg )
{
   return prot_of(seg->hasR, seg->hasW, seg->hasX);
}

/* Valgrind will say of all of the old place that it is gone, but not which
   part of it moved to here.  */
static void copy_mem_remap ( Addr from, Addr to, SizeT len )
{
   NSegment const* seg = VG_(am_find_nsegment)(to);
   write_unmap(from, len);
   DG_(code_unmapped)(from, len);
   DG_(code_unmapped)(to, len);
   write_map(to, len, seg != NULL ? prot_of_segment(seg) : 0, DG_MAP_REMAP);
   write_stack();
}

/* Everything that is mapped, for the log of a forked child.  */
void DG_(map_repeat) ( void )
{
   Int   n = 256;
   Addr* starts = NULL;
   for (;;) {
      starts = VG_(realloc)("dg.map.starts", starts, n * sizeof(Addr));
      Int got = VG_(am_get_segment_starts)(SkAnonC | SkFileC | SkShmC, starts,
                                           n);
      if (got >= 0) {
         n = got;
         break;
      }
      n = -got + 16;
   }
   for (Int i = 0; i < n; i++) {
      NSegment const* seg = VG_(am_find_nsegment)(starts[i]);
      if (seg != NULL)
         write_map(seg->start, seg->end - seg->start + 1,
                   prot_of_segment(seg), DG_MAP_STARTUP);
   }
   VG_(free)(starts);
   VG_(dropTailXA)(loaded, VG_(sizeXA)(loaded));
   DG_(tls_forget)();
   look_for_modules();
   DG_(tls_look)(DG_(running)());
}

/*------------------------------------------------------------*/
/*--- What the kernel reads and writes                     ---*/
/*------------------------------------------------------------*/

static void write_kernel_access ( CorePart part, ThreadId tid, UChar kind,
                                  Addr a, SizeT len )
{
   if (len == 0 || !DG_(recording) || in_exec)
      return;
   if (part != Vg_CoreSysCall && part != Vg_CoreSysCallArgInMem
       && part != Vg_CoreSignal)
      return;
   DG_(thread_runs)(tid);
   DG_(flush_runs)();
   DG_(thread_in_log)();
   DG_(rec_begin)(&record, DG_R_KERNEL_ACCESS);
   DG_(rec_byte)(&record, kind);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, len);
   DG_(rec_word)(&record, part == Vg_CoreSignal ? ~(UWord)0
                                                : DG_(thread_syscall)(tid));
   DG_(rec_write)(&record);
}

/* The core tells of this before the call, which may yet fail over it.  */
static void pre_mem_read ( CorePart part, ThreadId tid, const HChar* what,
                           Addr a, SizeT len )
{
   if (part == Vg_CoreClientReq
       || !VG_(am_is_valid_for_client)(a, len, VKI_PROT_READ))
      return;
   write_kernel_access(part, tid, DG_ACC_READ, a, len);
}

static void pre_mem_read_asciiz ( CorePart part, ThreadId tid,
                                  const HChar* what, Addr a )
{
   SizeT n;
   if (DG_(core_length)(a, ~(SizeT)0, &n))
      write_kernel_access(part, tid, DG_ACC_READ, a, n + 1);
}

static void post_mem_write ( CorePart part, ThreadId tid, Addr a, SizeT len )
{
   write_kernel_access(part, tid, DG_ACC_WRITE, a, len);
}

/*------------------------------------------------------------*/
/*--- System calls                                         ---*/
/*------------------------------------------------------------*/

static void write_thread_name ( ThreadId tid, Addr name )
{
   HChar copy[17];
   UInt  n = 0;
   while (n < 16 && DG_(core_copy)(&copy[n], name + n, 1) && copy[n] != 0)
      n++;
   if (n == 0 && !VG_(am_is_valid_for_client)(name, 1, VKI_PROT_READ))
      return;
   copy[n] = 0;
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_THREAD_NAME);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_string)(&record, copy);
   DG_(rec_write)(&record);
}

static Bool is_fork ( UInt number, const UWord* args )
{
   switch (number) {
#     if defined(__NR_fork)
      case __NR_fork:
         return True;
#     endif
#     if defined(__NR_vfork)
      case __NR_vfork:
         return True;
#     endif
      case __NR_clone:
         /* As Valgrind decides what is a thread.  */
         return (args[DG_ARCH_CLONE_FLAGS] & (VKI_CLONE_VM | VKI_CLONE_VFORK))
                != VKI_CLONE_VM;
      default:
         return False;
   }
}

static Bool is_exec ( UInt number )
{
   return number == __NR_execve
#     if defined(__NR_execveat)
          || number == __NR_execveat
#     endif
      ;
}

/* Files in which the program names code that it makes.  */
static void look_at_file ( UInt number, const UWord* args, UWord result )
{
   switch (number) {
#     if defined(__NR_open)      /* new architectures have openat only */
      case __NR_open:
      case __NR_creat:
         DG_(jit_opened)(result, args[0]);
         break;
#     endif
      case __NR_openat:
         DG_(jit_opened)(result, args[1]);
         break;
      case __NR_write:
      case __NR_writev:
      case __NR_pwrite64:
      case __NR_ftruncate:
         DG_(jit_written)(args[0]);
         break;
      default:
         break;
   }
}

static void pre_syscall ( ThreadId tid, UInt number, UWord* args, UInt n )
{
   DG_(thread_runs)(tid);
   DG_(thread_in_syscall)(tid, number);
   if (is_exec(number)) {
      DG_(process_exec)();
      in_exec = True;
   } else if (number == __NR_exit_group || number == __NR_exit)
      DG_(process_exiting)(args[0]);
   else if (number == __NR_close)
      DG_(jit_closed)(args[0]);
   DG_(clock_enters_call)(tid);
}

static void post_syscall ( ThreadId tid, UInt number, UWord* args, UInt n,
                           SysRes res )
{
   DG_(thread_runs)(tid);
   DG_(clock_leaves_call)(tid);
   if (is_exec(number))
      in_exec = False;
   DG_(tls_look)(tid);
   if (sr_isError(res))
      return;
   look_at_file(number, args, sr_Res(res));
   if (number == __NR_prctl && args[0] == VKI_PR_SET_NAME)
      write_thread_name(tid, args[1]);
   if (is_fork(number, args) && sr_Res(res) != 0) {
      DG_(flush_runs)();
      DG_(rec_begin)(&record, DG_R_FORK);
      DG_(rec_word)(&record, sr_Res(res));
      DG_(rec_write)(&record);
   }
}

void DG_(map_init) ( void )
{
   loaded = VG_(newXA)(VG_(malloc), "dg.map.loaded", VG_(free), sizeof(Addr));
   VG_(track_new_mem_startup)(new_mem_startup);
   VG_(track_new_mem_mmap)(new_mem_mmap);
   VG_(track_new_mem_brk)(new_mem_brk);
   VG_(track_change_mem_mprotect)(change_mem_mprotect);
   VG_(track_die_mem_munmap)(die_mem_munmap);
   VG_(track_die_mem_brk)(write_unmap);
   VG_(track_copy_mem_remap)(copy_mem_remap);
   VG_(track_pre_mem_read)(pre_mem_read);
   VG_(track_pre_mem_read_asciiz)(pre_mem_read_asciiz);
   VG_(track_post_mem_write)(post_mem_write);
   VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_map.c ---*/
/*--------------------------------------------------------------------*/
