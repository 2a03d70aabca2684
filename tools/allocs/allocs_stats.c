/* allocs_stats.c: `dg allocs stats`: how much of the heap is in use, and by
   what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "dg_record.h"
#include "base/json_text.h"
#include "base/partial.h"

#include <string.h>

/* All that are known.  */
#define ALLOCATORS (DG_ALLOC_POOL_FREE + 1)

struct sums {
  uint64_t allocs, frees;  /* so far */
  uint64_t blocks, bytes, actual;        /* of the blocks there */
  uint64_t by_allocator[ALLOCATORS];     /* the same */
  uint64_t low, high;      /* bytes of any block so far; low > high: none */
  uint64_t heap_bytes;     /* of pages that ever had a block */
  GHashTable *threads;     /* numbers of those that did something */
  uint32_t threads_last;   /* the latest of them */
};

/* ---- Pages ------------------------------------------------------------ */

struct pages { uint64_t first, last; };

/* The last pages, by some bits of their numbers: small blocks are many, and in
   few pages.  */
#define RECENT 4096

static int
compare_pages (const void *a, const void *b)
{
  const struct pages *x = a, *y = b;

  return x->first < y->first ? -1 : x->first > y->first;
}

static uint64_t
last_byte (const struct dg_block *block)
{
  uint64_t more = block->size > 0 ? block->size - 1 : 0;

  return more <= UINT64_MAX - block->address ? block->address + more
                                             : UINT64_MAX;
}

/* All pages that any block had so far, in ascending order, but for those that
   were added last.  */
struct page_set {
  GArray *all;             /* struct pages */
  guint sorted;            /* of them, in order and apart from one another */
  uint64_t recent[RECENT]; /* pages that a block was in alone: numbers and 1 */
};

/* So many, and as many as there were, are added before they are sorted.  */
#define UNSORTED 65536

/* Puts them all in order.  */
static void
sort_pages (struct page_set *set)
{
  struct pages *pages = (struct pages *) (void *) set->all->data;
  guint n = 0;

  g_array_sort (set->all, compare_pages);
  for (guint i = 0; i < set->all->len; i++)
    if (n > 0 && pages[i].first <= pages[n - 1].last)
      pages[n - 1].last = MAX (pages[n - 1].last, pages[i].last);
    else
      pages[n++] = pages[i];
  g_array_set_size (set->all, n);
  set->sorted = n;
}

static void
add_pages (struct page_set *set, const struct dg_block *block,
           uint64_t page_size)
{
  struct pages pages = {block->address / page_size,
                        last_byte (block) / page_size};
  uint64_t *slot = &set->recent[pages.first % RECENT];

  if (pages.first == pages.last && *slot == pages.first + 1)
    return;
  if (pages.first == pages.last)
    *slot = pages.first + 1;
  if (set->all->len - set->sorted > UNSORTED + set->sorted)
    sort_pages (set);
  g_array_append_val (set->all, pages);
}

/* Bytes of all pages; frees them.  */
static uint64_t
finish_pages (struct page_set *set, uint64_t page_size)
{
  uint64_t n = 0;

  sort_pages (set);
  for (guint i = 0; i < set->all->len; i++) {
    const struct pages *pages = &g_array_index (set->all, struct pages, i);

    n += pages->last - pages->first + 1;
  }
  g_array_unref (set->all);
  g_free (set);
  return n <= UINT64_MAX / page_size ? n * page_size : UINT64_MAX;
}

/* ---- Adding up -------------------------------------------------------- */

static void
note_thread (struct sums *sums, uint32_t number)
{
  if (sums->threads_last == number && g_hash_table_size (sums->threads) > 0)
    return;
  g_hash_table_add (sums->threads, GUINT_TO_POINTER (number));
  sums->threads_last = number;
}

/* What is there changes by a block that comes, or goes.  */
static void
add_block (struct sums *sums, const struct allocs_record *record,
           const struct dg_block *block)
{
  uint64_t by = record->is_free ? -UINT64_C (1) : 1;

  sums->blocks += by;
  sums->bytes += by * block->size;
  sums->actual += by * allocs_actual (record);
  sums->by_allocator[block->allocator < ALLOCATORS ? block->allocator
                                                   : DG_ALLOC_UNKNOWN] += by;
}

static void
add_record (struct sums *sums, const struct allocs_record *record)
{
  const struct dg_block *block = record->block;
  uint32_t thread = allocs_thread (record);

  add_block (sums, record, block);
  sums->frees += record->is_free;
  if (!record->is_free || thread != 0)
    note_thread (sums, thread);
  if (record->is_free)
    return;
  sums->allocs++;
  sums->low = MIN (sums->low, block->address);
  sums->high = MAX (sums->high, last_byte (block));
}

