/* rooms.c: see rooms.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rooms.h"

#include <limits.h>
#include <math.h>

#define LEAST_SIZE   80
#define MOST_SIZE    4000
/* Of the tables: tabs, headings and some rows; of the side: a sentence.  */
#define LEAST_TABLES 120
#define LEAST_SIDE   200
/* Of a source: its name and some lines; and of the access above it.  */
#define LEAST_SOURCE 170
#define LEAST_ABOVE  130
/* Of a picture below: tabs, buttons, and what can be read.  */
#define LEAST_PICTURE 230
/* The plot's scroll bars, and what rounding takes.  */
#define BARS         20
/* Of the window's area, the plot's; and what it keeps when a picture below
   shows the same instructions.  */
#define PLOT_SHARE   0.5
#define SHARED_SHARE (1 / 3.0)

/* ---- When sizes are known --------------------------------------------- */

/* Not from within an allocation: it asks for another one.  */
static void
do_later (guint *source, GSourceFunc due, gpointer data)
{
  if (*source == 0)
    *source = g_idle_add_full (GTK_PRIORITY_RESIZE, due, data, NULL);
}

/* ---- Sizes ----------------------------------------------------------- */

static GtkOrientation
orientation_of (const struct dv_rooms_place *place)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (place->paned));
}

static int
extent (GtkWidget *widget, GtkOrientation orientation)
{
  return orientation == GTK_ORIENTATION_HORIZONTAL
           ? gtk_widget_get_allocated_width (widget)
           : gtk_widget_get_allocated_height (widget);
}

static int
least_extent (GtkWidget *widget, GtkOrientation orientation)
{
  int least;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_get_preferred_width (widget, &least, NULL);
  else
    gtk_widget_get_preferred_height (widget, &least, NULL);
  return least;
}

static int
handle_size (const struct dv_rooms_place *place)
{
  int size;
  gtk_widget_style_get (place->paned, "handle-size", &size, NULL);
  return size;
}

/* What it would have in so much room; a source leaves the larger part to what
   stands above it, and so does a picture.  */
static int
wanted_size (const struct dv_rooms_place *place, int all)
{
  int part = all * 2 / 5;
  if (place->size == 0 || (place->is_usual && place->is_picture))
    return part;
  /* In a small window the plot has most of it.  */
  return place->is_usual ? MIN (place->size, all / 3) : place->size;
}

/* GTK counts from the other end.  */
static void
give_room (struct dv_rooms_place *place)
{
  GtkOrientation orientation = orientation_of (place);
  int all = extent (place->paned, orientation) - handle_size (place);
  int size = MIN (wanted_size (place, all), place->most);
  place->is_giving = true;
  gtk_paned_set_position (GTK_PANED (place->paned), MAX (all - size, 0));
  place->is_giving = false;
}

static gboolean
room_due (gpointer data)
{
  struct dv_rooms_place *place = data;
  place->source = 0;
  give_room (place);
  return G_SOURCE_REMOVE;
}

static void
paned_allocated (GtkWidget *paned, GdkRectangle *allocation, gpointer data)
{
  struct dv_rooms_place *place = data;
  if (place->waits)
    do_later (&place->source, room_due, place);
  place->waits = false;
}

static void
child_mapped (struct dv_rooms_place *place)
{
  if (gtk_widget_get_allocated_width (place->paned) > 1)
    give_room (place);
  else
    place->waits = true;
}

/* A divider also moves when the window's size is another; but then nobody has
   just pressed or moved anything.  */
static void
divider_moved (struct dv_rooms_place *place)
{
  GdkEvent *event = gtk_get_current_event ();
  GdkEventType type = event != NULL ? gdk_event_get_event_type (event)
                                    : GDK_NOTHING;
  if (!place->is_giving && gtk_widget_get_mapped (place->child)
      && (type == GDK_MOTION_NOTIFY || type == GDK_KEY_PRESS
          || type == GDK_TOUCH_UPDATE || type == GDK_BUTTON_RELEASE))
    place->is_moved = true;
  if (event != NULL)
    gdk_event_free (event);
}

/* What somebody has chosen, before it goes.  */
static void
note_chosen (struct dv_rooms_place *place)
{
  if (!place->is_moved || !gtk_widget_get_mapped (place->child))
    return;
  place->size = extent (place->child, orientation_of (place));
  place->is_usual = false;
}

static void
child_unmapped (struct dv_rooms_place *place)
{
  place->waits = false;
  g_clear_handle_id (&place->source, g_source_remove);
}

int
dv_rooms_place_chosen (const struct dv_rooms_place *place)
{
  if (place->is_moved && gtk_widget_get_mapped (place->child))
    return extent (place->child, orientation_of (place));
  return place->is_usual ? 0 : place->size;
}

