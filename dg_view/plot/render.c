/* render.c: --render.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "render.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "pair_render.h"
#include "plot_file.h"
#include "render_progress.h"
#include "model/access/select.h"
#include "model/picture/raster_plan.h"

#define USUAL_WIDTH  1200
#define USUAL_HEIGHT 800
/* Reading a block's records takes as long as decoding so many accesses.  */
#define BLOCK_ACCESSES 64

/* `path`: what it is about; NULL: the command line.  */
static void
complain (const char *path, const char *message)
{
  char *about = path != NULL ? dv_format_printable (path) : NULL;
  char *why = dv_format_printable (message);
  g_printerr ("dg_view: %s%s%s\n", about != NULL ? about : "",
              about != NULL ? ": " : "", why);
  g_free (why);
  g_free (about);
}

/* Conditions that nothing meets: perhaps they are misspelled.  */
static void
complain_about_filter (const struct dv_scene *scene, const char *path)
{
  const char *problem;
  for (size_t i = 0; scene->filter != NULL
                     && (problem = dg_filter_problem (scene->filter, i))
                          != NULL; i++)
    complain (path, problem);
}

/* Names that could not be had, of those that were asked for.  */
static void
complain_about_names (const struct dv_data *data, const char *path)
{
  const char *problem;
  for (size_t i = 0;
       (problem = dg_symbols_problem (data->symbols, i)) != NULL; i++)
    if (!dg_symbols_problem_is_of_valgrind (data->symbols, i))
      complain (path, problem);
}

/* Standard output, by whatever name, gets it behind what it has; a device or a
   pipe is written to.  NULL: it is a file, or shall be one.  */
static FILE *
open_stream (const char *path)
{
  struct stat there, out;
  if (stat (path, &there) < 0)
    return NULL;
  if (fstat (STDOUT_FILENO, &out) == 0 && out.st_dev == there.st_dev
      && out.st_ino == there.st_ino)
    return fdopen (STDOUT_FILENO, "wb");
  return S_ISREG (there.st_mode) ? NULL : fopen (path, "wb");
}

/* Before anything is read.  */
static bool
can_write (const char *path)
{
  struct stat there;
  struct dg_error err;
  if ((stat (path, &there) == 0 && !S_ISREG (there.st_mode)
       && !S_ISDIR (there.st_mode))
      || dg_output_check (path, false, &err) == 0)
    return true;
  complain (path, err.message);
  return false;
}

static int
write_bytes (const GByteArray *bytes, const char *path)
{
  struct dg_error err;
  FILE *file = open_stream (path);
  if (file == NULL) {
    if (dg_output_save (path, bytes->data, bytes->len, &err) == 0)
      return 0;
    complain (path, err.message);
    return 1;
  }
  bool good = fwrite (bytes->data, 1, bytes->len, file) == bytes->len;
  int saved = errno;
  if (fclose (file) != 0) {
    saved = good ? errno : saved;
    good = false;
  }
  if (!good)
    complain (path, g_strerror (saved));
  return good ? 0 : 1;
}

static int
draw (struct dv_scene *scene, const struct dv_options *options,
      struct dv_render_progress *progress, struct dg_error *err)
{
  char *title = options->title != NULL ? g_strdup (options->title)
                                       : dv_plot_file_title (scene->data);
  struct dv_plot_file file = {
    .scene = scene,
    .look.palette = dv_palette_find (options->palette,
                                     options->theme != DV_THEME_LIGHT),
    .look.colouring = options->colouring,
    .title = *title != '\0' ? title : NULL,
    .format = options->format,
    .width = options->width != 0 ? options->width : USUAL_WIDTH,
    .height = options->height != 0 ? options->height : USUAL_HEIGHT,
    .detail = options->quick ? DV_DETAIL_GOOD : DV_DETAIL_EXACT,
  };
  dv_select_view (scene, options, &file.view);
  GByteArray *bytes =
    dv_plot_file_bytes (&file, dv_render_progress_tell, progress, err);
  dv_render_progress_clear (progress);
  int status = bytes != NULL ? write_bytes (bytes, options->render) : 1;
  if (bytes != NULL)
    g_byte_array_unref (bytes);
  g_free (title);
  return status;
}

static bool
shows_all (const struct dv_options *options)
{
  return options->events == NULL && options->ranges == NULL
         && options->address_start == 0 && options->address_end == UINT64_MAX
         && options->instruction_start == 0
         && options->instruction_end == UINT64_MAX;
}

/* Whether each chunk of a log is so low in the picture that none would have to
   be decoded, and nothing is drawn beside it.  */
static bool
is_enough (const struct dv_data *data, uint32_t height)
{
  const struct dg_summary *summary = dg_log_summary (data->log);
  double scale = (double) height / (double) MAX (summary->last_icount, 1);
  size_t n;
  dg_log_chunks (data->log, &n);
  for (size_t i = 0; i < n; i++) {
    uint64_t start, end;
    dv_data_chunk (data, i, &start, &end);
    if (end < start || (double) (end - start) * scale > DV_GOOD_ROWS)
      return false;
  }
  return n > 0 && summary->events_started == 0 && summary->ranges_tracked == 0;
}

