/* canvas_hover.c: the line about what is under the pointer, or under the
   cursor of the keyboard.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

#define HOVER_MS   40
#define AGAIN_MS   200
/* How far from an access the pointer still means it, in pixels.  */
#define HOVER_REACH 3

bool
dv_canvas_point (const struct dv_canvas *canvas, double *x, double *y)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  *x = canvas->hover_x;
  *y = canvas->hover_y;
  if (canvas->has_cursor) {
    *x = area.x + canvas->cursor_x * area.width;
    *y = area.y + canvas->cursor_y * area.height;
  }
  return *x >= area.x && *x < area.x + area.width && *y >= area.y
         && *y < area.y + area.height;
}

bool
dv_canvas_at (const struct dv_canvas *canvas, double x, double y,
              uint64_t *position, uint64_t *icount)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  double fx = (x - area.x) / area.width, fy = (y - area.y) / area.height;
  if (!dv_canvas_has_view (canvas) || fx < 0 || fx >= 1 || fy < 0 || fy >= 1)
    return false;
  const struct dv_view *now = &canvas->viewport.now;
  *position = now->x0 + (uint64_t) (fx * (double) (now->x1 - now->x0));
  *icount = now->y0 + (uint64_t) (fy * (double) (now->y1 - now->y0));
  return true;
}

/* What is meant, and where in the data area, as fractions.  */
static bool
hover_point (const struct dv_canvas *canvas, uint64_t *position,
             uint64_t *icount, double *fx, double *fy)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  double x, y;
  if (!dv_canvas_point (canvas, &x, &y)
      || !dv_canvas_at (canvas, x, y, position, icount))
    return false;
  *fx = (x - area.x) / area.width;
  *fy = (y - area.y) / area.height;
  return true;
}

/* The picture, if it shows what the canvas does.  */
static struct dv_picture *
right_picture (const struct dv_canvas *canvas)
{
  struct dv_picture *picture = canvas->picture;
  return picture != NULL && picture->scene == canvas->scene
         && dv_view_equal (&picture->raster->view, &canvas->viewport.now)
         ? picture : NULL;
}

struct dv_job *
dv_canvas_ask (const struct dv_canvas *canvas, enum dv_inquiry_kind kind,
               double x, double y, double reach, dv_job_done done, void *user)
{
  struct dv_picture *picture = right_picture (canvas);
  struct dv_plot_area area = dv_canvas_area (canvas);
  if (picture == NULL || picture->scene->data->is_glance)
    return NULL;
  return dv_inquiry_at (
    picture, kind, (x - area.x) / area.width * picture->raster->width,
    (y - area.y) / area.height * picture->raster->height, reach, done, user);
}

/* "3 reads, 1 write" of the pixel, if that is known.  */
static void
append_counts (GString *text, const struct dv_canvas *canvas, double fx,
               double fy)
{
  const struct dv_picture *picture = right_picture (canvas);
  if (picture == NULL)
    return;
  const struct dv_raster *raster = picture->raster;
  const struct dv_raster_cell *cell
    = dv_raster_cell (raster, (uint32_t) (fx * raster->width),
                      (uint32_t) (fy * raster->height));
  const char *separator = "   ·   ";
  char number[32];
  if (cell->count[0] > 0) {
    dg_number_text (number, sizeof number, cell->count[0]);
    g_string_append (text, separator);
    g_string_append_printf (text, ngettext ("%s read", "%s reads",
                                            cell->count[0]), number);
    separator = ", ";
  }
  if (cell->count[1] > 0) {
    dg_number_text (number, sizeof number, cell->count[1]);
    g_string_append (text, separator);
    g_string_append_printf (text, ngettext ("%s write", "%s writes",
                                            cell->count[1]), number);
  }
}

/* The line about the point, with what the access there adds.  */
static void
tell_hover (struct dv_canvas *canvas, const struct dv_answer *answer)
{
  uint64_t position, icount;
  double fx, fy;
  if (!hover_point (canvas, &position, &icount, &fx, &fy)) {
    canvas->listener.hover (canvas->listener.user, "", DG_NEVER);
    return;
  }
  uint64_t address = dv_layout_address (&canvas->scene->layout, position);
  uint64_t pointed = icount;
  char *owner = NULL;
  if (answer != NULL) {
    address = answer->access.address;
    icount = answer->access.icount;
  } else {
    owner = dv_answer_owner (canvas->scene->data, address, icount);
  }
  char number[32];
  dg_number_text (number, sizeof number, icount);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, DV_ADDRESS "   ·   ", address);
  g_string_append_printf (text, _ ("instruction %s"), number);
  if (answer != NULL && answer->has_range)
    g_string_append_printf (text, "   ·   %s", answer->range_text);
  g_string_append_printf (text, "   ·   %s",
                          answer != NULL ? answer->owner : owner);
  append_counts (text, canvas, fx, fy);
  if (answer != NULL)
    g_string_append_printf (text, "   ·   %s", answer->place);
  canvas->listener.hover (canvas->listener.user, text->str, pointed);
  g_string_free (text, TRUE);
  g_free (owner);
}

static gboolean ask_hover (gpointer data);

static void
hover_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_canvas *canvas = user;
  struct dv_inquiry *inquiry = result;
  canvas->hover_job = NULL;
  if (inquiry == NULL)
    return;
  tell_hover (canvas, inquiry->answer);
  /* Somebody is opening debug information: once it is there, as long as the
     pointer rests.  */
  if (inquiry->answer->lacks_names && canvas->hover_timer == 0)
    canvas->hover_timer = g_timeout_add (AGAIN_MS, ask_hover, canvas);
  dv_inquiry_free (inquiry);
}

static gboolean
ask_hover (gpointer data)
{
  struct dv_canvas *canvas = data;
  double x, y;
  canvas->hover_timer = 0;
  if (dv_canvas_point (canvas, &x, &y))
    canvas->hover_job = dv_canvas_ask (canvas, DV_INQUIRY_HOVER, x, y,
                                       HOVER_REACH, hover_done, canvas);
  return G_SOURCE_REMOVE;
}

void
dv_canvas_stop_hover (struct dv_canvas *canvas)
{
  g_clear_pointer (&canvas->hover_job, dv_job_drop);
  g_clear_handle_id (&canvas->hover_timer, g_source_remove);
}

void
dv_canvas_hover (struct dv_canvas *canvas)
{
  dv_canvas_stop_hover (canvas);
  tell_hover (canvas, NULL);
  canvas->hover_timer = g_timeout_add (HOVER_MS, ask_hover, canvas);
}
