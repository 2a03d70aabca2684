/* variables.h: names of variables, for the files that find them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VARIABLES_H
#define DG_VARIABLES_H

#include <glib.h>

#include "dg_analysis.h"
#include "libdatagrind.h"
#include "log/log_births.h"

/* The numbers that are fixed.  */
enum {
  DG_VARIABLE_UNKNOWN = 0,     /* <NA> */
  DG_VARIABLE_STACK = 1        /* <NA> (stack), of kind LOCAL: in a frame that
                                  is not known */
};

/* The log is loaded; all three must outlive it.  allocators: path of an
   allocator definition file, or NULL.  workers: threads that it may use for
   what it has to know of the whole log; 0: one per processor.  NULL and *err
   on failure, which for a bad file names it and the line.  Memory: what its
   names take, and what dg_owner_changes takes.  */
struct dg_variables *dg_variables_new (const struct dg_log *log,
                                       struct dg_symbols *symbols,
                                       const struct dg_space *space,
                                       const char *allocators,
                                       unsigned workers,
                                       struct dg_error *err);
/* Places of allocation have to be of that code, where there is any.  Before
   the variables are used; it must outlive them.  */
void dg_variables_set_mine (struct dg_variables *variables,
                            const struct dg_mine *mine);
void dg_variables_free (struct dg_variables *variables);
/* Of a log whose blocks pass (log/block_window.h): they have moved, and the
   space has followed.  Nobody may ask meanwhile.  0 or DG_ERR_NOMEM.  */
int dg_variables_follow (struct dg_variables *variables,
                         struct dg_error *err);
/* Likewise: moves to the blocks of a moment, with the space.  */
int dg_variables_go_to (struct dg_variables *variables, uint64_t icount,
                        struct dg_error *err);
/* The variables of n accesses, in any order, when nobody else asks: goes
   through them in the order of time.  Those of size 0 are unknown.  */
int dg_finder_all (struct dg_variables *variables,
                   const struct dg_access *accesses, size_t n,
                   uint32_t *numbers, struct dg_error *err);

/* ---- For finder.c ----------------------------------------------------- */

/* What lies at an address at a moment.  */
enum dg_extent_kind {
  DG_EXTENT_ONE = 0, /* one variable */
  DG_EXTENT_FIELDS,  /* several, by place: see dg_variables_field */
  DG_EXTENT_STACK    /* a thread's stack */
};

struct dg_extent {
  enum dg_extent_kind kind;
  enum dg_variable_kind variable_kind;
  /* All of this is right for these addresses, until the next of
     dg_owner_changes.  */
  uint64_t low, high;
  uint64_t origin;         /* where it begins */
  uint64_t total;          /* its bytes */
  uint64_t period;         /* FIELDS: bytes after which they repeat; at least
                              1 */
  const void *layout;      /* FIELDS: things of equal kind, layout and period
                              have equal fields; NULL: only itself */
  const struct dg_type *type;  /* or NULL: a global variable */
  const char *whole;
  const char *type_text;   /* FIELDS; NULL: a global variable */
  const char *file;        /* where it is declared, if that is one place */
  uint32_t line;
  uint32_t number;         /* ONE: of its variable */
  uint32_t owner;          /* of all of a range or global variable; else 0 */
  uint32_t block;          /* of dg_log_block, or DG_NONE */
  uint32_t site;           /* of the block, or 0 */
  uint32_t thread;         /* STACK: whose */
  bool is_runtime;         /* as in struct dg_named */
};

/* Takes about a microsecond.  Any thread.  */
void dg_variables_extent (struct dg_variables *variables, uint64_t address,
                          uint64_t icount, struct dg_extent *out);

/* The variable at a byte of a thing of several.  *first and *size receive the
   bytes, among them that one, for which it is right.  offset: from the
   origin, less than the period.  Any thread.  */
uint32_t dg_variables_field (struct dg_variables *variables,
                             const struct dg_extent *thing, uint64_t offset,
                             uint64_t icount, uint64_t *first, uint64_t *size);

