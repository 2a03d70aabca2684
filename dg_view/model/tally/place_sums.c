/* place_sums.c: sums by page and by cache line, of all workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "place_sums.h"

#include <string.h>

#include <dg_record.h>

#include "shares.h"

/* Each has its own lock, so that workers rarely wait for one another.  */
#define SHARDS 16
/* Lines that are told besides the heaviest, because threads share them.  */
#define LISTED_SHARED 2000
/* (Place, thread) pairs that a shard remembers for lines.  */
#define MOST_SHARES ((1u << 20) / SHARDS)

struct place {
  uint64_t number;         /* address >> shift */
  struct dv_tally_count count;
  uint64_t first, last;    /* icounts */
  uint32_t shares;         /* the first, + 1; 0: none, or nobody asks */
};

/* Places by number, and as a list.  */
struct places {
  struct place *items;
  uint32_t n, room;
  uint32_t *slots;         /* item + 1; 0: free */
  uint32_t mask;
  struct dv_shares shares;
};

struct shard {
  GMutex lock;
  struct places pages, lines;
  GHashTable *seen;        /* sheets' numbers to bits of the lines that were
                              seen; NULL: no line was forgotten */
  uint64_t n_lines;        /* that were seen */
  uint64_t lack;           /* the most that a line can have lost */
};

struct dv_place_sums {
  unsigned page_shift, line_shift, sheet_shift;
  struct shard shards[SHARDS];
};

/* ---- Places by number ------------------------------------------------- */

static uint32_t *
probe (const struct places *places, uint64_t number)
{
  uint32_t i = (uint32_t) (number * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    uint32_t *slot = &places->slots[i & places->mask];
    if (*slot == 0 || places->items[*slot - 1].number == number)
      return slot;
  }
}

static void
fill_slots (struct places *places)
{
  for (uint32_t i = 0; i < places->n; i++)
    *probe (places, places->items[i].number) = i + 1;
}

/* False, and nothing has changed: there is no memory.  */
static bool
set_slots (struct places *places, uint32_t mask)
{
  uint32_t *slots = g_try_new0 (uint32_t, (size_t) mask + 1);
  if (slots == NULL)
    return false;
  g_free (places->slots);
  places->slots = slots;
  places->mask = mask;
  fill_slots (places);
  return true;
}

static bool
places_init (struct places *places)
{
  return set_slots (places, 63);
}

static void
places_fini (struct places *places)
{
  g_free (places->items);
  g_free (places->slots);
  dv_shares_fini (&places->shares);
}

/* NULL: there is no memory.  */
static struct place *
places_get (struct places *places, uint64_t number, bool *is_new)
{
  uint32_t *slot = probe (places, number);
  *is_new = *slot == 0;
  if (!*is_new)
    return &places->items[*slot - 1];
  struct place *items = dv_shares_room (places->items, sizeof *items,
                                        places->n, &places->room);
  if (items == NULL)
    return NULL;
  places->items = items;
  if (places->n >= places->mask / 4 * 3
      && !set_slots (places, places->mask * 2 + 1))
    return NULL;
  places->items[places->n++] = (struct place){ .number = number,
                                               .first = UINT64_MAX };
  *probe (places, number) = places->n;
  return &places->items[places->n - 1];
}

static bool
add_share (struct places *places, struct place *place, uint32_t thread,
           const struct dv_sheet_bytes *bytes)
{
  return dv_shares_add (&places->shares, (uint32_t) (place - places->items),
                        &place->shares, thread, bytes);
}

/* ---- Forgetting ------------------------------------------------------- */

/* Moves those of n counts that are at least the one in the middle behind
   those that are at most that; returns where the second part begins, which is
   neither 0 nor n.  */
static size_t
split (uint64_t *counts, size_t n)
{
  uint64_t middle = counts[(n - 1) / 2];
  size_t i = 0, j = n - 1;
  for (;; i++, j--) {
    while (counts[i] < middle)
      i++;
    while (counts[j] > middle)
      j--;
    if (i >= j)
      return j + 1;
    uint64_t swap = counts[i];
    counts[i] = counts[j];
    counts[j] = swap;
  }
}

/* Number k of n counts in ascending order, which are moved about.  */
static uint64_t
select_count (uint64_t *counts, size_t n, size_t k)
{
  while (n > 1) {
    size_t lower = split (counts, n);
    if (k < lower) {
      n = lower;
    } else {
      counts += lower;
      n -= lower;
      k -= lower;
    }
  }
  return counts[0];
}

