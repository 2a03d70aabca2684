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
#include "sharing_turns.h"

/* What a thread did to a line.  Bytes are bits, the lowest first; of lines
   longer than 64 bytes, 64ths.  */
struct sharing_user {
  uint32_t thread, line;   /* the line's index */
  uint32_t next;           /* of the same line, + 1; 0: none */
  bool is_valid;           /* it is in the thread's cache */
  uint64_t foreign;        /* written by others since it was lost */
  uint64_t reads, writes;
  uint64_t true_transfers, false_transfers;
};

/* What is open as long as it is not known what was before a part.  */
struct sharing_opening {
  uint64_t bytes;          /* of the first access */
  uint64_t foreign;        /* what others had written before that */
  uint64_t accesses;       /* of the turn in which it took the line for the
                              first time */
  uint8_t turn;            /* enum sharing_turn: that turn, as if it had used
                              the line before */
};

enum sharing_turn {
  SHARING_TURN_FIRST,      /* no thread has taken the line from another */
  SHARING_TURN_OVERLAP,    /* the thread could have run while the other did */
  SHARING_TURN_START,      /* the same, but its first use of the line: perhaps
                              it had not got to where it would wait */
  SHARING_TURN_RETURN,     /* the thread has the line again, and may have
                              waited meanwhile */
  SHARING_TURN_PERHAPS,    /* the same, but it may as well have run on */
  SHARING_TURN_PENDING,    /* an earlier part says which of these it is; only
                              openings have it */
  SHARING_TURN_OTHER
};

struct sharing_line {
  uint64_t line;           /* address >> line_shift */
  uint32_t users;          /* the first, + 1 */
  uint32_t n_users;
  uint32_t latest;         /* the user of the latest access */
  uint32_t owner;          /* the user that has the line to itself, + 1; 0 */
  uint32_t first;          /* the user of the first access */
  uint8_t turn;            /* enum sharing_turn: the kind of the latest turn */
  bool is_opening;         /* that is the first one of its user in this part */
  uint64_t now;            /* icount of the latest access */
  uint64_t overlaps, starts, returns, perhaps; /* accesses in turns of these
                                                  kinds */
  uint64_t written;        /* what anybody wrote, but for the burst */
};

/* What only a part has.  */
struct sharing_begun {
  uint64_t since;          /* from when on the thread of the first access could
                              run */
  uint64_t firsts;         /* accesses in the turn that was the first */
  uint64_t burst;          /* what the owner wrote since */
};

/* All zeros but is_part: none.  One thread.  */
struct sharing_lines {
  bool is_part;            /* it is appended to others; accesses are only
                              added to parts */
  struct sharing_line *lines;
  struct sharing_begun *begun;         /* of the lines, if is_part */
  uint32_t n_lines, lines_room, begun_room;
  struct sharing_user *users;
  struct sharing_opening *openings;    /* of the users, if is_part */
  uint32_t n_users, users_room, openings_room;
  struct dg_lookup line_lookup;
  struct dg_lookup user_lookup;        /* of lines that many threads use */
  uint32_t most_users;     /* 0: no bound */
  uint64_t left_out;       /* users for whom there was no room */
  bool failed;             /* no memory: what was told since is missing */
};

void sharing_lines_fini (struct sharing_lines *lines);
/* Nothing is appended any more: frees what only that needs.  */
void sharing_lines_close (struct sharing_lines *lines);

/* An access to some bytes of a line.  since: the moment from which on the
   thread could have run (sharing_turns.h).  */
struct sharing_touch {
  uint64_t line, bytes, icount, since;
  uint32_t thread;
  bool is_write;
};
void sharing_lines_access (struct sharing_lines *lines,
                           const struct sharing_touch *touch);

/* NULL: nobody used it, or there was no room.  */
const struct sharing_line *
sharing_lines_find (const struct sharing_lines *lines, uint64_t line);

/* Puts `later` behind `lines`; what is later is not changed but for
   settling.  Where there is no room for more users, they are left out and
   counted.  turns: of the parts so far.  */
void sharing_lines_append (struct sharing_lines *lines,
                           struct sharing_lines *later,
                           const struct sharing_turns *turns,
                           const struct dg_log *log);
/* Whether threads had it in turns, for which they waited, as far as the log
   can say.  If no thread that had used it could have run while another one had
   it, the turns in which a thread has it again must have a twelfth of all
   accesses, and more than those of threads that begin: on a busy machine a new
   thread begins late, after turns that it would have waited for.  Otherwise
   turns that were waited for must have a quarter.  After a thread has woken
   another one, the log does not say whether it then waited; that can be every
   second turn, or all on a busy machine.  */
static inline bool
sharing_line_is_in_turns (const struct sharing_line *line, uint64_t accesses)
{
  const uint64_t again = line != NULL ? line->returns + line->perhaps : 0;

  return line != NULL
         && (line->overlaps == 0
               ? again * 12 > accesses && again > line->starts
               : line->returns > 2 * (line->overlaps + line->starts)
                   && line->returns * 4 > accesses);
}

#endif /* DG_SHARING_LINES_H */
