/* dg_base.h: what all other headers of the library need.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_BASE_H
#define LIBDATAGRIND_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DG_API
#  define DG_API __attribute__ ((visibility ("default")))
#endif

/* "Never": the end of what is still alive when the log ends.  */
#define DG_NEVER UINT64_MAX
/* "None": no such index.  */
#define DG_NONE UINT32_MAX

/* ---- Errors ---------------------------------------------------------- */

enum dg_code {
  DG_OK = 0,
  DG_ERR_IO = -1, /* the system said no: see the message */
  DG_ERR_NOMEM = -2,
  DG_ERR_NOT_A_LOG = -3, /* empty, or does not begin as a log does */
  DG_ERR_VERSION = -4,   /* a log, of a kind that this library cannot read */
  DG_ERR_TRUNCATED = -5, /* ends within a record, or without its end record */
  DG_ERR_DAMAGED = -6,   /* a record contradicts the format */
  DG_ERR_CANCELLED = -7, /* a progress callback asked to stop */
  DG_ERR_FILTER = -8,    /* --events or --ranges do not parse */
  DG_ERR_INVALID = -9,   /* an argument is out of its range */
  DG_ERR_LIMIT = -10     /* more than a bound allows: one of the caller's, or
                            one that the library sets itself */
};

/* offset: the byte of the file at which the bad record begins; for
   DG_ERR_FILTER, the column (from 0) in the text; else 0.
   message: complete, without program or file name and final newline, such
   as "offset 0x1f40: BBRUN names context 7, only 5 are defined".  */
struct dg_error {
  int code;
  uint64_t offset;
  char message[240];
};

/* A word for a code, such as "truncated"; "unknown" for others.  */
DG_API const char *dg_code_name (int code);

/* ---- Progress -------------------------------------------------------- */

/* Progress of a long call: `done` of `total` bytes.  Called on the
   calling thread, ten to fifty times a second.  Returning non-zero cancels
   the call, which then fails with DG_ERR_CANCELLED.  */
typedef int (*dg_progress_fn) (void *user, uint64_t done, uint64_t total);

/* ---- Memory ---------------------------------------------------------- */

/* For main, before there are threads, of programs that do little but read
   logs: what is freed goes back to the system at once.  It holds for all of
   the process, so the library does not call it by itself.  */
DG_API void dg_memory_trim (void);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_BASE_H */
