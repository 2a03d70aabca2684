/* load_archive.c: loading an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "load_archive.h"

#include "archive/archive_summary.h"
#include "base/error.h"
#include "growth.h"
#include "packed.h"
#include "packed_load.h"

static int
pace (void *user, uint64_t done, struct dg_error *err)
{
  return dg_load_pace (user, done, err);
}

/* What SUMMARY says must be what the archive holds.  */
static int
check_summary (struct dg_load *load, int code, struct dg_error *err)
{
  const struct dg_archive *archive = load->contents->packed->archive;
  struct dg_summary *summary = &load->contents->summary;
  const char *what = dg_archive_summary_differs (&archive->summary, summary);

  if (!what)
    return code;
  summary->complete = DG_COMPLETE_NO;
  load->contents->load_code = DG_ERR_DAMAGED;
  summary->good_bytes = archive->summary_part.offset;
  return dg_error_at (err, DG_ERR_DAMAGED, summary->good_bytes,
                      "SUMMARY does not match the archive: %s",
                      what);
}

int
dg_load_archive (struct dg_load *load, unsigned workers, struct dg_error *err)
{
  struct dg_log *log = load->log;
  struct dg_growth *growth = log->growth;
  uint64_t offset = log->source.size, moment = 0;
  struct dg_position position;
  struct dg_error why = { 0 };
  bool is_whole;
  int code;

  code = dg_load_begin (load, err);
  if (code < 0)
    return code;
  if (growth && growth->has_begun) {
    position = growth->position;
    moment = growth->moment;
  }
  code = dg_packed_load (log, workers, &load->timeline, &position, &moment,
                         pace, load, &why);
  /* It could not even be opened.  */
  if (!log->contents.packed || !log->contents.packed->archive)
    return dg_error_copy (err, &why);
  if (code == 0)
    code = dg_load_pace (load, log->source.size, &why);
  is_whole = code == 0;
  if (is_whole || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    int finished = dg_load_end (load, &position, moment, &why);

    log->contents.paths = log->contents.packed->view;
    code = finished < 0 ? finished
                        : dg_load_finish (load, is_whole ? offset : why.offset,
                                          code, &why);
    if (growth)
      growth->moment = moment;
  }
  if (is_whole && code != DG_ERR_NOMEM)
    code = check_summary (load, code, &why);
  if (code < 0)
    dg_error_copy (err, &why);
  return code;
}
