/*--------------------------------------------------------------------*/
/*--- Datagrind: where thread-local variables are.        dg_tls.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Each thread has a copy of a module's thread-local variables.  That of the
   executable lies at a fixed distance from the thread pointer, as its ABI
   says.  Where those of libraries lie the C library knows, which describes
   the structures concerned to debuggers by constants (_thread_db_*), so that
   it may change them: the list of what is loaded has a number and, for
   copies of the same kind as the executable's, a distance; others are
   allocated when a thread first asks for one, and listed in its vector of
   copies (dtv).

   Architectures differ in where the executable's copy is: at a fixed distance
   below the thread pointer (variant II of the ABI), or above it, behind a
   little that the C library has there (variant I); then what describes a
   thread lies below the thread pointer, and its vector is where that
   points.

   Nothing says when such a copy comes into being.  But it is a block of the
   heap, whose beginning the log has: so it is enough to look into the vector
   now and then, and to say in which block the copy lies.

   A library that is gone leaves its number, which another gets, and in each
   vector its block, until the thread asks for a copy next.  So there are
   generations: a copy is one if the vector is not older than what is in its
   list of numbers.

   All that is read here is the program's memory, and not to be trusted.  */

#include "dg_arch.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_xarray.h"
#include <elf.h>

#if VG_WORDSIZE == 8
typedef Elf64_Dyn Dyn;
typedef Elf64_Sym Sym;
#else
typedef Elf32_Dyn Dyn;
typedef Elf32_Sym Sym;
#endif

/* More than any C library needs: a damaged list may be a ring.  So often
   memory is read for the list of what is loaded, and for all copies.  */
#define MOST_LIST_READS 40000
#define MOST_COPY_READS 100000
#define MOST_NUMBERS    100000
#define MOST_CHUNKS     256      /* of the list of numbers */
#define EAGER_WALKS     32       /* of the list, before it is read seldom */

typedef struct {
   Addr    text;                 /* which the log knows it by */
   UInt    serial;               /* it has alone, unlike a place */
   DgTls   tls;
   Addr    listed;               /* its struct link_map; 0: not found yet */
   Bool    numbered;             /* ... and listed with its number, then: */
   UWord   generation;
} Module;

/* A copy that was told of.  */
typedef struct {
   UInt  module;                 /* its serial; 0: none */
   Addr  addr;
   UWord generation;             /* of the thread's vector then */
} Copy;

typedef struct {
   UInt  thread;                 /* whose all this is */
   UInt  seen;                   /* the version of the modules at which all
                                    copies were known; 0: none */
   Copy* copies;                 /* by module number */
   UInt  n_copies;
} Thread;

/* Where things are in structures of the C library.  */
typedef struct {
   Bool known;
   UInt number, distance;        /* in struct link_map */
   UInt vector;                  /* from where the thread pointer points to */
   UInt slot;                    /* bytes of one in the vector */
   Bool has_numbers;             /* of the list of numbers: */
   UInt numbers;                 /* in the dynamic linker's own data */
   UInt length, next, entries;   /* in a chunk of it */
   UInt entry, generation, module;  /* bytes of an entry, and in one */
} Layout;

static XArray*  modules;         /* of Module: those that have any */
static UInt     version = 1;     /* of that list */
static Addr     program_dynamic; /* of the executable */
static Bool     list_changed;    /* modules have come since it was read */
static UInt     list_walks;      /* that found none of them */
static UInt     list_pause;      /* looks until the next one */
static Layout   layout;
static Addr     linker_data;     /* _rtld_global; 0: not found yet */
static UInt     reads_left;
static Thread*  threads;         /* by ThreadId */
static UInt     n_threads;
static DgRecord record;

/*------------------------------------------------------------*/
/*--- The program's memory                                 ---*/
/*------------------------------------------------------------*/

static Bool read_mem ( Addr a, void* to, SizeT n )
{
   if (reads_left == 0)
      return False;
   reads_left--;
   return DG_(core_copy)(to, a, n);
}

static Bool read_word ( Addr a, UWord* to )
{
   return read_mem(a, to, sizeof *to);
}

static Bool is_text ( Addr a, const HChar* text )
{
   HChar copy[64];
   SizeT n = VG_(strlen)(text) + 1;
   return n <= sizeof copy && read_mem(a, copy, n)
          && VG_(memcmp)(copy, text, n) == 0;
}

/*------------------------------------------------------------*/
/*--- What the C library says of itself                    ---*/
/*------------------------------------------------------------*/

