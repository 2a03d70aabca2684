/* data.c: opening a log and what belongs to it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "data.h"

#include "format.h"
#include "work.h"
#include "refs.h"

/* Of a command line, in titles: characters.  */
#define PROGRAM_LENGTH 200

/* No processor has smaller pages.  What a log needs of memory is a part of its
   size, since each page that it touches takes some: one access of 64 KB would
   touch 4,096 pages of 16 bytes.  */
#define LEAST_PAGE_SHIFT 9
#define LEAST_LINE_SHIFT 4

#define RATE_UNIT     1000
/* Less than this says nothing about the rate.  */
#define LEAST_DECODED ((uint64_t) 2 << 20)

/* Whatever a log says, so that shifts stay sensible.  */
static unsigned
shift_of (uint32_t size, unsigned least, unsigned otherwise)
{
  unsigned shift = 0;
  while (shift < 31 && (uint32_t) 1 << shift < size)
    shift++;
  return size == (uint32_t) 1 << shift && shift >= least && shift <= 24
         ? shift : otherwise;
}

static void
data_clear (void *memory)
{
  struct dv_data *data = memory;
  dg_index_close (data->index);
  dg_space_free (data->space);
  dg_site_lines_free (data->site_lines);
  if (data->namer != NULL)
    dv_data_unref (data->namer);
  else
    dg_symbols_free (data->symbols);
  dg_log_close (data->log);
}

DV_DEFINE_REFS (dv_data, data_clear)

static void
set_units (struct dv_data *data)
{
  const char *few = g_getenv (DV_FEW_VARIABLE);
  data->few = DV_FEW_ACCESSES;
  data->patience = DV_PATIENCE_MS;
  data->rate = (gint) (DV_USUAL_RATE / RATE_UNIT
                       * dv_work_default_workers ());
  if (few != NULL) {
    g_ascii_string_to_unsigned (few, 10, 0, G_MAXUINT64, &data->few, NULL);
    data->rate = 0;
  }
  data->page_shift = shift_of (dg_log_page_size (data->log), LEAST_PAGE_SHIFT,
                               12);
  data->line_shift = shift_of (dg_log_line_size (data->log), LEAST_LINE_SHIFT,
                               6);
  if (data->line_shift > data->page_shift)
    data->line_shift = data->page_shift;
}

struct dv_data *
dv_data_glance (const char *path)
{
  struct dv_data *data = g_atomic_rc_box_new0 (struct dv_data);
  struct dg_index *index = NULL;
  data->is_glance = true;
  if (dg_log_open (path, &data->log, NULL) < 0)
    goto fail;
  int code = dg_log_header (data->log)->is_archive
             ? dg_log_load_summary (data->log, 0, NULL, NULL, NULL)
             : dg_index_load_summary (data->log, NULL);
  if (code < 0)
    goto fail;
  /* While nothing was recorded, there is nothing to see: to know when that
     was, the timelines are needed.  */
  const struct dg_summary *summary = dg_log_summary (data->log);
  set_units (data);
  if (summary->windows > 0 || summary->accesses <= data->few
      || dg_index_open (data->log, &index, NULL) < 0)
    goto fail;
  data->index = index;
  return data;

fail:
  dv_data_unref (data);
  return NULL;
}

struct dv_data *
dv_data_new (const char *path, bool with_space, dg_progress_fn progress,
             void *user, struct dg_error *err)
{
  struct dv_data *data = g_atomic_rc_box_new0 (struct dv_data);
  if (dg_log_open (path, &data->log, err) < 0)
    goto fail;
  struct dg_error flaw = { 0 };
  int code = dg_log_load (data->log, 0, progress, user, &flaw);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED) {
    *err = flaw;
    goto fail;
  }
  data->flaw = flaw;
  data->flaw.code = code;
  set_units (data);
  struct dg_index *index;
  if (dg_index_open (data->log, &index, NULL) == 0)
    data->index = index;

  data->symbols = dg_symbols_new (data->log, NULL, err);
  if (data->symbols == NULL)
    goto fail;
  data->site_lines = dg_site_lines_new (data->log, 1);
  if (with_space) {
    data->space = dg_space_build (data->log, progress, user, err);
    if (data->space == NULL)
      goto fail;
  }
  return data;

fail:
  dv_data_unref (data);
  return NULL;
}

/* ---- Growing --------------------------------------------------------- */

static void
set_flaw (struct dv_data *data, int code, const struct dg_error *flaw)
{
  data->flaw = *flaw;
  data->flaw.code = code;
  data->is_growing = dg_log_can_grow (data->log);
}

static struct dg_index *
grow_index (struct dv_data *data, struct dg_index *before,
            dg_progress_fn progress, void *user)
{
  struct dg_index *index = NULL;
  if (dg_log_summary (data->log)->accesses > data->few)
    dg_index_grow (data->log, before, MAX (g_get_num_processors () / 2, 1),
                   progress, user, &index, NULL);
  return index;
}

struct dv_data *
dv_data_new_growing (const char *path, dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  struct dv_data *data = g_atomic_rc_box_new0 (struct dv_data);
  struct dg_index *index;
  if (dg_log_open (path, &data->log, err) < 0)
    goto fail;
  struct dg_error flaw = { 0 };
  int code = dg_log_load_growing (data->log, 0, progress, user, &flaw);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED) {
    *err = flaw;
    goto fail;
  }
  set_flaw (data, code, &flaw);
  set_units (data);
  if (data->is_growing)
    data->index = grow_index (data, NULL, progress, user);
  else if (dg_index_open (data->log, &index, NULL) == 0)
    data->index = index;
  data->symbols = dg_symbols_new (data->log, NULL, err);
  if (data->symbols == NULL)
    goto fail;
  data->site_lines = dg_site_lines_new (data->log, 1);
  data->space = dg_space_build (data->log, progress, user, err);
  if (data->space != NULL)
    return data;

