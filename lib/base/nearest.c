/* nearest.c: finds names similar to a mistyped one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "nearest.h"

#include "error.h"

#include <string.h>

#include <glib.h>

#define BEST 3
/* So few are all told if none is near.  */
#define FEW 6
/* Longer names are compared by their beginnings.  */
#define LENGTH_MAX 96

struct name {
  char *text;
  unsigned distance;
};

struct dg_nearest {
  char asked[LENGTH_MAX + 1];    /* lower case */
  size_t length;
  unsigned limit;                /* of what is near */
  struct name best[BEST];
  size_t n_best;
  char *few[FEW];
  size_t n_few;                  /* FEW + 1: more */
};

/* ---- Distances -------------------------------------------------------- */

/* Its characters in lower case; returns how many.  */
static size_t
fold (char *out, const char *text, size_t length)
{
  length = MIN (length, LENGTH_MAX);
  for (size_t i = 0; i < length; i++)
    out[i] = g_ascii_tolower (text[i]);
  out[length] = '\0';
  return length;
}

/* How many characters have to be put in, left out, replaced, or change places
   with their neighbours; anything above the limit if there are more.  */
static unsigned
edit_distance (const char *a, size_t n_a, const char *b, size_t n_b,
               unsigned limit)
{
  unsigned rows[3][LENGTH_MAX + 1];
  unsigned *last = rows[0], *before = rows[1], *now = rows[2];

  if (n_a > n_b + limit || n_b > n_a + limit)
    return limit + 1;
  for (size_t j = 0; j <= n_b; j++)
    before[j] = (unsigned) j;
  for (size_t i = 1; i <= n_a; i++) {
    unsigned least = now[0] = (unsigned) i, *oldest = last;

    for (size_t j = 1; j <= n_b; j++) {
      unsigned cost = a[i - 1] == b[j - 1] ? 0 : 1;

      now[j] = MIN (MIN (before[j], now[j - 1]) + 1, before[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = MIN (now[j], last[j - 2] + 1);
      least = MIN (least, now[j]);
    }
    if (least > limit)
      return limit + 1;
    last = before;
    before = now;
    now = oldest;
  }
  return before[n_b];
}

static unsigned
distance_to (const struct dg_nearest *nearest, const char *text, size_t length)
{
  char folded[LENGTH_MAX + 1];

  length = fold (folded, text, length);
  /* A part of a name is what people remember.  */
  if (nearest->length >= 3 && strstr (folded, nearest->asked) != NULL)
    return 1;
  return edit_distance (nearest->asked, nearest->length, folded, length,
                        nearest->limit);
}

/* Of "ns::list<int>::add(int) const", "add"; of a path, its last part.  */
static const char *
last_part (const char *name, size_t *length)
{
  const char *end = name, *start = name;
  unsigned depth = 0;

  for (; *end != '\0' && !(depth == 0 && *end == '(' && end > name); end++) {
    if (*end == '<')
      depth++;
    else if (*end == '>' && depth > 0)
      depth--;
    else if (depth == 0 && (*end == '/' || *end == ':'))
      start = end + 1;
  }
  *length = (size_t) (end - start);
  for (const char *at = start; at < end; at++)
    if (*at == '<' && at > start) {
      *length = (size_t) (at - start);
      break;
    }
  return start;
}

/* ---- Names ------------------------------------------------------------ */

struct dg_nearest *
dg_nearest_new (const char *asked, struct dg_error *err)
{
  struct dg_nearest *nearest = g_try_new0 (struct dg_nearest, 1);

  if (nearest == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  nearest->length = fold (nearest->asked, asked, strlen (asked));
  nearest->limit = nearest->length < 3 ? 1
                                       : (unsigned) (nearest->length + 2) / 4;
  return nearest;
}

void
dg_nearest_free (struct dg_nearest *nearest)
{
  if (nearest == NULL)
    return;
  for (size_t i = 0; i < nearest->n_best; i++)
    g_free (nearest->best[i].text);
  for (size_t i = 0; i < MIN (nearest->n_few, FEW); i++)
    g_free (nearest->few[i]);
  g_free (nearest);
}

static void
keep_few (struct dg_nearest *nearest, const char *name)
{
  if (nearest->n_few > FEW)
    return;
  for (size_t i = 0; i < nearest->n_few; i++)
    if (strcmp (nearest->few[i], name) == 0)
      return;
  if (nearest->n_few < FEW)
    nearest->few[nearest->n_few] = g_strdup (name);
  nearest->n_few++;
}

static void
keep_best (struct dg_nearest *nearest, const char *name, unsigned distance)
{
  struct name *best = nearest->best;
  size_t at = nearest->n_best;

  for (size_t i = 0; i < nearest->n_best; i++)
    if (strcmp (best[i].text, name) == 0)
      return;
  while (at > 0 && (distance < best[at - 1].distance
                    || (distance == best[at - 1].distance
                        && strcmp (name, best[at - 1].text) < 0)))
    at--;
  if (at == BEST)
    return;
  if (nearest->n_best == BEST)
    g_free (best[--nearest->n_best].text);
  memmove (&best[at + 1], &best[at],
           (nearest->n_best - at) * sizeof best[0]);
  best[at] = (struct name) { g_strdup (name), distance };
  nearest->n_best++;
}

void
dg_nearest_add (struct dg_nearest *nearest, const char *name)
{
  size_t length;
  const char *part = last_part (name, &length);
  unsigned distance = distance_to (nearest, name, strlen (name));

  if (part != name || part[length] != '\0')
    distance = MIN (distance, distance_to (nearest, part, length));
  keep_few (nearest, name);
  if (distance <= nearest->limit)
    keep_best (nearest, name, distance);
}

const char *
dg_nearest_best (const struct dg_nearest *nearest)
{
  return nearest->n_best > 0 ? nearest->best[0].text : NULL;
}

char *
dg_nearest_hint (const struct dg_nearest *nearest)
{
  bool has_best = nearest->n_best > 0;
  size_t n = has_best ? nearest->n_best : nearest->n_few;
  const char *last = has_best ? " or " : " and ";
  GString *text;

  if (n == 0 || n > FEW)
    return g_strdup ("");
  text = g_string_new (has_best ? "; did you mean "
                       : n > 1  ? "; there are "
                                : "; there is only ");
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%s'%.200s'",
                            i == 0 ? "" : i + 1 < n ? ", " : last,
                            has_best ? nearest->best[i].text
                                     : nearest->few[i]);
  g_string_append (text, has_best ? "?" : "");
  return g_string_free (text, FALSE);
}
