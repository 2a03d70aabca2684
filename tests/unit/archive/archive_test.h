/* archive_test.h: small archives for the tests of their parts. What stands in
   runs does not matter here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_TEST_H
#define DG_ARCHIVE_TEST_H

#include <glib.h>

#include "archive/archive.h"
#include "archive/archive_summary.h"
#include "archive/archive_write.h"

#define N_CHUNKS 3

struct fixture {
  char *folder, *path;
  char *bytes; /* of the file */
  gsize n;
  struct dg_source source;
};

void set_up (struct fixture *f, gconstpointer data);
void tear_down (struct fixture *f, gconstpointer data);

/* What every archive here begins with.  */
extern const struct dg_archive_head head;

struct dg_archive_writer *create (struct fixture *f, int level);
struct dg_chunk_start start_of (unsigned i);
int add_chunk (struct dg_archive_writer *writer, unsigned i, size_t runs_size,
               struct dg_error *err);
void load (struct fixture *f);
struct dg_archive *open_archive (struct fixture *f);
/* A whole archive of all there is.  */
void write_whole (struct fixture *f, int level);

/* What is read is what was written.  */
void expect_part (struct fixture *f, const struct dg_part *part,
                  enum dg_part_type type, size_t skip, const void *bytes,
                  size_t n);
void expect_chunks (struct fixture *f, const struct dg_archive *archive,
                    size_t n);

#define ADD(name, data, function)                                       \
  g_test_add ("/archive/" name, struct fixture, data, set_up, function, \
              tear_down)

#endif /* DG_ARCHIVE_TEST_H */
