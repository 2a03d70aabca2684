/* stack_names.c: call stacks of allocations, by levels.

   Names, and lines of sources, are looked up once for each code address.
   After a module was unloaded, an address may belong to another one: so the
   key is the address and the number of unloads before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stack_names.h"

#include "dg_record.h"
#include "libdatagrind.h"
#include "cli.h"
#include "json_text.h"
#include "output.h"
#include "printable.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>

/* The maximum number of frames of a code address, and of a stack.  */
#define MOST_FRAMES 16
#define MOST_LEVELS (DG_HEAP_STACK * MOST_FRAMES)
/* Larger sources are not read.  */
#define SOURCE_MAX (16 << 20)
/* Maximum size of all sources in memory.  */
#define SOURCES_MAX (128 << 20)

/* A code address, or a stack by its first site.  */
struct key {
  const void *sites;
  uint64_t address;
  uint32_t epoch;
  uint32_t depth; /* of a frame: see struct dg_site_frame */
  uint32_t column, call, folders;
  bool is_call;
};

/* The last stacks, by some bits of the addresses of their sites.  */
#define RECENT 1024
struct recent {
  struct key key;
  const struct stack_trace *trace;
};

struct stack_names {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_allocators *allocators;
  struct dg_mine *mine; /* for single addresses */
  struct dg_site_lines *lines;
  struct dg_site_frame *frames; /* MOST_LEVELS, temporary */
  char *ignore;            /* glob of files; NULL: none */
  bool has_inlined;
  unsigned levels;
  bool as_json;
  GArray *unloads;         /* uint64_t: icounts, ascending */
  GHashTable *cached;      /* struct key -> struct cached_level */
  GHashTable *traces;      /* struct key -> struct stack_trace */
  GHashTable *sources;     /* path -> struct source */
  uint64_t source_bytes;
  struct recent recent[RECENT];
};

struct cached_level {
  struct key key;
  struct stack_level level;
  char *strings[5]; /* owned strings of the level */
};

struct stored_trace {
  struct key key;
  struct stack_trace *trace;
};

/* ---- Keys ------------------------------------------------------------- */

static guint
hash_key (gconstpointer data)
{
  const struct key *key = data;
  uint64_t bits = (uint64_t) (uintptr_t) key->sites ^ key->address;

  bits = (bits + key->epoch) * UINT64_C (0x9e3779b97f4a7c15);
  return (guint) (bits >> 32) + key->is_call + key->depth * 2;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const struct key *x = a, *y = b;

  return x->sites == y->sites && x->address == y->address
         && x->epoch == y->epoch && x->depth == y->depth
         && x->column == y->column && x->call == y->call
         && x->folders == y->folders
         && x->is_call == y->is_call;
}

