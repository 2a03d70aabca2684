/* symbols_debug.c: functions, inlined calls and lines from DWARF.

   A unit's functions are indexed when one of its addresses is first asked,
   the inlined calls of a function when one of its own is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_debug.h"
#include "symbols_dies.h"
#include "symbols_innermost.h"
#include "symbols_table.h"
#include "base/bisect.h"
#include "base/compare.h"

#include <string.h>

/* Deeper nesting is damaged or of no use.  */
#define MAX_DEPTH 200
#define MAX_INLINED 60

/* A call that is inlined in a function.  */
struct call {
  Dwarf_Die die;
  uint32_t around; /* the one that it is in, or NONE */
};

/* All of one function.  */
struct calls {
  GArray *all;     /* struct call */
  GArray *pieces;  /* struct dg_piece */
};

#define NONE UINT32_MAX

struct unit {
  Dwarf_Die lines;   /* has the line table */
  Dwarf_Die tree;    /* has the functions: another with split DWARF */
  const char *dir;   /* of the compilation, or NULL */
  GArray *functions; /* Dwarf_Die */
  GArray *ranges;    /* struct dg_interval of them, while they are gathered */
  GArray *pieces;    /* struct dg_piece */
  const char *last;  /* the furthest DIE that was looked at for them */
};

struct unit_range {
  Dwarf_Addr low, high;
  Dwarf_Die die;
};

static void
free_unit (gpointer data)
{
  struct unit *unit = data;

  g_array_unref (unit->functions);
  g_array_unref (unit->pieces);
  g_free (unit);
}

static void
free_calls (gpointer data)
{
  struct calls *calls = data;

  g_array_unref (calls->all);
  g_array_unref (calls->pieces);
  g_free (calls);
}

/* Takes the addresses of a DIE as intervals.  Those that touch are one: an
   interval within it must not begin before a part of it.  */
static void
add_ranges (GArray *intervals, Dwarf_Die *die, uint32_t rank, uint32_t id)
{
  Dwarf_Addr base, low, high;
  guint first = intervals->len;
  ptrdiff_t at = 0;

  while ((at = dwarf_ranges (die, at, &base, &low, &high)) > 0) {
    struct dg_interval item = {low, high, rank, id};
    struct dg_interval *last =
      intervals->len > first ? &g_array_index (intervals, struct dg_interval,
                                               intervals->len - 1)
                             : NULL;

    if (high <= low)
      continue;
    if (last != NULL && last->high == low)
      last->high = high;
    else
      g_array_append_val (intervals, item);
  }
}

DG_COMPARE_BY (compare_ranges, struct unit_range, low)

static void
add_function (struct unit *unit, Dwarf_Die *die)
{
  add_ranges (unit->ranges, die, 0, unit->functions->len);
  g_array_append_vals (unit->functions, die, 1);
}

/* Functions stand within namespaces and classes, and in some languages
   within each other.  */
static void
add_functions_below (struct unit *unit, Dwarf_Die *parent, int depth)
{
  Dwarf_Die die;

  if (depth > MAX_DEPTH || !dg_die_child (parent, &die))
    return;
  do {
    /* Only forward, or it is damaged.  */
    if ((const char *) die.addr <= unit->last)
      return;
    unit->last = die.addr;
    switch (dwarf_tag (&die)) {
    case DW_TAG_subprogram:
      add_function (unit, &die);
      add_functions_below (unit, &die, depth + 1);
      break;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_lexical_block:
      add_functions_below (unit, &die, depth + 1);
      break;
    default:
      break;
    }
  } while (dg_die_next (&die));
}

static struct unit *
make_unit (Dwarf_Die *die)
{
  struct unit *unit = g_new0 (struct unit, 1);
  Dwarf_Attribute attribute;
  uint8_t unit_type = 0;
  Dwarf_Die split;

  unit->lines = *die;
  unit->tree = *die;
  memset (&split, 0, sizeof split);
  if (dwarf_cu_info (die->cu, NULL, &unit_type, NULL, &split, NULL, NULL, NULL)
        == 0
      && unit_type == DW_UT_skeleton && dwarf_tag (&split) > 0)
    unit->tree = split;
  unit->dir = dwarf_formstring (dwarf_attr (die, DW_AT_comp_dir, &attribute));
  unit->functions = g_array_new (FALSE, FALSE, sizeof (Dwarf_Die));
  unit->ranges = g_array_new (FALSE, FALSE, sizeof (struct dg_interval));
  add_functions_below (unit, &unit->tree, 0);
  unit->pieces =
    dg_innermost_new ((struct dg_interval *) (void *) unit->ranges->data,
                      unit->ranges->len);
  g_clear_pointer (&unit->ranges, g_array_unref);
  return unit;
}

