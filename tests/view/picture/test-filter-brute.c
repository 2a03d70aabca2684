/* test-filter-brute.c: the language of --events and --ranges against an
   evaluation that shares nothing with the library: of logs whose every access,
   block, range and event is known, with the names that addr2line has.

   Each condition, each pair of one for either side, and each pair on one side
   is applied to all accesses; what the viewer's scene and raster count must be
   the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_world.h"

#include <string.h>

#include "model/picture/raster.h"
#include "model/log/scene.h"
#include "symbols_test.h"
#include "unit_main.h"

/* ---- The reference --------------------------------------------------- */

/* One condition: "kind" or "kind:name".  */
struct wanted {
  char kind[8];
  char name[100];
};

/* Takes the next condition off a list; a backslash takes what follows as it
   is.  */
static const char *
next_wanted (const char *text, struct wanted *out)
{
  size_t n = 0;
  memset (out, 0, sizeof *out);
  while (*text != '\0' && *text != ',' && *text != ':')
    out->kind[n++] = *text++;
  n = 0;
  if (*text == ':')
    for (text++; *text != '\0' && *text != ','; text++) {
      if (*text == '\\')
        text++;
      out->name[n++] = *text;
    }
  return *text == ',' ? text + 1 : text;
}

/* Whole, or without its parameters.  */
static bool
is_function (const char *function, const char *name)
{
  size_t n = strlen (name);
  if (function == NULL)
    return false;
  if (strcmp (function, name) == 0)
    return true;
  if (strncmp (function, name, n) != 0 || function[n] != '(')
    return false;
  /* "operator()" has parentheses that are not parameters.  */
  return n < 8 || strcmp (name + n - 8, "operator") != 0;
}

static bool
is_path (const char *path, const char *name)
{
  size_t n = strlen (name), length = path != NULL ? strlen (path) : 0;
  if (path == NULL || n > length || strcmp (path + length - n, name) != 0)
    return false;
  return n == length || name[0] == '/' || path[length - n - 1] == '/';
}

static bool
site_fits (const struct world_site *site, const struct wanted *wanted)
{
  if (strcmp (wanted->kind, "dso") == 0)
    return is_path (site->module, wanted->name);
  for (unsigned i = 0; i < site->n; i++)
    if (strcmp (wanted->kind, "fn") == 0
        ? is_function (site->function[i], wanted->name)
        : is_path (site->file[i], wanted->name))
      return true;
  return false;
}

static bool
stack_fits (const struct world_stack *stack, const struct wanted *wanted)
{
  for (unsigned i = 0; i < stack->n; i++)
    if (site_fits (stack->sites[i], wanted))
      return true;
  return false;
}

static bool
is_stack_kind (const struct wanted *wanted)
{
  return strcmp (wanted->kind, "fn") == 0
         || strcmp (wanted->kind, "file") == 0
         || strcmp (wanted->kind, "dso") == 0;
}

static bool
event_fits (const struct world_access *access, const struct wanted *wanted)
{
  if (is_stack_kind (wanted))
    return stack_fits (&access->stack, wanted);
  for (unsigned i = 0; i < WORLD_LABELS; i++)
    if (access->active[i] && strcmp (world_labels[i], wanted->name) == 0)
      return true;
  return false;
}

static bool
memory_fits (const struct world_memory *m, const struct wanted *wanted)
{
  if (strcmp (wanted->kind, "malloc") == 0)
    return m->label < 0;
  if (strcmp (wanted->kind, "range") == 0)
    return m->label >= 0;
  if (strcmp (wanted->kind, "user") == 0)
    return m->label >= 0
           && strcmp (world_labels[m->label], wanted->name) == 0;
  return m->label < 0 && stack_fits (&m->stack, wanted);
}

static bool
range_fits (const struct world *world, const struct world_access *access,
            const struct wanted *wanted)
{
  for (guint i = 0; i < world->memory->len; i++) {
    const struct world_memory *m
      = &g_array_index (world->memory, struct world_memory, i);
    if (m->start <= access->icount && access->icount < m->end
        && access->address < m->address + m->size
        && m->address < access->address + access->size
        && memory_fits (m, wanted))
      return true;
  }
  return false;
}

