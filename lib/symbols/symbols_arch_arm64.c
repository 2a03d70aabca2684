/* symbols_arch_arm64.c: the machine code of arm64.

   Instructions are words of four bytes, little-endian whatever the data are.
   Their fields are as in the Arm Architecture Reference Manual, C4.1.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_arch.h"

#include <elf.h>
#include <string.h>

#ifndef EM_AARCH64
#define EM_AARCH64 183
#endif

#define SP 31

/* How far back an address is looked for that an instruction adds to.  */
#define MOST_BACK 64

static uint32_t
word_at (const uint8_t *p)
{
  return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16
         | (uint32_t) p[3] << 24;
}

static unsigned
bits (uint32_t word, unsigned high, unsigned low)
{
  return word >> low & (UINT32_MAX >> (31 - (high - low)));
}

static int64_t
signed_bits (uint32_t word, unsigned high, unsigned low)
{
  int64_t sign = INT64_C (1) << (high - low);

  return ((int64_t) bits (word, high, low) ^ sign) - sign;
}

/* ---- Loads and stores ------------------------------------------------- */

/* A load or store at a register plus a number.  */
struct access {
  unsigned base;
  int64_t offset;          /* of what is accessed, from what the register had
                              before */
  bool is_word;            /* of one or two general registers of 64 bits */
};

/* Two registers: LDP, STP and their kin.  */
static bool
read_pair (uint32_t word, struct access *access)
{
  unsigned opc = bits (word, 31, 30), is_vector = bits (word, 26, 26);

  if ((word & 0x3a000000) != 0x28000000 || opc == 3
      || (opc == 1 && !is_vector && bits (word, 22, 22) == 0))
    return false;
  access->offset = signed_bits (word, 21, 15)
                   * (is_vector ? INT64_C (4) << opc : opc == 2 ? 8 : 4);
  /* Behind the access the register changes.  */
  if (bits (word, 24, 23) == 1)
    access->offset = 0;
  access->is_word = opc == 2 && !is_vector;
  return true;
}

static bool
read_single (uint32_t word, struct access *access)
{
  unsigned size = bits (word, 31, 30), is_vector = bits (word, 26, 26);
  unsigned opc = bits (word, 23, 22);
  unsigned shift = is_vector ? size | (opc & 2) << 1 : size;

  /* Prefetches access nothing.  */
  if (shift > 4 || (size == 3 && !is_vector && opc >= 2))
    return false;
  if ((word & 0x3b000000) == 0x39000000)
    access->offset = (int64_t) bits (word, 21, 10) << shift;
  else if ((word & 0x3b200000) == 0x38000000)
    access->offset = bits (word, 11, 10) == 1 ? 0 : signed_bits (word, 20, 12);
  else
    return false;
  access->is_word = size == 3 && !is_vector;
  return true;
}

static bool
read_access (uint32_t word, struct access *access)
{
  access->base = bits (word, 9, 5);
  return read_pair (word, access) || read_single (word, access);
}

static bool
access_of (const uint8_t *bytes, size_t n, unsigned *reg, int64_t *offset)
{
  struct access access;

  if (n != 4 || !read_access (word_at (bytes), &access))
    return false;
  *reg = access.base;
  *offset = access.offset;
  return true;
}

/* ---- Operands --------------------------------------------------------- */

/* ADRP: the page of an address.  */
static bool
is_page (uint32_t word, uint64_t address, unsigned reg, uint64_t *page)
{
  if ((word & 0x9f00001f) != (0x90000000 | reg))
    return false;
  *page = (address & ~UINT64_C (0xfff))
          + (uint64_t) ((signed_bits (word, 23, 5) * 4 + bits (word, 30, 29))
                        * 4096);
  return true;
}

/* ADD of a number to a register, which is also where it goes.  */
static bool
is_add (uint32_t word, unsigned reg, uint64_t *number)
{
  if ((word & 0xff8003ff) != (0x91000000 | reg << 5 | reg))
    return false;
  *number = (uint64_t) bits (word, 21, 10) << (bits (word, 22, 22) ? 12 : 0);
  return true;
}

