/* table.h: a growing array that can run out of memory without aborting.

   GArray ends the process when memory is short; what a log defines may be as
   large as the log, so its tables must be able to fail.  Small things whose
   size does not follow the log's use GLib.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TABLE_H
#define DG_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* All zero is an empty table.  Every use of one table gives the same
   item_size.  Items move when the table grows.  */
struct dg_table {
  void *items;
  size_t n, room;
};

/* A new item at the end, all zero, or NULL.  */
void *dg_table_add (struct dg_table *table, size_t item_size);

/* Room for at least n items in all: 0 or DG_ERR_NOMEM.  */
int dg_table_reserve (struct dg_table *table, size_t item_size, size_t n);

/* Gives back the room that no item uses.  */
void dg_table_trim (struct dg_table *table, size_t item_size);

/* Makes an empty table like another one: 0 or DG_ERR_NOMEM.  */
int dg_table_copy (struct dg_table *to, const struct dg_table *from,
                   size_t item_size);

/* Frees everything and leaves an empty table.  */
void dg_table_fini (struct dg_table *table);

/* The same for arrays that have their own pointer, of items of their type, and
   their own `room`: whether there is room for more than n items, which is made
   if there is none.  Then new ones are left as they are, */
#define DG_ARRAY_ROOM(items, room, n) DG_ARRAY_GROW_ (items, room, n, false)
/* or all zero.  */
#define DG_ARRAY_ROOM_ZERO(items, room, n) \
  DG_ARRAY_GROW_ (items, room, n, true)

#define DG_ARRAY_GROW_(items, room, n, is_zero)                         \
  __extension__({                                                       \
    bool has_room_ = (n) < (room);                                      \
                                                                        \
    if (G_UNLIKELY (!has_room_)) {                                      \
      size_t room_ =                                                    \
        MAX ((size_t) (n) + 1, (size_t) (room) + (room) / 2 + 64);      \
      __typeof__ (items) items_ =                                       \
        (__typeof__ (room)) room_ == room_                              \
          ? g_try_realloc_n (items, room_, sizeof *items_)              \
          : NULL;                                                       \
                                                                        \
      if (items_ != NULL && (is_zero))                                  \
        memset (items_ + (room), 0, (room_ - (room)) * sizeof *items_); \
      if (items_ != NULL) {                                             \
        (items) = items_;                                               \
        (room) = room_;                                                 \
        has_room_ = true;                                               \
      }                                                                 \
    }                                                                   \
    has_room_;                                                          \
  })

#endif /* DG_TABLE_H */
