/* insn_x86.c: registers and branches of x86 and amd64.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "insn_arch.h"

#include <glib.h>
#include <string.h>

/* ---- Registers -------------------------------------------------------- */

/* Names of the parts of a register that has a name, such as al, ax.  */
#define NAMED(letter, number)                                        \
  case X86_REG_##letter##L: case X86_REG_##letter##H:                \
  case X86_REG_##letter##X: case X86_REG_E##letter##X:               \
  case X86_REG_R##letter##X:                                         \
    return DG_REG_GENERAL + (number)
#define POINTER(name, number)                                        \
  case X86_REG_##name: case X86_REG_##name##L:                       \
  case X86_REG_E##name: case X86_REG_R##name:                        \
    return DG_REG_GENERAL + (number)
#define NUMBERED(number)                                             \
  case X86_REG_R##number: case X86_REG_R##number##B:                 \
  case X86_REG_R##number##W: case X86_REG_R##number##D:              \
    return DG_REG_GENERAL + (number)

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
    return DG_REGS;
  }
}

/* The whole register; DG_REGS: not one of ours.  */
static unsigned
whole (unsigned reg)
{
  static const struct {
    unsigned first, last, number;
  } ranges[] = {
    {X86_REG_XMM0, X86_REG_XMM31, DG_REG_VECTOR},
    {X86_REG_YMM0, X86_REG_YMM31, DG_REG_VECTOR},
    {X86_REG_ZMM0, X86_REG_ZMM31, DG_REG_VECTOR},
    {X86_REG_K0, X86_REG_K7, DG_REG_MASK},
    {X86_REG_FP0, X86_REG_FP7, DG_REG_FLOAT},
    {X86_REG_ST0, X86_REG_ST7, DG_REG_FLOAT},
    {X86_REG_MM0, X86_REG_MM7, DG_REG_FLOAT}};

  for (size_t i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (reg >= ranges[i].first && reg <= ranges[i].last)
      return ranges[i].number + (reg - ranges[i].first);
  switch (reg) {
  case X86_REG_EFLAGS: return DG_REG_FLAGS;
  case X86_REG_IP: case X86_REG_EIP: case X86_REG_RIP:
    return DG_REG_INSTRUCTION_POINTER;
  case X86_REG_ES: return DG_REG_SEGMENT + 0;
  case X86_REG_CS: return DG_REG_SEGMENT + 1;
  case X86_REG_SS: return DG_REG_SEGMENT + 2;
  case X86_REG_DS: return DG_REG_SEGMENT + 3;
  case X86_REG_FS: return DG_REG_SEGMENT + 4;
  case X86_REG_GS: return DG_REG_SEGMENT + 5;
  case X86_REG_FPSW: return DG_REG_FLOAT_STATE;
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

static enum dg_insn_branch
branch_of (const uint8_t *code, size_t n, const cs_insn *insn)
{
  const cs_x86 *x86 = insn != NULL ? &insn->detail->x86 : NULL;
  bool is_fixed = x86 != NULL && x86->op_count > 0
                  && x86->operands[0].type == X86_OP_IMM;

  (void) code;
  (void) n;
  if (insn == NULL)
    return DG_INSN_NO_BRANCH;
  if (is_conditional (insn->id))
    return DG_INSN_CONDITIONAL;
  switch (insn->id) {
  case X86_INS_JMP: case X86_INS_LJMP:
    return is_fixed ? DG_INSN_JUMP : DG_INSN_INDIRECT_JUMP;
  case X86_INS_CALL: case X86_INS_LCALL:
    return is_fixed ? DG_INSN_CALL : DG_INSN_INDIRECT_CALL;
  case X86_INS_RET: case X86_INS_RETF: case X86_INS_RETFQ:
  case X86_INS_IRET: case X86_INS_IRETD: case X86_INS_IRETQ:
    return DG_INSN_RETURN;
  default:
    return DG_INSN_NO_BRANCH;
  }
}

/* Whether the last two operands are one register.  */
static bool
is_same_twice (const cs_insn *insn)
{
  const cs_x86 *x86 = &insn->detail->x86;
  unsigned n = x86->op_count;

  return n >= 2 && x86->operands[n - 1].type == X86_OP_REG
         && x86->operands[n - 2].type == X86_OP_REG
         && x86->operands[n - 1].reg == x86->operands[n - 2].reg;
}

/* Whether the result does not depend on the register that both operands
   are.  */
static bool
is_zeroing (const cs_insn *insn)
{
  switch (insn->id) {
  case X86_INS_XOR: case X86_INS_SUB: case X86_INS_PXOR:
  case X86_INS_XORPS: case X86_INS_XORPD: case X86_INS_VPXOR:
  case X86_INS_VXORPS: case X86_INS_VXORPD:
    return is_same_twice (insn);
  default:
    return false;
  }
}

/* Whether the result is all ones, in the same way.  */
static bool
is_constant (const cs_insn *insn)
{
  switch (insn->id) {
  case X86_INS_PCMPEQB: case X86_INS_PCMPEQW: case X86_INS_PCMPEQD:
  case X86_INS_PCMPEQQ: case X86_INS_VPCMPEQB: case X86_INS_VPCMPEQW:
  case X86_INS_VPCMPEQD: case X86_INS_VPCMPEQQ:
    return is_same_twice (insn);
  default:
    return false;
  }
}

/* Where capstone is wrong, or says more than what values depend on.  */
static void
correct (const cs_insn *insn, struct insn_set *reads,
         struct insn_set *writes)
{
  bool writes_flags = writes->has[DG_REG_FLAGS];

  if (is_zeroing (insn))
    memset (reads, 0, sizeof *reads);
  switch (insn->id) {
  case X86_INS_NOP:
    memset (reads, 0, sizeof *reads);
    memset (writes, 0, sizeof *writes);
    break;
  case X86_INS_TEST: case X86_INS_CMP:
    memset (writes, 0, sizeof *writes);
    writes->has[DG_REG_FLAGS] = writes_flags;
    break;
  case X86_INS_CMPXCHG:
    reads->has[DG_REG_RAX] = true;
    writes->has[DG_REG_RAX] = writes->has[DG_REG_FLAGS] = true;
    break;
  case X86_INS_CWD: case X86_INS_CDQ: case X86_INS_CQO:
    writes->has[DG_REG_RAX] = false;
    reads->has[DG_REG_RAX] = writes->has[DG_REG_RDX] = true;
    break;
  case X86_INS_LEAVE:
    reads->has[DG_REG_STACK_POINTER] = false;
    break;
  case X86_INS_SYSCALL:
    reads->has[DG_REG_FLAGS] = writes->has[DG_REG_FLAGS] = true;
    writes->has[DG_REG_RCX] = writes->has[DG_REG_R11] = true;
    break;
  case X86_INS_XADD:
    writes->has[DG_REG_FLAGS] = true;
    break;
  case X86_INS_ADOX:
    for (unsigned i = 0; i < DG_REGS; i++)
      reads->has[i] |= writes->has[i];
    break;
  case X86_INS_RCL: case X86_INS_RCR:
    reads->has[DG_REG_FLAGS] = true;
    break;
  /* The lower halves stay.  */
  case X86_INS_VZEROUPPER:
    memset (writes, 0, sizeof *writes);
    break;
  case X86_INS_STOSB: case X86_INS_STOSW: case X86_INS_STOSD:
  case X86_INS_STOSQ:
    if (insn->detail->x86.prefix[0] == 0)
      reads->has[DG_REG_RCX] = writes->has[DG_REG_RCX] = false;
    break;
  /* These instructions may leave their target as it is, or a part of it, so
     they depend on its old value.  Capstone 5 does not say so of conditional
     moves.  */
  case X86_INS_CMOVA: case X86_INS_CMOVAE: case X86_INS_CMOVB:
  case X86_INS_CMOVBE: case X86_INS_CMOVE: case X86_INS_CMOVG:
  case X86_INS_CMOVGE: case X86_INS_CMOVL: case X86_INS_CMOVLE:
  case X86_INS_CMOVNE: case X86_INS_CMOVNO: case X86_INS_CMOVNP:
  case X86_INS_CMOVNS: case X86_INS_CMOVO: case X86_INS_CMOVP:
  case X86_INS_CMOVS:
  case X86_INS_BSF: case X86_INS_BSR: case X86_INS_CVTSI2SD:
  case X86_INS_CVTSI2SS: case X86_INS_CVTSS2SD: case X86_INS_CVTSD2SS:
  case X86_INS_SQRTSS: case X86_INS_SQRTSD: case X86_INS_RCPSS:
  case X86_INS_RSQRTSS:
    for (unsigned i = 0; i < DG_REGS; i++)
      reads->has[i] |= writes->has[i] && i != DG_REG_FLAGS;
    break;
  default:
    break;
  }
}

/* ---- Work -------------------------------------------------------------- */

/* Mnemonics of a kind of work begin with this, after the v of AVX.  The first
   that fits decides.  */
struct work_name {
  const char *prefix;
  enum dg_insn_work work;
};

static const struct work_name vector_works[] = {
  {"movddup", DG_INSN_VECTOR},
  {"movmsk", DG_INSN_COMPARE},
  {"pmovmsk", DG_INSN_COMPARE},
  {"comis", DG_INSN_COMPARE},
  {"ucomis", DG_INSN_COMPARE},
  {"ptest", DG_INSN_COMPARE},
  {"movd", DG_INSN_MOVE},
  {"movq", DG_INSN_MOVE},
  {"movss", DG_INSN_MOVE},
  {"movsd", DG_INSN_MOVE},
  {"mova", DG_INSN_MOVE},
  {"movu", DG_INSN_MOVE},
  {"movnt", DG_INSN_MOVE},
  {"lddqu", DG_INSN_MOVE},
  {"broadcast", DG_INSN_MOVE},
  {"pbroadcast", DG_INSN_MOVE},
  {"fmadd", DG_INSN_FLOAT_FUSED},
  {"fmsub", DG_INSN_FLOAT_FUSED},
  {"fnmadd", DG_INSN_FLOAT_FUSED},
  {"fnmsub", DG_INSN_FLOAT_FUSED},
  {"cvt", DG_INSN_CONVERT},
  {"div", DG_INSN_FLOAT_DIVIDE},
  {"sqrt", DG_INSN_FLOAT_ROOT},
  {"mul", DG_INSN_FLOAT_MULTIPLY},
  {"add", DG_INSN_FLOAT_ADD},
  {"sub", DG_INSN_FLOAT_ADD},
  {"hadd", DG_INSN_FLOAT_ADD},
  {"min", DG_INSN_FLOAT_ADD},
  {"max", DG_INSN_FLOAT_ADD},
  {"cmp", DG_INSN_FLOAT_ADD},
  {"round", DG_INSN_FLOAT_ADD},
  {"pmul", DG_INSN_VECTOR_MULTIPLY},
  {"pmadd", DG_INSN_VECTOR_MULTIPLY},
  {"psadbw", DG_INSN_VECTOR_MULTIPLY},
  {"pclmul", DG_INSN_VECTOR_MULTIPLY},
  {"aes", DG_INSN_VECTOR_MULTIPLY},
  {"rcp", DG_INSN_FLOAT_MULTIPLY},
  {"rsqrt", DG_INSN_FLOAT_MULTIPLY},
  {"", DG_INSN_VECTOR}
};

static const struct work_name other_works[] = {
  {"mul", DG_INSN_MULTIPLY},
  {"imul", DG_INSN_MULTIPLY},
  {"div", DG_INSN_DIVIDE},
  {"idiv", DG_INSN_DIVIDE},
  {"movz", DG_INSN_INTEGER},
  {"movs", DG_INSN_INTEGER},
  {"movbe", DG_INSN_INTEGER},
  {"mov", DG_INSN_MOVE},
  {"push", DG_INSN_MOVE},
  {"popcnt", DG_INSN_INTEGER},
  {"pop", DG_INSN_MOVE},
  {"call", DG_INSN_MOVE},
  {"ret", DG_INSN_MOVE},
  {"leave", DG_INSN_MOVE},
  {"nop", DG_INSN_MOVE},
  {"endbr", DG_INSN_MOVE},
  {"cpuid", DG_INSN_SLOW},
  {"xgetbv", DG_INSN_SLOW},
  {"xsave", DG_INSN_SLOW},
  {"xrstor", DG_INSN_SLOW},
  {"f", DG_INSN_X87},
  {"", DG_INSN_INTEGER}
};

static enum dg_insn_work
find_work (const struct work_name *works, const char *name)
{
  while (!g_str_has_prefix (name, works->prefix))
    works++;
  return works->work;
}

/* What it is between general and vector registers, and with memory.  */
struct kinds {
  bool general, vector, memory;
};

static struct kinds
kinds_of (const cs_x86 *x86)
{
  struct kinds kinds = {false, false, false};

  for (unsigned i = 0; i < x86->op_count; i++) {
    const cs_x86_op *op = &x86->operands[i];
    unsigned reg = op->type == X86_OP_REG ? whole (op->reg) : DG_REGS;

    kinds.memory |= op->type == X86_OP_MEM;
    kinds.general |= reg < DG_REG_FLAGS;
    kinds.vector |= reg >= DG_REG_VECTOR && reg < DG_REG_MORE;
  }
  return kinds;
}

/* Moves that put a part of a register in its place, or in several, unless it
   is loaded.  */
static bool
is_shuffle (const cs_insn *insn)
{
  switch (insn->id) {
  case X86_INS_MOVSS: case X86_INS_MOVSD: case X86_INS_VMOVSS:
  case X86_INS_VMOVSD:
    return true;
  default:
    return strstr (insn->mnemonic, "broadcast") != NULL;
  }
}

static enum dg_insn_work
work_of (const cs_insn *insn)
{
  const char *name = insn->mnemonic;
  struct kinds kinds = kinds_of (&insn->detail->x86);
  enum dg_insn_work work;

  if (g_str_has_prefix (name, "lock "))
    name += strlen ("lock ");
  if (is_zeroing (insn))
    return DG_INSN_MOVE;
  if (kinds.vector) {
    work = find_work (vector_works, name + (name[0] == 'v'));
    if ((work == DG_INSN_MOVE || work == DG_INSN_VECTOR) && kinds.general
        && !kinds.memory)
      return DG_INSN_CROSS;
    return work == DG_INSN_MOVE && !kinds.memory && is_shuffle (insn)
             ? DG_INSN_VECTOR : work;
  }
  work = find_work (other_works, name);
  /* A load that extends its value takes no longer than others.  */
  return work == DG_INSN_INTEGER && kinds.memory
             && g_str_has_prefix (name, "mov")
           ? DG_INSN_MOVE : work;
}

static bool
is_stack (unsigned id)
{
  switch (id) {
  case X86_INS_PUSH: case X86_INS_POP: case X86_INS_CALL: case X86_INS_RET:
  case X86_INS_LEAVE:
    return true;
  default:
    return false;
  }
}

static void
describe_memory (const cs_insn *insn, struct dg_insn *decoded)
{
  const cs_x86 *x86 = &insn->detail->x86;

  /* nop has an operand only to be long.  */
  for (unsigned i = 0; i < x86->op_count && insn->id != X86_INS_NOP; i++)
    if (x86->operands[i].type == X86_OP_MEM)
      insn_put_address (whole (x86->operands[i].mem.base),
                        whole (x86->operands[i].mem.index),
                        x86->operands[i].mem.disp, decoded);
}

/* Whether it writes a part of a general register.  */
static bool
is_merging (const cs_insn *insn)
{
  const cs_x86_op *op = &insn->detail->x86.operands[0];

  return insn->id != X86_INS_TEST && insn->id != X86_INS_CMP
         && insn->detail->x86.op_count > 0 && op->type == X86_OP_REG
         && (op->access & CS_AC_WRITE) != 0 && op->size < 4
         && whole (op->reg) < DG_REG_FLAGS;
}

static bool
is_bit_of_register (const cs_insn *insn)
{
  const cs_x86 *x86 = &insn->detail->x86;

  switch (insn->id) {
  case X86_INS_BT: case X86_INS_BTC: case X86_INS_BTR: case X86_INS_BTS:
    return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG
           && x86->operands[1].type == X86_OP_REG;
  default:
    return false;
  }
}

static void
describe (const cs_insn *insn, struct dg_insn *decoded)
{
  const cs_x86 *x86 = &insn->detail->x86;
  struct kinds kinds = kinds_of (x86);

  decoded->work = work_of (insn);
  describe_memory (insn, decoded);
  if (x86->prefix[0] == X86_PREFIX_LOCK || insn->id == X86_INS_MFENCE
      || (insn->id == X86_INS_XCHG && kinds.memory))
    decoded->flags |= DG_INSN_LOCKED;
  if (is_stack (insn->id))
    decoded->flags |= DG_INSN_STACK;
  if (is_merging (insn))
    decoded->flags |= DG_INSN_MERGES;
  if (is_constant (insn))
    decoded->flags |= DG_INSN_CONSTANT;
  if (is_bit_of_register (insn))
    decoded->flags |= DG_INSN_BIT_OF_REGISTER;
}

/* ---- All of it -------------------------------------------------------- */

const struct insn_arch insn_arch_amd64 = {
  .name = "amd64",
  .arch = CS_ARCH_X86,
  .nop = {0x90},
  .nop_size = 1,
  .mode = CS_MODE_64,
  .call_pushes = true,
  .whole = whole,
  .branch = branch_of,
  .correct = correct,
  .describe = describe,
};

const struct insn_arch insn_arch_x86 = {
  .name = "x86",
  .arch = CS_ARCH_X86,
  .nop = {0x90},
  .nop_size = 1,
  .mode = CS_MODE_32,
  .call_pushes = true,
  .whole = whole,
  .branch = branch_of,
  .correct = correct,
  .describe = describe,
};
