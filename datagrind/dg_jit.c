/*--------------------------------------------------------------------*/
/*--- Datagrind: files in which JITs name code.           dg_jit.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Two kinds of files, which perf made usual: /tmp/perf-PID.map, a text with a
   line for each function (start and size in hexadecimal, and the name), and
   jit-PID.dump, records with the code itself and its lines.  The program is
   seen to open them; then what it adds is read after each of its writes, so
   that names are known when the code first runs, and what is left is read
   when it closes the file, executes another program, forks, or ends.  Agents
   write a map once, late, and perhaps again from its beginning.

   A file that has the name but not the program's user as its owner, or is not
   a regular file, is not read.

   The formats: tools/perf/Documentation/jit-interface.txt and
   jitdump-specification.txt of the Linux sources.  */

#include "dg_arch.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include <elf.h>

typedef struct _File {
   struct _File* next;
   HChar* name;
   Bool   is_map;                /* or a jitdump */
   Bool   is_bad;                /* nothing more is read */
   Int    fd;                    /* our own; -1: not open */
   ULong  ino;
   ULong  done;                  /* bytes */
   ULong  size;                  /* when it was read last */
   ULong  skipped;               /* lines or records that are none */
} File;

/* The program's descriptors of such files.  */
typedef struct { Int fd; File* file; } Open;

#define MOST_OPEN   16
#define MOST_FILES  64

static File* files;
static UInt  n_files;
static Open  open_fds[MOST_OPEN];
static UInt  n_open;

/* Names that are passed on together.  */
#define MOST_NAMES  1024
static DgCodeName names[MOST_NAMES];
static UInt       n_names;

/*------------------------------------------------------------*/
/*--- Perf maps                                            ---*/
/*------------------------------------------------------------*/

#define MAP_BUFFER  65536

