/* pair_things.c: the things in a log's memory, and the places that allocate
   its heap blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_things.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "i18n.h"

/* Blocks between two looks at whether to stop.  */
#define STEP 4096

static void
thing_clear (gpointer memory)
{
  struct dv_pair_thing *thing = memory;
  g_free (thing->name);
  g_free (thing->where);
  for (unsigned k = 0; k < DV_PAIR_NAMES; k++)
    g_free (thing->names[k]);
}

uint32_t
dv_pair_things_add (struct dv_pair_things *things, GHashTable *known,
                    const struct dv_pair_thing *thing)
{
  char *key = g_strdup_printf ("%d\n%s\n%s", thing->kind, thing->name,
                               thing->where);
  gpointer number = g_hash_table_lookup (known, key);
  if (number != NULL) {
    struct dv_pair_thing copy = *thing;
    thing_clear (&copy);
    g_free (key);
    return GPOINTER_TO_UINT (number) - 1;
  }
  g_array_append_vals (things->things, thing, 1);
  g_hash_table_insert (known, key, GUINT_TO_POINTER (things->things->len));
  return things->things->len - 1;
}

/* ---- Names ---------------------------------------------------------- */

static const char *
program_of (const struct dv_scene *scene)
{
  return dv_format_base (dg_log_program (scene->data->log));
}

/* Adds a line to each name: what dg_align_name makes of a text.  few: instead
   of it for the last of them; NULL: nothing is left there.  */
static void
add_names (struct dv_pair_thing *thing, const struct dv_scene *scene,
           const char *text, const char *few, bool is_module)
{
  for (int k = DG_ALIGN_ALL_NAMES; k <= DG_ALIGN_FEW_NAMES; k++) {
    char **to = &thing->names[DV_PAIR_WHATEVER_BUILD + k];
    const char *from = k == DG_ALIGN_FEW_NAMES ? few : text;
    char *name = from != NULL
                   ? dg_align_name (from, (enum dg_align_names) k,
                                    program_of (scene), is_module)
                   : NULL;
    char *both = *to == NULL
                   ? g_strdup_printf ("%d\n%s", thing->kind,
                                      name != NULL ? name : "")
                   : g_strdup_printf ("%s\n%s", *to,
                                      name != NULL ? name : "");
    g_free (*to);
    free (name);
    *to = both;
  }
}

void
dv_pair_thing_name (struct dv_pair_thing *thing,
                    const struct dv_scene *scene, const char *few)
{
  thing->names[DV_PAIR_SAME_BUILD] = g_strdup ("");
  add_names (thing, scene, thing->name, few, false);
  add_names (thing, scene, thing->where, NULL, true);
}

/* "NAME (a.c:12) BUILD-ID"; "" without one.  */
static char *
name_in_build (const struct dv_scene *scene, const struct dv_pair_thing *thing,
               const char *module)
{
  size_t n;
  const struct dg_module *modules = dg_log_modules (scene->data->log, &n);
  for (size_t i = 0; i < n && module != NULL; i++)
    if (modules[i].n_build_id > 0 && strcmp (modules[i].file, module) == 0) {
      GString *name = g_string_new (NULL);
      g_string_printf (name, "%d\n%s\n%s\n", thing->kind, thing->name,
                       thing->where);
      for (unsigned k = 0; k < modules[i].n_build_id; k++)
        g_string_append_printf (name, "%02x", modules[i].build_id[k]);
      return g_string_free (name, FALSE);
    }
  return g_strdup ("");
}

/* As the rows of dg diff heap are named.  */
static void
name_site (struct dv_pair_thing *thing, const struct dv_scene *scene,
           const struct dg_frame *frame)
{
  thing->names[DV_PAIR_SAME_BUILD] =
    name_in_build (scene, thing, frame->module);
  if (frame->function == NULL) {
    add_names (thing, scene, thing->name, thing->name, false);
    return;
  }
  for (int k = DG_ALIGN_ALL_NAMES; k <= DG_ALIGN_FEW_NAMES; k++) {
    char *function =
      dg_align_name (frame->function, (enum dg_align_names) k, NULL, false);
    thing->names[DV_PAIR_WHATEVER_BUILD + k] =
      g_strdup_printf ("%d\n%s", thing->kind,
                       function != NULL ? function : "");
    free (function);
  }
  add_names (thing, scene, dv_format_base (frame->file), NULL, false);
  add_names (thing, scene, dv_format_base (frame->module), NULL, true);
}

