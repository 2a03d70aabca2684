/* access.c: the panel that explains the selected access: itself, its call
   stack, whose memory it is, and where that was allocated and freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include <dg_record.h>
#include <libdatagrind.h>

#include "panels/base/panel_menu.h"
#include "format.h"
#include "i18n.h"
#include "model/log/seek.h"
#include "panels/base/stack_view.h"
#include "widgets/pieces.h"

enum field { FIELD_ADDRESS, FIELD_KIND, FIELD_PLACE, FIELD_COUNT, FIELD_TIME,
             FIELD_THREAD, FIELD_OWNER, FIELD_FIELD, FIELD_TYPE, FIELD_ALSO,
             FIELD_VARIABLE, FIELD_RANGE, FIELD_BLOCK, FIELD_OFFSET,
             FIELD_AGE, FIELD_LIFE, N_FIELDS };

static const struct {
  const char *name;
  bool memory;          /* in the second grid */
} fields[N_FIELDS] = {
  {N_ ("Address"), false},     {N_ ("Access"), false},  {N_ ("By"), false},
  {N_ ("Instruction"), false}, {N_ ("Time"), false},    {N_ ("Thread"), false},
  {N_ ("Memory"), true},       {N_ ("Field"), true},    {N_ ("Type"), true},
  {N_ ("Shared with"), true},  {N_ ("Variable"), true}, {N_ ("Range"), true},
  {N_ ("Block"), true},        {N_ ("Offset"), true},   {N_ ("Age"), true},
  {N_ ("Lifetime"), true},
};

/* A stack with its heading, hidden when there is none.  */
struct part {
  GtkWidget *box, *heading, *stack;
};

struct access_panel {
  const struct dv_panel_host *host;
  const struct dv_pick *pick;
  guint at;                         /* index in the pick */
  GtkWidget *root, *hint, *content;
  GtkWidget *sentence;
  GtkWidget *position_row, *position, *previous, *next;
  GtkWidget *problems, *problem_text, *own_problems, *gap;
  GtkWidget *names[N_FIELDS], *values[N_FIELDS];
  struct part call, alloc, free;
  char *file;                       /* of the variable; NULL: none */
  unsigned line;
  GString *stacks;                  /* as text */
};

/* ---- Fields ---------------------------------------------------------- */

/* An empty text hides the field.  */
static void
set_field (struct access_panel *panel, enum field field, char *text)
{
  bool visible = text != NULL && *text != '\0';
  gtk_label_set_text (GTK_LABEL (panel->values[field]),
                      visible ? text : "");
  gtk_widget_set_visible (panel->values[field], visible);
  gtk_widget_set_visible (panel->names[field], visible);
  g_free (text);
}

static void
set_access (struct access_panel *panel, const struct dv_answer *answer)
{
  const struct dg_access *access = &answer->access;
  char number[40];
  gtk_label_set_text (GTK_LABEL (panel->sentence), answer->sentence);
  const char *kind = access->kind == DG_ACC_WRITE
                     ? ngettext ("write of %u byte", "write of %u bytes",
                                 access->size)
                     : ngettext ("read of %u byte", "read of %u bytes",
                                 access->size);
  set_field (panel, FIELD_ADDRESS,
             g_strdup_printf (DV_ADDRESS, access->address));
  set_field (panel, FIELD_KIND, answer->is_nothing
             ? NULL : g_strdup_printf (kind, access->size));
  set_field (panel, FIELD_PLACE, g_strdup (answer->place));
  dg_number_text (number, sizeof number, access->icount);
  set_field (panel, FIELD_COUNT, g_strdup (number));
  set_field (panel, FIELD_TIME, g_strdup (answer->time));
  set_field (panel, FIELD_THREAD, g_strdup (answer->thread));
}

static char *
block_text (const struct dg_block *block)
{
  char size[40];
  dg_number_text (size, sizeof size, block->size);
  char *address = g_strdup_printf (DV_ADDRESS, block->address);
  char *text = g_strdup_printf (ngettext ("%s, %s byte", "%s, %s bytes",
                                          block->size), address, size);
  g_free (address);
  return text;
}

