/* test-breakdown.c: sums by code, thread, variable and site, compared with
   plain sums by name of random accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dg_record.h"
#include "fake_log.h"
#include "analysis/breakdown.h"
#include "symbols/symbols_scopes.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define CODE 0x400000
#define N_BLOCKS 8
#define N_CONTEXTS 20
#define N_NAMES 7 /* functions, and lines of each */
#define N_VARIABLES 700
#define UNLOADED 500 /* from here on, another module */
#define N_SUMS 3

/* ---- Names that the test makes up ------------------------------------- */

static const char *const functions[] = {"main", "work",      "helper", NULL,
                                        "init", "func_0x12", "z"};
static const char *const modules[] = {"/usr/bin/app", "/usr/lib/libx.so"};

struct dg_symbols {
  unsigned n_asked;
};

static struct dg_frame
frame_of (uint64_t address, uint64_t icount)
{
  uint64_t i = address - CODE;

  if (i > 90)
    return (struct dg_frame){0};
  return (struct dg_frame){
    .function = functions[i / 5 % N_NAMES],
    .file = i % 5 == 0 ? NULL : "/src/app/file.c",
    .line = i % 5 == 0 ? 0 : (uint32_t) (i / 3 + 1),
    .module = modules[icount >= UNLOADED],
  };
}

size_t
dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, struct dg_frame *out, size_t max)
{
  symbols->n_asked++;
  g_assert_cmpuint (max, >=, 1);
  *out = frame_of (address, icount);
  return 1;
}

/* As symbols/symbols_frames.h has it, which has its own struct dg_symbols.  */
size_t dg_symbols_plain_frames (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount, struct dg_frame *out,
                                size_t max);

size_t
dg_symbols_plain_frames (struct dg_symbols *symbols, uint64_t address,
                         uint64_t icount, struct dg_frame *out, size_t max)
{
  return dg_symbols_frames (symbols, address, icount, out, max);
}

size_t
dg_symbols_scopes (struct dg_symbols *symbols, uint64_t address,
                   uint64_t icount, uint64_t *out, size_t max)
{
  (void) symbols, (void) address, (void) icount, (void) out, (void) max;
  return 0;
}

struct dg_finder {
  struct dg_variables *variables;
};

struct dg_variables {
  struct dg_named named[N_VARIABLES];
  char names[N_VARIABLES][16];
};

struct dg_finder *
dg_finder_new (struct dg_variables *variables, struct dg_error *err)
{
  struct dg_finder *finder = g_new (struct dg_finder, 1);
  finder->variables = variables;
  return finder;
}

void
dg_finder_free (struct dg_finder *finder)
{
  g_free (finder);
}

uint32_t
dg_finder_variable (struct dg_finder *finder, const struct dg_access *access)
{
  return access->address % N_VARIABLES;
}

uint32_t
dg_finder_site (struct dg_finder *finder, const struct dg_access *access)
{
  return access->address % 50;
}

const struct dg_named *
dg_variables_named (struct dg_variables *variables, uint32_t variable)
{
  return &variables->named[variable];
}

const struct dg_named *
dg_variables_site (struct dg_variables *variables, uint32_t site,
                   struct dg_stack *stack)
{
  return &variables->named[site];
}

/* Several numbers have one name: their rows become one.  */
static struct dg_variables *
make_variables (void)
{
  struct dg_variables *variables = g_new0 (struct dg_variables, 1);

  for (unsigned i = 0; i < N_VARIABLES; i++) {
    g_snprintf (variables->names[i], sizeof variables->names[i], "v%u", i / 3);
    variables->named[i].kind = DG_VARIABLE_HEAP;
    variables->named[i].name = variables->names[i];
    variables->named[i].type = i / 3 % 2 == 0 ? "struct node" : NULL;
  }
  variables->named[0].name = "<NA>";
  variables->named[0].kind = DG_VARIABLE_NONE;
  return variables;
}