static int
compare_icounts (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

static GArray *
list_unloads (const struct dg_log *log)
{
  GArray *unloads = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  size_t n;
  const struct dg_module *modules = dg_log_modules (log, &n);

  for (size_t i = 0; i < n; i++)
    if (modules[i].unload_icount != DG_NEVER)
      g_array_append_val (unloads, modules[i].unload_icount);
  g_array_sort (unloads, compare_icounts);
  return unloads;
}

uint32_t
stack_names_epoch (const struct stack_names *names, uint64_t icount)
{
  guint low = 0, high = names->unloads->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (names->unloads, uint64_t, middle) <= icount)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- Sources ---------------------------------------------------------- */

/* No lines: there is no such file here.  */
struct source {
  char **lines;
  guint n;
};

static struct source *
read_source (const struct dg_log *log, const char *path, uint64_t *bytes)
{
  struct source *source = g_new0 (struct source, 1);
  struct dg_error error;
  size_t length;
  char *text;
  int code = dg_log_read_source (log, path, SOURCE_MAX, &text, &length, NULL,
                                 &error);

  if (code < 0) {
    cli_warn_of_source (log, path, &error);
    return source;
  }
  source->lines = g_strsplit (text, "\n", -1);
  source->n = g_strv_length (source->lines);
  free (text);
  *bytes = length;
  return source;
}

static void
free_source (gpointer data)
{
  struct source *source = data;

  g_strfreev (source->lines);
  g_free (source);
}

/* With spaces for tabs, which printable_text would escape.  */
static char *
expand_line (const char *line)
{
  GString *text = g_string_new (NULL);
  char *safe;

  for (; *line != '\0' && *line != '\r'; line++)
    if (*line == '\t')
      g_string_append_printf (text, "%*s", 8 - (int) (text->len % 8), "");
    else
      g_string_append_c (text, *line);
  safe = printable_text (text->str);
  g_string_free (text, TRUE);
  return safe;
}

/* NULL: the file cannot be read here, or is shorter.  */
static char *
source_line (struct stack_names *names, const char *path, uint32_t number)
{
  struct source *source = g_hash_table_lookup (names->sources, path);

  if (source == NULL) {
    uint64_t bytes = 0;

    source = read_source (names->log, path, &bytes);
    if (names->source_bytes + bytes > SOURCES_MAX) {
      g_hash_table_remove_all (names->sources);
      names->source_bytes = 0;
    }
    names->source_bytes += bytes;
    g_hash_table_insert (names->sources, g_strdup (path), source);
  }
  if (number == 0 || number > source->n)
    return NULL;
  return expand_line (source->lines[number - 1]);
}

/* ---- Levels ----------------------------------------------------------- */

/* As mdd shows it after the number of the level.  */
static char *
level_text (const struct stack_level *level, size_t *length)
{
  GString *text = g_string_new (NULL);

  if (level->function != NULL)
    g_string_append_printf (text, "backtrace 0x%08" PRIx64 " function %s\n",
                            level->address, level->function);
  else
    g_string_append_printf (text, "backtrace return address 0x%08" PRIx64
                                  "%s%s\n", level->address,
                            level->module != NULL ? " in " : "",
                            level->module != NULL ? level->module : "");
  if (level->where != NULL)
    g_string_append_printf (text, "     %s\n", level->where);
  if (level->source != NULL)
    g_string_append_printf (text, "     \"%s\"\n", level->source);
  *length = text->len;
  return g_string_free (text, FALSE);
}

static void
add_member (GString *text, const char *key, const char *value)
{
  g_string_append_printf (text, ", \"%s\": ", key);
  if (value != NULL)
    json_text_append (text, value);
  else
    g_string_append (text, "null");
}

static char *
level_json (const struct stack_level *level, size_t *length)
{
  const struct dg_frame *frame = &level->site.frame;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "{\"address\": \"0x%" PRIx64 "\"",
                          level->address);
  add_member (text, "function", frame->function);
  add_member (text, "file", frame->file);
  if (frame->file != NULL)
    g_string_append_printf (text, ", \"line\": %" PRIu32, frame->line);
  else
    add_member (text, "line", NULL);
  if (frame->file != NULL && frame->column != 0)
    g_string_append_printf (text, ", \"column\": %" PRIu32, frame->column);
  else
    add_member (text, "column", NULL);
  add_member (text, "source", level->source);
  add_member (text, "module", frame->module);
  g_string_append_c (text, '}');
  *length = text->len;
  return g_string_free (text, FALSE);
}

/* "/src/a.c:12", perhaps with its column or call number.  */
static char *
where_text (const struct dg_site_frame *site)
{
  struct dg_site_frame line = *site;
  char *file = printable_text (site->frame.file), *where, *text;

  /* The file is already the complete path.  */
  line.frame.file = "";
  where = dg_site_where (&line);
  text = g_strconcat (file, where, NULL);
  free (where);
  g_free (file);
  return text;
}

