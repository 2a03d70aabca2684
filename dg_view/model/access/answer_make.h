/* answer_make.h: parts of an answer, each made in a file of its own:
   answer_memory.c, answer_sentence.c, answer_time.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ANSWER_MAKE_H
#define DV_ANSWER_MAKE_H

#include "answer_state.h"

/* Sets what is known of the memory.  */
void dv_answer_set_memory (struct dv_answer_asking *asking);
/* Sets the sentence, from all that is known.  */
void dv_answer_set_sentence (struct dv_answer *answer);
/* Sets the times of the access and of its block.  */
void dv_answer_set_times (struct dv_answer_asking *asking);

#endif /* DV_ANSWER_MAKE_H */