/* ---- A log ------------------------------------------------------------ */

struct fixture {
  struct dg_log log;
  struct dg_bbdef bbdefs[N_BLOCKS];
  struct dg_instr instrs[N_BLOCKS][12];
  struct dg_context contexts[N_CONTEXTS];
  struct dg_thread threads[3];
  struct dg_symbols symbols;
  struct dg_variables *variables;
  uint64_t icounts[N_BLOCKS]; /* when a block ran first */
};

static void
set_up (struct fixture *f)
{
  memset (f, 0, sizeof *f);
  for (unsigned i = 0; i < N_BLOCKS; i++) {
    f->bbdefs[i].number = i;
    f->bbdefs[i].n_instrs = (uint16_t) g_test_rand_int_range (1, 13);
    f->bbdefs[i].instrs = f->instrs[i];
    /* Blocks overlap: one instruction is of several.  */
    uint64_t address = CODE + (uint64_t) g_test_rand_int_range (0, 90);
    for (unsigned k = 0; k < f->bbdefs[i].n_instrs; k++)
      f->instrs[i][k] = (struct dg_instr){address + k, 1};
    f->icounts[i] = UINT64_MAX;
  }
  for (unsigned i = 0; i < N_CONTEXTS; i++)
    f->contexts[i].bbdef = (uint32_t) g_test_rand_int_range (0, N_BLOCKS);
  for (unsigned i = 0; i < 3; i++)
    f->threads[i] =
      (struct dg_thread){.number = i + 1, .name = i == 1 ? "worker" : ""};
  f->log.bbdefs = f->bbdefs;
  f->log.contexts = f->contexts;
  f->log.summary.bbdefs = N_BLOCKS;
  f->log.summary.contexts = N_CONTEXTS;
  f->log.threads = f->threads;
  f->log.n_threads = 3;
  f->variables = make_variables ();
}

static struct dg_access
random_access (struct fixture *f)
{
  struct dg_access access = {
    .icount = (uint64_t) g_test_rand_int_range (0, 1000),
    .address = (uint64_t) g_test_rand_int_range (0, 100000),
    .size = (uint32_t) g_test_rand_int_range (1, 9),
    .context = (uint32_t) g_test_rand_int_range (0, N_CONTEXTS),
    .thread = (uint32_t) g_test_rand_int_range (1, 4),
  };
  uint32_t number = f->contexts[access.context].bbdef;

  access.instruction =
    f->instrs[number][g_test_rand_int_range (0, f->bbdefs[number].n_instrs)]
      .address;
  f->icounts[number] = MIN (f->icounts[number], access.icount);
  return access;
}

/* ---- Plain sums ------------------------------------------------------- */

struct plain {
  uint64_t sums[N_SUMS];
};

/* What distinguishes rows, as text.  */
static char *
key_of (const struct fixture *f, enum dg_by by, const struct dg_access *access)
{
  uint32_t number = f->contexts[access->context].bbdef;
  struct dg_frame frame = frame_of (access->instruction, f->icounts[number]);

  switch (by) {
  case DG_BY_THREAD:
    return g_strdup_printf ("thread %u", access->thread);
  case DG_BY_VARIABLE:
    return g_strdup (f->variables->named[access->address % N_VARIABLES].name);
  case DG_BY_SITE:
    return g_strdup (f->variables->named[access->address % 50].name);
  case DG_BY_MODULE:
    return g_strdup_printf ("%s", frame.module);
  case DG_BY_FUNCTION:
    return g_strdup_printf ("%s %s", frame.function, frame.module);
  case DG_BY_LINE:
    return g_strdup_printf ("%s %s %s %u", frame.function, frame.module,
                            frame.file, frame.line);
  case DG_BY_INSTRUCTION:
    return g_strdup_printf ("%s %" G_GINT64_MODIFIER "x", frame.module,
                            access->instruction);
  default:
    return g_strdup ("all");
  }
}