/* CLI_OK, or the exit status after a message.  */
static int
add_up (struct sums *sums, struct allocs_log *log,
        const struct moment *moment)
{
  uint64_t page_size = MAX (dg_log_page_size (log->log.log), 1);
  struct page_set *pages = g_new0 (struct page_set, 1);
  struct allocs_stream stream;
  struct allocs_record record;
  int code = 1, status = allocs_stream_init (&stream, log);

  sums->low = UINT64_MAX;
  pages->all = g_array_new (FALSE, FALSE, sizeof (struct pages));
  while (status == CLI_OK
         && (code = allocs_stream_next (&stream, &record)) > 0) {
    const struct dg_block *block = record.block;

    allocs_log_see (log, block);
    if (!moment_is_past (moment, allocs_icount (&record),
                         record.is_free ? block->free_order
                                        : block->alloc_order))
      continue;
    add_record (sums, &record);
    if (!record.is_free)
      add_pages (pages, block, page_size);
  }
  sums->heap_bytes = finish_pages (pages, page_size);
  allocs_stream_fini (&stream);
  return status == CLI_OK && code < 0 ? CLI_FAILURE : status;
}

/* ---- Allocators ------------------------------------------------------- */

struct allocator { const char *name; uint64_t blocks; };

static int
compare_allocators (const void *a, const void *b)
{
  const struct allocator *x = a, *y = b;

  if (x->blocks != y->blocks)
    return x->blocks > y->blocks ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Those that have blocks now, the most first.  */
static GArray *
list_allocators (const struct sums *sums)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct allocator));

  for (unsigned i = 0; i < ALLOCATORS; i++) {
    struct allocator one = {allocs_function_name ((uint8_t) i, false),
                            sums->by_allocator[i]};

    if (one.blocks > 0)
      g_array_append_val (list, one);
  }
  g_array_sort (list, compare_allocators);
  return list;
}

/* ---- For people ------------------------------------------------------- */

static void
put_heap (struct output *out, const struct sums *sums)
{
  output_text (out, "Heap      : ");
  if (sums->allocs == 0) {
    output_text (out, "none\n");
    return;
  }
  allocs_put_address (out, sums->low);
  output_text (out, " to ");
  allocs_put_address (out, sums->high);
  output_text (out, ", size ");
  allocs_put_bytes (out, sums->heap_bytes);
  output_text (out, "\n");
}

static unsigned
percent (uint64_t part, uint64_t whole)
{
  return whole > 0 ? (unsigned) ((unsigned __int128) part * 100 / whole) : 0;
}

static void
put_use (struct output *out, const struct allocs_log *log,
         const struct sums *sums)
{
  uint64_t overhead =
    sums->actual > sums->bytes ? sums->actual - sums->bytes : 0;

  output_text (out, "Current   : ");
  allocs_put_bytes (out, sums->bytes);
  output_text (out, " used in ");
  output_counted (out, sums->blocks, "allocation\n", "allocations\n");
  if (log->has_details) {
    output_text (out, "Actual    : approximately ");
    allocs_put_bytes (out, sums->actual);
    output_text (out, "\nOverhead  : approximately ");
    allocs_put_bytes (out, overhead);
    output_format (out, ", %u%%\n", percent (overhead, sums->actual));
  }
  output_text (out, "Debugdata : ");
  allocs_put_bytes (out, dg_log_header (log->log.log)->file_size);
  output_text (out, " of log, none in the program's memory\n");
}

static void
put_lists (struct output *out, const struct allocs_log *log,
           const struct sums *sums)
{
  GArray *allocators = list_allocators (sums);

  output_text (out, "Allocators:\n");
  for (guint i = 0; i < allocators->len; i++) {
    const struct allocator *one =
      &g_array_index (allocators, struct allocator, i);

    output_format (out, "            %s ", one->name);
    output_decimal (out, one->blocks);
    output_text (out, "\n");
  }
  g_array_unref (allocators);
  output_text (out, "Threads   :\n");
  for (size_t i = 0; i < log->n_threads; i++) {
    const struct dg_thread *thread = &log->threads[i];

    if (!g_hash_table_contains (sums->threads,
                                GUINT_TO_POINTER (thread->number)))
      continue;
    output_format (out, "%9u : handle ", thread->number);
    if (thread->os_tid != 0)
      output_decimal (out, thread->os_tid);
    else
      output_text (out, "unknown");
    if (thread->name[0] != '\0') {
      output_text (out, ", ");
      output_name (out, thread->name);
    }
    output_text (out, "\n");
  }
}

static void
put_options (struct output *out, const struct allocs_log *log,
             const struct sums *sums)
{
  const char *is = log->has_details ? "enabled" : "disabled";

  output_format (out, "Options   : actual_size %s, time stamps enabled, thread"
                      " info %s\n", is, is);
  if (log->levels > 0)
    output_format (out, "          : backtrace enabled, %u levels\n",
                   log->levels);
  else
    output_text (out, "          : backtrace disabled\n");
  output_text (out, "          : history enabled, ");
  output_decimal (out, sums->allocs + sums->frees);
  output_format (out, " records%s\n",
                 allocs_is_complete (log, 1) ? "" : ", incomplete");
}

