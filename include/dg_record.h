/* dg_record.h: the constants of the Datagrind log, version 1.

   This is what exp-datagrind (inside Valgrind) and libdatagrind (outside)
   share, and nothing else: record types, constants of their fields, and the
   sizes of fixed records.  It includes only <stdint.h> and has no functions.
   docs/format.md describes the format in prose, byte by byte, with an example.

   Form of a record
     types 0..127     byte type, byte length, payload of that length; length
                      255 means: a 64-bit length follows, then the payload
     types 128..255   byte type, one byte of payload
   Readers skip unknown types.

   Notation below, in the order of the payload and without padding
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

/* A length byte with this value is followed by a quad with the length.  */
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
   /* word address; word length: as in the TRACK_RANGE  */
   DG_R_UNTRACK_RANGE = 4,

   /* string label: cut so that the record has less than 255 bytes.  Events may
      be nested and may overlap; several may have the same label.  */
   DG_R_START_EVENT = 5,
   DG_R_END_EVENT = 6,

   /* Reserved; never written.  */
   DG_R_INSTR = 7,

   /* word text_address; string file: a module whose .text section was mapped
      at text_address.  A DG_R_MODULE follows immediately.  */
   DG_R_TEXT_AVMA = 8,

   /* word address; word size; word n; word stack[n]: innermost first. stack[0]
      is in the allocator, the others are call sites (return address - 1).  A
      DG_R_HEAP_ALLOC follows immediately.  With DG_PROCESS_UNFOLDED_HEAP,
      recursion in the stack is not folded, and a stack of more than
      DG_HEAP_STACK entries has only the innermost DG_HEAP_STACK -
      DG_HEAP_OUTERMOST and the outermost DG_HEAP_OUTERMOST.  */
   DG_R_MALLOC_BLOCK = 9,
   /* word address.  A DG_R_HEAP_FREE follows immediately.  */
   DG_R_FREE_BLOCK = 10,

   /* byte n_instrs; word n_accesses;
        { word address; byte size } instrs[n_instrs];
        { byte kind; byte size; byte iseq } accesses[n_accesses]
      kind: enum dg_access_kind.  Superblocks are numbered from 0 in the order
      of the file. iseq is the index of the access's instruction and never
      decreases.  A size of 255 means that the access continues in the next
      entry: an access of 510 bytes is 255, 255, 0 at addresses a, a+255,
      a+510.  With DG_PROCESS_STACKS there are entries of kind DG_ACC_SP and
      size 0, which are not accesses: the corresponding word of a run is the
      value that the instruction assigns to the stack pointer.  */
   DG_R_BBDEF = 11,

   /* word context; byte n_instrs; word addresses[]
      One run of a superblock: its first n_instrs instructions were executed.
      The addresses are those of the first accesses of the definition; there
      may be fewer than n_instrs instructions have, if the last instruction was
      left early (x86 "rep" with count zero).  A guarded access that was not
      made has address 0.  */
   DG_R_BBRUN = 12,

   /* word bbdef; byte n_stack; word stack[n_stack]
      Contexts are numbered from 0 in the order of the file. stack[0] is the
      address of the superblock's first instruction, the others are call sites
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

   /* word thread: the following runs and accesses by the kernel are by this
      thread.  Threads are numbered from 1 (the main thread, current at the
      start of a log) in the order of their creation; unlike in Valgrind,
      numbers are not reused.  */
   DG_R_THREAD_SWITCH = 15,
   /* word thread; word parent (0: none); word os_tid (0: unknown)
      With DG_PROCESS_ORDER, it is where the parent creates the thread: what
      the parent has done before happened before everything that the thread
      does.  Otherwise it is where the first instruction of the thread
      runs.  */
   DG_R_THREAD_START = 16,
   /* word thread */
   DG_R_THREAD_EXIT = 17,
   /* word thread; string name */
   DG_R_THREAD_NAME = 18,

   /* quad seqno; word thread; byte allocator; word usable; word alignment;
      word old_address
      Details of the preceding DG_R_MALLOC_BLOCK. seqno counts allocations and
      frees from 1. allocator: enum dg_allocator. usable: bytes that the
      program may use, at least the requested size. alignment: requested, 0 if
      none. old_address: the block that a realloc replaced (its FREE_BLOCK
      comes earlier), otherwise 0.  */
   DG_R_HEAP_ALLOC = 19,
   /* quad seqno; word thread; byte allocator; word n; word stack[n]
      Details of the preceding DG_R_FREE_BLOCK; stack as in
      DG_R_MALLOC_BLOCK.  */
   DG_R_HEAP_FREE = 20,

   /* word text_address; word text_size; word bias; byte n; byte build_id[n];
      string soname
      Details of the preceding DG_R_TEXT_AVMA. bias: address in memory minus
      address in the symbol table of the file.  */
   DG_R_MODULE = 21,
   /* word text_address: as in its DG_R_TEXT_AVMA */
   DG_R_MODULE_UNLOAD = 22,

   /* word address; word length; byte protection; byte what; quad offset;
      string file
      Memory that is mapped from here on. protection: DG_PROT_*. what: enum
      dg_map. offset and file: of the mapped file, 0 and "" if anonymous.  */
   DG_R_MAP = 23,
   /* word address; word length */
   DG_R_UNMAP = 24,

   /* word thread; word low; word high: its stack is low .. high - 1 */
   DG_R_STACK = 25,

   /* quad ns: time since the start of the recording  */
   DG_R_CLOCK = 26,

   /* byte kind; word address; word length; word number
      Memory that the kernel read (DG_ACC_READ) or wrote for the current thread
      in system call `number`, or when it delivered a signal (number: all bits
      set).  */
   DG_R_KERNEL_ACCESS = 27,

   /* byte on; byte why; quad icount
      From here on, runs are recorded (on = 1) or not (0); icount is the number
      of executed instructions, recorded or not.  Everything except runs and
      accesses by the kernel is always recorded.  A log without WINDOWs is
      recorded from its start. why: enum dg_window.  What is left out for one
      of the last two reasons is represented by what is recorded.  */
   DG_R_WINDOW = 28,

   /* word thread; word signal; byte what: 0 its handler starts, 1 it has
      returned  */
   DG_R_SIGNAL = 29,

   /* word pid: a child was forked, which has its own log  */
   DG_R_FORK = 30,

   /* quad back; quad icount; quad instructions; quad accesses; quad runs; quad
      bbdefs; quad contexts; quad thread; quad recording
      A position where decoding may start. back: from the first byte of this
      record to that of the previous CHUNK, or of the file. icount: as in
      DG_R_WINDOW. The others are totals of the log before this record
      (accesses: entries of runs, with each part of 255 bytes); thread: the
      current one; recording: 0 or 1.  */
   DG_R_CHUNK = 31,

   /* byte why; byte exit_code; quad back; quad icount; quad instructions; quad
      reads; quad writes; quad runs; quad bbdefs; quad contexts; quad
      heap_allocs; quad heap_frees; quad threads; quad lost_calls; byte
      magic[8]
      The end of the log, if it is the last record of the file: after a failed
      exec, the log continues. back: to the last DG_R_CHUNK, or to the first
      byte of the file. reads and writes: accesses that were made (without
      guarded ones that were not). lost_calls: not 0 if calls were omitted from
      contexts because of the limit of call paths; each call site is counted at
      least once. why: enum dg_end.  */
   DG_R_END = 32,

   /* word thread; word n; word stack[n]
      The call stack of the preceding DG_R_MAP or DG_R_UNMAP. stack[0] is where
      the system call was made, the others as in DG_R_MALLOC_BLOCK. Mappings
      from startup, or repeated by a forked child, have none.  */
   DG_R_MAP_STACK = 33,

   /* byte what; word pool; word other
      The program created a pool (VALGRIND_CREATE_MEMPOOL), destroyed it, or
      changed its address to other (else 0). what: enum dg_pool.  Live chunks
      of a destroyed pool are freed before.  */
   DG_R_POOL = 34,
   /* word pool
      The preceding DG_R_HEAP_ALLOC or DG_R_HEAP_FREE is of a chunk of this
      pool.  */
   DG_R_POOL_BLOCK = 35,

   /* word thread; word sp; byte what
      Only with DG_PROCESS_STACKS: the stack pointer of the thread, where no
      instruction of the program has set it. what: enum dg_sp.  */
   DG_R_STACK_POINTER = 36,

   /* word thread; word os_tid
      The first instruction of the thread: only with DG_PROCESS_ORDER, after
      its DG_R_THREAD_START, where the OS thread ID was unknown.  */
   DG_R_THREAD_RUNS = 37,
   /* word thread; word joined
      The thread has waited for the end of the other, whose DG_R_THREAD_EXIT
      comes earlier: everything that the other did happened before what follows
      here.  */
   DG_R_THREAD_JOIN = 38,
   /* byte what; byte step; word thread; word address; word count; quad number
      Threads meet: what a thread did before its step 0 of a number happened
      before anything that a thread does after its step 1 of the same number.
      what: enum dg_meet. address: of the barrier, 0 if there is none. count:
      the number of threads that make each step, 0 if unknown.  Numbers are not
      reused.  */
   DG_R_MEET = 39,

   /* word address; byte n_instrs; word n_accesses; word n; byte flow[n]
      Where the addresses of accesses come from, for all superblocks whose
      first instruction is at this address and that have these numbers of
      instructions and entries; if different records apply to the same blocks,
      nothing is known about them. flow: for each entry of the definition three
      values: its address; what is added to it and is not a constant (0:
      nothing); and, for a write, what is written.  They are followed by
      changes of registers: byte n_registers; { byte register; value
      }[n_registers], or one byte DG_FLOW_LOST: nothing is known about any
      register after the block.  A value is a byte, enum dg_flow, and from
      DG_FLOW_REGISTER on a second byte: the number of the register, or of the
      entry, which must be an earlier one.  */
   DG_R_BBFLOW = 40,

   /* word thread; word text_address; word address; word size; word block
      The thread's copy of the thread-local variables of the module whose .text
      is at text_address (DG_R_TEXT_AVMA) is at address. block: the heap block
      that contains it, which has contained nothing else since it was
      allocated, or 0.  A copy ends with the thread, with the module, and with
      another copy of both.  */
   DG_R_THREAD_LOCAL = 41,

   /* word address; byte n_instrs; word n_accesses; word n; byte code[n]
      The machine code of all superblocks whose first instruction is at this
      address and that have these numbers of instructions and entries: the
      bytes of one instruction after the other, in the order and with the sizes
      of the definition; if different records apply to the same blocks, their
      code is not known.  */
   DG_R_BBCODE = 42,

   /* word address; word size; word start; byte what; string language;
      string name; string file; word n; word lines[n]
      Code of no file, such as a JIT compiler makes, or a function of a script.
      [address, address + size) is a part, or all, of what begins at start.
      lines: n / 2 pairs of the address at which the code of a line begins, in
      ascending order, and the line, from 1, in file. what: enum
      dg_code_source.  Of records about the same addresses the last one is
      right.  It applies to the whole log, also to what comes before it.
      language is "" for machine code.  For a script, such as "py", the range
      is not memory: DG_SCRIPT_SITE plus a line is a site in stacks.  */
   DG_R_CODE = 43,

   /* word thread; word address; string set; byte n; byte code[n]
      The thread executed an instruction at this address, which Valgrind does
      not know; it was given SIGILL, which killed the program.  set: the
      instruction set, such as "AVX-512", or "".  code: up to
      DG_UNDECODED_BYTES bytes from the address on.  */
   DG_R_UNDECODED = 44,

   /* byte all_known; byte known[(entries + 7) / 8] unless all_known;
      byte values[]
      Directly behind a BBRUN, if PROCESS has DG_PROCESS_VALUES: what its
      accesses read or wrote, in the order of its entries.  known: bit i % 8
      of byte i / 8 is set if values has the bytes of entry i, as many as its
      size, as they are in memory.  With all_known, every entry has that was
      made and whose size is not 0.  An access of more than 64 bytes is not
      known.  A run that made no access has none of these.  */
   DG_R_RUN_VALUES = 45
};

