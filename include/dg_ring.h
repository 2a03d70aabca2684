/* dg_ring.h: the shared memory through which exp-datagrind passes a recording
   to the process that packs it.

   This and dg_record.h are all that the tool shares with the rest.  Each
   process image (a program, a forked child, a program after an exec) has one
   ring.  The tool writes, the packer reads; each writes only its own counter.

   How a ring is created, in a directory DIR of the packer
   (--datagrind-ring=DIR):
     DIR/owner      text "PID START\n" of the packer: its process, and field 22
                    of its /proc/PID/stat, by which the tool checks that it is
                    alive
     DIR/N.want     created by process N to request a ring, if there is no
                    answer yet; N unlinks it when there is one
     DIR/N.ring     the answer: a file of header_size + data_size bytes, with
                    memory allocated for all of them; it gets this name when it
                    is complete.  The tool maps it and unlinks it.
     DIR/N.none     or this: a text why there is no ring, which the tool
                    prints, or nothing; unlinked by the tool, too
   The packer may answer before there is a request.  The tool waits for at most
   some seconds while the packer is alive.

   Messages follow one another in the data; each begins with a struct
   dg_ring_message and is padded to 8 bytes.  If one would not fit before the
   end of the data, a DG_RING_PAD up to there precedes it.  Numbers in messages
   are in the byte order and, where stated, of the word size of the recorded
   program; those of the header are in the packer's.  Programs run on this
   host, so the two differ under an emulator of another processor only.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RING_H
#define DG_RING_H

#include <stdint.h>

#define DG_RING_MAGIC    "DGRING\r\n"   /* 8 bytes, without its NUL */
#define DG_RING_VERSION  1
#define DG_RING_HEADER   4096           /* bytes before the data */
#define DG_RING_UNIT     8              /* counters count these */
#define DG_RING_MIN      ((uint32_t) 1 << 20)
#define DG_RING_MAX      ((uint32_t) 1 << 30)
#define DG_RING_ORDER    ((uint32_t) 1)
#define DG_RING_KNOWS_VALUES ((uint32_t) 1)   /* blocks with has_values */
#define DG_RING_MESSAGE_MAX ((uint32_t) 256 << 10)   /* with its header */

/* Counters are in units since the start, modulo 2^32; the position in the data
   is (counter * DG_RING_UNIT) % data_size.  Both sides read the other's
   counter with acquire order and write their own with release order.  */
struct dg_ring_header {
   /* Written by the packer before the tool sees the file.  */
   uint8_t  magic[8];
   uint32_t version;
   uint32_t header_size;        /* DG_RING_HEADER */
   uint32_t data_size;          /* bytes, a power of two */
   uint32_t features;           /* of the packer: DG_RING_KNOWS_... */
   uint32_t reserved[10];

   /* Written by the tool.  */
   uint32_t head;               /* units written */
   uint32_t attached;           /* 1: mapped; pid and start_ticks are valid */
   uint32_t closed;             /* 1: nothing follows */
   uint32_t word_size;          /* 4 or 8 */
   uint64_t pid;
   uint64_t start_ticks;        /* field 22 of /proc/PID/stat */
   uint64_t waits;              /* how often the ring was full */
   uint64_t waited_us;          /* microseconds waited for space */
   uint64_t max_size;           /* maximum size of the log; 0: no limit */
   uint32_t order;              /* DG_RING_ORDER, in the order of messages; or
                                   0: in the packer's */
   uint32_t reserved2;

   /* Written by the packer.  */
   uint32_t tail;               /* units that may be overwritten */
   uint32_t stop;               /* not 0: recording must end; enum dg_end:
                                   DG_END_OUTPUT, DG_END_MAX_SIZE */
   uint32_t reserved3[14];
};

struct dg_ring_message {
   uint32_t kind;               /* enum dg_ring_kind */
   uint32_t size;               /* bytes of the payload, without padding */
};

enum dg_ring_kind {
   DG_RING_PAD = 0,

   /* A complete record as in a log, of any type except BBDEF, BBRUN, CONTEXT
      and CHUNK. The first two are HEADER and PROCESS. Fields that the tool
      does not know are 0, and filled in by the packer: icount of WINDOW; back,
      icount, instructions, reads, writes, runs, bbdefs and contexts of
      END.  */
   DG_RING_RECORD = 1,

