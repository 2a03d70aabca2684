/* answer.h: all that is known of one access, in words.

   Looks names up, which may open debug files: for background threads.  Knows
   no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ANSWER_H
#define DV_ANSWER_H

#include <glib.h>

#include "data.h"

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
  GPtrArray *stack;      /* struct dv_frame, innermost first */
  char *owner;           /* one line: whose memory it is */
  /* A heap block: false without, and what follows is empty then.  */
  bool has_block;
  struct dg_block block;
  uint64_t block_offset;
  GPtrArray *alloc_stack;
  /* A user range: likewise.  */
  bool has_range;
  char *range_label, *range_type;
  uint64_t range_offset, range_size, range_address;
  char *thread;          /* "1 (main)" */
  /* The first frame, as "function (file:line)".  */
  char *place;
};

struct dv_answer *dv_answer_new (struct dv_data *data,
                                 const struct dg_access *access);
void dv_answer_free (struct dv_answer *answer);

/* Whose memory it is, in a line, without the user range; a new string.
   Fast: no symbols are looked up.  */
char *dv_answer_owner (struct dv_data *data, uint64_t address,
                       uint64_t icount);

#endif /* DV_ANSWER_H */
