/* advise_sarif.c: findings as SARIF 2.1.0, the format in which code hosts and
   editors take the results of analysers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef HAVE_CONFIG_H
#  include "config.h"
#endif

#include "advise_format.h"

#include "base/json_text.h"
#include "base/partial.h"

#include <inttypes.h>
#include <string.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"
/* The folder of sources, as code hosts call it.  */
#define ROOT "%SRCROOT%"
/* Changes with what fingerprints are made of.  */
#define FINGERPRINT "datagrindFinding/v1"

/* `"KEY": {"text": TEXT}`  */
static void
put_message (struct output *out, const char *key, const char *text)
{
  output_format (out, "\"%s\": {\"text\": ", key);
  json_text_string (out, text);
  output_text (out, "}");
}

/* ---- The tool --------------------------------------------------------- */

static void
put_rule (const struct advise_rule *rule, struct output *out)
{
  char *title = g_strconcat (rule->title, ".", NULL);
  char *help = g_strdup_printf (
    "%s\n\nIt is reported from %.0f %% of the %s on.  These commands show"
    " more: %s.", rule->what, rule->least * 100,
    advise_measure_text (rule->measure),
    rule->evidence);

  output_text (out, "            {\"id\": ");
  json_text_string (out, rule->name);
  output_text (out, ",\n             ");
  put_message (out, "shortDescription", title);
  output_text (out, ",\n             ");
  put_message (out, "fullDescription", rule->what);
  output_text (out, ",\n             ");
  put_message (out, "help", help);
  output_format (out, ",\n             \"defaultConfiguration\": {\"level\":"
                      " \"note\"}, \"properties\": {\"tags\":"
                      " [\"performance\", \"%s\"]}}",
                 rule->measure == ADVISE_TIME ? "time" : "memory");
  g_free (help);
  g_free (title);
}

static void
put_tool (struct output *out)
{
  size_t n;
  const struct advise_rule *rules = advise_rules (&n);

  output_text (out, "      \"tool\": {\n"
                    "        \"driver\": {\n"
                    "          \"name\": \"Datagrind\",\n"
                    "          \"version\": \"" PACKAGE_VERSION "\",\n"
                    "          \"rules\": [\n");
  for (size_t i = 0; i < n; i++) {
    put_rule (&rules[i], out);
    output_text (out, i + 1 < n ? ",\n" : "\n");
  }
  output_text (out, "          ]\n        }\n      },\n");
}

static size_t
rule_index (const struct advise_finding *finding)
{
  size_t n, i = 0;
  const struct advise_rule *rules = advise_rules (&n);

  while (i < n && strcmp (rules[i].name, finding->rule) != 0)
    i++;
  return i;
}

/* ---- Results ---------------------------------------------------------- */

