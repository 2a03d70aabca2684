/* whatif_place.c: where objects are after a change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_place.h"

#include <string.h>

#define PAGE_SHIFT  12
#define PAGE_BYTES  (UINT64_C (1) << PAGE_SHIFT)
#define GRAIN_SHIFT 2
#define GRAINS      ((unsigned) (PAGE_BYTES >> GRAIN_SHIFT))

/* The allocator asks for so much at a time, and keeps so much of it.  */
#define AREA_BYTES  (UINT64_C (4) << 20)
#define AREA_HEADER 48
/* Between arenas.  */
#define ARENA_BYTES (UINT64_C (1) << 40)

/* Variables of this size are aligned to it by compilers.  */
#define STATIC_ALIGN 32

/* Memory where objects of one kind are: blocks, variables, or a part of those
   of a layout.  */
struct arena {
  const struct dg_whatif_layout *layout; /* of a pool; else NULL */
  uint32_t kind;                         /* part of a pool, or the store */
  enum dg_whatif_pages pages;
  uint64_t next, end;      /* room; blocks: in the area */
  uint64_t area;           /* where the next area is */
  GHashTable *unused;      /* size -> GArray of addresses that ended */
};

static guint
hash_arena (gconstpointer data)
{
  const struct arena *arena = data;

  return g_direct_hash (arena->layout) * 31
         + arena->kind * DG_WHATIF_N_PAGES + arena->pages;
}

static gboolean
equal_arenas (gconstpointer a, gconstpointer b)
{
  const struct arena *x = a, *y = b;

  return x->layout == y->layout && x->kind == y->kind
         && x->pages == y->pages;
}

static void
free_arena (gpointer data)
{
  struct arena *arena = data;

  g_hash_table_unref (arena->unused);
  g_free (arena);
}

static void
free_list (gpointer data)
{
  g_array_unref (data);
}

void
dg_whatif_place_init (struct dg_whatif_place *place)
{
  memset (place, 0, sizeof *place);
  dg_shadow_init (&place->shadow, sizeof (struct dg_sheet));
  place->unused = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  place->arenas =
    g_hash_table_new_full (hash_arena, equal_arenas, NULL, free_arena);
  place->next_arena[DG_WHATIF_USUAL_PAGES] = DG_WHATIF_FIRST;
  place->next_arena[DG_WHATIF_LARGE_PAGES] = DG_TIME_LARGE;
  place->next_arena[DG_WHATIF_USER_PAGES] = DG_TIME_BY_USER;
}

void
dg_whatif_place_fini (struct dg_whatif_place *place)
{
  for (uint32_t i = 0; i < place->shadow.pages.n; i++)
    dg_sheet_fini (dg_shadow_at (&place->shadow, i));
  dg_shadow_fini (&place->shadow);
  for (size_t i = 0; i < place->n_objects; i++)
    g_free (place->objects[i].bases);
  g_free (place->objects);
  g_array_unref (place->unused);
  g_hash_table_unref (place->arenas);
}

/* ---- Arenas ---- */

static struct arena *
arena_of (struct dg_whatif_place *place, const struct dg_whatif_layout *layout,
          uint32_t kind, enum dg_whatif_pages pages)
{
  struct arena key = { .layout = layout, .kind = kind, .pages = pages };
  struct arena *arena = g_hash_table_lookup (place->arenas, &key);

  if (arena != NULL)
    return arena;
  arena = g_new0 (struct arena, 1);
  arena->layout = layout;
  arena->kind = kind;
  arena->pages = pages;
  arena->next = arena->area = place->next_arena[pages];
  arena->unused =
    g_hash_table_new_full (dg_hash_value, NULL, NULL, free_list);
  place->next_arena[pages] += ARENA_BYTES;
  g_hash_table_add (place->arenas, arena);
  return arena;
}

/* The latest place of that size that ended, aligned; 0: none.  */
static uint64_t
reuse (struct arena *arena, uint64_t size, uint64_t align)
{
  GArray *list =
    g_hash_table_lookup (arena->unused, GSIZE_TO_POINTER (size));
  uint64_t address;

  if (list == NULL || list->len == 0)
    return 0;
  address = g_array_index (list, uint64_t, list->len - 1);
  if ((address & (align - 1)) != 0)
    return 0;
  g_array_set_size (list, list->len - 1);
  return address;
}

static void
give_back (struct arena *arena, uint64_t address, uint64_t size)
{
  GArray *list =
    g_hash_table_lookup (arena->unused, GSIZE_TO_POINTER (size));

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof address);
    g_hash_table_insert (arena->unused, GSIZE_TO_POINTER (size), list);
  }
  g_array_append_val (list, address);
}

/* What the allocator gives for a size.  */
static uint64_t
block_bytes (uint64_t size)
{
  return dg_whatif_up (MAX (size, 1), DG_WHATIF_UNIT);
}

