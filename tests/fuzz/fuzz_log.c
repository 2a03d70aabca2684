/* fuzz_log.c: any bytes as a log: open, load, read in every way, ask who owns
   addresses, filter.  Symbols are not asked: they would open files that the
   bytes name.

   Built with -fsanitize=fuzzer, or for AFL++, this is their target.  With
   DG_FUZZ_MAIN it is a test of its own, which prints TAP:
     fuzz_log [-n MUTATIONS] [-s SEED] FILE-OR-FOLDER...
   runs each file, texts of dgasm's language (.dgt) in all four variants, and
   the given number of mutations of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n);

/* What must hold stops the program when it does not; by abort, which fuzzers
   notice.  */
#define MUST(condition)                                                 \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf (stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,       \
               #condition);                                             \
      abort ();                                                         \
    }                                                                   \
  } while (0)

/* What readers found, which the summary has to say too.  */
struct sums {
  uint64_t runs, instructions, accesses;
};

static void
read_runs (const struct dg_log *log, size_t first, size_t end,
           struct sums *sums)
{
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, first, end, &err);
  struct dg_run run;
  int code;

  MUST (reader);
  while ((code = dg_reader_run (reader, &run, &err)) > 0) {
    MUST (run.n_slots <= run.bbdef->n_slots);
    MUST (run.n_instrs <= run.bbdef->n_instrs);
    sums->runs++;
    sums->instructions += run.n_instrs;
    for (unsigned i = 0; i < run.n_slots; i++)
      sums->accesses += run.addresses[run.bbdef->slots[i].entry] != 0;
  }
  MUST (code == 0);
  dg_reader_free (reader);
}

static void
check_reading (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  struct sums whole = { 0 }, parts = { 0 };
  size_t n;

  read_runs (log, 0, SIZE_MAX, &whole);
  MUST (whole.runs == s->runs);
  MUST (whole.instructions == s->instructions);
  MUST (whole.accesses == s->accesses);
  MUST (s->reads + s->writes == s->accesses);
  MUST (dg_log_chunks (log, &n));
  for (size_t i = 0; i < n && n < 1000; i++)
    read_runs (log, i, i + 1, &parts);
  MUST (n >= 1000 || memcmp (&whole, &parts, sizeof whole) == 0);
}

/* Everything that is asked must answer.  */
static void
check_definitions (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  uint64_t sum = 0;

  for (uint32_t i = 0; i < s->bbdefs; i++) {
    const struct dg_bbdef *b = dg_log_bbdef (log, i);

    for (unsigned j = 0; j < b->n_slots; j++) {
      MUST (b->slots[j].iseq < b->n_instrs);
      MUST (b->slots[j].entry < b->n_entries);
      sum += b->instrs[b->slots[j].iseq].address;
    }
  }
  for (uint32_t i = 0; i < s->contexts; i++) {
    const struct dg_context *c = dg_log_context (log, i);

    MUST (c->bbdef < s->bbdefs);
    for (unsigned j = 0; j < c->n_stack; j++)
      sum += c->stack[j];
  }
  /* So that nothing of it is left out.  */
  if (sum == 42)
    g_debug ("42");
}

static void
check_timelines (const struct dg_log *log)
{
  size_t n, length = 0;
  const struct dg_event *e = dg_log_events (log, &n);

  for (size_t i = 0; i < n; i++) {
    MUST (e[i].start_icount <= e[i].end_icount);
    MUST (i == 0 || e[i].start_icount >= e[i - 1].start_icount);
    length += strlen (e[i].label);
  }
  const struct dg_block *b = dg_log_blocks (log, &n);

  for (size_t i = 0; i < n; i++)
    MUST (b[i].alloc_icount <= b[i].free_icount);
  const struct dg_mapping *m = dg_log_mappings (log, &n);

  for (size_t i = 0; i < n; i++) {
    MUST (m[i].start_icount <= m[i].end_icount);
    length += strlen (m[i].file);
  }
  const struct dg_module *o = dg_log_modules (log, &n);

  for (size_t i = 0; i < n; i++)
    length += strlen (o[i].file) + strlen (o[i].soname);
  MUST (dg_log_threads (log, &n) && n == dg_log_summary (log)->threads);
  const struct dg_process *p = dg_log_process (log);

  for (uint32_t i = 0; p && i < p->argc; i++)
    length += strlen (p->argv[i]);
  if (length == SIZE_MAX)
    g_debug ("long");
}

/* All records, of a loaded or unloaded log; returns where that ended.  */
static uint64_t
read_records (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_record r;
  uint64_t offset = DG_HEADER_SIZE;
  size_t length = 0;
  int code;

  MUST (reader);
  while ((code = dg_reader_record (reader, &r, &err)) > 0) {
    MUST (r.offset >= offset);
    offset = r.offset + r.length;
    for (uint32_t i = 0; i < r.n_strings; i++)
      length += strlen (r.strings[i]);
    for (uint32_t i = 0; i < r.n_words; i++)
      length ^= r.words[i];
  }
  MUST (!log->is_loaded || code == 0);
  if (length == 42)
    g_debug ("42");
  dg_reader_free (reader);
  return code < 0 ? err.offset : log->header.file_size;
}

