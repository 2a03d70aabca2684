/* export_drmemtrace.c: the stream of records that DynamoRIO's drmemtrace
   reads, trace_entry_t: 16-bit type, 16-bit size, 64-bit address, without
   padding (12 bytes); of 32-bit programs a 32-bit address (8 bytes).

   If the code of all blocks is known, instructions have their bytes, before
   they run for the first time, and kinds of branches.  Otherwise all are plain
   instructions of a version of the format that has no bytes.

   Readers refuse more than 15 bytes in an instruction.  Valgrind takes its
   client requests, which have 19, for one instruction: here they are the
   instructions that they are for the processor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

enum type {
  TYPE_READ = 0, TYPE_WRITE = 1, TYPE_INSTR = 10, TYPE_DIRECT_JUMP = 11,
  TYPE_INDIRECT_JUMP = 12, TYPE_CONDITIONAL = 13, TYPE_DIRECT_CALL = 14,
  TYPE_INDIRECT_CALL = 15, TYPE_RETURN = 16, TYPE_THREAD = 22,
  TYPE_THREAD_EXIT = 23, TYPE_PID = 24, TYPE_HEADER = 25, TYPE_FOOTER = 26,
  TYPE_MARKER = 28, TYPE_NO_FETCH = 29, TYPE_ENCODING = 47
};

/* Of markers: their size field.  */
enum marker {
  MARKER_TIMESTAMP = 2, MARKER_CPU = 3, MARKER_FILETYPE = 9,
  MARKER_LINE_SIZE = 10, MARKER_VERSION = 12, MARKER_PAGE_SIZE = 18
};

/* Versions of the format: with absolute addresses where signals interrupt;
   with the bytes of instructions.  */
#define VERSION_PLAIN 3
#define VERSION_ENCODINGS 4

#define FILETYPE_X86_32 0x20
#define FILETYPE_X86_64 0x40
#define FILETYPE_ARCH_ARM_64 0x08
#define FILETYPE_ARCH_ARM_32 0x10
#define FILETYPE_ENCODINGS 0x200

#define CPU_UNKNOWN UINT64_MAX
/* Bytes that readers take for one instruction.  */
#define INSTR_MAX 15
#define SIZE_MAX_16 UINT16_MAX

/* The sizes of instructions that Valgrind takes for one.  */
struct sequence {
  uint8_t n, sizes[DG_INSN_SEQUENCE_MAX];
};

/* What is known of a block.  */
struct block {
  struct dg_insn *decoded;  /* of each instruction */
  uint8_t *bytes;
  struct sequence *sequences;  /* of each instruction; NULL: all are one */
  unsigned n_written;      /* of its first instructions the bytes are in the
                              output */
};

struct drmemtrace {
  bool is_64, has_code;
  uint32_t thread;         /* current; 0: none yet */
  GHashTable *threads;     /* that had records */
  uint64_t pid;
  uint64_t last_address;   /* of the latest instruction */
  uint64_t next_icount;    /* of the next instruction */
  bool has_begun;          /* the first timestamp is written */
  uint64_t start_us;       /* of the recording */
  struct block *blocks;
  size_t n_blocks;
};

static void
put_record (struct export *export, unsigned type, unsigned size,
            uint64_t address)
{
  const struct drmemtrace *trace = export->state;
  char *at;

  output_reserve (&export->out);
  at = export_put_16 (export->out.at, (uint16_t) type);
  at = export_put_16 (at, (uint16_t) size);
  export->out.at = trace->is_64 ? export_put_64 (at, address)
                                : export_put_32 (at, (uint32_t) address);
}

/* ---- Code ------------------------------------------------------------- */

static void
find_sequences (struct dg_insn_decoder *decoder, const struct dg_bbdef *bbdef,
                struct block *block)
{
  const uint8_t *at = block->bytes;

  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    uint8_t size = bbdef->instrs[i].size;
    struct sequence sequence;

    sequence.n = (uint8_t) dg_insn_decoder_sequence (decoder, at, size,
                                                     sequence.sizes);
    at += size;
    if (sequence.n == 1)
      continue;
    if (block->sequences == NULL)
      block->sequences = g_new0 (struct sequence, bbdef->n_instrs);
    block->sequences[i] = sequence;
  }
}

/* Whether the code of all blocks is known; then `blocks` has it.  */
static bool
read_code (struct export *export, struct drmemtrace *trace)
{
  struct dg_insn_decoder *decoder =
    dg_insn_decoder_new (export->log, export->symbols);
  uint8_t *bytes = g_malloc (DG_INSN_CODE_MAX);
  bool is_known = decoder != NULL;

  for (size_t i = 0; i < trace->n_blocks && is_known; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (export->log, (uint32_t) i);
    struct block *block = &trace->blocks[i];
    size_t n;

    block->decoded = g_new0 (struct dg_insn, bbdef->n_instrs);
    n = dg_insn_decoder_block (decoder, bbdef, 0, block->decoded, bytes);
    block->bytes = g_memdup2 (bytes, n);
    is_known = n > 0 || bbdef->n_instrs == 0;
    if (n > 0)
      find_sequences (decoder, bbdef, block);
  }
  g_free (bytes);
  dg_insn_decoder_free (decoder);
  return is_known;
}

