/* test-filter.c: the --events and --ranges language: its grammar, and what
   passes compared with plain evaluation of random logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dg_record.h"
#include "fake_log.h"
#include "filter/filter_parse.h"

#include <glib.h>
#include <string.h>

/* ---- Symbols that the test makes up ----------------------------------- */

#define CODE 0x1000
#define N_CODE 40   /* addresses CODE .. CODE + N_CODE - 1 have names */
#define SWITCH 5000 /* from here on, the upper half may have others */

struct dg_symbols {
  struct dg_frame frames[2][N_CODE][3];
  size_t n[N_CODE];
  bool reloaded;
  unsigned n_asked;
};

size_t
dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, struct dg_frame *out, size_t max)
{
  size_t i = address - CODE;

  symbols->n_asked++;
  memset (out, 0, sizeof *out);
  if (i >= N_CODE)
    return 1;
  g_assert_cmpuint (symbols->n[i], <=, max);
  memcpy (out,
          symbols->frames[symbols->reloaded && i >= N_CODE / 2
                          && icount >= SWITCH][i],
          symbols->n[i] * sizeof *out);
  return symbols->n[i];
}

static const char *const functions[] = {"main",
                                        "ns::work(int, char const*)",
                                        "ns::work(double) const",
                                        "(anonymous namespace)::hidden()",
                                        "core::fmt::write",
                                        "ns::F::operator()(int) const",
                                        "puts@plt",
                                        NULL};
static const char *const files[] = {"/src/app/main.c", "/src/lib/main.c",
                                    "util.c", NULL};
static const char *const modules[] = {"/usr/bin/app", "/usr/lib/libx.so.6"};

static void
random_symbols (struct dg_symbols *symbols)
{
  symbols->n_asked = 0;
  for (size_t i = 0; i < N_CODE; i++) {
    symbols->n[i] = (size_t) g_test_rand_int_range (1, 4);
    for (size_t k = 0; k < 2 * 3; k++)
      symbols->frames[k / 3][i][k % 3] = (struct dg_frame){
        .function = functions[g_test_rand_int_range (0, 8)],
        .file = files[g_test_rand_int_range (0, 4)],
        .module = modules[g_test_rand_int_range (0, 2)],
      };
  }
}

/* ---- Random logs ------------------------------------------------------ */

#define N_BBDEFS 12
#define N_CONTEXTS 40
#define N_PATHS 30
#define N_BLOCKS 60
#define N_RANGES 12
#define N_EVENTS 10
#define MOMENTS 10000
#define MEMORY 600

struct world {
  struct dg_log log;
  struct dg_symbols symbols;
  struct dg_module modules[2];
  struct dg_bbdef bbdefs[N_BBDEFS];
  struct dg_instr instrs[N_BBDEFS][4];
  struct dg_context contexts[N_CONTEXTS];
  struct dg_call_path paths[N_PATHS];
  struct dg_run runs[N_CONTEXTS];
  struct dg_block blocks[N_BLOCKS];
  uint64_t sites[N_BLOCKS][3];
  struct dg_range ranges[N_RANGES];
  struct dg_event events[N_EVENTS];
};

static uint64_t
random_to (uint64_t limit)
{
  return (uint64_t) g_test_rand_int_range (0, (gint32) limit);
}

static uint64_t
random_end (uint64_t start)
{
  return random_to (4) == 0 ? DG_NEVER : start + random_to (MOMENTS / 3);
}

/* With `reloaded`, the upper half of the code is of another module after
   SWITCH; each context then belongs to one of the two.  */
static uint64_t
random_code (bool reloaded, bool upper)
{
  return CODE
         + (reloaded && !upper ? random_to (N_CODE / 2) : random_to (N_CODE));
}

