/* test-heap-chart.c: pictures of the heap: what is drawn where, what is found
   at a point, and that nothing is drawn over another.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart.h"
#include "heap_chart_parts.h"

#include <math.h>
#include <string.h>

#include "asm.h"
#include "log/log.h"
#include "picture_file.h"
#include "text.h"
#include "unit_main.h"

/* ---- Curves ----------------------------------------------------------- */

struct world {
  struct dg_asm as;
  struct dg_log *log;
  struct dg_curve_source *source;
  struct dg_curve *curve;
};

static void
world_init (struct world *world, const char *text, uint32_t columns)
{
  struct dg_curve_options options = {.size = sizeof options,
                                     .columns = columns};
  struct dg_error err = { 0 };
  char *message = NULL;
  dg_asm_init (&world->as);
  g_assert_true (dg_asm_text (&world->as, text, &message));
  g_assert_cmpint (dg_log_open_memory ("test", world->as.bytes->data,
                                       world->as.bytes->len, &world->log,
                                       &err), ==, 0);
  dg_log_load (world->log, 1, NULL, NULL, NULL);
  world->source = dg_curve_source_new (world->log, NULL, NULL, NULL, NULL,
                                       &err);
  g_assert_nonnull (world->source);
  g_assert_cmpint (dg_curve_build (world->source, &options, NULL, NULL,
                                   &world->curve, &err), ==, 0);
}

static void
world_fini (struct world *world)
{
  dg_curve_free (world->curve);
  dg_curve_source_free (world->source);
  dg_log_close (world->log);
  dg_asm_fini (&world->as);
}

/* Two sites, one of which goes away in the middle; an event; a time without
   recording.  1000 instructions and the end.  */
static const char *const steps =
  "bbdef [0x400000+4] []\ncontext 0 [0x400000]\n"
  "malloc_block 0x1000 300 [0x10]\n"
  "repeat 250\nbbrun 0 1 []\ndone\n"
  "start_event \"phase\"\n"
  "malloc_block 0x2000 700 [0x20]\n"
  "repeat 250\nbbrun 0 1 []\ndone\n"
  "free_block 0x2000\n"
  "repeat 250\nbbrun 0 1 []\ndone\n"
  "end_event \"phase\"\n"
  "repeat 250\nbbrun 0 1 []\ndone\n"
  "end\n";

static struct dv_heap_chart
chart_of (const struct world *world, bool dark)
{
  return (struct dv_heap_chart){
    .curve = world->curve, .palette = dv_palette_find (NULL, dark),
    .title = "a title", .has_legend = true, .selected = DG_NONE
  };
}

static cairo_surface_t *
draw (const struct dv_heap_chart *chart, int width, int height,
      struct dv_heap_layout *layout)
{
  cairo_surface_t *surface
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  dv_heap_chart_layout (chart, cr, width, height, layout);
  dv_heap_chart_draw (chart, layout, cr, NULL);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static bool
has_colour (cairo_surface_t *surface, double x, double y,
            const struct dv_rgb *colour)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);
  uint32_t pixel;
  memcpy (&pixel, data + (int) y * cairo_image_surface_get_stride (surface)
                    + 4 * (int) x, 4);
  return abs ((int) (pixel >> 16 & 255) - (int) lround (colour->r * 255)) <= 2
         && abs ((int) (pixel >> 8 & 255) - (int) lround (colour->g * 255))
              <= 2
         && abs ((int) (pixel & 255) - (int) lround (colour->b * 255)) <= 2;
}

/* ---- Tests ------------------------------------------------------------ */

