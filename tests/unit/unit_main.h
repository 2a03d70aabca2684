/* unit_main.h: tests of many modules in one program.

   Each test file has tests and says UNIT_MAIN (run_tests) at its end, where
   others have a main.  The program runs those of the file after which it is
   called (unit/log/test-log is a link to it), or which its first argument
   names.  So the library is linked once, and a test is a process of its own
   all the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_UNIT_MAIN_H
#define DG_UNIT_MAIN_H

struct unit_main {
  const char *file; /* its source */
  int (*run) (int argc, char **argv);
  struct unit_main *next;
};

/* Before main begins.  */
void unit_main_add (struct unit_main *unit);

/* run takes the arguments of a main, and returns what that would.  */
#define UNIT_MAIN(run)                                                        \
  static void __attribute__ ((constructor)) unit_main_add_this (void)         \
  {                                                                           \
    static struct unit_main unit = {__FILE__, run, NULL};                     \
                                                                              \
    unit_main_add (&unit);                                                    \
  }

#endif /* DG_UNIT_MAIN_H */
