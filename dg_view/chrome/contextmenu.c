/* contextmenu.c: the menu about a point of the plot.

   It opens at once; what needs the log comes from an inquiry in the
   background, and its entries are insensitive until then.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "contextmenu.h"

#include <libdatagrind.h>

#include "host/selection.h"
#include "format.h"
#include "i18n.h"
#include "model/user/command.h"

/* How far from an access the pointer still means it, in pixels.  */
#define REACH 8
#define HEADING_CHARS 44
/* How often to ask again while the picture is being made.  */
#define AGAIN_MS 50

enum item {
  ITEM_POINT, ITEM_FUNCTION, ITEM_OWNER, /* headings */
  ITEM_SELECT, ITEM_HISTORY, ITEM_ZOOM_BOX, ITEM_COUNT_BOX,
  ITEM_LINE, ITEM_PAGE, ITEM_BLOCK, ITEM_LIFETIME,
  ITEM_ONLY_FUNCTION, ITEM_ONLY_SITE, ITEM_ONLY_RANGE,
  ITEM_SOURCE, ITEM_COPY_ADDRESS, ITEM_COPY_SOURCE,
  ITEM_BOOKMARK, ITEM_COMMAND, ITEM_BACK, ITEM_FIT, N_ITEMS
};

struct dv_contextmenu {
  struct dv_host *host;
  GtkWidget *menu;               /* NULL: it was never open */
  GtkWidget *items[N_ITEMS];
  struct dv_job *job;            /* asking what is there; NULL: not */
  guint again;                   /* timer: there is no picture to ask about */
  double x, y;                   /* the point, in the widget */
  struct dv_inquiry *inquiry;    /* NULL: not known, or nothing */
  uint64_t position, address, icount;   /* the point; or the access */
  bool has_block;                /* it lies in this one */
  struct dg_block block;
  char *owner;                   /* whose memory it is, in a line */
};

/* ---- What is there --------------------------------------------------- */

static const struct dv_answer *
answer_of (const struct dv_contextmenu *menu)
{
  return menu->inquiry != NULL ? menu->inquiry->answer : NULL;
}

/* Frames of an answer's stack have a name, or their address as one.  */
static const char *
function_of (const struct dv_frame *frame)
{
  return g_str_has_prefix (frame->function, "0x") ? NULL : frame->function;
}

static const struct dv_frame *
first_frame (const struct dv_contextmenu *menu)
{
  const struct dv_answer *answer = answer_of (menu);
  return answer != NULL && answer->stack->len > 0
         ? g_ptr_array_index (answer->stack, 0) : NULL;
}

/* Who wanted the block: not the allocator's own functions.  */
static const char *
allocating_function (const struct dv_answer *answer)
{
  return answer != NULL && answer->site != NULL ? function_of (answer->site)
                                                : NULL;
}

/* ---- Zooming --------------------------------------------------------- */

/* To the unit of 2^shift bytes with the point; the instructions stay.  */
static void
zoom_unit (struct dv_contextmenu *menu, unsigned shift)
{
  struct dv_host *host = menu->host;
  struct dv_view view = host->canvas->viewport.now;
  uint64_t size = (uint64_t) 1 << shift;
  view.x0 = menu->position & ~(size - 1);
  view.x1 = view.x0 + size;
  dv_host_go_to (host, &view);
}

static void
zoom_block (struct dv_contextmenu *menu, bool lifetime)
{
  struct dv_host *host = menu->host;
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view view = host->canvas->viewport.now;
  const struct dg_block *block = &menu->block;
  uint64_t x0, x1;
  dv_layout_position (&scene->layout, block->address, &x0);
  dv_layout_position (&scene->layout, block->address + block->size, &x1);
  if (x0 < x1) {
    view.x0 = x0;
    view.x1 = x1;
  }
  if (lifetime) {
    view.y0 = CLAMP (block->alloc_icount, scene->full.y0, scene->full.y1);
    view.y1 = CLAMP (block->free_icount, scene->full.y0, scene->full.y1);
  }
  if (view.y0 < view.y1)
    dv_host_go_to (host, &view);
}

/* ---- Copying --------------------------------------------------------- */

static void
copy_address (struct dv_host *host, uint64_t address)
{
  char text[32];
  g_snprintf (text, sizeof text, DV_ADDRESS, address);
  dv_host_copy (host, text);
}

/* As compilers write it, so that editors and terminals know it.  */
static void
copy_source (struct dv_host *host, const struct dv_frame *frame)
{
  /* A line end would be one where it is pasted, too.  */
  char *file = dv_format_shown (frame->file);
  char *text = g_strdup_printf ("%s:%u", file, frame->line);
  dv_host_copy (host, text);
  g_free (text);
  g_free (file);
}

/* ---- Choosing -------------------------------------------------------- */