/* Colours at places that are known, and what is said to be there.  */
static void
test_places (void)
{
  static const struct {
    double moment, bytes;
    uint32_t series;         /* DG_NONE: background */
  } places[] = {
    { 0.125, 100, 1 }, { 0.125, 260, 1 }, { 0.125, 340, DG_NONE },
    { 0.375, 100, 0 }, { 0.375, 660, 0 }, { 0.375, 740, 1 },
    { 0.375, 960, 1 }, { 0.625, 100, 1 }, { 0.625, 400, DG_NONE },
    { 0.875, 260, 1 }, { 0.875, 900, DG_NONE }
  };
  struct world world;
  world_init (&world, steps, 500);
  g_assert_cmpuint (world.curve->n_series, ==, 2);
  g_assert_cmpuint (world.curve->peak_bytes, ==, 1000);
  for (int dark = 0; dark < 2; dark++)
    for (int wide = 0; wide < 3; wide++) {
      static const int sizes[][2] = { { 300, 200 }, { 700, 500 },
                                      { 1800, 900 } };
      struct dv_heap_chart chart = chart_of (&world, dark);
      struct dv_heap_layout layout;
      struct dv_rgb colours[2];
      cairo_surface_t *surface = draw (&chart, sizes[wide][0],
                                       sizes[wide][1], &layout);
      dv_heap_chart_colours (world.curve, chart.palette, colours);
      for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
        double x = floor (layout.x + places[i].moment * layout.area_width);
        double y = layout.y + layout.area_height
                   - places[i].bytes * layout.area_height
                       / (double) layout.top;
        struct dv_heap_hit hit = dv_heap_chart_hit (&chart, &layout, x, y);
        g_assert_cmpint (hit.place, ==, DV_HEAP_DATA);
        g_assert_cmpuint (hit.series, ==, places[i].series);
        g_assert_cmpfloat_with_epsilon ((double) hit.bytes, places[i].bytes,
                                        2);
        g_assert_cmpfloat_with_epsilon ((double) hit.icount,
                                        places[i].moment * 1001, 10);
        if (places[i].series != DG_NONE)
          g_assert_true (has_colour (surface, x, y,
                                     &colours[places[i].series]));
      }
      g_assert_true (has_colour (surface, 1, 1, &chart.palette->back));
      cairo_surface_destroy (surface);
    }
  world_fini (&world);
}

static void
test_event (void)
{
  struct world world;
  struct dv_heap_layout layout;
  world_init (&world, steps, 500);
  struct dv_heap_chart chart = chart_of (&world, false);
  cairo_surface_destroy (draw (&chart, 900, 500, &layout));
  g_assert_cmpuint (layout.lanes, ==, 1);
  double y = layout.lanes_y + layout.lane_height / 2;
  struct dv_heap_hit hit
    = dv_heap_chart_hit (&chart, &layout,
                         dv_heap_chart_x (&chart, &layout, 500), y);
  g_assert_cmpint (hit.place, ==, DV_HEAP_EVENT);
  g_assert_cmpuint (hit.event, ==, 0);
  hit = dv_heap_chart_hit (&chart, &layout,
                           dv_heap_chart_x (&chart, &layout, 100), y);
  g_assert_cmpint (hit.place, ==, DV_HEAP_NOWHERE);
  g_assert_cmpuint (hit.event, ==, DG_NONE);
  hit = dv_heap_chart_hit (&chart, &layout, layout.legend_x + 5,
                           layout.legend_y + 1.5 * layout.legend_row);
  g_assert_cmpint (hit.place, ==, DV_HEAP_LEGEND);
  g_assert_cmpuint (hit.series, ==, 1);
  hit = dv_heap_chart_hit (&chart, &layout, 3, 3);
  g_assert_cmpint (hit.place, ==, DV_HEAP_NOWHERE);
  world_fini (&world);
}

/* The selected series keeps its colour, others step back, as does what is
   outside of a band; a mark is a line.  */
static void
test_standing_out (void)
{
  struct world world;
  struct dv_heap_layout layout;
  struct dv_rgb colours[2];
  world_init (&world, steps, 500);
  struct dv_heap_chart chart = chart_of (&world, false);
  dv_heap_chart_colours (world.curve, chart.palette, colours);
  chart.selected = 0;
  cairo_surface_t *surface = draw (&chart, 900, 500, &layout);
  double x = floor (layout.x + 0.375 * layout.area_width);
  double low = layout.y + layout.area_height * 0.7;
  double high = layout.y + layout.area_height
                - 850 * layout.area_height / (double) layout.top;
  g_assert_true (has_colour (surface, x, low, &colours[0]));
  g_assert_false (has_colour (surface, x, high, &colours[1]));
  cairo_surface_destroy (surface);
  chart.selected = DG_NONE;
  chart.has_band = chart.has_mark = true;
  chart.band_start = 300;
  chart.band_end = 450;
  chart.mark = 400;
  surface = draw (&chart, 900, 500, &layout);
  g_assert_true (has_colour (surface, x, low, &colours[0]));
  x = floor (layout.x + 0.125 * layout.area_width);
  g_assert_false (has_colour (surface, x, layout.y + layout.area_height - 3,
                              &colours[1]));
  x = floor (dv_heap_chart_x (&chart, &layout, 400));
  g_assert_false (has_colour (surface, x, low, &colours[0]));
  cairo_surface_destroy (surface);
  world_fini (&world);
}

