/* decode.h: bytes of a log -> numbers and strings.

   decode.c and decode_runs.c alone know how records are encoded, and check
   every length and bound.  They do not know what records mean to each other.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DECODE_H
#define DG_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dg_record.h"
#include "libdatagrind.h"

/* How a log's numbers are stored.  */
struct dg_format {
  uint8_t word_size;       /* 4 or 8 */
  bool big_endian;
  bool swap;               /* big_endian is not the host's */
};

/* Numbers of 8 bytes, and of a word's; swap: of the other byte order.  */
static inline uint64_t
dg_load_quad (const uint8_t *p, bool swap)
{
  uint64_t v;

  memcpy (&v, p, 8);
  return swap ? __builtin_bswap64 (v) : v;
}
static inline uint64_t
dg_load_word (const uint8_t *p, unsigned word_size, bool swap)
{
  uint32_t v;

  if (word_size == 8)
    return dg_load_quad (p, swap);
  memcpy (&v, p, 4);
  return swap ? __builtin_bswap32 (v) : v;
}

/* The header, from a file's first bytes.  DG_ERR_NOT_A_LOG, DG_ERR_VERSION. */
int dg_decode_header (const uint8_t *bytes, size_t n,
                      struct dg_format *format, struct dg_error *err);

/* What stands before a record's payload.  */
struct dg_head {
  uint8_t type;
  uint8_t size;            /* bytes of the head: 1, 2 or 10 */
  uint64_t length;         /* bytes of the payload */
};
#define DG_HEAD_MAX 10

/* The head at `bytes`, of which n are there; false if it goes on behind
   them.  The payload need not be there.  */
bool dg_decode_head (const struct dg_format *format, const uint8_t *bytes,
                     size_t n, struct dg_head *head);

/* Whether the library knows what is in records of this type.  */
bool dg_decode_is_known (uint8_t type);

/* The fields of a record of that type, a letter for each (decode.c tells);
   NULL if it is not known.  */
const char *dg_decode_layout (uint8_t type);

/* The fields of a record: numbers in the order of dg_record.h with arrays
   behind what stands before them, and strings, which point into the payload.
   All zero at first; dg_fields_fini in the end.  */
struct dg_fields {
  uint64_t *words;
  const char **strings;
  uint32_t n_words, n_strings;
  size_t words_room, strings_room;
  /* What stands behind the fields, in the payload: a later recorder's.  */
  const uint8_t *behind;
  uint64_t n_behind;
};
void dg_fields_fini (struct dg_fields *fields);

/* Decodes a whole record of a known type, which began at `offset`: 0,
   DG_ERR_DAMAGED or DG_ERR_NOMEM.  Memory is at most eight times the
   payload.  */
int dg_decode_fields (const struct dg_format *format,
                      const struct dg_head *head, const uint8_t *payload,
                      uint64_t offset, struct dg_fields *fields,
                      struct dg_error *err);

/* ---- Runs ---- */

/* A block definition, with what is needed to check its runs:
     shape[0]                  n_instrs | n_entries << 16
     shape[1 + i]              entries of the first i instructions
                               | entries of the first i - 1 << 16
     shape[2 + n_instrs + k]   whole slots in the first k entries
                               | reads among them << 16  */
struct dg_definition {
  struct dg_bbdef bbdef;
  /* Set by dg_decode_runs, in any thread, when it has passed a run that was
     left early.  */
  bool has_part_runs;
  uint32_t shape[];
};
static inline size_t
dg_shape_size (const struct dg_bbdef *bbdef)
{
  return 3 + (size_t) bbdef->n_instrs + bbdef->n_entries;
}
/* Fills the dg_shape_size words of a shape.  */
void dg_shape_fill (uint32_t *shape, const struct dg_bbdef *bbdef);

/* Behind the last entry of an access.  */
static inline unsigned
dg_slot_end (const struct dg_slot *slot)
{
  return slot->entry + slot->size / 255u + 1;
}
/* How many addresses of a run somebody may look at.  */
static inline unsigned
dg_run_entries (const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  unsigned n = 0;

  if (run->n_slots > 0)
    n = bbdef->slots[run->n_slots - 1].entry + 1u;
  if (run->n_sps > 0 && bbdef->sps[run->n_sps - 1].entry >= n)
    n = bbdef->sps[run->n_sps - 1].entry + 1u;
  return n;
}
/* The entries of a block's first n instructions.  */
unsigned dg_bbdef_entries (const struct dg_bbdef *bbdef, unsigned n);
/* How many of `sps` have an entry below n.  */
static inline unsigned
dg_bbdef_sps (const struct dg_bbdef *bbdef, unsigned n)
{
  unsigned sps = bbdef->n_sps;

  while (sps > 0 && bbdef->sps[sps - 1].entry >= n)
    sps--;
  return sps;
}

/* The contexts that runs may name: the definition of each one's block.  */
struct dg_run_contexts {
  const struct dg_definition *const *items;
  uint64_t n;
};

/* Sums over runs.  */
struct dg_totals {
  uint64_t runs, instructions;
  uint64_t entries;        /* addresses in the file */
  uint64_t slots, reads;   /* made; writes are the rest */
  uint64_t least;          /* lowest address - 1; UINT64_MAX without any */
  uint64_t highest;        /* address; 0 without any */
};

/* Adds up whole, valid BBRUN records from `bytes` on, as long as one follows
   the other, they begin before `limit` and end within the n bytes.  Returns
   the bytes of those records: what stands there is of another type, not all
   there, or bad.  */
size_t dg_decode_runs (const struct dg_format *format,
                       const struct dg_run_contexts *contexts,
                       const uint8_t *bytes, size_t n, size_t limit,
                       struct dg_totals *totals);

/* Entries of a definition.  */
#define DG_ENTRIES_MAX 65535

/* The bytes of the BBRUN records that follow one another from `bytes` on and
   end within the n bytes; only their lengths are looked at.  */
size_t dg_decode_skip_runs (const struct dg_format *format,
                            const uint8_t *bytes, size_t n);

/* What runs of a context begin with when they are turned into words, if they
   are of the whole block: n_instrs | n_entries << 16.  */
struct dg_run_word {
  uint64_t word;
  uint32_t whole;
};
/* Turns the BBRUN records that follow one another from `bytes` on into their
   context's word and their addresses, as long as they are there, of whole
   blocks, short, and have at most DG_DECODE_WORDS_EACH addresses, and there is
   room for those.  Returns the bytes of those records.  */
#define DG_DECODE_WORDS_EACH 31
size_t dg_decode_words (const struct dg_format *format,
                        const struct dg_run_word *contexts,
                        uint64_t n_contexts, const uint8_t *bytes, size_t n,
                        uint64_t *words, size_t room, size_t *n_words,
                        size_t *n_runs);

/* Why the BBRUN record at `offset` with this payload is not valid: 0 if it
   is, or DG_ERR_DAMAGED.  */
int dg_decode_check_run (const struct dg_format *format,
                         const struct dg_run_contexts *contexts,
                         const uint8_t *payload, uint64_t length,
                         uint64_t offset, struct dg_error *err);
/* Decodes the BBRUN record at `bytes` into `addresses`, which has room for
   those of any definition, and *run, all but its icount and thread.  Returns
   the bytes of the record; 0 if there stands no whole, valid one.  */
size_t dg_decode_run (const struct dg_format *format,
                      const struct dg_run_contexts *contexts,
                      const uint8_t *bytes, size_t n, struct dg_run *run,
                      uint64_t *addresses);

#endif /* DG_DECODE_H */
