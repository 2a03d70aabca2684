/*--------------------------------------------------------------------*/
/*--- Datagrind: CPython's frames.                     dg_python.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* CPython 3.11 to 3.13 on 64-bit machines.  Where the members of its structs
   are is in its headers (Include/internal/pycore_frame.h, Include/cpython/
   code.h), and the same for all releases of a minor version, which is in the
   exported Py_Version.  Before anything is believed of an object, its type
   must be called as it should.  */

#include "dg_script.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

typedef struct {
   UInt   version;               /* minor */
   UShort state_current;         /* in the thread's state: the current frame */
   Short  cframe_current;        /* or what has it there; -1 */
   UShort frame_code, frame_previous, frame_at, frame_owner;
   UChar  owner_c;               /* such a frame is the evaluator's own */
   UShort code_line, code_file, code_name, code_lines, code_bytes;
   UShort ascii;                 /* where text of ASCII begins, */
   UShort compact;               /* and other text */
} Layout;

static const Layout layouts[] = {
   { 11, 56,  8, 32, 48, 56, 69, 255, 72, 112, 128, 136, 184, 48, 72 },
   { 12, 56,  0,  0,  8, 56, 70,   3, 68, 112, 128, 136, 192, 40, 56 },
   { 13, 72, -1,  0,  8, 56, 70,   3, 68, 112, 128, 136, 200, 40, 56 },
};

#define OBJECT_TYPE   8
#define OBJECT_SIZE   16
#define TYPE_NAME     24
#define TEXT_STATE    32
#define BYTES_BEGIN   32
#define FRAME_SIZE    72
#define CODE_HEAD     176        /* up to, at least, the lines */

#define MOST_CODE     (4u << 20)
#define MOST_NAME     1000

static const Layout* layout;

