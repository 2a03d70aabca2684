/* highlight.c: what stands out in the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "highlight.h"

#include <stdlib.h>
#include <string.h>

#include "refs.h"
#include "order.h"

static void
highlight_clear (void *memory)
{
  struct dv_highlight *highlight = memory;
  g_free (highlight->label);
  g_free (highlight->contexts);
  if (highlight->code != NULL)
    g_array_unref (highlight->code);
  if (highlight->boxes != NULL)
    g_array_unref (highlight->boxes);
}

struct dv_highlight *
dv_highlight_new (const char *label)
{
  struct dv_highlight *highlight
    = g_atomic_rc_box_new0 (struct dv_highlight);
  highlight->label = g_strdup (label);
  return highlight;
}

DV_DEFINE_REFS (dv_highlight, highlight_clear)

void
dv_highlight_add_context (struct dv_highlight *highlight, uint32_t context)
{
  size_t words = ((size_t) highlight->n_contexts + 63) / 64;
  size_t wanted = (size_t) context / 64 + 1;
  if (wanted > words) {
    wanted = MAX (wanted, 2 * words);
    highlight->contexts = g_renew (uint64_t, highlight->contexts, wanted);
    memset (highlight->contexts + words, 0,
            (wanted - words) * sizeof (uint64_t));
    highlight->n_contexts = (uint32_t) MIN (wanted * 64, UINT32_MAX);
  }
  highlight->contexts[context / 64] |= (uint64_t) 1 << context % 64;
}

void
dv_highlight_add_code (struct dv_highlight *highlight, uint64_t instruction)
{
  if (highlight->code == NULL)
    highlight->code = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_array_append_val (highlight->code, instruction);
}

void
dv_highlight_add_box (struct dv_highlight *highlight,
                      const struct dv_view *box)
{
  if (highlight->boxes == NULL)
    highlight->boxes = g_array_new (FALSE, FALSE, sizeof (struct dv_view));
  g_array_append_val (highlight->boxes, *box);
}

DV_DEFINE_COMPARE (compare_addresses, uint64_t, *x)

void
dv_highlight_finish (struct dv_highlight *highlight)
{
  if (highlight->code != NULL)
    g_array_sort (highlight->code, compare_addresses);
}

bool
dv_highlight_has_accesses (const struct dv_highlight *highlight)
{
  return highlight->contexts != NULL || highlight->code != NULL;
}

bool
dv_highlight_context (const struct dv_highlight *highlight, uint32_t context)
{
  return context < highlight->n_contexts
         && highlight->contexts[context / 64] >> context % 64 & 1;
}

bool
dv_highlight_code (const struct dv_highlight *highlight, uint64_t instruction)
{
  return highlight->code != NULL
         && bsearch (&instruction, highlight->code->data,
                     highlight->code->len, sizeof (uint64_t),
                     compare_addresses) != NULL;
}
