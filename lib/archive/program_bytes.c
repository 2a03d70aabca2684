/* program_bytes.c: definitions as bytes, and back: the part DEFINITIONS of
   docs/archive.md.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "program.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "base/varint.h"

/* Bits of an entry's first byte.  */
#define ENTRY_WRITE 1
#define ENTRY_GUARDED 2
#define ENTRY_NEXT 4  /* of the next instruction, or this one's */
#define ENTRY_MOVES 8 /* iseq - last iseq follows */
#define ENTRY_SP 16   /* DG_ACC_SP; no ENTRY_WRITE */
#define ENTRY_BITS 31

/* Bytes of the longest instruction and entry.  */
#define INSTR_MAX (DG_VARINT_MAX + 1)
#define ENTRY_MAX (2 + 3 * DG_VARINT_MAX)
#define VALUE_MAX (1 + 2 * DG_VARINT_MAX)

/* ---- Writing ---- */

/* Where n more bytes go, or NULL.  */
static uint8_t *
room_for (struct dg_table *out, size_t n)
{
  if (n > out->room - out->n
      && dg_table_reserve (out, 1, out->n + n + out->n / 2) < 0)
    return NULL;
  return (uint8_t *) out->items + out->n;
}

static void
written (struct dg_table *out, const uint8_t *end)
{
  out->n = end - (const uint8_t *) out->items;
}

static uint8_t *
put_entry (uint8_t *at, const struct dg_program_entry *entry, unsigned iseq)
{
  unsigned step = entry->iseq - iseq;
  uint8_t bits = entry->kind == DG_ACC_SP ? ENTRY_SP : entry->kind;

  if (entry->guarded)
    bits |= ENTRY_GUARDED;
  if (step == 1)
    bits |= ENTRY_NEXT;
  else if (step > 1)
    bits |= ENTRY_MOVES;
  *at++ = bits;
  *at++ = entry->size;
  if (step > 1)
    at = dg_varint_put (at, step);
  at = dg_varint_put (at, (uint16_t) (entry->word + 1));
  return dg_varint_put (at, dg_zigzag (entry->disp));
}

static uint8_t *
put_value (uint8_t *at, const struct dg_program_value *value)
{
  *at++ = value->kind;
  if (value->kind == DG_VALUE_WORD || value->kind == DG_VALUE_ENTRY)
    at = dg_varint_put (at, value->from);
  if (value->kind != DG_VALUE_UNKNOWN && value->kind != DG_VALUE_BYTES)
    at = dg_varint_put (at, dg_zigzag (value->disp));
  return at;
}

static int
write_block (const struct dg_program_block *block, bool with_values,
             uint64_t *address, struct dg_table *out, struct dg_error *err)
{
  unsigned iseq = 0;
  uint8_t *at =
    room_for (out, 1 + 3 * DG_VARINT_MAX + block->n_instrs * (size_t) INSTR_MAX
                     + block->n_entries * (size_t) (ENTRY_MAX + VALUE_MAX));

  if (!at)
    return dg_error_nomem (err);
  at = dg_varint_put (at, block->n_instrs);
  at = dg_varint_put (at, block->n_entries);
  at = dg_varint_put (at, block->n_words);
  for (unsigned i = 0; i < block->n_instrs; i++) {
    const struct dg_program_instr *instr = &block->instrs[i];

    at = dg_varint_put (at, dg_zigzag (instr->address - *address));
    *at++ = instr->size;
    *address = instr->address + instr->size;
  }
  for (unsigned i = 0; i < block->n_entries; i++) {
    at = put_entry (at, &block->entries[i], iseq);
    iseq = block->entries[i].iseq;
  }
  if (with_values)
    *at++ = block->values != NULL;
  for (unsigned i = 0; block->values && i < block->n_entries; i++)
    at = put_value (at, &block->values[i]);
  written (out, at);
  return 0;
}

static int
write_variant (const struct dg_program_variant *variant, uint32_t *block,
               struct dg_table *out, struct dg_error *err)
{
  uint8_t *at = room_for (out, 4 * DG_VARINT_MAX);

  if (!at)
    return dg_error_nomem (err);
  at = dg_varint_put (at, dg_zigzag ((int64_t) variant->block - *block));
  at = dg_varint_put (at, variant->n_instrs);
  at = dg_varint_put (at, variant->n_entries);
  at = dg_varint_put (at, variant->n_words);
  *block = variant->block;
  written (out, at);
  return 0;
}

