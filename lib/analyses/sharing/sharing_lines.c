/* sharing_lines.c: cache lines that move from thread to thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_lines.h"

#include <string.h>

void
sharing_lines_fini (struct sharing_lines *lines)
{
  g_free (lines->lines);
  g_free (lines->users);
  dg_lookup_fini (&lines->line_lookup);
  dg_lookup_fini (&lines->user_lookup);
  memset (lines, 0, sizeof *lines);
}

/* ---- Tables ------------------------------------------------------------- */

/* DG_NONE: it is not there.  */
static uint32_t
find_line (const struct sharing_lines *lines, uint64_t line)
{
  struct dg_probe probe =
    dg_lookup_probe (&lines->line_lookup, dg_hash (line));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (lines->lines[i].line == line)
      return i;
  return DG_NONE;
}

static inline uint64_t
hash_user (uint32_t line, uint32_t thread)
{
  return dg_hash ((uint64_t) line << 32 | thread);
}

static uint32_t
find_user (const struct sharing_lines *lines, uint32_t line, uint32_t thread)
{
  struct dg_probe probe =
    dg_lookup_probe (&lines->user_lookup, hash_user (line, thread));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (lines->users[i].line == line && lines->users[i].thread == thread)
      return i;
  return DG_NONE;
}

/* DG_NONE: no memory.  */
static uint32_t
line_of (struct sharing_lines *lines, uint64_t line)
{
  uint32_t i = find_line (lines, line);

  if (i != DG_NONE)
    return i;
  i = lines->n_lines;
  if (!DG_ARRAY_ROOM (lines->lines, lines->lines_room, i)
      || !dg_lookup_add (&lines->line_lookup, dg_hash (line), i)) {
    lines->failed = true;
    return DG_NONE;
  }
  lines->lines[i] = (struct sharing_line){ .line = line };
  return lines->n_lines++;
}

/* The user of a line; *is_new says whether it was not there before.  DG_NONE:
   no room.  */
static uint32_t
user_of (struct sharing_lines *lines, uint32_t line, uint32_t thread,
         bool *is_new)
{
  struct sharing_line *l = &lines->lines[line];
  uint32_t i;

  *is_new = false;
  if (l->users != 0 && lines->users[l->latest].thread == thread)
    return l->latest;
  i = find_user (lines, line, thread);
  if (i == DG_NONE) {
    i = lines->n_users;
    if (lines->most_users > 0 && i >= lines->most_users)
      return DG_NONE;
    if (!DG_ARRAY_ROOM (lines->users, lines->users_room, i)
        || !dg_lookup_add (&lines->user_lookup, hash_user (line, thread), i)) {
      lines->failed = true;
      return DG_NONE;
    }
    lines->users[i] = (struct sharing_user){
      .thread = thread, .line = line, .next = l->users
    };
    if (l->users == 0)
      l->first = i;
    l->users = ++lines->n_users;
    l->n_users++;
    *is_new = true;
  }
  l->latest = i;
  return i;
}

const struct sharing_line *
sharing_lines_find (const struct sharing_lines *lines, uint64_t line)
{
  uint32_t i = find_line (lines, line);

  return i != DG_NONE ? &lines->lines[i] : NULL;
}

/* ---- Accesses ----------------------------------------------------------- */

/* The owner's time is over: the others have lost the line.  */
static void
settle (struct sharing_lines *lines, struct sharing_line *line)
{
  uint32_t owner = line->owner;

  if (owner == 0)
    return;
  for (uint32_t i = line->users; i != 0; i = lines->users[i - 1].next) {
    if (i == owner)
      continue;
    lines->users[i - 1].is_valid = false;
    lines->users[i - 1].foreign |= line->burst;
  }
  line->written |= line->burst;
  line->burst = 0;
  line->owner = 0;
}