#define DG_UNDECODED_BYTES  15

/* Where words have 8 bytes, the upper 16 bits of an address of code, in
   instructions and in stacks, are the generation of what is there: 0 for the
   first, and for all that is in files.  Others were written over an earlier
   one.  So all generations have different addresses.  */
#define DG_GENERATION_SHIFT  48
#define DG_PLACE_MASK        0x0000FFFFFFFFFFFFull

/* Instead of a generation, in sites of stacks: the function of a script with
   a number, at a line, in the lower 24 bits.  */
#define DG_SCRIPT_BASE        0x5C00000000000000ull
#define DG_SCRIPT_MASK        0xFF00000000000000ull
#define DG_SCRIPT_LINE_BITS   24
#define DG_SCRIPT_SITE(number) \
   (DG_SCRIPT_BASE | (uint64_t) (number) << DG_SCRIPT_LINE_BITS)
#define DG_IS_SCRIPT(address) \
   (((address) & DG_SCRIPT_MASK) == DG_SCRIPT_BASE)

/* How it is known what code of no file is.  */
enum dg_code_source {
   DG_CODE_REQUEST = 0,     /* a request: DATAGRIND_NAME_CODE */
   DG_CODE_MAP = 1,         /* /tmp/perf-PID.map */
   DG_CODE_DUMP = 2,        /* a jitdump file */
   DG_CODE_CHANGED = 3,     /* a named function whose code has changed since */
   DG_CODE_SCRIPT = 4       /* the interpreter's own data */
};

