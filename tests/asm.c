/* asm.c: text -> log, for tests.  It writes what it is told to, right or
   wrong, and shares no code with the library that reads it.

   A line is a statement; '#' begins a comment.  Numbers are decimal or 0x
   hexadecimal; strings are in double quotes with \n \t \" \\ \xNN.

     header [little|big] [32|64] [version=N]
         Without this line, one of the kind that was asked for (dgasm -b, -w)
         is written first, so that one text gives four logs.
     noheader       writes none

   Records have the names of dg_record.h in lower case and their fields in
   its order.  Arrays stand in brackets, which also give their count:
     track_range 0x1000 64 "int" "array"
     malloc_block 0x1000 64 [0x400100 0x400200]
     context 0 [0x400000 0x400100]
     module 0x400000 0x1000 0 [0xab 0xcd] "soname"
     process 42 1 0 0 4096 64 0 8 "tool" "vg" "amd64" "/exe" "/cwd" ["arg"]
   Block definitions have a way of their own: address+bytes of each
   instruction, then kind, bytes @ instruction of each access.  Accesses of
   255 bytes or more are written in parts, unless '!' follows the size:
     bbdef [0x400000+3 0x400003+5] [R4@0 S0@1 W8@1 W600@1]
   R reads, W writes, S is the stack pointer's value, X executes, ? is unknown.
   Runs have context, number of instructions, address of each entry:
     bbrun 0 2 [0x1000 0x1008 0x2000 0x20ff 0x21fe]
   Two records know what stands before them; NAME=N says otherwise:
     chunk [icount=N] [runs=N] ...
     end [why=N] [exit_code=N] [icount=N] [reads=N] ...

     record TYPE BYTE...     any type; BYTE may be a string (without NUL)
     raw BYTE...             bytes that are not a record
     zeros N                 N of them
     cut N                   takes the last N bytes back
     repeat N ... done       the lines between, N times; may nest
     NAME:                   a label: the offset of what follows
     #= TEXT                 an expectation, for the test that reads it

   Before a record:
     long RECORD             with the extended form of the length
     length=N RECORD         with a length that is wrong
     behind=N RECORD         with N more bytes behind its fields

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "asm.h"

#include <stdlib.h>
#include <string.h>

#include "dg_record.h"

/* As in the library's decoder: b byte, w word, q quad, s string; * words, # by
   a byte, % & bytes, $ strings, with their number; + = up to the end.  */
static const struct {
  const char *name;
  uint8_t type;
  const char *fields;
} records[] = {
  { "track_range", DG_R_TRACK_RANGE, "wwss" },
  { "untrack_range", DG_R_UNTRACK_RANGE, "ww" },
  { "start_event", DG_R_START_EVENT, "s" },
  { "end_event", DG_R_END_EVENT, "s" }, { "text_avma", DG_R_TEXT_AVMA, "ws" },
  { "malloc_block", DG_R_MALLOC_BLOCK, "ww*" },
  { "free_block", DG_R_FREE_BLOCK, "w" }, { "bbrun", DG_R_BBRUN, "wb+" },
  { "context", DG_R_CONTEXT, "w#" },
  { "process", DG_R_PROCESS, "wwqqwwbbsssss$" },
  { "thread_switch", DG_R_THREAD_SWITCH, "w" },
  { "thread_start", DG_R_THREAD_START, "www" },
  { "thread_exit", DG_R_THREAD_EXIT, "w" },
  { "thread_name", DG_R_THREAD_NAME, "ws" },
  { "heap_alloc", DG_R_HEAP_ALLOC, "qwbwww" },
  { "heap_free", DG_R_HEAP_FREE, "qwb*" }, { "module", DG_R_MODULE, "www%s" },
  { "module_unload", DG_R_MODULE_UNLOAD, "w" }, { "map", DG_R_MAP, "wwbbqs" },
  { "unmap", DG_R_UNMAP, "ww" }, { "stack", DG_R_STACK, "www" },
  { "clock", DG_R_CLOCK, "q" },
  { "kernel_access", DG_R_KERNEL_ACCESS, "bwww" },
  { "window", DG_R_WINDOW, "bbq" }, { "signal", DG_R_SIGNAL, "wwb" },
  { "fork", DG_R_FORK, "w" }, { "map_stack", DG_R_MAP_STACK, "w*" },
  { "pool", DG_R_POOL, "bww" }, { "pool_block", DG_R_POOL_BLOCK, "w" },
  { "stack_pointer", DG_R_STACK_POINTER, "wwb" },
  { "thread_runs", DG_R_THREAD_RUNS, "ww" },
  { "thread_join", DG_R_THREAD_JOIN, "ww" },
  { "meet", DG_R_MEET, "bbwwwq" },
  { "bbflow", DG_R_BBFLOW, "wbw&" },
  { "bbcode", DG_R_BBCODE, "wbw&" },
  { "code", DG_R_CODE, "wwwbsss*" },
  { "thread_local", DG_R_THREAD_LOCAL, "wwwww" },
  { "undecoded", DG_R_UNDECODED, "wws%" },
  { "run_values", DG_R_RUN_VALUES, "b=" },
};

