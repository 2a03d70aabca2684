/* space.c: who owns an address at a moment.

   Each kind of owner is a cover of its own (see space_cover.c), so that the
   order of enum dg_owner_kind is the order in which they are asked.  Names
   of variables within a module are symbols.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "space.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/progress.h"
#include "dg_record.h"
#include "log/block_window.h"

#include <glib.h>
#include <string.h>

struct dg_space {
  const struct dg_log *log;
  struct dg_cover *locals, *stacks, *modules, *mappings, *ranges;
  struct passing *passing;
  uint64_t *module_low;  /* per module: its first byte */
  uint64_t *module_high; /* per module: behind the last one that is known */
};

/* The heap blocks, which change while the log is analysed, where they pass
   (log/block_window.h).  */
struct passing {
  struct dg_cover *blocks;
  unsigned number;         /* of the window; 0: they do not pass */
};

/* Rectangles on their way into a cover.  */
struct rects {
  struct dg_rect *items;
  size_t n;
};

static int
rects_init (struct rects *rects, size_t max)
{
  rects->n = 0;
  rects->items = g_try_new (struct dg_rect, max + 1);
  return rects->items != NULL ? 0 : DG_ERR_NOMEM;
}

static void
rects_add (struct rects *rects, struct dg_rect rect)
{
  rects->items[rects->n++] = rect;
}

/* Makes the cover and gives the rectangles back.  */
static int
rects_finish (struct rects *rects, struct dg_cover **cover,
              struct dg_cover_pace *pace)
{
  int code = dg_cover_new_paced (rects->items, rects->n, cover, pace);

  g_free (rects->items);
  rects->items = NULL;
  return code;
}

static int
cover_all_blocks (const struct dg_space *space, struct dg_cover **cover,
                  struct dg_cover_pace *pace)
{
  size_t n = dg_log_n_blocks (space->log);
  struct rects rects;

  if (rects_init (&rects, n) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    struct dg_block_extent at = dg_log_block_extent (space->log, i);

    rects_add (&rects, dg_rect_make (at.address, at.size, at.alloc_icount,
                                     at.free_icount, (uint32_t) i));
  }
  return rects_finish (&rects, cover, pace);
}

static int
cover_blocks (struct dg_space *space, struct dg_cover_pace *pace)
{
  space->passing = g_try_new0 (struct passing, 1);
  if (space->passing == NULL)
    return DG_ERR_NOMEM;
  space->passing->number = dg_block_window_number (space->log);
  return cover_all_blocks (space, &space->passing->blocks, pace);
}

int
dg_space_follow (const struct dg_space *space, struct dg_error *err)
{
  struct passing *passing = space->passing;
  unsigned number = dg_block_window_number (space->log);
  struct dg_cover *blocks;

  if (number == passing->number)
    return 0;
  if (cover_all_blocks (space, &blocks, NULL) < 0)
    return dg_error_nomem (err);
  dg_cover_free (passing->blocks);
  passing->blocks = blocks;
  passing->number = number;
  return 0;
}

static int
cover_ranges (struct dg_space *space, struct dg_cover_pace *pace)
{
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (space->log, &n);
  struct rects rects;

  if (rects_init (&rects, n) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    rects_add (&rects, dg_rect_make (ranges[i].address, ranges[i].size,
                                     ranges[i].start_icount,
                                     ranges[i].end_icount, (uint32_t) i));
  return rects_finish (&rects, &space->ranges, pace);
}

static int
cover_stacks (struct dg_space *space, struct dg_cover_pace *pace)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (space->log, &n);
  struct rects rects;

  if (rects_init (&rects, n) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    const struct dg_thread *t = &threads[i];

    if (t->stack_high > t->stack_low)
      rects_add (&rects,
                 dg_rect_make (t->stack_low, t->stack_high - t->stack_low,
                               t->start_icount, t->end_icount, (uint32_t) i));
  }
  return rects_finish (&rects, &space->stacks, pace);
}

