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
  { "amd64", true, false, x86_may_return, false },
  { "x86", true, false, x86_may_return, false },
  { "arm64", false, false, arm64_may_return, true },
  { "s390x", false, true, s390x_may_return, true },
  { NULL, false, true, any_may_return, false }
};

const struct dg_arch *
dg_arch_of (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  const struct dg_arch *arch = all;

  while (arch->name != NULL
         && (process == NULL || strcmp (arch->name, process->arch) != 0))
    arch++;
  return arch;
}