void
dv_rooms_place_init (struct dv_rooms_place *place, GtkWidget *paned,
                     GtkWidget *child, int size, int usual)
{
  place->paned = paned;
  place->child = child;
  place->size = size == 0 ? 0 : CLAMP (size, LEAST_SIZE, MOST_SIZE);
  place->most = INT_MAX;
  place->is_usual = size == usual && size != 0;
  g_signal_connect_after (paned, "size-allocate",
                          G_CALLBACK (paned_allocated), place);
  g_signal_connect_swapped (paned, "notify::position",
                            G_CALLBACK (divider_moved), place);
  g_signal_connect_swapped (child, "map", G_CALLBACK (child_mapped), place);
  g_signal_connect_swapped (child, "unmap", G_CALLBACK (child_unmapped),
                            place);
}

/* ---- The plot's share ------------------------------------------------- */

/* Of one side of a rectangle, what is left when the plot has the other one
   and so much of the area.  */
static int
left_over (int all, int other, double area)
{
  return other > 0 ? all - BARS - (int) ceil (area / other) : 0;
}

struct share {
  int width, height;        /* for the plot and the panels */
  double area;              /* that the plot is to have */
  int least_side, least_tables;
};

static int
most_side (const struct share *share, int tables)
{
  return left_over (share->width, share->height - tables - BARS,
                    share->area);
}

static int
most_tables (const struct share *share, int side)
{
  return left_over (share->height, share->width - side - BARS, share->area);
}

static void
show (struct dv_rooms_place *place, bool *changed)
{
  bool is_seen = place->is_wanted && !place->is_dropped;
  if (gtk_widget_get_visible (place->child) == is_seen)
    return;
  gtk_widget_set_visible (place->child, is_seen);
  *changed = true;
}

static void
limit (struct dv_rooms_place *place, int most)
{
  place->most = MAX (most, LEAST_SIZE);
  if (gtk_widget_get_mapped (place->child)
      && (extent (place->child, orientation_of (place)) > place->most
          || !place->is_moved))
    give_room (place);
}

/* Sizes that were chosen in a window no larger than this are as they are.  */
static bool
is_by_choice (const struct dv_rooms *rooms)
{
  const struct dv_rooms_place *side = &rooms->places[DV_PANEL_SIDE];
  const struct dv_rooms_place *tables = &rooms->places[DV_PANEL_BOTTOM];
  return (!side->is_usual || !tables->is_usual)
         && (double) rooms->width * rooms->height >= rooms->chosen_area;
}

/* What is not to be seen needs no room, and nobody knows how much it will.  */
static int
least_of (struct dv_rooms_place *place, int least)
{
  place->least = MAX (MAX (place->least, least),
                      least_extent (place->child, orientation_of (place)));
  return place->least;
}

/* A picture below has its room from the plot's, as long as it is there.  */
static struct share
share_of (struct dv_rooms *rooms)
{
  struct dv_rooms_place *side = &rooms->places[DV_PANEL_SIDE];
  struct dv_rooms_place *tables = &rooms->places[DV_PANEL_BOTTOM];
  bool has_picture = tables->is_picture && tables->is_wanted;
  double part = has_picture ? SHARED_SHARE : PLOT_SHARE;
  int least = least_of (tables, LEAST_TABLES);
  return (struct share){
    .width = rooms->inner_width - handle_size (side),
    .height = rooms->inner_height - handle_size (tables),
    .area = part * rooms->width * rooms->height,
    .least_side = least_of (side, LEAST_SIDE),
    .least_tables = has_picture ? MAX (least, LEAST_PICTURE) : least,
  };
}

static void
fit (struct dv_rooms *rooms)
{
  struct dv_rooms_place *side = &rooms->places[DV_PANEL_SIDE];
  struct dv_rooms_place *tables = &rooms->places[DV_PANEL_BOTTOM];
  struct share share = share_of (rooms);
  bool changed = false, by_choice = is_by_choice (rooms);
  bool both = side->is_wanted && tables->is_wanted;
  bool crowded = both
                 && (rooms->width < DV_ROOMS_NARROW
                     || (!by_choice
                         && most_side (&share, share.least_tables)
                              < share.least_side));
  side->is_dropped = crowded && rooms->last == DV_PANEL_BOTTOM;
  tables->is_dropped = crowded && rooms->last != DV_PANEL_BOTTOM;
  bool has_side = side->is_wanted && !side->is_dropped;
  bool has_tables = tables->is_wanted && !tables->is_dropped;
  int room = MAX (share.least_side,
                  most_side (&share, has_tables ? share.least_tables : 0));
  int taken = has_side ? MIN (wanted_size (side, share.width), room) : 0;
  int rest = MAX (share.least_tables, most_tables (&share, taken));
  limit (side, by_choice ? INT_MAX : room);
  limit (tables, by_choice ? INT_MAX : rest);
  show (side, &changed);
  show (tables, &changed);
  if (changed || crowded != rooms->is_crowded) {
    rooms->is_crowded = crowded;
    rooms->changed (rooms->user);
  }
}

