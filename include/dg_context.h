/* dg_context.h: the code that a log names: blocks, contexts, call paths.

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
/* An access of a block: continued entries of the file are joined here.  */
struct dg_slot {
  uint16_t size;  /* bytes */
  uint8_t kind;   /* DG_ACC_READ or DG_ACC_WRITE */
  uint8_t iseq;   /* index of its instruction */
  uint16_t entry; /* index of its address in a run of the file */
};
/* An instruction that changes the stack pointer: no access, and counted as
   none, but the new value stands among the addresses of a run.  Logs with
   DG_PROCESS_STACKS have these.  */
struct dg_sp_entry {
  uint16_t entry; /* index of the value, as in struct dg_slot */
  uint8_t iseq;   /* index of its instruction; never falls */
};
struct dg_bbdef {
  uint32_t number; /* its index in the log */
  uint16_t n_instrs;
  uint16_t n_slots;
  uint16_t n_entries; /* addresses of a whole run in the file */
  uint16_t n_sps;
  const struct dg_instr *instrs;
  const struct dg_slot *slots;   /* by entry */
  const struct dg_sp_entry *sps; /* by entry */
};
/* A block in a call path.  Of a large program there are many millions.  */
struct dg_context {
  uint32_t bbdef;
  uint32_t path; /* below dg_log_n_call_paths */
};
/* Arrays in the order of the file.  Indices are checked at load: every index
   that the library gives is in range.  */
DG_API const struct dg_bbdef *dg_log_bbdef (const struct dg_log *log,
                                            uint32_t index);
DG_API struct dg_context dg_log_context (const struct dg_log *log,
                                         uint32_t index);

/* A call path is another one, and a call more.  That other one has a smaller
   number, so what is worked out in the order of numbers finds what it goes on
   from.  Path 0 has no calls.  */
struct dg_call_path {
  uint64_t site;   /* of the innermost call: return address - 1 */
  uint32_t parent; /* DG_NONE: of path 0; and of those of foreign logs
                      that only dg_log_path_sites has */
};
DG_API uint32_t dg_log_n_call_paths (const struct dg_log *log);
DG_API struct dg_call_path dg_log_call_path (const struct dg_log *log,
                                             uint32_t path);
/* The call sites of a path, innermost first, `max` at most: their number.
   No path has more than DG_STACK_MAX - 1.  */
#define DG_STACK_MAX 255
DG_API uint32_t dg_log_path_sites (const struct dg_log *log, uint32_t path,
                                   uint64_t *sites, uint32_t max);
/* The stack of a context: [0] the block's address, then the call sites of its
   path.  Its length, 0 if the log gives none.  */
DG_API uint32_t dg_log_context_stack (const struct dg_log *log, uint32_t index,
                                      uint64_t stack[DG_STACK_MAX]);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CONTEXT_H */
