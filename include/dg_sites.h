/* dg_sites.h: which place in a program wants memory, and which code is its
   author's own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   What allocates is called by what wants memory for others (malloc by operator
   new, by std::allocator, by std::vector), and much of that is inlined.  The
   site of a block is the innermost frame of its stack that is not an allocator
   (dg_frame_is_allocator): all commands, and dg_view, name blocks by it.  */

#ifndef LIBDATAGRIND_SITES_H
#define LIBDATAGRIND_SITES_H

#include "dg_symbols.h"
#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Whose code it is ------------------------------------------------- */

/* Distinguishes a program's own code from libraries; read-only once made, so
   that any thread may ask it.  The log must outlive it.  */
struct dg_mine;

enum dg_mine_what {
  /* All but sources that the system has: below /usr/include, /usr/lib and
     /usr/local/include, in a folder include/c++, of Rust's library (/rustc,
     /rust/deps, rustlib/src).  Without a source file: all but functions of std
     and __gnu_cxx, of Rust's crates std, core and alloc, and allocators that
     are always known.  */
  DG_MINE_SOURCES = 0,
  /* Of that, what is in the program itself, and in no library that was loaded
     with it.  */
  DG_MINE_PROGRAM = 1
};

/* NULL when memory is short.  */
DG_API struct dg_mine *dg_mine_new (const struct dg_log *log,
                                    enum dg_mine_what what,
                                    struct dg_error *err);
DG_API void dg_mine_free (struct dg_mine *mine);
DG_API bool dg_mine_has (const struct dg_mine *mine,
                         const struct dg_frame *frame);

/* The path of the module that is the program itself, as the log has it for its
   modules: that of the executable if one of them is called so, perhaps through
   symbolic links or relative to where it was started; else the first that was
   loaded.  NULL: there is none.  */
DG_API const char *dg_log_program (const struct dg_log *log);

/* ---- Allocators ------------------------------------------------------- */

/* One more, by its name, with or without parameters.  Before they are
   used.  */
DG_API void dg_allocators_add (struct dg_allocators *allocators,
                               const char *name);

/* ---- Sites ------------------------------------------------------------ */

/* Whether the stacks of what such an enum dg_allocator allocates or frees
   begin within that function; else, as of client requests, in the code that
   made the request.  */
DG_API bool dg_site_is_call (uint8_t allocator);

/* Sites of a log that share a line of a function, as in "a = malloc (1);
   b = malloc (2);": these, and only these, are distinguished by columns,
   and calls that have the same column, as within a macro, or none, by a number
   in the order of their addresses.  What is inlined in several places is still
   one.  Sites of functions of one name, on the same line of files of one name,
   are distinguished by folders ("a/x.c:12").
   It belongs to one struct dg_site_options with symbols, whose other members
   stay as they are, and is made when that is first asked; any thread. levels:
   frames of a stack that are shown; callers on one line are distinguished.
   The log must outlive it.  Never NULL.  */
struct dg_site_lines;
DG_API struct dg_site_lines *dg_site_lines_new (const struct dg_log *log,
                                                uint32_t levels);
/* NULL is fine.  */
DG_API void dg_site_lines_free (struct dg_site_lines *lines);

struct dg_site_options {
  size_t size; /* sizeof (struct dg_site_options) */
  const struct dg_allocators *allocators;  /* NULL: those always known */
  struct dg_symbols *symbols;          /* NULL: nothing has a name */
  const struct dg_mine *mine;          /* NULL, or what sites have to be of */
  bool has_inlined;        /* begin with the innermost frame of the site's
                              address, though it is of a library */
  struct dg_site_lines *lines;         /* NULL: not distinguished */
  bool is_plain;           /* code of no module has its address only */
};

struct dg_site_frame {
  struct dg_frame frame;
  uint64_t address;        /* as it is in the stack */
  uint32_t index;          /* in the stack */
  uint32_t depth;          /* among the frames of that address: 0 is the
                              innermost, others have it inlined */
  uint32_t column, call;   /* which of its line it is, if there are several;
                              0: that need not be shown */
  uint32_t folders;        /* of its file's path, that have to be shown */
};

/* The frames of a stack from its site on, outwards up to main, inlined ones
   each for itself: their number, at most max >= 1.  The first is the innermost
   one that is not an allocator and, if that matters, is mine; without one
   that is, the innermost that is not one; of allocators alone, the
   outermost.  is_call: the stack begins within a function that allocates or
   frees, which is not a site, if its name is not known, unless it is all there
   is.  0: the stack is
   empty (or the size of the options is wrong).  */
DG_API size_t dg_site_frames (const struct dg_site_options *how,
                              const struct dg_stack *stack, uint64_t icount,
                              bool is_call, struct dg_site_frame *out,
                              size_t max);

/* "build (tree.cc:12)", or as much of it as is known, of n frames that are
   joined by " < ".  Of several on a line "build (tree.cc:12:7)", "build
   (tree.cc:12, call 2)".  To be freed with free; never NULL.  */
DG_API char *dg_site_text (const struct dg_site_frame *frames, size_t n);
/* "tree.cc:12", and so on; "" if the file is not known.  */
DG_API char *dg_site_where (const struct dg_site_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SITES_H */
