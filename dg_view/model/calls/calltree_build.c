/* calltree_build.c: making a call tree of a tally.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calltree_build.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "i18n.h"
#include "model/log/order.h"

#define MAX_INLINED 32
#define PROGRESS_STEP 1024

/* ---- Functions -------------------------------------------------------- */

static uint64_t
hash_text (uint64_t hash, const char *text)
{
  if (text == NULL)
    return (hash ^ 0xff) * 0x100000001b3;
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 0x100000001b3;
  return (hash ^ 1) * 0x100000001b3;
}

static bool
is_equal (const struct dv_call_function *x, const struct dv_call_function *y)
{
  return g_strcmp0 (x->name, y->name) == 0
         && g_strcmp0 (x->module, y->module) == 0;
}

/* The function of that name, or DV_CALL_NONE; *key is then free for it.  */
static uint32_t
find_function (const struct dv_call_build *build,
               const struct dv_call_function *function,
               struct dv_numbers_key *key)
{
  const struct dv_call_function *all = build->functions->items;
  *key = (struct dv_numbers_key){ .a = function->key };
  for (;; key->b++) {
    uint32_t index = dv_numbers_find (&build->by_name, key);
    if (index == DV_NUMBERS_NONE)
      return DV_CALL_NONE;
    if (is_equal (&all[index], function))
      return index;
  }
}

static char *
label_of (const struct dv_call_function *function)
{
  if (function->name != NULL)
    return g_strdup (function->name);
  if (function->module == NULL)
    return g_strdup (_ ("unknown code"));
  char *base = g_path_get_basename (function->module);
  char *shown = dv_format_shown (base);
  /* Translators: code of a module, such as libc.so.6.  */
  char *label = g_strdup_printf (_ ("code of %s"), shown);
  g_free (shown);
  g_free (base);
  return label;
}

/* DV_CALL_NONE: there is no memory.  */
static uint32_t
function_of (struct dv_call_build *build, const struct dg_frame *frame)
{
  struct dv_call_function function = {
    .name = frame->function, .module = frame->module,
    .module_number = DV_CALL_NONE,
    .key = hash_text (hash_text (0xcbf29ce484222325, frame->function),
                      frame->module),
  };
  struct dv_numbers_key key;
  uint32_t index = find_function (build, &function, &key);
  if (index != DV_CALL_NONE)
    return index;
  if (frame->module != NULL) {
    gpointer number = g_hash_table_lookup (build->modules, frame->module);
    if (number != NULL)
      function.module_number = GPOINTER_TO_UINT (number) - 1;
  }
  index = build->functions->n;
  struct dv_call_function *added = dv_items_add (build->functions,
                                                 sizeof *added);
  if (added == NULL || !dv_numbers_add (&build->by_name, &key, index))
    return DV_CALL_NONE;
  char *label = label_of (&function);
  function.label = dv_format_shown (label);
  g_free (label);
  *added = function;
  return index;
}

/* ---- Addresses -------------------------------------------------------- */

static struct dv_call_place *
place_at (const struct dv_call_build *build, uint32_t i)
{
  return (struct dv_call_place *) build->places.items + i;
}

/* false: there is no memory.  */
static bool
places_of (struct dv_call_build *build, uint64_t address, uint64_t icount,
           struct dv_call_places *places)
{
  const struct dv_numbers_key key = { .a = address,
                              .b = build->are_reloaded ? icount : 0 };
  uint32_t known = dv_numbers_find (&build->by_address, &key);
  if (known != DV_NUMBERS_NONE) {
    *places = ((const struct dv_call_places *) build->addresses.items)[known];
    return true;
  }
  struct dg_frame frames[MAX_INLINED] = { 0 };
  size_t n = 1;
  if (build->symbols != NULL)
    n = dg_symbols_frames (build->symbols, address, icount, frames,
                           MAX_INLINED);
  *places = (struct dv_call_places){ build->places.n, (uint32_t) n };
  for (size_t i = 0; i < n; i++) {
    uint32_t function = function_of (build, &frames[i]);
    struct dv_call_place *place = dv_items_add (&build->places, sizeof *place);
    if (function == DV_CALL_NONE || place == NULL)
      return false;
    *place = (struct dv_call_place){ function, frames[i].line,
                                     frames[i].file };
  }
  struct dv_call_places *added = dv_items_add (&build->addresses,
                                               sizeof *added);
  if (added == NULL)
    return false;
  *added = *places;
  return dv_numbers_add (&build->by_address, &key, build->addresses.n - 1);
}

