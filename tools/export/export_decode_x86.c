/* export_decode_x86.c: registers and branches of x86 and amd64.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_decode_arch.h"

#include <glib.h>
#include <string.h>

/* ---- Registers -------------------------------------------------------- */

/* Names of the parts of a register that has a name, such as al, ax.  */
#define NAMED(letter, number)                                        \
  case X86_REG_##letter##L: case X86_REG_##letter##H:                \
  case X86_REG_##letter##X: case X86_REG_E##letter##X:               \
  case X86_REG_R##letter##X:                                         \
    return EXPORT_GENERAL + (number)
#define POINTER(name, number)                                        \
  case X86_REG_##name: case X86_REG_##name##L:                       \
  case X86_REG_E##name: case X86_REG_R##name:                        \
    return EXPORT_GENERAL + (number)
#define NUMBERED(number)                                             \
  case X86_REG_R##number: case X86_REG_R##number##B:                 \
  case X86_REG_R##number##W: case X86_REG_R##number##D:              \
    return EXPORT_GENERAL + (number)

static unsigned
general (unsigned reg)
{
  switch (reg) {
    NAMED (A, 0);
    NAMED (C, 1);
    NAMED (D, 2);
    NAMED (B, 3);
    POINTER (SP, 4);
    POINTER (BP, 5);
    POINTER (SI, 6);
    POINTER (DI, 7);
    NUMBERED (8);
    NUMBERED (9);
    NUMBERED (10);
    NUMBERED (11);
    NUMBERED (12);
    NUMBERED (13);
    NUMBERED (14);
    NUMBERED (15);
  default:
    return EXPORT_NO_REGISTER;
  }
}