static void
put_physical (const struct advise_root *root, const struct advise_code *code,
              uint32_t line, struct output *out)
{
  char *path = advise_place_path (root, code);
  char *uri = advise_place_uri (path);

  output_text (out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
  json_text_string (out, uri);
  if (path[0] != '/')
    output_text (out, ", \"uriBaseId\": \"" ROOT "\"");
  output_text (out, "}");
  if (code->file != NULL && line > 0)
    output_format (out, ", \"region\": {\"startLine\": %" PRIu32 "}", line);
  output_text (out, "}");
  g_free (uri);
  g_free (path);
}

static void
put_logical (const struct advise_finding *finding, struct output *out)
{
  const char *function = finding->code.function;
  const char *memory = finding->memory;

  if (function == NULL && memory == NULL)
    return;
  output_text (out, ",\n           \"logicalLocations\": [");
  if (function != NULL) {
    output_text (out, "{\"kind\": \"function\", \"fullyQualifiedName\": ");
    json_text_string (out, function);
    output_text (out, memory != NULL ? "}, " : "}");
  }
  if (memory != NULL) {
    /* An allocation site is none.  */
    output_format (out, "{%s\"fullyQualifiedName\": ",
                   strchr (memory, '(') == NULL ? "\"kind\": \"variable\", "
                                                : "");
    json_text_string (out, memory);
    output_text (out, "}");
  }
  output_text (out, "]");
}

static void
put_related (const struct advise_root *root,
             const struct advise_finding *finding, struct output *out)
{
  if (finding->others->len == 0 || finding->code.file == NULL)
    return;
  output_text (out, ",\n         \"relatedLocations\": [");
  for (guint i = 0; i < finding->others->len; i++) {
    output_format (out, "%s{\"id\": %u, ", i > 0 ? ",\n           " : "",
                   i + 1);
    put_message (out, "message", "This line is a part of the finding.");
    output_text (out, ", ");
    put_physical (root, &finding->code,
                  g_array_index (finding->others, uint32_t, i), out);
    output_text (out, "}");
  }
  output_text (out, "]");
}

static void
put_result (const struct advise_work *work, const struct advise_root *root,
            guint i, struct output *out)
{
  const struct advise_finding *finding = work->found->pdata[i];
  char *message = advise_finding_message (finding);
  char *print = advise_place_print (root, work->found, i);

  output_text (out, "        {\"ruleId\": ");
  json_text_string (out, finding->rule);
  output_format (out, ", \"ruleIndex\": %zu, \"level\": \"%s\", \"rank\": ",
                 rule_index (finding),
                 advise_finding_is_warning (finding) ? "warning" : "note");
  json_text_real (out, finding->share * 100);
  output_text (out, ",\n         ");
  put_message (out, "message", message);
  output_text (out, ",\n         \"locations\": [{");
  put_physical (root, &finding->code, finding->code.line, out);
  put_logical (finding, out);
  output_text (out, "}]");
  put_related (root, finding, out);
  output_format (out, ",\n         \"partialFingerprints\": {\"" FINGERPRINT
                      "\": \"%s\"}", print);
  output_format (out, ",\n         \"properties\": {\"measure\": \"%s\","
                      " \"amount\": %" PRIu64 ", \"evidence\": ",
                 finding->measure == ADVISE_TIME ? "time" : "memory",
                 (uint64_t) finding->amount);
  json_text_string (out, finding->evidence);
  output_text (out, "}}");
  g_free (print);
  g_free (message);
}

/* ---- The run ---------------------------------------------------------- */

/* Several programs of one repository are apart by the name of theirs.  */
static void
put_identity (const struct advise_work *work, const struct advise_root *root,
              struct output *out)
{
  const struct dg_process *process = dg_log_process (work->log.log.log);
  const char *path = process != NULL && process->exe != NULL ? process->exe
                                                             : "";
  char *base = g_path_get_basename (path);
  char *id = g_strdup_printf ("datagrind/%s/", path[0] != '\0' ? base : "");
  char *folder = g_strconcat (root->path, "/", NULL);
  char *uri = advise_place_uri (folder);

  output_text (out, "      \"automationDetails\": {\"id\": ");
  json_text_string (out, id);
  output_text (out, "},\n      \"originalUriBaseIds\": {\"" ROOT
                    "\": {\"uri\": ");
  json_text_string (out, uri);
  output_text (out, "}},\n");
  g_free (uri);
  g_free (folder);
  g_free (id);
  g_free (base);
}

static void
put_invocation (const struct advise_work *work, struct output *out)
{
  char *partial = partial_text (work->log.log.log);

  output_text (out, "      \"invocations\": [{\"executionSuccessful\": true");
  if (partial != NULL) {
    output_text (out, ",\n        \"toolExecutionNotifications\":"
                      " [{\"level\": \"warning\", ");
    put_message (out, "message", partial);
    output_text (out, "}]");
  }
  output_text (out, "}],\n");
  g_free (partial);
}

void
advise_sarif_put (const struct advise_work *work,
                  const struct advise_root *root, guint n, struct output *out)
{
  const struct advise_facts *facts = &work->facts;

  output_text (out, "{\n  \"$schema\": \"" SCHEMA "\",\n"
                    "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n");
  put_tool (out);
  put_identity (work, root, out);
  put_invocation (work, out);
  output_format (out, "      \"properties\": {\"instructions\": %" PRIu64
                      ", \"estimatedCycles\": %" PRIu64 "},\n",
                 facts->instructions, (uint64_t) facts->cycles);
  output_text (out, "      \"results\": [");
  for (guint i = 0; i < n; i++) {
    output_text (out, i == 0 ? "\n" : ",\n");
    put_result (work, root, i, out);
  }
  output_text (out, n > 0 ? "\n      ]" : "]");
  output_text (out, "\n    }\n  ]\n}\n");
}