static void
put_text (struct output *out, const struct allocs_log *log,
          const struct sums *sums)
{
  const char *at = log->options->at;

  output_name (out, log->log.path);
  output_text (out, ": statistics");
  if (at != NULL) {
    output_text (out, " at ");
    output_name (out, at);
  }
  output_text (out, "\n");
  partial_put (out, log->log.log);
  put_heap (out, sums);
  output_text (out, "History   : ");
  output_counted (out, sums->allocs, "memory allocation, ",
                  "memory allocations, ");
  output_counted (out, sums->frees, "free\n", "frees\n");
  put_use (out, log, sums);
  if (log->has_details)
    put_lists (out, log, sums);
  put_options (out, log, sums);
}

/* ---- For programs ----------------------------------------------------- */

static void
put_json_threads (struct output *out, const struct allocs_log *log,
                  const struct sums *sums)
{
  bool is_first = true;

  allocs_json_key (out, "thread_list", false);
  output_text (out, "[");
  for (size_t i = 0; i < log->n_threads; i++) {
    const struct dg_thread *thread = &log->threads[i];

    if (!g_hash_table_contains (sums->threads,
                                GUINT_TO_POINTER (thread->number)))
      continue;
    output_text (out, is_first ? "{" : ", {");
    is_first = false;
    allocs_json_key (out, "thread", true);
    output_decimal (out, thread->number);
    if (thread->os_tid != 0)
      allocs_json_number (out, "tid", thread->os_tid);
    else
      allocs_json_string (out, "tid", NULL);
    allocs_json_string (out, "thread_name",
                        thread->name[0] != '\0' ? thread->name : NULL);
    output_text (out, "}");
  }
  output_text (out, "]");
}

static void
put_json_allocators (struct output *out, const struct sums *sums)
{
  GArray *allocators = list_allocators (sums);

  allocs_json_key (out, "allocators", false);
  output_text (out, "[");
  for (guint i = 0; i < allocators->len; i++) {
    const struct allocator *one =
      &g_array_index (allocators, struct allocator, i);

    output_text (out, i > 0 ? ", {" : "{");
    allocs_json_key (out, "allocator", true);
    json_text_string (out, one->name);
    allocs_json_number (out, "blocks", one->blocks);
    output_text (out, "}");
  }
  output_text (out, "]");
  g_array_unref (allocators);
}

static void
put_json (struct output *out, const struct allocs_log *log,
          const struct sums *sums, const struct moment *moment)
{
  allocs_json_begin (out, "stats");
  allocs_json_string (out, "log", log->log.path);
  allocs_json_partial (out, log);
  allocs_json_moment (out, "at", log->options->at, moment);
  if (sums->allocs > 0) {
    allocs_json_address (out, "heap_start", sums->low);
    allocs_json_address (out, "heap_end", sums->high);
  } else {
    allocs_json_string (out, "heap_start", NULL);
    allocs_json_string (out, "heap_end", NULL);
  }
  allocs_json_number (out, "heap_bytes", sums->heap_bytes);
  allocs_json_number (out, "heap_allocs", sums->allocs);
  allocs_json_number (out, "heap_frees", sums->frees);
  allocs_json_number (out, "blocks", sums->blocks);
  allocs_json_number (out, "bytes", sums->bytes);
  if (log->has_details) {
    allocs_json_number (out, "actual_bytes", sums->actual);
    put_json_allocators (out, sums);
    put_json_threads (out, log, sums);
  }
  allocs_json_number (out, "stack_levels", log->levels);
  allocs_json_key (out, "has_whole_history", false);
  output_text (out, allocs_is_complete (log, 1) ? "true}\n" : "false}\n");
}

/* ---- The sub-command -------------------------------------------------- */

static int
run (struct allocs_log *log, struct output *out)
{
  struct sums sums = {.threads = g_hash_table_new (NULL, NULL)};
  struct moment moment;
  int status = allocs_log_moment (log, log->options->at, &moment);

  if (status == CLI_OK)
    status = add_up (&sums, log, &moment);
  if (status == CLI_OK && log->options->as_json)
    put_json (out, log, &sums, &moment);
  else if (status == CLI_OK)
    put_text (out, log, &sums);
  g_hash_table_unref (sums.threads);
  return status;
}

int
allocs_stats (const struct cli_command *command, int argc, char **argv)
{
  return allocs_run_one (command, ALLOCS_HAS_AT | ALLOCS_IS_STREAM, 0, argc,
                         argv, run);
}
