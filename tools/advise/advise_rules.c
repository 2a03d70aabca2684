/* advise_rules.c: the table of rules, with their thresholds, and how they are
   applied.

   Every rule has programs in tests/record/advise that it must name, and
   repaired ones about which it must be silent.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_rules.h"

#include <string.h>

static const struct advise_rule rules[] = {
  {"false-sharing", "False sharing",
   "Threads write different bytes of a cache line, by what dg sharing "
   "--false estimates; not if most transfers are those of variables that "
   "several threads use.",
   "dg sharing --false", ADVISE_TIME, 0.05, advise_false_sharing, true},
  {"contention", "A variable that several threads write",
   "Several threads write a variable: at least one access in 50 is by "
   "another thread than the busiest one, and they could have run in "
   "parallel.",
   "dg sharing --false --by=line", ADVISE_TIME, 0.05, advise_contention, true},
  {"regrowth", "A block that grows in small steps",
   "Blocks in the place of smaller ones whose content they take over, by "
   "realloc or by hand: in all eight times the final size or more.",
   "dg allocs history", ADVISE_TIME, 0.05, advise_regrowth, true,
   "fewer cycles if the block has its last size from the start"},
  {"conflict", "Misses by conflicts in the cache",
   "At least half of the D1 misses of a line of code would not occur in a "
   "fully associative cache of the same size.",
   "dg cache --by=line, dg reuse --by=line", ADVISE_TIME, 0.05,
   advise_conflict},
  {"sparse-walk", "A walk that uses a part of each line",
   "A walk with a stride of at least half a cache line that uses at most "
   "half of the lines it fetches, and of each object.",
   "dg patterns, dg cache --by=line", ADVISE_TIME, 0.05, advise_sparse_walk},
  {"column-walk", "A walk across the rows",
   "Steps of two cache lines or more that are not those of an object, and "
   "use at most half of the lines that they fetch; or a fifth of the time of "
   "the run, where the caches keep the lines.",
   "dg patterns, dg cache --by=line", ADVISE_TIME, 0.05, advise_column_walk},
  {"pointer-chasing", "Pointers that are followed one by one",
   "Each address is loaded by the access before, and one access in ten "
   "misses D1.",
   "dg patterns, dg cache --by=line", ADVISE_TIME, 0.05,
   advise_pointer_chasing},
  {"random-access", "Accesses in no order",
   "Addresses without a stride, one access in ten misses D1, and a quarter "
   "of each line at least is not used.",
   "dg patterns, dg cache --by=line", ADVISE_TIME, 0.05, advise_random_access},
  {"rewalk", "Data that is walked again when the cache has lost it",
   "Walks whose accesses were made before, but the last level has lost the "
   "data since.",
   "dg reuse --by=line, dg cache --by=line", ADVISE_TIME, 0.10, advise_rewalk},
  {"hot-cold", "Fields that are used often beside some that are not",
   "Fields in more than half of the visits to an object lie beside as many "
   "bytes that are in less than one of twenty.",
   "dg patterns", ADVISE_TIME, 0.05, advise_hot_cold},
  {"far-fields", "Fields that are used together lie in different lines",
   "Fields that are used together lie in different cache lines, of objects "
   "of a known type that are visited in no order.",
   "dg patterns", ADVISE_TIME, 0.03, advise_far_fields},
  {"unused-fields", "Fields that are never used",
   "Fields that are not read or written in any object of an allocation "
   "site, of types that are not the C++ library's.",
   "dg patterns", ADVISE_MEMORY, 0.05, advise_unused_fields},
  {"padding", "Padding in a structure",
   "A fifth of a structure is padding that another order of its fields saves.",
   "dg patterns", ADVISE_MEMORY, 0.05, advise_padding},
  {"accumulator", "A sum that is kept in memory",
   "A line of code reads and writes one address each time, but not "
   "atomically.",
   "dg patterns", ADVISE_TIME, 0.10, advise_accumulator},
  {"store-forward", "Loads of more than was just stored",
   "A line of code loads bytes of which an earlier store wrote a part, and "
   "waits until that is in the cache.",
   "dg time --by=line", ADVISE_TIME, 0.05, advise_store_forward},
  {"aliasing", "Loads that lie 4096 bytes from what was just stored",
   "The last 12 bits of an address that is loaded are those of a store just "
   "before, which some processors take for the same; only if --machine is one "
   "of these.",
   "dg time --by=line --machine=NAME", ADVISE_TIME, 0.05, advise_aliasing,
   false, "fewer cycles if no load waits for such a store"},
  {"mispredicted", "Branches that follow no order",
   "One in ten of the branches of a line of code goes another way than the "
   "processor predicts.",
   "dg branches --by=line", ADVISE_TIME, 0.10, advise_mispredicted},
  {"byte-walk", "Data that is processed byte by byte",
   "Single bytes, one after the other, with two to 13 instructions for "
   "each, and nothing that is looked up by them.",
   "dg patterns", ADVISE_TIME, 0.15, advise_byte_walk},
  {"small-calls", "Many calls of a small function",
   "A function that calls no other, with at most 12 instructions for each "
   "call.",
   "dg calls", ADVISE_TIME, 0.10, advise_small_calls, false,
   "fewer cycles: 3 for each call with its return"},
  {"string-scan", "Strings that are searched again and again",
   "Calls of strlen, strchr, strcat and the like.",
   "dg calls --edges", ADVISE_TIME, 0.10, advise_string_scan},
  {"copying", "Much copying",
   "A quarter of all accesses are those of memcpy, memmove, strcpy and the "
   "like, or of a line that copies by instructions made for that.",
   "dg calls --edges", ADVISE_TIME, 0.10, advise_copying},
  {"code-misses", "Code that does not fit the instruction cache",
   "The program's own code misses the instruction cache, for the most part"
   " where it ran before.",
   "dg cache --by=function", ADVISE_TIME, 0.10, advise_code_misses},
  {"temporary", "Blocks that live for a moment",
   "Blocks that are freed after less than a hundredth of the run, few at a "
   "time.",
   "dg heap --sites", ADVISE_TIME, 0.10, advise_temporary, true,
   "fewer cycles if these calls of malloc and free are not made"},
  {"never-freed", "Blocks that are never freed",
   "Eight blocks or more of an allocation site are live at the end, and "
   "were not used in the last tenth of the run.",
   "dg allocs leaks", ADVISE_MEMORY, 0.02, advise_never_freed},
  {"untouched", "Memory that is never touched",
   "Half of the bytes of an allocation site, in blocks of less than 128 "
   "KiB, are not read or written.",
   "dg heap --untouched", ADVISE_MEMORY, 0.05, advise_untouched},
  {"write-only", "Memory that is written and never read",
   "Half of the blocks of an allocation site are written, for the most "
   "part, and not read.",
   "dg heap --sites", ADVISE_MEMORY, 0.05, advise_write_only},
  {"small-blocks", "Many small blocks",
   "Thousand live blocks of at most 32 bytes, for which malloc takes half of "
   "their size or more in addition.",
   "dg heap --sites", ADVISE_MEMORY, 0.10, advise_small_blocks}};

const struct advise_rule *
advise_rules (size_t *n)
{
  *n = G_N_ELEMENTS (rules);
  return rules;
}

/* Bytes or cycles of the run.  */
static double
whole (const struct advise_search *search, const struct advise_rule *rule)
{
  return rule->measure == ADVISE_TIME
           ? search->facts->cycles : (double) search->facts->heap_bytes;
}