static bool
note_seen (const struct dv_place_sums *sums, struct shard *shard,
           uint64_t line, bool *is_new)
{
  unsigned per_sheet = sums->sheet_shift - sums->line_shift;
  uint64_t number = line >> per_sheet;
  uint64_t bit = (uint64_t) 1 << (line & (((uint64_t) 1 << per_sheet) - 1));
  uint64_t *bits = g_hash_table_lookup (shard->seen, &number);
  if (bits == NULL) {
    bits = g_try_new0 (uint64_t, 2);
    if (bits == NULL)
      return false;
    bits[0] = number;
    g_hash_table_insert (shard->seen, bits, bits);
  }
  *is_new = (bits[1] & bit) == 0;
  bits[1] |= bit;
  return true;
}

/* Keeps the shares of the lines that are kept.  */
static bool
pack_shares (struct places *lines)
{
  struct dv_shares old = lines->shares;
  bool is_good = true;
  lines->shares = (struct dv_shares){ 0 };
  for (uint32_t k = 0; k < lines->n; k++) {
    uint32_t i = lines->items[k].shares;
    lines->items[k].shares = 0;
    for (; i != 0 && is_good; i = old.items[i - 1].next)
      is_good = add_share (lines, &lines->items[k], old.items[i - 1].thread,
                           &old.items[i - 1].bytes);
  }
  dv_shares_fini (&old);
  return is_good;
}

/* Drops the lighter half.  What a line may have lost is what the heaviest of
   these had.  */
static bool
forget_lines (const struct dv_place_sums *sums, struct shard *shard)
{
  struct places *lines = &shard->lines;
  bool is_good = true;
  if (shard->seen == NULL) {
    bool is_new;
    shard->seen = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL,
                                         g_free);
    for (uint32_t i = 0; i < lines->n && is_good; i++)
      is_good = note_seen (sums, shard, lines->items[i].number, &is_new);
  }
  uint64_t *counts = is_good ? g_try_new (uint64_t, lines->n) : NULL;
  if (counts == NULL)
    return false;
  for (uint32_t i = 0; i < lines->n; i++)
    counts[i] = dv_tally_count_accesses (&lines->items[i].count);
  uint64_t limit = select_count (counts, lines->n, lines->n / 2);
  g_free (counts);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < lines->n; i++)
    if (dv_tally_count_accesses (&lines->items[i].count) > limit)
      lines->items[kept++] = lines->items[i];
  lines->n = kept;
  shard->lack += limit;
  memset (lines->slots, 0, ((size_t) lines->mask + 1) * sizeof *lines->slots);
  fill_slots (lines);
  return pack_shares (lines);
}

/* ---- Summing ---------------------------------------------------------- */

struct dv_place_sums *
dv_place_sums_new (const struct dv_scene *scene)
{
  const struct dv_data *data = scene->data;
  struct dv_place_sums *sums = g_try_new0 (struct dv_place_sums, 1);
  bool is_good = true;
  if (sums == NULL)
    return NULL;
  sums->page_shift = data->page_shift;
  sums->line_shift = data->line_shift;
  sums->sheet_shift = dv_sheet_shift (data);
  for (unsigned i = 0; i < SHARDS; i++) {
    g_mutex_init (&sums->shards[i].lock);
    is_good &= places_init (&sums->shards[i].pages);
    is_good &= places_init (&sums->shards[i].lines);
  }
  if (!is_good)
    g_clear_pointer (&sums, dv_place_sums_free);
  return sums;
}

void
dv_place_sums_free (struct dv_place_sums *sums)
{
  if (sums == NULL)
    return;
  for (unsigned i = 0; i < SHARDS; i++) {
    struct shard *shard = &sums->shards[i];
    places_fini (&shard->pages);
    places_fini (&shard->lines);
    g_clear_pointer (&shard->seen, g_hash_table_unref);
    g_mutex_clear (&shard->lock);
  }
  g_free (sums);
}

static void
add_to (struct place *place, const struct dv_tally_count *count,
        uint64_t first, uint64_t last)
{
  dv_tally_count_add (&place->count, count);
  place->first = MIN (place->first, first);
  place->last = MAX (place->last, last);
}

static struct dv_tally_count
unpack (const struct dv_sheet_cell *cell)
{
  return (struct dv_tally_count){
    .reads = (uint32_t) cell->packed[DG_ACC_READ],
    .writes = (uint32_t) cell->packed[DG_ACC_WRITE],
    .read_bytes = cell->packed[DG_ACC_READ] >> 32,
    .written_bytes = cell->packed[DG_ACC_WRITE] >> 32};
}

static void
subtract (struct dv_tally_count *from, const struct dv_tally_count *count)
{
  from->reads -= count->reads;
  from->writes -= count->writes;
  from->read_bytes -= count->read_bytes;
  from->written_bytes -= count->written_bytes;
}

