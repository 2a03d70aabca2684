/* symbols_image.h: as much of an executable or library as names need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_IMAGE_H
#define DG_SYMBOLS_IMAGE_H

#include "libdatagrind.h"

/* The bytes of a file that names need, others being 0, with sections that
   are not compressed: an image that libelf reads like the file.  */
struct dg_symbols_image {
  uint8_t *bytes;
  uint64_t size, room;
};
/* 0, DG_ERR_IO, DG_ERR_NOMEM.  */
int dg_symbols_image_make (struct dg_symbols_image *image, const char *path,
                           struct dg_error *err);
void dg_symbols_image_fini (struct dg_symbols_image *image);

#endif /* DG_SYMBOLS_IMAGE_H */
