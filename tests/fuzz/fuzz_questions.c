/* fuzz_questions.c: any bytes as a log, or as an archive with the files that
   explain it; of all that can be asked of it, some, with any options.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET questions

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "archive/archive.h"
#include "archive/archive_part.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"
#include "questions.h"

typedef void (*question) (struct questions *q);

static const question all[] = {
  dg_questions_analyse, dg_questions_analyse, dg_questions_analyse,
  dg_questions_stream,  dg_questions_columns, dg_questions_curve,
  dg_questions_massif,  dg_questions_usage,   dg_questions_sites,
  dg_questions_cut,     dg_questions_pack,    dg_questions_index,
  dg_questions_bundle,  dg_questions_code,    dg_questions_data,
  dg_questions_types
};

/* ---- For the questions ------------------------------------------------ */

const char *
dg_questions_choice (struct questions *q, const char *choices, char text[64])
{
  char **parts = g_strsplit (choices, ",", -1);

  g_strlcpy (text, parts[dg_fuzz_below (&q->random, g_strv_length (parts))],
             64);
  g_strfreev (parts);
  return text;
}

uint64_t
dg_questions_moment (struct questions *q)
{
  uint64_t last = dg_log_summary (q->log)->last_icount;

  return dg_fuzz_chance (&q->random, 3) ? 0
         : dg_fuzz_chance (&q->random, 8)
           ? dg_fuzz_number (&q->random, last)
           : dg_fuzz_bits (&q->random) % (MIN (last, UINT64_MAX - 9) + 9);
}

char *
dg_questions_path (struct questions *q)
{
  return g_strdup_printf ("%s/%u", q->folder,
                          (unsigned) dg_fuzz_below (&q->random, 100));
}

void
dg_questions_answer (int code, const struct dg_error *err)
{
  MUST (code >= 0 || (err->code == code && err->message[0] != '\0'));
}

/* ---- Files ------------------------------------------------------------- */

static char folder[] = "/dev/shm/dg-fuzz-questions-XXXXXX";

static void
empty_folder (void)
{
  DIR *dir = opendir (folder);
  const struct dirent *entry;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if (entry->d_name[0] != '.')
      unlinkat (dirfd (dir), entry->d_name, 0);
  if (dir != NULL)
    closedir (dir);
}

static void
remove_folder (void)
{
  empty_folder ();
  rmdir (folder);
}

static void
make_folder (void)
{
  static bool is_made;

  if (is_made)
    return;
  MUST (mkdtemp (folder) != NULL);
  atexit (remove_folder);
  is_made = true;
}

/* ---- The target -------------------------------------------------------- */

static struct dg_filter *
make_filter (struct questions *q, const struct dg_space *space)
{
  static const char *const events[] = {
    "", "user:phase", "fn:main", "fn:_start,file:prog.c", "!fn:inner",
    "dso:prog"
  };
  static const char *const ranges[] = {
    "", "malloc", "range", "stack", "user:array", "var:table", "var:*",
    "!malloc", "type:int", "malloc,site:_start"
  };
  struct dg_error err = { 0 };
  struct dg_filter *filter;

  if (dg_fuzz_chance (&q->random, 2))
    return NULL;
  filter = dg_filter_new (
    q->log, q->symbols, space,
    events[dg_fuzz_below (&q->random, G_N_ELEMENTS (events))],
    ranges[dg_fuzz_below (&q->random, G_N_ELEMENTS (ranges))], NULL, NULL,
    &err);
  MUST (filter != NULL || err.message[0] != '\0');
  return filter;
}

static void
ask (const struct dg_log *log, uint64_t seed)
{
  struct dg_error err = { 0 };
  struct dg_space *space = dg_space_new (log, &err);
  struct questions q = { .random = { seed }, .log = log, .folder = folder };

  MUST (space != NULL);
  q.symbols = dg_symbols_new (log, NULL, &err);
  MUST (q.symbols != NULL);
  q.filter = make_filter (&q, space);
  for (int i = 0; i < 4; i++)
    all[dg_fuzz_below (&q.random, G_N_ELEMENTS (all))] (&q);
  dg_filter_free (q.filter);
  dg_symbols_free (q.symbols);
  dg_space_free (space);
  empty_folder ();
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  /* No file but those that the log brings.  */
  const struct dg_places places = { .size = sizeof places,
                                    .sysroot = "/nowhere" };
  uint8_t *copy = g_memdup2 (bytes, n);
  struct dg_error err;
  struct dg_log *log;
  uint64_t seed;

  make_folder ();
  if (dg_archive_is (copy, n))
    dg_fuzz_seal (copy, n);
  seed = XXH3_64bits (copy, n);
  if (dg_log_open_memory ("fuzz", copy, n, &log, &err) == 0) {
    MUST (dg_log_set_places (log, &places, &err) == 0);
    dg_log_load (log, 1, NULL, NULL, &err);
    ask (log, seed);
    dg_log_close (log);
  }
  g_free (copy);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};

  /* Other questions about the same: the head has a time that only tells whose
     index it is.  */
  if (dg_archive_is (bytes, n) && n > DG_ARCHIVE_HEAD_BYTES
      && dg_fuzz_chance (&random, 3)) {
    memcpy (bytes + 24, &seed, sizeof seed);
    return n;
  }
  return dg_archive_is (bytes, n) ? dg_mutate_archive (bytes, n, max, &random)
                                  : dg_mutate_log (bytes, n, max, &random);
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  (void) bytes;
}
