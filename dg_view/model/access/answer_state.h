/* answer_state.h: what an answer holds, and names and stacks for it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ANSWER_STATE_H
#define DV_ANSWER_STATE_H

#include <glib.h>

#include "model/log/data.h"

/* One line of a stack.  Strings are never NULL; "" when unknown.  */
struct dv_frame {
  char *function;        /* or the bare address */
  char *where;           /* "sort.c:42", or the module's base name */
  char *file;            /* of the source, as the debug info has it */
  char *module;
  uint32_t line;
  uint64_t address;      /* of the code */
  bool inlined;
};

struct dv_answer {
  struct dg_access access;
  bool is_nothing;       /* no access was there: `access` has the address and
                            the icount that were pointed at, and only what is
                            said of the memory is set */
  bool is_filtered;      /* is_nothing: of those that meet the conditions */
  char *sentence;        /* all in one: "read of node.key, block of 64 bytes
                            from main, prog.c:32"; NULL for a brief one */
  GPtrArray *stack;      /* struct dv_frame, innermost first */
  char *owner;           /* one line: whose memory it is */
  char *place;           /* the first frame, as "function (file:line)" */
  char *thread;          /* "1 (main)" */
  char *time;            /* "1.25 ms after the start"; NULL: no clock */
  /* What is there by debug information, of the range's type or else of a
     variable.  NULL when unknown.  */
  char *field;           /* "[12].next", or "config.limits[3].soft" */
  char *field_type;      /* "struct node *" */
  char *field_holder;    /* the type whose member it is: "struct node" */
  char *field_also;      /* other members of the same bytes */
  char *variable;        /* "config" */
  char *variable_type;
  char *variable_place;  /* "config.c:12", or "" */
  char *variable_module; /* "main program", or "libx.so" */
  char *variable_file;   /* as in frames, or "" */
  uint32_t variable_line;
  /* A heap block: false without, and what follows is empty then.  */
  bool has_block;
  struct dg_block block;
  uint64_t block_offset;
  GPtrArray *alloc_stack;
  const struct dv_frame *site;   /* of these, who wanted it; NULL: not known */
  GPtrArray *free_stack; /* NULL: still alive at the end, or not known */
  char *alloc_thread, *free_thread;    /* NULL: not known */
  char *life, *age;      /* of the block, and when it was accessed */
  /* A user range: likewise.  */
  bool has_range;
  char *range_text;      /* "range nodes: [12].next (struct node)" */
  char *range_label, *range_type;
  uint64_t range_offset, range_size, range_address;
  bool lacks_names;      /* a brief one: some would have had to be waited
                            for; ask again a little later */
  /* Why names are missing, one line for each file; NULL: none are.  */
  char *problems;
  /* The same of Valgrind's own files, whose names nobody misses.  */
  char *own_problems;
  /* That the log is partial, where the answer says what is not there: an
     access, or the end of a block; or NULL.  */
  char *gap;
};

/* ---- For those who make answers -------------------------------------- */

struct dv_answer_asking {
  struct dv_data *data;
  struct dv_answer *answer;
  bool is_brief;
};

/* The frames of a stack, inlined ones too.  */
GPtrArray *dv_answer_stack (const struct dv_answer_asking *asking,
                            const uint64_t *sites, size_t n, uint64_t icount);
/* "function (file:line)"; a new string.  */
char *dv_answer_place (const struct dv_frame *frame);
/* The symbols to be asked about an address; NULL: none.  */
struct dg_symbols *dv_answer_symbols (const struct dv_answer_asking *asking,
                                      uint64_t address, uint64_t icount);
/* "1 (main)"; a new string.  */
char *dv_answer_thread (struct dv_data *data, uint32_t number);
/* The same of a thread that is in hand; NULL: it has no name.  */
char *dv_answer_thread_text (uint32_t number, const struct dg_thread *thread);
/* The base name of a path, "" for NULL; a new string.  */
char *dv_answer_base_name (const char *path);

#endif /* DV_ANSWER_STATE_H */