static char *
key_of_row (enum dg_by by, const struct dg_breakdown_group *group)
{
  switch (by) {
  case DG_BY_THREAD:
    return g_strdup_printf ("thread %u", group->thread);
  case DG_BY_MODULE:
    return g_strdup_printf ("%s", group->module);
  case DG_BY_FUNCTION:
    return g_strdup_printf ("%s %s", group->function, group->module);
  case DG_BY_LINE:
    return g_strdup_printf ("%s %s %s %u", group->function, group->module,
                            group->file, group->line);
  case DG_BY_INSTRUCTION:
    return g_strdup_printf ("%s %" G_GINT64_MODIFIER "x", group->module,
                            group->address);
  default:
    return g_strdup (group->name);
  }
}

static void
add_plain (GHashTable *table, char *key, const uint64_t *sums)
{
  struct plain *plain = g_hash_table_lookup (table, key);

  if (plain == NULL) {
    plain = g_new0 (struct plain, 1);
    g_hash_table_insert (table, g_strdup (key), plain);
  }
  for (unsigned i = 0; i < N_SUMS; i++)
    plain->sums[i] += sums[i];
  g_free (key);
}

static uint64_t
weigh (const uint64_t *sums, const void *user)
{
  return sums[1] + sums[2];
}

/* Each row is there once, in the right order, with the right sums.  */
static void
check_rows (enum dg_by by, GHashTable *plain,
            const struct dg_breakdown_group *rows, size_t n)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_cmpuint (n, ==, g_hash_table_size (plain));
  for (size_t i = 0; i < n; i++) {
    char *key = key_of_row (by, &rows[i]);
    struct plain *there = g_hash_table_lookup (plain, key);
    g_assert_nonnull (there);
    g_assert_cmpmem (there->sums, sizeof there->sums, rows[i].sums,
                     sizeof there->sums);
    memset (there, 0, sizeof *there);
    g_free (key);
    g_assert_nonnull (rows[i].name);
    if (by == DG_BY_FUNCTION || by == DG_BY_LINE) {
      g_assert_true (g_hash_table_add (names, (gpointer) rows[i].name));
      if (g_strcmp0 (rows[i].function, "func_0x12") == 0)
        g_assert_nonnull (strstr (rows[i].name, "(libx.so)")
                            ? rows[i].name
                            : strstr (rows[i].name, "(app)"));
    }
    if (i == 0)
      continue;
    uint64_t before = weigh (rows[i - 1].sums, NULL),
             now = weigh (rows[i].sums, NULL);
    g_assert_cmpuint (before, >=, now);
    if (before == now && by != DG_BY_THREAD)
      g_assert_cmpint (strcmp (rows[i - 1].name, rows[i].name), <=, 0);
  }
  g_hash_table_unref (names);
}

