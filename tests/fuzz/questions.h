/* questions.h: what can be asked of a log, with any options, which the bytes
   of the log themselves decide: so a mutation asks something else, too, and a
   file alone shows what it is about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FUZZ_QUESTIONS_H
#define DG_FUZZ_QUESTIONS_H

#include "fuzz.h"
#include "fuzz_random.h"
#include "libdatagrind.h"

struct questions {
  struct dg_fuzz_random random;
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_filter *filter;      /* or NULL */
  const char *folder;            /* where files are written */
};

/* One of "a,b,c", in `text`.  */
const char *dg_questions_choice (struct questions *q, const char *choices,
                                 char text[64]);
/* An instruction of the log, or one beyond, or 0.  */
uint64_t dg_questions_moment (struct questions *q);
/* A file in the folder; the next call has another.  */
char *dg_questions_path (struct questions *q);
/* 0, or an error that says why.  */
void dg_questions_answer (int code, const struct dg_error *err);

/* questions_reports.c  */
void dg_questions_analyse (struct questions *q);
void dg_questions_stream (struct questions *q);
void dg_questions_columns (struct questions *q);
/* questions_heap.c  */
void dg_questions_curve (struct questions *q);
void dg_questions_massif (struct questions *q);
void dg_questions_usage (struct questions *q);
void dg_questions_sites (struct questions *q);
/* questions_files.c  */
void dg_questions_cut (struct questions *q);
void dg_questions_pack (struct questions *q);
void dg_questions_index (struct questions *q);
void dg_questions_bundle (struct questions *q);
/* questions_names.c  */
void dg_questions_code (struct questions *q);
void dg_questions_data (struct questions *q);
void dg_questions_types (struct questions *q);

#endif /* DG_FUZZ_QUESTIONS_H */
