/* bundle_log.c: dg_log_bundle: an archive of a log with the files that its
   names are read from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/bundle_write.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/replace.h"
#include "base/sized.h"
#include "bundle_sources.h"
#include "bundle_used.h"
#include "log/bundled.h"
#include "pack_log.h"
#include "symbols/symbols_files.h"
#include "symbols/symbols_names.h"
#include "symbols/symbols_new.h"

#define LEVEL_DEFAULT 12
#define LEVEL_MAX     19
#define COPY_BYTES    ((size_t) 1 << 20)
#define LARGEST_SOURCE ((size_t) 64 << 20)

/* A file that is to be added.  */
struct planned {
  struct dg_bundle_file file;
  struct dg_symbols_file of; /* but of a source */
  char *path;              /* on this machine */
  uint64_t size;
};

struct bundling {
  const struct dg_log *log;
  const struct dg_archive *archive;   /* of the log; NULL: it is raw */
  struct dg_bundle_options options;
  struct dg_symbols *symbols;
  struct dg_names names;   /* how sources are called on this machine */
  struct dg_bundle_used used;
  GArray *planned;         /* struct planned */
  GPtrArray *problems;
  struct dg_progress progress;
  uint64_t done, total;    /* bytes */
};

static int
tell (struct bundling *bundling, struct dg_error *err)
{
  return dg_progress_pace (&bundling->progress, bundling->done,
                           bundling->total, err);
}

/* ---- Which files ------------------------------------------------------- */

static void
planned_fini (gpointer data)
{
  struct planned *planned = data;

  g_free (planned->file.name);
  g_free (planned->path);
}

static int
plan_file (void *user, const struct dg_symbols_file *file,
           struct dg_error *err)
{
  static const uint32_t kinds[] = {
    [DG_SYMBOLS_FILE_MODULE] = DG_BUNDLE_MODULE,
    [DG_SYMBOLS_FILE_DEBUG] = DG_BUNDLE_DEBUG,
    [DG_SYMBOLS_FILE_SHARED] = DG_BUNDLE_SHARED,
    [DG_SYMBOLS_FILE_SPLIT] = DG_BUNDLE_SPLIT
  };
  struct bundling *bundling = user;
  struct planned planned = { .file.kind = kinds[file->kind], .of = *file };
  struct stat status;

  if (file->n_id > DG_BUNDLE_ID_MAX)
    return 0;
  if (stat (file->path, &status) < 0) {
    g_ptr_array_add (bundling->problems,
                     g_strdup_printf ("%s: %s", file->path,
                                      g_strerror (errno)));
    return 0;
  }
  /* A package is counted as nothing, since all its units are in one file.  */
  if (file->kind != DG_SYMBOLS_FILE_SPLIT)
    planned.size = (uint64_t) status.st_size;
  planned.file.n_id = (uint8_t) file->n_id;
  if (file->n_id > 0)
    memcpy (planned.file.id, file->id, file->n_id);
  planned.file.name = g_strdup (file->module);
  planned.path = g_strdup (file->path);
  g_array_append_val (bundling->planned, planned);
  bundling->total += planned.size;
  return tell (bundling, err);
}

static int
plan_source (void *user, const char *name, struct dg_error *err)
{
  struct bundling *bundling = user;
  struct planned planned = { .file.kind = DG_BUNDLE_SOURCE };
  struct stat status;
  const char *path = dg_names_source (&bundling->names, NULL, name);

  if (path == NULL || stat (path, &status) < 0 || !S_ISREG (status.st_mode)
      || (uint64_t) status.st_size > LARGEST_SOURCE)
    return 1;
  planned.size = (uint64_t) status.st_size;
  planned.file.changed = status.st_mtime;
  planned.file.name = g_strdup (name);
  planned.path = g_strdup (path);
  g_array_append_val (bundling->planned, planned);
  bundling->total += planned.size;
  return tell (bundling, err);
}

static int
plan_sources (struct bundling *bundling, struct dg_error *err)
{
  size_t n_missing = 0;
  int code = dg_bundle_sources (bundling->symbols, &bundling->used.used,
                                plan_source, bundling, &n_missing, err);

  if (code == 0 && n_missing > 0)
    g_ptr_array_add (bundling->problems,
                     g_strdup_printf ("%zu source files are not on this "
                                      "machine", n_missing));
  return code;
}

