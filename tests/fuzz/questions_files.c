/* questions_files.c: logs that are made of a log, with any options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "questions.h"

/* Whether what was written can be read; then it is read.  */
static void
read_again (const char *path)
{
  char *bytes;
  gsize n;

  MUST (g_file_get_contents (path, &bytes, &n, NULL));
  dg_fuzz_light ((const uint8_t *) bytes, n);
  g_free (bytes);
}

static struct dg_pack_options
pack_options (struct questions *q)
{
  return (struct dg_pack_options){
    .size = sizeof (struct dg_pack_options),
    .level = 1,
    .workers = 1,
    .no_index = dg_fuzz_chance (&q->random, 2)
  };
}

void
dg_questions_cut (struct questions *q)
{
  const struct dg_pack_options pack = pack_options (q);
  const struct dg_cut_options options = {
    .size = sizeof options,
    .start_icount = dg_questions_moment (q),
    .end_icount = dg_questions_moment (q),
    .low = dg_fuzz_chance (&q->random, 4) ? 0x5000 : 0,
    .high = dg_fuzz_chance (&q->random, 4) ? 0x21000 : 0,
    .filter = q->filter,
    .pack = dg_fuzz_chance (&q->random, 2) ? &pack : NULL,
    .workers = 1
  };
  char *path = dg_questions_path (q);
  struct dg_error err = { 0 };
  int code = dg_log_cut (q->log, path, &options, NULL, NULL, &err);

  dg_questions_answer (code, &err);
  if (code == 0)
    read_again (path);
  g_free (path);
}

void
dg_questions_pack (struct questions *q)
{
  const struct dg_pack_options pack = pack_options (q);
  char *path = dg_questions_path (q);
  struct dg_error err = { 0 };
  int code = dg_log_pack (q->log, path, &pack, NULL, NULL, &err);

  dg_questions_answer (code, &err);
  if (code == 0)
    read_again (path);
  code = dg_log_unpack (q->log, path, 1, NULL, NULL, &err);
  dg_questions_answer (code, &err);
  if (code == 0)
    read_again (path);
  g_free (path);
}

void
dg_questions_index (struct questions *q)
{
  char *path = dg_questions_path (q);
  struct dg_index *index;
  struct dg_error err = { 0 };
  int code = dg_index_open (q->log, &index, &err);

  if (code < 0)
    code = dg_index_build (q->log, path, 1, NULL, NULL, &index, &err);
  dg_questions_answer (code, &err);
  g_free (path);
  if (code < 0)
    return;
  for (unsigned level = 0; level < dg_index_levels (index); level++)
    for (size_t i = 0; i < MIN (dg_index_lists (index, level), 10); i++) {
      const struct dg_line_list *list =
        dg_index_borrow (index, level, i, &err);

      dg_index_span (index, level, i);
      if (list != NULL)
        dg_index_return (index, list);
    }
  for (unsigned shift = 6; shift < 13; shift += 6) {
    uint64_t *pages;
    size_t n;

    if (dg_index_pages (index, shift, &pages, &n, &err) == 0)
      free (pages);
  }
  dg_index_close (index);
}

void
dg_questions_bundle (struct questions *q)
{
  const struct dg_bundle_options options = {
    .size = sizeof options, .level = 1,
    .sources = dg_fuzz_chance (&q->random, 2)
  };
  char *path = dg_questions_path (q);
  struct dg_bundle_summary summary;
  char **problems = NULL;
  struct dg_error err = { 0 };
  int code = dg_log_bundle (q->log, path, &options, NULL, NULL, &summary,
                            &problems, &err);

  dg_questions_answer (code, &err);
  dg_bundle_free_problems (problems);
  if (code == 0)
    read_again (path);
  g_free (path);
}
