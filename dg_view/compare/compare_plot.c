/* compare_plot.c: what the plots of two logs show, and making their picture.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_plot.h"

#include "i18n.h"
#include "widgets/pieces.h"

/* While the view keeps changing, no picture is begun.  */
#define DELAY_MS 25

struct order {
  struct dv_pair *pair;
  struct dv_view view;
  const struct dv_palette *palette;
  double width, height, scale;
  bool is_draft;
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_pair_unref (order->pair);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  return dv_pair_picture_new (order->pair, &order->view, order->palette,
                              order->width, order->height, order->scale,
                              order->is_draft, progress, user, err);
}

static const struct dv_job_class order_class = {
  run_order, order_free, (GDestroyNotify) dv_pair_picture_unref };

/* ---- What there is -------------------------------------------------- */

bool
dv_compare_plot_has_view (const struct dv_compare_plot *plot)
{
  return plot->pair != NULL && !dv_view_is_empty (&plot->viewport.now);
}

void
dv_compare_plot_areas (const struct dv_compare_plot *plot,
                       struct dv_plot_area areas[DV_PAIR_PARTS])
{
  dv_pair_plot_areas (plot->pair, plot->parts, false,
                      gtk_widget_get_allocated_width (plot->area),
                      gtk_widget_get_allocated_height (plot->area), areas);
}

/* Of the first part that is shown; all are alike.  */
static struct dv_plot_area
area_of (const struct dv_compare_plot *plot)
{
  struct dv_plot_area areas[DV_PAIR_PARTS];
  dv_compare_plot_areas (plot, areas);
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    if (areas[i].height > 0)
      return areas[i];
  return areas[0];
}

/* Whether there is a picture of the view; it may be a draft.  */
static bool
has_counts (const struct dv_compare_plot *plot)
{
  struct dv_plot_area area = area_of (plot);
  double scale = gtk_widget_get_scale_factor (plot->area);
  const struct dv_pair_counts *counts =
    plot->picture != NULL ? plot->picture->counts : NULL;
  return counts != NULL && counts->pair == plot->pair
         && dv_view_equal (&counts->view, &plot->viewport.now)
         && counts->width == (uint32_t) (area.width * scale)
         && counts->height == (uint32_t) (area.height * scale);
}

static bool
has_picture (const struct dv_compare_plot *plot)
{
  return has_counts (plot) && !plot->picture->counts->is_draft;
}

/* For those who cannot see it.  */
static void
describe (struct dv_compare_plot *plot)
{
  const struct dv_view *now = &plot->viewport.now;
  char from[2][32], to[2][32];
  if (!dv_compare_plot_has_view (plot)) {
    dv_pieces_describe (plot->area,
                        plot->message != NULL ? plot->message : "");
    return;
  }
  for (unsigned s = 0; s < dv_pair_sides (plot->pair); s++) {
    const struct dv_pair_time *time = &plot->pair->time;
    dg_number_text (from[s], sizeof from[s],
                    dv_pair_time_icount (time, s, now->y0));
    dg_number_text (to[s], sizeof to[s],
                    dv_pair_time_icount (time, s, now->y1));
  }
  const struct dv_pair_axis *axis = &plot->pair->axis;
  const char *first =
    dv_pair_axis_owner (axis, dv_pair_axis_at (axis, now->x0))->name;
  const char *last =
    dv_pair_axis_owner (axis, dv_pair_axis_at (axis, now->x1 - 1))->name;
  char *text = plot->pair->scenes[1] != NULL
    ? g_strdup_printf (_ ("%s to %s, instructions %s to %s before, %s to %s "
                          "after"),
                       first, last, from[0], to[0], from[1], to[1])
    : g_strdup_printf (_ ("%s to %s, instructions %s to %s"), first, last,
                       from[0], to[0]);
  GString *whole = g_string_new (text);
  if (!has_picture (plot) && !plot->gave_up)
    g_string_append (whole, _ (" (being drawn)"));
  dv_pieces_describe (plot->area, whole->str);
  g_string_free (whole, TRUE);
  g_free (text);
}

