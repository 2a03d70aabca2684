/* dg_reader.h: records, runs and accesses of a log, in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_READER_H
#define LIBDATAGRIND_READER_H

#include "dg_context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a loaded log, or some of its chunks, in the order of the file.  A
   reader is used by one thread at a time; readers of one log are independent.
   Results are valid until the next call on the same reader.  */
struct dg_reader;

/* Chunks first .. end - 1 (0, SIZE_MAX: the whole log).  NULL on failure.  */
DG_API struct dg_reader *dg_reader_new (const struct dg_log *log,
                                        size_t first_chunk, size_t end_chunk,
                                        struct dg_error *err);
DG_API void dg_reader_free (struct dg_reader *reader);

/* One run of a superblock.  If i < n_slots, slot i was reached; its address is
   addresses[slots[i].entry], 0 if it was guarded and not made.  If i < n_sps,
   and addresses[sps[i].entry] is not 0, the stack pointer had this value after
   instruction sps[i].iseq.  (All accesses of the n_instrs instructions were
   reached, except those of the last one, which may have been left early; then
   only those in the log.) If only a part of a run is passed, skip slots and
   sps of instructions before first_instr.  */
struct dg_run {
  uint64_t icount; /* before its first instruction */
  uint32_t context;
  uint32_t thread;
  uint16_t n_instrs;    /* executed */
  uint16_t n_slots;     /* reached */
  uint16_t first_instr; /* 0; more if a part of a run is passed */
  uint16_t n_sps;       /* reached */
  const struct dg_bbdef *bbdef;
  const uint64_t *addresses;
};

/* Whether the last instruction of a run, or of runs that are alike, is a
   repetition that does not count as an instruction: rep movs counts as one
   instruction, when it ends, however often it was executed (enum
   dg_repeats).  */
static inline bool
dg_is_repetition (const struct dg_bbdef *bbdef, unsigned n_instrs,
                  unsigned n_slots)
{
  if (bbdef->repeats == DG_REPEATS_NOT || n_instrs < bbdef->n_instrs)
    return false;
  return bbdef->repeats == DG_REPEATS_FURTHER
         || (n_slots > 0 && bbdef->slots[n_slots - 1].iseq + 1u == n_instrs);
}
/* The instructions of a run as a processor counts them.  Moments (icount)
   count all that were executed: a run ends at icount + n_instrs.  */
static inline unsigned
dg_run_instructions (const struct dg_run *run)
{
  return (unsigned) (run->n_instrs - run->first_instr)
         - dg_is_repetition (run->bbdef, run->n_instrs, run->n_slots);
}

/* The next run: 1; at the end 0; < 0 on error (the file was changed since it
   was loaded, or cannot be read).  */
DG_API int dg_reader_run (struct dg_reader *reader, struct dg_run *run,
                          struct dg_error *err);

/* What the accesses of a run read or wrote, if the log has values
   (DG_PROCESS_VALUES).  */
#define DG_NO_VALUE UINT32_MAX
struct dg_run_values {
  const uint8_t *bytes;
  const uint32_t *at; /* of slot i: its bytes, as many as its size and in the
                         order of memory, are at bytes + at[i]; DG_NO_VALUE:
                         they are not known, or the access was not made */
};
/* From now on dg_reader_values gives them; before the first run.
   DG_ERR_INVALID: the log has none.  */
DG_API int dg_reader_want_values (struct dg_reader *reader,
                                  struct dg_error *err);
/* Those of the run that dg_reader_run gave last, valid until the next one.  */
DG_API int dg_reader_values (struct dg_reader *reader,
                             struct dg_run_values *values,
                             struct dg_error *err);

/* How often there are runs of the same instructions in the same context, for
   those who need not know in which order: several times as fast as to read
   them one by one.  Of a loaded log; used by one thread at a time.  */
struct dg_alike;
/* NULL: DG_ERR_NOMEM, DG_ERR_INVALID.  */
DG_API struct dg_alike *dg_alike_new (const struct dg_log *log,
                                      struct dg_error *err);
DG_API void dg_alike_free (struct dg_alike *alike);
/* Goes to a chunk of dg_log_chunks.  */
DG_API int dg_alike_open (struct dg_alike *alike, size_t chunk,
                          struct dg_error *err);
/* The first of the next runs that are alike, and how many there are: 1; 0
   after the last ones of the chunk; < 0 on error.  They come in any order, and
   some that are alike may come apart.  run->addresses: NULL if all accesses
   were made.  */
DG_API int dg_alike_next (struct dg_alike *alike, struct dg_run *run,
                          uint64_t *times, struct dg_error *err);

struct dg_access {
  uint64_t icount; /* before the instruction that made it */
  uint64_t address;
  uint64_t instruction; /* address of that instruction */
  uint32_t size;        /* bytes */
  uint32_t context;
  uint32_t thread;
  uint8_t kind; /* DG_ACC_READ, DG_ACC_WRITE */
};

/* The next accesses, at most `max` (at least 256), in order, without those
   that were not made.  Returns their number, 0 at the end, < 0 on error.  */
DG_API ptrdiff_t dg_reader_accesses (struct dg_reader *reader,
                                     struct dg_access *out, size_t max,
                                     struct dg_error *err);

/* One record, for tools that show the file itself.  Numbers are in host byte
   order.  `words` are the numeric fields in the order of dg_record.h, followed
   by arrays (instrs, accesses, addresses, stack); `strings` are the strings.
   From an archive, the records of the raw log that was packed; archives that
   were recorded directly have no CHUNK records.  */
struct dg_record {
  uint64_t offset; /* in the file; of an archive: of its chunk */
  uint64_t length; /* payload bytes */
  uint64_t icount; /* at the record */
  uint8_t type;    /* enum dg_record_type, or unknown */
  uint32_t thread; /* current */
  uint32_t n_words, n_strings;
  const uint64_t *words;
  const char *const *strings;
  const uint8_t *behind; /* after the known fields: of a later recorder */
  uint64_t n_behind;
};
/* The next record of any type: 1, 0, < 0.  Do not call it and the two
   functions above on the same reader.  It also works on a log that is not
   loaded (first chunk 0), and then fails at the first bad record.  */
DG_API int dg_reader_record (struct dg_reader *reader, struct dg_record *rec,
                             struct dg_error *err);
/* "BBRUN" for DG_R_BBRUN; NULL for unknown types.  */
DG_API const char *dg_record_name (uint8_t type);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_READER_H */