static struct cached_level *
make_level (struct stack_names *names, const struct key *key,
            const struct dg_site_frame *site)
{
  const struct dg_frame *frame = &site->frame;
  struct cached_level *cached = g_new0 (struct cached_level, 1);
  struct stack_level *level = &cached->level;

  cached->key = *key;
  level->site = *site;
  level->address = key->address + key->is_call;
  if (frame->function != NULL)
    cached->strings[0] = printable_text (frame->function);
  if (frame->module != NULL)
    level->module = cached->strings[4] = printable_text (frame->module);
  if (frame->file != NULL) {
    cached->strings[1] = where_text (site);
    cached->strings[2] = source_line (names, frame->file, frame->line);
  }
  level->function = cached->strings[0];
  level->where = cached->strings[1];
  level->source = cached->strings[2];
  cached->strings[3] = names->as_json ? level_json (level, &level->length)
                                      : level_text (level, &level->length);
  level->text = cached->strings[3];
  return cached;
}

static void
free_level (gpointer data)
{
  struct cached_level *cached = data;

  for (size_t i = 0; i < G_N_ELEMENTS (cached->strings); i++)
    g_free (cached->strings[i]);
  g_free (cached);
}

static const struct stack_level *
find_level (struct stack_names *names, const struct key *key,
            const struct dg_site_frame *site)
{
  struct cached_level *cached = g_hash_table_lookup (names->cached, key);

  if (cached == NULL) {
    cached = make_level (names, key, site);
    g_hash_table_insert (names->cached, &cached->key, cached);
  }
  return &cached->level;
}

/* Of the frames inlined there, the innermost one that is own code.  */
const struct stack_level *
stack_names_level (struct stack_names *names, uint64_t address,
                   uint64_t icount)
{
  struct key key = {.address = address,
                    .epoch = stack_names_epoch (names, icount)};
  struct dg_frame frames[MOST_FRAMES];
  struct dg_site_frame site = {.address = address};
  size_t n;

  if (address == 0)
    return NULL;
  n = dg_symbols_frames (names->symbols, address, icount, frames,
                         MOST_FRAMES);
  while (key.depth + 1 < n && !dg_mine_has (names->mine, &frames[key.depth]))
    key.depth++;
  if (!dg_mine_has (names->mine, &frames[key.depth]))
    key.depth = 0;
  site.frame = frames[key.depth];
  site.depth = key.depth;
  return find_level (names, &key, &site);
}

/* ---- Stacks ----------------------------------------------------------- */

/* Whether a frame is omitted if there is another one at its address.  */
static bool
is_ignored (const struct stack_names *names, const struct dg_frame *frame)
{
  return names->ignore != NULL
         && (frame->file == NULL
             || fnmatch (names->ignore, frame->file, 0) == 0);
}

/* Removes these frames; if all frames of an address would be removed, the
   innermost one stays.  */
static size_t
leave_out (const struct stack_names *names, struct dg_site_frame *frames,
           size_t n)
{
  size_t kept = 0;

  for (size_t i = 0, end; i < n; i = end) {
    size_t before = kept;

    for (end = i; end < n && frames[end].index == frames[i].index; end++)
      ;
    for (size_t k = i; k < end; k++)
      if (!is_ignored (names, &frames[k].frame))
        frames[kept++] = frames[k];
    if (kept == before)
      frames[kept++] = frames[i];
  }
  return kept;
}