static void
random_contexts (struct world *w, bool reloaded)
{
  for (size_t i = 0; i < N_BBDEFS; i++) {
    w->bbdefs[i].number = (uint32_t) i;
    w->bbdefs[i].n_instrs = (uint16_t) (1 + random_to (4));
    w->bbdefs[i].instrs = w->instrs[i];
    for (size_t k = 0; k < 4; k++)
      w->instrs[i][k].address = random_code (reloaded, false);
  }
  w->paths[0] = (struct dg_call_path){.parent = DG_NONE};
  for (size_t i = 1; i < N_PATHS; i++) {
    w->paths[i].site = random_code (reloaded, true);
    w->paths[i].parent = random_to (8) == 0 ? DG_NONE : random_to (i);
  }
  for (size_t i = 0; i < N_CONTEXTS; i++) {
    struct dg_context *c = &w->contexts[i];

    c->bbdef = (uint32_t) random_to (N_BBDEFS);
    c->path = (uint32_t) random_to (N_PATHS);
    w->runs[i] =
      (struct dg_run){.icount = random_to (MOMENTS), .context = (uint32_t) i};
  }
}

static void
random_memory (struct world *w)
{
  static const char *const labels[] = {"a", "b,c", "back\\slash", "d e"};

  for (size_t i = 0; i < N_BLOCKS; i++) {
    uint64_t start = random_to (MOMENTS);

    w->blocks[i] = (struct dg_block){
      .address = random_to (MEMORY),
      .size = random_to (40),
      .alloc_icount = start,
      .free_icount = random_end (start),
      .alloc_stack = {(uint32_t) random_to (4), w->sites[i]}};
    for (size_t k = 0; k < 3; k++)
      w->sites[i][k] = CODE + random_to (N_CODE);
  }
  for (size_t i = 0; i < N_RANGES; i++) {
    uint64_t start = random_to (MOMENTS);

    w->ranges[i] = (struct dg_range){.address = random_to (MEMORY),
                                     .size = random_to (60),
                                     .start_icount = start,
                                     .end_icount = random_end (start),
                                     .type = "",
                                     .label = labels[random_to (4)]};
  }
  for (size_t i = 0; i < N_EVENTS; i++) {
    uint64_t start = random_to (MOMENTS);

    w->events[i] =
      (struct dg_event){start, random_end (start), labels[random_to (4)]};
  }
}

static struct world *
random_world (bool reloaded)
{
  struct world *w = g_new0 (struct world, 1);

  random_symbols (&w->symbols);
  w->symbols.reloaded = reloaded;
  random_contexts (w, reloaded);
  random_memory (w);
  w->modules[0] = (struct dg_module){.text_address = CODE + N_CODE / 2,
                                     .text_size = N_CODE / 2,
                                     .unload_icount = SWITCH,
                                     .file = "/one",
                                     .soname = ""};
  w->modules[1] = w->modules[0];
  w->modules[1].file = "/two";
  w->modules[1].load_icount = SWITCH;
  w->modules[1].unload_icount = DG_NEVER;
  w->log = (struct dg_log){.bbdefs = w->bbdefs,
                           .contexts = w->contexts,
                           .paths = w->paths,
                           .n_paths = N_PATHS,
                           .runs = w->runs,
                           .blocks = w->blocks,
                           .n_blocks = N_BLOCKS,
                           .ranges = w->ranges,
                           .n_ranges = N_RANGES,
                           .events = w->events,
                           .n_events = N_EVENTS,
                           .modules = w->modules,
                           .n_modules = reloaded ? 2 : 0,
                           .summary = {.bbdefs = N_BBDEFS,
                                       .contexts = N_CONTEXTS,
                                       .runs = N_CONTEXTS}};
  return w;
}

/* ---- Plain evaluation ------------------------------------------------- */

static bool
name_fits (const char *name, const char *function)
{
  size_t n = strlen (name);

  if (function == NULL)
    return false;
  /* Enough for the names above.  */
  return strcmp (name, function) == 0
         || (strncmp (function, name, n) == 0 && function[n] == '('
             && strcmp (name + MAX (n, 8) - 8, "operator") != 0 && n > 0);
}

static bool
path_fits (const char *name, const char *path)
{
  char *with_slash = g_strconcat ("/", name, NULL);
  bool fits =
    path != NULL
    && (strcmp (name, path) == 0 || g_str_has_suffix (path, with_slash)
        || (name[0] == '/' && g_str_has_suffix (path, name)));

  g_free (with_slash);
  return fits;
}

