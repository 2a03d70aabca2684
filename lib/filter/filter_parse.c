/* filter_parse.c: the text of --events and --ranges as conditions, and
   whether a name meets one.  Logs are not known here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_parse.h"

#include "base/error.h"

#include <string.h>

struct keyword {
  const char *word;
  const char *example; /* NULL: takes no name */
  enum dg_filter_condition_kind kind;
  bool for_events;
};

static const struct keyword keywords[] = {
  {"fn", "fn:FUNCTION", DG_COND_FN, true},
  {"file", "file:SOURCE", DG_COND_FILE, true},
  {"dso", "dso:LIBRARY", DG_COND_DSO, true},
  {"user", "user:LABEL", DG_COND_USER, true},
  {"range", NULL, DG_COND_RANGE, false},
  {"malloc", NULL, DG_COND_MALLOC, false}};

static const char *
side_name (enum dg_side side)
{
  return side == DG_SIDE_EVENTS ? "--events" : "--ranges";
}

static const char *
valid_conditions (enum dg_side side)
{
  return side == DG_SIDE_EVENTS
           ? "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL"
           : "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL, range, "
             "malloc";
}

static int fail (struct dg_error *err, enum dg_side side, size_t column,
                 const char *format, ...) G_GNUC_PRINTF (4, 5);

/* Returns DG_ERR_FILTER.  */
static int
fail (struct dg_error *err, enum dg_side side, size_t column,
      const char *format, ...)
{
  char what[160];
  va_list args;

  va_start (args, format);
  g_vsnprintf (what, sizeof what, format, args);
  va_end (args);
  dg_error_set (err, DG_ERR_FILTER, "%s: column %zu: %s", side_name (side),
                column, what);
  if (err != NULL)
    err->offset = column;
  return DG_ERR_FILTER;
}

static const struct keyword *
find_keyword (const char *word, size_t length)
{
  for (size_t i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strlen (keywords[i].word) == length
        && memcmp (keywords[i].word, word, length) == 0)
      return &keywords[i];
  return NULL;
}

/* Reads the name at `*at`, up to a comma or the end, without its
   backslashes.  NULL if it ends in a lone one.  */
static char *
read_name (const char **at)
{
  GString *name = g_string_new (NULL);
  const char *p = *at;

  for (; *p != '\0' && *p != ','; p++) {
    if (*p == '\\' && *++p == '\0') {
      *at = p;
      g_string_free (name, TRUE);
      return NULL;
    }
    g_string_append_c (name, *p);
  }
  *at = p;
  return g_string_free (name, FALSE);
}

/* One condition at `*at`; moves `*at` to what ended it.  */
static int
parse_condition (enum dg_side side, const char *text, const char **at,
                 struct dg_filter_condition *out, struct dg_error *err)
{
  const char *word = *at;
  size_t column = (size_t) (word - text);
  size_t length = strcspn (word, ":,");
  const struct keyword *key = find_keyword (word, length);

  out->name = NULL;
  out->is_met = false;
  if (length == 0 && word[0] != ':')
    return fail (err, side, column, "empty condition; valid are: %s",
                 valid_conditions (side));
  if (key == NULL)
    return fail (err, side, column, "unknown condition '%.*s'; valid are: %s",
                 (int) MIN (length, 30), word, valid_conditions (side));
  if (side == DG_SIDE_EVENTS && !key->for_events)
    return fail (err, side, column, "'%s' is for --ranges only; valid are: %s",
                 key->word, valid_conditions (side));
  out->kind = key->kind;
  *at = word + length;
  if (key->example == NULL) {
    if (**at == ':')
      return fail (err, side, column, "'%s' takes no name", key->word);
    return 0;
  }
  if (**at != ':')
    return fail (err, side, column, "'%s' needs a name: %s", key->word,
                 key->example);
  ++*at;
  out->name = read_name (at);
  if (out->name == NULL)
    return fail (err, side, (size_t) (*at - text) - 1,
                 "nothing follows the backslash");
  if (out->name[0] == '\0') {
    g_clear_pointer (&out->name, g_free);
    return fail (err, side, column, "'%s' needs a name: %s", key->word,
                 key->example);
  }
  return 0;
}

static void
clear_condition (gpointer data)
{
  g_free (((struct dg_filter_condition *) data)->name);
}

GArray *
dg_filter_parse (enum dg_side side, const char *text, struct dg_error *err)
{
  GArray *list =
    g_array_new (FALSE, FALSE, sizeof (struct dg_filter_condition));
  const char *at = text;

  g_array_set_clear_func (list, clear_condition);
  if (text == NULL || text[0] == '\0')
    return list;
  for (;;) {
    struct dg_filter_condition condition;

    if (parse_condition (side, text, &at, &condition, err) < 0) {
      g_array_unref (list);
      return NULL;
    }
    g_array_append_val (list, condition);
    if (*at == '\0')
      return list;
    at++;
  }
}

bool
dg_filter_condition_has_stack (const struct dg_filter_condition *condition)
{
  return condition->kind == DG_COND_FN || condition->kind == DG_COND_FILE
         || condition->kind == DG_COND_DSO;
}

/* The whole path, or its end from a '/'.  */
static bool
meets_path (const char *name, const char *path)
{
  size_t n, m;

  if (path == NULL)
    return false;
  n = strlen (name);
  m = strlen (path);
  if (n > m || memcmp (path + (m - n), name, n) != 0)
    return false;
  return n == m || name[0] == '/' || path[m - n - 1] == '/';
}

/* The place of the parenthesis that opens the parameter list of a demangled
   name, or NULL.  What may follow the list (const, &, [clone .cold]) is
   skipped.  The call operator's own parentheses are its name.  */
static const char *
find_parameters (const char *name)
{
  const char *last = strrchr (name, ')');
  size_t at = last != NULL ? (size_t) (last - name) : 0;
  int depth = 0;

  for (; at > 0; at--) {
    if (name[at] == ')')
      depth++;
    else if (name[at] == '(' && --depth == 0)
      break;
  }
  if (at == 0)
    return NULL;
  if (at >= 8 && memcmp (name + at - 8, "operator", 8) == 0
      && (at == 8 || name[at - 9] == ':'))
    return NULL;
  return name + at;
}

static bool
meets_function (const char *name, const char *function)
{
  const char *end;
  size_t length;

  if (function == NULL)
    return false;
  if (strcmp (name, function) == 0)
    return true;
  end = find_parameters (function);
  if (end == NULL)
    return false;
  length = (size_t) (end - function);
  return strlen (name) == length && memcmp (name, function, length) == 0;
}

bool
dg_filter_condition_meets_frame (const struct dg_filter_condition *condition,
                                 const struct dg_frame *frame)
{
  switch (condition->kind) {
  case DG_COND_FN:
    return meets_function (condition->name, frame->function);
  case DG_COND_FILE:
    return meets_path (condition->name, frame->file);
  case DG_COND_DSO:
    return meets_path (condition->name, frame->module);
  case DG_COND_USER:
  case DG_COND_RANGE:
  case DG_COND_MALLOC:
    break;
  }
  return false;
}
