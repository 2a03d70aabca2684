/* dg_symbols.h: names for addresses: functions, lines, variables, types.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_SYMBOLS_H
#define LIBDATAGRIND_SYMBOLS_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dg_symbols;

/* Names for a log's code.  Opens debug files only when they are first
   needed.  `source_paths`, NULL-terminated, may be NULL: pairs "FROM=TO" by
   which the names of source files are mapped.  */
DG_API struct dg_symbols *dg_symbols_new (const struct dg_log *log,
                                          const char *const *source_paths,
                                          struct dg_error *err);
DG_API void dg_symbols_free (struct dg_symbols *symbols);

/* One place in the source; inlined calls make several for one address.
   Strings are interned: equal names have equal pointers, and they live as
   long as the dg_symbols.  NULL when unknown.  */
struct dg_frame {
  const char *function;   /* demangled */
  const char *file;       /* of the source, full when the debug info has it */
  const char *module;     /* path of the executable or library */
  uint64_t module_offset; /* address minus bias, 0 without module */
  uint32_t line, column;  /* from 1; 0 unknown */
  bool inlined;           /* into the frame that follows it */
};

/* The frames of a code address (for a call site: as it is in a stack),
   the innermost inlined one first, the real function last.  icount picks
   the module loaded then.  Writes up to max >= 1 and returns the number, at
   least 1.  Code of no module, as what a compiler makes while the program
   runs, has one frame with nothing but perhaps a function: "code in pages from
   f (file.c:12)", or "code in file x", if the log says who mapped its
   address.
   Threads: locks by itself; repeated look-ups are cached.  */
DG_API size_t dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                                 uint64_t icount, struct dg_frame *out,
                                 size_t max);

/* "name+0x12" of the data symbol that covers an address (a global or static
   variable), or NULL.  *offset and *size receive its place in the symbol and
   the symbol's size; either may be NULL.  Knows the symbol table only; see
   dg_symbols_data.  */
DG_API const char *dg_symbols_variable (struct dg_symbols *symbols,
                                        uint64_t address, uint64_t icount,
                                        uint64_t *offset, uint64_t *size);

/* What lies at a byte of something whose type is known: the innermost member
   or element there.  Strings are interned, as those of frames.  */
struct dg_field {
  const char *path;      /* from the whole: "[12].pos.x"; "" is the whole */
  const char *type;      /* of the field: "struct node *", or
                            "unsigned int : 3" of a bit-field */
  const char *also;      /* other members of the same bytes, as in unions:
                            "f, bytes"; NULL: none */
  const char *holder;    /* the type whose member it is: "struct node" */
  const char *member;    /* and its name there: "next"; both NULL when the
                            path leads through no member */
  uint64_t offset, size; /* of the field in the whole, in bytes */
  uint64_t within;       /* of the byte in the field */
  bool is_padding;       /* `path` has members, but the byte is of none */
};

/* A global or static variable.  NULL and 0 when unknown.  */
struct dg_variable {
  const char *name; /* "ns::table", or "function::counter" */
  const char *type;
  const char *file;   /* where it is declared */
  const char *module; /* path of the executable or library */
  uint32_t line;
  uint64_t address, size; /* in the memory of the program; bytes */
  uint64_t offset;        /* of the byte asked about */
  bool has_field;
  struct dg_field field;
  uint32_t thread; /* whose copy it is; 0: it is the same for all */
  bool is_section; /* no variable: see below */
  uint64_t until;  /* of a section: it is the answer for all addresses
                      from the one asked about up to here */
};

/* The variable over an address, from the debug information or else from the
   symbol table, and what of it is there.  access_size: of the access that is
   meant, which picks among the members of unions; or 0.  Data that are not
   a variable's, such as the linker's tables, are named by their section
   ("libc.so.6 .got"), those of Valgrind's own library in the program all
   alike.  False: none.
   Threads: as dg_symbols_frames.  */
DG_API bool dg_symbols_data (struct dg_symbols *symbols, uint64_t address,
                             uint64_t icount, uint32_t access_size,
                             struct dg_variable *out);

/* A type that debug information describes.  Belongs to the dg_symbols.  */
struct dg_type;

/* The type with a name as programs give it to DATAGRIND_TRACK_RANGE: the name
   of a struct, union, class, enum, typedef or base type, with or without the
   keyword, the namespaces and the template arguments that have defaults;
   perhaps const or volatile, followed by * or & or bounds:
   "struct node", "ns::node", "unsigned long", "std::vector<int>", "double *",
   "int[4][3]", "struct point [100]".  NULL: there is none.  It is looked for
   in the debug information of the program itself and then of its libraries,
   as far as that is on this machine; the first definition counts.  Answers
   are cached.  */
DG_API const struct dg_type *dg_symbols_type (struct dg_symbols *symbols,
                                              const char *name);
/* As it was asked for, in the library's spelling, interned.  */
DG_API const char *dg_type_name (const struct dg_type *type);
/* Bytes; 0 when unknown.  */
DG_API uint64_t dg_type_size (const struct dg_type *type);

/* What lies at byte `offset` of `total` bytes that hold one such thing or, if
   they are more than one needs, an array of them.  total 0: one.
   access_size: as above.  False if that is outside.  */
DG_API bool dg_symbols_field (struct dg_symbols *symbols,
                              const struct dg_type *type, uint64_t total,
                              uint64_t offset, uint32_t access_size,
                              struct dg_field *out);

/* Whether names at that address have to be waited for, as somebody else is
   just opening the module's debug information, which can come from a
   server.  */
DG_API bool dg_symbols_is_busy (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount);

/* Why files that were asked for gave no names, one line for each, such as
   "/lib/libx.so: changed since it was recorded (another build-id): no names".
   NULL when index is past the last.  */
DG_API const char *dg_symbols_problem (struct dg_symbols *symbols,
                                       size_t index);
/* Whether that is about a library that Valgrind puts into every program.  With
   each build of Valgrind it is another file, and nobody looks for their own
   code there: it is not worth a warning.  */
DG_API bool dg_symbols_problem_is_of_valgrind (struct dg_symbols *symbols,
                                               size_t index);

/* Functions that allocate for their callers.  */
struct dg_allocators;

/* Those of C, C++ and Valgrind, and, unless path is NULL, those of a file: a
   line "NAME NUMBER SIZE ADDRESS" for each (see dg(1)).  NULL and *err, which
   names the file and the line: DG_ERR_IO, DG_ERR_INVALID.  */
DG_API struct dg_allocators *dg_allocators_new (const char *path,
                                                struct dg_error *err);
DG_API void dg_allocators_free (struct dg_allocators *allocators);

/* Whether it is not this frame that wants the memory, but its caller: of an
   allocator, of what Valgrind puts in its place, and of what the C++ library
   has around them.  */
DG_API bool dg_frame_is_allocator (const struct dg_allocators *allocators,
                                   const struct dg_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SYMBOLS_H */
