/* terminal.c: the width of standard output, and its colours.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "terminal.h"

#include "libdatagrind.h"

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define WIDTH_DEFAULT 80
#define WIDTH_MAX 10000
#define HEIGHT_DEFAULT 24

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

unsigned
terminal_height (void)
{
  struct winsize size;

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0)
    return HEIGHT_DEFAULT;
  return MAX (size.ws_row, 2);
}

/* The end that a program writes to passes bytes on as they are.  */
static void
prepare (int fd)
{
  struct termios how;
  struct winsize size;

  if (tcgetattr (fd, &how) == 0) {
    cfmakeraw (&how);
    tcsetattr (fd, TCSANOW, &how);
  }
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    ioctl (fd, TIOCSWINSZ, &size);
}

bool
terminal_pair (int *from, int *to)
{
  char name[64];

  *from = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*from < 0)
    return false;
  if (grantpt (*from) == 0 && unlockpt (*from) == 0
      && ptsname_r (*from, name, sizeof name) == 0) {
    *to = open (name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*to >= 0) {
      prepare (*to);
      return true;
    }
  }
  close (*from);
  return false;
}

bool
terminal_has_colours (void)
{
  const char *unwanted = getenv ("NO_COLOR"), *type = getenv ("TERM");

  return isatty (STDOUT_FILENO) && (unwanted == NULL || unwanted[0] == '\0')
         && type != NULL && type[0] != '\0' && strcmp (type, "dumb") != 0;
}
