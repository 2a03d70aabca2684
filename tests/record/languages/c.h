/* c.h: types of the C program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

struct inner {
  short tag;
  double weight;
};

struct node {
  long key;
  struct inner in;
  struct node *next;
};

/* Of a unit of its own with -fdebug-types-section.  */
struct total {
  long hits;
  struct inner last;
};

extern struct total totals;
extern _Thread_local struct total of_thread;

struct node *push (struct node *list, long key);
double sum (const struct node *list);
long step (long at);