/* Where alignment is asked for, the allocator takes so much more, and has a
   block that is free before the aligned one.  */
static uint64_t
take_block (struct arena *arena, uint64_t size, uint64_t align)
{
  uint64_t bytes = block_bytes (size), at = reuse (arena, bytes, align);
  uint64_t before = align > DG_WHATIF_UNIT ? DG_WHATIF_OVERHEAD : 0,
           all = bytes + (before > 0 ? before + align : 0);

  if (at != 0)
    return at;
  if (arena->next + all > arena->end) {
    uint64_t area = dg_whatif_up (all + AREA_HEADER + DG_WHATIF_OVERHEAD,
                                  PAGE_BYTES);

    arena->next = arena->area + AREA_HEADER;
    arena->end = arena->area += MAX (area, AREA_BYTES);
  }
  at = dg_whatif_up (arena->next + before, align);
  arena->next += all + DG_WHATIF_OVERHEAD;
  return at;
}

static uint64_t
take_packed (struct arena *arena, uint64_t size, uint64_t align)
{
  uint64_t at = reuse (arena, size, align);

  if (at == 0) {
    at = dg_whatif_up (arena->next, align);
    arena->next = at + size;
  }
  return at;
}

/* ---- Places ---- */

/* Elements of an object, the last one perhaps not whole.  */
static uint64_t
count_elements (const struct dg_whatif_object *object)
{
  return (object->size + object->layout->period - 1) / object->layout->period;
}

static uint64_t
part_bytes (const struct dg_whatif_object *object, unsigned part)
{
  const struct dg_whatif_layout *layout = object->layout;

  /* Only what is there of an element that is not whole.  */
  if (layout->cells == NULL && layout->parts[0].stride == layout->period)
    return layout->align > 1 ? dg_whatif_up (object->size, layout->align)
                             : object->size;
  return layout->parts[part].stride * count_elements (object);
}

/* A part of single objects, such as nodes of a list, that is not what the
   others point at, or a part in a pool.  */
static bool
is_pooled (const struct dg_whatif_object *object, unsigned part)
{
  return object->layout->pool != DG_WHATIF_NO_POOL
         || (object->store == DG_WHATIF_BLOCK
             && object->layout->n_parts > 1 && part > 0
             && object->size <= object->layout->period);
}

static struct arena *
part_arena (struct dg_whatif_place *place,
            const struct dg_whatif_object *object, unsigned part)
{
  enum dg_whatif_pages pages = object->layout->pages;

  return is_pooled (object, part)
           ? arena_of (place, object->layout, part, pages)
           : arena_of (place, NULL, object->store, pages);
}

/* The alignment that a size allows, as far as types have it.  */
static uint64_t
natural_align (uint64_t size)
{
  return MIN (size & -size, 16);
}

static uint64_t
place_part (struct dg_whatif_place *place, struct dg_whatif_object *object,
            unsigned part)
{
  const struct dg_whatif_layout *layout = object->layout;
  struct arena *arena = part_arena (place, object, part);
  uint64_t bytes = part_bytes (object, part);
  uint64_t align = MAX (layout->align, layout->parts[part].align);

  if (is_pooled (object, part))
    return take_packed (arena, bytes, MAX (align, natural_align (bytes)));
  if (object->store == DG_WHATIF_BLOCK)
    return take_block (arena, bytes, MAX (align, DG_WHATIF_UNIT));
  return take_packed (arena, bytes,
                      bytes >= STATIC_ALIGN ? MAX (align, STATIC_ALIGN)
                                            : align);
}

/* Whether an object is where the changed program has it as well.  */
static bool
is_in_place (const struct dg_whatif_object *object)
{
  const struct dg_whatif_layout *layout = object->layout;
  uint64_t bytes = object->bytes,
           align = MAX (layout->align, layout->parts[0].align);

  if (layout->n_parts > 1 || layout->pool != DG_WHATIF_NO_POOL
      || layout->pages != DG_WHATIF_USUAL_PAGES
      || (object->origin & (align - 1)) != 0)
    return false;
  return object->store == DG_WHATIF_BLOCK
           ? block_bytes (bytes) == block_bytes (object->size)
           : bytes == object->size;
}

void
dg_whatif_place_settle (struct dg_whatif_place *place,
                        struct dg_whatif_object *object)
{
  unsigned n = object->layout->n_parts;

  object->is_waiting = false;
  if (n == 1) {
    object->base = is_in_place (object) ? object->origin
                                        : place_part (place, object, 0);
    return;
  }
  object->bases = g_new (uint64_t, n);
  for (unsigned i = 0; i < n; i++)
    object->bases[i] = place_part (place, object, i);
  object->base = object->bases[0];
}