/* ---- The picture ---------------------------------------------------- */

static gboolean picture_is_due (gpointer data);

static void
picture_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_compare_plot *plot = user;
  plot->job = NULL;
  if (result != NULL) {
    dv_pair_picture_unref (plot->picture);
    plot->picture = result;
    /* The theme may be another by now.  */
    if (plot->picture->palette != plot->palette)
      dv_compare_plot_set_palette (plot, plot->palette);
  } else {
    plot->gave_up = true;
  }
  describe (plot);
  gtk_widget_queue_draw (plot->area);
  plot->listener.busy (plot->listener.user);
  if (result != NULL && plot->picture->counts->is_draft)
    picture_is_due (plot);
  else if (result != NULL)
    plot->listener.pictured (plot->listener.user, plot->picture->counts);
  else
    plot->listener.failed (plot->listener.user, err);
}

static gboolean
picture_is_due (gpointer data)
{
  struct dv_compare_plot *plot = data;
  struct dv_plot_area area = area_of (plot);
  struct order *order = g_new0 (struct order, 1);
  plot->timer = 0;
  order->pair = dv_pair_ref (plot->pair);
  order->view = plot->viewport.now;
  order->palette = plot->palette;
  order->width = area.width;
  order->height = area.height;
  order->scale = gtk_widget_get_scale_factor (plot->area);
  order->is_draft = !has_counts (plot)
                    && dv_pair_counts_wants_draft (plot->pair, &order->view);
  plot->job = dv_job_start (&order_class, order, picture_done, plot);
  plot->listener.busy (plot->listener.user);
  return G_SOURCE_REMOVE;
}

static void
drop_picture (struct dv_compare_plot *plot)
{
  g_clear_handle_id (&plot->timer, g_source_remove);
  if (plot->job == NULL)
    return;
  g_clear_pointer (&plot->job, dv_job_drop);
  plot->listener.busy (plot->listener.user);
}

void
dv_compare_plot_redraw (struct dv_compare_plot *plot)
{
  plot->gave_up = false;
  drop_picture (plot);
  if (dv_compare_plot_has_view (plot) && !has_picture (plot)
      && gtk_widget_get_allocated_width (plot->area) > 1)
    plot->timer = g_timeout_add (DELAY_MS, picture_is_due, plot);
  describe (plot);
}

void
dv_compare_plot_cancel (struct dv_compare_plot *plot)
{
  plot->gave_up = true;
  drop_picture (plot);
  describe (plot);
}

/* ---- What is shown -------------------------------------------------- */

void
dv_compare_plot_view_changed (struct dv_compare_plot *plot)
{
  dv_compare_plot_redraw (plot);
  gtk_widget_queue_draw (plot->area);
  plot->listener.view_changed (plot->listener.user);
}

void
dv_compare_plot_set_pair (struct dv_compare_plot *plot, struct dv_pair *pair)
{
  static const struct dv_view nothing = { 0 };
  const char *name;
  dv_pair_unref (plot->pair);
  plot->pair = pair != NULL ? dv_pair_ref (pair) : NULL;
  plot->owner = DG_NONE;
  g_clear_pointer (&plot->picture, dv_pair_picture_unref);
  for (unsigned s = 0; s < 2; s++) {
    g_clear_pointer (&plot->names[s], g_free);
    if (pair == NULL || pair->scenes[s] == NULL)
      continue;
    name = dg_log_path (pair->scenes[s]->data->log);
    plot->names[s] = g_filename_display_basename (name);
  }
  dv_viewport_reset (&plot->viewport, pair != NULL ? &pair->full : &nothing);
  dv_compare_plot_set_message (
    plot, pair != NULL && dv_view_is_empty (&pair->full)
            ? dv_scene_nothing (pair->scenes[0]) : NULL);
  dv_compare_plot_view_changed (plot);
}

