/* moment.c: a moment of a log, as --at and similar options name it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "moment.h"

#include <string.h>

#include <glib.h>

/* ---- Events ----------------------------------------------------------- */

/* The n-th event, from 1, of which the label is the first `length` bytes of
   the text.  */
static const struct dg_event *
find_event (const struct dg_log *log, const char *text, size_t length,
            uint64_t n)
{
  size_t n_events;
  const struct dg_event *events = dg_log_events (log, &n_events);

  for (size_t i = 0; i < n_events; i++)
    if (strncmp (events[i].label, text, length) == 0
        && events[i].label[length] == '\0' && --n == 0)
      return &events[i];
  return NULL;
}

/* Takes "#N" off the end of a text of `*length` bytes: N, or 0 if there is
   none.  */
static uint64_t
take_number (const char *text, size_t *length)
{
  size_t at = *length;
  uint64_t number;
  char *digits;
  bool is_good;

  while (at > 0 && g_ascii_isdigit (text[at - 1]))
    at--;
  if (at == 0 || at == *length || text[at - 1] != '#')
    return 0;
  digits = g_strndup (text + at, *length - at);
  is_good = dg_number_parse (digits, DG_QUANTITY_COUNT, &number);
  g_free (digits);
  if (!is_good)
    return 0;
  *length = at - 1;
  return number;
}

static bool
take_word (const char *text, size_t *length, const char *word)
{
  size_t n = strlen (word);

  if (*length < n || strncmp (text + *length - n, word, n) != 0)
    return false;
  *length -= n;
  return true;
}

static char *
find_of_event (struct moment *moment, const struct dg_log *log,
               const char *text)
{
  size_t length = strlen (text);
  const struct dg_event *event = find_event (log, text, length, 1);
  bool is_end = false;

  if (event == NULL) {
    uint64_t number;

    is_end = take_word (text, &length, ":end");
    if (!is_end)
      take_word (text, &length, ":start");
    event = find_event (log, text, length, 1);
    number = event == NULL ? take_number (text, &length) : 0;
    if (number > 0)
      event = find_event (log, text, length, number);
    if (event == NULL && number > 1
        && find_event (log, text, length, 1) != NULL)
      return g_strdup_printf ("there are fewer events '%.*s' than that",
                              (int) length, text);
  }
  if (event == NULL)
    return g_strdup_printf ("the log has no event '%.*s'", (int) length, text);
  if (is_end && event->end_icount == DG_NEVER)
    return g_strdup_printf ("the event '%s' has no end in the log",
                            event->label);
  moment->icount = is_end ? event->end_icount : event->start_icount;
  moment->order = is_end ? event->end_order : event->start_order;
  return NULL;
}

/* ---- All of them ------------------------------------------------------ */

char *
moment_find (struct moment *moment, const struct dg_log *log,
             const char *text)
{
  if (strcmp (text, "end") == 0) {
    *moment = (struct moment){DG_NEVER, DG_NONE};
    return NULL;
  }
  if (g_str_has_prefix (text, "event:"))
    return find_of_event (moment, log, text + strlen ("event:"));
  *moment = (struct moment){0, 0};
  if (dg_number_parse (text, DG_QUANTITY_COUNT, &moment->icount)
      && moment->icount != DG_NEVER)
    return NULL;
  return g_strdup_printf ("'%s' is not a moment: must be an instruction "
                          "count, event:LABEL or end", text);
}
