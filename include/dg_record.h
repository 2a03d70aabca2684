/* dg_record.h: the numbers of the Datagrind log, version 1.

   This is what exp-datagrind (inside Valgrind) and libdatagrind (outside)
   share, and nothing else: record types, the constants in their
   fields, and the sizes of the fixed records.  It includes <stdint.h> only
   and has no functions.  docs/format.md says the same in prose, byte by
   byte, with an example.

   How a record looks
     types 0..127     byte type, byte length, payload of that length; length
                      255 means: a 64-bit length follows, then the payload
     types 128..255   byte type, one byte of payload
   Readers skip types that they do not know.

   Notation below, in the order of the payload and without any padding
     byte      8 bits
     word      word_size bytes of the header, the target's byte order
     quad      8 bytes, the target's byte order
     string    bytes up to and including a NUL

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RECORD_H
#define DG_RECORD_H

#include <stdint.h>

#define DG_SIGNATURE       "DATAGRIND1"   /* with its NUL: 11 bytes */
#define DG_SIGNATURE_SIZE  11
#define DG_VERSION         1
#define DG_ENDIAN_LITTLE   0
#define DG_ENDIAN_BIG      1

/* Type byte, length byte, signature, version, endian, word_size.  */
#define DG_HEADER_SIZE     16

/* A length byte of this value says that a quad with the length follows.  */
#define DG_LENGTH_EXTENDED 255

enum dg_record_type {
   /* byte signature[11]; byte version; byte endian; byte word_size
      First record, once, never with an extended length.  */
   DG_R_HEADER = 0,

   /* Reserved by the first version of the format; never written.  */
   DG_R_READ = 1,
   DG_R_WRITE = 2,

   /* word address; word length; string type; string label */
   DG_R_TRACK_RANGE = 3,
   /* word address; word length: exactly as they were tracked */
   DG_R_UNTRACK_RANGE = 4,

   /* string label: cut so that the record stays under 255 bytes.
      Events nest and overlap; one label may be active several times.  */
   DG_R_START_EVENT = 5,
   DG_R_END_EVENT = 6,

   /* Reserved; never written.  */
   DG_R_INSTR = 7,

   /* word text_address; string file: a module whose .text section was
      mapped at text_address.  A DG_R_MODULE follows at once.  */
   DG_R_TEXT_AVMA = 8,

   /* word address; word size; word n; word stack[n]: innermost first.
      stack[0] is where the allocator ran, the others are call sites
      (return address - 1).  A DG_R_HEAP_ALLOC follows at once.  With
      DG_PROCESS_UNFOLDED_HEAP recursion is in the stack as it is, and
      one of more than DG_HEAP_STACK entries keeps the innermost
      DG_HEAP_STACK - DG_HEAP_OUTERMOST and the outermost
      DG_HEAP_OUTERMOST.  */
   DG_R_MALLOC_BLOCK = 9,
   /* word address.  A DG_R_HEAP_FREE follows at once.  */
   DG_R_FREE_BLOCK = 10,

   /* byte n_instrs; word n_accesses;
      { word address; byte size } instrs[n_instrs];
      { byte kind; byte size; byte iseq } accesses[n_accesses]
      kind: enum dg_access_kind.  Block definitions count from 0 in the
      order of the file.  iseq is the index of the access's instruction and
      never falls.  A size of 255 says that the access goes on in the next
      entry: an access of 510 bytes is 255, 255, 0 at addresses a, a+255,
      a+510.  With DG_PROCESS_STACKS there are entries of kind DG_ACC_SP and
      size 0, which are not accesses: the word for them in a run is
      the value that the instruction gives the stack pointer.  */
   DG_R_BBDEF = 11,

   /* word context; byte n_instrs; word addresses[]
      One run of a block: its first n_instrs instructions were executed.
      The addresses are those of the definition's first accesses; there may
      be fewer than the n_instrs instructions have, when the last of them
      was left before it was done (x86 "rep" at count zero).  A guarded
      access that was not made has address 0.  */
   DG_R_BBRUN = 12,

   /* word bbdef; byte n_stack; word stack[n_stack]
      Contexts count from 0 in the order of the file.  stack[0] is the
      address of the block's first instruction, the others are call sites
      (return address - 1), innermost first.  */
   DG_R_CONTEXT = 13,

