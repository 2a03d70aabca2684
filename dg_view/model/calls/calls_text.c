/* calls_text.c: call trees in words.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_text.h"

#include <libdatagrind.h>

#include "format.h"
#include "model/log/gap_text.h"
#include "i18n.h"

double
dv_calls_fraction (uint64_t part, uint64_t whole)
{
  return whole > 0 ? CLAMP ((double) part / (double) whole, 0, 1) : 0;
}

void
dv_calls_share (char *text, size_t size, uint64_t part, uint64_t whole)
{
  if (whole == 0)
    *text = '\0';
  else
    dg_number_text_percent (text, size, dv_calls_fraction (part, whole));
}

static char *
base_of (const char *path)
{
  char *base = g_path_get_basename (path);
  char *shown = dv_format_shown (base);
  g_free (base);
  return shown;
}

char *
dv_calls_where (const struct dv_calls_subject *subject)
{
  if (subject->function == DV_CALL_NONE)
    return g_strdup ("");
  const struct dv_call_function *function
    = dv_calltree_function (subject->tree, subject->function);
  if (subject->file == NULL)
    return function->module != NULL ? base_of (function->module)
                                    : g_strdup ("");
  char *base = base_of (subject->file);
  if (subject->line == 0)
    return base;
  char *text = g_strdup_printf ("%s:%u", base, subject->line);
  g_free (base);
  return text;
}

static void
add_count (GString *text, const char *name, uint64_t n, uint64_t whole)
{
  char number[40], share[20];
  dg_number_text (number, sizeof number, n);
  dv_calls_share (share, sizeof share, n, whole);
  char *line = g_markup_printf_escaped (*share != '\0' ? "\n%s: %s (%s)"
                                                       : "\n%s: %s",
                                        name, number, share);
  g_string_append (text, line);
  g_free (line);
}

/* The file as it is, and the module below it.  */
static void
add_places (GString *text, const struct dv_calls_subject *subject)
{
  const struct dv_call_function *function
    = dv_calltree_function (subject->tree, subject->function);
  const char *paths[] = { subject->file, function->module };
  for (int i = 0; i < 2; i++) {
    if (paths[i] == NULL)
      continue;
    char *shown = dv_format_shown (paths[i]);
    char *escaped = g_markup_escape_text (shown, -1);
    g_string_append_printf (text, "\n%s", escaped);
    if (i == 0 && subject->line > 0)
      g_string_append_printf (text, ":%u", subject->line);
    g_free (escaped);
    g_free (shown);
  }
}

char *
dv_calls_tip (const struct dv_calls_subject *subject)
{
  const struct dv_calltree *tree = subject->tree;
  const struct dv_tally_count *all = subject->all;
  const struct dv_tally_count *total = &tree->nodes[0].all;
  const char *label = subject->function == DV_CALL_NONE
    ? dv_calltree_label (tree, 0)
    : dv_calltree_function (tree, subject->function)->label;
  char *escaped = g_markup_escape_text (label, -1);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "<b>%s</b>", escaped);
  g_free (escaped);
  if (subject->function != DV_CALL_NONE)
    add_places (text, subject);
  add_count (text, _ ("Accesses"), dv_tally_count_accesses (all),
             dv_tally_count_accesses (total));
  if (dv_tally_count_accesses (subject->self) != dv_tally_count_accesses (all))
    add_count (text, _ ("by itself"), dv_tally_count_accesses (subject->self),
               dv_tally_count_accesses (total));
  add_count (text, _ ("Reads"), all->reads, total->reads);
  add_count (text, _ ("Writes"), all->writes, total->writes);
  add_count (text, _ ("Bytes"), dv_call_weigh (all, DV_CALL_BYTES),
             dv_call_weigh (total, DV_CALL_BYTES));
  return g_string_free (text, FALSE);
}

char *
dv_calls_time_tip (const struct dv_calltree *tree, uint32_t node)
{
  static const char *const names[] = {
    N_ ("Cycles"), N_ ("Cycles of memory"), N_ ("L1 misses"),
    N_ ("L2 misses"), N_ ("L3 misses") };
  const struct dv_call_node *n = &tree->nodes[node];
  const struct dv_calls_subject subject = {
    .tree = tree, .function = n->function, .line = n->line, .file = n->file};
  char *escaped = g_markup_escape_text (dv_calltree_label (tree, node), -1);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "<b>%s</b>", escaped);
  g_free (escaped);
  if (n->function != DV_CALL_NONE)
    add_places (text, &subject);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    add_count (text, _ (names[i]), n->all_time.sums[i],
               tree->nodes[0].all_time.sums[i]);
    if (i == 0 && n->self_time.sums[0] != n->all_time.sums[0])
      add_count (text, _ ("by itself"), n->self_time.sums[0],
                 tree->nodes[0].all_time.sums[0]);
  }
  return g_string_free (text, FALSE);
}

