/* dump_records.c: every record of a log as one line of text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dump.h"

#include "dg_record.h"

/* The fields of each type, in the order of dg_record.h: a letter and the
   name that is shown.
     x  a number in hexadecimal        d  in decimal
     s  a string
     *  a count and as many addresses  $  a count and as many strings
     %  a count and as many bytes      +  addresses up to the end
     =  bytes up to the end
   Or a number that has words in dg_record.h:
     k  access kind      a  allocator     p  protection
     m  kind of mapping  w  why recording changed   e  how the log ends
     h  what a signal's handler does   l  what becomes of a pool
     v  why a stack pointer is told    t  what a meeting is  */
static const char *const record_fields[] = {
  [DG_R_TRACK_RANGE] = "xaddress dlength stype slabel",
  [DG_R_UNTRACK_RANGE] = "xaddress dlength",
  [DG_R_START_EVENT] = "slabel",
  [DG_R_END_EVENT] = "slabel",
  [DG_R_TEXT_AVMA] = "xtext_address sfile",
  [DG_R_MALLOC_BLOCK] = "xaddress dsize *stack",
  [DG_R_FREE_BLOCK] = "xaddress",
  [DG_R_BBRUN] = "dcontext dn_instrs +addresses",
  [DG_R_CONTEXT] = "dbbdef *stack",
  [DG_R_PROCESS] = "dpid dppid dstart_ticks dwall_ns dpage_size dline_size "
                   "xflags dstack_depth stool_version svalgrind_version sarch "
                   "sexe scwd $argv",
  [DG_R_THREAD_SWITCH] = "dthread",
  [DG_R_THREAD_START] = "dthread dparent dos_tid",
  [DG_R_THREAD_EXIT] = "dthread",
  [DG_R_THREAD_NAME] = "dthread sname",
  [DG_R_HEAP_ALLOC] = "dseqno dthread aallocator dusable dalignment "
                      "xold_address",
  [DG_R_HEAP_FREE] = "dseqno dthread aallocator *stack",
  [DG_R_MODULE] = "xtext_address dtext_size xbias %build_id ssoname",
  [DG_R_MODULE_UNLOAD] = "xtext_address",
  [DG_R_MAP] = "xaddress dlength pprotection mwhat xoffset sfile",
  [DG_R_UNMAP] = "xaddress dlength",
  [DG_R_STACK] = "dthread xlow xhigh",
  [DG_R_CLOCK] = "dns",
  [DG_R_KERNEL_ACCESS] = "kkind xaddress dlength dnumber",
  [DG_R_WINDOW] = "don wwhy dicount",
  [DG_R_SIGNAL] = "dthread dsignal hwhat",
  [DG_R_FORK] = "dpid",
  [DG_R_CHUNK] = "dback dicount dinstructions daccesses druns dbbdefs "
                 "dcontexts dthread drecording",
  [DG_R_MAP_STACK] = "dthread *stack",
  [DG_R_POOL] = "lwhat xpool xother",
  [DG_R_POOL_BLOCK] = "xpool",
  [DG_R_STACK_POINTER] = "dthread xsp vwhat",
  [DG_R_THREAD_RUNS] = "dthread dos_tid",
  [DG_R_THREAD_JOIN] = "dthread djoined",
  [DG_R_MEET] = "twhat dstep dthread xaddress dcount dnumber",
  [DG_R_BBFLOW] = "xaddress dn_instrs dn_accesses %flow",
  [DG_R_CODE] = "xaddress dsize xstart nwhat slanguage sname sfile *lines",
  [DG_R_BBCODE] = "xaddress dn_instrs dn_accesses %code",
  [DG_R_THREAD_LOCAL] = "dthread xtext_address xaddress dsize xblock",
  [DG_R_UNDECODED] = "dthread xaddress sset %code",
  [DG_R_RUN_VALUES] = "dall_known =values",
  [DG_R_END] = "ewhy dexit_code dback dicount dinstructions dreads dwrites "
               "druns dbbdefs dcontexts dheap_allocs dheap_frees dthreads "
               "dlost_calls",
};

/* What has been taken of a record, and where it goes.  */
struct fields {
  const struct dg_record *record;
  uint32_t word, string;
  struct output *out;
};

static uint64_t
next_word (struct fields *fields)
{
  return fields->word < fields->record->n_words
           ? fields->record->words[fields->word++]
           : 0;
}

