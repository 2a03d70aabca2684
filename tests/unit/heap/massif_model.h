/* massif_model.h: logs of random stories of blocks, and Massif's file of them
   worked out at once and at length.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MASSIF_MODEL_H
#define DG_MASSIF_MODEL_H

#include "libdatagrind.h"

#include <glib.h>

/* A block of three instructions, and a run of it.  */
#define MASSIF_BLOCK "bbdef [1+1 2+1 3+1] [R4@0 W8@1]\ncontext 0 [1]\n"
#define MASSIF_RUN   "bbrun 0 3 [0x10 0x20]\n"

struct massif_story {
  GArray *events;
  GString *text;           /* of dgasm's language */
};
/* Of n events.  */
struct massif_story massif_story_make (unsigned seed, unsigned n);
void massif_story_free (struct massif_story *story);

/* The file, with the text "x" behind "desc:"; *most receives the most bytes
   that there were.  */
char *massif_model_text (const struct massif_story *story,
                         const struct dg_massif_options *o, uint64_t *most);

#endif /* DG_MASSIF_MODEL_H */