static int
plan (struct bundling *bundling, struct dg_error *err)
{
  const char *problem;
  int code;

  bundling->symbols = dg_symbols_new_as_recorded (bundling->log, err);
  if (bundling->symbols == NULL)
    return DG_ERR_NOMEM;
  code = dg_bundle_used_init (&bundling->used, bundling->log, NULL, NULL, err);
  if (code == 0)
    code = dg_symbols_files (bundling->symbols, &bundling->used.used,
                             plan_file, bundling, err);
  if (code == 0 && bundling->options.sources)
    code = plan_sources (bundling, err);
  for (size_t i = 0;
       (problem = dg_symbols_problem (bundling->symbols, i)) != NULL; i++)
    if (!dg_symbols_problem_is_of_valgrind (bundling->symbols, i))
      g_ptr_array_add (bundling->problems, g_strdup (problem));
  return code;
}

/* ---- Writing ----------------------------------------------------------- */

/* A file that cannot be read any more is left out.  */
static int
leave_out (struct bundling *bundling, const struct planned *planned, int code,
           const struct dg_error *why)
{
  if (code == DG_ERR_NOMEM)
    return code;
  g_ptr_array_add (bundling->problems,
                   g_strdup_printf ("%s: %s", planned->path, why->message));
  return 0;
}

static int
add_source (struct bundling *bundling, struct dg_archive_writer *writer,
            const struct planned *planned, struct dg_error *err)
{
  char *text;
  size_t n;
  int code = dg_regular_read (planned->path, LARGEST_SOURCE, &text, &n, NULL,
                              err);

  if (code < 0)
    return leave_out (bundling, planned, code, err);
  code = dg_bundle_add (writer, &planned->file, (const uint8_t *) text, n,
                        err);
  free (text);
  return code;
}

static int
add_image (struct bundling *bundling, struct dg_archive_writer *writer,
           const struct planned *planned, struct dg_error *err)
{
  struct dg_symbols_image image;
  int fd = dg_symbols_file_open (&planned->of, err), code = fd;

  if (fd >= 0) {
    code = dg_symbols_image_read (&image, fd, err);
    close (fd);
  }
  if (code < 0)
    return leave_out (bundling, planned, code, err);
  dg_symbols_file_trim (bundling->symbols, &planned->of,
                        &bundling->used.used, &image);
  code = dg_bundle_add (writer, &planned->file, image.bytes, image.size, err);
  dg_symbols_image_fini (&image);
  return code;
}

/* Those that the log has already come first: what is in it is not looked for
   elsewhere.  */
static int
add_files (void *user, struct dg_archive_writer *writer, struct dg_error *err)
{
  struct bundling *bundling = user;
  struct dg_error own;
  int code = 0;

  err = err != NULL ? err : &own;
  dg_archive_set_level (writer, bundling->options.level);
  if (bundling->archive != NULL)
    code = dg_bundle_copy (writer, &bundling->log->source,
                           &bundling->archive->files, err);
  for (guint i = 0; i < bundling->planned->len && code == 0; i++) {
    const struct planned *planned
      = &g_array_index (bundling->planned, struct planned, i);

    code = planned->file.kind == DG_BUNDLE_SOURCE
             ? add_source (bundling, writer, planned, err)
             : add_image (bundling, writer, planned, err);
    bundling->done += planned->size;
    if (code == 0)
      code = tell (bundling, err);
  }
  return code;
}

/* ---- An archive that is there ------------------------------------------ */

static int
copy_bytes (struct bundling *bundling, int fd, uint64_t size,
            struct dg_error *err)
{
  uint8_t *bytes = g_malloc (COPY_BYTES);
  int code = 0;

  for (uint64_t at = 0; at < size && code == 0;) {
    size_t n = (size_t) MIN (size - at, COPY_BYTES);

    code = dg_archive_bytes (&bundling->log->source, at, bytes, n, err);
    if (code == 0)
      code = dg_replace_write (fd, bytes, n, err);
    at += n;
    bundling->done = at;
    if (code == 0)
      code = tell (bundling, err);
  }
  g_free (bytes);
  return code;
}

