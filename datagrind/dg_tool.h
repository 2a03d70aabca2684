/*--------------------------------------------------------------------*/
/*--- Datagrind: what its files share.                   dg_tool.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* README says what each file is for, and how the data goes.  Whatever writes a
   record other than a run calls DG_(flush_runs) first, so that a record stands
   behind everything that happened before it.  */

#ifndef __DG_TOOL_H
#define __DG_TOOL_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_tooliface.h"
#include "dg_record.h"

#define DG_TOOL_VERSION "1.0"

#define DG_(str)    VGAPPEND(vgDatagrind_,str)

/*------------------------------------------------------------*/
/*--- Options                                              ---*/
/*------------------------------------------------------------*/

typedef struct {
   const HChar* out_file;     /* with %p and %q still in it */
   const HChar* ring_dir;     /* NULL: the output is a file */
   const HChar* raw_failed;   /* a pipe of `dg record --raw`, or NULL */
   Int   ring_child;          /* -1, or begun by a program with a ring: that
                                 process if it was recorded, else 0 */
   Bool  exact;
   Bool  fold;
   Bool  start;               /* record from the beginning */
   Int   stack_depth;         /* call sites in a context: 1..254 */
   ULong max_nodes;
   ULong skip;                /* instructions not to record at first */
   ULong stop_after;          /* recorded instructions; 0: no end */
   ULong window_record;       /* of every window_every; 0: all */
   ULong window_every;        /* instructions, or ms of processor time */
   Bool  window_by_ms;
   ULong window_seed;         /* of where windows are in their periods */
   ULong max_size;            /* bytes of the log; 0: no limit */
   Bool  scripts;             /* functions of scripts in paths */
   Bool  stacks;              /* keep the values of the stack pointer */
   Bool  values;              /* and what each access reads or writes */
   Bool  replace_malloc;      /* as Valgrind does with this kind of tool */
   UInt  check_stacks;        /* compare every Nth block; 0: never */
   UChar gaps;                /* DG_GAPS_... */
   XArray* toggle_fns;        /* of const HChar*; NULL: none */
   const HChar* only;         /* programs that are recorded; NULL: all */
} DgOptions;

extern DgOptions DG_(opt);

/* How gaps are translated: as it pays, always as what is recorded, or light
   wherever that is possible.  */
enum { DG_GAPS_AUTO, DG_GAPS_HEAVY, DG_GAPS_LIGHT };

/* What Datagrind adds to the options of programs that an exec brings.  */
#define DG_RING_CHILD  "--datagrind-ring-child"
#define DG_RAW_FAILED  "--datagrind-raw-failed"

Bool DG_(process_cmd_line_option) ( const HChar* arg );
void DG_(print_usage)             ( void );
void DG_(print_debug_usage)       ( void );
Bool DG_(is_toggle_fn)            ( Addr entry );

/*------------------------------------------------------------*/
/*--- The hot path's variables                             ---*/
/*------------------------------------------------------------*/

/* A node of the tree of call paths, ready to be or-ed into the header of a
   run: on 64-bit hosts shifted into the upper half.  */
typedef UWord DgNodeRef;

#if VG_WORDSIZE == 8
#  define DG_NODE_SHIFT  32
#  define DG_HDR_WORDS   1
#else
#  define DG_NODE_SHIFT  0
#  define DG_HDR_WORDS   2
#endif
#define DG_REF(node)     ((DgNodeRef)(node) << DG_NODE_SHIFT)
#define DG_NODE(ref)     ((UInt)((ref) >> DG_NODE_SHIFT))
/* What light code has instead: a call from the path of the frame, by the number
   of its site.  DG_(stack_resolve) makes nodes of them.  */
#define DG_IS_CALL       0x80000000u
#define DG_CALL_REF(n)   DG_REF(DG_IS_CALL | (n))

/* One call that has not returned: the stack pointer that its return will
   leave, and the path to restore then.  Bit 0 of sp marks a frame whose
   return ends a --datagrind-toggle-fn, bit 1 that of an evaluator.  */
typedef struct {
   UWord     sp;
   DgNodeRef node;
} DgFrame;

#define DG_FRAME_TOGGLE  ((UWord)1)
#define DG_FRAME_SCRIPT  ((UWord)2)
#define DG_FRAME_MARK    (DG_FRAME_TOGGLE | DG_FRAME_SCRIPT)

