/* symbols_heap.c: the type of heap blocks, by the code that allocates them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_heap.h"

#include "symbols.h"
#include "symbols_dies.h"
#include "symbols_debug.h"
#include "symbols_types.h"

#include <string.h>

#define MOST_SCOPES 16
/* DIEs that one question looks at.  */
#define BUDGET 20000

/* What fits, in one round of the search.  */
struct round {
  struct dg_object *object;
  uint64_t size, unit;
  bool one;                /* just one of a type, else several */
  unsigned *budget;
  Dwarf_Die found;
  char *name;              /* of it; NULL: nothing yet */
  bool is_ambiguous;
  GArray *structs;         /* Dwarf_Die: what pointers led to */
};

static bool
is_aggregate (int tag)
{
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type
         || tag == DW_TAG_union_type;
}

static bool
fits (const struct round *round, Dwarf_Die *type)
{
  uint64_t size;

  if (!dg_die_size (round->object, type, &size) || size < 2)
    return false;
  if (round->one)
    return size == round->size;
  return round->size > 0
           ? round->size % size == 0 && round->size / size > 1
           : round->unit % size == 0 && size >= 8;
}

static void
consider (struct round *round, Dwarf_Die *type, bool is_struct)
{
  GString *name;

  if (round->structs != NULL && is_struct)
    g_array_append_vals (round->structs, type, 1);
  /* Any number of bytes is an array of something that is not a struct; then it
     is not told that it is one of structs.  */
  if (is_struct ? !fits (round, type) : round->one)
    return;
  name = g_string_new (NULL);
  dg_die_append_type (round->object, name, type);
  if (round->name == NULL) {
    round->name = g_string_free (name, FALSE);
    round->found = *type;
  } else {
    round->is_ambiguous =
      round->is_ambiguous || strcmp (round->name, name->str) != 0;
    g_string_free (name, TRUE);
  }
}

/* A type that may be a pointer.  */
static void
consider_pointer (struct round *round, const Dwarf_Die *given)
{
  Dwarf_Die type = *given, target, peeled;
  int tag = dg_die_peel (round->object, &type);

  if ((tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type)
      || !dg_die_follow (&type, DW_AT_type, &target))
    return;
  peeled = target;
  tag = dg_die_peel (round->object, &peeled);
  if (is_aggregate (tag))
    consider (round, dwarf_diename (&peeled) != NULL ? &peeled : &target,
              true);
  else if (tag == DW_TAG_base_type || tag == DW_TAG_pointer_type
           || tag == DW_TAG_enumeration_type)
    consider (round, &peeled, false);
}

/* The variables of a scope and of the blocks in it that are around pc.  */
static void
consider_variables (struct round *round, Dwarf_Die *scope, Dwarf_Addr pc,
                    int depth)
{
  Dwarf_Die die, type;

  if (depth > DG_DIE_DEPTH || !dg_die_child (scope, &die))
    return;
  do {
    int tag = dwarf_tag (&die);

    if (*round->budget == 0 || --*round->budget == 0)
      return;
    if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) {
      if (dg_die_follow (&die, DW_AT_type, &type))
        consider_pointer (round, &type);
    } else if (tag == DW_TAG_lexical_block && dwarf_haspc (&die, pc) != 0) {
      consider_variables (round, &die, pc, depth + 1);
    }
  } while (dg_die_next (&die));
}

static void
consider_members (struct round *round, Dwarf_Die *aggregate)
{
  Dwarf_Die die, type;

  if (!dg_die_child (aggregate, &die))
    return;
  do {
    if (*round->budget == 0 || --*round->budget == 0)
      return;
    if (dwarf_tag (&die) == DW_TAG_member
        && dg_die_follow (&die, DW_AT_type, &type))
      consider_pointer (round, &type);
  } while (dg_die_next (&die));
}

/* The variables of the source file.  */
static void
consider_file (struct round *round, Dwarf_Die *scope)
{
  Dwarf_Die unit, die, type;
  Dwarf_Die from = *scope;

  if (dwarf_diecu (&from, &unit, NULL, NULL) == NULL
      || !dg_die_child (&unit, &die))
    return;
  do {
    if (*round->budget == 0 || --*round->budget == 0)
      return;
    if (dwarf_tag (&die) == DW_TAG_variable
        && dg_die_follow (&die, DW_AT_type, &type))
      consider_pointer (round, &type);
  } while (dg_die_next (&die));
}

/* ---- One function ----------------------------------------------------- */

/* Whether the function returns memory without saying what it is: void *.  */
static bool
is_giver (struct dg_object *object, Dwarf_Die *function)
{
  Dwarf_Die type, target;

  return dg_die_follow (function, DW_AT_type, &type)
         && dg_die_peel (object, &type) == DW_TAG_pointer_type
         && (!dg_die_follow (&type, DW_AT_type, &target)
             || dg_die_peel (object, &target) == 0);
}

/* Whether the search is over: something fits.  */
static bool
is_over (const struct round *round)
{
  return round->name != NULL;
}

/* Looks for what fits until a line of the search has something, or several
   things.  */
static void
search (struct round *round, Dwarf_Die *scope, Dwarf_Addr pc)
{
  GArray *structs = g_array_new (FALSE, FALSE, sizeof (Dwarf_Die));
  Dwarf_Die type;

  round->structs = structs;
  if (dg_die_follow (scope, DW_AT_type, &type))
    consider_pointer (round, &type);
  if (!is_over (round))
    consider_variables (round, scope, pc, 0);
  round->structs = NULL;
  if (!is_over (round))
    for (guint i = 0; i < structs->len; i++)
      consider_members (round, &g_array_index (structs, Dwarf_Die, i));
  if (!is_over (round))
    consider_file (round, scope);
  g_array_unref (structs);
}

