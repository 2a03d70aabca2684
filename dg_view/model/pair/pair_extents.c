/* pair_extents.c: whose the touched addresses of a log are that are not heap
   blocks: variables, what else modules have, stacks, mappings.

   Who owns such memory hardly changes while a program runs: what changes hands
   all the same is its first owner's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_things.h"

#include <string.h>

#include <dg_record.h>

#include "format.h"
#include "i18n.h"
#include "model/log/order.h"

/* Bytes that are asked about one by one where nothing is known.  */
#define GRAIN 8
/* Of a module: where there are no symbols, pages are walked in vain.  */
#define MOST_ASKED (1u << 16)

struct finding {
  struct dv_pair_things *things;
  GHashTable *known;
  GArray *taken;           /* struct dv_pair_extent: what was given away */
};

/* ---- Extents -------------------------------------------------------- */

static void
add_extent (struct finding *finding, uint64_t low, uint64_t high,
            uint64_t offset, uint32_t number)
{
  struct dv_pair_extent extent = { low, high, offset, number, false };
  g_array_append_val (finding->things->extents, extent);
}

DV_DEFINE_COMPARE (compare_extents, struct dv_pair_extent, x->low)

/* Calls `each` for the parts of [low, high) that are touched and that nobody
   has, which are given away.  */
typedef void (*part_fn) (struct finding *finding, uint64_t low, uint64_t high,
                         void *user);

static void
take_free (struct finding *finding, uint64_t low, uint64_t high, part_fn each,
           void *user)
{
  guint n = finding->taken->len;
  const struct dv_pair_extent *taken;
  guint first = 0, end = n;
  taken = (const struct dv_pair_extent *) (void *) finding->taken->data;
  DV_BISECT (first, end, middle, taken[middle].high <= low);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_extent));
  for (guint i = first; low < high; i++) {
    uint64_t stop = i < n ? MIN (high, MAX (low, taken[i].low)) : high;
    struct dv_pair_extent part = { low, stop, 0, 0, false };
    if (low < stop)
      g_array_append_val (parts, part);
    low = i < n ? MAX (low, taken[i].high) : high;
  }
  for (guint i = 0; i < parts->len; i++) {
    struct dv_pair_extent *part =
      &g_array_index (parts, struct dv_pair_extent, i);
    each (finding, part->low, part->high, user);
  }
  g_array_append_vals (finding->taken, parts->data, parts->len);
  g_array_sort (finding->taken, compare_extents);
  g_array_unref (parts);
}

static void
take (struct finding *finding, uint64_t low, uint64_t high, part_fn each,
      void *user)
{
  const struct dv_layout *layout = &finding->things->scene->layout;
  for (size_t i = 0; i < layout->n; i++) {
    const struct dv_segment *s = &layout->segments[i];
    uint64_t last = s->address + (s->size - 1);
    if (low > last || high <= s->address)
      continue;
    uint64_t end = high - 1 < last ? high : last + 1;
    take_free (finding, MAX (low, s->address), end == 0 ? UINT64_MAX : end,
               each, user);
  }
}

/* ---- Stacks --------------------------------------------------------- */

struct whole {
  uint32_t thing;
  uint64_t origin;         /* the address of byte 0 */
};

static void
add_whole (struct finding *finding, uint64_t low, uint64_t high, void *user)
{
  const struct whole *whole = user;
  add_extent (finding, low, high, low - whole->origin, whole->thing);
}

static uint32_t
add_thing (struct finding *finding, enum dv_pair_kind kind, char *name,
           const char *where)
{
  struct dv_pair_thing thing = { .kind = kind, .name = name,
                                 .where = dv_format_shown (where) };
  dv_pair_thing_name (&thing, finding->things->scene, name);
  return dv_pair_things_add (finding->things, finding->known, &thing);
}

/* Stacks begin at their high end, so they are compared from there: all have
   that at the same offset.  */
#define STACK_TOP ((uint64_t) 1 << 62)

static void
take_stacks (struct finding *finding)
{
  size_t n;
  const struct dg_thread *threads =
    dg_log_threads (finding->things->scene->data->log, &n);
  for (size_t i = 0; i < n; i++) {
    const struct dg_thread *t = &threads[i];
    if (t->stack_low >= t->stack_high)
      continue;
    struct whole whole = {
      add_thing (finding, DV_PAIR_STACK,
                 g_strdup_printf (_ ("stack of thread %u"), t->number), ""),
      t->stack_high - STACK_TOP };
    take (finding, t->stack_low, t->stack_high, add_whole, &whole);
  }
}

/* ---- Modules -------------------------------------------------------- */

struct module {
  char *name;
  uint64_t icount;         /* when it is there */
  struct whole rest;
  unsigned asked;
};

static char *
base_of (const char *path)
{
  char *base = g_path_get_basename (path != NULL ? path : "");
  char *text = dv_format_shown (base);
  g_free (base);
  return text;
}