/* Read and written by the IR; dg_instrument knows the offsets.

   The run buffer holds runs one behind the other:
      64-bit host: one word   node << 32 | variant
      32-bit host: two words  variant, node
   then the words from which dg_block can compute the addresses.  No
   header lies at cur but that of the run that is going on.  */
typedef struct {
   UWord*    cur;             /* where the next run goes */
   UWord*    limit;           /* at or above: flush before the next run */
   DgFrame*  top;             /* of the running thread's shadow stack */
   DgFrame*  frames_limit;    /* top at or above: make room before a call */
   DgNodeRef node;            /* path of the running thread */
   UWord     countdown;       /* blocks to the next check of the stack */
   UWord     result;          /* of heap_request */
   UWord     script_low;      /* the line of a script where the thread is: */
   UWord     script_size;     /* its code; 0: not known */
   Addr      script_word;     /* of evaluators without fetches: where a word
                                 says where the script is */
   /* Of light code alone.  */
   UWord     executed;        /* in a light gap: instructions that are not in
                                 totals yet, */
   UWord     segment;         /* and which one runs */
} DgHot;

extern DgHot DG_(hot);

/* Lets the IR find DG_(hot): its address is in the first word of the first
   shadow of the thread's state, which a handler's return brings back from the
   program's stack.  */
void DG_(hot_for)         ( ThreadId tid );

/* (variant of a calling block, node) -> node of the callee.  Direct-mapped;
   16 bytes an entry on every host.  */
typedef struct {
#if VG_WORDSIZE == 8
   UWord     hdr;
   DgNodeRef child;
#else
   UWord     variant;
   DgNodeRef node;
   DgNodeRef child;
   UWord     unused;
#endif
} DgCall;

/* The entry's offset: this for the block, xor the node * sizeof(DgCall), both
   modulo the size of the table.  */
#define DG_N_CALLS  65536
#define DG_CALL_KEY(variant) \
   (((UWord)(variant) >> DG_LENGTH_BITS) * 0x9E3779B1u & ~(UWord)15)
extern DgCall DG_(calls)[DG_N_CALLS];

/*------------------------------------------------------------*/
/*--- dg_block: superblocks                                ---*/
/*------------------------------------------------------------*/

#define DG_NO_WORD    0xFFFF     /* a constant address needs no word */
#define DG_NOT_IN_LOG 0xFFFFFFFF

typedef struct { Addr addr; UChar size; } DgInstr;

/* One entry of the block's definition in the log: its address is the word
   plus disp.  */
typedef struct {
   Word   disp;
   UShort word;                  /* index behind the header, or DG_NO_WORD */
   UChar  kind;                  /* DG_ACC_READ, DG_ACC_WRITE, DG_ACC_SP */
   UChar  size;
   UChar  iseq;
   Bool   guarded;
} DgEntry;

/* Where the value of an entry is found: as struct dg_ring_value.  */
typedef struct {
   Word   disp;
   UShort from;                  /* a word, or an earlier entry */
   UChar  kind;                  /* DG_RING_VALUE_... */
} DgValue;

/* How the addresses of DG_STEPS entries come about: word + disp, two at a
   time.  In blocks with constant addresses words are and-ed with masks, which
   are 0 for those.  */
#define DG_STEPS  4
typedef UWord DgPair __attribute__((vector_size(2 * sizeof(UWord))));

typedef struct {
   DgPair disp[DG_STEPS / 2];
   UShort word[DG_STEPS];
} DgStep;

typedef struct {
   DgPair mask[DG_STEPS / 2];
} DgMask;

typedef struct _DgBlock {
   struct _DgBlock* next;        /* in its hash chain */
   UInt     hash;
   UInt     variant;             /* of a run to its end */
   UInt     index;               /* in the order of their making, from 0 */
   UInt     log_index;           /* of its BBDEF, or DG_NOT_IN_LOG */
   UShort   n_instrs;
   UShort   n_entries;
   UShort   n_words;             /* behind the header */
   Bool     odd;                 /* has guarded or continued entries */
   DgStep*  steps;               /* for all entries, the last one padded */
   DgMask*  masks;               /* likewise, or NULL */
   DgInstr* instrs;
   DgEntry* entries;
   DgValue* values;              /* of each entry; NULL: none are recorded */
   Addr     call_site;           /* of the call that ends it, or 0 */
   UInt     n_flow;
   const UChar* flow;            /* as in a BBFLOW */
   UInt     n_code;
   const UChar* code;            /* as in a BBCODE */
} DgBlock;