static void
index_units (struct dg_object *object)
{
  Dwarf_Die *die = NULL;
  Dwarf_Addr bias;

  object->unit_ranges = g_array_new (FALSE, FALSE, sizeof (struct unit_range));
  while ((die = dwfl_module_nextcu (object->module, die, &bias)) != NULL) {
    struct unit_range range = {.die = *die};
    Dwarf_Addr base;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges (die, at, &base, &range.low, &range.high)) > 0)
      if (range.high > range.low)
        g_array_append_val (object->unit_ranges, range);
  }
  g_array_sort (object->unit_ranges, compare_ranges);
}

static bool
has_code (Dwarf_Die *die)
{
  return dwarf_hasattr (die, DW_AT_low_pc)
         || dwarf_hasattr (die, DW_AT_ranges);
}

/* The unit over an address, by the units' own ranges.  libdwfl's search goes
   by .debug_aranges, which not all compilers write, and takes a gap between
   two units for a part of the first; it is asked only for units that have no
   ranges.  */
static Dwarf_Die *
find_unit_die (struct dg_object *object, uint64_t address, Dwarf_Addr *bias)
{
  guint low;
  Dwarf_Die *die;

  if (dwfl_module_getdwarf (object->module, bias) == NULL)
    return NULL;
  if (object->unit_ranges == NULL)
    index_units (object);
  low =
    DG_BISECT (0, object->unit_ranges->len, i,
               g_array_index (object->unit_ranges, struct unit_range, i).low
                 <= address - *bias);
  if (low > 0) {
    struct unit_range *range =
      &g_array_index (object->unit_ranges, struct unit_range, low - 1);
    if (address - *bias < range->high)
      return &range->die;
  }
  die = dwfl_module_addrdie (object->module, address, bias);
  return die != NULL && !has_code (die) ? die : NULL;
}

static struct unit *
find_unit (struct dg_object *object, uint64_t address, Dwarf_Addr *bias)
{
  Dwarf_Die *die = find_unit_die (object, address, bias);
  struct unit *unit;

  if (die == NULL)
    return NULL;
  if (object->units == NULL)
    object->units = g_hash_table_new_full (NULL, NULL, NULL, free_unit);
  unit = g_hash_table_lookup (object->units, die->cu);
  if (unit == NULL) {
    unit = make_unit (die);
    g_hash_table_insert (object->units, die->cu, unit);
  }
  return unit;
}

static Dwarf_Die *
find_function (const struct unit *unit, Dwarf_Addr pc)
{
  uint32_t id = dg_innermost_find (unit->pieces, pc);

  return id != NONE ? &g_array_index (unit->functions, Dwarf_Die, id) : NULL;
}

/* ---- Inlined calls ---------------------------------------------------- */

/* A walk through a function.  */
struct gathering {
  GArray *all, *intervals;
  const char *last; /* the furthest DIE that was looked at */
};

/* around: the call that `parent` is or is in; n: how many are around it.  */
static void
gather_calls (struct gathering *gathering, Dwarf_Die *parent, uint32_t around,
              uint32_t n, int depth)
{
  Dwarf_Die die;

  if (depth > MAX_DEPTH || n >= MAX_INLINED || !dg_die_child (parent, &die))
    return;
  do {
    int tag = dwarf_tag (&die);

    if ((const char *) die.addr <= gathering->last)
      return;
    gathering->last = die.addr;
    if (tag == DW_TAG_inlined_subroutine) {
      struct call call = {die, around};
      uint32_t id = gathering->all->len;

      add_ranges (gathering->intervals, &die, n, id);
      g_array_append_val (gathering->all, call);
      gather_calls (gathering, &die, id, n + 1, depth + 1);
    } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block
               || tag == DW_TAG_catch_block) {
      gather_calls (gathering, &die, around, n, depth + 1);
    }
  } while (dg_die_next (&die));
}

