/* refs.h: what several threads hold, for as long as one of them does.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_REFS_H
#define DV_REFS_H

#include <glib.h>

/* Defines NAME_ref, and NAME_unref, for which NULL is fine, of a struct NAME
   from g_atomic_rc_box_new0; clear (memory) frees what it holds.  */
#define DV_DEFINE_REFS(name, clear)                 \
  struct name *name##_ref (struct name *object)     \
  {                                                 \
    return g_atomic_rc_box_acquire (object);        \
  }                                                 \
  void name##_unref (struct name *object)           \
  {                                                 \
    if (object != NULL)                             \
      g_atomic_rc_box_release_full (object, clear); \
  }

#endif /* DV_REFS_H */