/* A block and how far it was run.  The number in a run's header is the
   variant's index (from 1) and, in the low bits, the words of the run with
   its header, or 0 when there are too many: so that the next run in the
   buffer is found without looking anything up.  */
#define DG_LENGTH_BITS  5
#define DG_LENGTH_MASK  ((1 << DG_LENGTH_BITS) - 1)

typedef struct {
   DgBlock*      block;
   const DgStep* steps;          /* the block's */
   const DgMask* masks;
   ULong         counts[2];      /* what a run adds to totals:
                                    runs << 32 | instructions;
                                    DG_COUNT_SP, DG_COUNT_READ | entries */
   UInt          next;           /* index of another one of the block, or 0 */
   UShort        record_size;    /* of a plain run, with type and length */
   UShort        n_entries;
   UShort        n_words;
   UShort        run_words;      /* n_words, or with the bytes of values */
   UShort        n_steps;
   UChar         n_instrs;
   Bool          plain;          /* not odd, and the length is short */
} DgVariant;

/* Three counts in one number, each with room for those of all plain runs in a
   buffer: entries, and in these reads and stack pointers.  */
#define DG_COUNT_BITS     21
#define DG_COUNT_READ     (1ULL << DG_COUNT_BITS)
#define DG_COUNT_SP       (1ULL << (2 * DG_COUNT_BITS))
#define DG_COUNT_MASK     (DG_COUNT_READ - 1)
#define DG_COUNT_ENTRIES(c)  ((UInt)(c) & DG_COUNT_MASK)
#define DG_COUNT_READS(c)    ((UInt)((c) >> DG_COUNT_BITS) & DG_COUNT_MASK)
#define DG_COUNT_SPS(c)      ((UInt)((c) >> (2 * DG_COUNT_BITS)))

/* Of a record's bytes before the addresses.  */
#define DG_PREFIX_SIZE  (2 + sizeof(UWord) + 1)
/* Of addresses in a record with a short length.  */
#define DG_MAX_SHORT    ((DG_LENGTH_EXTENDED - 1 - sizeof(UWord) - 1) \
                         / sizeof(UWord))

/* By index; they move when one is added.  */
extern DgVariant* DG_(variants);
extern UChar*     DG_(variant_instrs);   /* their n_instrs, close together */
#define DG_VARIANT(number)  (&DG_(variants)[(number) >> DG_LENGTH_BITS])

DgBlock*         DG_(block_intern) ( DgBlock* candidate );
UInt             DG_(block_cut)    ( DgBlock* b, UInt n_instrs, UInt n_entries,
                                     UInt n_words );
UInt             DG_(block_cut_at) ( DgBlock* b, UInt n_instrs );
Bool             DG_(is_variant)   ( UInt number );
void             DG_(blocks_not_in_log) ( void );
void             DG_(blocks_to_ring) ( void );
void             DG_(block_write_notes) ( const DgBlock* b );

#include "dg_value.h"

/*------------------------------------------------------------*/
/*--- dg_flow: where addresses come from                   ---*/
/*------------------------------------------------------------*/

#define DG_FLOW_MAX  16000       /* bytes; less than DG_RECORD_MAX */

void DG_(flow_begin)     ( const IRSB* sb, IRType guest_word );
void DG_(flow_entry)     ( const IRStmt* st, const IRExpr* addr,
                           UChar kind );
void DG_(flow_statement) ( const IRStmt* st, UInt entry );
const UChar* DG_(flow_end) ( IRJumpKind jk, Bool is_whole, /*OUT*/UInt* n );

/*------------------------------------------------------------*/
/*--- dg_node: call paths                                  ---*/
/*------------------------------------------------------------*/

#define DG_ROOT   0              /* the empty path */

typedef struct {
   Addr   site;
   UInt   parent;
   UInt   shorter;               /* the path without its outermost site */
   UShort depth;                 /* call sites, at most stack_depth */
   Bool   is_signal;             /* the site is what a signal interrupted, no
                                    call */
   Bool   has_signal;            /* so is this one or one before it */
   Bool   has_script;            /* this one or one before it is a place in a
                                    script */
} DgNode;

/* Pages that never move, so that growing copies little.  */
#define DG_NODE_PAGE_BITS  14
extern DgNode** DG_(nodes);

