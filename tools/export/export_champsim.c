/* export_champsim.c: ChampSim's traces: a record of 64 bytes, input_instr, for
   each instruction: its address, whether it branches, the registers that it
   writes and reads, and the memory that it does.

   ChampSim finds the kind of a branch by the registers 6, 25 and 26: the stack
   pointer, the flags and the instruction pointer.  An instruction with more
   accesses than a record has room for gets more records.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

#define N_DESTINATIONS 2
#define N_SOURCES 4

struct record {
  uint64_t ip;
  uint8_t is_branch, branch_taken;
  uint8_t destination_registers[N_DESTINATIONS];
  uint8_t source_registers[N_SOURCES];
  uint64_t destination_memory[N_DESTINATIONS];
  uint64_t source_memory[N_SOURCES];
};
G_STATIC_ASSERT (sizeof (struct record) == 64);

#define REG_STACK_POINTER 6
#define REG_FLAGS 25
#define REG_INSTRUCTION_POINTER 26
/* In place of a register in the address of an indirect branch that has none:
   by it ChampSim knows that the branch is indirect.  Nothing writes it.  */
#define REG_TARGET 255

/* What is the same whenever an instruction of a block runs.  */
struct instr {
  struct record record;
  uint8_t branch;          /* enum dg_insn_branch */
};
struct block {
  struct instr *instrs;    /* NULL: it did not run yet */
  bool is_codeless;
};

struct champsim {
  struct dg_insn_decoder *decoder;  /* NULL: of another processor */
  struct block *blocks;
  size_t n_blocks;
  uint8_t *bytes;
  /* The latest instruction, whose successor says whether it was taken.  */
  struct record last;
  uint64_t last_end;       /* the address behind it */
  uint64_t last_icount;
  uint8_t last_branch;
  bool has_last;
  unsigned n_reads, n_writes;      /* of its record */
  /* The windows after the latest instruction.  */
  const struct dg_window_change *windows;
  size_t n_windows;
};

/* ---- Registers -------------------------------------------------------- */

/* 1 to 254; general ones, segments and flags as Pin numbers them.  */
static uint8_t
number_of (uint8_t reg)
{
  static const uint8_t generals[] = {10, 9, 8, 7, REG_STACK_POINTER, 5, 4, 3,
                                     11, 12, 13, 14, 15, 16, 17, 18};

  if (reg < G_N_ELEMENTS (generals))
    return generals[reg];
  if (reg == DG_REG_FLAGS)
    return REG_FLAGS;
  if (reg == DG_REG_INSTRUCTION_POINTER)
    return REG_INSTRUCTION_POINTER;
  if (reg < DG_REG_FLOAT)
    return (uint8_t) (19 + reg - DG_REG_SEGMENT);
  return (uint8_t) (32 + reg - DG_REG_FLOAT);
}

static void
put_registers (const uint8_t *regs, unsigned n, uint8_t *to, unsigned max)
{
  for (unsigned i = 0; i < n && i < max; i++)
    to[i] = number_of (regs[i]);
}

/* The first register of an address, or of a target, that is not special; 0:
   there is none.  */
static uint8_t
other_register (const struct dg_insn *decoded)
{
  for (unsigned i = 0; i < decoded->n_reads; i++) {
    uint8_t reg = decoded->reads[i];

    if (reg != DG_REG_STACK_POINTER && reg != DG_REG_FLAGS
        && reg != DG_REG_INSTRUCTION_POINTER)
      return number_of (reg);
  }
  return 0;
}

