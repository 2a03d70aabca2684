/* allocs_leaks.c: `dg allocs leaks`: blocks that were never freed, by
   allocation site, and their last uses.

   It does not show whether the program could still reach a block, as the log
   does not contain the contents of memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "libdatagrind.h"
#include "base/json_text.h"
#include "base/partial.h"
#include "base/printable.h"

/* Blocks with the same allocation site.  */
struct site {
  const struct stack_trace *trace;      /* that of its first block */
  uint32_t first, last;    /* the oldest block and the newest */
  uint64_t blocks, bytes;
  bool was_used;           /* any block was accessed */
  struct dg_usage_block use; /* then: of the one that was so last */
};

struct sites {
  const struct allocs_log *log;
  GHashTable *uses;        /* block -> struct dg_usage_block, of those that
                              were accessed; NULL: not asked for */
  GArray *all;             /* struct site */
  GHashTable *by_trace;    /* struct stack_trace -> index + 1 */
  GHashTable *by_levels;   /* GBytes of pointers to levels -> the same */
  uint64_t blocks, bytes;
  uint64_t runtime_blocks, runtime_bytes; /* left out */
};

/* ---- Runtime libraries ------------------------------------------------ */

/* Removes what runtime libraries keep for themselves.  */
static void
leave_out_runtime (struct sites *sites, GArray *alive)
{
  struct dg_symbols *symbols = stack_names_symbols (sites->log->names);
  GHashTable *answers = g_hash_table_new (NULL, NULL);
  guint kept = 0;

  for (guint i = 0; i < alive->len; i++) {
    const struct allocs_record record =
      g_array_index (alive, struct allocs_record, i);
    const struct dg_block block = allocs_block (&record);
    gpointer stack = (gpointer) block.alloc_stack.sites, answer;

    if (!g_hash_table_lookup_extended (answers, stack, NULL, &answer)) {
      answer = GINT_TO_POINTER (dg_stack_is_runtime (
        symbols, &block.alloc_stack, block.alloc_icount));
      g_hash_table_insert (answers, stack, answer);
    }
    if (answer != NULL) {
      sites->runtime_blocks++;
      sites->runtime_bytes += block.size;
    } else {
      g_array_index (alive, struct allocs_record, kept++) = record;
    }
  }
  g_array_set_size (alive, kept);
  g_hash_table_unref (answers);
}

/* ---- Gathering -------------------------------------------------------- */

static guint
find_site (struct sites *sites, const struct stack_trace *trace)
{
  gpointer number = g_hash_table_lookup (sites->by_trace, trace);
  GBytes *levels;

  if (number != NULL)
    return GPOINTER_TO_UINT (number) - 1;
  levels = g_bytes_new (trace->levels, trace->n * sizeof trace->levels[0]);
  number = g_hash_table_lookup (sites->by_levels, levels);
  if (number == NULL) {
    const struct site site = {.trace = trace};

    g_array_append_val (sites->all, site);
    number = GUINT_TO_POINTER (sites->all->len);
    g_hash_table_insert (sites->by_levels, g_bytes_ref (levels), number);
  }
  g_bytes_unref (levels);
  g_hash_table_insert (sites->by_trace, (gpointer) trace, number);
  return GPOINTER_TO_UINT (number) - 1;
}

static void
add_block (struct sites *sites, const struct allocs_record *record)
{
  guint number = find_site (sites, allocs_trace (record));
  struct site *site = &g_array_index (sites->all, struct site, number);
  uint64_t size = allocs_block (record).size;
  const struct dg_usage_block *use;

  if (site->blocks++ == 0)
    site->first = record->index;
  site->last = record->index;
  site->bytes += size;
  use = sites->uses != NULL
          ? g_hash_table_lookup (sites->uses,
                                 GUINT_TO_POINTER (record->index))
          : NULL;
  if (use != NULL
      && (!site->was_used || use->last_icount >= site->use.last_icount)) {
    site->was_used = true;
    site->use = *use;
  }
  sites->blocks++;
  sites->bytes += size;
}

