/* heap_file.h: the heap over time as a picture file.  No GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_FILE_H
#define DV_HEAP_FILE_H

#include "heap_chart.h"
#include "model/heap/heap_data.h"

/* What is to be written, and where to.  To be freed with dv_heap_file_free,
   which frees all of it.  */
struct dv_heap_file {
  struct dv_heap_curve *curve;
  const struct dv_palette *palette;
  uint32_t selected;           /* id of a series, stands out; DG_NONE: none */
  char *title;                 /* NULL: none */
  char *path;                  /* ends with .png, .svg or .pdf */
};

void dv_heap_file_free (struct dv_heap_file *file);
/* Any thread.  0, or < 0 and *err.  */
int dv_heap_file_save (const struct dv_heap_file *file,
                       struct dg_error *err);

#endif /* DV_HEAP_FILE_H */