/* Its label, type, place and size.  */
static char *
range_text (const struct dv_answer *answer)
{
  char size[40], offset[40];
  dg_number_text (size, sizeof size, answer->range_size);
  dg_number_text (offset, sizeof offset, answer->range_offset);
  char *type = *answer->range_type != '\0'
               ? g_strdup_printf (" (%s)", answer->range_type)
               : g_strdup ("");
  char *address = g_strdup_printf (DV_ADDRESS, answer->range_address);
  char *text = g_strdup_printf (
    ngettext ("%s%s at %s, %s byte, offset %s",
              "%s%s at %s, %s bytes, offset %s", answer->range_size),
    answer->range_label, type, address, size, offset);
  g_free (address);
  g_free (type);
  return text;
}

/* "struct node *, member of struct node".  */
static char *
type_text (const struct dv_answer *answer)
{
  if (answer->field_type == NULL)
    return NULL;
  return answer->field_holder != NULL ? g_strdup_printf (
           _ ("%s, member of %s"), answer->field_type, answer->field_holder)
                                      : g_strdup (answer->field_type);
}

/* Its name, a link to where it is declared, and its type.  */
static void
set_variable (struct access_panel *panel, const struct dv_answer *answer)
{
  GtkLabel *label = GTK_LABEL (panel->values[FIELD_VARIABLE]);
  g_clear_pointer (&panel->file, g_free);
  set_field (panel, FIELD_VARIABLE, g_strdup (answer->variable));
  if (answer->variable == NULL)
    return;
  const char *type = answer->variable_type;
  char *text = g_markup_printf_escaped (
    "%s%s%s", answer->variable, type != NULL ? ", " : "",
    type != NULL ? type : "");
  if (*answer->variable_place != '\0') {
    char *link = g_markup_printf_escaped (" (<a href=\"declaration\">%s</a>)",
                                          answer->variable_place);
    char *both = g_strconcat (text, link, NULL);
    panel->file = g_strdup (answer->variable_file);
    panel->line = answer->variable_line;
    g_free (text);
    g_free (link);
    text = both;
  }
  gtk_label_set_markup (label, text);
  g_free (text);
}

static gboolean
link_activated (GtkLabel *label, const char *uri, gpointer data)
{
  struct access_panel *panel = data;
  if (panel->file != NULL)
    panel->host->show_source (panel->host->user, panel->file, panel->line);
  return TRUE;
}

/* ---- Stacks ---------------------------------------------------------- */

static void
set_part (struct access_panel *panel, struct part *part,
          const GPtrArray *stack, char *title)
{
  bool is_there = stack != NULL && stack->len > 0;
  gtk_widget_set_visible (part->box, is_there);
  dv_stack_view_fill (part->stack, stack);
  if (is_there) {
    gtk_label_set_text (GTK_LABEL (part->heading), title);
    g_string_append_printf (panel->stacks, "\n%s\n", title);
    dv_stack_append_text (panel->stacks, stack);
  }
  g_free (title);
}

static void
set_stacks (struct access_panel *panel, const struct dv_answer *answer)
{
  g_string_truncate (panel->stacks, 0);
  set_part (panel, &panel->call, answer->stack, g_strdup (_ ("Call stack")));
  set_part (panel, &panel->alloc, answer->alloc_stack,
            answer->alloc_thread != NULL ? g_strdup_printf (
              _ ("Allocated by thread %s"), answer->alloc_thread)
                                         : g_strdup (_ ("Allocated by")));
  set_part (panel, &panel->free, answer->free_stack,
            answer->free_thread != NULL
              ? g_strdup_printf (_ ("Freed by thread %s"), answer->free_thread)
              : g_strdup (_ ("Freed by")));
}