/* First: 0 for a path by parent and site, else frames of a stack + 1.  */
static int
write_node (struct dg_program_node node, uint64_t *site,
            struct dg_table *out, struct dg_error *err)
{
  unsigned n = node.stack ? node.n_stack : 0;
  uint8_t *at = room_for (out, (3 + (size_t) n) * DG_VARINT_MAX);

  if (!at)
    return dg_error_nomem (err);
  at = dg_varint_put (at, node.stack ? n + 1 : 0);
  at = dg_varint_put (at, node.parent);
  at = dg_varint_put (at, dg_zigzag (node.site - *site));
  *site = node.site;
  for (unsigned i = 0; i < n; i++) {
    at = dg_varint_put (at, dg_zigzag (node.stack[i] - *site));
    *site = node.stack[i];
  }
  written (out, at);
  return 0;
}

int
dg_program_write (const struct dg_program *program,
                  struct dg_program_counts from, struct dg_table *out,
                  struct dg_error *err)
{
  struct dg_program_view view = dg_program_view (program);
  uint64_t address = 0, site = 0;
  uint32_t block = 0;
  uint8_t *at = room_for (out, 3 * DG_VARINT_MAX);
  int code = 0;

  if (!at)
    return dg_error_nomem (err);
  at = dg_varint_put (at, view.n.blocks - from.blocks);
  at = dg_varint_put (at, view.n.variants - from.variants);
  at = dg_varint_put (at, view.n.nodes - from.nodes);
  written (out, at);
  for (size_t i = from.blocks; i < view.n.blocks && code == 0; i++)
    code = write_block (view.blocks[i], program->has_values, &address, out,
                        err);
  for (size_t i = from.variants; i < view.n.variants && code == 0; i++)
    code = write_variant (&view.variants[i], &block, out, err);
  for (size_t i = from.nodes; i < view.n.nodes && code == 0; i++)
    code = write_node (dg_program_node (&view, i), &site, out, err);
  return code;
}

/* ---- Reading ---- */

/* Bytes being taken apart; once they do not fit, all numbers are 0.  */
struct cursor {
  const uint8_t *at, *end;
  bool is_bad;
};

static uint64_t
take (struct cursor *c)
{
  uint64_t value = 0;

  if (!dg_varint_get (&c->at, c->end, &value))
    c->is_bad = true;
  return value;
}

static uint64_t
take_up_to (struct cursor *c, uint64_t max)
{
  uint64_t value = take (c);

  if (value <= max)
    return value;
  c->is_bad = true;
  return 0;
}

static uint8_t
take_byte (struct cursor *c)
{
  if (c->at < c->end)
    return *c->at++;
  c->is_bad = true;
  return 0;
}

/* A count of things that take at least `size` bytes each.  */
static uint64_t
take_count (struct cursor *c, size_t size, uint64_t max)
{
  uint64_t n = take_up_to (c, max);

  if (n <= (size_t) (c->end - c->at) / size)
    return n;
  c->is_bad = true;
  return 0;
}

static int
damaged (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED, "definitions are damaged");
}

static void
take_entry (struct cursor *c, struct dg_program_entry *entry, unsigned *iseq)
{
  uint8_t bits = take_byte (c);

  entry->kind = bits & ENTRY_SP ? DG_ACC_SP : bits & ENTRY_WRITE;
  entry->guarded = (bits & ENTRY_GUARDED) != 0;
  entry->size = take_byte (c);
  if (bits & ENTRY_NEXT)
    *iseq += 1;
  if (bits & ENTRY_MOVES)
    *iseq += take_up_to (c, UINT8_MAX);
  if (*iseq > UINT8_MAX || bits > ENTRY_BITS
      || (bits & ENTRY_SP && bits & ENTRY_WRITE))
    c->is_bad = true;
  entry->iseq = *iseq;
  entry->word = take_up_to (c, UINT16_MAX) - 1;
  entry->disp = dg_unzigzag (take (c));
}

static void
take_value (struct cursor *c, struct dg_program_value *value)
{
  *value = (struct dg_program_value) { .kind = take_byte (c) };
  if (value->kind == DG_VALUE_WORD || value->kind == DG_VALUE_ENTRY)
    value->from = take_up_to (c, UINT16_MAX);
  if (value->kind != DG_VALUE_UNKNOWN && value->kind != DG_VALUE_BYTES)
    value->disp = dg_unzigzag (take (c));
}

