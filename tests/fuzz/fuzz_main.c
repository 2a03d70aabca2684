/* fuzz_main.c: fuzz targets without a fuzzer: a test that prints TAP.

     targets TARGET [-n MUTATIONS] [-s SEED] FILE-OR-FOLDER...
   runs each file, texts of dgasm's language (.dgt) in all four variants, and
   the given number of mutations of each.
     targets TARGET -t TOTAL [-n MUTATIONS] [-s SEED] FILE-OR-FOLDER...
   does so again and again, with other seeds, until TOTAL inputs were run.
     targets TARGET -w FOLDER TEXT...
   writes what texts become there, to begin with.

   fuzz.mk makes a program of each target (seeds-fuzz_log), which is called
   without its name.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "asm.h"
#include "dg_record.h"
#include "fuzz_target.h"

#define MAX_BYTES (1 << 20)

/* ---- Targets ---- */

#ifdef DG_FUZZ_ALL
#define TARGETS(X)                                                            \
  X (amounts) X (analyses) X (archive) X (code) X (index) X (light_archive)   \
  X (light_log) X (log) X (questions) X (ring) X (symbols) X (text)
#define DECLARE(name)                                                         \
  FUZZ_DECLARE (dg_fuzz_##name##_test, dg_fuzz_##name##_mutate,               \
                dg_fuzz_##name##_seed);
TARGETS (DECLARE)
/* It has no mutations of its own.  */
#pragma weak dg_fuzz_code_mutate
#define ENTRY(name)                                                           \
  {#name, dg_fuzz_##name##_test, dg_fuzz_##name##_mutate,                     \
   dg_fuzz_##name##_seed},
#else
#pragma weak LLVMFuzzerCustomMutator
#define TARGETS(X) X
#define ENTRY                                                                 \
  {NULL, LLVMFuzzerTestOneInput, LLVMFuzzerCustomMutator, dg_fuzz_seed}
#endif

static const struct target {
  const char *name; /* NULL: the only one */
  int (*test) (const uint8_t *bytes, size_t n);
  /* NULL: it has none.  */
  size_t (*mutate) (uint8_t *bytes, size_t n, size_t max, unsigned int seed);
  void (*seed) (GByteArray *bytes);
} targets[] = { TARGETS (ENTRY) };

/* Takes its name from the arguments; NULL: there is no such target.  */
static const struct target *
take_target (int *argc, char ***argv)
{
  if (targets[0].name == NULL)
    return &targets[0];
  if (*argc < 2)
    return NULL;
  ++*argv;
  --*argc;
  for (size_t i = 0; i < G_N_ELEMENTS (targets); i++)
    if (strcmp ((*argv)[0], targets[i].name) == 0)
      return &targets[i];
  return NULL;
}

/* ---- Inputs ---- */

struct work {
  const struct target *target;
  /* Only write there what texts become; NULL: run all.  */
  char *folder;
  gint mutations; /* of each file or variant of a text */
  gint seed;
  gint64 total;
  gint64 n; /* inputs that were run */
};

static void
run_bytes (struct work *work, const guint8 *bytes, size_t n)
{
  /* Of its exact size, so that reading beyond is seen.  */
  guint8 *copy = g_memdup2 (bytes, n);

  work->target->test (copy, n);
  g_free (copy);
  work->n++;
}

/* Room for what mutations add.  */
#define MORE_BYTES 4096

/* Changes what the bytes mean, if the target knows how.  */
static bool
mutate_meaning (const struct target *target, GRand *rand, GByteArray *bytes)
{
  guint n = bytes->len;

  if (target->mutate == NULL)
    return false;
  g_byte_array_set_size (bytes, n + MORE_BYTES);
  n = target->mutate (bytes->data, n, bytes->len, g_rand_int (rand));
  g_byte_array_set_size (bytes, n);
  return true;
}

/* Changes a few places, as damage or malice would.  */
static void
mutate (GRand *rand, GByteArray *bytes)
{
  static const guint8 values[] = { 0, 1, 9, 11, 12, 13, 31, 32, 127, 128,
                                   254, 255 };
  int changes = g_rand_int_range (rand, 1, 6);

  while (changes-- > 0 && bytes->len > DG_HEADER_SIZE + 1) {
    guint at = g_rand_int_range (rand, DG_HEADER_SIZE, bytes->len);
    guint wanted = g_rand_int_range (rand, 1, 40);
    guint n = MIN (wanted, bytes->len - at);
    guint from = g_rand_int_range (rand, DG_HEADER_SIZE, bytes->len - n + 1);

    switch (g_rand_int_range (rand, 0, 6)) {
    case 0:
      bytes->data[at] ^= 1 << g_rand_int_range (rand, 0, 8);
      break;
    case 1:
      bytes->data[at] = values[g_rand_int_range (rand, 0, sizeof values)];
      break;
    case 2:
      memmove (bytes->data + at, bytes->data + from, n);
      break;
    case 3:
      g_byte_array_remove_range (bytes, at, n);
      break;
    case 4:
      memset (bytes->data + at, g_rand_boolean (rand) ? 255 : 0, n);
      break;
    default:
      g_byte_array_set_size (bytes, at);
      break;
    }
  }
}

static void
run_mutations (struct work *work, const GByteArray *bytes, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);

  for (gint i = work->mutations; i-- > 0;) {
    GByteArray *copy = g_byte_array_new ();

    g_byte_array_append (copy, bytes->data, bytes->len);
    if (i % 4 == 0 || !mutate_meaning (work->target, rand, copy))
      mutate (rand, copy);
    run_bytes (work, copy->data, copy->len);
    g_byte_array_unref (copy);
  }
  g_rand_free (rand);
}

static void
write_seed (const GByteArray *bytes, const char *folder, const char *name,
            unsigned variant)
{
  char *path = g_strdup_printf ("%s/%s-%u", folder, name, variant);

  if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len,
                            NULL))
    g_error ("%s cannot be written", path);
  g_free (path);
}

