/* export_stream.c: a pass over a log that gives a format its instructions.

   What a format has no room for is divided here: an access becomes one for
   each line that it touches, unless the format has sizes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_stream.h"

#include "dg_traffic.h"
#include "export_physical.h"
#include "export_slots.h"

#include <string.h>

/* Pieces of accesses that are given at a time: more than any instruction
   has, but for those that write out all registers, and system calls.  */
#define PIECES 256
/* Of a system call: Linux transfers no more at once.  Anything else is in a
   damaged log, and would be endless.  */
#define KERNEL_MAX 0x7ffff000
#define FULL                                                               \
  "--physical: the program has more pages than there are frames: give more " \
  "--memory"
/* Limits of --rate.  */
#define RATE_MIN 1e-6
#define RATE_MAX 1e12

struct stream {
  struct export *export;
  struct dg_traffic *traffic;      /* NULL: accesses as they are */
  const struct dg_kernel_access *kernel;
  size_t n_kernel;                 /* not yet given */
  uint64_t line_mask;
  struct export_instr instr;       /* in hand */
  struct export_access pieces[PIECES];
};

static const struct dg_option options[] = {
  {"level", DG_OPTION_CHOICE, "LEVEL", NULL, "D1,L2,L3,LL",
   "only the lines that this cache fetches and writes back"},
  DG_TRAFFIC_OPTIONS,
  {"rate", DG_OPTION_REAL, "N", NULL, NULL,
   "instructions in a cycle (dramsim3), a nanosecond (gem5) or a second "
   "(oracle-general)"},
  {"physical", DG_OPTION_CHOICE, "ORDER", NULL, "in-order,scattered",
   "physical addresses: a page gets the next frame at its first access, or "
   "any frame"},
  {"memory", DG_OPTION_BYTES, "BYTES", NULL, NULL,
   "size of the physical memory (default: 4Gi)"},
  {NULL, 0, NULL, NULL, NULL, NULL}};

/* ---- An instruction --------------------------------------------------- */

static inline void
give (struct stream *stream)
{
  struct export_physical *physical = stream->export->physical;

  for (size_t i = 0; physical != NULL && i < stream->instr.n; i++)
    stream->pieces[i].address =
      export_physical_address (physical, stream->pieces[i].address);
  stream->export->format->put (stream->export, &stream->instr);
  stream->instr.n = 0;
  stream->instr.is_more = true;
}

static inline void
add_piece (struct stream *stream, uint64_t address, uint32_t size,
           uint8_t kind)
{
  if (G_UNLIKELY (stream->instr.n == PIECES))
    give (stream);
  stream->pieces[stream->instr.n++] = (struct export_access) {
    .address = address, .size = size, .kind = kind};
}

static void
add_lines (struct stream *stream, uint64_t address, uint64_t size,
           uint8_t kind)
{
  uint64_t last = address + (size - 1);

  if (last < address)
    last = UINT64_MAX;
  while ((address | stream->line_mask) < last) {
    uint64_t next = (address | stream->line_mask) + 1;

    add_piece (stream, address, (uint32_t) (next - address), kind);
    address = next;
  }
  add_piece (stream, address, (uint32_t) (last - address + 1), kind);
}

static inline void
add (struct stream *stream, uint64_t address, uint32_t size, uint8_t kind)
{
  uint64_t last;

  size = MAX (size, 1);
  last = address + (size - 1);
  if (stream->export->format->flags & EXPORT_BYTES
      || G_LIKELY ((address | stream->line_mask)
                   == (last | stream->line_mask)))
    add_piece (stream, address, size, kind);
  else
    add_lines (stream, address, size, kind);
}

/* ---- Runs ------------------------------------------------------------- */

static inline void
begin_instr (struct stream *stream, const struct dg_run *run, unsigned index)
{
  const struct dg_instr *instr = &run->bbdef->instrs[index];

  stream->instr.icount = run->icount + index;
  stream->instr.address = instr->address;
  stream->instr.size = instr->size;
  stream->instr.index = (uint8_t) index;
  stream->instr.is_more = false;
}

/* The address of a slot; 0: the program did not make the access.  extra:
   of export_slots_extra.  */
