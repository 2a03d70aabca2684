/* heap_render.c: `dg heap --render`: a picture of the heap over time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_parts.h"

#include "libdatagrind.h"
#include "format.h"
#include "heap_chart.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "picture_file.h"
#include "base/printable.h"

#include <string.h>

/* Of a picture; this is what people look at on a slide.  */
#define USUAL_WIDTH  1200
#define USUAL_HEIGHT 675
#define MOST_SIDE    20000
#define LEAST_WIDTH  120
#define LEAST_HEIGHT 80

/* What the options come to.  */
struct render {
  struct dv_picture_file file;
  struct dg_curve_options curve;
  const struct dv_palette *palette;
};

/* ---- Options ---------------------------------------------------------- */

static int
set_by (const struct heap_options *options, struct render *render)
{
  const char *name;

  for (unsigned by = 0; options->by != NULL
                        && (name = dg_curve_by_name (by)) != NULL; by++)
    if (strcmp (options->by, name) == 0) {
      render->curve.by = by;
      return -1;
    }
  return options->by == NULL
           ? -1
           : cli_fail_usage (options->command,
                             "--by: for a picture, must be one of site, "
                             "function, module, allocator, thread, not '%s'",
                             options->by);
}

static int
set_palette (const struct heap_options *options, struct render *render)
{
  const char *theme = options->theme != NULL ? options->theme : "light";

  if (strcmp (theme, "light") != 0 && strcmp (theme, "dark") != 0)
    return cli_fail_usage (options->command,
                           "--theme: must be light or dark, not '%s'",
                           theme);
  render->palette = dv_palette_find (options->palette,
                                     strcmp (theme, "dark") == 0);
  if (render->palette == NULL) {
    char *names = g_strjoinv (", ", (char **) dv_palette_names ());
    int status = cli_fail_usage (options->command,
                                 "--palette: must be one of %s, not '%s'",
                                 names, options->palette);

    g_free (names);
    return status;
  }
  return -1;
}

/* A large picture of pixels is a usual one, enlarged: what is written on it
   must be readable.  */
static void
set_scale (struct dv_picture_file *file)
{
  double across = (double) file->width / USUAL_WIDTH;
  double down = (double) file->height / USUAL_HEIGHT;

  file->scale = MAX (1, MIN (across, down));
}

static int
set_render (const struct heap_options *options, struct render *render)
{
  struct dv_picture_file *file = &render->file;
  int status;

  if (!dv_format_of_file (options->render, &file->format))
    return cli_fail_usage (options->command,
                           "--render: the name must end in .png, .svg or"
                           " .pdf, not '%s'", options->render);
  file->width = USUAL_WIDTH;
  file->height = USUAL_HEIGHT;
  if (options->size != NULL
      && (!dv_parse_size (options->size, MOST_SIDE, &file->width,
                          &file->height)
          || file->width < LEAST_WIDTH || file->height < LEAST_HEIGHT))
    return cli_fail_usage (options->command,
                           "--size: must be WxH, from %ux%u to %ux%u, not "
                           "'%s'", LEAST_WIDTH, LEAST_HEIGHT, MOST_SIDE,
                           MOST_SIDE, options->size);
  set_scale (file);
  if (options->instructions != NULL
      && !dv_parse_interval (options->instructions,
                             &render->curve.start_icount,
                             &render->curve.end_icount))
    return cli_fail_usage (options->command,
                           "--instructions: must be I..J with I < J, not '%s'",
                           options->instructions);
  if (render->curve.end_icount == UINT64_MAX)
    render->curve.end_icount = 0;
  if (options->series < 0 || options->series > (int) DG_CURVE_MAX_SERIES)
    return cli_fail_usage (options->command,
                           "--series: must be from 1 to %u",
                           DG_CURVE_MAX_SERIES);
  render->curve.size = sizeof render->curve;
  render->curve.series = (uint32_t) options->series;
  render->curve.columns = MIN (file->width, DG_CURVE_MAX_COLUMNS);
  render->curve.time = options->massif.time_unit == DG_MASSIF_TIME_B
                         ? DG_CURVE_BYTES
                       : options->massif.time_unit == DG_MASSIF_TIME_MS
                         ? DG_CURVE_NS
                         : DG_CURVE_INSTRUCTIONS;
  status = set_by (options, render);
  return status >= 0 ? status : set_palette (options, render);
}

