/* version.c: the version of the library at run time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include "config.h"

const char *
dg_version (unsigned *major, unsigned *minor, unsigned *micro)
{
  if (major)
    *major = DG_VERSION_MAJOR;
  if (minor)
    *minor = DG_VERSION_MINOR;
  if (micro)
    *micro = DG_VERSION_MICRO;
  return PACKAGE_VERSION;
}
