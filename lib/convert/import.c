/* import.c: a log from instructions and accesses that other tools recorded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "import.h"

#include <string.h>

#include "format/encode.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/replace.h"

#define FLUSH_BYTES ((size_t) 256 << 10)

/* Blocks that are remembered take this much memory; then all are forgotten,
   and defined again when they come again.  */
#define BLOCKS_BYTES ((size_t) 64 << 20)

#define TOKENS (DG_IMPORT_MOST + DG_IMPORT_ENTRIES + DG_IMPORT_INSTRS)
#define TOKEN_ACCESS 0x8000u
#define TOKEN_WRITE  0x4000u
#define TOKEN_SIZE   0x3fffu

static const struct dg_format format = {
  .word_size = 8,
  .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN
};

/* A block that was defined.  */
struct block {
  uint64_t start, hash;
  uint32_t context;
  uint32_t n_tokens;
  const uint16_t *tokens;
};

static guint
block_hash (gconstpointer p)
{
  return ((const struct block *) p)->hash >> 32;
}

static gboolean
block_equal (gconstpointer p, gconstpointer q)
{
  const struct block *a = p, *b = q;

  return a->hash == b->hash && a->start == b->start
         && a->n_tokens == b->n_tokens
         && memcmp (a->tokens, b->tokens, a->n_tokens * sizeof *a->tokens)
              == 0;
}

/* ---- Bytes ---- */

static int
flush (struct dg_import *import, struct dg_error *err)
{
  int code =
    dg_replace_write (import->fd, import->bytes.items, import->bytes.n, err);

  if (code < 0)
    return code;
  import->offset += import->bytes.n;
  import->bytes.n = 0;
  return 0;
}

/* After a record; `code` is what making it gave.  */
static int
finish (struct dg_import *import, int code, struct dg_error *err)
{
  if (code < 0)
    return dg_error_nomem (err);
  return import->bytes.n >= FLUSH_BYTES ? flush (import, err) : 0;
}

static uint64_t
offset_of (const struct dg_import *import)
{
  return import->offset + import->bytes.n;
}

/* A place to begin reading, when the last is far.  */
static int
add_marker (struct dg_import *import, struct dg_error *err)
{
  const struct dg_chunk_start *now = &import->now;
  uint64_t here = offset_of (import);
  const uint64_t quads[] = { here - import->last_marker, now->icount,
                             now->instructions, now->entries, now->runs,
                             now->bbdefs, now->contexts, now->thread,
                             now->recording };

  if (here - import->last_marker < DG_CHUNK_BYTES)
    return 0;
  import->last_marker = here;
  return finish (import, dg_encode_quads (&import->bytes, &format, DG_R_CHUNK,
                                          NULL, 0, quads,
                                          G_N_ELEMENTS (quads)), err);
}

/* ---- The whole ---- */

int
dg_import_init (struct dg_import *import, int fd, struct dg_error *err)
{
  memset (import, 0, sizeof *import);
  import->fd = fd;
  import->now.thread = 1;
  import->now.recording = 1;
  import->seed = dg_hash_seed ();
  import->blocks = g_hash_table_new (block_hash, block_equal);
  import->tokens = g_try_new (uint16_t, TOKENS);
  import->addresses = g_try_new (uint64_t, TOKENS);
  if (!import->tokens || !import->addresses
      || !dg_encode_room (&import->bytes, DG_HEADER_SIZE))
    return dg_error_nomem (err);
  dg_encode_header (&format, import->bytes.items);
  import->bytes.n = DG_HEADER_SIZE;
  return 0;
}

void
dg_import_fini (struct dg_import *import)
{
  g_clear_pointer (&import->blocks, g_hash_table_unref);
  dg_arena_fini (&import->arena);
  dg_table_fini (&import->bytes);
  g_free (import->tokens);
  g_free (import->addresses);
}

