/* compare_save.c: saving the picture of two logs, in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_save.h"

#include "format.h"
#include "host/activities.h"
#include "host/info.h"
#include "i18n.h"
#include "plot/pair_render.h"
#include "widgets/pieces.h"

/* What is saved; jobs give the path.  */
struct picture {
  struct dv_pair_file file;
  struct dv_pair *pair;
  char *names[2], *path;
};

struct dv_compare_save {
  struct dv_host *host;
  struct dv_pieces_chooser chooser;
  struct picture *picture;         /* that is asked about; NULL: none */
  struct dv_job *job;              /* NULL: none */
  char *path;                      /* of the job's file */
};

static void
picture_free (void *memory)
{
  struct picture *picture = memory;
  if (picture == NULL)
    return;
  dv_pair_unref (picture->pair);
  g_free (picture->names[0]);
  g_free (picture->names[1]);
  g_free (picture->path);
  g_free (picture);
}

static void *
run_picture (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  const struct picture *picture = input;
  GByteArray *bytes =
    dv_pair_file_bytes (&picture->file, progress, user, err);
  if (bytes == NULL)
    return NULL;
  int code = dg_output_save (picture->path, bytes->data, bytes->len, err);
  g_byte_array_unref (bytes);
  return code == 0 ? g_strdup (picture->path) : NULL;
}

static void
saved (void *user, void *result, const struct dg_error *err)
{
  struct dv_compare_save *save = user;
  char *shown = dv_format_shown (save->path);
  save->job = NULL;
  dv_activities_watch (save->host->progress);
  if (result != NULL) {
    char *text = g_strdup_printf (_ ("The picture was saved as %s."), shown);
    dv_info_tell (save->host->info, GTK_MESSAGE_INFO, text);
    g_free (text);
  } else {
    char *why = g_strdup_printf ("%s: %s", shown, err->message);
    dv_host_error (save->host, _ ("The picture cannot be saved."), why);
    g_free (why);
  }
  g_free (shown);
  g_free (result);
}

static void
cancel (void *user)
{
  struct dv_compare_save *save = user;
  g_clear_pointer (&save->job, dv_job_drop);
  dv_info_tell (save->host->info, GTK_MESSAGE_INFO,
                _ ("Saving was cancelled."));
}

static void
chosen (void *user, const char *path)
{
  static const struct dv_job_class class = { run_picture, picture_free,
                                             g_free };
  struct dv_compare_save *save = user;
  struct picture *picture = save->picture;
  if (picture == NULL)
    return;
  if (!dv_format_of_file (path, &picture->file.format)) {
    dv_host_error (save->host, _ ("The picture cannot be saved."),
                   _ ("The name must end in .png, .svg or .pdf."));
    return;
  }
  save->picture = NULL;
  picture->path = g_strdup (path);
  g_free (save->path);
  save->path = g_strdup (path);
  g_clear_pointer (&save->job, dv_job_drop);
  save->job = dv_job_start (&class, picture, saved, save);
  dv_activities_watch (save->host->progress);
}

void
dv_compare_save_ask (struct dv_compare_save *save,
                     const struct dv_pair_plot *plot, int width, int height)
{
  struct picture *picture = g_new0 (struct picture, 1);
  picture->pair = dv_pair_ref ((struct dv_pair *) plot->pair);
  picture->names[0] = g_strdup (plot->names[0]);
  picture->names[1] = g_strdup (plot->names[1]);
  picture->file = (struct dv_pair_file){
    .pair = picture->pair, .palette = plot->palette, .parts = plot->parts,
    .view = plot->view, .names = { picture->names[0], picture->names[1] },
    .width = (uint32_t) MAX (width, 200),
    .height = (uint32_t) MAX (height, 150) };
  picture_free (save->picture);
  save->picture = picture;
  dv_pieces_chooser_save (&save->chooser, save->host->window,
                          _ ("Save the Picture"), _ ("comparison.png"));
}

struct dv_compare_save *
dv_compare_save_new (struct dv_host *host)
{
  struct dv_compare_save *save = g_new0 (struct dv_compare_save, 1);
  const struct dv_activity activity = { N_ ("Saving"), &save->job, cancel,
                                        save, NULL };
  save->host = host;
  save->chooser.chosen = chosen;
  save->chooser.user = save;
  dv_activities_add (host->progress, DV_ACTIVITY_SAVING, &activity);
  return save;
}

void
dv_compare_save_free (struct dv_compare_save *save)
{
  dv_pieces_chooser_fini (&save->chooser);
  g_clear_pointer (&save->job, dv_job_drop);
  picture_free (save->picture);
  g_free (save->path);
  g_free (save);
}