/* By these ChampSim knows a branch of each kind.  */
static void
put_branch (struct record *record, const struct dg_insn *decoded)
{
  static const struct {
    uint8_t sources[3], destinations[2];
    bool has_other;        /* and another source */
  } kinds[] = {
    [DG_INSN_JUMP] = {{REG_INSTRUCTION_POINTER}, {REG_INSTRUCTION_POINTER},
                     false},
    [DG_INSN_INDIRECT_JUMP] = {{0}, {REG_INSTRUCTION_POINTER}, true},
    [DG_INSN_CONDITIONAL] = {{REG_INSTRUCTION_POINTER, REG_FLAGS},
                            {REG_INSTRUCTION_POINTER}, false},
    [DG_INSN_CALL] = {{REG_INSTRUCTION_POINTER, REG_STACK_POINTER},
                     {REG_INSTRUCTION_POINTER, REG_STACK_POINTER}, false},
    [DG_INSN_INDIRECT_CALL] = {{REG_INSTRUCTION_POINTER, REG_STACK_POINTER},
                              {REG_INSTRUCTION_POINTER, REG_STACK_POINTER},
                              true},
    [DG_INSN_RETURN] = {{REG_STACK_POINTER},
                       {REG_INSTRUCTION_POINTER, REG_STACK_POINTER},
                       false}};
  uint8_t branch = decoded->branch, other = other_register (decoded);
  unsigned n = 0;

  record->is_branch = 1;
  for (unsigned i = 0; i < 3 && kinds[branch].sources[i] != 0; i++)
    record->source_registers[n++] = kinds[branch].sources[i];
  memcpy (record->destination_registers, kinds[branch].destinations,
          N_DESTINATIONS);
  if (kinds[branch].has_other)
    record->source_registers[n] = other != 0 ? other : REG_TARGET;
  /* jrcxz and loop ask rcx, cbz of arm64 any register; loop counts it
     down.  */
  if (branch == DG_INSN_CONDITIONAL && other != 0) {
    bool has_flags = false;

    for (unsigned i = 0; i < decoded->n_reads; i++)
      has_flags |= decoded->reads[i] == DG_REG_FLAGS;
    record->source_registers[has_flags ? n : n - 1] = other;
    for (unsigned i = 0; i < decoded->n_writes; i++)
      if (number_of (decoded->writes[i]) == other)
        record->destination_registers[1] = other;
  }
}

/* ---- Blocks ----------------------------------------------------------- */

static void
make_block (struct champsim *champsim, const struct dg_bbdef *bbdef,
            uint64_t icount)
{
  struct block *block = &champsim->blocks[bbdef->number];
  struct dg_insn *decoded =
    g_new0 (struct dg_insn, bbdef->n_instrs);

  block->instrs = g_new0 (struct instr, bbdef->n_instrs);
  block->is_codeless =
    champsim->decoder == NULL
    || dg_insn_decoder_block (champsim->decoder, bbdef, icount, decoded,
                             champsim->bytes)
         == 0;
  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    struct record *record = &block->instrs[i].record;

    record->ip = GUINT64_TO_LE (bbdef->instrs[i].address);
    block->instrs[i].branch = decoded[i].branch;
    if (decoded[i].branch != DG_INSN_NO_BRANCH) {
      put_branch (record, &decoded[i]);
      continue;
    }
    put_registers (decoded[i].writes, decoded[i].n_writes,
                   record->destination_registers, N_DESTINATIONS);
    put_registers (decoded[i].reads, decoded[i].n_reads,
                   record->source_registers, N_SOURCES);
  }
  g_free (decoded);
}

/* ---- Records ---------------------------------------------------------- */

/* Whether the thread's next instruction after the latest one is that at an
   icount.  What ran in between is of other threads, unless filters exclude
   something, or it was not recorded.  */
static bool
is_successor (const struct export *export, struct champsim *champsim,
              uint64_t icount)
{
  if (G_LIKELY (icount == champsim->last_icount + 1))
    return true;
  if (icount <= champsim->last_icount || export->is_filtered)
    return false;
  while (champsim->n_windows > 0
         && champsim->windows->icount <= champsim->last_icount) {
    champsim->windows++;
    champsim->n_windows--;
  }
  return champsim->n_windows == 0 || champsim->windows->icount > icount;
}

/* What followed says whether a branch was taken; if something is left out in
   between, only unconditional ones are known.  */
