/*--------------------------------------------------------------------*/
/*--- Datagrind: values of a run in a raw log.      dg_value_run.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

#include "dg_tool.h"
#include "dg_ring.h"
#include "pub_tool_libcbase.h"

UInt DG_(value_bytes) ( const DgBlock* b, UInt n_entries )
{
   UInt n = 0;
   for (UInt i = 0; i < n_entries; i++)
      if (b->values[i].kind == DG_RING_VALUE_BYTES)
         n += b->entries[i].size;
   return n;
}

/* The low `size' bytes of a number, behind which are copies of its sign.  */
static void put_low ( UChar* to, Word number, UInt size )
{
   for (UInt i = 0; i < size; i++) {
      UInt  at   = 8 * (i < sizeof number ? i : sizeof number - 1);
      UChar byte = i < sizeof number ? number >> at : -(number < 0);
#     if defined(VG_BIGENDIAN)
      to[size - 1 - i] = byte;
#     else
      to[i] = byte;
#     endif
   }
}

static Word get_low ( const UChar* from, UInt size )
{
   UWord number = 0;
   for (UInt i = 0; i < size; i++)
#     if defined(VG_BIGENDIAN)
      number = number << 8 | from[i];
#     else
      number = number << 8 | from[size - 1 - i];
#     endif
   return number;
}

/* The low `size' bytes of an earlier value of from_size bytes, plus disp.  */
static void put_part ( UChar* to, const UChar* from, UInt from_size, Word disp,
                       UInt size )
{
#  if defined(VG_BIGENDIAN)
   from += from_size - size;
#  endif
   if (disp == 0)
      VG_(memcpy)(to, from, size);
   else
      put_low(to, get_low(from, size) + disp, size);
}

void DG_(value_write) ( const DgBlock* b, UInt n_entries, const UWord* words,
                        const UWord* addrs )
{
   static DgRecord record;
   static UChar    bytes[DG_RECORD_MAX];
   UInt            at[n_entries + 1];
   UChar           known[n_entries / 8 + 1];
   const UChar*    own = (const UChar*)(words + b->n_words);
   Bool            any = False, all = True, is_full = False;
   UInt            n = 0;

   VG_(memset)(known, 0, sizeof known);
   for (UInt i = 0; i < n_entries; i++) {
      const DgEntry* e = &b->entries[i];
      const DgValue* v = &b->values[i];
      Bool is_made = addrs[i] != 0 && e->kind != DG_ACC_SP && e->size != 0;
      is_full = is_full || n + e->size + sizeof known > DG_RECORD_MAX - 8;
      Bool is_kept = is_made && !is_full && v->kind != DG_RING_VALUE_UNKNOWN;
      any   = any || is_made;
      at[i] = n;
      if (is_kept && v->kind == DG_RING_VALUE_CONSTANT)
         put_low(bytes + n, v->disp, e->size);
      else if (is_kept && v->kind == DG_RING_VALUE_WORD)
         put_low(bytes + n, words[v->from] + v->disp, e->size);
      else if (is_kept && v->kind == DG_RING_VALUE_ENTRY)
         put_part(bytes + n, bytes + at[v->from], b->entries[v->from].size,
                  v->disp, e->size);
      else if (is_kept)
         VG_(memcpy)(bytes + n, own, e->size);
      if (v->kind == DG_RING_VALUE_BYTES)
         own += e->size;
      if (is_kept) {
         known[i / 8] |= 1 << i % 8;
         n += e->size;
      } else if (is_made) {
         all = False;
      }
   }
   if (!any)
      return;
   DG_(rec_begin)(&record, DG_R_RUN_VALUES);
   DG_(rec_byte)(&record, all);
   if (!all)
      DG_(rec_bytes)(&record, known, (n_entries + 7) / 8);
   DG_(rec_bytes)(&record, bytes, n);
   DG_(rec_write)(&record);
}

/*--------------------------------------------------------------------*/
/*--- end                                           dg_value_run.c ---*/
/*--------------------------------------------------------------------*/