static Bool parse_hex ( const HChar** p, ULong* n )
{
   UInt digits = 0;
   *n = 0;
   if ((*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X'))
      *p += 2;
   for (;; (*p)++) {
      HChar c = **p;
      UInt  d = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
      if (d == 16)
         break;
      *n = *n << 4 | d;
      digits++;
   }
   return digits > 0 && digits <= 2 * sizeof(UWord);
}

static void complain ( File* f, const HChar* what, ULong at )
{
   if (f->skipped++ == 0)
      VG_(umsg)("Datagrind: %s: %s at offset %llu: ignored.\n", f->name, what,
                at);
}

static Bool parse_line ( const HChar* line, DgCodeName* c )
{
   ULong start, size;
   VG_(memset)(c, 0, sizeof *c);
   if (!parse_hex(&line, &start) || *line != ' ')
      return False;
   while (*line == ' ')
      line++;
   if (!parse_hex(&line, &size) || *line != ' ')
      return False;
   while (*line == ' ')
      line++;
   c->start = start;
   c->size  = size;
   c->name  = line;
   c->what  = DG_CODE_MAP;
   return *line != 0;
}

static void pass_names ( void )
{
   DG_(code_names)(names, n_names);
   n_names = 0;
}

/* The lines of text that are whole.  Returns their bytes.  */
static UInt take_lines ( File* f, HChar* text, UInt n )
{
   UInt at = 0;
   for (UInt i = 0; i < n; i++) {
      if (text[i] != '\n')
         continue;
      text[i] = 0;
      if (i > at) {
         if (!parse_line(text + at, &names[n_names]))
            complain(f, "a line that is not 'START SIZE NAME'", f->done + at);
         else if (++n_names == MOST_NAMES)
            pass_names();
      }
      at = i + 1;
   }
   pass_names();
   return at;
}

static void read_map ( File* f, ULong size )
{
   static HChar text[MAP_BUFFER];
   while (f->done < size) {
      Int n = VG_(lseek)(f->fd, f->done, VKI_SEEK_SET) == (Off64T)f->done
              ? VG_(read)(f->fd, text, MAP_BUFFER) : -1;
      if (n <= 0)
         break;
      if (text[0] == 0) {
         /* A hole, which can be larger than any disk.  */
         complain(f, "bytes that are not text, with all behind them,",
                  f->done);
         f->is_bad = True;
         break;
      }
      UInt taken = take_lines(f, text, n);
      if (taken == 0 && n == MAP_BUFFER) {
         /* A name longer than any that is kept.  */
         complain(f, "a line that is too long", f->done);
         taken = n;
      }
      if (taken == 0)
         break;                  /* a line that is being written */
      f->done += taken;
   }
}

/*------------------------------------------------------------*/
/*--- jitdump                                              ---*/
/*------------------------------------------------------------*/

#define DUMP_MAGIC    0x4A695444u
#define DUMP_SWAPPED  0x4454694Au
#define MOST_RECORD   (64u << 20)
#define MOST_HELD     (64u << 20)
#define MOST_ENTRIES  100000

typedef struct {
   UInt  magic, version, total_size, elf_mach, pad, pid;
   ULong timestamp, flags;
} DumpHeader;

typedef struct { UInt id, total_size; ULong timestamp; } DumpHead;

enum { DUMP_LOAD = 0, DUMP_MOVE = 1, DUMP_DEBUG = 2 };

/* What is kept until the names are passed on.  */
static void* held[MOST_NAMES * 2 + 2];
static UInt  n_held;
static ULong held_bytes;

/* Lines of the next function.  */
static DgCodeLine*  lines;
static UInt         n_lines;
static Addr         lines_of;
static ULong        lines_at;    /* offset of their record */
static const HChar* lines_file;

static void hold ( void* p, ULong n )
{
   held[n_held++] = p;
   held_bytes += n;
}

static void pass_dump ( void )
{
   pass_names();
   while (n_held > 0)
      VG_(free)(held[--n_held]);
   held_bytes = 0;
   lines    = NULL;
   n_lines  = 0;
   lines_of = 0;
}

static ULong quad_at ( const UChar* p )
{
   ULong n;
   VG_(memcpy)(&n, p, sizeof n);
   return n;
}

/* A string that ends before `end`, and how many bytes it takes with its NUL; 0
   if it does not.  */
static UInt string_size ( const UChar* p, const UChar* end )
{
   for (const UChar* q = p; q < end; q++)
      if (*q == 0)
         return q - p + 1;
   return 0;
}

/* pid, tid; vma, address, size, index; name; code.  */
static Bool take_load ( UChar* p, UChar* end )
{
   DgCodeName* c = &names[n_names];
   if (end - p < 40)
      return False;
   UInt name = string_size(p + 40, end);
   VG_(memset)(c, 0, sizeof *c);
   c->start = quad_at(p + 16);
   c->size  = quad_at(p + 24);
   c->name  = (const HChar*)p + 40;
   c->what  = DG_CODE_DUMP;
   if (name == 0 || (ULong)(end - p) - 40 - name < c->size)
      return False;
   c->bytes = p + 40 + name;
   if (lines_of == c->start) {
      c->file    = lines_file;
      c->lines   = lines;
      c->n_lines = n_lines;
   }
   n_lines  = 0;
   lines_of = 0;
   n_names++;
   return True;
}

/* pid, tid; vma, old address, new one, size, index.  */
static Bool take_move ( const UChar* p, const UChar* end )
{
   if (end - p < 48)
      return False;
   Addr  from = quad_at(p + 16);
   SizeT size = quad_at(p + 32);
   pass_names();
   const HChar* name = DG_(code_name_at)(from);
   if (name == NULL)
      return True;
   DgCodeName* c = &names[n_names++];
   HChar*   copy = VG_(strdup)("dg.jit.name", name);
   VG_(memset)(c, 0, sizeof *c);
   c->start = quad_at(p + 24);
   c->size  = size;
   c->name  = copy;
   c->what  = DG_CODE_DUMP;
   DG_(code_forget)(from, size);
   pass_names();
   VG_(free)(copy);
   return True;
}

/* Address, number of entries; for each its address, line, discriminator and
   file, or "\xff" for the same one again.  Lines of other files, which are
   inlined, are those of the calls.  */
static Bool take_debug ( const UChar* p, const UChar* end )
{
   if (end - p < 16)
      return False;
   ULong n = quad_at(p + 8);
   lines_of   = quad_at(p);
   lines_file = NULL;
   n_lines    = 0;
   if (n > MOST_ENTRIES || n > (ULong)(end - p) / 17)
      return False;
   lines = VG_(malloc)("dg.jit.lines", (n + 1) * sizeof *lines);
   hold(lines, n * sizeof *lines);
   p += 16;
   Bool is_main = True;
   for (ULong i = 0; i < n; i++) {
      if (end - p < 17)
         return False;
      UInt line;
      Addr a = quad_at(p);
      VG_(memcpy)(&line, p + 8, sizeof line);
      const HChar* file = (const HChar*)p + 16;
      UInt         size = string_size(p + 16, end);
      if (size == 0)
         return False;
      if (!((UChar)file[0] == 0xff && file[1] == 0)) {
         if (lines_file == NULL)
            lines_file = file;
         is_main = VG_(strcmp)(file, lines_file) == 0;
      }
      if (is_main && (n_lines == 0 || a > lines[n_lines - 1].addr)) {
         lines[n_lines].addr = a;
         lines[n_lines].line = line;
         n_lines++;
      }
      p += 16 + size;
   }
   return True;
}

static Bool take_record ( const DumpHead* h, UChar* p, UChar* end )
{
   switch (h->id) {
      case DUMP_LOAD:  return take_load(p, end);
      case DUMP_MOVE:  return take_move(p, end);
      case DUMP_DEBUG: return take_debug(p, end);
      default:         return True;
   }
}

static Bool read_at ( const File* f, ULong at, void* to, Int n )
{
   return VG_(lseek)(f->fd, at, VKI_SEEK_SET) == (Off64T)at
          && VG_(read)(f->fd, to, n) == n;
}

/* False: it is not a jitdump of this program, or not yet.  */
static Bool read_dump_header ( File* f, ULong size )
{
   DumpHeader  h;
   const HChar* wrong = NULL;
   if (size < sizeof h || !read_at(f, 0, &h, sizeof h))
      return False;
   if (h.magic == DUMP_SWAPPED)
      wrong = "it has another byte order";
   else if (h.magic != DUMP_MAGIC)
      wrong = "it is not a jitdump file";
   else if (h.version != 1)
      wrong = "its version is not 1";
   else if (h.elf_mach != DG_ARCH_MACHINE)
      wrong = "it is of another machine";
   else if (h.total_size < sizeof h)
      wrong = "its header is too short";
   if (wrong != NULL) {
      VG_(umsg)("Datagrind: %s: %s: ignored.\n", f->name, wrong);
      f->is_bad = True;
      return False;
   }
   f->done = h.total_size;
   return True;
}

static void read_dump ( File* f, ULong size )
{
   DumpHead h;
   if (f->done == 0 && !read_dump_header(f, size))
      return;
   while (f->done + sizeof h <= size && read_at(f, f->done, &h, sizeof h)) {
      if (h.total_size < sizeof h || h.total_size > MOST_RECORD) {
         complain(f, "a record of an impossible size, with all behind it,",
                  f->done);
         f->is_bad = True;
         break;
      }
      if (size - f->done < h.total_size)
         break;                  /* it is being written */
      UInt   n = h.total_size - sizeof h;
      UChar* p = VG_(malloc)("dg.jit.record", n + 1);
      hold(p, n);
      if (!read_at(f, f->done + sizeof h, p, n))
         break;
      if (!take_record(&h, p, p + n)) {
         complain(f, "a damaged record", f->done);
         lines_of = 0;
      }
      if (h.id == DUMP_DEBUG)
         lines_at = f->done;
      f->done += h.total_size;
      if (n_names == MOST_NAMES || n_held >= 2 * MOST_NAMES
          || (held_bytes > MOST_HELD && lines_of == 0))
         pass_dump();
   }
   /* Lines whose function is still to come are read again then.  */
   if (lines_of != 0)
      f->done = lines_at;
   pass_dump();
}

/*------------------------------------------------------------*/
/*--- Files                                                ---*/
/*------------------------------------------------------------*/

static void close_file ( File* f )
{
   if (f->fd >= 0)
      VG_(close)(f->fd);
   f->fd = -1;
}

/* A link, a pipe, or another user's file is not what the program writes; nor is
   what has another name, by which others may have brought it there.  */
static Bool open_file ( File* f )
{
   struct vg_stat st;
   if (f->fd >= 0)
      return True;
   Int fd = VG_(fd_open)(f->name, VKI_O_RDONLY | DG_ARCH_NOFOLLOW
                                  | VKI_O_NONBLOCK, 0);
   if (fd < 0)
      return False;
   if (VG_(fstat)(fd, &st) != 0 || !VKI_S_ISREG(st.mode) || st.nlink != 1
       || st.uid != (UInt)VG_(geteuid)()) {
      VG_(close)(fd);
      return False;
   }
   f->fd = DG_(core_safe_fd)(fd);
   if (f->fd < 0)
      return False;
   if (f->ino != st.ino) {
      f->done   = 0;
      f->is_bad = False;
   }
   f->ino = st.ino;
   return True;
}

/* What is new in it.  One that is shorter than it was has been written
   again.  */
static void read_file ( File* f )
{
   struct vg_stat st;
   if (!DG_(out_is_open)() || !open_file(f) || VG_(fstat)(f->fd, &st) != 0)
      return;
   if ((ULong)st.size < f->size) {
      f->done   = 0;
      f->is_bad = False;
   }
   f->size = st.size;
   if (f->is_bad)
      return;
   if (f->is_map)
      read_map(f, st.size);
   else
      read_dump(f, st.size);
}

static File* find_file ( const HChar* name, Bool is_map )
{
   for (File* f = files; f != NULL; f = f->next)
      if (VG_(strcmp)(f->name, name) == 0)
         return f;
   if (n_files == MOST_FILES)
      return NULL;
   File* f = VG_(calloc)("dg.jit.file", 1, sizeof(File));
   f->name   = VG_(strdup)("dg.jit.name", name);
   f->is_map = is_map;
   f->fd     = -1;
   f->next   = files;
   files     = f;
   n_files++;
   return f;
}

static void map_name ( HChar* name )
{
   VG_(sprintf)(name, "/tmp/perf-%d.map", VG_(getpid)());
}

/* The file of that name, if it is one in which code of this process is
   named.  */
static File* file_named ( const HChar* name )
{
   HChar map[64], dump[64];
   map_name(map);
   VG_(sprintf)(dump, "jit-%d.dump", VG_(getpid)());
   if (VG_(strcmp)(name, map) == 0)
      return find_file(name, True);
   if (VG_(strcmp)(VG_(basename)(name), dump) == 0)
      return find_file(name, False);
   return NULL;
}

static Bool may_be ( Addr name )
{
   SizeT n;
   HChar end[6];
   if (!DG_(core_length)(name, VKI_PATH_MAX, &n) || n < 5
       || !DG_(core_copy)(end, name + n - 5, 5))
      return False;
   end[5] = 0;
   return VG_(strcmp)(end + 1, ".map") == 0 || VG_(strcmp)(end, ".dump") == 0;
}

/* The program has opened a file under that name.  */
void DG_(jit_opened) ( Int fd, Addr name )
{
   HChar link[64], path[VKI_PATH_MAX];
   if (!may_be(name))
      return;
   VG_(sprintf)(link, "/proc/self/fd/%d", fd);
   SSizeT n = VG_(readlink)(link, path, sizeof path - 1);
   if (n <= 0)
      return;
   path[n] = 0;
   File* f = file_named(path);
   if (f == NULL)
      return;
   close_file(f);                /* it may be another one now */
   UInt i = 0;
   while (i < n_open && open_fds[i].fd != fd && open_fds[i].file != f)
      i++;
   if (i < MOST_OPEN) {
      open_fds[i].fd   = fd;
      open_fds[i].file = f;
      if (i == n_open)
         n_open++;
   }
   read_file(f);                 /* which may be empty again */
}

/* Writers of jitdump files map them, so that perf sees their names.  */
void DG_(jit_mapped) ( Addr a )
{
   NSegment const* seg  = VG_(am_find_nsegment)(a);
   const HChar*    name = seg != NULL && seg->kind == SkFileC
                          ? VG_(am_get_filename)(seg) : NULL;
   if (name != NULL)
      file_named(name);
}

void DG_(jit_written) ( Int fd )
{
   for (UInt i = 0; i < n_open; i++)
      if (open_fds[i].fd == fd)
         read_file(open_fds[i].file);
}

void DG_(jit_closed) ( Int fd )
{
   for (UInt i = 0; i < n_open; i++)
      if (open_fds[i].fd == fd) {
         File* f = open_fds[i].file;
         open_fds[i] = open_fds[--n_open];
         read_file(f);
         return;
      }
}

/* A map that nobody was seen to open, as one that an agent's other name for
   the folder leads to.  It must have been written since the program began:
   there was perhaps another one with this number.  */
static void look_for_map ( void )
{
   struct vg_stat st;
   HChar name[64];
   map_name(name);
   SysRes r = VG_(stat)(name, &st);
   if (!sr_isError(r) && st.mtime * 1000000000 + st.mtime_nsec
                         >= DG_(process_began)())
      find_file(name, True);
}

void DG_(jit_read_all) ( void )
{
   look_for_map();
   for (File* f = files; f != NULL; f = f->next) {
      close_file(f);             /* another one may have its name now */
      read_file(f);
   }
}

/* A child has another number, and will have files of its own.  */
void DG_(jit_forked) ( void )
{
   while (files != NULL) {
      File* f = files;
      files = f->next;
      close_file(f);
      VG_(free)(f->name);
      VG_(free)(f);
   }
   n_files = n_open = 0;
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_jit.c ---*/
/*--------------------------------------------------------------------*/
