/* advise_finding.c: what a rule found, and the words of its sentences.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_finding.h"

#include "libdatagrind.h"

#include <inttypes.h>
#include <string.h>

/* ---- Findings --------------------------------------------------------- */

static void
change_free (void *data)
{
  struct advise_change *change = data;

  for (size_t i = 0; i < G_N_ELEMENTS (change->values); i++)
    g_free (change->values[i]);
  g_free (change);
}

struct advise_finding *
advise_finding_new (const struct advise_code *code, const char *memory)
{
  struct advise_finding *finding = g_new0 (struct advise_finding, 1);

  finding->code = (struct advise_code) {
    .function = g_strdup (code->function), .file = g_strdup (code->file),
    .module = g_strdup (code->module), .line = code->line};
  finding->memory = g_strdup (memory);
  finding->others = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  finding->changes = g_ptr_array_new_with_free_func (change_free);
  return finding;
}

void
advise_finding_free (void *data)
{
  struct advise_finding *finding = data;

  g_free (finding->text);
  g_free (finding->action);
  g_free ((char *) finding->code.function);
  g_free ((char *) finding->code.file);
  g_free ((char *) finding->code.module);
  g_free (finding->memory);
  g_free (finding->settings);
  g_array_unref (finding->others);
  g_ptr_array_unref (finding->changes);
  g_free (finding);
}

/* Names end no line: a newline would begin a paragraph.  */
static void
append (char **text, const char *format, va_list args)
{
  char *more = g_strdelimit (g_strdup_vprintf (format, args), "\n", '?');
  char *whole = *text != NULL ? g_strconcat (*text, more, NULL)
                              : g_strdup (more);

  g_free (*text);
  g_free (more);
  *text = whole;
}

void
advise_finding_say (struct advise_finding *finding, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  append (&finding->text, format, args);
  va_end (args);
}

void
advise_finding_do (struct advise_finding *finding, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  append (&finding->action, format, args);
  va_end (args);
}

/* ---- Repairs ---------------------------------------------------------- */

void
advise_finding_try (struct advise_finding *finding, const char *option,
                    char *value)
{
  struct advise_change *change;

  if (value == NULL)
    return;
  change = g_new0 (struct advise_change, 1);
  change->options[0] = option;
  change->values[0] = value;
  g_ptr_array_add (finding->changes, change);
}

void
advise_finding_try_with (struct advise_finding *finding, const char *option,
                         char *value)
{
  GPtrArray *changes = finding->changes;
  struct advise_change *change;

  g_assert (changes->len > 0);
  change = changes->pdata[changes->len - 1];
  g_assert (change->options[1] == NULL);
  change->options[1] = option;
  change->values[1] = value;
}

void
advise_finding_predict (struct advise_finding *finding, double gain,
                        const char *saved)
{
  finding->is_predicted = true;
  finding->gain = gain;
  finding->saved = saved;
}

char *
advise_finding_command (const struct advise_finding *finding)
{
  const struct advise_change *change = finding->change;
  GString *text;

  if (change == NULL)
    return NULL;
  text = g_string_new ("dg whatif");
  for (size_t i = 0; i < G_N_ELEMENTS (change->options); i++)
    if (change->options[i] != NULL) {
      char *quoted = g_shell_quote (change->values[i]);

      g_string_append_printf (text, " --%s=%s", change->options[i], quoted);
      g_free (quoted);
    }
  if (finding->settings != NULL)
    g_string_append (text, finding->settings);
  return g_string_free (text, FALSE);
}

/* ---- Words ------------------------------------------------------------ */

char *
advise_code_text (const struct advise_code *code)
{
  const char *function = code->function != NULL ? code->function : "code";
  const char *path = code->file != NULL ? code->file : code->module;
  char *base = path != NULL ? g_path_get_basename (path) : NULL, *text;

  if (code->file != NULL && code->line > 0)
    text = g_strdup_printf ("%s (%s:%" PRIu32 ")", function, base,
                            code->line);
  else if (base != NULL)
    text = g_strdup_printf ("%s (in %s)", function, base);
  else
    text = g_strdup (function);
  g_free (base);
  return text;
}

/* Variables as their program calls them.  */
static const char *
without_scope (const char *memory)
{
  static const char global[] = "<global>.";

  return g_str_has_prefix (memory, global) ? memory + strlen (global)
                                           : memory;
}

