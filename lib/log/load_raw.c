/* load_raw.c: loading a raw log, by one walk over it here or by several
   workers in load_parallel.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "load_raw.h"

#include "base/error.h"
#include "format/walk.h"
#include "growth.h"
#include "load_parallel.h"

/* ---- One walk ---- */

static int
pace (struct dg_walk *walk, struct dg_error *err)
{
  return dg_load_pace (walk->user, walk->stream.offset, err);
}

static int
add_chunk (struct dg_walk *walk, struct dg_error *err)
{
  struct dg_load *load = walk->user;

  return dg_timeline_add_chunk (&load->timeline, &walk->position,
                                walk->stream.offset, err);
}

static int
take_record (struct dg_walk *walk, const struct dg_head *head,
             struct dg_error *err)
{
  struct dg_load *load = walk->user;
  struct dg_contents *contents = load->contents;
  struct dg_position *position = &walk->position;
  uint64_t offset = walk->stream.offset;
  int code;

  code = dg_decode_fields (walk->format, head, walk->stream.at + head->size,
                           offset, &load->fields, err);
  if (code < 0)
    return code;
  switch (head->type) {
  case DG_R_BBDEF:
    code = dg_defs_add_bbdef (&contents->defs, &contents->arena,
                              &load->fields, offset, err);
    position->bbdefs += code == 0;
    return code;
  case DG_R_CONTEXT:
    code = dg_defs_add_context (&contents->defs, &contents->raw_paths,
                                &load->fields, offset, err);
    position->contexts += code == 0;
    walk->contexts = dg_defs_run_contexts (&contents->defs);
    return code;
  default:
    return dg_timeline_apply (&load->timeline, position, head->type,
                              &load->fields, offset,
                              offset + head->size + head->length, err);
  }
}

/* The paths of all contexts; nothing will be added to them, unless the log
   grows.  */
static int
finish (struct dg_load *load, uint64_t offset, int code, struct dg_error *err)
{
  struct dg_contents *contents = load->contents;
  struct dg_paths *paths = &contents->raw_paths;

  if (paths->program.n_nodes == 0
      && dg_program_init (&paths->program, err) < 0)
    return DG_ERR_NOMEM;
  contents->paths = dg_program_view (&paths->program);
  if (!load->log->growth)
    dg_pairs_fini (&paths->children);
  return dg_load_finish (load, offset, code, err);
}

/* Where the walk begins: at the first record, or where one that was not there
   as a whole stood the last time.  */
static int
begin_walk (struct dg_load *load, struct dg_walk *walk, struct dg_error *err)
{
  const struct dg_source *source = &load->log->source;
  const struct dg_growth *growth = load->log->growth;
  bool goes_on = growth && growth->has_begun;

  dg_walk_init (walk, &load->log->format, source,
                goes_on ? growth->offset : DG_HEADER_SIZE, source->size);
  walk->record = take_record;
  walk->chunk = add_chunk;
  walk->pace = pace;
  walk->user = load;
  if (!goes_on)
    return add_chunk (walk, err);
  walk->position = growth->position;
  walk->last_chunk = growth->last_chunk;
  walk->unknown = load->contents->summary.unknown_records;
  walk->contexts = dg_defs_run_contexts (&load->contents->defs);
  return 0;
}

static int
load_in_one (struct dg_load *load, struct dg_error *err)
{
  const struct dg_source *source = &load->log->source;
  struct dg_growth *growth = load->log->growth;
  struct dg_walk walk = { 0 };
  int code;

  code = dg_load_begin (load, err);
  if (code == 0)
    code = begin_walk (load, &walk, err);
  if (code == 0)
    code = dg_walk_run (&walk, err);
  if (code == 0)
    code = dg_load_pace (load, source->size, err);
  load->contents->summary.unknown_records = walk.unknown;
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    int finished = dg_load_end (load, &walk.position, walk.stream.offset,
                                err);

    code = finished < 0 ? finished
                        : finish (load, walk.stream.offset, code, err);
  }
  if (growth && load->log->is_loaded) {
    growth->offset = walk.stream.offset;
    growth->last_chunk = walk.last_chunk;
  }
  dg_walk_fini (&walk);
  return code;
}

/* ---- In parts ---- */

static int
pace_parts (void *user, uint64_t done, struct dg_error *err)
{
  return dg_load_pace (user, done, err);
}

/* 1 if it is done, 0 if the log has to be walked in one, < 0 an error.  */
static int
load_in_parts (struct dg_load *load, unsigned workers, struct dg_error *err)
{
  struct dg_position position;
  int code = dg_load_begin (load, err);

  if (code == 0)
    code = dg_load_parallel (load->log, workers, &load->timeline, &position,
                             pace_parts, load, err);
  if (code > 0) {
    /* What looked like the end record may have been something else's.  */
    code = dg_load_end (load, &position, load->log->source.size, err);
    if (code == 0)
      code = finish (load, load->log->source.size, 0, err);
    return code < 0 ? code : 1;
  }
  /* Nothing is left of it for the walk in one.  */
  dg_timeline_fini (&load->timeline);
  dg_contents_fini (load->contents);
  return code;
}

int
dg_load_raw (struct dg_load *load, unsigned workers, struct dg_error *err)
{
  int code = 0;

  /* Parts leave nothing that could go on.  */
  if (workers > 1 && !load->log->growth)
    code = load_in_parts (load, workers, err);
  if (code == 0)
    return load_in_one (load, err);
  return code < 0 ? code : 0;
}