static int
cover_locals (struct dg_space *space, struct dg_cover_pace *pace)
{
  size_t n;
  const struct dg_thread_local *copies = dg_log_thread_locals (space->log, &n);
  struct rects rects;

  if (rects_init (&rects, n) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    rects_add (&rects, dg_rect_make (copies[i].address, copies[i].size,
                                     copies[i].start_icount,
                                     copies[i].end_icount, (uint32_t) i));
  return rects_finish (&rects, &space->locals, pace);
}

static int
cover_mappings (struct dg_space *space, struct dg_cover_pace *pace)
{
  size_t n;
  const struct dg_mapping *maps = dg_log_mappings (space->log, &n);
  struct rects rects;

  if (rects_init (&rects, n) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    rects_add (&rects, dg_rect_make (maps[i].address, maps[i].size,
                                     maps[i].start_icount, maps[i].end_icount,
                                     (uint32_t) i));
  return rects_finish (&rects, &space->mappings, pace);
}

/* The modules of each file, as GArray of uint32_t.  */
static GHashTable *
index_modules_by_file (const struct dg_module *modules, size_t n)
{
  GHashTable *table = g_hash_table_new_full (dg_hash_text, g_str_equal, NULL,
                                             (GDestroyNotify) g_array_unref);

  for (size_t i = 0; i < n; i++) {
    GArray *same = g_hash_table_lookup (table, modules[i].file);
    uint32_t index = (uint32_t) i;

    if (same == NULL) {
      same = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      g_hash_table_insert (table, (gpointer) modules[i].file, same);
    }
    g_array_append_val (same, index);
  }
  return table;
}

/* One file may be loaded several times: the mapping is of the module that
   lives while it does, and of those of the one whose code is nearest.  */
static uint32_t
module_of_mapping (const struct dg_module *modules, const GArray *same,
                   const struct dg_mapping *map)
{
  uint32_t best = DG_NONE;
  uint64_t best_distance = 0;
  bool best_lives = false;

  for (guint i = 0; i < same->len; i++) {
    uint32_t index = g_array_index (same, uint32_t, i);
    const struct dg_module *m = &modules[index];
    uint64_t distance = m->text_address > map->address
                          ? m->text_address - map->address
                          : map->address - m->text_address;
    bool lives =
      m->load_icount < map->end_icount && m->unload_icount > map->start_icount;

    if (best == DG_NONE || lives > best_lives
        || (lives == best_lives && distance < best_distance)) {
      best = index;
      best_distance = distance;
      best_lives = lives;
    }
  }
  return best;
}

/* Where modules are, while their mappings are collected.  */
struct images {
  const struct dg_module *modules;
  GHashTable *by_file;
  GHashTable *data_ends;   /* address -> struct data_end */
  GTree *bss;              /* struct bss, by address */
};

/* The end of a module's writable mapping, where its .bss may begin.  */
struct data_end {
  uint64_t address, start_icount, end_icount;
  uint32_t module;
};

struct bss {
  uint64_t address, size;
  uint32_t module;
};

static gint
compare_bss (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct bss *x = a, *y = b;

  return DG_COMPARE (x->address, y->address);
}

/* A part of what is known as .bss already, as is left when a program protects
   a page of a variable of its own.  */
static uint32_t
module_of_part (const struct images *images, const struct dg_mapping *map)
{
  struct bss key = {.address = map->address};
  GTreeNode *node = g_tree_upper_bound (images->bss, &key);
  const struct bss *bss;

  node = node != NULL ? g_tree_node_previous (node)
                      : g_tree_node_last (images->bss);
  if (node == NULL)
    return DG_NONE;
  bss = g_tree_node_key (node);
  if (map->address - bss->address >= bss->size
      || map->size > bss->size - (map->address - bss->address)
      || images->modules[bss->module].unload_icount <= map->start_icount)
    return DG_NONE;
  return bss->module;
}

/* The kernel maps a program's .bss when it maps its data.  The dynamic linker
   maps the whole of a library at first, and then replaces the pages behind
   the file's data: whatever lies beyond, or comes later, is something else,
   such as the first thread's control block behind the last library.  */
static uint32_t
module_of_bss (const struct dg_space *space, struct images *images,
               const struct dg_mapping *map)
{
  uint32_t part = map->what != DG_MAP_BRK ? module_of_part (images, map)
                                          : DG_NONE;
  struct data_end *end =
    g_hash_table_lookup (images->data_ends, &map->address);
  struct bss *bss;

  if (part != DG_NONE || end == NULL || map->what == DG_MAP_BRK
      || !(map->protection & DG_PROT_WRITE)
      || map->start_icount >= end->end_icount
      || (map->start_icount != end->start_icount
          && map->address + map->size > space->module_high[end->module]))
    return part;
  bss = g_new (struct bss, 1);
  *bss = (struct bss) {map->address, map->size, end->module};
  g_tree_replace (images->bss, bss, bss);
  return bss->module;
}

static void
add_mapping_of_module (struct dg_space *space, struct rects *rects,
                       const struct dg_mapping *map, uint32_t module)
{
  rects_add (rects, dg_rect_make (map->address, map->size, map->start_icount,
                                  map->end_icount, module));
  if (map->address < space->module_low[module])
    space->module_low[module] = map->address;
  if (map->address + map->size > space->module_high[module])
    space->module_high[module] = map->address + map->size;
}

static void
note_data_end (struct images *images, const struct dg_mapping *map,
               uint32_t module)
{
  struct data_end *end = g_new (struct data_end, 1);

  *end = (struct data_end) {map->address + map->size, map->start_icount,
                            map->end_icount, module};
  g_hash_table_replace (images->data_ends, &end->address, end);
}

static void
collect_module_mappings (struct dg_space *space, struct rects *rects,
                         const struct dg_module *modules, size_t n_modules)
{
  struct images images = {
    .modules = modules,
    .by_file = index_modules_by_file (modules, n_modules),
    .data_ends = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL,
                                        g_free),
    .bss = g_tree_new_full (compare_bss, NULL, g_free, NULL)};
  size_t n;
  const struct dg_mapping *maps = dg_log_mappings (space->log, &n);

  for (size_t i = 0; i < n; i++) {
    bool is_file = maps[i].file[0] != '\0';
    const GArray *same =
      is_file ? g_hash_table_lookup (images.by_file, maps[i].file) : NULL;
    uint32_t module = DG_NONE;

    if (same != NULL)
      module = module_of_mapping (modules, same, &maps[i]);
    else if (!is_file)
      module = module_of_bss (space, &images, &maps[i]);
    if (module == DG_NONE)
      continue;
    add_mapping_of_module (space, rects, &maps[i], module);
    if (is_file && maps[i].protection & DG_PROT_WRITE)
      note_data_end (&images, &maps[i], module);
  }
  g_tree_unref (images.bss);
  g_hash_table_unref (images.data_ends);
  g_hash_table_unref (images.by_file);
}

/* The text of every module, which is all there is in a log without
   mappings, and the mappings of the modules' files.  */
static int
cover_modules (struct dg_space *space, struct dg_cover_pace *pace)
{
  size_t n, n_maps;
  const struct dg_module *modules = dg_log_modules (space->log, &n);
  struct rects rects;

  dg_log_mappings (space->log, &n_maps);
  space->module_low = g_try_new (uint64_t, n + 1);
  space->module_high = g_try_new0 (uint64_t, n + 1);
  if (space->module_low == NULL || space->module_high == NULL
      || rects_init (&rects, n + n_maps) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    space->module_low[i] = modules[i].text_address;
    rects_add (&rects,
               dg_rect_make (modules[i].text_address, modules[i].text_size,
                             modules[i].load_icount, modules[i].unload_icount,
                             (uint32_t) i));
  }
  collect_module_mappings (space, &rects, modules, n);
  return rects_finish (&rects, &space->modules, pace);
}

static uint64_t
count_steps (const struct dg_log *log)
{
  size_t n, all = dg_log_n_blocks (log);

  dg_log_ranges (log, &n);
  all += n;
  dg_log_thread_locals (log, &n);
  all += n;
  /* Those of modules, too.  */
  dg_log_mappings (log, &n);
  all += 2 * n;
  return dg_cover_steps (all + 1);
}

struct dg_space *
dg_space_build (const struct dg_log *log, dg_progress_fn progress, void *user,
                struct dg_error *err)
{
  static int (*const covers[]) (struct dg_space *, struct dg_cover_pace *)
    = {cover_locals,   cover_blocks,  cover_ranges, cover_stacks,
       cover_mappings, cover_modules};
  struct dg_cover_pace pace = {progress, user, 0, count_steps (log)};
  struct dg_space *space = g_try_new0 (struct dg_space, 1);
  int code = space != NULL ? 0 : DG_ERR_NOMEM;

  if (space != NULL)
    space->log = log;
  for (size_t i = 0; i < G_N_ELEMENTS (covers) && code == 0; i++)
    code = covers[i](space, &pace);
  if (code == 0)
    return space;
  dg_space_free (space);
  if (code == DG_ERR_CANCELLED)
    dg_progress_cancelled (err);
  else
    dg_error_set (err, code, "not enough memory for the address space");
  return NULL;
}

struct dg_space *
dg_space_new (const struct dg_log *log, struct dg_error *err)
{
  return dg_space_build (log, NULL, NULL, err);
}

void
dg_space_free (struct dg_space *space)
{
  if (space == NULL)
    return;
  dg_cover_free (space->locals);
  if (space->passing != NULL)
    dg_cover_free (space->passing->blocks);
  g_free (space->passing);
  dg_cover_free (space->stacks);
  dg_cover_free (space->modules);
  dg_cover_free (space->mappings);
  dg_cover_free (space->ranges);
  g_free (space->module_low);
  g_free (space->module_high);
  g_free (space);
}

const struct dg_cover *
dg_space_borrow_blocks (const struct dg_space *space)
{
  return space->passing->blocks;
}

const struct dg_cover *
dg_space_borrow_ranges (const struct dg_space *space)
{
  return space->ranges;
}

static uint64_t
first_byte_of (const struct dg_space *space, enum dg_owner_kind kind,
               uint32_t index)
{
  size_t n;

  switch (kind) {
  case DG_OWNER_BLOCK:
    return dg_log_block_extent (space->log, index).address;
  case DG_OWNER_STACK:
    return dg_log_threads (space->log, &n)[index].stack_low;
  case DG_OWNER_MODULE:
    return space->module_low[index];
  case DG_OWNER_MAPPING:
    return dg_log_mappings (space->log, &n)[index].address;
  case DG_OWNER_LOCALS:
    return dg_log_thread_locals (space->log, &n)[index].address;
  case DG_OWNER_NONE:
    break;
  }
  return 0;
}

/* In the order in which they are asked.  */
static const enum dg_owner_kind kinds[] = {
  DG_OWNER_LOCALS, DG_OWNER_BLOCK, DG_OWNER_STACK, DG_OWNER_MODULE,
  DG_OWNER_MAPPING
};

static const struct dg_cover *
cover_of (const struct dg_space *space, enum dg_owner_kind kind)
{
  switch (kind) {
  case DG_OWNER_LOCALS: return space->locals;
  case DG_OWNER_BLOCK: return space->passing->blocks;
  case DG_OWNER_STACK: return space->stacks;
  case DG_OWNER_MODULE: return space->modules;
  default: return space->mappings;
  }
}

void
dg_space_find (const struct dg_space *space, uint64_t address, uint64_t icount,
               struct dg_owner *out)
{
  out->kind = DG_OWNER_NONE;
  out->index = DG_NONE;
  out->offset = 0;
  out->range = dg_cover_find (space->ranges, address, icount);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    out->index = dg_cover_find (cover_of (space, kinds[i]), address, icount);
    if (out->index != DG_NONE) {
      out->kind = kinds[i];
      out->offset = address - first_byte_of (space, out->kind, out->index);
      return;
    }
  }
}

void
dg_space_find_part (const struct dg_space *space, uint64_t address,
                    uint64_t icount, struct dg_owner *out, uint64_t *low,
                    uint64_t *high)
{
  uint64_t part_low, part_high;

  out->kind = DG_OWNER_NONE;
  out->index = DG_NONE;
  out->offset = 0;
  out->range = dg_cover_find_part (space->ranges, address, icount, low, high);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds) && out->index == DG_NONE; i++) {
    out->index = dg_cover_find_part (cover_of (space, kinds[i]), address,
                                     icount, &part_low, &part_high);
    *low = MAX (*low, part_low);
    *high = MIN (*high, part_high);
    if (out->index == DG_NONE)
      continue;
    out->kind = kinds[i];
    out->offset = address - first_byte_of (space, out->kind, out->index);
  }
}

uint32_t
dg_space_block (const struct dg_space *space, uint64_t address,
                uint64_t icount, uint64_t *low, uint64_t *high)
{
  return dg_cover_find_part (space->passing->blocks, address, icount, low,
                             high);
}
