/* sharing_lines.c: cache lines that move from thread to thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_lines.h"

#include <string.h>

/* Users of a line that are looked through one by one.  */
#define FEW 8

void
sharing_lines_fini (struct sharing_lines *lines)
{
  g_free (lines->lines);
  g_free (lines->begun);
  g_free (lines->users);
  g_free (lines->openings);
  dg_lookup_fini (&lines->line_lookup);
  dg_lookup_fini (&lines->user_lookup);
  memset (lines, 0, sizeof *lines);
}

void
sharing_lines_close (struct sharing_lines *lines)
{
  dg_lookup_fini (&lines->user_lookup);
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

/* DG_NONE: it is not there.  */
static uint32_t
find_user (const struct sharing_lines *lines, uint32_t line, uint32_t thread)
{
  struct dg_probe probe;
  uint32_t i;

  if (lines->lines[line].n_users <= FEW) {
    for (i = lines->lines[line].users; i != 0; i = lines->users[i - 1].next)
      if (lines->users[i - 1].thread == thread)
        return i - 1;
    return DG_NONE;
  }
  probe = dg_lookup_probe (&lines->user_lookup, hash_user (line, thread));
  while (dg_probe_next (&probe, &i))
    if (lines->users[i].line == line && lines->users[i].thread == thread)
      return i;
  return DG_NONE;
}

/* Enters the newest user of a line where it is looked for; false: no
   memory.  */
static bool
enter_user (struct sharing_lines *lines, const struct sharing_line *line)
{
  bool is_entered = true;

  if (line->n_users <= FEW)
    return true;
  /* With this one, there are many: the others have not been entered.  */
  for (uint32_t i = line->users; i != 0 && is_entered;
       i = line->n_users == FEW + 1 ? lines->users[i - 1].next : 0) {
    const struct sharing_user *user = &lines->users[i - 1];

    is_entered = dg_lookup_add (&lines->user_lookup,
                                hash_user (user->line, user->thread), i - 1);
  }
  return is_entered;
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
      || (lines->is_part
          && !DG_ARRAY_ROOM (lines->begun, lines->begun_room, i))
      || !dg_lookup_add (&lines->line_lookup, dg_hash (line), i)) {
    lines->failed = true;
    return DG_NONE;
  }
  lines->lines[i] = (struct sharing_line){ .line = line };
  if (lines->is_part)
    lines->begun[i] = (struct sharing_begun){ 0 };
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
        || (lines->is_part
            && !DG_ARRAY_ROOM (lines->openings, lines->openings_room, i))) {
      lines->failed = true;
      return DG_NONE;
    }
    lines->users[i] = (struct sharing_user){
      .thread = thread, .line = line, .next = l->users
    };
    if (lines->is_part)
      lines->openings[i] = (struct sharing_opening){ 0 };
    if (l->users == 0)
      l->first = i;
    l->users = ++lines->n_users;
    l->n_users++;
    if (!enter_user (lines, l)) {
      lines->failed = true;
      return DG_NONE;
    }
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
  uint64_t *burst = &lines->begun[line - lines->lines].burst;
  uint32_t owner = line->owner;

  if (owner == 0)
    return;
  for (uint32_t i = line->users; i != 0; i = lines->users[i - 1].next) {
    if (i == owner)
      continue;
    lines->users[i - 1].is_valid = false;
    lines->users[i - 1].foreign |= *burst;
  }
  line->written |= *burst;
  *burst = 0;
  line->owner = 0;
}

/* An access of somebody who has not got the line to itself.  */
static void
take_line (struct sharing_lines *lines, struct sharing_line *line, uint32_t i,
           bool is_new, uint64_t bytes)
{
  struct sharing_user *user = &lines->users[i];

  settle (lines, line);
  if (is_new) {
    lines->openings[i].bytes = bytes;
    lines->openings[i].foreign = line->written;
  } else if (!user->is_valid) {
    if ((user->foreign & bytes) != 0)
      user->true_transfers++;
    else
      user->false_transfers++;
  }
  user->is_valid = true;
  user->foreign = 0;
}

/* The kind of the turn in which a thread that has used the line before takes
   it from the thread that used it last.  now: when that thread used it.  */
static enum sharing_turn
turn_of (uint64_t since, uint64_t now)
{
  return since == SHARING_UNKNOWN   ? SHARING_TURN_PENDING
         : since == SHARING_PERHAPS ? SHARING_TURN_PERHAPS
         : since <= now             ? SHARING_TURN_OVERLAP
                                    : SHARING_TURN_RETURN;
}

/* What turn_of says, of a thread that may not have used the line before.  If
   no part of the log says since when the thread could run, the turn is its
   first.  */
static enum sharing_turn
turn_of_user (enum sharing_turn turn, bool is_new)
{
  return turn == SHARING_TURN_PENDING   ? SHARING_TURN_OTHER
         : !is_new                      ? turn
         : turn == SHARING_TURN_OVERLAP ? SHARING_TURN_START
                                        : SHARING_TURN_OTHER;
}

static void
add_turn (struct sharing_line *line, enum sharing_turn turn, uint64_t accesses)
{
  line->overlaps += turn == SHARING_TURN_OVERLAP ? accesses : 0;
  line->starts += turn == SHARING_TURN_START ? accesses : 0;
  line->returns += turn == SHARING_TURN_RETURN ? accesses : 0;
  line->perhaps += turn == SHARING_TURN_PERHAPS ? accesses : 0;
}