static inline DgNode* DG_(node_at) ( UInt n )
{
   return &DG_(nodes)[n >> DG_NODE_PAGE_BITS]
                     [n & ((1 << DG_NODE_PAGE_BITS) - 1)];
}

void  DG_(node_init)     ( void );
UInt  DG_(node_child)    ( UInt parent, Addr site );
/* The path to a handler that has interrupted the instruction at ip.  */
UInt  DG_(node_signal)   ( UInt parent, Addr ip );
/* Writes them, innermost first, anywhere in memory; returns their number.  */
typedef Addr DgUnalignedAddr __attribute__((aligned(1)));
UInt  DG_(node_path)     ( UInt node, /*OUT*/DgUnalignedAddr* sites );
ULong DG_(node_lost_calls) ( void );
void  DG_(nodes_to_ring) ( void );

/*------------------------------------------------------------*/
/*--- dg_stack: shadow stacks                              ---*/
/*------------------------------------------------------------*/

typedef struct _DgStack DgStack;

/* Called from the IR.  */
VG_REGPARM(1) void DG_(call_slow)  ( const UWord* run );
VG_REGPARM(1) void DG_(ret_slow)   ( UWord moved );
VG_REGPARM(1) void DG_(sp_changed) ( UWord sp_before );
VG_REGPARM(1) void DG_(sp_jumped)  ( UWord target );
void DG_(call_slow_light)          ( void );

void DG_(stack_init)      ( void );
void DG_(stack_start_thread) ( ThreadId tid );
void DG_(stack_end_thread)   ( ThreadId tid );
extern Bool DG_(stack_range) ( ThreadId tid, Addr* low, Addr* high );
void DG_(stack_switch)    ( ThreadId from, ThreadId to );
void DG_(stack_signal)    ( ThreadId tid, Bool alt_stack );
void DG_(stack_sigreturn) ( ThreadId tid );
void DG_(stack_register)  ( Addr low, Addr high );
void DG_(stack_signal_frame) ( Addr a );
void DG_(stack_mark_toggle) ( void );
void DG_(stack_mark_script) ( void );
/* Writes at most inner + outer call sites of the running thread and returns
   their number: all there are, or so many of either end.  */
UInt DG_(stack_sites)     ( /*OUT*/Addr* sites, UInt inner, UInt outer );
/* Whether these are the sites of its path, with none folded or cut off.  */
Bool DG_(stack_is_path)   ( void );
Bool DG_(is_code)         ( Addr a );
/* Makes nodes of the calls of light code, in what the running thread has, or
   all threads.  */
void DG_(stack_resolve)     ( void );
void DG_(stack_resolve_all) ( void );

/*------------------------------------------------------------*/
/*--- dg_unwind: stacks beside the unwinder's              ---*/
/*------------------------------------------------------------*/

/* Called from the IR.  */
void DG_(check_stack)     ( void );
void DG_(check_trace)     ( ThreadId tid, const Addr* sites, UInt n,
                            UInt max );
void DG_(check_report)    ( void );

/*------------------------------------------------------------*/
/*--- dg_trace: stacks of heap events                      ---*/
/*------------------------------------------------------------*/

typedef struct {
   UInt n;
   Addr sites[DG_HEAP_STACK];    /* where it happened, and call sites */
} DgTrace;

/* What a live block keeps of its stack.  */
typedef UWord DgTraceRef;

void           DG_(trace_init) ( void );
const DgTrace* DG_(trace_now)  ( ThreadId tid );
DgTraceRef     DG_(trace_keep) ( const DgTrace* t );
void           DG_(trace_drop) ( DgTraceRef ref );
void           DG_(trace_of)   ( DgTraceRef ref, Addr ip,
                                 /*OUT*/DgTrace* t );

/*------------------------------------------------------------*/
/*--- dg_live: tables of live blocks                       ---*/
/*------------------------------------------------------------*/

typedef struct {
   Addr       addr;
   SizeT      size;              /* asked for */
   SizeT      usable;
   SizeT      align;
   ULong      seqno;
   Addr       ip;                /* where it was allocated */
   DgTraceRef trace;
   UInt       next;              /* in its chain, or of those not in use */
   UChar      allocator;
} DgLive;

typedef struct {
   UInt* chains;                 /* first block of each */
   UInt  n_chains;               /* a power of two */
   UInt  n;
} DgLives;

