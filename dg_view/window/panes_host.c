/* panes_host.c: what panels may ask the window for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panes_host.h"

#include "host/selection.h"
#include "model/calls/sourcemap.h"

static void
host_show_source (void *user, const char *file, unsigned line)
{
  const struct dv_host *host = user;
  host->show_source (host->user, file, line);
}

static void
host_edit_source (void *user, const char *file, unsigned line)
{
  const struct dv_host *host = user;
  host->edit_source (host->user, file, line);
}

static void
host_select (void *user, const struct dg_access *access)
{
  const struct dv_host *host = user;
  dv_selection_set (host->selection, access);
}

static void
host_highlight (void *user, struct dv_highlight *highlight)
{
  struct dv_host *host = user;
  dv_canvas_set_highlight (host->canvas, highlight);
}

static void
host_go_to (void *user, const struct dv_view *view)
{
  dv_host_go_to (user, view);
}

static void
host_filter (void *user, const char *events, const char *ranges)
{
  const struct dv_host *host = user;
  host->filter (host->user, events, ranges);
}

static const char *const *
host_source_map (void *user)
{
  struct dv_host *host = user;
  return (const char *const *) host->choices->source_map;
}

static void
host_map_source (void *user, const char *pair)
{
  struct dv_host *host = user;
  char **own = dv_choices_own_source_map (host->choices);
  char **map = dv_sourcemap_with ((const char *const *) own, pair);
  dv_choices_set_source_map (host->choices, (const char *const *) map);
  g_strfreev (map);
  g_strfreev (own);
}

static struct dv_data *
host_data (void *user)
{
  struct dv_host *host = user;
  return host->data;
}

static const struct dv_look *
host_look (void *user)
{
  const struct dv_host *host = user;
  return &host->canvas->look;
}

static void
host_offer_source (void *user, const char *file, unsigned line)
{
  const struct dv_host *host = user;
  host->offer_source (host->user, file, line);
}

static void
host_point_at (void *user, uint64_t icount)
{
  struct dv_host *host = user;
  dv_canvas_set_moment (host->canvas, icount);
}

struct dv_panel_host
dv_panes_host (struct dv_host *host)
{
  return (struct dv_panel_host){
    .show_source = host_show_source,
    .offer_source = host_offer_source,
    .edit_source = host_edit_source,
    .source_map = host_source_map,
    .map_source = host_map_source,
    .select = host_select,
    .highlight = host_highlight,
    .go_to = host_go_to,
    .filter = host_filter,
    .look = host_look,
    .data = host_data,
    .point_at = host_point_at,
    .user = host,
  };
}
