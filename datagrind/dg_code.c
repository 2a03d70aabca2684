/*--------------------------------------------------------------------*/
/*--- Datagrind: code of no file.                        dg_code.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Programs that make code write it where other code was, and tell what it is
   before it runs, or after, or at their end.  So each place has generations,
   which the log distinguishes by the upper bits of addresses (dg_record.h):
   what is defined for one is never mixed with another, and a name may come at
   any time.

   A new generation begins
   - with another name for what has one: the translations are thrown away, so
     that the code, which may look the same, is translated again;
   - with a block that is translated again and has other bytes than before.
     That may be other code, whose name is to come, or the same function with
     a call or a constant changed: it keeps its name until there is a new one,
     and when nothing but bytes of instructions changes that counts a few
     times only.  GCC's nested functions do so at every call;
   - when the memory is unmapped.  */

#include "dg_tool.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"
#include "pub_tool_xarray.h"

#define MOST_GENERATIONS  0x5000
#define MOST_ALIKE        16     /* changes of bytes alone, of one block */
#define MOST_CODE         (64u << 20)
#define MOST_NAME         4000   /* bytes */
#define MOST_LINES        256    /* in a record */

/* What has a name, or had one.  They do not overlap.  */
typedef struct {
   Addr    start;
   SizeT   size;
   HChar*  name;                 /* NULL: its memory was unmapped */
   UShort  generation;
   Bool    changed;              /* since it got its name */
} Range;

/* What a block was before it changed, if that had no name.  */
typedef struct _Past {
   struct _Past* older;
   UInt   bytes;                 /* a hash, as below */
   UInt   size;
   UShort generation;
   Bool   alike;                 /* nothing but bytes changed then */
} Past;

/* Where a block began that was translated.  */
typedef struct {
   Addr   start;
   UInt   size;                  /* bytes, to the end of the last
                                    instruction */
   UInt   bytes, shape;          /* hashes: of the code; of sizes of its
                                    instructions, and accesses */
   UShort generation;
   UChar  n_alike;
   Bool   gone;                  /* its memory was unmapped */
   Past*  past;
} Entry;

static OSet*    ranges;
static OSet*    entries;
static XArray*  written;         /* of Written: for the log of a child */
static DgRecord record;
static Bool     has_generations; /* any but the first */

typedef struct { UChar* bytes; SizeT n; } Written;

/*------------------------------------------------------------*/
/*--- Places                                               ---*/
/*------------------------------------------------------------*/

#if VG_WORDSIZE == 8

static Addr tagged ( Addr a, UShort generation )
{
   return a | (Addr)generation << DG_GENERATION_SHIFT;
}

Addr DG_(code_place) ( Addr a )
{
   return a & DG_PLACE_MASK;
}

#else

/* All bits of an address are in use, so all code of a place is one.  */
static Addr tagged ( Addr a, UShort generation )
{
   return a;
}

Addr DG_(code_place) ( Addr a )
{
   return a;
}

#endif

static Word compare_range ( const void* key, const void* elem )
{
   Addr         a = *(const Addr*)key;
   const Range* r = elem;
   if (a < r->start)
      return -1;
   return a - r->start < r->size ? 0 : 1;
}

static Range* range_at ( Addr a )
{
   return VG_(OSetGen_Lookup)(ranges, &a);
}

static Entry* entry_at ( Addr a )
{
   return VG_(OSetGen_Lookup)(entries, &a);
}

/* All in [a, a + n), in their order; NULL if there are none.  To be freed.  */
static void** all_in ( OSet* set, Addr a, SizeT n, UInt* count )
{
   void** all = NULL;
   UInt   max = 0;
   *count = 0;
   VG_(OSetGen_ResetIterAt)(set, &a);
   for (;;) {
      void* next = VG_(OSetGen_Next)(set);
      if (next == NULL || *(Addr*)next - a >= n) {
         /* The first range may begin before a.  */
         if (next == NULL || *(Addr*)next >= a)
            return all;
      }
      if (*count == max) {
         max = max == 0 ? 16 : 2 * max;
         all = VG_(realloc)("dg.code.all", all, max * sizeof(void*));
      }
      all[(*count)++] = next;
   }
}

