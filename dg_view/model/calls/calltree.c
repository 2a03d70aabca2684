/* calltree.c: the rows of a call tree and their counts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calltree.h"

#include <string.h>

#include "model/user/command.h"
#include "i18n.h"
#include "model/log/refs.h"

static void
tree_clear (void *memory)
{
  struct dv_calltree *tree = memory;
  struct dv_call_function *functions = tree->functions.items;
  for (uint32_t i = 0; i < tree->functions.n; i++)
    g_free (functions[i].label);
  dv_items_fini (&tree->functions);
  g_free (tree->nodes);
  g_free (tree->leaves);
  dv_tally_unref (tree->tally);
  dv_data_unref (tree->data);
}

DV_DEFINE_REFS (dv_calltree, tree_clear)

uint32_t
dv_calltree_child (const struct dv_calltree *tree, uint32_t node)
{
  return tree->nodes[node].end > node + 1 ? node + 1 : DV_CALL_NONE;
}

uint32_t
dv_calltree_next (const struct dv_calltree *tree, uint32_t node)
{
  uint32_t parent = tree->nodes[node].parent, next = tree->nodes[node].end;
  return parent != DV_CALL_NONE && next < tree->nodes[parent].end
         ? next : DV_CALL_NONE;
}

const char *
dv_calltree_label (const struct dv_calltree *tree, uint32_t node)
{
  uint32_t function = tree->nodes[node].function;
  return function == DV_CALL_NONE
           ? _ ("everything")
           : dv_calltree_function (tree, function)->label;
}

char *
dv_calltree_condition (const struct dv_calltree *tree, uint32_t function)
{
  if (function == DV_CALL_NONE)
    return NULL;
  const struct dv_call_function *f = dv_calltree_function (tree, function);
  char *base = NULL;
  const char *name = f->name;
  if (name == NULL && f->module != NULL)
    name = base = g_path_get_basename (f->module);
  char *text = dv_command_condition (base != NULL ? "dso:" : "fn:", name);
  g_free (base);
  return text;
}

struct dv_highlight *
dv_calltree_highlight (const struct dv_calltree *tree, uint32_t node)
{
  struct dv_highlight *highlight
    = dv_highlight_new (dv_calltree_label (tree, node));
  const GArray *contexts = tree->tally->contexts;
  for (guint i = 0; i < contexts->len; i++)
    if (tree->leaves[i] >= node && tree->leaves[i] < tree->nodes[node].end)
      dv_highlight_add_context (
        highlight,
        g_array_index (contexts, struct dv_tally_context, i).context);
  dv_highlight_finish (highlight);
  return highlight;
}

/* ---- Searching -------------------------------------------------------- */

uint8_t *
dv_calltree_match (const struct dv_calltree *tree, const char *text,
                   uint32_t *n)
{
  uint8_t *matches = g_new0 (uint8_t, MAX (tree->functions.n, 1));
  char *wanted = g_utf8_casefold (text, -1);
  *n = 0;
  for (guint i = 0; i < tree->functions.n && *wanted != '\0'; i++) {
    char *name = g_utf8_casefold (dv_calltree_function (tree, i)->label, -1);
    matches[i] = strstr (name, wanted) != NULL;
    *n += matches[i];
    g_free (name);
  }
  g_free (wanted);
  return matches;
}

uint64_t
dv_calltree_matched (const struct dv_calltree *tree, uint32_t node,
                     const uint8_t *matches, enum dv_call_weight weight)
{
  uint64_t sum = 0;
  for (uint32_t i = node; i < tree->nodes[node].end;) {
    uint32_t function = tree->nodes[i].function;
    if (function != DV_CALL_NONE && matches[function]) {
      sum += dv_call_node_all (&tree->nodes[i], weight);
      i = tree->nodes[i].end;
    } else {
      i++;
    }
  }
  return sum;
}

/* ---- Folded stacks ---------------------------------------------------- */

/* The names of a path, from the outermost.  What would end a name in such a
   file is replaced.  */
static void
add_path (const struct dv_calltree *tree, uint32_t node, GString *line)
{
  GArray *path = g_array_new (FALSE, FALSE, sizeof node);
  for (; node != DV_CALL_NONE && tree->nodes[node].parent != DV_CALL_NONE;
       node = tree->nodes[node].parent)
    g_array_append_val (path, node);
  for (guint i = path->len; i-- > 0;) {
    gsize start = line->len;
    g_string_append (
      line, dv_calltree_label (tree, g_array_index (path, uint32_t, i)));
    for (gsize j = start; j < line->len; j++)
      if (line->str[j] == ';' || line->str[j] == '\n')
        line->str[j] = ':';
    if (i > 0)
      g_string_append_c (line, ';');
  }
  if (path->len == 0)
    g_string_append (line, dv_calltree_label (tree, 0));
  g_array_unref (path);
}

char *
dv_calltree_folded (const struct dv_calltree *tree, uint32_t node,
                    enum dv_call_weight weight, size_t max_bytes,
                    bool *whole)
{
  GString *text = g_string_new (NULL), *line = g_string_new (NULL);
  *whole = true;
  for (uint32_t i = node; i < tree->nodes[node].end && *whole; i++) {
    uint64_t self = dv_call_node_self (&tree->nodes[i], weight);
    if (self == 0)
      continue;
    g_string_truncate (line, 0);
    add_path (tree, i, line);
    g_string_append_printf (line, " %" G_GUINT64_FORMAT "\n", self);
    *whole = text->len + line->len <= max_bytes;
    if (*whole)
      g_string_append_len (text, line->str, (gssize) line->len);
  }
  g_string_free (line, TRUE);
  return g_string_free (text, FALSE);
}