char *
dv_calls_heap_tip (const struct dv_calltree *tree, uint32_t node)
{
  const struct dv_call_node *n = &tree->nodes[node];
  const struct dv_call_heap *all = &n->all_heap;
  const struct dv_call_heap *total = &tree->nodes[0].all_heap;
  const struct dv_calls_subject subject = {
    .tree = tree, .function = n->function, .line = n->line, .file = n->file};
  char *escaped = g_markup_escape_text (dv_calltree_label (tree, node), -1);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "<b>%s</b>", escaped);
  g_free (escaped);
  if (n->function != DV_CALL_NONE)
    add_places (text, &subject);
  add_count (text, _ ("Allocated bytes"), all->bytes, total->bytes);
  add_count (text, _ ("Allocated blocks"), all->blocks, total->blocks);
  add_count (text, _ ("Temporary blocks"), all->temporary, total->temporary);
  add_count (text, _ ("Leaked bytes"), all->leaked, total->leaked);
  return g_string_free (text, FALSE);
}

/* "12 blocks allocated in view: 1.5 KiB, 3 temporary, 64 bytes leaked".  */
static char *
heap_summary (const struct dv_calltree *tree)
{
  const struct dv_call_heap *all = &tree->nodes[0].all_heap;
  char blocks[32], temporary[32], bytes[40], leaked[40], share[20];
  dg_number_text (blocks, sizeof blocks, all->blocks);
  dg_number_text (temporary, sizeof temporary, all->temporary);
  dv_format_bytes (bytes, sizeof bytes, all->bytes);
  dv_format_bytes (leaked, sizeof leaked, all->leaked);
  GString *text = g_string_new (NULL);
  /* Translators: numbers of blocks and sizes, such as "1.5 KiB".  */
  g_string_append_printf (
    text,
    ngettext ("%s block allocated in view: %s, %s temporary, %s leaked",
              "%s blocks allocated in view: %s, %s temporary, %s leaked",
              (gulong) MIN (all->blocks, 1000000)),
    blocks, bytes, temporary, leaked);
  if (tree->cut > 0) {
    dv_calls_share (share, sizeof share, tree->cut, all->bytes);
    /* Translators: a share of the bytes.  */
    g_string_append_printf (text,
                            _ (" — %s are on call paths beyond the "
                               "limit of what can be shown"),
                            share);
  }
  return dv_gap_before (tree->data, g_string_free (text, FALSE));
}

/* "1,234 estimated cycles in view, 567 of them for memory: 12 L1, 3 L2 and 1
   L3 misses".  */
static char *
time_summary (const struct dv_calltree *tree)
{
  const uint64_t *all = tree->nodes[0].all_time.sums;
  char numbers[5][32];
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    dg_number_text (numbers[i], sizeof numbers[i], all[i]);
  /* Translators: numbers; L1, L2 and L3 are levels of caches.  */
  g_string_append_printf (
    text,
    _ ("%s estimated cycles in view, %s of them for memory: %s L1, %s L2 and "
       "%s L3 misses"),
    numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  if (tree->sample > 1)
    /* Translators: a number.  */
    g_string_append_printf (text, _ (" — of one stretch in %u"),
                            (unsigned) tree->sample);
  if (!tree->is_understood)
    g_string_append (text, _ (" — without the machine code, which the model "
                              "does not understand"));
  return dv_gap_before (tree->data, g_string_free (text, FALSE));
}

char *
dv_calls_summary (const struct dv_calltree *tree)
{
  if (tree->data != NULL)
    return tree->is_time ? time_summary (tree) : heap_summary (tree);
  uint64_t n = dv_tally_count_accesses (&tree->nodes[0].all);
  char number[40], share[20];
  dg_number_text (number, sizeof number, n);
  GString *text = g_string_new (NULL);
  if (tree->tally->code_done < 1) {
    dv_format_about_percent (share, sizeof share, tree->tally->code_done);
    /* Translators: a number, and how much of the view was gone through.  */
    g_string_append_printf (text, _ ("%s accesses so far (%s)"), number,
                            share);
  } else
    g_string_append_printf (
      text, ngettext ("%s access in view", "%s accesses in view",
                      (gulong) MIN (n, 1000000)), number);
  if (tree->cut > 0) {
    dv_calls_share (share, sizeof share, tree->cut, n);
    /* Translators: a share of the accesses.  */
    g_string_append_printf (text,
                            _ (" — %s are on call paths beyond the "
                               "limit of what can be shown"),
                            share);
  }
  return dv_gap_before (tree->tally->scene->data,
                        g_string_free (text, FALSE));
}
