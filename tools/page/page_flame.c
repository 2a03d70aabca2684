/* page_flame.c: a flame graph, as an SVG within a page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_flame.h"

#include "base/printable.h"
#include "libdatagrind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct frame {
  char *name;
  uint64_t cost;           /* with callees */
  struct frame *parent;
  GPtrArray *children;     /* the most costly first, once sorted */
  GHashTable *by_name;
  unsigned depth;
};

struct page_flame {
  struct frame *root;
};

/* Of the picture.  */
#define WIDTH      1200.0
#define ROW        18
/* Frames that are narrower, in parts of the whole, are left out; so are those
   beyond these many, the narrowest first.  */
#define NARROWEST  0.0004
#define MOST       2500
#define DEEPEST    80

/* ---- The tree --------------------------------------------------------- */

static void frame_free (void *data);

static struct frame *
frame_new (const char *name, struct frame *parent)
{
  struct frame *frame = g_new0 (struct frame, 1);

  frame->name = g_strdup (name);
  frame->parent = parent;
  frame->depth = parent != NULL ? parent->depth + 1 : 0;
  frame->children = g_ptr_array_new_with_free_func (frame_free);
  frame->by_name = g_hash_table_new (dg_hash_text, g_str_equal);
  return frame;
}

static void
frame_free (void *data)
{
  struct frame *frame = data;

  g_hash_table_unref (frame->by_name);
  g_ptr_array_unref (frame->children);
  g_free (frame->name);
  g_free (frame);
}

static struct frame *
child_of (struct frame *frame, const char *name)
{
  struct frame *child = g_hash_table_lookup (frame->by_name, name);

  if (child == NULL) {
    child = frame_new (name, frame);
    g_ptr_array_add (frame->children, child);
    g_hash_table_insert (frame->by_name, child->name, child);
  }
  return child;
}

static void
add_stack (struct page_flame *flame, char *line)
{
  char *blank = strrchr (line, ' '), *next;
  uint64_t cost = blank != NULL ? g_ascii_strtoull (blank + 1, NULL, 10) : 0;
  struct frame *frame = flame->root;

  if (cost == 0)
    return;
  *blank = '\0';
  frame->cost += cost;
  for (char *name = line; name != NULL && frame->depth < DEEPEST;
       name = next) {
    next = strchr (name, ';');
    if (next != NULL)
      *next++ = '\0';
    frame = child_of (frame, name);
    frame->cost += cost;
  }
}

static int
compare_frames (const void *a, const void *b)
{
  const struct frame *x = *(struct frame *const *) a;
  const struct frame *y = *(struct frame *const *) b;

  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void
sort_frames (struct frame *frame)
{
  g_ptr_array_sort (frame->children, compare_frames);
  for (guint i = 0; i < frame->children->len; i++)
    sort_frames (frame->children->pdata[i]);
}

struct page_flame *
page_flame_read (const char *path, struct dg_error *err)
{
  struct page_flame *flame = g_new0 (struct page_flame, 1);
  FILE *file = fopen (path, "r");
  char *line = NULL;
  size_t size = 0;
  ssize_t n;

  flame->root = frame_new ("all", NULL);
  while (file != NULL && (n = getline (&line, &size, file)) > 0) {
    line[n - (line[n - 1] == '\n')] = '\0';
    add_stack (flame, line);
  }
  free (line);
  if (file == NULL || ferror (file)) {
    err->code = DG_ERR_IO;
    g_snprintf (err->message, sizeof err->message, "%s",
                g_strerror (errno));
    g_clear_pointer (&flame, page_flame_free);
  } else {
    sort_frames (flame->root);
  }
  if (file != NULL)
    fclose (file);
  return flame;
}

void
page_flame_free (struct page_flame *flame)
{
  if (flame == NULL)
    return;
  frame_free (flame->root);
  g_free (flame);
}

/* ---- The picture ------------------------------------------------------ */

struct drawing {
  GString *page;
  double total;
  double narrowest;
  bool has_before;
  unsigned deepest;
  double before_total;
};

/* How many frames are wider than that, and how deep.  */
static unsigned
count_frames (const struct frame *frame, double least, unsigned *deepest)
{
  unsigned n = 1;

  *deepest = MAX (*deepest, frame->depth);
  for (guint i = 0; i < frame->children->len; i++) {
    const struct frame *child = frame->children->pdata[i];

    if ((double) child->cost >= least)
      n += count_frames (child, least, deepest);
  }
  return n;
}

/* Warm colours that a name always has; with another run, red for more and blue
   for less.  */
static void
put_colour (const struct drawing *drawing, const struct frame *frame,
            const struct frame *before)
{
  if (!drawing->has_before) {
    guint hash = g_str_hash (frame->name);

    g_string_append_printf (drawing->page, "#%02x%02x%02x", 232 + hash % 20,
                            150 + hash / 20 % 75, 90 + hash / 1500 % 50);
  } else {
    double was = before != NULL ? (double) before->cost : 0;
    double change = ((double) frame->cost - was)
                    / MAX (MAX ((double) frame->cost, was), 1);
    int faint = 235 - (int) (MIN (ABS (change), 1) * 130);

    if (ABS (change) < 0.01)
      g_string_append (drawing->page, "#d6d9de");
    else if (change > 0)
      g_string_append_printf (drawing->page, "#f0%02x%02x", faint, faint - 10);
    else
      g_string_append_printf (drawing->page, "%s%02x%02xf0", "#", faint - 10,
                              faint);
  }
}

/* "parse: 1,234 cycles, 12.3 %".  */
static void
put_label (const struct drawing *drawing, const struct frame *frame,
           const struct frame *before)
{
  char share[DG_NUMBER_TEXT], count[DG_NUMBER_TEXT];

  dg_number_text (count, sizeof count, frame->cost);
  dg_number_text_percent (share, sizeof share,
                          (double) frame->cost / drawing->total);
  page_textf (drawing->page, "%s: %s cycles, %s", frame->name, count,
              share);
  if (drawing->has_before) {
    dg_number_text (count, sizeof count, before != NULL ? before->cost : 0);
    page_textf (drawing->page, "; before %s", count);
  }
}

static void
put_real (GString *page, const char *name, double real)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (page, " %s=\"%s\"", name,
                          g_ascii_formatd (text, sizeof text, "%.12g", real));
}