/* The whole register; EXPORT_NO_REGISTER: not one of ours.  */
static unsigned
whole (unsigned reg)
{
  static const struct {
    unsigned first, last, number;
  } ranges[] = {
    {X86_REG_XMM0, X86_REG_XMM31, EXPORT_VECTOR},
    {X86_REG_YMM0, X86_REG_YMM31, EXPORT_VECTOR},
    {X86_REG_ZMM0, X86_REG_ZMM31, EXPORT_VECTOR},
    {X86_REG_K0, X86_REG_K7, EXPORT_MASK},
    {X86_REG_FP0, X86_REG_FP7, EXPORT_FLOAT},
    {X86_REG_ST0, X86_REG_ST7, EXPORT_FLOAT},
    {X86_REG_MM0, X86_REG_MM7, EXPORT_FLOAT}};

  for (size_t i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (reg >= ranges[i].first && reg <= ranges[i].last)
      return ranges[i].number + (reg - ranges[i].first);
  switch (reg) {
  case X86_REG_EFLAGS: return EXPORT_FLAGS;
  case X86_REG_IP: case X86_REG_EIP: case X86_REG_RIP:
    return EXPORT_INSTRUCTION_POINTER;
  case X86_REG_ES: return EXPORT_SEGMENT + 0;
  case X86_REG_CS: return EXPORT_SEGMENT + 1;
  case X86_REG_SS: return EXPORT_SEGMENT + 2;
  case X86_REG_DS: return EXPORT_SEGMENT + 3;
  case X86_REG_FS: return EXPORT_SEGMENT + 4;
  case X86_REG_GS: return EXPORT_SEGMENT + 5;
  case X86_REG_FPSW: return EXPORT_FLOAT_STATE;
  default: return general (reg);
  }
}

/* ---- Instructions ----------------------------------------------------- */

static bool
is_conditional (unsigned id)
{
  switch (id) {
  case X86_INS_JAE: case X86_INS_JA: case X86_INS_JBE: case X86_INS_JB:
  case X86_INS_JE: case X86_INS_JGE: case X86_INS_JG: case X86_INS_JLE:
  case X86_INS_JL: case X86_INS_JNE: case X86_INS_JNO: case X86_INS_JNP:
  case X86_INS_JNS: case X86_INS_JO: case X86_INS_JP: case X86_INS_JS:
  case X86_INS_JCXZ: case X86_INS_JECXZ: case X86_INS_JRCXZ:
  case X86_INS_LOOP: case X86_INS_LOOPE: case X86_INS_LOOPNE:
    return true;
  default:
    return false;
  }
}

static enum export_branch
branch_of (const uint8_t *code, size_t n, const cs_insn *insn)
{
  const cs_x86 *x86 = insn != NULL ? &insn->detail->x86 : NULL;
  bool is_fixed = x86 != NULL && x86->op_count > 0
                  && x86->operands[0].type == X86_OP_IMM;

  (void) code;
  (void) n;
  if (insn == NULL)
    return EXPORT_NO_BRANCH;
  if (is_conditional (insn->id))
    return EXPORT_CONDITIONAL;
  switch (insn->id) {
  case X86_INS_JMP: case X86_INS_LJMP:
    return is_fixed ? EXPORT_JUMP : EXPORT_INDIRECT_JUMP;
  case X86_INS_CALL: case X86_INS_LCALL:
    return is_fixed ? EXPORT_CALL : EXPORT_INDIRECT_CALL;
  case X86_INS_RET: case X86_INS_RETF: case X86_INS_RETFQ:
  case X86_INS_IRET: case X86_INS_IRETD: case X86_INS_IRETQ:
    return EXPORT_RETURN;
  default:
    return EXPORT_NO_BRANCH;
  }
}

/* Whether the result does not depend on the register that both operands
   are.  */
static bool
is_zeroing (const cs_insn *insn)
{
  const cs_x86 *x86 = &insn->detail->x86;
  unsigned n = x86->op_count;

  switch (insn->id) {
  case X86_INS_XOR: case X86_INS_SUB: case X86_INS_PXOR:
  case X86_INS_XORPS: case X86_INS_XORPD: case X86_INS_VPXOR:
  case X86_INS_VXORPS: case X86_INS_VXORPD:
    return n >= 2 && x86->operands[n - 1].type == X86_OP_REG
           && x86->operands[n - 2].type == X86_OP_REG
           && x86->operands[n - 1].reg == x86->operands[n - 2].reg;
  default:
    return false;
  }
}

/* Where capstone is wrong, or says more than what values depend on.  */
static void
correct (const cs_insn *insn, struct export_set *reads,
         struct export_set *writes)
{
  bool writes_flags = writes->has[EXPORT_FLAGS];

  if (is_zeroing (insn))
    memset (reads, 0, sizeof *reads);
  switch (insn->id) {
  case X86_INS_NOP:
    memset (reads, 0, sizeof *reads);
    memset (writes, 0, sizeof *writes);
    break;
  case X86_INS_TEST: case X86_INS_CMP:
    memset (writes, 0, sizeof *writes);
    writes->has[EXPORT_FLAGS] = writes_flags;
    break;
  case X86_INS_CMPXCHG:
    reads->has[EXPORT_RAX] = true;
    writes->has[EXPORT_RAX] = writes->has[EXPORT_FLAGS] = true;
    break;
  case X86_INS_CWD: case X86_INS_CDQ: case X86_INS_CQO:
    writes->has[EXPORT_RAX] = false;
    reads->has[EXPORT_RAX] = writes->has[EXPORT_RDX] = true;
    break;
  case X86_INS_LEAVE:
    reads->has[EXPORT_STACK_POINTER] = false;
    break;
  case X86_INS_SYSCALL:
    reads->has[EXPORT_FLAGS] = writes->has[EXPORT_FLAGS] = true;
    writes->has[EXPORT_RCX] = writes->has[EXPORT_R11] = true;
    break;
  case X86_INS_XADD:
    writes->has[EXPORT_FLAGS] = true;
    break;
  /* They keep what they write, or a part of it.  */
  case X86_INS_BSF: case X86_INS_BSR: case X86_INS_CVTSI2SD:
  case X86_INS_CVTSI2SS:
    for (unsigned i = 0; i < EXPORT_REGISTERS; i++)
      reads->has[i] |= writes->has[i] && i != EXPORT_FLAGS;
    break;
  default:
    break;
  }
}

/* ---- All of it -------------------------------------------------------- */

const struct export_decode_arch export_decode_amd64 = {
  .name = "amd64",
  .arch = CS_ARCH_X86,
  .mode = CS_MODE_64,
  .call_pushes = true,
  .whole = whole,
  .branch = branch_of,
  .correct = correct,
};

const struct export_decode_arch export_decode_x86 = {
  .name = "x86",
  .arch = CS_ARCH_X86,
  .mode = CS_MODE_32,
  .call_pushes = true,
  .whole = whole,
  .branch = branch_of,
  .correct = correct,
};