const struct dg_space *
dg_variables_space (const struct dg_variables *variables);
const struct dg_owner_changes *
dg_variables_changes (const struct dg_variables *variables);
/* The number of the place of allocation of a block.  */
uint32_t dg_variables_block_site (const struct dg_variables *variables,
                                  uint32_t block);
/* That of blocks with such a stack; 0: there are none.  */
uint32_t dg_variables_stack_site (const struct dg_variables *variables,
                                  const struct dg_stack *stack);

/* What all of the memory is of which an access touches a part.  */
struct dg_whole {
  uint32_t block;          /* of dg_log_block, or DG_NONE */
  uint32_t site;           /* of the block, or 0 */
  uint32_t owner;          /* of the range or global variable, or 0 */
  const struct dg_extent *thing; /* what has fields, or NULL; until the next
                                   question */
};
void dg_finder_whole (struct dg_finder *finder,
                      const struct dg_access *access, struct dg_whole *out);

/* ---- Inside ----------------------------------------------------------- */

/* A call stack that allocates.  */
struct dg_site {
  struct dg_stack stack;
  uint64_t icount;         /* of its first block */
  uint8_t allocator;       /* that made it */
  struct dg_birth_sizes sizes; /* of its blocks */
  uint64_t cookie;         /* bytes of one, if they have any */
  bool is_array;           /* all of them are of new[] */
  bool has_cookie;         /* the number of elements stands before them */
  gint is_named;           /* atomic: what follows is set, for good */
  struct dg_named named;   /* "function (file:line)" */
  const char *place;       /* "function at file:line" */
  const struct dg_type *type;  /* of its blocks, perhaps; NULL: not known */
  const char *type_text;   /* which says that it is a guess */
};

/* The bytes of each block of a site; 0: they differ.  */
static inline uint64_t
dg_site_size (const struct dg_site *site)
{
  return site->sizes.step == 0 ? site->sizes.first : 0;
}

struct dg_variables {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const struct dg_space *space;
  unsigned workers;
  struct dg_allocators *allocators;
  const struct dg_mine *mine;  /* or NULL */
  struct dg_site_lines *lines;
  struct dg_owner_changes *changes;
  struct dg_site *sites;   /* by number; [0] is nobody's */
  uint32_t n_sites;
  GHashTable *by_stack;    /* struct dg_stack of a site -> its number */
  uint32_t *birth_sites;   /* by dg_log_block_birth: the number of the site */
  GMutex frames_lock;      /* guards the next two */
  struct dg_frames *frames;
  bool has_frames;         /* it was tried */
  struct dg_assigned *assigned;
  GMutex lock;             /* guards all below */
  GHashTable *frame_parts; /* struct dg_frame_parts is its own key */
  GHashTable *by_mapping;  /* file or stack of a mapping -> its number */
  GStringChunk *strings;
  GHashTable *by_name;     /* struct dg_named -> its number + 1 */
  GPtrArray *named;        /* struct dg_named by number */
};

/* The number of a variable, which is entered if it is new; strings are
   copied.  Any thread.  */
uint32_t dg_variables_number (struct dg_variables *variables,
                              const struct dg_named *named);
/* An interned copy; NULL for NULL.  Under the lock.  */
const char *dg_variables_keep (struct dg_variables *variables,
                               const char *text);

/* variables_sites.c */
int dg_variables_list_sites (struct dg_variables *variables,
                             struct dg_error *err);
/* The sites of the blocks that the log has now: 0 or DG_ERR_NOMEM.  */
int dg_variables_find_sites (struct dg_variables *variables);
/* With its names and type; number > 0.  */
const struct dg_site *dg_variables_named_site (struct dg_variables *variables,
                                               uint32_t number);

/* ---- finder.c: stacks ------------------------------------------------- */

/* Who is given all runs of a chunk, nothing left out, tells the finder of
   each, and asks about its accesses in between: so stacks are followed without
   reading the log once more.  */
void dg_finder_begin_chunk (struct dg_finder *finder, size_t chunk);
void dg_finder_begin_run (struct dg_finder *finder, const struct dg_run *run);
void dg_finder_end_run (struct dg_finder *finder);

#endif /* DG_VARIABLES_H */
