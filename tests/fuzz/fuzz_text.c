/* fuzz_text.c: what users write: conditions of --events and --ranges, values
   of the analyses' options, files of allocators, traces of lackey.

   The first byte says which; the rest is the text.

     E R    --events, --ranges
     O      an option: "NAME=VALUE" of the analysis with the number of the next
            character
     A      a file of allocators
     L      a trace of lackey

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET text

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "asm.h"
#include "dg_analysis.h"
#include "feed/feed.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"

/* Where files are; `suffix` says which.  */
static const char *
place (const char *suffix)
{
  static char path[100];

  g_snprintf (path, sizeof path, "%s/dg-fuzz-text-%d%s",
              g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                ? "/dev/shm" : g_get_tmp_dir (), (int) getpid (), suffix);
  return path;
}

/* ---- A log to ask of --------------------------------------------------- */

static const struct dg_log *
small_log (void)
{
  static struct dg_log *log;
  static struct dg_asm as;
  struct dg_error err;
  char *message;

  if (log != NULL)
    return log;
  dg_asm_init (&as);
  if (!dg_asm_text (
        &as,
        "process 42 1 7 8 4096 64 4 30 \"0\" \"3\" \"a\" \"/e\" \"/\" "
        "[\"e\"]\n"
        "bbdef [0x1000+4 0x1004+4] [R8@0 W4@1]\ncontext 0 [0x1000 0x2000]\n"
        "thread_name 1 \"main\"\nstart_event \"phase\"\n"
        "track_range 0x9000 64 \"int\" \"array\"\n"
        "malloc_block 0x5000 64 [0x1000 0x2000]\n"
        "bbrun 0 2 [0x9000 0x5008]\nclock 1000\nbbrun 0 2 [0x9008 0x5010]\n"
        "thread_start 2 1 43\nthread_switch 2\nend_event \"phase\"\n"
        "bbrun 0 1 [0x9010]\nfree_block 0x5000\nbbrun 0 2 [0x40 0x80]\n"
        "end threads=2\n", &message))
    g_error ("%s", message);
  MUST (dg_log_open_memory ("log", as.bytes->data, as.bytes->len, &log, &err)
        == 0);
  MUST (dg_log_load (log, 1, NULL, NULL, &err) == 0);
  return log;
}

/* ---- Conditions --------------------------------------------------------- */

static void
use_filter (const struct dg_filter *filter)
{
  const struct dg_log *log = small_log ();
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_access out[256];
  uint8_t mask[256];
  ptrdiff_t n = dg_reader_accesses (reader, out, 256, NULL);
  size_t kept = 0;

  MUST (n > 0);
  for (ptrdiff_t i = 0; i < n; i++)
    kept += dg_filter_access (filter, &out[i]);
  MUST (dg_filter_accesses (filter, out, (size_t) n, mask) == kept);
  for (size_t i = 0; dg_filter_problem (filter, i) != NULL; i++)
    MUST (strlen (dg_filter_problem (filter, i)) > 0);
  dg_reader_free (reader);
}

static void
try_conditions (const char *text, bool is_events)
{
  const char *events = is_events ? text : NULL;
  const char *ranges = is_events ? NULL : text;
  struct dg_error err = { 0 }, again = { 0 };
  static struct dg_symbols *symbols;
  int code = dg_filter_check (events, ranges, &err);
  struct dg_filter *filter;
  char *one, *quoted = dg_filter_quote (text);

  MUST (code == 0 || (code == DG_ERR_FILTER && err.message[0] != '\0'));
  if (symbols == NULL)
    symbols = dg_symbols_new (small_log (), NULL, &err);
  filter = dg_filter_new (small_log (), symbols, NULL, events, ranges, NULL,
                          NULL, &again);
  MUST ((filter != NULL) == (code == 0));
  if (filter != NULL)
    use_filter (filter);
  dg_filter_free (filter);
  for (size_t i = 0; (one = dg_filter_condition_text (text, i)) != NULL; i++)
    free (one);
  /* What is quoted is one condition, whatever it has in it.  */
  one = g_strconcat ("user:", quoted, NULL);
  MUST (text[0] == '\0' || dg_filter_check (one, NULL, &err) == 0);
  g_free (one);
  free (quoted);
}

/* ---- Options ------------------------------------------------------------ */

static void
try_option (const char *text)
{
  size_t n;
  const struct dg_analysis *const *all = dg_analyses (&n);
  const struct dg_analysis *analysis = all[(uint8_t) (text[0] - '0') % n];
  const char *equals = text[0] != '\0' ? strchr (text + 1, '=') : NULL;
  char *name = equals != NULL ? g_strndup (text + 1,
                                           (gsize) (equals - text - 1))
                              : g_strdup (text[0] != '\0' ? text + 1 : "");
  struct dg_setting setting = {name, equals != NULL ? equals + 1 : NULL};
  struct dg_analyse_options options = {
    .size = sizeof options, .workers = 1, .settings = &setting,
    .n_settings = 1
  };
  const struct dg_option *option = analysis->options;
  struct dg_error err = { 0 };
  struct dg_report *report;
  int code;

  while (option != NULL && option->name != NULL
         && strcmp (option->name, name) != 0)
    option++;
  /* Files are written where a text says.  */
  if (option != NULL && option->name != NULL
      && option->type != DG_OPTION_FILE && strlen (text) < 200) {
    code = dg_option_check (option, setting.value, &err);
    MUST (code == 0 || code == DG_ERR_INVALID);
    report = dg_report_new (NULL);
    if (dg_analyse (small_log (), &analysis, 1, &options, NULL, NULL, report,
                    &err)
        < 0)
      MUST (err.message[0] != '\0');
    else
      MUST (code == 0);
    dg_report_free (report);
  }
  g_free (name);
}

