/* bundle.h: files that stand in an archive beside its chunks: what names are
   read from.

   The part BUNDLE lists them and ends where SUMMARY begins, so that it is
   found without being pointed to.  Their bytes are in parts FILE, without
   those that are 0.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLE_H
#define DG_BUNDLE_H

#include "archive_part.h"

enum dg_bundle_kind {
  DG_BUNDLE_MODULE = 1,    /* an executable or library */
  DG_BUNDLE_DEBUG = 2,     /* its separate debug information */
  DG_BUNDLE_SHARED = 3,    /* what several of these share (dwz) */
  DG_BUNDLE_SOURCE = 4,
  DG_BUNDLE_SPLIT = 5      /* a unit of a module's debug information (.dwo) */
};

/* Bytes of a file that are in FILE parts; others are 0.  */
struct dg_bundle_extent {
  uint64_t offset, size;
};

#define DG_BUNDLE_ID_MAX 255

struct dg_bundle_file {
  uint32_t kind;           /* enum dg_bundle_kind, or one that is not known */
  uint8_t n_id;
  uint8_t id[DG_BUNDLE_ID_MAX];   /* build-id, of SHARED its own */
  char *name;              /* of MODULE and DEBUG that of the module, as the
                              log has it; of SOURCE as names have it */
  uint64_t size;
  int64_t changed;         /* seconds since 1970, of SOURCE */
  struct dg_table extents; /* struct dg_bundle_extent, ascending */
  struct dg_table parts;   /* struct dg_part */
};

/* Frees what a table of struct dg_bundle_file has.  */
void dg_bundle_fini (struct dg_table *files);

/* The list as bytes, to be the payload of BUNDLE, which is stored as it is;
   and back, checked: FILE parts lie before `limit`.  */
int dg_bundle_put (const struct dg_table *files, struct dg_table *bytes,
                   struct dg_error *err);
int dg_bundle_get (struct dg_table *files, const uint8_t *bytes, size_t n,
                   uint64_t limit, struct dg_error *err);

/* The BUNDLE that ends at the offset `end`: its part; size 0: there is none.
   DG_ERR_IO.  */
int dg_bundle_find (const struct dg_source *source, uint64_t end,
                    struct dg_part *part, struct dg_error *err);
/* And what it lists.  */
int dg_bundle_read (const struct dg_source *source, const struct dg_part *part,
                    struct dg_table *files, struct dg_error *err);

/* The first of them of that kind, name and id; any name if NULL, any id if
   n_id is 0; NULL: there is none.  */
const struct dg_bundle_file *dg_bundle_lookup (const struct dg_table *files,
                                               uint32_t kind,
                                               const char *name,
                                               const uint8_t *id, size_t n_id);

/* Gives the bytes of a file, checked, extent by extent.  `take` gets each
   piece with its place in the file and returns 0, or an error that ends
   it.  */
typedef int (*dg_bundle_take_fn) (void *user, uint64_t offset,
                                  const uint8_t *bytes, size_t n,
                                  struct dg_error *err);
int dg_bundle_extract (const struct dg_source *source,
                       const struct dg_bundle_file *file,
                       dg_bundle_take_fn take, void *user,
                       struct dg_error *err);

#endif /* DG_BUNDLE_H */