static void
activate (struct dv_host *host, const char *action)
{
  dv_canvas_activate (host->canvas, action, NULL);
}

static void
show_only (struct dv_contextmenu *menu, enum item item)
{
  const struct dv_answer *answer = answer_of (menu);
  const struct dv_host *host = menu->host;
  char *text;
  switch (item) {
  case ITEM_ONLY_FUNCTION:
    text = dv_command_condition ("fn:", function_of (first_frame (menu)));
    host->filter (host->user, text, NULL);
    break;
  case ITEM_ONLY_SITE:
    text = dv_command_condition ("fn:", allocating_function (answer));
    host->filter (host->user, NULL, text);
    break;
  default:
    text = dv_command_condition ("user:", answer->range_label);
    host->filter (host->user, NULL, text);
  }
  g_free (text);
}

static void
chosen (GtkMenuItem *widget, gpointer data)
{
  struct dv_contextmenu *menu = data;
  struct dv_host *host = menu->host;
  enum item item = (enum item) GPOINTER_TO_INT (
    g_object_get_data (G_OBJECT (widget), "item"));
  const struct dv_scene *scene = host->canvas->scene;
  /* What works without the mouse may come when the menu is gone.  */
  if (scene == NULL || !gtk_widget_get_sensitive (GTK_WIDGET (widget)))
    return;
  switch (item) {
  case ITEM_SELECT:
    dv_selection_set (host->selection, &answer_of (menu)->access);
    break;
  case ITEM_HISTORY:
    dv_selection_set (host->selection, &answer_of (menu)->access);
    activate (host, "line-history");
    break;
  case ITEM_ZOOM_BOX: activate (host, "zoom-to-rectangle"); break;
  case ITEM_COUNT_BOX: activate (host, "count-rectangle"); break;
  case ITEM_LINE: zoom_unit (menu, scene->data->line_shift); break;
  case ITEM_PAGE: zoom_unit (menu, scene->data->page_shift); break;
  case ITEM_BLOCK: zoom_block (menu, false); break;
  case ITEM_LIFETIME: zoom_block (menu, true); break;
  case ITEM_ONLY_FUNCTION: case ITEM_ONLY_SITE: case ITEM_ONLY_RANGE:
    show_only (menu, item);
    break;
  case ITEM_SOURCE:
    host->show_source (host->user, first_frame (menu)->file,
                       first_frame (menu)->line);
    host->edit_source (host->user, first_frame (menu)->file,
                       first_frame (menu)->line);
    break;
  case ITEM_COPY_ADDRESS:
    copy_address (host, menu->address);
    break;
  case ITEM_COPY_SOURCE:
    copy_source (host, first_frame (menu));
    break;
  case ITEM_BOOKMARK:
    activate (host, "bookmark-add");
    break;
  case ITEM_COMMAND:
    activate (host, "copy-command");
    break;
  case ITEM_BACK:
    activate (host, "back");
    break;
  case ITEM_FIT:
    activate (host, "fit");
    break;
  case ITEM_POINT: case ITEM_FUNCTION: case ITEM_OWNER: case N_ITEMS:
    break;
  }
}

/* ---- Entries --------------------------------------------------------- */

static void
set_item (struct dv_contextmenu *menu, enum item item, bool sensitive,
          char *label)
{
  if (label != NULL)
    gtk_menu_item_set_label (GTK_MENU_ITEM (menu->items[item]), label);
  gtk_widget_set_sensitive (menu->items[item], sensitive);
  g_free (label);
}

static bool
is_enabled (const struct dv_contextmenu *menu, const char *action)
{
  return g_action_group_get_action_enabled (
    G_ACTION_GROUP (menu->host->window), action);
}

/* Whose memory it is, and who allocated it; new.  */
static char *
owner_text (const struct dv_contextmenu *menu)
{
  const struct dv_answer *answer = answer_of (menu);
  const char *site = allocating_function (answer);
  if (answer == NULL)
    return g_strdup (menu->owner);
  if (answer->has_range)
    return g_strdup_printf (_ ("range %s"), answer->range_label);
  return site != NULL
           ? g_strdup_printf (_ ("%s, allocated by %s"), answer->owner, site)
           : g_strdup (answer->owner);
}

/* What changes while the menu is open are headings, which are as wide as
   always.  */