   /* word pid; word ppid; quad start_ticks; quad wall_ns; word page_size;
      word line_size; byte flags; byte stack_depth; string tool_version;
      string valgrind_version; string arch; string exe; string cwd;
      word argc; string argv[argc]
      start_ticks: start of the process in clock ticks since boot, 0 when
      unknown.  wall_ns: ns since 1970-01-01 UTC when recording began.
      line_size: bytes of a data cache line.  flags: DG_PROCESS_*.  */
   DG_R_PROCESS = 14,

   /* word thread: the runs and system-call accesses that follow are by
      this thread.  Threads count from 1 (the main thread, current at the
      start of a log) in the order of their creation and are never reused,
      unlike Valgrind's own thread numbers.  */
   DG_R_THREAD_SWITCH = 15,
   /* word thread; word parent (0: none); word os_tid (0: unknown)
      With DG_PROCESS_ORDER where the parent creates it, before it runs: what
      the parent has done by then happened before all that the thread does.
      Else where its first instruction runs.  */
   DG_R_THREAD_START = 16,
   /* word thread */
   DG_R_THREAD_EXIT = 17,
   /* word thread; string name */
   DG_R_THREAD_NAME = 18,

   /* quad seqno; word thread; byte allocator; word usable; word alignment;
      word old_address
      Says more of the DG_R_MALLOC_BLOCK before it.  seqno counts every
      allocation and free from 1.  allocator: enum dg_allocator.  usable:
      bytes that the program may use, >= the size asked for.  alignment:
      asked for, 0 if not.  old_address: the block that a realloc replaced
      (its FREE_BLOCK comes before), else 0.  */
   DG_R_HEAP_ALLOC = 19,
   /* quad seqno; word thread; byte allocator; word n; word stack[n]
      Says more of the DG_R_FREE_BLOCK before it; stack as there.  */
   DG_R_HEAP_FREE = 20,

   /* word text_address; word text_size; word bias; byte n;
      byte build_id[n]; string soname
      Says more of the DG_R_TEXT_AVMA before it.  bias: address in memory
      minus address in the file's own symbol table.  */
   DG_R_MODULE = 21,
   /* word text_address: as in its DG_R_TEXT_AVMA */
   DG_R_MODULE_UNLOAD = 22,

   /* word address; word length; byte protection; byte what; quad offset;
      string file
      Memory that the program has from here on.  protection: DG_PROT_*.
      what: enum dg_map.  offset and file: what is mapped, 0 and "" when
      anonymous.  */
   DG_R_MAP = 23,
   /* word address; word length */
   DG_R_UNMAP = 24,

   /* word thread; word low; word high: its stack is low .. high - 1 */
   DG_R_STACK = 25,

   /* quad ns: time since recording began */
   DG_R_CLOCK = 26,

   /* byte kind; word address; word length; word number
      Memory that the kernel read (DG_ACC_READ) or wrote for the current
      thread in system call `number`, or when it delivered a signal
      (number: all bits set).  */
   DG_R_KERNEL_ACCESS = 27,

   /* byte on; byte why; quad icount
      Runs are recorded (on = 1) or not (0) from here on; icount is the
      number of instructions that the program has executed by now, recorded
      or not.  Everything but runs and kernel accesses is always recorded.
      A log without any is recorded from its start.  why: enum
      dg_window.  */
   DG_R_WINDOW = 28,

   /* word thread; word signal; byte what: 0 its handler begins, 1 it has
      returned */
   DG_R_SIGNAL = 29,

   /* word pid: a child was forked; it writes a log of its own */
   DG_R_FORK = 30,

   /* quad back; quad icount; quad instructions; quad accesses; quad runs;
      quad bbdefs; quad contexts; quad thread; quad recording
      A place where decoding may begin.  back: from this record's first
      byte to that of the marker before it, or of the file.  icount: as in
      DG_R_WINDOW.  The others count what is in the log before this
      record (accesses: entries of runs, 255-byte parts counted each);
      thread: the current one; recording: 0 or 1.  */
   DG_R_CHUNK = 31,

   /* byte why; byte exit_code; quad back; quad icount; quad instructions;
      quad reads; quad writes; quad runs; quad bbdefs; quad contexts;
      quad heap_allocs; quad heap_frees; quad threads; quad lost_calls;
      byte magic[8]
      The log ends here.  It counts only when it is the last record of the
      file: after an exec that failed the log goes on behind it.  back: to
      the last DG_R_CHUNK, or to the file's first byte.  reads and writes:
      accesses made (guarded ones that were not made do not count).
      lost_calls: not 0 when the budget of stack nodes left calls out of the
      contexts; each place is counted at least once.  why: enum dg_end.  */
   DG_R_END = 32,

