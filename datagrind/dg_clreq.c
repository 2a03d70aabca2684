/*--------------------------------------------------------------------*/
/*--- Datagrind: client requests, monitor commands.     dg_clreq.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_tool.h"
#include "datagrind.h"
#include "pub_tool_gdbserver.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

/* What is in force, for the log of a forked child.  */
typedef struct _Range {
   struct _Range* next;          /* VgHashNode */
   Addr   addr;                  /* key */
   SizeT  size;
   ULong  order;
   HChar* type;
   HChar* label;
} Range;

static VgHashTable* ranges;
static ULong    n_ranges;        /* tracked so far */
static XArray*  events;          /* of HChar*, as often as it is active */
static DgRecord record;

/* Labels are as long as people write them; types can be templates.  */
#define MAX_STRING  4096
/* A record of less than 255 bytes: label and NUL.  */
#define MAX_LABEL   253

/* A copy of p's first n bytes, of which others may follow: what is cut is cut
   before a character of UTF-8, not within.  */
static HChar* copy_bytes ( const UChar* p, SizeT n )
{
   for (UInt k = 0; k < 3 && n > 0 && p[n] != 0 && (p[n] & 0xC0) == 0x80; k++)
      n--;
   HChar* s = VG_(malloc)("dg.clreq.string", n + 1);
   VG_(memcpy)(s, p, n);
   s[n] = 0;
   return s;
}

/* A copy of the program's string, which may not be one.  */
static HChar* copy_string ( Addr a, SizeT max, const HChar* what )
{
   SizeT n;
   if (!DG_(core_length)(a, max + 1, &n)) {
      VG_(umsg)("Datagrind: %s at %#lx is not a readable string; the request "
                "is ignored.\n", what, a);
      return NULL;
   }
   return copy_bytes((const UChar*)a, n < max ? n : max);
}

static void write_range ( const Range* r )
{
   DG_(rec_begin)(&record, DG_R_TRACK_RANGE);
   DG_(rec_word)(&record, r->addr);
   DG_(rec_word)(&record, r->size);
   DG_(rec_string)(&record, r->type);
   DG_(rec_string)(&record, r->label);
   DG_(rec_write)(&record);
}

static void free_range ( Range* r )
{
   VG_(free)(r->type);
   VG_(free)(r->label);
   VG_(free)(r);
}

static void track_range ( Addr a, SizeT size, Addr type, Addr label )
{
   Range* r = VG_(calloc)("dg.clreq.range", 1, sizeof(Range));
   r->addr  = a;
   r->size  = size;
   r->order = ++n_ranges;
   r->type  = type == 0 ? VG_(strdup)("dg.clreq.type", "")
                        : copy_string(type, MAX_STRING,
                                      "the type of a range");
   if (r->type != NULL)
      r->label = copy_string(label, MAX_STRING, "the label of a range");
   if (r->label == NULL) {
      free_range(r);
      return;
   }
   DG_(flush_runs)();
   write_range(r);
   VG_(HT_add_node)(ranges, r);
}

static Word other_range ( const void* x, const void* y )
{
   const Range* a = x;
   const Range* b = y;
   return a->addr != b->addr || a->size != b->size;
}

static void untrack_range ( Addr a, SizeT size )
{
   Range  key = { NULL, a, size, 0, NULL, NULL };
   Range* r   = VG_(HT_gen_remove)(ranges, &key, other_range);
   if (r != NULL)
      free_range(r);
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_UNTRACK_RANGE);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, size);
   DG_(rec_write)(&record);
}

static Int by_order ( const void* x, const void* y )
{
   const Range* a = *(Range* const*)x;
   const Range* b = *(Range* const*)y;
   return a->order < b->order ? -1 : a->order > b->order;
}

static void write_event ( UChar type, const HChar* label )
{
   DG_(rec_begin)(&record, type);
   DG_(rec_string)(&record, label);
   DG_(rec_write)(&record);
}

