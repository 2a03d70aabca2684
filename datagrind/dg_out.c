/*--------------------------------------------------------------------*/
/*--- Datagrind: the output file.                         dg_out.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* The buffer holds whole records whenever it is written.  When the output
   fails (disk full, reader gone) one message is printed, a file is cut back
   to what was written before, which ends with a whole record, and told that
   it is incomplete, and nothing more is recorded: the program must not
   notice.  */

#include "dg_arch.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

/* Stays in the cache.  */
#define BUFFER_SIZE  (128 * 1024)
#define SLACK        64          /* behind it, for stores by words */

/* Linux numbers that vki does not name.  */
#define POLL_OUT     4
#define ERR_QUOTA    122
/* Our own.  */
#define ERR_PLANTED  4000

/* Which addresses a program accesses can tell what it works on: nobody else
   may read that, as with a core file. */
#define MODE  (VKI_S_IRUSR|VKI_S_IWUSR)

UChar* DG_(out_pos);
UChar* DG_(out_limit);

static UChar* buffer;
static Int    fd = -1;
static Bool   seekable;
static HChar  path[VKI_PATH_MAX + 1];   /* of the file; also when it ended */
static ULong  written;           /* bytes before the buffer */
static DgTotals in_file;         /* what those count: callers add a record to
                                    DG_(totals) after they have written it */
static ULong  marker_at;         /* offset of the last marker, or 0 */
static ULong  next_marker;
static Bool   in_trouble;

ULong DG_(out_bytes) ( void )
{
   if (DG_(opt).ring_dir != NULL)
      return DG_(ring_bytes)();
   return written + (DG_(out_pos) - buffer);
}

Bool DG_(out_is_open) ( void )
{
   return fd >= 0 || DG_(ring_open);
}

/* Not all headers of Valgrind's have it, where it says nothing.  */
#if VG_WORDSIZE == 8
#  define LARGE_FILE  0
#else
#  define LARGE_FILE  VKI_O_LARGEFILE
#endif

/*------------------------------------------------------------*/
/*--- Opening, writing, closing                            ---*/
/*------------------------------------------------------------*/

/* The buffer ends where the log may: the end record must still fit.  */
static void set_limit ( void )
{
   ULong room = BUFFER_SIZE;
   if (DG_(opt).max_size != 0) {
      ULong end  = DG_END_SIZE + 128;
      ULong left = DG_(opt).max_size > written + end
                   ? DG_(opt).max_size - written - end : 0;
      if (left < room)
         room = left;
   }
   DG_(out_limit) = buffer + room;
}

static const HChar* why_text ( UWord error )
{
   static HChar number[32];
   switch (error) {
      case VKI_ENOSPC:  return "no space left on the device";
      case VKI_EPIPE:   return "the pipe has no reader any more";
      case VKI_EFBIG:   return "the file size limit is reached";
      case VKI_EIO:     return "input/output error";
      case ERR_PLANTED: return "it is of another user, or has another name, in "
                               "a folder where everybody may make files";
      case ERR_QUOTA:   return "the disk quota is used up";
      case VKI_EACCES:
      case VKI_EPERM:   return "permission denied";
      case VKI_ENOENT:  return "no such directory";
      case VKI_ENOTDIR: return "a part of its path is not a directory";
      case VKI_EISDIR:  return "it is a directory";
      case VKI_EROFS:   return "the file system is read-only";
      case VKI_EMFILE:
      case VKI_ENFILE:  return "too many open files";
      default:
         VG_(sprintf)(number, "error %lu", error);
         return number;
   }
}

/* The program may go to another folder.  */
static void note_path ( void )
{
   HChar   link[40];
   SSizeT  n = 0;
   VG_(sprintf)(link, "/proc/self/fd/%d", fd);
   if (seekable)
      n = VG_(readlink)(link, path, sizeof path - 1);
   path[n > 0 ? n : 0] = 0;
}

/* May everybody make files in its folder?  */
static Bool is_shared ( const HChar* name )
{
   HChar folder[VKI_PATH_MAX + 1];
   struct vg_stat st;
   Int n = VG_(strlen)(name);
   while (n > 0 && name[n - 1] != '/')
      n--;
   if (n > VKI_PATH_MAX)
      return True;
   VG_(memcpy)(folder, name, n);
   VG_(strcpy)(folder + n, n == 0 ? "." : "");
   return sr_isError(VG_(stat)(folder, &st)) || (st.mode & VKI_S_IWOTH) != 0;
}