Bool DG_(code_is_made) ( Addr a )
{
   NSegment const* seg = VG_(am_find_nsegment)(a);
   if (seg == NULL)
      return False;
   if (seg->kind == SkAnonC || seg->kind == SkShmC)
      return True;
   return seg->kind == SkFileC
          && VG_(find_DebugInfo)(VG_(current_DiEpoch)(), a) == NULL;
}

/* The address in the log of code at a.  */
Addr DG_(code_at) ( Addr a )
{
   if (LIKELY(!has_generations))
      return a;
   const Range* r = range_at(a);
   if (r != NULL)
      return tagged(a, r->generation);
   UInt    n;
   SizeT   back = a < 4096 ? a : 4096;
   Entry** all  = (Entry**)all_in(entries, a - back, back + 1, &n);
   Addr    at   = a;
   for (UInt i = 0; i < n; i++)
      if (a - all[i]->start < all[i]->size)
         at = tagged(a, all[i]->generation);
   VG_(free)(all);
   return at;
}

/*------------------------------------------------------------*/
/*--- Records                                              ---*/
/*------------------------------------------------------------*/

/* Names come from files, and shall not do anything to terminals.  */
static void put_name ( const HChar* name )
{
   SizeT n = VG_(strlen)(name);
   if (n > MOST_NAME)
      n = MOST_NAME;
   for (SizeT i = 0; i < n; i++)
      DG_(rec_byte)(&record, (UChar)name[i] < ' ' || name[i] == 127
                             ? '?' : name[i]);
   DG_(rec_byte)(&record, 0);
}

static void write_kept ( void )
{
   Written w = { VG_(malloc)("dg.code.written", record.n), record.n };
   VG_(memcpy)(w.bytes, record.bytes, record.n);
   VG_(addToXA)(written, &w);
   DG_(rec_write)(&record);
}

static void begin_record ( const DgCodeName* c, Addr a, SizeT n, Addr base )
{
   DG_(rec_begin)(&record, DG_R_CODE);
   DG_(rec_word)(&record, a);
   DG_(rec_word)(&record, n);
   DG_(rec_word)(&record, base);
   DG_(rec_byte)(&record, c->what);
   DG_(rec_string)(&record, c->language == NULL ? "" : c->language);
   put_name(c->name);
   put_name(c->file == NULL ? "" : c->file);
}

/* The part [a, a + n) of c is c, in a generation.  Lines are pairs; what
   follows one in another record has it, too.  */
static void write_part ( const DgCodeName* c, Addr a, SizeT n,
                         UShort generation )
{
   UInt first = 0;
   if (!DG_(out_is_open)())
      return;
   while (first + 1 < c->n_lines && c->lines[first + 1].addr <= a)
      first++;
   do {
      UInt end = first;
      while (end < c->n_lines && end - first < MOST_LINES
             && (end == first || c->lines[end].addr < a + n))
         end++;
      SizeT part = n;
      if (end < c->n_lines && c->lines[end].addr - a < n)
         part = c->lines[end].addr - a;
      begin_record(c, tagged(a, generation), part,
                   tagged(c->base != 0 ? c->base : c->start, generation));
      DG_(rec_word)(&record, 2 * (end - first));
      for (UInt i = first; i < end; i++) {
         DG_(rec_word)(&record, tagged(c->lines[i].addr, generation));
         DG_(rec_word)(&record, c->lines[i].line);
      }
      write_kept();
      first = end;
      a += part;
      n -= part;
   } while (n > 0);
}

/* Without a place of its own: a script's function.  */
void DG_(code_write) ( const DgCodeName* c )
{
   if (!DG_(out_is_open)())
      return;
   begin_record(c, c->start, c->size, c->start);
   DG_(rec_word)(&record, 0);
   write_kept();
}

/* All that was written, for the log of a forked child.  */
void DG_(code_repeat) ( void )
{
   for (Word i = 0; i < VG_(sizeXA)(written); i++) {
      const Written* w = VG_(indexXA)(written, i);
      DG_(rec_begin)(&record, DG_R_CODE);
      DG_(rec_bytes)(&record, w->bytes, w->n);
      DG_(rec_write)(&record);
   }
}