static struct stack_trace *
make_trace (struct stack_names *names, const struct dg_stack *stack,
            uint64_t icount, const struct key *key)
{
  const struct dg_site_options how = {.size = sizeof how,
                                      .allocators = names->allocators,
                                      .symbols = names->symbols,
                                      .lines = names->lines,
                                      .has_inlined = names->has_inlined};
  size_t most = names->ignore == NULL ? MIN (names->levels, MOST_LEVELS)
                                      : MOST_LEVELS;
  size_t n = dg_site_frames (&how, stack, icount, key->is_call, names->frames,
                             MAX (most, 1));
  struct stack_trace *trace;

  n = leave_out (names, names->frames, n);
  n = MIN (n, names->levels);
  trace = g_malloc (sizeof *trace + n * sizeof trace->levels[0]);
  trace->n = (uint32_t) n;
  for (size_t i = 0; i < n; i++) {
    const struct dg_site_frame *frame = &names->frames[i];
    const struct key frame_key = {.address = frame->address,
                                  .epoch = key->epoch,
                                  .depth = frame->depth,
                                  .column = frame->column,
                                  .call = frame->call,
                                  .folders = frame->folders,
                                  .is_call = frame->index > 0};

    trace->levels[i] = find_level (names, &frame_key, frame);
  }
  return trace;
}

static void
free_trace (gpointer data)
{
  struct stored_trace *stored = data;

  g_free (stored->trace);
  g_free (stored);
}

/* The log stores each stack once, so stacks are identified by the address of
   their sites.  */
const struct stack_trace *
stack_names_trace (struct stack_names *names, const struct dg_stack *stack,
                    uint64_t icount, bool is_call)
{
  const struct key key = {.sites = stack->sites, .address = stack->n,
                          .epoch = stack_names_epoch (names, icount),
                          .is_call = is_call};
  struct recent *recent = &names->recent[hash_key (&key) % RECENT];
  struct stored_trace *stored;

  if (recent->trace != NULL && equal_keys (&recent->key, &key))
    return recent->trace;
  stored = g_hash_table_lookup (names->traces, &key);
  if (stored == NULL) {
    stored = g_new (struct stored_trace, 1);
    stored->key = key;
    stored->trace = make_trace (names, stack, icount, &key);
    g_hash_table_insert (names->traces, &stored->key, stored);
  }
  recent->key = key;
  recent->trace = stored->trace;
  return stored->trace;
}

/* ---- All of it -------------------------------------------------------- */

struct stack_names *
stack_names_new (const struct dg_log *log,
                  const struct stack_names_options *options,
                  struct dg_error *err)
{
  struct stack_names *names = g_new0 (struct stack_names, 1);

  names->log = log;
  names->levels = options->levels;
  names->as_json = options->as_json;
  names->unloads = list_unloads (log);
  names->cached =
    g_hash_table_new_full (hash_key, equal_keys, NULL, free_level);
  names->traces =
    g_hash_table_new_full (hash_key, equal_keys, NULL, free_trace);
  names->sources =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, free_source);
  names->ignore = g_strdup (options->ignore);
  names->has_inlined = options->has_inlined;
  names->lines = dg_site_lines_new (log, options->levels);
  names->allocators = dg_allocators_new (options->allocators, err);
  names->frames = g_new (struct dg_site_frame, MOST_LEVELS);
  for (size_t i = 0; names->allocators != NULL && i < options->n_alloc_fns;
       i++)
    dg_allocators_add (names->allocators, options->alloc_fns[i]);
  if (names->allocators != NULL)
    names->mine = dg_mine_new (log, DG_MINE_SOURCES, err);
  if (names->mine != NULL)
    names->symbols = dg_symbols_new (log, options->source_map, err);
  if (names->symbols != NULL)
    return names;
  stack_names_free (names);
  return NULL;
}

void
stack_names_free (struct stack_names *names)
{
  if (names == NULL)
    return;
  g_hash_table_unref (names->traces);
  g_hash_table_unref (names->cached);
  g_hash_table_unref (names->sources);
  g_array_unref (names->unloads);
  g_free (names->ignore);
  g_free (names->frames);
  dg_mine_free (names->mine);
  dg_symbols_free (names->symbols);
  dg_allocators_free (names->allocators);
  dg_site_lines_free (names->lines);
  g_free (names);
}

struct dg_symbols *
stack_names_symbols (struct stack_names *names)
{
  return names->symbols;
}