/* Names what was found, if that is one type and a struct.  */
static enum dg_symbols_heap_answer
finish (struct round *round, Dwarf_Die *out)
{
  Dwarf_Die peeled = round->found;

  g_free (round->name);
  *out = round->found;
  return !round->is_ambiguous
             && is_aggregate (dg_die_peel (round->object, &peeled))
           ? DG_HEAP_TYPE
           : DG_HEAP_NOTHING;
}

/* ---- Rust --------------------------------------------------------------- */

/* All blocks come from functions of this library, generic in what they are
   for: Box<T>::new, RawVec<T>::grow_one; and it calls malloc by std.  */
static bool
is_of_rusts_alloc (struct dg_object *object, const Dwarf_Die *scope)
{
  GString *text = g_string_new (NULL);
  Dwarf_Die die = *scope;
  bool result;

  dg_die_append_scopes (object, text, &die);
  result = g_str_has_prefix (text->str, "alloc::")
           || g_str_has_prefix (text->str, "std::alloc::")
           || g_str_has_prefix (text->str, "std::sys::");
  g_string_free (text, TRUE);
  return result;
}

static void
consider_parameter (struct round *round, Dwarf_Die *function)
{
  Dwarf_Die die, type, origin = *function, next;

  /* Inlined calls have it where they come from.  */
  if (dg_die_follow (function, DW_AT_abstract_origin, &next))
    origin = next;
  if (!dg_die_child (&origin, &die))
    return;
  do {
    const char *name;

    if (*round->budget == 0 || --*round->budget == 0)
      return;
    if (dwarf_tag (&die) != DW_TAG_template_type_parameter
        || (name = dwarf_diename (&die)) == NULL || strcmp (name, "T") != 0
        || !dg_die_follow (&die, DW_AT_type, &type))
      continue;
    next = type;
    if (is_aggregate (dg_die_peel (round->object, &next)))
      consider (round, &type, true);
  } while (dg_die_next (&die));
}

/* Those of the library give to each other what they know nothing of; the
   first function outside has other pointers, too.  */
static enum dg_symbols_heap_answer
ask_rust (struct dg_object *object, Dwarf_Die *scopes, size_t n,
          uint64_t size, uint64_t unit, unsigned *budget, Dwarf_Die *out)
{
  for (size_t i = n; i-- > 0;) {
    struct round round = {.object = object, .size = size, .unit = unit,
                          .one = size > 0, .budget = budget};

    if (!is_of_rusts_alloc (object, &scopes[i]))
      return DG_HEAP_NOTHING;
    consider_parameter (&round, &scopes[i]);
    if (!is_over (&round) && round.one) {
      round.one = false;
      consider_parameter (&round, &scopes[i]);
    }
    if (is_over (&round))
      return finish (&round, out);
  }
  return DG_HEAP_OUTWARD;
}

/* Under the lock of the object.  */
static enum dg_symbols_heap_answer
ask (struct dg_object *object, uint64_t address, uint64_t size, uint64_t unit,
     Dwarf_Die *out)
{
  unsigned budget = BUDGET;
  Dwarf_Die scopes[MOST_SCOPES];
  uint64_t pc = 0;
  size_t n =
    dg_debug_scopes_whole (object, address, scopes, MOST_SCOPES, &pc);

  if (n == 0)
    return DG_HEAP_NOTHING;
  if (dg_die_is_rust (object, &scopes[0]))
    return ask_rust (object, scopes, n, size, unit, &budget, out);
  for (size_t i = n; i-- > 0;) {
    struct round round = {.object = object, .size = size, .unit = unit,
                          .one = size > 0, .budget = &budget};

    search (&round, &scopes[i], pc);
    if (!is_over (&round) && round.one) {
      round.one = false;
      search (&round, &scopes[i], pc);
    }
    if (is_over (&round))
      return finish (&round, out);
    if (!is_giver (object, &scopes[i]))
      return DG_HEAP_NOTHING;
  }
  return DG_HEAP_OUTWARD;
}

enum dg_symbols_heap_answer
dg_symbols_heap_type (struct dg_symbols *symbols, uint64_t site,
                      uint64_t icount, uint64_t size, uint64_t unit,
                      const struct dg_type **type)
{
  const struct dg_loaded *loaded = dg_symbols_loaded (symbols, site, icount);
  enum dg_symbols_heap_answer answer;
  Dwarf_Die die;

  *type = NULL;
  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return DG_HEAP_NOTHING;
  g_mutex_lock (&loaded->object->lock);
  answer = ask (loaded->object, site - loaded->bias, size, unit, &die);
  g_mutex_unlock (&loaded->object->lock);
  if (answer == DG_HEAP_TYPE) {
    *type = dg_type_of_die (symbols, loaded->object, &die);
    if (*type == NULL)
      answer = DG_HEAP_NOTHING;
  }
  return answer;
}

bool
dg_symbols_gives_memory (struct dg_symbols *symbols, uint64_t site,
                         uint64_t icount)
{
  const struct dg_loaded *loaded = dg_symbols_loaded (symbols, site, icount);
  Dwarf_Die scopes[MOST_SCOPES];
  uint64_t pc;
  bool gives = false;

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return false;
  g_mutex_lock (&loaded->object->lock);
  if (dg_debug_scopes_whole (loaded->object, site - loaded->bias, scopes,
                             MOST_SCOPES, &pc)
      > 0)
    gives = is_giver (loaded->object, &scopes[0]);
  g_mutex_unlock (&loaded->object->lock);
  return gives;
}