struct entry { uint8_t kind, size, iseq; };

/* The text being assembled.  */
struct run {
  struct dg_asm *as;
  char **lines;
  unsigned line;               /* from 0 */
  const char *at;              /* in the line */
  GString *error;
  bool has_header;
  /* The record being made.  */
  GByteArray *payload;
  bool is_long, has_length;
  uint64_t length, behind;
  /* What chunk and end tell.  */
  GPtrArray *blocks;           /* GArray of struct entry */
  GArray *contexts;            /* unsigned: block */
  uint64_t icount, instructions, entries, reads, writes, runs;
  uint64_t allocs, frees, thread, threads, recording, last_chunk;
};

static bool G_GNUC_PRINTF (2, 3)
fail (struct run *run, const char *format, ...)
{
  va_list args;

  if (run->error->len == 0) {
    g_string_printf (run->error, "line %u: ", run->line + 1);
    va_start (args, format);
    g_string_append_vprintf (run->error, format, args);
    va_end (args);
  }
  return false;
}

/* ---- Tokens ---- */

static char
next_char (struct run *run)
{
  while (g_ascii_isspace (*run->at))
    run->at++;
  return *run->at == '#' ? '\0' : *run->at;
}

static bool
accept (struct run *run, char c)
{
  if (next_char (run) != c)
    return false;
  run->at++;
  return true;
}

static bool
expect (struct run *run, char c)
{
  return accept (run, c) || fail (run, "'%c' is missing", c);
}

static bool
number (struct run *run, uint64_t *value)
{
  char *end;

  if (!g_ascii_isdigit (next_char (run)))
    return fail (run, "a number is missing at '%s'", run->at);
  *value = g_ascii_strtoull (run->at, &end, 0);
  run->at = end;
  return true;
}

/* A word of letters, digits and '_'; "" if there is none.  */
static char *
word (struct run *run)
{
  const char *begin;

  next_char (run);
  begin = run->at;
  if (*begin != '#')
    while (g_ascii_isalnum (*run->at) || *run->at == '_')
      run->at++;
  return g_strndup (begin, run->at - begin);
}

static bool
string (struct run *run, GByteArray *out)
{
  if (!expect (run, '"'))
    return false;
  for (; *run->at != '"'; run->at++) {
    guint8 c = *run->at;

    if (c == '\0')
      return fail (run, "a string does not end");
    if (c == '\\') {
      c = *++run->at;
      if (c == '\0')
        return fail (run, "a string does not end");
      if (c == 'n' || c == 't') {
        c = c == 'n' ? '\n' : '\t';
      } else if (c == 'x') {
        if (!g_ascii_isxdigit (run->at[1]) || !g_ascii_isxdigit (run->at[2]))
          return fail (run, "\\x needs two digits");
        c = g_ascii_xdigit_value (run->at[1]) * 16
            + g_ascii_xdigit_value (run->at[2]);
        run->at += 2;
      }
    }
    g_byte_array_append (out, &c, 1);
  }
  run->at++;
  return true;
}

/* NAME=N, into one of the places of that name.  */
struct setting {
  const char *name;
  uint64_t *value;
};

static bool
settings (struct run *run, const struct setting *known, size_t n)
{
  while (next_char (run)) {
    char *name = word (run);
    size_t i = 0;

    while (i < n && strcmp (known[i].name, name) != 0)
      i++;
    if (i == n)
      fail (run, "'%s' is not known here", name);
    g_free (name);
    if (i == n || !expect (run, '=') || !number (run, known[i].value))
      return false;
  }
  return true;
}

