/* export_decode.c: what instructions do to registers, by capstone.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_decode.h"

#include <capstone/capstone.h>
#include <glib.h>
#include <string.h>

struct export_decoder {
  struct dg_symbols *symbols;
  csh handle;
  cs_insn *insn;
};

/* ---- Registers -------------------------------------------------------- */

#define NONE EXPORT_REGISTERS

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
    return NONE;
  }
}

/* The whole register; NONE: not one of ours.  */
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

struct set {
  bool has[EXPORT_REGISTERS];
};

static void
add (struct set *set, unsigned reg)
{
  unsigned number = whole (reg);

  if (number != NONE)
    set->has[number] = true;
}

static uint8_t
put_set (const struct set *set, uint8_t *to)
{
  uint8_t n = 0;

  for (unsigned i = 0; i < EXPORT_REGISTERS && n < EXPORT_DECODED_MAX; i++)
    if (set->has[i])
      to[n++] = (uint8_t) i;
  return n;
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
branch_of (const cs_insn *insn)
{
  const cs_x86 *x86 = &insn->detail->x86;
  bool is_fixed =
    x86->op_count > 0 && x86->operands[0].type == X86_OP_IMM;

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

/* What is the same for all branches of a kind, whatever capstone says.  */
static void
add_branch (enum export_branch branch, struct set *reads, struct set *writes)
{
  bool is_stack = branch == EXPORT_CALL || branch == EXPORT_INDIRECT_CALL
                  || branch == EXPORT_RETURN;

  if (branch == EXPORT_NO_BRANCH)
    return;
  writes->has[EXPORT_INSTRUCTION_POINTER] = true;
  if (is_stack) {
    reads->has[EXPORT_STACK_POINTER] = true;
    writes->has[EXPORT_STACK_POINTER] = true;
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
correct (const cs_insn *insn, struct set *reads, struct set *writes)
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

static void
take (csh handle, const cs_insn *insn, struct export_decoded *decoded)
{
  cs_regs reads, writes;
  uint8_t n_reads = 0, n_writes = 0;
  struct set read = {{false}}, written = {{false}};

  decoded->branch = branch_of (insn);
  if (cs_regs_access (handle, insn, reads, &n_reads, writes, &n_writes)
      == CS_ERR_OK) {
    for (unsigned i = 0; i < n_reads; i++)
      add (&read, reads[i]);
    for (unsigned i = 0; i < n_writes; i++)
      add (&written, writes[i]);
  }
  correct (insn, &read, &written);
  add_branch (decoded->branch, &read, &written);
  decoded->n_reads = put_set (&read, decoded->reads);
  decoded->n_writes = put_set (&written, decoded->writes);
}

/* ---- The decoder ------------------------------------------------------ */

struct export_decoder *
export_decoder_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  const struct dg_process *process = dg_log_process (log);
  bool is_64 = dg_log_header (log)->word_size == 8;
  const char *arch = process != NULL ? process->arch : "";
  struct export_decoder *decoder;

  if (arch[0] != '\0' && strcmp (arch, is_64 ? "amd64" : "x86") != 0)
    return NULL;
  decoder = g_new0 (struct export_decoder, 1);
  decoder->symbols = symbols;
  if (cs_open (CS_ARCH_X86, is_64 ? CS_MODE_64 : CS_MODE_32,
               &decoder->handle) != CS_ERR_OK) {
    g_free (decoder);
    return NULL;
  }
  cs_option (decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
  decoder->insn = cs_malloc (decoder->handle);
  return decoder;
}

void
export_decoder_free (struct export_decoder *decoder)
{
  if (decoder == NULL)
    return;
  cs_free (decoder->insn, 1);
  cs_close (&decoder->handle);
  g_free (decoder);
}

size_t
export_decoder_block (struct export_decoder *decoder,
                      const struct dg_bbdef *bbdef, uint64_t icount,
                      struct export_decoded *decoded, uint8_t *bytes)
{
  size_t n = dg_symbols_bytes (decoder->symbols, bbdef, icount, bytes,
                               EXPORT_CODE_MAX);
  const uint8_t *at = bytes;

  memset (decoded, 0, bbdef->n_instrs * sizeof *decoded);
  for (unsigned i = 0; i < bbdef->n_instrs && n > 0; i++) {
    const struct dg_instr *instr = &bbdef->instrs[i];
    const uint8_t *code = at;
    size_t size = instr->size;
    uint64_t address = instr->address;

    /* Valgrind takes some sequences for one instruction: the first one.  */
    if (cs_disasm_iter (decoder->handle, &code, &size, &address,
                        decoder->insn))
      take (decoder->handle, decoder->insn, &decoded[i]);
    at += instr->size;
  }
  return n;
}