static inline uint64_t
address_of (const struct dg_run *run, unsigned slot, const uint8_t *extra)
{
  const struct dg_slot *slots = run->bbdef->slots;
  uint64_t address = run->addresses[slots[slot].entry];

  if (G_LIKELY (extra == NULL || extra[slot] == EXPORT_EXTRA_NOT))
    return address;
  return extra[slot] == EXPORT_EXTRA_AGAIN
             && run->addresses[slots[slot - 1].entry] != address
           ? address : 0;
}

/* Only what accesses memory.  */
static void
give_accesses (struct stream *stream, const struct dg_run *run)
{
  const struct dg_slot *slots = run->bbdef->slots;
  const uint8_t *extra =
    export_slots_extra (stream->export->slots, run->bbdef, run->icount);
  unsigned last = UINT_MAX;

  for (unsigned i = 0; i < run->n_slots; i++) {
    uint64_t address = address_of (run, i, extra);

    if (address == 0 || slots[i].iseq < run->first_instr)
      continue;
    if (slots[i].iseq != last) {
      if (stream->instr.n > 0)
        give (stream);
      last = slots[i].iseq;
      begin_instr (stream, run, last);
    }
    add (stream, address, slots[i].size, slots[i].kind);
  }
  if (stream->instr.n > 0)
    give (stream);
}

static void
give_instrs (struct stream *stream, const struct dg_run *run)
{
  const struct dg_slot *slots = run->bbdef->slots;
  const uint8_t *extra =
    export_slots_extra (stream->export->slots, run->bbdef, run->icount);
  bool has_fetches = stream->export->has_fetches;
  unsigned slot = 0;

  while (slot < run->n_slots && slots[slot].iseq < run->first_instr)
    slot++;
  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    begin_instr (stream, run, i);
    if (has_fetches)
      add (stream, stream->instr.address, stream->instr.size, EXPORT_FETCH);
    for (; slot < run->n_slots && slots[slot].iseq == i; slot++) {
      uint64_t address = address_of (run, slot, extra);

      if (address != 0)
        add (stream, address, slots[slot].size, slots[slot].kind);
    }
    give (stream);
  }
}

static int
give_traffic (struct stream *stream, const struct dg_run *run,
              struct dg_error *err)
{
  const struct dg_move *moves;
  ptrdiff_t n = dg_traffic_run (stream->traffic, run, &moves, err);

  for (ptrdiff_t i = 0; i < n; i++) {
    uint8_t kind = moves[i].kind == DG_MOVE_BACK    ? DG_ACC_WRITE
                   : moves[i].kind == DG_MOVE_FETCH ? EXPORT_FETCH
                                                    : DG_ACC_READ;

    if (i == 0 || moves[i].instr != stream->instr.index) {
      if (i > 0)
        give (stream);
      begin_instr (stream, run, moves[i].instr);
    }
    add (stream, moves[i].address, moves[i].size, kind);
  }
  if (n > 0)
    give (stream);
  return n < 0 ? (int) n : 0;
}

/* ---- System calls ----------------------------------------------------- */

static bool
is_chosen (const struct export *export, const struct dg_kernel_access *kernel)
{
  bool is_there = export->n_threads == 0;

  for (size_t i = 0; i < export->n_threads; i++)
    is_there |= export->threads[i] == kernel->thread;
  return is_there && kernel->icount >= export->start_icount
         && (export->end_icount == 0 || kernel->icount < export->end_icount);
}

/* What the kernel accessed before an icount.  */
static void
give_kernel (struct stream *stream, uint64_t icount)
{
  struct export_instr before = stream->instr;

  for (; stream->n_kernel > 0 && stream->kernel->icount <= icount;
       stream->n_kernel--, stream->kernel++) {
    if (!is_chosen (stream->export, stream->kernel)
        || stream->kernel->size == 0 || output_failed (&stream->export->out))
      continue;
    stream->instr = (struct export_instr) {
      .icount = stream->kernel->icount,
      .thread = stream->kernel->thread,
      .accesses = stream->pieces};
    add_lines (stream, stream->kernel->address,
               MIN (stream->kernel->size, KERNEL_MAX),
               stream->kernel->kind);
    give (stream);
  }
  stream->instr = before;
}

/* ---- The analysis ----------------------------------------------------- */

