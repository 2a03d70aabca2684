/* calls_model.c: GtkTreeModel over the rows of a call tree.  An iter holds
   the number of its row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_model.h"

struct calls_model {
  GObject parent;
  struct dv_callrows *rows;
};

struct calls_model_class {
  GObjectClass parent;
};

typedef struct calls_model CallsModel;
typedef struct calls_model_class CallsModelClass;
GType calls_model_get_type (void);
static void calls_model_interface_init (GtkTreeModelIface *interface);
G_DEFINE_TYPE_WITH_CODE (
  CallsModel, calls_model, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (GTK_TYPE_TREE_MODEL, calls_model_interface_init))

static struct dv_callrows *
rows_of (GtkTreeModel *model)
{
  return ((struct calls_model *) model)->rows;
}

static uint32_t
row_of (GtkTreeIter *iter)
{
  return iter != NULL ? GPOINTER_TO_UINT (iter->user_data) : 0;
}

static gboolean
set_iter (GtkTreeIter *iter, uint32_t row)
{
  iter->stamp = 1;
  iter->user_data = GUINT_TO_POINTER (row);
  iter->user_data2 = iter->user_data3 = NULL;
  return TRUE;
}

/* ---- The interface ---------------------------------------------------- */

static GtkTreeModelFlags
get_flags (GtkTreeModel *model)
{
  return GTK_TREE_MODEL_ITERS_PERSIST;
}

static gint
get_n_columns (GtkTreeModel *model)
{
  return 1;
}

static GType
get_column_type (GtkTreeModel *model, gint index)
{
  return G_TYPE_STRING;
}

static void
get_value (GtkTreeModel *model, GtkTreeIter *iter, gint column,
           GValue *value)
{
  g_value_init (value, G_TYPE_STRING);
  g_value_set_string (value, dv_callrows_label (rows_of (model),
                                                row_of (iter)));
}

static gboolean
iter_nth_child (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *parent,
                gint n)
{
  uint32_t first;
  uint32_t children = dv_callrows_children (rows_of (model), row_of (parent),
                                            &first);
  if (n < 0 || (uint32_t) n >= children) {
    iter->stamp = 0;
    return FALSE;
  }
  return set_iter (iter, first + (uint32_t) n);
}

static gboolean
iter_children (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *parent)
{
  return iter_nth_child (model, iter, parent, 0);
}

static gboolean
iter_has_child (GtkTreeModel *model, GtkTreeIter *iter)
{
  return dv_callrows_row (rows_of (model), row_of (iter))->has_children;
}

static gint
iter_n_children (GtkTreeModel *model, GtkTreeIter *iter)
{
  uint32_t first;
  return (gint) dv_callrows_children (rows_of (model), row_of (iter), &first);
}

static gboolean
step (GtkTreeModel *model, GtkTreeIter *iter, int by)
{
  struct dv_callrows *rows = rows_of (model);
  uint32_t row = row_of (iter), first;
  uint32_t n = dv_callrows_children (rows, dv_callrows_row (rows, row)->parent,
                                     &first);
  if (by < 0 ? row == first : row + 1 == first + n) {
    iter->stamp = 0;
    return FALSE;
  }
  return set_iter (iter, by < 0 ? row - 1 : row + 1);
}

static gboolean
iter_next (GtkTreeModel *model, GtkTreeIter *iter)
{
  return step (model, iter, 1);
}

static gboolean
iter_previous (GtkTreeModel *model, GtkTreeIter *iter)
{
  return step (model, iter, -1);
}

static gboolean
iter_parent (GtkTreeModel *model, GtkTreeIter *iter, GtkTreeIter *child)
{
  uint32_t parent = dv_callrows_row (rows_of (model), row_of (child))->parent;
  if (parent == 0 || parent == DV_CALL_NONE) {
    iter->stamp = 0;
    return FALSE;
  }
  return set_iter (iter, parent);
}

static gboolean
get_iter (GtkTreeModel *model, GtkTreeIter *iter, GtkTreePath *path)
{
  int depth;
  const gint *places = gtk_tree_path_get_indices_with_depth (path, &depth);
  set_iter (iter, 0);
  for (int i = 0; i < depth; i++) {
    GtkTreeIter parent = *iter;
    if (!iter_nth_child (model, iter, i > 0 ? &parent : NULL, places[i]))
      return FALSE;
  }
  return depth > 0;
}

static GtkTreePath *
get_path (GtkTreeModel *model, GtkTreeIter *iter)
{
  const struct dv_callrows *rows = rows_of (model);
  GtkTreePath *path = gtk_tree_path_new ();
  for (uint32_t row = row_of (iter); row != 0;
       row = dv_callrows_row (rows, row)->parent)
    gtk_tree_path_prepend_index (path, (gint) dv_callrows_place (rows, row));
  return path;
}

static void
calls_model_interface_init (GtkTreeModelIface *interface)
{
  interface->get_flags = get_flags;
  interface->get_n_columns = get_n_columns;
  interface->get_column_type = get_column_type;
  interface->get_iter = get_iter;
  interface->get_path = get_path;
  interface->get_value = get_value;
  interface->iter_next = iter_next;
  interface->iter_previous = iter_previous;
  interface->iter_children = iter_children;
  interface->iter_has_child = iter_has_child;
  interface->iter_n_children = iter_n_children;
  interface->iter_nth_child = iter_nth_child;
  interface->iter_parent = iter_parent;
}

/* ---- The object ------------------------------------------------------- */

static void
calls_model_finalize (GObject *object)
{
  dv_callrows_free (((struct calls_model *) object)->rows);
  G_OBJECT_CLASS (calls_model_parent_class)->finalize (object);
}

static void
calls_model_class_init (CallsModelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = calls_model_finalize;
}

static void
calls_model_init (CallsModel *model)
{
}

GtkTreeModel *
dv_calls_model_new (struct dv_callrows *rows)
{
  struct calls_model *model = g_object_new (calls_model_get_type (), NULL);
  model->rows = rows;
  return GTK_TREE_MODEL (model);
}

struct dv_callrows *
dv_calls_model_rows (GtkTreeModel *model)
{
  return rows_of (model);
}

uint32_t
dv_calls_model_row (GtkTreeModel *model, GtkTreeIter *iter)
{
  return row_of (iter);
}

void
dv_calls_model_iter (GtkTreeModel *model, uint32_t row, GtkTreeIter *iter)
{
  set_iter (iter, row);
}
