/* symbols_arch.h: what the library knows of the machine code of each
   architecture.

   For another one: a file symbols_arch_NAME.c with a struct dg_symbols_arch,
   its declaration below, and a line in symbols_arch.c.  What is NULL there is
   not known of it, and answers that need it are missing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_ARCH_H
#define DG_SYMBOLS_ARCH_H

#include "libdatagrind.h"

#include "symbols_code.h"

/* Memory that an instruction names: at a register plus a number, or at an
   address.  */
struct dg_operand {
  bool is_fixed;
  uint64_t address;        /* if it is */
  unsigned reg;            /* else; numbered as in a log's BBFLOW */
  int64_t offset;
};

/* An instruction, and what comes before it in its superblock.  */
struct dg_symbols_instr {
  const struct dg_instr *instrs;       /* the last of them is meant */
  size_t n;
  const uint8_t *bytes;    /* of all of them, one behind the other */
  size_t n_bytes;
};

/* A table of jumps to functions of other files.  */
struct dg_symbols_stubs {
  const uint8_t *bytes;
  size_t n;
  uint64_t address, unit;  /* the section's, and its size of an entry */
  uint64_t got;            /* what a register has there; 0: nothing */
};

struct dg_symbols_stub {
  uint64_t low, high;      /* its bytes */
  uint64_t slot;           /* where the word is that leads to the function */
};

/* Where the variables of a function are that aligns its frame, or a part of
   it: from a register, which is (CFA - above) rounded to a multiple of
   `align`, minus `below`.  Rounded down, all that is more than `limit` below
   the CFA moves with it; rounded up, only variables that are told from it.
   */
struct dg_realign {
  uint64_t align;          /* a power of two; 0: the frame is as it comes */
  int64_t above, below, limit;
  bool is_up;
  unsigned number;         /* the register, as DWARF counts */
};

struct dg_symbols_arch {
  const char *name;        /* as in a log's PROCESS */
  unsigned machine;        /* EM_NAME of ELF files */
  uint8_t word;            /* bytes */
  /* Registers as in a log's BBFLOW: that of results, and those by which frames
     are told.  */
  uint8_t result, stack_pointer, frame_pointer;
  uint8_t above;           /* bytes from the stack pointer, at a call, to the
                              CFA of what it calls */
  const uint8_t *dwarf;    /* of the first ones of those the numbers that
                              DWARF has; the others have the same */
  uint8_t n_dwarf;
  /* The stub whose jump is at a byte of the table, or which begins there:
     returns where the next one may be, or 0, if there is none there.  */
  size_t (*stub) (const struct dg_symbols_stubs *stubs, size_t at,
                  struct dg_symbols_stub *out);
  /* The operand of an instruction that moves words between registers and
     memory, or the first of several; false: it is of another kind, or has an
     index.  */
  bool (*operand) (const struct dg_symbols_instr *instr,
                   struct dg_operand *out);
  /* Whether a function aligns its frame, of which these are the first bytes;
     saved: how far below the CFA the registers reach that it saves before (0:
     not known).  All of *out is 0 before.  */
  void (*realign) (const struct dg_symbols_code_bytes *code, int64_t saved,
                   struct dg_realign *out);
  /* Where calls leave no word on the stack (log/arch.h): the register, as
     DWARF counts, and the number which make the address that an instruction
     accesses (first).  */
  bool (*access) (const uint8_t *bytes, size_t n, unsigned *reg,
                  int64_t *offset);
  /* How far the stack pointer is below the CFA behind the first instructions
     of a function; false: it cannot be told.  Call frame information may be
     right only behind what a function begins with.  */
  bool (*lowered) (const struct dg_symbols_code_bytes *code, int64_t *below);
};

/* NULL: it is not one of these.  */
const struct dg_symbols_arch *dg_symbols_arch_of_machine (unsigned machine);
const struct dg_symbols_arch *
dg_symbols_arch_of_log (const struct dg_log *log);

/* Of a register as in a log's BBFLOW the number that DWARF has.  */
unsigned dg_symbols_arch_dwarf (const struct dg_symbols_arch *arch,
                                unsigned reg);

/* The most bytes that `realign` and `lowered` are given.  */
#define DG_SYMBOLS_ARCH_BEGIN 160

/* Of the function that begins at an address of the object and has so many
   bytes there.  Sets align to 0 for all functions that it does not know to
   align their frames.  Under the lock of the object.  */
void dg_symbols_arch_realign (struct dg_object *object, uint64_t entry,
                              uint64_t size, int64_t saved,
                              struct dg_realign *out);

/* ---- The architectures ------------------------------------------------ */

extern const struct dg_symbols_arch dg_symbols_arch_amd64;
extern const struct dg_symbols_arch dg_symbols_arch_x86;
extern const struct dg_symbols_arch dg_symbols_arch_arm64;
extern const struct dg_symbols_arch dg_symbols_arch_s390x;

#endif /* DG_SYMBOLS_ARCH_H */