void          DG_(lives_init)     ( /*OUT*/DgLives* t, UInt n_chains );
void          DG_(lives_done)     ( DgLives* t );
DgLive**      DG_(lives_in_order) ( const DgLives* t );
DgLive**      DG_(lives_in)       ( const DgLives* t, Addr a, SizeT size,
                                    UInt* n );
DgLive*       DG_(live_find)      ( const DgLives* t, Addr a );
DgLive*       DG_(live_add)       ( DgLives* t, Addr a );
const DgLive* DG_(live_remove)    ( DgLives* t, Addr a );
const DgLive* DG_(live_around)    ( const DgLives* t, Addr a,
                                    const DgLive* best );

/*------------------------------------------------------------*/
/*--- dg_run: the run buffer                               ---*/
/*------------------------------------------------------------*/

typedef struct {
   ULong icount;                 /* executed, recorded or not */
   ULong instructions;           /* recorded, like all below */
   ULong reads, writes;
   ULong entries;
   ULong runs, bbdefs, contexts;
   ULong heap_allocs, heap_frees;
   ULong threads;
} DgTotals;

extern DgTotals DG_(totals);

void DG_(run_init)       ( void );
/* So many instructions are executed and not recorded.  */
void DG_(run_pass_over)  ( ULong n_instrs );
void DG_(flush_runs)     ( void );
/* The buffer is full: the packer may have it.  Called from the IR.  */
void DG_(flush_full)     ( void );
/* The running block did not end, but by this signal: keep what it did before
   the instruction at ip.  No-op when nothing was going on.  */
Bool DG_(run_interrupted) ( Addr ip, Int signal );
/* Makes the next runs go where they always can.  */
void DG_(run_to_buffer)  ( void );
void DG_(run_new_log)    ( void );

/*------------------------------------------------------------*/
/*--- dg_out: the output                                   ---*/
/*------------------------------------------------------------*/

/* Room for n bytes at DG_(out_pos), or NULL when nothing is written any
   more.  The bytes must make whole records by the next call.  */
extern UChar* DG_(out_pos);
extern UChar* DG_(out_limit);
Bool   DG_(out_room)     ( SizeT n );

Bool   DG_(out_open)     ( const HChar* name, Bool quiet );
Bool   DG_(out_open_ring)( void );
Bool   DG_(out_is_open)  ( void );
void   DG_(out_sync)     ( void );
/* Of the log's file, which may have ended; NULL: there is none.  */
const HChar* DG_(out_name)( void );
void   DG_(out_forget)   ( void );
void   DG_(out_end)      ( UChar why, UChar exit_code, Bool and_close );
void   DG_(out_marker)   ( void );
ULong  DG_(out_bytes)    ( void );

#include "dg_bytes.h"

/*------------------------------------------------------------*/
/*--- dg_clock: readings of the clock                      ---*/
/*------------------------------------------------------------*/

ULong DG_(now_ns)            ( void );
/* Of the processor, for the process so far.  */
ULong DG_(worked_ns)         ( void );
/* A new log begins.  */
void  DG_(clock_start)       ( void );
/* A reading, now: runs have been flushed.  */
void  DG_(clock_read)        ( void );
/* What costs time, and whether a reading is due.  */
void  DG_(clock_flushed)     ( UWord n_words );
void  DG_(clock_translates)  ( void );
void  DG_(clock_enters_call) ( ThreadId tid );
void  DG_(clock_leaves_call) ( ThreadId tid );
/* Another one than before.  */
void  DG_(clock_thread_runs) ( void );

/*------------------------------------------------------------*/
/*--- dg_ring: the ring                                    ---*/
/*------------------------------------------------------------*/

/* The output is a ring, and works.  Where it is not, the others do
   nothing.  */
extern Bool DG_(ring_open);

Bool  DG_(ring_attach)  ( void );
UChar* DG_(ring_record) ( UInt n );
void  DG_(ring_record_done) ( void );
/* The run buffer may lie in the ring, as a message to be: where the next
   run goes, DG_(hot).cur, is in there, and moves when a message is sent.
   Then this is its begin, else NULL.  What is in there is sent before any
   other message, so it must be by the log's thread, and wanted.  */