/*------------------------------------------------------------*/
/*--- Ranges                                               ---*/
/*------------------------------------------------------------*/

static void add_range ( Addr start, SizeT size, const HChar* name,
                        UShort generation, Bool changed )
{
   Range* r = VG_(OSetGen_AllocNode)(ranges, sizeof(Range));
   r->start      = start;
   r->size       = size;
   r->name       = name == NULL ? NULL : VG_(strdup)("dg.code.name", name);
   r->generation = generation;
   r->changed    = changed;
   VG_(OSetGen_Insert)(ranges, r);
   if (generation > 0)
      has_generations = True;
}

/* Makes room for another: what is left of the old one stays.  */
static void remove_part ( Range* r, Addr a, SizeT n )
{
   Range old = *r;
   Addr  end = a + n, old_end = old.start + old.size;
   VG_(OSetGen_Remove)(ranges, &old.start);
   VG_(OSetGen_FreeNode)(ranges, r);
   if (old.start < a)
      add_range(old.start, a - old.start, old.name, old.generation,
                old.changed);
   if (old_end > end)
      add_range(end, old_end - end, old.name, old.generation, old.changed);
   VG_(free)(old.name);
}

static void clear_ranges ( Addr a, SizeT n )
{
   UInt    count;
   Range** all = (Range**)all_in(ranges, a, n, &count);
   for (UInt i = 0; i < count; i++)
      remove_part(all[i], a, n);
   VG_(free)(all);
}

static UShort next_generation ( UShort generation )
{
   return generation < MOST_GENERATIONS ? generation + 1 : generation;
}

/*------------------------------------------------------------*/
/*--- Blocks                                               ---*/
/*------------------------------------------------------------*/

/* FNV-1a.  */
UInt DG_(code_hash) ( const UChar* p, SizeT n )
{
   UInt h = 0x811C9DC5;
   for (SizeT i = 0; i < n; i++)
      h = (h ^ p[i]) * 0x01000193;
   return h ^ (h >> 15);
}

static UInt shape_of ( const DgBlock* b )
{
   UInt h = b->n_instrs * 31 + b->n_entries;
   for (UInt i = 0; i < b->n_instrs; i++)
      h = h * 33 + b->instrs[i].size;
   for (UInt i = 0; i < b->n_entries; i++)
      h = h * 33 + (b->entries[i].kind << 16 | b->entries[i].iseq << 8
                    | b->entries[i].size);
   return h;
}

static void keep_past ( Entry* e, Bool alike )
{
   Past* p = VG_(malloc)("dg.code.past", sizeof(Past));
   p->older      = e->past;
   p->bytes      = e->bytes;
   p->size       = e->size;
   p->generation = e->generation;
   p->alike      = alike;
   e->past       = p;
}

/* The block at e, in r unless that is NULL, is not what it was.  Returns its
   generation.  */
static UShort change ( Entry* e, Range* r, Bool alike )
{
   UShort next = next_generation(e->generation);
   if (next == e->generation)
      return next;
   has_generations = True;
   if (r == NULL || r->name == NULL || r->changed)
      keep_past(e, alike);
   if (r == NULL)
      return next;
   r->generation = next;
   if (r->name != NULL) {
      DgCodeName c = { .start = r->start, .size = r->size, .name = r->name,
                       .what = DG_CODE_CHANGED };
      r->changed = True;
      write_part(&c, r->start, r->size, next);
   }
   return next;
}

/* As far as it went then: VEX may end a block sooner or later than before, as
   it does where an instruction executes another one that it learns as it
   goes.  */
static Bool is_as_before ( const Entry* e, UInt size, UInt bytes )
{
   if (e->size == size)
      return e->bytes == bytes;
   return VG_(am_is_valid_for_client)(e->start, e->size, VKI_PROT_READ)
          && DG_(code_hash)((const UChar*)e->start, e->size) == e->bytes;
}