void
sharing_lines_access (struct sharing_lines *lines,
                      const struct sharing_touch *touch)
{
  bool is_new, is_turn;
  uint32_t index = lines->failed ? DG_NONE : line_of (lines, touch->line);
  struct sharing_line *line;
  struct sharing_begun *begun;
  struct sharing_user *user;
  uint32_t i;

  if (index == DG_NONE)
    return;
  line = &lines->lines[index];
  begun = &lines->begun[index];
  is_turn = line->users != 0
            && lines->users[line->latest].thread != touch->thread;
  i = user_of (lines, index, touch->thread, &is_new);
  if (i == DG_NONE)
    return;
  user = &lines->users[i];
  if (is_new && line->n_users == 1)
    begun->since = touch->since;
  if (is_turn) {
    line->turn = turn_of (touch->since, line->now);
    line->is_opening = is_new;
    if (is_new)
      lines->openings[i].turn = line->turn;
  }
  if (line->turn == SHARING_TURN_FIRST)
    begun->firsts++;
  else if (line->is_opening)
    lines->openings[i].accesses++;
  else
    add_turn (line, line->turn, 1);
  line->now = touch->icount;
  if (line->owner != i + 1)
    take_line (lines, line, i, is_new, touch->bytes);
  if (touch->is_write) {
    user->writes++;
    line->owner = i + 1;
    begun->burst |= touch->bytes;
  } else {
    user->reads++;
  }
}

/* ---- Parts of a log ----------------------------------------------------- */

/* The first access of `later`, by a thread that was there before.  */
static void
settle_first (struct sharing_user *user, const struct sharing_opening *opening)
{
  uint64_t foreign = user->foreign | opening->foreign;

  if (user->is_valid && opening->foreign == 0)
    return;
  if ((foreign & opening->bytes) != 0)
    user->true_transfers++;
  else
    user->false_transfers++;
}

static void
append_user (struct sharing_user *user, const struct sharing_user *later,
             const struct sharing_opening *opening, bool is_new)
{
  if (!is_new)
    settle_first (user, opening);
  user->is_valid = later->is_valid;
  user->foreign = later->foreign;
  user->reads += later->reads;
  user->writes += later->writes;
  user->true_transfers += later->true_transfers;
  user->false_transfers += later->false_transfers;
}

/* The turn in which a user took the line for the first time in a part.  A
   thread that could run when the part began could run until its turn came.  */
static enum sharing_turn
opening_turn (const struct sharing_opening *opening, bool is_new,
              uint64_t since)
{
  return turn_of_user (opening->turn != SHARING_TURN_PENDING
                         ? opening->turn : turn_of (since, SHARING_LAST),
                       is_new);
}

/* The turn of the first access of a part: it goes on, or the line is taken
   from the user that had it before.  */
static enum sharing_turn
first_turn (const struct sharing_lines *lines, const struct sharing_line *line,
            uint32_t thread, bool is_new, uint64_t since)
{
  if (line->users == 0)
    return SHARING_TURN_FIRST;
  if (lines->users[line->latest].thread == thread)
    return line->turn;
  return turn_of_user (turn_of (since, line->now), is_new);
}

/* What a part could not judge of turns: its first one, and those of threads
   that had not used the line in it before.  */
static void
append_turns (struct sharing_lines *lines, uint32_t index,
              const struct sharing_lines *later,
              const struct sharing_line *from,
              const struct sharing_turns *turns, const struct dg_log *log)
{
  struct sharing_line *line = &lines->lines[index];
  const struct sharing_begun *begun = &later->begun[from - later->lines];
  enum sharing_turn latest = from->turn;

  add_turn (line, SHARING_TURN_OVERLAP, from->overlaps);
  add_turn (line, SHARING_TURN_RETURN, from->returns);
  add_turn (line, SHARING_TURN_PERHAPS, from->perhaps);
  for (uint32_t i = from->users; i != 0; i = later->users[i - 1].next) {
    const struct sharing_user *user = &later->users[i - 1];
    const struct sharing_opening *opening = &later->openings[i - 1];
    bool is_new = find_user (lines, index, user->thread) == DG_NONE;
    bool is_first = i - 1 == from->first;
    uint64_t since = is_first ? begun->since
                     : opening->turn == SHARING_TURN_PENDING ? SHARING_UNKNOWN
                                                             : 0;
    enum sharing_turn turn;

    if (since == SHARING_UNKNOWN)
      since = sharing_turns_ready (turns, log, user->thread);
    if (is_first) {
      turn = first_turn (lines, line, user->thread, is_new, since);
      add_turn (line, turn, begun->firsts);
      if (from->turn == SHARING_TURN_FIRST)
        latest = turn;
    } else {
      turn = opening_turn (opening, is_new, since);
      add_turn (line, turn, opening->accesses);
      if (from->is_opening && i - 1 == from->latest)
        latest = turn;
    }
  }
  line->turn = latest;
}

static void
append_line (struct sharing_lines *lines, const struct sharing_lines *later,
             const struct sharing_line *from,
             const struct sharing_turns *turns, const struct dg_log *log)
{
  uint32_t index = line_of (lines, from->line);
  struct sharing_line *line;

  if (index == DG_NONE)
    return;
  append_turns (lines, index, later, from, turns, log);
  line = &lines->lines[index];

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
    append_user (&lines->users[to], user, &later->openings[i - 1], is_new);
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
  g_assert (!lines->is_part && (later->is_part || later->n_lines == 0));
  for (uint32_t i = 0; i < later->n_lines; i++)
    settle (later, &later->lines[i]);
  lines->failed = lines->failed || later->failed;
  for (uint32_t i = 0; i < later->n_lines && !lines->failed; i++)
    append_line (lines, later, &later->lines[i], turns, log);
}