/* ---- Files -------------------------------------------------------------- */

static void
write_text (const uint8_t *bytes, size_t n)
{
  MUST (g_file_set_contents_full (place (""), (const char *) bytes, n,
                                  G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
try_allocators (const uint8_t *bytes, size_t n)
{
  struct dg_frame frame = { .function = "my_malloc(unsigned long)" };
  struct dg_error err = { 0 };
  struct dg_allocators *allocators;

  write_text (bytes, n);
  allocators = dg_allocators_new (place (""), &err);
  MUST (allocators != NULL || err.code == DG_ERR_INVALID);
  if (allocators != NULL)
    dg_frame_is_allocator (allocators, &frame);
  dg_allocators_free (allocators);
  g_unlink (place (""));
}

static void
try_lackey (const uint8_t *bytes, size_t n)
{
  char *trace = g_strdup (place ("")), *path = g_strdup (place (".log"));
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code;

  write_text (bytes, n);
  code = dg_import_lackey (trace, path, NULL, NULL, NULL, &err);
  MUST (code == 0 || code == DG_ERR_INVALID);
  if (code == 0) {
    MUST (dg_log_open (path, &log, &err) == 0);
    MUST (dg_log_load (log, 1, NULL, NULL, &err) == 0);
    MUST (dg_log_verify (log, 1, NULL, NULL, &err) == 0);
    dg_log_close (log);
    g_unlink (path);
  }
  g_unlink (trace);
  g_free (path);
  g_free (trace);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  char *text;

  if (n == 0)
    return 0;
  text = g_strndup ((const char *) bytes + 1, n - 1);
  switch (bytes[0]) {
  case 'E':
  case 'R':
    try_conditions (text, bytes[0] == 'E');
    break;
  case 'O':
    try_option (text);
    break;
  case 'A':
    try_allocators (bytes + 1, n - 1);
    break;
  case 'L':
    try_lackey (bytes + 1, n - 1);
    break;
  default:
    break;
  }
  g_free (text);
  return 0;
}

/* ---- Mutations ---------------------------------------------------------- */

static const char *const condition_words[] = {
  "fn:", "file:", "dso:", "user:", "thread:", "range", "malloc", "var:",
  "addr:", "not ", ",", "\\", "..", "0x", "a", "phase", "array", "main", "1",
  "0", "18446744073709551615", "18446744073709551616", "-1", "\\,", "*", "(",
  ")", " ", ":", "<", NULL
};
static const char *const allocator_words[] = {
  "malloc", "operator new", " ", "\n", "#", "-1", "0", "255", "256", "\t",
  "my_malloc 0 1 -1\n", "99999999999999999999", "(", NULL
};
static const char *const lackey_words[] = {
  "I  04016b80,3\n", " L 1ffefffe58,8\n", " S 1000,4\n", " M 2000,16\n",
  "==12== Command: ./a 'b c'\n", "==12== Exit code: 3\n", ",", "\n", "I  ",
  "==12== Using Valgrind-3.19.0 and\n", "ffffffffffffffff", ",4096", ",0",
  " L 0,1\n", ",255", ",256", " ", "'", "\"", NULL
};
static const char *const number_words[] = {
  "=", ",", "0", "1", "-1", "16K", "64K", "1M", "1G", "16E", "0x", "e9",
  "1e300", ".", "nan", "18446744073709551615", "function", "line", "thread",
  " ", "%", "8", "64", NULL
};

/* An option of an analysis, with a number.  */
static size_t
make_option (uint8_t *bytes, size_t max, struct dg_fuzz_random *random)
{
  size_t n, i, n_options = 0;
  const struct dg_analysis *const *all = dg_analyses (&n);
  const struct dg_option *options;
  char *text;

  i = dg_fuzz_below (random, n);
  options = all[i]->options;
  while (options != NULL && options[n_options].name != NULL)
    n_options++;
  if (n_options == 0)
    return 0;
  options += dg_fuzz_below (random, n_options);
  text = g_strdup_printf (
    "O%c%s=%s", (char) ('0' + i), options->name,
    options->choices != NULL && dg_fuzz_chance (random, 2) ? options->choices
    : options->fallback != NULL && dg_fuzz_chance (random, 2)
      ? options->fallback
      : number_words[dg_fuzz_below (random, G_N_ELEMENTS (number_words) - 1)]);
  n = MIN (strlen (text), max);
  memcpy (bytes, text, n);
  g_free (text);
  return n;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};
  const char *const *words = condition_words;
  size_t made;

  if (n == 0 || strchr ("EROAL", bytes[0]) == NULL) {
    if (max == 0)
      return n;
    bytes[0] = (uint8_t) "EROAL"[dg_fuzz_below (&random, 5)];
    n = MAX (n, 1);
  }
  if (bytes[0] == 'O' && (made = make_option (bytes, max, &random)) > 0
      && dg_fuzz_chance (&random, 2))
    return made;
  if (bytes[0] == 'O') {
    n = MAX (n, MIN (max, 2));
    /* What stands before the value stays.  */
    made = n;
    for (size_t i = 0; i < n; i++)
      if (bytes[i] == '=') {
        made = i + 1;
        break;
      }
    return made
           + dg_mutate_text (bytes + made, n - made, max - made, number_words,
                             &random);
  }
  if (bytes[0] == 'A')
    words = allocator_words;
  else if (bytes[0] == 'L')
    words = lackey_words;
  return 1 + dg_mutate_text (bytes + 1, n - 1, max - 1, words, &random);
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  /* Of logs there is nothing to take.  */
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (const guint8 *) "E", 1);
}
