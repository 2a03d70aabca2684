/* fuzz_symbols.c: any bytes as the executable of a log, and as the package of
   its split units, or as its separate debug file: all that is asked for names,
   variables, types and fields.

     4 bytes   bytes of the executable, little-endian; highest bit: IS_DEBUG
               the executable
               the rest, if any: what stands beside it as .dwp; IS_DEBUG: its
               debug file, which is found by its build-id, BUILD_ID

   Only what elfutils reads of it is given to it; what crashes there is not of
   this project (run says which).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET symbols

#include <elf.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"
#include "symbols/symbols_cfa.h"
#include "symbols/symbols_heap.h"
#include "symbols/symbols_locals.h"
#include "symbols/symbols_operand.h"
#include "variables/frames.h"

#define IS_DEBUG (UINT32_C (1) << 31)
#define BUILD_ID "[0xab 0xcd 0xef 0x01]"
#define DEBUG_FOLDERS {".d", ".d/.build-id", ".d/.build-id/ab"}
#define DEBUG_FILE ".d/.build-id/ab/cdef01.debug"

#define BASE UINT64_C (0x10000000)
#define SPAN UINT64_C (0x8000)

static const char *
place (const char *suffix)
{
  static char path[100];

  g_snprintf (path, sizeof path, "%s/dg-fuzz-symbols-%d%s",
              g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                ? "/dev/shm" : g_get_tmp_dir (), (int) getpid (), suffix);
  return path;
}

static void
write_file (const char *path, const uint8_t *bytes, size_t n)
{
  MUST (g_file_set_contents_full (path, (const char *) bytes, n,
                                  G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* What the recorder would have seen of it: where .text is, as the file says of
   itself, as far as it can be, and what it is for.  */
struct guest {
  uint64_t text;
  const char *arch;
  bool is_32, big_endian;
  const char *build_id;    /* as dgasm has it */
};

static struct guest
guest_of (const uint8_t *bytes, size_t n)
{
  struct guest guest = {.text = 0x1000, .arch = "amd64", .build_id = "[]"};
  const struct dg_symbols_arch *arch;
  Elf64_Ehdr header;

  if (n < sizeof header)
    return guest;
  memcpy (&header, bytes, sizeof header);
  guest.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  if (guest.big_endian) {
    header.e_entry = GUINT64_FROM_BE (header.e_entry);
    header.e_machine = GUINT16_FROM_BE (header.e_machine);
  }
  arch = dg_symbols_arch_of_machine (header.e_machine);
  guest.arch = arch != NULL ? arch->name : "riscv64";
  guest.is_32 = header.e_ident[EI_CLASS] == ELFCLASS32;
  if (guest.is_32)
    header.e_entry = guest.big_endian ? header.e_entry >> 32
                                      : (uint32_t) header.e_entry;
  if (header.e_entry < SPAN)
    guest.text = header.e_entry;
  return guest;
}

/* Each with two accesses, the second at what the stack pointer may be.  */
#define BLOCKS 24
#define BLOCK_BYTES 0x2c

static struct dg_log *
make_log (const struct guest *guest)
{
  GString *lines = g_string_new (NULL);
  uint64_t text = BASE + guest->text;
  struct dg_asm as;
  struct dg_log *log;
  struct dg_error err;
  char *message;

  g_string_append_printf (lines,
    "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"%s\" \"\" \"\" []\n"
    "text_avma %#" G_GINT64_MODIFIER "x \"%s\"\n"
    "module %#" G_GINT64_MODIFIER "x 0x1000 %#" G_GINT64_MODIFIER
    "x %s \"\"\n", guest->arch, text, place (""), text, BASE,
    guest->build_id);
  for (unsigned i = 0; i < BLOCKS; i++) {
    uint64_t at = text + i * BLOCK_BYTES;

    g_string_append_printf (lines,
      "bbdef [%#" G_GINT64_MODIFIER "x+4 %#" G_GINT64_MODIFIER "x+4 %#"
      G_GINT64_MODIFIER "x+6] [R8@0 W8@1 R8@2]\n"
      "context %u [%#" G_GINT64_MODIFIER "x]\n"
      "bbrun %u 3 [0x10 %#x %#x]\n", at, at + 4, at + 8, i, at, i,
      0x6000 - i * 0x40, 0x5f00 - i * 0x20);
  }
  g_string_append (lines, "end\n");
  dg_asm_init (&as);
  as.word_size = guest->is_32 ? 4 : 8;
  as.big_endian = guest->big_endian;
  if (!dg_asm_text (&as, lines->str, &message))
    g_error ("%s", message);
  g_string_free (lines, TRUE);
  MUST (dg_log_open_memory ("log", g_memdup2 (as.bytes->data, as.bytes->len),
                            as.bytes->len, &log, &err) == 0);
  MUST (dg_log_load (log, 1, NULL, NULL, &err) == 0);
  dg_asm_fini (&as);
  return log;
}

