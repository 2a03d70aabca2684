/* symbols_arch_x86.c: the machine code of x86 and amd64.

   Functions that align their frame when they begin:

   Variables that need more alignment than the stack has are told from a
   register that follows from the CFA by rounding, which neither debug
   information nor the tables for unwinding express.  Compilers begin such
   functions in two ways (GCC, Clang; of 32 bits without the prefix 48):

       push %rbp; mov %rsp,%rbp; push ...; and $-64,%rsp; sub $N,%rsp
       lea 8(%rsp),%r10; and $-64,%rsp; push -8(%r10); push %rbp;
         mov %rsp,%rbp

   with other instructions among them.  In the first the variables are told
   from the stack pointer, in the second from rbp.  Code that is to touch every
   page of the stack (-fstack-clash-protection) takes N off in steps, or in a
   loop.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_arch.h"

#include <elf.h>
#include <string.h>

/* Bytes behind the alignment in which the function goes on to begin.  */
#define MOST_BEHIND 64

/* A number within an instruction: `size` bytes with a sign, 0, 1 or 4.  */
static int64_t
number_at (const uint8_t *p, size_t size)
{
  return size == 0 ? 0
         : size == 1 ? (int8_t) *p
                     : (int32_t) ((uint32_t) p[0] | (uint32_t) p[1] << 8
                                  | (uint32_t) p[2] << 16
                                  | (uint32_t) p[3] << 24);
}

static size_t
word_of (const struct dg_symbols_code_bytes *code)
{
  return code->machine == EM_X86_64 ? 8 : 4;
}

/* ---- Aligned frames --------------------------------------------------- */

/* Whether "OP $number,%rsp" is there, OP by its byte for the stack pointer:
   its length, or 0.  */
static size_t
stack_op (const struct dg_symbols_code_bytes *code, size_t at, uint8_t op,
          int64_t *number)
{
  size_t first = at, size;

  if (word_of (code) == 8 && (at >= code->n || code->bytes[at++] != 0x48))
    return 0;
  if (at + 6 > code->n || code->bytes[at + 1] != op
      || (code->bytes[at] != 0x83 && code->bytes[at] != 0x81))
    return 0;
  size = code->bytes[at] == 0x83 ? 1 : 4;
  *number = number_at (code->bytes + at + 2, size);
  return at + 2 + size - first;
}

#define OP_AND 0xe4
#define OP_SUB 0xec
#define OP_ADD 0xc4

/* Where the frame is aligned, or SIZE_MAX.  */
static size_t
find_and (const struct dg_symbols_code_bytes *code, size_t *behind,
          uint64_t *align)
{
  int64_t mask;

  for (size_t i = 0; i < code->n; i++) {
    size_t length = stack_op (code, i, OP_AND, &mask);

    if (length == 0 || mask >= -1 || mask < -65536 || (-mask & (-mask - 1)))
      continue;
    *behind = i + length;
    *align = (uint64_t) -mask;
    return i;
  }
  return SIZE_MAX;
}

/* "lea NUMBER(%rsp),REGISTER", for any register: NUMBER, or 0.  */
static int64_t
lea_of_stack (const struct dg_symbols_code_bytes *code, size_t at,
              unsigned *number)
{
  unsigned prefix = word_of (code) == 8 ? code->bytes[at++] : 0x48;

  if (at + 4 > code->n || (prefix & 0xfb) != 0x48 || code->bytes[at] != 0x8d
      || (code->bytes[at + 1] & 0xc7) != 0x44 || code->bytes[at + 2] != 0x24)
    return 0;
  *number = (code->bytes[at + 1] >> 3 & 7) + (prefix & 4) * 2;
  return (int8_t) code->bytes[at + 3];
}

/* "push -WORD(REGISTER)".  */
static bool
is_push_below (const struct dg_symbols_code_bytes *code, size_t at,
               unsigned number)
{
  if (number >= 8 && code->bytes[at++] != 0x41)
    return false;
  return at + 3 <= code->n && code->bytes[at] == 0xff
         && code->bytes[at + 1] == 0x70 + (number & 7)
         && code->bytes[at + 2] == 0x100 - word_of (code);
}

