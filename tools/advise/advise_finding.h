/* advise_finding.h: what a rule found: a sentence, what to do, where, and what
   it costs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_FINDING_H
#define DG_ADVISE_FINDING_H

#include "advise_facts.h"

/* What the cost of a finding is a share of.  */
enum advise_measure {
  ADVISE_TIME = 0,         /* estimated cycles of the run */
  ADVISE_MEMORY            /* bytes of heap blocks */
};

/* A repair, as options of dg whatif.  */
struct advise_change {
  const char *options[2];  /* names; NULL: none */
  char *values[2];
};

struct advise_finding {
  const char *rule, *title, *evidence;   /* of the table of rules */
  enum advise_measure measure;
  double share;            /* of the measure, 0 to 1 */
  double amount;           /* cycles or bytes */
  double least;            /* share from which on the rule speaks */
  bool is_minor;           /* the share is less: only what the repair gains may
                              be as much */
  char *text, *action;     /* complete sentences */
  struct advise_code code; /* belongs to the facts' inputs: copied */
  char *memory;            /* what it is about; NULL: nothing */
  GArray *others;          /* uint32_t: further lines of the same file */
  uint64_t accesses;       /* that it is about; 0: unknown */
  GPtrArray *changes;      /* struct advise_change: repairs to try */
  /* What advise_gains.c has found: */
  bool is_predicted;       /* the gain is known */
  const struct advise_change *change;  /* the best; NULL: no command predicts
                              the gain */
  double gain;             /* cycles that are saved, as a share of all */
  double misses_change;    /* of D1, as a share of all before */
  const char *saved;       /* "fewer cycles, those of malloc and free", where
                              no command predicts it; or NULL */
  char *settings;          /* " --machine=skylake": further options of the
                              command that predicts it; or NULL */
};

/* A finding without text; all strings of `code` are copied.  */
struct advise_finding *advise_finding_new (const struct advise_code *code,
                                           const char *memory);
void advise_finding_free (void *finding);

/* Adds to the sentence.  */
void advise_finding_say (struct advise_finding *finding, const char *format,
                         ...) G_GNUC_PRINTF (2, 3);
/* Adds to what to do.  */
void advise_finding_do (struct advise_finding *finding, const char *format,
                        ...) G_GNUC_PRINTF (2, 3);

/* Adds a repair whose gain is to be predicted: an option of dg whatif and its
   value, which becomes the finding's; NULL is ignored.  */
void advise_finding_try (struct advise_finding *finding, const char *option,
                         char *value);
/* Adds one more option to the latest of these.  */
void advise_finding_try_with (struct advise_finding *finding,
                              const char *option, char *value);
/* The gain of a repair that dg whatif cannot execute.  saved: what it is, as
   in the finding; static memory.  */
void advise_finding_predict (struct advise_finding *finding, double gain,
                             const char *saved);
/* "dg whatif --split='item:x'": the best repair.  NULL: nothing is
   predicted.  To be freed.  */
char *advise_finding_command (const struct advise_finding *finding);
/* "39 % fewer cycles (dg whatif ...).": what the best repair gains.  NULL:
   nothing is predicted.  To be freed.  */
char *advise_finding_prediction (const struct advise_finding *finding);
/* Whether its repair saves time, even if what it costs is memory.  */
static inline bool
advise_finding_saves_time (const struct advise_finding *finding)
{
  return finding->measure == ADVISE_TIME || finding->is_predicted;
}
/* What the run could gain, as far as that is known: at most, if nothing is
   predicted.  */
static inline double
advise_finding_gain (const struct advise_finding *finding)
{
  return finding->is_predicted ? finding->gain : finding->share;
}

/* The line, or the function of code without lines, as dg whatif takes it; NULL
   if nothing is known.  To be freed.  */
char *advise_code_where (const struct advise_code *code);

/* ---- Words of sentences; all to be freed ------------------------------- */

/* "main (a.c:12)".  */
char *advise_code_text (const struct advise_code *code);
/* "struct particle of main (a.c:9)", "table"; "memory" if it is unknown
   (NULL).  */
char *advise_memory_text (const char *memory,
                          const struct advise_object *object);
char *advise_count_text (uint64_t count);
char *advise_bytes_text (uint64_t bytes);
char *advise_percent_text (double share);
/* What shares are of.  */
const char *advise_measure_text (enum advise_measure measure);

/* "struct item": the type of an object, or of the elements of an array; NULL:
   it is not known.  To be freed.  */
char *advise_type_where (const struct advise_object *object);
/* "item:x,y": all of these fields, as dg whatif takes them; NULL if there are
   none, or the type is not known.  */
char *advise_fields_where (const struct advise_object *object, double least,
                           double most);
/* The memory as dg whatif takes it; NULL: it is not known.  */
char *advise_memory_where (const char *memory);
/* The names of fields whose share of visits is from `least` to `most`, or of
   those that are never touched (`most` below 0); *bytes receives their bytes
   (NULL: not needed).  NULL if there are none.  */
char *advise_fields_text (const struct advise_object *object, double least,
                          double most, uint32_t *bytes);

#endif /* DG_ADVISE_FINDING_H */