static void start_event ( Addr label )
{
   HChar* s = copy_string(label, MAX_LABEL, "the label of an event");
   if (s == NULL)
      return;
   DG_(flush_runs)();
   write_event(DG_R_START_EVENT, s);
   VG_(addToXA)(events, &s);
}

static void end_event ( Addr label )
{
   HChar* s = copy_string(label, MAX_LABEL, "the label of an event");
   if (s == NULL)
      return;
   DG_(flush_runs)();
   write_event(DG_R_END_EVENT, s);
   for (Word i = VG_(sizeXA)(events) - 1; i >= 0; i--) {
      HChar* active = *(HChar**)VG_(indexXA)(events, i);
      if (VG_(strcmp)(active, s) == 0) {
         VG_(free)(active);
         VG_(removeIndexXA)(events, i);
         break;
      }
   }
   VG_(free)(s);
}

/* Without a name it is code no more.  */
static void name_code ( Addr a, SizeT size, Addr name )
{
   HChar* s = name == 0 ? NULL
                        : copy_string(name, MAX_STRING, "the name of code");
   if (s == NULL && name != 0)
      return;
   if (s == NULL || s[0] == 0) {
      DG_(code_forget)(a, size);
   } else {
      DgCodeName c = { .start = a, .size = size, .name = s,
                       .what = DG_CODE_REQUEST };
      DG_(code_names)(&c, 1);
   }
   VG_(free)(s);
}

void DG_(clreq_repeat) ( void )
{
   UInt    n;
   Range** all = (Range**)VG_(HT_to_array)(ranges, &n);
   if (all != NULL) {
      VG_(ssort)(all, n, sizeof *all, by_order);
      for (UInt i = 0; i < n; i++)
         write_range(all[i]);
      VG_(free)(all);
   }
   for (Word i = 0; i < VG_(sizeXA)(events); i++)
      write_event(DG_R_START_EVENT, *(HChar**)VG_(indexXA)(events, i));
}

/*------------------------------------------------------------*/
/*--- Monitor commands                                     ---*/
/*------------------------------------------------------------*/

static void print_status ( void )
{
   DG_(flush_runs)();
   if (!DG_(out_is_open)()) {
      VG_(gdb_printf)("Recording has ended: the log is closed.\n");
      return;
   }
   VG_(gdb_printf)("Recording is %s.\n",
                   DG_(recording)          ? "on" :
                   DG_(window_is_wanted)() ? "on, between two windows"
                                           : "off");
   if (DG_(ring_open)) {
      VG_(gdb_printf)("%llu bytes passed to the packer.\n",
                      DG_(out_bytes)());
      return;
   }
   VG_(gdb_printf)("%llu instructions executed, %llu recorded, "
                   "%llu accesses, %llu bytes.\n", DG_(totals).icount,
                   DG_(totals).instructions,
                   DG_(totals).reads + DG_(totals).writes,
                   DG_(out_bytes)());
}

/* For who reads the log while the program waits.  */
static void flush ( void )
{
   DG_(flush_runs)();
   DG_(out_sync)();
   const HChar* name = DG_(out_name)();
   if (name == NULL)
      VG_(gdb_printf)("Process %d has no log that can be read now.\n",
                      VG_(getpid)());
   else
      VG_(gdb_printf)("Process %d has all blocks of code that have ended in: "
                      "%s\n", VG_(getpid)(), name);
}

/* A moment with a name: an event that begins and ends here.  */
static void mark_moment ( HChar* label )
{
   while (*label == ' ')
      label++;
   SizeT n = VG_(strlen)(label);
   while (n > 0 && label[n - 1] == ' ')
      n--;
   label[n] = 0;
   HChar* s = n == 0 ? VG_(strdup)("dg.clreq.moment", "snapshot")
                     : copy_bytes((const UChar*)label,
                                  n < MAX_LABEL ? n : MAX_LABEL);
   DG_(flush_runs)();
   write_event(DG_R_START_EVENT, s);
   write_event(DG_R_END_EVENT, s);
   VG_(gdb_printf)("Use 'dg heap --at=event:%s' to see this time.\n", s);
   VG_(free)(s);
}

