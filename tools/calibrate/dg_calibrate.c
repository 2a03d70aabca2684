/* dg_calibrate.c: `dg calibrate`: measures this machine for the time model.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/json_text.h"
#include "base/output.h"
#include "base/printable.h"
#include "base/schema.h"

#include <stdlib.h>
#include <string.h>

static const char *const origins[]
  = {"measured", "system", "table", "unsteady"};

/* ---- For people ---- */

#define ROW "%-30s%10s%10s%13s  %s\n"

/* What was not measured says where it is from instead of its spread.  */
static void
print_figure (struct output *out, const struct dg_calibrated_figure *figure)
{
  char value[DG_NUMBER_TEXT], table[DG_NUMBER_TEXT], spread[DG_NUMBER_TEXT];

  dg_number_text (value, sizeof value, figure->value);
  dg_number_text (table, sizeof table, figure->table);
  if (figure->by == DG_CALIBRATED_MEASURED)
    dg_number_text_percent (spread, sizeof spread, figure->spread);
  else
    g_strlcpy (spread, origins[figure->by], sizeof spread);
  output_format (out, ROW, figure->title, value, spread, table, figure->unit);
}

static void
print_text (struct output *out, const struct dg_calibration *calibration,
            const char *path)
{
  size_t n;
  const struct dg_calibrated_figure *figures
    = dg_calibration_figures (calibration, &n);
  const char *nearest = dg_calibration_nearest (calibration);
  char *safe = printable_text (path);
  bool is_unsteady = false;
  char ran[DG_NUMBER_TEXT];

  output_format (out, "Processor  %s\nNearest    %s (%s)\n\n",
                 dg_calibration_processor (calibration), nearest,
                 dg_calibration_nearest_title (calibration));
  output_style (out, OUTPUT_HEAD);
  output_format (out, ROW, "Figure", "Here", "Spread", nearest, "Unit");
  output_style (out, OUTPUT_PLAIN);
  for (size_t i = 0; i < n; i++) {
    print_figure (out, &figures[i]);
    is_unsteady = is_unsteady || figures[i].by == DG_CALIBRATED_UNSTEADY;
  }
  output_format (out, "\nWhat the system knows, and what is that of the table"
                      " of processors, is not\nmeasured.%s\n",
                 is_unsteady ? "  What is unsteady changes too much from run"
                               " to run, and is that of the\ntable, too:"
                               " measure again when less runs."
                             : "");
  if (dg_calibration_share (calibration) < 0.8) {
    dg_number_text_percent (ran, sizeof ran,
                            dg_calibration_share (calibration));
    output_format (out, "\nThe command ran for only %s of the time: the"
                        " machine is busy.  Figures of\nthe last cache and of"
                        " memory, which others use, too, are more exact"
                        " without that.\n", ran);
  }
  output_format (out, "\nKept in %s\n", safe);
  output_text (out, "Used by 'dg time', 'dg whatif' and 'dg advise' with "
                    "--machine=host, or with the\npath of the file, if that "
                    "is another.\n");
  g_free (safe);
}

/* ---- For programs ---- */

static void
print_json_figure (struct output *out,
                   const struct dg_calibrated_figure *figure)
{
  output_text (out, "    {\"figure\": ");
  json_text_string (out, figure->name);
  output_text (out, ", \"title\": ");
  json_text_string (out, figure->title);
  output_text (out, ", \"unit\": ");
  json_text_string (out, figure->unit);
  output_text (out, ", \"value\": ");
  output_decimal (out, figure->value);
  output_text (out, ", \"table_value\": ");
  output_decimal (out, figure->table);
  output_text (out, ", \"spread_share\": ");
  if (figure->spread >= 0)
    json_text_real (out, MIN (figure->spread, 1));
  else
    output_text (out, "null");
  output_text (out, ", \"origin\": ");
  json_text_string (out, origins[figure->by]);
  output_text (out, "}");
}

