/* symbols.h: the inside of struct dg_symbols, for the files that answer its
   questions.

   Locks: `lock` guards the struct; each object has its own for what its file
   says, so that waiting for one file's debug information, which may have to
   come from a server, holds up nobody who asks about another.  Both are never
   held at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_H
#define DG_SYMBOLS_H

#include "log/block_notes.h"
#include "symbols_object.h"

/* A module of the log: its file, and how far it was moved.  */
struct dg_loaded {
  struct dg_object *object;
  uint64_t bias;
  bool has_bias;
  uint32_t thread;         /* of the copy of its thread-local variables that
                              this is; 0: the module itself */
};

struct dg_problem {
  const char *text;         /* interned */
  bool is_of_valgrind;
};

struct dg_symbols {
  const struct dg_log *log;
  struct dg_names names;    /* locks by itself */
  /* Names code of no module, from the log alone (jit_names.h).  */
  struct dg_jit_names *jit_names;     /* locks by itself */
  void (*name_code) (struct dg_jit_names *names, uint64_t address,
                     uint64_t icount, struct dg_frame *frame);
  GMutex lock;              /* guards all that follows */
  GPtrArray *objects;       /* each file once; NULL until the first question */
  struct dg_loaded *loaded; /* per module of the log, then per copy of
                               thread-local variables; fixed once it is
                               made */
  struct dg_cover *now;     /* the modules where and when they were loaded */
  struct dg_cover *ever;    /* the same at moment 0, the latest on top */
  GArray *problems;         /* struct dg_problem */
  struct dg_block_notes_index *codes; /* of the log; NULL until the first
                                         question, fixed once it is made */
  GHashTable *types;        /* name as it was given -> struct dg_type */
  GHashTable *die_types;    /* address of a DIE -> struct dg_type */
};

/* The module over an address at a moment, NULL if none is.  Where there was
   none just then, one that was there at another moment is better than
   nothing: the loader relocates a library's data before the log tells of
   it.  */
const struct dg_loaded *dg_symbols_loaded (struct dg_symbols *symbols,
                                           uint64_t address, uint64_t icount);

/* Whether the file can be asked; keeps why not, once.  */
bool dg_symbols_can_ask (struct dg_symbols *symbols, struct dg_object *object);

/* Keeps, once, what makes names worse than they could be.  Under the lock of
   the object, which was asked.  */
void dg_symbols_tell_bad_name (struct dg_symbols *symbols,
                               struct dg_object *object);
/* The same, without that lock; hint may be NULL.  */
void dg_symbols_tell_hint (struct dg_symbols *symbols,
                           struct dg_object *object, const char *hint);

#endif /* DG_SYMBOLS_H */
