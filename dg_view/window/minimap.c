/* minimap.c: the whole log, small, with what the plot shows of it.

   Its picture is the plot's own, whenever that shows everything; only if the
   window began with a part is one made for it, in the background, when nothing
   else is going on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "minimap.h"

#include <math.h>
#include <libdatagrind.h>

#include "host/activities.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define HEIGHT     110
#define MARGIN     6
#define SETTING    "minimap"
#define WHEEL_STEP 1.25
/* The frame of the view is at least so large, in pixels.  */
#define FRAME_LEAST 6
/* Until a picture of its own is begun, and again until the next try.  */
#define WAIT_MS    400

struct dv_minimap {
  struct dv_host *host;
  GtkWidget *area;               /* NULL: not made, or destroyed */
  struct dv_picture *picture;    /* of everything; NULL: none yet */
  cairo_surface_t *image;        /* of it, at the size of the area */
  struct dv_look image_look;     /* what that was made with */
  int image_width, image_height;
  struct dv_job *job;            /* making a picture; NULL: none */
  guint timer;                   /* it is about to be begun */
  double took;                   /* seconds, for the last one */
  bool dragging, moved;
  double grip_x, grip_y;         /* from the view's corner, in fractions */
};

/* ---- The image ------------------------------------------------------- */

static uint32_t
brightness (uint32_t pixel)
{
  return (pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255);
}

/* Each pixel is the strongest of those that it stands for: an average would
   lose what is thin.  */
static void
shrink (const struct dv_raster *raster, cairo_surface_t *from,
        cairo_surface_t *to, int width, int height)
{
  cairo_surface_flush (from);
  cairo_surface_flush (to);
  const unsigned char *source = cairo_image_surface_get_data (from);
  unsigned char *target = cairo_image_surface_get_data (to);
  int stride = cairo_image_surface_get_stride (from);
  int to_stride = cairo_image_surface_get_stride (to);
  for (uint32_t y = 0; y < raster->height; y++) {
    const uint32_t *row = (const uint32_t *) (const void *)
                          (source + (size_t) y * (size_t) stride);
    uint32_t *out = (uint32_t *) (void *)
                    (target + (uint64_t) y * (uint64_t) height
                              / raster->height * (uint64_t) to_stride);
    for (uint32_t x = 0; x < raster->width; x++) {
      uint32_t *pixel = &out[(uint64_t) x * (uint64_t) width
                             / raster->width];
      if (brightness (row[x]) > brightness (*pixel))
        *pixel = row[x];
    }
  }
  cairo_surface_mark_dirty (to);
}

static void
forget_image (struct dv_minimap *map)
{
  if (map->image != NULL)
    cairo_surface_destroy (map->image);
  map->image = NULL;
}

/* The image for the area's present size and the window's look.  */
static void
update_image (struct dv_minimap *map, int width, int height)
{
  const struct dv_look *look = &map->host->canvas->look;
  const struct dv_raster *raster
    = map->picture != NULL ? map->picture->raster : NULL;
  if (map->image != NULL
      && (raster == NULL || map->image_width != width
          || map->image_height != height
          || map->image_look.palette != look->palette))
    forget_image (map);
  if (raster == NULL || map->image != NULL)
    return;
  map->image_look = *look;
  map->image_width = width;
  map->image_height = height;
  cairo_surface_t *full = dv_picture_image (raster, look->palette, 1);
  if ((uint32_t) width >= raster->width && (uint32_t) height
                                           >= raster->height) {
    map->image = full;
    return;
  }
  int w = MIN (width, (int) raster->width);
  int h = MIN (height, (int) raster->height);
  map->image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w, h);
  shrink (raster, full, map->image, w, h);
  cairo_surface_destroy (full);
}

/* ---- The picture ----------------------------------------------------- */

/* Whether there is something to show, so that one can click in it.  */
static bool
has_scene (const struct dv_minimap *map)
{
  const struct dv_scene *scene = map->host->canvas->scene;
  return scene != NULL && !dv_view_is_empty (&scene->full);
}

static void
take_picture (struct dv_minimap *map, struct dv_picture *picture)
{
  dv_picture_unref (map->picture);
  map->picture = picture;
  forget_image (map);
  if (map->area != NULL)
    gtk_widget_queue_draw (map->area);
}