/* There others may have made a file, pipe or link of the name that they know
   the log will have: it would be theirs, or go where they want.  */
static Bool is_planted ( const struct vg_stat* st )
{
   return st->uid != (UInt)VG_(geteuid)()
          || (VKI_S_ISREG(st->mode) && st->nlink != 1);
}

/* To `dg record --raw`, which wants to know of logs that are not what they
   should be; or -1.  The first process opens the pipe, since a program can lose
   sight of /proc, and the name can be another file's once dg has ended; its
   children have the descriptor.  */
static Int failures = -1;

static void open_failures ( void )
{
   struct vg_stat st;
   Int to = DG_(opt).raw_failed == NULL || failures >= 0 ? -1
            : VG_(fd_open)(DG_(opt).raw_failed,
                           VKI_O_WRONLY|VKI_O_NONBLOCK, 0);
   if (to < 0)
      return;
   if (VG_(fstat)(to, &st) == 0 && VKI_S_ISFIFO(st.mode))
      failures = DG_(core_safe_fd)(to);
   else
      VG_(close)(to);
}

static void report_failure ( void )
{
   if (failures >= 0)
      VG_(write)(failures, "", 1);
}

static Int try_open ( const HChar* name, Int flags )
{
   SysRes r = VG_(open)(name, flags, MODE);
   return sr_isError(r) ? -(Int)sr_Err(r) : (Int)sr_Res(r);
}

/* What there is of that name, as far as it may be written to: a descriptor, or
   the error, negative.  */
static Int open_existing ( const HChar* name )
{
   struct vg_stat st;
   Bool shared = is_shared(name);
   Int  there = try_open(name, DG_OPEN_PATH|DG_ARCH_NOFOLLOW);
   if (there < 0)
      return there;
   Bool good = VG_(fstat)(there, &st) == 0 && !(shared && is_planted(&st));
   VG_(close)(there);
   if (!good)
      return -ERR_PLANTED;
   Bool is_link = (st.mode & 0170000) == 0120000;
   there = try_open(name, VKI_O_WRONLY|LARGE_FILE
                          |(is_link ? VKI_O_CREAT : DG_ARCH_NOFOLLOW));
   if (there < 0)
      return there;
   /* It may be another one now.  */
   if (VG_(fstat)(there, &st) != 0
       || (shared && !is_link && is_planted(&st))) {
      VG_(close)(there);
      return -ERR_PLANTED;
   }
   UWord error = VKI_S_ISREG(st.mode) ? DG_(core_truncate)(there, 0) : 0;
   if (error == 0)
      return there;
   /* What it had would follow what is written.  */
   VG_(close)(there);
   return -(Int)error;
}

Bool DG_(out_open) ( const HChar* name, Bool quiet )
{
   open_failures();
   Int opened = try_open(name, VKI_O_CREAT|VKI_O_EXCL|VKI_O_WRONLY
                               |LARGE_FILE);
   Bool made  = opened >= 0;
   if (opened == -VKI_EEXIST)
      opened = open_existing(name);
   if (opened >= 0) {
      opened = DG_(core_safe_fd)(opened);
      if (opened < 0) {
         if (made)
            VG_(unlink)(name);
         opened = -VKI_EMFILE;
      }
   }
   if (opened < 0) {
      if (!quiet)
         VG_(umsg)("Datagrind: cannot create '%s': %s.\n", name,
                   why_text(-opened));
      report_failure();
      return False;
   }
   fd = opened;

   struct vg_stat st;
   seekable = VG_(fstat)(fd, &st) == 0 && VKI_S_ISREG(st.mode);
   note_path();
   if (buffer == NULL)
      buffer = VG_(malloc)("dg.out.buffer", BUFFER_SIZE + SLACK);
   DG_(out_pos) = buffer;
   written     = 0;
   VG_(memset)(&in_file, 0, sizeof in_file);
   marker_at   = 0;
   next_marker = DG_CHUNK_BYTES;
   DG_(clock_start)();
   set_limit();
   return True;
}

/* Instead of a file: nothing below is used then but for the end, which is a
   record, and those go there.  */