static int
compare_sites (const void *a, const void *b)
{
  const struct site *x = a, *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (x->blocks != y->blocks)
    return x->blocks > y->blocks ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void
note_use (void *user, uint32_t block, const struct dg_usage_block *use)
{
  struct sites *sites = user;

  if (use->last_icount != DG_NEVER)
    g_hash_table_insert (sites->uses, GUINT_TO_POINTER (block),
                         g_memdup2 (use, sizeof *use));
}

/* The last uses: CLI_OK, or the exit status after a message.  */
static int
find_uses (struct sites *sites, const GArray *alive)
{
  uint8_t *only = g_new0 (uint8_t, sites->log->n_blocks);
  const struct dg_usage_options options = {
    .size = sizeof options,
    .ended = note_use,
    .ended_user = sites,
    .workers = (unsigned) sites->log->options->jobs,
    .only = only};
  struct dg_error error;
  int code;

  for (guint i = 0; i < alive->len; i++)
    only[g_array_index (alive, struct allocs_record, i).index] = 1;
  sites->uses = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  cli_progress_expect (sites->log->log.progress, 1);
  cli_progress_phase (sites->log->log.progress, "last uses", 1);
  code = dg_usage_run (sites->log->log.log, &options, cli_progress_fn,
                       sites->log->log.progress, &error);
  cli_progress_hide (sites->log->log.progress);
  g_free (only);
  return code < 0 ? cli_fail ("%s: %s", sites->log->log.path, error.message)
                  : CLI_OK;
}

static int
sites_init (struct sites *sites, const struct allocs_log *log)
{
  const struct moment end = {DG_NEVER, DG_NONE};
  GArray *alive = allocs_state (log, &end);
  int status = CLI_OK;

  *sites = (struct sites){
    .log = log,
    .all = g_array_new (FALSE, FALSE, sizeof (struct site)),
    .by_trace = g_hash_table_new (NULL, NULL),
    .by_levels = g_hash_table_new_full (
      g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL)};
  if (!log->options->has_runtime && log->names != NULL)
    leave_out_runtime (sites, alive);
  if (!log->options->has_no_last && alive->len > 0)
    status = find_uses (sites, alive);
  for (guint i = 0; status == CLI_OK && i < alive->len; i++)
    add_block (sites, &g_array_index (alive, struct allocs_record, i));
  g_array_unref (alive);
  g_array_sort (sites->all, compare_sites);
  return status;
}

static void
sites_fini (struct sites *sites)
{
  if (sites->uses != NULL)
    g_hash_table_unref (sites->uses);
  g_array_unref (sites->all);
  g_hash_table_unref (sites->by_trace);
  g_hash_table_unref (sites->by_levels);
}

/* ---- Output ------------------------------------------------------------  */

static guint
shown (const struct sites *sites)
{
  uint64_t top = sites->log->options->top;

  return top > 0 && top < sites->all->len ? (guint) top : sites->all->len;
}

/* "seqno 3 to 17": of the oldest and the newest block.  */
static void
put_seqnos (struct output *out, const struct sites *sites,
            const struct site *site)
{
  const struct allocs_record first = {.log = sites->log,
                                      .index = site->first};
  const struct allocs_record last = {.log = sites->log, .index = site->last};

  output_text (out, ", seqno ");
  output_decimal (out, allocs_seqno (&first));
  if (site->first != site->last) {
    output_text (out, " to ");
    output_decimal (out, allocs_seqno (&last));
  }
}

/* Instructions from the last access to the end of the log.  */
static uint64_t
age_of (const struct sites *sites, const struct site *site)
{
  uint64_t end = dg_log_summary (sites->log->log.log)->last_icount;
  uint64_t last = site->use.last_icount;

  return end > last ? end - last : 0;
}

static const struct stack_level *
place_of (const struct sites *sites, const struct site *site)
{
  return stack_names_level (sites->log->names, site->use.last_instruction,
                            site->use.last_icount);
}

static void
put_last (struct output *out, const struct sites *sites,
          const struct site *site)
{
  const struct stack_level *level;
  char *age;

  if (!site->was_used) {
    output_text (out, "  Never accessed\n");
    return;
  }
  level = place_of (sites, site);
  age = printable_number (age_of (sites, site));
  output_format (out, "  Last accessed %s instruction%s before the end", age,
                 age_of (sites, site) == 1 ? "" : "s");
  if (site->use.last_thread != 0)
    output_format (out, ", by thread %u", site->use.last_thread);
  output_text (out, level == NULL ? ", in the kernel\n" : "\n");
  if (level != NULL) {
    output_text (out, "     at ");
    allocs_put_address (out, level->address);
    if (level->function != NULL)
      output_format (out, " function %s", level->function);
    else if (level->module != NULL)
      output_format (out, " in %s", level->module);
    if (level->where != NULL)
      output_format (out, "\n     %s", level->where);
    if (level->source != NULL)
      output_format (out, "\n     \"%s\"", level->source);
    output_text (out, "\n");
  }
  g_free (age);
}

static void
put_json_last (struct output *out, const struct sites *sites,
               const struct site *site)
{
  const struct dg_usage_block *use = site->was_used ? &site->use : NULL;
  const struct stack_level *level =
    use != NULL ? place_of (sites, site) : NULL;

  if (use != NULL) {
    allocs_json_key (out, "last_time", false);
    allocs_put_time (out, sites->log, use->last_icount, "null");
    allocs_json_number (out, "last_age", age_of (sites, site));
    allocs_json_number (out, "last_thread", use->last_thread);
  } else {
    allocs_json_string (out, "last_time", NULL);
    allocs_json_string (out, "last_age", NULL);
    allocs_json_string (out, "last_thread", NULL);
  }
  allocs_json_key (out, "last_access", false);
  if (level != NULL)
    output_bytes (out, level->text, level->length);
  else
    output_text (out, "null");
}

static void
put_site (struct output *out, const struct sites *sites,
          const struct site *site)
{
  const struct allocs_record record = {.log = sites->log,
                                       .index = site->first};
  unsigned percent =
    sites->bytes > 0
      ? (unsigned) ((unsigned __int128) site->bytes * 100 / sites->bytes)
      : 0;

  output_text (out, "\n");
  allocs_put_bytes (out, site->bytes);
  output_format (out, ", %u%%, in ", percent);
  output_counted (out, site->blocks, "allocation", "allocations");
  if (sites->log->has_details) {
    output_text (out, " by ");
    output_text (out, allocs_function (&record));
  }
  put_seqnos (out, sites, site);
  output_text (out, "\n");
  allocs_put_trace (out, site->trace);
  if (sites->uses != NULL)
    put_last (out, sites, site);
}

static void
put_text (struct output *out, const struct sites *sites)
{
  guint n = shown (sites);

  output_name (out, sites->log->log.path);
  output_text (out, ": never freed: ");
  allocs_put_bytes (out, sites->bytes);
  output_text (out, " in ");
  output_counted (out, sites->blocks, "allocation at ", "allocations at ");
  output_counted (out, sites->all->len, "site\n", "sites\n");
  partial_put (out, sites->log->log.log);
  for (guint i = 0; i < n && !output_failed (out); i++)
    put_site (out, sites, &g_array_index (sites->all, struct site, i));
  if (n < sites->all->len)
    output_format (out, "\n%u more sites (--top=0 shows all)\n",
                   sites->all->len - n);
  if (sites->runtime_blocks > 0) {
    output_text (out, "\nLeft out: ");
    allocs_put_bytes (out, sites->runtime_bytes);
    output_text (out, " in ");
    output_counted (out, sites->runtime_blocks, "allocation", "allocations");
    output_text (out, " that runtime libraries keep (--libraries shows "
                      "them)\n");
  }
}

static void
put_json_site (struct output *out, const struct sites *sites,
               const struct site *site, bool is_first)
{
  const struct allocs_record first = {.log = sites->log,
                                      .index = site->first};
  const struct allocs_record last = {.log = sites->log, .index = site->last};

  output_text (out, is_first ? "\n  {" : ",\n  {");
  allocs_json_key (out, "bytes", true);
  output_decimal (out, site->bytes);
  allocs_json_number (out, "blocks", site->blocks);
  if (sites->log->has_details)
    allocs_json_string (out, "allocator", allocs_function (&first));
  allocs_json_number (out, "first_seqno", allocs_seqno (&first));
  allocs_json_number (out, "last_seqno", allocs_seqno (&last));
  allocs_json_trace (out, site->trace);
  if (sites->uses != NULL)
    put_json_last (out, sites, site);
  output_text (out, "}");
}

static void
put_json (struct output *out, const struct sites *sites)
{
  allocs_json_begin (out, "leaks");
  allocs_json_string (out, "log", sites->log->log.path);
  allocs_json_partial (out, sites->log);
  allocs_json_number (out, "bytes", sites->bytes);
  allocs_json_number (out, "blocks", sites->blocks);
  allocs_json_number (out, "n_sites", sites->all->len);
  allocs_json_number (out, "library_bytes", sites->runtime_bytes);
  allocs_json_number (out, "library_blocks", sites->runtime_blocks);
  allocs_json_string (out, "time_unit",
                      sites->log->options->in_ms ? "ms" : "i");
  allocs_json_key (out, "sites", false);
  output_text (out, "[");
  for (guint i = 0; i < shown (sites) && !output_failed (out); i++)
    put_json_site (out, sites, &g_array_index (sites->all, struct site, i),
                   i == 0);
  output_text (out, "]}\n");
}

/* ---- The sub-command -------------------------------------------------- */

/* The default is more than one level, since wrappers of malloc say little.  */
#define LEVELS_DEFAULT 4

static int
run (struct allocs_log *log, struct output *out)
{
  struct sites sites;
  int status = sites_init (&sites, log);

  if (status == CLI_OK && log->options->as_json)
    put_json (out, &sites);
  else if (status == CLI_OK)
    put_text (out, &sites);
  sites_fini (&sites);
  return status;
}

int
allocs_leaks (const struct cli_command *command, int argc, char **argv)
{
  return allocs_run_one (command,
                         ALLOCS_HAS_FILTER | ALLOCS_HAS_NAMES
                           | ALLOCS_HAS_TIME | ALLOCS_HAS_TOP
                           | ALLOCS_IS_AT_END,
                         LEVELS_DEFAULT, argc, argv, run);
}
