/* insn.c: what instructions do to registers, by capstone.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <glib.h>
#include <string.h>

#include "insn_arch.h"
#include "log/arch.h"

struct dg_insn_decoder {
  struct dg_symbols *symbols;
  const struct insn_arch *arch;
  const struct dg_arch *log_arch;      /* of the same architecture */
  csh handle;
  cs_insn *insn;
};

static const struct insn_arch *const all[] = {
  &insn_arch_amd64,
  &insn_arch_x86,
  &insn_arch_arm64,
};

/* ---- Registers -------------------------------------------------------- */

static void
add (const struct insn_arch *arch, struct insn_set *set, unsigned reg)
{
  unsigned number = arch->whole (reg);

  if (number != DG_REGS)
    set->has[number] = true;
}

static uint8_t
put_set (const struct insn_set *set, uint8_t *to)
{
  uint8_t n = 0;

  for (unsigned i = 0; i < DG_REGS && n < DG_INSN_REGS_MAX; i++)
    if (set->has[i])
      to[n++] = (uint8_t) i;
  return n;
}

/* ---- Instructions ----------------------------------------------------- */

/* What is the same for all branches of a kind, whatever capstone says.  */
static void
add_branch (const struct insn_arch *arch, enum dg_insn_branch branch,
            struct insn_set *reads, struct insn_set *writes)
{
  bool is_stack = branch == DG_INSN_CALL || branch == DG_INSN_INDIRECT_CALL
                  || branch == DG_INSN_RETURN;

  if (branch == DG_INSN_NO_BRANCH)
    return;
  writes->has[DG_REG_INSTRUCTION_POINTER] = true;
  if (is_stack && arch->call_pushes) {
    reads->has[DG_REG_STACK_POINTER] = true;
    writes->has[DG_REG_STACK_POINTER] = true;
  }
}

/* insn: NULL if capstone does not know the instruction.  */
static void
take (const struct dg_insn_decoder *decoder, const uint8_t *code, size_t n,
      const cs_insn *insn, struct dg_insn *decoded)
{
  const struct insn_arch *arch = decoder->arch;
  cs_regs reads, writes;
  uint8_t n_reads = 0, n_writes = 0;
  struct insn_set read = {{false}}, written = {{false}};

  decoded->branch = arch->branch (code, n, insn);
  decoded->base = DG_REGS;
  if (insn != NULL
      && cs_regs_access (decoder->handle, insn, reads, &n_reads, writes,
                         &n_writes)
           == CS_ERR_OK) {
    for (unsigned i = 0; i < n_reads; i++)
      add (arch, &read, reads[i]);
    for (unsigned i = 0; i < n_writes; i++)
      add (arch, &written, writes[i]);
  }
  if (insn != NULL) {
    arch->correct (insn, &read, &written);
    arch->describe (insn, decoded);
  } else if (arch->take_unknown != NULL) {
    arch->take_unknown (code, n, &read, &written, decoded);
  }
  if (decoder->log_arch->repeats != NULL
      && decoder->log_arch->repeats (code, n) != DG_ARCH_REPEATS_NOT)
    decoded->flags |= DG_INSN_REPEATED;
  add_branch (arch, decoded->branch, &read, &written);
  decoded->n_reads = put_set (&read, decoded->reads);
  decoded->n_writes = put_set (&written, decoded->writes);
}

/* ---- The decoder ------------------------------------------------------ */

const char *
dg_insn_arch_name (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  if (process != NULL && process->arch[0] != '\0')
    return process->arch;
  return dg_log_header (log)->word_size == 8 ? "amd64" : "x86";
}

/* NULL: it is not one of these.  */
static const struct insn_arch *
arch_of (const struct dg_log *log)
{
  const char *name = dg_insn_arch_name (log);

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

const char *
dg_insn_decoder_lacks (const struct dg_log *log)
{
  return arch_of (log) == NULL ? dg_insn_arch_name (log) : NULL;
}

static bool
open_handle (const struct insn_arch *arch, csh *handle)
{
  if (cs_open (arch->arch, arch->mode, handle) != CS_ERR_OK)
    return false;
  cs_option (*handle, CS_OPT_DETAIL, CS_OPT_ON);
  return true;
}

/* Capstone sorts tables when an architecture is first decoded, without a lock:
   if two threads do so at once, the tables are wrong from then on.  So one
   instruction of each is decoded before any other.  */
static void
sort_tables (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    csh handle;
    cs_insn *insn;

    if (!open_handle (all[i], &handle))
      continue;
    if (cs_disasm (handle, all[i]->nop, all[i]->nop_size, 0, 1, &insn) > 0)
      cs_free (insn, 1);
    cs_close (&handle);
  }
  g_once_init_leave (&once, 1);
}

struct dg_insn_decoder *
dg_insn_decoder_new (const struct dg_log *log, struct dg_symbols *symbols)
{
  const struct insn_arch *arch = arch_of (log);
  struct dg_insn_decoder *decoder;

  if (arch == NULL)
    return NULL;
  decoder = g_new0 (struct dg_insn_decoder, 1);
  decoder->symbols = symbols;
  decoder->arch = arch;
  decoder->log_arch = dg_arch_find (arch->name);
  sort_tables ();
  if (!open_handle (arch, &decoder->handle)) {
    g_free (decoder);
    return NULL;
  }
  decoder->insn = cs_malloc (decoder->handle);
  return decoder;
}

void
dg_insn_decoder_free (struct dg_insn_decoder *decoder)
{
  if (decoder == NULL)
    return;
  cs_free (decoder->insn, 1);
  cs_close (&decoder->handle);
  g_free (decoder);
}

size_t
dg_insn_decoder_block (struct dg_insn_decoder *decoder,
                       const struct dg_bbdef *bbdef, uint64_t icount,
                       struct dg_insn *decoded, uint8_t *bytes)
{
  size_t n = dg_symbols_bytes (decoder->symbols, bbdef, icount, bytes,
                               DG_INSN_CODE_MAX);
  const uint8_t *at = bytes;

  memset (decoded, 0, bbdef->n_instrs * sizeof *decoded);
  for (unsigned i = 0; i < bbdef->n_instrs && n > 0; i++) {
    const struct dg_instr *instr = &bbdef->instrs[i];
    const uint8_t *code = at;
    size_t size = instr->size;
    uint64_t address = instr->address;

    /* Only the first instruction of a sequence is decoded.  */
    bool is_known = cs_disasm_iter (decoder->handle, &code, &size, &address,
                                    decoder->insn);

    take (decoder, at, instr->size, is_known ? decoder->insn : NULL,
          &decoded[i]);
    at += instr->size;
  }
  return n;
}

unsigned
dg_insn_decoder_sequence (struct dg_insn_decoder *decoder,
                          const uint8_t *code, uint8_t n,
                          uint8_t sizes[DG_INSN_SEQUENCE_MAX])
{
  size_t left = n;
  uint64_t address = 0;
  unsigned found = 0;

  while (left > 0 && found < DG_INSN_SEQUENCE_MAX
         && cs_disasm_iter (decoder->handle, &code, &left, &address,
                            decoder->insn))
    sizes[found++] = (uint8_t) decoder->insn->size;
  if (left == 0 && found > 0)
    return found;
  sizes[0] = n;
  return 1;
}

const char *
dg_insn_decoder_opcode (struct dg_insn_decoder *decoder, const uint8_t *code,
                        uint8_t n)
{
  size_t left = n;
  uint64_t address = 0;

  return cs_disasm_iter (decoder->handle, &code, &left, &address,
                         decoder->insn)
           ? decoder->insn->mnemonic : NULL;
}
