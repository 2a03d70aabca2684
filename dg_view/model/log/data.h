/* data.h: a log with what explains it: symbols, owners and the index.  No
   drawing.

   Shared by background tasks and the window, hence counted references.  Once
   made, everything is read-only, but for caches that lock by themselves, and
   the index, which may come later.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_DATA_H
#define DV_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <libdatagrind.h>
#include <glib.h>

/* So many accesses are decoded in a moment: for fewer, nobody needs an
   index.  The environment may say otherwise.  */
#define DV_FEW_ACCESSES ((uint64_t) 16 << 20)
#define DV_FEW_VARIABLE "DG_VIEW_FEW_ACCESSES"

/* So many accesses one processor decodes in a second, as long as nobody has
   measured it.  */
#define DV_USUAL_RATE ((uint64_t) 24 << 20)

/* So long is decoded to tell what is under the pointer, if something is known
   by then: milliseconds.  */
#define DV_PATIENCE_MS 150

struct dv_data {
  struct dg_log *log;
  /* Only the summary, the process, the chunks and the index are there, enough
     for a picture; no definitions and no timelines, so nothing can be decoded
     and nobody is known to own anything.  */
  bool is_glance;
  bool is_growing;              /* see dv_data_new_growing */
  uint64_t few;                 /* DV_FEW_ACCESSES; tests have others */
  int64_t patience;             /* DV_PATIENCE_MS; tests have more */
  gint rate;                    /* atomic: thousands of accesses that are
                                   decoded in a second; 0: whatever it is,
                                   only few are, for tests */
  struct dg_symbols *symbols;   /* NULL only after dv_data_glance */
  struct dv_data *namer;        /* whose symbols they are; NULL: its own */
  struct dg_site_lines *site_lines;    /* see dv_data_site */
  struct dg_space *space;       /* NULL when it was not asked for */
  unsigned page_shift;          /* log2 of the page size */
  unsigned line_shift;          /* log2 of the cache-line size */
  /* code DG_OK; or DG_ERR_TRUNCATED or DG_ERR_DAMAGED: only what stands
     before its offset is there.  */
  struct dg_error flaw;
  gpointer index;               /* atomic; see dv_data_index */
  gint is_spoilt;               /* atomic: the index cannot be read */
};

/* Opens and loads.  NULL and *err on failure; a log that is cut short or
   damaged is not a failure but a flaw.  Who owns what is asked by clicks only
   and takes a while to make for millions of heap blocks: see with_space.  */
struct dv_data *dv_data_new (const char *path, bool with_space,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);
/* As much as can be had at once, of a log with an index; NULL for other logs,
   for which it would not be worth it, and on failure.  */
struct dv_data *dv_data_glance (const char *path);
/* As dv_data_new with owners, for a log that is still being written; if it
   turns out to be whole, it is like any other (is_growing).  */
struct dv_data *dv_data_new_growing (const char *path,
                                     dg_progress_fn progress, void *user,
                                     struct dg_error *err);
/* What was added since: 1, with all of the log in *grown; 0: nothing; or < 0
   and *err, as dg_log_grow.  `data` stays as it is for anyone who uses it, but
   only *grown can grow further.  Of symbols and index, what is known goes
   over.  */
int dv_data_grow (struct dv_data *data, dg_progress_fn progress, void *user,
                  struct dv_data **grown, struct dg_error *err);
struct dv_data *dv_data_ref (struct dv_data *data);
void dv_data_unref (struct dv_data *data);

/* The base name of the log's file.  */
char *dv_data_file_name (const struct dv_data *data);
/* What was recorded, such as "sort -r names"; NULL if the log does not say.
   Both are new strings.  */
char *dv_data_program (const struct dv_data *data);

/* The index, as long as the data; NULL: there is none (yet).  */
struct dg_index *dv_data_index (const struct dv_data *data);
/* Whether making an index is worth it.  */
bool dv_data_wants_index (const struct dv_data *data);
/* How many accesses are decoded in a second, at least `few`: what holds no
   more is not worth an approximation.  By the last that was decoded.  */
uint64_t dv_data_second (const struct dv_data *data);
/* So many were, on all processors, in so many microseconds.  */
void dv_data_note_decoding (struct dv_data *data, uint64_t accesses,
                            int64_t us);
/* Takes an index over, unless there is one that is good.  */
void dv_data_set_index (struct dv_data *data, struct dg_index *index);
/* Reading the index failed: nobody is to use it any more.  */
void dv_data_spoil_index (struct dv_data *data);

/* Which place wanted a heap block, as dg_site_frames says; looks names up in
   `symbols`, which are the data's or, for less, NULL.  False: it has no
   stack.  */
bool dv_data_site (const struct dv_data *data, struct dg_symbols *symbols,
                   const struct dg_block *block, struct dg_site_frame *out);

/* When the code at an address was loaded; 0 if no module has it.  */
uint64_t dv_data_code_moment (const struct dv_data *data, uint64_t address);
/* The icounts of chunk i lie in [*start, *end).  */
void dv_data_chunk (const struct dv_data *data, size_t i, uint64_t *start,
                    uint64_t *end);

#endif /* DV_DATA_H */
