/* fuzz_main.c: a fuzz target without a fuzzer: a test that prints TAP.

     fuzz_log [-n MUTATIONS] [-s SEED] FILE-OR-FOLDER...
   runs each file, texts of dgasm's language (.dgt) in all four variants, and
   the given number of mutations of each.
     fuzz_log -w FOLDER TEXT...
   writes what texts become there, to begin with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "asm.h"
#include "dg_record.h"
#include "fuzz.h"

#define MAX_BYTES (1 << 20)

static void
run_bytes (const guint8 *bytes, size_t n)
{
  /* Of its exact size, so that reading beyond is seen.  */
  guint8 *copy = g_memdup2 (bytes, n);

  LLVMFuzzerTestOneInput (copy, n);
  g_free (copy);
}

/* Targets without mutations of their own have none.  */
#pragma weak LLVMFuzzerCustomMutator

/* Room for what mutations add.  */
#define MORE_BYTES 4096

/* Changes what the bytes mean, if the target knows how.  */
static bool
mutate_meaning (GRand *rand, GByteArray *bytes)
{
  guint n = bytes->len;

  if (LLVMFuzzerCustomMutator == NULL)
    return false;
  g_byte_array_set_size (bytes, n + MORE_BYTES);
  n = LLVMFuzzerCustomMutator (bytes->data, n, bytes->len,
                               g_rand_int (rand));
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
run_mutations (const GByteArray *bytes, unsigned n, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);

  while (n-- > 0) {
    GByteArray *copy = g_byte_array_new ();

    g_byte_array_append (copy, bytes->data, bytes->len);
    if (n % 4 == 0 || !mutate_meaning (rand, copy))
      mutate (rand, copy);
    run_bytes (copy->data, copy->len);
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

/* folder: only write there what it becomes.  */
static void
run_text (const char *text, const char *name, const char *folder,
          unsigned mutations, guint32 seed)
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
      dg_fuzz_seed (as.bytes);
      if (folder)
        write_seed (as.bytes, folder, name, variant);
      else
        run_bytes (as.bytes->data, as.bytes->len);
      run_mutations (as.bytes, mutations, seed + variant);
    }
    dg_asm_fini (&as);
  }
}

static void
run_file (const char *path, const char *folder, unsigned mutations,
          guint32 seed)
{
  char *contents, *name = g_path_get_basename (path);
  gsize n;

  if (!g_file_get_contents (path, &contents, &n, NULL))
    g_error ("%s cannot be read", path);
  if (g_str_has_suffix (path, ".dgt")) {
    run_text (contents, name, folder, mutations, seed);
    g_free (contents);
  } else if (!g_str_has_suffix (path, ".xz")
             && !g_str_has_suffix (path, ".expect")) {
    GByteArray *bytes = g_byte_array_new_take ((guint8 *) contents, n);

    run_bytes (bytes->data, bytes->len);
    run_mutations (bytes, mutations, seed);
    g_byte_array_unref (bytes);
  } else {
    g_free (contents);
  }
  g_free (name);
}

static unsigned
run_path (const char *path, const char *folder, unsigned mutations,
          guint32 seed)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;
  unsigned files = 0;

  if (!dir) {
    run_file (path, folder, mutations, seed);
    return 1;
  }
  while ((name = g_dir_read_name (dir))) {
    char *file = g_build_filename (path, name, NULL);

    if (name[0] != '.')
      files += run_path (file, folder, mutations, seed);
    g_free (file);
  }
  g_dir_close (dir);
  return files;
}

int
main (int argc, char **argv)
{
  gint mutations = 0, seed = 1;
  char *folder = NULL;
  const GOptionEntry options[] = {
    { "mutations", 'n', 0, G_OPTION_ARG_INT, &mutations, NULL, "N" },
    { "seed", 's', 0, G_OPTION_ARG_INT, &seed, NULL, "N" },
    { "write", 'w', 0, G_OPTION_ARG_FILENAME, &folder, NULL, "FOLDER" },
    { NULL }
  };
  GOptionContext *context = g_option_context_new ("FILE-OR-FOLDER...");

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  g_option_context_free (context);
  printf ("1..%d\n", argc - 1);
  for (int i = 1; i < argc; i++) {
    char *name = g_path_get_basename (argv[i]);
    unsigned files;

    fflush (stdout);
    files = run_path (argv[i], folder, mutations, seed);
    printf ("%s %d %s: %u files, %d mutations of each\n",
            files > 0 ? "ok" : "not ok", i, name, files, mutations);
    g_free (name);
  }
  g_free (folder);
  return 0;
}