extern UWord* DG_(ring_place);
void  DG_(ring_take_place) ( void );
void  DG_(ring_leave_place)( void );
/* The runs in there are a message now, and the next go behind it.  */
void  DG_(ring_runs_here) ( void );
/* Or runs from elsewhere, which are 0 afterwards.  */
void  DG_(ring_runs)    ( UWord* words, UInt n );
void  DG_(ring_skip)    ( ULong n_instrs );
void  DG_(ring_block)   ( const DgBlock* b );
void  DG_(ring_variant) ( const DgVariant* v );
void  DG_(ring_node)    ( UInt parent, Addr site );
void  DG_(ring_sync)    ( void );
void  DG_(ring_forget)  ( void );
void  DG_(ring_close)   ( void );
ULong DG_(ring_bytes)   ( void );

/*------------------------------------------------------------*/
/*--- dg_process: the life of a log                        ---*/
/*------------------------------------------------------------*/

/* When a process began, in clock ticks since boot, and how it is (the letter
   of /proc/PID/stat).  0: there is no such process, or no telling.  */
ULong DG_(start_ticks)    ( ULong pid, /*OUT*/HChar* state );
void DG_(process_start)   ( void );
void DG_(process_init)    ( void );
void DG_(process_end)     ( Int exit_code );
void DG_(process_exiting) ( Int exit_code );
void DG_(process_exec)    ( void );
/* When the program began, in ns since 1970.  */
ULong DG_(process_began)  ( void );

/*------------------------------------------------------------*/
/*--- dg_undecoded: instructions that Valgrind does not know ---*/
/*------------------------------------------------------------*/

/* A block as VEX made it.  */
void DG_(undecoded_translated) ( const IRSB* in );
/* A handler of a signal begins, or has returned.  */
void DG_(undecoded_handler) ( ThreadId tid, Int signal, Bool begins );
/* At the end of a thread of a program that SIGILL kills: writes what it was
   about, if that is known.  The runs are flushed.  */
void DG_(undecoded_end)   ( ThreadId tid, Addr ip );

/*------------------------------------------------------------*/
/*--- dg_code: code of no file                             ---*/
/*------------------------------------------------------------*/

typedef struct { Addr addr; UWord line; } DgCodeLine;

/* What a part of memory, or of a script, is.  */
typedef struct {
   Addr          start;
   SizeT         size;
   Addr          base;           /* of what this is a part of; 0: start */
   const HChar*  name;
   const HChar*  language;       /* NULL: machine code */
   const HChar*  file;           /* of lines; NULL: unknown */
   const DgCodeLine* lines;      /* in ascending order */
   UInt          n_lines;
   const UChar*  bytes;          /* of the code, as it was made; or NULL */
   UChar         what;           /* DG_CODE_... */
   Bool          is_hidden;      /* by another one, which came later */
} DgCodeName;

void DG_(code_init)       ( void );
/* Whether code there is of no file that has names.  */
Bool DG_(code_is_made)    ( Addr a );
void DG_(code_translated) ( DgBlock* b );
void DG_(code_names)      ( DgCodeName* names, UInt n );
const HChar* DG_(code_name_at) ( Addr a );
void DG_(code_forget)     ( Addr a, SizeT n );
void DG_(code_unmapped)   ( Addr a, SizeT n );
void DG_(code_write)      ( const DgCodeName* c );
void DG_(code_repeat)     ( void );
UInt DG_(code_hash)       ( const UChar* p, SizeT n );
/* The address in the log of code at a, and the other way round.  */
Addr DG_(code_at)         ( Addr a );
Addr DG_(code_place)      ( Addr a );

/*------------------------------------------------------------*/
/*--- dg_script: functions of scripts                      ---*/
/*------------------------------------------------------------*/

void DG_(script_init)     ( void );
Int  DG_(script_block)    ( Addr a, /*OUT*/Bool* is_entry,
                            /*OUT*/Int* fetch );
void DG_(script_switch)   ( ThreadId to );
/* The evaluator that was called with that stack pointer has returned.  */
void DG_(script_leave)    ( UWord sp );
/* Where its script is, innermost first, at most max sites, and the path to
   it.  */
UInt DG_(script_sites)    ( UWord sp, /*OUT*/Addr* sites, UInt max,
                            /*OUT*/UInt* base );
void DG_(script_end_thread) ( ThreadId tid );
/* Called from the IR.  */
VG_REGPARM(3) void DG_(script_enter) ( UWord which, UWord arg0, UWord arg1 );
VG_REGPARM(1) void DG_(script_moved) ( UWord at );

