/* dg_context.h: the code in a log: superblocks, contexts, call paths.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_CONTEXT_H
#define LIBDATAGRIND_CONTEXT_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dg_instr {
  uint64_t address;
  uint8_t size; /* bytes */
};
/* An access of a superblock; continued entries of the file are joined.  */
struct dg_slot {
  uint16_t size;  /* bytes */
  uint8_t kind;   /* DG_ACC_READ or DG_ACC_WRITE */
  uint8_t iseq;   /* index of its instruction */
  uint16_t entry; /* index of its address in a run of the file */
};
/* An instruction that changes the stack pointer: not an access, and not
   counted as one, but the new value is among the addresses of a run.  Only in
   logs with DG_PROCESS_STACKS.  */
struct dg_sp_entry {
  uint16_t entry; /* index of the value, as in struct dg_slot */
  uint8_t iseq;   /* index of its instruction; never decreases */
};
/* Whether the last instruction of a superblock repeats itself (x86: rep movs
   and the like).  A log has it as a superblock that ends with it and is run
   again for each repetition; processors count one instruction.  Known only of
   code whose bytes the log contains.  */
enum dg_repeats {
  DG_REPEATS_NOT = 0,
  /* rep movs, stos, lods: a run that made their access is followed by another
     one; the last run of each makes none */
  DG_REPEATS_TO_ZERO = 1,
  /* repe cmps, repne scas, begun by a run of another superblock: all runs of
     this one are further repetitions */
  DG_REPEATS_FURTHER = 2
};
struct dg_bbdef {
  uint32_t number; /* its index in the log */
  uint16_t n_instrs;
  uint16_t n_slots;
  uint16_t n_entries; /* addresses of a complete run in the file */
  uint16_t n_sps;
  uint8_t repeats; /* enum dg_repeats; see dg_log_set_repetitions */
  const struct dg_instr *instrs;
  const struct dg_slot *slots;   /* by entry */
  const struct dg_sp_entry *sps; /* by entry */
};
/* A superblock in a call path.  Large programs have many millions.  */
struct dg_context {
  uint32_t bbdef;
  uint32_t path; /* below dg_log_n_call_paths */
};
/* By index, in the order of the file.  Indices are checked when the log is
   loaded: every index that the library returns is in range.  */
DG_API const struct dg_bbdef *dg_log_bbdef (const struct dg_log *log,
                                            uint32_t index);
DG_API struct dg_context dg_log_context (const struct dg_log *log,
                                         uint32_t index);

/* A call path is the path of its parent and one more call.  Parents have
   smaller numbers, so results can be computed in the order of numbers from
   those of the parents.  Path 0 has no calls.  */
struct dg_call_path {
  uint64_t site;   /* of the innermost call: return address - 1 */
  uint32_t parent; /* DG_NONE: path 0; and paths of other recorders that
                      only dg_log_path_sites can return */
};
DG_API uint32_t dg_log_n_call_paths (const struct dg_log *log);
DG_API struct dg_call_path dg_log_call_path (const struct dg_log *log,
                                             uint32_t path);
/* The call sites of a path, innermost first, at most `max`. Returns their
   number.  No path has more than DG_STACK_MAX - 1.  */
#define DG_STACK_MAX 255
DG_API uint32_t dg_log_path_sites (const struct dg_log *log, uint32_t path,
                                   uint64_t *sites, uint32_t max);
/* The stack of a context: [0] is the address of the superblock, followed by
   the call sites of its path.  Returns its length, 0 if the log contains
   none.  */
DG_API uint32_t dg_log_context_stack (const struct dg_log *log, uint32_t index,
                                      uint64_t stack[DG_STACK_MAX]);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CONTEXT_H */
