/* symbols_trim.c: which units of debug information a log can ask for.

   Those whose code was executed or whose variables were accessed, and those
   that such refer to: by an offset, or by the name of a type that they only
   declare.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_trim.h"

#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "symbols_debug.h"
#include "symbols_dies.h"
#include "symbols_table.h"
#include "symbols_trim_parts.h"

#define LINE_BYTES 64
/* Larger debug information is not looked through.  */
#define LARGEST_INFO ((uint64_t) 512 << 20)

void
dg_trim_free (struct dg_trim *trim)
{
  if (trim == NULL)
    return;
  g_array_unref (trim->units);
  g_array_unref (trim->edges);
  g_array_unref (trim->declared);
  g_array_unref (trim->ranges);
  for (unsigned i = 0; i < DG_TRIM_SECTIONS; i++)
    g_array_unref (trim->refs[i]);
  g_free (trim);
}

static struct dg_trim_unit *
unit_at (const struct dg_trim *trim, guint i)
{
  return &g_array_index (trim->units, struct dg_trim_unit, i);
}

/* The unit that has a DIE at this offset; G_MAXUINT: none.  */
static guint
unit_of_offset (const struct dg_trim *trim, uint64_t offset)
{
  guint i = DG_BISECT (0, trim->units->len, k,
                       unit_at (trim, k)->start <= offset);

  return i > 0 && offset < unit_at (trim, i - 1)->end ? i - 1 : G_MAXUINT;
}

/* ---- What units refer to ---------------------------------------------- */

/* What is being looked at.  */
struct look {
  struct dg_trim *trim;
  guint unit;
  uint16_t version;
  bool for_strings;        /* only these */
  const char *last;        /* the furthest DIE so far */
};

static void
add_ref (struct look *look, enum dg_trim_section section, uint64_t offset)
{
  struct dg_trim_ref ref = {offset, look->unit};

  g_array_append_val (look->trim->refs[section], ref);
}

/* A place in another section, by what it is for.  */
static void
look_at_place (struct look *look, Dwarf_Attribute *attribute)
{
  Dwarf_Word offset;

  if (dwarf_formudata (attribute, &offset) != 0) {
    look->trim->is_strange = true;
    return;
  }
  switch (dwarf_whatattr (attribute)) {
  case DW_AT_stmt_list:
    add_ref (look, DG_TRIM_LINE, offset);
    break;
  case DW_AT_ranges:
    add_ref (look, look->version < 5 ? DG_TRIM_RANGES : DG_TRIM_RNGLISTS,
             offset);
    break;
  case DW_AT_location:
  case DW_AT_string_length:
  case DW_AT_return_addr:
  case DW_AT_data_member_location:
  case DW_AT_frame_base:
  case DW_AT_segment:
  case DW_AT_static_link:
  case DW_AT_use_location:
  case DW_AT_vtable_elem_location:
  case DW_AT_GNU_locviews:
    add_ref (look, look->version < 5 ? DG_TRIM_LOC : DG_TRIM_LOCLISTS,
             offset);
    break;
  case DW_AT_macros:
  case DW_AT_GNU_macros:
  case DW_AT_macro_info:
    break;
  default:
    look->trim->is_strange = true;
    break;
  }
}

static void
look_at_reference (struct look *look, Dwarf_Attribute *attribute)
{
  struct dg_trim_edge edge = {look->unit, G_MAXUINT};
  Dwarf_Die die;

  if (dwarf_formref_die (attribute, &die) != NULL)
    edge.to = unit_of_offset (look->trim, dwarf_dieoffset (&die));
  if (edge.to == G_MAXUINT)
    look->trim->is_strange = true;
  else if (edge.to != edge.from)
    g_array_append_val (look->trim->edges, edge);
}

static void
look_at_string (struct look *look, Dwarf_Attribute *attribute)
{
  const char *text = dwarf_formstring (attribute);

  if (text == NULL || look->trim->strings == NULL
      || text < look->trim->strings)
    look->trim->is_strange = true;
  else
    add_ref (look, DG_TRIM_STR, (uint64_t) (text - look->trim->strings));
}