static void
update_items (struct dv_contextmenu *menu)
{
  const struct dv_answer *answer = answer_of (menu);
  const struct dv_frame *frame = first_frame (menu);
  bool is_asking = menu->job != NULL || menu->again != 0;
  bool has_source = frame != NULL && *frame->file != '\0';
  char address[40], number[40];
  g_snprintf (address, sizeof address, DV_ADDRESS, menu->address);
  dg_number_text (number, sizeof number, menu->icount);
  set_item (menu, ITEM_POINT, false,
            g_strdup_printf (_ ("%s, instruction %s"), address, number));
  set_item (menu, ITEM_FUNCTION, false,
            g_strdup (answer != NULL ? answer->place
                      : is_asking    ? _ ("searching for an access…")
                                     : _ ("no access near the pointer")));
  set_item (menu, ITEM_OWNER, false, owner_text (menu));
  set_item (menu, ITEM_SELECT, answer != NULL, NULL);
  set_item (menu, ITEM_HISTORY, answer != NULL, NULL);
  set_item (menu, ITEM_ZOOM_BOX, is_enabled (menu, "zoom-to-rectangle"), NULL);
  set_item (menu, ITEM_COUNT_BOX, is_enabled (menu, "count-rectangle"), NULL);
  set_item (menu, ITEM_BLOCK, menu->has_block, NULL);
  set_item (menu, ITEM_LIFETIME, menu->has_block, NULL);
  set_item (menu, ITEM_ONLY_FUNCTION,
            frame != NULL && function_of (frame) != NULL, NULL);
  set_item (menu, ITEM_ONLY_SITE, allocating_function (answer) != NULL, NULL);
  set_item (menu, ITEM_ONLY_RANGE, answer != NULL && answer->has_range, NULL);
  set_item (menu, ITEM_SOURCE, has_source, NULL);
  set_item (menu, ITEM_COPY_SOURCE, has_source && frame->line > 0, NULL);
  set_item (menu, ITEM_BACK, is_enabled (menu, "back"), NULL);
  set_item (menu, ITEM_FIT, is_enabled (menu, "fit"), NULL);
}

static GtkWidget *
new_heading (void)
{
  GtkWidget *item = gtk_menu_item_new_with_label ("");
  GtkWidget *label = gtk_bin_get_child (GTK_BIN (item));
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), HEADING_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), HEADING_CHARS);
  return item;
}

static void
build (struct dv_contextmenu *menu)
{
  static const struct {
    const char *label;
    bool ends;
  } items[N_ITEMS] = {
    [ITEM_POINT] = {"", false},
    [ITEM_FUNCTION] = {"", false},
    [ITEM_OWNER] = {"", true},
    [ITEM_SELECT] = {N_ ("_Select This Access"), false},
    [ITEM_HISTORY] = {N_ ("History of This L_ine"), true},
    [ITEM_ZOOM_BOX] = {N_ ("_Zoom to Selection"), false},
    [ITEM_COUNT_BOX] = {N_ ("Filter _Tables to Selection"), true},
    [ITEM_LINE] = {N_ ("Zoom to This Cache _Line"), false},
    [ITEM_PAGE] = {N_ ("Zoom to This _Page"), false},
    [ITEM_BLOCK] = {N_ ("Zoom to This _Heap Block"), false},
    [ITEM_LIFETIME] = {N_ ("Zoom to This Block and Its Li_fetime"), true},
    [ITEM_ONLY_FUNCTION] = {N_ ("Show Only This F_unction"), false},
    [ITEM_ONLY_SITE] = {N_ ("Show Only Memory _Allocated There"), false},
    [ITEM_ONLY_RANGE] = {N_ ("Show Only This _Range"), true},
    [ITEM_SOURCE] = {N_ ("_Open Source"), false},
    [ITEM_COPY_SOURCE] = {N_ ("Copy Link to So_urce"), false},
    [ITEM_COPY_ADDRESS] = {N_ ("_Copy Address"), false},
    [ITEM_COMMAND] = {N_ ("Copy Command Li_ne"), true},
    [ITEM_BOOKMARK] = {N_ ("Add _Bookmark…"), false},
    [ITEM_BACK] = {N_ ("Bac_k"), false},
    [ITEM_FIT] = {N_ ("Show _Everything"), false},
  };
  menu->menu = gtk_menu_new ();
  gtk_menu_attach_to_widget (GTK_MENU (menu->menu), menu->host->canvas->widget,
                             NULL);
  for (int i = 0; i < N_ITEMS; i++) {
    GtkWidget *item = *items[i].label != '\0'
                        ? gtk_menu_item_new_with_mnemonic (_ (items[i].label))
                        : new_heading ();
    menu->items[i] = item;
    g_object_set_data (G_OBJECT (item), "item", GINT_TO_POINTER (i));
    g_signal_connect (item, "activate", G_CALLBACK (chosen), menu);
    gtk_menu_shell_append (GTK_MENU_SHELL (menu->menu), item);
    if (items[i].ends)
      gtk_menu_shell_append (GTK_MENU_SHELL (menu->menu),
                             gtk_separator_menu_item_new ());
  }
  gtk_widget_show_all (menu->menu);
}

/* ---- Asking ---------------------------------------------------------- */

