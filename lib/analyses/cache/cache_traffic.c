/* cache_traffic.c: what a level of caches asks of the one behind it.

   Which lines are there is up to cache_sim.h; here is which of them were
   written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dg_traffic.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/table.h"
#include "cache_levels.h"
#include "dg_record.h"

/* Lines known to be written, so that few writes ask the table.  */
#define N_KNOWN 1024

struct level {
  struct dg_cache cache;
  uint32_t line;           /* bytes */
  GHashTable *written;     /* lines that are there, as pointers */
  uint64_t known[N_KNOWN]; /* some of them, by their last bits */
};

struct dg_traffic {
  struct level instr;
  struct level levels[1 + DG_LOWER_LEVELS];    /* D1, then those behind it */
  unsigned n_levels;
  unsigned last;           /* whose traffic this is */
  uint32_t width;          /* that an access counts as at most */
  struct dg_table moves;   /* struct dg_move */
  bool has_failed;         /* out of memory */
};

/* Who touches lines.  */
struct cause {
  uint8_t kind, instr;
};

/* ---- Written lines ---------------------------------------------------- */

static void
set_written (struct level *level, uint64_t line)
{
  uint64_t *known = &level->known[line % N_KNOWN];

  if (*known == line)
    return;
  *known = line;
  g_hash_table_add (level->written, (gpointer) (uintptr_t) line);
}

/* Whether it was, and is no longer.  */
static bool
take_written (struct level *level, uint64_t line)
{
  uint64_t *known = &level->known[line % N_KNOWN];

  if (*known == line)
    *known = DG_CACHE_EMPTY;
  return g_hash_table_remove (level->written, (gpointer) (uintptr_t) line);
}

static bool
is_there (const struct level *level, uint64_t line)
{
  const uint64_t *set = dg_cache_set (&level->cache, line);

  for (unsigned i = 0; i < level->cache.assoc; i++)
    if (set[i] == line)
      return true;
  return false;
}

/* ---- Moves ------------------------------------------------------------ */

static void
add_move (struct dg_traffic *traffic, uint64_t address, uint32_t size,
          uint8_t kind, uint8_t instr)
{
  struct dg_move *move = dg_table_add (&traffic->moves, sizeof *move);

  if (move == NULL)
    traffic->has_failed = true;
  else
    *move = (struct dg_move) {
      .address = address, .size = size, .kind = kind, .instr = instr};
}

/* Writes back what level i gave away, from level i + 1 on.  */
static void
write_back (struct dg_traffic *traffic, unsigned i, uint64_t address,
            uint32_t size, uint8_t instr)
{
  struct level *next = &traffic->levels[i + 1];

  if (i == traffic->last) {
    add_move (traffic, address, size, DG_MOVE_BACK, instr);
    return;
  }
  for (uint64_t line = address >> next->cache.line_bits;
       line <= (address + size - 1) >> next->cache.line_bits; line++)
    if (is_there (next, line))
      set_written (next, line);
    else
      write_back (traffic, i + 1, line << next->cache.line_bits,
                  MIN (size, next->line), instr);
}

/* Touches the lines of an access: whether all were there.  */
static bool
touch (struct dg_traffic *traffic, struct level *level, unsigned i,
       uint64_t address, uint32_t width, struct cause cause)
{
  unsigned bits = level->cache.line_bits;
  uint64_t end = address + width, line = address >> bits;
  uint64_t last = (end < address ? UINT64_MAX : end) >> bits;
  bool is_data = level != &traffic->instr, is_hit = true;

  for (;; line++) {
    uint64_t *set = dg_cache_set (&level->cache, line), victim = line;

    if (set[0] != line)
      victim = dg_cache_replace (&level->cache, set, line);
    if (victim != line) {
      is_hit = false;
      if (is_data && i == traffic->last)
        add_move (traffic, line << bits, level->line, cause.kind,
                  cause.instr);
      if (is_data && victim != DG_CACHE_EMPTY
          && take_written (level, victim))
        write_back (traffic, i, victim << bits, level->line, cause.instr);
    }
    if (cause.kind == DG_MOVE_WRITE && i == 0)
      set_written (level, line);
    if (line == last)
      return is_hit;
  }
}

static void
look_up (struct dg_traffic *traffic, unsigned first, uint64_t address,
         uint32_t width, struct cause cause)
{
  for (unsigned i = first; i <= traffic->last; i++)
    if (touch (traffic, &traffic->levels[i], i, address, width, cause))
      return;
}

/* ---- Runs ------------------------------------------------------------- */

static void
fetch (struct dg_traffic *traffic, const struct dg_instr *instr,
       unsigned index)
{
  struct cause cause = {DG_MOVE_FETCH, (uint8_t) index};
  uint32_t width = MAX (instr->size, 1) - 1;

  if (!touch (traffic, &traffic->instr, 0, instr->address, width, cause))
    look_up (traffic, 1, instr->address, width, cause);
}