/* By several workers, in any order.  */
static void
test_random (gconstpointer data)
{
  enum dg_by by = (enum dg_by) GPOINTER_TO_INT (data);

  for (unsigned round = 0; round < 40; round++) {
    struct fixture f;
    struct dg_error err;
    struct dg_access accesses[600];
    unsigned n = (unsigned) g_test_rand_int_range (0, 600);
    unsigned n_workers = (unsigned) g_test_rand_int_range (1, 4);
    struct dg_breakdown_sums *workers[3];
    GHashTable *plain =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

    set_up (&f);
    struct dg_breakdown *groups =
      dg_breakdown_new (&f.log, &f.symbols, f.variables, by, N_SUMS, &err);
    g_assert_cmpint (dg_breakdown_by (groups), ==, by);
    for (unsigned i = 0; i < n_workers; i++)
      workers[i] = dg_breakdown_sums_new (groups, &err);
    for (unsigned i = 0; i < n; i++) {
      accesses[i] = random_access (&f);
      uint64_t *sums = dg_breakdown_sums_access (
        workers[g_test_rand_int_range (0, (int) n_workers)], &accesses[i]);
      sums[0]++;
      sums[1] += accesses[i].size;
      sums[2] += accesses[i].size % 3;
    }
    for (unsigned i = 0; i < n; i++) {
      uint64_t sums[N_SUMS] = {1, accesses[i].size, accesses[i].size % 3};
      add_plain (plain, key_of (&f, by, &accesses[i]), sums);
    }
    for (unsigned i = 0; i < n_workers; i++) {
      g_assert_cmpint (dg_breakdown_take (groups, workers[i], &err), ==, 0);
      dg_breakdown_sums_free (workers[i]);
    }
    for (unsigned again = 0; again < 2; again++) {
      size_t n_rows;
      GHashTable *copy =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      GHashTableIter iter;
      gpointer key, value;
      g_hash_table_iter_init (&iter, plain);
      while (g_hash_table_iter_next (&iter, &key, &value))
        add_plain (copy, g_strdup (key), value);
      const struct dg_breakdown_group *rows =
        dg_breakdown_rows (groups, weigh, NULL, NULL, NULL, &n_rows, &err);
      g_assert_nonnull (rows);
      check_rows (by, copy, rows, n_rows);
      g_hash_table_unref (copy);
    }
    g_hash_table_unref (plain);
    dg_breakdown_free (groups);
    g_free (f.variables);
  }
}

static int
by_moment (const void *a, const void *b)
{
  const struct dg_access *x = a, *y = b;

  return (x->icount > y->icount) - (x->icount < y->icount);
}

/* The index of an access's instruction in its block.  */
static unsigned
place_of (const struct fixture *f, const struct dg_access *access)
{
  const struct dg_bbdef *block
    = &f->bbdefs[f->contexts[access->context].bbdef];
  unsigned i = 0;

  while (block->instrs[i].address != access->instruction)
    i++;
  return i;
}

/* By who goes through the log in its order: rows are those of sums, with
   counters that pass 2^32, and they do not move.  */
static void
test_direct (gconstpointer data)
{
  enum dg_by by = (enum dg_by) GPOINTER_TO_INT (data);

  for (unsigned round = 0; round < 40; round++) {
    struct fixture f;
    struct dg_error err;
    struct dg_access accesses[600];
    unsigned n = (unsigned) g_test_rand_int_range (0, 600);
    GHashTable *plain =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    uint64_t *const *blocks[N_BLOCKS] = {NULL};
    size_t n_rows;

    set_up (&f);
    struct dg_breakdown *groups =
      dg_breakdown_new (&f.log, &f.symbols, NULL, by, N_SUMS, &err);
    const struct dg_breakdown_direct *direct =
      dg_breakdown_direct (groups, &err);
    g_assert_nonnull (direct);
    for (unsigned i = 0; i < n; i++)
      accesses[i] = random_access (&f);
    qsort (accesses, n, sizeof *accesses, by_moment);
    for (unsigned i = 0; i < n; i++) {
      const struct dg_access *access = &accesses[i];
      uint32_t number = f.contexts[access->context].bbdef;
      uint64_t sums[N_SUMS] = {1, (UINT64_C (1) << 31) + access->size,
                               UINT32_MAX};
      uint64_t *const *rows = dg_direct_code (groups, direct, number,
                                              access->context, access->icount);

      g_assert_nonnull (rows);
      g_assert_true (blocks[number] == NULL || blocks[number] == rows);
      blocks[number] = rows;
      for (unsigned k = 0; k < N_SUMS; k++)
        rows[place_of (&f, access)][k] += sums[k];
      add_plain (plain, key_of (&f, by, access), sums);
    }
    /* Rows are there again after they were told.  */
    for (unsigned again = 0; again < 2; again++)
      g_assert_nonnull (
        dg_breakdown_rows (groups, weigh, NULL, NULL, NULL, &n_rows, &err));
    check_rows (by, plain,
                dg_breakdown_rows (groups, weigh, NULL, NULL, NULL, &n_rows,
                                   &err),
                n_rows);
    g_hash_table_unref (plain);
    dg_breakdown_free (groups);
    g_free (f.variables);
  }
}

