/* gap_text.c: see gap_text.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "gap_text.h"

#include <glib.h>

#include "i18n.h"

/* As dg_gap_text, in a few words and another language.  A recorder that does
   not say whether a log is whole has none.  */
static const char *const clauses[DG_GAP_KINDS] = {
  [DG_GAP_GROWING] = N_ ("it is still being written"),
  [DG_GAP_DAMAGED] = N_ ("it is damaged"),
  [DG_GAP_TRUNCATED] = N_ ("it was cut short"),
  [DG_GAP_OUTPUT] = N_ ("it could not be written to the end"),
  [DG_GAP_MAX_SIZE] = N_ ("it reached its maximum size"),
  [DG_GAP_KILLED] = N_ ("the program was killed"),
  [DG_GAP_UNDECODED] =
    N_ ("the program ended at an instruction that Valgrind does not know"),
  [DG_GAP_CUT_END] = N_ ("its end was cut off"),
  [DG_GAP_FORKED] = N_ ("it starts at a fork"),
  [DG_GAP_CUT] = N_ ("some accesses were cut out"),
  [DG_GAP_SKIP] = N_ ("recording started after the program"),
  [DG_GAP_STOP_AFTER] = N_ ("recording ended before the program"),
  [DG_GAP_OFF] = N_ ("recording was off for some time"),
  [DG_GAP_PERIODIC] = N_ ("only a part of each period was recorded"),
};

/* Who follows a log expects more of it, who writes it.  */
static const char *
clause_of (const struct dv_data *data, enum dg_gap_kind kind)
{
  if (kind == DG_GAP_TRUNCATED && data->is_growing)
    kind = DG_GAP_GROWING;
  return clauses[kind];
}

char *
dv_gap_text (const struct dv_data *data)
{
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = data->is_glance ? 0 : dg_log_gaps (data->log, gaps);
  GString *all = g_string_new (NULL);
  for (size_t i = 0; i < n; i++) {
    const char *clause = clause_of (data, gaps[i].kind);
    if (clause != NULL)
      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "",
                              _ (clause));
  }
  char *text =
    all->len == 0
      ? NULL
      /* Translators: why: "it was cut short, recording was off for a time". */
      : g_strdup_printf (_ ("Partial log: %s"), all->str);
  g_string_free (all, TRUE);
  return text;
}

char *
dv_gap_before (const struct dv_data *data, char *text)
{
  char *gap = dv_gap_text (data);
  if (gap == NULL)
    return text;
  char *both = *text != '\0' ? g_strdup_printf ("%s · %s", gap, text)
                             : g_strdup (gap);
  g_free (gap);
  g_free (text);
  return both;
}
