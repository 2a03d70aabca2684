/* complete_help.c: what --help of a command says, as a table: it has the names
   of all options, their values, and their choices.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "complete_help.h"

#include <string.h>

/* Texts go on in lines that are indented more than any option.  */
#define INDENT 20

/* ---- Options ---------------------------------------------------------- */

static void
option_free (gpointer data)
{
  struct complete_option *option = data;

  g_free (option->name);
  g_free (option->value);
  g_free (option->text);
  g_free (option);
}

static size_t
name_length (const char *text)
{
  return strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                       "0123456789-");
}

/* "  -o, --output=FILE   text"; NULL if the line is another one.  */
static struct complete_option *
read_option (const char *line)
{
  struct complete_option *option;
  const char *at = line + strspn (line, " "), *name;
  char short_name = 0;
  size_t n;

  if (at == line || at - line >= INDENT)
    return NULL;
  if (at[0] == '-' && at[1] != '-' && at[1] != '\0' && at[2] == ','
      && at[3] == ' ') {
    short_name = at[1];
    at += 4;
  }
  if (strncmp (at, "--", 2) != 0)
    return NULL;
  name = at + 2;
  n = name_length (name);
  if (n == 0 || !g_ascii_isalpha (name[0])
      || (name[n] != '=' && name[n] != ' ' && name[n] != '\0'))
    return NULL;
  option = g_new0 (struct complete_option, 1);
  option->short_name = short_name;
  option->name = g_strndup (name, n);
  at = name + n;
  if (*at == '=') {
    n = strcspn (at + 1, " ");
    option->value = g_strndup (at + 1, n);
    at += n + 1;
  }
  at += strspn (at, " ");
  /* "--schema [COMMAND]": an argument of its own.  */
  if (*at == '[')
    at += strcspn (at, "]") + 1;
  option->text = g_strdup (at + strspn (at, " "));
  return option;
}

static void
read_options (struct complete_help *help)
{
  struct complete_option *last = NULL;

  for (char **line = help->lines; *line != NULL; line++) {
    struct complete_option *option = read_option (*line);
    size_t indent = strspn (*line, " ");

    if (option != NULL) {
      g_ptr_array_add (help->options, option);
      last = option;
    } else if (last != NULL && indent >= INDENT && (*line)[indent] != '\0') {
      char *more = g_strconcat (last->text, " ", *line + indent, NULL);

      g_free (last->text);
      last->text = more;
    } else {
      last = NULL;
    }
  }
}

/* What follows the name of the command: "[OPTION]... LOG".  */
static char *
read_args (char **lines)
{
  for (; *lines != NULL; lines++) {
    const char *at;

    /* GLib writes "Usage:", and in the next line "  PROGRAM [OPTION]...".  */
    if (strcmp (*lines, "Usage:") == 0 && lines[1] != NULL) {
      at = strchr (lines[1] + strspn (lines[1], " "), ' ');
      return g_strdup (at != NULL ? at + 1 : "");
    }
    if (g_str_has_prefix (*lines, "Usage: ")) {
      at = strchr (*lines + strlen ("Usage: "), ' ');
      at = at != NULL ? strchr (at + 1, ' ') : NULL;
      return g_strdup (at != NULL ? at + 1 : "");
    }
  }
  return g_strdup ("");
}

void
complete_help_init (struct complete_help *help, const char *text)
{
  help->lines = g_strsplit (text, "\n", -1);
  help->args = read_args (help->lines);
  help->options = g_ptr_array_new_with_free_func (option_free);
  read_options (help);
}

void
complete_help_fini (struct complete_help *help)
{
  g_strfreev (help->lines);
  g_free (help->args);
  g_ptr_array_unref (help->options);
}

const struct complete_option *
complete_help_find (const struct complete_help *help, const char *word)
{
  bool is_long = g_str_has_prefix (word, "--");
  size_t n = is_long ? strcspn (word + 2, "=") : 0;

  if (word[0] != '-' || word[1] == '\0')
    return NULL;
  for (guint i = 0; i < help->options->len; i++) {
    const struct complete_option *option = help->options->pdata[i];

    if (is_long ? strlen (option->name) == n
                    && strncmp (option->name, word + 2, n) == 0
                : option->short_name == word[1])
      return option;
  }
  return NULL;
}

/* ---- Choices ---------------------------------------------------------- */

