/* finder.c: finds the variable, block and allocation site of each access.

   What was found is entered in a map of the program's memory, in which a
   change of owners is forgotten when its moment comes, and nothing else.  So
   an access costs a look into the map, as long as accesses come in the order
   of the log.  At a jump the map is made to fit, or begun again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "space/owner_changes.h"
#include "base/error.h"
#include "log/block_window.h"
#include "finder_map.h"
#include "variables.h"
#include "variables_locals.h"

#include <string.h>

/* Things whose fields repeat after more bytes are remembered by page.  */
#define MOST_PERIOD DG_SHEET_BYTES
/* Of more changes at once, the map is begun again.  */
#define MOST_CHANGES 65536

/* Code addresses whose frames are remembered.  */
#define RECENT_FRAMES 4096
/* Bytes behind a frame that may be arguments for the function it calls.  */
#define ARGUMENT_BYTES 512

/* What several items share: the numbers of all things of a layout.  */
struct layout {
  enum dg_variable_kind kind;
  const void *key;
  uint64_t period;
  uint32_t *numbers;
};

/* What is in a frame while its code is at `pc`, and the latest answer.  */
struct recent_parts {
  uint64_t pc;
  const struct dg_frame_parts *parts;  /* NULL: nothing yet */
  int64_t place;
  uint32_t number;
};

struct dg_finder {
  struct dg_variables *variables;
  const struct dg_owner_changes *changes;
  unsigned window;         /* that the cursor and the map are of */
  uint64_t end;            /* when another window may begin */
  struct dg_owner_changes_cursor cursor;
  bool is_begun;           /* the map is of a moment */
  /* Moments since .. since + span - 1 are those of the map; no change is
     between them.  */
  uint64_t since, span;
  struct dg_finder_map map;
  struct dg_extent mixed;  /* what was asked of a grain that several share */
  GArray *things;          /* struct dg_extent: of items with fields */
  GHashTable *layouts;     /* a struct layout is its own key */
  /* For stacks, from the first question on.  */
  bool has_cursor;         /* it was tried */
  struct dg_frame_cursor *cursor_of_frames;    /* or NULL */
  struct recent_parts *frames;                 /* RECENT_FRAMES, or NULL */
  struct dg_frame_place place;                 /* the latest */
  uint32_t place_thread, place_owner;          /* it is about these */
};

static guint
hash_layout (gconstpointer data)
{
  const struct layout *layout = data;

  return g_direct_hash (layout->key) * 31 + (guint) layout->period
         + (guint) layout->kind;
}

static gboolean
equal_layouts (gconstpointer a, gconstpointer b)
{
  const struct layout *x = a, *y = b;

  return x->kind == y->kind && x->key == y->key && x->period == y->period;
}