/* The address of the arguments is kept in a register, and the return address
   stored once more behind: how far below the CFA that is aligned, or 0.  */
static int64_t
keeps_arguments (const struct dg_symbols_code_bytes *code, size_t at)
{
  for (size_t i = 0; i < at; i++) {
    unsigned number;
    int64_t above = lea_of_stack (code, i, &number);

    if (above <= 0 || (uint64_t) above % word_of (code) != 0)
      continue;
    for (size_t k = at; k < MIN (at + MOST_BEHIND, code->n); k++)
      if (is_push_below (code, k, number))
        return above;
  }
  return 0;
}

/* ---- Pages that are touched ------------------------------------------- */

/* Whether these bytes are there.  */
static bool
has_bytes (const struct dg_symbols_code_bytes *code, size_t at,
           const uint8_t *bytes, size_t n)
{
  return at <= code->n && n <= code->n - at
         && memcmp (code->bytes + at, bytes, n) == 0;
}

/* "or $0,(%rsp)" or "mov $0,(%rsp)" of a word, by which code that guards
   against stacks that run into other memory touches each page as it goes:
   its length, or 0.  */
static size_t
probe_length (const struct dg_symbols_code_bytes *code, size_t at)
{
  static const uint8_t by_or[] = {0x48, 0x83, 0x0c, 0x24, 0};
  static const uint8_t by_mov[] = {0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0};
  size_t skip = word_of (code) == 8 ? 0 : 1;

  if (has_bytes (code, at, by_or + skip, sizeof by_or - skip))
    return sizeof by_or - skip;
  if (has_bytes (code, at, by_mov + skip, sizeof by_mov - skip))
    return sizeof by_mov - skip;
  return 0;
}

/* "lea -NUMBER(%rsp),REGISTER" or "mov %rsp,REGISTER; sub $NUMBER,REGISTER",
   up to where a loop then goes: its length, or 0.  */
static size_t
limit_length (const struct dg_symbols_code_bytes *code, size_t at,
              int64_t *number)
{
  const uint8_t *p = code->bytes + at;
  size_t rex = word_of (code) == 8 ? 1 : 0, n = 2 * rex + 2;

  if (at + 12 > code->n || (rex > 0 && (p[0] & 0xfa) != 0x48))
    return 0;
  if (p[rex] == 0x8d && (p[rex + 1] & 0xc7) == 0x84 && p[rex + 2] == 0x24) {
    *number = -number_at (p + rex + 3, 4);
    return *number > 0 ? rex + 7 : 0;
  }
  if (p[rex] != 0x89 || (p[rex + 1] & 0xf8) != 0xe0
      || (rex > 0 && (p[rex + 2] & 0xfe) != 0x48))
    return 0;
  /* eax has an opcode of its own.  */
  if (p[n] == 0x81 && (p[n + 1] & 0xf8) == 0xe8)
    n += 2;
  else if (p[n] == 0x2d)
    n++;
  else
    return 0;
  if (at + n + 4 > code->n)
    return 0;
  *number = number_at (p + n, 4);
  return *number > 0 ? n + 4 : 0;
}

/* "cmp REGISTER,%rsp; jne": the length, or 0.  */
static size_t
repeat_length (const struct dg_symbols_code_bytes *code, size_t at)
{
  size_t first = at;

  at += word_of (code) == 8 ? 1 : 0;
  if (at + 8 > code->n || code->bytes[at] != 0x39
      || (code->bytes[at + 1] & 0xc7) != 0xc4)
    return 0;
  at += 2;
  if (code->bytes[at] == 0x75)
    return at + 2 - first;
  return code->bytes[at] == 0x0f && code->bytes[at + 1] == 0x85
           ? at + 6 - first : 0;
}

/* "sub $NUMBER,%rsp", or "add" of less than nothing, with what touches the
   page behind: its length, or 0.  */
static size_t
sub_length (const struct dg_symbols_code_bytes *code, size_t at,
            int64_t *number)
{
  size_t length = stack_op (code, at, OP_SUB, number);

  if (length == 0) {
    length = stack_op (code, at, OP_ADD, number);
    if (length > 0)
      *number = -*number;
  }
  if (length == 0 || *number <= 0)
    return 0;
  return length + probe_length (code, at + length);
}

