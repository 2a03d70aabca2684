/* export_decode.h: what instructions do to registers, and which of them
   branch, from their machine code.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_DECODE_H
#define DG_EXPORT_DECODE_H

#include "libdatagrind.h"

enum export_branch {
  EXPORT_NO_BRANCH = 0,
  EXPORT_JUMP,             /* unconditional, to a fixed address */
  EXPORT_INDIRECT_JUMP,
  EXPORT_CONDITIONAL,
  EXPORT_CALL,             /* to a fixed address */
  EXPORT_INDIRECT_CALL,
  EXPORT_RETURN
};

/* Whole registers: al, ax, eax and rax are one.  The general ones of arm64 are
   x0 to x15, but the stack pointer in place of x4, and behind them x16 to x30
   and x4.  */
enum export_register {
  EXPORT_GENERAL = 0,      /* 16, numbered as in machine code */
  EXPORT_RAX = 0,
  EXPORT_RCX = 1,
  EXPORT_RDX = 2,
  EXPORT_STACK_POINTER = 4,
  EXPORT_R11 = 11,
  EXPORT_FLAGS = 16,
  EXPORT_INSTRUCTION_POINTER = 17,
  EXPORT_SEGMENT = 18,     /* es, cs, ss, ds, fs, gs */
  EXPORT_FLOAT = 24,       /* 8: of the x87, and of MMX */
  EXPORT_MASK = 32,        /* 8: k0 ... */
  EXPORT_FLOAT_STATE = 40, /* control and status of the x87 */
  EXPORT_VECTOR = 41,      /* 32: xmm, ymm and zmm; v0 ... */
  EXPORT_MORE = 73,        /* 16 more general ones */
  EXPORT_REGISTERS = 89
};

#define EXPORT_DECODED_MAX 16

/* The registers of an instruction, each once, the numbers ascending.  Those
   of addresses count as read.  */
struct export_decoded {
  uint8_t branch;          /* enum export_branch */
  uint8_t n_reads, n_writes;
  uint8_t reads[EXPORT_DECODED_MAX], writes[EXPORT_DECODED_MAX];
};

struct export_decoder;

/* The name of the log's architecture.  Logs that were imported say none: they
   are of amd64, or of x86 if their words have 4 bytes.  */
const char *export_arch_name (const struct dg_log *log);

/* The name of the log's architecture, if its code cannot be decoded, or
   NULL.  */
const char *export_decoder_lacks (const struct dg_log *log);

/* NULL: the code of this log cannot be decoded.  */
struct export_decoder *export_decoder_new (const struct dg_log *log,
                                           struct dg_symbols *symbols);
void export_decoder_free (struct export_decoder *decoder);

/* Decodes the instructions of a block into an array of bbdef->n_instrs.
   bytes: EXPORT_CODE_MAX of them, which receive its code.  icount: when it
   runs.  Returns the number of bytes; 0: the code is not known.  */
#define EXPORT_CODE_MAX (255 * 255)
size_t export_decoder_block (struct export_decoder *decoder,
                             const struct dg_bbdef *bbdef, uint64_t icount,
                             struct export_decoded *decoded, uint8_t *bytes);

#endif /* DG_EXPORT_DECODE_H */
