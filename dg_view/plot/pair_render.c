/* pair_render.c: pictures of two logs as files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_render.h"

#include <string.h>

#include "format.h"
#include "i18n.h"
#include "plot_file.h"

#define USUAL_WIDTH  1200
#define USUAL_HEIGHT 900

static void
draw (void *user, cairo_t *cr, double width, double height, GString *texts)
{
  dv_pair_plot_draw (user, cr, width, height, texts);
}

GByteArray *
dv_pair_file_bytes (const struct dv_pair_file *file, dg_progress_fn progress,
                    void *user, struct dg_error *err)
{
  struct dv_pair_plot plot = { .pair = file->pair, .palette = file->palette,
                               .parts = file->parts, .view = file->view,
                               .title = file->title,
                               .names = { file->names[0], file->names[1] },
                               .owner = DG_NONE };
  struct dv_plot_area areas[DV_PAIR_PARTS];
  struct dv_pair_picture *picture = NULL;
  double high = 0;
  if (dv_view_is_empty (&plot.view))
    plot.view = file->pair->full;
  if (dv_view_is_empty (&plot.view)) {
    plot.message = dv_scene_nothing (file->pair->scenes[0]);
  } else {
    dv_pair_plot_areas (file->pair, file->parts, file->title != NULL,
                        file->width, file->height, areas);
    for (int i = 0; i < DV_PAIR_PARTS; i++)
      high = MAX (high, areas[i].height);
    picture = dv_pair_picture_new (file->pair, &plot.view, file->palette,
                                   areas[0].width, high, 1, file->is_draft,
                                   progress, user, err);
    if (picture == NULL)
      return NULL;
    plot.picture = picture;
  }
  GByteArray *bytes = dv_picture_file (
    &(struct dv_picture_file){ .format = file->format, .width = file->width,
                               .height = file->height, .title = file->title,
                               .draw = draw, .user = &plot },
    err);
  dv_pair_picture_unref (picture);
  return bytes;
}

struct dv_scene *
dv_pair_load (const char *path, const struct dv_options *options,
              dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_data *data = dv_data_new (path, true, progress, user, err);
  struct dv_scene *scene = data == NULL ? NULL
    : dv_scene_new (data, options->events, options->ranges, progress, user,
                    err);
  dv_data_unref (data);
  return scene;
}

/* The part of the time that is meant, by the instruction counts of the first
   log.  */
static struct dv_view
view_of (const struct dv_pair *pair, const struct dv_options *options)
{
  struct dv_view view = pair->full;
  const struct dv_view *own = &pair->scenes[0]->full;
  const uint64_t from[] = { options->instruction_start,
                            options->instruction_end };
  uint64_t *to[] = { &view.y0, &view.y1 };
  if (dv_view_is_empty (&view) || dv_view_is_empty (own))
    return view;
  for (int i = 0; i < 2; i++)
    if (from[i] > own->y0 && from[i] < own->y1) {
      struct dv_pair_pace pace =
        dv_pair_time_pace (&pair->time, 0, from[i]);
      *to[i] = (uint64_t) dv_pair_pace_moment (&pace, from[i]);
    }
  return dv_view_clamp (view, &pair->full);
}

static char *
title_of (const struct dv_pair *pair, const struct dv_options *options)
{
  if (options->title != NULL)
    return g_strdup (options->title);
  if (pair->scenes[1] == NULL)
    return dv_plot_file_title (pair->scenes[0]->data);
  char *before = dv_data_program (pair->scenes[0]->data);
  char *after = dv_data_program (pair->scenes[1]->data);
  char *title = before != NULL && after != NULL && strcmp (before, after) != 0
                  /* TRANSLATORS: two logs that are compared.  */
                  ? g_strdup_printf (_ ("%s → %s"), before, after)
                  : g_strdup (after != NULL ? after : _ ("Two logs"));
  g_free (before);
  g_free (after);
  return title;
}

GByteArray *
dv_pair_render (struct dv_pair *pair, const struct dv_options *options,
                dg_progress_fn progress, void *user, struct dg_error *err)
{
  char *title = title_of (pair, options);
  char *names[2] = { dv_data_file_name (pair->scenes[0]->data), NULL };
  if (pair->scenes[1] != NULL)
    names[1] = dv_data_file_name (pair->scenes[1]->data);
  struct dv_pair_file file = {
    .pair = pair,
    .palette = dv_palette_find (options->palette,
                                options->theme != DV_THEME_LIGHT),
    .parts = DV_PAIR_ALL_PARTS,
    .view = view_of (pair, options),
    .title = *title != '\0' ? title : NULL,
    .format = options->format,
    .width = options->width != 0 ? options->width : USUAL_WIDTH,
    .height = options->height != 0 ? options->height : USUAL_HEIGHT,
    .is_draft = options->quick
                && dv_pair_counts_wants_draft (pair, &pair->full),
  };
  for (int i = 0; i < 2; i++)
    if (names[i] != NULL) {
      char *valid = dv_format_shown (names[i]);
      g_free (names[i]);
      file.names[i] = names[i] = valid;
    }
  GByteArray *bytes = dv_pair_file_bytes (&file, progress, user, err);
  g_free (names[0]);
  g_free (names[1]);
  g_free (title);
  return bytes;
}