static bool
site_fits (struct dg_symbols *symbols, const struct dg_filter_condition *c,
           uint64_t site, uint64_t icount)
{
  struct dg_frame frames[8];
  size_t n = dg_symbols_frames (symbols, site, icount, frames, 8);

  for (size_t i = 0; i < n; i++) {
    if ((c->kind == DG_COND_FN && name_fits (c->name, frames[i].function))
        || (c->kind == DG_COND_FILE && path_fits (c->name, frames[i].file))
        || (c->kind == DG_COND_DSO && path_fits (c->name, frames[i].module)))
      return true;
  }
  return false;
}

static bool
event_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_access *a)
{
  const struct dg_context *context = &w->contexts[a->context];

  if (c->kind == DG_COND_USER) {
    for (size_t i = 0; i < N_EVENTS; i++)
      if (strcmp (w->events[i].label, c->name) == 0
          && w->events[i].start_icount <= a->icount
          && a->icount < w->events[i].end_icount)
        return true;
    return false;
  }
  if (site_fits (&w->symbols, c, a->instruction, a->icount))
    return true;
  for (uint32_t i = context->path; i != 0 && i != DG_NONE;
       i = w->paths[i].parent)
    if (site_fits (&w->symbols, c, w->paths[i].site, a->icount))
      return true;
  return false;
}

static bool
lies_over (const struct dg_access *a, uint64_t address, uint64_t size,
           uint64_t start, uint64_t end)
{
  return a->address < address + size && address < a->address + a->size
         && size > 0 && start <= a->icount && a->icount < end;
}

static bool
block_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_block *b)
{
  if (c->kind == DG_COND_MALLOC)
    return true;
  if (c->kind == DG_COND_USER || c->kind == DG_COND_RANGE)
    return false;
  for (size_t k = 0; k < b->alloc_stack.n; k++)
    if (site_fits (&w->symbols, c, b->alloc_stack.sites[k], b->alloc_icount))
      return true;
  return false;
}

static bool
range_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_access *a)
{
  for (size_t i = 0; i < N_BLOCKS; i++) {
    const struct dg_block *b = &w->blocks[i];

    if (lies_over (a, b->address, b->size, b->alloc_icount, b->free_icount)
        && block_holds (w, c, b))
      return true;
  }
  for (size_t i = 0; i < N_RANGES; i++) {
    const struct dg_range *r = &w->ranges[i];

    if (lies_over (a, r->address, r->size, r->start_icount, r->end_icount)
        && (c->kind == DG_COND_RANGE
            || (c->kind == DG_COND_USER && strcmp (c->name, r->label) == 0)))
      return true;
  }
  return false;
}

static bool
passes (struct world *w, const GArray *events, const GArray *ranges,
        const struct dg_access *a)
{
  bool event = events->len == 0, range = ranges->len == 0;

  for (guint i = 0; i < events->len && !event; i++)
    event = event_holds (
      w, &g_array_index (events, struct dg_filter_condition, i), a);
  for (guint i = 0; i < ranges->len && !range; i++)
    range = range_holds (
      w, &g_array_index (ranges, struct dg_filter_condition, i), a);
  return event && range;
}

/* ---- Comparison ------------------------------------------------------- */

static const char *const both_sides[] = {"",
                                         "fn:main",
                                         "fn:ns::work",
                                         "fn:ns::work(double) const",
                                         "fn:(anonymous namespace)::hidden",
                                         "fn:core::fmt::write",
                                         "fn:ns::F::operator()",
                                         "fn:ns::F::operator",
                                         "fn:work",
                                         "fn:absent",
                                         "file:main.c",
                                         "file:lib/main.c",
                                         "file:/lib/main.c",
                                         "file:ain.c",
                                         "file:util.c",
                                         "file:/src/app/main.c",
                                         "dso:app",
                                         "dso:libx.so.6",
                                         "dso:libx.so",
                                         "user:a",
                                         "user:b\\,c",
                                         "user:back\\\\slash",
                                         "user:d e",
                                         "user:none"};
static const char *const ranges_only[] = {"range", "malloc"};

static struct dg_access
random_access (const struct world *w)
{
  struct dg_access a = {.icount = random_to (MOMENTS + MOMENTS / 2),
                        .address = random_to (MEMORY + 40),
                        .size = (uint32_t) (1 + random_to (16)),
                        .context = (uint32_t) random_to (N_CONTEXTS)};
  const struct dg_bbdef *bbdef = &w->bbdefs[w->contexts[a.context].bbdef];

  /* A context whose code is unloaded does not run.  */
  if (w->log.n_modules > 0
      && (a.icount < SWITCH) != (w->runs[a.context].icount < SWITCH))
    a.icount = w->runs[a.context].icount;
  a.instruction = bbdef->instrs[random_to (bbdef->n_instrs)].address;
  return a;
}