/* ---- Texts ------------------------------------------------------------ */

struct box {
  double x, y, width, height;
  char *text;
};

static void
box_clear (gpointer box)
{
  g_free (((struct box *) box)->text);
}

static double
attribute (const char *element, const char *name)
{
  const char *at = strstr (element, name);
  g_assert_nonnull (at);
  return g_ascii_strtod (at + strlen (name), NULL);
}

/* What stands where, from the texts of an SVG.  */
static GArray *
boxes_of (GString *svg, cairo_t *cr)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (struct box));
  struct dv_text text;
  g_array_set_clear_func (boxes, box_clear);
  dv_text_init (&text, cr, NULL);
  for (char *at = strstr (svg->str, "<text"); at != NULL;
       at = strstr (at + 1, "<text")) {
    char *end = strstr (at, "</text>"), *start = strchr (at, '>');
    char *element = g_strndup (at, (gsize) (start - at));
    struct box box = { .x = attribute (element, "translate("),
                       .height = attribute (element, "font-size=\"") };
    char *second = strchr (strstr (element, "translate("), ' ');
    box.y = g_ascii_strtod (second, NULL) - box.height / 2;
    box.text = g_strndup (start + 1, (gsize) (end - start - 1));
    box.width = dv_text_width (&text, box.height > 13 ? DV_STYLE_TITLE
                                      : box.height > 10.5 ? DV_STYLE_NORMAL
                                                          : DV_STYLE_SMALL,
                               box.text);
    if (strstr (element, "\"middle\"") != NULL)
      box.x -= box.width / 2;
    else if (strstr (element, "\"end\"") != NULL)
      box.x -= box.width;
    g_array_append_val (boxes, box);
    g_free (element);
  }
  dv_text_fini (&text);
  return boxes;
}

static void
check_boxes (const GArray *boxes, double width, double height)
{
  for (guint i = 0; i < boxes->len; i++) {
    const struct box *a = &g_array_index (boxes, struct box, i);
    g_assert_cmpfloat (a->x, >=, -1);
    g_assert_cmpfloat (a->y, >=, -1);
    g_assert_cmpfloat (a->x + a->width, <=, width + 1);
    g_assert_cmpfloat (a->y + a->height, <=, height + 1);
    for (guint k = 0; k < i; k++) {
      const struct box *b = &g_array_index (boxes, struct box, k);
      bool apart = a->x + a->width <= b->x + 1 || b->x + b->width <= a->x + 1
                   || a->y + a->height <= b->y + 2
                   || b->y + b->height <= a->y + 2;
      if (!apart)
        g_test_message ("%gx%g: \"%s\" over \"%s\"", width, height, a->text,
                        b->text);
      g_assert_true (apart);
    }
  }
}

/* Many sites with long names, one from right to left; events with long labels;
   small and large sums.  */
static char *
crowd (unsigned sites, unsigned size)
{
  GString *text = g_string_new (
    "bbdef [0x400000+4] []\ncontext 0 [0x400000]\n");
  for (unsigned i = 0; i < sites; i++)
    g_string_append_printf (
      text,
      "start_event \"%s number %u of many with a label that is long\"\n"
      "malloc_block 0x%x %u [0x%x123456789]\nrepeat 20\nbbrun 0 1 []\ndone\n"
      "%s", i % 2 ? "שלום עולם" : "phase", i, 0x1000 * (i + 1),
      size * (i + 1), i + 1,
      i % 3 == 0 ? "end_event \"phase number 0 of many\"\n" : "");
  g_string_append (text, "end\n");
  return g_string_free (text, FALSE);
}

