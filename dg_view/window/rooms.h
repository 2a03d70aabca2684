/* rooms.h: how much room the panels have beside the plot.

   A panel keeps its size when the window's changes.  But the plot is what the
   window is for: it has half of the window's area, whatever the panels would
   like to have, unless somebody moves a divider by hand, or has chosen a
   panel with a picture of the same instructions (the heap over time): that
   shares the plot's half, and leaves it a third of the window.  In a window
   that is too small for both the side panel and the tables, only one of them
   is to be seen: the one that was asked for last, at first the side panel.  So
   it is in any window below DV_ROOMS_NARROW pixels, whatever was chosen in a
   larger one; there the other one is folded away to a button.  A source is
   beside its access where both can be read, or where it was asked for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ROOMS_H
#define DV_ROOMS_H

#include "panels/base/panel.h"
#include "host/host.h"

#define DV_N_PLACES 3
#define DV_ROOMS_NARROW 1000   /* width of a window, in pixels */

/* One side of a divider.  */
struct dv_rooms_place {
  GtkWidget *paned;         /* its second child is `child` */
  GtkWidget *child;
  int size;                 /* in pixels, that it is to have; 0: a part */
  int least, most;          /* that it can have; INT_MAX: all */
  bool is_moved;            /* somebody has moved the divider since */
  bool is_giving;           /* it is not somebody that does so now */
  bool is_usual;            /* nobody has chosen it */
  bool is_picture;          /* what is to be seen there; BOTTOM */
  bool is_wanted;           /* by the user, or, of SOURCE, for an access */
  bool is_asked;            /* SOURCE: by the user, so it is never dropped */
  bool is_dropped;          /* though it is wanted: there is no room */
  bool waits;               /* for the divider to have room itself */
  guint source;             /* that gives it its room; 0: none */
};

struct dv_rooms {
  struct dv_host *host;
  struct dv_rooms_place places[DV_N_PLACES];   /* by enum dv_panel_place */
  enum dv_panel_place last;   /* that was asked for */
  int width, height;          /* of the window, when it was last looked at */
  int inner_width, inner_height;   /* likewise of what is divided */
  bool is_crowded;            /* one of two panels is folded away */
  double chosen_area;         /* of the window in which sizes were chosen */
  guint source;               /* that looks again; 0: none */
  guint source_below;         /* likewise at the room of SOURCE */
  void (*changed) (void *user);
  void *user;
};

/* Before the places; `changed` is called when a panel was shown, hidden or
   folded away.  */
void dv_rooms_init (struct dv_rooms *rooms, struct dv_host *host,
                    void (*changed) (void *user), void *user);
/* All places are there.  */
void dv_rooms_watch (struct dv_rooms *rooms);
/* The widgets are still there.  */
void dv_rooms_fini (struct dv_rooms *rooms);
/* size: what it is to have, and what it has if nobody has chosen another.  */
void dv_rooms_place_init (struct dv_rooms_place *place, GtkWidget *paned,
                          GtkWidget *child, int size, int usual);
/* The size that somebody has chosen; 0: nobody has.  */
int dv_rooms_place_chosen (const struct dv_rooms_place *place);
/* The user wants to see it, or not any more.  */
void dv_rooms_want (struct dv_rooms *rooms, enum dv_panel_place place,
                    bool is_wanted);

/* The same of SOURCE: wherever, if it is asked for, else only as long as what
   is above it has some room, too.  */
void dv_rooms_want_source (struct dv_rooms *rooms, bool is_wanted,
                           bool is_asked);

/* The panel below that is to be seen is now, or no longer, a picture that
   shares the plot's room.  */
void dv_rooms_set_picture (struct dv_rooms *rooms, bool is_picture);

#endif /* DV_ROOMS_H */