static void
run_text (struct work *work, const char *text, const char *name)
{
  for (unsigned variant = 0; variant < 4; variant++) {
    struct dg_asm as;
    char *message;

    dg_asm_init (&as);
    as.word_size = variant & 1 ? 4 : 8;
    as.big_endian = variant & 2;
    if (!dg_asm_text (&as, text, &message))
      g_error ("%s", message);
    if (as.bytes->len <= MAX_BYTES) {
      work->target->seed (as.bytes);
      if (work->folder)
        write_seed (as.bytes, work->folder, name, variant);
      else
        run_bytes (work, as.bytes->data, as.bytes->len);
      run_mutations (work, as.bytes, work->seed + variant);
    }
    dg_asm_fini (&as);
  }
}

static void
run_file (struct work *work, const char *path)
{
  char *contents, *name = g_path_get_basename (path);
  gsize n;

  if (!g_file_get_contents (path, &contents, &n, NULL))
    g_error ("%s cannot be read", path);
  if (g_str_has_suffix (path, ".dgt")) {
    run_text (work, contents, name);
    g_free (contents);
  } else if (!g_str_has_suffix (path, ".xz")
             && !g_str_has_suffix (path, ".expect")) {
    GByteArray *bytes = g_byte_array_new_take ((guint8 *) contents, n);

    run_bytes (work, bytes->data, bytes->len);
    run_mutations (work, bytes, work->seed);
    g_byte_array_unref (bytes);
  } else {
    g_free (contents);
  }
  g_free (name);
}

static unsigned
run_path (struct work *work, const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;
  unsigned files = 0;

  if (!dir) {
    run_file (work, path);
    return 1;
  }
  while ((name = g_dir_read_name (dir))) {
    char *file = g_build_filename (path, name, NULL);

    if (name[0] != '.')
      files += run_path (work, file);
    g_free (file);
  }
  g_dir_close (dir);
  return files;
}

static void
run_again (struct work *work, char **paths)
{
  gint64 start = g_get_monotonic_time ();

  if (work->mutations == 0)
    work->mutations = 100;
  do {
    for (char **path = paths; *path; path++)
      run_path (work, *path);
    /* The memory sanitizer knows printf, not g_printerr.  */
    fprintf (stderr, "%" G_GINT64_FORMAT " inputs, %.0f/s, seed %d\n",
             work->n, work->n * 1e6 / (g_get_monotonic_time () - start),
             work->seed);
    work->seed += 4;
  } while (work->n < work->total);
}

static void
run_once (struct work *work, char **paths)
{
  printf ("1..%u\n", g_strv_length (paths));
  for (int i = 0; paths[i]; i++) {
    char *name = g_path_get_basename (paths[i]);
    unsigned files;

    fflush (stdout);
    files = run_path (work, paths[i]);
    printf ("%s %d %s: %u files, %d mutations of each\n",
            files > 0 ? "ok" : "not ok", i + 1, name, files,
            work->mutations);
    g_free (name);
  }
}

int
main (int argc, char **argv)
{
  struct work work = { .target = take_target (&argc, &argv), .seed = 1 };
  const GOptionEntry options[] = {
    { "mutations", 'n', 0, G_OPTION_ARG_INT, &work.mutations, NULL, "N" },
    { "seed", 's', 0, G_OPTION_ARG_INT, &work.seed, NULL, "N" },
    { "total", 't', 0, G_OPTION_ARG_INT64, &work.total, NULL, "N" },
    { "write", 'w', 0, G_OPTION_ARG_FILENAME, &work.folder, NULL, "FOLDER" },
    { NULL }
  };
  GOptionContext *context = g_option_context_new ("FILE-OR-FOLDER...");

  if (work.target == NULL) {
    fprintf (stderr, "the first argument is no target\n");
    return 2;
  }
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  g_option_context_free (context);
  if (work.total > 0)
    run_again (&work, argv + 1);
  else
    run_once (&work, argv + 1);
  g_free (work.folder);
  return 0;
}
