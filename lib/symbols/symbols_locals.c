/* symbols_locals.c: the variables in the frame of a function.

   Where they are, DWARF tells relative to a frame base: the canonical frame
   address itself, or a register, which has a known distance from that where
   the call frame information says so; or, in functions that align their
   frame, where their code does (symbols_arch.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_locals.h"

#include "base/compare.h"
#include "code_name.h"
#include "symbols.h"
#include "symbols_dies.h"
#include "symbols_arch.h"
#include "symbols_cfa.h"
#include "symbols_operand.h"
#include "symbols_place.h"
#include "symbols_debug.h"
#include "symbols_frames.h"
#include "symbols_types.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SCOPES 16
#define BUDGET 20000
/* The most variables of a frame.  */
#define MOST_LOCALS 2000
/* Bytes from the CFA to a variable that can be.  */
#define FARTHEST ((int64_t) 1 << 40)

/* A variable before its type is asked for.  */
struct found {
  struct dg_local local;
  Dwarf_Die type;
  bool has_type;
  bool is_this;            /* of a method, and not in the source */
  bool is_aligned;         /* told by a register of dg_realign */
};

struct asking {
  struct dg_symbols *symbols;
  struct dg_object *object;
  uint64_t address;        /* of the object */
  Dwarf_Addr pc;           /* as debug information has it */
  bool has_base;
  int64_t base;            /* the frame base, from the CFA */
  bool has_register;
  struct dg_symbols_cfa_rule cfa;       /* if it has; `saved` always */
  struct dg_realign realign;
  unsigned budget;
  bool by_register;        /* what is in that one is looked for */
  unsigned wanted;
  GArray *all;             /* struct found */
};

/* ---- Registers -------------------------------------------------------- */

/* The place that a register and a number make, as if nothing were lost by the
   alignment, which the frame itself tells.  */
static bool
aligned_place (const struct asking *asking, unsigned number, int64_t offset,
               int64_t *place)
{
  const struct dg_realign *realign = &asking->realign;

  *place = (int64_t) ((uint64_t) offset - (uint64_t) realign->above
                      - (uint64_t) realign->below);
  return realign->align > 0 && number == realign->number
         && (realign->is_up ? offset >= 0 : *place < -realign->limit);
}

/* An expression that is a place on the stack: from the CFA.  */
static bool
place_of (const struct asking *asking, const Dwarf_Op *ops, size_t n,
          int64_t *place, bool *is_aligned)
{
  unsigned number;
  int64_t offset;

  *is_aligned = false;
  if (n != 1)
    return false;
  if (ops[0].atom == DW_OP_call_frame_cfa) {
    *place = 0;
    return true;
  }
  if (ops[0].atom == DW_OP_fbreg) {
    *place = (int64_t) ((uint64_t) asking->base + ops[0].number);
    return asking->has_base;
  }
  if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
    number = (unsigned) ops[0].atom - DW_OP_breg0;
    offset = (int64_t) ops[0].number;
  } else if (ops[0].atom == DW_OP_bregx) {
    number = (unsigned) ops[0].number;
    offset = (int64_t) ops[0].number2;
  } else {
    return false;
  }
  *place = (int64_t) ((uint64_t) asking->cfa.distance + (uint64_t) offset);
  if (asking->has_register && number == asking->cfa.number)
    return true;
  *is_aligned = true;
  return aligned_place (asking, number, offset, place);
}

/* Whether the frame is aligned at the function's begin.  */
static void
find_realign (struct asking *asking, Dwarf_Die *function)
{
  Dwarf_Addr entry, low, end;

  if (dwarf_entrypc (function, &entry) != 0)
    return;
  /* Of several pieces that with the entry.  */
  for (ptrdiff_t at = 0;
       (at = dwarf_ranges (function, at, &(Dwarf_Addr){0}, &low, &end)) > 0;)
    if (low <= entry && entry < end)
      dg_symbols_arch_realign (asking->object,
                               entry + asking->address - asking->pc,
                               end - entry, asking->cfa.saved,
                               &asking->realign);
}