static void
check_filter (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_space *space = dg_space_new (log, &err);
  struct dg_filter *filter;
  struct dg_reader *reader;
  struct dg_access out[256];
  struct dg_owner owner;
  uint64_t kept = 0;
  ptrdiff_t n;

  MUST (space);
  filter = dg_filter_new (log, NULL, space, "user:a,user:phase",
                          "malloc,user:a,range", NULL, NULL, &err);
  MUST (filter);
  reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  MUST (reader);
  while ((n = dg_reader_accesses (reader, out, 256, &err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++) {
      dg_space_find (space, out[i].address, out[i].icount, &owner);
      kept += dg_filter_access (filter, &out[i]);
      kept += dg_filter_run (filter, out[i].context, out[i].icount);
    }
  MUST (n == 0);
  if (kept == 42)
    g_debug ("42");
  dg_reader_free (reader);
  dg_filter_free (filter);
  dg_space_free (space);
}

static int
open_and_load (const uint8_t *bytes, size_t n, unsigned workers,
               struct dg_log **log, struct dg_error *err)
{
  int code = dg_log_open_memory ("fuzz", bytes, n, log, err);

  MUST ((code == 0) == (*log != NULL));
  if (code < 0)
    return code;
  (*log)->part_min_bytes = 1;
  code = dg_log_load (*log, workers, NULL, NULL, err);
  MUST (code == 0 || code == DG_ERR_DAMAGED || code == DG_ERR_TRUNCATED);
  MUST (code == 0 || err->offset == dg_log_summary (*log)->good_bytes);
  return code;
}

/* More workers find the same.  */
static void
check_workers (const uint8_t *bytes, size_t n, int code,
               const struct dg_error *expected, const struct dg_log *one)
{
  struct dg_error err;
  struct dg_log *log;

  MUST (open_and_load (bytes, n, 3, &log, &err) == code);
  MUST (code == 0 || strcmp (err.message, expected->message) == 0);
  MUST (memcmp (dg_log_summary (log), dg_log_summary (one),
                sizeof (struct dg_summary)) == 0);
  dg_log_close (log);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  struct dg_error err;
  struct dg_log *log;
  uint64_t stop;
  int code = dg_log_open_memory ("fuzz", bytes, n, &log, &err);

  if (code < 0)
    return 0;
  stop = read_records (log);
  dg_log_close (log);
  code = open_and_load (bytes, n, 1, &log, &err);
  MUST (stop >= dg_log_summary (log)->good_bytes);
  check_reading (log);
  check_definitions (log);
  check_timelines (log);
  MUST (read_records (log) == log->header.file_size);
  check_filter (log);
  check_workers (bytes, n, code, &err, log);
  dg_log_close (log);
  return 0;
}

#ifdef DG_FUZZ_MAIN

#include "asm.h"

#define MAX_BYTES (1 << 20)

static void
run_bytes (const guint8 *bytes, size_t n)
{
  /* Of its exact size, so that reading beyond is seen.  */
  guint8 *copy = g_memdup2 (bytes, n);

  LLVMFuzzerTestOneInput (copy, n);
  g_free (copy);
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
    mutate (rand, copy);
    run_bytes (copy->data, copy->len);
    g_byte_array_unref (copy);
  }
  g_rand_free (rand);
}

static void
run_text (const char *text, unsigned mutations, guint32 seed)
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
      run_bytes (as.bytes->data, as.bytes->len);
      run_mutations (as.bytes, mutations, seed + variant);
    }
    dg_asm_fini (&as);
  }
}

static void
run_file (const char *path, unsigned mutations, guint32 seed)
{
  char *contents;
  gsize n;

  if (!g_file_get_contents (path, &contents, &n, NULL))
    g_error ("%s cannot be read", path);
  if (g_str_has_suffix (path, ".dgt")) {
    run_text (contents, mutations, seed);
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
}

static unsigned
run_path (const char *path, unsigned mutations, guint32 seed)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;
  unsigned files = 0;

  if (!dir) {
    run_file (path, mutations, seed);
    return 1;
  }
  while ((name = g_dir_read_name (dir))) {
    char *file = g_build_filename (path, name, NULL);

    if (name[0] != '.')
      files += run_path (file, mutations, seed);
    g_free (file);
  }
  g_dir_close (dir);
  return files;
}

int
main (int argc, char **argv)
{
  gint mutations = 0, seed = 1;
  const GOptionEntry options[] = {
    { "mutations", 'n', 0, G_OPTION_ARG_INT, &mutations, NULL, "N" },
    { "seed", 's', 0, G_OPTION_ARG_INT, &seed, NULL, "N" },
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
    files = run_path (argv[i], mutations, seed);
    printf ("ok %d %s: %u files, %d mutations of each\n", i, name, files,
            mutations);
    g_free (name);
  }
  return 0;
}

#endif