struct dg_finder *
dg_finder_new (struct dg_variables *variables, struct dg_error *err)
{
  struct dg_finder *finder = g_try_new0 (struct dg_finder, 1);

  if (finder == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  finder->variables = variables;
  finder->changes = dg_variables_changes (variables);
  finder->things = g_array_new (FALSE, FALSE, sizeof (struct dg_extent));
  finder->layouts =
    g_hash_table_new_full (hash_layout, equal_layouts, g_free, NULL);
  dg_map_init (&finder->map);
  return finder;
}

void
dg_finder_free (struct dg_finder *finder)
{
  if (finder == NULL)
    return;
  dg_map_fini (&finder->map);
  dg_frame_cursor_free (finder->cursor_of_frames);
  g_free (finder->frames);
  g_array_unref (finder->things);
  g_hash_table_unref (finder->layouts);
  g_free (finder);
}

/* ---- Time ------------------------------------------------------------- */

static void
forget_all (struct dg_finder *finder)
{
  dg_map_clear (&finder->map);
  g_array_set_size (finder->things, 0);
  g_hash_table_remove_all (finder->layouts);
}

/* Modules have come or gone: an address may be that of other code.  */
static void
forget_code (struct dg_finder *finder)
{
  g_clear_pointer (&finder->frames, g_free);
}

/* The map is right from this moment on, until something changes.  */
static void
be_since (struct dg_finder *finder, uint64_t icount)
{
  uint64_t until = MIN (finder->cursor.next, finder->end);

  finder->since = icount;
  finder->span = until > icount ? until - icount : 0;
  finder->is_begun = true;
}

/* Makes the map one of a moment that it is not of.  */
static __attribute__ ((noinline)) void
move_to (struct dg_finder *finder, uint64_t icount)
{
  unsigned window = dg_owner_changes_window (finder->changes);
  struct dg_owner_changes_cursor there;
  uint64_t low, high;

  if (icount >= finder->since && finder->is_begun
      && finder->window == window) {
    dg_owner_changes_seek (finder->changes, icount, &there);
    if (dg_owner_changes_between (&finder->cursor, &there) <= MOST_CHANGES) {
      while (dg_owner_changes_next (finder->changes, &finder->cursor, icount,
                                    &low, &high)) {
        dg_map_forget (&finder->map, low, high);
        if (high - low == UINT64_MAX)
          forget_code (finder);
      }
      be_since (finder, icount);
      return;
    }
  }
  forget_all (finder);
  forget_code (finder);
  finder->window = window;
  dg_block_window_moments (finder->variables->log, &low, &finder->end);
  dg_owner_changes_seek (finder->changes, icount, &finder->cursor);
  be_since (finder, icount);
}

static inline void
be_at (struct dg_finder *finder, uint64_t icount)
{
  if (G_UNLIKELY (icount - finder->since >= finder->span))
    move_to (finder, icount);
}

/* ---- What is not in the map ------------------------------------------- */

/* Gives an item the numbers of its fields: those of its layout, or of its
   own.  Large things get those of the page that the address is in.  */
static void
set_numbers (struct dg_finder *finder, const struct dg_extent *thing,
             uint64_t address, struct dg_map_item *item)
{
  struct layout key = {thing->variable_kind, thing->layout, thing->period,
                       NULL};
  struct layout *layout;

  item->number = DG_NUMBER_FIELDS;
  item->thing = finder->things->len;
  g_array_append_vals (finder->things, thing, 1);
  finder->map.bytes += sizeof *thing;
  if (thing->period > MOST_PERIOD) {
    item->origin = address >> DG_SHEET_SHIFT << DG_SHEET_SHIFT;
    item->period = DG_SHEET_BYTES;
    item->numbers = dg_map_numbers (&finder->map, item->period);
    return;
  }
  item->origin = thing->origin;
  item->period = (uint32_t) thing->period;
  layout = thing->layout != NULL
             ? g_hash_table_lookup (finder->layouts, &key)
             : NULL;
  if (layout == NULL) {
    item->numbers = dg_map_numbers (&finder->map, item->period);
    if (thing->layout == NULL)
      return;
    layout = g_new (struct layout, 1);
    *layout = key;
    layout->numbers = item->numbers;
    g_hash_table_add (finder->layouts, layout);
  }
  item->numbers = layout->numbers;
}

static uint32_t
add_thing (struct dg_finder *finder, const struct dg_extent *thing,
           uint64_t address)
{
  uint32_t i = dg_map_add (&finder->map);
  struct dg_map_item *item = &finder->map.items[i];

  item->block = thing->block;
  item->site = thing->site;
  item->owner = thing->owner;
  switch (thing->kind) {
  case DG_EXTENT_ONE:
    item->number = thing->number;
    break;
  case DG_EXTENT_STACK:
    item->number = DG_NUMBER_STACK;
    item->thing = thing->thread;
    break;
  case DG_EXTENT_FIELDS:
    set_numbers (finder, thing, address, item);
    break;
  }
  return i;
}

/* The variable of one byte.  */
static uint32_t
number_at (struct dg_finder *finder, const struct dg_extent *thing,
           uint64_t address, uint64_t icount)
{
  uint64_t first, size;

  if (thing->kind != DG_EXTENT_FIELDS)
    return thing->number;
  return dg_variables_field (finder->variables, thing,
                             (address - thing->origin) % thing->period, icount,
                             &first, &size);
}

/* A grain that several things share: an item that knows each byte.  Its block
   is asked for each time.  */
static uint32_t
add_mixed (struct dg_finder *finder, uint64_t address, uint64_t icount)
{
  uint64_t origin = address & -(uint64_t) DG_GRAIN_BYTES;
  uint32_t *numbers = dg_map_numbers (&finder->map, DG_GRAIN_BYTES);
  struct dg_map_item *item;
  struct dg_extent thing;
  uint32_t i;

  for (unsigned k = 0; k < DG_GRAIN_BYTES; k++) {
    dg_variables_extent (finder->variables, origin + k, icount, &thing);
    numbers[k] = number_at (finder, &thing, origin + k, icount);
  }
  i = dg_map_add (&finder->map);
  item = &finder->map.items[i];
  item->number = DG_NUMBER_FIELDS;
  item->origin = origin;
  item->period = DG_GRAIN_BYTES;
  item->numbers = numbers;
  item->thing = DG_NONE;
  item->block = DG_NONE;
  return i;
}

static __attribute__ ((noinline)) struct dg_map_item *
ask (struct dg_finder *finder, uint64_t address, uint64_t icount)
{
  uint64_t grain = address & -(uint64_t) DG_GRAIN_BYTES;
  struct dg_sheet *sheet;
  struct dg_extent thing;
  uint32_t item;

  if (dg_map_is_full (&finder->map))
    forget_all (finder);
  sheet = dg_map_sheet (&finder->map, address >> DG_SHEET_SHIFT);
  dg_variables_extent (finder->variables, address, icount, &thing);
  if (thing.low > grain || thing.high - grain < DG_GRAIN_BYTES) {
    item = add_mixed (finder, address, icount);
    dg_map_enter_grain (&finder->map, sheet, address, item);
  } else {
    item = add_thing (finder, &thing, address);
    dg_map_enter (&finder->map, sheet, thing.low, thing.high, item);
  }
  return &finder->map.items[item];
}

static inline struct dg_map_item *
find (struct dg_finder *finder, const struct dg_access *access)
{
  struct dg_map_item *item = dg_map_find (&finder->map, access->address);

  if (G_UNLIKELY (item == finder->map.items))
    item = ask (finder, access->address, access->icount);
  return item;
}

/* ---- Frames ----------------------------------------------------------- */

static struct recent_parts *
parts_at (struct dg_finder *finder, uint64_t pc, uint64_t icount)
{
  struct recent_parts *recent;

  if (G_UNLIKELY (finder->frames == NULL))
    finder->frames = g_new0 (struct recent_parts, RECENT_FRAMES);
  recent = &finder->frames[(pc ^ pc >> 12) % RECENT_FRAMES];
  if (G_UNLIKELY (recent->parts == NULL || recent->pc != pc)) {
    recent->pc = pc;
    recent->parts = dg_variables_frame_parts (finder->variables, pc, icount);
    recent->place = INT64_MIN;
  }
  return recent;
}

static struct dg_frame_cursor *
frames_of (struct dg_finder *finder)
{
  if (!finder->has_cursor) {
    const struct dg_frames *frames = dg_variables_frames (finder->variables);

    if (frames != NULL)
      finder->cursor_of_frames = dg_frame_cursor_new (frames, NULL);
    finder->has_cursor = true;
  }
  return finder->cursor_of_frames;
}

void
dg_finder_begin_chunk (struct dg_finder *finder, size_t chunk)
{
  struct dg_frame_cursor *cursor = frames_of (finder);

  finder->place.span = 0;
  if (cursor != NULL)
    dg_frame_cursor_begin_chunk (cursor, chunk);
}

void
dg_finder_begin_run (struct dg_finder *finder, const struct dg_run *run)
{
  if (finder->cursor_of_frames != NULL)
    dg_frame_cursor_begin_run (finder->cursor_of_frames, run);
}

void
dg_finder_end_run (struct dg_finder *finder)
{
  if (finder->cursor_of_frames != NULL)
    dg_frame_cursor_end_run (finder->cursor_of_frames);
}

/* Whether the latest place is also that of an access.  */
static inline bool
is_in_place (const struct dg_finder *finder, const struct dg_access *access,
             uint32_t owner)
{
  const struct dg_frame_place *place = &finder->place;

  return access->icount - place->since < place->span
         && access->address - place->low < place->cfa - place->low
         && finder->place_owner == owner
         && finder->place_thread == access->thread;
}

/* The variable at a place of a frame; the number of its function's unknown
   ones if there is none.  */
static uint32_t
ask_place (struct dg_finder *finder, struct recent_parts *recent,
           const struct dg_access *access)
{
  const struct dg_frame_place *place = &finder->place;
  int64_t from_inner = (int64_t) (access->address - place->inner_cfa);
  uint32_t number;

  if (dg_variables_frame_number (finder->variables, recent->parts,
                                 recent->place, access->icount, &number))
    return number;
  /* What the caller has at the end of its frame may be arguments.  */
  if (place->inner_cfa != 0 && from_inner < ARGUMENT_BYTES) {
    uint64_t pc = place->inner_pc != 0 ? place->inner_pc
                                       : access->instruction;
    const struct dg_frame_parts *inner = dg_variables_frame_parts (
      finder->variables, pc, access->icount);

    /* It depends on more than the place.  */
    recent->place = INT64_MIN;
    if (dg_variables_frame_number (finder->variables, inner, from_inner,
                                   access->icount, &number))
      return number;
  }
  return recent->parts->unknown;
}

/* The variable on a thread's stack.  */
static uint32_t
find_local (struct dg_finder *finder, const struct dg_access *access,
            uint32_t owner)
{
  struct dg_frame_place *place = &finder->place;
  struct recent_parts *recent;
  int64_t from_cfa;

  if (!is_in_place (finder, access, owner)) {
    struct dg_frame_cursor *cursor = frames_of (finder);

    place->span = 0;
    if (cursor == NULL
        || dg_frame_cursor_find (cursor, access, owner, place, NULL) != 1) {
      place->span = 0;
      return DG_VARIABLE_STACK;
    }
    finder->place_owner = owner;
    finder->place_thread = access->thread;
  }
  recent = parts_at (finder, place->pc != 0 ? place->pc : access->instruction,
                     access->icount);
  from_cfa =
    dg_frame_parts_place (recent->parts, access->address, place->cfa);
  if (recent->place == from_cfa)
    return recent->number;
  recent->place = from_cfa;
  recent->number = ask_place (finder, recent, access);
  return recent->number;
}

/* ---- Variables -------------------------------------------------------- */

/* Asks for the field at a byte of an item, and enters it for all of its
   bytes.  */
static __attribute__ ((noinline)) uint32_t
ask_field (struct dg_finder *finder, const struct dg_map_item *item,
           uint64_t address, uint64_t icount)
{
  const struct dg_extent *thing =
    &g_array_index (finder->things, struct dg_extent, item->thing);
  uint64_t first, size, at, place;
  uint64_t offset = (address - thing->origin) % thing->period;
  uint32_t number = dg_variables_field (finder->variables, thing, offset,
                                        icount, &first, &size);

  place = (address - item->origin) % item->period;
  /* Of the field's bytes those that are in the array; `at` is that of
     its beginning.  */
  if (offset - first > place) {
    size -= offset - first - place;
    at = 0;
  } else {
    at = place - (offset - first);
  }
  size = MIN (size, item->period - at);
  /* A page may hold the end of one element and the beginning of another, but
     a field is in one of them.  */
  for (uint64_t i = 0; i < size; i++)
    item->numbers[at + i] = number;
  return number;
}

static uint32_t
find_far (struct dg_finder *finder, const struct dg_map_item *item,
          const struct dg_access *access)
{
  uint64_t place;
  uint32_t number;

  if (item->number == DG_NUMBER_STACK)
    return find_local (finder, access, item->thing);
  place = access->address - item->origin;
  if (G_UNLIKELY (place >= item->period))
    place = place >> 32 == 0 ? (uint32_t) place % item->period
                             : place % item->period;
  number = item->numbers[place];
  if (G_UNLIKELY (number == DG_NUMBER_UNASKED))
    number = ask_field (finder, item, access->address, access->icount);
  return number;
}

uint32_t
dg_finder_variable (struct dg_finder *finder, const struct dg_access *access)
{
  const struct dg_map_item *item;

  be_at (finder, access->icount);
  item = find (finder, access);
  return G_LIKELY (item->number < DG_NUMBER_STACK)
           ? item->number
           : find_far (finder, item, access);
}

uint32_t
dg_finder_block (struct dg_finder *finder, const struct dg_access *access)
{
  const struct dg_map_item *item;
  uint64_t low, high;

  be_at (finder, access->icount);
  item = find (finder, access);
  if (G_UNLIKELY (item->number == DG_NUMBER_FIELDS && item->thing == DG_NONE))
    return dg_space_block (dg_variables_space (finder->variables),
                           access->address, access->icount, &low, &high);
  return item->block;
}

uint32_t
dg_finder_site (struct dg_finder *finder, const struct dg_access *access)
{
  uint32_t block = dg_finder_block (finder, access);

  return block == DG_NONE ? 0
                          : dg_variables_block_site (finder->variables, block);
}

void
dg_finder_whole (struct dg_finder *finder, const struct dg_access *access,
                 struct dg_whole *out)
{
  const struct dg_map_item *item;

  be_at (finder, access->icount);
  item = find (finder, access);
  *out = (struct dg_whole){ .block = item->block,
                            .site = item->site,
                            .owner = item->owner };
  if (item->number != DG_NUMBER_FIELDS)
    return;
  if (G_LIKELY (item->thing != DG_NONE)) {
    out->thing =
      &g_array_index (finder->things, struct dg_extent, item->thing);
    return;
  }
  dg_variables_extent (finder->variables, access->address, access->icount,
                       &finder->mixed);
  out->block = finder->mixed.block;
  out->site = finder->mixed.site;
  out->owner = finder->mixed.owner;
  if (finder->mixed.kind == DG_EXTENT_FIELDS)
    out->thing = &finder->mixed;
}
