/* advise_rules.h: the rules that findings come from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_RULES_H
#define DG_ADVISE_RULES_H

#include "advise_finding.h"

struct advise_rule;

/* What is searched, and what was found.  */
struct advise_search {
  const struct advise_facts *facts;
  GPtrArray *found;        /* struct advise_finding */
  GHashTable *explained;   /* lines that an earlier rule has named: a set */
};

struct advise_rule {
  const char *name;        /* "sparse-walk", as in --json */
  const char *title;
  const char *what;        /* when it applies, as in its manual page */
  const char *evidence;    /* commands of dg that show more */
  enum advise_measure measure;
  double least;            /* share of the measure below which it is silent */
  void (*apply) (const struct advise_rule *rule, struct advise_search *search);
  bool beyond;             /* its amount is not part of the estimate */
  const char *saved;       /* what its repairs save, if that is the share;
                              NULL: it is not */
};

/* All rules, in the order in which they are applied; *n receives their
   number.  */
const struct advise_rule *advise_rules (size_t *n);

/* Applies all rules: findings, the most costly first, time before memory.  To
   be unreffed.  */
GPtrArray *advise_rules_apply (const struct advise_facts *facts);

/* Sorts them again by what they gain.  */
void advise_rules_sort (GPtrArray *found);

/* For rules: takes the finding, with its amount in cycles or bytes, or drops
   it if that is less than the rule's least; it need be half of it only if a
   repair can be predicted (is_minor).  Whether it is taken, and not minor.  */
bool advise_search_take (struct advise_search *search,
                         const struct advise_rule *rule,
                         struct advise_finding *finding, double amount);
/* An earlier finding of a rule about that memory, or in that function; NULL:
   any.  NULL: there is none.  */
const struct advise_finding *
advise_search_find (const struct advise_search *search, const char *rule,
                    const char *memory, const char *function);
/* Whether the amount is enough, before sentences are made.  */
bool advise_search_is_enough (const struct advise_search *search,
                              const struct advise_rule *rule, double amount);

/* advise_walk.c: order of accesses.  */
void advise_conflict (const struct advise_rule *, struct advise_search *);
void advise_sparse_walk (const struct advise_rule *, struct advise_search *);
void advise_column_walk (const struct advise_rule *, struct advise_search *);
void advise_pointer_chasing (const struct advise_rule *,
                             struct advise_search *);
void advise_random_access (const struct advise_rule *,
                           struct advise_search *);
void advise_rewalk (const struct advise_rule *, struct advise_search *);
/* advise_layout.c: structures.  */
void advise_unused_fields (const struct advise_rule *,
                           struct advise_search *);
void advise_padding (const struct advise_rule *, struct advise_search *);
void advise_hot_cold (const struct advise_rule *, struct advise_search *);
void advise_far_fields (const struct advise_rule *, struct advise_search *);
/* advise_threads.c  */
void advise_false_sharing (const struct advise_rule *,
                           struct advise_search *);
void advise_contention (const struct advise_rule *, struct advise_search *);
/* advise_code.c: instructions.  */
void advise_accumulator (const struct advise_rule *, struct advise_search *);
void advise_mispredicted (const struct advise_rule *, struct advise_search *);
void advise_aliasing (const struct advise_rule *, struct advise_search *);
void advise_store_forward (const struct advise_rule *, struct advise_search *);
void advise_byte_walk (const struct advise_rule *, struct advise_search *);
void advise_small_calls (const struct advise_rule *, struct advise_search *);
void advise_code_misses (const struct advise_rule *, struct advise_search *);
/* advise_library.c: functions of the C library.  */
void advise_string_scan (const struct advise_rule *, struct advise_search *);
void advise_copying (const struct advise_rule *, struct advise_search *);
/* advise_heap.c: blocks.  */
void advise_never_freed (const struct advise_rule *, struct advise_search *);
void advise_untouched (const struct advise_rule *, struct advise_search *);
void advise_write_only (const struct advise_rule *, struct advise_search *);
void advise_temporary (const struct advise_rule *, struct advise_search *);
void advise_small_blocks (const struct advise_rule *, struct advise_search *);
void advise_regrowth (const struct advise_rule *, struct advise_search *);

#endif /* DG_ADVISE_RULES_H */