   /* word thread; word n; word stack[n]
      Who asked for the DG_R_MAP or DG_R_UNMAP right before it.  stack[0] is
      where the system call was made, the others as in DG_R_MALLOC_BLOCK.
      Those that were there at startup, or that a forked child repeats, have
      none.  */
   DG_R_MAP_STACK = 33,

   /* byte what; word pool; word other
      The program made a pool (VALGRIND_CREATE_MEMPOOL), destroyed it, or gave
      it another address, which is other (else 0).  what: enum dg_pool.
      Pieces that are alive when it is destroyed are freed before.  */
   DG_R_POOL = 34,
   /* word pool
      The DG_R_HEAP_ALLOC or DG_R_HEAP_FREE right before it is of a piece of
      that pool.  */
   DG_R_POOL_BLOCK = 35,

   /* word thread; word sp; byte what
      Only with DG_PROCESS_STACKS: the thread's stack pointer where no
      instruction of the program has set it.  what: enum dg_sp.  */
   DG_R_STACK_POINTER = 36,

   /* word thread; word os_tid
      The thread runs its first instruction: only with DG_PROCESS_ORDER, behind
      its DG_R_THREAD_START, where the kernel's number was not known yet.  */
   DG_R_THREAD_RUNS = 37,
   /* word thread; word joined
      The thread has waited for the end of the other, whose DG_R_THREAD_EXIT
      comes before: what that did happened before what follows here.  */
   DG_R_THREAD_JOIN = 38,
   /* byte what; byte step; word thread; word address; word count; quad number
      Threads meet: what a thread did before its step 0 of a number happened
      before what any thread does after its step 1 of the same number.  what:
      enum dg_meet.  address: of the barrier, 0 where there is none.  count:
      how many threads have each step, 0 when that is not known.  Numbers are
      not used again.  */
   DG_R_MEET = 39,

   /* word address; byte n_instrs; word n_accesses; word n; byte flow[n]
      Where the addresses of accesses come from, of all blocks whose first
      instruction is at this address and that have these instructions and
      entries; where two records that differ tell of the same blocks, nothing
      is known of them.  flow: for each entry of the definition three values,
      which are its address, what is added to it and is not a constant (0: no
      more), and, of a write, what is written; then what the block changes in
      registers: byte n_registers; { byte register; value }[n_registers], or
      one byte DG_FLOW_LOST: nothing is known of any behind it.  A value is a
      byte, enum dg_flow, and from DG_FLOW_REGISTER on a byte that is the
      number of the register or of the entry, which comes before.  */
   DG_R_BBFLOW = 40,

   /* word thread; word text_address; word address; word size; word block
      The thread's copy of the thread-local variables of the module whose
      .text is at text_address (DG_R_TEXT_AVMA) is at address.  block: the
      heap block that it lies in, which has been nothing else since it began,
      or 0.  It ends with the thread, with the module, and with another copy
      of both.  */
   DG_R_THREAD_LOCAL = 41
};

/* Entries of a heap stack, and of these the ones kept of its outer end when
   it has more.  */
#define DG_HEAP_STACK      254
#define DG_HEAP_OUTERMOST  8

/* Payload sizes of the two records that are found from outside.  */
#define DG_CHUNK_PAYLOAD   (9 * 8)
#define DG_END_PAYLOAD     (2 + 12 * 8 + 8)
#define DG_CHUNK_SIZE      (2 + DG_CHUNK_PAYLOAD)
#define DG_END_SIZE        (2 + DG_END_PAYLOAD)
#define DG_END_MAGIC       "\nDG.end\n"   /* 8 bytes, its NUL left out */

/* The writer sets a marker about this often.  */
#define DG_CHUNK_BYTES     (4u << 20)

enum dg_access_kind {
   DG_ACC_READ = 0, DG_ACC_WRITE = 1,
   DG_ACC_EXEC = 2,         /* never written */
   DG_ACC_SP = 3            /* no access: the stack pointer's new value */
};

/* What a value is.  Registers are numbered by the recorder; on x86 and amd64
   as in machine code.  */
enum dg_flow {
   DG_FLOW_NOTHING = 0,     /* nothing is known of it, or there is none */
   DG_FLOW_CONSTANT = 1,
   DG_FLOW_REGISTER = 2,    /* what the register had when the block began, plus
                               a constant */
   DG_FLOW_LOAD = 3,        /* what that entry loaded, a word, plus a
                               constant */
   DG_FLOW_OF_REGISTER = 4, DG_FLOW_OF_LOAD = 5   /* computed from it, and
                               perhaps from others */
};
#define DG_FLOW_LOST  255

