/* page_flame.h: a flame graph, as an SVG within a page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGE_FLAME_H
#define DG_PAGE_FLAME_H

#include "page.h"

#include <stdio.h>

/* Stacks of calls with the cycles that were spent in them.  */
struct page_flame;

/* Reads folded stacks: "main;parse;read 1234" in each line.  NULL and *err on
   failure.  */
struct page_flame *page_flame_read (const char *path, struct dg_error *err);
void page_flame_free (struct page_flame *flame);

/* before: NULL, or the stacks of another run, by which they are coloured.
   Nothing if there are no stacks.  */
void page_flame_write (GString *page, const struct page_flame *flame,
                       const struct page_flame *before);

#endif /* DG_PAGE_FLAME_H */