/* Adds "a, b, c or d" if all of these are words; else nothing.  */
static void
add_list (GPtrArray *choices, const char *text, size_t length)
{
  char *list = g_strndup (text, length), **items, *comma;
  bool is_list = true;

  while ((comma = strstr (list, " or ")) != NULL)
    memcpy (comma, ",   ", 4);
  items = g_strsplit (list, ",", -1);
  for (char **item = items; *item != NULL; item++) {
    g_strstrip (*item);
    is_list &= (*item)[0] != '\0' && g_ascii_isalnum ((*item)[0])
               && name_length (*item) == strlen (*item)
               && strcmp (*item, "default") != 0;
  }
  for (char **item = items; is_list && *item != NULL; item++)
    if (!g_ptr_array_find_with_equal_func (choices, *item, g_str_equal, NULL))
      g_ptr_array_add (choices, g_strdup (*item));
  g_strfreev (items);
  g_free (list);
}

/* Adds "a; b, with more; or c": the first word of each part.  */
static void
add_parts (GPtrArray *choices, const char *text)
{
  char **parts = g_strsplit (text, ";", -1);
  GString *list = g_string_new (NULL);

  for (char **part = parts; *part != NULL; part++) {
    const char *at = *part + strspn (*part, " ");

    at += g_str_has_prefix (at, "or ") ? 3 : 0;
    g_string_append_printf (list, "%s%.*s", list->len > 0 ? "," : "",
                            (int) strcspn (at, ","), at);
  }
  add_list (choices, list->str, list->len);
  g_string_free (list, TRUE);
  g_strfreev (parts);
}

/* Those in brackets before the end of a text.  */
static void
add_brackets (GPtrArray *choices, const char *text, const char *end)
{
  while ((text = strchr (text, '(')) != NULL && text < end) {
    add_list (choices, text + 1, strcspn (text + 1, ";)"));
    text++;
  }
}

/* The text from there on, without brackets; to be freed.  */
static char *
without_brackets (const char *text)
{
  GString *rest = g_string_new (NULL);

  while (*text != '\0') {
    size_t n = strcspn (text, "(");

    g_string_append_len (rest, text, (gssize) n);
    text += n;
    text += strcspn (text, ")");
    text += *text == ')' ? 1 : 0;
  }
  return g_string_free (rest, FALSE);
}

/* The colon before such a list is not in brackets.  */
static const char *
find_colon (const char *text)
{
  unsigned depth = 0;

  for (; *text != '\0'; text++) {
    depth += *text == '(' ? 1 : 0;
    depth -= *text == ')' && depth > 0 ? 1 : 0;
    if (depth == 0 && text[0] == ':' && text[1] == ' ')
      return text;
  }
  return NULL;
}

GPtrArray *
complete_help_choices (const struct complete_option *option)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func (g_free);
  const char *text = option->text, *colon = find_colon (text);
  char *rest = without_brackets (colon != NULL ? colon + 2 : "");

  if (option->value != NULL && strchr (option->value, ',') != NULL) {
    /* "SIZE,WAYS,LINE": what looks like a list is a default.  */
  } else if (option->value != NULL && strchr (option->value, '|') != NULL) {
    char *list = g_strdup (option->value);

    g_strdelimit (list, "|", ',');
    add_list (choices, list, strlen (list));
    g_free (list);
  } else {
    add_brackets (choices, text, colon != NULL ? colon : text + strlen (text));
    /* One word would be an explanation.  */
    if (strstr (rest, "; or ") != NULL)
      add_parts (choices, rest);
    else if (colon == NULL && strstr (text, " or ") != NULL)
      add_list (choices, text, strcspn (text, ",;"));
    else if (strchr (rest, ',') != NULL || strstr (rest, " or ") != NULL)
      add_list (choices, rest, strlen (rest));
  }
  g_free (rest);
  return choices;
}

/* ---- Sections --------------------------------------------------------- */

void
complete_help_section (const struct complete_help *help, const char *title,
                       GPtrArray *names, GPtrArray *texts)
{
  bool is_in = false;

  for (char **line = help->lines; *line != NULL; line++) {
    size_t indent = strspn (*line, " "), n = name_length (*line + indent);

    if (indent == 0)
      is_in = is_in ? (*line)[0] != '\0' : g_str_has_prefix (*line, title);
    else if (is_in && indent == 2 && n > 0) {
      const char *text = *line + indent + n;

      g_ptr_array_add (names, g_strndup (*line + indent, n));
      g_ptr_array_add (texts, g_strdup (text + strspn (text, " ")));
    }
  }
}