/* ---- Bytes ---- */

static void
put (const struct run *run, GByteArray *out, uint64_t value, unsigned size)
{
  guint8 bytes[8];

  for (unsigned i = 0; i < size; i++)
    bytes[run->as->big_endian ? size - 1 - i : i] = value >> (8 * i);
  g_byte_array_append (out, bytes, size);
}

static bool
take_number (struct run *run, unsigned size)
{
  uint64_t value;

  if (!number (run, &value))
    return false;
  put (run, run->payload, value, size);
  return true;
}

static bool
take_string (struct run *run)
{
  bool ok = string (run, run->payload);

  put (run, run->payload, 0, 1);
  return ok;
}

/* An array: its count, when count_size > 0, and its items; size 0: strings. */
static bool
take_array (struct run *run, unsigned count_size, unsigned size)
{
  GByteArray *payload = run->payload, *items = g_byte_array_new ();
  uint64_t n = 0;
  bool ok = expect (run, '[');

  run->payload = items;
  while (ok && !accept (run, ']')) {
    ok = size > 0 ? take_number (run, size) : take_string (run);
    n++;
  }
  run->payload = payload;
  if (count_size > 0)
    put (run, payload, n, count_size);
  g_byte_array_append (payload, items->data, items->len);
  g_byte_array_free (items, TRUE);
  return ok;
}

static bool
take_fields (struct run *run, const char *fields)
{
  unsigned word_size = run->as->word_size;
  bool ok = true;

  for (; *fields && ok; fields++)
    switch (*fields) {
    case 'b': ok = take_number (run, 1); break;
    case 'w': ok = take_number (run, word_size); break;
    case 'q': ok = take_number (run, 8); break;
    case 's': ok = take_string (run); break;
    case '*': ok = take_array (run, word_size, word_size); break;
    case '#': ok = take_array (run, 1, word_size); break;
    case '%': ok = take_array (run, 1, 1); break;
    case '&': ok = take_array (run, word_size, 1); break;
    case '$': ok = take_array (run, word_size, 0); break;
    default: ok = take_array (run, 0, *fields == '=' ? 1 : word_size); break;
    }
  return ok;
}

/* The header that was asked for from outside, unless the text said one.  */
static void
need_header (struct run *run)
{
  GByteArray *out = run->as->bytes;

  if (run->has_header)
    return;
  run->has_header = true;
  put (run, out, DG_R_HEADER, 1);
  put (run, out, DG_HEADER_SIZE - 2, 1);
  g_byte_array_append (out, (const guint8 *) DG_SIGNATURE,
                       DG_SIGNATURE_SIZE);
  put (run, out, DG_VERSION, 1);
  put (run, out, run->as->big_endian, 1);
  put (run, out, run->as->word_size, 1);
}

static void
finish_record (struct run *run, uint8_t type)
{
  GByteArray *out = run->as->bytes;
  uint64_t length;

  for (uint64_t i = 0; i < run->behind; i++)
    put (run, run->payload, 0xa5 + i, 1);
  length = run->has_length ? run->length : run->payload->len;
  put (run, out, type, 1);
  if (type < 128 && (run->is_long || length >= DG_LENGTH_EXTENDED)) {
    put (run, out, DG_LENGTH_EXTENDED, 1);
    put (run, out, length, 8);
  } else if (type < 128) {
    put (run, out, length, 1);
  }
  g_byte_array_append (out, run->payload->data, run->payload->len);
}

/* ---- Records with a way of their own ---- */

static bool
block_instrs (struct run *run, GByteArray *out, unsigned *n)
{
  uint64_t address, size;

  if (!expect (run, '['))
    return false;
  for (*n = 0; !accept (run, ']'); ++*n) {
    if (!number (run, &address) || !expect (run, '+') || !number (run, &size))
      return false;
    put (run, out, address, run->as->word_size);
    put (run, out, size, 1);
  }
  return true;
}