const char *
dv_pair_module_key (const struct dv_scene *scene, const char *base)
{
  const char *program = dg_log_program (scene->data->log);
  return program != NULL && strcmp (base, dv_format_base (program)) == 0
           ? "" : base;
}

/* ---- Places of allocation ------------------------------------------- */

static uint32_t
add_site (struct dv_pair_things *things, GHashTable *known,
          const struct dg_block *block)
{
  const struct dv_data *data = things->scene->data;
  struct dv_pair_thing thing = { .kind = DV_PAIR_HEAP,
                                 .smallest = UINT64_MAX };
  struct dg_site_frame site;
  if (dv_data_site (data, data->symbols, block, &site)) {
    char *text = dg_site_text (&site, 1), *where = dg_site_where (&site);
    thing.name = dv_format_shown (text);
    thing.where = dv_format_shown (where);
    name_site (&thing, things->scene, &site.frame);
    thing.file = site.frame.file;
    thing.line = site.frame.line;
    free (text);
    free (where);
  } else {
    thing.name = g_strdup (_ ("heap block"));
    thing.where = g_strdup ("");
    dv_pair_thing_name (&thing, things->scene, thing.name);
  }
  return dv_pair_things_add (things, known, &thing);
}

static bool
is_touched (const struct dv_layout *layout,
            const struct dg_block_extent *block)
{
  uint64_t position;
  if (block->size == 0)
    return false;
  return dv_layout_position (layout, block->address, &position)
         || (position < layout->size
             && dv_layout_address (layout, position) - block->address
                  < block->size);
}

static void
add_block (struct dv_pair_things *things, uint32_t number, uint64_t size)
{
  struct dv_pair_thing *thing = dv_pair_thing (things, number);
  thing->blocks++;
  thing->bytes += size;
  thing->smallest = MIN (thing->smallest, size);
  thing->largest = MAX (thing->largest, size);
}

static int
find_blocks (struct dv_pair_things *things, GHashTable *known,
             dg_progress_fn progress, void *user)
{
  const struct dg_log *log = things->scene->data->log;
  /* Blocks with the same stack have the same sites.  */
  GHashTable *by_stack = g_hash_table_new (NULL, NULL);
  bool stop = false;
  for (size_t i = 0; i < things->n_blocks && !stop; i++) {
    const struct dg_block_extent extent = dg_log_block_extent (log, i);
    things->of_block[i] = DG_NONE;
    stop = i % STEP == 0 && progress != NULL
           && progress (user, i, things->n_blocks) != 0;
    if (!is_touched (&things->scene->layout, &extent))
      continue;
    const struct dg_block block = dg_log_block (log, i);
    gpointer stack = (gpointer) block.alloc_stack.sites;
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (by_stack, stack));
    if (number == 0) {
      number = add_site (things, known, &block) + 1;
      g_hash_table_insert (by_stack, stack, GUINT_TO_POINTER (number));
    }
    things->of_block[i] = number - 1;
    things->has_nested |= block.kind != DG_BLOCK_ALLOCATED;
    add_block (things, number - 1, extent.size);
  }
  g_hash_table_unref (by_stack);
  return stop ? DG_ERR_CANCELLED : 0;
}

/* ---- Life ----------------------------------------------------------- */

void
dv_pair_things_free (struct dv_pair_things *things)
{
  if (things == NULL)
    return;
  g_array_unref (things->things);
  g_array_unref (things->extents);
  g_free (things->of_block);
  dv_scene_unref (things->scene);
  g_free (things);
}

struct dv_pair_things *
dv_pair_things_new (struct dv_scene *scene, dg_progress_fn progress,
                    void *user, struct dg_error *err)
{
  struct dv_pair_things *things = g_new0 (struct dv_pair_things, 1);
  GHashTable *known =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  things->scene = dv_scene_ref (scene);
  things->things = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_thing));
  g_array_set_clear_func (things->things, thing_clear);
  things->extents = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_extent));
  if (scene->data->space != NULL)
    things->n_blocks = dg_log_n_blocks (scene->data->log);
  things->of_block = g_try_new (uint32_t, things->n_blocks + 1);
  if (things->of_block == NULL) {
    *err = (struct dg_error){ .code = DG_ERR_NOMEM,
                              .message = "not enough memory" };
    g_clear_pointer (&things, dv_pair_things_free);
  } else if (find_blocks (things, known, progress, user) != 0) {
    *err = (struct dg_error){ .code = DG_ERR_CANCELLED,
                              .message = "cancelled" };
    g_clear_pointer (&things, dv_pair_things_free);
  } else {
    dv_pair_extents_find (things, known);
  }
  g_hash_table_unref (known);
  return things;
}