static int
compare_modules (const void *a, const void *b)
{
  const struct dg_module *x = *(const struct dg_module *const *) a;
  const struct dg_module *y = *(const struct dg_module *const *) b;
  return (x->text_address > y->text_address)
         - (x->text_address < y->text_address);
}

/* The log has the program's name, and modules by their paths.  */
static bool
is_program (const struct dg_log *log, const struct dg_module *module)
{
  const struct dg_process *process = dg_log_process (log);
  if (process == NULL || *process->exe == '\0')
    return false;
  return strcmp (dv_format_base (module->file),
                 dv_format_base (process->exe)) == 0;
}

/* Numbers the modules, the program itself first, and sees whether two shared a
   place.  false: there is no memory.  */
static bool
look_at_modules (struct dv_call_build *build)
{
  size_t n;
  const struct dg_module *modules = dg_log_modules (build->log, &n);
  const struct dg_module **sorted = g_try_new (const struct dg_module *,
                                               n + 1);
  uint32_t number = 0;
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < n && number == 0; i++)
    if (is_program (build->log, &modules[i]))
      g_hash_table_insert (build->modules, (gpointer) modules[i].file,
                           GUINT_TO_POINTER (++number));
  for (size_t i = 0; i < n; i++) {
    sorted[i] = &modules[i];
    if (!g_hash_table_contains (build->modules, modules[i].file))
      g_hash_table_insert (build->modules, (gpointer) modules[i].file,
                           GUINT_TO_POINTER (++number));
  }
  if (n > 1)
    qsort (sorted, n, sizeof *sorted, compare_modules);
  for (size_t i = 1; i < n; i++) {
    const struct dg_module *before = sorted[i - 1];
    const struct dg_module *after = sorted[i];
    if (after->text_address - before->text_address < before->text_size)
      build->are_reloaded = true;
  }
  g_free (sorted);
  return true;
}

/* When a block of the view ran: its instructions that access anything are
   in the tally, too.  */
static uint64_t
icount_of (const struct dv_call_build *build, uint32_t context)
{
  const struct dg_bbdef *bbdef
    = dg_log_bbdef (build->log, dg_log_context (build->log, context).bbdef);
  const GArray *code = build->tally->code;
  uint64_t address = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0;
  guint low = 0, high = code->len;
  DV_BISECT (low, high, middle,
             g_array_index (code, struct dv_tally_code, middle).instruction
               < address);
  return low < code->len
         ? g_array_index (code, struct dv_tally_code, low).icount
         : build->tally->view.y0;
}

/* ---- Nodes ------------------------------------------------------------ */

static uint32_t
slot_of (const struct dv_call_build *build, uint32_t parent, uint32_t function)
{
  uint64_t key = ((uint64_t) parent << 32 | function) * 0x9e3779b97f4a7c15;
  uint32_t mask = build->table_size - 1;
  uint32_t slot = (uint32_t) (key >> 32) & mask;
  for (; build->table[slot] != 0; slot = (slot + 1) & mask) {
    const struct dv_call_raw *raw = dv_call_build_raw (build,
                                                       build->table[slot]);
    if (raw->parent == parent && raw->function == function)
      break;
  }
  return slot;
}

/* false: there is no memory.  */
static bool
grow_table (struct dv_call_build *build)
{
  if (build->raws.n < build->table_size / 2)
    return true;
  g_free (build->table);
  build->table_size *= 2;
  build->table = g_try_new0 (uint32_t, build->table_size);
  if (build->table == NULL)
    return false;
  for (uint32_t i = 1; i < build->raws.n; i++) {
    const struct dv_call_raw *raw = dv_call_build_raw (build, i);
    build->table[slot_of (build, raw->parent, raw->function)] = i;
  }
  return true;
}

/* The node below `parent` for a place; the parent itself when there are too
   many nodes; DV_CALL_NONE: there is no memory.  */
