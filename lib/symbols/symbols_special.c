/* symbols_special.c: instructions that are not like others.

   Encodings: Intel SDM volume 2, LOCK and XCHG; Arm Architecture
   Reference Manual for A-profile, "Loads and stores"; z/Architecture
   Principles of Operation, COMPARE AND SWAP and the interlocked-access
   facilities.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_special.h"

#include <elf.h>

#include "log/arch.h"
#include "symbols.h"
#include "symbols_arch.h"

/* What definitions can have at most: instructions of 15 bytes.  */
#define MOST_BYTES (256 * 15)

/* The lock prefix, or an xchg with memory, which needs none.  */
static enum dg_special
special_x86 (const uint8_t *p, size_t n)
{
  for (; n > 0; p++, n--) {
    if (*p == 0xf0)
      return DG_SPECIAL_ATOMIC;
    /* Other prefixes.  What is REX in 64-bit code comes before neither of
       these instructions in 32-bit code.  */
    if (*p != 0x66 && *p != 0xf2 && *p != 0xf3 && *p != 0x2e && *p != 0x36
        && *p != 0x3e && *p != 0x26 && *p != 0x64 && *p != 0x65
        && (*p & 0xf0) != 0x40)
      break;
  }
  if (n >= 2 && (p[0] == 0x86 || p[0] == 0x87) && p[1] < 0xc0)
    return DG_SPECIAL_ATOMIC;
  /* syscall, sysenter, int 0x80.  */
  if (n == 2 && ((p[0] == 0x0f && (p[1] == 0x05 || p[1] == 0x34))
                 || (p[0] == 0xcd && p[1] == 0x80)))
    return DG_SPECIAL_SYSCALL;
  return DG_SPECIAL_NONE;
}

/* Exclusive loads and stores, compare and swap, and the atomic operations of
   8.1; svc.  */
static enum dg_special
special_arm64 (const uint8_t *p, size_t n)
{
  uint32_t word;

  if (n != 4)
    return DG_SPECIAL_NONE;
  word = p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16
         | (uint32_t) p[3] << 24;
  if ((word & 0xffe0001f) == 0xd4000001)
    return DG_SPECIAL_SYSCALL;
  /* Bit 23 without bit 21: load-acquire and store-release, which are not.  */
  return ((word & 0x3f000000) == 0x08000000
          && (word & 0x00a00000) != 0x00800000)
             || (word & 0x3b200c00) == 0x38200000
           ? DG_SPECIAL_ATOMIC : DG_SPECIAL_NONE;
}

/* svc; CS, CDS; CSY, CDSY, and "load and add" to "load and or".  */
static enum dg_special
special_s390x (const uint8_t *p, size_t n)
{
  bool is_atomic = false;

  if (n == 2 && p[0] == 0x0a)
    return DG_SPECIAL_SYSCALL;
  if (n == 4)
    is_atomic = p[0] == 0xba || p[0] == 0xbb;
  if (n == 6 && p[0] == 0xeb)
    is_atomic = p[5] == 0x14 || p[5] == 0x30 || p[5] == 0x31 || p[5] == 0x3e
                || (p[5] >= 0xe4 && p[5] <= 0xfa && p[5] != 0xf2
                    && p[5] != 0xf3);
  return is_atomic ? DG_SPECIAL_ATOMIC : DG_SPECIAL_NONE;
}

enum dg_special
dg_symbols_special (struct dg_symbols *symbols, const struct dg_bbdef *bbdef,
                    unsigned iseq, uint64_t icount)
{
  const struct dg_symbols_arch *arch = dg_symbols_arch_of_log (symbols->log);
  const struct dg_arch *log_arch = dg_arch_of (symbols->log);
  uint8_t bytes[MOST_BYTES], *p = bytes;
  size_t n = bbdef->instrs[iseq].size;

  if (arch == NULL
      || dg_symbols_bytes (symbols, bbdef, icount, bytes, sizeof bytes) == 0)
    return DG_SPECIAL_NONE;
  for (unsigned i = 0; i < iseq; i++)
    p += bbdef->instrs[i].size;
  if (log_arch->repeats != NULL
      && log_arch->repeats (p, n) != DG_ARCH_REPEATS_NOT)
    return DG_SPECIAL_REPEATED;
  switch (arch->machine) {
  case EM_386:
  case EM_X86_64: return special_x86 (p, n);
  case EM_AARCH64: return special_arm64 (p, n);
  default: return special_s390x (p, n);
  }
}
