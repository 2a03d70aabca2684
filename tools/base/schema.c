/* schema.c: `dg --schema`: the JSON Schemas of what commands write with
   --json.  The texts are those of docs/schema/, compiled in by
   schema_table.awk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "schema.h"

#include "cli.h"
#include "output.h"

#include <string.h>

/* Of several analyses at once.  */
#define SEVERAL "analyses"
/* What a schema refers to another one by, before its name.  */
#define REFERENCE "\"$ref\": \"urn:datagrind:"

static const struct schema *
find (const char *name)
{
  size_t n;
  const struct schema *table = schema_table (&n);

  for (size_t i = 0; i < n; i++)
    if (strcmp (table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

const char *
schema_id (const char *name)
{
  const struct schema *schema = find (name);

  return schema != NULL ? schema->id : find (SCHEMA_PLUGIN)->id;
}

/* ---- Showing ---------------------------------------------------------- */

/* The schema that is referred to in the line, or NULL.  */
static const struct schema *
referred_in (const char *line)
{
  const char *at = strstr (line, REFERENCE);
  const struct schema *schema;
  char *name;

  if (at == NULL)
    return NULL;
  at += strlen (REFERENCE);
  name = g_strndup (at, strcspn (at, ":\""));
  schema = find (name);
  g_free (name);
  return schema;
}

static size_t
n_lines (const struct schema *schema)
{
  size_t n = 0;

  while (schema->lines[n] != NULL)
    n++;
  return n;
}

/* Its first n lines; the last one without its newline.  */
static void
put_lines (struct output *out, const struct schema *schema, size_t n,
           const char *indent)
{
  for (size_t i = 0; i < n; i++) {
    const char *line = schema->lines[i];

    output_text (out, i > 0 ? indent : "");
    output_bytes (out, line, strlen (line) - (i + 1 == n));
  }
}

/* A schema that refers to others has them among its definitions, which are its
   last member, so that it can be used without other files.  */
static void
put_schema (struct output *out, const struct schema *schema)
{
  bool has_others = false;

  for (const char *const *line = schema->lines; *line != NULL; line++)
    has_others |= referred_in (*line) != NULL;
  put_lines (out, schema, n_lines (schema) - (has_others ? 2 : 0), "");
  for (const char *const *line = schema->lines; *line != NULL; line++) {
    const struct schema *other = referred_in (*line);

    if (other == NULL)
      continue;
    output_format (out, ",\n    \"%s\": ", other->name);
    put_lines (out, other, n_lines (other), "    ");
  }
  output_text (out, has_others ? "\n  }\n}\n" : "\n");
}

static int
list (void)
{
  struct output out;
  size_t n;
  const struct schema *table = schema_table (&n);

  output_init (&out);
  for (size_t i = 0; i < n; i++)
    output_format (&out, "%-16s  %s\n", table[i].name, table[i].title);
  return output_finish (&out);
}

/* ---- Names ------------------------------------------------------------ */

static int
fail_name (const char *name)
{
  struct dg_nearest *nearest = dg_nearest_new (name, NULL);
  size_t n;
  const struct schema *table = schema_table (&n);
  char *hint;
  int status;

  if (nearest == NULL)
    return cli_fail_usage (NULL, "there is no schema '%s'", name);
  for (size_t i = 0; i < n; i++)
    dg_nearest_add (nearest, table[i].name);
  hint = dg_nearest_hint (nearest);
  status = cli_fail_usage (NULL, "there is no schema '%s'%s", name, hint);
  g_free (hint);
  dg_nearest_free (nearest);
  return status;
}

/* Of "counts,reuse", all must exist: CLI_OK, or the exit status.  */
static int
check_names (const char *names)
{
  char **list = g_strsplit (names, ",", -1);
  int status = CLI_OK;

  for (char **name = list; *name != NULL && status == CLI_OK; name++)
    if (find (*name) == NULL)
      status = fail_name (*name);
  g_strfreev (list);
  return status;
}

int
schema_show (int argc, char **argv)
{
  struct output out;
  char *name, **words;
  int status;

  if (argc == 0)
    return list ();
  words = g_new0 (char *, (gsize) argc + 1);
  memcpy (words, argv, (gsize) argc * sizeof *words);
  /* dg --schema allocs stats  */
  name = g_strjoinv ("-", words);
  g_free (words);
  status = check_names (name);
  if (status == CLI_OK) {
    output_init (&out);
    put_schema (&out, find (strchr (name, ',') != NULL ? SEVERAL : name));
    status = output_finish (&out);
  }
  g_free (name);
  return status;
}
