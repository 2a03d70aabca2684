/* shortcuts.c: all keys, in one place: the accelerators, the window that shows
   them, and the test of the manual come from here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shortcuts.h"

#include "i18n.h"

/* One line for each action that has keys.  */
static const struct dv_shortcut shortcuts[] = {
  { N_ ("Logs"), N_ ("Open a log"), "win.open", { "<Control>o" } },
  { N_ ("Logs"), N_ ("Reload the log, keeping the view"), "win.reload",
    { "<Control>r", "F5" } },
  { N_ ("Logs"), N_ ("Save the picture"), "win.save-picture",
    { "<Control>s" } },
  { N_ ("Logs"), N_ ("Save a part of the log"), "win.save-part",
    { "<Control><Shift>s" } },
  { N_ ("View"), N_ ("Back to the last view"), "win.back", { "<Alt>Left" } },
  { N_ ("View"), N_ ("Forward"), "win.forward", { "<Alt>Right" } },
  { N_ ("View"), N_ ("Show everything"), "win.fit",
    { "<Control>0", "<Alt>Home" } },
  { N_ ("View"), N_ ("Overview"), "win.minimap", { "<Shift>F9" } },
  { N_ ("View"), N_ ("Side panel"), "win.side-panel", { "F9" } },
  { N_ ("View"), N_ ("Tables below"), "win.tables", { "<Control>F9" } },
  { N_ ("Bookmarks"), N_ ("Add a bookmark"), "win.bookmark-add",
    { "<Control>d" } },
  { N_ ("Bookmarks"), N_ ("The first bookmark; 2 to 9: the others"),
    "win.bookmark-1", { "<Alt>1" } },
  { N_ ("Bookmarks"), N_ ("Copy the command line for this view"),
    "win.copy-command", { "<Control><Shift>c" } },
  { N_ ("Find"), N_ ("Search, go to"), "win.search",
    { "<Control>f", "<Control>g" } },
  { N_ ("Find"), N_ ("Next found"), "win.search-next", { "F3" } },
  { N_ ("Find"), N_ ("Previous found"), "win.search-previous",
    { "<Shift>F3" } },
  { N_ ("Find"), N_ ("Filter"), "win.filter", { "<Control>l" } },
  { N_ ("General"), N_ ("Menu"), "win.menu", { "F10" } },
  { N_ ("General"), N_ ("Preferences"), "win.preferences",
    { "<Control>comma" } },
  { N_ ("General"), N_ ("Keyboard shortcuts"), "win.shortcuts",
    { "<Control>question", "F1" } },
  { N_ ("General"), N_ ("Close the window"), "win.close", { "<Control>w" } },
  { N_ ("General"), N_ ("Close all windows"), "win.quit", { "<Control>q" } },
};

/* Those of canvas_keys.c.  */
static const struct dv_shortcut plot_shortcuts[] = {
  { N_ ("On the plot"), N_ ("Zoom in"), NULL, { "plus", "equal" } },
  { N_ ("On the plot"), N_ ("Zoom out"), NULL, { "minus" } },
  { N_ ("On the plot"), N_ ("Fewer and more addresses"), NULL,
    { "x", "<Shift>x" } },
  { N_ ("On the plot"), N_ ("Fewer and more instructions"), NULL,
    { "y", "<Shift>y" } },
  { N_ ("On the plot"), N_ ("Show everything"), NULL, { "Home", "0" } },
  { N_ ("On the plot"), N_ ("Move through the addresses"), NULL,
    { "Left", "Right" } },
  { N_ ("On the plot"), N_ ("Move through the instructions"), NULL,
    { "Up", "Down" } },
  { N_ ("On the plot"), N_ ("Move a page"), NULL, { "Page_Up", "Page_Down" } },
  { N_ ("On the plot"), N_ ("Move the pointer without the mouse"), NULL,
    { "<Control>Left", "<Control>Right" } },
  { N_ ("On the plot"), N_ ("… up and down"), NULL,
    { "<Control>Up", "<Control>Down" } },
  { N_ ("On the plot"), N_ ("… by ten pixels"), NULL,
    { "<Control><Shift>Left", "<Control><Shift>Right" } },
  { N_ ("On the plot"), N_ ("Select the access at the pointer"), NULL,
    { "Return", "space" } },
  { N_ ("On the plot"), N_ ("Next and previous access at the pixel"), NULL,
    { "n", "p" } },
  { N_ ("On the plot"),
    N_ ("Earlier and later access to the same cache line"), NULL,
    { "bracketleft", "bracketright" } },
  { N_ ("On the plot"), N_ ("History of the cache line at the pointer"), NULL,
    { "h" } },
  { N_ ("On the plot"),
    N_ ("A corner of a rectangle at the pointer, and the other"), NULL,
    { "r" } },
  { N_ ("On the plot"), N_ ("Context menu"), NULL,
    { "Menu", "<Shift>F10" } },
  { N_ ("On the plot"), N_ ("Copy the address"), NULL, { "<Control>c" } },
  { N_ ("On the plot"), N_ ("Clear the selection, cancel a drag"), NULL,
    { "Escape" } },
};