/* Whether one condition of each list holds.  */
static bool
fits (const struct world *world, const struct world_access *access,
      const char *events, const char *ranges)
{
  bool event = *events == '\0', range = *ranges == '\0';
  struct wanted wanted;
  while (!event && *events != '\0') {
    events = next_wanted (events, &wanted);
    event = event_fits (access, &wanted);
  }
  while (event && !range && *ranges != '\0') {
    ranges = next_wanted (ranges, &wanted);
    range = range_fits (world, access, &wanted);
  }
  return event && range;
}

/* ---- The comparison -------------------------------------------------- */

static const char *const conditions[] = {
  "fn:main", "fn:ns::work", "fn:ns::work(int\\, char const*)",
  "fn:ns::work(double)", "fn:ns::inner", "fn:ns::inner(int\\, long)",
  "fn:ns::middle", "fn:ns::F::operator()", "fn:ns::F::operator", "fn:work",
  "fn:plain", "fn:other", "fn:absent", "file:world.cc", "file:helper.c",
  "file:elper.c", "dso:worldprog", "dso:libworld.so.6", "dso:libworld.so",
  "user:a", "user:ab", "user:b\\,c", "user:back\\\\slash", "user:d e",
  "user:ends\\\\", "user:none", "range", "malloc",
};
/* The last two are for ranges only.  */
#define N_RANGES ((unsigned) G_N_ELEMENTS (conditions))
#define N_EVENTS (N_RANGES - 2)
#define WIDTH  37
#define HEIGHT 29

struct comparing {
  struct world *world;
  struct dv_data *data;
  GArray *kept;             /* struct dg_access; of one filter */
  unsigned n_some;          /* filters that kept some and not all */
};

/* The decoded accesses are those that were written; each is kept or not as the
   reference says.  */
static void
compare_accesses (struct comparing *c, const char *events,
                  const char *ranges)
{
  struct dg_error err = { 0 };
  struct dg_filter *filter
    = dg_filter_new (c->data->log, c->data->symbols, c->data->space, events,
                     ranges, NULL, NULL, &err);
  struct dg_reader *reader = dg_reader_new (c->data->log, 0, SIZE_MAX, &err);
  struct dg_run run;
  guint n = 0;
  g_assert_cmpstr (err.message, ==, "");
  g_array_set_size (c->kept, 0);
  while (dg_reader_run (reader, &run, &err) == 1) {
    bool any = false;
    for (unsigned i = 0; i < run.n_slots; i++) {
      struct dg_access access = dv_run_access (&run, i);
      if (access.address == 0)
        continue;
      const struct world_access *wanted
        = &g_array_index (c->world->accesses, struct world_access, n++);
      g_assert_cmpuint (access.icount, ==, wanted->icount);
      g_assert_cmpuint (access.address, ==, wanted->address);
      g_assert_cmpuint (access.size, ==, wanted->size);
      bool fit = fits (c->world, wanted, events, ranges);
      if (dg_filter_access (filter, &access) != fit)
        g_error ("events '%s', ranges '%s': access %u of %u bytes at 0x%"
                 G_GINT64_MODIFIER "x should %sbe kept", events, ranges, n,
                 access.size, access.address, fit ? "" : "not ");
      any |= fit;
      if (fit)
        g_array_append_val (c->kept, access);
    }
    g_assert_true (!any || dg_filter_run (filter, run.context, run.icount));
  }
  g_assert_cmpuint (n, ==, c->world->accesses->len);
  c->n_some += c->kept->len > 0 && c->kept->len < n;
  dg_reader_free (reader);
  dg_filter_free (filter);
}

static uint32_t
pixel_of (uint64_t at, uint64_t span, uint32_t pixels)
{
  return (uint32_t) (at * pixels / span);
}

/* The picture, counted by the definition; no pixel is smaller than a byte or
   an instruction.  */
