/* advise_format.c: findings in the formats of editors and code hosts: lines as
   compilers write them, and GitLab's report.  SARIF is advise_sarif.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_format.h"

#include "base/json_text.h"
#include "base/printable.h"

#include <inttypes.h>
#include <string.h>

bool
advise_finding_is_warning (const struct advise_finding *finding)
{
  return finding->share >= ADVISE_WARNING;
}

char *
advise_finding_message (const struct advise_finding *finding)
{
  char *share = advise_percent_text (finding->share);
  char *prediction = advise_finding_prediction (finding);
  char *text = g_strdup_printf (
    "%s (%s of the %s): %s  %s%s%s", finding->title, share,
    advise_measure_text (finding->measure), finding->text, finding->action,
    prediction != NULL ? "  Predicted: " : "",
    prediction != NULL ? prediction : "");

  g_free (share);
  g_free (prediction);
  return text;
}

/* ---- Lines ------------------------------------------------------------ */

static void
put_place (struct output *out, const char *path, uint32_t line,
           bool is_warning)
{
  output_text (out, path);
  if (line > 0)
    output_format (out, ":%" PRIu32, line);
  output_text (out, is_warning ? ": warning: " : ": note: ");
}

static void
put_lines (const struct advise_root *root,
           const struct advise_finding *finding, struct output *out)
{
  const struct advise_code *code = &finding->code;
  uint32_t line = code->file != NULL ? code->line : 0;
  char *path = advise_place_path (root, code);
  char *message = advise_finding_message (finding);
  char *safe = printable_text (message), *safe_path = printable_text (path);

  put_place (out, safe_path, line, advise_finding_is_warning (finding));
  output_format (out, "%s [%s]\n", safe, finding->rule);
  for (guint i = 0; line > 0 && i < finding->others->len; i++) {
    put_place (out, safe_path,
               g_array_index (finding->others, uint32_t, i), false);
    output_format (out, "this is a part of the finding in line %" PRIu32
                        " [%s]\n", line, finding->rule);
  }
  g_free (safe_path);
  g_free (safe);
  g_free (message);
  g_free (path);
}

static void
put_gcc (const struct advise_work *work, const struct advise_root *root,
         guint n, struct output *out)
{
  for (guint i = 0; i < n; i++)
    put_lines (root, work->found->pdata[i], out);
}

/* ---- GitLab ----------------------------------------------------------- */

static void
put_issue (const struct advise_work *work, const struct advise_root *root,
           guint i, struct output *out)
{
  const struct advise_finding *finding = work->found->pdata[i];
  const struct advise_code *code = &finding->code;
  char *path = advise_place_path (root, code);
  char *message = advise_finding_message (finding);
  char *print = advise_place_print (root, work->found, i);

  output_text (out, i == 0 ? "\n" : ",\n");
  output_text (out, "  {\"type\": \"issue\", \"check_name\": ");
  json_text_string (out, finding->rule);
  output_text (out, ", \"description\": ");
  json_text_string (out, message);
  output_text (out, ", \"categories\": [\"Performance\"]");
  output_format (out, ", \"severity\": \"%s\", \"fingerprint\": \"%s\"",
                 advise_finding_is_warning (finding) ? "major" : "minor",
                 print);
  output_text (out, ", \"location\": {\"path\": ");
  json_text_string (out, path);
  /* It must have a line.  */
  output_format (out, ", \"lines\": {\"begin\": %" PRIu32 "}}}",
                 code->file != NULL ? MAX (code->line, 1) : 1);
  g_free (print);
  g_free (message);
  g_free (path);
}

static void
put_gitlab (const struct advise_work *work, const struct advise_root *root,
            guint n, struct output *out)
{
  output_text (out, "[");
  for (guint i = 0; i < n; i++)
    put_issue (work, root, i, out);
  output_text (out, n > 0 ? "\n]\n" : "]\n");
}

/* ---- The table -------------------------------------------------------- */

int
advise_format_find (const struct cli_command *command, const char *name,
                    const struct advise_format **format)
{
  static const struct advise_format formats[] = {
    {"gcc", put_gcc}, {"sarif", advise_sarif_put}, {"gitlab", put_gitlab}};
  static const char *const names[] = {"text", "gcc", "sarif", "gitlab", NULL};
  char *hint;
  int status;

  *format = NULL;
  if (name == NULL || strcmp (name, "text") == 0)
    return CLI_OK;
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, name) == 0) {
      *format = &formats[i];
      return CLI_OK;
    }
  hint = cli_hint (name, names);
  status = cli_fail_usage (command, "there is no format '%s'%s", name, hint);
  g_free (hint);
  return status;
}