void
dv_compare_plot_set_message (struct dv_compare_plot *plot,
                             const char *message)
{
  g_free (plot->message);
  plot->message = g_strdup (message);
  describe (plot);
  gtk_widget_queue_draw (plot->area);
}

void
dv_compare_plot_set_palette (struct dv_compare_plot *plot,
                             const struct dv_palette *palette)
{
  plot->palette = palette;
  if (plot->picture != NULL && plot->picture->palette != palette) {
    struct dv_pair_picture *old = plot->picture;
    plot->picture = dv_pair_picture_repaint (old, palette);
    dv_pair_picture_unref (old);
  }
  gtk_widget_queue_draw (plot->area);
}

void
dv_compare_plot_set_parts (struct dv_compare_plot *plot, unsigned parts)
{
  plot->parts = parts;
  dv_compare_plot_redraw (plot);
  gtk_widget_queue_draw (plot->area);
}

void
dv_compare_plot_set_owner (struct dv_compare_plot *plot, uint32_t owner)
{
  plot->owner = owner;
  gtk_widget_queue_draw (plot->area);
}

void
dv_compare_plot_go_to (struct dv_compare_plot *plot, uint32_t owner)
{
  struct dv_view view = plot->viewport.now;
  if (!dv_compare_plot_has_view (plot)
      || owner >= plot->pair->axis.owners->len)
    return;
  const struct dv_pair_owner *o =
    dv_pair_axis_owner (&plot->pair->axis, owner);
  view.x0 = o->x0;
  view.x1 = o->x1;
  if (dv_viewport_show (&plot->viewport, &view, true))
    dv_compare_plot_view_changed (plot);
}

struct dv_pair_plot
dv_compare_plot_now (const struct dv_compare_plot *plot)
{
  return (struct dv_pair_plot){ .pair = plot->pair,
                                .palette = plot->palette,
                                .parts = plot->parts,
                                .view = plot->viewport.now,
                                .message = plot->message,
                                .names = { plot->names[0], plot->names[1] },
                                .picture = plot->picture,
                                .owner = plot->owner };
}

static gboolean
draw (GtkWidget *area, cairo_t *cr, gpointer data)
{
  const struct dv_compare_plot *plot = data;
  struct dv_pair_plot now = dv_compare_plot_now (plot);
  dv_pair_plot_draw (&now, cr, gtk_widget_get_allocated_width (area),
                     gtk_widget_get_allocated_height (area), NULL);
  dv_compare_input_draw (plot, cr);
  return FALSE;
}

static void
resized (struct dv_compare_plot *plot)
{
  if (!plot->gave_up)
    dv_compare_plot_redraw (plot);
}

/* ---- Life ----------------------------------------------------------- */

void
dv_compare_plot_init (struct dv_compare_plot *plot)
{
  dv_viewport_init (&plot->viewport);
  plot->parts = DV_PAIR_ALL_PARTS;
  plot->owner = DG_NONE;
  plot->area = gtk_drawing_area_new ();
  gtk_widget_set_can_focus (plot->area, TRUE);
  gtk_widget_set_size_request (plot->area, 240, 200);
  dv_pieces_name (plot->area, _ ("Plots of memory accesses"));
  g_signal_connect (plot->area, "draw", G_CALLBACK (draw), plot);
  g_signal_connect_swapped (plot->area, "size-allocate", G_CALLBACK (resized),
                            plot);
  g_signal_connect_swapped (plot->area, "notify::scale-factor",
                            G_CALLBACK (resized), plot);
  dv_compare_input_connect (plot);
}

void
dv_compare_plot_fini (struct dv_compare_plot *plot)
{
  g_clear_handle_id (&plot->timer, g_source_remove);
  g_clear_pointer (&plot->job, dv_job_drop);
  dv_pair_picture_unref (plot->picture);
  dv_pair_unref (plot->pair);
  dv_viewport_fini (&plot->viewport);
  g_free (plot->names[0]);
  g_free (plot->names[1]);
  g_free (plot->message);
}