   /* Runs, one after the other, by the thread of the last THREAD_SWITCH
      (initially 1):
        64-bit programs: word  node << 32 | number
        32-bit programs: word  number; word node
      then the words of the variant. number: index of the variant << 5 | words
      of the run including its head, or | 0 if there are more than 31.  An
      address is words[word] + disp of its entry; 0 (not made) if the entry is
      guarded and the word is 0.
      If the block has values, a run has all n_words of the block; those beyond
      the variant's mean nothing.  Behind them are the bytes of the values of
      kind DG_RING_VALUE_BYTES of the variant's entries, one behind the other,
      also of entries that were not made, then bytes without meaning up to the
      next word.  */
   DG_RING_RUNS = 2,

   /* struct dg_ring_block, its instrs, its entries, and if it has values, a
      struct dg_ring_value for each entry: the next block, from 0.  Some blocks
      may never be executed.  */
   DG_RING_BLOCK = 3,

   /* struct dg_ring_variant[]: the next variants, from 1: a block and how much
      of it was executed.  */
   DG_RING_VARIANTS = 4,

   /* struct dg_ring_node[]: the next nodes of the tree of call paths, from
      1; 0 is the empty path.  */
   DG_RING_NODES = 5,

   /* uint64_t: the number of instructions that were executed but not
      recorded.  */
   DG_RING_SKIP = 6
};

/* The value of an access: the bytes that it reads or writes, in ascending
   order of addresses.  Only accesses of 1 to 64 bytes in one entry have one.
   The low bytes of a number are its last ones if the program is
   big-endian.  */
enum dg_ring_value_kind {
   DG_RING_VALUE_UNKNOWN = 0,
   DG_RING_VALUE_CONSTANT = 1,  /* the low bytes of disp, behind which are
                                   copies of its sign */
   DG_RING_VALUE_WORD = 2,      /* the low bytes of words[from] + disp; no more
                                   than a word has */
   DG_RING_VALUE_ENTRY = 3,     /* the low bytes of the value of the earlier
                                   entry `from`, which has at least as many,
                                   plus disp, 0 if they are more than 8 */
   DG_RING_VALUE_BYTES = 4      /* they are behind the words of the run */
};

struct dg_ring_value {
   int64_t  disp;
   uint16_t from;
   uint8_t  kind;               /* enum dg_ring_value_kind */
   uint8_t  reserved[5];
};

struct dg_ring_instr {
   uint64_t address;
   uint32_t size;               /* bytes */
   uint32_t reserved;
};

#define DG_RING_NO_WORD 0xffff  /* the address is disp */

/* As in a DG_R_BBDEF: an access of size 255 continues in the next entry.  */
struct dg_ring_entry {
   int64_t  disp;
   uint16_t word;               /* index, or DG_RING_NO_WORD */
   uint8_t  kind;               /* DG_ACC_READ, DG_ACC_WRITE, DG_ACC_SP */
   uint8_t  size;
   uint8_t  iseq;
   uint8_t  guarded;            /* 0, 1 */
   uint16_t reserved;
};

struct dg_ring_block {
   uint32_t n_instrs, n_entries, n_words;
   uint32_t has_values;         /* 0, 1 */
};

/* A run of the variant executes the first n_instrs instructions of the block,
   makes its first n_entries entries, and has n_words words.  */
struct dg_ring_variant {
   uint32_t block;
   uint32_t n_instrs, n_entries, n_words;
};

/* The path of `parent`, then a call from `site` (return address - 1).  */
struct dg_ring_node {
   uint64_t site;
   uint32_t parent;
   uint32_t reserved;
};

/* Checked by C11 and C++11 compilers and later.  */
#ifndef DG_STATIC_ASSERT
#if defined __cplusplus && __cplusplus >= 201103L
#define DG_STATIC_ASSERT(condition, text) static_assert (condition, text)
#elif !defined __cplusplus && defined __STDC_VERSION__ \
  && __STDC_VERSION__ >= 201112L
#define DG_STATIC_ASSERT(condition, text) _Static_assert (condition, text)
#else
#define DG_STATIC_ASSERT(condition, text) struct dg_static_assert
#endif
#endif

DG_STATIC_ASSERT (sizeof (struct dg_ring_header) == 192, "ring header");
DG_STATIC_ASSERT (sizeof (struct dg_ring_message) == DG_RING_UNIT, "message");
DG_STATIC_ASSERT (sizeof (struct dg_ring_instr) == 16, "instr");
DG_STATIC_ASSERT (sizeof (struct dg_ring_entry) == 16, "entry");
DG_STATIC_ASSERT (sizeof (struct dg_ring_value) == 16, "value");
DG_STATIC_ASSERT (sizeof (struct dg_ring_variant) == 16, "variant");
DG_STATIC_ASSERT (sizeof (struct dg_ring_node) == 16, "node");

#endif /* DG_RING_H */
