/* rows_memory.c: rows of places of allocation, pages, cache lines and
   threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rows_make.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/access/answer.h"
#include "libdatagrind.h"
#include "format.h"
#include "i18n.h"
#include "model/log/numbers.h"
#include "model/log/order.h"

#define MAX_FRAMES 32
/* Threads of a line that are told one by one.  */
#define TOLD_THREADS 4
/* Gaps that are looked over for the owner of a page.  */
#define MOST_OWNERS 256

/* ---- Places of allocation --------------------------------------------- */

static struct dg_site_frame
site_of (const struct dv_tally *tally, uint32_t block)
{
  const struct dv_data *data = tally->scene->data;
  const struct dg_block b = dg_log_block (data->log, block);
  struct dg_site_frame site;
  dv_data_site (data, data->symbols, &b, &site);
  return site;
}

static struct dg_frame
allocator_frame (const struct dv_tally *tally, uint32_t block)
{
  return site_of (tally, block).frame;
}

static uint64_t
hash_of (const char *text)
{
  return text != NULL ? g_str_hash (text) * 0x9e3779b97f4a7c15u : 0;
}

static char *
where_text (const struct dg_site_frame *site)
{
  char *where = dg_site_where (site), *valid = dv_format_shown (where);
  free (where);
  return valid;
}

/* The key of a row for a place; *name receives its text.  */
static uint64_t
site_key (const struct dg_site_frame *site, char **place)
{
  const struct dg_frame *frame = &site->frame;
  *place = site->frame.line != 0 ? where_text (site)
                                 : dv_rows_place (frame->file, frame->line);
  return hash_of (frame->function) ^ hash_of (frame->module) * 3
         ^ (hash_of (frame->file) + frame->line) * 5
         ^ (site->column + ((uint64_t) site->call << 32))
             * 0x9e3779b97f4a7c15u;
}

static char *
module_name (const char *path)
{
  char *base = path != NULL ? g_path_get_basename (path) : NULL;
  char *text = dv_rows_text (base);
  g_free (base);
  return text;
}

/* DG_NONE: there is no memory.  */
static uint32_t
site_row (struct dv_rows *rows, struct dv_numbers *known, uint32_t block)
{
  const struct dg_site_frame site = site_of (rows->tally, block);
  const struct dg_frame frame = site.frame;
  char *place;
  uint64_t key = site_key (&site, &place);
  uint32_t number =
    dv_numbers_find (known, &(struct dv_numbers_key){.a = key});
  if (number != DV_NUMBERS_NONE) {
    g_free (place);
    return number;
  }
  struct dv_row row = { .key = key, .where = place, .file = frame.file,
                        .line = frame.line, .function = frame.function,
                        .block = block };
  row.module = module_name (frame.module);
  if (frame.function != NULL)
    row.name = dv_rows_text (frame.function);
  else if (*row.module != '\0')
    row.name = g_strdup_printf (_ ("code of %s"), row.module);
  else
    row.name = g_strdup (_ ("unknown code"));
  if (!dv_rows_add (rows, &row)
      || !dv_numbers_add (known, &(struct dv_numbers_key){.a = key},
                          rows->rows.n - 1))
    return DG_NONE;
  return rows->rows.n - 1;
}

static int
add_sites (struct dv_rows_maker *maker, struct dv_numbers *known)
{
  struct dv_rows *rows = maker->rows;
  const GArray *sites = rows->tally->sites;
  for (guint i = 0; i < sites->len; i++) {
    const struct dv_tally_site *site = &g_array_index (
      sites, struct dv_tally_site, i);
    uint32_t number = site_row (rows, known, site->block);
    if (number == DG_NONE)
      return DG_ERR_NOMEM;
    struct dv_row *row = dv_rows_edit (rows, number);
    rows->of[i] = number;
    row->blocks += site->blocks;
    row->bytes += site->bytes;
    dv_tally_count_add (&row->count, &site->count);
    if (!dv_rows_step (maker))
      return DG_ERR_CANCELLED;
  }
  return 0;
}

int
dv_rows_make_sites (struct dv_rows_maker *maker)
{
  struct dv_rows *rows = maker->rows;
  struct dv_numbers known = { 0 };
  maker->total = rows->tally->sites->len;
  rows->of = g_try_new (uint32_t, (gsize) rows->tally->sites->len + 1);
  if (rows->of == NULL)
    return DG_ERR_NOMEM;
  int code = add_sites (maker, &known);
  dv_numbers_fini (&known);
  if (code == 0 && dv_tally_count_accesses (&rows->tally->elsewhere) > 0) {
    struct dv_row row = { .key = 1, .block = DG_NONE,
                          .count = rows->tally->elsewhere };
    row.name = g_strdup (_ ("not in a heap block"));
    row.where = g_strdup ("");
    row.module = g_strdup ("");
    if (!dv_rows_add (rows, &row))
      code = DG_ERR_NOMEM;
  }
  return code == 0 ? dv_rows_finish (rows) : code;
}