static void
check_size (const struct dv_heap_chart *chart, int width, int height)
{
  GByteArray *bytes = g_byte_array_new ();
  struct dv_heap_layout layout;
  GString *texts = g_string_new (NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1,
                                                         1);
  cairo_t *cr = cairo_create (surface);
  dv_heap_chart_layout (chart, cr, width, height, &layout);
  g_assert_cmpfloat (layout.area_width, >=, 1);
  g_assert_cmpfloat (layout.area_height, >=, 1);
  dv_heap_chart_draw (chart, &layout, cr, texts);
  GArray *boxes = boxes_of (texts, cr);
  check_boxes (boxes, width, height);
  /* Any point has an answer.  */
  for (int i = 0; i < 200; i++)
    dv_heap_chart_hit (chart, &layout,
                       g_test_rand_double_range (-10, width + 10),
                       g_test_rand_double_range (-10, height + 10));
  g_array_unref (boxes);
  g_string_free (texts, TRUE);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_byte_array_unref (bytes);
}

static void
test_sizes (void)
{
  static const int sizes[][2] = {
    { 120, 80 }, { 300, 110 }, { 300, 200 }, { 320, 480 }, { 420, 231 },
    { 640, 150 }, { 799, 600 }, { 800, 150 }, { 1200, 675 }, { 4000, 2000 },
    { 2000, 90 }, { 130, 900 }
  };
  static const struct { unsigned sites, size; } crowds[] = {
    { 0, 1 }, { 3, 3 }, { 13, 4096 }, { 9, 100000000 }
  };
  for (guint c = 0; c < G_N_ELEMENTS (crowds); c++) {
    char *text = crowd (crowds[c].sites, crowds[c].size);
    struct world world;
    world_init (&world, text, 300);
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      struct dv_heap_chart chart = chart_of (&world, false);
      chart.has_legend = (i + c) % 4 != 0;
      chart.title = i % 3 == 0 ? NULL
                    : i % 3 == 1
                      ? "/usr/lib/a long command --with=arguments that "
                        "goes on and on until it is cut somewhere"
                      : "כותרת ארוכה מאוד של התמונה";
      check_size (&chart, sizes[i][0], sizes[i][1]);
    }
    world_fini (&world);
    g_free (text);
  }
}

/* Series without names are drawn all the same.  */
static void
test_no_names (void)
{
  struct world world;
  world_init (&world, steps, 100);
  struct dg_curve curve = *world.curve;
  struct dg_curve_series series[2];
  memcpy (series, curve.series, sizeof series);
  series[0].name = series[1].name = NULL;
  curve.series = series;
  struct dv_heap_chart chart = chart_of (&world, true);
  chart.curve = &curve;
  check_size (&chart, 1000, 500);
  world_fini (&world);
}

/* ---- Colours and files ------------------------------------------------ */

/* Sites keep their colours when another part is shown.  */
static void
test_colours (void)
{
  struct world world;
  char *text = crowd (24, 10);
  world_init (&world, text, 300);
  struct dg_curve_options options = {.size = sizeof options,
                                     .columns = 50,
                                     .start_icount = 300,
                                     .end_icount = 400,
                                     .series = 5};
  struct dg_curve *part;
  struct dv_rgb all[30], some[30];
  const struct dv_palette *palette = dv_palette_find ("contrast", false);
  g_assert_cmpint (dg_curve_build (world.source, &options, NULL, NULL, &part,
                                   NULL), ==, 0);
  dv_heap_chart_colours (world.curve, palette, all);
  dv_heap_chart_colours (part, palette, some);
  for (size_t a = 0; a < part->n_series; a++)
    for (size_t b = 0; b < a; b++)
      g_assert_true (memcmp (&some[a], &some[b], sizeof some[a]) != 0);
  for (size_t a = 0; a < world.curve->n_series; a++)
    for (size_t b = 0; b < a; b++)
      g_assert_true (memcmp (&all[a], &all[b], sizeof all[a]) != 0);
  for (size_t a = 0; a < part->n_series; a++)
    for (size_t b = 0; b < world.curve->n_series; b++)
      if (part->series[a].id == world.curve->series[b].id
          && part->series[a].rank < DV_PALETTE_SERIES)
        g_assert_cmpmem (&some[a], sizeof some[a], &all[b], sizeof all[b]);
  dg_curve_free (part);
  world_fini (&world);
  g_free (text);
}