static int
look_at_attribute (Dwarf_Attribute *attribute, void *user)
{
  struct look *look = user;
  unsigned form = dwarf_whatform (attribute);

  if (look->for_strings) {
    if (form == DW_FORM_strp)
      look_at_string (look, attribute);
    return DWARF_CB_OK;
  }
  switch (form) {
  case DW_FORM_sec_offset:
    look_at_place (look, attribute);
    break;
  case DW_FORM_ref_addr:
    look_at_reference (look, attribute);
    break;
  /* By tables that have bases, which would have to be understood.  */
  case DW_FORM_ref_sig8:
  case DW_FORM_indirect:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_strx:
  case DW_FORM_strx1:
  case DW_FORM_strx2:
  case DW_FORM_strx3:
  case DW_FORM_strx4:
  case DW_FORM_addrx:
  case DW_FORM_addrx1:
  case DW_FORM_addrx2:
  case DW_FORM_addrx3:
  case DW_FORM_addrx4:
  case DW_FORM_GNU_str_index:
  case DW_FORM_GNU_addr_index:
    look->trim->is_strange = true;
    break;
  default:
    break;
  }
  return DWARF_CB_OK;
}

/* A type that is declared may be defined in any unit.  */
static void
look_for_declared (struct look *look, Dwarf_Die *die)
{
  struct dg_trim_declared declared = {look->unit, *die};
  int tag = dwarf_tag (die);

  if (!look->for_strings
      && (tag == DW_TAG_structure_type || tag == DW_TAG_class_type
          || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type)
      && dwarf_hasattr (die, DW_AT_declaration))
    g_array_append_val (look->trim->declared, declared);
}

static void
look_at_die (struct look *look, Dwarf_Die *die, int depth)
{
  Dwarf_Die child;

  dwarf_getattrs (die, look_at_attribute, look, 0);
  look_for_declared (look, die);
  if (depth > DG_DIE_DEPTH) {
    look->trim->is_strange = true;
    return;
  }
  if (!dg_die_child (die, &child))
    return;
  do {
    /* Only forward, or it is damaged.  */
    if ((const char *) child.addr <= look->last) {
      look->trim->is_strange = true;
      return;
    }
    look->last = child.addr;
    look_at_die (look, &child, depth + 1);
  } while (dg_die_next (&child) && !look->trim->is_strange);
}

static void
look_at_unit (struct dg_trim *trim, guint i, bool for_strings)
{
  struct dg_trim_unit *unit = unit_at (trim, i);
  struct look look = {.trim = trim, .unit = i, .version = unit->version,
                      .for_strings = for_strings, .last = unit->die.addr};

  if (!for_strings)
    add_ref (&look, DG_TRIM_ABBREV, unit->abbrev);
  look_at_die (&look, &unit->die, 0);
}

/* ---- All units --------------------------------------------------------- */

static bool
add_units (struct dg_trim *trim)
{
  Dwarf_Off at = 0, next;
  struct dg_trim_unit unit = {.start = 0};
  uint8_t address_size, offset_size;
  size_t head;
  Dwarf_Half version;
  Dwarf_Off abbrev;
  Dwarf_CU *cu = NULL;
  uint8_t type;
  int code;

  while ((code = dwarf_next_unit (trim->dwarf, at, &next, &head, &version,
                                  &abbrev, &address_size, &offset_size, NULL,
                                  NULL))
         == 0) {
    unit.start = at;
    unit.end = next;
    unit.abbrev = abbrev;
    unit.version = version;
    if (version < 4 || offset_size != 4 || next > LARGEST_INFO
        || dwarf_get_units (trim->dwarf, cu, &cu, NULL, &type, &unit.die, NULL)
             != 0
        || dwarf_dieoffset (&unit.die) != at + head
        || (type != DW_UT_compile && type != DW_UT_partial))
      return false;
    g_array_append_val (trim->units, unit);
    at = next;
  }
  /* Others are in a section of types.  */
  return code > 0 && trim->units->len > 0
         && dwarf_get_units (trim->dwarf, cu, &cu, NULL, &type, &unit.die,
                             NULL)
              != 0;
}

/* ---- Which are needed -------------------------------------------------- */

static void
need (struct dg_trim *trim, GArray *queue, guint i)
{
  if (i == G_MAXUINT || unit_at (trim, i)->is_needed)
    return;
  unit_at (trim, i)->is_needed = true;
  g_array_append_val (queue, i);
}

static void
need_die (struct dg_trim *trim, GArray *queue, Dwarf_Die *die)
{
  need (trim, queue, unit_of_offset (trim, dwarf_dieoffset (die)));
}

static void
need_code (struct dg_trim *trim, GArray *queue, const GArray *code)
{
  for (guint i = 0; i < code->len; i++) {
    Dwarf_Die die;

    if (dg_debug_unit (trim->object, g_array_index (code, uint64_t, i), &die))
      need_die (trim, queue, &die);
  }
}

/* The variables in each line, and those around it, between which memory
   without a name ends.  */