int
dg_import_process (struct dg_import *import,
                   const struct dg_import_process *process,
                   struct dg_error *err)
{
  const char **strings = g_try_new (const char *, 5 + (size_t) process->argc);
  uint64_t words[] = { process->pid, 0, 0, 0, 4096, 64, 0, 1,
                       process->argc };
  const struct dg_fields fields = { .words = words,
                                    .n_words = G_N_ELEMENTS (words),
                                    .strings = strings,
                                    .n_strings = 5 + process->argc };
  int code;

  if (!strings)
    return dg_error_nomem (err);
  strings[0] = process->tool_version;
  strings[1] = process->valgrind_version;
  strings[2] = "unknown";
  strings[3] = "";
  strings[4] = "";
  for (uint32_t i = 0; i < process->argc; i++)
    strings[5 + i] = process->argv[i];
  code = dg_encode_fields (&import->bytes, &format, DG_R_PROCESS, &fields);
  g_free (strings);
  return finish (import, code, err);
}

/* ---- Definitions ---- */

/* The records of a block and of its context.  */
static int
write_block (struct dg_import *import, struct dg_error *err)
{
  struct dg_instr *instrs = g_try_new (struct dg_instr, import->n_instrs);
  struct dg_slot *slots = g_try_new (struct dg_slot, import->n_tokens);
  struct dg_bbdef bbdef = { .n_entries = import->n_entries,
                            .instrs = instrs, .slots = slots };
  uint64_t address = import->start;
  unsigned n_entries = 0;
  int code = DG_ERR_NOMEM;

  for (unsigned i = 0; instrs && slots && i < import->n_tokens; i++) {
    uint16_t token = import->tokens[i];

    if (token & TOKEN_ACCESS) {
      slots[bbdef.n_slots++] = (struct dg_slot) {
        .size = token & TOKEN_SIZE,
        .kind = token & TOKEN_WRITE ? DG_ACC_WRITE : DG_ACC_READ,
        .iseq = bbdef.n_instrs - 1, .entry = n_entries
      };
      n_entries += (token & TOKEN_SIZE) / 255u + 1;
    } else {
      instrs[bbdef.n_instrs++] = (struct dg_instr) { address, token };
      address += token;
    }
  }
  if (instrs && slots)
    code = dg_encode_bbdef (&import->bytes, &format, &bbdef, false);
  if (code == 0)
    code = dg_encode_context (&import->bytes, &format, import->now.bbdefs,
                              &import->start, 1, false);
  g_free (instrs);
  g_free (slots);
  import->now.bbdefs++;
  import->now.contexts++;
  return finish (import, code, err);
}

static void
forget_blocks (struct dg_import *import)
{
  g_hash_table_remove_all (import->blocks);
  dg_arena_fini (&import->arena);
  import->arena_bytes = 0;
}

static int
remember_block (struct dg_import *import, const struct block *key,
                struct dg_error *err)
{
  size_t size = key->n_tokens * sizeof *key->tokens;
  struct block *block;
  uint16_t *tokens;

  /* With what the table takes for each.  */
  import->arena_bytes += size + sizeof *block + 64;
  if (import->arena_bytes > BLOCKS_BYTES)
    forget_blocks (import);
  block = dg_arena_alloc (&import->arena, sizeof *block);
  tokens = dg_arena_alloc (&import->arena, size);
  if (!block || !tokens)
    return dg_error_nomem (err);
  memcpy (tokens, key->tokens, size);
  *block = *key;
  block->tokens = tokens;
  g_hash_table_add (import->blocks, block);
  return 0;
}

/* The context of the block that was gathered.  */
static int
find_context (struct dg_import *import, uint32_t *context,
              struct dg_error *err)
{
  struct block key = { .start = import->start, .hash = import->hash,
                       .n_tokens = import->n_tokens,
                       .tokens = import->tokens };
  const struct block *known = g_hash_table_lookup (import->blocks, &key);
  int code;