/* Letters that fit into a frame.  */
static void
put_name (GString *page, const char *name, double width)
{
  int room = (int) ((width - 6) / 6.7);
  char *safe = printable_text (name), *text;

  if (room < 3)
    text = g_strdup ("");
  else if (g_utf8_strlen (safe, -1) <= room)
    text = g_strdup (safe);
  else {
    char *start = g_utf8_substring (safe, 0, room - 1);

    text = g_strconcat (start, "\u2026", NULL);
    g_free (start);
  }
  page_text (page, text);
  g_free (text);
  g_free (safe);
}

static void
put_frame (const struct drawing *drawing, const struct frame *frame,
           const struct frame *before, double start)
{
  GString *page = drawing->page;
  double x = start / drawing->total, w = (double) frame->cost / drawing->total;
  unsigned y = (drawing->deepest - frame->depth) * ROW;

  g_string_append_printf (page, "<g role=\"button\" tabindex=\"%d\""
                                " data-name=\"",
                          frame->depth == 0 ? 0 : -1);
  page_text (page, frame->name);
  g_string_append (page, "\"");
  put_real (page, "data-x", x);
  put_real (page, "data-w", w);
  g_string_append_printf (page, " data-depth=\"%u\" aria-label=\"",
                          frame->depth);
  put_label (drawing, frame, before);
  g_string_append (page, "\"><rect");
  put_real (page, "x", x * WIDTH);
  put_real (page, "width", MAX (w * WIDTH - 0.5, 0.2));
  g_string_append_printf (page, " y=\"%u\" height=\"%d\" fill=\"", y, ROW - 1);
  put_colour (drawing, frame, before);
  g_string_append (page, "\"/><text");
  put_real (page, "x", x * WIDTH + 3);
  g_string_append_printf (page, " y=\"%u\">", y + ROW - 6);
  put_name (page, frame->name, w * WIDTH);
  g_string_append (page, "</text></g>\n");
}

static void
put_frames (const struct drawing *drawing, const struct frame *frame,
            const struct frame *before, double start)
{
  put_frame (drawing, frame, before, start);
  for (guint i = 0; i < frame->children->len; i++) {
    const struct frame *child = frame->children->pdata[i];

    if ((double) child->cost < drawing->narrowest)
      break;
    put_frames (drawing, child,
                before != NULL
                  ? g_hash_table_lookup (before->by_name, child->name) : NULL,
                start);
    start += (double) child->cost;
  }
}

/* The least share of a frame so that there are not too many.  */
static double
choose_narrowest (const struct frame *root, double total, unsigned *deepest)
{
  double least = total * NARROWEST;

  for (;;) {
    *deepest = 0;
    if (count_frames (root, least, deepest) <= MOST)
      return least;
    least *= 1.5;
  }
}

void
page_flame_write (GString *page, const struct page_flame *flame,
                  const struct page_flame *before)
{
  struct drawing drawing = {.page = page, .has_before = before != NULL};
  const struct frame *root = flame != NULL ? flame->root : NULL;

  if (root == NULL || root->cost == 0)
    return;
  drawing.total = (double) root->cost;
  drawing.narrowest = choose_narrowest (root, drawing.total, &drawing.deepest);
  page_section (page, "flame", "Where the time goes");
  page_html (page, "<div class=\"flame\"><div class=\"tools\"><label>Search"
                   " <input type=\"search\" aria-label=\"Search functions\">"
                   "</label><button type=\"button\">Show all</button></div>"
                   "<p class=\"faint about\" aria-live=\"polite\">");
  page_html (page, before != NULL
                     ? "Red: more cycles than before; blue: fewer."
                     : "Callees stand on their callers; width:"
                       " estimated cycles, with those of the kernel for"
                       " new pages.");
  g_string_append_printf (page,
                          "</p><svg viewBox=\"0 0 1200 %u\" role=\"group\""
                          " aria-label=\"Flame graph of cycles\">\n",
                          (drawing.deepest + 1) * ROW);
  put_frames (&drawing, root, before != NULL ? before->root : NULL, 0);
  page_html (page, "</svg></div>\n");
  page_section_end (page);
}