/* ---- Pages and cache lines -------------------------------------------- */

/* "counters", "table+0x40", by the name that the source has for it, as the
   Access panel and dg have, too; NULL: no variable.  */
static char *
variable_text (const struct dv_data *data, uint64_t address, uint64_t icount)
{
  struct dg_variable v;
  char *name, *text;

  if (!dg_symbols_data (data->symbols, address, icount, 0, &v) || v.is_section
      || v.name == NULL)
    return NULL;
  name = dv_rows_text (v.name);
  if (address == v.address)
    return name;
  text = g_strdup_printf ("%s+" DV_ADDRESS, name, address - v.address);
  g_free (name);
  return text;
}

/* "block of 64 bytes of make_node", "counters", "stack of thread 1".  */
static char *
owner_text (const struct dv_tally *tally, uint64_t address, uint64_t icount)
{
  struct dv_data *data = tally->scene->data;
  struct dg_owner owner;
  if (data->space == NULL)
    return g_strdup ("");
  dg_space_find (data->space, address, icount, &owner);
  if (owner.kind == DG_OWNER_BLOCK) {
    struct dg_frame frame = allocator_frame (tally, owner.index);
    char size[40];
    dv_format_bytes (size, sizeof size,
                     dg_log_block_extent (data->log, owner.index).size);
    /* Translators: a size, such as "64 bytes".  */
    if (frame.function == NULL)
      return g_strdup_printf (_ ("heap block of %s"), size);
    char *name = dv_rows_text (frame.function);
    /* Translators: a size, and the function that allocated it.  */
    char *text = g_strdup_printf (_ ("heap block of %s by %s"), size, name);
    g_free (name);
    return text;
  }
  if ((owner.kind == DG_OWNER_MODULE || owner.kind == DG_OWNER_LOCALS)
      && data->symbols != NULL) {
    char *name = variable_text (data, address, icount);
    if (name != NULL && owner.kind == DG_OWNER_MODULE)
      return name;
    if (name != NULL) {
      size_t n;
      char *thread = dv_answer_thread (
        data, dg_log_thread_locals (data->log, &n)[owner.index].thread);
      /* Translators: a variable, and a thread.  */
      char *text = g_strdup_printf (_ ("%s, thread %s"), name, thread);
      g_free (thread);
      g_free (name);
      return text;
    }
  }
  return dv_answer_owner (data, address, icount);
}

/* That of the first heap block in a place, which may begin behind its
   start.  */
static char *
find_owner (const struct dv_tally *tally, const struct dv_tally_place *place,
            uint64_t size)
{
  const struct dg_space *space = tally->scene->data->space;
  uint64_t address = place->address, low, high;
  for (unsigned i = 0; space != NULL && i < MOST_OWNERS; i++) {
    if (dg_space_block (space, address, place->last_icount, &low, &high)
        != DG_NONE)
      return owner_text (tally, address, place->last_icount);
    if (high - place->address >= size)
      break;
    address = high;
  }
  return owner_text (tally, place->address, place->last_icount);
}

/* "0–7, 16–23": the bits, as bytes of the line.  */
static void
append_bytes (GString *text, uint64_t bits, unsigned shift)
{
  const char *before = "";
  for (unsigned i = 0; i < 64; i++) {
    if ((bits >> i & 1) == 0)
      continue;
    unsigned start = i;
    while (i < 63 && (bits >> (i + 1) & 1) != 0)
      i++;
    unsigned first = start << shift, last = ((i + 1) << shift) - 1;
    if (first == last)
      g_string_append_printf (text, "%s%u", before, first);
    else
      g_string_append_printf (text, "%s%u–%u", before, first, last);
    before = ", ";
  }
}

