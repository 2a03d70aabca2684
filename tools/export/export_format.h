/* export_format.h: a log on its way into the format of another program: what
   formats get, and what they have to do.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_FORMAT_H
#define DG_EXPORT_FORMAT_H

#include "base/output.h"
#include "dg_analysis.h"
#include "dg_record.h"

/* Of an access; the others are DG_ACC_READ and DG_ACC_WRITE.  */
#define EXPORT_FETCH DG_ACC_EXEC

struct export_access {
  uint64_t address;
  uint32_t size;           /* bytes, at least 1 */
  uint8_t kind;
};

/* An instruction that was executed, or what the kernel accessed in a system
   call: then size is 0 and bbdef NULL.  */
struct export_instr {
  uint64_t icount;         /* before it */
  uint64_t address;
  uint32_t thread;
  uint8_t size;            /* bytes */
  uint8_t index;           /* in its block */
  bool is_more;            /* more accesses of the one before */
  const struct dg_bbdef *bbdef;
  const struct export_access *accesses;  /* in order */
  size_t n;
};

enum export_flags {
  EXPORT_BINARY = 1,       /* not for terminals */
  EXPORT_INSTRS = 2,       /* gets all instructions; the others only those
                              with accesses */
  EXPORT_FETCHES = 4,      /* can have fetches as accesses: --fetches */
  EXPORT_ONE_THREAD = 8,   /* has no place for a second one */
  EXPORT_BYTES = 16,       /* has sizes: accesses are not divided, but for
                              those of the kernel */
  EXPORT_CODE = 32,        /* wants the code: warn if it is not known */
  EXPORT_CALLS = 64,       /* is written by `dg calls` */
  EXPORT_TIME = 128        /* has a time: --rate */
};

struct export;
struct export_physical;
struct export_slots;

struct export_format {
  const char *name, *summary;
  unsigned flags;          /* enum export_flags */
  size_t state_size;       /* of export->state, which is 0 at the beginning;
                              0: `begin` makes it, if there is one */
  /* All may be NULL but `put`.  begin: 0, or an error.  put: writes to
     export->out, and leaves errors to that.  end: CLI_OK, or the exit status
     after a message.  fini: also after errors.  */
  int (*begin) (struct export *export, struct dg_error *err);
  void (*put) (struct export *export, const struct export_instr *instr);
  int (*end) (struct export *export);
  void (*fini) (struct export *export);
  const char *calls_option;        /* EXPORT_CALLS: of `dg calls` */
  const char *suffix;      /* of a file for each thread: ".din"; NULL: of
                              EXPORT_CALLS */
  /* The simulator, and what it decompresses itself: ".gz.xz".  NULL: there is
     none in particular.  */
  const char *reader, *decompresses;
};

struct export {
  const struct export_format *format;
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const uint32_t *threads; /* chosen ones; n_threads 0: all */
  size_t n_threads;
  uint64_t start_icount, end_icount;
  bool is_filtered;        /* --events or --ranges */
  double rate;             /* instructions in a unit of the format's time; 0:
                              as the format has it */
  struct export_physical *physical;      /* NULL: addresses are virtual */
  struct export_slots *slots;
  uint32_t line;           /* bytes; accesses are divided by it */
  bool has_fetches, has_kernel;
  bool is_seekable;        /* the output is a file that can be read again */
  struct output out;
  void *state;             /* the format's; freed with g_free */
  int status;              /* of its end: CLI_OK, or the exit status */
  /* What a format misses: */
  bool has_codeless;       /* code that is not known */
  uint64_t n_codeless;     /* instructions that ran, of such code; 0: all */
  uint64_t instructions;   /* all that ran */
};

/* The formats, up to one without a name.  */
extern const struct export_format export_formats[];
const struct export_format *export_formats_find (const char *name);

/* ---- For formats ------------------------------------------------------ */

static inline bool
export_is_write (const struct export_access *access)
{
  return access->kind == DG_ACC_WRITE;
}

static inline void
export_bytes (struct export *export, const void *bytes, size_t n)
{
  output_bytes (&export->out, bytes, n);
}

/* Little-endian, whatever this machine is: return the next byte.  */
static inline char *
export_put_16 (char *at, uint16_t number)
{
  number = GUINT16_TO_LE (number);
  memcpy (at, &number, sizeof number);
  return at + sizeof number;
}
static inline char *
export_put_32 (char *at, uint32_t number)
{
  number = GUINT32_TO_LE (number);
  memcpy (at, &number, sizeof number);
  return at + sizeof number;
}
static inline char *
export_put_64 (char *at, uint64_t number)
{
  number = GUINT64_TO_LE (number);
  memcpy (at, &number, sizeof number);
  return at + sizeof number;
}

#endif /* DG_EXPORT_FORMAT_H */