/* Whether it may change a register, and not just where the code goes.  */
static bool
may_write (uint32_t word, unsigned reg)
{
  if (bits (word, 4, 0) == reg)
    return true;
  /* The second of a pair, and what is added to on the way.  */
  return (word & 0x3a000000) == 0x28000000
         && (bits (word, 14, 10) == reg || bits (word, 9, 5) == reg);
}

static bool
is_branch (uint32_t word)
{
  return (word & 0x7c000000) == 0x14000000          /* B, BL */
         || (word & 0xfe000000) == 0xd6000000       /* BR, BLR, RET */
         || (word & 0xff000000) == 0x54000000       /* B.cond */
         || (word & 0x7c000000) == 0x34000000;      /* CBZ, TBZ */
}

/* The address that a register has been given within the block, as those of
   global variables are.  */
static bool
find_address (const struct dg_symbols_instr *instr, unsigned reg,
              uint64_t *address)
{
  uint64_t sum = 0, number;
  size_t n = 0;

  for (size_t i = instr->n - 1; i-- > 0 && n < MOST_BACK; n++) {
    uint32_t word = word_at (instr->bytes + 4 * i);

    if (is_page (word, instr->instrs[i].address, reg, address)) {
      *address += sum;
      return true;
    }
    if (is_add (word, reg, &number))
      sum += number;
    else if (!is_branch (word) && may_write (word, reg))
      return false;
  }
  return false;
}

static bool
operand (const struct dg_symbols_instr *instr, struct dg_operand *out)
{
  struct access access;
  uint64_t address;

  if (instr->n_bytes != 4 * instr->n
      || !read_access (word_at (instr->bytes + instr->n_bytes - 4), &access)
      || !access.is_word)
    return false;
  out->reg = access.base;
  out->offset = access.offset;
  if (access.base != SP && find_address (instr, access.base, &address)) {
    out->is_fixed = true;
    out->address = address + (uint64_t) access.offset;
  }
  return true;
}

/* ---- Aligned frames --------------------------------------------------- */

/* Compilers round what is in a register, which follows from the stack pointer:
   GCC up, for the variables that need it, Clang the stack pointer itself down.

       add x0,sp,#192; sub x0,x0,#144; add x0,x0,#63; lsr x0,x0,#6;
         lsl x19,x0,#6
       add x4,sp,#95; and x4,x4,#-64
       sub x9,sp,#240; and sp,x9,#-64; mov x19,sp

   So registers are followed from the function's begin.

   Functions of Clang have their CFA from the frame pointer, but their
   variables from the stack pointer, which has moved for the last time when the
   code first branches.  That is like rounding to a multiple of 1.  */
struct follower {
  bool is_known[32];       /* it is the CFA minus ..., as numbers wrap */
  uint64_t below[32];
  unsigned shifted[32];    /* and shifted right by so many bits */
  bool is_number[32];      /* or it is a number: */
  uint64_t number[32];
};

/* What instructions do that are none of those below.  */
static void
forget (struct follower *follower, uint32_t word)
{
  struct access access;
  unsigned mode = bits (word, 11, 10);

  if (read_access (word, &access)) {
    bool is_pair = (word & 0x3a000000) == 0x28000000;
    bool is_single = (word & 0x3b200000) == 0x38000000;

    /* What is written before, or behind; other registers are stored.  */
    if (is_pair && bits (word, 23, 23))
      follower->below[access.base] -= (uint64_t) access.offset;
    else if (is_single && mode == 3)
      follower->below[access.base] -= (uint64_t) access.offset;
    else if (is_single && mode == 1)
      follower->is_known[access.base] = false;
    if (is_pair && bits (word, 24, 23) == 1)
      follower->is_known[access.base] = false;
    if (bits (word, 26, 26) == 0 && bits (word, 22, 22) && !is_pair) {
      follower->is_known[bits (word, 4, 0)] = false;
      follower->is_number[bits (word, 4, 0)] = false;
    }
    return;
  }
  if (is_branch (word))
    return;
  if (bits (word, 4, 0) != SP)
    follower->is_known[bits (word, 4, 0)] = false;
  follower->is_number[bits (word, 4, 0)] = false;
}