static unsigned
type_of (const struct dg_insn *decoded)
{
  static const unsigned types[] = {
    [DG_INSN_NO_BRANCH] = TYPE_INSTR,
    [DG_INSN_JUMP] = TYPE_DIRECT_JUMP,
    [DG_INSN_INDIRECT_JUMP] = TYPE_INDIRECT_JUMP,
    [DG_INSN_CONDITIONAL] = TYPE_CONDITIONAL,
    [DG_INSN_CALL] = TYPE_DIRECT_CALL,
    [DG_INSN_INDIRECT_CALL] = TYPE_INDIRECT_CALL,
    [DG_INSN_RETURN] = TYPE_RETURN};

  return types[decoded->branch];
}

static const uint8_t *
code_of (const struct block *block, const struct export_instr *instr)
{
  const uint8_t *at = block->bytes;

  for (unsigned i = 0; i < instr->index; i++)
    at += instr->bbdef->instrs[i].size;
  return at;
}

/* The bytes of an instruction, eight in a record.  */
static void
put_encoding (struct export *export, const uint8_t *at, size_t size)
{
  const struct drmemtrace *trace = export->state;
  size_t word = trace->is_64 ? 8 : 4;

  while (size > 0) {
    size_t n = MIN (size, word);
    uint64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
      bytes |= (uint64_t) at[i] << 8 * i;
    put_record (export, TYPE_ENCODING, (unsigned) n, bytes);
    at += n;
    size -= n;
  }
}

/* ---- Records ---------------------------------------------------------- */

static uint64_t
thread_id (const struct export *export, uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (export->log, number);

  /* Readers take 0 for no thread.  */
  return thread != NULL && thread->os_tid != 0 ? thread->os_tid
                                               : MAX (number, 1);
}

/* By these, readers of a file for each thread find the order in which the
   threads ran.  It must not be lost, so an instruction is a microsecond.  */
static void
put_time (struct export *export, uint64_t icount)
{
  const struct drmemtrace *trace = export->state;

  put_record (export, TYPE_MARKER, MARKER_TIMESTAMP,
              trace->start_us + icount);
  put_record (export, TYPE_MARKER, MARKER_CPU, CPU_UNKNOWN);
}

static void
switch_thread (struct export *export, uint32_t number)
{
  struct drmemtrace *trace = export->state;

  trace->thread = number;
  trace->last_address = 0;
  g_hash_table_add (trace->threads, GUINT_TO_POINTER (number));
  put_record (export, TYPE_THREAD, 4, thread_id (export, number));
  put_record (export, TYPE_PID, 4, trace->pid);
}

/* An instruction, or the instructions of a sequence; the first one has the
   type.  code: NULL: it was written before.  */
static void
put_sequence (struct export *export, const struct sequence *sequence,
              unsigned type, uint64_t address, const uint8_t *code)
{
  for (unsigned i = 0; i < sequence->n; i++) {
    uint8_t size = sequence->sizes[i];

    if (code != NULL) {
      put_encoding (export, code, size);
      code += size;
    }
    put_record (export, i == 0 ? type : TYPE_INSTR, size, address);
    address += size;
  }
}

/* The instructions of an entry.  If capstone does not know the bytes, as in a
   damaged log, the sizes are parts that readers accept.  */
static struct sequence
sequence_of (const struct block *block, const struct export_instr *instr)
{
  struct sequence sequence = {.n = 0};
  uint8_t left = instr->size;

  if (block->sequences != NULL && block->sequences[instr->index].n > 0)
    return block->sequences[instr->index];
  for (; left > INSTR_MAX && sequence.n < DG_INSN_SEQUENCE_MAX - 1;
       left = (uint8_t) (left - INSTR_MAX))
    sequence.sizes[sequence.n++] = INSTR_MAX;
  sequence.sizes[sequence.n++] = left;
  return sequence;
}

static void
put_instr (struct export *export, const struct export_instr *instr)
{
  struct drmemtrace *trace = export->state;
  struct block *block = &trace->blocks[instr->bbdef->number];
  struct sequence sequence;
  const uint8_t *code = NULL;
  unsigned type = TYPE_INSTR;

  if (trace->has_code) {
    /* The bytes come with the first run of an instruction; where runs begin
       within the block, perhaps again, which readers allow.  */
    if (instr->index >= block->n_written)
      code = code_of (block, instr);
    block->n_written += instr->index == block->n_written;
    type = type_of (&block->decoded[instr->index]);
  }
  /* An iteration of a string instruction is not fetched again.  */
  if (instr->address == trace->last_address && type == TYPE_INSTR)
    type = TYPE_NO_FETCH;
  trace->last_address = instr->address;
  if (G_LIKELY (block->sequences == NULL && instr->size <= INSTR_MAX)) {
    if (code != NULL)
      put_encoding (export, code, instr->size);
    put_record (export, type, instr->size, instr->address);
    return;
  }
  sequence = sequence_of (block, instr);
  put_sequence (export, &sequence, type, instr->address, code);
}

