/* frameclock.c: how long the frames of dg_view's window take, for
   bench/window.

   A module that GTK loads into the unchanged program (GTK_MODULES): it waits
   for the window, then turns and tilts the wheel over the plot, once a frame,
   and ends the program.  Prints lines of a name and a number, milliseconds
   but for one:
   window        from the program's start to its first frame
   start         what all threads worked until then
   frame         between two frames of the frame clock, while the view changes
   work          what the main thread worked between these
   memory        (MB) the most that was resident

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <gtk/gtk.h>

#define STEPS 120
/* How long nothing happens at first: the log is loaded, the picture drawn.  */
#define REST_S 8

struct watch {
  GtkWidget *plot;
  int step;                /* -1: before the first */
  gint64 last_us;
  double last_work;
};

static struct watch watch = { .step = -1 };

void gtk_module_init (gint *argc, gchar ***argv);

static double
thread_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

/* The window's largest drawing area.  */
static void
find_plot (GtkWidget *widget, gpointer data)
{
  GtkWidget **plot = data;
  if (GTK_IS_DRAWING_AREA (widget) && gtk_widget_get_mapped (widget)
      && (*plot == NULL
          || gtk_widget_get_allocated_height (widget)
               * gtk_widget_get_allocated_width (widget)
             > gtk_widget_get_allocated_height (*plot)
                 * gtk_widget_get_allocated_width (*plot)))
    *plot = widget;
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), find_plot, plot);
}

static void
turn_wheel (GtkWidget *plot, GdkScrollDirection direction)
{
  GdkEvent *event = gdk_event_new (GDK_SCROLL);
  GdkSeat *seat = gdk_display_get_default_seat (gdk_display_get_default ());
  event->scroll.window = g_object_ref (gtk_widget_get_window (plot));
  event->scroll.x = gtk_widget_get_allocated_width (plot) * 0.6;
  event->scroll.y = gtk_widget_get_allocated_height (plot) * 0.4;
  event->scroll.direction = direction;
  gdk_event_set_device (event, gdk_seat_get_pointer (seat));
  gtk_main_do_event (event);
  gdk_event_free (event);
}

static void
frame_done (GdkFrameClock *clock, gpointer data)
{
  (void) clock;
  (void) data;
  double work = thread_ms ();
  gint64 now = g_get_monotonic_time ();
  if (watch.step > 0 && watch.step <= STEPS)
    printf ("frame %.3f\nwork %.3f\n", (double) (now - watch.last_us) / 1e3,
            work - watch.last_work);
  watch.last_us = now;
  watch.last_work = work;
}

/* Inwards, to the sides, and outwards again.  */
static gboolean
make_step (GtkWidget *plot, GdkFrameClock *clock, gpointer data)
{
  (void) clock;
  (void) data;
  static const GdkScrollDirection way[] = {
    GDK_SCROLL_UP, GDK_SCROLL_RIGHT, GDK_SCROLL_LEFT, GDK_SCROLL_DOWN
  };
  if (++watch.step > STEPS) {
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("memory %.1f\n", (double) usage.ru_maxrss * 1024 / 1e6);
    fflush (stdout);
    _Exit (0);
  }
  turn_wheel (plot, way[(watch.step - 1) * 4 / STEPS]);
  gtk_widget_queue_draw (plot);
  return G_SOURCE_CONTINUE;
}

static gboolean
begin (gpointer data)
{
  (void) data;
  watch.step = 0;
  gtk_widget_add_tick_callback (watch.plot, make_step, NULL, NULL);
  return G_SOURCE_REMOVE;
}

/* The first frame of the window.  */
static void
first_frame (GdkFrameClock *frames, gpointer window)
{
  const char *start = g_getenv ("DG_BENCH_START_US");
  find_plot (window, &watch.plot);
  if (watch.plot == NULL)
    return;
  printf ("start %.3f\n", (double) clock () * 1e3 / CLOCKS_PER_SEC);
  if (start != NULL)
    printf ("window %.3f\n", (double) (g_get_real_time ()
                                       - g_ascii_strtoll (start, NULL, 10))
                               / 1e3);
  g_signal_handlers_disconnect_by_func (frames, first_frame, window);
  g_signal_connect (frames, "after-paint", G_CALLBACK (frame_done), NULL);
  g_timeout_add_seconds (REST_S, begin, NULL);
}

static gboolean
shown (GSignalInvocationHint *hint, guint n, const GValue *values,
       gpointer data)
{
  (void) hint;
  (void) n;
  (void) data;
  GtkWidget *window = g_value_get_object (&values[0]);
  if (!GTK_IS_APPLICATION_WINDOW (window))
    return TRUE;
  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint",
                    G_CALLBACK (first_frame), window);
  return FALSE;
}

void
gtk_module_init (gint *argc, gchar ***argv)
{
  (void) argc;
  (void) argv;
  gpointer class = g_type_class_ref (GTK_TYPE_WIDGET);
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0,
                              shown, NULL, NULL);
  g_type_class_unref (class);
}
