/* unit_main.c: tests of many modules in one program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "unit_main.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

static struct unit_main *units;

void
unit_main_add (struct unit_main *unit)
{
  unit->next = units;
  units = unit;
}

/* The name of a test: that of a file, without its folder and what follows a
   dot.  */
static char *
name_of (const char *path)
{
  char *name = g_path_get_basename (path);

  name[strcspn (name, ".")] = '\0';
  return name;
}

static const struct unit_main *
unit_of (const char *path)
{
  char *wanted = name_of (path);
  const struct unit_main *unit = units;
  bool is_it = false;

  while (unit != NULL && !is_it) {
    char *name = name_of (unit->file);

    is_it = strcmp (name, wanted) == 0;
    g_free (name);
    if (!is_it)
      unit = unit->next;
  }
  g_free (wanted);
  return unit;
}

/* The address sanitizer looks at the whole of a text before it calls strstr,
   which g_strsplit does for each line.  */
const char *__asan_default_options (void);
const char *
__asan_default_options (void)
{
  return "intercept_strstr=0";
}

int
main (int argc, char **argv)
{
  const struct unit_main *unit = unit_of (argv[0]);

  if (unit == NULL && argc > 1) {
    unit = unit_of (argv[1]);
    argc--;
    argv++;
  }
  if (unit != NULL)
    return unit->run (argc, argv);
  g_printerr ("no test has this name; there are:\n");
  for (unit = units; unit != NULL; unit = unit->next) {
    char *name = name_of (unit->file);

    g_printerr ("%s\n", name);
    g_free (name);
  }
  return 2;
}