static UWord dynamic_value ( Addr dynamic, UWord tag )
{
   Dyn d;
   for (UInt i = 0; i < 256 && read_mem(dynamic + i * sizeof d, &d, sizeof d)
                    && d.d_tag != DT_NULL; i++)
      if ((UWord)d.d_tag == tag)
         return d.d_un.d_val;
   return 0;
}

/* Addresses there are relocated by most loaders, not by all.  */
static Addr dynamic_address ( Addr dynamic, Addr bias, UWord tag )
{
   Addr a = dynamic_value(dynamic, tag);
   return a != 0 && a < bias ? a + bias : a;
}

static UInt gnu_hash ( const HChar* name )
{
   UInt h = 5381;
   for (; *name != 0; name++)
      h = h * 33 + (UChar)*name;
   return h;
}

/* A symbol by the table of hashes that all have: 0 if there is none.  */
static Addr find_symbol ( Addr dynamic, Addr bias, const HChar* name )
{
   Addr table   = dynamic_address(dynamic, bias, DT_GNU_HASH);
   Addr symbols = dynamic_address(dynamic, bias, DT_SYMTAB);
   Addr strings = dynamic_address(dynamic, bias, DT_STRTAB);
   UInt head[4], hash = gnu_hash(name), at, h;
   if (!read_mem(table, head, sizeof head) || head[0] == 0)
      return 0;
   Addr buckets = table + sizeof head + (Addr)head[2] * sizeof(Addr);
   Addr chain   = buckets + (Addr)head[0] * 4;
   if (!read_mem(buckets + (hash % head[0]) * 4, &at, 4) || at < head[1])
      return 0;
   for (;; at++) {
      Sym sym;
      if (!read_mem(chain + (Addr)(at - head[1]) * 4, &h, 4))
         return 0;
      if ((h | 1) == (hash | 1)
          && read_mem(symbols + (Addr)at * sizeof sym, &sym, sizeof sym)
          && is_text(strings + sym.st_name, name))
         return sym.st_value + bias;
      if (h & 1)
         return 0;
   }
}

/* Such a constant has three numbers: bits, how many there are, bytes before
   it.  */
static Bool read_place ( Addr dynamic, Addr bias, const HChar* name,
                         UInt place[3] )
{
   return read_mem(find_symbol(dynamic, bias, name), place, 3 * sizeof(UInt))
          && place[2] < 0x10000;
}

/* Older ones have no list of numbers that they tell of.  */
static void read_numbers_layout ( Addr dynamic, Addr bias )
{
   UInt list[3], length[3], next[3], entries[3], generation[3], module[3];
   if (!read_place(dynamic, bias,
                   "_thread_db_rtld_global__dl_tls_dtv_slotinfo_list", list)
       || !read_place(dynamic, bias, "_thread_db_dtv_slotinfo_list_len",
                      length)
       || !read_place(dynamic, bias, "_thread_db_dtv_slotinfo_list_next",
                      next)
       || !read_place(dynamic, bias, "_thread_db_dtv_slotinfo_list_slotinfo",
                      entries)
       || !read_place(dynamic, bias, "_thread_db_dtv_slotinfo_gen",
                      generation)
       || !read_place(dynamic, bias, "_thread_db_dtv_slotinfo_map", module)
       || entries[0] / 8 < sizeof(UWord) || entries[0] > 1024)
      return;
   layout.numbers     = list[2];
   layout.length      = length[2];
   layout.next        = next[2];
   layout.entries     = entries[2];
   layout.entry       = entries[0] / 8;
   layout.generation  = generation[2];
   layout.module      = module[2];
   layout.has_numbers = True;
}

static void read_layout ( Addr dynamic, Addr bias )
{
   UInt number[3], distance[3], vector[3], slot[3], size = 0;
   if (!read_place(dynamic, bias, "_thread_db_link_map_l_tls_modid", number)
       || !read_place(dynamic, bias, "_thread_db_link_map_l_tls_offset",
                      distance)
       || !read_place(dynamic, bias, "_thread_db_pthread_dtvp", vector)
       || !read_place(dynamic, bias, "_thread_db_dtv_dtv", slot)
       || slot[0] / 8 < sizeof(UWord) || slot[0] > 1024)
      return;
   /* It counts from what describes a thread, which ends there.  */
   if (DG_ARCH_TLS_ABOVE > 0
       && (!read_mem(find_symbol(dynamic, bias, "_thread_db_sizeof_pthread"),
                     &size, sizeof size)
           || size > vector[2]))
      return;
   layout.number   = number[2];
   layout.distance = distance[2];
   layout.vector   = vector[2] - size;
   layout.slot     = slot[0] / 8;
   layout.known    = True;
   read_numbers_layout(dynamic, bias);
}