static UShort generation_of ( Addr a, UInt size, UInt bytes, UInt shape )
{
   Range* r = range_at(a);
   Entry* e = entry_at(a);
   if (e == NULL) {
      e = VG_(OSetGen_AllocNode)(entries, sizeof(Entry));
      VG_(memset)(e, 0, sizeof *e);
      e->start      = a;
      e->generation = r != NULL ? r->generation : 0;
      VG_(OSetGen_Insert)(entries, e);
   } else if (r != NULL && e->generation != r->generation) {
      e->generation = r->generation;
      e->n_alike    = 0;
   } else if (e->gone) {
      e->generation = change(e, r, False);
   } else if (!is_as_before(e, size, bytes)) {
      Bool alike = e->shape == shape && e->size == size;
      if (!alike || e->n_alike < MOST_ALIKE) {
         e->n_alike   += alike;
         e->generation = change(e, r, alike);
      }
   }
   e->size  = size;
   e->bytes = bytes;
   e->shape = shape;
   e->gone  = False;
   return e->generation;
}

/* b is about to be translated: gives its addresses their generation.  */
void DG_(code_translated) ( DgBlock* b )
{
   Addr start = b->instrs[0].addr;
   if (!DG_(code_is_made)(start))
      return;
   const DgInstr* last = &b->instrs[b->n_instrs - 1];
   Addr   end   = last->addr + last->size;
   UInt   size  = end > start && end - start < 65536 ? end - start : 1;
   UShort generation
      = generation_of(start, size, DG_(code_hash)((const UChar*)start, size),
                      shape_of(b));
   for (UInt i = 0; i < b->n_instrs; i++)
      b->instrs[i].addr = tagged(b->instrs[i].addr, generation);
   if (b->call_site != 0)
      b->call_site = tagged(b->call_site, generation);
}

/* The memory is gone, and code there with it.  */
void DG_(code_unmapped) ( Addr a, SizeT n )
{
   UInt    count;
   Entry** gone = (Entry**)all_in(entries, a, n, &count);
   for (UInt i = 0; i < count; i++)
      gone[i]->gone = True;
   VG_(free)(gone);
   if (VG_(OSetGen_Size)(ranges) == 0)
      return;
   Range** all = (Range**)all_in(ranges, a, n, &count);
   for (UInt i = 0; i < count; i++) {
      if (all[i]->name == NULL)
         continue;
      VG_(free)(all[i]->name);
      /* What will be there is not that, and has no name yet.  */
      all[i]->name       = NULL;
      all[i]->generation = next_generation(all[i]->generation);
      all[i]->changed    = True;
      has_generations    = True;
   }
   VG_(free)(all);
}

/*------------------------------------------------------------*/
/*--- Names                                                ---*/
/*------------------------------------------------------------*/

/* Whether the code of a block that was `size` bytes long is in c, which may
   know its own.  */
static Bool has_bytes ( const DgCodeName* c, const Entry* e, UInt size,
                        UInt bytes )
{
   SizeT at = e->start - c->start;
   return c->bytes != NULL && at + size <= c->size
          && DG_(code_hash)(c->bytes + at, size) == bytes;
}

/* Whether what was translated at e is c, or what is there now.  */
static Bool is_still ( const Entry* e, const DgCodeName* c )
{
   UChar now[1024];
   if (e->gone)
      return False;
   if (has_bytes(c, e, e->size, e->bytes))
      return True;
   return e->size <= sizeof now && DG_(core_copy)(now, e->start, e->size)
          && DG_(code_hash)(now, e->size) == e->bytes;
}

/* A part of c begins at `from`, and all behind is that too until there is
   another generation.  */
typedef struct {
   const DgCodeName* c;
   Addr   from;
   UShort generation;
} Part;

static void end_part ( Part* p, Addr to )
{
   if (to == p->from)
      return;
   clear_ranges(p->from, to - p->from);
   add_range(p->from, to - p->from, p->c->name, p->generation, False);
   write_part(p->c, p->from, to - p->from, p->generation);
   p->from = to;
}

/* Nothing there has a name of its own yet: c is what was translated, but for
   blocks that have changed since.  */