/* The maximum number of entries of a heap stack, and of its outermost entries
   that are kept if it has more.  */
#define DG_HEAP_STACK      254
#define DG_HEAP_OUTERMOST  8

/* Payload sizes of the two records that are found by their size.  */
#define DG_CHUNK_PAYLOAD   (9 * 8)
#define DG_END_PAYLOAD     (2 + 12 * 8 + 8)
#define DG_CHUNK_SIZE      (2 + DG_CHUNK_PAYLOAD)
#define DG_END_SIZE        (2 + DG_END_PAYLOAD)
#define DG_END_MAGIC       "\nDG.end\n"   /* 8 bytes, without its NUL */

/* The writer writes a CHUNK about this often.  */
#define DG_CHUNK_BYTES     (4u << 20)

enum dg_access_kind {
   DG_ACC_READ = 0, DG_ACC_WRITE = 1,
   DG_ACC_EXEC = 2,         /* never written */
   DG_ACC_SP = 3            /* not an access: the stack pointer's new value */
};

/* What a value is.  The recorder numbers the registers; for x86 and amd64 as
   in machine code.  */
enum dg_flow {
   DG_FLOW_NOTHING = 0,     /* unknown, or none */
   DG_FLOW_CONSTANT = 1,
   DG_FLOW_REGISTER = 2,    /* the initial value of the register, plus a
                               constant */
   DG_FLOW_LOAD = 3,        /* the word loaded by the entry, plus a constant */
   DG_FLOW_OF_REGISTER = 4, DG_FLOW_OF_LOAD = 5   /* computed from it, and
                               perhaps from others */
};
#define DG_FLOW_LOST  255

