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

/* Names for the code of a log.  Debug files are opened when they are first
   needed.  `source_paths`, NULL-terminated, may be NULL: pairs "FROM=TO" that
   translate names of source files.  */
DG_API struct dg_symbols *dg_symbols_new (const struct dg_log *log,
                                          const char *const *source_paths,
                                          struct dg_error *err);
DG_API void dg_symbols_free (struct dg_symbols *symbols);

/* One location in the source; inlined calls give several for one address.
   Strings are interned: equal names have equal pointers, valid as long as the
   dg_symbols.  NULL if unknown.  */
struct dg_frame {
  const char *function;   /* demangled */
  const char *file;       /* of the source, absolute if known */
  const char *module;     /* path of the executable or library, or one of
                             the two below */
  uint64_t module_offset; /* address minus bias, or since the function
                             begins; 0 without module */
  uint32_t line, column;  /* from 1; 0 unknown */
  bool inlined;           /* into the next frame */
};

/* The module of code that is in no file, but was named by the program, and of
   functions of scripts, which are named "py:NAME" and so on.  */
#define DG_JIT_MODULE    "[JIT]"
#define DG_SCRIPT_MODULE "[script]"

/* The frames of a code address (of a call site, as in a stack), the innermost
   inlined one first, the function itself last. icount selects the module that
   was loaded then.  Writes at most max >= 1 and returns the number, at least
   1.  Code outside of modules, such as that of a JIT compiler, has one frame:
   with what the program said it is, or with nothing but perhaps a function:
   "code in pages from f (file.c:12)", or "code in file x", if the log contains
   who mapped it.
   Threads: locks internally; repeated look-ups are cached.  */
DG_API size_t dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                                 uint64_t icount, struct dg_frame *out,
                                 size_t max);

/* "name+0x12": the data symbol that contains an address (a global or static
   variable), or NULL. *offset and *size receive the offset in the symbol and
   its size; either may be NULL. Uses the symbol table only; see
   dg_symbols_data.  */
DG_API const char *dg_symbols_variable (struct dg_symbols *symbols,
                                        uint64_t address, uint64_t icount,
                                        uint64_t *offset, uint64_t *size);

/* The innermost member or element at a byte of an object with a known type.
   Strings are interned, like those of frames.  */
struct dg_field {
  const char *path;      /* from the object: "[12].pos.x"; "": the object */
  const char *type;      /* of the field: "struct node *", or
                            "unsigned int : 3" of a bit-field */
  const char *also;      /* other members at these bytes, as in unions:
                            "f, bytes"; NULL: none */
  const char *holder;    /* the type whose member it is: "struct node" */
  const char *member;    /* and its name there: "next"; both NULL if the
                            path has no member */
  uint64_t offset, size; /* of the field in the object, in bytes */
  uint64_t within;       /* of the byte in the field */
  bool is_padding;       /* `path` has members, but none has this byte */
};

/* A global or static variable.  NULL and 0 if unknown.  */
struct dg_variable {
  const char *name; /* "ns::table", or "function::counter" */
  const char *type;
  const char *file;   /* where it is declared */
  const char *module; /* path of the executable or library */
  uint32_t line;
  uint64_t address, size; /* in the memory of the program; bytes */
  uint64_t offset;        /* of the requested byte */
  bool has_field;
  struct dg_field field;
  uint32_t thread; /* of a thread-local copy; 0: not thread-local */
  bool is_section; /* not a variable: see below */
  uint64_t until;  /* of a section: the result is the same for all
                      addresses up to here */
};

/* The variable that contains an address, and its field there, from the debug
   information or else from the symbol table. access_size: of the access, which
   selects among the members of unions; or 0.  Data that are not variables,
   such as linker tables, are named by their section ("libc.so.6 .got"); all
   those of Valgrind's own library in the program have the same name.  False:
   none.
   Threads: as dg_symbols_frames.  */
DG_API bool dg_symbols_data (struct dg_symbols *symbols, uint64_t address,
                             uint64_t icount, uint32_t access_size,
                             struct dg_variable *out);

/* A global or static variable of the symbol table of a program or a library,
   where it was in the memory of the program and when.  */
struct dg_data_symbol {
  const char *name;   /* demangled, interned; "counter.2" of a function */
  const char *module; /* path of the executable or library */
  uint64_t address, size;
  uint64_t start_icount, end_icount;
  uint32_t thread; /* of a thread-local copy; 0: not thread-local */
};
/* Calls `each` for the variables of all modules, or for those with this name
   (as in dg_symbols_data, or in the symbol table, without a number that the
   compiler appended); until it returns something else than 0, which is then
   the result.  Opens files, and may take seconds without a name.
   Threads: as dg_symbols_frames; `each` may call them.  */
