/* whatif_code.c: instructions that a changed program would execute in another
   way, or not at all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_code.h"

#include <string.h>

#include "base/error.h"
#include "base/table.h"
#include "dg_record.h"
#include "time/time_memory.h"
#include "time/time_sample.h"

/* Frames of an instruction: functions that are inlined into each other.  */
#define FRAMES 16
/* Bytes between the regions of walks, which are more than a program has.  */
#define REGION (UINT64_C (1) << 36)
#define LINE (UINT64_C (1) << DG_TIME_LINE_SHIFT)
#define DIGITS "0123456789"
/* Elements of a walk of which one is remembered.  */
#define ELEMENTS 64
/* If none of so many elements is new, there are no more.  */
#define KNOWN (16 * ELEMENTS)

/* ---- Options ---- */

static const struct {
  const char *option;
  enum dg_whatif_edit edit;
} options[] = {
  { "remove-writes", DG_WHATIF_NO_WRITES }, { "remove", DG_WHATIF_REMOVED },
  { "in-l1", DG_WHATIF_HITS },              { "in-order", DG_WHATIF_IN_ORDER },
  { "exchange", DG_WHATIF_EXCHANGED },
  { "in-register", DG_WHATIF_REGISTER },
  { "predicted", DG_WHATIF_PREDICTED },
};

static void
where_clear (void *data)
{
  struct dg_whatif_where *where = data;

  g_free (where->what);
  g_free (where->file);
  if (where->stored != NULL)
    g_array_unref (where->stored);
}

/* Reads FILE:LINE or FUNCTION; names of C++ have colons, too.  */
static int
take_where (struct dg_whatif_code *code, const char *option,
            enum dg_whatif_edit edit, const char *text, struct dg_error *err)
{
  struct dg_whatif_where where = { .edit = edit, .option = option };
  const char *colon = strrchr (text, ':');
  const char *end = colon != NULL ? colon + 1 + strspn (colon + 1, DIGITS)
                                  : text;
  bool is_line = colon != NULL && colon > text && colon[-1] != ':'
                 && end > colon + 1
                 /* As tables show a line: "a.c:12 (main)".  */
                 && (*end == '\0' || g_str_has_prefix (end, " ("));
  uint64_t line = is_line ? g_ascii_strtoull (colon + 1, NULL, 10) : 0;

  if (*text == '\0')
    return dg_error_set (err, DG_ERR_INVALID,
                         "--%s takes FILE:LINE or the name of a function",
                         option);
  if (is_line && (line == 0 || line > UINT32_MAX))
    return dg_error_set (err, DG_ERR_INVALID,
                         "'%s' does not fit --%s: lines count from 1", text,
                         option);
  if (edit == DG_WHATIF_REGISTER) {
    if (code->n_registers == DG_TIME_N_VARIABLES)
      return dg_error_set (err, DG_ERR_INVALID,
                           "--%s takes %d lines or functions at most", option,
                           DG_TIME_N_VARIABLES);
    where.variable = code->n_registers++;
  }
  if (is_line)
    where.file = g_strndup (text, (size_t) (colon - text));
  where.line = (uint32_t) line;
  where.what = g_strdup (text);
  g_array_append_val (code->list, where);
  return 0;
}

static void
block_free (struct dg_whatif_block *block)
{
  for (uint32_t i = 0; i < block->n_slots; i++)
    if (block->slots[i].walk.seen != NULL)
      g_hash_table_unref (block->slots[i].walk.seen);
  g_free (block->code);
  g_free (block);
}

int
dg_whatif_code_init (struct dg_whatif_code *code,
                     const struct dg_setup *setup,
                     struct dg_symbols *symbols, struct dg_error *err)
{
  int result = 0;

  *code = (struct dg_whatif_code) {
    .log = dg_setup_log (setup),
    .symbols = symbols,
    .list = g_array_new (FALSE, FALSE, sizeof (struct dg_whatif_where)),
    .same = g_new0 (struct dg_whatif_block, 1),
    .next_region = DG_TIME_EXISTING + REGION,
  };
  g_array_set_clear_func (code->list, where_clear);
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    const char *text = dg_setup_text (setup, options[i].option);
    char **items = text != NULL ? g_strsplit (text, ";", -1) : NULL;

    if (text != NULL && *text == '\0')
      result = take_where (code, options[i].option, options[i].edit, text,
                           err);

    for (char **item = items; result == 0 && item != NULL && *item != NULL;
         item++)
      result = take_where (code, options[i].option, options[i].edit,
                           g_strstrip (*item), err);
    g_strfreev (items);
  }
  return result;
}

void
dg_whatif_code_fini (struct dg_whatif_code *code)
{
  if (code->list == NULL)
    return;
  for (uint32_t i = 0; i < code->n_blocks; i++)
    if (code->blocks[i] != NULL && code->blocks[i] != code->same)
      block_free (code->blocks[i]);
  g_free (code->blocks);
  g_free (code->same);
  g_array_unref (code->list);
}