static bool
take_line (const struct dv_place_sums *sums, struct shard *shard,
           const struct dv_sheets *sheets, const struct dv_sheet *sheet,
           unsigned i, struct place *page)
{
  const struct dv_sheet_cell *cell = &sheet->cells[i];
  struct dv_tally_count count = unpack (cell);
  uint64_t first = sheets->base + cell->first - 1;
  uint64_t last = sheets->base + cell->last - 1;
  unsigned per_sheet = sums->sheet_shift - sums->line_shift;
  bool is_new;
  add_to (page, &count, first, last);
  if (shard->lines.n >= DV_MOST_LINES / SHARDS
      || shard->lines.shares.n >= MOST_SHARES)
    if (!forget_lines (sums, shard))
      return false;
  struct place *line = places_get (&shard->lines,
                                   (sheet->number << per_sheet) + i, &is_new);
  if (line == NULL)
    return false;
  add_to (line, &count, first, last);
  if (sheet->bytes != NULL
      && !add_share (&shard->lines, line, sheet->thread, &sheet->bytes[i]))
    return false;
  if (is_new && shard->seen != NULL
      && !note_seen (sums, shard, line->number, &is_new))
    return false;
  shard->n_lines += is_new;
  return true;
}

static bool
take_sheet (struct dv_place_sums *sums, struct shard *shard,
            const struct dv_sheets *sheets, const struct dv_sheet *sheet)
{
  struct place *page = NULL;
  bool is_new;
  struct dv_sheet_bytes bytes = { 0 };
  uint64_t number = sheet->number >> (sums->page_shift - sums->sheet_shift);
  for (unsigned i = 0; i <= sheets->line_mask; i++) {
    const struct dv_sheet_cell *cell = &sheet->cells[i];
    if (cell->first == 0)
      continue;
    if (page == NULL)
      page = places_get (&shard->pages, number, &is_new);
    if (page == NULL || !take_line (sums, shard, sheets, sheet, i, page))
      return false;
    bytes.touched = 1;
    bytes.written |= cell->packed[DG_ACC_WRITE] != 0;
  }
  if (page == NULL)
    return true;
  subtract (&page->count, &sheet->extra);
  return sheet->bytes == NULL
         || add_share (&shard->pages, page, sheet->thread, &bytes);
}

bool
dv_place_sums_take (struct dv_place_sums *sums,
                    const struct dv_sheets *sheets)
{
  bool is_good = true;
  for (unsigned s = 0; s < SHARDS && is_good; s++) {
    struct shard *shard = &sums->shards[s];
    g_mutex_lock (&shard->lock);
    for (uint32_t i = 0; i < sheets->n && is_good; i++) {
      const struct dv_sheet *sheet = &sheets->sheets[i];
      if (sheet->counts && sheet->shard % SHARDS == s)
        is_good = take_sheet (sums, shard, sheets, sheet);
    }
    g_mutex_unlock (&shard->lock);
  }
  return is_good;
}

/* ---- Telling ---------------------------------------------------------- */

static enum dv_sharing
sharing_of (const struct places *places, const struct place *place)
{
  uint64_t once = 0, more = 0, written = 0;
  const struct dv_share *shares = places->shares.items;
  if (place->shares == 0 || shares[place->shares - 1].next == 0)
    return DV_SHARING_NONE;
  for (uint32_t i = place->shares; i != 0; i = shares[i - 1].next) {
    const struct dv_sheet_bytes *bytes = &shares[i - 1].bytes;
    more |= once & bytes->touched;
    once |= bytes->touched;
    written |= bytes->written;
  }
  return (written & more) != 0 ? DV_SHARING_TRUE
         : written != 0 ? DV_SHARING_FALSE : DV_SHARING_NONE;
}

static void
tell_place (const struct places *places, const struct place *place,
            unsigned shift, bool is_line, struct dv_tally *tally)
{
  struct dv_tally_place told = {
    .address = place->number << shift, .count = place->count,
    .first_icount = place->first, .last_icount = place->last,
    .threads = place->shares == 0 ? 1 : 0,
    .writers = place->shares == 0 && place->count.writes > 0 ? 1 : 0
  };
  if (is_line)
    told.sharing = sharing_of (places, place);
  const struct dv_share *shares = places->shares.items;
  for (uint32_t i = place->shares; i != 0; i = shares[i - 1].next) {
    const struct dv_share *share = &shares[i - 1];
    told.threads++;
    told.writers += share->bytes.written != 0;
    if (told.sharing == DV_SHARING_NONE)
      continue;
    struct dv_tally_share one = { told.address, share->thread,
                                  share->bytes.touched,
                                  share->bytes.written };
    g_array_append_val (tally->shares, one);
  }
  g_array_append_val (is_line ? tally->lines : tally->pages, told);
}

