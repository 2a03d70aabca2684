/* test-heap-print.c: what `dg heap --print` prints of profiles that are made
   up here, against ms_print.  The functions of dg_massif.h are replaced by
   ones that tell of such a profile, so that there can be some that no program
   would leave.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <unistd.h>

#include "heap/heap_parts.h"

#define PROFILES 260
#define MAX_NODES 4000

struct dg_massif {
  struct dg_massif_options options;
  char *command;
  struct dg_massif_snapshot *snapshots;
  struct dg_massif_tree **trees;   /* NULL: that one has none */
  size_t n, peak;
};

struct dg_massif_tree {
  struct dg_massif_node top;
};

/* ---- In place of the library -------------------------------------------- */

const char *
dg_massif_time_name (enum dg_massif_time unit)
{
  static const char *const names[] = {"i", "ms", "B"};

  return names[unit];
}

const char *
dg_massif_command (const struct dg_massif *massif)
{
  return massif->command;
}

const struct dg_massif_options *
dg_massif_options (const struct dg_massif *massif)
{
  return &massif->options;
}

const struct dg_massif_snapshot *
dg_massif_snapshots (const struct dg_massif *massif, size_t *n)
{
  *n = massif->n;
  return massif->snapshots;
}

size_t
dg_massif_peak (const struct dg_massif *massif)
{
  return massif->peak;
}

struct dg_massif_tree *
dg_massif_tree_new (const struct dg_massif *massif, size_t snapshot,
                    struct dg_error *err)
{
  (void) err;
  return massif->trees[snapshot];
}

const struct dg_massif_node *
dg_massif_tree_top (const struct dg_massif_tree *tree)
{
  return &tree->top;
}

/* They belong to the profile.  */
void
dg_massif_tree_free (struct dg_massif_tree *tree)
{
  (void) tree;
}

/* ---- Profiles ----------------------------------------------------------- */

/* Of any magnitude up to `most`.  */
static uint64_t
some (GRand *rand, uint64_t most)
{
  uint64_t number = (uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand);

  number >>= g_rand_int_range (rand, 0, 64);
  return most == UINT64_MAX ? number : number % (most + 1);
}

static char *
some_label (GRand *rand, uint32_t n_merged)
{
  static const char *const names[] = {
    "main (a.c:12)", "f (in /usr/bin/true)", "?\?\? (in ?\?\?)",
    "std::map<int, %s>::operator[] (map:1)", "\\n (x y.c:3)  ",
    "core::{{closure}}#1 (l.rs:3)", "?\?\?",
    "\xc3\xa9t\xc3\xa9 (\xc3\xa0.c:1)",
  };

  if (n_merged > 0)
    return g_strdup_printf ("in %" PRIu32 " places, all below massif's "
                            "threshold (1.00%%)", n_merged);
  return g_strdup_printf ("0x%X: %s", g_rand_int (rand),
                          names[g_rand_int_range (rand, 0,
                                                  G_N_ELEMENTS (names))]);
}

static void
grow (GRand *rand, struct dg_massif_node *node, uint64_t bytes, unsigned depth,
      unsigned *room)
{
  struct dg_massif_node *children;
  bool is_even = g_rand_boolean (rand);
  uint64_t left = bytes;

  node->bytes = bytes;
  node->label = some_label (rand, node->n_merged);
  if (depth == 0 || node->n_merged > 0)
    return;
  node->n_children = (uint32_t) g_rand_int_range (rand, 0, 7);
  node->n_children = MIN (node->n_children, *room);
  *room -= node->n_children;
  children = g_new0 (struct dg_massif_node, node->n_children);
  node->children = children;
  for (uint32_t i = 0; i < node->n_children; i++) {
    uint64_t part = is_even ? bytes / node->n_children : some (rand, left);

    left -= part;
    children[i].n_merged = (uint32_t) MAX (0, g_rand_int_range (rand, -9, 5));
    grow (rand, &children[i], part, depth - 1, room);
  }
}

static void
prune (struct dg_massif_node *node)
{
  for (uint32_t i = 0; i < node->n_children; i++)
    prune ((struct dg_massif_node *) &node->children[i]);
  g_free ((char *) node->label);
  g_free ((struct dg_massif_node *) node->children);
}