/*------------------------------------------------------------*/
/*--- dg_jit: perf maps and jitdump files                  ---*/
/*------------------------------------------------------------*/

void DG_(jit_opened)      ( Int fd, Addr name );
void DG_(jit_mapped)      ( Addr a );
void DG_(jit_written)     ( Int fd );
void DG_(jit_closed)      ( Int fd );
void DG_(jit_read_all)    ( void );
void DG_(jit_forked)      ( void );

/*------------------------------------------------------------*/
/*--- dg_tls: thread-local variables                       ---*/
/*------------------------------------------------------------*/

/* What a file says of them.  */
typedef struct {
   Bool  is_program;
   Addr  dynamic;                /* where its dynamic section is; 0: none */
   Addr  address;                /* that the file gives to the first one */
   UWord size, align;            /* of each thread's copy; 0: none */
} DgTls;

void DG_(tls_init)        ( void );
/* The module is in the log, and ceases to be.  */
void DG_(tls_module)      ( Addr text, const DgTls* tls );
void DG_(tls_module_gone) ( Addr text );
/* Tells of copies that the thread has by now.  */
void DG_(tls_look)        ( ThreadId tid );
void DG_(tls_forget)      ( void );

/*------------------------------------------------------------*/
/*--- dg_malloc, dg_pool, dg_map, dg_thread, dg_order,     ---*/
/*--- dg_clreq, dg_window                                  ---*/
/*------------------------------------------------------------*/

void DG_(heap_init)       ( void );
void DG_(heap_own_malloc) ( void );
/* Answers a client request if it calls our malloc or the like; 1 if so, else
   0.  Called from the IR.  */
VG_REGPARM(1) UWord DG_(heap_request) ( const UWord* arg );
void DG_(heap_repeat)     ( void );
Bool DG_(heap_find)       ( Addr a, /*OUT*/Addr* low, /*OUT*/Addr* high );
void DG_(heap_add)        ( DgLives* table, ThreadId tid, Addr a, SizeT size,
                            SizeT usable, SizeT align, UChar allocator,
                            Addr old );
Bool DG_(heap_remove)     ( DgLives* table, ThreadId tid, Addr a,
                            UChar deallocator );
void DG_(heap_write)      ( const DgLive* b );
void DG_(write_map_stack) ( ThreadId tid );
void DG_(heap_malloclike) ( ThreadId tid, Addr a, SizeT size );
void DG_(heap_freelike)   ( ThreadId tid, Addr a );
void DG_(heap_resize)     ( ThreadId tid, Addr a, SizeT new_size );
void DG_(heap_freelike_in)( ThreadId tid, Addr a, SizeT size );

void DG_(pool_init)       ( void );
void DG_(pool_repeat)     ( void );
Bool DG_(pool_request)    ( ThreadId tid, const UWord* arg,
                            /*OUT*/UWord* ret );

void DG_(map_init)        ( void );
void DG_(map_repeat)      ( void );

void DG_(thread_init)     ( void );
void DG_(thread_repeat)   ( void );
/* A table of *n items by ThreadId, or by other small numbers, with one for
   this one: where there was none, it is all zero.  */
void* DG_(thread_table)   ( const HChar* tag, void* items, UInt* n,
                            UInt number, SizeT size );
UInt DG_(thread_number)   ( ThreadId tid );
/* The number of the thread that it has created last; 0: none.  */
UInt DG_(thread_last_created) ( ThreadId tid );
/* The thread to which what happens now belongs: writes a THREAD_SWITCH when
   the log does not know it yet.  */
void DG_(thread_in_log)   ( void );
Bool DG_(thread_is_in_log)( void );
/* The number of the thread that the log takes to be running.  */
UInt DG_(thread_last)     ( void );
ThreadId DG_(running)     ( void );
void DG_(thread_runs)     ( ThreadId tid );
void DG_(thread_in_syscall) ( ThreadId tid, UInt number );
UInt DG_(thread_syscall)  ( ThreadId tid );

void DG_(order_init)      ( void );
Bool DG_(order_request)   ( ThreadId tid, const UWord* arg,
                            /*OUT*/UWord* ret );

void DG_(clreq_init)      ( void );
void DG_(clreq_repeat)    ( void );

extern Bool DG_(recording);      /* runs go into the log */
void DG_(window_init)     ( void );
void DG_(window_fork)     ( void );
void DG_(window_repeat)   ( void );
void DG_(window_set)      ( Bool on, UChar why );
/* What had to wait until all code was heavy.  */
void DG_(window_delayed)  ( void );
/* Instructions that may be executed before DG_(window_due) must be asked, and
   those in which no run may go on: where this one is cut.  */