  if (known) {
    *context = known->context;
    return 0;
  }
  if (import->now.contexts >= DG_NONE)
    return dg_error_set (err, DG_ERR_LIMIT, "too many blocks of code");
  *context = key.context = import->now.contexts;
  code = write_block (import, err);
  return code < 0 ? code : remember_block (import, &key, err);
}

/* ---- Runs ---- */

/* Writes the block that was gathered, if there is one.  */
static int
end_block (struct dg_import *import, struct dg_error *err)
{
  struct dg_chunk_start *now = &import->now;
  uint32_t context = 0;
  uint8_t *at;
  int code;

  if (import->n_instrs == 0)
    return 0;
  code = find_context (import, &context, err);
  if (code == 0)
    code = add_marker (import, err);
  if (code < 0)
    return code;
  at = dg_encode_room (&import->bytes, dg_encode_run_size (import->n_entries));
  if (!at)
    return dg_error_nomem (err);
  at = dg_encode_run (at, &format, context, import->n_instrs,
                      import->addresses, import->n_entries, false);
  import->bytes.n = at - (uint8_t *) import->bytes.items;
  now->icount += import->n_instrs;
  now->instructions += import->n_instrs;
  now->entries += import->n_entries;
  now->reads += import->n_reads;
  now->writes += import->n_writes;
  now->runs++;
  import->n_instrs = 0;
  return finish (import, 0, err);
}

static inline void
add_token (struct dg_import *import, uint16_t token)
{
  import->tokens[import->n_tokens++] = token;
  import->hash = (import->hash ^ token) * UINT64_C (0xd6e8feb86659fd93);
  import->hash ^= import->hash >> 32;
}

int
dg_import_instruction (struct dg_import *import, uint64_t address,
                       unsigned size, struct dg_error *err)
{
  if (address != import->end || import->n_instrs == 0
      || import->n_instrs == DG_IMPORT_INSTRS
      || import->n_entries >= DG_IMPORT_ENTRIES) {
    int code = end_block (import, err);

    if (code < 0)
      return code;
    import->start = address;
    import->n_tokens = import->n_entries = 0;
    import->n_reads = import->n_writes = 0;
    import->hash = (import->seed ^ address) * UINT64_C (0xd6e8feb86659fd93);
    import->hash ^= import->hash >> 32;
  }
  import->n_instrs++;
  import->end = address + size;
  add_token (import, size);
  return 0;
}

int
dg_import_access (struct dg_import *import, enum dg_access_kind kind,
                  uint64_t address, unsigned size, struct dg_error *err)
{
  uint64_t *at = import->addresses + import->n_entries;
  unsigned n = size / 255 + 1;

  if (import->n_entries + n > DG_IMPORT_MOST)
    return dg_error_set (err, DG_ERR_INVALID,
                         "too many accesses by one instruction");
  for (unsigned i = 0; i < n; i++)
    at[i] = address + 255 * i;
  import->n_entries += n;
  if (kind == DG_ACC_WRITE) {
    import->n_writes++;
    add_token (import, TOKEN_ACCESS | TOKEN_WRITE | size);
  } else {
    import->n_reads++;
    add_token (import, TOKEN_ACCESS | size);
  }
  return 0;
}

int
dg_import_end (struct dg_import *import, unsigned exit_code,
               struct dg_error *err)
{
  const struct dg_chunk_start *now = &import->now;
  int code = end_block (import, err);
  uint64_t words[] = { DG_END_EXIT, exit_code,
                       offset_of (import) - import->last_marker, now->icount,
                       now->instructions, now->reads, now->writes, now->runs,
                       now->bbdefs, now->contexts, 0, 0, 1, 0 };
  const struct dg_fields fields = { .words = words,
                                    .n_words = G_N_ELEMENTS (words) };

  if (code < 0)
    return code;
  if (dg_encode_fields (&import->bytes, &format, DG_R_END, &fields) < 0)
    return dg_error_nomem (err);
  return flush (import, err);
}