int
heap_render_check (const struct heap_options *options)
{
  struct render render = {{0}};

  if (options->render != NULL)
    return set_render (options, &render);
  if (options->size != NULL || options->theme != NULL
      || options->palette != NULL || options->title != NULL
      || options->series != 0
      || (options->instructions != NULL && options->folded == NULL))
    return cli_fail_usage (options->command,
                           "--size, --theme, --palette, --title, "
                           "--instructions and --series need --render");
  return -1;
}

/* ---- The picture ------------------------------------------------------ */

static void
draw (void *user, cairo_t *cr, double width, double height, GString *texts)
{
  const struct dv_heap_chart *chart = user;
  struct dv_heap_layout layout;

  dv_heap_chart_layout (chart, cr, width, height, &layout);
  dv_heap_chart_draw (chart, &layout, cr, texts);
}

/* The command that was recorded, or else the file's name.  */
static char *
usual_title (const struct cli_log *log)
{
  const struct dg_process *process = dg_log_process (log->log);

  return process != NULL ? cli_log_command (process)
                         : g_path_get_basename (log->path);
}

static int
print_peak (const struct heap_input *input, const struct dg_curve *curve)
{
  char *bytes = printable_number (curve->peak_bytes);
  char *blocks = printable_number (curve->peak_blocks);
  char *icount = printable_number (curve->peak_icount);
  struct output out;

  output_init (&out);
  output_name (&out, input->options->render);
  if (curve->peak_bytes > 0)
    output_format (&out, ": peak %s bytes in %s block%s after %s"
                   " instructions\n", bytes, blocks,
                   curve->peak_blocks == 1 ? "" : "s", icount);
  else
    output_text (&out, ": the heap is empty there\n");
  g_free (bytes);
  g_free (blocks);
  g_free (icount);
  return output_finish (&out);
}

static int
write_picture (const struct heap_input *input, struct render *render,
               const struct dg_curve *curve)
{
  const struct heap_options *options = input->options;
  char *title = options->title != NULL ? g_strdup (options->title)
                                       : usual_title (input->log);
  struct dv_heap_chart chart = {
    .curve = curve, .palette = render->palette, .has_legend = true,
    .selected = DG_NONE, .title = *title != '\0' ? title : NULL
  };
  struct dg_error error;
  struct output out;
  GByteArray *bytes;
  int status;

  render->file.title = chart.title;
  render->file.draw = draw;
  render->file.user = &chart;
  bytes = dv_picture_file (&render->file, &error);
  if (bytes == NULL) {
    status = cli_fail ("%s: %s", options->render, error.message);
  } else {
    status = output_open (&out, options->render, input->log->path);
    if (status == CLI_OK) {
      output_bytes (&out, (const char *) bytes->data, bytes->len);
      status = output_finish (&out);
    }
    g_byte_array_unref (bytes);
  }
  g_free (title);
  return status == CLI_OK ? print_peak (input, curve) : status;
}

struct dg_curve_source *
heap_curve_source (const struct heap_input *input, struct interrupt *interrupt,
                   struct dg_error *err)
{
  const struct dg_massif_options *massif = &input->options->massif;
  struct dg_curve_source_options options = {.size = sizeof options,
                                            .alloc_fns = massif->alloc_fns,
                                            .n_alloc_fns = massif->n_alloc_fns,
                                            .ignore_fns = massif->ignore_fns,
                                            .n_ignore_fns =
                                              massif->n_ignore_fns};

  return dg_curve_source_new (input->log->log, input->symbols, &options,
                              interrupt_progress_fn, interrupt, err);
}

int
heap_render (const struct heap_input *input)
{
  struct render render = {{0}};
  struct interrupt interrupt;
  struct dg_curve_source *source;
  struct dg_curve *curve = NULL;
  struct dg_error error;
  int status = set_render (input->options, &render);

  if (status >= 0)
    return status;
  if (render.curve.start_icount
      > dg_log_summary (input->log->log)->last_icount)
    return cli_fail ("%s: the log ends before the selected instructions",
                     input->log->path);
  interrupt_begin (&interrupt, input->log->progress, "sites", 0.5);
  source = heap_curve_source (input, &interrupt, &error);
  cli_progress_phase (input->log->progress, "curve", 0.5);
  if (source != NULL)
    dg_curve_build (source, &render.curve, interrupt_progress_fn, &interrupt,
                    &curve, &error);
  interrupt_end (&interrupt);
  status = curve != NULL ? write_picture (input, &render, curve)
                         : cli_fail ("%s: %s", input->log->path,
                                     error.message);
  dg_curve_free (curve);
  dg_curve_source_free (source);
  cli_warn_of_symbols (input->symbols);
  return status;
}