static void
compare_raster (struct comparing *c, const struct dv_scene *scene)
{
  uint32_t (*counts)[2] = g_malloc0 (WIDTH * HEIGHT * sizeof *counts);
  struct dg_error err = { 0 };
  uint64_t across = scene->full.x1 - scene->full.x0;
  uint64_t down = scene->full.y1 - scene->full.y0;
  uint32_t width = (uint32_t) MIN (across, WIDTH);
  uint32_t height = (uint32_t) MIN (down, HEIGHT);
  struct dv_raster *raster = dv_raster_new (scene, &scene->full, width,
                                            height, DV_DETAIL_FINE, NULL,
                                            NULL, &err);
  g_assert_nonnull (raster);
  for (guint i = 0; i < c->kept->len; i++) {
    const struct dg_access *a = &g_array_index (c->kept, struct dg_access, i);
    uint64_t position;
    g_assert_true (dv_layout_position (&scene->layout, a->address,
                                       &position));
    position -= scene->full.x0;
    uint32_t y = pixel_of (a->icount - scene->full.y0, down, height);
    uint32_t x = pixel_of (position, across, width);
    uint32_t last = pixel_of (position + a->size - 1, across, width);
    for (; x <= last && x < width; x++)
      counts[y * width + x][a->kind]++;
  }
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      for (int kind = 0; kind < 2; kind++)
        g_assert_cmpuint (dv_raster_cell (raster, x, y)->count[kind], ==,
                          counts[y * width + x][kind]);
  dv_raster_free (raster);
  g_free (counts);
}

static void
compare (struct comparing *c, const char *events, const char *ranges)
{
  struct dg_error err = { 0 };
  compare_accesses (c, events, ranges);
  struct dv_scene *scene = dv_scene_new (c->data, events, ranges, NULL, NULL,
                                         &err);
  g_assert_cmpstr (err.message, ==, "");
  g_assert_cmpuint (scene->accesses, ==, c->kept->len);
  if (c->kept->len == 0)
    g_assert_true (dv_view_is_empty (&scene->full));
  else
    compare_raster (c, scene);
  dv_scene_unref (scene);
}

static void
compare_all (struct comparing *c)
{
  compare (c, "", "");
  for (unsigned i = 0; i < N_EVENTS; i++)
    compare (c, conditions[i], "");
  for (unsigned k = 0; k < N_RANGES; k++)
    compare (c, "", conditions[k]);
  for (unsigned i = 0; i < N_EVENTS; i++)
    for (unsigned k = 0; k < N_RANGES; k++)
      compare (c, conditions[i], conditions[k]);
  for (unsigned i = 0; i < N_RANGES; i++)
    for (unsigned k = i + 1; k < N_RANGES; k++) {
      char *both = g_strjoin (",", conditions[i], conditions[k], NULL);
      if (k < N_EVENTS)
        compare (c, both, "");
      compare (c, "", both);
      g_free (both);
    }
}

static GArray *sites;

struct kind { unsigned word_size; bool big_endian; unsigned n_steps; };

static void
test_kind (gconstpointer data)
{
  const struct kind *kind = data;
  struct comparing c = { 0 };
  struct dg_error err = { 0 };
  if (sites == NULL) {
    g_test_skip ("no compiler, or no addr2line");
    return;
  }
  c.world = world_new (sites, kind->word_size, kind->big_endian,
                       kind->n_steps);
  c.kept = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  c.data = dv_data_new (c.world->path, true, NULL, NULL, &err);
  if (c.data == NULL)
    g_error ("%s", err.message);
  g_assert_cmpstr (c.data->flaw.message, ==, "");
  compare_all (&c);
  /* Nearly all of the conditions made a difference.  */
  g_assert_cmpuint (c.n_some, >, 600);
  dv_data_unref (c.data);
  g_array_unref (c.kept);
  world_free (c.world);
}

static int
run_tests (int argc, char **argv)
{
  static const struct kind kinds[] = {
    { 8, false, 1500 }, { 8, true, 800 }, { 4, false, 800 },
    { 4, true, 800 },
  };
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-brute-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  sites = world_sites_new ();
  g_test_add_data_func ("/filter-brute/64-little", &kinds[0], test_kind);
  g_test_add_data_func ("/filter-brute/64-big", &kinds[1], test_kind);
  g_test_add_data_func ("/filter-brute/32-little", &kinds[2], test_kind);
  g_test_add_data_func ("/filter-brute/32-big", &kinds[3], test_kind);
  int result = g_test_run ();
  if (sites != NULL)
    world_sites_free (sites);
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
