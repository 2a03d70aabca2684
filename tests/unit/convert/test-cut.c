/* test-cut.c: a part of a log has exactly the accesses of the log that it
   should have, each with its icount, thread, stack, owner and events, and what
   happens between them; of the raw log, of its archive, and whatever the
   number of threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "describe.h"
#include "core_test.h"
#include "random_text.h"
#include "log/reader.h"
#include "long_test.h"
#include "unit_main.h"

#define P(...) g_string_append_printf (text, __VA_ARGS__)

static void
describe_stack (GString *text, uint32_t n, const uint64_t *sites)
{
  P (" [");
  for (uint32_t i = 0; i < n; i++)
    P (" %" PRIx64, sites[i]);
  P (" ]");
}

static void
describe_owner (GString *text, const struct dg_log *log,
                const struct dg_space *space, const struct dg_access *access)
{
  const struct dg_contents *c = &log->contents;
  struct dg_owner owner;

  dg_space_find (space, access->address, access->icount, &owner);
  P (" owner %d", owner.kind);
  /* A module begins with the lowest of its mappings, which may yet come.  */
  if (owner.kind != DG_OWNER_MODULE)
    P ("+%" PRIu64, owner.offset);
  if (owner.range != DG_NONE) {
    const struct dg_range *r = (struct dg_range *) c->ranges.items
                               + owner.range;

    P (" range %s %" PRIx64 " %" PRIu64, r->label, r->address,
       r->start_icount);
  }
  if (owner.kind == DG_OWNER_BLOCK) {
    const struct dg_block block = dg_log_block (log, owner.index);
    const struct dg_block *b = &block;

    P (" %" PRIx64 "+%" PRIu64 " at %" PRIu64 " no. %" PRIu64, b->address,
       b->size, b->alloc_icount, b->alloc_seqno);
    describe_stack (text, b->alloc_stack.n, b->alloc_stack.sites);
  } else if (owner.kind == DG_OWNER_STACK) {
    P (" %u", ((struct dg_thread *) c->threads.items)[owner.index].number);
  } else if (owner.kind == DG_OWNER_MODULE) {
    P (" %s", ((struct dg_module *) c->modules.items)[owner.index].file);
  } else if (owner.kind == DG_OWNER_MAPPING) {
    const struct dg_mapping *m = (struct dg_mapping *) c->mappings.items
                                 + owner.index;

    P (" %" PRIx64 "+%" PRIu64 " at %" PRIu64 " %s %d", m->address, m->size,
       m->start_icount, m->file, m->protection);
  }
}

static void
describe_events (GString *text, const struct dg_log *log, uint64_t icount)
{
  size_t n;
  const struct dg_event *e = dg_log_events (log, &n);

  P (" in [");
  for (; n > 0; n--, e++)
    if (e->start_icount <= icount && icount < e->end_icount)
      P (" %s %" PRIu64, e->label, e->start_icount);
  P (" ]");
}

/* All accesses of a log, or those that the options leave.  A run that was cut
   begins elsewhere, so its stack is shown from the second entry on.  */