/* ---- Blocks ---- */

/* Whether a path ends with the file.  */
static bool
is_file (const char *file, const char *path)
{
  size_t n, m = strlen (file);

  if (path == NULL)
    return false;
  n = strlen (path);
  return n >= m && strcmp (path + n - m, file) == 0
         && (n == m || file[0] == '/' || path[n - m - 1] == '/');
}

/* The frames by which tables show an instruction.  */
struct frames {
  struct dg_frame list[FRAMES];
  size_t n;
};

static void
find_frames (const struct dg_whatif_code *code, uint64_t address,
             uint64_t caller, uint64_t icount, struct frames *own,
             struct frames *shown)
{
  own->n = dg_symbols_frames (code->symbols, address, icount, own->list,
                              FRAMES);
  if (code->units != NULL)
    shown->n = dg_units_frames (code->units, address, caller, icount,
                                shown->list, FRAMES);
  else
    *shown = *own;
}

static bool
has_function (const struct frames *frames, const char *name)
{
  for (size_t k = 0; k < frames->n; k++) {
    if (g_strcmp0 (frames->list[k].function, name) == 0)
      return true;
    if (!frames->list[k].inlined)
      break;
  }
  return false;
}

/* The first of the list that an instruction belongs to: by the line that
   tables show, or by a function, also one that others are inlined into; NULL:
   none.  */
static struct dg_whatif_where *
find_where (const struct dg_whatif_code *code, uint64_t address,
            uint64_t caller, uint64_t icount)
{
  struct dg_whatif_where *found = NULL;
  struct frames own, shown;
  const struct dg_frame *line = &shown.list[0];

  find_frames (code, address, caller, icount, &own, &shown);
  for (guint i = 0; i < code->list->len; i++) {
    struct dg_whatif_where *where =
      &g_array_index (code->list, struct dg_whatif_where, i);

    if (where->file != NULL
          ? line->line != where->line || !is_file (where->file, line->file)
          : !has_function (&own, where->what)
              && !has_function (&shown, where->what))
      continue;
    where->is_found = true;
    if (found == NULL)
      found = where;
  }
  return found;
}

/* Lets the memory that an instruction accesses be a register.  */
static void
keep_in_register (struct dg_time_insn *insn, uint8_t reg, bool has_store)
{
  unsigned n = (unsigned) insn->n_sources + insn->n_targets;

  memmove (insn->regs, insn->regs + insn->n_addresses, n);
  insn->n_addresses = 0;
  if (insn->has_load && n < G_N_ELEMENTS (insn->regs)) {
    memmove (insn->regs + 1, insn->regs, n);
    insn->regs[0] = reg;
    insn->n_sources++;
    n++;
  }
  if (has_store && n < G_N_ELEMENTS (insn->regs)) {
    insn->regs[n] = reg;
    insn->n_targets++;
  }
  insn->n_slots = 0;
  insn->has_load = false;
}

static bool
has_store (const struct dg_bbdef *bbdef, const struct dg_time_insn *insn)
{
  for (unsigned i = 0; i < insn->n_slots; i++)
    if (bbdef->slots[insn->first_slot + i].kind != DG_ACC_READ)
      return true;
  return false;
}

/* The base register of an instruction's operand in memory, or DG_REGS: there
   is none, or more than one.  *displacement: the distance of the operand from
   what the register has; its address, if that is the instruction pointer.  */
static uint8_t
operand_of (const struct dg_time_insn *insn, int64_t *displacement)
{
  *displacement = insn->displacement;
  if (insn->base == DG_REG_INSTRUCTION_POINTER)
    *displacement += (int64_t) (insn->address + insn->size);
  return insn->base;
}

static uint32_t
bytes_of (const struct dg_bbdef *bbdef, const struct dg_time_insn *insn)
{
  return insn->n_slots > 0 ? bbdef->slots[insn->first_slot].size : 0;
}

/* An operand that a WHERE stores to.  */
struct stored {
  int64_t at;
  uint32_t size;
  uint8_t base;
};

static void
note_store (struct dg_whatif_where *where, const struct dg_bbdef *bbdef,
            const struct dg_time_insn *insn)
{
  struct stored stored = { .size = bytes_of (bbdef, insn) };

  stored.base = operand_of (insn, &stored.at);
  if (where->stored == NULL)
    where->stored = g_array_new (FALSE, FALSE, sizeof stored);
  g_array_append_val (where->stored, stored);
}

/* Whether the operand of an instruction in memory is the variable that a
   register shall have: the instruction stores to it, or loads what the same
   WHERE stores.  If the WHERE has no store, all its loads are of the
   variable.  */