static const char *
next_string (struct fields *fields)
{
  return fields->string < fields->record->n_strings
           ? fields->record->strings[fields->string++]
           : "";
}

static void
put_word_of (struct output *out, const char *const *words, size_t n,
             uint64_t number)
{
  if (number < n)
    output_text (out, words[number]);
  else
    output_decimal (out, number);
}

static void
put_named (struct output *out, char letter, uint64_t number)
{
  static const char *const kinds[] = {"read", "write"};
  static const char *const allocators[] = {
    "unknown",       "malloc",     "calloc",          "realloc",
    "memalign",      "new",        "new[]",           "new-aligned",
    "new[]-aligned", "malloclike", "resize-in-place", "free",
    "delete",        "delete[]",   "freelike",        "pool",
    "pool-free"};
  static const char *const maps[] = {"startup", "mmap", "brk", "remap",
                                     "protect"};
  static const char *const windows[] = {"option",  "request", "function",
                                        "monitor", "skip",    "stop-after",
                                        "max-size", "cut", "periodic",
                                        "period"};
  static const char *const ends[] = {"exit",     "exec",   "output",
                                     "max-size", "signal", "cut"};
  static const char *const handlers[] = {"begins", "returned"};
  static const char *const pools[] = {"create", "destroy", "move"};
  static const char *const names[] = {"request", "perf-map", "jitdump",
                                      "changed", "script"};
  static const char *const pointers[] = {"is", "moved"};
  static const char *const meetings[] = {"barrier", "team-begin", "team-end",
                                         "team-barrier"};

  switch (letter) {
  case 'k':
    put_word_of (out, kinds, G_N_ELEMENTS (kinds), number);
    break;
  case 'a':
    put_word_of (out, allocators, G_N_ELEMENTS (allocators), number);
    break;
  case 'm':
    put_word_of (out, maps, G_N_ELEMENTS (maps), number);
    break;
  case 'w':
    put_word_of (out, windows, G_N_ELEMENTS (windows), number);
    break;
  case 'e':
    put_word_of (out, ends, G_N_ELEMENTS (ends), number);
    break;
  case 'h':
    put_word_of (out, handlers, G_N_ELEMENTS (handlers), number);
    break;
  case 'l':
    put_word_of (out, pools, G_N_ELEMENTS (pools), number);
    break;
  case 'n':
    put_word_of (out, names, G_N_ELEMENTS (names), number);
    break;
  case 'v':
    put_word_of (out, pointers, G_N_ELEMENTS (pointers), number);
    break;
  case 't':
    put_word_of (out, meetings, G_N_ELEMENTS (meetings), number);
    break;
  case 'p':
    output_text (out, number & DG_PROT_READ ? "r" : "-");
    output_text (out, number & DG_PROT_WRITE ? "w" : "-");
    output_text (out, number & DG_PROT_EXEC ? "x" : "-");
    break;
  default:
    output_decimal (out, number);
  }
}

static void
put_addresses (struct fields *fields, uint64_t n)
{
  output_text (fields->out, "[");
  for (uint64_t i = 0; i < n && fields->word < fields->record->n_words; i++) {
    if (i > 0)
      output_text (fields->out, " ");
    output_hex (fields->out, next_word (fields));
  }
  output_text (fields->out, "]");
}

static void
put_bytes (struct fields *fields, uint64_t n)
{
  for (uint64_t i = 0; i < n && fields->word < fields->record->n_words; i++) {
    output_reserve (fields->out);
    fields->out->at =
      output_put_hex (fields->out->at, next_word (fields) & 0xff, 2);
  }
}

static void
put_strings (struct fields *fields, uint64_t n)
{
  output_text (fields->out, "[");
  for (uint64_t i = 0; i < n && fields->string < fields->record->n_strings;
       i++) {
    if (i > 0)
      output_text (fields->out, " ");
    output_quoted (fields->out, next_string (fields));
  }
  output_text (fields->out, "]");
}

static void
put_field (struct fields *fields, char letter)
{
  switch (letter) {
  case 'x':
    output_hex (fields->out, next_word (fields));
    break;
  case 's':
    output_quoted (fields->out, next_string (fields));
    break;
  case '*':
    put_addresses (fields, next_word (fields));
    break;
  case '+':
    put_addresses (fields, UINT64_MAX);
    break;
  case '%':
    put_bytes (fields, next_word (fields));
    break;
  case '=':
    put_bytes (fields, UINT64_MAX);
    break;
  case '$':
    put_strings (fields, next_word (fields));
    break;
  default:
    put_named (fields->out, letter, next_word (fields));
  }
}