static const struct calls *
calls_of (struct dg_object *object, Dwarf_Die *function)
{
  struct calls *calls;
  struct gathering gathering = {.last = NULL};

  if (object->calls == NULL)
    object->calls = g_hash_table_new_full (NULL, NULL, NULL, free_calls);
  calls = g_hash_table_lookup (object->calls, function->addr);
  if (calls != NULL)
    return calls;
  gathering.all = g_array_new (FALSE, FALSE, sizeof (struct call));
  gathering.intervals =
    g_array_new (FALSE, FALSE, sizeof (struct dg_interval));
  gather_calls (&gathering, function, NONE, 0, 0);
  calls = g_new (struct calls, 1);
  calls->all = gathering.all;
  calls->pieces = dg_innermost_new (
    (struct dg_interval *) (void *) gathering.intervals->data,
    gathering.intervals->len);
  g_array_unref (gathering.intervals);
  g_hash_table_insert (object->calls, function->addr, calls);
  return calls;
}

/* The inlined calls around pc, innermost first.  */
struct chain {
  Dwarf_Die dies[MAX_INLINED];
  size_t n;
};

static void
find_chain (struct dg_object *object, Dwarf_Die *function, Dwarf_Addr pc,
            struct chain *chain)
{
  const struct calls *calls = calls_of (object, function);
  uint32_t id = dg_innermost_find (calls->pieces, pc);

  while (id != NONE && chain->n < MAX_INLINED) {
    const struct call *call = &g_array_index (calls->all, struct call, id);

    chain->dies[chain->n++] = call->die;
    id = call->around;
  }
}

/* The declaration that an instance of a function goes back to: that one
   stands within its namespaces and classes.  */
static Dwarf_Die
declaration_of (const Dwarf_Die *instance)
{
  static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
  Dwarf_Die die = *instance;
  bool followed = true;

  for (int steps = 0; followed && steps < 8; steps++) {
    followed = false;
    for (size_t i = 0; i < G_N_ELEMENTS (links) && !followed; i++) {
      Dwarf_Attribute attribute;
      Dwarf_Die next;

      if (dwarf_formref_die (dwarf_attr (&die, links[i], &attribute), &next)
          != NULL) {
        die = next;
        followed = true;
      }
    }
  }
  return die;
}

/* For functions without a mangled name, which are those that no other file
   can call: the name with its scopes, as far as the language has any.  */
static const char *
qualified_name (struct dg_object *object, struct dg_names *names,
                Dwarf_Die *instance)
{
  const char *plain = dwarf_diename (instance), *result;
  Dwarf_Die die = declaration_of (instance);
  GString *text;

  if (plain == NULL || dg_die_is_c (object, &die))
    return dg_names_symbol (names, plain);
  text = g_string_new (NULL);
  dg_die_append_scopes (object, text, &die);
  g_string_append (text, plain);
  result = dg_names_intern (names, text->str);
  g_string_free (text, TRUE);
  return result;
}

static const char *
linkage_name (Dwarf_Die *die)
{
  static const unsigned linkage[] = {DW_AT_linkage_name,
                                     DW_AT_MIPS_linkage_name};

  for (size_t i = 0; i < G_N_ELEMENTS (linkage); i++) {
    Dwarf_Attribute attribute;
    const char *name =
      dwarf_formstring (dwarf_attr_integrate (die, linkage[i], &attribute));

    /* Others are the linker's name of a C function, not the source's.  */
    if (name != NULL && name[0] == '_' && name[1] != '\0'
        && strchr ("ZRD", name[1]) != NULL)
      return name;
  }
  return NULL;
}

/* Cached by the DIE: one function is inlined in many places.  */
static const char *
function_name (struct dg_object *object, struct dg_names *names,
               Dwarf_Die *die)
{
  const char *name = linkage_name (die);
  Dwarf_Die declaration;

  if (name != NULL)
    return dg_names_symbol (names, name);
  declaration = declaration_of (die);
  if (object->functions == NULL)
    object->functions = g_hash_table_new (NULL, NULL);
  name = g_hash_table_lookup (object->functions, declaration.addr);
  if (name == NULL) {
    name = qualified_name (object, names, die);
    g_hash_table_insert (object->functions, declaration.addr, (gpointer) name);
  }
  return name;
}

/* The name of a function that stands for itself: its symbol may be better
   known than its name in the source, such as malloc for __libc_malloc.  */