static void
set_memory (struct access_panel *panel, const struct dv_answer *answer)
{
  bool block = answer->has_block;
  set_field (panel, FIELD_OWNER, g_strdup (answer->owner));
  set_field (panel, FIELD_FIELD, g_strdup (answer->field));
  set_field (panel, FIELD_TYPE, type_text (answer));
  set_field (panel, FIELD_ALSO, g_strdup (answer->field_also));
  set_variable (panel, answer);
  set_field (panel, FIELD_RANGE,
             answer->has_range ? range_text (answer) : NULL);
  set_field (panel, FIELD_BLOCK, block ? block_text (&answer->block) : NULL);
  set_field (panel, FIELD_OFFSET,
             block
               ? g_strdup_printf ("%" G_GUINT64_FORMAT " (" DV_ADDRESS ")",
                                  answer->block_offset, answer->block_offset)
               : NULL);
  set_field (panel, FIELD_AGE, g_strdup (answer->age));
  set_field (panel, FIELD_LIFE, g_strdup (answer->life));
}

static void
set_problems (struct access_panel *panel, const struct dv_answer *answer)
{
  unsigned n = answer->problems != NULL;
  for (const char *c = answer->problems; c != NULL && *c != '\0'; c++)
    n += *c == '\n';
  gtk_widget_set_visible (panel->problems, n > 0);
  char *title = g_strdup_printf (ngettext ("Names are missing: %u file cannot "
                                           "be used",
                                           "Names are missing: %u files "
                                           "cannot be used", n), n);
  gtk_expander_set_label (GTK_EXPANDER (panel->problems), title);
  gtk_label_set_text (GTK_LABEL (panel->problem_text),
                      n > 0 ? answer->problems : "");
  gtk_widget_set_visible (panel->gap, answer->gap != NULL);
  gtk_label_set_text (GTK_LABEL (panel->gap),
                      answer->gap != NULL ? answer->gap : "");
  gtk_widget_set_visible (panel->own_problems, answer->own_problems != NULL);
  gtk_widget_set_tooltip_text (panel->own_problems, answer->own_problems);
  g_free (title);
}

/* ---- Previous and next ----------------------------------------------- */

static void
set_position (struct access_panel *panel)
{
  const struct dv_pick *pick = panel->pick;
  guint kept = pick != NULL ? pick->accesses->len : 0;
  char total[40], at[40];
  char *text;
  dg_number_text (total, sizeof total, pick != NULL ? pick->total : 0);
  dg_number_text (at, sizeof at,
                  pick != NULL ? pick->first + panel->at + 1 : 0);
  if (pick == NULL)
    text = g_strdup ("");
  else if (pick->is_partial)
    text = g_strdup_printf (_ ("%s of at least %s accesses at this pixel"), at,
                            total);
  else if (pick->total == 1)
    text = g_strdup (_ ("The only access at this pixel"));
  else
    text = g_strdup_printf (ngettext ("%s of %s access at this pixel",
                                      "%s of %s accesses at this pixel",
                                      pick->total), at, total);
  gtk_label_set_text (GTK_LABEL (panel->position), text);
  gtk_widget_set_sensitive (panel->previous, kept > 0 && panel->at > 0);
  gtk_widget_set_sensitive (panel->next, panel->at + 1 < kept);
  g_free (text);
}

static void
step (struct access_panel *panel, int by)
{
  if (panel->pick == NULL)
    return;
  panel->at = (guint) ((int) panel->at + by);
  set_position (panel);
  panel->host->select (panel->host->user,
                       &g_array_index (panel->pick->accesses,
                                       struct dg_access, panel->at));
}

static void
show_previous (struct access_panel *panel)
{
  step (panel, -1);
}

static void
show_next (struct access_panel *panel)
{
  step (panel, 1);
}

/* ---- Copying --------------------------------------------------------- */

static void
copy_field (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct access_panel *panel = data;
  const char *name = g_action_get_name (G_ACTION (action));
  enum field field =
    g_str_equal (name, "copy-address") ? FIELD_ADDRESS : FIELD_OWNER;
  dv_panel_menu_copy (panel->root,
                      gtk_label_get_text (GTK_LABEL (panel->values[field])));
}

static void
copy_all (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct access_panel *panel = data;
  GString *text = g_string_new (NULL);
  g_string_append_printf (
    text, "%s\n", gtk_label_get_text (GTK_LABEL (panel->sentence)));
  for (int i = 0; i < N_FIELDS; i++) {
    const char *value = gtk_label_get_text (GTK_LABEL (panel->values[i]));
    if (*value != '\0')
      g_string_append_printf (text, "%s: %s\n", _ (fields[i].name), value);
  }
  g_string_append (text, panel->stacks->str);
  dv_panel_menu_copy (panel->root, text->str);
  g_string_free (text, TRUE);
}