static void
forget (struct dv_contextmenu *menu)
{
  g_clear_handle_id (&menu->again, g_source_remove);
  g_clear_pointer (&menu->job, dv_job_drop);
  g_clear_pointer (&menu->inquiry, dv_inquiry_free);
}

/* Whose memory a point is where nobody accesses it is known at once.  */
static void
find_owner (struct dv_contextmenu *menu)
{
  struct dv_data *data = menu->host->data;
  g_free (menu->owner);
  menu->has_block = false;
  menu->owner = data == NULL ? g_strdup ("")
                : dv_answer_owner (data, menu->address, menu->icount);
  if (data == NULL || data->space == NULL)
    return;
  struct dg_owner owner;
  dg_space_find (data->space, menu->address, menu->icount, &owner);
  menu->has_block = owner.kind == DG_OWNER_BLOCK;
  if (menu->has_block)
    menu->block = dg_log_block (data->log, owner.index);
}

static void
answered (void *user, void *result, const struct dg_error *err)
{
  struct dv_contextmenu *menu = user;
  menu->job = NULL;
  menu->inquiry = result;
  if (result != NULL) {
    const struct dg_access *access = &answer_of (menu)->access;
    menu->address = access->address;
    menu->icount = access->icount;
    menu->has_block = answer_of (menu)->has_block;
    menu->block = answer_of (menu)->block;
    dv_layout_position (&menu->host->canvas->scene->layout, access->address,
                        &menu->position);
  }
  update_items (menu);
}

static void
ask (struct dv_contextmenu *menu)
{
  menu->job = dv_canvas_ask (menu->host->canvas, DV_INQUIRY_POINT, menu->x,
                             menu->y, REACH, answered, menu);
}

/* Until there is a picture, it was given up, or nobody looks any more.  */
static gboolean
ask_again (gpointer data)
{
  struct dv_contextmenu *menu = data;
  const struct dv_canvas *canvas = menu->host->canvas;
  bool is_open = gtk_widget_get_visible (menu->menu);
  if (is_open)
    ask (menu);
  if (is_open && menu->job == NULL && !canvas->gave_up)
    return G_SOURCE_CONTINUE;
  menu->again = 0;
  update_items (menu);
  return G_SOURCE_REMOVE;
}

static void
do_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_contextmenu *menu = data;
  const struct dv_host *host = menu->host;
  double x, y;
  uint64_t position, icount;
  g_variant_get (parameter, "(dd)", &x, &y);
  if (!dv_canvas_at (host->canvas, x, y, &position, &icount))
    return;
  forget (menu);
  menu->position = position;
  menu->icount = icount;
  menu->address = dv_layout_address (&host->canvas->scene->layout, position);
  find_owner (menu);
  if (menu->menu == NULL)
    build (menu);
  menu->x = x;
  menu->y = y;
  ask (menu);
  if (menu->job == NULL)
    menu->again = g_timeout_add (AGAIN_MS, ask_again, menu);
  update_items (menu);
  GdkRectangle place = { (int) x, (int) y, 1, 1 };
  gtk_menu_popup_at_rect (
    GTK_MENU (menu->menu), gtk_widget_get_window (host->canvas->widget),
    &place, GDK_GRAVITY_SOUTH_EAST, GDK_GRAVITY_NORTH_WEST, NULL);
}

/* Of what is selected, else of the point that is meant.  */
static void
do_copy_address (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_contextmenu *) data)->host;
  const struct dv_canvas *canvas = host->canvas;
  uint64_t position, icount;
  double x, y;
  if (canvas->has_mark)
    copy_address (host, canvas->mark.address);
  else if (dv_canvas_has_view (canvas) && dv_canvas_point (canvas, &x, &y)
           && dv_canvas_at (canvas, x, y, &position, &icount))
    copy_address (host, dv_layout_address (&canvas->scene->layout, position));
}

/* ---- Life ------------------------------------------------------------ */

struct dv_contextmenu *
dv_contextmenu_new (struct dv_host *host)
{
  static const GActionEntry actions[] = {
    { "plot-menu", do_menu, "(dd)" }, { "copy-address", do_copy_address },
  };
  struct dv_contextmenu *menu = g_new0 (struct dv_contextmenu, 1);
  menu->host = host;
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), menu);
  return menu;
}

void
dv_contextmenu_scene_changed (struct dv_contextmenu *menu)
{
  forget (menu);
  menu->has_block = false;
  if (menu->menu == NULL)
    return;
  update_items (menu);
  gtk_menu_popdown (GTK_MENU (menu->menu));
}

/* The menu went with the canvas that it was attached to.  */
void
dv_contextmenu_free (struct dv_contextmenu *menu)
{
  forget (menu);
  g_free (menu->owner);
  g_free (menu);
}