void
export_drmemtrace_put (struct export *export,
                       const struct export_instr *instr)
{
  struct drmemtrace *trace = export->state;

  if (instr->thread != trace->thread)
    switch_thread (export, instr->thread);
  if (instr->bbdef != NULL && !instr->is_more) {
    if (G_UNLIKELY (!trace->has_begun || instr->icount != trace->next_icount
                    || trace->last_address == 0))
      put_time (export, instr->icount);
    trace->has_begun = true;
    trace->next_icount = instr->icount + 1;
    put_instr (export, instr);
  }
  for (size_t i = 0; i < instr->n; i++)
    put_record (export,
                export_is_write (&instr->accesses[i]) ? TYPE_WRITE
                                                      : TYPE_READ,
                MIN (instr->accesses[i].size, SIZE_MAX_16),
                instr->accesses[i].address);
}

/* ---- Begin and end ---------------------------------------------------- */

static uint64_t
file_type (const struct export *export, const struct drmemtrace *trace)
{
  const char *arch = dg_insn_arch_name (export->log);
  static const struct {
    const char *arch;
    uint64_t type;
  } types[] = {{"amd64", FILETYPE_X86_64},
               {"x86", FILETYPE_X86_32},
               {"arm64", FILETYPE_ARCH_ARM_64},
               {"arm", FILETYPE_ARCH_ARM_32}};
  uint64_t type = 0;       /* which readers take for any */

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (arch, types[i].arch) == 0)
      type = types[i].type;
  return type | (trace->has_code ? FILETYPE_ENCODINGS : 0);
}

int
export_drmemtrace_begin (struct export *export, struct dg_error *err)
{
  struct drmemtrace *trace = export->state = g_new0 (struct drmemtrace, 1);
  const struct dg_process *process = dg_log_process (export->log);
  const struct dg_thread *threads;
  unsigned version;
  size_t n;

  (void) err;
  trace->is_64 = dg_log_header (export->log)->word_size == 8;
  trace->pid = process != NULL && process->pid != 0 ? process->pid : 1;
  trace->threads = g_hash_table_new (NULL, NULL);
  trace->n_blocks = dg_log_summary (export->log)->bbdefs;
  trace->blocks = g_new0 (struct block, trace->n_blocks + 1);
  trace->has_code = read_code (export, trace);
  export->has_codeless = !trace->has_code && trace->n_blocks > 0;
  version = trace->has_code ? VERSION_ENCODINGS : VERSION_PLAIN;
  put_record (export, TYPE_HEADER, 0, version);
  put_record (export, TYPE_MARKER, MARKER_VERSION, version);
  put_record (export, TYPE_MARKER, MARKER_FILETYPE,
              file_type (export, trace));
  threads = dg_log_threads (export->log, &n);
  switch_thread (export, export->n_threads > 0 ? export->threads[0]
                         : n > 0               ? threads[0].number
                                               : 1);
  put_record (export, TYPE_MARKER, MARKER_LINE_SIZE, export->line);
  put_record (export, TYPE_MARKER, MARKER_PAGE_SIZE,
              dg_log_page_size (export->log));
  trace->start_us = process != NULL ? process->wall_ns / 1000 : 1;
  return 0;
}

static gint
compare_numbers (gconstpointer one, gconstpointer other)
{
  guint a = GPOINTER_TO_UINT (one), b = GPOINTER_TO_UINT (other);

  return a < b ? -1 : a > b;
}

int
export_drmemtrace_end (struct export *export)
{
  struct drmemtrace *trace = export->state;
  GList *threads = g_list_sort (g_hash_table_get_keys (trace->threads),
                                compare_numbers);

  if (!trace->has_begun)
    put_time (export, export->start_icount);
  for (const GList *i = threads; i != NULL; i = i->next)
    put_record (export, TYPE_THREAD_EXIT, 0,
                thread_id (export, GPOINTER_TO_UINT (i->data)));
  put_record (export, TYPE_FOOTER, 0, 0);
  g_list_free (threads);
  return CLI_OK;
}

void
export_drmemtrace_fini (struct export *export)
{
  struct drmemtrace *trace = export->state;

  for (size_t i = 0; i < trace->n_blocks; i++) {
    g_free (trace->blocks[i].decoded);
    g_free (trace->blocks[i].bytes);
    g_free (trace->blocks[i].sequences);
  }
  g_free (trace->blocks);
  g_hash_table_unref (trace->threads);
}