Bool DG_(out_open_ring) ( void )
{
   DG_(clock_start)();
   return DG_(ring_attach)();
}

/* Without a word to the file or ring, which belongs to somebody else now.  */
void DG_(out_forget) ( void )
{
   DG_(ring_forget)();
   if (fd >= 0)
      VG_(close)(fd);
   fd = -1;
   DG_(out_pos) = DG_(out_limit) = buffer;
}

/* Writes all of it, or returns the error.  */
static UWord write_all ( const UChar* p, SizeT n )
{
   while (n > 0) {
      Int chunk = n < (1 << 30) ? n : (1 << 30);
      Int r = VG_(write)(fd, p, chunk);
      if (r == -VKI_EINTR)
         continue;
      if (r == -VKI_EAGAIN) {
         struct vki_pollfd pfd = { fd, POLL_OUT, 0 };
         VG_(poll)(&pfd, 1, 100);
         continue;
      }
      if (r <= 0) {
         if (r == -VKI_EPIPE)
            DG_(core_take_back)(VKI_SIGPIPE);
         if (r == -VKI_EFBIG)
            DG_(core_take_back)(VKI_SIGXFSZ);
         return r == 0 ? VKI_ENOSPC : -r;
      }
      p += r;
      n -= r;
   }
   return 0;
}

/* No more records.  What is translated goes on to make runs, which are
   dropped: translations can be discarded only in client requests.  */
static void stop_for_good ( void )
{
   DG_(out_forget)();
   DG_(recording) = False;
}

static void fail ( UWord error )
{
   VG_(umsg)("Datagrind: cannot write the log: %s.  Recording has stopped "
             "after %llu bytes; the program continues.\n", why_text(error),
             written);
   report_failure();
   in_trouble = True;
   DG_(out_pos) = buffer;
   DG_(totals)  = in_file;
   if (seekable && written > 0) {
      DG_(core_truncate)(fd, written);
      DG_(clock_read)();
      DG_(out_end)(DG_END_OUTPUT, 0, False);
   }
   stop_for_good();
   in_trouble = False;
}

void DG_(out_sync) ( void )
{
   SizeT n = DG_(out_pos) - buffer;
   DG_(ring_sync)();
   if (fd < 0 || n == 0)
      return;
   UWord error = write_all(buffer, n);
   if (error != 0) {
      if (!in_trouble)
         fail(error);
      return;
   }
   written += n;
   in_file  = DG_(totals);
   DG_(out_pos) = buffer;
   set_limit();
}

const HChar* DG_(out_name) ( void )
{
   return path[0] == 0 ? NULL : path;
}

static void reached_max_size ( void )
{
   DgRecord* r = VG_(malloc)("dg.out.record", sizeof *r);
   in_trouble = True;
   DG_(out_limit) = buffer + BUFFER_SIZE;
   DG_(rec_begin)(r, DG_R_WINDOW);
   DG_(rec_byte)(r, 0);
   DG_(rec_byte)(r, DG_WINDOW_MAX_SIZE);
   DG_(rec_quad)(r, DG_(totals).icount);
   DG_(rec_write)(r);
   VG_(free)(r);
   DG_(clock_read)();
   DG_(out_end)(DG_END_MAX_SIZE, 0, False);
   stop_for_good();
   in_trouble = False;
}

Bool DG_(out_room) ( SizeT n )
{
   if (fd < 0)
      return False;
   if (LIKELY(DG_(out_limit) - DG_(out_pos) >= (Word)n))
      return True;
   DG_(out_sync)();
   if (fd < 0)
      return False;
   if (DG_(out_limit) - DG_(out_pos) >= (Word)n)
      return True;
   if (!in_trouble)
      reached_max_size();
   return False;
}

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

void DG_(rec_bytes) ( DgRecord* r, const void* p, SizeT n )
{
   if (!DG_(rec_fits)(r, n))
      return;
   VG_(memcpy)(r->bytes + r->n, p, n);
   r->n += n;
}

void DG_(rec_string) ( DgRecord* r, const HChar* s )
{
   DG_(rec_bytes)(r, s, VG_(strlen)(s) + 1);
}

static UChar* in_place_end;