enum dg_process_flags {
   DG_PROCESS_FORKED = 1,   /* started by fork; repeats the parent's state */
   DG_PROCESS_EXECED = 2,   /* the same process had a log before an exec */
   DG_PROCESS_FOLDED = 4,   /* recursion is folded in contexts */
   DG_PROCESS_STACKS = 8,   /* blocks have entries of kind DG_ACC_SP */
   DG_PROCESS_UNFOLDED_HEAP = 16,  /* but not in stacks of heap blocks */
   DG_PROCESS_ORDER = 32,   /* threads start where they are created; joins and
                               barriers are recorded */
   DG_PROCESS_VALUES = 64   /* runs are followed by RUN_VALUES */
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
   DG_SP_IS = 0,            /* this value from here on, without growth */
   DG_SP_MOVED = 1          /* moved for a signal's frame, or back */
};

enum dg_meet {
   DG_MEET_BARRIER = 0,     /* pthread_barrier_wait */
   DG_MEET_TEAM_BEGIN = 1,  /* OpenMP: start of a parallel region */
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
   DG_WINDOW_CUT = 7,       /* not by a recorder: `dg cut` omitted accesses */
   /* The log is a sample: a window of a period opens or closes; a new period
      begins, in or outside of its window.  */
   DG_WINDOW_PERIODIC = 8, DG_WINDOW_PERIOD = 9
};

enum dg_end {
   DG_END_EXIT = 0,         /* the program ended with exit_code */
   DG_END_EXEC = 1,         /* it executed another program */
   DG_END_OUTPUT = 2,       /* the output failed: the log is incomplete */
   DG_END_MAX_SIZE = 3,     /* --datagrind-max-size was reached */
   DG_END_SIGNAL = 4,       /* it was killed; exit_code is the signal, 0 if
                               unknown */
   DG_END_CUT = 5           /* not by a recorder: `dg cut` omitted the rest */
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

DG_STATIC_ASSERT (DG_HEADER_SIZE == 2 + DG_SIGNATURE_SIZE + 3, "header");
DG_STATIC_ASSERT (DG_CHUNK_PAYLOAD < DG_LENGTH_EXTENDED, "chunk marker");
DG_STATIC_ASSERT (DG_END_PAYLOAD < DG_LENGTH_EXTENDED, "end record");
DG_STATIC_ASSERT (sizeof DG_END_MAGIC - 1 == 8, "end magic");

#endif /* DG_RECORD_H */
