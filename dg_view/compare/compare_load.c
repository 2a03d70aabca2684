/* compare_load.c: loading two logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_load.h"

#include "format.h"
#include "plot/pair_render.h"

/* Reading a log, the touched pages, the things in it: of each log.  */
#define STEPS 2

struct load {
  char *paths[2];
  struct dv_pair *known;
  const struct dv_options *options;
  bool is_laid_over;
  /* How far it has come.  */
  unsigned step, steps;
  uint64_t last;
  dg_progress_fn progress;
  void *user;
};

static void
load_free (void *memory)
{
  struct load *load = memory;
  dv_pair_unref (load->known);
  g_free (load->paths[0]);
  g_free (load->paths[1]);
  g_free (load);
}

/* Each step begins again at 0.  */
static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct load *load = user;
  double share = total > 0 ? (double) done / (double) total : 0;
  uint64_t now = (uint64_t) (share * 1000);
  if (now < load->last && load->step + 1 < load->steps)
    load->step++;
  load->last = now;
  return load->progress (load->user, load->step * 1000 + now,
                         (uint64_t) load->steps * 1000);
}

static struct dv_scene *
scene_of (struct load *load, unsigned side, struct dg_error *err)
{
  if (load->known != NULL)
    return dv_scene_ref (load->known->scenes[side]);
  struct dv_scene *scene = dv_pair_load (load->paths[side], load->options,
                                         note_progress, load, err);
  if (scene == NULL && err->code != DG_ERR_FILTER
      && err->code != DG_ERR_CANCELLED) {
    char *shown = dv_format_shown (load->paths[side]);
    struct dg_error why = *err;
    g_snprintf (err->message, sizeof err->message, "%s: %s", shown,
                why.message);
    g_free (shown);
  }
  return scene;
}

static void *
run_load (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct load *load = input;
  struct dv_scene *scenes[2] = { NULL, NULL };
  struct dv_pair *pair = NULL;
  load->progress = progress;
  load->user = user;
  load->steps = STEPS * (load->paths[1] != NULL ? 2 : 1) + 1;
  scenes[0] = scene_of (load, 0, err);
  if (scenes[0] != NULL && load->paths[1] != NULL)
    scenes[1] = scene_of (load, 1, err);
  if (scenes[0] != NULL && (load->paths[1] == NULL || scenes[1] != NULL))
    pair = dv_pair_new (scenes[0], scenes[1], load->is_laid_over,
                        note_progress, load, err);
  dv_scene_unref (scenes[0]);
  dv_scene_unref (scenes[1]);
  return pair;
}

struct dv_job *
dv_compare_load (const char *const paths[2], struct dv_pair *known,
                 const struct dv_options *options, bool is_laid_over,
                 dv_job_done done, void *user)
{
  static const struct dv_job_class class = {
    run_load, load_free, (GDestroyNotify) dv_pair_unref };
  struct load *load = g_new0 (struct load, 1);
  load->paths[0] = g_strdup (paths[0]);
  load->paths[1] = g_strdup (paths[1]);
  load->known = known != NULL ? dv_pair_ref (known) : NULL;
  load->options = options;
  load->is_laid_over = is_laid_over;
  return dv_job_start (&class, load, done, user);
}