static void
put_fields (struct fields *fields, const char *names)
{
  while (*names != '\0') {
    size_t length = strcspn (names, " ");

    output_text (fields->out, " ");
    output_bytes (fields->out, names + 1, length - 1);
    output_text (fields->out, "=");
    put_field (fields, names[0]);
    names += length;
    names += strspn (names, " ");
  }
}

/* R or W, size, @ and the index of the instruction; SP@ and that index where
   the stack pointer changes.  */
static void
put_access (struct fields *fields)
{
  uint64_t kind = next_word (fields), size = next_word (fields);
  struct output *out = fields->out;

  if (kind == DG_ACC_SP) {
    output_text (out, "SP");
  } else {
    output_text (out, kind == DG_ACC_READ ? "R" : "W");
    output_decimal (out, size);
  }
  output_text (out, "@");
  output_decimal (out, next_word (fields));
}

/* Instructions as ADDRESS+SIZE.  */
static void
put_block (struct fields *fields)
{
  uint64_t n_instrs = next_word (fields), n_accesses = next_word (fields);
  struct output *out = fields->out;

  output_text (out, " instrs=[");
  for (uint64_t i = 0; i < n_instrs; i++) {
    if (i > 0)
      output_text (out, " ");
    output_hex (out, next_word (fields));
    output_text (out, "+");
    output_decimal (out, next_word (fields));
  }
  output_text (out, "] accesses=[");
  for (uint64_t i = 0; i < n_accesses; i++) {
    if (i > 0)
      output_text (out, " ");
    put_access (fields);
  }
  output_text (out, "]");
}

/* Blocks and contexts are named by their place in the file: it is shown.  */
struct counts {
  uint64_t bbdefs, contexts;
};

static void
dump_record (const struct dg_record *record, struct counts *counts,
             struct output *out)
{
  const char *name = dg_record_name (record->type);
  const char *names = record->type < G_N_ELEMENTS (record_fields)
                        ? record_fields[record->type]
                        : NULL;
  struct fields fields = {.record = record, .out = out};

  output_hex (out, record->offset);
  output_text (out, " ");
  if (name != NULL)
    output_text (out, name);
  else
    output_format (out, "TYPE_%u", record->type);
  if (record->type == DG_R_BBDEF || record->type == DG_R_CONTEXT) {
    output_text (out, " index=");
    output_decimal (out, record->type == DG_R_BBDEF ? counts->bbdefs++
                                                    : counts->contexts++);
  }
  if (record->type == DG_R_BBDEF) {
    put_block (&fields);
  } else if (names != NULL) {
    put_fields (&fields, names);
  } else {
    output_text (out, " length=");
    output_decimal (out, record->length);
  }
  if (record->n_behind > 0) {
    output_text (out, " bytes_behind=");
    output_decimal (out, record->n_behind);
  }
  output_text (out, "\n");
}

/* Does any access of this BBRUN pass?  */
static bool
run_passes (const struct dg_log *log, const struct dg_filter *filter,
            const struct dg_record *record)
{
  uint32_t index = (uint32_t) record->words[0];
  const struct dg_context context = dg_log_context (log, index);
  const struct dg_bbdef *bbdef = dg_log_bbdef (log, context.bbdef);
  const uint64_t *addresses = record->words + 2;
  uint32_t n = record->n_words - 2;

  if (!dg_filter_run (filter, index, record->icount))
    return false;
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    struct dg_access access = {.icount = record->icount + slot->iseq,
                               .instruction =
                                 bbdef->instrs[slot->iseq].address,
                               .size = slot->size,
                               .context = index,
                               .thread = record->thread,
                               .kind = slot->kind};

    if (slot->entry >= n)
      break;
    access.address = addresses[slot->entry];
    if (access.address != 0 && dg_filter_access (filter, &access))
      return true;
  }
  return false;
}

int
dump_records (const struct dg_log *log, const struct dg_filter *filter,
              struct output *out, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, err);
  struct counts counts = {0, 0};
  struct dg_record record;
  int more;

  if (reader == NULL)
    return -1;
  while ((more = dg_reader_record (reader, &record, err)) > 0
         && !output_failed (out)) {
    if (record.type != DG_R_BBRUN || filter == NULL
        || run_passes (log, filter, &record))
      dump_record (&record, &counts, out);
  }
  dg_reader_free (reader);
  return more < 0 ? more : 0;
}
