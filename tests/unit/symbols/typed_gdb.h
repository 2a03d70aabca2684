/* typed_gdb.h: what the debugger says of the offsets and sizes of fields.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef TYPED_GDB_H
#define TYPED_GDB_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Expressions, with what the library says of them.  */
struct question {
  char *expression; /* gdb: &EXPRESSION and sizeof EXPRESSION */
  uint64_t offset, size;
};
struct questions {
  GArray *all;
  GString *script;
};

void questions_init (struct questions *q);
/* `whole` is an expression for the thing that the field is in.  */
void ask_gdb (struct questions *q, const char *whole, const char *path,
              uint64_t offset, uint64_t size);
/* Runs gdb once over all that were asked.  */
void compare_with_gdb (struct questions *q, const char *program);

/* A path without the names of base classes, which gdb would want whole.  */
char *without_bases (const char *path);
/* What gdb says to a script, line by line.  */
char **run_gdb (const char *script, const char *program);
bool has_gdb (void);

/* The test with the flags of each kind of debug information.  */
void add_flags (const char *name, void (*test) (gconstpointer));

#endif /* TYPED_GDB_H */
