/* symbols_image.h: as much of an executable or library as names need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_IMAGE_H
#define DG_SYMBOLS_IMAGE_H

#include <libelf.h>

#include "libdatagrind.h"

/* Expands a section that is compressed; others are left as they are.  False:
   it cannot be, or claims a size that its bytes cannot have, for which no
   memory is taken.  */
bool dg_symbols_expand (Elf_Scn *section);

/* The bytes of a file that names need, others being 0, with sections that
   are not compressed: an image that libelf reads like the file.  */
struct dg_symbols_image {
  uint8_t *bytes;
  uint64_t size, room;
};
/* Of an open file, which stays open: 0, DG_ERR_IO, DG_ERR_NOMEM.  */
int dg_symbols_image_read (struct dg_symbols_image *image, int fd,
                           struct dg_error *err);
/* Where a section of the image is; false: there is none.  */
bool dg_symbols_image_section (const struct dg_symbols_image *image,
                               const char *name, uint64_t *offset,
                               uint64_t *size);
/* Moves a section behind everything, and bytes behind it.  *at receives where
   in the section these begin.  False: there is no room.  */
bool dg_symbols_image_extend (struct dg_symbols_image *image,
                              const char *name, const void *bytes, size_t n,
                              uint64_t *at);
void dg_symbols_image_fini (struct dg_symbols_image *image);

#endif /* DG_SYMBOLS_IMAGE_H */
