/* time_code.h: the instructions of superblocks, as the time model needs them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_CODE_H
#define DG_TIME_CODE_H

#include "time_machine.h"

/* The base of the operands of push, pop, call and ret.  It is not a register:
   processors compute the stack pointer when they decode these
   instructions.  */
#define DG_TIME_ON_STACK 255
/* Registers for variables of a changed program, besides those of
   enum dg_insn_register.  */
#define DG_TIME_VARIABLES 90
#define DG_TIME_N_VARIABLES 6
#define DG_TIME_REGS (DG_TIME_VARIABLES + DG_TIME_N_VARIABLES)
/* A flag besides those of enum dg_insn_flags: the instruction is not
   executed.  */
#define DG_TIME_REMOVED 128

/* An instruction.  Registers by enum dg_insn_register: those of addresses,
   then other ones that are read, then those that are written.  */
struct dg_time_insn {
  uint64_t address;
  int32_t displacement;    /* of its operand in memory, from `base` */
  uint16_t first_slot;
  uint8_t n_slots;
  uint8_t size;            /* bytes */
  uint8_t branch;          /* enum dg_insn_branch */
  uint8_t flags;           /* enum dg_insn_flags */
  uint8_t latency;         /* cycles, besides those of a load */
  uint8_t busy;            /* cycles of the divider; 0: it is not used */
  uint8_t base;            /* register; DG_REGS: more than one, or none;
                              or DG_TIME_ON_STACK */
  uint8_t updated;         /* the base, if the instruction adds to it after
                              it has formed the address (DG_INSN_UPDATES); or
                              DG_REGS */
  uint8_t n_addresses, n_sources, n_targets;
  uint8_t regs[12];
  bool is_move;            /* what is stored is what was read */
  bool has_load;
};

struct dg_time_block {
  uint32_t n;
  struct dg_time_insn insns[];
};

/* The blocks of a log, decoded when they first run.  One thread.  */
struct dg_time_code;
/* symbols: outlives the code.  NULL: no memory.  */
struct dg_time_code *dg_time_code_new (const struct dg_log *log,
                                       struct dg_symbols *symbols,
                                       const struct dg_time_machine *machine,
                                       struct dg_error *err);
void dg_time_code_free (struct dg_time_code *code);
/* Whether machine code of the log's architecture is understood.  */
bool dg_time_code_is_known (const struct dg_time_code *code);
/* A block.  icount: when it runs.  NULL: no memory.  */
const struct dg_time_block *dg_time_code_block (struct dg_time_code *code,
                                                const struct dg_bbdef *bbdef,
                                                uint64_t icount);

#endif /* DG_TIME_CODE_H */