static void
draw_file (void *user, cairo_t *cr, double width, double height,
           GString *texts)
{
  struct dv_heap_layout layout;
  dv_heap_chart_layout (user, cr, width, height, &layout);
  dv_heap_chart_draw (user, &layout, cr, texts);
}

static void
test_files (void)
{
  static const char *const starts[] = { "\x89PNG", "<?xml", "%PDF" };
  struct world world;
  world_init (&world, steps, 500);
  struct dv_heap_chart chart = chart_of (&world, false);
  for (unsigned format = 0; format < 3; format++) {
    struct dv_picture_file file = { .format = format, .width = 900,
                                    .height = 500, .title = "t",
                                    .draw = draw_file, .user = &chart };
    struct dg_error err = { 0 };
    GByteArray *bytes = dv_picture_file (&file, &err);
    g_assert_nonnull (bytes);
    g_assert_true (memcmp (bytes->data, starts[format],
                           strlen (starts[format])) == 0);
    if (format == DV_FORMAT_SVG) {
      g_byte_array_append (bytes, (const guint8 *) "", 1);
      const char *svg = (const char *) bytes->data;
      g_assert_nonnull (strstr (svg, ">a title</text>"));
      g_assert_nonnull (strstr (svg, ">0x10</text>"));
      g_assert_nonnull (strstr (svg, ">phase</text>"));
      g_assert_true (g_str_has_suffix (svg, "</svg>\n"));
    }
    g_byte_array_unref (bytes);
  }
  world_fini (&world);
}

static void
test_middle (void)
{
  struct dv_text text;
  GString *svg = g_string_new (NULL);
  const struct dv_rgb black = { 0, 0, 0 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1,
                                                         1);
  cairo_t *cr = cairo_create (surface);
  dv_text_init (&text, cr, svg);
  dv_text_draw (&text, 0, 0, 0, 120, DV_STYLE_NORMAL | DV_STYLE_MIDDLE,
                &black, "first_function_of_all (a_file_somewhere.c:1234)");
  g_assert_nonnull (strstr (svg->str, ">first"));
  g_assert_nonnull (strstr (svg->str, "…"));
  g_assert_nonnull (strstr (svg->str, "c:1234)</text>"));
  g_string_truncate (svg, 0);
  dv_text_draw (&text, 0, 0, 0, 1, DV_STYLE_NORMAL | DV_STYLE_MIDDLE, &black,
                "äöü");
  g_assert_nonnull (strstr (svg->str, "…"));
  dv_text_fini (&text);
  g_string_free (svg, TRUE);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* What fontconfig keeps is not a leak of ours.  Read by the sanitizer, if
   there is one.  */
const char *__lsan_default_suppressions (void);
const char *__lsan_default_options (void);
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}
const char *
__lsan_default_options (void)
{
  return "print_suppressions=0";
}

/* A pixel has the largest of its columns, wherever among them that is.  */
static void
test_steps (void)
{
  for (size_t high = 0; high < 10; high++) {
    struct dg_curve_column columns[10] = { { 0 } };
    const struct dg_curve curve = { .n_columns = 10, .columns = columns };

    columns[high].total = 1;
    g_assert_cmpuint (
      dv_heap_step_column (&curve, 3, (3 * high + 2) / 10), ==, high);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-chart/steps", test_steps);
  g_test_add_func ("/heap-chart/places", test_places);
  g_test_add_func ("/heap-chart/event", test_event);
  g_test_add_func ("/heap-chart/standing-out", test_standing_out);
  g_test_add_func ("/heap-chart/sizes", test_sizes);
  g_test_add_func ("/heap-chart/no-names", test_no_names);
  g_test_add_func ("/heap-chart/colours", test_colours);
  g_test_add_func ("/heap-chart/files", test_files);
  g_test_add_func ("/heap-chart/middle", test_middle);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
