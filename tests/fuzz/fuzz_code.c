/* fuzz_code.c: any bytes as machine code, given to what the library knows of
   each architecture (symbols_arch.h).

     1 byte    the architecture
     1 byte    how far below the CFA registers are saved, in half words
     1 byte    the size of an entry of the table of jumps
     1 byte    instructions
     8 bytes   where the code is
     8 bytes   the global offset table
               the code

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET code

#include <string.h>

#include "fuzz_target.h"
#include "symbols/symbols_arch.h"

#define HEAD 20
#define INSTRS_MAX 100

static const struct dg_symbols_arch *const all[] = {
  &dg_symbols_arch_amd64, &dg_symbols_arch_x86, &dg_symbols_arch_arm64,
  &dg_symbols_arch_s390x
};

/* So that nothing of it is left out.  */
static volatile uint64_t kept;

static void
ask_stubs (const struct dg_symbols_arch *arch, const uint8_t *head,
           const uint8_t *code, size_t n)
{
  struct dg_symbols_stubs stubs = {.bytes = code, .n = n, .unit = head[2]};

  memcpy (&stubs.address, head + 4, 8);
  memcpy (&stubs.got, head + 12, 8);
  /* Of tables that a file says to be there.  */
  stubs.address &= UINT64_MAX >> 1;
  for (size_t at = 0; at < n; at++) {
    struct dg_symbols_stub stub;
    size_t next = arch->stub (&stubs, at, &stub);

    if (next == 0)
      continue;
    MUST (next > at && next <= n);
    MUST (stub.low < stub.high && stub.low <= stubs.address + at);
    kept += stub.slot;
  }
}

/* How many bytes the instruction has that begins there, nearly as the
   processor would have it.  */
static size_t
size_of_instr (const struct dg_symbols_arch *arch, const uint8_t *head,
               uint8_t first)
{
  if (arch == &dg_symbols_arch_arm64)
    return 4;
  if (arch == &dg_symbols_arch_s390x)
    return first < 0x40 ? 2 : first < 0xc0 ? 4 : 6;
  return (first ^ head[3]) % 8 + 1;
}

static void
ask_operands (const struct dg_symbols_arch *arch, const uint8_t *head,
              const uint8_t *code, size_t n)
{
  struct dg_instr instrs[INSTRS_MAX] = {0};
  struct dg_symbols_instr instr = {.instrs = instrs};
  uint64_t address;

  memcpy (&address, head + 4, 8);
  while (instr.n < INSTRS_MAX) {
    struct dg_instr *last = &instrs[instr.n];
    size_t size = size_of_instr (arch, head,
                                 instr.n_bytes < n ? code[instr.n_bytes] : 0);
    struct dg_operand operand = {0};
    uint8_t *exact;
    unsigned reg;
    int64_t offset;

    if (size > n - instr.n_bytes)
      break;
    last->address = address + instr.n_bytes;
    last->size = (uint8_t) size;
    instr.n++;
    instr.n_bytes += size;
    /* Of its exact size, so that reading beyond is seen.  */
    exact = g_memdup2 (code, instr.n_bytes);
    instr.bytes = exact;
    if (arch->operand (&instr, &operand)) {
      MUST (operand.is_fixed || operand.reg < 32);
      kept += operand.address + (uint64_t) operand.offset;
    }
    if (arch->access != NULL
        && arch->access (exact + instr.n_bytes - size, size, &reg, &offset)) {
      MUST (reg < 32);
      kept += (uint64_t) offset;
    }
    g_free (exact);
  }
}

static void
ask_frame (const struct dg_symbols_arch *arch, const uint8_t *head,
           const uint8_t *code, size_t n)
{
  struct dg_symbols_code_bytes bytes = {
    .bytes = code, .n = MIN (n, DG_SYMBOLS_ARCH_BEGIN),
    .machine = arch->machine
  };
  struct dg_realign realign = {0};
  int64_t below = 0;

  if (arch->realign != NULL) {
    arch->realign (&bytes, (int8_t) head[1] * (arch->word / 2), &realign);
    MUST ((realign.align & (realign.align - 1)) == 0);
    MUST (realign.align <= 65536 && realign.number < 32);
    kept += (uint64_t) (realign.above ^ realign.below ^ realign.limit);
  }
  if (arch->lowered != NULL && arch->lowered (&bytes, &below))
    kept += (uint64_t) below;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  const struct dg_symbols_arch *arch;
  uint8_t *code;

  if (n < HEAD)
    return 0;
  arch = all[bytes[0] % G_N_ELEMENTS (all)];
  n -= HEAD;
  code = g_memdup2 (bytes + HEAD, n);
  ask_stubs (arch, bytes, code, n);
  ask_operands (arch, bytes, code, n);
  ask_frame (arch, bytes, code, n);
  g_free (code);
  return 0;
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  /* Of logs there is nothing to take.  */
  g_byte_array_set_size (bytes, 0);
}
