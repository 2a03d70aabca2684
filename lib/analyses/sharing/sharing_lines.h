/* sharing_lines.h: cache lines that go from thread to thread.

   The model: each thread has a cache of its own, without end; a write takes
   the line out of the others' caches.  A thread that comes back to a line
   that it lost has a transfer.  That is true sharing if the access touches a
   byte that others wrote since, else false sharing (J. Torrellas, M. Lam and
   J. Hennessy, "False sharing and spatial locality in multiprocessor caches",
   IEEE Transactions on Computers 43(6), 1994).

   A part of the log can be looked at without knowing what was before: only
   the first access of each thread is open then, and is settled when parts
   are put together, in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_LINES_H
#define DG_SHARING_LINES_H

#include <glib.h>

#include "base/lookup.h"
#include "dg_analysis.h"

/* What a thread did to a line.  Bytes are bits, the lowest first; of lines
   longer than 64 bytes, 64ths.  */
struct sharing_user {
  uint32_t thread, line;   /* the line's index */
  uint32_t next;           /* of the same line, + 1; 0: none */
  bool is_valid;           /* it is in the thread's cache */
  uint64_t touched, written;
  uint64_t foreign;        /* written by others since it was lost */
  uint64_t first_bytes;    /* of the first access */
  uint64_t first_foreign;  /* what others had written before that */
  uint64_t reads, writes;
  uint64_t true_transfers, false_transfers;
};

struct sharing_line {
  uint64_t line;           /* address >> line_shift */
  uint32_t users;          /* the first, + 1 */
  uint32_t n_users;
  uint32_t latest;         /* the user of the latest access */
  uint32_t owner;          /* the user that has the line to itself, + 1; 0 */
  uint64_t burst;          /* what the owner wrote since */
  uint64_t written;        /* what anybody wrote, but for the burst */
};

/* All zeros: none.  One thread.  */
struct sharing_lines {
  struct sharing_line *lines;
  uint32_t n_lines, lines_room;
  struct sharing_user *users;
  uint32_t n_users, users_room;
  struct dg_lookup line_lookup, user_lookup;
  uint32_t most_users;     /* 0: no bound */
  uint64_t left_out;       /* users for whom there was no room */
  bool failed;             /* no memory: what was told since is missing */
};

void sharing_lines_fini (struct sharing_lines *lines);

/* An access to some bytes of a line.  */
void sharing_lines_access (struct sharing_lines *lines, uint64_t line,
                           uint32_t thread, uint64_t bytes, bool is_write);

/* NULL: nobody used it, or there was no room.  */
const struct sharing_line *
sharing_lines_find (const struct sharing_lines *lines, uint64_t line);

/* Puts `later` behind `lines`; what is later is not changed but for
   settling.  Where there is no room for more users, they are left out and
   counted.  */
void sharing_lines_append (struct sharing_lines *lines,
                           struct sharing_lines *later);

#endif /* DG_SHARING_LINES_H */
