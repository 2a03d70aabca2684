/* dg_base.h: declarations that all other headers of the library need.

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

/* "Never": the end of objects that are still live when the log ends.  */
#define DG_NEVER UINT64_MAX
/* "None": an invalid index.  */
#define DG_NONE UINT32_MAX

/* ---- Errors ---------------------------------------------------------- */

enum dg_code {
  DG_OK = 0,
  DG_ERR_IO = -1, /* a system call failed; see the message */
  DG_ERR_NOMEM = -2,
  DG_ERR_NOT_A_LOG = -3, /* empty, or not a log or archive */
  DG_ERR_VERSION = -4,   /* a log of an unsupported version or kind */
  DG_ERR_TRUNCATED = -5, /* ends within a record or without an end record */
  DG_ERR_DAMAGED = -6,   /* a record contradicts the format */
  DG_ERR_CANCELLED = -7, /* a progress callback returned non-zero */
  DG_ERR_FILTER = -8,    /* --events or --ranges cannot be parsed */
  DG_ERR_INVALID = -9,   /* an argument is out of its range */
  DG_ERR_LIMIT = -10     /* a limit of the caller or of the library is
                            exceeded */
};

/* offset: of the bad record in the file; for DG_ERR_FILTER, the column (from
   0) in the text; otherwise 0.
   message: complete, without names of program and file and without a newline,
   such as "offset 0x1f40: BBRUN names context 7, only 5 are defined".  */
struct dg_error {
  int code;
  uint64_t offset;
  char message[240];
};

/* The name of a code, such as "truncated"; "unknown" for other numbers.  */
DG_API const char *dg_code_name (int code);

/* ---- Progress -------------------------------------------------------- */

/* Progress of a long call: `done` of `total` bytes.  Called on the calling
   thread, ten to fifty times a second.  A non-zero result cancels the call,
   which then fails with DG_ERR_CANCELLED.  */
typedef int (*dg_progress_fn) (void *user, uint64_t done, uint64_t total);

/* ---- Characters ------------------------------------------------------- */

/* Whether a character of Unicode is a control character, ends a line, or
   changes the direction of writing.  Names in logs come from anybody, and with
   such a character one name could look like another.  */
DG_API bool dg_character_is_unseen (uint32_t c);

/* ---- Hashes ---------------------------------------------------------- */

/* Hash functions for GLib's tables whose keys are pointers to uint64_t, or
   texts.  Each process has its own seed, so that nobody can make a log whose
   addresses or names all have one hash.  */
DG_API unsigned dg_hash_uint64 (const void *number);
DG_API unsigned dg_hash_text (const void *text);

/* ---- Memory ---------------------------------------------------------- */

/* For programs that mainly read logs, to be called by main before there are
   other threads: freed memory is then returned to the system at once.  It
   changes the whole process, so the library does not call it itself.  */
DG_API void dg_memory_trim (void);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_BASE_H */