/* The canvas' picture, if it shows everything.  */
static struct dv_picture *
whole_picture (const struct dv_minimap *map)
{
  const struct dv_canvas *canvas = map->host->canvas;
  struct dv_picture *picture = canvas->picture;
  return picture != NULL && canvas->scene != NULL
         && picture->scene == canvas->scene
         && dv_view_equal (&picture->raster->view, &canvas->scene->full)
         ? picture : NULL;
}

static bool
is_current (const struct dv_minimap *map)
{
  return map->picture != NULL
         && map->picture->scene == map->host->canvas->scene;
}

struct order {
  struct dv_scene *scene;
  struct dv_look look;
  double width, height;
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_scene_unref (order->scene);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  return dv_picture_new (order->scene, &order->scene->full, &order->look,
                         order->width, order->height, 1, DV_DETAIL_DRAFT,
                         progress, user, err);
}

static const struct dv_job_class order_class = {
  run_order, order_free, (GDestroyNotify) dv_picture_unref};

/* Without a picture the map still shows where the view is.  */
static void
picture_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_minimap *map = user;
  map->took = dv_job_seconds (map->job);
  map->job = NULL;
  if (result != NULL)
    take_picture (map, result);
}

static void want_picture (struct dv_minimap *map);

static gboolean
picture_is_due (gpointer data)
{
  struct dv_minimap *map = data;
  const struct dv_host *host = map->host;
  map->timer = 0;
  if (map->area == NULL || !has_scene (map) || is_current (map))
    return G_SOURCE_REMOVE;
  if (dv_activities_job (host->progress, DV_ACTIVITY_LOADING) != NULL
      || dv_activities_job (host->progress, DV_ACTIVITY_INDEXING) != NULL
      || host->canvas->picture_job != NULL
      || !gtk_widget_get_mapped (map->area)) {
    want_picture (map);
    return G_SOURCE_REMOVE;
  }
  struct order *order = g_new0 (struct order, 1);
  order->scene = dv_scene_ref (host->canvas->scene);
  order->look = host->canvas->look;
  order->width = MAX (1, gtk_widget_get_allocated_width (map->area));
  order->height = MAX (1, gtk_widget_get_allocated_height (map->area));
  map->job = dv_job_start (&order_class, order, picture_done, map);
  return G_SOURCE_REMOVE;
}

/* A log that grows has a new scene often: making pictures must not be all that
   is done.  */
static void
want_picture (struct dv_minimap *map)
{
  if (map->timer != 0 || map->job != NULL || map->area == NULL)
    return;
  guint wait = (guint) CLAMP (map->took * 4000, WAIT_MS, 60000);
  map->timer = g_timeout_add (wait, picture_is_due, map);
}

static void
stop_picture (struct dv_minimap *map)
{
  g_clear_pointer (&map->job, dv_job_drop);
  g_clear_handle_id (&map->timer, g_source_remove);
}

/* The canvas was drawn: perhaps with a picture that can be used here.  */
static gboolean
canvas_drawn (GtkWidget *widget, cairo_t *cr, gpointer data)
{
  struct dv_minimap *map = data;
  if (map->area == NULL)
    return FALSE;
  struct dv_picture *whole = whole_picture (map);
  if (whole != NULL && whole != map->picture) {
    stop_picture (map);
    take_picture (map, dv_picture_ref (whole));
  }
  if (map->image != NULL
      && map->image_look.palette != map->host->canvas->look.palette)
    gtk_widget_queue_draw (map->area);
  return FALSE;
}

/* ---- Drawing --------------------------------------------------------- */

/* A stretch of an axis in pixels, at least FRAME_LEAST long.  */
static void
stretch (uint64_t start, uint64_t end, uint64_t low, uint64_t high,
         double pixels, double *first, double *size)
{
  double per_unit = pixels / (double) (high - low);
  double from = floor ((double) (start - low) * per_unit);
  double to = ceil ((double) (end - low) * per_unit);
  double least = fmin (FRAME_LEAST, pixels);
  if (to - from < least) {
    from = floor ((from + to - least) / 2);
    from = CLAMP (from, 0, pixels - least);
    to = from + least;
  }
  *first = from;
  *size = to - from;
}

static void
set_colour (cairo_t *cr, const struct dv_rgb *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, alpha);
}