static GtkWidget *
new_copy_button (struct access_panel *panel)
{
  static const GActionEntry entries[] = {
    {.name = "copy-address", .activate = copy_field},
    {.name = "copy-memory", .activate = copy_field},
    {.name = "copy-all", .activate = copy_all},
  };
  GSimpleActionGroup *group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries,
                                   G_N_ELEMENTS (entries), panel);
  gtk_widget_insert_action_group (panel->root, "access",
                                  G_ACTION_GROUP (group));
  g_object_unref (group);
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, _ ("Copy _Address"), "access.copy-address");
  g_menu_append (menu, _ ("Copy _Memory"), "access.copy-memory");
  g_menu_append (menu, _ ("Copy A_ll"), "access.copy-all");
  GtkWidget *button = gtk_menu_button_new ();
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (menu));
  g_object_unref (menu);
  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_icon_name ("edit-copy-symbolic",
                                                   GTK_ICON_SIZE_BUTTON));
  dv_pieces_tip (button, _ ("Copy"));
  return button;
}

/* ---- Making and showing ---------------------------------------------- */

static GtkWidget *
new_heading (const char *text)
{
  GtkWidget *label = dv_pieces_label_new (text, DV_LEFT | DV_BOLD);
  gtk_widget_set_margin_top (label, 6);
  return label;
}

static void
add_field (struct access_panel *panel, GtkWidget *grid, int i)
{
  GtkWidget *name = dv_pieces_label_new (_ (fields[i].name), DV_DIM);
  GtkWidget *value =
    dv_pieces_label_new (NULL, DV_LEFT | DV_SELECTABLE | DV_WRAP_NAMES);
  gtk_label_set_xalign (GTK_LABEL (name), 1);
  gtk_label_set_yalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (value, TRUE);
  /* Only what can be followed takes part in Tab.  */
  gtk_widget_set_can_focus (value, i == FIELD_VARIABLE);
  g_signal_connect (value, "activate-link", G_CALLBACK (link_activated),
                    panel);
  dv_pieces_describe (value, _ (fields[i].name));
  gtk_grid_attach (GTK_GRID (grid), name, 0, i, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), value, 1, i, 1, 1);
  panel->names[i] = name;
  panel->values[i] = value;
}

static GtkWidget *
new_grid (struct access_panel *panel, bool memory)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (int i = 0; i < N_FIELDS; i++)
    if (fields[i].memory == memory)
      add_field (panel, grid, i);
  return grid;
}

static GtkWidget *
new_part (struct access_panel *panel, struct part *part, const char *title,
          const char *name)
{
  GtkWidget *frame = gtk_frame_new (NULL);
  part->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  part->heading = new_heading (title);
  part->stack = dv_stack_view_new (panel->host, name);
  gtk_container_add (GTK_CONTAINER (frame), part->stack);
  dv_pieces_add (part->box, part->heading, frame, NULL);
  return part->box;
}

static GtkWidget *
new_problems (struct access_panel *panel)
{
  panel->problems = gtk_expander_new (NULL);
  panel->problem_text =
    dv_pieces_label_new (NULL, DV_LEFT | DV_SELECTABLE | DV_WRAP_NAMES);
  gtk_widget_set_margin_start (panel->problem_text, 18);
  dv_pieces_describe (panel->problem_text, _ ("Missing names"));
  gtk_container_add (GTK_CONTAINER (panel->problems), panel->problem_text);
  return panel->problems;
}

static GtkWidget *
new_position_row (struct access_panel *panel)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *buttons[3];
  panel->position_row = row;
  panel->position = dv_pieces_label_new (NULL, DV_LEFT | DV_WRAP);
  dv_pieces_describe (panel->position, _ ("Which access"));
  panel->previous =
    dv_pieces_button_new ("go-up-symbolic", _ ("Previous access"),
                          G_CALLBACK (show_previous), panel);
  panel->next = dv_pieces_button_new ("go-down-symbolic", _ ("Next access"),
                                      G_CALLBACK (show_next), panel);
  gtk_box_pack_start (GTK_BOX (row), panel->position, TRUE, TRUE, 0);
  buttons[0] = panel->previous;
  buttons[1] = panel->next;
  buttons[2] = new_copy_button (panel);
  for (int i = 0; i < 3; i++) {
    gtk_widget_set_valign (buttons[i], GTK_ALIGN_CENTER);
    gtk_box_pack_start (GTK_BOX (row), buttons[i], FALSE, FALSE, 0);
  }
  return row;
}

