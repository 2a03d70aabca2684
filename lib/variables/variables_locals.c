/* variables_locals.c: the variables of a frame, by number.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "variables_locals.h"

#include "symbols/code_name.h"
#include "symbols/symbols_frames.h"
#include "symbols/symbols_layout.h"
#include "base/bisect.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* Fields of larger things are not told apart.  */
#define MOST_PERIOD 65536

static guint
hash_parts (gconstpointer data)
{
  const struct dg_frame_parts *parts = data;

  return dg_hash_uint64 (&parts->code.address) * 31
         + g_direct_hash (parts->code.file);
}

static gboolean
equal_parts (gconstpointer a, gconstpointer b)
{
  const struct dg_frame_parts *x = a, *y = b;

  return x->code.file == y->code.file && x->code.address == y->code.address;
}

static void
free_parts (gpointer data)
{
  struct dg_frame_parts *parts = data;

  for (uint32_t i = 0; i < parts->n; i++)
    g_free (parts->parts[i].numbers);
  g_free (parts);
}

/* ---- Names ------------------------------------------------------------ */

/* "ns::f(int) const" is called "ns::f()"; what Go calls "pkg.(*T).f" has no
   parameters in its name.  */
static void
append_function (GString *text, const char *function)
{
  const char *end = strrchr (function, ')');
  size_t n = strlen (function);
  int depth = 0;

  if (end != NULL && strchr (" [", end[1]) == NULL)
    end = NULL;

  for (const char *c = end; c != NULL && c > function; c--) {
    depth += (*c == ')') - (*c == '(');
    if (depth == 0) {
      n = (size_t) (c - function);
      break;
    }
  }
  g_string_append_len (text, function, (gssize) n);
  g_string_append (text, "().");
}

/* "f().name", or "libx.so func_0x1234().name".  */
static const char *
whole_of (struct dg_variables *variables, const char *module,
          const char *function, const char *name)
{
  GString *text = g_string_new (NULL);
  const char *kept;

  if (module != NULL && dg_code_name_is_made_up (function))
    g_string_append_printf (text, "%s ", dg_path_base (module));
  append_function (text, function);
  g_string_append (text, name);
  g_mutex_lock (&variables->lock);
  kept = dg_variables_keep (variables, text->str);
  g_mutex_unlock (&variables->lock);
  g_string_free (text, TRUE);
  return kept;
}

static uint32_t *
numbers_new (uint32_t n, uint32_t value)
{
  uint32_t *numbers = g_new (uint32_t, n);

  for (uint32_t i = 0; i < n; i++)
    numbers[i] = value;
  return numbers;
}

static void
set_part (struct dg_variables *variables, const struct dg_local *local,
          struct dg_frame_part *part)
{
  struct dg_named named = {.kind = DG_VARIABLE_LOCAL,
                           .type = local->type_name,
                           .file = local->file,
                           .line = local->line};
  uint64_t period = local->size, element;

  part->low = local->low;
  part->end = local->low + (int64_t) local->size;
  named.name = named.whole =
    whole_of (variables, NULL,
              local->function != NULL ? local->function : "<NA>",
              local->name);
  if (local->type != NULL) {
    element = dg_type_period (local->type);
    if (element > 0 && element < local->size)
      period = element;
  }
  if (local->type == NULL || period > MOST_PERIOD) {
    part->period = 1;
    part->numbers =
      numbers_new (1, dg_variables_number (variables, &named));
    return;
  }
  part->period = (uint32_t) period;
  part->numbers = numbers_new (part->period, UINT32_MAX);
  part->thing = (struct dg_extent){.kind = DG_EXTENT_FIELDS,
                                   .variable_kind = DG_VARIABLE_LOCAL,
                                   .total = local->size,
                                   .period = period,
                                   .type = local->type,
                                   .type_text = local->type_name,
                                   .whole = named.whole,
                                   .file = local->file,
                                   .line = local->line};
}