/*------------------------------------------------------------*/
/*--- Modules                                              ---*/
/*------------------------------------------------------------*/

/* What a debugger reads, too: address, name, dynamic section, next.  True if
   a module is found that was not before.  */
static Bool read_list ( Addr item )
{
   UWord words[4];
   Bool  found = False;
   for (; read_mem(item, words, sizeof words); item = words[3]) {
      if (!layout.known)
         read_layout(words[2], words[0]);
      if (linker_data == 0)
         linker_data = find_symbol(words[2], words[0], "_rtld_global");
      for (Word i = 0; i < VG_(sizeXA)(modules); i++) {
         Module* m = VG_(indexXA)(modules, i);
         if (m->tls.dynamic == 0 || m->tls.dynamic != words[2])
            continue;
         found |= m->listed == 0;
         m->listed = item;
      }
   }
   return found;
}

/* The lists of all namespaces.  */
static Bool read_lists ( void )
{
   UWord debug = dynamic_value(program_dynamic, DT_DEBUG), first;
   Bool  found = False;
   Int   form;
   for (UInt n = 0; n < 32 && debug != 0; n++) {
      if (!read_mem(debug, &form, sizeof form)
          || !read_word(debug + sizeof(UWord), &first))
         break;
      found |= read_list(first);
      if (form < 2 || !read_word(debug + 5 * sizeof(UWord), &debug))
         break;
   }
   return found;
}

/* Soon after a module came, what is listed is about to change.  One that is
   still not there may never be.  */
static void look_for_listed ( void )
{
   if (list_pause > 0) {
      list_pause--;
      return;
   }
   reads_left = MOST_LIST_READS;
   if (read_lists())
      list_walks = 0;
   else if (++list_walks > EAGER_WALKS)
      list_pause = 1U << (list_walks - EAGER_WALKS > 20
                          ? 20 : list_walks - EAGER_WALKS);
}

void DG_(tls_module) ( Addr text, const DgTls* tls )
{
   static UInt last_serial = 0;
   if (tls->is_program)
      program_dynamic = tls->dynamic;
   if (tls->size == 0)
      return;
   Module m;
   VG_(memset)(&m, 0, sizeof m);
   m.text   = text;
   m.serial = ++last_serial;
   m.tls    = *tls;
   VG_(addToXA)(modules, &m);
   version++;
   list_changed = True;
   list_walks   = 0;
   list_pause   = 0;
}

void DG_(tls_module_gone) ( Addr text )
{
   for (Word i = VG_(sizeXA)(modules) - 1; i >= 0; i--)
      if (((Module*)VG_(indexXA)(modules, i))->text == text)
         VG_(removeIndexXA)(modules, i);
}

/*------------------------------------------------------------*/
/*--- Copies                                               ---*/
/*------------------------------------------------------------*/

static Thread* thread_of ( ThreadId tid )
{
   threads = DG_(thread_table)("dg.tls.threads", threads, &n_threads, tid,
                               sizeof(Thread));
   Thread* t = &threads[tid];
   if (t->thread != DG_(thread_number)(tid)) {
      VG_(free)(t->copies);
      VG_(memset)(t, 0, sizeof *t);
      t->thread = DG_(thread_number)(tid);
   }
   return t;
}

static Copy* copy_of ( Thread* t, UInt number )
{
   t->copies = DG_(thread_table)("dg.tls.copies", t->copies, &t->n_copies,
                                 number, sizeof(Copy));
   return &t->copies[number];
}

static void write_copy ( const Thread* t, const Module* m, Addr a )
{
   Addr low = 0, high;
   if (!DG_(heap_find)(a, &low, &high))
      low = 0;
   DG_(flush_runs)();
   DG_(rec_begin)(&record, DG_R_THREAD_LOCAL);
   DG_(rec_word)(&record, t->thread);
   DG_(rec_word)(&record, m->text);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, m->tls.size);
   DG_(rec_word)(&record, low);
   DG_(rec_write)(&record);
}

/* What linkers count on.  */
static Addr program_copy ( Addr pointer, const DgTls* tls )
{
   UWord align = tls->align > 1 ? tls->align : 1;
   if (DG_ARCH_TLS_ABOVE > 0)
      return pointer + ((DG_ARCH_TLS_ABOVE + align - 1) & ~(align - 1));
   return pointer - tls->size - ((0 - tls->address - tls->size) & (align - 1));
}

