/* questions_names.c: what is known of the code and the data of a log, by the
   files that it brings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "questions.h"

#define MOST 200

void
dg_questions_code (struct questions *q)
{
  uint32_t n = dg_log_summary (q->log)->bbdefs;
  struct dg_frame frames[8];
  uint8_t bytes[4096];
  size_t length = 0;

  for (uint32_t i = 0; i < MIN (n, MOST); i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (
      q->log, (uint32_t) dg_fuzz_below (&q->random, n));
    uint64_t icount = dg_questions_moment (q);

    if (bbdef->n_instrs == 0)
      continue;
    for (size_t k = dg_symbols_frames (q->symbols, bbdef->instrs[0].address,
                                       icount, frames, 8); k-- > 0;)
      if (frames[k].function != NULL)
        length += strlen (frames[k].function);
    dg_symbols_bytes (q->symbols, bbdef, icount, bytes, sizeof bytes);
  }
  if (length == 42)
    g_debug ("42");
}

static int
note_symbol (void *user, const struct dg_data_symbol *variable)
{
  unsigned *left = user;

  MUST (variable->name != NULL);
  return --*left == 0;
}

void
dg_questions_data (struct questions *q)
{
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (q->log, 0, SIZE_MAX, &err);
  struct dg_access all[MOST];
  struct dg_variable variable;
  unsigned left = MOST;
  ptrdiff_t n;
  char *text;
  size_t bytes;

  MUST (reader != NULL);
  n = dg_reader_accesses (reader, all, MOST, &err);
  for (ptrdiff_t i = 0; i < n; i++) {
    uint64_t offset, size;

    dg_symbols_data (q->symbols, all[i].address, all[i].icount, all[i].size,
                     &variable);
    dg_symbols_variable (q->symbols, all[i].address, all[i].icount, &offset,
                         &size);
  }
  dg_reader_free (reader);
  dg_symbols_variables (q->symbols,
                        dg_fuzz_chance (&q->random, 2) ? "table" : NULL,
                        note_symbol, &left);
  if (dg_log_read_source (q->log, "/src/prog.c", 1 << 20, &text, &bytes, NULL,
                          &err) == 0)
    free (text);
}

void
dg_questions_types (struct questions *q)
{
  static const char *const names[] = {
    "int", "struct node", "struct point [100]", "double *", "unsigned long",
    "std::vector<int>", "int[4][3]", "const struct node &", "", "struct ",
    "node", "union value"
  };
  struct dg_field field;

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const struct dg_type *type = dg_symbols_type (q->symbols, names[i]);

    if (type == NULL)
      continue;
    MUST (dg_type_name (type) != NULL);
    for (uint64_t at = 0; at < MIN (dg_type_size (type), 64); at++)
      dg_symbols_field (q->symbols, type, dg_fuzz_below (&q->random, 200), at,
                        (uint32_t) dg_fuzz_below (&q->random, 9), &field);
  }
}
