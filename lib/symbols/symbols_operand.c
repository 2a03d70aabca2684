/* symbols_operand.c: the source variables of an instruction's operands.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_operand.h"

#include "symbols.h"
#include "symbols_code.h"

#include <string.h>

/* The longest instruction there is.  */
#define MOST_BYTES 15

#define OP_STORE 0x89
#define OP_LOAD 0x8b

/* A REX prefix, which only amd64 has: its bits that matter.  */
#define REX_B 1
#define REX_X 2

/* `p` is behind the opcode.  */
static bool
read_operand (const uint8_t *p, const uint8_t *end, bool is_64, unsigned rex,
              uint64_t behind, struct dg_operand *out)
{
  static const size_t sizes[] = {0, 1, 4};
  unsigned mode, low;
  size_t n;

  if (p == end)
    return false;
  mode = *p >> 6;
  low = *p++ & 7;
  if (mode == 3)
    return false;
  n = sizes[mode];
  out->reg = low + (rex & REX_B ? 8 : 0);
  if (mode == 0 && low == 5) {
    out->is_fixed = true;
    n = 4;
  } else if (low == 4) {
    if (p == end || (*p >> 3 & 7) != 4 || (rex & REX_X)
        || (mode == 0 && (*p & 7) == 5))
      return false;
    out->reg = (*p++ & 7) + (rex & REX_B ? 8 : 0);
  }
  if ((size_t) (end - p) != n)
    return false;
  out->offset = dg_symbols_code_number (p, n);
  out->address = is_64 ? behind + (uint64_t) out->offset
                       : (uint32_t) out->offset;
  return true;
}

bool
dg_symbols_operand (struct dg_symbols *symbols, uint64_t instruction,
                    unsigned size, uint64_t icount, struct dg_operand *out)
{
  const struct dg_loaded *loaded =
    dg_symbols_loaded (symbols, instruction, icount);
  bool is_64 = dg_log_header (symbols->log)->word_size == 8;
  uint8_t bytes[MOST_BYTES];
  const uint8_t *p = bytes;
  unsigned rex = 0;
  struct dg_symbols_code_bytes code;

  memset (out, 0, sizeof *out);
  if (loaded == NULL || !loaded->has_bias || size < 2 || size > MOST_BYTES
      || !dg_symbols_can_ask (symbols, loaded->object))
    return false;
  g_mutex_lock (&loaded->object->lock);
  if (!dg_symbols_code_read (loaded->object, instruction - loaded->bias, size,
                             &code)
      || code.n < size || (code.word == 8) != is_64) {
    g_mutex_unlock (&loaded->object->lock);
    return false;
  }
  memcpy (bytes, code.bytes, size);
  g_mutex_unlock (&loaded->object->lock);
  if (is_64) {
    rex = *p++;
    /* Of a word all have one, with the bit for its size.  */
    if ((rex & 0xf8) != 0x48)
      return false;
  }
  if (*p != OP_STORE && *p != OP_LOAD) {
    /* eax has opcodes of its own for fixed addresses.  */
    if (is_64 || (*p != 0xa1 && *p != 0xa3) || size != 5)
      return false;
    out->is_fixed = true;
    out->address = (uint32_t) dg_symbols_code_number (p + 1, 4);
    return true;
  }
  return read_operand (p + 1, bytes + size, is_64, rex, instruction + size,
                       out);
}