static void
draw_view (struct dv_minimap *map, cairo_t *cr, double width, double height)
{
  const struct dv_viewport *viewport = &map->host->canvas->viewport;
  const struct dv_palette *palette = map->host->canvas->look.palette;
  const struct dv_view *now = &viewport->now, *full = &viewport->full;
  double x, y, w, h;
  if (dv_view_equal (now, full))
    return;
  stretch (now->x0, now->x1, full->x0, full->x1, width, &x, &w);
  stretch (now->y0, now->y1, full->y0, full->y1, height, &y, &h);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_rectangle (cr, x, y, w, h);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  set_colour (cr, &palette->area, 0.55);
  cairo_fill (cr);
  /* Two colours, to be seen on whatever is there.  */
  cairo_rectangle (cr, x + 0.5, y + 0.5, w - 1, h - 1);
  set_colour (cr, &palette->area, 1);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  set_colour (cr, &palette->mark, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

/* An image of an earlier scene takes the part of the area that it still
   shows: logs grow at the end.  */
static void
draw_image (struct dv_minimap *map, cairo_t *cr, double width, double height)
{
  const struct dv_view *now = &map->host->canvas->scene->full;
  const struct dv_view *then = &map->picture->scene->full;
  double x = (double) (then->x1 - then->x0) / (double) (now->x1 - now->x0);
  double y = (double) (then->y1 - then->y0) / (double) (now->y1 - now->y0);
  cairo_save (cr);
  cairo_scale (cr,
               width * fmin (x, 1)
                 / cairo_image_surface_get_width (map->image),
               height * fmin (y, 1)
                 / cairo_image_surface_get_height (map->image));
  cairo_set_source_surface (cr, map->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static gboolean
draw (GtkWidget *widget, cairo_t *cr, gpointer data)
{
  struct dv_minimap *map = data;
  int width = gtk_widget_get_allocated_width (widget);
  int height = gtk_widget_get_allocated_height (widget);
  set_colour (cr, &map->host->canvas->look.palette->area, 1);
  cairo_paint (cr);
  if (has_scene (map)) {
    int scale = gtk_widget_get_scale_factor (widget);
    update_image (map, width * scale, height * scale);
    if (map->image != NULL)
      draw_image (map, cr, width, height);
    draw_view (map, cr, width, height);
  }
  if (gtk_widget_has_focus (widget))
    gtk_render_focus (gtk_widget_get_style_context (widget), cr, 1, 1,
                      width - 2, height - 2);
  return TRUE;
}

/* For those who cannot see it.  */
static void
describe (struct dv_minimap *map)
{
  const struct dv_viewport *viewport = &map->host->canvas->viewport;
  const struct dv_view *now = &viewport->now, *full = &viewport->full;
  char *text = NULL, part[4][24];
  if (map->area == NULL)
    return;
  bool is_part = has_scene (map) && !dv_view_equal (now, full);
  const double whole[] = { (double) (full->x1 - full->x0),
                           (double) (full->y1 - full->y0) };
  const double parts[] = {
    (double) (now->x1 - now->x0), (double) (now->x0 - full->x0),
    (double) (now->y1 - now->y0), (double) (now->y0 - full->y0)
  };
  for (int i = 0; i < 4 && is_part; i++)
    dg_number_text_percent (part[i], sizeof part[i], parts[i] / whole[i / 2]);
  if (is_part)
    text = g_strdup_printf (
      _ ("The plot shows %s of the memory, from %s, and %s of the "
         "instructions, from %s."),
      part[0], part[1], part[2], part[3]);
  dv_pieces_describe (map->area, text != NULL ? text
                                 : has_scene (map)
                                   ? _ ("The plot shows everything.")
                                   : "");
  g_free (text);
}

/* ---- Moving ---------------------------------------------------------- */

/* The view with its corner at fractions of everything.  */
static void
move_to (struct dv_minimap *map, double fx, double fy)
{
  struct dv_canvas *canvas = map->host->canvas;
  const struct dv_view *full = &canvas->viewport.full;
  struct dv_view view = canvas->viewport.now;
  uint64_t width = view.x1 - view.x0, height = view.y1 - view.y0;
  double x = fx * (double) (full->x1 - full->x0);
  double y = fy * (double) (full->y1 - full->y0);
  view.x0 = full->x0 + (uint64_t) CLAMP (x, 0, (double) (full->x1 - full->x0
                                                         - width));
  view.y0 = full->y0 + (uint64_t) CLAMP (y, 0, (double) (full->y1 - full->y0
                                                         - height));
  view.x1 = view.x0 + width;
  view.y1 = view.y0 + height;
  if (!dv_viewport_show (&canvas->viewport, &view, !map->moved))
    return;
  map->moved = true;
  dv_canvas_view_changed (canvas);
}

/* Where a point is, and the view's corner and size: in fractions of all.  */
static void
locate (const struct dv_minimap *map, double x, double y, double *fx,
        double *fy, double view[4])
{
  const struct dv_viewport *viewport = &map->host->canvas->viewport;
  const struct dv_view *now = &viewport->now, *full = &viewport->full;
  double across = (double) (full->x1 - full->x0);
  double down = (double) (full->y1 - full->y0);
  *fx = x / gtk_widget_get_allocated_width (map->area);
  *fy = y / gtk_widget_get_allocated_height (map->area);
  view[0] = (double) (now->x0 - full->x0) / across;
  view[1] = (double) (now->y0 - full->y0) / down;
  view[2] = (double) (now->x1 - now->x0) / across;
  view[3] = (double) (now->y1 - now->y0) / down;
}

static gboolean
pressed (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct dv_minimap *map = data;
  double fx, fy, view[4];
  gtk_widget_grab_focus (widget);
  if (event->type != GDK_BUTTON_PRESS || event->button != 1
      || !has_scene (map))
    return TRUE;
  locate (map, event->x, event->y, &fx, &fy, view);
  map->dragging = true;
  map->moved = false;
  map->grip_x = fx - view[0];
  map->grip_y = fy - view[1];
  /* Outside of the view's frame, as it is drawn, it comes to the pointer.  */
  double slack_x = FRAME_LEAST / 2.0 / gtk_widget_get_allocated_width (widget);
  double slack_y = FRAME_LEAST / 2.0
                   / gtk_widget_get_allocated_height (widget);
  if (map->grip_x < -slack_x || map->grip_x > view[2] + slack_x
      || map->grip_y < -slack_y || map->grip_y > view[3] + slack_y) {
    map->grip_x = view[2] / 2;
    map->grip_y = view[3] / 2;
    move_to (map, fx - map->grip_x, fy - map->grip_y);
  }
  return TRUE;
}

static gboolean
moved (GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
  struct dv_minimap *map = data;
  double fx, fy, view[4];
  if (!map->dragging || !has_scene (map))
    return TRUE;
  locate (map, event->x, event->y, &fx, &fy, view);
  move_to (map, fx - map->grip_x, fy - map->grip_y);
  return TRUE;
}

static gboolean
released (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct dv_minimap *map = data;
  if (event->button == 1)
    map->dragging = false;
  return TRUE;
}

/* What is under the pointer stays, as far as it is in the view.  */
static gboolean
scrolled (GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
  struct dv_minimap *map = data;
  struct dv_canvas *canvas = map->host->canvas;
  double fx, fy, view[4], steps = 0;
  if (!has_scene (map))
    return TRUE;
  if (event->direction == GDK_SCROLL_UP)
    steps = -1;
  else if (event->direction == GDK_SCROLL_DOWN)
    steps = 1;
  else if (event->direction == GDK_SCROLL_SMOOTH)
    steps = event->delta_y;
  enum dv_axis axes = event->state & GDK_SHIFT_MASK ? DV_AXIS_X
                      : event->state & GDK_CONTROL_MASK ? DV_AXIS_Y
                      : DV_AXIS_BOTH;
  locate (map, event->x, event->y, &fx, &fy, view);
  double at_x = (fx - view[0]) / view[2], at_y = (fy - view[1]) / view[3];
  if (steps != 0
      && dv_viewport_zoom (&canvas->viewport, axes, pow (WHEEL_STEP, steps),
                           at_x >= 0 && at_x <= 1 ? at_x : 0.5,
                           at_y >= 0 && at_y <= 1 ? at_y : 0.5,
                           dv_canvas_begins_gesture (canvas)))
    dv_canvas_view_changed (canvas);
  return TRUE;
}

/* Keys do here what they do in the plot, but for leaving.  */
static gboolean
key_pressed (GtkWidget *widget, GdkEventKey *event, gpointer data)
{
  struct dv_minimap *map = data;
  if (event->keyval == GDK_KEY_Tab || event->keyval == GDK_KEY_ISO_Left_Tab)
    return FALSE;
  return gtk_widget_event (map->host->canvas->widget, (GdkEvent *) event);
}

/* ---- Making ---------------------------------------------------------- */

static void
toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  struct dv_minimap *map = data;
  bool on = g_variant_get_boolean (state);
  g_simple_action_set_state (action, state);
  dv_settings_set_flag (map->host->settings, SETTING, on);
  if (map->area != NULL)
    gtk_widget_set_visible (map->area, on);
  if (on)
    want_picture (map);
}

struct dv_minimap *
dv_minimap_new (struct dv_host *host)
{
  struct dv_minimap *map = g_new0 (struct dv_minimap, 1);
  map->host = host;
  const GActionEntry entry = {
    .name = "minimap",
    .state =
      dv_settings_flag (host->settings, SETTING, true) ? "true" : "false",
    .change_state = toggled};
  dv_host_add_actions (host, &entry, 1, map);
  return map;
}

void
dv_minimap_free (struct dv_minimap *map)
{
  stop_picture (map);
  /* The widgets may outlive it.  */
  g_signal_handlers_disconnect_by_data (map->host->canvas->widget, map);
  if (map->area != NULL)
    g_signal_handlers_disconnect_by_data (map->area, map);
  dv_picture_unref (map->picture);
  forget_image (map);
  g_free (map);
}

void
dv_minimap_view_changed (struct dv_minimap *map)
{
  if (map->area == NULL)
    return;
  describe (map);
  gtk_widget_queue_draw (map->area);
}

/* The old picture stays until there is a new one: of a log that grows it is
   nearly right.  Between two logs there is no scene.  */
void
dv_minimap_scene_changed (struct dv_minimap *map)
{
  const struct dv_canvas *canvas = map->host->canvas;
  stop_picture (map);
  map->dragging = false;
  if (!has_scene (map)
      || (map->picture != NULL
          && map->picture->scene->data != canvas->scene->data
          && dv_view_is_empty (&canvas->shown)))
    take_picture (map, NULL);
  if (has_scene (map) && !is_current (map))
    want_picture (map);
  dv_minimap_view_changed (map);
}

static gboolean
focus_changed (GtkWidget *widget, GdkEventFocus *event, gpointer data)
{
  gtk_widget_queue_draw (widget);
  return FALSE;
}

static void
destroyed (GtkWidget *widget, gpointer data)
{
  struct dv_minimap *map = data;
  map->area = NULL;
}

GtkWidget *
dv_minimap_widget (struct dv_minimap *map)
{
  struct dv_host *host = map->host;
  GtkWidget *area = gtk_drawing_area_new ();
  map->area = area;
  gtk_widget_set_size_request (area, -1, HEIGHT);
  gtk_widget_set_margin_start (area, MARGIN);
  gtk_widget_set_margin_end (area, MARGIN);
  gtk_widget_set_margin_top (area, MARGIN);
  gtk_widget_set_margin_bottom (area, MARGIN);
  gtk_widget_set_can_focus (area, TRUE);
  gtk_widget_set_tooltip_text (area, _ ("Overview: click or drag to move"));
  dv_pieces_name (area, _ ("Overview"));
  atk_object_set_role (gtk_widget_get_accessible (area), ATK_ROLE_IMAGE);
  gtk_widget_add_events (area, GDK_BUTTON_PRESS_MASK
                                 | GDK_BUTTON_RELEASE_MASK
                                 | GDK_BUTTON1_MOTION_MASK | GDK_SCROLL_MASK
                                 | GDK_SMOOTH_SCROLL_MASK | GDK_KEY_PRESS_MASK
                                 | GDK_FOCUS_CHANGE_MASK);
  const struct {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "draw", G_CALLBACK (draw) },
    { "button-press-event", G_CALLBACK (pressed) },
    { "button-release-event", G_CALLBACK (released) },
    { "motion-notify-event", G_CALLBACK (moved) },
    { "scroll-event", G_CALLBACK (scrolled) },
    { "key-press-event", G_CALLBACK (key_pressed) },
    { "focus-in-event", G_CALLBACK (focus_changed) },
    { "focus-out-event", G_CALLBACK (focus_changed) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect (area, handlers[i].signal, handlers[i].handler, map);
  g_signal_connect (area, "destroy", G_CALLBACK (destroyed), map);
  g_signal_connect (host->canvas->widget, "draw", G_CALLBACK (canvas_drawn),
                    map);
  gtk_widget_set_no_show_all (area, TRUE);
  gtk_widget_set_visible (area,
                          dv_settings_flag (host->settings, SETTING, true));
  return area;
}