static Bool find_layout ( void )
{
   static Bool tried;
   UWord version;
   if (layout != NULL || tried)
      return layout != NULL;
   tried = True;
   if (!DG_(core_copy)(&version, DG_(core_symbol)("Py_Version"),
                       sizeof version))
      version = 0;
   for (UInt i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
      if (version >> 16 == (0x300 | layouts[i].version))
         layout = &layouts[i];
   if (layout == NULL)
      VG_(umsg)("Datagrind: functions of this Python are not recorded, only "
                "those of 3.11 to 3.13.\n");
   return layout != NULL;
}

/* Whether the object's type has that name.  */
static Bool is_a ( Addr object, const HChar* type )
{
   HChar text[8];
   Addr  at, name;
   SizeT n = VG_(strlen)(type) + 1;
   return word_at(object + OBJECT_TYPE, &at) && word_at(at + TYPE_NAME, &name)
          && DG_(core_copy)(text, name, n) && VG_(memcmp)(text, type, n) == 0;
}

/* The second argument of an evaluator is its frame.  */
static Bool enter ( DgScriptCall* call )
{
   call->first = call->arg[1];
   return True;
}

static Bool find_current ( DgScriptCall* call )
{
   Addr at;
   if (layout->cframe_current < 0) {
      call->current_at = call->arg[0] + layout->state_current;
      return True;
   }
   if (!word_at(call->arg[0] + layout->state_current, &at))
      return False;
   call->current_at = at + layout->cframe_current;
   return True;
}

static Bool current ( DgScriptCall* call, DgScriptFrame* f )
{
   return (call->current_at != 0 || find_current(call))
          && word_at(call->current_at, &f->frame) && f->frame != 0;
}

static Bool look ( const DgScriptCall* call, DgScriptFrame* f )
{
   UChar bytes[FRAME_SIZE];
   if (!DG_(core_copy)(bytes, f->frame, sizeof bytes)
       || bytes[layout->frame_owner] == layout->owner_c)
      return False;
   f->unit = 0;
   VG_(memcpy)(&f->function, bytes + layout->frame_code, sizeof(Addr));
   VG_(memcpy)(&f->caller, bytes + layout->frame_previous, sizeof(Addr));
   VG_(memcpy)(&f->at, bytes + layout->frame_at, sizeof(Addr));
   return True;
}

static UInt check ( const DgScriptFrame* f )
{
   UChar head[CODE_HEAD];
   if (!DG_(core_copy)(head, f->function, sizeof head))
      return 0;
   /* Not the references, nor what changes as the code gets warm.  */
   VG_(memset)(head, 0, 8);
   VG_(memset)(head + 48, 0, 8);
   return DG_(code_hash)(head, layout->code_lines + sizeof(Addr)) | 1;
}

/*------------------------------------------------------------*/
/*--- Texts                                                ---*/
/*------------------------------------------------------------*/

static HChar* put_utf8 ( HChar* p, UInt c )
{
   if (c < 0x80) {
      *p++ = c;
   } else if (c < 0x800) {
      *p++ = 0xC0 | c >> 6;
      *p++ = 0x80 | (c & 0x3F);
   } else if (c < 0x10000) {
      *p++ = 0xE0 | c >> 12;
      *p++ = 0x80 | (c >> 6 & 0x3F);
      *p++ = 0x80 | (c & 0x3F);
   } else {
      *p++ = 0xF0 | (c >> 18 & 7);
      *p++ = 0x80 | (c >> 12 & 0x3F);
      *p++ = 0x80 | (c >> 6 & 0x3F);
      *p++ = 0x80 | (c & 0x3F);
   }
   return p;
}

/* Of a str, as UTF-8.  */
static Bool copy_text ( Addr text, HChar* to, SizeT room )
{
   UInt  state;
   UWord length;
   HChar* p = to;
   if (!is_a(text, "str") || !word_at(text + OBJECT_SIZE, &length)
       || !DG_(core_copy)(&state, text + TEXT_STATE, sizeof state)
       || !(state >> 5 & 1))
      return False;
   UInt width = state >> 2 & 7;
   Addr at    = text + (state >> 6 & 1 ? layout->ascii : layout->compact);
   if (width != 1 && width != 2 && width != 4)
      return False;
   for (UWord i = 0; i < length && p + 5 < to + room; i++) {
      UInt c = 0;
      if (!DG_(core_copy)(&c, at + i * width, width))
         return False;
      p = put_utf8(p, c);
   }
   *p = 0;
   return True;
}

/*------------------------------------------------------------*/
/*--- Lines                                                ---*/
/*------------------------------------------------------------*/

/* Objects/locations.md: each entry is of some units of code.  */
typedef struct { const UChar* at; const UChar* end; } Locations;

static UInt take_byte ( Locations* l )
{
   return l->at < l->end ? *l->at++ : 0;
}

static UInt take_number ( Locations* l )
{
   UInt n = 0, shift = 0, byte;
   do {
      byte = take_byte(l);
      if (shift < 32)
         n |= (byte & 63) << shift;
      shift += 6;
   } while (byte & 64);
   return n;
}

static Int take_signed ( Locations* l )
{
   UInt n = take_number(l);
   return n & 1 ? -(Int)(n >> 1) : (Int)(n >> 1);
}

/* How many lines further on the next units are, *n of them; False: they have
   no line.  */
static Bool take_entry ( Locations* l, UInt* n, Int* delta )
{
   UInt first = take_byte(l);
   UInt kind  = first >> 3 & 15;
   *n     = (first & 7) + 1;
   *delta = 0;
   switch (kind) {
      case 15:
         return False;
      case 14:
         *delta = take_signed(l);
         take_number(l);
         take_number(l);
         take_number(l);
         return True;
      case 13:
         *delta = take_signed(l);
         return True;
      case 10: case 11: case 12:
         *delta = kind - 10;
         take_byte(l);
         take_byte(l);
         return True;
      default:
         take_byte(l);
         return True;
   }
}

static void read_lines ( DgScriptText* text, const UChar* table, UWord n,
                         Int line )
{
   Locations l = { table, table + n };
   UInt  max = 0;
   UWord end = 0;
   while (l.at < l.end) {
      UInt units;
      Int  delta;
      Bool has_line = take_entry(&l, &units, &delta);
      line += delta;
      end  += 2 * units;
      UInt here = has_line && line > 0 ? line : 0;
      if (text->n_lines > 0 && text->lines[text->n_lines - 1].line == here) {
         text->lines[text->n_lines - 1].end = end;
         continue;
      }
      if (text->n_lines == max) {
         max = max == 0 ? 32 : 2 * max;
         text->lines = VG_(realloc)("dg.python.lines", text->lines,
                                    max * sizeof(DgScriptLine));
      }
      text->lines[text->n_lines].end  = end;
      text->lines[text->n_lines].line = here;
      text->n_lines++;
   }
}

/* The table is a bytes.  */
static void copy_lines ( Addr object, Int first, DgScriptText* text )
{
   UWord n;
   if (!is_a(object, "bytes") || !word_at(object + OBJECT_SIZE, &n) || n == 0
       || n > MOST_CODE)
      return;
   UChar* table = VG_(malloc)("dg.python.table", n);
   if (DG_(core_copy)(table, object + BYTES_BEGIN, n))
      read_lines(text, table, n, first);
   VG_(free)(table);
}

static Bool describe ( const DgScriptFrame* f, DgScriptText* text )
{
   Addr code = f->function;
   static HChar name[MOST_NAME], file[VKI_PATH_MAX];
   Addr  at;
   UWord units;
   Int   first;
   VG_(memset)(text, 0, sizeof *text);
   if (!is_a(code, "code") || !word_at(code + OBJECT_SIZE, &units)
       || units == 0 || units > MOST_CODE
       || !DG_(core_copy)(&first, code + layout->code_line, sizeof first)
       || !word_at(code + layout->code_name, &at)
       || !copy_text(at, name, sizeof name)
       || !word_at(code + layout->code_file, &at)
       || !copy_text(at, file, sizeof file)
       || !word_at(code + layout->code_lines, &at))
      return False;
   copy_lines(at, first, text);
   text->name = name;
   text->file = file;
   text->base = code + layout->code_bytes;
   text->size = 2 * units;
   return True;
}

const DgInterpreter DG_(python) = {
   .language  = "py",
   .evaluator = "_PyEval_EvalFrameDefault",
   .fetch     = 2,
   .is_known  = find_layout,
   .enter     = enter,
   .current   = current,
   .look      = look,
   .check     = check,
   .describe  = describe,
};

/*--------------------------------------------------------------------*/
/*--- end                                              dg_python.c ---*/
/*--------------------------------------------------------------------*/
