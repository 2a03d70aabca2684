/* export_decode_arch.h: what capstone does not say alike of all architectures.

   For another one: a file export_decode_NAME.c with a struct
   export_decode_arch, its declaration below, and a line in export_decode.c.

   Private to export_decode*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_DECODE_ARCH_H
#define DG_EXPORT_DECODE_ARCH_H

#include <capstone/capstone.h>

#include "export_decode.h"

/* Of numbers of registers: it has none.  */
#define EXPORT_NO_REGISTER EXPORT_REGISTERS

struct export_set {
  bool has[EXPORT_REGISTERS];
};

struct export_decode_arch {
  const char *name;        /* as in a log's PROCESS */
  cs_arch arch;
  cs_mode mode;
  bool call_pushes;        /* and returns pop: both change the stack pointer */
  /* The whole register that one of capstone's is, or is a part of.  */
  unsigned (*whole) (unsigned reg);
  /* code: of n bytes.  insn: as capstone has it; NULL: it does not know the
     instruction.  */
  enum export_branch (*branch) (const uint8_t *code, size_t n,
                                const cs_insn *insn);
  /* Where capstone is wrong, or says more than what values depend on.  */
  void (*correct) (const cs_insn *insn, struct export_set *reads,
                   struct export_set *writes);
};

extern const struct export_decode_arch export_decode_amd64;
extern const struct export_decode_arch export_decode_x86;
extern const struct export_decode_arch export_decode_arm64;

#endif /* DG_EXPORT_DECODE_ARCH_H */
