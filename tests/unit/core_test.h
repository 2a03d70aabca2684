/* core_test.h: logs from text, for the tests of the library's core.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CORE_TEST_H
#define DG_CORE_TEST_H

#include "asm.h"
#include "log/log.h"

/* A log of a few hundred bytes with a record of every type.  */
extern const char *const core_test_everything;

/* The bytes of a text of dgasm's language, which must be right.  */
GByteArray *core_test_assemble (const char *text, unsigned word_size,
                                bool big_endian);

/* Opens and loads; the log's code is in *code.  The bytes must live as long
   as the log.  */
struct dg_log *core_test_load (const GByteArray *bytes, unsigned workers,
                               int *code, struct dg_error *err);

/* The log of a text of 64 bits and little-endian, which must load.  */
struct dg_log *core_test_log (const char *text, GByteArray **bytes);

/* The archive of a log, loaded.  It has no name any more.  */
struct dg_log *core_test_pack (const struct dg_log *log);

/* The same file loaded once more, with more blocks than are kept if it is an
   archive that is complete and has some: then they pass.  */
void core_test_load_passing (const struct dg_log *log,
                             struct dg_log *passing);
void core_test_close_passing (struct dg_log *passing);

/* Calls check eight times for each of some random logs (random_text.h), in
   turns for a raw one and for its archive, which has several chunks.  Logs
   have `lines` lines at the most.  */
void core_test_random (unsigned rounds, unsigned lines,
                       void (*check) (const struct dg_log *log));

/* Reads a loaded log in every way and checks that the ways agree.  */
void core_test_read (const struct dg_log *log);

#endif /* DG_CORE_TEST_H */