/* What the index alone shows, if there is no time for more: to read the
   records of very many blocks takes several times as long as to draw.  NULL:
   all must be read.  */
static struct dv_data *
glance (const struct dv_options *options)
{
  uint32_t height = options->height != 0 ? options->height : USUAL_HEIGHT;
  if (!options->quick || options->colouring != DV_COLOUR_KIND
      || !shows_all (options))
    return NULL;
  struct dv_data *data = dv_data_glance (options->path);
  if (data != NULL
      && dg_log_summary (data->log)->heap_allocs > data->few / BLOCK_ACCESSES
      && is_enough (data, height))
    return data;
  dv_data_unref (data);
  return NULL;
}

static int
draw_data (struct dv_data *data, const struct dv_options *options,
           struct dv_render_progress *progress, struct dg_error *err)
{
  struct dv_scene *scene =
    dv_scene_new (data, options->events, options->ranges,
                  dv_render_progress_tell, progress, err);
  dv_render_progress_clear (progress);
  if (scene != NULL)
    complain_about_filter (scene, NULL);
  int status = scene != NULL ? draw (scene, options, progress, err) : 1;
  dv_scene_unref (scene);
  return status;
}

/* The exit status, or -1: all must be read, also if the index turns out to be
   damaged.  */
static int
draw_glance (const struct dv_options *options,
             struct dv_render_progress *progress)
{
  struct dg_error err = { 0 };
  struct dv_data *data = glance (options);
  int status = data != NULL ? draw_data (data, options, progress, &err) : -1;
  dv_data_unref (data);
  return err.code == 0 ? status : -1;
}

/* ---- By owner -------------------------------------------------------- */

static int
draw_pair (struct dv_scene *const scenes[2], const struct dv_options *options,
           struct dv_render_progress *progress, struct dg_error *err)
{
  struct dv_pair *pair =
    dv_pair_new (scenes[0], scenes[1], options->x_axis == DV_X_BLOCKS,
                 dv_render_progress_tell, progress, err);
  GByteArray *bytes =
    pair != NULL ? dv_pair_render (pair, options, dv_render_progress_tell,
                                   progress, err) : NULL;
  dv_render_progress_clear (progress);
  int status = bytes != NULL ? write_bytes (bytes, options->render) : 1;
  if (bytes != NULL)
    g_byte_array_unref (bytes);
  dv_pair_unref (pair);
  return status;
}

/* Two logs, or one by owner.  */
static int
render_pair (const struct dv_options *options,
             struct dv_render_progress *progress)
{
  const char *paths[] = { options->path, options->second };
  struct dv_scene *scenes[2] = { NULL, NULL };
  struct dg_error err = { 0 };
  bool is_good = true, is_whole = true;
  for (int i = 0; i < 2 && paths[i] != NULL && is_good; i++) {
    scenes[i] = dv_pair_load (paths[i], options, dv_render_progress_tell,
                              progress, &err);
    dv_render_progress_clear (progress);
    is_good = scenes[i] != NULL;
    if (!is_good) {
      complain (err.code == DG_ERR_FILTER ? NULL : paths[i], err.message);
      break;
    }
    complain_about_filter (scenes[i], paths[1] != NULL ? paths[i] : NULL);
    if (scenes[i]->data->flaw.code != 0) {
      complain (paths[i], scenes[i]->data->flaw.message);
      is_whole = false;
    }
  }
  int status = err.code == DG_ERR_FILTER ? 2 : 1;
  if (is_good) {
    status = draw_pair (scenes, options, progress, &err);
    if (err.code != 0)
      complain (NULL, err.message);
    for (int i = 0; i < 2 && scenes[i] != NULL; i++)
      complain_about_names (scenes[i]->data, paths[1] != NULL ? paths[i]
                                                              : NULL);
  }
  dv_scene_unref (scenes[0]);
  dv_scene_unref (scenes[1]);
  return is_whole ? status : MAX (status, 1);
}

int
dv_render (const struct dv_options *options)
{
  struct dv_render_progress progress;
  struct dg_error err = { 0 };
  int status;
  if (!can_write (options->render))
    return 1;
  dv_render_progress_start (&progress);
  if (options->second != NULL || options->x_axis != DV_X_ADDRESSES)
    return render_pair (options, &progress);
  status = draw_glance (options, &progress);
  if (status >= 0)
    return status;
  status = 1;
  struct dv_data *data = dv_data_new (options->path, false,
                                      dv_render_progress_tell, &progress,
                                      &err);
  dv_render_progress_clear (&progress);
  if (data != NULL && data->flaw.code != 0)
    complain (options->path, data->flaw.message);
  if (data != NULL)
    status = draw_data (data, options, &progress, &err);
  if (data != NULL && data->flaw.code != 0)
    status = 1;
  if (err.code == DG_ERR_FILTER)
    status = 2;
  if (err.code != 0)
    complain (err.code == DG_ERR_FILTER ? NULL : options->path, err.message);
  dv_data_unref (data);
  return status;
}
