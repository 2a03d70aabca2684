/* heap_menu.c: what can be done with the picture of the heap and its rows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_menu.h"

#include "panels/base/panel_menu.h"
#include "model/user/command.h"
#include "plot/heap_file.h"
#include "i18n.h"

void
dv_heap_menu_show_source (struct heap_panel *panel)
{
  const struct dv_heap_row *row = dv_heap_work_row (&panel->work);
  if (row != NULL)
    panel->host->show_source (panel->host->user,
                              row->file != NULL ? row->file : "", row->line);
}

/* ---- Saving ------------------------------------------------------------- */

static void *
run_save (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  return dv_heap_file_save (input, err) < 0 ? NULL : input;
}

static void
saved (void *user, void *result, const struct dg_error *err)
{
  struct heap_panel *panel = user;
  panel->save_job = NULL;
  if (result == NULL)
    dv_pieces_tell (panel->root, GTK_MESSAGE_ERROR,
                    _ ("The picture cannot be saved."), err->message);
}

static void
save (void *user, const char *path)
{
  static const struct dv_job_class class = {
    run_save, (GDestroyNotify) dv_heap_file_free, NULL};
  struct heap_panel *panel = user;
  /* The log may be gone by now.  */
  if (panel->work.curve == NULL || panel->save_job != NULL)
    return;
  struct dv_heap_file *file = g_new0 (struct dv_heap_file, 1);
  file->curve = dv_heap_curve_ref (panel->work.curve);
  file->palette = panel->view.chart.palette;
  file->selected = panel->work.selected;
  file->title = dv_data_program (file->curve->heap->data);
  if (file->title == NULL)
    file->title = dv_data_file_name (file->curve->heap->data);
  file->path = g_strdup (path);
  panel->save_job = dv_job_start (&class, file, saved, panel);
}

void
dv_heap_menu_init (struct heap_panel *panel)
{
  panel->saving.chosen = save;
  panel->saving.user = panel;
}

void
dv_heap_menu_fini (struct heap_panel *panel)
{
  dv_pieces_chooser_fini (&panel->saving);
  dv_job_drop (panel->save_job);
}

/* ---- Menu --------------------------------------------------------------- */

static char *
condition_of (const struct heap_panel *panel)
{
  const struct dv_heap_row *row = dv_heap_work_row (&panel->work);
  return row != NULL ? dv_command_condition ("fn:", row->function) : NULL;
}

static void
menu_filter (struct heap_panel *panel)
{
  char *condition = condition_of (panel);
  if (condition != NULL)
    panel->host->filter (panel->host->user, NULL, condition);
  g_free (condition);
}

static void
menu_copy (struct heap_panel *panel)
{
  const struct dv_heap_row *row = dv_heap_work_row (&panel->work);
  if (row != NULL)
    dv_panel_menu_copy (panel->root, row->name);
}

static void
menu_copy_table (struct heap_panel *panel)
{
  if (panel->work.rows == NULL)
    return;
  dv_panel_menu_take (panel->root, dv_heap_table_copy (&panel->table));
}

static void
menu_copy_command (struct heap_panel *panel)
{
  const struct dv_heap_curve *curve = panel->work.curve;
  if (curve == NULL)
    return;
  dv_panel_menu_take (
    panel->root, dv_command_heap (curve->curve, panel->work.options.series,
                                  panel->view.chart.palette, "heap.svg",
                                  dg_log_path (curve->heap->data->log)));
}

static void
menu_save (struct heap_panel *panel)
{
  if (panel->work.curve != NULL)
    dv_pieces_chooser_save (&panel->saving, panel->root,
                            _ ("Save the Picture of the Heap"), "heap.svg");
}

void
dv_heap_menu_popup (struct heap_panel *panel, GtkWidget *owner,
                    const GdkEvent *event, const GdkRectangle *place)
{
  const struct dv_heap_row *row = dv_heap_work_row (&panel->work);
  bool has_curve = panel->work.curve != NULL;
  char *condition = condition_of (panel);
  GtkWidget *menu = dv_panel_menu_new (owner);
  dv_panel_menu_add (menu, _ ("Show _Source"),
                     row != NULL && row->file != NULL,
                     G_CALLBACK (dv_heap_menu_show_source), panel);
  dv_panel_menu_add (menu, _ ("Show _Only Its Blocks"), condition != NULL,
                     G_CALLBACK (menu_filter), panel);
  dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("_Copy Name"), row != NULL,
                     G_CALLBACK (menu_copy), panel);
  dv_panel_menu_add (menu, _ ("Copy _Table"), panel->work.rows != NULL,
                     G_CALLBACK (menu_copy_table), panel);
  dv_panel_menu_add (menu, _ ("Copy Command _Line of the Picture"), has_curve,
                     G_CALLBACK (menu_copy_command), panel);
  dv_panel_menu_add (menu, _ ("Save _Picture…"), has_curve,
                     G_CALLBACK (menu_save), panel);
  dv_panel_menu_popup (menu, event, place);
  g_free (condition);
}
