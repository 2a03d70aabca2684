/* export_decode.c: what instructions do to registers, by capstone.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_decode.h"

#include <glib.h>
#include <string.h>

#include "export_decode_arch.h"

struct export_decoder {
  struct dg_symbols *symbols;
  const struct export_decode_arch *arch;
  csh handle;
  cs_insn *insn;
};

static const struct export_decode_arch *const all[] = {
  &export_decode_amd64,
  &export_decode_x86,
  &export_decode_arm64,
};

/* ---- Registers -------------------------------------------------------- */

static void
add (const struct export_decode_arch *arch, struct export_set *set,
     unsigned reg)
{
  unsigned number = arch->whole (reg);

  if (number != EXPORT_NO_REGISTER)
    set->has[number] = true;
}

static uint8_t
put_set (const struct export_set *set, uint8_t *to)
{
  uint8_t n = 0;

  for (unsigned i = 0; i < EXPORT_REGISTERS && n < EXPORT_DECODED_MAX; i++)
    if (set->has[i])
      to[n++] = (uint8_t) i;
  return n;
}

/* ---- Instructions ----------------------------------------------------- */

/* What is the same for all branches of a kind, whatever capstone says.  */
static void
add_branch (const struct export_decode_arch *arch, enum export_branch branch,
            struct export_set *reads, struct export_set *writes)
{
  bool is_stack = branch == EXPORT_CALL || branch == EXPORT_INDIRECT_CALL
                  || branch == EXPORT_RETURN;

  if (branch == EXPORT_NO_BRANCH)
    return;
  writes->has[EXPORT_INSTRUCTION_POINTER] = true;
  if (is_stack && arch->call_pushes) {
    reads->has[EXPORT_STACK_POINTER] = true;
    writes->has[EXPORT_STACK_POINTER] = true;
  }
}

/* insn: NULL if capstone does not know the instruction.  */
static void
take (const struct export_decoder *decoder, const uint8_t *code, size_t n,
      const cs_insn *insn, struct export_decoded *decoded)
{
  const struct export_decode_arch *arch = decoder->arch;
  cs_regs reads, writes;
  uint8_t n_reads = 0, n_writes = 0;
  struct export_set read = {{false}}, written = {{false}};

  decoded->branch = arch->branch (code, n, insn);
  if (insn != NULL
      && cs_regs_access (decoder->handle, insn, reads, &n_reads, writes,
                         &n_writes)
           == CS_ERR_OK) {
    for (unsigned i = 0; i < n_reads; i++)
      add (arch, &read, reads[i]);
    for (unsigned i = 0; i < n_writes; i++)
      add (arch, &written, writes[i]);
  }
  if (insn != NULL)
    arch->correct (insn, &read, &written);
  add_branch (arch, decoded->branch, &read, &written);
  decoded->n_reads = put_set (&read, decoded->reads);
  decoded->n_writes = put_set (&written, decoded->writes);
}

/* ---- The decoder ------------------------------------------------------ */

const char *
export_arch_name (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  if (process != NULL && process->arch[0] != '\0')
    return process->arch;
  return dg_log_header (log)->word_size == 8 ? "amd64" : "x86";
}

/* NULL: it is not one of these.  */
static const struct export_decode_arch *
arch_of (const struct dg_log *log)
{
  const char *name = export_arch_name (log);

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

const char *
export_decoder_lacks (const struct dg_log *log)
{
  return arch_of (log) == NULL ? export_arch_name (log) : NULL;
}

struct export_decoder *
export_decoder_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  const struct export_decode_arch *arch = arch_of (log);
  struct export_decoder *decoder;

  if (arch == NULL)
    return NULL;
  decoder = g_new0 (struct export_decoder, 1);
  decoder->symbols = symbols;
  decoder->arch = arch;
  if (cs_open (arch->arch, arch->mode, &decoder->handle) != CS_ERR_OK) {
    g_free (decoder);
    return NULL;
  }
  cs_option (decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
  decoder->insn = cs_malloc (decoder->handle);
  return decoder;
}

void
export_decoder_free (struct export_decoder *decoder)
{
  if (decoder == NULL)
    return;
  cs_free (decoder->insn, 1);
  cs_close (&decoder->handle);
  g_free (decoder);
}

size_t
export_decoder_block (struct export_decoder *decoder,
                      const struct dg_bbdef *bbdef, uint64_t icount,
                      struct export_decoded *decoded, uint8_t *bytes)
{
  size_t n = dg_symbols_bytes (decoder->symbols, bbdef, icount, bytes,
                               EXPORT_CODE_MAX);
  const uint8_t *at = bytes;

  memset (decoded, 0, bbdef->n_instrs * sizeof *decoded);
  for (unsigned i = 0; i < bbdef->n_instrs && n > 0; i++) {
    const struct dg_instr *instr = &bbdef->instrs[i];
    const uint8_t *code = at;
    size_t size = instr->size;
    uint64_t address = instr->address;

    /* Valgrind takes some sequences for one instruction: the first one.  */
    bool is_known = cs_disasm_iter (decoder->handle, &code, &size, &address,
                                    decoder->insn);

    take (decoder, at, instr->size, is_known ? decoder->insn : NULL,
          &decoded[i]);
    at += instr->size;
  }
  return n;
}