/* The same for a loop that goes down by pages.  */
static size_t
loop_length (const struct dg_symbols_code_bytes *code, size_t at,
             int64_t *number)
{
  int64_t page;
  size_t n = limit_length (code, at, number), more;

  if (n == 0)
    return 0;
  more = sub_length (code, at + n, &page);
  if (more == 0 || *number % page != 0)
    return 0;
  n += more;
  more = repeat_length (code, at + n);
  return more > 0 ? n + more : 0;
}

/* What is taken off the stack pointer behind the alignment, at once or in
   steps, and 0 if that is not to be seen; *behind is then where the next
   instruction is.  */
static int64_t
taken_off (const struct dg_symbols_code_bytes *code, size_t from,
           size_t *behind)
{
  int64_t sum = 0, number;
  size_t at = from, length;

  while (at < code->n && (sum > 0 || at < from + MOST_BEHIND)) {
    length = loop_length (code, at, &number);
    if (length == 0)
      length = sub_length (code, at, &number);
    if (length > 0)
      sum += number;
    else if (sum > 0)
      break;
    at += MAX (length, 1);
  }
  *behind = at;
  /* Of a loop that is not understood, nothing.  */
  return at < code->n && limit_length (code, at, &number) == 0
             && repeat_length (code, at) == 0
           ? sum : 0;
}

/* How many registers are pushed there, which are then saved below what is
   aligned: the one that such a loop takes, if a parameter was in it.  */
static int64_t
pushed (const struct dg_symbols_code_bytes *code, size_t *at)
{
  int64_t n = 0;

  while (*at < code->n && (code->bytes[*at] & 0xf8) == 0x50) {
    ++*at;
    n++;
  }
  return n;
}

/* The register by which variables are told: the stack pointer, or where that
   moves later, a copy that is made of it at once: rbx or esi.  */
static unsigned
base_register (const struct dg_symbols_code_bytes *code, size_t at)
{
  static const uint8_t to_rbx[] = {0x48, 0x89, 0xe3}, to_esi[] = {0x89, 0xe6};

  if (word_of (code) == 8)
    return has_bytes (code, at, to_rbx, sizeof to_rbx) ? 3 : 7;
  return has_bytes (code, at, to_esi, sizeof to_esi) ? 6 : 4;
}

static void
realign (const struct dg_symbols_code_bytes *code, int64_t saved,
         struct dg_realign *out)
{
  const int64_t word = (int64_t) word_of (code);
  size_t at, behind = 0;
  int64_t below, kept;

  at = find_and (code, &behind, &out->align);
  if (at == SIZE_MAX)
    return;
  out->above = keeps_arguments (code, at);
  if (out->above > 0) {
    out->limit = out->above;
    out->below = 2 * word;
    out->number = word == 8 ? 6 : 5;
    return;
  }
  kept = pushed (code, &behind) * word;
  below = taken_off (code, behind, &behind);
  out->above = out->limit = saved - kept;
  out->below = below + kept;
  out->number = base_register (code, behind);
  if (out->above < 2 * word || below == 0)
    out->align = 0;
}

/* ---- Operands --------------------------------------------------------- */

#define OP_STORE 0x89
#define OP_LOAD 0x8b

/* A REX prefix, which only amd64 has: its bits that matter.  */
#define REX_B 1
#define REX_X 2

/* `p` is behind the opcode.  */
static bool
read_operand (const uint8_t *p, const uint8_t *end, bool is_64, unsigned rex,
              uint64_t behind, struct dg_operand *out)
{
  static const size_t sizes[] = {0, 1, 4};
  unsigned mode, low;
  size_t n;

  if (p == end)
    return false;
  mode = *p >> 6;
  low = *p++ & 7;
  if (mode == 3)
    return false;
  n = sizes[mode];
  out->reg = low + (rex & REX_B ? 8 : 0);
  if (mode == 0 && low == 5) {
    out->is_fixed = true;
    n = 4;
  } else if (low == 4) {
    if (p == end || (*p >> 3 & 7) != 4 || (rex & REX_X)
        || (mode == 0 && (*p & 7) == 5))
      return false;
    out->reg = (*p++ & 7) + (rex & REX_B ? 8 : 0);
  }
  if ((size_t) (end - p) != n)
    return false;
  out->offset = number_at (p, n);
  out->address = is_64 ? behind + (uint64_t) out->offset
                       : (uint32_t) out->offset;
  return true;
}

