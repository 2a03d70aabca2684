/* advise_heap.c: rules about heap blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_rules.h"

#include <inttypes.h>
#include <string.h>

/* Fewer bytes in all are not worth a sentence.  */
#define FEWEST_BYTES  (8u << 10)
/* Nor are fewer blocks, where the number is what costs.  */
#define FEWEST_BLOCKS 1000
/* What malloc and free take of a block, in cycles, both together; measured
   with the allocators of today when they find a block in a cache of free
   ones.  */
#define ALLOCATE_CYCLES 100
/* malloc's own data of a block, and the smallest block, in bytes.  */
#define HEAD_BYTES    8
#define LEAST_BYTES   32

static struct advise_finding *
site_finding (const struct advise_site *site)
{
  return advise_finding_new (&site->code, site->name);
}

/* ---- Never freed ------------------------------------------------------ */

/* A single block that is kept to the end is usually meant to be.  */
#define FEWEST_LEFT 8

void
advise_never_freed (const struct advise_rule *rule,
                    struct advise_search *search)
{
  /* They may be freed where the log has ended.  */
  if (search->facts->is_partial)
    return;
  for (guint i = 0; i < search->facts->sites->len; i++) {
    const struct advise_site *site = search->facts->sites->pdata[i];
    double amount = (double) site->never_freed_bytes;
    struct advise_finding *finding;
    char *bytes, *blocks, *all;

    if (site->is_library || site->never_freed < FEWEST_LEFT
        || amount < FEWEST_BYTES / 2
        || !advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    bytes = advise_bytes_text (site->never_freed_bytes);
    blocks = advise_count_text (site->never_freed);
    all = advise_count_text (site->blocks);
    advise_finding_say (finding,
                        "%s blocks of %s, %s, are never freed (of %s), and"
                        " not used near the end of the run.",
                        blocks, site->name, bytes, all);
    advise_finding_do (finding,
                       "Free them when they were used for the last time; dg"
                       " heap --late shows when that is.");
    advise_search_take (search, rule, finding, amount);
    g_free (bytes);
    g_free (blocks);
    g_free (all);
  }
}

/* ---- Not used --------------------------------------------------------- */

/* The field that takes most of what is not touched, as a part of an array may
   be.  NULL: no structure has one.  */
static const struct advise_field *
roomy_field (const struct advise_facts *facts, const struct advise_site *site,
             const struct advise_object **owner)
{
  for (guint i = 0; i < facts->objects->len; i++) {
    const struct advise_object *object = facts->objects->pdata[i];

    if (object->type == NULL || strcmp (object->memory, site->name) != 0)
      continue;
    for (guint k = 0; k < object->fields->len; k++) {
      const struct advise_field *field =
        &g_array_index (object->fields, struct advise_field, k);

      *owner = object;
      if (field->size > 8 && field->size * 2 >= object->size
          && !advise_field_is_padding (field))
        return field;
    }
  }
  return NULL;
}

static void
do_untouched (const struct advise_facts *facts, const struct advise_site *site,
              struct advise_finding *finding)
{
  const struct advise_object *object = NULL;
  const struct advise_field *field = roomy_field (facts, site, &object);

