/* insn_arch.h: what capstone does not say alike of all architectures.

   For another one: a file insn_NAME.c with a struct insn_arch, its declaration
   below, and a line in insn.c.

   Private to insn*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INSN_ARCH_H
#define DG_INSN_ARCH_H

#include <capstone/capstone.h>

#include "libdatagrind.h"

struct insn_set {
  bool has[DG_REGS];
};

struct insn_arch {
  const char *name;        /* as in a log's PROCESS */
  cs_arch arch;
  cs_mode mode;
  uint8_t nop[4];          /* an instruction, of nop_size bytes */
  uint8_t nop_size;
  bool call_pushes;        /* and returns pop: both change the stack pointer */
  /* The whole register that one of capstone's is, or is a part of; DG_REGS:
     none that is counted.  */
  unsigned (*whole) (unsigned reg);
  /* code: of n bytes.  insn: as capstone has it; NULL: it does not know the
     instruction.  */
  enum dg_insn_branch (*branch) (const uint8_t *code, size_t n,
                                const cs_insn *insn);
  /* Where capstone is wrong, or says more than what values depend on.  */
  void (*correct) (const cs_insn *insn, struct insn_set *reads,
                   struct insn_set *writes);
  /* Fills what the instruction does besides: work, memory and flags.  */
  void (*describe) (const cs_insn *insn, struct dg_insn *decoded);
  /* The same as both for what capstone does not know: code of n bytes.  NULL:
     it knows all that matters.  */
  void (*take_unknown) (const uint8_t *code, size_t n, struct insn_set *reads,
                        struct insn_set *writes, struct dg_insn *decoded);
};

/* What an operand in memory is found by: whole registers, or DG_REGS.  */
void insn_put_address (unsigned base, unsigned index, int64_t displacement,
                       struct dg_insn *decoded);

extern const struct insn_arch insn_arch_amd64;
extern const struct insn_arch insn_arch_x86;
extern const struct insn_arch insn_arch_arm64;

#endif /* DG_INSN_ARCH_H */