/* Threads can have any number.  */
static void
test_numbers (void)
{
  static const uint32_t numbers[] = {UINT32_MAX, 0,  255,          256,
                                     1 << 20,    77, (1 << 20) - 1};
  struct fixture f;
  struct dg_error err;
  size_t n;

  set_up (&f);
  struct dg_breakdown *groups =
    dg_breakdown_new (&f.log, NULL, NULL, DG_BY_THREAD, 1, &err);
  struct dg_breakdown_sums *sums = dg_breakdown_sums_new (groups, &err);
  for (unsigned i = 0; i < G_N_ELEMENTS (numbers); i++)
    dg_sums_number (sums, numbers[i])[0] += 10 - i;
  g_assert_cmpint (dg_breakdown_take (groups, sums, &err), ==, 0);
  dg_breakdown_sums_free (sums);
  const struct dg_breakdown_group *rows =
    dg_breakdown_rows (groups, NULL, NULL, NULL, NULL, &n, &err);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (numbers));
  for (unsigned i = 0; i < n; i++) {
    g_assert_cmpuint (rows[i].thread, ==, numbers[i]);
    g_assert_cmpuint (rows[i].sums[0], ==, 10 - i);
  }
  dg_breakdown_free (groups);
  g_free (f.variables);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_names (void)
{
  struct fixture f;
  struct dg_error err;
  size_t n;

  set_up (&f);
  struct dg_breakdown *groups =
    dg_breakdown_new (&f.log, NULL, NULL, DG_BY_THREAD, 1, &err);
  struct dg_breakdown_sums *sums = dg_breakdown_sums_new (groups, &err);
  dg_sums_number (sums, 1)[0] = 5;
  dg_sums_number (sums, 2)[0] = 5;
  g_assert_cmpint (dg_breakdown_take (groups, sums, &err), ==, 0);
  dg_breakdown_sums_free (sums);
  const struct dg_breakdown_group *rows =
    dg_breakdown_rows (groups, NULL, NULL, NULL, NULL, &n, &err);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (rows[0].name, ==, "thread 1");
  g_assert_cmpstr (rows[1].name, ==, "thread 2 (worker)");
  g_assert_null (dg_breakdown_rows (groups, NULL, NULL, stop, NULL, &n, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  dg_breakdown_free (groups);
  g_free (f.variables);
}

static void
test_parse (void)
{
  char **names = g_strsplit (DG_BY_CHOICES, ",", 0);

  for (unsigned i = 0; names[i] != NULL; i++)
    g_assert_cmpint (dg_by_parse (names[i]), ==, DG_BY_THREAD + (int) i);
  g_assert_cmpint (dg_by_parse (NULL), ==, DG_BY_NOTHING);
  g_strfreev (names);
}

int
main (int argc, char **argv)
{
  char **names = g_strsplit ("nothing," DG_BY_CHOICES, ",", 0);
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/groups/parse", test_parse);
  g_test_add_func ("/groups/numbers", test_numbers);
  g_test_add_func ("/groups/names", test_names);
  for (int by = DG_BY_NOTHING; by <= DG_BY_SITE; by++) {
    char *path = g_strdup_printf ("/groups/random/%s", names[by]);
    g_test_add_data_func (path, GINT_TO_POINTER (by), test_random);
    g_free (path);
    if (!dg_by_is_code (by))
      continue;
    path = g_strdup_printf ("/groups/direct/%s", names[by]);
    g_test_add_data_func (path, GINT_TO_POINTER (by), test_direct);
    g_free (path);
  }
  result = g_test_run ();
  g_strfreev (names);
  return result;
}