/* What the list of numbers has of this one.  */
static Bool find_number ( UWord number, Addr* module, UWord* generation )
{
   Addr  chunk = 0;
   UWord length;
   if (!layout.has_numbers || linker_data == 0
       || !read_word(linker_data + layout.numbers, &chunk))
      return False;
   for (UInt n = 0; n < MOST_CHUNKS; n++) {
      if (!read_word(chunk + layout.length, &length))
         return False;
      if (number < length) {
         Addr entry = chunk + layout.entries + number * layout.entry;
         return read_word(entry + layout.generation, generation)
                && read_word(entry + layout.module, module);
      }
      number -= length;
      if (!read_word(chunk + layout.next, &chunk))
         return False;
   }
   return False;
}

/* Whether what is in a vector of this generation is of the module, and not of
   one that had its number before.  A library that is being closed is no
   longer listed; if nothing was loaded since the thread last asked for a copy,
   then it is its own.  */
static Bool is_vector_new ( Module* m, UWord number, UWord vector )
{
   Addr  module;
   UWord generation;
   if (!find_number(number, &module, &generation))
      return True;
   if (module == m->listed) {
      if (generation == 0)
         return False;           /* it is being loaded */
      m->numbered   = True;
      m->generation = generation;
   }
   return vector >= (m->numbered ? m->generation : generation - 1);
}

/* False: the thread has none yet.  *generation: when its place is from the
   vector.  */
static Bool find_copy ( Addr pointer, Module* m, UInt number, Addr* a,
                        UWord* generation )
{
   UWord distance = 0, vector, most;
   *generation = 0;
   if (m->listed == 0 || !layout.known) {
      *a = program_copy(pointer, &m->tls);
      return m->tls.is_program;
   }
   if (read_word(m->listed + layout.distance, &distance) && distance != 0
       && distance + 2 > 2) {
      *a = DG_ARCH_TLS_ABOVE > 0 ? pointer + distance : pointer - distance;
      return True;
   }
   return read_word(pointer + layout.vector, &vector)
          && read_word(vector - layout.slot, &most) && number <= most
          && read_word(vector, generation)
          && is_vector_new(m, number, *generation)
          && read_word(vector + (UWord)number * layout.slot, a)
          && *a != 0 && *a + 1 != 0;
}

/* Whether its copy is known, now.  */
static Bool look_at_module ( Thread* t, Addr pointer, Module* m )
{
   UWord number = 0, generation;
   Addr  a;
   if (m->listed != 0 && layout.known
       && (!read_word(m->listed + layout.number, &number)
           || number > MOST_NUMBERS))
      return False;
   if (!find_copy(pointer, m, number, &a, &generation)
       || !VG_(am_is_valid_for_client)(a, m->tls.size, VKI_PROT_READ))
      return False;
   Copy* c = copy_of(t, number);
   if (c->addr == a && c->module == m->serial)
      return True;
   /* What is left of a module that is gone, where there are no numbers.  */
   if (generation != 0 && c->addr == a && c->generation == generation)
      return False;
   c->module = m->serial;
   c->addr = a;
   c->generation = generation;
   write_copy(t, m, a);
   return True;
}

void DG_(tls_look) ( ThreadId tid )
{
   if (VG_(sizeXA)(modules) == 0 || DG_(thread_number)(tid) == 0
       || !DG_(out_is_open)())
      return;
   Thread* t = thread_of(tid);
   if (t->seen == version)
      return;
   Addr pointer = DG_(arch_thread_pointer)(tid);
   if (pointer == 0)
      return;
   Bool all = True, found = True;
   if (list_changed)
      look_for_listed();
   reads_left = MOST_COPY_READS;
   for (Word i = 0; i < VG_(sizeXA)(modules); i++) {
      Module* m = VG_(indexXA)(modules, i);
      found &= m->listed != 0;
      all   &= look_at_module(t, pointer, m);
   }
   list_changed = !found;
   if (all)
      t->seen = version;
}

/* Modules are told of once more, in the log of a forked child.  */
void DG_(tls_forget) ( void )
{
   for (UInt tid = 0; tid < n_threads; tid++) {
      VG_(free)(threads[tid].copies);
      VG_(memset)(&threads[tid], 0, sizeof threads[tid]);
   }
   VG_(dropTailXA)(modules, VG_(sizeXA)(modules));
}

void DG_(tls_init) ( void )
{
   modules = VG_(newXA)(VG_(malloc), "dg.tls.modules", VG_(free),
                        sizeof(Module));
}

/*--------------------------------------------------------------------*/
/*--- end                                                 dg_tls.c ---*/
/*--------------------------------------------------------------------*/