extern ULong DG_(window_next);
extern ULong DG_(window_end);
#define DG_NEVER  ((ULong)-1)
void DG_(window_due)      ( void );
/* Whether runs are wanted, perhaps in the next window only.  */
Bool DG_(window_is_wanted)( void );
void DG_(toggle_enter)    ( void );
/* Whether a toggle function that begins now would make runs wanted.  */
Bool DG_(toggle_counts)   ( void );
void DG_(toggle_leave)    ( void );

/*------------------------------------------------------------*/
/*--- dg_gap: long gaps between windows                    ---*/
/*------------------------------------------------------------*/

/* A light gap is going on: what is translated counts instructions and keeps
   the shadow stacks, but makes no runs.  */
extern Bool DG_(light);

void DG_(gap_init)        ( void );
void DG_(gap_stats)       ( void );
/* Recording shall begin: all code must be heavy before.  False: that has to
   wait, and DG_(window_delayed) will be called.  */
Bool DG_(gap_end)         ( void );
/* A block was translated, either way.  */
void DG_(gap_translates)  ( void );
/* Instructions that light code has executed go into totals.  */
void DG_(gap_flush)       ( void );
/* The light block that runs has met a fault at ip, or the end.  */
void DG_(gap_interrupted) ( Addr ip );
/* What light code has numbers for: the site of a call, and a part of a block,
   of whose instructions those before it, and the first `added' of it, are in
   DG_(hot).executed.  */
UInt DG_(gap_site)        ( Addr site );
Addr DG_(gap_site_at)     ( UInt n );
UInt DG_(gap_segment)     ( const DgInstr* instrs, UInt n, UInt added );
/* At the entry of a toggle function, in light code: not 0 if the block must
   be left, to be executed as a heavy one.  Called from the IR.  */
UWord DG_(gap_toggles)    ( void );

/*------------------------------------------------------------*/
/*--- dg_core: what pub_tool_*.h do not offer              ---*/
/*------------------------------------------------------------*/

void DG_(core_in_program)   ( Bool yes );
void DG_(core_fallback_llsc)( void );
Addr DG_(core_sigreturn)    ( Bool with_info );
/* Not in pub_tool_vki.h.  */
#define DG_OPEN_PATH        010000000
Int  DG_(core_safe_fd)      ( Int fd );
/* The names are of files in that folder.  */
Int  DG_(core_open_in)      ( Int folder, const HChar* name, Int flags,
                              Int mode );
void DG_(core_unlink_in)    ( Int folder, const HChar* name );
Bool DG_(core_has_process)  ( ULong pid );
void DG_(core_take_back)    ( Int signal );
UWord DG_(core_truncate)    ( Int fd, ULong size );
Addr DG_(core_map_shared)   ( Int fd, SizeT size );
void DG_(core_populate)     ( Addr a, SizeT size );
Int  DG_(core_fatal_signal) ( void );
Addr DG_(core_symbol)       ( const HChar* name );
/* Translations of the program's code in [a, a + n).  */
void DG_(core_discard)      ( Addr a, SizeT n );
void DG_(core_discard_all)  ( void );
/* Whether a translation is of what other code stands in for.  */
Bool DG_(core_is_original)  ( const VgCallbackClosure* c );
Bool DG_(core_in_code)      ( void );
ULong DG_(core_quantum)     ( void );
Addr DG_(core_entry)        ( void );
Bool DG_(core_copy)         ( void* to, Addr from, SizeT n );
Bool DG_(core_length)       ( Addr a, SizeT most, /*OUT*/SizeT* length );
Bool DG_(core_reads_symbols_only) ( void );

/*------------------------------------------------------------*/
/*--- dg_instrument                                        ---*/
/*------------------------------------------------------------*/

IRSB* DG_(instrument) ( VgCallbackClosure* closure, IRSB* sb,
                        const VexGuestLayout* layout,
                        const VexGuestExtents* vge,
                        const VexArchInfo* archinfo_host,
                        IRType gWordTy, IRType hWordTy );

#endif /* __DG_TOOL_H */

/*--------------------------------------------------------------------*/
/*--- end                                                dg_tool.h ---*/
/*--------------------------------------------------------------------*/