/* ADD and SUB of a number, which moves between registers and the stack pointer
   are, too.  */
static bool
follow_add (struct follower *follower, uint32_t word)
{
  unsigned to = bits (word, 4, 0), from = bits (word, 9, 5);
  uint64_t number = (uint64_t) bits (word, 21, 10)
                    << (bits (word, 22, 22) ? 12 : 0);

  if ((word & 0xbf800000) != 0x91000000)
    return false;
  follower->is_number[to] = false;
  follower->is_known[to] =
    follower->is_known[from] && follower->shifted[from] == 0;
  follower->below[to] =
    follower->below[from] + (bits (word, 30, 30) ? number : -number);
  follower->shifted[to] = 0;
  return true;
}

/* MOVZ, MOVN and MOVK: large numbers are made of pieces.  */
static bool
follow_number (struct follower *follower, uint32_t word)
{
  unsigned to = bits (word, 4, 0), shift = 16 * bits (word, 22, 21);
  uint64_t piece = (uint64_t) bits (word, 20, 5) << shift;

  if ((word & 0x1f800000) != 0x12800000 || bits (word, 30, 29) == 1
      || (bits (word, 30, 29) == 3 && !follower->is_number[to]))
    return false;
  if (bits (word, 30, 29) == 0)
    piece = bits (word, 31, 31) ? ~piece : (uint32_t) ~piece;
  else if (bits (word, 30, 29) == 3)
    piece |= follower->number[to] & ~(UINT64_C (0xffff) << shift);
  follower->is_known[to] = false;
  follower->is_number[to] = true;
  follower->number[to] = piece;
  return true;
}

/* ADD and SUB of a register that has such a number.  */
static bool
follow_add_register (struct follower *follower, uint32_t word)
{
  unsigned to = bits (word, 4, 0), from = bits (word, 9, 5);
  unsigned other = bits (word, 20, 16);
  bool is_sub = bits (word, 30, 30);
  uint64_t number;

  if (((word & 0xbfe0fc00) != 0x8b000000 && (word & 0xbfe0fc00) != 0x8b206000)
      || other == SP)
    return false;
  if (!is_sub && follower->is_number[from]) {
    unsigned swap = from;

    from = other;
    other = swap;
  }
  if (!follower->is_number[other] || !follower->is_known[from]
      || follower->shifted[from] != 0)
    return false;
  number = follower->number[other];
  follower->is_number[to] = false;
  follower->is_known[to] = true;
  follower->below[to] = follower->below[from] + (is_sub ? number : -number);
  follower->shifted[to] = 0;
  return true;
}

/* LSR by a number, of what LSL then takes back.  */
static bool
follow_shift (struct follower *follower, uint32_t word)
{
  unsigned to = bits (word, 4, 0), from = bits (word, 9, 5);

  if ((word & 0xffc0fc00) != 0xd340fc00)
    return false;
  follower->is_known[to] =
    follower->is_known[from] && follower->shifted[from] == 0;
  follower->below[to] = follower->below[from];
  follower->shifted[to] = bits (word, 21, 16);
  return true;
}

/* AND with the negative of a power of two, or that LSL: the power; 0: it is
   neither.  */
static uint64_t
rounds_to (const struct follower *follower, uint32_t word)
{
  unsigned from = bits (word, 9, 5), rotate = bits (word, 21, 16);
  unsigned ones = bits (word, 15, 10);

  if (!follower->is_known[from])
    return 0;
  if ((word & 0xffc00000) == 0x92400000 && rotate > 0 && rotate < 64
      && ones == rotate - 1 && follower->shifted[from] == 0)
    return UINT64_C (1) << (64 - rotate);
  /* LSL #n is UBFM #(64 - n), #(63 - n).  */
  if ((word & 0xffc00000) == 0xd3400000 && ones + 1 == rotate
      && follower->shifted[from] == 64 - rotate)
    return UINT64_C (1) << (64 - rotate);
  return 0;
}