static bool
operand (const struct dg_symbols_instr *instr, bool is_64,
         struct dg_operand *out)
{
  const struct dg_instr *last = &instr->instrs[instr->n - 1];
  const uint8_t *end = instr->bytes + instr->n_bytes, *p = end - last->size;
  unsigned rex = 0;

  if (last->size < 2)
    return false;
  if (is_64) {
    rex = *p++;
    /* Of a word all have one, with the bit for its size.  */
    if ((rex & 0xf8) != 0x48)
      return false;
  }
  if (*p != OP_STORE && *p != OP_LOAD) {
    /* eax has opcodes of its own for fixed addresses.  */
    if (is_64 || (*p != 0xa1 && *p != 0xa3) || last->size != 5)
      return false;
    out->is_fixed = true;
    out->address = (uint32_t) number_at (p + 1, 4);
    return true;
  }
  return read_operand (p + 1, end, is_64, rex, last->address + last->size,
                       out);
}

static bool
operand_64 (const struct dg_symbols_instr *instr, struct dg_operand *out)
{
  return operand (instr, true, out);
}

static bool
operand_32 (const struct dg_symbols_instr *instr, struct dg_operand *out)
{
  return operand (instr, false, out);
}

/* ---- Stubs ------------------------------------------------------------ */

/* An indirect jump through a word, of 6 bytes.  Stubs are 8 or 16 bytes and
   aligned so; the jump is the first thing in them, but for markers (endbr,
   bnd).  */
static size_t
add_stub (const struct dg_symbols_stubs *stubs, size_t at,
          struct dg_symbols_stub *out)
{
  uint64_t unit = stubs->unit == 8 ? 8 : 16;

  out->low = (stubs->address + at) / unit * unit;
  out->high = out->low + unit;
  return at + 6;
}

static size_t
stub_64 (const struct dg_symbols_stubs *stubs, size_t at,
         struct dg_symbols_stub *out)
{
  const uint8_t *p = stubs->bytes + at;

  if (at + 6 > stubs->n || p[0] != 0xff || p[1] != 0x25)
    return 0;
  /* jmp *offset(%rip) */
  out->slot = stubs->address + at + 6 + (uint64_t) number_at (p + 2, 4);
  return add_stub (stubs, at, out);
}

static size_t
stub_32 (const struct dg_symbols_stubs *stubs, size_t at,
         struct dg_symbols_stub *out)
{
  const uint8_t *p = stubs->bytes + at;

  if (at + 6 > stubs->n || p[0] != 0xff || (p[1] != 0x25 && p[1] != 0xa3))
    return 0;
  /* jmp *offset(%ebx), or *address */
  out->slot = (uint32_t) ((p[1] == 0xa3 ? stubs->got : 0)
                          + (uint64_t) number_at (p + 2, 4));
  return add_stub (stubs, at, out);
}

/* ---- All of it -------------------------------------------------------- */

static const uint8_t dwarf_64[] = {0, 2, 1, 3, 7, 6, 4, 5};

const struct dg_symbols_arch dg_symbols_arch_amd64 = {
  .name = "amd64",
  .machine = EM_X86_64,
  .word = 8,
  .result = 0,
  .stack_pointer = 4,
  .frame_pointer = 5,
  .dwarf = dwarf_64,
  .n_dwarf = sizeof dwarf_64,
  .stub = stub_64,
  .operand = operand_64,
  .realign = realign,
};

const struct dg_symbols_arch dg_symbols_arch_x86 = {
  .name = "x86",
  .machine = EM_386,
  .word = 4,
  .result = 0,
  .stack_pointer = 4,
  .frame_pointer = 5,
  .stub = stub_32,
  .operand = operand_32,
  .realign = realign,
};