static char *
describe_accesses_of (const struct dg_log *log,
                      const struct dg_cut_options *options)
{
  GString *text = g_string_new (NULL);
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_space *space = dg_space_new (log, &err);
  struct dg_access a[256];
  ptrdiff_t n;

  while ((n = dg_reader_accesses (reader, a, 256, &err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++) {
      uint64_t stack[DG_STACK_MAX];
      uint32_t n_stack = dg_log_context_stack (log, a[i].context, stack);

      if (options
          && (a[i].icount < options->start_icount
              || (options->end_icount > 0
                  && a[i].icount >= options->end_icount)
              || (a[i].address < options->low
                  && a[i].address + a[i].size <= options->low)
              || (options->high > 0 && a[i].address >= options->high)
              || (options->filter
                  && !dg_filter_access (options->filter, &a[i]))))
        continue;
      P ("%" PRIu64 " %" PRIx64 "+%u %d by %u at %" PRIx64, a[i].icount,
         a[i].address, a[i].size, a[i].kind, a[i].thread, a[i].instruction);
      if (n_stack > 0)
        describe_stack (text, n_stack - 1, stack + 1);
      describe_owner (text, log, space, &a[i]);
      describe_events (text, log, a[i].icount);
      P ("\n");
    }
  g_assert_cmpint (n, ==, 0);
  dg_space_free (space);
  dg_reader_free (reader);
  return g_string_free (text, FALSE);
}

/* What happens in a log, but for its runs and what it leaves behind; or in
   the part that the options choose.  */
static char *
describe_happenings (const struct dg_log *log,
                     const struct dg_cut_options *options)
{
  GString *text = g_string_new (NULL);
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_record rec;
  int code;

  reader->payload_max = 1000;
  while ((code = dg_reader_record (reader, &rec, &err)) > 0) {
    bool is_access = rec.type == DG_R_KERNEL_ACCESS;
    bool is_unknown = !dg_record_name (rec.type);

    if (!is_access && !is_unknown && rec.type != DG_R_SIGNAL
        && rec.type != DG_R_FORK)
      continue;
    if (options
        && (rec.icount < options->start_icount
            || (options->end_icount > 0 && rec.icount > options->end_icount)
            || (is_access && rec.words[1] < options->low
                && rec.words[1] + rec.words[2] <= options->low)
            || (is_access && options->high > 0
                && rec.words[1] >= options->high)))
      continue;
    P ("%" PRIu64 " type %u", rec.icount, rec.type);
    if (is_access || is_unknown)
      P (" by %u", rec.thread);
    for (uint32_t i = 0; i < rec.n_words; i++)
      P (" %" PRIx64, rec.words[i]);
    for (uint64_t i = 0; is_unknown && i < rec.length; i++)
      P (" %02x", dg_reader_payload (reader)[i]);
    P ("\n");
  }
  g_assert_cmpint (code, ==, 0);
  dg_reader_free (reader);
  return g_string_free (text, FALSE);
}

/* What a log tells besides its accesses, where a cut of all of it must be as
   the log: definitions stand in another order, and unused ones nowhere.  */
static char *
describe_rest (const struct dg_log *log)
{
  static const char *const others[] = { "complete", "runs", "bbdef", "context",
                                        "chunk" };
  char *all = describe_contents (log, false);
  char **lines = g_strsplit (all, "\n", -1);
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; lines[i]; i++) {
    bool is_other = false;

    for (unsigned k = 0; k < G_N_ELEMENTS (others); k++)
      is_other |= g_str_has_prefix (lines[i], others[k])
                  && lines[i][strlen (others[k])] == ' ';
    if (!is_other)
      P ("%s\n", lines[i]);
  }
  g_strfreev (lines);
  g_free (all);
  return g_string_free (text, FALSE);
}

static struct dg_log *
load_good (const char *path, bool *is_complete)
{
  struct dg_error err = { 0 };
  struct dg_log *log;

  if (dg_log_open (path, &log, &err) < 0
      || dg_log_load (log, 1, NULL, NULL, &err) < 0
      || dg_log_verify (log, 1, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
  *is_complete = dg_log_summary (log)->complete == DG_COMPLETE_YES;
  return log;
}

/* The texts are long: only where they differ is shown.  */
static void
assert_same_lines (const char *got, const char *expected)
{
  char **a = g_strsplit (got, "\n", -1), **b = g_strsplit (expected, "\n", -1);

  for (unsigned i = 0; a[i] || b[i]; i++)
    if (g_strcmp0 (a[i], b[i]) != 0)
      g_error ("line %u is '%s', not '%s'", i + 1, a[i], b[i]);
  g_strfreev (a);
  g_strfreev (b);
}

static char *
temporary_file (void)
{
  char *path;
  int fd = g_file_open_tmp ("dg-cut-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  return path;
}

static void
cut_to (const struct dg_log *log, const char *path,
        const struct dg_cut_options *options)
{
  struct dg_error err = { 0 };

  if (dg_log_cut (log, path, options, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
}

static void
assert_same_files (const char *a, const char *b)
{
  char *x, *y;
  gsize n, m;

  g_assert_true (g_file_get_contents (a, &x, &n, NULL));
  g_assert_true (g_file_get_contents (b, &y, &m, NULL));
  g_assert_cmpmem (x, n, y, m);
  g_free (x);
  g_free (y);
}

/* Stack pointers of a log, or of the instructions that the options choose.  */
static char *
describe_sps_of (const struct dg_log *log,
                 const struct dg_cut_options *options)
{
  char *all = describe_sps (log), **lines = g_strsplit (all, "\n", -1);
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; lines[i]; i++) {
    uint64_t icount = g_ascii_strtoull (lines[i], NULL, 10);

    if (!options
        || (icount >= options->start_icount
            && (options->end_icount == 0 || icount < options->end_icount)))
      P ("%s\n", lines[i]);
  }
  g_strfreev (lines);
  g_free (all);
  return g_string_free (text, FALSE);
}

/* What was cut is what was to be cut.  */
static void
check_part (const struct dg_log *log, const struct dg_cut_options *options,
            const char *path)
{
  uint64_t last = dg_log_summary (log)->last_icount;
  bool is_complete;
  struct dg_log *cut = load_good (path, &is_complete);
  char *got = describe_accesses_of (cut, NULL);
  char *expected = describe_accesses_of (log, options);

  assert_same_lines (got, expected);
  g_free (got);
  g_free (expected);
  if (options->low == 0 && options->high == 0 && !options->filter) {
    got = describe_sps_of (cut, NULL);
    expected = describe_sps_of (log, options);
    assert_same_lines (g_strstrip (got), g_strstrip (expected));
    g_free (got);
    g_free (expected);
  }
  got = describe_happenings (cut, NULL);
  expected = describe_happenings (log, options);
  assert_same_lines (got, expected);
  g_free (got);
  g_free (expected);
  g_assert_cmpint (dg_log_header (cut)->is_archive, ==,
                   options->pack != NULL);
  if (options->end_icount == 0 || options->end_icount > last)
    g_assert_cmpuint (dg_log_summary (cut)->last_icount, ==, last);
  else
    g_assert_cmpuint (dg_log_summary (cut)->last_icount, <=,
                      options->end_icount);
  g_assert_true (is_complete
                 || dg_log_summary (log)->complete == DG_COMPLETE_NO);
  if (options->start_icount == 0 && options->end_icount == 0
      && options->low == 0 && options->high == 0 && !options->filter) {
    got = describe_rest (cut);
    expected = describe_rest (log);
    assert_same_lines (got, expected);
    g_free (got);
    g_free (expected);
  }
  dg_log_close (cut);
}

/* One cut, raw and packed, of a log and of its archive (may be NULL), where a
   filter is for the log alone.  */
static void
check_cut (const struct dg_log *log, const struct dg_log *archive,
           const struct dg_cut_options *options)
{
  static const struct dg_pack_options pack = {.size = sizeof pack,
                                              .workers = 1};
  struct dg_cut_options choice = *options;
  char *path = temporary_file (), *other = temporary_file ();

  for (unsigned i = 0; i < 2; i++) {
    choice.pack = i > 0 ? &pack : NULL;
    choice.workers = 1;
    cut_to (log, path, &choice);
    check_part (log, &choice, path);
    choice.workers = 3;
    cut_to (log, other, &choice);
    assert_same_files (path, other);
    if (archive && !options->filter) {
      cut_to (archive, other, &choice);
      check_part (log, &choice, other);
    }
  }
  g_remove (path);
  g_remove (other);
  g_free (path);
  g_free (other);
}

/* ---- Random cuts ---- */

static unsigned
below (uint64_t n)
{
  return g_test_rand_int_range (0, n);
}

static struct dg_filter *
random_filter (const struct dg_log *log)
{
  static const char *const events[] = { NULL, "user:e0", "user:e1,user:e2" };
  static const char *const ranges[] = { NULL, "malloc", "range", "user:r" };
  struct dg_error err = { 0 };
  struct dg_filter *filter
    = dg_filter_new (log, NULL, NULL, events[below (3)], ranges[below (4)],
                     NULL, NULL, &err);

  g_assert_nonnull (filter);
  return filter;
}

static void
random_cuts (const struct dg_log *log, const struct dg_log *archive)
{
  uint64_t last = dg_log_summary (log)->last_icount + 2;
  struct dg_filter *filter = random_filter (log);

  check_cut (log, archive,
             &(struct dg_cut_options){.size = sizeof (struct dg_cut_options)});
  for (unsigned i = 0; i < 8; i++) {
    struct dg_cut_options options = {.size = sizeof options};

    if (below (4))
      options.start_icount = below (last);
    if (below (4))
      options.end_icount = options.start_icount + 1
                           + below (last - options.start_icount);
    if (below (2)) {
      options.low = below (3) ? 0x10000 + below (0x1000) : 0;
      options.high = below (3) ? options.low + 1 + below (0x1000) : 0;
    }
    if (below (2))
      options.filter = filter;
    check_cut (log, archive, &options);
  }
  dg_filter_free (filter);
}

/* Its archive, in many small chunks.  */
static struct dg_log *
pack_log (struct dg_log *log, const char *path)
{
  static const struct dg_pack_options options = {.size = sizeof options,
                                                 .workers = 1};
  struct dg_error err = { 0 };
  struct dg_log *archive;

  log->piece_accesses = 1 + below (200);
  if (dg_log_pack (log, path, &options, NULL, NULL, &err) < 0
      || dg_log_open (path, &archive, &err) < 0)
    g_error ("%s", err.message);
  dg_log_load (archive, 1, NULL, NULL, &err);
  return archive;
}

static void
test_random (void)
{
  unsigned n = is_long_test () ? 12 : 6;

  if (!g_test_quick ())
    n = 300;

  for (unsigned i = 0; i < n; i++) {
    char *text = random_text_new (50 + below (1000));
    unsigned variant = below (4);
    GByteArray *bytes = core_test_assemble (text, variant & 1 ? 4 : 8,
                                            variant & 2);
    struct dg_error err;
    int code;
    struct dg_log *log = core_test_load (bytes, 1, &code, &err), *archive;
    char *path = temporary_file ();

    archive = pack_log (log, path);
    random_cuts (log, archive);
    g_remove (path);
    g_free (path);
    dg_log_close (archive);
    dg_log_close (log);
    g_byte_array_unref (bytes);
    g_free (text);
  }
}

static void
test_everything (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);

  for (uint64_t start = 0; start <= 12; start++)
    for (uint64_t end = start + 1; end <= 13; end++)
      check_cut (
        log, NULL,
        &(struct dg_cut_options){.size = sizeof (struct dg_cut_options),
                                 .start_icount = start,
                                 .end_icount = end});
  check_cut (log, NULL,
             &(struct dg_cut_options){.size = sizeof (struct dg_cut_options),
                                      .start_icount = 1000});
  check_cut (log, NULL,
             &(struct dg_cut_options){.size = sizeof (struct dg_cut_options),
                                      .start_icount = 1001});
  check_cut (log, NULL,
             &(struct dg_cut_options){.size = sizeof (struct dg_cut_options),
                                      .start_icount = 5000});
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Long enough for markers, and for gaps that are left out.  */
static void
test_long (void)
{
  const struct dg_cut_options options = {
    .size = sizeof options, .start_icount = 7, .end_icount = 1500000};
  const struct dg_cut_options sparse = {
    .size = sizeof sparse, .low = 0x2000, .high = 0x2010};
  GByteArray *bytes;
  struct dg_log *log, *cut;
  struct dg_error err = { 0 };
  bool is_complete;
  char *path;
  size_t n;

  log = core_test_log ("bbdef [0x10+1 0x11+1] [W4@0 R4@1]\ncontext 0 [0x10]\n"
                       "bbrun 0 2 [0x2000 0x2004]\nrepeat 400000\n"
                       "bbrun 0 2 [0x100 0x200]\ndone\n"
                       "bbrun 0 2 [0x2008 0x20]\nrepeat 400000\n"
                       "bbrun 0 2 [0x100 0x200]\ndone\nend\n", &bytes);
  check_cut (log, NULL, &sparse);
  g_assert_cmpint (g_file_open_tmp ("dg-cut-XXXXXX", &path, NULL), >=, 0);
  g_assert_cmpint (dg_log_cut (log, path, &options, NULL, NULL, &err), ==, 0);
  cut = load_good (path, &is_complete);
  /* Read by markers, as the log itself.  */
  dg_log_chunks (cut, &n);
  g_assert_cmpuint (n, >, 4);
  core_test_read (cut);
  g_assert_cmpuint (dg_log_summary (cut)->accesses, ==, 1500000 - 7);
  g_assert_cmpuint (dg_log_summary (cut)->instructions, ==, 1500000 - 7);
  dg_log_close (cut);
  g_assert_cmpint (dg_log_cut (log, path, &sparse, NULL, NULL, &err), ==, 0);
  cut = load_good (path, &is_complete);
  g_assert_cmpuint (dg_log_header (cut)->file_size, <, 1000);
  g_assert_cmpuint (dg_log_summary (cut)->runs, ==, 2);
  g_assert_cmpuint (dg_log_summary (cut)->last_icount, ==, 1600004);
  dg_log_close (cut);
  g_remove (path);
  g_free (path);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_wrong (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes);
  const struct dg_cut_options backwards = {
    .size = sizeof backwards, .start_icount = 5, .end_icount = 5};
  const struct dg_cut_options nowhere = {
    .size = sizeof nowhere, .low = 5, .high = 5};
  const struct dg_cut_options all = {.size = sizeof all};
  struct dg_error err;

  g_assert_cmpint (dg_log_cut (log, "x", &backwards, NULL, NULL, &err), ==,
                   DG_ERR_INVALID);
  g_assert_cmpint (dg_log_cut (log, "x", &nowhere, NULL, NULL, &err), ==,
                   DG_ERR_INVALID);
  g_assert_cmpint (dg_log_cut (log, "/nonexistent/x", &all, NULL, NULL, &err),
                   ==, DG_ERR_IO);
  g_assert_false (g_file_test ("x", G_FILE_TEST_EXISTS));
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cut/everything", test_everything);
  g_test_add_func ("/cut/random", test_random);
  g_test_add_func ("/cut/long", test_long);
  g_test_add_func ("/cut/wrong", test_wrong);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