static uint32_t
step_down (struct dv_call_build *build, uint32_t parent, uint32_t place,
           uint64_t accesses)
{
  uint32_t function = place_at (build, place)->function;
  uint32_t slot = slot_of (build, parent, function);
  uint32_t node = build->table[slot];
  if (node == 0) {
    if (build->raws.n >= build->max_nodes)
      return parent;
    node = build->raws.n;
    struct dv_call_raw *raw = dv_items_add (&build->raws, sizeof *raw);
    if (raw == NULL)
      return DV_CALL_NONE;
    *raw = (struct dv_call_raw){ .function = function, .parent = parent,
                         .place = place, .most = accesses };
    build->table[slot] = node;
    return grow_table (build) ? node : DV_CALL_NONE;
  }
  struct dv_call_raw *raw = dv_call_build_raw (build, node);
  if (accesses > raw->most) {
    raw->most = accesses;
    raw->place = place;
  }
  return node;
}

uint32_t
dv_call_build_frame (struct dv_call_build *build, uint32_t parent,
                     const struct dg_frame *frame, uint64_t weight,
                     bool *is_cut)
{
  uint32_t function = function_of (build, frame);
  struct dv_call_place *place = dv_items_add (&build->places, sizeof *place);
  if (function == DV_CALL_NONE || place == NULL)
    return DV_CALL_NONE;
  *place = (struct dv_call_place){ function, frame->line, frame->file };
  uint32_t node = step_down (build, parent, build->places.n - 1, weight);
  *is_cut = *is_cut || node == parent;
  return node;
}

/* DV_CALL_NONE: there is no memory.  */
static uint32_t
step_through (struct dv_call_build *build, uint32_t node, uint64_t address,
              uint64_t icount, uint64_t accesses, bool *is_cut)
{
  struct dv_call_places places;
  if (!places_of (build, address, icount, &places))
    return DV_CALL_NONE;
  for (uint32_t i = places.n; i-- > 0 && node != DV_CALL_NONE;) {
    uint32_t below = step_down (build, node, places.first + i, accesses);
    *is_cut = *is_cut || below == node;
    node = below;
  }
  return node;
}

/* How many call sites, from the outermost, two contexts share.  */
static uint32_t
shared_levels (const uint64_t *a, uint32_t n_a, const uint64_t *b,
               uint32_t n_b)
{
  uint32_t most = MIN (n_a, n_b), n = 0;
  while (n + 1 < most && a[n_a - 1 - n] == b[n_b - 1 - n])
    n++;
  return n;
}

uint32_t
dv_call_build_context (struct dv_call_build *build, uint32_t context,
                       uint64_t icount, uint64_t weight)
{
  const struct dg_bbdef *bbdef = dg_log_bbdef (
    build->log, dg_log_context (build->log, context).bbdef);
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack = dg_log_context_stack (build->log, context, stack);
  bool is_cut = false;
  uint32_t sites = n_stack > 0 ? n_stack - 1 : 0, done = 0;
  sites = MIN (sites, G_N_ELEMENTS (build->levels));
  if (build->n_last > 0 && build->raws.n < build->max_nodes
      && (!build->are_reloaded || icount == build->last_icount))
    done = MIN (shared_levels (stack, n_stack, build->last, build->n_last),
                sites);
  uint32_t node = 0;
  for (uint32_t i = 0; i < sites; i++) {
    /* What was gone through before needs no look-up, unless this context is
       heavier and tells the nodes' places.  */
    const struct dv_call_raw *raw
      = i < done ? dv_call_build_raw (build, build->levels[i]) : NULL;
    if (raw != NULL && weight <= raw->most) {
      node = build->levels[i];
      continue;
    }
    node = step_through (build, node, stack[sites - i], icount,
                         weight, &is_cut);
    if (node == DV_CALL_NONE)
      return node;
    build->levels[i] = node;
  }
  memcpy (build->last, stack, n_stack * sizeof *stack);
  build->n_last = n_stack;
  build->last_icount = icount;
  if (n_stack > 0 || bbdef->n_instrs > 0)
    node = step_through (build, node,
                         n_stack > 0 ? stack[0] : bbdef->instrs[0].address,
                         icount, weight, &is_cut);
  if (is_cut)
    build->cut += weight;
  return node;
}