static struct dg_massif_tree *
some_tree (GRand *rand, uint64_t bytes)
{
  struct dg_massif_tree *tree = g_new0 (struct dg_massif_tree, 1);
  unsigned room = MAX_NODES;

  grow (rand, &tree->top, bytes, (unsigned) g_rand_int_range (rand, 0, 9),
        &room);
  return tree;
}

static void
some_snapshots (struct dg_massif *massif, GRand *rand)
{
  static const size_t counts[] = {1, 1, 2, 3, 10, 50, 50, 100, 300};
  /* Where all three are the most, a hundred times their sum is exact.  */
  uint64_t span = UINT64_MAX >> g_rand_int_range (rand, 11, 64);
  uint64_t most = UINT64_MAX >> g_rand_int_range (rand, 20, 64);
  /* Sizes that are where rows of the graph begin, and nothing at all.  */
  uint64_t step = g_rand_boolean (rand) ? some (rand, most / 20) : 0;
  uint64_t time = 0;
  bool is_flat = g_rand_int_range (rand, 0, 8) == 0;
  bool is_even = g_rand_int_range (rand, 0, 3) == 0;
  bool is_stepped = g_rand_int_range (rand, 0, 3) == 0;

  massif->n = counts[g_rand_int_range (rand, 0, G_N_ELEMENTS (counts))];
  massif->snapshots = g_new0 (struct dg_massif_snapshot, massif->n);
  massif->trees = g_new0 (struct dg_massif_tree *, massif->n);
  massif->peak = SIZE_MAX;
  if (g_rand_int_range (rand, 0, 4) > 0)
    massif->peak = (size_t) g_rand_int_range (rand, 0, (gint32) massif->n);
  for (size_t i = 0; i < massif->n; i++) {
    struct dg_massif_snapshot *at = &massif->snapshots[i];

    at->time = time;
    if (!is_flat)
      time += is_even ? span / massif->n : some (rand, span / massif->n);
    at->heap = is_stepped ? step * (uint64_t) g_rand_int_range (rand, 0, 21)
                          : some (rand, most);
    if (!is_stepped && g_rand_boolean (rand))
      at->extra = some (rand, most);
    if (!is_stepped && g_rand_boolean (rand))
      at->stacks = some (rand, most);
    if (i == massif->peak)
      at->kind = DG_MASSIF_PEAK;
    else if (g_rand_int_range (rand, 0, 10) == 0)
      at->kind = DG_MASSIF_DETAILED;
    if (at->kind != DG_MASSIF_NORMAL)
      massif->trees[i] = some_tree (rand, at->heap);
  }
}

static void
profile_init (struct dg_massif *massif, GRand *rand)
{
  static const double thresholds[] = {0,    0.001, 0.5, 1,  1.5,
                                      12.5, 20,    50,  99, 100};
  static const char *const commands[] = {"prog a b", "  ./x y#z %s", "p", ""};

  memset (massif, 0, sizeof *massif);
  massif->command = g_strdup (
    commands[g_rand_int_range (rand, 0, G_N_ELEMENTS (commands))]);
  massif->options.threshold =
    thresholds[g_rand_int_range (rand, 0, G_N_ELEMENTS (thresholds))];
  massif->options.time_unit =
    (enum dg_massif_time) g_rand_int_range (rand, 0, 3);
  some_snapshots (massif, rand);
}

static void
profile_fini (struct dg_massif *massif)
{
  for (size_t i = 0; i < massif->n; i++) {
    if (massif->trees[i] != NULL)
      prune (&massif->trees[i]->top);
    g_free (massif->trees[i]);
  }
  g_free (massif->trees);
  g_free (massif->snapshots);
  g_free (massif->command);
}

/* ---- As files ----------------------------------------------------------- */

static void
write_node (FILE *file, const struct dg_massif_node *node, unsigned depth)
{
  fprintf (file, "%*sn%" PRIu32 ": %" PRIu64 " %s\n", (int) depth, "",
           node->n_children, node->bytes, node->label);
  for (uint32_t i = 0; i < node->n_children; i++)
    write_node (file, &node->children[i], depth + 1);
}