/* Which places are told: those with more than `limit` accesses, and `ties` of
   those with just as many.  */
struct choice {
  uint64_t limit;
  size_t ties;
};

static bool
chooses (struct choice *choice, const struct place *place)
{
  uint64_t n = dv_tally_count_accesses (&place->count);
  if (n != choice->limit || choice->ties == 0)
    return n > choice->limit;
  choice->ties--;
  return true;
}

static bool
is_shared (const struct places *places, const struct place *place)
{
  return sharing_of (places, place) != DV_SHARING_NONE;
}

/* The `listed` heaviest of the pages, the lines, or those lines that are
   shared.  False: there is no memory.  */
static bool
choose (const struct dv_place_sums *sums, bool is_line, bool shared,
        size_t listed, struct choice *choice)
{
  size_t n = 0, total = 0;
  *choice = (struct choice){ 0 };
  for (unsigned s = 0; s < SHARDS; s++)
    total += is_line ? sums->shards[s].lines.n : sums->shards[s].pages.n;
  if (total <= listed)
    return true;
  uint64_t *counts = g_try_new (uint64_t, total);
  if (counts == NULL)
    return false;
  for (unsigned s = 0; s < SHARDS; s++) {
    const struct shard *shard = &sums->shards[s];
    const struct places *places = is_line ? &shard->lines : &shard->pages;
    for (uint32_t i = 0; i < places->n; i++)
      if (!shared || is_shared (places, &places->items[i]))
        counts[n++] = dv_tally_count_accesses (&places->items[i].count);
  }
  if (n > listed) {
    choice->limit = select_count (counts, n, n - listed);
    choice->ties = listed;
    for (size_t i = 0; i < n; i++)
      choice->ties -= counts[i] > choice->limit;
  }
  g_free (counts);
  return true;
}

static bool
tell_pages (struct dv_place_sums *sums, struct dv_tally *tally)
{
  struct choice choice;
  if (!choose (sums, false, false, DV_LISTED, &choice))
    return false;
  for (unsigned s = 0; s < SHARDS; s++) {
    const struct places *pages = &sums->shards[s].pages;
    for (uint32_t i = 0; i < pages->n; i++)
      if (chooses (&choice, &pages->items[i]))
        tell_place (pages, &pages->items[i], sums->page_shift, false, tally);
  }
  return true;
}

static bool
tell_lines (struct dv_place_sums *sums, bool by_thread,
            struct dv_tally *tally)
{
  struct choice heavy, shared = { 0 };
  if (!choose (sums, true, false, DV_LISTED, &heavy)
      || (by_thread && !choose (sums, true, true, LISTED_SHARED, &shared)))
    return false;
  for (unsigned s = 0; s < SHARDS; s++) {
    const struct places *lines = &sums->shards[s].lines;
    for (uint32_t i = 0; i < lines->n; i++) {
      const struct place *line = &lines->items[i];
      if (chooses (&heavy, line)
          || (by_thread && is_shared (lines, line)
              && chooses (&shared, line)))
        tell_place (lines, line, sums->line_shift, true, tally);
    }
  }
  return true;
}

static int
heavier (const void *a, const void *b)
{
  const struct dv_tally_place *x = a, *y = b;
  uint64_t m = dv_tally_count_accesses (&x->count);
  uint64_t n = dv_tally_count_accesses (&y->count);
  return m != n ? (m < n) - (m > n)
                : (x->address > y->address) - (x->address < y->address);
}

static int
compare_shares (const void *a, const void *b)
{
  const struct dv_tally_share *x = a, *y = b;
  return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                            : (x->thread > y->thread)
                              - (x->thread < y->thread);
}

bool
dv_place_sums_tell (struct dv_place_sums *sums, struct dv_tally *tally)
{
  bool by_thread = false;
  for (unsigned s = 0; s < SHARDS; s++) {
    struct shard *shard = &sums->shards[s];
    g_mutex_lock (&shard->lock);
    tally->n_pages += shard->pages.n;
    tally->n_lines += shard->n_lines;
    tally->lines_lack = MAX (tally->lines_lack, shard->lack);
    by_thread |= shard->lines.shares.n > 0;
  }
  bool is_good = tell_pages (sums, tally)
                 && tell_lines (sums, by_thread, tally);
  for (unsigned s = 0; s < SHARDS; s++)
    g_mutex_unlock (&sums->shards[s].lock);
  g_array_sort (tally->pages, heavier);
  g_array_sort (tally->lines, heavier);
  g_array_sort (tally->shares, compare_shares);
  return is_good;
}
