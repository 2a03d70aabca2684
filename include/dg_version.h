/* dg_version.h: the version of the library, of these headers and at run time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_VERSION_H
#define LIBDATAGRIND_VERSION_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers, with which a program is compiled.  */
#define DG_VERSION_MAJOR 1
#define DG_VERSION_MINOR 0
#define DG_VERSION_MICRO 0

/* Whether these headers have this version or a later one, for #if.  */
#define DG_VERSION_CHECK(major, minor, micro) \
  (DG_VERSION_MAJOR > (major)                 \
   || (DG_VERSION_MAJOR == (major)            \
       && (DG_VERSION_MINOR > (minor)         \
           || (DG_VERSION_MINOR == (minor) && DG_VERSION_MICRO >= (micro)))))

/* The version of the library that the program runs with: "1.0", and its
   numbers unless a pointer is NULL. A library with the same major number and
   the same or a larger minor number has all functions declared in these
   headers.  */
DG_API const char *dg_version (unsigned *major, unsigned *minor,
                               unsigned *micro);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_VERSION_H */
