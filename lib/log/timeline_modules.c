/* timeline_modules.c: the timeline of executables and libraries.  Their
   symbols are not looked at here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline_modules.h"

#include <inttypes.h>

#include "base/error.h"

int
dg_timeline_modules_load (struct dg_timeline_modules *modules,
                          const struct dg_fields *fields, uint64_t icount,
                          struct dg_error *err)
{
  struct dg_table *table = modules->modules;
  uint64_t address = fields->words[0];
  size_t old = dg_spans_close (&modules->loaded, address, 0);
  struct dg_module *module;

  if (old != SIZE_MAX)
    ((struct dg_module *) table->items)[old].unload_icount = icount;
  module = dg_table_add (table, sizeof *module);
  if (!module)
    return dg_error_nomem (err);
  module->text_address = address;
  module->load_icount = icount;
  module->unload_icount = DG_NEVER;
  module->file = dg_arena_string (modules->arena, fields->strings[0]);
  module->soname = "";
  if (!module->file
      || dg_spans_open (&modules->loaded, address, 0, table->n - 1) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_timeline_modules_detail (struct dg_timeline_modules *modules,
                            const struct dg_fields *fields, uint64_t offset,
                            struct dg_error *err)
{
  struct dg_table *table = modules->modules;
  struct dg_module *module = (struct dg_module *) table->items + table->n - 1;
  unsigned n = fields->words[3];
  uint8_t *build_id;

  if (module->text_address != fields->words[0])
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "MODULE is of text address 0x%" PRIx64 ", the "
                        "TEXT_AVMA before it of 0x%" PRIx64,
                        fields->words[0], module->text_address);
  module->text_size = fields->words[1];
  module->bias = fields->words[2];
  build_id = dg_arena_alloc (modules->arena, n);
  module->soname = dg_arena_string (modules->arena, fields->strings[0]);
  if (!build_id || !module->soname) {
    module->soname = "";
    return dg_error_nomem (err);
  }
  for (unsigned i = 0; i < n; i++)
    build_id[i] = fields->words[4 + i];
  module->build_id = n > 0 ? build_id : NULL;
  module->n_build_id = n;
  module->has_detail = true;
  return 0;
}

size_t
dg_timeline_modules_unload (struct dg_timeline_modules *modules,
                            const struct dg_fields *fields, uint64_t icount)
{
  size_t index = dg_spans_close (&modules->loaded, fields->words[0], 0);

  if (index != SIZE_MAX)
    ((struct dg_module *) modules->modules->items)[index].unload_icount =
      icount;
  return index;
}

size_t
dg_timeline_modules_find (const struct dg_timeline_modules *modules,
                          uint64_t text_address)
{
  return dg_spans_find (&modules->loaded, text_address, 0);
}

void
dg_timeline_modules_fini (struct dg_timeline_modules *modules)
{
  dg_spans_fini (&modules->loaded);
}