static int
add_contexts (struct dv_call_build *build, uint32_t *leaves,
              dg_progress_fn progress, void *user)
{
  const GArray *contexts = build->tally->contexts;
  for (guint i = 0; i < contexts->len; i++) {
    const struct dv_tally_context *entry
      = &g_array_index (contexts, struct dv_tally_context, i);
    if (i % PROGRESS_STEP == 0 && progress != NULL
        && progress (user, i, contexts->len) != 0)
      return DG_ERR_CANCELLED;
    leaves[i] = dv_call_build_context (
      build, entry->context, icount_of (build, entry->context),
      dv_tally_count_accesses (&entry->count));
    if (leaves[i] == DV_CALL_NONE)
      return DG_ERR_NOMEM;
    dv_tally_count_add (&dv_call_build_raw (build, leaves[i])->self,
                        &entry->count);
  }
  return 0;
}

/* ---- The order of the nodes ------------------------------------------- */

static uint64_t
heaviness (const struct dv_call_build *build, const struct dv_call_raw *raw)
{
  return build->tally != NULL ? dv_tally_count_accesses (&raw->all)
         : build->is_time     ? raw->all_time.sums[0]
                              : raw->all_heap.bytes;
}

static void
add_heap (struct dv_call_heap *sum, const struct dv_call_heap *more)
{
  sum->bytes += more->bytes;
  sum->blocks += more->blocks;
  sum->temporary += more->temporary;
  sum->leaked += more->leaked;
}

static void
add_time (struct dv_call_time *sum, const struct dv_call_time *more)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sum->sums); i++)
    sum->sums[i] += more->sums[i];
}

/* Adds a node's own, and all that to its parent.  */
static void
add_up (const struct dv_call_build *build, struct dv_call_raw *raw,
        struct dv_call_raw *parent)
{
  if (build->is_time) {
    add_time (&raw->all_time, &raw->self_time);
    if (parent != NULL)
      add_time (&parent->all_time, &raw->all_time);
    return;
  }
  if (build->tally == NULL) {
    add_heap (&raw->all_heap, &raw->self_heap);
    if (parent != NULL)
      add_heap (&parent->all_heap, &raw->all_heap);
    return;
  }
  dv_tally_count_add (&raw->all, &raw->self);
  if (parent != NULL)
    dv_tally_count_add (&parent->all, &raw->all);
}