/* An access of somebody who has not got the line to itself.  */
static void
take_line (struct sharing_lines *lines, struct sharing_line *line,
           struct sharing_user *user, bool is_new, uint64_t bytes)
{
  settle (lines, line);
  if (is_new) {
    user->first_bytes = bytes;
    user->first_foreign = line->written;
  } else if (!user->is_valid) {
    if ((user->foreign & bytes) != 0)
      user->true_transfers++;
    else
      user->false_transfers++;
  }
  user->is_valid = true;
  user->foreign = 0;
}

/* The kind of the turn in which a thread takes the line from the thread that
   used it last.  now: when that thread used it; is_new: the taking thread has
   not used it before.  */
static enum sharing_turn
turn_of (uint64_t since, uint64_t now, bool is_new)
{
  if (since == SHARING_UNKNOWN)
    return SHARING_TURN_PENDING;
  if (since != SHARING_PERHAPS && since != SHARING_WAITS && since <= now)
    return SHARING_TURN_OVERLAP;
  return is_new || since == SHARING_PERHAPS ? SHARING_TURN_OTHER
                                            : SHARING_TURN_RETURN;
}

static void
add_turn (struct sharing_line *line, enum sharing_turn turn, uint64_t accesses)
{
  line->firsts += turn == SHARING_TURN_FIRST ? accesses : 0;
  line->overlaps += turn == SHARING_TURN_OVERLAP ? accesses : 0;
  line->returns += turn == SHARING_TURN_RETURN ? accesses : 0;
}

void
sharing_lines_access (struct sharing_lines *lines,
                      const struct sharing_touch *touch)
{
  bool is_new, is_turn;
  uint32_t index = lines->failed ? DG_NONE : line_of (lines, touch->line);
  struct sharing_line *line;
  struct sharing_user *user;
  uint32_t i;

  if (index == DG_NONE)
    return;
  line = &lines->lines[index];
  is_turn = line->users != 0
            && lines->users[line->latest].thread != touch->thread;
  i = user_of (lines, index, touch->thread, &is_new);
  if (i == DG_NONE)
    return;
  user = &lines->users[i];
  if (is_new && line->n_users == 1)
    line->first_since = touch->since;
  if (is_turn)
    line->turn = turn_of (touch->since, line->now, is_new);
  if (line->turn == SHARING_TURN_PENDING)
    user->pending++;
  else
    add_turn (line, line->turn, 1);
  line->now = touch->icount;
  if (line->owner != i + 1)
    take_line (lines, line, user, is_new, touch->bytes);
  user->touched |= touch->bytes;
  if (touch->is_write) {
    user->writes++;
    user->written |= touch->bytes;
    line->owner = i + 1;
    line->burst |= touch->bytes;
  } else {
    user->reads++;
  }
}

/* ---- Parts of a log ----------------------------------------------------- */

/* The first access of `later`, by a thread that was there before.  */
static void
settle_first (struct sharing_user *user, const struct sharing_user *later)
{
  uint64_t foreign = user->foreign | later->first_foreign;

  if (user->is_valid && later->first_foreign == 0)
    return;
  if ((foreign & later->first_bytes) != 0)
    user->true_transfers++;
  else
    user->false_transfers++;
}

static void
append_user (struct sharing_user *user, const struct sharing_user *later,
             bool is_new)
{
  if (is_new) {
    user->first_bytes = later->first_bytes;
    /* Of a part that is not the first, what was before it is missing; that
       is the caller's to add.  */
    user->first_foreign |= later->first_foreign;
  } else {
    settle_first (user, later);
  }
  user->is_valid = later->is_valid;
  user->foreign = later->foreign;
  user->touched |= later->touched;
  user->written |= later->written;
  user->reads += later->reads;
  user->writes += later->writes;
  user->true_transfers += later->true_transfers;
  user->false_transfers += later->false_transfers;
}

/* What a part could not judge of turns: its first one, and those of threads
   that had not run in it before.  */