/* ---- Questions ---------------------------------------------------------- */

static void
ask_type (struct dg_symbols *symbols, const char *name)
{
  const struct dg_type *type = dg_symbols_type (symbols, name);
  struct dg_field field;

  for (uint64_t at = 0; type != NULL && at < 200; at += 3)
    dg_symbols_field (symbols, type, at % 2 ? 0 : 200, at, 4, &field);
}

static int
ask_variable (void *user, const struct dg_data_symbol *symbol)
{
  struct dg_symbols *symbols = user;
  struct dg_variable variable;

  for (unsigned at = 0; at < 40; at += 4)
    dg_symbols_data (symbols, symbol->address + at, 1, 4, &variable);
  return 0;
}

/* Of the code: frames, operands, and what their places mean.  */
static void
ask_block (struct dg_symbols *symbols, const struct dg_bbdef *block)
{
  for (unsigned i = 0; i < block->n_instrs; i++) {
    uint64_t pc = block->instrs[i].address;
    const struct dg_type *type;
    struct dg_operand operand;
    struct dg_local *locals;
    struct dg_local_align align;
    const char *function;
    int64_t distance;

    dg_symbols_locals (symbols, pc, 1, &function, &locals, &align);
    free (locals);
    dg_symbols_cfa (symbols, &block->instrs[i], 1, &distance);
    dg_symbols_cfa_called (symbols, pc, 1, &distance);
    dg_symbols_in_register (symbols, pc, 1, i);
    dg_symbols_heap_type (symbols, pc, 1, i % 2 ? 24 : 0, 8, &type);
    if (!dg_symbols_operand (symbols, block, i, 1, &operand))
      continue;
    type = operand.is_fixed
             ? dg_symbols_data_type (symbols, operand.address, 1)
             : dg_symbols_in_frame (symbols, pc, pc + 4, 1, operand.reg,
                                    operand.offset);
    if (type != NULL)
      type = dg_type_pointee (symbols, type);
    if (type != NULL)
      dg_type_at (symbols, type, 8);
  }
}

static void
ask_frames (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_error err;
  struct dg_frames *frames = dg_frames_new (log, symbols, 1, &err);
  struct dg_frame_cursor *cursor;
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_access all[3 * BLOCKS];
  struct dg_frame_place where;
  ptrdiff_t n;

  MUST (frames != NULL && reader != NULL);
  cursor = dg_frame_cursor_new (frames, &err);
  MUST (cursor != NULL);
  n = dg_reader_accesses (reader, all, G_N_ELEMENTS (all), &err);
  for (ptrdiff_t i = 0; i < n; i++)
    MUST (dg_frame_cursor_find (cursor, &all[i], all[i].thread, &where, &err)
          >= 0);
  dg_frame_cursor_free (cursor);
  dg_reader_free (reader);
  dg_frames_free (frames);
}

static void
ask (const struct dg_log *log)
{
  static const char *const types[] = {
    "struct node", "int", "unsigned long", "ns::pair<int>", "char [10]",
    "enum colour", "node *", "union both", "list"
  };
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, NULL);
  struct dg_frame frames[8];
  struct dg_variable variable;
  uint8_t code[300];

  MUST (symbols != NULL);
  for (uint64_t at = 0; at < SPAN; at += at < 0x2000 ? 7 : 61) {
    size_t n = dg_symbols_frames (symbols, BASE + at, 1, frames, 8);

    MUST (n >= 1 && n <= 8);
    if (at % 5 == 0)
      dg_symbols_data (symbols, BASE + at, 1, 4, &variable);
  }
  dg_symbols_variables (symbols, NULL, ask_variable, symbols);
  dg_symbols_variables (symbols, "table", ask_variable, symbols);
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    ask_type (symbols, types[i]);
  dg_symbols_bytes (symbols, dg_log_bbdef (log, 0), 0, code, sizeof code);
  for (unsigned i = 0; i < BLOCKS; i++)
    ask_block (symbols, dg_log_bbdef (log, i));
  ask_frames (log, symbols);
  for (size_t i = 0; dg_symbols_problem (symbols, i) != NULL; i++)
    ;
  dg_symbols_free (symbols);
}