static void
write_profile (const struct dg_massif *massif, const char *path)
{
  static const char *const kinds[] = {"empty", "detailed", "peak"};
  FILE *file = fopen (path, "w");

  g_assert_nonnull (file);
  fprintf (file, "desc: (none)\ncmd: %s\ntime_unit: %s\n", massif->command,
           dg_massif_time_name (massif->options.time_unit));
  for (size_t i = 0; i < massif->n; i++) {
    const struct dg_massif_snapshot *at = &massif->snapshots[i];

    fprintf (file, "#-----------\nsnapshot=%zu\n#-----------\n", i);
    fprintf (file,
             "time=%" PRIu64 "\nmem_heap_B=%" PRIu64
             "\nmem_heap_extra_B=%" PRIu64 "\nmem_stacks_B=%" PRIu64
             "\nheap_tree=%s\n",
             at->time, at->heap, at->extra, at->stacks, kinds[at->kind]);
    if (massif->trees[i] != NULL)
      write_node (file, &massif->trees[i]->top, 0);
  }
  fclose (file);
}

/* Without the line that says how it was called.  */
static char **
lines_of (char *text)
{
  char **lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++) {
    if (g_str_has_prefix (*line, "ms_print arguments:"))
      (*line)[0] = '\0';
  }
  g_free (text);
  return lines;
}

static char **
lines_of_ms_print (const char *path, const struct heap_options *options)
{
  char *x = g_strdup_printf ("--x=%d", options->x);
  char *y = g_strdup_printf ("--y=%d", options->y);
  char *threshold =
    g_strdup_printf ("--threshold=%g", options->massif.threshold);
  char *argv[] = {(char *) "ms_print", x, y, threshold, (char *) path, NULL};
  char *text = NULL, *errors = NULL;
  gint status;
  gboolean is_run = g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                  NULL, &text, &errors, &status, NULL);

  g_assert_true (is_run);
  g_assert_cmpint (status, ==, 0);
  g_free (errors);
  g_free (x);
  g_free (y);
  g_free (threshold);
  return lines_of (text);
}

/* heap_print writes to standard output, and closes it.  */
static char **
lines_of_ours (const char *path, const struct heap_options *options,
               const struct dg_massif *massif)
{
  struct cli_log log = {.path = "no such log"};
  struct heap_input input = {.options = options, .log = &log};
  int out = dup (STDOUT_FILENO);
  int file = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char *text;

  g_assert_cmpint (file, >=, 0);
  fflush (stdout);
  dup2 (file, STDOUT_FILENO);
  close (file);
  g_assert_cmpint (heap_print (&input, massif), ==, CLI_OK);
  dup2 (out, STDOUT_FILENO);
  close (out);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return lines_of (text);
}

static void
compare (unsigned seed, char **ours, char **theirs)
{
  unsigned i = 0;

  while (ours[i] != NULL && theirs[i] != NULL
         && strcmp (ours[i], theirs[i]) == 0)
    i++;
  if (ours[i] == NULL && theirs[i] == NULL)
    return;
  g_test_message ("profile %u, line %u: ms_print has", seed, i + 1);
  g_test_message ("%s", theirs[i] != NULL ? theirs[i] : "(the end)");
  g_test_message ("and not");
  g_test_message ("%s", ours[i] != NULL ? ours[i] : "(the end)");
  g_test_fail ();
}

static void
test_against_ms_print (void)
{
  static const int sizes[] = {4,  5,  6,  7,  19, 20,  20, 20,  20,
                              49, 49, 72, 72, 72, 99, 100, 333, 1000};
  char *found = g_find_program_in_path ("ms_print");
  char *folder = g_dir_make_tmp ("heap-print-XXXXXX", NULL);
  char *file = g_build_filename (folder, "massif.out", NULL);
  char *printed = g_build_filename (folder, "printed", NULL);
  unsigned profiles = found != NULL ? PROFILES : 0;

  if (found == NULL)
    g_test_skip ("no ms_print");
  for (unsigned seed = 1; seed <= profiles; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    struct heap_options options = {.output = NULL};
    struct dg_massif massif;
    char **ours, **theirs;

    profile_init (&massif, rand);
    options.massif = massif.options;
    options.x = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
    options.y = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
    write_profile (&massif, file);
    theirs = lines_of_ms_print (file, &options);
    ours = lines_of_ours (printed, &options, &massif);
    compare (seed, ours, theirs);
    g_strfreev (ours);
    g_strfreev (theirs);
    profile_fini (&massif);
    g_rand_free (rand);
  }
  g_unlink (file);
  g_unlink (printed);
  g_rmdir (folder);
  g_free (file);
  g_free (printed);
  g_free (folder);
  g_free (found);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-print/against-ms-print", test_against_ms_print);
  return g_test_run ();
}