static bool
block_accesses (struct run *run, GArray *entries)
{
  static const char kinds[] = "RWXS";
  uint64_t size, iseq;

  if (!expect (run, '['))
    return false;
  while (!accept (run, ']')) {
    struct entry entry;
    bool as_it_stands;
    char kind = next_char (run);

    if (!strchr ("RWXS?", kind) || kind == '\0')
      return fail (run, "an access begins with R, W, X, S or ?");
    run->at++;
    if (!number (run, &size))
      return false;
    as_it_stands = accept (run, '!');
    if (!expect (run, '@') || !number (run, &iseq))
      return false;
    entry.kind = kind == '?' ? 77 : strchr (kinds, kind) - kinds;
    entry.iseq = iseq;
    for (; size >= 255 && !as_it_stands; size -= 255) {
      entry.size = 255;
      g_array_append_val (entries, entry);
    }
    entry.size = size;
    g_array_append_val (entries, entry);
  }
  return true;
}

static bool
block_definition (struct run *run)
{
  GByteArray *instrs = g_byte_array_new ();
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (struct entry));
  unsigned n = 0;
  bool ok = block_instrs (run, instrs, &n) && block_accesses (run, entries);

  put (run, run->payload, n, 1);
  put (run, run->payload, entries->len, run->as->word_size);
  g_byte_array_append (run->payload, instrs->data, instrs->len);
  g_byte_array_append (run->payload, (guint8 *) entries->data,
                       entries->len * sizeof (struct entry));
  g_byte_array_free (instrs, TRUE);
  g_ptr_array_add (run->blocks, entries);
  if (ok)
    finish_record (run, DG_R_BBDEF);
  return ok;
}

static uint64_t
payload_word (const struct run *run, size_t offset)
{
  unsigned size = run->as->word_size;
  uint64_t value = 0;

  for (unsigned i = 0; i < size; i++)
    value |= (uint64_t) run->payload->data[offset + i]
             << 8 * (run->as->big_endian ? size - 1 - i : i);
  return value;
}

/* Counts a run in what chunk and end will tell, if it makes sense.  */
static void
count_run (struct run *run)
{
  unsigned size = run->as->word_size;
  uint64_t context = payload_word (run, 0);
  uint64_t n = (run->payload->len - size - 1) / size;
  const GArray *entries;
  unsigned block;

  run->runs++;
  run->instructions += run->payload->data[size];
  run->icount += run->payload->data[size];
  run->entries += n;
  if (context >= run->contexts->len)
    return;
  block = g_array_index (run->contexts, unsigned, context);
  if (block >= run->blocks->len)
    return;
  entries = g_ptr_array_index (run->blocks, block);
  for (uint64_t i = 0; i < n && i < entries->len; i++) {
    const struct entry *entry = &g_array_index (entries, struct entry, i);
    uint64_t first = i;

    /* A long access counts at its last part, by the address of its first.  */
    if (entry->size == 255 || entry->kind == DG_ACC_SP)
      continue;
    while (first > 0 && g_array_index (entries, struct entry,
                                       first - 1).size == 255)
      first--;
    if (payload_word (run, size + 1 + first * size) == 0)
      continue;
    if (entry->kind == DG_ACC_READ)
      run->reads++;
    else
      run->writes++;
  }
}

/* Numbers that change with a record that was just made.  */
static void
count_record (struct run *run, uint8_t type)
{
  unsigned block;

  switch (type) {
  case DG_R_BBRUN: count_run (run); break;
  case DG_R_CONTEXT:
    block = payload_word (run, 0);
    g_array_append_val (run->contexts, block);
    break;
  case DG_R_MALLOC_BLOCK: run->allocs++; break;
  case DG_R_FREE_BLOCK: run->frees++; break;
  case DG_R_THREAD_START: run->threads++; break;
  case DG_R_THREAD_SWITCH: run->thread = payload_word (run, 0); break;
  case DG_R_WINDOW:
    run->recording = run->payload->data[0];
    run->icount = 0;
    for (unsigned i = 0; i < 8; i++)
      run->icount |= (uint64_t) run->payload->data[2 + i]
                     << 8 * (run->as->big_endian ? 7 - i : i);
    break;
  default: break;
  }
}

static bool
chunk (struct run *run)
{
  uint64_t offset = run->as->bytes->len;
  uint64_t quads[] = { offset - run->last_chunk, run->icount,
                       run->instructions, run->entries, run->runs,
                       run->blocks->len, run->contexts->len, run->thread,
                       run->recording };
  const struct setting known[] = {
    { "back", &quads[0] }, { "icount", &quads[1] },
    { "instructions", &quads[2] }, { "accesses", &quads[3] },
    { "runs", &quads[4] }, { "bbdefs", &quads[5] },
    { "contexts", &quads[6] }, { "thread", &quads[7] },
    { "recording", &quads[8] }
  };

  if (!settings (run, known, G_N_ELEMENTS (known)))
    return false;
  for (unsigned i = 0; i < G_N_ELEMENTS (quads); i++)
    put (run, run->payload, quads[i], 8);
  run->icount = quads[1];
  run->last_chunk = offset;
  finish_record (run, DG_R_CHUNK);
  return true;
}