char *
advise_memory_text (const char *memory, const struct advise_object *object)
{
  const char *name = memory != NULL ? without_scope (memory) : "memory";
  bool is_site = strchr (name, '(') != NULL && strchr (name, ':') != NULL;

  if (object != NULL && object->type != NULL && is_site)
    return g_strdup_printf ("%s of %s", object->type, name);
  return is_site ? g_strdup_printf ("the memory of %s", name)
                 : g_strdup (name);
}

char *
advise_count_text (uint64_t count)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text (text, sizeof text, count);
  return g_strdup (text);
}

char *
advise_bytes_text (uint64_t bytes)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text_bytes (text, sizeof text, bytes);
  return g_strdup (text);
}

const char *
advise_measure_text (enum advise_measure measure)
{
  return measure == ADVISE_TIME ? "estimated cycles" : "heap's bytes";
}

char *
advise_percent_text (double share)
{
  if (share > 0 && share < 0.01)
    return g_strdup ("less than 1 %");
  return g_strdup_printf ("%.0f %%", share * 100);
}

char *
advise_code_where (const struct advise_code *code)
{
  char *base, *text;

  if (code->file == NULL || code->line == 0)
    return g_strdup (code->function);
  base = g_path_get_basename (code->file);
  text = g_strdup_printf ("%s:%" PRIu32, base, code->line);
  g_free (base);
  return text;
}

char *
advise_memory_where (const char *memory)
{
  return memory != NULL ? g_strdup (without_scope (memory)) : NULL;
}

char *
advise_type_where (const struct advise_object *object)
{
  const char *type = object != NULL ? object->type : NULL;
  const char *array = type != NULL ? strstr (type, " [") : NULL;

  return array != NULL ? g_strndup (type, (size_t) (array - type))
                       : g_strdup (type);
}

char *
advise_fields_where (const struct advise_object *object, double least,
                     double most)
{
  char *type = advise_type_where (object);
  const char *last = "";
  size_t start, last_n = 0;
  GString *text;

  if (type == NULL)
    return NULL;
  text = g_string_new (type);
  g_string_append_c (text, ':');
  start = text->len;
  for (guint i = 0; i < object->fields->len; i++) {
    const struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);

    /* Of a member's member, dg whatif moves the whole member.  */
    int n = (int) strcspn (field->name, ".");

    if (field->share >= least && field->share <= most
        && !advise_field_is_padding (field)
        && ((int) last_n != n || strncmp (last, field->name, last_n) != 0)) {
      g_string_append_printf (text, "%s%.*s", text->len > start ? "," : "", n,
                              field->name);
      last = field->name;
      last_n = (size_t) n;
    }
  }
  g_free (type);
  return g_string_free (text, text->len == start);
}

/* A smaller change of the misses is not told.  */
#define TOLD_MISSES 0.05

char *
advise_finding_prediction (const struct advise_finding *finding)
{
  char *command = advise_finding_command (finding), *gain, *text;
  char *misses = NULL;

  if (!finding->is_predicted)
    return NULL;
  gain = advise_percent_text (MAX (finding->gain, 0));
  if (finding->misses_change <= -TOLD_MISSES)
    misses = advise_percent_text (-finding->misses_change);
  if (command == NULL)
    text = g_strdup_printf ("%s %s.", gain, finding->saved);
  else
    text = g_strdup_printf ("%s fewer cycles%s%s%s (%s).", gain,
                            misses != NULL ? ", " : "",
                            misses != NULL ? misses : "",
                            misses != NULL ? " fewer misses of the first level"
                                           : "", command);
  g_free (gain);
  g_free (misses);
  g_free (command);
  return text;
}

/* Names beyond these many characters are not listed.  */
#define NAMES_LENGTH 70

char *
advise_fields_text (const struct advise_object *object, double least,
                    double most, uint32_t *bytes)
{
  GString *text = g_string_new (NULL);
  uint32_t sum = 0;

  for (guint i = 0; object != NULL && i < object->fields->len; i++) {
    const struct advise_field *field =
      &g_array_index (object->fields, struct advise_field, i);
    bool is_met = most < 0 ? field->reads + field->writes == 0
                           : field->share >= least && field->share <= most;

    if (!is_met || advise_field_is_padding (field))
      continue;
    sum += field->size;
    if (text->len < NAMES_LENGTH)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              field->name);
    else if (!g_str_has_suffix (text->str, ", ..."))
      g_string_append (text, ", ...");
  }
  if (bytes != NULL)
    *bytes = sum;
  return g_string_free (text, text->len == 0);
}
