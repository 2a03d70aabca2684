/* symbols_arch_s390x.c: the machine code of s390x.

   Instructions have two, four or six bytes, as the first two bits tell.
   Formats and names are those of the z/Architecture Principles of Operation.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_arch.h"

#include <elf.h>
#include <string.h>

#define RESULT          2
#define FRAME_POINTER  11
#define STACK_POINTER  15

/* How far back an address is looked for that a register has been given.  */
#define MOST_BACK 64

static int64_t
signed_half_words (const uint8_t *p)
{
  uint32_t number = (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16
                    | (uint32_t) p[2] << 8 | p[3];

  return 2 * (int64_t) (int32_t) number;
}

/* ---- What instructions access ----------------------------------------- */

/* A number of 12 bits, and of 20, whose high eight follow the low ones.  */
static int64_t
short_number (const uint8_t *p)
{
  return (p[2] & 0xf) << 8 | p[3];
}

static int64_t
long_number (const uint8_t *p)
{
  return (int8_t) p[4] * 4096 + short_number (p);
}

/* Whether it loads or stores at a register plus a number, of which RSY, SIY
   and SIL have no index.  Of instructions with two operands in memory, and of
   those that only reckon with an address, none is meant.  */
static bool
access_of (const uint8_t *p, size_t n, unsigned *reg, int64_t *offset)
{
  bool has_index = false;

  if (n == 4 && p[0] >= 0x40 && p[0] < 0x80 && p[0] != 0x41) /* RX but LA */
    has_index = true;
  else if (n == 6 && p[0] == 0xe3 && p[5] != 0x71 && p[5] != 0x36)
    has_index = true;                        /* RXY but LAY, PFD */
  else if (n == 6 && p[0] == 0xed && p[5] < 0x40)            /* RXE */
    has_index = true;
  else if (!(n == 4 && p[0] >= 0x91 && p[0] <= 0x98)         /* SI, LM, STM */
           && !(n == 6 && p[0] == 0xe5 && p[1] >= 0x44)      /* SIL */
           && !(n == 6 && p[0] == 0xeb && (p[5] & 0xf) >= 4 && p[5] < 0x60
                && p[5] != 0x4c))                            /* RSY, SIY */
    return false;
  if ((has_index && (p[1] & 0xf) != 0) || p[2] >> 4 == 0)
    return false;
  *reg = p[2] >> 4;
  *offset = p[0] == 0xe3 || p[0] == 0xeb ? long_number (p) : short_number (p);
  return true;
}

/* ---- Operands --------------------------------------------------------- */

/* LARL: an address from that of the instruction.  */
static bool
is_address (const uint8_t *p, size_t n, uint64_t at, unsigned reg,
            uint64_t *address)
{
  if (n != 6 || p[0] != 0xc0 || p[1] != reg << 4)
    return false;
  *address = at + (uint64_t) signed_half_words (p + 2);
  return true;
}

/* The address that a register has been given within the block, as those of
   global variables are.  What names the register first afterwards may have
   changed it, and several at once are not told apart.  */
static bool
find_address (const struct dg_symbols_instr *instr, unsigned reg,
              uint64_t *address)
{
  const uint8_t *p = instr->bytes + instr->n_bytes
                     - instr->instrs[instr->n - 1].size;

  for (size_t i = instr->n - 1, n = 0; i-- > 0 && n < MOST_BACK; n++) {
    p -= instr->instrs[i].size;
    if (is_address (p, instr->instrs[i].size, instr->instrs[i].address, reg,
                    address))
      return true;
    if (p[1] >> 4 == reg || p[0] == 0x98 || p[0] == 0xeb)
      return false;
  }
  return false;
}

/* LG, STG, LTG; LGRL, STGRL.  */
static bool
operand (const struct dg_symbols_instr *instr, struct dg_operand *out)
{
  const struct dg_instr *last = &instr->instrs[instr->n - 1];
  const uint8_t *p = instr->bytes + instr->n_bytes - last->size;
  uint64_t address;

  if (last->size != 6)
    return false;
  if (p[0] == 0xc4 && ((p[1] & 0xf) == 0x8 || (p[1] & 0xf) == 0xb)) {
    out->is_fixed = true;
    out->address = last->address + (uint64_t) signed_half_words (p + 2);
    return true;
  }
  if (p[0] != 0xe3 || (p[5] != 0x04 && p[5] != 0x24 && p[5] != 0x02)
      || !access_of (p, 6, &out->reg, &out->offset))
    return false;
  if (out->reg != STACK_POINTER && find_address (instr, out->reg, &address)) {
    out->is_fixed = true;
    out->address = address + (uint64_t) out->offset;
  }
  return true;
}

/* ---- Stubs ------------------------------------------------------------ */

/* LARL %r1; LG %r1,0(%r1); BR %r1, and what binds the function when it is
   first called.  */
static size_t
stub (const struct dg_symbols_stubs *stubs, size_t at,
      struct dg_symbols_stub *out)
{
  static const uint8_t load_jump[] = {0xe3, 0x10, 0x10, 0x00, 0x00, 0x04,
                                      0x07, 0xf1};
  const uint8_t *p = stubs->bytes + at;
  size_t size = stubs->unit >= 14 ? stubs->unit : 32;

  if (at + 14 > stubs->n
      || !is_address (p, 6, stubs->address + at, 1, &out->slot)
      || memcmp (p + 6, load_jump, sizeof load_jump) != 0)
    return 0;
  out->low = stubs->address + at;
  out->high = stubs->address + MIN (at + size, stubs->n);
  return MIN (at + size, stubs->n);
}

/* ---- All of it -------------------------------------------------------- */

const struct dg_symbols_arch dg_symbols_arch_s390x = {
  .name = "s390x",
  .machine = EM_S390,
  .word = 8,
  .result = RESULT,
  .stack_pointer = STACK_POINTER,
  .frame_pointer = FRAME_POINTER,
  .stub = stub,
  .operand = operand,
  .access = access_of,
};
