/* filter_parse.c: the text of --events and --ranges as conditions, and
   whether a name meets one.  Logs are not known here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_parse.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FOR_EVENTS (1u << DG_SIDE_EVENTS)
#define FOR_RANGES (1u << DG_SIDE_RANGES)

struct keyword {
  const char *word;
  const char *example; /* NULL: takes no name */
  const char *prefix;
  unsigned sides;
};

static const struct keyword keywords[] = {
  [DG_COND_FN] = {"fn", "fn:FUNCTION", "fn:", FOR_EVENTS | FOR_RANGES},
  [DG_COND_FILE] = {"file", "file:SOURCE", "file:", FOR_EVENTS | FOR_RANGES},
  [DG_COND_DSO] = {"dso", "dso:LIBRARY", "dso:", FOR_EVENTS | FOR_RANGES},
  [DG_COND_USER] = {"user", "user:LABEL", "user:", FOR_EVENTS | FOR_RANGES},
  [DG_COND_RANGE] = {"range", NULL, "range", FOR_RANGES},
  [DG_COND_MALLOC] = {"malloc", NULL, "malloc", FOR_RANGES},
  [DG_COND_THREAD] = {"thread", "thread:NAME", "thread:", FOR_EVENTS},
  [DG_COND_VAR] = {"var", "var:VARIABLE", "var:", FOR_RANGES},
  [DG_COND_ADDR] = {"addr", "addr:START..END", "addr:", FOR_RANGES}};

static const char *
side_name (enum dg_side side)
{
  return side == DG_SIDE_EVENTS ? "--events" : "--ranges";
}

static const char *
valid_conditions (enum dg_side side)
{
  return side == DG_SIDE_EVENTS
           ? "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL, thread:NAME, "
             "not CONDITION"
           : "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL, range, "
             "malloc, var:VARIABLE, addr:START..END, not CONDITION";
}

static int fail (struct dg_error *err, enum dg_side side, size_t column,
                 const char *format, ...) G_GNUC_PRINTF (4, 5);