static void
put_last (struct export *export, uint64_t next, uint64_t icount)
{
  struct champsim *champsim = export->state;

  if (champsim->last_branch == DG_INSN_CONDITIONAL)
    champsim->last.branch_taken = next != champsim->last_end
                                  && is_successor (export, champsim, icount);
  else
    champsim->last.branch_taken =
      champsim->last_branch != DG_INSN_NO_BRANCH;
  export_bytes (export, &champsim->last, sizeof champsim->last);
}

/* The record is full: what follows is in another one of the instruction, which
   is the branch if that is one.  */
static void
put_full (struct export *export, struct champsim *champsim)
{
  struct record *last = &champsim->last;
  struct record next = *last;

  memset (next.destination_memory, 0, sizeof next.destination_memory);
  memset (next.source_memory, 0, sizeof next.source_memory);
  if (last->is_branch) {
    last->is_branch = 0;
    memset (last->destination_registers, 0,
            sizeof last->destination_registers);
  }
  export_bytes (export, last, sizeof *last);
  *last = next;
  champsim->n_reads = champsim->n_writes = 0;
}

static void
put_memory (struct export *export, struct champsim *champsim,
            const struct export_instr *instr)
{
  for (size_t i = 0; i < instr->n; i++) {
    uint64_t address = GUINT64_TO_LE (instr->accesses[i].address);
    bool is_write = export_is_write (&instr->accesses[i]);

    if (is_write ? champsim->n_writes == N_DESTINATIONS
                 : champsim->n_reads == N_SOURCES)
      put_full (export, champsim);
    if (is_write)
      champsim->last.destination_memory[champsim->n_writes++] = address;
    else
      champsim->last.source_memory[champsim->n_reads++] = address;
  }
}

void
export_champsim_put (struct export *export, const struct export_instr *instr)
{
  struct champsim *champsim = export->state;
  struct block *block;
  const struct instr *known;

  if (instr->bbdef == NULL)
    return;
  if (instr->is_more) {
    put_memory (export, champsim, instr);
    return;
  }
  block = &champsim->blocks[instr->bbdef->number];
  if (G_UNLIKELY (block->instrs == NULL))
    make_block (champsim, instr->bbdef, instr->icount);
  if (champsim->has_last)
    put_last (export, instr->address, instr->icount);
  known = &block->instrs[instr->index];
  champsim->last = known->record;
  champsim->last_branch = known->branch;
  champsim->last_icount = instr->icount;
  champsim->last_end = instr->address + instr->size;
  champsim->has_last = true;
  champsim->n_reads = champsim->n_writes = 0;
  export->n_codeless += block->is_codeless;
  if (instr->n > 0)
    put_memory (export, champsim, instr);
}

/* ---- Begin and end ---------------------------------------------------- */

int
export_champsim_begin (struct export *export, struct dg_error *err)
{
  struct champsim *champsim = export->state = g_new0 (struct champsim, 1);

  (void) err;
  champsim->decoder = dg_insn_decoder_new (export->log, export->symbols);
  champsim->n_blocks = dg_log_summary (export->log)->bbdefs;
  champsim->blocks = g_new0 (struct block, champsim->n_blocks + 1);
  champsim->bytes = g_malloc (DG_INSN_CODE_MAX);
  champsim->windows = dg_log_windows (export->log, &champsim->n_windows);
  return 0;
}

int
export_champsim_end (struct export *export)
{
  struct champsim *champsim = export->state;

  if (champsim->has_last)
    put_last (export, 0, champsim->last_icount);
  export->has_codeless = export->n_codeless > 0;
  return CLI_OK;
}

void
export_champsim_fini (struct export *export)
{
  struct champsim *champsim = export->state;

  for (size_t i = 0; i < champsim->n_blocks; i++)
    g_free (champsim->blocks[i].instrs);
  g_free (champsim->blocks);
  g_free (champsim->bytes);
  dg_insn_decoder_free (champsim->decoder);
}
