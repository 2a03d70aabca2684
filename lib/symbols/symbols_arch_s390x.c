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

static uint32_t
word (const uint8_t *p)
{
  return (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8
         | p[3];
}

static int64_t
signed_half_words (const uint8_t *p)
{
  return 2 * (int64_t) (int32_t) word (p);
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

/* ---- Aligned frames --------------------------------------------------- */

/* GCC rounds up what follows from the stack pointer, for the variables that
   need it:

       la %r1,336(%r11); aghi %r1,-168; aghi %r1,31; srlg %r1,%r1,5;
         sllg %r1,%r1,5
       la %r3,231(%r15); nill %r3,-64
       la %r1,231(%r15); risbg %r2,%r1,0,186,0

   So registers are followed from the function's begin.  */
struct follower {
  bool is_known[16];       /* it is the CFA minus ..., as numbers wrap */
  uint64_t below[16];
  unsigned shifted[16];    /* and shifted right by so many bits */
};

/* Where the callee saves registers, from the stack pointer of the caller to
   the CFA.  */
#define SAVE_AREA 160

static void
set_sum (struct follower *follower, unsigned to, unsigned from, int64_t number)
{
  follower->is_known[to] =
    follower->is_known[from] && follower->shifted[from] == 0;
  follower->below[to] = follower->below[from] - (uint64_t) number;
  follower->shifted[to] = 0;
}

static int64_t
half (const uint8_t *p)
{
  return (int16_t) (p[0] << 8 | p[1]);
}

/* Sums of a register and a number, and moves; false: it is none.  */
static bool
follow_sum (struct follower *follower, const uint8_t *p)
{
  unsigned first = p[1] >> 4, second = p[1] & 0xf, base = p[2] >> 4;

  if (p[0] == 0x41 && second == 0 && base != 0)              /* LA */
    set_sum (follower, first, base, short_number (p));
  else if (p[0] == 0xe3 && p[5] == 0x71 && second == 0 && base != 0) /* LAY */
    set_sum (follower, first, base, long_number (p));
  else if (p[0] == 0xb9 && p[1] == 0x04)                     /* LGR */
    set_sum (follower, p[3] >> 4, p[3] & 0xf, 0);
  else if (p[0] == 0xa7 && second == 0xb)                    /* AGHI */
    set_sum (follower, first, first, half (p + 2));
  else if (p[0] == 0xec && p[5] == 0xd9)                     /* AGHIK */
    set_sum (follower, first, second, half (p + 2));
  else if (p[0] == 0xc2 && second == 0x8)                    /* AGFI */
    set_sum (follower, first, first, (int32_t) word (p + 2));
  else if (p[0] == 0xc2 && second == 0xa)                    /* ALGFI */
    set_sum (follower, first, first, word (p + 2));
  else if (p[0] == 0xc2 && second == 0x4)                    /* SLGFI */
    set_sum (follower, first, first, -(int64_t) word (p + 2));
  else
    return false;
  return true;
}

/* SRLG by a number, of what SLLG then takes back.  */
static bool
follow_shift (struct follower *follower, const uint8_t *p)
{
  unsigned to = p[1] >> 4, from = p[1] & 0xf;

  if (p[0] != 0xeb || p[5] != 0x0c || p[2] >> 4 != 0)
    return false;
  follower->is_known[to] =
    follower->is_known[from] && follower->shifted[from] == 0;
  follower->below[to] = follower->below[from];
  follower->shifted[to] = (unsigned) short_number (p) & 63;
  return true;
}

/* Whether it rounds a known register down to a power of two: which, the
   register and where it goes.  */
static uint64_t
rounds_to (const struct follower *follower, const uint8_t *p, unsigned *from,
           unsigned *to)
{
  unsigned zeros = 0;

  *to = *from = p[1] >> 4;
  if (p[0] == 0xa5 && (p[1] & 0xf) == 0x7) {                 /* NILL */
    uint64_t mask = (uint64_t) half (p + 2);

    return half (p + 2) < 0 && (-mask & (-mask - 1)) == 0
               && follower->is_known[*from] && follower->shifted[*from] == 0
             ? -mask : 0;
  }
  *from = p[1] & 0xf;
  if (p[0] == 0xec && (p[5] == 0x55 || p[5] == 0x59) && p[2] == 0
      && p[4] == 0 && p[3] >= 0x80 && p[3] < 0x80 + 63)      /* RISBG */
    zeros = 0x80 + 63 - p[3];
  else if (p[0] == 0xeb && p[5] == 0x0d && p[2] >> 4 == 0)   /* SLLG */
    zeros = (unsigned) short_number (p) & 63;
  if (zeros == 0 || !follower->is_known[*from]
      || follower->shifted[*from] != (p[0] == 0xeb ? zeros : 0))
    return 0;
  return UINT64_C (1) << zeros;
}

/* Stores, comparisons and jumps, with masks and numbers where others have the
   register that they change.  */
static bool
changes_nothing (const uint8_t *p)
{
  switch (p[0]) {
  case 0x07:                                       /* BCR */
  case 0x40: case 0x42: case 0x50: case 0x60: case 0x70:     /* ST... */
  case 0x90: case 0x91: case 0x92: case 0x94: case 0x95: case 0x96: case 0x97:
  case 0xd2: case 0xd4: case 0xd5: case 0xd6: case 0xd7:     /* MVC, XC ... */
  case 0xe5:                                       /* MVHI, CHSI ... */
    return true;
  case 0xa7: case 0xc0:                            /* BRC, BRCL */
    return (p[1] & 0xf) == 0x4;
  case 0xe3: case 0xeb:                            /* STG, STMG */
    return p[5] == 0x24;
  default:
    return false;
  }
}

/* What other instructions may change: the register that they name first, or
   all up to the second one; of calls those that are not preserved.  */
static void
forget (struct follower *follower, const uint8_t *p)
{
  bool in_fourth = p[0] == 0xb9 || p[0] == 0xb2 || p[0] == 0xb3;
  bool is_call = p[0] == 0x0d || (p[0] == 0xc0 && (p[1] & 0xf) == 0x5)
                 || (p[0] == 0xa7 && (p[1] & 0xf) == 0x5);
  bool is_multiple = p[0] == 0x98
                     || (p[0] == 0xeb
                         && (p[5] == 0x04 || p[5] == 0x96 || p[5] == 0x98));
  unsigned first = is_call ? 0 : in_fourth ? p[3] >> 4 : p[1] >> 4;
  unsigned last = is_call ? 5 : is_multiple ? p[1] & 0xf : first;

  if (changes_nothing (p))
    return;
  if (is_call)
    follower->is_known[14] = false;
  for (unsigned i = first; i != last; i = (i + 1) % 16)
    follower->is_known[i] = false;
  follower->is_known[last] = false;
}

static void
realign (const struct dg_symbols_code_bytes *code, int64_t saved,
         struct dg_realign *out)
{
  struct follower follower = {
    .is_known[STACK_POINTER] = true,
    .below[STACK_POINTER] = SAVE_AREA
  };
  /* The longest, of which the rest may not be there.  */
  uint8_t p[6];

  for (size_t at = 0, size; at < code->n; at += size) {
    unsigned from, to;
    uint64_t align;

    size = code->bytes[at] < 0x40 ? 2 : code->bytes[at] < 0xc0 ? 4 : 6;
    if (size > code->n - at)
      return;
    memset (p, 0, sizeof p);
    memcpy (p, code->bytes + at, size);
    align = rounds_to (&follower, p, &from, &to);
    if (align > 1 && align <= 65536) {
      *out = (struct dg_realign){.align = align, .number = to, .limit = saved,
                                 .is_up = true};
      out->above = (int64_t) (follower.below[from] + align - 1);
      return;
    }
    if (!follow_sum (&follower, p) && !follow_shift (&follower, p))
      forget (&follower, p);
  }
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
  .above = SAVE_AREA,
  .stub = stub,
  .operand = operand,
  .realign = realign,
  .access = access_of,
};
