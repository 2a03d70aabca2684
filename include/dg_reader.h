/* dg_reader.h: records, runs and accesses of a log, in their order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_READER_H
#define LIBDATAGRIND_READER_H

#include "dg_context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a loaded log, or a part, in the order of the file.  One thread at a
   time; readers of one log are independent.  What a call returns is valid
   until the next call on the same reader.  */
struct dg_reader;

/* Chunks first .. end - 1 (0, SIZE_MAX: the whole log).  NULL on failure.  */
DG_API struct dg_reader *dg_reader_new (const struct dg_log *log,
                                        size_t first_chunk, size_t end_chunk,
                                        struct dg_error *err);
DG_API void dg_reader_free (struct dg_reader *reader);

/* One run of a block.  Slot i was reached if i < n_slots; its address is
   addresses[slots[i].entry], 0 if it was guarded and not made.  Also the
   stack pointer took the value addresses[sps[i].entry] behind instruction
   sps[i].iseq if i < n_sps, and if that is not 0.  (All of what n_instrs
   instructions do is reached, but of the last one, which may have been left
   early, only what is in the log.)  Of a part of a run, slots and sps of
   instructions before first_instr are to be left out.  */
struct dg_run {
  uint64_t icount; /* before its first instruction */
  uint32_t context;
  uint32_t thread;
  uint16_t n_instrs;    /* executed */
  uint16_t n_slots;     /* reached */
  uint16_t first_instr; /* 0; analyses may be given a part of a run */
  uint16_t n_sps;       /* reached */
  const struct dg_bbdef *bbdef;
  const uint64_t *addresses;
};

/* The next run: 1, 0 at the end, < 0 an error (the file changed since it was
   loaded, or cannot be read).  */
DG_API int dg_reader_run (struct dg_reader *reader, struct dg_run *run,
                          struct dg_error *err);

struct dg_access {
  uint64_t icount; /* before the instruction that made it */
  uint64_t address;
  uint64_t instruction; /* address of that instruction */
  uint32_t size;        /* bytes */
  uint32_t context;
  uint32_t thread;
  uint8_t kind; /* DG_ACC_READ, DG_ACC_WRITE */
};

/* The next accesses, at most `max` (at least 256), in order; those not made
   are left out.  Returns their number, 0 at the end, < 0 an error.  */
DG_API ptrdiff_t dg_reader_accesses (struct dg_reader *reader,
                                     struct dg_access *out, size_t max,
                                     struct dg_error *err);

/* One record as it stands, for tools that show the file itself.  Numbers
   are in host order; `words` holds the numeric fields in the order of
   dg_record.h, `strings` the strings; arrays (instrs, accesses, addresses,
   stack) are in `words` behind the fixed fields.  An archive gives the records
   of the log that it was packed from; one that was recorded as such has no
   CHUNK records.  */
struct dg_record {
  uint64_t offset; /* in the file; of an archive: of its chunk */
  uint64_t length; /* payload bytes */
  uint64_t icount; /* at the record */
  uint8_t type;    /* enum dg_record_type, or unknown */
  uint32_t thread; /* current */
  uint32_t n_words, n_strings;
  const uint64_t *words;
  const char *const *strings;
  const uint8_t *behind; /* behind the known fields: a later recorder's */
  uint64_t n_behind;
};
/* The next record of any type: 1, 0, < 0.  Do not mix with the two above on
   one reader.  Also works on a log that is not loaded (first chunk 0), where
   it stops with the error at the first bad record.  */
DG_API int dg_reader_record (struct dg_reader *reader, struct dg_record *rec,
                             struct dg_error *err);
/* "BBRUN" for DG_R_BBRUN; NULL for unknown types.  */
DG_API const char *dg_record_name (uint8_t type);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_READER_H */