/* Those of heap_view.c.  */
static const struct dv_shortcut heap_shortcuts[] = {
  { N_ ("On the heap over time"), N_ ("Earlier and later time"), NULL,
    { "Left", "Right" } },
  { N_ ("On the heap over time"), N_ ("… ten times as far"), NULL,
    { "<Shift>Left", "<Shift>Right" } },
  { N_ ("On the heap over time"), N_ ("First and last time"), NULL,
    { "Home", "End" } },
  { N_ ("On the heap over time"), N_ ("Larger and smaller areas"), NULL,
    { "Up", "Down" } },
  { N_ ("On the heap over time"), N_ ("The peak of the whole log"), NULL,
    { "p" } },
  { N_ ("On the heap over time"), N_ ("Blocks that are never freed"), NULL,
    { "e" } },
  { N_ ("On the heap over time"), N_ ("Temporary blocks"), NULL,
    { "t" } },
  { N_ ("On the heap over time"), N_ ("Fewer and more instructions"), NULL,
    { "plus", "minus" } },
  { N_ ("On the heap over time"), N_ ("Show all instructions"), NULL,
    { "0" } },
  { N_ ("On the heap over time"), N_ ("Select no area"), NULL, { "Escape" } },
  { N_ ("On the heap over time"), N_ ("Context menu"), NULL,
    { "Menu", "<Shift>F10" } },
};

static const struct dv_gesture plot_gestures[] = {
  {N_ ("Drag"), N_ ("Zoom to a rectangle; if flat or steep, along one axis")},
  { N_ ("Shift + drag"), N_ ("Select a rectangle, to see what it holds") },
  { N_ ("Drag on an axis"), N_ ("Zoom to a part of it") },
  { N_ ("Click"), N_ ("Select the nearest access") },
  { N_ ("Double click"), N_ ("Zoom in; with Shift, zoom out") },
  { N_ ("Right click"), N_ ("Context menu") },
  { N_ ("Wheel"), N_ ("Zoom at the pointer") },
  { N_ ("Shift + wheel"), N_ ("Zoom the addresses") },
  { N_ ("Control + wheel"), N_ ("Zoom the instructions") },
  { N_ ("Middle button"), N_ ("Move") },
  { N_ ("Two fingers"), N_ ("Move") },
  { N_ ("Control + two fingers, pinch"), N_ ("Zoom there") },
};

const struct dv_shortcut *
dv_shortcuts (guint *n)
{
  *n = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

const struct dv_shortcut *
dv_shortcuts_of_plot (guint *n)
{
  *n = G_N_ELEMENTS (plot_shortcuts);
  return plot_shortcuts;
}

const struct dv_shortcut *
dv_shortcuts_of_heap (guint *n)
{
  *n = G_N_ELEMENTS (heap_shortcuts);
  return heap_shortcuts;
}

const struct dv_gesture *
dv_shortcuts_gestures (guint *n)
{
  *n = G_N_ELEMENTS (plot_gestures);
  return plot_gestures;
}

void
dv_shortcuts_init (GtkApplication *app)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_application_set_accels_for_action (app, shortcuts[i].action,
                                           shortcuts[i].keys);
}
