/* capture_test.h: what the tests of the capture share

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_TEST_H
#define DG_CAPTURE_TEST_H

#include "capture/capture.h"
#include "fake_ring.h"

/* A capture in a folder of its own, and what it has told.  */
struct capture_test {
  char *folder;
  struct dg_capture *capture;
  GMutex lock;
  GCond told;              /* an event came */
  GString *events;         /* their texts, a line each */
  unsigned n_failed, n_ended;
  bool is_whole;           /* the last that ended */
};

/* options: NULL, or what differs from the usual.  */
void capture_test_begin (struct capture_test *test,
                         const struct dg_capture_options *options);
/* Nothing but archives is left in the folder.  */
void capture_test_end (struct capture_test *test);

/* How many are active; and waits until so many are.  */
size_t capture_test_active (struct capture_test *test);
void capture_test_wait (struct capture_test *test, size_t n);

/* Waits for the first event of a kind: &n_failed or &n_ended of the test.  */
void capture_test_wait_event (struct capture_test *test,
                              const unsigned *count);
/* What was told by now; to be freed.  */
char *capture_test_events (struct capture_test *test);

/* A process that lives until it is killed.  */
pid_t capture_test_start (void);
void capture_test_kill (pid_t pid);

/* The ring of a process that is expected; or it asks for one.  */
struct fake_ring *capture_test_expect (struct capture_test *test, pid_t pid);
void capture_test_ask (struct capture_test *test, pid_t pid);

/* Opens and loads an archive, with this result.  */
struct dg_log *capture_test_open (struct capture_test *test, const char *name,
                                  int expected_code);

/* Both logs say the same, but for where chunks begin.  */
void capture_test_compare (const struct dg_log *log,
                           const struct dg_log *other);

#define PROCESS \
  "process 42 1 7 8 4096 64 4 30 \"0.1\" \"3.19\" \"amd64\" \"/exe\"" \
  " \"/cwd\" [\"exe\" \"arg\"]\n"

/* A long log of n times 1000 runs: many chunks, many times around the smallest
   ring.  The text repeats, so that it is not as long.  */
GString *capture_test_long_text (unsigned n, const char *last);

#endif /* DG_CAPTURE_TEST_H */