/* The frame base may also be named as a register alone.  */
static void
find_base (struct asking *asking, Dwarf_Die *function)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  bool is_aligned;
  size_t n;

  if (dg_place_expression (function, DW_AT_frame_base, true, &attribute)
        == NULL
      || dwarf_getlocation_addr (&attribute, asking->pc, &ops, &n, 1) != 1
      || n != 1)
    return;
  if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
    asking->base = asking->cfa.distance;
    asking->has_base = asking->has_register
                       && (unsigned) ops[0].atom - DW_OP_reg0
                            == asking->cfa.number;
  } else if (ops[0].atom != DW_OP_fbreg) {
    asking->has_base = place_of (asking, ops, n, &asking->base, &is_aligned)
                       && !is_aligned;
  }
}

/* ---- Variables -------------------------------------------------------- */

static bool
is_artificial (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  bool flag = false;

  return dwarf_formflag (dwarf_attr_integrate (die, DW_AT_artificial,
                                               &attribute), &flag) == 0
         && flag;
}

/* The innermost of those in a register comes last; but a constructor calls
   those of its base classes with what it has itself, so of these the outermost
   one knows what the object is.  */
static void
add_in_register (struct asking *asking, Dwarf_Die *die)
{
  struct found found = {.has_type = true, .is_this = is_artificial (die)};
  const struct found *last =
    asking->all->len > 0
      ? &g_array_index (asking->all, struct found, asking->all->len - 1)
      : NULL;
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t n;

  if (asking->all->len < MOST_LOCALS
      && !(found.is_this && last != NULL && last->is_this)
      && dg_place_expression (die, DW_AT_location, true, &attribute) != NULL
      && dwarf_getlocation_addr (&attribute, asking->pc, &ops, &n, 1) == 1
      && n == 1
      && (ops[0].atom == DW_OP_regx ? ops[0].number == asking->wanted
                                    : ops[0].atom
                                        == DW_OP_reg0 + asking->wanted)
      && dg_die_follow (die, DW_AT_type, &found.type))
    g_array_append_val (asking->all, found);
}

static void
add_variable (struct asking *asking, Dwarf_Die *die, const char *function)
{
  struct found found = {.has_type = false};
  const char *name = dwarf_diename (die);
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  uint64_t line;
  size_t n;

  if (asking->by_register) {
    add_in_register (asking, die);
    return;
  }
  if (name == NULL || asking->all->len >= MOST_LOCALS
      || dg_place_expression (die, DW_AT_location, true, &attribute) == NULL
      || dwarf_getlocation_addr (&attribute, asking->pc, &ops, &n, 1) != 1
      || !place_of (asking, ops, n, &found.local.low, &found.is_aligned)
      || found.local.low < -FARTHEST || found.local.low > FARTHEST
      || !dg_die_follow (die, DW_AT_type, &found.type)
      || !dg_die_size (asking->object, &found.type, &found.local.size)
      || found.local.size == 0)
    return;
  found.has_type = true;
  found.local.function = function;
  found.local.name = dg_names_intern (&asking->symbols->names, name);
  if (dg_die_number (die, DW_AT_decl_line, &line) && line <= UINT32_MAX)
    found.local.line = (uint32_t) line;
  g_array_append_val (asking->all, found);
}

static void
add_variables (struct asking *asking, Dwarf_Die *scope, const char *function,
               int depth)
{
  Dwarf_Die die;

  if (depth > DG_DIE_DEPTH || !dg_die_child (scope, &die))
    return;
  do {
    int tag = dwarf_tag (&die);

    if (asking->budget == 0 || --asking->budget == 0)
      return;
    if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable)
      add_variable (asking, &die, function);
    else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_try_block
              || tag == DW_TAG_catch_block)
             && dwarf_haspc (&die, asking->pc) > 0)
      add_variables (asking, &die, function, depth + 1);
  } while (dg_die_next (&die));
}