  if (field == NULL || site->never_used * 2 >= site->blocks)
    advise_finding_do (finding,
                       "Allocate what is needed, when it is needed; let"
                       " buffers grow by doubling.");
  else
    advise_finding_do (finding,
                       "The field %s is %" PRIu32 " of the %" PRIu32
                       " bytes of %s: make it as long as its content, as the"
                       " last field of a block of that size, or a block of its"
                       " own.",
                       field->name, field->size, object->size, object->type);
}

void
advise_untouched (const struct advise_rule *rule, struct advise_search *search)
{
  for (guint i = 0; i < search->facts->sites->len; i++) {
    const struct advise_site *site = search->facts->sites->pdata[i];
    double amount = (double) site->untouched;
    struct advise_finding *finding;
    char *bytes, *all;

    if (site->is_library || amount < FEWEST_BYTES
        || site->untouched * 2 < site->bytes
        || advise_search_find (search, "unused-fields", site->name, NULL)
        || !advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    bytes = advise_bytes_text (site->untouched);
    all = advise_bytes_text (site->bytes);
    advise_finding_say (finding,
                        "%s of the %s that %s allocates are never read or"
                        " written", bytes, all, site->name);
    if (site->never_used > 0)
      advise_finding_say (finding,
                          "; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " blocks are not used at all",
                          site->never_used, site->blocks);
    advise_finding_say (finding, ".");
    do_untouched (search->facts, site, finding);
    advise_search_take (search, rule, finding, amount);
    g_free (bytes);
    g_free (all);
  }
}

void
advise_write_only (const struct advise_rule *rule,
                   struct advise_search *search)
{
  for (guint i = 0; i < search->facts->sites->len; i++) {
    const struct advise_site *site = search->facts->sites->pdata[i];
    double amount = (double) site->write_only_bytes;
    struct advise_finding *finding;
    char *bytes, *writes;

    if (site->is_library || amount < FEWEST_BYTES
        || site->write_only * 2 < site->blocks
        || !advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    bytes = advise_bytes_text (site->write_only_bytes);
    writes = advise_count_text (site->write_only_accesses);
    advise_finding_say (finding,
                        "%s of %s are written (%s times) and never read.",
                        bytes, site->name, writes);
    advise_finding_do (finding,
                       "Leave the work out whose result it is, or say what"
                       " it is for.");
    advise_search_take (search, rule, finding, amount);
    g_free (bytes);
    g_free (writes);
  }
}

/* ---- Many blocks ------------------------------------------------------ */

void
advise_temporary (const struct advise_rule *rule, struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->sites->len; i++) {
    const struct advise_site *site = facts->sites->pdata[i];
    uint64_t kept = site->kept + site->regrown;
    uint64_t freed = site->blocks - MIN (site->blocks, kept);
    double amount = (double) freed * ALLOCATE_CYCLES;
    double life = freed > 0 ? site->life / (double) freed : 0;
    struct advise_finding *finding;
    char *blocks, *instructions;

    /* A moment: a hundredth of the run at most, and few at a time.  */
    if (freed < FEWEST_BLOCKS || site->live_max * 20 > site->blocks
        || life * 100 > (double) facts->instructions
        || !advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    blocks = advise_count_text (freed);
    instructions = advise_count_text ((uint64_t) (life + 0.5));
    advise_finding_say (finding,
                        "%s allocates %s blocks, each freed after %s"
                        " instructions on average; at most %" G_GUINT64_FORMAT
                        " are live at a time.",
                        site->name, blocks, instructions, site->live_max);
    advise_finding_do (finding,
                       "Keep one block and use it again, or put small ones on"
                       " the stack.");
    advise_search_take (search, rule, finding, amount);
    g_free (blocks);
    g_free (instructions);
  }
}

/* What malloc takes for a block beyond what was asked for: its head, and the
   rounding to 16 bytes.  */
static uint64_t
overhead (uint64_t size)
{
  uint64_t taken = MAX ((size + HEAD_BYTES + 15) / 16 * 16, LEAST_BYTES);

  return taken - size;
}

/* Blocks up to this size are small.  */
#define SMALL_BYTES 32

void
advise_small_blocks (const struct advise_rule *rule,
                     struct advise_search *search)
{
  for (guint i = 0; i < search->facts->sites->len; i++) {
    const struct advise_site *site = search->facts->sites->pdata[i];
    uint64_t size = site->blocks > 0 ? site->bytes / site->blocks : 0;
    double amount =
      (double) overhead (size) * (double) site->live_max;
    struct advise_finding *finding;
    char *blocks, *bytes;

    if (site->is_library || size > SMALL_BYTES
        || site->live_max < FEWEST_BLOCKS
        || overhead (size) * 2 < size
        || !advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    blocks = advise_count_text (site->live_max);
    bytes = advise_bytes_text ((uint64_t) amount);
    advise_finding_say (finding,
                        "%s blocks of %" G_GUINT64_FORMAT
                        " bytes of %s are live at a time: malloc needs %"
                        G_GUINT64_FORMAT " bytes more for each, %s in all.",
                        blocks, size, site->name, overhead (size), bytes);
    advise_finding_do (finding,
                       "Allocate many at once, as an array or from a pool, or"
                       " hold them in what points to them.");
    advise_search_take (search, rule, finding, amount);
    g_free (blocks);
    g_free (bytes);
  }
}

/* ---- Growing ---------------------------------------------------------- */

/* What copying of a realloc takes, in bytes per cycle.  */
#define COPY_BYTES 8

/* Who copies without the library: the line that both reads and writes blocks
   of the site in order, and does it most.  */
static double
copy_loop (const struct advise_facts *facts, const struct advise_site *site)
{
  GHashTable *by_kind[2] = {g_hash_table_new (NULL, NULL),
                            g_hash_table_new (NULL, NULL)};
  uint64_t most = 0;

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (!stream->line->is_own || stream->pattern != ADVISE_SEQUENTIAL
        || g_strcmp0 (stream->memory, site->name) != 0)
      continue;
    g_hash_table_add (by_kind[stream->is_write], stream->line);
    if (g_hash_table_contains (by_kind[!stream->is_write], stream->line))
      most = MAX (most, stream->line->instructions);
  }
  g_hash_table_unref (by_kind[0]);
  g_hash_table_unref (by_kind[1]);
  return (double) most;
}

void
advise_regrowth (const struct advise_rule *rule, struct advise_search *search)
{
  for (guint i = 0; i < search->facts->sites->len; i++) {
    const struct advise_site *site = search->facts->sites->pdata[i];
    double amount;
    struct advise_finding *finding;
    char *times, *bytes;

    /* Of all bytes that were allocated, doubling copies half, small steps
       nearly all.  */
    if (site->regrown < 32 || site->copied * 10 < site->bytes * 9
        || site->copied < 8 * site->max_size)
      continue;
    amount = MAX ((double) site->copied / COPY_BYTES,
                  copy_loop (search->facts, site))
             + (double) site->regrown * ALLOCATE_CYCLES;
    if (!advise_search_is_enough (search, rule, amount))
      continue;
    finding = site_finding (site);
    times = advise_count_text (site->regrown);
    bytes = advise_bytes_text (site->copied);
    advise_finding_say (finding,
                        "%s makes larger blocks in the place of smaller ones"
                        " %s times, by %" G_GUINT64_FORMAT " bytes on average:"
                        " up to %s are copied.",
                        site->name, times, site->grown_step / site->regrown,
                        bytes);
    advise_finding_do (finding,
                       "Double the size when it does not suffice, or allocate"
                       " the final size at once.");
    advise_search_take (search, rule, finding, amount);
    g_free (times);
    g_free (bytes);
  }
}
