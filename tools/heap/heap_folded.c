/* heap_folded.c: `dg heap --folded`: what was allocated on each call path, for
   flame graphs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_parts.h"

#include "libdatagrind.h"
#include "format.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES   1024
#define PROGRESS_STEP 1024

enum weight { BYTES, BLOCKS, TEMPORARY, LEAKED, N_WEIGHTS };
static const char *const weights[N_WEIGHTS] = {"bytes", "blocks", "temporary",
                                               "leaked"};

struct folded {
  const struct heap_input *input;
  enum weight weight;
  uint64_t start, end;     /* of instructions */
  GHashTable *lines;       /* path -> uint64_t */
};

/* ---- Options ---------------------------------------------------------- */

static int
set_folded (const struct heap_options *options, struct folded *folded)
{
  const char *text = options->weight != NULL ? options->weight : weights[0];

  folded->weight = 0;
  while (folded->weight < N_WEIGHTS
         && strcmp (weights[folded->weight], text) != 0)
    folded->weight++;
  if (folded->weight == N_WEIGHTS)
    return cli_fail_usage (options->command,
                           "--weight: must be one of bytes, blocks, "
                           "temporary, leaked, not '%s'", text);
  folded->end = UINT64_MAX;
  if (options->instructions != NULL
      && !dv_parse_interval (options->instructions, &folded->start,
                             &folded->end))
    return cli_fail_usage (options->command,
                           "--instructions: must be I..J with I < J, not '%s'",
                           options->instructions);
  return -1;
}

int
heap_folded_check (const struct heap_options *options)
{
  struct folded folded = {0};

  if (options->folded != NULL)
    return set_folded (options, &folded);
  return options->weight == NULL
           ? -1
           : cli_fail_usage (options->command, "--weight needs --folded");
}

/* ---- Paths ------------------------------------------------------------ */

static uint64_t
weigh (const struct dg_allocation *one, enum weight weight)
{
  switch (weight) {
  case BLOCKS:
    return one->blocks;
  case TEMPORARY:
    return one->temporary;
  case LEAKED:
    return one->leaked;
  default:
    return one->bytes;
  }
}

/* What would end a name in such a file is replaced.  */
static void
append_name (GString *line, const struct dg_frame *frame)
{
  char *base = frame->module != NULL ? g_path_get_basename (frame->module)
                                     : NULL;
  char *name = frame->function != NULL
                 ? printable_text (frame->function)
               : base != NULL ? printable_text (base)
                              : g_strdup ("unknown code");

  g_strdelimit (name, ";", ':');
  if (frame->function == NULL && base != NULL)
    g_string_append (line, "code of ");
  g_string_append (line, name);
  g_free (name);
  g_free (base);
}

static void
add_line (struct folded *folded, const struct dg_site_options *how,
          struct dg_site_frame *frames, const struct dg_allocation *one)
{
  size_t n = dg_site_frames (how, &one->stack, one->icount, one->is_call,
                             frames, MOST_FRAMES);
  GString *line = g_string_new (n == 0 ? "unknown code" : NULL);
  uint64_t *sum;
  char *path;

  for (size_t i = n; i-- > 0;) {
    append_name (line, &frames[i].frame);
    if (i > 0)
      g_string_append_c (line, ';');
  }
  path = g_string_free (line, FALSE);
  sum = g_hash_table_lookup (folded->lines, path);
  if (sum == NULL) {
    sum = g_new0 (uint64_t, 1);
    g_hash_table_insert (folded->lines, path, sum);
  } else {
    g_free (path);
  }
  *sum += weigh (one, folded->weight);
}

static struct dg_allocators *
make_allocators (const struct dg_massif_options *massif, struct dg_error *err)
{
  struct dg_allocators *allocators = dg_allocators_new (NULL, err);

  for (size_t i = 0; allocators != NULL && i < massif->n_alloc_fns; i++)
    dg_allocators_add (allocators, massif->alloc_fns[i]);
  return allocators;
}

/* Names all stacks that have any.  */
static int
add_lines (struct folded *folded, const struct dg_allocation *all, size_t n,
           struct interrupt *interrupt, struct dg_error *err)
{
  struct dg_allocators *allocators =
    make_allocators (&folded->input->options->massif, err);
  const struct dg_site_options how = {.size = sizeof how,
                                      .allocators = allocators,
                                      .symbols = folded->input->symbols};
  struct dg_site_frame *frames = g_new (struct dg_site_frame, MOST_FRAMES);
  int code = allocators != NULL ? 0 : DG_ERR_NOMEM;

  for (size_t i = 0; i < n && code == 0; i++) {
    if (i % PROGRESS_STEP == 0
        && interrupt_progress_fn (interrupt, i, n) != 0)
      code = DG_ERR_CANCELLED;
    else if (weigh (&all[i], folded->weight) > 0)
      add_line (folded, &how, frames, &all[i]);
  }
  g_free (frames);
  dg_allocators_free (allocators);
  return code;
}

/* ---- Writing ---------------------------------------------------------- */

static int
write_lines (const struct folded *folded)
{
  const struct heap_options *options = folded->input->options;
  GList *paths = g_list_sort (g_hash_table_get_keys (folded->lines),
                              (GCompareFunc) strcmp);
  struct output out;
  int status = output_open (&out, options->folded, folded->input->log->path);

  if (status == CLI_OK) {
    for (const GList *path = paths; path != NULL; path = path->next) {
      output_text (&out, path->data);
      output_text (&out, " ");
      output_decimal (&out, *(const uint64_t *) g_hash_table_lookup (
                              folded->lines, path->data));
      output_text (&out, "\n");
    }
    status = output_finish (&out);
  }
  g_list_free (paths);
  return status;
}

int
heap_folded (const struct heap_input *input)
{
  struct folded folded = {.input = input};
  struct dg_allocation *all;
  size_t n;
  struct dg_error error = {0};
  struct interrupt interrupt;
  int status = set_folded (input->options, &folded), code;

  if (status >= 0)
    return status;
  folded.lines = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free,
                                        g_free);
  interrupt_begin (&interrupt, input->log->progress, "blocks", 0.5);
  code = dg_allocations_find (input->log->log, folded.start, folded.end,
                              interrupt_progress_fn, &interrupt, &all, &n,
                              &error);
  cli_progress_phase (input->log->progress, "names of stacks", 0.5);
  if (code >= 0)
    code = add_lines (&folded, all, n, &interrupt, &error);
  status = interrupt_finish (&interrupt, code, input->log->path, &error);
  if (status == CLI_OK)
    status = write_lines (&folded);
  cli_warn_of_symbols (input->symbols);
  g_hash_table_unref (folded.lines);
  free (all);
  return status;
}