DG_API int
dg_symbols_variables (struct dg_symbols *symbols, const char *name,
                      int (*each) (void *user,
                                   const struct dg_data_symbol *variable),
                      void *user);

/* Calls `each` for the lines of source files that a module of the log, named
   by its path, has code of, executed or not, as its debug information says;
   some of them several times; until it returns something else than 0, which is
   then the result.  Takes seconds for a large module.
   Threads: as dg_symbols_frames; `each` may call them.  */
DG_API int
dg_symbols_lines (struct dg_symbols *symbols, const char *module,
                  int (*each) (void *user, const char *file, uint32_t line),
                  void *user);

/* The machine code of a superblock: the bytes of its instructions, in the
   order and with the sizes of its definition.  They are from the log; if it
   has none, from the files of its modules, if these are the recorded ones
   (build-id).  icount: when it runs.  Returns their number, or 0: unknown, or
   more than `max`.
   Threads: as dg_symbols_frames.  */
struct dg_bbdef;
DG_API size_t dg_symbols_bytes (struct dg_symbols *symbols,
                                const struct dg_bbdef *bbdef, uint64_t icount,
                                uint8_t *bytes, size_t max);

/* A type in the debug information.  Belongs to the dg_symbols.  */
struct dg_type;

/* The type with a name as passed to DATAGRIND_TRACK_RANGE: the name of a
   struct, union, class, enum, typedef or base type, with or without the
   keyword, namespaces and default template arguments; perhaps const or
   volatile, followed by * or & or bounds: "struct node", "ns::node", "unsigned
   long", "std::vector<int>", "double *", "int[4][3]", "struct point [100]".
   NULL: there is none.  The available debug information of the program is
   searched first, then that of its libraries; the first definition is used.
   Results are cached.  */
DG_API const struct dg_type *dg_symbols_type (struct dg_symbols *symbols,
                                              const char *name);
/* The name that was requested, as the library writes it; interned.  */
DG_API const char *dg_type_name (const struct dg_type *type);
/* In bytes; 0 if unknown.  */
DG_API uint64_t dg_type_size (const struct dg_type *type);

/* The field at byte `offset` of `total` bytes that contain an object of this
   type or, if they are more than it needs, an array of such objects. total 0:
   one object. access_size: as above.  False if the offset is outside.  */
DG_API bool dg_symbols_field (struct dg_symbols *symbols,
                              const struct dg_type *type, uint64_t total,
                              uint64_t offset, uint32_t access_size,
                              struct dg_field *out);

/* Whether a look-up at this address would have to wait, because another thread
   is opening the debug information of the module, which can come from a
   server.  */
DG_API bool dg_symbols_is_busy (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount);

/* Why files provided no names, one line for each, such as "/lib/libx.so:
   changed since it was recorded (another build-id): no names".  NULL if index
   is after the last.  */
DG_API const char *dg_symbols_problem (struct dg_symbols *symbols,
                                       size_t index);
/* Whether this is about a library that Valgrind preloads into every program.
   It differs for each build of Valgrind, and users do not look for their own
   code in it, so it needs no warning.  */
DG_API bool dg_symbols_problem_is_of_valgrind (struct dg_symbols *symbols,
                                               size_t index);

/* A sentence that says which instruction dg_log_undecoded is, and the remedy:
   "Valgrind does not know the AVX-512 instruction at 0x401136 in kernel
   (k.c:12) ..."; to be freed with g_free; NULL if the log has no such
   instruction.  Opens the debug information of the program.  */
DG_API char *dg_undecoded_text (const struct dg_log *log);
/* Only the remedy, "build the code without AVX-512 ...", or what else may be
   the cause; the same otherwise.  */
DG_API char *dg_undecoded_remedy (const struct dg_log *log);

/* Functions that allocate for their callers.  */
struct dg_allocators;

/* The allocators of C, C++ and Valgrind, and, unless path is NULL, those of a
   file: a line "NAME NUMBER SIZE ADDRESS" for each (see dg(1)).  NULL and
   *err, which contains the file and the line: DG_ERR_IO, DG_ERR_INVALID.  */
DG_API struct dg_allocators *dg_allocators_new (const char *path,
                                                struct dg_error *err);
DG_API void dg_allocators_free (struct dg_allocators *allocators);

/* Whether this frame allocates for its caller: an allocator, Valgrind's
   replacement for one, or a function of the C++ library around them.  */
DG_API bool dg_frame_is_allocator (const struct dg_allocators *allocators,
                                   const struct dg_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_SYMBOLS_H */
