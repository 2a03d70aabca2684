/* shown.h: which parts of a name can be shown as they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHOWN_H
#define DG_SHOWN_H

#include <stdbool.h>

/* Moves *at over a character, or over a byte that is not UTF-8; *at is not the
   end of the text.  Returns whether the character is harmless where text is
   shown: false for such bytes and for dg_character_is_unseen (dg_base.h).  */
bool dg_shown_next (const char **at);

#endif /* DG_SHOWN_H */
