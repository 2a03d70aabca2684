/* dg_sites.h: allocation sites of call stacks; own code of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Allocators are often called by other allocators (malloc by operator new, by
   std::allocator, by std::vector), many of them inlined.  The site of a block
   is the innermost frame of its stack that is not an allocator
   (dg_frame_is_allocator).  All commands, and dg_view, name blocks by their
   site.  */

#ifndef LIBDATAGRIND_SITES_H
#define LIBDATAGRIND_SITES_H

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Own code --------------------------------------------------------- */

/* Distinguishes a program's own code from libraries.  Read-only once made: any
   thread may use it.  The log must outlive it.  */
struct dg_mine;

enum dg_mine_what {
  /* All code from source files, except below /usr/include, /usr/lib and
     /usr/local/include, in a folder include/c++, or of Rust's library (/rustc,
     /rust/deps, rustlib/src).  Without a source file: all except functions of
     std and __gnu_cxx, of Rust's crates std, core and alloc, and built-in
     allocators.  */
  DG_MINE_SOURCES = 0,
  /* The code of these that is in the program itself, not in libraries.  */
  DG_MINE_PROGRAM = 1,
  /* Functions of scripts (DG_SCRIPT_MODULE), not their interpreter.  */
  DG_MINE_SCRIPT = 2
};

/* NULL if there is not enough memory.  */
DG_API struct dg_mine *dg_mine_new (const struct dg_log *log,
                                    enum dg_mine_what what,
                                    struct dg_error *err);
DG_API void dg_mine_free (struct dg_mine *mine);
DG_API bool dg_mine_has (const struct dg_mine *mine,
                         const struct dg_frame *frame);

/* The path of the module that is the program itself, as in the log's modules:
   that of the executable if there is a module with this name, perhaps through
   symbolic links or relative to where it was started; otherwise the first
   loaded module.  NULL: none.  */
DG_API const char *dg_log_program (const struct dg_log *log);

/* Whether a module, given by its path, is one that processes have whatever the
   program does: the C and C++ libraries, the dynamic linker, the runtime
   libraries of compilers, and the recorder's.  */
DG_API bool dg_module_is_runtime (const char *module);

/* ---- Allocators ------------------------------------------------------- */

/* Adds an allocator by its name, with or without parameters.  Must be called
   before the allocators are used.  */
DG_API void dg_allocators_add (struct dg_allocators *allocators,
                               const char *name);

/* ---- Sites ------------------------------------------------------------ */

/* Whether stacks of allocations and frees by this enum dg_allocator begin in
   the function itself.  Otherwise, as for client requests, they begin in the
   code that made the request.  */
DG_API bool dg_site_is_call (uint8_t allocator);

/* Sites of a log that share a line of a function, as in "a = malloc (1); b =
   malloc (2);".  Only these are distinguished: by columns, or, if calls have
   the same column, as within a macro, or none, by a number in the order of
   their addresses.  Calls inlined in several places are one site.  Sites of
   functions with the same name, on the same line of files with the same name,
   are distinguished by folders ("a/x.c:12").  It belongs to one struct
   dg_site_options with symbols, whose other members must not change, and is
   filled by the first query; any thread. levels: number of frames of a stack
   that are shown; callers on one line are distinguished.  The log must outlive
   it.  Never NULL.  */
struct dg_site_lines;
DG_API struct dg_site_lines *dg_site_lines_new (const struct dg_log *log,
                                                uint32_t levels);
/* NULL is fine.  */
DG_API void dg_site_lines_free (struct dg_site_lines *lines);

struct dg_site_options {
  size_t size; /* sizeof (struct dg_site_options) */
  const struct dg_allocators *allocators;  /* NULL: the built-in ones */
  struct dg_symbols *symbols;          /* NULL: no names */
  const struct dg_mine *mine;          /* NULL; else sites must be own code */
  bool has_inlined;        /* begin with the innermost frame of the site's
                              address, even if it is library code */
  struct dg_site_lines *lines;         /* NULL: not distinguished */
  bool is_plain;           /* code outside of modules is shown as address */
};

struct dg_site_frame {
  struct dg_frame frame;
  uint64_t address;        /* as in the stack */
  uint32_t index;          /* in the stack */
  uint32_t depth;          /* among the frames of this address: 0 is the
                              innermost, inlined into the others */
  uint32_t column, call;   /* distinguishes sites on one line; 0: not needed */
  uint32_t folders;        /* number of folders of its file to show */
};

/* Whether a block belongs to the runtime libraries (dg_module_is_runtime) and
   is never freed by them: one allocated before main or by no code of the
   program, such as the memory that exceptions have in reserve; or a buffer of
   stdio.  Threads: as dg_symbols_frames.  */
DG_API bool dg_stack_is_runtime (struct dg_symbols *symbols,
                                 const struct dg_stack *stack,
                                 uint64_t icount);

/* The frames of a stack from its site outwards up to main, including inlined
   ones.  Returns their number, at most max >= 1.  The first is the innermost
   frame that is not an allocator and, if `mine` is set, is own code; if there
   is none, the innermost one that is not an allocator; if all are allocators,
   the outermost. is_call: the stack begins in a function that allocates or
   frees, which is not a site if its name is unknown, unless it is the only
   frame.  0: the stack is empty (or the size of the options is wrong).  */
DG_API size_t dg_site_frames (const struct dg_site_options *how,
                              const struct dg_stack *stack, uint64_t icount,
                              bool is_call, struct dg_site_frame *out,
                              size_t max);

/* "build (tree.cc:12)", or the known part of it, for n frames, joined by " <
   ".  For several sites on a line "build (tree.cc:12:7)", "build (tree.cc:12,
   call 2)".  To be freed with free; never NULL.  */
DG_API char *dg_site_text (const struct dg_site_frame *frames, size_t n);
/* "tree.cc:12" and so on; "" if the file is unknown.  */
DG_API char *dg_site_where (const struct dg_site_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SITES_H */