fail:
  dv_data_unref (data);
  return NULL;
}

/* Timelines only get longer, so equal lengths are equal modules; but for when
   they were unloaded.  */
static bool
has_same_modules (const struct dg_log *a, const struct dg_log *b)
{
  size_t n, m;
  dg_log_modules (a, &n);
  dg_log_modules (b, &m);
  return n == m;
}

/* Names that are known stay known, as long as nothing new was loaded: looking
   them up again each second would be most of the work.  */
static bool
take_symbols (struct dv_data *data, struct dv_data *before,
              struct dg_error *err)
{
  struct dv_data *namer = before->namer != NULL ? before->namer : before;
  if (has_same_modules (namer->log, data->log)) {
    data->namer = dv_data_ref (namer);
    data->symbols = namer->symbols;
  } else {
    data->symbols = dg_symbols_new (data->log, NULL, err);
  }
  return data->symbols != NULL;
}

int
dv_data_grow (struct dv_data *before, dg_progress_fn progress, void *user,
              struct dv_data **grown, struct dg_error *err)
{
  struct dg_log *log;
  struct dg_error flaw = { 0 };
  int code = dg_log_grow (before->log, 0, progress, user, &log, &flaw, err);
  if (code <= 0)
    return code;
  struct dv_data *data = g_atomic_rc_box_new0 (struct dv_data);
  data->log = log;
  set_flaw (data, flaw.code, &flaw);
  set_units (data);
  g_atomic_int_set (&data->rate, g_atomic_int_get (&before->rate));
  data->index = grow_index (data, dv_data_index (before), progress, user);
  data->site_lines = dg_site_lines_new (log, 1);
  if (take_symbols (data, before, err))
    data->space = dg_space_build (log, progress, user, err);
  if (data->space == NULL) {
    dv_data_unref (data);
    return err->code;
  }
  *grown = data;
  return 1;
}

struct dg_index *
dv_data_index (const struct dv_data *data)
{
  /* Reading is not a change, but GLib's macros would have it so.  */
  struct dv_data *mutable = (struct dv_data *) data;
  if (g_atomic_int_get (&mutable->is_spoilt))
    return NULL;
  return g_atomic_pointer_get (&mutable->index);
}

uint64_t
dv_data_second (const struct dv_data *data)
{
  struct dv_data *mutable = (struct dv_data *) data;
  uint64_t rate = (uint64_t) g_atomic_int_get (&mutable->rate) * RATE_UNIT;
  return MAX (data->few, rate);
}

void
dv_data_note_decoding (struct dv_data *data, uint64_t accesses, int64_t us)
{
  double rate = (double) accesses / (double) MAX (us, 1) * 1e6 / RATE_UNIT;
  if (accesses >= LEAST_DECODED && g_atomic_int_get (&data->rate) != 0)
    g_atomic_int_set (&data->rate, (gint) CLAMP (rate, 1, 1e9));
}

bool
dv_data_wants_index (const struct dv_data *data)
{
  return !data->is_glance && dv_data_index (data) == NULL
         && dg_log_summary (data->log)->accesses > data->few;
}

void
dv_data_set_index (struct dv_data *data, struct dg_index *index)
{
  if (!g_atomic_pointer_compare_and_exchange (&data->index, NULL, index))
    dg_index_close (index);
}

void
dv_data_spoil_index (struct dv_data *data)
{
  g_atomic_int_set (&data->is_spoilt, 1);
}

char *
dv_data_file_name (const struct dv_data *data)
{
  return g_path_get_basename (dg_log_path (data->log));
}

char *
dv_data_program (const struct dv_data *data)
{
  const struct dg_process *process = dg_log_process (data->log);
  if (process == NULL)
    return NULL;
  const char *exe = process->argc > 0 ? process->argv[0] : process->exe;
  if (*exe == '\0')
    return NULL;
  char *base = g_path_get_basename (exe);
  GString *text = g_string_new (base);
  g_free (base);
  for (uint32_t i = 1; i < process->argc && text->len < PROGRAM_LENGTH; i++)
    g_string_append_printf (text, " %s", process->argv[i]);
  char *label = dv_format_label (text->str, PROGRAM_LENGTH);
  g_string_free (text, TRUE);
  return label;
}

uint64_t
dv_data_code_moment (const struct dv_data *data, uint64_t address)
{
  size_t n;
  const struct dg_module *modules = dg_log_modules (data->log, &n);
  for (size_t i = 0; i < n; i++)
    if (address >= modules[i].text_address
        && address - modules[i].text_address < modules[i].text_size)
      return modules[i].load_icount;
  return 0;
}

void
dv_data_chunk (const struct dv_data *data, size_t i, uint64_t *start,
               uint64_t *end)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (data->log, &n);
  *start = chunks[i].icount;
  *end = i + 1 < n ? chunks[i + 1].icount
                   : dg_log_summary (data->log)->last_icount;
}

bool
dv_data_site (const struct dv_data *data, struct dg_symbols *symbols,
              const struct dg_block *block, struct dg_site_frame *out)
{
  const struct dg_site_options how = {
    .size = sizeof how, .symbols = symbols, .lines = data->site_lines};
  *out = (struct dg_site_frame){ .address = 0 };
  return dg_site_frames (&how, &block->alloc_stack, block->alloc_icount,
                         dg_site_is_call (block->allocator), out, 1) > 0;
}