/* What a bundle would keep of it, and that this can be asked, too.  */
static void
bundle (const struct dg_log *log)
{
  char *path = g_strdup (place (".dgz"));
  char **problems = NULL;
  struct dg_log *bundled;
  struct dg_error err;
  const struct dg_bundle_options options = { .size = sizeof options,
                                             .level = 1 };

  if (dg_log_bundle (log, path, &options, NULL, NULL, NULL, &problems, &err)
      == 0) {
    dg_bundle_free_problems (problems);
    MUST (dg_log_open (path, &bundled, &err) == 0);
    MUST (dg_log_load (bundled, 1, NULL, NULL, &err) == 0);
    ask (bundled);
    dg_log_close (bundled);
    g_unlink (path);
  }
  g_free (path);
}

/* Where debug files are looked for; what stands there.  */
static void
write_debug (const uint8_t *bytes, size_t n)
{
  static const char *const folders[] = DEBUG_FOLDERS;

  /* Another one of this number may have crashed.  */
  MUST (g_mkdir_with_parents (place (folders[G_N_ELEMENTS (folders) - 1]),
                              0700) == 0);
  write_file (place (DEBUG_FILE), bytes, n);
}

static void
remove_debug (void)
{
  static const char *const folders[] = DEBUG_FOLDERS;

  g_unlink (place (DEBUG_FILE));
  for (size_t i = G_N_ELEMENTS (folders); i-- > 0;)
    g_rmdir (place (folders[i]));
}

static void
look_there (struct dg_log *log)
{
  const char *const folders[] = {place (".d"), NULL};
  const struct dg_places places = {.size = sizeof places,
                                   .debug_dirs = folders};
  struct dg_error err;

  MUST (dg_log_set_places (log, &places, &err) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  uint32_t first;
  bool is_debug;
  const uint8_t *memory;
  struct guest guest;
  struct dg_log *log;

  if (n < 4)
    return 0;
  memcpy (&first, bytes, 4);
  first = GUINT32_FROM_LE (first);
  is_debug = first & IS_DEBUG;
  bytes += 4;
  n -= 4;
  first = (uint32_t) MIN (first & ~IS_DEBUG, n);
  g_unsetenv ("DEBUGINFOD_URLS");
  /* What a bundle has is read here, too.  */
  g_setenv ("DATAGRIND_PROBE", "no", TRUE);
  write_file (place (""), bytes, first);
  guest = guest_of (bytes, first);
  if (is_debug) {
    write_debug (bytes + first, n - first);
    guest.build_id = BUILD_ID;
  } else if (n > first) {
    write_file (place (".dwp"), bytes + first, n - first);
  }
  log = make_log (&guest);
  memory = log->source.memory;
  if (is_debug)
    look_there (log);
  ask (log);
  if (is_debug || n % 4 == 0)
    bundle (log);
  dg_log_close (log);
  g_free ((void *) memory);
  remove_debug ();
  g_unlink (place (".dwp"));
  g_unlink (place (""));
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};
  uint32_t first;

  (void) max;
  if (n < 4)
    return n;
  memcpy (&first, bytes, 4);
  first = (uint32_t) MIN (GUINT32_FROM_LE (first) & ~IS_DEBUG, n - 4);
  if (n - 4 > first && dg_fuzz_chance (&random, 2))
    dg_mutate_elf (bytes + 4 + first, n - 4 - first, &random);
  else
    dg_mutate_elf (bytes + 4, first, &random);
  return n;
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  /* Of logs there is nothing to take.  */
  g_byte_array_set_size (bytes, 0);
}