/* Under the lock of the object.  names: of the scopes, innermost first.  */
static void
ask (struct asking *asking, const struct dg_frame *names, size_t n_names)
{
  Dwarf_Die scopes[MOST_SCOPES];
  uint64_t pc = 0;
  size_t n = dg_debug_scopes_whole (asking->object, asking->address, scopes,
                                    MOST_SCOPES, &pc);

  if (n == 0)
    return;
  asking->pc = pc;
  if (!asking->by_register) {
    asking->has_register =
      dg_symbols_cfa_find (asking->object, asking->address, &asking->cfa);
    find_realign (asking, &scopes[0]);
    find_base (asking, &scopes[0]);
  }
  for (size_t i = 0; i < n && i < n_names; i++)
    add_variables (asking, &scopes[i], names[n_names - 1 - i].function, 0);
}

/* ---- Order ------------------------------------------------------------ */

DG_COMPARE_BY (compare_places, struct dg_local, low)

static bool
overlaps (const struct dg_local *a, const struct dg_local *b)
{
  return a->low < b->low + (int64_t) b->size
         && b->low < a->low + (int64_t) a->size;
}

/* Later ones are of inner scopes.  */
static size_t
choose (struct asking *asking, struct dg_local *out)
{
  size_t n = 0;

  for (guint i = asking->all->len; i-- > 0;) {
    struct found *found = &g_array_index (asking->all, struct found, i);
    bool is_free = found->local.size < INT32_MAX;

    for (size_t k = 0; k < n && is_free; k++)
      is_free = !overlaps (&out[k], &found->local);
    if (!is_free)
      continue;
    found->local.type =
      dg_type_of_die (asking->symbols, asking->object, &found->type);
    if (found->local.type != NULL)
      found->local.type_name = dg_type_name (found->local.type);
    out[n++] = found->local;
  }
  qsort (out, n, sizeof *out, compare_places);
  return n;
}

static struct dg_local_align
align_of (const struct asking *asking)
{
  const struct dg_realign *realign = &asking->realign;
  struct dg_local_align align = {.align = realign->align,
                                 .above = realign->above,
                                 .limit = realign->limit};

  if (align.align == 1)
    align.align = 0;
  if (!realign->is_up)
    return align;
  for (guint i = 0; i < asking->all->len; i++) {
    const struct found *found = &g_array_index (asking->all, struct found, i);

    if (found->is_aligned)
      align.size = MAX (align.size, (int64_t) ((uint64_t) found->local.low
                                               + found->local.size
                                               + (uint64_t) realign->above));
  }
  if (align.size == 0)
    align.align = 0;
  return align;
}

size_t
dg_symbols_locals (struct dg_symbols *symbols, uint64_t pc, uint64_t icount,
                   const char **function, struct dg_local **out,
                   struct dg_local_align *align)
{
  const struct dg_loaded *loaded = dg_symbols_loaded (symbols, pc, icount);
  struct asking asking = {.symbols = symbols, .budget = BUDGET};
  struct dg_frame frames[MOST_SCOPES];
  size_t n_frames, n;

  *out = NULL;
  *function = NULL;
  *align = (struct dg_local_align){0};
  n_frames =
    dg_symbols_plain_frames (symbols, pc, icount, frames, MOST_SCOPES);
  *function = frames[n_frames - 1].function;
  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (symbols, loaded->object))
    return 0;
  asking.object = loaded->object;
  asking.address = pc - loaded->bias;
  asking.all = g_array_new (FALSE, FALSE, sizeof (struct found));
  g_mutex_lock (&loaded->object->lock);
  ask (&asking, frames, n_frames);
  g_mutex_unlock (&loaded->object->lock);
  *out = malloc ((asking.all->len + 1) * sizeof **out);
  n = *out != NULL ? choose (&asking, *out) : 0;
  *align = align_of (&asking);
  for (size_t i = 0; i < n; i++)
    (*out)[i].file = frames[n_frames - 1].file;
  g_array_unref (asking.all);
  return n;
}