static void
append_turns (struct sharing_lines *lines, uint32_t index,
              const struct sharing_lines *later,
              const struct sharing_line *from,
              const struct sharing_turns *turns, const struct dg_log *log)
{
  struct sharing_line *line = &lines->lines[index];
  const bool is_first_of_all = line->users == 0;
  const uint64_t now = line->now;
  const uint8_t before = line->turn;
  const uint32_t latest =
    is_first_of_all ? 0 : lines->users[line->latest].thread;

  add_turn (line, SHARING_TURN_OVERLAP, from->overlaps);
  add_turn (line, SHARING_TURN_RETURN, from->returns);
  line->turn = from->turn;
  for (uint32_t i = from->users; i != 0; i = later->users[i - 1].next) {
    const struct sharing_user *user = &later->users[i - 1];
    bool is_new = find_user (lines, index, user->thread) == DG_NONE;
    bool is_first = i - 1 == from->first;
    uint64_t since = is_first ? from->first_since : SHARING_UNKNOWN;
    enum sharing_turn turn;

    if (!is_first && user->pending == 0)
      continue;
    if (since == SHARING_UNKNOWN)
      since = sharing_turns_ready (turns, log, user->thread);

    /* A thread that could run when the part began could run until its turn
       came.  If no part knows, it is the thread's first turn.  */
    if (user->pending > 0) {
      turn = turn_of (sharing_turns_ready (turns, log, user->thread),
                      UINT64_MAX - 3, is_new);
      turn = turn == SHARING_TURN_PENDING ? SHARING_TURN_OTHER : turn;
      add_turn (line, turn, user->pending);
      if (from->turn == SHARING_TURN_PENDING && i - 1 == from->latest)
        line->turn = turn;
    }
    if (!is_first)
      continue;
    turn = is_first_of_all            ? SHARING_TURN_FIRST
           : latest == user->thread   ? before
                                      : turn_of (since, now, is_new);
    turn = turn == SHARING_TURN_PENDING ? SHARING_TURN_OTHER : turn;
    add_turn (line, turn, from->firsts);
    if (from->turn == SHARING_TURN_FIRST)
      line->turn = turn;
  }
}

static void
append_line (struct sharing_lines *lines, const struct sharing_lines *later,
             const struct sharing_line *from,
             const struct sharing_turns *turns, const struct dg_log *log)
{
  uint32_t index = line_of (lines, from->line);
  struct sharing_line *line;
  uint64_t before;

  if (index == DG_NONE)
    return;
  append_turns (lines, index, later, from, turns, log);
  line = &lines->lines[index];
  before = line->written;

  /* Those who were not there in between lose it, if anybody wrote; the others
     are set to what they have now.  */
  for (uint32_t i = line->users; from->written != 0 && i != 0;
       i = lines->users[i - 1].next) {
    struct sharing_user *user = &lines->users[i - 1];

    if (find_user (later, (uint32_t) (from - later->lines), user->thread)
        != DG_NONE)
      continue;
    user->is_valid = false;
    user->foreign |= from->written;
  }
  for (uint32_t i = from->users; i != 0; i = later->users[i - 1].next) {
    const struct sharing_user *user = &later->users[i - 1];
    bool is_new;
    uint32_t to = user_of (lines, index, user->thread, &is_new);

    if (to == DG_NONE) {
      lines->left_out += !lines->failed;
      continue;
    }
    if (is_new)
      lines->users[to].first_foreign = before;
    append_user (&lines->users[to], user, is_new);
  }
  line = &lines->lines[index];
  line->written |= from->written;
  line->now = from->now;
  if (from->users != 0) {
    uint32_t latest =
      find_user (lines, index, later->users[from->latest].thread);

    if (latest != DG_NONE)
      line->latest = latest;
  }
}

void
sharing_lines_append (struct sharing_lines *lines, struct sharing_lines *later,
                      const struct sharing_turns *turns,
                      const struct dg_log *log)
{
  for (uint32_t i = 0; i < later->n_lines; i++)
    settle (later, &later->lines[i]);
  lines->failed = lines->failed || later->failed;
  for (uint32_t i = 0; i < later->n_lines && !lines->failed; i++)
    append_line (lines, later, &later->lines[i], turns, log);
}