static bool
is_of_variable (const struct dg_whatif_where *where,
                const struct dg_bbdef *bbdef, const struct dg_time_insn *insn)
{
  int64_t at;
  uint8_t base = operand_of (insn, &at);

  if (insn->n_slots == 0 || has_store (bbdef, insn))
    return insn->n_slots > 0;
  if (where->stored == NULL)
    return true;
  for (guint i = 0; base != DG_REGS && i < where->stored->len; i++) {
    const struct stored *stored =
      &g_array_index (where->stored, struct stored, i);

    if (stored->base == base && at < stored->at + (int64_t) stored->size
        && stored->at < at + (int64_t) bytes_of (bbdef, insn))
      return true;
  }
  return false;
}

/* Lets an instruction not wait for what it has computed for the element
   before.  Counters and addresses, which cost a cycle, stay as they are.  */
static void
compute_apart (struct dg_time_insn *insn)
{
  uint8_t *sources = insn->regs + insn->n_addresses;
  unsigned n = (unsigned) insn->n_sources + insn->n_targets, i = 0;

  if (!insn->has_load && insn->latency <= 1)
    return;
  while (i < insn->n_sources)
    if (memchr (sources + insn->n_sources, sources[i], insn->n_targets)
        != NULL) {
      memmove (sources + i, sources + i + 1, n - i - 1);
      insn->n_sources--;
      n--;
    } else {
      i++;
    }
}

static void
edit_insn (const struct dg_whatif_where *where,
           const struct dg_bbdef *bbdef, struct dg_time_insn *insn)
{
  switch (where->edit) {
  case DG_WHATIF_REMOVED:
    insn->flags |= DG_TIME_REMOVED;
    break;
  case DG_WHATIF_REGISTER:
    keep_in_register (insn, DG_TIME_VARIABLES + where->variable,
                      has_store (bbdef, insn));
    break;
  case DG_WHATIF_EXCHANGED:
    compute_apart (insn);
    break;
  case DG_WHATIF_PREDICTED:
    if (insn->branch != DG_INSN_NO_BRANCH)
      insn->branch = DG_INSN_JUMP;
    break;
  default:
    break;
  }
}

/* The beginnings of walks are in different sets of the caches and of the TLBs,
   which the regions of walks are not.  */
static uint64_t
stagger (uint64_t walk)
{
  return walk * 67 % 8192 * LINE;
}

static bool
is_walk (enum dg_whatif_edit edit)
{
  return edit == DG_WHATIF_IN_ORDER || edit == DG_WHATIF_EXCHANGED;
}

/* Whether the operand is a variable on the stack, which stays where it is:
   walks go through other memory.  Compilers that do not optimise find
   variables from rbp down.  address: of the operand; 0: it is not accessed.
   thread: may be NULL.  */
static bool
is_on_stack (const struct dg_time_insn *insn, uint64_t address,
             const struct dg_thread *thread)
{
  if (insn->base == DG_TIME_ON_STACK || insn->base == DG_REG_STACK_POINTER)
    return true;
  return insn->base == DG_REG_RBP && insn->displacement < 0 && thread != NULL
         && address - thread->stack_low
              < thread->stack_high - thread->stack_low;
}

static void
edit_slots (struct dg_whatif_code *code, const struct dg_whatif_where *where,
            const struct dg_run *run, const struct dg_time_insn *insn,
            unsigned iseq, struct dg_whatif_slot *slots)
{
  const struct dg_whatif_where *all = (void *) code->list->data;
  const struct dg_bbdef *bbdef = run->bbdef;
  const struct dg_thread *thread = dg_log_thread (code->log, run->thread);

  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    bool is_read = bbdef->slots[i].kind == DG_ACC_READ;

    if (bbdef->slots[i].iseq != iseq || where->edit == DG_WHATIF_PREDICTED
        || (where->edit == DG_WHATIF_NO_WRITES && is_read)
        || (is_walk (where->edit)
            && is_on_stack (insn, run->addresses[bbdef->slots[i].entry],
                            thread)))
      continue;
    slots[i].edit = where->edit;
    slots[i].where = (uint32_t) (where - all);
    if (is_walk (where->edit)) {
      slots[i].walk.first = code->next_region + stagger (code->n_walks++);
      slots[i].walk.at = slots[i].walk.end = slots[i].walk.first;
      slots[i].walk.seen = g_hash_table_new (NULL, NULL);
      code->next_region += REGION;
    }
  }
}

static struct dg_whatif_block *
block_new (const struct dg_bbdef *bbdef, const struct dg_time_block *block)
{
  struct dg_whatif_block *edited = g_malloc0 (
    sizeof *edited + bbdef->n_slots * sizeof edited->slots[0]);

  edited->code = g_memdup2 (block, sizeof *block
                                     + block->n * sizeof block->insns[0]);
  edited->n_slots = bbdef->n_slots;
  return edited;
}