/* The write of a modify hits, whatever happens.  */
static bool
is_modify (const struct dg_run *run, unsigned slot, uint64_t address)
{
  const struct dg_slot *write = &run->bbdef->slots[slot], *read = write - 1;

  return slot > 0 && write->kind == DG_ACC_WRITE && read->kind == DG_ACC_READ
         && read->iseq == write->iseq && read->size == write->size
         && run->addresses[read->entry] == address;
}

static void
access_data (struct dg_traffic *traffic, const struct dg_run *run,
             unsigned index)
{
  const struct dg_slot *slot = &run->bbdef->slots[index];
  uint64_t address = run->addresses[slot->entry];
  uint32_t width = CLAMP (slot->size, 1, traffic->width) - 1;
  struct level *data = &traffic->levels[0];
  struct cause cause = {
    slot->kind == DG_ACC_READ ? DG_MOVE_READ : DG_MOVE_WRITE, slot->iseq};

  if (address == 0)
    return;
  if (is_modify (run, index, address)) {
    set_written (data, address >> data->cache.line_bits);
    if (address + width > address)
      set_written (data, (address + width) >> data->cache.line_bits);
    return;
  }
  look_up (traffic, 0, address, width, cause);
}

ptrdiff_t
dg_traffic_run (struct dg_traffic *traffic, const struct dg_run *run,
                const struct dg_move **moves, struct dg_error *err)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  unsigned slot = 0;

  traffic->moves.n = 0;
  while (slot < run->n_slots && bbdef->slots[slot].iseq < run->first_instr)
    slot++;
  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    if (traffic->last > 0)
      fetch (traffic, &bbdef->instrs[i], i);
    for (; slot < run->n_slots && bbdef->slots[slot].iseq == i; slot++)
      access_data (traffic, run, slot);
  }
  *moves = traffic->moves.items;
  return traffic->has_failed ? dg_error_nomem (err)
                             : (ptrdiff_t) traffic->moves.n;
}

/* ---- Making ----------------------------------------------------------- */

static int
init_level (struct level *level, const struct dg_cache_shape *shape,
            struct dg_error *err)
{
  level->line = shape->line;
  level->written = g_hash_table_new (dg_hash_value, NULL);
  memset (level->known, 0xff, sizeof level->known);
  return dg_cache_init (&level->cache, shape, DG_CACHE_LRU, err);
}

static void
fini_level (struct level *level)
{
  dg_cache_fini (&level->cache);
  g_clear_pointer (&level->written, g_hash_table_unref);
}

static int
init_levels (struct dg_traffic *traffic, const struct dg_cache_made *made,
             struct dg_error *err)
{
  int code = init_level (&traffic->instr, &made->instr, err);

  traffic->width = MIN (made->instr.line, made->data.line);
  if (code == 0)
    code = init_level (&traffic->levels[0], &made->data, err);
  for (unsigned i = 0; i < made->n_lower && code == 0; i++) {
    code = init_level (&traffic->levels[i + 1], &made->lower[i], err);
    traffic->width = MIN (traffic->width, made->lower[i].line);
  }
  traffic->n_levels = 1 + made->n_lower;
  return code;
}

static int
find_level (struct dg_traffic *traffic, const struct dg_cache_made *made,
            const char *name, struct dg_error *err)
{
  if (strcmp (name, made->data_name) == 0)
    return 0;
  for (unsigned i = 0; i < made->n_lower; i++)
    if (strcmp (name, made->lower_names[i]) == 0) {
      traffic->last = i + 1;
      return 0;
    }
  return dg_error_set (err, DG_ERR_INVALID,
                       "--level=%s: there is no such cache; give its size by "
                       "--%s",
                       name, name);
}

struct dg_traffic *
dg_traffic_new (const struct dg_setup *setup, const char *level,
                struct dg_error *err)
{
  struct dg_traffic *traffic = g_try_new0 (struct dg_traffic, 1);
  struct dg_cache_made made = {.n_lower = 0};
  int code = traffic != NULL ? 0 : dg_error_nomem (err);

  if (code == 0)
    code = dg_cache_levels_make (setup, &made, err);
  if (code == 0)
    code = find_level (traffic, &made, level, err);
  if (code == 0)
    code = init_levels (traffic, &made, err);
  if (code == 0)
    return traffic;
  dg_traffic_free (traffic);
  return NULL;
}

void
dg_traffic_free (struct dg_traffic *traffic)
{
  if (traffic == NULL)
    return;
  fini_level (&traffic->instr);
  for (unsigned i = 0; i < G_N_ELEMENTS (traffic->levels); i++)
    fini_level (&traffic->levels[i]);
  dg_table_fini (&traffic->moves);
  g_free (traffic);
}