enum dg_process_flags {
   DG_PROCESS_FORKED = 1,   /* begun by fork; repeats what the parent had */
   DG_PROCESS_EXECED = 2,   /* the same process had a log before an exec */
   DG_PROCESS_FOLDED = 4,   /* recursion is folded in contexts */
   DG_PROCESS_STACKS = 8,   /* blocks have entries of kind DG_ACC_SP */
   DG_PROCESS_UNFOLDED_HEAP = 16,  /* but not in stacks of heap blocks */
   DG_PROCESS_ORDER = 32    /* threads start where they are created; who waits
                               for whom is passed */
};

enum dg_allocator {
   DG_ALLOC_UNKNOWN = 0, DG_ALLOC_MALLOC = 1, DG_ALLOC_CALLOC = 2,
   DG_ALLOC_REALLOC = 3, DG_ALLOC_MEMALIGN = 4, DG_ALLOC_NEW = 5,
   DG_ALLOC_NEW_ARRAY = 6, DG_ALLOC_NEW_ALIGNED = 7,
   DG_ALLOC_NEW_ARRAY_ALIGNED = 8, DG_ALLOC_MALLOCLIKE = 9,
   DG_ALLOC_RESIZE_IN_PLACE = 10, DG_ALLOC_FREE = 11, DG_ALLOC_DELETE = 12,
   DG_ALLOC_DELETE_ARRAY = 13, DG_ALLOC_FREELIKE = 14,
   DG_ALLOC_POOL = 15, DG_ALLOC_POOL_FREE = 16
};

enum dg_pool { DG_POOL_CREATE = 0, DG_POOL_DESTROY = 1, DG_POOL_MOVE = 2 };

enum dg_sp {
   DG_SP_IS = 0,            /* it is this from here on; nothing has grown */
   DG_SP_MOVED = 1          /* moved for a signal's frame, or back */
};

enum dg_meet {
   DG_MEET_BARRIER = 0,     /* of pthread_barrier_wait */
   DG_MEET_TEAM_BEGIN = 1,  /* OpenMP: a parallel region begins */
   DG_MEET_TEAM_END = 2,    /* it ends */
   DG_MEET_TEAM_BARRIER = 3 /* a barrier within */
};

enum dg_prot { DG_PROT_READ = 1, DG_PROT_WRITE = 2, DG_PROT_EXEC = 4 };

enum dg_map {
   DG_MAP_STARTUP = 0, DG_MAP_MMAP = 1, DG_MAP_BRK = 2, DG_MAP_REMAP = 3,
   DG_MAP_PROTECT = 4       /* not new: its protection has changed */
};

enum dg_window {
   DG_WINDOW_OPTION = 0, DG_WINDOW_REQUEST = 1, DG_WINDOW_FUNCTION = 2,
   DG_WINDOW_MONITOR = 3, DG_WINDOW_SKIP = 4, DG_WINDOW_STOP_AFTER = 5,
   DG_WINDOW_MAX_SIZE = 6,
   DG_WINDOW_CUT = 7        /* no recorder's: `dg cut` left something out */
};

enum dg_end {
   DG_END_EXIT = 0,         /* the program ended; exit_code says how */
   DG_END_EXEC = 1,         /* it became another program */
   DG_END_OUTPUT = 2,       /* the output failed: the log is incomplete */
   DG_END_MAX_SIZE = 3,     /* --datagrind-max-size was reached */
   DG_END_SIGNAL = 4,       /* it was killed; exit_code is the signal, 0 when
                               that is not known */
   DG_END_CUT = 5           /* no recorder's: `dg cut` left out what follows */
};

/* Looked at by compilers that can: those of C11 and C++11 and later.  */
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

DG_STATIC_ASSERT (DG_HEADER_SIZE == 2 + DG_SIGNATURE_SIZE + 3, "header");
DG_STATIC_ASSERT (DG_CHUNK_PAYLOAD < DG_LENGTH_EXTENDED, "chunk marker");
DG_STATIC_ASSERT (DG_END_PAYLOAD < DG_LENGTH_EXTENDED, "end record");
DG_STATIC_ASSERT (sizeof DG_END_MAGIC - 1 == 8, "end magic");

#endif /* DG_RECORD_H */