static Bool monitor_command ( const HChar* request )
{
   HChar  copy[VG_(strlen)(request) + 1];
   HChar* rest;
   VG_(strcpy)(copy, request);
   const HChar* word = VG_(strtok_r)(copy, " ", &rest);
   switch (VG_(keyword_id)("help start stop status snapshot "
                           "detailed_snapshot flush", word,
                           kwd_report_duplicated_matches)) {
      case -2:                   /* several begin so */
         return True;
      case 0:
         VG_(gdb_printf)(
            "datagrind monitor commands:\n"
            "  start    start recording\n"
            "  stop     stop recording\n"
            "  status   show what has been recorded\n"
            "  flush    write all blocks of code that have ended to the log,\n"
            "           and show its name\n"
            "  snapshot [<label>]\n"
            "  detailed_snapshot [<label>]\n"
            "           mark this time with an event of this name "
            "[snapshot],\n"
            "           to use it later: dg heap --at=event:<label>\n");
         return True;
      case 1:
         DG_(window_set)(True, DG_WINDOW_MONITOR);
         print_status();
         return True;
      case 2:
         DG_(window_set)(False, DG_WINDOW_MONITOR);
         print_status();
         return True;
      case 3:
         print_status();
         return True;
      case 4:
      case 5:
         mark_moment(rest);
         return True;
      case 6:
         flush();
         return True;
      default:
         return False;
   }
}

/*------------------------------------------------------------*/
/*--- Requests                                             ---*/
/*------------------------------------------------------------*/

static Bool handle_client_request ( ThreadId tid, UWord* arg, UWord* ret )
{
   *ret = 0;
   switch (arg[0]) {
      case VG_USERREQ__DATAGRIND_TRACK_RANGE:
         track_range(arg[1], arg[2], arg[3], arg[4]);
         return True;
      case VG_USERREQ__DATAGRIND_UNTRACK_RANGE:
         untrack_range(arg[1], arg[2]);
         return True;
      case VG_USERREQ__DATAGRIND_START_EVENT:
         start_event(arg[1]);
         return True;
      case VG_USERREQ__DATAGRIND_END_EVENT:
         end_event(arg[1]);
         return True;
      case VG_USERREQ__DATAGRIND_START_RECORDING:
         DG_(window_set)(True, DG_WINDOW_REQUEST);
         return True;
      case VG_USERREQ__DATAGRIND_STOP_RECORDING:
         DG_(window_set)(False, DG_WINDOW_REQUEST);
         return True;

      case VG_USERREQ__DATAGRIND_NAME_CODE:
         name_code(arg[1], arg[2], arg[3]);
         return True;

      case VG_USERREQ__MALLOCLIKE_BLOCK:
         DG_(heap_malloclike)(tid, arg[1], arg[2]);
         return True;
      case VG_USERREQ__RESIZEINPLACE_BLOCK:
         DG_(heap_resize)(tid, arg[1], arg[3]);
         return True;
      case VG_USERREQ__FREELIKE_BLOCK:
         DG_(heap_freelike)(tid, arg[1]);
         return True;

      case VG_USERREQ__GDB_MONITOR_COMMAND:
         *ret = monitor_command((const HChar*)arg[1]);
         return *ret;

      default:
         return DG_(order_request)(tid, arg, ret)
                || DG_(pool_request)(tid, arg, ret);
   }
}

void DG_(clreq_init) ( void )
{
   ranges = VG_(HT_construct)("dg.clreq.ranges");
   events = VG_(newXA)(VG_(malloc), "dg.clreq.events", VG_(free),
                       sizeof(HChar*));
   VG_(needs_client_requests)(handle_client_request);
}

/*--------------------------------------------------------------------*/
/*--- end                                               dg_clreq.c ---*/
/*--------------------------------------------------------------------*/