static void
free_stream (void *self)
{
  struct stream *stream = self;

  if (stream == NULL)
    return;
  if (stream->export->format->fini != NULL && stream->export->state != NULL)
    stream->export->format->fini (stream->export);
  g_clear_pointer (&stream->export->state, g_free);
  dg_traffic_free (stream->traffic);
  g_free (stream);
}

static int
fail_options (struct dg_error *err, const char *message)
{
  *err = (struct dg_error) {.code = DG_ERR_INVALID};
  g_strlcpy (err->message, message, sizeof err->message);
  return DG_ERR_INVALID;
}

/* The pages of a pass before stay where they are.  */
static int
take_options (struct dg_setup *setup, struct export *export,
              struct dg_error *err)
{
  const char *order = dg_setup_text (setup, "physical");
  uint32_t page = dg_log_page_size (export->log);
  uint64_t memory = dg_setup_has (setup, "memory")
                      ? dg_setup_number (setup, "memory")
                      : EXPORT_MEMORY;

  if (dg_setup_has (setup, "rate")) {
    export->rate = dg_setup_real (setup, "rate");
    if (!(export->rate >= RATE_MIN) || export->rate > RATE_MAX)
      return fail_options (err, "--rate: must be above 0, from 1e-6 to 1e12");
  }
  if (order == NULL || export->physical != NULL)
    return 0;
  if (export->line > page)
    return fail_options (err, "--physical: a line is larger than a page");
  export->physical =
    export_physical_new (page, memory, strcmp (order, "scattered") == 0);
  return export->physical != NULL
           ? 0
           : fail_options (err, "--memory: must be a page at least, and at "
                                "most 2^56 bytes");
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct export *export = dg_setup_user (setup);
  struct stream *stream = g_new0 (struct stream, 1);
  const char *level = dg_setup_text (setup, "level");
  int code = take_options (setup, export, err);

  stream->export = export;
  stream->line_mask = export->line - 1;
  stream->instr.accesses = stream->pieces;
  if (export->has_kernel)
    stream->kernel = dg_log_kernel_accesses (export->log, &stream->n_kernel);
  if (code == 0 && level != NULL) {
    stream->traffic = dg_traffic_new (setup, level, err);
    code = stream->traffic != NULL ? 0 : DG_ERR_INVALID;
  }
  if (export->format->state_size > 0)
    export->state = g_malloc0 (export->format->state_size);
  if (code == 0 && export->format->begin != NULL)
    code = export->format->begin (export, err);
  if (code == 0)
    return stream;
  free_stream (stream);
  return NULL;
}

static bool
needs_blocks (const struct dg_setup *setup)
{
  (void) setup;
  return false;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  plan->needs_contexts = false;
  return 0;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct stream *stream = self;
  struct export *export = stream->export;
  bool has_all =
    export->has_fetches || (export->format->flags & EXPORT_INSTRS) != 0;
  int code = 0;

  (void) shard;
  (void) feed;
  for (size_t i = 0; i < batch->n_runs && code == 0; i++) {
    const struct dg_run *run = &batch->runs[i];

    if (G_UNLIKELY (stream->n_kernel > 0
                    && stream->kernel->icount <= run->icount))
      give_kernel (stream, run->icount);
    stream->instr.thread = run->thread;
    stream->instr.bbdef = run->bbdef;
    export->instructions += run->n_instrs - run->first_instr;
    if (stream->traffic != NULL)
      code = give_traffic (stream, run, err);
    else if (has_all)
      give_instrs (stream, run);
    else
      give_accesses (stream, run);
  }
  if (code == 0 && export_physical_is_full (export->physical))
    code = fail_options (err, FULL);
  /* The message is that of output_finish.  */
  if (code == 0 && output_failed (&export->out) && err != NULL)
    err->code = DG_ERR_CANCELLED;
  return output_failed (&export->out) ? DG_ERR_CANCELLED : code;
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct stream *stream = self;
  struct export *export = stream->export;

  (void) report;
  give_kernel (stream, UINT64_MAX);
  if (export_physical_is_full (export->physical))
    return fail_options (err, FULL);
  if (export->format->end != NULL)
    export->status = export->format->end (export);
  return 0;
}

const struct dg_analysis export_stream = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "export",
  .summary = "Writes logs and their tables in the formats of other programs",
  .options = options,
  .needs_blocks = needs_blocks,
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = free_stream};