static void name_late ( const DgCodeName* c, Entry** all, UInt n )
{
   const Range* r    = range_at(c->start);
   Part         part = { c, c->start, r != NULL ? r->generation : 0 };
   for (UInt i = 0; i < n; i++) {
      const Entry* e          = all[i];
      const Range* over       = range_at(e->start);
      UShort       generation = e->generation;
      if (over != NULL && over->generation > generation)
         generation = over->generation;
      if (!is_still(e, c))
         generation = next_generation(generation);
      if (i == 0 && r == NULL)
         part.generation = generation;
      if (generation != part.generation) {
         end_part(&part, e->start);
         part.generation = generation;
      }
   }
   end_part(&part, c->start + c->size);
}

/* It is something else than what has had a name there.  */
static void name_anew ( const DgCodeName* c, UShort last, Bool discard )
{
   Part part = { c, c->start, next_generation(last) };
   end_part(&part, c->start + c->size);
   if (discard)
      DG_(core_discard)(c->start, c->size);
}

static Bool is_known ( const DgCodeName* c )
{
   Range* r = range_at(c->start);
   if (r == NULL || r->name == NULL || r->start != c->start
       || r->size != c->size || VG_(strcmp)(r->name, c->name) != 0)
      return False;
   r->changed = False;
   return True;
}

static void name_now ( const DgCodeName* c )
{
   UInt    n_ranges, n;
   UShort  last  = 0;
   Bool    named = False;
   if (is_known(c))
      return;
   Range** over  = (Range**)all_in(ranges, c->start, c->size, &n_ranges);
   Entry** all   = (Entry**)all_in(entries, c->start, c->size, &n);
   for (UInt i = 0; i < n_ranges; i++) {
      named |= !over[i]->changed;
      if (over[i]->generation > last)
         last = over[i]->generation;
   }
   for (UInt i = 0; i < n; i++)
      if (all[i]->generation > last)
         last = all[i]->generation;
   VG_(free)(over);
   if (named)
      name_anew(c, last, n > 0);
   else
      name_late(c, all, n);
   VG_(free)(all);
}

/* The parts of c that no later name is of.  */
static void name_gaps ( const DgCodeName* c, const DgCodeName* end )
{
   Addr at = c->start, stop = c->start + c->size;
   while (at < stop) {
      Addr next = stop, behind = 0;
      for (const DgCodeName* d = c + 1; d < end; d++) {
         if (at - d->start < d->size)
            behind = d->start + d->size;
         else if (d->start > at && d->start < next)
            next = d->start;
      }
      if (behind == 0) {
         DgCodeName part = *c;
         part.base  = c->start;
         part.start = at;
         part.size  = next - at;
         if (c->bytes != NULL)
            part.bytes += at - c->start;
         name_now(&part);
         behind = next;
      }
      at = behind;
   }
}

/* How many of the names are of code at a, and which of these c is.  */
static UInt rank_at ( const DgCodeName* names, UInt n, const DgCodeName* c,
                      Addr a, UInt* rank )
{
   UInt count = 0;
   for (UInt i = 0; i < n; i++) {
      if (&names[i] == c)
         *rank = count;
      if (a - names[i].start < names[i].size)
         count++;
   }
   return count;
}

static Bool has_current ( const Entry* e )
{
   const Range* r = range_at(e->start);
   return r == NULL || r->name == NULL || r->changed;
}

/* What was at e without a name, when names come for what was there one after
   the other: by its bytes if they are known.  Else by its place among them,
   if there are as many.  */
static void name_past_of ( const DgCodeName* c, const Entry* e, UInt count,
                           UInt rank, Bool with_current )
{
   UInt n_past = 0;
   for (const Past* p = e->past; p != NULL; p = p->older)
      n_past++;
   UInt n     = n_past + with_current;
   UInt index = n_past;
   Bool patch = count == 1;      /* c is all there ever was */
   for (const Past* p = e->past; p != NULL; p = p->older) {
      index--;
      patch &= p->alike;
      if (c->bytes != NULL ? has_bytes(c, e, p->size, p->bytes)
                           : patch || (n == count && index == rank))
         write_part(c, e->start, p->size, p->generation);
   }
   /* The last one is there now, and did not run.  */
   if (with_current && rank + 1 < count
       && (c->bytes != NULL
           ? has_bytes(c, e, e->size, e->bytes)
           : n == 1 && count == 2 && !is_still(e, c)))
      write_part(c, e->start, e->size, e->generation);
}

