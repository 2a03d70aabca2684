/*--------------------------------------------------------------------*/
/*--- Datagrind: instructions that Valgrind does not know.         ---*/
/*---                                               dg_undecoded.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* A program that executes one is given SIGILL.  If that kills it, the log
   says which instruction it was.  Programs that try an instruction, and handle
   the signal, are as they would be on an older processor: nothing is said.  */

#include "dg_arch.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

/* Addresses of the last unknown instructions that were translated.  */
#define N_PLACES  64
static Addr places[N_PLACES];
static UInt n_places;

/* A handler of SIGILL may raise the signal again.  While a handler runs,
   `handled' is the address of the unknown instruction that caused the signal
   (0: something else did), and `handles' the thread of the handler.  */
static Addr     handled;
static ThreadId handles;

void DG_(undecoded_translated) ( const IRSB* in )
{
   if (in->jumpkind == Ijk_NoDecode && in->next->tag == Iex_Const)
      places[n_places++ % N_PLACES]
         = sizeof(Addr) == 4 ? in->next->Iex.Const.con->Ico.U32
                             : (Addr)in->next->Iex.Const.con->Ico.U64;
}

/*------------------------------------------------------------*/
/*--- Names of instruction sets                            ---*/
/*------------------------------------------------------------*/

/* Each looks at DG_UNDECODED_BYTES bytes and returns the name of the set that
   the instruction belongs to, "" if that is not known, or NULL if it is an
   instruction that no processor knows.  The encodings are those of the
   manuals of Intel (volume 2, chapter 2 and appendix A), AMD (volume 3,
   appendix A; volume 6) and Arm (DDI 0487, C4.1).  */

#if defined(VGA_amd64) || defined(VGA_x86)

static Bool is_prefix ( UChar byte )
{
   return byte == 0x66 || byte == 0x67 || byte == 0xF0 || byte == 0xF2
          || byte == 0xF3 || byte == 0x26 || byte == 0x2E || byte == 0x36
          || byte == 0x3E || byte == 0x64 || byte == 0x65;
}

/* p: the bytes after 0F; is_f3: a prefix F3 precedes 0F.  */
static const HChar* name_of_0f ( const UChar* p, Bool is_f3 )
{
   if (p[0] == 0x0B || p[0] == 0xB9 || p[0] == 0xFF)
      return NULL;                          /* ud2, ud1, ud0 */
   if (p[0] == 0x0F)
      return "3DNow!";
   if ((p[0] == 0x38 && p[1] >= 0xC8 && p[1] <= 0xCD)
       || (p[0] == 0x3A && p[1] == 0xCC))
      return "SHA";
   if ((p[0] == 0x38 && p[1] == 0xCF)
       || (p[0] == 0x3A && (p[1] == 0xCE || p[1] == 0xCF)))
      return "GFNI";
   if (is_f3 && p[0] == 0x38
       && (p[1] == 0xD8 || (p[1] >= 0xDC && p[1] <= 0xDF)
           || p[1] == 0xFA || p[1] == 0xFB))
      return "Key Locker";
   return "";
}

/* p: the three bytes after C4, the prefix of VEX; the third is the opcode.  */
static const HChar* name_of_vex ( const UChar* p )
{
   UInt map = p[0] & 0x1F, op = p[2];
   if (map == 2 && (op == 0x49 || op == 0x4B || op == 0x5C || op == 0x5E
                    || op == 0x6C))
      return "AMX";
   if (map == 2 && (op & 0xFC) == 0x50)
      return "AVX-VNNI";
   if (map == 2 && (op == 0xB4 || op == 0xB5))
      return "AVX-IFMA";
   if ((map == 2 && op == 0xCF) || (map == 3 && (op == 0xCE || op == 0xCF)))
      return "GFNI";
   if (map == 2 && op >= 0xDC && op <= 0xDF)
      return "VAES";
   if (map == 3 && op == 0x44)
      return "VPCLMULQDQ";
   if (map == 3 && ((op >= 0x5C && op <= 0x5F) || (op >= 0x68 && op <= 0x6F)
                    || (op >= 0x78 && op <= 0x7F)))
      return "FMA4";
   return "";
}

