/* diff_results.c: what limits say, as files for other programs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_results.h"

#include "base/cli.h"
#include "base/json_text.h"
#include "base/output.h"
#include "base/printable.h"
#include "diff_limit.h"

/* ---- JUnit ------------------------------------------------------------ */

/* Attributes of XML have no control characters, whatever names of rows
   have.  */
static void
put_attribute (struct output *out, const char *name, const char *text)
{
  char *printable = printable_text (text);
  char *escaped = g_markup_escape_text (printable, -1);

  output_format (out, " %s=\"", name);
  output_text (out, escaped);
  output_text (out, "\"");
  g_free (escaped);
  g_free (printable);
}

static void
put_test (struct output *out, const struct diff_limit *limit)
{
  output_text (out, "    <testcase classname=\"dg diff\"");
  put_attribute (out, "name", limit->text);
  if (!limit->is_broken) {
    output_text (out, "/>\n");
    return;
  }
  output_text (out, ">\n      <failure");
  put_attribute (out, "message", limit->says);
  output_text (out, "/>\n    </testcase>\n");
}

static void
put_junit (struct output *out, const GArray *limits)
{
  unsigned n_broken = 0;

  for (guint i = 0; i < limits->len; i++)
    n_broken += g_array_index (limits, struct diff_limit, i).is_broken;
  output_format (out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites>\n"
                 "  <testsuite name=\"dg diff\" tests=\"%u\""
                 " failures=\"%u\">\n", limits->len, n_broken);
  for (guint i = 0; i < limits->len; i++)
    put_test (out, &g_array_index (limits, struct diff_limit, i));
  output_text (out, "  </testsuite>\n</testsuites>\n");
}

/* ---- Benchmarks ------------------------------------------------------- */

static const char *
unit_text (enum dg_unit unit)
{
  switch (unit) {
  case DG_UNIT_BYTES: return "bytes";
  case DG_UNIT_NS: return "ns";
  case DG_UNIT_PERCENT: return "share";
  default: return "";
  }
}

static void
put_benchmark (struct output *out, const GArray *limits)
{
  output_text (out, "[");
  for (guint i = 0; i < limits->len; i++) {
    const struct diff_limit *limit =
      &g_array_index (limits, struct diff_limit, i);
    char *name = limit->row != NULL
                   ? g_strdup_printf ("%s of %s", limit->key, limit->row)
                   : g_strdup (limit->key);

    output_text (out, i > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ");
    json_text_string (out, name);
    output_format (out, ", \"unit\": \"%s\", \"value\": ",
                   unit_text (limit->unit));
    json_text_real (out, limit->after);
    output_text (out, ",\n   \"extra\": ");
    json_text_string (out, limit->says);
    output_text (out, "}");
    g_free (name);
  }
  output_text (out, "\n]\n");
}

/* ---- Files ------------------------------------------------------------ */

static int
write_file (const char *path,
            void (*put) (struct output *out, const GArray *limits),
            const GArray *limits)
{
  struct output *out;
  int status;

  if (path == NULL)
    return CLI_OK;
  out = g_new0 (struct output, 1);
  status = output_open (out, path, NULL);
  if (status == CLI_OK) {
    put (out, limits);
    status = output_finish (out);
  }
  g_free (out);
  return status;
}

int
diff_results_write (const char *junit, const char *benchmark,
                    const GArray *limits)
{
  int status = write_file (junit, put_junit, limits);

  return status == CLI_OK ? write_file (benchmark, put_benchmark, limits)
                          : status;
}
