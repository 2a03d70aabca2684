/* answer.h: all that is known of one access, in words.

   Looks names up, which may open debug files: for background threads.  Knows
   no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ANSWER_H
#define DV_ANSWER_H

#include "answer_state.h"

struct dv_answer *dv_answer_new (struct dv_data *data,
                                 const struct dg_access *access);
/* Less of it, and fast: no more of stacks than the first frame, and names
   only as far as none have to be waited for.  */
struct dv_answer *dv_answer_new_brief (struct dv_data *data,
                                       const struct dg_access *access);
/* Of a place without accesses: whose memory it is.  */
struct dv_answer *dv_answer_new_nothing (struct dv_data *data,
                                         uint64_t address, uint64_t icount,
                                         bool is_filtered);
void dv_answer_free (struct dv_answer *answer);

/* Whether an answer would have to wait for debug information that another
   thread is just opening.  */
bool dv_answer_has_to_wait (struct dv_data *data,
                            const struct dg_access *access);

/* Whose memory it is, in a line, without the user range; a new string.
   Fast: no symbols are looked up.  */
char *dv_answer_owner (struct dv_data *data, uint64_t address,
                       uint64_t icount);

#endif /* DV_ANSWER_H */