static void
follow (struct follower *follower, uint32_t word)
{
  if (!follow_add (follower, word) && !follow_add_register (follower, word)
      && !follow_number (follower, word) && !follow_shift (follower, word))
    forget (follower, word);
}

static void
realign (const struct dg_symbols_code_bytes *code, int64_t saved,
         struct dg_realign *out)
{
  struct follower follower = {.is_known[SP] = true};
  bool has_begun = false;

  for (size_t at = 0; at + 4 <= code->n; at += 4) {
    uint32_t word = word_at (code->bytes + at);
    uint64_t align = rounds_to (&follower, word);
    int64_t frame = (int64_t) follower.below[SP];

    if (!has_begun && is_branch (word)) {
      has_begun = true;
      if (follower.is_known[SP] && frame > 0)
        *out = (struct dg_realign){.align = 1, .above = frame,
                                   .limit = saved, .number = SP};
    }
    if (align > 1 && align <= 65536) {
      unsigned to = bits (word, 4, 0);
      uint64_t above = follower.below[bits (word, 9, 5)];

      *out = (struct dg_realign){.align = align, .number = to,
                                 .limit = saved, .is_up = to != SP};
      out->above = (int64_t) (out->is_up ? above + align - 1 : above);
      /* Where the stack pointer moves later, a copy is made of it.  */
      if (!out->is_up && at + 8 <= code->n
          && (word_at (code->bytes + at + 4) & 0xffffffe0) == 0x910003e0)
        out->number = bits (word_at (code->bytes + at + 4), 4, 0);
      return;
    }
    follow (&follower, word);
  }
}

static bool
lowered (const struct dg_symbols_code_bytes *code, int64_t *below)
{
  struct follower follower = {.is_known[SP] = true};

  for (size_t at = 0; at + 4 <= code->n; at += 4) {
    uint32_t word = word_at (code->bytes + at);

    if (rounds_to (&follower, word) > 0 && bits (word, 4, 0) == SP)
      return false;
    follow (&follower, word);
  }
  *below = (int64_t) follower.below[SP];
  return follower.is_known[SP];
}

/* ---- Stubs ------------------------------------------------------------ */

#define BTI_C     0xd503245f
#define AUTIA1716 0xd503219f
#define BR_X17    0xd61f0220

/* ADRP x16; LDR x17,[x16,...]; ADD x16; BR x17, with BTI C in front and
   AUTIA1716 before the jump, where code is guarded against jumps and returns
   that are not its own.  The first entry, for those that are bound late, saves
   registers before, and jumps through a word without a name.  */
static size_t
stub (const struct dg_symbols_stubs *stubs, size_t at,
      struct dg_symbols_stub *out)
{
  const uint8_t *p = stubs->bytes + at;
  uint64_t page;
  size_t end = at + 8;
  uint32_t load;

  if (at % 4 != 0 || at + 16 > stubs->n
      || !is_page (word_at (p), stubs->address + at, 16, &page))
    return 0;
  load = word_at (p + 4);
  if ((load & 0xffc003ff) != (0xf9400000 | 16 << 5 | 17))
    return 0;
  while (end + 4 <= stubs->n && end < at + 20
         && word_at (stubs->bytes + end) != BR_X17)
    end += 4;
  end = MIN (end + 4, stubs->n);
  out->slot = page + 8 * bits (load, 21, 10);
  out->low = stubs->address + at;
  if (at >= 4 && word_at (p - 4) == BTI_C)
    out->low -= 4;
  out->high = stubs->address + end;
  return end;
}

/* ---- All of it -------------------------------------------------------- */

const struct dg_symbols_arch dg_symbols_arch_arm64 = {
  .name = "arm64",
  .machine = EM_AARCH64,
  .word = 8,
  .result = 0,
  .stack_pointer = SP,
  .frame_pointer = 29,
  .stub = stub,
  .operand = operand,
  .realign = realign,
  .access = access_of,
  .lowered = lowered,
};