/* NULL: nothing changes.  */
static struct dg_whatif_block *
edit (struct dg_whatif_code *code, const struct dg_run *run, uint64_t caller,
      const struct dg_time_block *block)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  struct dg_whatif_block *edited = NULL;
  struct dg_whatif_where *wheres[DG_TIME_BLOCK];

  g_assert (block->n <= DG_TIME_BLOCK);
  for (unsigned i = 0; i < block->n; i++) {
    wheres[i] =
      find_where (code, bbdef->instrs[i].address, caller, run->icount);
    if (wheres[i] != NULL && wheres[i]->edit == DG_WHATIF_REGISTER
        && has_store (bbdef, &block->insns[i]))
      note_store (wheres[i], bbdef, &block->insns[i]);
  }
  for (unsigned i = 0; i < block->n; i++) {
    if (wheres[i] == NULL
        || (wheres[i]->edit == DG_WHATIF_REGISTER
            && !is_of_variable (wheres[i], bbdef, &block->insns[i])))
      continue;
    if (edited == NULL)
      edited = block_new (bbdef, block);
    edit_slots (code, wheres[i], run, &block->insns[i], i, edited->slots);
    edit_insn (wheres[i], bbdef, &edited->code->insns[i]);
  }
  return edited;
}

struct dg_whatif_block *
dg_whatif_code_block (struct dg_whatif_code *code, const struct dg_run *run,
                      const struct dg_time_block *block)
{
  uint32_t number = run->bbdef->number;
  uint64_t caller = 0;
  struct dg_whatif_block *edited;

  if (code->list->len == 0)
    return NULL;
  if (code->units != NULL) {
    number = dg_units_known (dg_units_found (code->units), run->context);
    if (number == DG_NONE)
      number = dg_units_find (code->units, run->context, run->icount);
    if (number == DG_NONE)
      return NULL;   /* no memory, which the sums tell */
  }
  if (!DG_ARRAY_ROOM_ZERO (code->blocks, code->n_blocks, number)) {
    code->has_failed = true;
    return NULL;
  }
  edited = code->blocks[number];
  if (G_UNLIKELY (edited == NULL)) {
    if (code->units != NULL)
      caller = dg_units_at (code->units, number).caller;
    edited = edit (code, run, caller, block);
    code->blocks[number] = edited != NULL ? edited : code->same;
  }
  return edited != code->same ? edited : NULL;
}

/* ---- Accesses ---- */

static bool
is_remembered (uint64_t element)
{
  return element * UINT64_C (0x9e3779b97f4a7c15) >> 58 == 0;
}

/* A walk counts the bytes accessed beside its elements, and adjusts the size
   of an element after this many elements.  */
#define LATEST 16

static void
decide (struct dg_whatif_beside *side)
{
  if (side->n * 2 > LATEST)
    side->used = side->least;
  side->n = 0;
}

/* A walk begins again when it has been to as many elements as the program
   accesses there, and meets no new ones.  How many they are is estimated from
   one in 64.  */
static uint64_t
next_in_order (struct dg_whatif_walk *walk, uint64_t address, uint32_t size,
               bool *is_new)
{
  uint64_t element = address / size, at, elements;

  walk->known++;
  if (is_remembered (element)
      && g_hash_table_add (walk->seen, GSIZE_TO_POINTER (element)))
    walk->known = 0;
  if (++walk->n_latest == LATEST) {
    decide (&walk->before);
    decide (&walk->after);
    walk->n_latest = 0;
    walk->group++;
  }
  elements = (uint64_t) g_hash_table_size (walk->seen) * ELEMENTS;
  size = MAX (size, (uint32_t) (walk->before.used + walk->after.used));
  if (walk->at - walk->first >= elements * size && walk->known >= KNOWN)
    walk->at = walk->first;
  at = walk->at + walk->before.used;
  walk->at += size;
  *is_new = at >= walk->end;
  while (walk->end < walk->at)
    walk->end += LINE;
  return at;
}

uint64_t
dg_whatif_code_move_edited (struct dg_whatif_code *code,
                            struct dg_whatif_slot *slot, uint64_t address,
                            uint32_t size, bool *is_new)
{
  struct dg_whatif_moved *moved =
    &code->moved[(address >> DG_TIME_LINE_SHIFT) % DG_WHATIF_MOVED];

  *is_new = false;
  if (slot->edit == DG_WHATIF_HITS)
    return address;
  if (!is_walk (slot->edit))
    return 0;
  /* A load gets what a store has just written.  */
  if (moved->from == address)
    return moved->to;
  *moved = (struct dg_whatif_moved) { .from = address, .walk = &slot->walk };
  moved->to = next_in_order (&slot->walk, address, size, is_new);
  moved->group = slot->walk.group;
  return moved->to;
}