static void
compare (struct world *w, const struct dg_space *space, const char *events,
         const char *ranges, unsigned n_accesses)
{
  struct dg_error err = {0};
  struct dg_filter *filter = dg_filter_new (&w->log, &w->symbols, space,
                                            events, ranges, NULL, NULL, &err);
  GArray *e = dg_filter_parse (DG_SIDE_EVENTS, events, NULL);
  GArray *r = dg_filter_parse (DG_SIDE_RANGES, ranges, NULL);

  g_assert_cmpstr (err.message, ==, "");
  g_assert_nonnull (filter);
  for (unsigned i = 0; i < n_accesses; i++) {
    struct dg_access a = random_access (w);
    bool kept = dg_filter_access (filter, &a);

    if (kept != passes (w, e, r, &a))
      g_test_message ("events '%s', ranges '%s', context %u, at %d", events,
                      ranges, a.context, (int) a.icount);
    g_assert_cmpint (kept, ==, passes (w, e, r, &a));
    if (kept)
      g_assert_true (dg_filter_run (filter, a.context, a.icount));
  }
  g_array_unref (e);
  g_array_unref (r);
  dg_filter_free (filter);
}

static const char *
range_text (size_t i)
{
  return i < G_N_ELEMENTS (both_sides)
           ? both_sides[i]
           : ranges_only[i - G_N_ELEMENTS (both_sides)];
}

/* Every condition and every pair of one for each side; pairs on one side.  */
static void
compare_everything (bool reloaded, unsigned n_accesses)
{
  const size_t n_events = G_N_ELEMENTS (both_sides);
  const size_t n_ranges = n_events + G_N_ELEMENTS (ranges_only);
  struct world *w = random_world (reloaded);
  struct dg_space *space = dg_space_new (&w->log, NULL);

  for (size_t i = 0; i < n_events; i++)
    for (size_t k = 0; k < n_ranges; k++)
      compare (w, k % 2 ? space : NULL, both_sides[i], range_text (k),
               n_accesses);
  for (size_t i = 1; i < n_events; i++) {
    for (size_t k = 1; k < n_ranges; k++) {
      char *two = g_strconcat (range_text (i), ",", range_text (k), NULL);

      compare (w, i % 2 ? space : NULL, NULL, two, n_accesses);
      if (k < n_events)
        compare (w, NULL, two, NULL, n_accesses);
      g_free (two);
    }
  }
  dg_space_free (space);
  g_free (w);
}

static void
test_random (void)
{
  compare_everything (false, 60);
}

/* One module in another's place: names depend on the moment.  */
static void
test_reloaded (void)
{
  compare_everything (true, 30);
}

/* ---- Grammar ---------------------------------------------------------- */