/* The nodes by parent, the heaviest first.  */
static gint
compare_brothers (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_call_build *build = data;
  const struct dv_call_raw *raws = build->raws.items;
  uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
  const struct dv_call_raw *x = &raws[i], *y = &raws[j];
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  uint64_t more = heaviness (build, x), less = heaviness (build, y);
  if (more != less)
    return more > less ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Where the children of each node begin among the sorted ones: children of i
   are sorted[starts[i]] .. sorted[starts[i + 1] - 1].  All 0 at first.  */
static void
find_starts (const struct dv_call_raw *raws, uint32_t n, uint32_t *starts)
{
  for (uint32_t i = 1; i < n; i++)
    starts[raws[i].parent + 1]++;
  for (uint32_t i = 0; i < n; i++)
    starts[i + 1] += starts[i];
}

static void
put_node (struct dv_calltree *tree, const struct dv_call_build *build,
          const struct dv_call_raw *raw, uint32_t at, uint32_t parent,
          bool is_root)
{
  struct dv_call_node *node = &tree->nodes[at];
  *node = (struct dv_call_node){
    .function = is_root ? DV_CALL_NONE : raw->function,
    .parent = parent,
  };
  if (build->tally != NULL) {
    node->self = raw->self;
    node->all = raw->all;
  } else if (build->is_time) {
    node->self_time = raw->self_time;
    node->all_time = raw->all_time;
  } else {
    node->self_heap = raw->self_heap;
    node->all_heap = raw->all_heap;
  }
  if (is_root)
    return;
  const struct dv_call_place *place = place_at (build, raw->place);
  node->file = place->file;
  node->line = place->line;
}

/* Every node followed by its children.  at: the next child of each raw node;
   numbers: of each, its new number.  */
static void
put_in_order (struct dv_calltree *tree, const struct dv_call_build *build,
              const struct dv_call_raw *raws, const uint32_t *sorted,
              const uint32_t *starts, uint32_t *at, uint32_t *numbers)
{
  uint32_t raw = 0, done = 1;
  numbers[0] = 0;
  put_node (tree, build, &raws[0], 0, DV_CALL_NONE, true);
  for (;;) {
    if (at[raw] < starts[raw + 1]) {
      uint32_t child = sorted[at[raw]++];
      numbers[child] = done++;
      put_node (tree, build, &raws[child], numbers[child], numbers[raw],
                false);
      raw = child;
      continue;
    }
    tree->nodes[numbers[raw]].end = done;
    if (raw == 0)
      break;
    raw = raws[raw].parent;
  }
}

int
dv_call_build_finish (struct dv_calltree *tree, struct dv_call_build *build)
{
  struct dv_call_raw *raws = build->raws.items;
  uint32_t n = build->raws.n;
  /* Four arrays: sorted, at, numbers, starts.  */
  uint32_t *memory = g_try_new0 (uint32_t, 4 * (gsize) n + 1);
  tree->nodes = g_try_new (struct dv_call_node, n);
  if (memory == NULL || tree->nodes == NULL) {
    g_free (memory);
    return DG_ERR_NOMEM;
  }
  uint32_t *sorted = memory, *at = sorted + n, *numbers = at + n;
  uint32_t *starts = numbers + n;
  for (uint32_t i = n; i-- > 0;)
    add_up (build, &raws[i], i > 0 ? &raws[raws[i].parent] : NULL);
  for (uint32_t i = 1; i < n; i++)
    sorted[i - 1] = i;
  g_qsort_with_data (sorted, (gint) (n - 1), sizeof *sorted,
                     compare_brothers, build);
  find_starts (raws, n, starts);
  memcpy (at, starts, n * sizeof *at);
  tree->n = n;
  put_in_order (tree, build, raws, sorted, starts, at, numbers);
  for (guint i = 0; tree->leaves != NULL && i < build->tally->contexts->len;
       i++)
    tree->leaves[i] = numbers[tree->leaves[i]];
  g_free (memory);
  return 0;
}

/* ---- All -------------------------------------------------------------- */

bool
dv_call_build_init (struct dv_call_build *build, struct dv_calltree *tree,
                    struct dv_data *data, uint32_t max_nodes)
{
  *build = (struct dv_call_build){
    .tally = tree->tally, .is_time = tree->is_time, .log = data->log,
    .symbols = data->symbols,
    .max_nodes = max_nodes > 0 ? max_nodes : DV_CALLTREE_MAX_NODES,
    .table_size = 1024, .functions = &tree->functions,
  };
  build->modules = g_hash_table_new (dg_hash_text, g_str_equal);
  build->table = g_try_new0 (uint32_t, build->table_size);
  return build->table != NULL
         && dv_items_add (&build->raws, sizeof (struct dv_call_raw)) != NULL
         && look_at_modules (build);
}

void
dv_call_build_fini (struct dv_call_build *build)
{
  dv_numbers_fini (&build->by_name);
  g_hash_table_unref (build->modules);
  dv_items_fini (&build->places);
  dv_items_fini (&build->addresses);
  dv_numbers_fini (&build->by_address);
  dv_items_fini (&build->raws);
  g_free (build->table);
}

struct dv_calltree *
dv_call_build_failed (struct dv_calltree *tree, int code, struct dg_error *err)
{
  struct dg_error ignored;
  if (code == DG_ERR_NOMEM)
    dv_items_nomem (err != NULL ? err : &ignored);
  else if (err != NULL)
    *err = (struct dg_error){ .code = code, .message = "cancelled" };
  dv_calltree_unref (tree);
  return NULL;
}

struct dv_calltree *
dv_calltree_new (struct dv_tally *tally, uint32_t max_nodes,
                 dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_call_build build;
  struct dv_calltree *tree = g_atomic_rc_box_new0 (struct dv_calltree);
  int code = DG_ERR_NOMEM;
  tree->tally = dv_tally_ref (tally);
  tree->leaves = g_try_new (uint32_t, MAX (tally->contexts->len, 1));
  if (dv_call_build_init (&build, tree, tally->scene->data, max_nodes)
      && tree->leaves != NULL)
    code = add_contexts (&build, tree->leaves, progress, user);
  if (code == 0)
    code = dv_call_build_finish (tree, &build);
  tree->cut = build.cut;
  dv_call_build_fini (&build);
  return code == 0 ? tree : dv_call_build_failed (tree, code, err);
}

void *
dv_calltree_make (struct dv_tally *tally, unsigned kind,
                  dg_progress_fn progress, void *user, struct dg_error *err)
{
  return dv_calltree_new (tally, 0, progress, user, err);
}