/* "1 writes 0–7; 2 reads 8–15".  */
static char *
sharing_detail (const struct dv_tally *tally, uint64_t line, unsigned shift)
{
  const GArray *shares = tally->shares;
  guint low = 0, high = shares->len, told = 0;
  DV_BISECT (low, high, middle,
             g_array_index (shares, struct dv_tally_share, middle).line
               < line);
  GString *text = g_string_new (NULL);
  for (; low < shares->len && told <= TOLD_THREADS; low++, told++) {
    const struct dv_tally_share *share = &g_array_index (
      shares, struct dv_tally_share, low);
    if (share->line != line)
      break;
    if (told > 0)
      g_string_append (text, "; ");
    if (told == TOLD_THREADS) {
      g_string_append (text, "…");
      break;
    }
    GString *bytes = g_string_new (NULL);
    append_bytes (bytes, share->written != 0 ? share->written
                                             : share->touched, shift);
    g_string_append_printf (text,
                            share->written != 0
                              /* Translators: a thread's number, and bytes
                                 of a cache line, such as "0–7, 12".  */
                              ? _ ("%u writes %s")
                              : _ ("%u reads %s"),
                            share->thread, bytes->str);
    g_string_free (bytes, TRUE);
  }
  return g_string_free (text, FALSE);
}

int
dv_rows_make_places (struct dv_rows_maker *maker)
{
  struct dv_rows *rows = maker->rows;
  const struct dv_tally *tally = rows->tally;
  const struct dv_data *data = tally->scene->data;
  bool lines = rows->kind == DV_ROWS_LINES;
  const GArray *places = lines ? tally->lines : tally->pages;
  uint64_t size = (uint64_t) 1 << (lines ? data->line_shift
                                         : data->page_shift);
  maker->total = MIN (places->len, DV_MOST_ROWS);
  for (guint i = 0; i < places->len; i++) {
    const struct dv_tally_place *place = &g_array_index (
      places, struct dv_tally_place, i);
    /* Those that are shared follow the heaviest.  */
    if (rows->rows.n >= DV_MOST_ROWS)
      break;
    if (tally->shares->len > 0 && i >= DV_MOST_ROWS * 4 / 5
        && place->sharing == DV_SHARING_NONE && lines)
      continue;
    struct dv_row row = {
      .key = place->address, .address = place->address,
      .count = place->count, .threads = place->threads,
      .writers = place->writers, .sharing = place->sharing,
      .false_share = place->false_share,
      .first_icount = place->first_icount,
      .last_icount = place->last_icount, .block = DG_NONE
    };
    row.name = g_strdup_printf (DV_ADDRESS, place->address);
    row.where = find_owner (tally, place, size);
    row.module = g_strdup ("");
    if (place->sharing != DV_SHARING_NONE)
      row.detail = sharing_detail (tally, place->address,
                                   data->line_shift > 6
                                   ? data->line_shift - 6 : 0);
    if (!dv_rows_add (rows, &row))
      return DG_ERR_NOMEM;
    if (!dv_rows_step (maker))
      return DG_ERR_CANCELLED;
  }
  rows->n = lines ? tally->n_lines : tally->n_pages;
  return dv_rows_finish (rows);
}

/* ---- Threads ---------------------------------------------------------- */

static int
add_threads (struct dv_rows *rows, const struct dg_thread *threads,
             const struct dv_numbers *index)
{
  const GArray *counts = rows->tally->threads;
  for (guint i = 0; i < counts->len; i++) {
    const struct dv_tally_thread *one = &g_array_index (
      counts, struct dv_tally_thread, i);
    struct dv_row row = { .key = one->thread, .thread = one->thread,
                          .count = one->count, .block = DG_NONE,
                          .last_icount = DG_NEVER };
    uint32_t number =
      dv_numbers_find (index, &(struct dv_numbers_key){.a = one->thread});
    const struct dg_thread *thread = number != DV_NUMBERS_NONE
                                     ? &threads[number] : NULL;
    row.name = dv_answer_thread_text (one->thread, thread);
    row.where = g_strdup ("");
    row.module = g_strdup ("");
    if (thread != NULL) {
      row.first_icount = thread->start_icount;
      row.last_icount = thread->end_icount;
    }
    if (!dv_rows_add (rows, &row))
      return DG_ERR_NOMEM;
  }
  return dv_rows_finish (rows);
}

int
dv_rows_make_threads (struct dv_rows_maker *maker)
{
  struct dv_numbers index = { 0 };   /* by number: a log may have very many */
  size_t n;
  const struct dg_thread *threads
    = dg_log_threads (maker->rows->tally->scene->data->log, &n);
  int code = 0;
  for (size_t i = 0; i < n && code == 0; i++)
    if (!dv_numbers_add (&index,
                         &(struct dv_numbers_key){.a = threads[i].number},
                         (uint32_t) i))
      code = DG_ERR_NOMEM;
  if (code == 0)
    code = add_threads (maker->rows, threads, &index);
  dv_numbers_fini (&index);
  return code;
}
