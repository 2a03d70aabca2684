/* whatif_changes.h: the changes that the options of `dg whatif` ask for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_CHANGES_H
#define DG_WHATIF_CHANGES_H

#include "dg_analysis.h"
#include "whatif_layout.h"

/* All changes of one type, variable or place of allocation.  */
struct dg_whatif_target {
  char *what;              /* as it was typed */
  enum dg_whatif_how how;
  const char *how_option;  /* the option that says how; NULL: none */
  char **names;            /* fields of SPLIT and ORDER; or NULL */
  GPtrArray *narrowed;     /* char *: fields of --narrow; the new sizes: */
  GArray *widths;          /* uint64_t */
  uint64_t pad;            /* 0: not */
  uint64_t row;            /* bytes of a row, if they are said; or 0 */
  uint64_t align;          /* 0: not */
  enum dg_whatif_pool pool;
  enum dg_whatif_pages pages;
  GPtrArray *layouts;      /* struct dg_whatif_layout, as they were needed */
  /* What the log has of it.  */
  bool is_known;           /* something of that name is in the log */
  uint64_t objects, bytes, new_bytes, accesses, elements;
};

/* Reads all options: struct dg_whatif_target *, in the order of the options.
   NULL and *err: DG_ERR_INVALID.  */
GPtrArray *dg_whatif_changes_parse (const struct dg_setup *setup,
                                    struct dg_error *err);

/* Whether a target needs the fields of a type.  */
bool dg_whatif_target_is_typed (const struct dg_whatif_target *target);

#endif /* DG_WHATIF_CHANGES_H */
