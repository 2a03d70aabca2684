/* symbols_object.h: one executable or library file, and what it can tell.

   Private to symbols*.c, which are the only files that know of elfutils.
   All of it is called under the lock of the object.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_OBJECT_H
#define DG_SYMBOLS_OBJECT_H

#include <elfutils/libdwfl.h>
#include <glib.h>

#include "libdatagrind.h"
#include "symbols_find.h"
#include "symbols_names.h"

/* What each thread has of its own lies nowhere in the file's addresses.  Here
   it begins at this one, where no file has anything, in the order of the
   file.  */
#define DG_LOCALS_BASE (UINT64_C (1) << 62)

/* Bytes of the file's own address space, as its program headers say.  */
struct dg_segment {
  uint64_t low, high;
};

/* What a reader has made, and how it is freed.  */
struct dg_object_kept {
  gpointer made;
  GDestroyNotify free;
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
  struct dg_find find; /* which file it is, and what was found for it */
  uint64_t text;       /* of its .text section, 0 if it has none */
  GArray *segments;    /* struct dg_segment */
  struct dg_segment locals;   /* what each thread has a copy of, as the file
                                 has it; empty if it has none */
  char *changed;       /* how it differs from what was recorded */
  char *file;          /* what is read: the path, or a debug file */
  Dwfl *dwfl;          /* once it was needed */
  Dwfl_Module *module; /* NULL until then, and if it cannot be read */
  bool is_reported;
  bool is_whole;       /* it is known whether more than code can be asked */
  bool is_code_only;   /* then it cannot */
  struct dg_split *split;   /* NULL: all units are whole */
  bool is_split_told;
  char *bad_name;      /* that its debug information has: no regular file */
  GHashTable *places; /* uint64_t -> struct dg_symbols_known */
  GHashTable *languages; /* see symbols_dies.c */
  GHashTable *units;  /* see symbols_debug.c */
  GArray *unit_ranges;
  GHashTable *functions;
  GArray *stubs; /* see symbols_plt.c */
  GArray *stub_ranges;
  GHashTable *calls;
  struct dg_symtab *symtab;     /* see symbols_table.c */
  struct dg_sections *sections; /* see symbols_sections.c */
  const char *hint;             /* how to get better names, interned; NULL
                                   while those are good */
  bool is_hint_told;            /* under the lock of struct dg_symbols */
  struct dg_object_index *index; /* see symbols_dies_index.c */
  struct dg_object_scopes *scopes; /* see symbols_dies_scopes.c */
  GArray *elf_functions; /* see symbols_valgrind.c */
  GArray *kept;          /* struct dg_object_kept */
};

/* Reads the headers of the file, which may be in the log.  build_id: as the
   log has it, to be sure that this is the file that was recorded; n 0 if the
   log has none.  Never fails: it sets `problem`.  */
struct dg_object *dg_object_new (struct dg_names *names,
                                 const struct dg_log *log, const char *path,
                                 const uint8_t *build_id, uint8_t n_build_id);
void dg_object_free (struct dg_object *object);

/* Frees with the object what a reader has made for it.  */
void dg_object_keep (struct dg_object *object, gpointer made,
                     GDestroyNotify free);

/* The libdwfl module, opened at the first call; NULL if there is none.  */
Dwfl_Module *dg_object_module (struct dg_object *object);

/* Whether it has one, and types, variables and locals can be asked for: of
   files that are not trusted only code has been tried before.  */
bool dg_object_whole (struct dg_object *object);

#endif /* DG_SYMBOLS_OBJECT_H */
