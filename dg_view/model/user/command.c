/* command.c: a view as a command line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "command.h"

#include "format.h"

#include <stdlib.h>
#include <string.h>

void
dv_command_addresses (const struct dv_scene *scene,
                      const struct dv_view *view, uint64_t *start,
                      uint64_t *end)
{
  *start = 0;
  *end = UINT64_MAX;
  if (view->x0 > scene->full.x0)
    *start = dv_layout_address (&scene->layout, view->x0);
  /* Behind the last byte, not the next one that is shown: that may be far
     away.  */
  if (view->x1 < scene->full.x1)
    *end = dv_layout_address (&scene->layout, view->x1 - 1) + 1;
}

void
dv_command_instructions (const struct dv_scene *scene,
                         const struct dv_view *view, uint64_t *start,
                         uint64_t *end)
{
  *start = view->y0 > scene->full.y0 ? view->y0 : 0;
  *end = view->y1 < scene->full.y1 ? view->y1 : UINT64_MAX;
}

char *
dv_command_condition (const char *kind, const char *name)
{
  if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL))
    return NULL;
  char *quoted = dg_filter_quote (name);
  char *text = quoted != NULL ? g_strconcat (kind, quoted, NULL) : NULL;
  free (quoted);
  return text;
}

/* "--name=value", quoted if need be.  */
static void
append_option (GString *line, const char *name, const char *value)
{
  char *quoted = g_shell_quote (value);
  bool plain = strspn (value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                              "UVWXYZ0123456789_-+=:,./") == strlen (value);
  g_string_append_printf (line, " --%s=%s", name, plain ? value : quoted);
  g_free (quoted);
}

static void
append_interval (GString *line, const char *name, const char *format,
                 uint64_t start, uint64_t end)
{
  char from[32] = "", to[32] = "", *value;
  if (start == 0 && end == UINT64_MAX)
    return;
  if (start != 0)
    g_snprintf (from, sizeof from, format, start);
  if (end != UINT64_MAX)
    g_snprintf (to, sizeof to, format, end);
  value = g_strconcat (from, "..", to, NULL);
  append_option (line, name, value);
  g_free (value);
}

/* A name that looks like an option is none.  */
static void
append_path (GString *line, const char *path)
{
  char *name = *path == '-' ? g_strconcat ("./", path, NULL)
                            : g_strdup (path);
  char *quoted = g_shell_quote (name);
  g_string_append_printf (line, " %s", quoted);
  g_free (quoted);
  g_free (name);
}

char *
dv_command_line (const struct dv_scene *scene, const struct dv_view *view,
                 const struct dv_look *look, const char *path)
{
  GString *line = g_string_new ("dg_view");
  uint64_t start, end;
  dv_command_addresses (scene, view, &start, &end);
  append_interval (line, "addresses", DV_ADDRESS, start, end);
  dv_command_instructions (scene, view, &start, &end);
  append_interval (line, "instructions", "%" G_GUINT64_FORMAT, start, end);
  if (*scene->events != '\0')
    append_option (line, "events", scene->events);
  if (*scene->ranges != '\0')
    append_option (line, "ranges", scene->ranges);
  /* All of them: who runs it may prefer others.  */
  append_option (line, "palette", look->palette->name);
  append_option (line, "colour", dv_colouring_name (look->colouring));
  append_option (line, "theme", look->palette->is_dark ? "dark" : "light");
  append_path (line, path);
  return g_string_free (line, FALSE);
}

char *
dv_command_heap (const struct dg_curve *curve, uint32_t series,
                 const struct dv_palette *palette, const char *picture,
                 const char *path)
{
  GString *line = g_string_new ("dg heap");
  uint64_t last = dg_log_summary (curve->log)->last_icount;
  char number[16];
  append_option (line, "render", picture);
  append_option (line, "by", dg_curve_by_name (curve->by));
  g_snprintf (number, sizeof number, "%u", series);
  append_option (line, "series", number);
  append_interval (line, "instructions", "%" G_GUINT64_FORMAT,
                   curve->start_icount,
                   curve->end_icount <= last ? curve->end_icount
                                             : UINT64_MAX);
  append_option (line, "palette", palette->name);
  append_option (line, "theme", palette->is_dark ? "dark" : "light");
  append_path (line, path);
  return g_string_free (line, FALSE);
}