static uint32_t
add_variable (struct finding *finding, const struct dg_variable *v,
              const struct module *module)
{
  char *where = v->file != NULL ? base_of (v->file) : g_strdup (module->name);
  struct dv_pair_thing thing = { .kind = DV_PAIR_DATA,
                                 .name = dv_format_shown (v->name),
                                 .where = where, .file = v->file,
                                 .line = v->line };
  char *few = g_strdup (thing.name);
  if (v->thread != 0) {
    g_free (thing.name);
    /* TRANSLATORS: a variable, of a thread.  */
    thing.name = g_strdup_printf (_ ("%s of thread %u"), few, v->thread);
  }
  dv_pair_thing_name (&thing, finding->things->scene, few);
  g_free (few);
  return dv_pair_things_add (finding->things, finding->known, &thing);
}

/* What has no name up to `high` is one piece.  */
static void
add_module (struct finding *finding, uint64_t low, uint64_t high, void *user)
{
  struct module *module = user;
  struct dg_symbols *symbols = finding->things->scene->data->symbols;
  uint64_t unknown = low;
  while (low < high) {
    struct dg_variable v;
    if (symbols == NULL || module->asked > MOST_ASKED
        || !dg_symbols_data (symbols, low, module->icount, 0, &v)) {
      module->asked++;
      low = module->asked > MOST_ASKED ? high : (low / GRAIN + 1) * GRAIN;
      continue;
    }
    uint64_t end = v.is_section ? v.until : v.address + v.size;
    end = CLAMP (end, low + 1, high);
    if (unknown < low)
      add_whole (finding, unknown, low, &module->rest);
    add_extent (finding, low, end, v.is_section ? low - module->rest.origin
                                                : low - v.address,
                v.is_section ? module->rest.thing
                             : add_variable (finding, &v, module));
    low = unknown = end;
  }
  if (unknown < high)
    add_whole (finding, unknown, high, &module->rest);
}

static void
take_file (struct finding *finding, const struct dg_mapping *m,
           const char *file, uint64_t origin)
{
  const struct dv_scene *scene = finding->things->scene;
  struct module module = { .name = base_of (file) };
  module.icount = MIN (m->end_icount, MAX (scene->full.y1, 1)) - 1;
  module.icount = MAX (module.icount, m->start_icount);
  const char *key = dv_pair_module_key (scene, module.name);
  struct dv_pair_thing rest = {
    .kind = DV_PAIR_DATA,
    .name = g_strdup_printf (_ ("other data of %s"), module.name),
    .where = g_strdup (module.name) };
  char *few = g_strdup_printf ("module %s", key);
  dv_pair_thing_name (&rest, scene, few);
  g_free (few);
  module.rest.thing =
    dv_pair_things_add (finding->things, finding->known, &rest);
  module.rest.origin = origin;
  take (finding, m->address, m->address + m->size, add_module, &module);
  g_free (module.name);
}

/* ---- Mappings ------------------------------------------------------- */

static bool
is_taken (const struct finding *finding, const struct dg_mapping *m)
{
  for (guint i = 0; i < finding->taken->len; i++) {
    const struct dv_pair_extent *e =
      &g_array_index (finding->taken, struct dv_pair_extent, i);
    if (e->low <= m->address && m->address + m->size <= e->high)
      return true;
  }
  return false;
}

/* What is mapped right behind a file, without a file, is the file's: its
   uninitialised data.  Others are known by their number.  */
static void
take_mappings (struct finding *finding)
{
  size_t n;
  const struct dg_mapping *mappings =
    dg_log_mappings (finding->things->scene->data->log, &n);
  const char *last = "";
  uint64_t end = 0, origin = 0;
  unsigned number = 0;
  for (size_t i = 0; i < n; i++) {
    const struct dg_mapping *m = &mappings[i];
    bool goes_on = *last != '\0' && m->address == end
                   && (m->protection & DG_PROT_WRITE) != 0;
    const char *file = *m->file == '\0' && goes_on ? last : m->file;
    if (m->size == 0 || m->address + m->size < m->address)
      continue;
    if (*file == '\0') {
      bool is_break = m->what == DG_MAP_BRK;
      if (!is_taken (finding, m)) {
        char *name = is_break ? g_strdup (_ ("program break"))
                              : g_strdup_printf (_ ("mapped memory %u"),
                                                 ++number);
        struct whole whole = { add_thing (finding, DV_PAIR_MAPPING, name, ""),
                               m->address };
        take (finding, m->address, m->address + m->size, add_whole, &whole);
      }
    } else {
      if (strcmp (file, last) != 0)
        origin = m->address;
      take_file (finding, m, file, origin);
    }
    last = file;
    end = m->address + m->size;
  }
}

/* What nobody claims, such as in logs of other recorders: pages side by side
   are one.  */
