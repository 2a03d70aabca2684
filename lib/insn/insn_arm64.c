/* insn_arm64.c: registers and branches of arm64.

   Branches are told by their words (Arm Architecture Reference Manual, C4.1),
   of which there are few, some of them newer than capstone.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "insn_arch.h"

#include <glib.h>
#include <string.h>

/* ---- Registers -------------------------------------------------------- */

/* x0 ... x30.  */
static unsigned
general (unsigned number)
{
  return number < 16 && number != DG_REG_STACK_POINTER
           ? DG_REG_GENERAL + number
           : DG_REG_MORE + number % 16 + (number == DG_REG_STACK_POINTER
                                            ? 11 : 0);
}

static unsigned
whole (unsigned reg)
{
  static const struct {
    unsigned first, last;
  } vectors[] = {
    {ARM64_REG_B0, ARM64_REG_B31}, {ARM64_REG_H0, ARM64_REG_H31},
    {ARM64_REG_S0, ARM64_REG_S31}, {ARM64_REG_D0, ARM64_REG_D31},
    {ARM64_REG_Q0, ARM64_REG_Q31}, {ARM64_REG_V0, ARM64_REG_V31}};

  for (size_t i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (reg >= vectors[i].first && reg <= vectors[i].last)
      return DG_REG_VECTOR + (reg - vectors[i].first);
  if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
    return general (reg - ARM64_REG_W0);
  if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
    return general (reg - ARM64_REG_X0);
  switch (reg) {
  case ARM64_REG_X29: return general (29);
  case ARM64_REG_X30: return general (30);
  case ARM64_REG_SP: case ARM64_REG_WSP: return DG_REG_STACK_POINTER;
  case ARM64_REG_NZCV: return DG_REG_FLAGS;
  default: return DG_REGS;      /* with xzr and wzr */
  }
}

/* ---- Instructions ----------------------------------------------------- */

static enum dg_insn_branch
branch_of (const uint8_t *code, size_t n, const cs_insn *insn)
{
  uint32_t word;

  (void) insn;
  if (n < sizeof word)
    return DG_INSN_NO_BRANCH;
  memcpy (&word, code, sizeof word);
  word = GUINT32_FROM_LE (word);
  if ((word & 0xfc000000) == 0x14000000)
    return DG_INSN_JUMP;
  if ((word & 0xfc000000) == 0x94000000)
    return DG_INSN_CALL;
  if ((word & 0xff000000) == 0x54000000      /* B.cond */
      || (word & 0x7c000000) == 0x34000000)  /* CBZ, CBNZ, TBZ, TBNZ */
    return DG_INSN_CONDITIONAL;
  /* BR, BLR, RET, and those that authenticate.  */
  if ((word & 0xfe9ff000) != 0xd61f0000)
    return DG_INSN_NO_BRANCH;
  switch (word >> 21 & 3) {
  case 0: return DG_INSN_INDIRECT_JUMP;
  case 1: return DG_INSN_INDIRECT_CALL;
  case 2: return DG_INSN_RETURN;
  default: return DG_INSN_NO_BRANCH;
  }
}

/* Adds a general register to those that are read, or to those that are
   written; 31 is zero.  */
static void
add_general (struct insn_set *set, unsigned number)
{
  if (number < 31)
    set->has[general (number)] = true;
}

/* Other names of instructions, of which capstone has the registers of the
   instruction proper, without those that the name does not show: what is
   written, if anything, is the first operand, and no other.  */
enum alias { ALIAS_NONE, ALIAS_WRITES, ALIAS_READS };

static enum alias
alias_of (const cs_insn *insn)
{
  switch (insn->id) {
  case ARM64_INS_CMP: case ARM64_INS_CMN: case ARM64_INS_TST:
    return ALIAS_READS;
  case ARM64_INS_MOV: case ARM64_INS_MOVZ: case ARM64_INS_MOVN:
  case ARM64_INS_MVN: case ARM64_INS_NEG: case ARM64_INS_NEGS:
  case ARM64_INS_LSL: case ARM64_INS_LSR: case ARM64_INS_ASR:
  case ARM64_INS_ROR: case ARM64_INS_SBFM: case ARM64_INS_UBFM:
  case ARM64_INS_SBFIZ: case ARM64_INS_UBFIZ: case ARM64_INS_SBFX:
  case ARM64_INS_UBFX: case ARM64_INS_SXTB: case ARM64_INS_SXTH:
  case ARM64_INS_SXTW: case ARM64_INS_UXTB: case ARM64_INS_UXTH:
  case ARM64_INS_UXTW: case ARM64_INS_MUL: case ARM64_INS_MNEG:
  case ARM64_INS_SMULL: case ARM64_INS_UMULL: case ARM64_INS_CSET:
  case ARM64_INS_CSETM: case ARM64_INS_CINC: case ARM64_INS_CINV:
  case ARM64_INS_CNEG:
    return ALIAS_WRITES;
  default:
    return ALIAS_NONE;
  }
}

static void
correct_alias (const cs_insn *insn, struct insn_set *reads,
               struct insn_set *writes)
{
  const cs_arm64 *arm64 = &insn->detail->arm64;
  enum alias alias = alias_of (insn);

  /* A vector's element is part of what is kept.  */
  if (alias == ALIAS_NONE || arm64->op_count == 0
      || arm64->operands[0].type != ARM64_OP_REG
      || arm64->operands[0].vector_index >= 0)
    return;
  memset (reads, 0, sizeof *reads);
  memset (writes, 0, sizeof *writes);
  for (unsigned i = 0; i < arm64->op_count; i++) {
    unsigned number = arm64->operands[i].type == ARM64_OP_REG
                        ? whole (arm64->operands[i].reg) : DG_REGS;

    if (number != DG_REGS)
      (i == 0 && alias == ALIAS_WRITES ? writes : reads)->has[number] = true;
  }
  if (alias == ALIAS_READS)
    writes->has[DG_REG_FLAGS] = true;
}

/* A register is not read that capstone thinks is.  */
static void
correct_reads (const cs_insn *insn, struct insn_set *reads)
{
  const cs_arm64 *arm64 = &insn->detail->arm64;
  bool is_lane = arm64->op_count > 0 && arm64->operands[0].vector_index >= 0;

  switch (insn->id) {
  case ARM64_INS_FMOV:
    if (arm64->op_count < 2 || arm64->operands[1].type != ARM64_OP_FP)
      return;
    break;
  /* A load of one element keeps the others.  */
  case ARM64_INS_LD1: case ARM64_INS_LD2: case ARM64_INS_LD3:
  case ARM64_INS_LD4:
    if (is_lane)
      return;
    break;
  case ARM64_INS_MOVI: case ARM64_INS_MVNI: case ARM64_INS_MRS:
  case ARM64_INS_TBL: case ARM64_INS_LD1R: case ARM64_INS_LD2R:
  case ARM64_INS_LD3R: case ARM64_INS_LD4R:
    break;
  default:
    return;
  }
  /* What is written comes first, and for loads up to the address.  */
  for (unsigned i = 0; i < arm64->op_count; i++) {
    if (arm64->operands[i].type != ARM64_OP_REG
        || (i > 0 && insn->id == ARM64_INS_TBL))
      break;
    if (whole (arm64->operands[i].reg) != DG_REGS)
      reads->has[whole (arm64->operands[i].reg)] = false;
  }
  for (unsigned i = 1; i < arm64->op_count && insn->id == ARM64_INS_TBL; i++)
    if (whole (arm64->operands[i].reg) != DG_REGS)
      reads->has[whole (arm64->operands[i].reg)] = true;
}

static bool
is_swap (uint32_t word)
{
  return (word & 0x3fa07c00) == 0x08a07c00;     /* CAS */
}

/* A load that is ordered.  */
static bool
is_acquire (uint32_t word)
{
  return (word & 0x3ffffc00) == 0x38bfc000;     /* LDAPR */
}

/* LDADD, SWP and the others that change a word of memory.  */
static bool
is_atomic (uint32_t word)
{
  return (word & 0x3f200c00) == 0x38200000 && !is_acquire (word);
}

/* The registers of an atomic access but that of its address: it reads one and
   writes another one; compare-and-swap reads both and writes the first.  */
static void
put_values (uint32_t word, struct insn_set *reads, struct insn_set *writes)
{
  unsigned first = is_acquire (word) ? 31 : word >> 16 & 31,
           second = word & 31;

  add_general (reads, first);
  if (is_swap (word))
    add_general (reads, second);
  add_general (writes, is_swap (word) ? first : second);
}

static void
correct (const cs_insn *insn, struct insn_set *reads,
         struct insn_set *writes)
{
  const cs_arm64 *arm64 = &insn->detail->arm64;
  uint32_t word;

  memcpy (&word, insn->bytes, sizeof word);
  word = GUINT32_FROM_LE (word);
  correct_alias (insn, reads, writes);
  if (arm64->update_flags)
    writes->has[DG_REG_FLAGS] = true;
  if (arm64->cc != ARM64_CC_INVALID && arm64->cc != ARM64_CC_AL
      && arm64->cc != ARM64_CC_NV)
    reads->has[DG_REG_FLAGS] = true;
  correct_reads (insn, reads);
  /* Versions of capstone differ in what they know of these.  */
  if (is_swap (word) || is_atomic (word))
    put_values (word, reads, writes);
  if (insn->id == ARM64_INS_SVC)
    memset (writes, 0, sizeof *writes);
  switch (branch_of (insn->bytes, insn->size, insn)) {
  case DG_INSN_CALL:
    writes->has[general (30)] = true;
    break;
  case DG_INSN_INDIRECT_CALL:
    writes->has[general (30)] = true;
    add_general (reads, word >> 5 & 31);
    break;
  case DG_INSN_INDIRECT_JUMP: case DG_INSN_RETURN:
    add_general (reads, word >> 5 & 31);
    break;
  case DG_INSN_CONDITIONAL:
    if ((word & 0x7c000000) == 0x34000000) {
      add_general (reads, word & 31);
      reads->has[DG_REG_FLAGS] = false;
    }
    break;
  default:
    break;
  }
}

/* ---- Work -------------------------------------------------------------- */

/* Whether an operand is a vector register, and whether one is a general
   register.  */
static void
kinds_of (const cs_insn *insn, bool *has_vector, bool *has_general)
{
  const cs_arm64 *arm64 = &insn->detail->arm64;

  *has_vector = *has_general = false;
  for (unsigned i = 0; i < arm64->op_count; i++) {
    unsigned reg = arm64->operands[i].type == ARM64_OP_REG
                     ? whole (arm64->operands[i].reg) : DG_REGS;

    *has_vector |= reg >= DG_REG_VECTOR && reg < DG_REG_MORE;
    *has_general |= reg < DG_REG_FLAGS || (reg >= DG_REG_MORE
                                           && reg < DG_REGS);
  }
}

/* Of what moves, or works on integers.  */
static enum dg_insn_work
plain_work (const cs_insn *insn)
{
  bool has_vector, has_general;

  kinds_of (insn, &has_vector, &has_general);
  switch (insn->id) {
  case ARM64_INS_MUL: case ARM64_INS_SMULL: case ARM64_INS_UMULL:
    return has_vector ? DG_INSN_VECTOR_MULTIPLY : DG_INSN_MULTIPLY;
  case ARM64_INS_FMOV:
    return has_general ? DG_INSN_CROSS
           : insn->detail->arm64.operands[1].type == ARM64_OP_REG
             ? DG_INSN_MOVE : DG_INSN_VECTOR;
  /* Of vectors, elements are put in their places.  */
  case ARM64_INS_MOV:
    return has_vector && has_general ? DG_INSN_CROSS
           : insn->detail->arm64.operands[0].vector_index >= 0
             ? DG_INSN_VECTOR : DG_INSN_MOVE;
  case ARM64_INS_INS: case ARM64_INS_DUP: case ARM64_INS_UMOV:
  case ARM64_INS_SMOV:
    return has_general ? DG_INSN_CROSS : DG_INSN_VECTOR;
  default:
    return has_vector ? DG_INSN_VECTOR : DG_INSN_INTEGER;
  }
}

static enum dg_insn_work
work_of (const cs_insn *insn)
{
  switch (insn->id) {
  case ARM64_INS_MADD: case ARM64_INS_MSUB: case ARM64_INS_MNEG:
  case ARM64_INS_SMULH: case ARM64_INS_UMULH: case ARM64_INS_SMADDL:
  case ARM64_INS_UMADDL:
    return DG_INSN_MULTIPLY;
  case ARM64_INS_MLA: case ARM64_INS_MLS: case ARM64_INS_SMULL2:
  case ARM64_INS_UMULL2: case ARM64_INS_SMLAL: case ARM64_INS_SMLAL2:
  case ARM64_INS_UMLAL: case ARM64_INS_UMLAL2:
    return DG_INSN_VECTOR_MULTIPLY;
  case ARM64_INS_SDIV: case ARM64_INS_UDIV:
    return DG_INSN_DIVIDE;
  case ARM64_INS_FADD: case ARM64_INS_FSUB: case ARM64_INS_FABD:
  case ARM64_INS_FMAX: case ARM64_INS_FMIN: case ARM64_INS_FMAXNM:
  case ARM64_INS_FMINNM: case ARM64_INS_FADDP:
    return DG_INSN_FLOAT_ADD;
  case ARM64_INS_FMUL: case ARM64_INS_FNMUL:
    return DG_INSN_FLOAT_MULTIPLY;
  case ARM64_INS_FMADD: case ARM64_INS_FMSUB: case ARM64_INS_FNMADD:
  case ARM64_INS_FNMSUB: case ARM64_INS_FMLA: case ARM64_INS_FMLS:
    return DG_INSN_FLOAT_FUSED;
  case ARM64_INS_FDIV:
    return DG_INSN_FLOAT_DIVIDE;
  case ARM64_INS_FSQRT:
    return DG_INSN_FLOAT_ROOT;
  case ARM64_INS_FCMP: case ARM64_INS_FCMPE: case ARM64_INS_FCCMP:
    return DG_INSN_COMPARE;
  case ARM64_INS_FCVT: case ARM64_INS_FCVTZS: case ARM64_INS_FCVTZU:
  case ARM64_INS_SCVTF: case ARM64_INS_UCVTF:
    return DG_INSN_CONVERT;
  case ARM64_INS_NOP: case ARM64_INS_LDR:
  case ARM64_INS_LDUR: case ARM64_INS_LDP: case ARM64_INS_LDRB:
  case ARM64_INS_LDRH: case ARM64_INS_LDRSB: case ARM64_INS_LDRSH:
  case ARM64_INS_LDRSW: case ARM64_INS_STR: case ARM64_INS_STUR:
  case ARM64_INS_STP: case ARM64_INS_STRB: case ARM64_INS_STRH:
  case ARM64_INS_LDAR: case ARM64_INS_LDARB: case ARM64_INS_LDARH:
  case ARM64_INS_STLR: case ARM64_INS_STLRB: case ARM64_INS_STLRH:
    return DG_INSN_MOVE;
  default:
    return plain_work (insn);
  }
}

/* Whether other threads see its read and write as one, or as one with that of
   a second instruction: exclusive and atomic accesses.  */
static bool
is_locked (uint32_t word)
{
  return (word & 0x3f800000) == 0x08000000      /* LDXR, STXR */
         || is_swap (word)
         || is_atomic (word);
}

static void
describe (const cs_insn *insn, struct dg_insn *decoded)
{
  const cs_arm64 *arm64 = &insn->detail->arm64;
  uint32_t word;

  memcpy (&word, insn->bytes, sizeof word);
  decoded->work = work_of (insn);
  for (unsigned i = 0; i < arm64->op_count; i++)
    if (arm64->operands[i].type == ARM64_OP_MEM)
      insn_put_address (whole (arm64->operands[i].mem.base),
                        whole (arm64->operands[i].mem.index),
                        arm64->operands[i].mem.disp, decoded);
  if (arm64->writeback)
    decoded->flags |= DG_INSN_UPDATES;
  if (is_locked (GUINT32_FROM_LE (word)))
    decoded->flags |= DG_INSN_LOCKED;
}

/* The atomic instructions of Armv8.1, which are newer than capstone 4.  */
static void
take_unknown (const uint8_t *code, size_t n, struct insn_set *reads,
              struct insn_set *writes, struct dg_insn *decoded)
{
  uint32_t word;
  unsigned base;

  if (n < sizeof word)
    return;
  memcpy (&word, code, sizeof word);
  word = GUINT32_FROM_LE (word);
  if (!is_locked (word) && !is_acquire (word))
    return;
  base = word >> 5 & 31;
  base = base == 31 ? DG_REG_STACK_POINTER : general (base);
  reads->has[base] = true;
  insn_put_address (base, DG_REGS, 0, decoded);
  if (is_acquire (word))
    decoded->work = DG_INSN_MOVE;
  else
    decoded->flags |= DG_INSN_LOCKED;
  put_values (word, reads, writes);
}

/* ---- All of it -------------------------------------------------------- */

const struct insn_arch insn_arch_arm64 = {
  .name = "arm64",
  .arch = CS_ARCH_ARM64,
  .nop = {0x1f, 0x20, 0x03, 0xd5},
  .nop_size = 4,
  .mode = CS_MODE_LITTLE_ENDIAN,
  .call_pushes = false,
  .whole = whole,
  .branch = branch_of,
  .correct = correct,
  .describe = describe,
  .take_unknown = take_unknown,
};
