/* symbols_object.h: one executable or library file, and what it can tell.

   Private to symbols*.c, which are the only files that know of elfutils.
   All of it is called under the lock of the object; what is about names may
   be called from anywhere.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_OBJECT_H
#define DG_SYMBOLS_OBJECT_H

#include "libdatagrind.h"

#include <elfutils/libdwfl.h>
#include <glib.h>

/* Where strings are interned, and how names of sources are mapped.  */
struct dg_names {
  GMutex lock;                     /* of `strings` */
  GStringChunk *strings;
  char **source_from, **source_to; /* NULL-terminated, of equal length */
};

void dg_names_init (struct dg_names *names, const char *const *source_paths);
void dg_names_fini (struct dg_names *names);
/* NULL for NULL.  */
const char *dg_names_intern (struct dg_names *names, const char *text);
/* The interned name as a person writes it; C++ and Rust are demangled.  */
const char *dg_names_symbol (struct dg_names *names, const char *symbol);
/* With the return type, if the symbol tells it.  */
const char *dg_names_symbol_full (struct dg_names *names, const char *symbol);
/* The interned, mapped name of a source file; `dir` may be NULL and counts
   only when `file` is relative.  */
const char *dg_names_source (struct dg_names *names, const char *dir,
                             const char *file);

/* What each thread has of its own lies nowhere in the file's addresses.  Here
   it begins at this one, where no file has anything, in the order of the
   file.  */
#define DG_LOCALS_BASE (UINT64_C (1) << 62)

/* Bytes of the file's own address space, as its program headers say.  */
struct dg_segment {
  uint64_t low, high;
};

/* Addresses here are the file's own: those of its symbol table.  Down to
   `file`, all is known when the object is made and then fixed.  */
struct dg_object {
  GMutex lock;         /* of what comes after `file` */
  gint is_opening;     /* atomic: somebody holds the lock for long */
  const char *path;    /* as the log names it, interned */
  const char *problem; /* why there are no names, interned; NULL if none */
  bool is_told;        /* under the lock of struct dg_symbols: it is among
                          its problems */
  bool is_big_endian;
  bool has_debug_info; /* in the file itself */
  uint64_t text;       /* of its .text section, 0 if it has none */
  GArray *segments;    /* struct dg_segment */
  char *file;          /* what is read: the path, or a debug file */
  Dwfl *dwfl;          /* once it was needed */
  Dwfl_Module *module; /* NULL until then, and if it cannot be read */
  bool is_reported;
  char *bad_name;      /* that its debug information has: no regular file */
  GHashTable *places; /* uint64_t -> struct dg_code_place */
  GHashTable *units;  /* see symbols_debug.c */
  GArray *unit_ranges;
  GHashTable *functions;
  GHashTable *stubs; /* see symbols_plt.c */
  GArray *stub_ranges;
  GHashTable *calls;
  struct dg_symtab *symtab;     /* see symbols_table.c */
  struct dg_sections *sections; /* see symbols_sections.c */
  const char *hint;             /* how to get better names, interned; NULL
                                   while those are good */
  bool is_hint_told;            /* under the lock of struct dg_symbols */
  struct dg_object_index *index; /* see symbols_index.c */
  GArray *elf_functions; /* see symbols_valgrind.c */
};

/* Reads the headers of the file.  build_id: as the log has it, to be sure
   that this is the file that was recorded; n 0 if the log has none.  Never
   fails: it sets `problem`.  */
struct dg_object *dg_object_new (struct dg_names *names, const char *path,
                                 const uint8_t *build_id, uint8_t n_build_id);
void dg_object_free (struct dg_object *object);

/* The libdwfl module, opened at the first call; NULL if there is none.  */
Dwfl_Module *dg_object_module (struct dg_object *object);

/* symbols_debug.c: fills function, file, line and inlined of the frames of
   an address from its debug information; returns how many, 0 without any.  */
size_t dg_debug_frames (struct dg_object *object, struct dg_names *names,
                        uint64_t address, struct dg_frame *out, size_t max);
void dg_debug_free (struct dg_object *object);

/* symbols_plt.c: true if the address is in a table of jumps to functions of
   other libraries; *name is then "function@plt", or NULL if unknown.  */
bool dg_plt_find (struct dg_object *object, struct dg_names *names,
                  uint64_t address, const char **name);
void dg_plt_free (struct dg_object *object);

/* symbols_table.c: the name of the function that covers the address by the
   symbol table, interned; NULL if none.  */
const char *dg_symtab_function (struct dg_object *object,
                                struct dg_names *names, uint64_t address);
/* Whether a function begins there.  */
bool dg_symtab_begins (struct dg_object *object, uint64_t address);
/* The symbol by which others know the function that begins there; NULL if
   there is none that is better than `name`.  */
const char *dg_symtab_public (struct dg_object *object, uint64_t address,
                              const char *name);

/* The variable over an address.  */
struct dg_datum {
  uint64_t address, size;
  const char *symbol; /* as in the file */
  int rank;
};
const struct dg_datum *dg_symtab_variable (struct dg_object *object,
                                                 uint64_t address);
/* Where the next variable begins behind an address.  */
uint64_t dg_symtab_next_variable (struct dg_object *object, uint64_t address);
void dg_symtab_free (struct dg_object *object);

/* symbols_sections.c: a section that is loaded.  */
struct dg_section {
  uint64_t low, high;
  const char *name;
  size_t index;        /* in the file */
  bool is_code;
};
/* NULL: between sections.  */
const struct dg_section *dg_section_find (struct dg_object *object,
                                          uint64_t address);
/* "func_0x1234" for code that only the tables for unwinding know of; NULL if
   its function begins before `above`, or is not known.  */
const char *dg_section_function (struct dg_object *object,
                                 struct dg_names *names, uint64_t address,
                                 uint64_t above);
void dg_sections_free (struct dg_object *object);

/* symbols_valgrind.c: see symbols.h.  */
size_t dg_valgrind_frames (struct dg_object *object, struct dg_names *names,
                           uint64_t address, struct dg_frame *out,
                           size_t max);
void dg_valgrind_free (struct dg_object *object);

/* symbols_index.c: see symbols_dies.h.  */
void dg_index_free (struct dg_object *object);

#endif /* DG_SYMBOLS_OBJECT_H */