static bool
end (struct run *run)
{
  uint64_t why = DG_END_EXIT, exit_code = 0;
  uint64_t quads[] = { run->as->bytes->len - run->last_chunk, run->icount,
                       run->instructions, run->reads, run->writes, run->runs,
                       run->blocks->len, run->contexts->len, run->allocs,
                       run->frees, run->threads, 0 };
  const struct setting known[] = {
    { "why", &why }, { "exit_code", &exit_code },
    { "back", &quads[0] }, { "icount", &quads[1] },
    { "instructions", &quads[2] }, { "reads", &quads[3] },
    { "writes", &quads[4] }, { "runs", &quads[5] }, { "bbdefs", &quads[6] },
    { "contexts", &quads[7] }, { "heap_allocs", &quads[8] },
    { "heap_frees", &quads[9] }, { "threads", &quads[10] },
    { "lost_calls", &quads[11] }
  };

  if (!settings (run, known, G_N_ELEMENTS (known)))
    return false;
  put (run, run->payload, why, 1);
  put (run, run->payload, exit_code, 1);
  for (unsigned i = 0; i < G_N_ELEMENTS (quads); i++)
    put (run, run->payload, quads[i], 8);
  g_byte_array_append (run->payload, (const guint8 *) DG_END_MAGIC, 8);
  finish_record (run, DG_R_END);
  return true;
}

/* ---- Statements ---- */

static bool
header (struct run *run)
{
  uint64_t version = DG_VERSION;
  const struct setting known[] = { { "version", &version } };
  GByteArray *out = run->as->bytes;

  while (next_char (run) && !g_str_has_prefix (run->at, "version")) {
    char *kind = word (run);
    bool ok = true;

    if (strcmp (kind, "little") == 0 || strcmp (kind, "big") == 0)
      run->as->big_endian = kind[0] == 'b';
    else if (strcmp (kind, "32") == 0 || strcmp (kind, "64") == 0)
      run->as->word_size = atoi (kind) / 8;
    else
      ok = fail (run, "no such header: '%s'", kind);
    g_free (kind);
    if (!ok)
      return false;
  }
  if (!settings (run, known, 1))
    return false;
  need_header (run);
  out->data[out->len - 3] = version;
  return true;
}

static bool
bytes (struct run *run, GByteArray *out)
{
  uint64_t value;

  while (next_char (run)) {
    if (*run->at == '"') {
      if (!string (run, out))
        return false;
    } else if (number (run, &value)) {
      put (run, out, value, 1);
    } else {
      return false;
    }
  }
  return true;
}

static bool
any_record (struct run *run)
{
  uint64_t type;

  if (!number (run, &type) || !bytes (run, run->payload))
    return false;
  finish_record (run, type);
  return true;
}

static bool
zeros_or_cut (struct run *run, bool cut)
{
  GByteArray *out = run->as->bytes;
  uint64_t n;

  if (!number (run, &n))
    return false;
  if (cut && n > out->len)
    return fail (run, "only %u bytes can be cut", out->len);
  if (cut) {
    g_byte_array_set_size (out, out->len - n);
  } else {
    g_byte_array_set_size (out, out->len + n);
    memset (out->data + out->len - n, 0, n);
  }
  return true;
}

static bool
named_record (struct run *run, const char *name)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (records); i++)
    if (strcmp (records[i].name, name) == 0) {
      if (!take_fields (run, records[i].fields))
        return false;
      finish_record (run, records[i].type);
      count_record (run, records[i].type);
      return true;
    }
  return fail (run, "'%s' is not a statement", name);
}