static const HChar* name_of ( const UChar* p )
{
   Bool is_64 = sizeof(Addr) == 8, is_f3 = False;
   UInt n = 0;
   for (; n < 8 && is_prefix(p[n]); n++)
      is_f3 = is_f3 || p[n] == 0xF3;
   if (is_64 && (p[n] & 0xF0) == 0x40)      /* REX */
      n++;
   p += n;
   if (p[0] == 0x0F)
      return name_of_0f(p + 1, is_f3);
   /* Elsewhere these are other instructions if their operand is memory.  */
   if (!is_64 && (p[1] & 0xC0) != 0xC0)
      return "";
   if (p[0] == 0x62)
      return (p[1] & 7) == 4 ? "APX" : "AVX-512";
   if (!is_64 && (p[0] == 0xC4 || p[0] == 0xC5))
      return "AVX";
   if (p[0] == 0xC4)
      return name_of_vex(p + 1);
   if (p[0] == 0x8F && (p[1] & 0x1F) >= 8)
      return "XOP";
   if (is_64 && p[0] == 0xD5)
      return "APX";
   return "";
}

#elif defined(VGA_arm64)

static const HChar* name_of ( const UChar* p )
{
   UInt code = p[0] | p[1] << 8 | p[2] << 16 | (UInt)p[3] << 24;
   UInt group = code >> 25 & 0xF;
   if (code >> 16 == 0)
      return NULL;                          /* udf */
   if (group == 2)
      return "SVE";
   if (group == 0 && code >> 31 == 1)
      return "SME";
   return "";
}

#else /* s390x */

/* Programs stop with 00, which is not an operation code.  */
static const HChar* name_of ( const UChar* p )
{
   return p[0] == 0 ? NULL : "";
}

#endif

/*------------------------------------------------------------*/
/*--- The end                                              ---*/
/*------------------------------------------------------------*/

/* The address of the unknown instruction at ip, 0: there is none.  On s390x, ip
   is already behind the instruction.  */
static Addr place_of ( Addr ip )
{
   for (UInt i = 0; i < N_PLACES && i < n_places; i++) {
      if (places[i] == ip)
         return ip;
#     if defined(VGA_s390x)
      if (places[i] < ip && ip - places[i] <= 6)
         return places[i];
#     endif
   }
   return 0;
}

/* In words, for those who have no `dg record` that reads the log.  */
static void tell ( Addr at, const HChar* set )
{
   VG_(umsg)("Datagrind: Valgrind does not know the %s%sinstruction at %s.  "
             "The program was given SIGILL.\n",
             set, set[0] == '\0' ? "" : " ",
             VG_(describe_IP)(VG_(current_DiEpoch)(), at, NULL));
}

void DG_(undecoded_handler) ( ThreadId tid, Int signal, Bool begins )
{
   if (signal != VKI_SIGILL)
      return;
   handled = begins ? place_of(VG_(get_IP)(tid)) : 0;
   handles = tid;
}

void DG_(undecoded_end) ( ThreadId tid, Addr ip )
{
   static DgRecord record;
   UChar bytes[DG_UNDECODED_BYTES + 8];
   Addr  at = place_of(ip);
   const HChar* set;
   SizeT n = DG_UNDECODED_BYTES;

   if (at == 0 && tid == handles)
      at = handled;
   if (at == 0)
      return;
   VG_(memset)(bytes, 0, sizeof bytes);
   while (n > 0 && !DG_(core_copy)(bytes, at, n))
      n--;
   set = n > 0 ? name_of(bytes) : "";
   if (set == NULL)
      return;
   DG_(rec_begin)(&record, DG_R_UNDECODED);
   DG_(rec_word)(&record, DG_(thread_number)(tid));
   DG_(rec_word)(&record, DG_(code_at)(at));
   DG_(rec_string)(&record, set);
   DG_(rec_byte)(&record, n);
   DG_(rec_bytes)(&record, bytes, n);
   DG_(rec_write)(&record);
   if (DG_(opt).ring_dir == NULL)
      tell(at, set);
}

/*--------------------------------------------------------------------*/
/*--- end                                           dg_undecoded.c ---*/
/*--------------------------------------------------------------------*/