const struct advise_finding *
advise_search_find (const struct advise_search *search, const char *rule,
                    const char *memory, const char *function)
{
  for (guint i = 0; i < search->found->len; i++) {
    const struct advise_finding *found = search->found->pdata[i];

    if (strcmp (found->rule, rule) == 0
        && (memory == NULL || g_strcmp0 (found->memory, memory) == 0)
        && (function == NULL
            || g_strcmp0 (found->code.function, function) == 0))
      return found;
  }
  return NULL;
}

bool
advise_search_is_enough (const struct advise_search *search,
                         const struct advise_rule *rule, double amount)
{
  /* A prediction may show that less than this is worth while.  */
  double least = rule->measure == ADVISE_TIME ? rule->least / 2 : rule->least;

  return amount > 0 && amount >= least * whole (search, rule);
}

bool
advise_search_take (struct advise_search *search,
                    const struct advise_rule *rule,
                    struct advise_finding *finding, double amount)
{
  finding->least = rule->least;
  finding->is_minor = amount < rule->least * whole (search, rule);
  if (!advise_search_is_enough (search, rule, amount)
      || (finding->is_minor && finding->changes->len == 0)) {
    advise_finding_free (finding);
    return false;
  }
  finding->rule = rule->name;
  finding->title = rule->title;
  finding->evidence = rule->evidence;
  finding->measure = rule->measure;
  finding->amount = amount;
  /* What is not part of the estimate is added to it.  */
  finding->share = amount / (whole (search, rule) + rule->beyond * amount);
  finding->share = MIN (1, finding->share);
  if (rule->saved != NULL)
    advise_finding_predict (finding, finding->share, rule->saved);
  g_ptr_array_add (search->found, finding);
  return !finding->is_minor;
}

static int
compare_findings (const void *a, const void *b)
{
  const struct advise_finding *x = *(struct advise_finding *const *) a;
  const struct advise_finding *y = *(struct advise_finding *const *) b;

  if (advise_finding_saves_time (x) != advise_finding_saves_time (y))
    return advise_finding_saves_time (x) ? -1 : 1;
  if (advise_finding_gain (x) != advise_finding_gain (y))
    return advise_finding_gain (x) > advise_finding_gain (y) ? -1 : 1;
  return strcmp (x->text, y->text);
}

void
advise_rules_sort (GPtrArray *found)
{
  g_ptr_array_sort (found, compare_findings);
}

GPtrArray *
advise_rules_apply (const struct advise_facts *facts)
{
  struct advise_search search = {
    .facts = facts,
    .found = g_ptr_array_new_with_free_func (advise_finding_free),
    .explained = g_hash_table_new (NULL, NULL)};

  for (size_t i = 0; i < G_N_ELEMENTS (rules); i++)
    rules[i].apply (&rules[i], &search);
  advise_rules_sort (search.found);
  g_hash_table_unref (search.explained);
  return search.found;
}