/* What is worth knowing most, above all.  */
static GtkWidget *
new_sentence (struct access_panel *panel)
{
  panel->sentence = dv_pieces_label_new (
    NULL, DV_BOLD | DV_LEFT | DV_SELECTABLE | DV_WRAP_NAMES);
  gtk_widget_set_can_focus (panel->sentence, FALSE);
  dv_pieces_describe (panel->sentence, _ ("Summary"));
  return panel->sentence;
}

static GtkWidget *
new_gap (struct access_panel *panel)
{
  panel->gap = dv_pieces_label_new (NULL, DV_LEFT | DV_WRAP | DV_DIM);
  dv_pieces_describe (panel->gap, _ ("What is missing from the log"));
  return panel->gap;
}

/* No alarm: nothing is missing that anybody looks for.  */
static GtkWidget *
new_own_problems (struct access_panel *panel)
{
  panel->own_problems = dv_pieces_label_new (
    _ ("Valgrind's own files are from a different build: their functions have "
       "no names."),
    DV_LEFT | DV_WRAP | DV_DIM);
  return panel->own_problems;
}

static GtkWidget *
new_content (struct access_panel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  dv_pieces_add (
    box, new_sentence (panel), new_gap (panel), new_position_row (panel),
    new_problems (panel), new_grid (panel, false),
    new_part (panel, &panel->call, _ ("Call stack"), _ ("Call stack")),
    new_heading (_ ("Memory")), new_grid (panel, true),
    new_part (panel, &panel->alloc, _ ("Allocated by"),
              _ ("Allocation stack")),
    new_part (panel, &panel->free, _ ("Freed by"), _ ("Free stack")),
    new_own_problems (panel), NULL);
  return box;
}

static void
free_panel (gpointer data)
{
  struct access_panel *panel = data;
  g_string_free (panel->stacks, TRUE);
  g_free (panel->file);
  g_free (panel);
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct access_panel *panel = g_new0 (struct access_panel, 1);
  panel->host = host;
  panel->stacks = g_string_new (NULL);
  panel->root = gtk_stack_new ();
  panel->hint = dv_pieces_label_new (_ ("Click in the plot to see what\n"
                                        "accessed memory there."),
                                     DV_CENTRED | DV_DIM);
  panel->content = dv_pieces_scrolled_down_new (new_content (panel));
  dv_pieces_add (panel->root, panel->hint, panel->content, NULL);
  g_object_set_data_full (G_OBJECT (panel->root), "panel", panel, free_panel);
  gtk_widget_show_all (panel->root);
  return panel->root;
}

static void
show (GtkWidget *widget, const struct dv_pick *pick,
      const struct dv_answer *answer)
{
  struct access_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  if (pick != panel->pick && pick != NULL)
    panel->at = pick->nearest;
  else if (pick != NULL && answer != NULL
           && !dv_seek_same_access (&g_array_index (pick->accesses,
                                               struct dg_access, panel->at),
                               &answer->access))
    dv_pick_find (pick, &answer->access, &panel->at);
  panel->pick = pick;
  gtk_stack_set_visible_child (GTK_STACK (panel->root),
                               answer != NULL ? panel->content
                                              : panel->hint);
  if (answer == NULL)
    return;
  gtk_widget_set_visible (panel->position_row, !answer->is_nothing);
  set_position (panel);
  set_problems (panel, answer);
  set_access (panel, answer);
  set_memory (panel, answer);
  set_stacks (panel, answer);
}

const struct dv_panel dv_panel_access = {.id = "access",
                                         .title = N_ ("Access"),
                                         .place = DV_PANEL_SIDE,
                                         .make = make,
                                         .show = show};