static void
need_data (struct dg_trim *trim, GArray *queue, const GArray *lines)
{
  struct dg_object *object = trim->object;

  for (guint i = 0; i < lines->len; i++) {
    uint64_t at = g_array_index (lines, uint64_t, i), end = at + LINE_BYTES;
    uint64_t low, size, skip;
    Dwarf_Die die;

    for (; at != UINT64_MAX;
         at = dg_die_index_next_data (object, at)) {
      if (dg_die_index_data (object, at, &die, &low, &size, &skip))
        need_die (trim, queue, &die);
      if (at >= end)
        break;
    }
    for (at = end - LINE_BYTES; at < end;
         at = dg_symtab_next_variable (object, at)) {
      const struct dg_datum *datum = dg_symtab_variable (object, at);

      if (datum != NULL
          && dg_die_index_declared (object, datum->symbol, &die))
        need_die (trim, queue, &die);
    }
  }
}

DG_COMPARE_BY (compare_edges, struct dg_trim_edge, from)

static void
need_what_they_need (struct dg_trim *trim, GArray *queue)
{
  while (queue->len > 0) {
    guint unit = g_array_index (queue, guint, queue->len - 1);
    guint i = DG_BISECT (
      0, trim->edges->len, k,
      g_array_index (trim->edges, struct dg_trim_edge, k).from < unit);
    guint k = DG_BISECT (
      0, trim->declared->len, j,
      g_array_index (trim->declared, struct dg_trim_declared, j).unit < unit);

    g_array_set_size (queue, queue->len - 1);
    for (; i < trim->edges->len
           && g_array_index (trim->edges, struct dg_trim_edge, i).from == unit;
         i++)
      need (trim, queue,
            g_array_index (trim->edges, struct dg_trim_edge, i).to);
    for (; k < trim->declared->len
           && g_array_index (trim->declared, struct dg_trim_declared, k).unit
                == unit;
         k++) {
      Dwarf_Die die =
        g_array_index (trim->declared, struct dg_trim_declared, k).die;

      dg_die_define (trim->object, &die);
      need_die (trim, queue, &die);
    }
  }
}

/* Where the code of those that are needed is.  */
static void
add_ranges (struct dg_trim *trim, Dwarf_Die *die)
{
  Dwarf_Addr base, low, high;
  ptrdiff_t at = 0;

  while ((at = dwarf_ranges (die, at, &base, &low, &high)) > 0) {
    struct dg_trim_range range = {low + trim->bias, high + trim->bias};

    if (high > low)
      g_array_append_val (trim->ranges, range);
  }
}

static void
find_needed (struct dg_trim *trim, const GArray *code, const GArray *lines,
             const GArray *types)
{
  GArray *queue = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < trim->units->len && !trim->is_strange; i++)
    look_at_unit (trim, i, false);
  /* They come by unit already; by what they have, only this is certain.  */
  g_array_sort (trim->edges, compare_edges);
  if (!trim->is_strange) {
    need_code (trim, queue, code);
    need_data (trim, queue, lines);
    for (guint i = 0; i < types->len; i++)
      need_die (trim, queue, &g_array_index (types, Dwarf_Die, i));
    need_what_they_need (trim, queue);
  }
  for (guint i = 0; i < trim->units->len && !trim->is_strange; i++)
    if (unit_at (trim, i)->is_needed) {
      look_at_unit (trim, i, true);
      add_ranges (trim, &unit_at (trim, i)->die);
    }
  g_array_unref (queue);
}

struct dg_trim *
dg_trim_new (struct dg_object *object, const GArray *code, const GArray *lines,
             const GArray *types)
{
  struct dg_trim *trim;
  Dwarf_Addr bias;
  Dwarf *dwarf;

  if (!dg_object_whole (object) || object->find.shared_file != NULL)
    return NULL;
  dwarf = dwfl_module_getdwarf (object->module, &bias);
  if (dwarf == NULL)
    return NULL;
  trim = g_new0 (struct dg_trim, 1);
  trim->object = object;
  trim->dwarf = dwarf;
  trim->bias = bias;
  trim->strings = dwarf_getstring (dwarf, 0, NULL);
  trim->units = g_array_new (FALSE, FALSE, sizeof (struct dg_trim_unit));
  trim->edges = g_array_new (FALSE, FALSE, sizeof (struct dg_trim_edge));
  trim->declared =
    g_array_new (FALSE, FALSE, sizeof (struct dg_trim_declared));
  trim->ranges = g_array_new (FALSE, FALSE, sizeof (struct dg_trim_range));
  for (unsigned i = 0; i < DG_TRIM_SECTIONS; i++)
    trim->refs[i] = g_array_new (FALSE, FALSE, sizeof (struct dg_trim_ref));
  if (!add_units (trim))
    trim->is_strange = true;
  find_needed (trim, code, lines, types);
  if (!trim->is_strange)
    return trim;
  dg_trim_free (trim);
  return NULL;
}