static struct dg_frame_parts *
parts_new (struct dg_variables *variables, uint64_t pc, uint64_t icount,
           const struct dg_symbols_code *code)
{
  struct dg_named unknown = {.kind = DG_VARIABLE_LOCAL};
  const char *function;
  struct dg_local *locals;
  struct dg_local_align align;
  size_t n = dg_symbols_locals (variables->symbols, pc, icount, &function,
                                &locals, &align);
  struct dg_frame_parts *parts =
    g_malloc0 (sizeof *parts + n * sizeof parts->parts[0]);

  parts->code = *code;
  parts->n = (uint32_t) n;
  parts->align = align;
  parts->unknown = DG_VARIABLE_STACK;
  if (function != NULL) {
    struct dg_frame frame = {NULL};

    dg_symbols_plain_frames (variables->symbols, pc, icount, &frame, 1);
    unknown.name = unknown.whole =
      whole_of (variables, frame.module, function, "<NA>");
    parts->unknown = dg_variables_number (variables, &unknown);
  }
  for (size_t i = 0; i < n; i++)
    set_part (variables, &locals[i], &parts->parts[i]);
  free (locals);
  return parts;
}

const struct dg_frame_parts *
dg_variables_frame_parts (struct dg_variables *variables, uint64_t pc,
                          uint64_t icount)
{
  struct dg_frame_parts key = {
    .code = dg_symbols_code_at (variables->symbols, pc, icount)};
  struct dg_frame_parts *parts = NULL, *known;

  g_mutex_lock (&variables->lock);
  if (variables->frame_parts == NULL)
    variables->frame_parts =
      g_hash_table_new_full (hash_parts, equal_parts, NULL, free_parts);
  known = g_hash_table_lookup (variables->frame_parts, &key);
  g_mutex_unlock (&variables->lock);
  if (known != NULL)
    return known;
  parts = parts_new (variables, pc, icount, &key.code);
  g_mutex_lock (&variables->lock);
  known = g_hash_table_lookup (variables->frame_parts, parts);
  if (known == NULL)
    g_hash_table_add (variables->frame_parts, parts);
  g_mutex_unlock (&variables->lock);
  if (known == NULL)
    return parts;
  free_parts (parts);
  return known;
}

/* ---- Places ----------------------------------------------------------- */

static uint32_t
ask_number (struct dg_variables *variables, const struct dg_frame_part *part,
            uint32_t offset, uint64_t icount)
{
  uint64_t first, size;
  uint32_t number = dg_variables_field (variables, &part->thing, offset,
                                        icount, &first, &size);

  for (uint64_t i = first; i < first + size && i < part->period; i++)
    __atomic_store_n (&part->numbers[i], number, __ATOMIC_RELAXED);
  return number;
}

bool
dg_variables_frame_number (struct dg_variables *variables,
                           const struct dg_frame_parts *parts, int64_t place,
                           uint64_t icount, uint32_t *number)
{
  uint32_t low, offset;
  const struct dg_frame_part *part;

  low = DG_BISECT (0, parts->n, i, parts->parts[i].end <= place);
  if (low == parts->n || parts->parts[low].low > place)
    return false;
  part = &parts->parts[low];
  offset = (uint32_t) ((uint64_t) (place - part->low) % part->period);
  *number = __atomic_load_n (&part->numbers[offset], __ATOMIC_RELAXED);
  if (*number == UINT32_MAX)
    *number = ask_number (variables, part, offset, icount);
  return true;
}

const struct dg_frames *
dg_variables_frames (struct dg_variables *variables)
{
  g_mutex_lock (&variables->frames_lock);
  if (!variables->has_frames) {
    variables->frames =
      dg_frames_new (variables->log, variables->symbols, variables->workers,
                     NULL);
    variables->has_frames = true;
  }
  g_mutex_unlock (&variables->frames_lock);
  return variables->frames;
}

void
dg_variables_give_frames (struct dg_variables *variables,
                          struct dg_frames *frames)
{
  g_mutex_lock (&variables->frames_lock);
  if (!variables->has_frames) {
    variables->frames = frames;
    variables->has_frames = true;
    frames = NULL;
  }
  g_mutex_unlock (&variables->frames_lock);
  dg_frames_free (frames);
}