static int
continue_in (struct bundling *bundling, int fd, struct dg_error *err)
{
  const struct dg_archive *archive = bundling->archive;
  uint64_t size = archive->parts_end;
  struct dg_archive_writer *writer;
  int code;

  bundling->total += size;
  code = copy_bytes (bundling, fd, size, err);
  if (code == 0)
    code = dg_archive_continue_in (fd, archive, size,
                                   bundling->options.level, &writer, err);
  if (code < 0)
    return code;
  code = add_files (bundling, writer, err);
  if (code < 0) {
    dg_archive_abandon (writer);
    return code;
  }
  return dg_archive_finish (writer, &archive->summary, &archive->end,
                            archive->process.items, archive->process.n, err);
}

static int
extend (struct bundling *bundling, const char *path, struct dg_error *err)
{
  struct dg_replace replace;
  int code = dg_replace_begin (&replace, path, true, &bundling->log->source,
                               err);

  if (code < 0)
    return code;
  code = plan (bundling, err);
  if (code == 0)
    code = continue_in (bundling, replace.fd, err);
  if (code == 0)
    code = dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  return code;
}

/* ---- A raw log, or a part of an archive --------------------------------- */

/* Of packing, in which files come last.  */
static int
pack_progress (void *user, uint64_t done, uint64_t total)
{
  struct bundling *bundling = user;

  (void) total;
  bundling->done = done;
  return tell (bundling, NULL) < 0 ? 1 : 0;
}

static int
pack (struct bundling *bundling, const char *path, struct dg_error *err)
{
  int code = plan (bundling, err);

  if (code < 0)
    return code;
  bundling->total += bundling->log->source.size;
  return dg_pack_log_with (bundling->log, path, NULL, pack_progress, bundling,
                           add_files, bundling, err);
}

/* ---- The whole ---------------------------------------------------------- */

static int
tell_what_there_is (const char *path, struct dg_bundle_summary *told,
                    struct dg_error *err)
{
  struct dg_log *log;
  int code = dg_log_open (path, &log, err);

  memset (told, 0, sizeof *told);
  if (code < 0)
    return code;
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  code = dg_log_load_summary (log, 1, NULL, NULL, err);
  /* A log that is not whole brings its files nonetheless.  */
  if (code != DG_ERR_IO && code != DG_ERR_NOMEM) {
    dg_log_bundled (log, told);
    code = 0;
  }
  dg_log_close (log);
  return code;
}

int
dg_log_bundle (const struct dg_log *log, const char *path,
               const struct dg_bundle_options *options,
               dg_progress_fn progress, void *user,
               struct dg_bundle_summary *told, char ***problems,
               struct dg_error *err)
{
  struct bundling bundling = { .log = log };
  bool is_whole;
  int code;

  if (problems != NULL)
    *problems = NULL;
  if (DG_SIZED_TAKE (&bundling.options, sources, options, err) < 0)
    return DG_ERR_INVALID;
  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (bundling.options.level < 0 || bundling.options.level > LEVEL_MAX)
    return dg_error_set (err, DG_ERR_INVALID, "level %d is not from 1 to %d",
                         bundling.options.level, LEVEL_MAX);
  if (bundling.options.level == 0)
    bundling.options.level = LEVEL_DEFAULT;
  if (log->contents.packed != NULL)
    bundling.archive = log->contents.packed->archive;
  is_whole = bundling.archive != NULL && bundling.archive->has_footer
             && log->contents.load_code == 0;
  dg_names_init (&bundling.names,
                 log->places != NULL
                   ? (const char *const *) log->places->source_map
                   : NULL);
  bundling.planned = g_array_new (FALSE, FALSE, sizeof (struct planned));
  g_array_set_clear_func (bundling.planned, planned_fini);
  bundling.problems = g_ptr_array_new_with_free_func (g_free);
  bundling.progress = dg_progress_start (progress, user);
  code = is_whole ? extend (&bundling, path, err)
                  : pack (&bundling, path, err);
  dg_bundle_used_fini (&bundling.used);
  dg_names_fini (&bundling.names);
  dg_symbols_free (bundling.symbols);
  g_array_unref (bundling.planned);
  if (problems != NULL) {
    g_ptr_array_add (bundling.problems, NULL);
    *problems = (char **) g_ptr_array_steal (bundling.problems, NULL);
  }
  g_ptr_array_unref (bundling.problems);
  if (code == 0 && told != NULL)
    code = tell_what_there_is (path, told, err);
  return code;
}

void
dg_bundle_free_problems (char **problems)
{
  g_strfreev (problems);
}
