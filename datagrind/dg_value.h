/*--------------------------------------------------------------------*/
/*--- Datagrind: what accesses read and write.          dg_value.h ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* A part of dg_tool.h.  */

#ifndef __DG_VALUE_H
#define __DG_VALUE_H

/* The number of bytes of values that a run of the first n entries brings.  */
UInt DG_(value_bytes)    ( const DgBlock* b, UInt n_entries );
/* Writes the RUN_VALUES of a run of the first n_entries of b, behind the
   BBRUN. words and addrs are those of the run; an access with address 0
   was not made.  */
void DG_(value_write)    ( const DgBlock* b, UInt n_entries,
                           const UWord* words, const UWord* addrs );
/* Called from the IR.  */
VG_REGPARM(3) void DG_(value_copy) ( UWord to, UWord from, UWord size );

#endif /* __DG_VALUE_H */

/*--------------------------------------------------------------------*/
/*--- end                                               dg_value.h ---*/
/*--------------------------------------------------------------------*/