/* Returns DG_ERR_FILTER.  */
static int
fail (struct dg_error *err, enum dg_side side, size_t column,
      const char *format, ...)
{
  char what[320];
  va_list args;

  va_start (args, format);
  g_vsnprintf (what, sizeof what, format, args);
  va_end (args);
  /* People count from 1, and need no place in a single condition.  */
  if (column == 0)
    dg_error_set (err, DG_ERR_FILTER, "%s: %s", side_name (side), what);
  else
    dg_error_set (err, DG_ERR_FILTER, "%s: character %zu: %s",
                  side_name (side), column + 1, what);
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

/* What stands behind the word of a condition.  */
static int
parse_name (enum dg_side side, const char *text, size_t column,
            const char **at, struct dg_filter_condition *out,
            struct dg_error *err)
{
  const struct keyword *key = &keywords[out->kind];

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

/* One address, or START..END.  */
static bool
read_addresses (struct dg_filter_condition *out)
{
  uint64_t number;

  out->end = UINT64_MAX;
  if (dg_number_parse_span (out->name, DG_QUANTITY_COUNT, &out->start,
                            &out->end))
    return true;
  if (!dg_number_parse (out->name, DG_QUANTITY_COUNT, &number)
      || number == UINT64_MAX)
    return false;
  out->start = number;
  out->end = number + 1;
  return true;
}

/* Reports write "<global>.table" for the variable table.  */
static void
drop_global (char *name)
{
  static const char global[] = "<global>.";
  size_t n = strlen (global);

  if (strncmp (name, global, n) == 0 && name[n] != '\0')
    memmove (name, name + n, strlen (name + n) + 1);
}

/* Moves `*at` past "not" and what is blank behind it.  */
static bool
skip_not (const char **at)
{
  if (strncmp (*at, "not ", 4) != 0)
    return false;
  *at += 4;
  *at += strspn (*at, " ");
  return true;
}

/* What other tools call them comes to mind first.  */
static int
fail_unknown (struct dg_error *err, enum dg_side side, size_t column,
              const char *word, size_t length)
{
  static const char *const others[][2] = {
    {"function", "fn"}, {"func", "fn"},      {"lib", "dso"},
    {"module", "dso"},  {"object", "dso"},   {"variable", "var"},
    {"label", "user"},  {"event", "user"},   {"address", "addr"},
    {"tid", "thread"},  {"source", "file"},  {"heap", "malloc"}};
  char *asked = g_strndup (word, MIN (length, 30));
  struct dg_nearest *nearest = dg_nearest_new (asked, NULL);
  const char *best = NULL;
  int code;

  for (size_t i = 0; nearest != NULL && i < G_N_ELEMENTS (keywords); i++)
    if ((keywords[i].sides >> side & 1) != 0)
      dg_nearest_add (nearest, keywords[i].word);
  if (nearest != NULL)
    best = dg_nearest_best (nearest);
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (asked, others[i][0]) == 0) {
      const struct keyword *key = find_keyword (others[i][1],
                                                strlen (others[i][1]));

      best = (key->sides >> side & 1) != 0 ? others[i][1] : NULL;
    }
  code = fail (err, side, column,
               "unknown condition '%s'%s%s%s; valid are: %s", asked,
               best != NULL ? " (did you mean '" : "",
               best != NULL ? best : "", best != NULL ? "'?)" : "",
               valid_conditions (side));
  dg_nearest_free (nearest);
  g_free (asked);
  return code;
}

/* One condition at `*at`; moves `*at` to what ended it.  */
static int
parse_condition (enum dg_side side, const char *text, const char **at,
                 struct dg_filter_condition *out, struct dg_error *err)
{
  bool is_not = skip_not (at);
  const char *word = *at;
  size_t column = (size_t) (word - text);
  size_t length = strcspn (word, ":,");
  const struct keyword *key = find_keyword (word, length);

  *out = (struct dg_filter_condition){.is_not = is_not};
  if (length == 0 && word[0] != ':')
    return fail (err, side, column, "empty condition; valid are: %s",
                 valid_conditions (side));
  if (key == NULL)
    return fail_unknown (err, side, column, word, length);
  if ((key->sides >> side & 1) == 0)
    return fail (err, side, column, "'%s' is for %s only; valid are: %s",
                 key->word,
                 side_name (side == DG_SIDE_EVENTS ? DG_SIDE_RANGES
                                                   : DG_SIDE_EVENTS),
                 valid_conditions (side));
  out->kind = (enum dg_filter_condition_kind) (key - keywords);
  *at = word + length;
  if (parse_name (side, text, column, at, out, err) < 0)
    return DG_ERR_FILTER;
  if (out->kind == DG_COND_VAR)
    drop_global (out->name);
  if (out->kind == DG_COND_ADDR && !read_addresses (out)) {
    int code = fail (err, side, column,
                     "'%.40s' are not addresses: addr:START..END", out->name);

    g_clear_pointer (&out->name, g_free);
    return code;
  }
  return 0;
}

bool
dg_filter_begins_condition (const char *text)
{
  size_t length;

  skip_not (&text);
  length = strcspn (text, ":,");
  return text[length] == ':' && find_keyword (text, length) != NULL;
}

char *
dg_filter_quote (const char *name)
{
  char *quoted = malloc (2 * strlen (name) + 1), *to = quoted;

  if (quoted == NULL)
    return NULL;
  for (; *name != '\0'; name++) {
    if (*name == ',' || *name == '\\')
      *to++ = '\\';
    *to++ = *name;
  }
  *to = '\0';
  return quoted;
}

char *
dg_filter_condition_text (const char *conditions, size_t i)
{
  const char *start = conditions != NULL ? conditions : "", *end;

  for (;; start = end + 1) {
    start += strspn (start, " ");
    for (end = start; *end != '\0' && *end != ','; end++)
      if (*end == '\\' && end[1] != '\0')
        end++;
    if (i == 0 || *end == '\0')
      break;
    i--;
  }
  return i == 0 && (end > start || *end == ',')
           ? strndup (start, (size_t) (end - start))
           : NULL;
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
    at += strspn (at, " ");
  }
}

bool
dg_filter_has_kind (const GArray *conditions,
                    enum dg_filter_condition_kind kind)
{
  for (guint i = 0; i < conditions->len; i++)
    if (g_array_index (conditions, struct dg_filter_condition, i).kind == kind)
      return true;
  return false;
}

bool
dg_filter_has_stack (const GArray *conditions)
{
  for (guint i = 0; i < conditions->len; i++)
    if (dg_filter_condition_has_stack (
          &g_array_index (conditions, struct dg_filter_condition, i)))
      return true;
  return false;
}

bool
dg_filter_has_label (const GArray *conditions, const char *label)
{
  for (guint i = 0; i < conditions->len; i++) {
    const struct dg_filter_condition *c
      = &g_array_index (conditions, struct dg_filter_condition, i);

    if (c->kind == DG_COND_USER && strcmp (c->name, label) == 0)
      return true;
  }
  return false;
}

const char *
dg_filter_kind_word (enum dg_filter_condition_kind kind)
{
  return keywords[kind].prefix;
}

bool
dg_filter_condition_meets_thread (const struct dg_filter_condition *condition,
                                  const struct dg_thread *thread)
{
  char number[16];

  g_snprintf (number, sizeof number, "%u", thread->number);
  return condition->kind == DG_COND_THREAD
         && (strcmp (condition->name, number) == 0
             || strcmp (condition->name, thread->name) == 0);
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
  case DG_COND_THREAD:
  case DG_COND_VAR:
  case DG_COND_ADDR:
    break;
  }
  return false;
}