UChar* DG_(rec_in_place) ( UChar type, SizeT n )
{
   SizeT  head = n < DG_LENGTH_EXTENDED ? 2 : 10;
   UChar* p;
   if (DG_(ring_open))
      p = DG_(ring_record)(head + n);
   else
      p = DG_(out_room)(n + 24) ? DG_(out_pos) : NULL;
   if (p == NULL)
      return NULL;
   p[0] = type;
   if (head == 2)
      p[1] = n;
   else
      DG_(put_quad)(DG_(put_byte)(p + 1, DG_LENGTH_EXTENDED), n);
   in_place_end = p + head + n;
   return p + head;
}

void DG_(rec_done) ( const UChar* end )
{
   tl_assert(end == in_place_end);
   if (DG_(ring_open))
      DG_(ring_record_done)();
   else
      DG_(out_pos) = in_place_end;
}

void DG_(rec_write) ( DgRecord* r )
{
   SizeT n = r->n;
   tl_assert(!r->too_long);
   UChar* p = DG_(rec_in_place)(r->type, n);
   if (p == NULL)
      return;
   /* By words, the last one in part for nothing: there is room.  */
   typedef ULong Unaligned __attribute__((aligned(1)));
   for (SizeT i = 0; i < n; i += 8)
      *(Unaligned*)(p + i) = *(const Unaligned*)(r->bytes + i);
   DG_(rec_done)(p + n);
}

/* A place to begin reading, when the last is far.  */
void DG_(out_marker) ( void )
{
   static DgRecord r;
   if (fd < 0 || DG_(out_bytes)() < next_marker)
      return;
   if (!DG_(out_room)(DG_CHUNK_SIZE))
      return;
   ULong here = DG_(out_bytes)();
   DG_(rec_begin)(&r, DG_R_CHUNK);
   DG_(rec_quad)(&r, here - marker_at);
   DG_(rec_quad)(&r, DG_(totals).icount);
   DG_(rec_quad)(&r, DG_(totals).instructions);
   DG_(rec_quad)(&r, DG_(totals).entries);
   DG_(rec_quad)(&r, DG_(totals).runs);
   DG_(rec_quad)(&r, DG_(totals).bbdefs);
   DG_(rec_quad)(&r, DG_(totals).contexts);
   DG_(rec_quad)(&r, DG_(thread_last)());
   DG_(rec_quad)(&r, DG_(recording));
   DG_(rec_write)(&r);
   marker_at   = here;
   next_marker = here + DG_CHUNK_BYTES;
}

/* The end record, written through to the file.  Of what the runs add up to a
   ring's other side knows more than we.  */
void DG_(out_end) ( UChar why, UChar exit_code, Bool and_close )
{
   static DgRecord r;
   DgTotals totals = DG_(totals);
   DgTotals* t = &totals;
   if (DG_(ring_open)) {
      t->icount = t->instructions = t->reads = t->writes = 0;
      t->runs = t->bbdefs = t->contexts = 0;
   } else if (fd >= 0) {
      DG_(out_limit) = buffer + BUFFER_SIZE;
      DG_(out_room)(DG_END_SIZE);
   }
   if (!DG_(out_is_open)())
      return;
   DG_(rec_begin)(&r, DG_R_END);
   DG_(rec_byte)(&r, why);
   DG_(rec_byte)(&r, exit_code);
   DG_(rec_quad)(&r, DG_(ring_open) ? 0 : DG_(out_bytes)() - marker_at);
   DG_(rec_quad)(&r, t->icount);
   DG_(rec_quad)(&r, t->instructions);
   DG_(rec_quad)(&r, t->reads);
   DG_(rec_quad)(&r, t->writes);
   DG_(rec_quad)(&r, t->runs);
   DG_(rec_quad)(&r, t->bbdefs);
   DG_(rec_quad)(&r, t->contexts);
   DG_(rec_quad)(&r, t->heap_allocs);
   DG_(rec_quad)(&r, t->heap_frees);
   DG_(rec_quad)(&r, t->threads);
   DG_(rec_quad)(&r, DG_(node_lost_calls)());
   DG_(rec_bytes)(&r, DG_END_MAGIC, 8);
   tl_assert(r.n == DG_END_PAYLOAD);
   DG_(rec_write)(&r);
   DG_(out_sync)();
   if (and_close) {
      DG_(ring_close)();
      DG_(out_forget)();
   }
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_out.c ---*/
/*--------------------------------------------------------------------*/
