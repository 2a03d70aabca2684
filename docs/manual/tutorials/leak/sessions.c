/* sessions.c: a server's table of sessions, of which some are lost.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 64, REQUESTS = 2000 };

struct session
{
  long user;
  char *token;
};

static struct session *table[SLOTS];

static struct session *
open_session (long user)
{
  struct session *session = malloc (sizeof *session);
  session->user = user;
  session->token = malloc (48);
  snprintf (session->token, 48, "token of user %ld", user);
  return session;
}

static void
close_session (struct session *session)
{
  if (session == NULL)
    return;
#ifdef REPAIRED
  free (session->token);
#endif
  free (session);
}

static void
request (long user)
{
  struct session **slot = &table[user % SLOTS];
  if (*slot == NULL || (*slot)->user != user)
    {
      close_session (*slot);
      *slot = open_session (user);
    }
}

static size_t
token_length (const struct session *session)
{
  size_t length = 0;
  while (session->token[length] != 0)
    length++;
  return length;
}

int
main (void)
{
  size_t length = 0;
  for (long i = 0; i < REQUESTS; i++)
    {
      request (i * 7 % 1000);
      length += token_length (table[i * 7 % 1000 % SLOTS]);
    }
  for (int i = 0; i < SLOTS; i++)
    close_session (table[i]);
  printf ("%zu\n", length);
  return 0;
}
