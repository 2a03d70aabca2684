/* highlight.h: accesses and places that stand out in the plot, because a row
   of a table was selected.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HIGHLIGHT_H
#define DV_HIGHLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "viewport.h"

/* An access stands out if its context is in `contexts` or its instruction in
   `code`.  Reference counted, for any thread; not changed once it was given
   to anyone.  */
struct dv_highlight {
  char *label;             /* what it is, for people, such as "sort_lines" */
  uint64_t *contexts;      /* bit i of word i / 64; NULL: none */
  uint32_t n_contexts;     /* bits */
  GArray *code;            /* uint64_t addresses of instructions, ascending;
                              NULL: none */
  GArray *boxes;           /* struct dv_view: framed; NULL: none */
};

/* Empty, to be filled in.  */
struct dv_highlight *dv_highlight_new (const char *label);
struct dv_highlight *dv_highlight_ref (struct dv_highlight *highlight);
/* NULL is fine.  */
void dv_highlight_unref (struct dv_highlight *highlight);

/* While it is being filled in.  */
void dv_highlight_add_context (struct dv_highlight *highlight,
                               uint32_t context);
void dv_highlight_add_code (struct dv_highlight *highlight,
                            uint64_t instruction);
void dv_highlight_add_box (struct dv_highlight *highlight,
                           const struct dv_view *box);
/* It is complete: sorts.  */
void dv_highlight_finish (struct dv_highlight *highlight);

/* Whether accesses, not only boxes, stand out.  */
bool dv_highlight_has_accesses (const struct dv_highlight *highlight);
bool dv_highlight_context (const struct dv_highlight *highlight,
                           uint32_t context);
bool dv_highlight_code (const struct dv_highlight *highlight,
                        uint64_t instruction);

#endif /* DV_HIGHLIGHT_H */