static void
take_others (struct finding *finding)
{
  const struct dv_layout *layout = &finding->things->scene->layout;
  for (size_t i = 0; i < layout->n; i++) {
    const struct dv_segment *s = &layout->segments[i];
    char *name = g_strdup_printf (_ ("memory %zu"), i + 1);
    struct whole whole = { add_thing (finding, DV_PAIR_OTHER, name, ""),
                           s->address };
    take (finding, s->address, s->address + s->size, add_whole, &whole);
  }
}

/* ---- Heap blocks ---------------------------------------------------- */

/* Less than this between two blocks is what an allocator keeps there.  */
#define MOST_BETWEEN 256
struct place {
  uint64_t low, high;
};

DV_DEFINE_COMPARE (compare_places, struct place, x->low)

/* Where blocks are, or were, by address, without overlap.  */
static GArray *
block_places (const struct dv_pair_things *things)
{
  const struct dg_log *log = things->scene->data->log;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct place));
  struct place *last = NULL;
  guint n = 0;
  for (size_t i = 0; i < things->n_blocks; i++) {
    const struct dg_block_extent b = dg_log_block_extent (log, i);
    struct place place = { b.address, b.address + b.size };
    if (things->of_block[i] == DG_NONE || place.high < place.low)
      continue;
    /* Most are where others were before.  */
    if (last != NULL && last->low <= place.low
        && place.low <= last->high + MOST_BETWEEN) {
      last->high = MAX (last->high, place.high);
      continue;
    }
    g_array_append_val (places, place);
    last = &g_array_index (places, struct place, places->len - 1);
  }
  g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++) {
    struct place *place = &g_array_index (places, struct place, i);
    last = n > 0 ? &g_array_index (places, struct place, n - 1) : NULL;
    if (last != NULL && place->low <= last->high + MOST_BETWEEN)
      last->high = MAX (last->high, place->high);
    else
      g_array_index (places, struct place, n++) = *place;
  }
  g_array_set_size (places, n);
  return places;
}

static void
add_piece (GArray *pieces, const struct dv_pair_extent *extent, uint64_t low,
           uint64_t high, bool has_blocks)
{
  struct dv_pair_extent piece = *extent;
  piece.offset += low - extent->low;
  piece.low = low;
  piece.high = high;
  piece.has_blocks = has_blocks;
  if (low < high)
    g_array_append_val (pieces, piece);
}

/* An extent in pieces with and without blocks.  Of memory without a name of
   its own, those with blocks are `between`.  */
static void
split (GArray *pieces, const struct dv_pair_things *things,
       const struct dv_pair_extent *extent, const GArray *places,
       uint32_t between)
{
  enum dv_pair_kind kind = dv_pair_thing (things, extent->thing)->kind;
  uint64_t low = extent->low;
  guint first = 0, end = places->len;
  DV_BISECT (first, end, middle,
             g_array_index (places, struct place, middle).high <= low);
  for (; first < places->len && low < extent->high; first++) {
    const struct place *place = &g_array_index (places, struct place, first);
    uint64_t from = CLAMP (place->low, low, extent->high);
    uint64_t to = CLAMP (place->high, from, extent->high);
    add_piece (pieces, extent, low, from, false);
    add_piece (pieces, extent, from, to, true);
    if (from < to && (kind == DV_PAIR_MAPPING || kind == DV_PAIR_OTHER)) {
      struct dv_pair_extent *last =
        &g_array_index (pieces, struct dv_pair_extent, pieces->len - 1);
      last->thing = between;
    }
    low = to;
  }
  add_piece (pieces, extent, low, extent->high, false);
}

static void
split_by_blocks (struct finding *finding)
{
  struct dv_pair_things *things = finding->things;
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_extent));
  GArray *places = block_places (things);
  uint32_t between = DG_NONE;
  if (places->len > 0)
    between = add_thing (finding, DV_PAIR_OTHER,
                         g_strdup (_ ("between heap blocks")), "");
  for (guint i = 0; i < things->extents->len; i++)
    split (pieces, things,
           &g_array_index (things->extents, struct dv_pair_extent, i), places,
           between);
  g_array_unref (places);
  g_array_unref (things->extents);
  things->extents = pieces;
  for (guint i = 0; i < pieces->len; i++) {
    struct dv_pair_extent *e =
      &g_array_index (pieces, struct dv_pair_extent, i);
    if (e->thing == between)
      e->offset = DV_PAIR_FOLDED;
  }
}

/* ---- All ------------------------------------------------------------ */

void
dv_pair_extents_find (struct dv_pair_things *things, GHashTable *known)
{
  struct finding finding = { things, known, NULL };
  finding.taken = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_extent));
  take_stacks (&finding);
  take_mappings (&finding);
  take_others (&finding);
  g_array_unref (finding.taken);
  g_array_sort (things->extents, compare_extents);
  split_by_blocks (&finding);
}