static void
check_bad (enum dg_side side, const char *text, uint64_t column,
           const char *message)
{
  struct dg_error err = {0};

  g_assert_null (dg_filter_parse (side, text, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_FILTER);
  g_assert_cmpuint (err.offset, ==, column);
  g_assert_nonnull (strstr (err.message, message));
  g_assert_null (dg_filter_parse (side, text, NULL));
}

static void
test_bad_text (void)
{
  const enum dg_side e = DG_SIDE_EVENTS, r = DG_SIDE_RANGES;

  check_bad (e, "foo:bar", 0, "--events: column 0: unknown condition 'foo'");
  check_bad (e, "foo:bar", 0,
             "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL");
  check_bad (r, "fn:a,foo", 5, "--ranges: column 5: unknown condition 'foo'");
  check_bad (r, "foo", 0, "range, malloc");
  check_bad (e, "fn:a,range", 5, "'range' is for --ranges only");
  check_bad (e, "malloc", 0, "'malloc' is for --ranges only");
  check_bad (r, "malloc:x", 0, "'malloc' takes no name");
  check_bad (r, "range:", 0, "'range' takes no name");
  check_bad (e, "fn", 0, "'fn' needs a name: fn:FUNCTION");
  check_bad (e, "user:a,user:", 7, "'user' needs a name: user:LABEL");
  check_bad (e, ",", 0, "empty condition");
  check_bad (e, "fn:a,", 5, "empty condition");
  check_bad (e, "fn:a,,fn:b", 5, "empty condition");
  check_bad (e, ":x", 0, "unknown condition ''");
  check_bad (e, "fn:a\\", 4, "nothing follows the backslash");
  check_bad (e, " fn:a", 0, "unknown condition ' fn'");
  check_bad (e, "fn :a", 0, "unknown condition 'fn '");
  check_bad (e,
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
             0, "valid are: fn:FUNCTION");
}

static void
check_name (const char *text, guint index, const char *name)
{
  GArray *list = dg_filter_parse (DG_SIDE_RANGES, text, NULL);

  g_assert_nonnull (list);
  g_assert_cmpuint (list->len, >, index);
  g_assert_cmpstr (
    g_array_index (list, struct dg_filter_condition, index).name, ==, name);
  g_array_unref (list);
}

static void
test_good_text (void)
{
  GArray *list = dg_filter_parse (DG_SIDE_EVENTS, NULL, NULL);

  g_assert_cmpuint (list->len, ==, 0);
  g_array_unref (list);
  list = dg_filter_parse (DG_SIDE_EVENTS, "", NULL);
  g_assert_cmpuint (list->len, ==, 0);
  g_array_unref (list);
  check_name ("fn:std::map<int\\, int>::find", 0, "std::map<int, int>::find");
  check_name ("user:a:b", 0, "a:b");
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 0, " spaced ");
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 1, NULL);
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 3, "\\,");
}

/* ---- The rest --------------------------------------------------------- */

static int
count_calls (void *user, uint64_t done, uint64_t total)
{
  g_assert_cmpuint (done, <=, total);
  return ++*(int *) user >= 1;
}

static void
test_errors (void)
{
  struct world *w = random_world (false);
  struct dg_error err = {0};
  int calls = 0;

  g_assert_null (
    dg_filter_new (&w->log, NULL, NULL, "fn:x", NULL, NULL, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  g_assert_null (dg_filter_new (&w->log, &w->symbols, NULL, "fn:x", NULL,
                                count_calls, &calls, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_cmpint (calls, ==, 1);
  calls = 0;
  g_assert_null (dg_filter_new (&w->log, &w->symbols, NULL, NULL, "fn:x",
                                count_calls, &calls, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_null (
    dg_filter_new (&w->log, &w->symbols, NULL, "bad", NULL, NULL, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_FILTER);
  g_assert_null (
    dg_filter_new (&w->log, &w->symbols, NULL, NULL, "bad", NULL, NULL, NULL));
  g_assert_cmpint (dg_filter_check (NULL, NULL, NULL), ==, 0);
  g_assert_cmpint (dg_filter_check ("fn:x", "malloc,fn:y", NULL), ==, 0);
  g_assert_cmpint (dg_filter_check ("malloc", "", &err), ==, DG_ERR_FILTER);
  g_assert_true (g_str_has_prefix (err.message, "--events"));
  g_assert_cmpint (dg_filter_check ("", "bad", &err), ==, DG_ERR_FILTER);
  g_assert_true (g_str_has_prefix (err.message, "--ranges"));
  dg_filter_free (NULL);
  g_free (w);
}

/* Contexts share their call sites: each is asked once.  */
static void
test_asks_once (void)
{
  struct world *w = random_world (false);
  struct dg_filter *filter = dg_filter_new (
    &w->log, &w->symbols, NULL, "fn:none", "fn:none", NULL, NULL, NULL);

  g_assert_nonnull (filter);
  g_assert_cmpuint (w->symbols.n_asked, <=, N_CODE);
  dg_filter_free (filter);
  g_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/bad-text", test_bad_text);
  g_test_add_func ("/filter/good-text", test_good_text);
  g_test_add_func ("/filter/random", test_random);
  g_test_add_func ("/filter/reloaded", test_reloaded);
  g_test_add_func ("/filter/errors", test_errors);
  g_test_add_func ("/filter/asks-once", test_asks_once);
  return g_test_run ();
}