static gboolean
fit_due (gpointer data)
{
  struct dv_rooms *rooms = data;
  rooms->source = 0;
  fit (rooms);
  return G_SOURCE_REMOVE;
}

static void
allocated (GtkWidget *paned, GdkRectangle *allocation, gpointer data)
{
  struct dv_rooms *rooms = data;
  int width, height;
  gtk_window_get_size (GTK_WINDOW (rooms->host->window), &width, &height);
  height += gtk_widget_get_allocated_height (
    gtk_window_get_titlebar (GTK_WINDOW (rooms->host->window)));
  if ((width == rooms->width && height == rooms->height
       && allocation->width == rooms->inner_width
       && allocation->height == rooms->inner_height)
      || allocation->width <= 1)
    return;
  for (int i = 0; i < DV_N_PLACES; i++)
    if (i != DV_PANEL_SOURCE && rooms->places[i].is_moved) {
      note_chosen (&rooms->places[i]);
      rooms->chosen_area = (double) rooms->width * rooms->height;
    }
  rooms->width = width;
  rooms->height = height;
  rooms->inner_width = allocation->width;
  rooms->inner_height = allocation->height;
  do_later (&rooms->source, fit_due, rooms);
}

void
dv_rooms_want (struct dv_rooms *rooms, enum dv_panel_place place,
               bool is_wanted)
{
  for (int i = 0; i < DV_N_PLACES; i++)
    note_chosen (&rooms->places[i]);
  rooms->places[place].is_wanted = is_wanted;
  if (is_wanted)
    rooms->last = place;
  if (rooms->width > 0)
    fit (rooms);
  else
    gtk_widget_set_visible (rooms->places[place].child, is_wanted);
}

/* What a source needs at least is known once it was seen, and only grows, so
   that it does not come and go.  */
static void
fit_source (struct dv_rooms *rooms)
{
  struct dv_rooms_place *source = &rooms->places[DV_PANEL_SOURCE];
  int all = extent (source->paned, GTK_ORIENTATION_VERTICAL)
            - handle_size (source);
  source->is_dropped = !source->is_asked && all > 1
                       && all < least_of (source, LEAST_SOURCE) + LEAST_ABOVE;
  gtk_widget_set_visible (source->child,
                          source->is_wanted && !source->is_dropped);
}

static gboolean
fit_source_due (gpointer data)
{
  struct dv_rooms *rooms = data;
  rooms->source_below = 0;
  fit_source (rooms);
  return G_SOURCE_REMOVE;
}

static void
source_allocated (GtkWidget *paned, GdkRectangle *allocation, gpointer data)
{
  struct dv_rooms *rooms = data;
  if (rooms->places[DV_PANEL_SOURCE].is_wanted)
    do_later (&rooms->source_below, fit_source_due, rooms);
}

void
dv_rooms_want_source (struct dv_rooms *rooms, bool is_wanted, bool is_asked)
{
  struct dv_rooms_place *source = &rooms->places[DV_PANEL_SOURCE];
  note_chosen (source);
  source->is_wanted = is_wanted;
  source->is_asked = is_asked;
  fit_source (rooms);
}

void
dv_rooms_set_picture (struct dv_rooms *rooms, bool is_picture)
{
  struct dv_rooms_place *tables = &rooms->places[DV_PANEL_BOTTOM];
  if (tables->is_picture == is_picture)
    return;
  tables->is_picture = is_picture;
  if (is_picture)
    rooms->last = DV_PANEL_BOTTOM;
  if (rooms->width > 0)
    do_later (&rooms->source, fit_due, rooms);
}

void
dv_rooms_init (struct dv_rooms *rooms, struct dv_host *host,
               void (*changed) (void *user), void *user)
{
  rooms->host = host;
  rooms->changed = changed;
  rooms->user = user;
  rooms->last = DV_PANEL_SIDE;
  rooms->chosen_area = (double) dv_settings_number (host->settings, "width", 0)
                       * dv_settings_number (host->settings, "height", 0);
}

void
dv_rooms_watch (struct dv_rooms *rooms)
{
  g_signal_connect_after (rooms->places[DV_PANEL_SIDE].paned,
                          "size-allocate", G_CALLBACK (allocated), rooms);
  g_signal_connect_after (rooms->places[DV_PANEL_SOURCE].paned,
                          "size-allocate", G_CALLBACK (source_allocated),
                          rooms);
}

void
dv_rooms_fini (struct dv_rooms *rooms)
{
  g_signal_handlers_disconnect_by_data (rooms->places[DV_PANEL_SIDE].paned,
                                        rooms);
  g_signal_handlers_disconnect_by_data (
    rooms->places[DV_PANEL_SOURCE].paned, rooms);
  g_clear_handle_id (&rooms->source, g_source_remove);
  g_clear_handle_id (&rooms->source_below, g_source_remove);
}
