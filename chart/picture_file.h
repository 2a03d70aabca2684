/* picture_file.h: a picture as the bytes of a PNG, SVG or PDF file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICTURE_FILE_H
#define DV_PICTURE_FILE_H

#include <cairo.h>
#include <glib.h>
#include <libdatagrind.h>

#include "picture_format.h"

struct dv_picture_file {
  enum dv_format format;
  uint32_t width, height;  /* pixels, or points */
  double scale;            /* of a PNG: the picture is drawn as one that is so
                              many times smaller, and enlarged; 0: 1 */
  const char *title;       /* NULL: none */
  /* Draws it.  texts: where to gather those of an SVG (see text.h), or
     NULL.  */
  void (*draw) (void *user, cairo_t *cr, double width, double height,
                GString *texts);
  void *user;
};

/* NULL and *err on failure.  Any thread.  */
GByteArray *dv_picture_file (const struct dv_picture_file *file,
                             struct dg_error *err);

#endif /* DV_PICTURE_FILE_H */