static bool
statement (struct run *run, const char *name)
{
  if (strcmp (name, "header") == 0)
    return header (run);
  if (strcmp (name, "noheader") == 0)
    return run->has_header = true;
  need_header (run);
  if (accept (run, ':')) {
    g_hash_table_insert (run->as->labels, g_strdup (name),
                         GSIZE_TO_POINTER (run->as->bytes->len));
    return true;
  }
  if (strcmp (name, "raw") == 0)
    return bytes (run, run->as->bytes);
  if (strcmp (name, "zeros") == 0 || strcmp (name, "cut") == 0)
    return zeros_or_cut (run, name[0] == 'c');
  if (strcmp (name, "record") == 0)
    return any_record (run);
  if (strcmp (name, "bbdef") == 0)
    return block_definition (run);
  if (strcmp (name, "chunk") == 0)
    return chunk (run);
  if (strcmp (name, "end") == 0)
    return end (run);
  return named_record (run, name);
}

/* What may stand before a record; gives the name of the statement.  */
static char *
prefixes (struct run *run)
{
  char *name = word (run);

  run->is_long = run->has_length = false;
  run->behind = 0;
  for (;;) {
    if (strcmp (name, "long") == 0) {
      run->is_long = true;
    } else if (strcmp (name, "length") == 0 && accept (run, '=')) {
      run->has_length = true;
      number (run, &run->length);
    } else if (strcmp (name, "behind") == 0 && accept (run, '=')) {
      number (run, &run->behind);
    } else {
      return name;
    }
    g_free (name);
    name = word (run);
  }
}

static bool lines (struct run *run, bool nested);

static bool
repeat (struct run *run)
{
  unsigned first = run->line + 1;
  uint64_t n;

  if (!number (run, &n) || n == 0)
    return fail (run, "repeat needs a number above 0");
  while (n-- > 0) {
    run->line = first;
    if (!lines (run, true))
      return false;
  }
  return true;
}

/* Lines up to the end, or when nested to the matching done.  */
static bool
lines (struct run *run, bool nested)
{
  for (; run->lines[run->line]; run->line++) {
    char *name;
    bool ok;

    run->at = run->lines[run->line];
    if (g_str_has_prefix (run->at, "#=")) {
      g_ptr_array_add (run->as->expectations,
                       g_strstrip (g_strdup (run->at + 2)));
      continue;
    }
    if (next_char (run) == '\0')
      continue;
    g_byte_array_set_size (run->payload, 0);
    name = prefixes (run);
    if (nested && strcmp (name, "done") == 0) {
      g_free (name);
      return true;
    }
    ok = strcmp (name, "repeat") == 0 ? repeat (run) : statement (run, name);
    g_free (name);
    if (ok && run->lines[run->line] && next_char (run) && *run->at)
      ok = fail (run, "'%s' is left over", run->at);
    if (!ok)
      return false;
  }
  return nested ? fail (run, "repeat has no done") : true;
}

void
dg_asm_init (struct dg_asm *as)
{
  as->word_size = 8;
  as->big_endian = false;
  as->bytes = g_byte_array_new ();
  as->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  as->expectations = g_ptr_array_new_with_free_func (g_free);
}

void
dg_asm_fini (struct dg_asm *as)
{
  g_byte_array_unref (as->bytes);
  g_hash_table_destroy (as->labels);
  g_ptr_array_free (as->expectations, TRUE);
}

/* As g_strsplit does, which under a sanitizer takes the length of all that
   follows for each line: minutes for some megabytes.  */
static char **
split_lines (const char *text)
{
  GPtrArray *all = g_ptr_array_new ();
  const char *end = text + strlen (text), *stop;

  while ((stop = memchr (text, '\n', end - text)) != NULL) {
    g_ptr_array_add (all, g_strndup (text, stop - text));
    text = stop + 1;
  }
  g_ptr_array_add (all, g_strdup (text));
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (all, FALSE);
}

bool
dg_asm_text (struct dg_asm *as, const char *text, char **message)
{
  struct run run = { .as = as, .thread = 1, .threads = 1, .recording = 1 };
  bool ok;

  run.lines = split_lines (text);
  run.error = g_string_new (NULL);
  run.payload = g_byte_array_new ();
  run.blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                               g_array_unref);
  run.contexts = g_array_new (FALSE, FALSE, sizeof (unsigned));
  ok = lines (&run, false);
  if (ok)
    need_header (&run);
  *message = ok ? NULL : g_strdup (run.error->str);
  g_strfreev (run.lines);
  g_string_free (run.error, TRUE);
  g_byte_array_free (run.payload, TRUE);
  g_ptr_array_free (run.blocks, TRUE);
  g_array_free (run.contexts, TRUE);
  return ok;
}
