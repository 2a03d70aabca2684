/* arch.c: what differs between the architectures that logs are of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arch.h"

#include <glib.h>
#include <string.h>

/* Of x86's instructions that can end a superblock, only a plain return has one
   byte.  */
static bool
x86_may_return (const uint8_t *bytes, size_t n)
{
  (void) bytes;
  return n == 1;
}

/* REP or REPNE (f3, f2) before movs, stos and lods, or cmps and scas; other
   prefixes are those of size, address and segment.  What is REX in 64-bit code
   comes before none of these instructions in 32-bit code.  VEX lets REPNE
   before movs and stos look at the flags, too.  (Intel SDM volume 2, REP.)  */
static enum dg_arch_repeats
x86_repeats (const uint8_t *bytes, size_t n)
{
  uint8_t prefix = 0;

  for (; n > 1; bytes++, n--) {
    if (*bytes == 0xf2 || *bytes == 0xf3)
      prefix = *bytes;
    else if (*bytes != 0x66 && *bytes != 0x67 && *bytes != 0x2e
             && *bytes != 0x36 && *bytes != 0x3e && *bytes != 0x26
             && *bytes != 0x64 && *bytes != 0x65 && (*bytes & 0xf0) != 0x40)
      return DG_ARCH_REPEATS_NOT;
  }
  if (n == 0 || prefix == 0)
    return DG_ARCH_REPEATS_NOT;
  switch (*bytes) {
  case 0xa4:    /* movs */
  case 0xa5:
  case 0xaa:    /* stos */
  case 0xab:
  case 0xac:    /* lods */
  case 0xad:
    return prefix == 0xf3 ? DG_ARCH_REPEATS_TO_ZERO
                          : DG_ARCH_REPEATS_TO_MATCH;
  case 0xa6:    /* cmps */
  case 0xa7:
  case 0xae:    /* scas */
  case 0xaf:
    return DG_ARCH_REPEATS_TO_MATCH;
  default:
    return DG_ARCH_REPEATS_NOT;
  }
}

/* In 64-bit code, VEX executes lods once, whatever is before.  */
static enum dg_arch_repeats
amd64_repeats (const uint8_t *bytes, size_t n)
{
  return n > 0 && (bytes[n - 1] == 0xac || bytes[n - 1] == 0xad)
           ? DG_ARCH_REPEATS_NOT : x86_repeats (bytes, n);
}

/* RET, RETAA and RETAB (Arm Architecture Reference Manual, C4.1.66): the
   instructions are words in the order of a little-endian machine.  */
static bool
arm64_may_return (const uint8_t *bytes, size_t n)
{
  uint32_t word;

  if (n != 4 || bytes == NULL)
    return n == 4;
  memcpy (&word, bytes, 4);
  word = GUINT32_FROM_LE (word);
  return (word & 0xfffffc1f) == 0xd65f0000
         || (word & 0xfffffbff) == 0xd65f0bff;
}

/* BCR to the link register, whose mask says on which conditions
   (z/Architecture Principles of Operation, chapter 7).  */
static bool
s390x_may_return (const uint8_t *bytes, size_t n)
{
  if (n != 2 || bytes == NULL)
    return n == 2;
  return bytes[0] == 0x07 && bytes[1] > 0x0f && (bytes[1] & 0x0f) == 0x0e;
}

static bool
any_may_return (const uint8_t *bytes, size_t n)
{
  (void) bytes;
  (void) n;
  return true;
}

static const struct dg_arch all[] = {
  { "amd64", true, false, x86_may_return, false, amd64_repeats },
  { "x86", true, false, x86_may_return, false, x86_repeats },
  { "arm64", false, false, arm64_may_return, true, NULL },
  { "s390x", false, true, s390x_may_return, true, NULL },
  { NULL, false, true, any_may_return, false, NULL }
};

const struct dg_arch *
dg_arch_find (const char *name)
{
  const struct dg_arch *arch = all;

  while (arch->name != NULL
         && (name == NULL || strcmp (arch->name, name) != 0))
    arch++;
  return arch;
}

const struct dg_arch *
dg_arch_of (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  return dg_arch_find (process != NULL ? process->arch : NULL);
}