static int
read_values (struct cursor *c, struct dg_program_block *block,
             struct dg_table *values, struct dg_error *err)
{
  uint8_t has_values = take_byte (c);

  if (has_values > 1)
    c->is_bad = true;
  if (has_values != 1)
    return 0;
  if (dg_table_reserve (values, sizeof (struct dg_program_value),
                        block->n_entries + 1)
      < 0)
    return dg_error_nomem (err);
  block->values = values->items;
  for (unsigned i = 0; i < block->n_entries; i++)
    take_value (c, (struct dg_program_value *) values->items + i);
  return 0;
}

/* Reads one block into arrays that hold any.  */
static int
read_block (struct dg_program *program, struct cursor *c, uint64_t *address,
            struct dg_program_instr *instrs, struct dg_table *entries,
            struct dg_table *values, struct dg_error *err)
{
  struct dg_program_block block = {0};
  unsigned iseq = 0;

  block.n_instrs = take_up_to (c, UINT8_MAX);
  block.n_entries = take_count (c, 4, UINT16_MAX);
  block.n_words = take_up_to (c, UINT16_MAX);
  for (unsigned i = 0; i < block.n_instrs; i++) {
    instrs[i].address = *address + dg_unzigzag (take (c));
    instrs[i].size = take_byte (c);
    *address = instrs[i].address + instrs[i].size;
  }
  if (dg_table_reserve (entries, sizeof (struct dg_program_entry),
                        block.n_entries)
      < 0)
    return dg_error_nomem (err);
  block.instrs = instrs;
  block.entries = entries->items;
  for (unsigned i = 0; i < block.n_entries; i++)
    take_entry (c, (struct dg_program_entry *) entries->items + i, &iseq);
  if (program->has_values && read_values (c, &block, values, err) < 0)
    return DG_ERR_NOMEM;
  if (c->is_bad)
    return damaged (err);
  return dg_program_add_block (program, &block, err);
}

static int
read_variant (struct dg_program *program, struct cursor *c, uint32_t *block,
              struct dg_error *err)
{
  uint32_t n_instrs, n_entries, n_words;

  *block += (uint32_t) dg_unzigzag (take (c));
  n_instrs = take_up_to (c, UINT8_MAX);
  n_entries = take_up_to (c, UINT16_MAX);
  n_words = take_up_to (c, UINT16_MAX);
  if (c->is_bad)
    return damaged (err);
  return dg_program_add_variant (program, *block, n_instrs, n_entries, n_words,
                                 err);
}

static int
read_node (struct dg_program *program, struct cursor *c, uint64_t *site,
           struct dg_error *err)
{
  uint64_t n = take_up_to (c, UINT8_MAX + 1), stack[UINT8_MAX];
  struct dg_program_node node = {0};

  node.parent = take_up_to (c, UINT32_MAX);
  node.site = *site += dg_unzigzag (take (c));
  if (n > 0) {
    node.n_stack = n - 1;
    node.stack = stack;
    for (unsigned i = 0; i < node.n_stack; i++)
      stack[i] = *site += dg_unzigzag (take (c));
  }
  if (c->is_bad)
    return damaged (err);
  return dg_program_add_node (program, &node, err);
}

int
dg_program_read (struct dg_program *program, const uint8_t *bytes, size_t n,
                 struct dg_error *err)
{
  struct cursor c = {bytes, bytes + n, false};
  struct dg_program_instr instrs[UINT8_MAX] = {0};
  struct dg_table entries = {0}, values = {0};
  uint64_t n_blocks = n > 0 ? take_count (&c, 3, UINT32_MAX) : 0;
  uint64_t n_variants = n > 0 ? take_count (&c, 4, UINT32_MAX) : 0;
  uint64_t n_nodes = n > 0 ? take_count (&c, 3, UINT32_MAX) : 0;
  uint64_t address = 0, site = 0;
  uint32_t block = 0;
  int code = c.is_bad ? damaged (err) : 0;

  for (uint64_t i = 0; i < n_blocks && code == 0; i++)
    code = read_block (program, &c, &address, instrs, &entries, &values, err);
  for (uint64_t i = 0; i < n_variants && code == 0; i++)
    code = read_variant (program, &c, &block, err);
  for (uint64_t i = 0; i < n_nodes && code == 0; i++)
    code = read_node (program, &c, &site, err);
  if (code == 0 && c.at != c.end)
    code = damaged (err);
  dg_table_fini (&entries);
  dg_table_fini (&values);
  return code;
}