/* ---- Operands --------------------------------------------------------- */

/* As DWARF counts registers.  */
static unsigned
dwarf_register (const struct dg_symbols *symbols, unsigned reg)
{
  return dg_symbols_arch_dwarf (dg_symbols_arch_of_log (symbols->log), reg);
}

/* Prepares a question about the code at pc; false if none can be asked.  */
static bool
begin_asking (struct asking *asking, uint64_t pc, uint64_t icount)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (asking->symbols, pc, icount);

  if (loaded == NULL || !loaded->has_bias
      || !dg_symbols_can_ask (asking->symbols, loaded->object))
    return false;
  asking->object = loaded->object;
  asking->address = pc - loaded->bias;
  return true;
}

const struct dg_type *
dg_symbols_in_register (struct dg_symbols *symbols, uint64_t pc,
                        uint64_t icount, unsigned reg)
{
  struct asking asking = {.symbols = symbols, .budget = BUDGET,
                          .by_register = true,
                          .wanted = dwarf_register (symbols, reg)};
  struct dg_frame frames[MOST_SCOPES];
  struct found last = {.has_type = false};

  if (!begin_asking (&asking, pc, icount))
    return NULL;
  memset (frames, 0, sizeof frames);
  asking.all = g_array_new (FALSE, FALSE, sizeof (struct found));
  g_mutex_lock (&asking.object->lock);
  ask (&asking, frames, MOST_SCOPES);
  g_mutex_unlock (&asking.object->lock);
  if (asking.all->len > 0)
    last = g_array_index (asking.all, struct found, asking.all->len - 1);
  g_array_unref (asking.all);
  return last.has_type
           ? dg_type_of_die (symbols, asking.object, &last.type) : NULL;
}

/* The place in the frame, from the CFA.  */
static bool
find_place (struct dg_symbols *symbols, uint64_t pc, uint64_t icount,
            unsigned reg, int64_t offset, int64_t *place)
{
  struct asking asking = {.symbols = symbols, .budget = BUDGET};
  Dwarf_Op op = {.atom = DW_OP_bregx, .number = dwarf_register (symbols, reg),
                 .number2 = (uint64_t) offset};
  Dwarf_Die scope;
  bool found = false, is_aligned;

  if (!begin_asking (&asking, pc, icount))
    return false;
  g_mutex_lock (&asking.object->lock);
  if (dg_debug_scopes_whole (asking.object, asking.address, &scope, 1,
                             &asking.pc)
      > 0) {
    asking.has_register =
      dg_symbols_cfa_find (asking.object, asking.address, &asking.cfa);
    find_realign (&asking, &scope);
    found = place_of (&asking, &op, 1, place, &is_aligned);
  }
  g_mutex_unlock (&asking.object->lock);
  return found;
}

const struct dg_type *
dg_symbols_in_frame (struct dg_symbols *symbols, uint64_t pc, uint64_t then,
                     uint64_t icount, unsigned reg, int64_t offset)
{
  struct dg_local_align align;
  struct dg_local *locals;
  const struct dg_type *type = NULL;
  const char *function;
  int64_t place;
  size_t n;

  if (!find_place (symbols, pc, icount, reg, offset, &place))
    return NULL;
  n = dg_symbols_locals (symbols, then, icount, &function, &locals, &align);
  for (size_t i = 0; i < n; i++)
    if (locals[i].type != NULL && locals[i].low <= place
        && (uint64_t) (place - locals[i].low) < locals[i].size)
      type = dg_type_at (symbols, locals[i].type,
                         (uint64_t) (place - locals[i].low));
  free (locals);
  return type;
}
