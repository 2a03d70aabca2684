/*
   ----------------------------------------------------------------

   Notice that the following BSD-style license applies to this one
   file (datagrind.h) only.  The rest of Datagrind is licensed under
   the terms of the GNU General Public License, version 2 or later.
   See the COPYING file in the source distribution for details.

   ----------------------------------------------------------------

   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.  All rights reserved.

   Redistribution and use in source and binary forms, with or without
   modification, are permitted provided that the following conditions
   are met:

   1. Redistributions of source code must retain the above copyright
      notice, this list of conditions and the following disclaimer.

   2. The origin of this software must not be misrepresented; you must
      not claim that you wrote the original software.  If you use this
      software in a product, an acknowledgment in the product
      documentation would be appreciated but is not required.

   3. Altered source versions must be plainly marked as such, and must
      not be misrepresented as being the original software.

   4. The name of the author may not be used to endorse or promote
      products derived from this software without specific prior written
      permission.

   THIS SOFTWARE IS PROVIDED BY THE AUTHOR ``AS IS'' AND ANY EXPRESS
   OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
   WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
   ARE DISCLAIMED.  IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY
   DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
   DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE
   GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
   INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
   WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
   NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
   SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

   ----------------------------------------------------------------
*/

#ifndef __DATAGRIND_H
#define __DATAGRIND_H

/* Valgrind's own header is beside this one, or in <valgrind/> if Datagrind was
   installed elsewhere.  */
#if defined(__has_include)
#  if !__has_include("valgrind.h")
#    include <valgrind/valgrind.h>
#  else
#    include "valgrind.h"
#  endif
#else
#  include "valgrind.h"
#endif

/* !! ABIWARNING !! ABIWARNING !! ABIWARNING !! ABIWARNING !!
   Programs have these numbers compiled in: add at the end only.  */
typedef
   enum {
      VG_USERREQ__DATAGRIND_TRACK_RANGE = VG_USERREQ_TOOL_BASE('D', 'G'),
      VG_USERREQ__DATAGRIND_UNTRACK_RANGE,
      VG_USERREQ__DATAGRIND_START_EVENT,
      VG_USERREQ__DATAGRIND_END_EVENT,
      VG_USERREQ__DATAGRIND_START_RECORDING,
      VG_USERREQ__DATAGRIND_STOP_RECORDING,
      VG_USERREQ__DATAGRIND_NAME_CODE
   } Vg_DatagrindClientRequest;

/* Mark the memory [_qzz_addr, _qzz_addr + _qzz_len) with a label. _qzz_type is
   the type of its elements, such as "struct node", "unsigned long" or
   "int[4]", whose fields the viewer finds in the debug information of the
   program, or "". _qzz_label is shown by the viewer and selected by
   --ranges=user:LABEL. The strings are copied.  */
#define DATAGRIND_TRACK_RANGE(_qzz_addr, _qzz_len, _qzz_type, _qzz_label) \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_TRACK_RANGE,     \
                                   (_qzz_addr), (_qzz_len),               \
                                   (_qzz_type), (_qzz_label), 0)

/* Remove the mark.  Address and length must be those of the
   DATAGRIND_TRACK_RANGE.  */
#define DATAGRIND_UNTRACK_RANGE(_qzz_addr, _qzz_len)                      \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_UNTRACK_RANGE,   \
                                   (_qzz_addr), (_qzz_len), 0, 0, 0)

/* Start and end an event.  Events may be nested and may overlap, also with
   events of the same label. --events=user:LABEL selects accesses in between,
   by any thread.  */
#define DATAGRIND_START_EVENT(_qzz_label)                                 \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_START_EVENT,     \
                                   (_qzz_label), 0, 0, 0, 0)
#define DATAGRIND_END_EVENT(_qzz_label)                                   \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_END_EVENT,       \
                                   (_qzz_label), 0, 0, 0, 0)

/* Start or stop recording.  With --datagrind-start=no, nothing is recorded
   before the first DATAGRIND_START_RECORDING.  */
#define DATAGRIND_START_RECORDING                                         \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_START_RECORDING, \
                                   0, 0, 0, 0, 0)
#define DATAGRIND_STOP_RECORDING                                          \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_STOP_RECORDING,  \
                                   0, 0, 0, 0, 0)

/* For programs that make code, such as JIT compilers: the function in
   [_qzz_addr, _qzz_addr + _qzz_len) is named _qzz_name, which is copied, from
   now on.  Best said when the code is there and has not run yet.  If other
   code was there before, that keeps its own name for what it has done, and
   Valgrind translates the new one again.  NULL: there is no code any more.  */
#define DATAGRIND_NAME_CODE(_qzz_addr, _qzz_len, _qzz_name)               \
   VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DATAGRIND_NAME_CODE,       \
                                   (_qzz_addr), (_qzz_len), (_qzz_name),  \
                                   0, 0)

#endif /* __DATAGRIND_H */