static void
unplace (struct dg_whatif_place *place, struct dg_whatif_object *object)
{
  if (object->is_waiting
      || (object->bases == NULL && object->base == object->origin))
    return;
  for (unsigned i = 0; i < object->layout->n_parts; i++) {
    uint64_t bytes = part_bytes (object, i);

    if (object->store == DG_WHATIF_BLOCK && !is_pooled (object, i))
      bytes = block_bytes (bytes);
    give_back (part_arena (place, object, i),
               object->bases != NULL ? object->bases[i] : object->base, bytes);
  }
  g_clear_pointer (&object->bases, g_free);
}

/* ---- The map ---- */

static void
enter_page (struct dg_whatif_place *place, uint64_t page, unsigned first,
            unsigned end, uint32_t number)
{
  bool is_new;
  struct dg_sheet *sheet = dg_shadow_add (&place->shadow, page, &is_new);

  if (sheet == NULL) {
    place->has_failed = true;
    return;
  }
  if (is_new)
    dg_sheet_set_whole (sheet, 0);
  place->pages[page >> 6 & 1023] |= UINT64_C (1) << (page & 63);
  if (first == 0 && end == GRAINS) {
    dg_sheet_set_whole (sheet, number);
    return;
  }
  if (sheet->mask == 0 && !dg_sheet_split (sheet, GRAINS)) {
    place->has_failed = true;
    return;
  }
  for (unsigned i = first; i < end; i++)
    sheet->grains[i] = number;
}

/* Whole grains only.  */
static void
enter (struct dg_whatif_place *place, uint64_t low, uint64_t high,
       uint32_t number)
{
  uint64_t first = (low + (1u << GRAIN_SHIFT) - 1) >> GRAIN_SHIFT,
           end = (high + (1u << GRAIN_SHIFT) - 1) >> GRAIN_SHIFT;

  while (first < end) {
    uint64_t page = first / GRAINS, last = MIN (end, (page + 1) * GRAINS);

    enter_page (place, page, (unsigned) (first - page * GRAINS),
                (unsigned) (last - page * GRAINS), number);
    first = last;
  }
}

struct dg_whatif_object *
dg_whatif_place_look (struct dg_whatif_place *place, uint64_t address)
{
  struct dg_sheet *sheet =
    dg_shadow_find (&place->shadow, address >> PAGE_SHIFT);
  struct dg_whatif_object *object;
  uint32_t number;

  if (sheet == NULL)
    return NULL;
  number = sheet->grains[address >> GRAIN_SHIFT & sheet->mask];
  if (number == 0)
    return NULL;
  object = &place->objects[number - 1];
  return address - object->origin < object->size ? object : NULL;
}

/* ---- Objects ---- */

static struct dg_whatif_object *
new_object (struct dg_whatif_place *place)
{
  uint32_t i;

  if (place->unused->len > 0) {
    i = g_array_index (place->unused, uint32_t, place->unused->len - 1);
    g_array_set_size (place->unused, place->unused->len - 1);
  } else {
    if (place->n_objects >= UINT32_MAX - 1
        || !DG_ARRAY_ROOM (place->objects, place->room, place->n_objects))
      return NULL;
    i = (uint32_t) place->n_objects++;
  }
  memset (&place->objects[i], 0, sizeof *place->objects);
  return &place->objects[i];
}

uint64_t
dg_whatif_place_add (struct dg_whatif_place *place, uint64_t address,
                     uint64_t size, const struct dg_whatif_layout *layout,
                     enum dg_whatif_store store, uint32_t owner)
{
  struct dg_whatif_object *object;

  if (size == 0 || size > ARENA_BYTES / 64
      || layout->parts[0].stride / 64 > layout->period)
    return size;
  object = new_object (place);
  if (object == NULL) {
    place->has_failed = true;
    return size;
  }
  object->origin = address;
  object->size = size;
  object->layout = layout;
  object->store = (uint8_t) store;
  object->owner = owner;
  for (unsigned i = 0; i < layout->n_parts; i++)
    object->bytes += part_bytes (object, i);
  if (layout->pool == DG_WHATIF_BY_USE) {
    object->is_waiting = true;
    place->newest = address;
  } else {
    dg_whatif_place_settle (place, object);
  }
  enter (place, address, address + size,
         (uint32_t) (object - place->objects) + 1);
  return object->bytes;
}

void
dg_whatif_place_remove (struct dg_whatif_place *place, uint64_t address)
{
  struct dg_whatif_object *object = dg_whatif_place_find (place, address);
  uint32_t index;

  if (object == NULL || object->origin != address)
    return;
  enter (place, address, address + object->size, 0);
  unplace (place, object);
  index = (uint32_t) (object - place->objects);
  object->size = 0;
  g_array_append_val (place->unused, index);
}
