/* answer_sentence.c: all that matters of an access in one sentence.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer_make.h"

#include <dg_record.h>
#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

/* Characters of a name: those of templates can have thousands.  */
#define MOST_NAME 120

static char *
shortened (const char *text)
{
  return dv_format_label (text, MOST_NAME);
}

/* "nodes[12].next", "config.limits[3].soft"; NULL: no name is known.  */
static char *
thing_text (const struct dv_answer *answer)
{
  const char *field = answer->field;
  char *whole, *text;
  if (answer->has_range && field != NULL)
    whole = g_strdup_printf ("%s%s%s", answer->range_label,
                             *field == '[' ? "" : ".", field);
  else if (answer->has_range && answer->range_offset == 0)
    whole = g_strdup (answer->range_label);
  else if (answer->has_range)
    whole = g_strdup_printf ("%s + %" G_GUINT64_FORMAT, answer->range_label,
                             answer->range_offset);
  else
    whole = g_strdup (field != NULL ? field : answer->variable);
  text = whole != NULL ? shortened (whole) : NULL;
  g_free (whole);
  return text;
}

/* "main, prog.c:32".  */
static char *
site_text (const struct dv_frame *site)
{
  char *function = shortened (site->function);
  char *text = *site->where != '\0'
               ? g_strdup_printf ("%s, %s", function, site->where)
               : g_strdup (function);
  g_free (function);
  return text;
}

static char *
block_text (const struct dv_answer *answer)
{
  char number[40];
  dg_number_text (number, sizeof number, answer->block.size);
  char *block = g_strdup_printf (ngettext ("block of %s byte",
                                           "block of %s bytes",
                                           answer->block.size), number);
  if (answer->site == NULL)
    return block;
  char *site = site_text (answer->site);
  /* Translators: a block of memory, and who allocated it.  */
  char *text = g_strdup_printf (_ ("%s from %s"), block, site);
  g_free (site);
  g_free (block);
  return text;
}

/* Whose memory it is.  */
static char *
owner_text (const struct dv_answer *answer)
{
  char number[40];
  if (answer->has_block)
    return block_text (answer);
  if (answer->has_range) {
    dg_number_text (number, sizeof number, answer->range_size);
    return g_strdup_printf (ngettext ("range of %s byte", "range of %s bytes",
                                      answer->range_size), number);
  }
  if (answer->variable != NULL)
    /* Translators: of a program or a library.  */
    return g_strdup_printf (_ ("variable of %s"), answer->variable_module);
  return g_strdup (answer->owner);
}

/* "8 bytes at offset 16".  */
static char *
bytes_text (const struct dv_answer *answer)
{
  char number[40], size[40];
  dv_format_bytes (size, sizeof size, answer->access.size);
  char *bytes = g_strdup (size);
  if (!answer->has_block)
    return bytes;
  dg_number_text (number, sizeof number, answer->block_offset);
  char *text = g_strdup_printf (_ ("%s at offset %s"), bytes, number);
  g_free (bytes);
  return text;
}

static char *
nothing_text (const struct dv_answer *answer, const char *thing,
              const char *owner)
{
  char *what = thing != NULL ? g_strdup_printf ("%s, %s", thing, owner)
                             : g_strdup (owner);
  char *text =
    g_strdup_printf (answer->is_filtered ? _ ("no matching access here: %s")
                                         : _ ("no access here: %s"),
                     what);
  g_free (what);
  return text;
}

void
dv_answer_set_sentence (struct dv_answer *answer)
{
  char *thing = thing_text (answer), *owner = owner_text (answer);
  if (answer->is_nothing) {
    answer->sentence = nothing_text (answer, thing, owner);
  } else {
    if (thing == NULL)
      thing = bytes_text (answer);
    /* Translators: of what, and whose memory that is.  */
    answer->sentence = g_strdup_printf (answer->access.kind == DG_ACC_WRITE
                                          ? _ ("write of %s, %s")
                                          : _ ("read of %s, %s"),
                                        thing, owner);
  }
  g_free (owner);
  g_free (thing);
}
