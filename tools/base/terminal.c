/* terminal.c: the width of standard output, and its colours.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "terminal.h"

#include "libdatagrind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_DEFAULT 80
#define WIDTH_MAX 10000

unsigned
terminal_width (void)
{
  const char *text = getenv ("COLUMNS");
  struct winsize size;
  uint64_t columns;

  if (!isatty (STDOUT_FILENO))
    return 0;
  if (text != NULL && dg_number_parse (text, DG_QUANTITY_COUNT, &columns)
      && columns > 0 && columns <= WIDTH_MAX)
    return (unsigned) columns;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
    return WIDTH_DEFAULT;
  return size.ws_col;
}

bool
terminal_has_colours (void)
{
  const char *unwanted = getenv ("NO_COLOR"), *type = getenv ("TERM");

  return isatty (STDOUT_FILENO) && (unwanted == NULL || unwanted[0] == '\0')
         && type != NULL && type[0] != '\0' && strcmp (type, "dumb") != 0;
}