static const char *
whole_function_name (struct dg_object *object, struct dg_names *names,
                     Dwarf_Die *die, Dwarf_Addr bias)
{
  const char *name = function_name (object, names, die), *better;
  Dwarf_Addr entry;

  if (dwarf_entrypc (die, &entry) != 0)
    return name;
  better = dg_symtab_public (object, entry + bias, name);
  return better != NULL ? dg_names_symbol (names, better) : name;
}

static void
set_line (struct unit *unit, struct dg_names *names, Dwarf_Addr pc,
          struct dg_frame *frame)
{
  Dwarf_Line *line = dwarf_getsrc_die (&unit->lines, pc);
  bool is_end;
  int number;

  /* In the gap behind a piece of code, what is found is the piece's end.  */
  if (line == NULL || dwarf_lineendsequence (line, &is_end) != 0 || is_end)
    return;
  frame->file =
    dg_names_source (names, unit->dir, dwarf_linesrc (line, NULL, NULL));
  if (dwarf_lineno (line, &number) == 0 && number > 0)
    frame->line = (uint32_t) number;
  if (dwarf_linecol (line, &number) == 0 && number > 0)
    frame->column = (uint32_t) number;
}

/* Where `die`, an inlined call, was called from.  */
static void
set_call (struct unit *unit, struct dg_names *names, Dwarf_Die *die,
          struct dg_frame *frame)
{
  Dwarf_Attribute attribute;
  Dwarf_Word number;
  Dwarf_Files *files;
  size_t n_files;

  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_line, &attribute), &number)
        == 0
      && number <= UINT32_MAX)
    frame->line = (uint32_t) number;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_column, &attribute),
                       &number) == 0
      && number <= UINT32_MAX)
    frame->column = (uint32_t) number;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_file, &attribute), &number)
        == 0
      && dwarf_getsrcfiles (&unit->tree, &files, &n_files) == 0
      && number < n_files)
    frame->file = dg_names_source (names, unit->dir,
                                   dwarf_filesrc (files, number, NULL, NULL));
}

size_t
dg_debug_frames (struct dg_object *object, struct dg_names *names,
                 uint64_t address, struct dg_frame *out, size_t max)
{
  struct chain chain;
  struct unit *unit;
  Dwarf_Addr bias = 0;
  Dwarf_Die *function;
  size_t n = 0;

  if (dg_object_module (object) == NULL)
    return 0;
  unit = find_unit (object, address, &bias);
  if (unit == NULL)
    return 0;
  chain.n = 0;
  function = find_function (unit, address - bias);
  if (function != NULL)
    find_chain (object, function, address - bias, &chain);
  memset (out, 0, max * sizeof *out);
  set_line (unit, names, address - bias, &out[0]);
  for (; n < chain.n && n < max; n++) {
    out[n].function = function_name (object, names, &chain.dies[n]);
    out[n].inlined = true;
    if (n + 1 < max)
      set_call (unit, names, &chain.dies[n], &out[n + 1]);
  }
  if (n < max) {
    if (function != NULL)
      out[n].function = whole_function_name (object, names, function, bias);
    n++;
  }
  return n;
}

size_t
dg_debug_scopes (struct dg_object *object, uint64_t address, Dwarf_Die *out,
                 size_t max, uint64_t *pc)
{
  struct chain chain = {.n = 0};
  struct unit *unit;
  Dwarf_Addr bias = 0;
  Dwarf_Die *function;
  size_t n = 0;

  if (max == 0 || dg_object_module (object) == NULL)
    return 0;
  unit = find_unit (object, address, &bias);
  if (unit == NULL)
    return 0;
  *pc = address - bias;
  function = find_function (unit, *pc);
  if (function == NULL)
    return 0;
  find_chain (object, function, *pc, &chain);
  out[n++] = *function;
  for (size_t i = chain.n; i > 0 && n < max; i--)
    out[n++] = chain.dies[i - 1];
  return n;
}

size_t
dg_debug_scopes_whole (struct dg_object *object, uint64_t address,
                       Dwarf_Die *out, size_t max, uint64_t *pc)
{
  return dg_object_whole (object)
           ? dg_debug_scopes (object, address, out, max, pc)
           : 0;
}

bool
dg_debug_unit (struct dg_object *object, uint64_t address, Dwarf_Die *out)
{
  Dwarf_Addr bias = 0;
  const Dwarf_Die *die = dg_object_module (object) != NULL
                           ? find_unit_die (object, address, &bias)
                           : NULL;

  if (die != NULL)
    *out = *die;
  return die != NULL;
}
