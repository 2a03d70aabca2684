/* streamlist.c: the panel with how the instructions in view walk through
   memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "i18n.h"
#include "model/tally/streams.h"
#include "panels/base/row_table.h"
#include "panels/base/tally_view.h"
#include "widgets/pieces.h"

enum column { NAME, PATTERN, STRIDE, ACCESSES, KIND, FAR, N_COLUMNS };

struct panel {
  const struct dv_panel_host *host;
  struct dv_tally_view shown;
  struct dv_row_table table;
  struct dv_streams *streams;      /* NULL: nothing is shown */
  GtkWidget *root;
};

static const struct dv_stream *
stream_of (const struct panel *panel, guint row)
{
  return &g_array_index (panel->streams->streams, struct dv_stream, row);
}

/* ---- Cells ---------------------------------------------------------- */

static struct dv_row_column
column (const void *user, guint number)
{
  static const struct dv_row_column columns[N_COLUMNS] = {
    { N_ ("Code"), NULL, 240, .shorten = PANGO_ELLIPSIZE_MIDDLE },
    { N_ ("Pattern"), N_ ("From one access to the next, of the same "
                          "instruction"),
      130, .shorten = PANGO_ELLIPSIZE_END },
    { N_ ("Stride"), N_ ("Bytes; the most common one"), 80,
      .is_number = true },
    { N_ ("Accesses"), N_ ("In view"), 98, .is_number = true,
      .is_most_first = true },
    { N_ ("Kind"), NULL, 70, .shorten = PANGO_ELLIPSIZE_END },
    { N_ ("Far"), N_ ("Share of the steps that go far, where a processor "
                      "cannot fetch ahead"),
      80, .is_number = true, .is_most_first = true } };
  return columns[number];
}

static char *
text (const void *user, guint row, guint column)
{
  const struct dv_stream *stream = stream_of (user, row);
  char number[40];
  switch (column) {
  case NAME: return g_strdup (stream->name);
  case PATTERN: return g_strdup (stream->pattern);
  case STRIDE: return g_strdup (stream->stride);
  case KIND: return g_strdup (stream->is_write ? _ ("write") : _ ("read"));
  case FAR:
    dg_number_text_percent (number, sizeof number, stream->far);
    return g_strdup (number);
  default:
    dg_number_text (number, sizeof number, stream->accesses);
    return g_strdup (number);
  }
}

static double
share (const void *user, guint row)
{
  return 0;
}

static int
compare (const void *user, guint a, guint b, guint column)
{
  const struct dv_stream *x = stream_of (user, a), *y = stream_of (user, b);
  switch (column) {
  case NAME: return g_utf8_collate (x->name, y->name);
  case PATTERN: return g_utf8_collate (x->pattern, y->pattern);
  case STRIDE: {
    int64_t p = g_ascii_strtoll (x->stride, NULL, 10);
    int64_t q = g_ascii_strtoll (y->stride, NULL, 10);
    return (p > q) - (p < q);
  }
  case KIND: return (int) x->is_write - (int) y->is_write;
  case FAR: return (x->far > y->far) - (x->far < y->far);
  default: return (x->accesses > y->accesses) - (x->accesses < y->accesses);
  }
}

static char *
tip (const void *user, guint row)
{
  const struct dv_stream *stream = stream_of (user, row);
  char *how = dv_stream_text (stream);
  char *all = g_strdup_printf ("%s\n%s", stream->name, how);
  g_free (how);
  return all;
}

static void
names (const void *user, guint row, const char *names[2])
{
  names[0] = stream_of (user, row)->name;
  names[1] = stream_of (user, row)->pattern;
}

static uint64_t
key (const void *user, guint row)
{
  const struct dv_stream *stream = stream_of (user, row);
  return stream->instruction * 2 + stream->is_write + 1;
}

/* ---- What is selected ----------------------------------------------- */

static void
selected (void *user)
{
  struct panel *panel = user;
  guint row;
  if (!dv_row_table_selected (&panel->table, &row)) {
    panel->host->highlight (panel->host->user, NULL);
    return;
  }
  const struct dv_stream *stream = stream_of (panel, row);
  struct dv_highlight *highlight = dv_streams_highlight (stream);
  panel->host->highlight (panel->host->user, highlight);
  dv_highlight_unref (highlight);
  panel->host->offer_source (panel->host->user,
                             stream->file != NULL ? stream->file : "",
                             stream->line);
}

static void
activated (void *user)
{
  struct panel *panel = user;
  guint row;
  if (!dv_row_table_selected (&panel->table, &row))
    return;
  const struct dv_stream *stream = stream_of (panel, row);
  panel->host->show_source (panel->host->user,
                            stream->file != NULL ? stream->file : "",
                            stream->line);
}

/* ---- Filling -------------------------------------------------------- */

static bool
show (void *user, void *made)
{
  struct panel *panel = user;
  struct dv_streams *old = panel->streams;
  panel->streams = made != NULL ? dv_streams_ref (made) : NULL;
  guint n = made != NULL ? panel->streams->streams->len : 0;
  dv_row_table_set (&panel->table, n);
  dv_streams_unref (old);
  dv_pieces_note_set (panel->shown.note,
                      n > 0 ? _ ("How the instructions in view walk through "
                                 "memory") : "");
  return n > 0;
}

static void
show_tally (GtkWidget *root, struct dv_tally *tally)
{
  struct panel *panel = g_object_get_data (G_OBJECT (root), "panel");
  dv_tally_view_set (&panel->shown, tally);
}

/* ---- Making --------------------------------------------------------- */

static void
panel_free (gpointer memory)
{
  struct panel *panel = memory;
  dv_tally_view_fini (&panel->shown);
  dv_streams_unref (panel->streams);
  dv_row_table_fini (&panel->table);
  g_free (panel);
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  static const struct dv_row_table_class table_class = {
    .column = column, .text = text, .share = share, .compare = compare,
    .tip = tip, .names = names, .key = key, .selected = selected,
    .activated = activated };
  static const struct dv_tally_view_class shown_class = {
    dv_streams_make, (void (*) (void *)) dv_streams_unref, show,
    N_ ("The streams cannot be found."), 1 };
  struct panel *panel = g_new0 (struct panel, 1);
  GtkWidget *note = dv_pieces_note_new (_ ("What the table shows"), 0);
  panel->host = host;
  dv_pieces_margins (note, 8, 8, 4, 4);
  dv_row_table_init (&panel->table, &table_class, N_COLUMNS, ACCESSES,
                     _ ("Streams in view"), panel);
  dv_tally_view_init (&panel->shown, &shown_class, 0, panel->table.scrolled,
                      note, N_ ("This table will show how the instructions in "
                                "the plot walk through memory."), panel);
  panel->root = dv_pieces_panel_new (note, panel->shown.hinted.stack, panel,
                                     panel_free);
  return panel->root;
}

const struct dv_panel dv_panel_streamlist = { .id = "streams",
                                           .title = N_ ("Streams"),
                                           .place = DV_PANEL_BOTTOM,
                                           .make = make,
                                           .show_tally = show_tally };
