/*--------------------------------------------------------------------*/
/*--- Datagrind: putting records together.              dg_bytes.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* A part of dg_tool.h.  */

#ifndef __DG_BYTES_H
#define __DG_BYTES_H

#define DG_RECORD_MAX  16384

/* Records that are not runs are put together here, then written whole.  */
typedef struct {
   UChar  type;
   Bool   too_long;
   SizeT  n;
   UChar  bytes[DG_RECORD_MAX + 8];
} DgRecord;

static inline void DG_(rec_begin) ( DgRecord* r, UChar type )
{
   r->type     = type;
   r->n        = 0;
   r->too_long = False;
}

static inline Bool DG_(rec_fits) ( DgRecord* r, SizeT n )
{
   if (LIKELY(n <= DG_RECORD_MAX - r->n))
      return True;
   r->too_long = True;
   return False;
}

/* Defines rec_<name>, which appends a value of the type.  */
#define DG_DEFINE_REC(name, ctype)                                      \
   static inline void DG_(rec_##name) ( DgRecord* r, ctype value )      \
   {                                                                    \
      if (DG_(rec_fits)(r, sizeof value)) {                             \
         typedef ctype Unaligned __attribute__((aligned(1)));           \
         *(Unaligned*)(r->bytes + r->n) = value;                        \
         r->n += sizeof value;                                          \
      }                                                                 \
   }
DG_DEFINE_REC(byte, UChar)
DG_DEFINE_REC(word, UWord)
DG_DEFINE_REC(quad, ULong)

/* A record of exactly n bytes, made where it goes: where these begin, or NULL
   when nothing is written.  They must be filled in, and rec_done said with
   their end, before anything else is written.  */
UChar* DG_(rec_in_place) ( UChar type, SizeT n );
void   DG_(rec_done)     ( const UChar* end );

#define DG_DEFINE_PUT(name, ctype)                                      \
   static inline UChar* DG_(put_##name) ( UChar* p, ctype value )       \
   {                                                                    \
      typedef ctype Unaligned __attribute__((aligned(1)));              \
      *(Unaligned*)p = value;                                           \
      return p + sizeof value;                                          \
   }
DG_DEFINE_PUT(byte, UChar)
DG_DEFINE_PUT(word, UWord)
DG_DEFINE_PUT(quad, ULong)

void DG_(rec_bytes)  ( DgRecord* r, const void* p, SizeT n );
void DG_(rec_string) ( DgRecord* r, const HChar* s );
void DG_(rec_write)  ( DgRecord* r );

#endif /* __DG_BYTES_H */

/*--------------------------------------------------------------------*/
/*--- end                                               dg_bytes.h ---*/
/*--------------------------------------------------------------------*/