static void
print_json (struct output *out, const struct dg_calibration *calibration,
            const char *path)
{
  size_t n;
  const struct dg_calibrated_figure *figures
    = dg_calibration_figures (calibration, &n);

  output_text (out, "{\n  \"schema\": ");
  json_text_string (out, schema_id ("calibrate"));
  output_text (out, ",\n  \"cpu\": ");
  json_text_string (out, dg_calibration_processor (calibration));
  output_text (out, ",\n  \"machine\": ");
  json_text_string (out, dg_calibration_nearest (calibration));
  output_text (out, ",\n  \"kept_in\": ");
  json_text_string (out, path);
  output_text (out, ",\n  \"running_share\": ");
  json_text_real (out, dg_calibration_share (calibration));
  output_text (out, ",\n  \"measures\": [\n");
  for (size_t i = 0; i < n; i++) {
    print_json_figure (out, &figures[i]);
    output_text (out, i + 1 < n ? ",\n" : "\n");
  }
  output_text (out, "  ]\n}\n");
}

/* ---- The command ---- */

/* Where the file goes; to be freed with free.  Folders on the way to the
   usual place are made.  */
static char *
find_path (const char *kept)
{
  char *path, *folder;

  if (kept != NULL)
    return strdup (kept);
  path = dg_calibration_path ();
  if (path != NULL) {
    folder = g_path_get_dirname (path);
    g_mkdir_with_parents (folder, 0700);
    g_free (folder);
  }
  return path;
}

static int
measure (gboolean is_quick, struct dg_calibration **calibration)
{
  const struct dg_calibrate_options options
    = {.size = sizeof options, .is_quick = is_quick};
  struct cli_progress progress;
  struct dg_error error;
  int code;

  cli_progress_init (&progress, "this machine");
  cli_progress_phase (&progress, "measuring", 1);
  code = dg_calibrate (&options, cli_progress_fn, &progress, calibration,
                       &error);
  cli_progress_fini (&progress);
  return code == 0 ? CLI_OK : cli_fail ("%s", error.message);
}

static int
calibrate (const char *path, gboolean is_quick, gboolean as_json)
{
  struct dg_calibration *calibration;
  struct dg_error error;
  struct output out;
  const char *text;
  int status;

  /* Before the time is spent.  */
  if (dg_output_check (path, false, &error) < 0)
    return cli_fail ("%s", error.message);
  status = measure (is_quick, &calibration);
  if (status != CLI_OK)
    return status;
  text = dg_calibration_text (calibration);
  if (dg_output_save (path, text, strlen (text), &error) < 0)
    status = cli_fail ("%s: %s", path, error.message);
  else {
    output_init (&out);
    if (as_json)
      print_json (&out, calibration, path);
    else
      print_text (&out, calibration, path);
    status = output_finish (&out);
  }
  dg_calibration_free (calibration);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  gboolean as_json = FALSE, is_quick = FALSE;
  char *kept = NULL, *path;
  const GOptionEntry options[] = {
    {"keep-in", 0, 0, G_OPTION_ARG_FILENAME, &kept,
     "keep the figures in this file", "FILE"},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &is_quick,
     "fewer runs and less memory: less exact", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "write one JSON object", NULL},
    {NULL}};
  int status = cli_parse (command, options, &argc, argv, 0);

  if (status < 0) {
    path = find_path (kept);
    status = path != NULL ? calibrate (path, is_quick, as_json)
                          : cli_fail ("not enough memory");
    free (path);
  }
  g_free (kept);
  return status;
}

const struct cli_command command_calibrate = {
  .name = "calibrate",
  .args = "",
  .summary = "Measures this machine, for --machine=host of 'dg time'",
  .details = "Takes up to 20 seconds.  The figures are kept where "
             "--machine=host looks for\nthem, or in FILE, which --machine "
             "reads by its path, with a '/' in it.\n",
  .run = run};