static void name_past ( const DgCodeName* names, UInt n, const DgCodeName* c )
{
   UInt    n_entries;
   Entry** all = (Entry**)all_in(entries, c->start, c->size, &n_entries);
   for (UInt i = 0; i < n_entries; i++) {
      UInt rank    = 0;
      Bool current = has_current(all[i]);
      if (all[i]->past == NULL && !current)
         continue;
      UInt count = rank_at(names, n, c, all[i]->start, &rank);
      name_past_of(c, all[i], count, rank, current);
   }
   VG_(free)(all);
}

/* What has been named has no unnamed past.  */
static void forget_past ( const DgCodeName* c )
{
   UInt    n;
   Entry** all = (Entry**)all_in(entries, c->start, c->size, &n);
   for (UInt i = 0; i < n; i++)
      while (all[i]->past != NULL) {
         Past* p = all[i]->past;
         all[i]->past = p->older;
         VG_(free)(p);
      }
   VG_(free)(all);
}

static Bool is_sound ( const DgCodeName* c )
{
   return c->size > 0 && c->size <= MOST_CODE
          && c->start + c->size > c->start && c->start > 0
          && DG_(code_place)(c->start + c->size - 1)
             == c->start + c->size - 1;
}

static Int by_start ( const void* x, const void* y )
{
   const DgCodeName* a = *(const DgCodeName* const*)x;
   const DgCodeName* b = *(const DgCodeName* const*)y;
   return a->start < b->start ? -1 : a->start > b->start;
}

/* Marks those that others, which come later, overlap.  */
static void mark_hidden ( DgCodeName* names, UInt n )
{
   DgCodeName** order = VG_(malloc)("dg.code.order", (n + 1) * sizeof *order);
   for (UInt i = 0; i < n; i++) {
      order[i] = &names[i];
      names[i].is_hidden = False;
   }
   VG_(ssort)(order, n, sizeof *order, by_start);
   for (UInt i = 0; i < n; i++)
      for (UInt k = i + 1; k < n
           && order[k]->start - order[i]->start < order[i]->size; k++)
         if (order[i] < order[k])
            order[i]->is_hidden = True;
         else
            order[k]->is_hidden = True;
   VG_(free)(order);
}

/* Names that have come together, in the order in which the code was made.  */
void DG_(code_names) ( DgCodeName* names, UInt n )
{
   UInt sound = 0;
   for (UInt i = 0; i < n; i++)
      if (is_sound(&names[i]))
         names[sound++] = names[i];
   mark_hidden(names, sound);
   for (UInt i = 0; i < sound; i++)
      if (!is_known(&names[i]))
         name_past(names, sound, &names[i]);
   for (UInt i = 0; i < sound; i++) {
      if (names[i].is_hidden)
         name_gaps(&names[i], names + sound);
      else
         name_now(&names[i]);
   }
   for (UInt i = 0; i < sound; i++)
      forget_past(&names[i]);
}

/* What is in [a, a + n) is not code any longer, or will be other code.  */
void DG_(code_forget) ( Addr a, SizeT n )
{
   if (n == 0 || a + n < a)
      return;
   DG_(code_unmapped)(a, n);
   DG_(core_discard)(a, n);
}

/* The name of what is at a; NULL: it has none.  */
const HChar* DG_(code_name_at) ( Addr a )
{
   const Range* r = range_at(a);
   return r != NULL ? r->name : NULL;
}

void DG_(code_init) ( void )
{
   ranges  = VG_(OSetGen_Create)(0, compare_range, VG_(malloc),
                                 "dg.code.ranges", VG_(free));
   entries = VG_(OSetGen_Create)(0, NULL, VG_(malloc), "dg.code.entries",
                                 VG_(free));
   written = VG_(newXA)(VG_(malloc), "dg.code.list", VG_(free),
                        sizeof(Written));
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_code.c ---*/
/*--------------------------------------------------------------------*/
