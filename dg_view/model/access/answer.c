/* answer.c: an access explained: who made it, and from where.

   Whose memory it is: answer_memory.c; when: answer_time.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "answer.h"

#include "format.h"
#include "answer_make.h"
#include "model/log/gap_text.h"

bool
dv_answer_has_to_wait (struct dv_data *data, const struct dg_access *access)
{
  return data->symbols != NULL
         && (dg_symbols_is_busy (data->symbols, access->instruction,
                                 access->icount)
             || dg_symbols_is_busy (data->symbols, access->address,
                                    access->icount));
}

/* The access's own instruction takes the place of its block's first.  */
static void
set_stack (struct dv_answer_asking *asking)
{
  const struct dg_access *access = &asking->answer->access;
  uint64_t sites[DG_STACK_MAX];
  uint32_t n = dg_log_context_stack (asking->data->log, access->context,
                                     sites);
  sites[0] = access->instruction;
  GPtrArray *stack
    = dv_answer_stack (asking, sites, asking->is_brief ? 1 : MAX (n, 1),
                       access->icount);
  asking->answer->stack = stack;
  asking->answer->place = dv_answer_place (g_ptr_array_index (stack, 0));
}

/* ---- All of it ------------------------------------------------------- */

static void
append_problem (char **text, const char *problem)
{
  char *valid = dv_format_shown (problem);
  char *both = *text == NULL ? g_strdup (valid)
                             : g_strconcat (*text, "\n", valid, NULL);
  g_free (*text);
  g_free (valid);
  *text = both;
}

static void
set_problems (struct dv_answer_asking *asking)
{
  struct dv_answer *answer = asking->answer;
  const char *problem;
  if (asking->data->symbols == NULL)
    return;
  for (size_t i = 0; (problem = dg_symbols_problem (asking->data->symbols, i))
                     != NULL; i++)
    append_problem (dg_symbols_problem_is_of_valgrind (
                      asking->data->symbols, i)
                      ? &answer->own_problems : &answer->problems, problem);
}

static struct dv_answer *
new_answer (struct dv_data *data, const struct dg_access *access,
            bool is_brief)
{
  struct dv_answer_asking asking = {data, g_new0 (struct dv_answer, 1),
                                    is_brief};
  asking.answer->access = *access;
  asking.answer->thread = dv_answer_thread (data, access->thread);
  set_stack (&asking);
  dv_answer_set_memory (&asking);
  dv_answer_set_times (&asking);
  set_problems (&asking);
  if (!is_brief)
    dv_answer_set_sentence (asking.answer);
  if (!is_brief && asking.answer->has_block
      && asking.answer->block.free_icount == DG_NEVER)
    asking.answer->gap = dv_gap_text (data);
  return asking.answer;
}

struct dv_answer *
dv_answer_new_nothing (struct dv_data *data, uint64_t address,
                       uint64_t icount, bool is_filtered)
{
  struct dv_answer_asking asking = {data, g_new0 (struct dv_answer, 1), false};
  struct dv_answer *answer = asking.answer;
  answer->is_nothing = true;
  answer->is_filtered = is_filtered;
  answer->access = (struct dg_access){ .address = address, .icount = icount };
  answer->stack = g_ptr_array_new ();
  dv_answer_set_memory (&asking);
  set_problems (&asking);
  dv_answer_set_sentence (answer);
  answer->gap = dv_gap_text (data);
  return answer;
}

struct dv_answer *
dv_answer_new (struct dv_data *data, const struct dg_access *access)
{
  return new_answer (data, access, false);
}

struct dv_answer *
dv_answer_new_brief (struct dv_data *data, const struct dg_access *access)
{
  return new_answer (data, access, true);
}

void
dv_answer_free (struct dv_answer *answer)
{
  if (answer == NULL)
    return;
  char *texts[] = {
    answer->owner, answer->place, answer->thread, answer->time,
    answer->field, answer->field_type, answer->field_holder,
    answer->field_also, answer->variable, answer->variable_type,
    answer->variable_place, answer->variable_file, answer->alloc_thread,
    answer->free_thread, answer->life, answer->age, answer->range_text,
    answer->range_label, answer->range_type, answer->problems,
    answer->own_problems, answer->sentence, answer->variable_module,
    answer->gap,
  };
  g_ptr_array_unref (answer->stack);
  if (answer->alloc_stack != NULL)
    g_ptr_array_unref (answer->alloc_stack);
  if (answer->free_stack != NULL)
    g_ptr_array_unref (answer->free_stack);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_free (answer);
}
