/* dg_insn.h: what instructions do, from their machine code: registers,
   branches, operands in memory, and the kind of work.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_INSN_H
#define LIBDATAGRIND_INSN_H

#include "dg_context.h"
#include "dg_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dg_insn_branch {
  DG_INSN_NO_BRANCH = 0,
  DG_INSN_JUMP,             /* unconditional, to a fixed address */
  DG_INSN_INDIRECT_JUMP,
  DG_INSN_CONDITIONAL,
  DG_INSN_CALL,             /* to a fixed address */
  DG_INSN_INDIRECT_CALL,
  DG_INSN_RETURN
};

/* Whole registers: al, ax, eax and rax are one.  The general ones of arm64 are
   x0 to x15, but the stack pointer in place of x4, and behind them x16 to x30
   and x4.  */
enum dg_insn_register {
  DG_REG_GENERAL = 0,      /* 16, numbered as in machine code */
  DG_REG_RAX = 0,
  DG_REG_RCX = 1,
  DG_REG_RDX = 2,
  DG_REG_STACK_POINTER = 4,
  DG_REG_RBP = 5,
  DG_REG_R11 = 11,
  DG_REG_FLAGS = 16,
  DG_REG_INSTRUCTION_POINTER = 17,
  DG_REG_SEGMENT = 18,     /* es, cs, ss, ds, fs, gs */
  DG_REG_FLOAT = 24,       /* 8: of the x87, and of MMX */
  DG_REG_MASK = 32,        /* 8: k0 ... */
  DG_REG_FLOAT_STATE = 40, /* control and status of the x87 */
  DG_REG_VECTOR = 41,      /* 32: xmm, ymm and zmm; v0 ... */
  DG_REG_MORE = 73,        /* 16 more general ones */
  DG_REGS = 89
};

#define DG_INSN_REGS_MAX 16

/* The kind of work of an instruction, which is what its latency depends on.
   Loads and stores are apart: they are the accesses of the log.  */
enum dg_insn_work {
  DG_INSN_INTEGER = 0,     /* additions, logic, shifts; also if the code is
                              not known */
  DG_INSN_MOVE,            /* between registers of a kind, or between memory
                              and a register, without other work */
  DG_INSN_CROSS,           /* between general and vector registers */
  DG_INSN_MULTIPLY,
  DG_INSN_DIVIDE,
  DG_INSN_VECTOR,          /* of integers, logic, shuffles */
  DG_INSN_VECTOR_MULTIPLY,
  DG_INSN_COMPARE,         /* of floating-point numbers, into flags */
  DG_INSN_FLOAT_ADD,
  DG_INSN_FLOAT_MULTIPLY,
  DG_INSN_FLOAT_FUSED,     /* multiplies and adds */
  DG_INSN_FLOAT_DIVIDE,
  DG_INSN_FLOAT_ROOT,
  DG_INSN_CONVERT,         /* between formats of numbers */
  DG_INSN_X87,
  DG_INSN_SLOW,            /* in microcode, such as cpuid */
  DG_INSN_WORKS
};

enum dg_insn_flags {
  DG_INSN_LOCKED = 1,      /* atomic, or a fence: waits for those before */
  DG_INSN_REPEATED = 2,    /* rep movs and the like */
  DG_INSN_STACK = 4,       /* push, pop, call, ret: the stack pointer is
                              followed without a dependency */
  DG_INSN_UPDATES = 8,     /* adds to the base of its operand, besides the
                              access: ldr x0, [x1], #8 */
  DG_INSN_MERGES = 16,     /* writes a part of a register and keeps the other
                              part: the instruction waits for the old value,
                              which is not among the reads */
  DG_INSN_CONSTANT = 32,   /* the result is the same whatever it reads:
                              pcmpeqd of a register with itself */
  DG_INSN_BIT_OF_REGISTER = 64     /* bt and the like with two registers, which
                                      Valgrind executes through memory below
                                      the stack */
};

/* The registers of an instruction, each once, the numbers ascending.  Those
   of addresses count as read.  */
struct dg_insn {
  uint8_t branch;          /* enum dg_insn_branch */
  uint8_t work;            /* enum dg_insn_work */
  uint8_t flags;           /* enum dg_insn_flags */
  uint8_t n_reads, n_writes;
  uint8_t n_addresses;     /* registers that find operands in memory */
  uint8_t base;            /* the only one of these; DG_REGS: there are others
                              or none */
  uint8_t reads[DG_INSN_REGS_MAX], writes[DG_INSN_REGS_MAX];
  uint8_t addresses[4];
  int32_t displacement;    /* from base */
};

/* Used by one thread at a time; its symbols must outlive it.  */
struct dg_insn_decoder;

/* The name of the log's architecture.  Logs that were imported say none: they
   are of amd64, or of x86 if their words have 4 bytes.  */
DG_API const char *dg_insn_arch_name (const struct dg_log *log);

/* The name of the log's architecture, if its code cannot be decoded, or
   NULL.  */
DG_API const char *dg_insn_decoder_lacks (const struct dg_log *log);

/* NULL: the code of this log cannot be decoded.  */
DG_API struct dg_insn_decoder *
dg_insn_decoder_new (const struct dg_log *log, struct dg_symbols *symbols);
DG_API void dg_insn_decoder_free (struct dg_insn_decoder *decoder);

/* Decodes the instructions of a block into an array of bbdef->n_instrs.
   bytes: DG_INSN_CODE_MAX of them, which receive its code.  icount: when it
   runs.  Returns the number of bytes; 0: the code is not known.  */
#define DG_INSN_CODE_MAX (255 * 255)
DG_API size_t
dg_insn_decoder_block (struct dg_insn_decoder *decoder,
                       const struct dg_bbdef *bbdef, uint64_t icount,
                       struct dg_insn *decoded, uint8_t *bytes);

/* The opcode of an instruction of n bytes, as assembly has it, with prefixes
   such as "lock" and "rep"; of a sequence, of the first one.  NULL: not known.
   Valid until the next call.  */
DG_API const char *dg_insn_decoder_opcode (struct dg_insn_decoder *decoder,
                                           const uint8_t *code, uint8_t n);

/* Valgrind takes some sequences for one instruction, above all its client
   requests: the sizes of the instructions that n bytes of code are.  Returns
   their number, at most DG_INSN_SEQUENCE_MAX; 1 with the size n if they are
   one, or not known.  */
#define DG_INSN_SEQUENCE_MAX 8
DG_API unsigned
dg_insn_decoder_sequence (struct dg_insn_decoder *decoder,
                          const uint8_t *code, uint8_t n,
                          uint8_t sizes[DG_INSN_SEQUENCE_MAX]);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_INSN_H */
