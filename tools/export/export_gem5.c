/* export_gem5.c: gem5's traces of packets: its magic number, then messages of
   Protocol Buffers with their lengths: a PacketHeader, and a Packet for each
   access (gem5's packet.proto).  An instruction takes a nanosecond, or a
   part of one (--rate).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

#define MAGIC "gem5"

/* Ticks are picoseconds.  */
#define TICKS_PER_SECOND UINT64_C (1000000000000)
#define TICKS_PER_NS 1000

/* MemCmd::ReadReq and WriteReq; Request::INST_FETCH.  */
#define CMD_READ 1
#define CMD_WRITE 4
#define FLAG_FETCH 0x100

/* Fields with their wire types: of PacketHeader and of Packet.  */
#define HEADER_OBJ_ID (1 << 3 | 2)
#define HEADER_TICK_FREQ (3 << 3 | 0)
#define PACKET_TICK (1 << 3 | 0)
#define PACKET_CMD (2 << 3 | 0)
#define PACKET_ADDR (3 << 3 | 0)
#define PACKET_SIZE (4 << 3 | 0)
#define PACKET_FLAGS (5 << 3 | 0)
#define PACKET_ID (6 << 3 | 0)
#define PACKET_PC (7 << 3 | 0)

static char *
put_varint (char *at, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    *at++ = (char) (number | 0x80);
  *at++ = (char) number;
  return at;
}

static char *
put_field (char *at, char field, uint64_t number)
{
  *at++ = field;
  return put_varint (at, number);
}

int
export_gem5_begin (struct export *export, struct dg_error *err)
{
  static const char name[] = "datagrind";
  char message[64], *at = message;

  (void) err;
  *at++ = HEADER_OBJ_ID;
  at = put_varint (at, sizeof name - 1);
  memcpy (at, name, sizeof name - 1);
  at = put_field (at + sizeof name - 1, HEADER_TICK_FREQ, TICKS_PER_SECOND);
  output_text (&export->out, MAGIC);
  output_reserve (&export->out);
  *export->out.at++ = (char) (at - message);
  export_bytes (export, message, (size_t) (at - message));
  return 0;
}

/* At most 55 bytes, so that its length is one.  */
static char *
put_packet (char *at, const struct export_instr *instr,
            const struct export_access *access, uint64_t tick)
{
  at = put_field (at, PACKET_TICK, tick);
  at = put_field (at, PACKET_CMD,
                  export_is_write (access) ? CMD_WRITE : CMD_READ);
  at = put_field (at, PACKET_ADDR, access->address);
  at = put_field (at, PACKET_SIZE, access->size);
  if (access->kind == EXPORT_FETCH)
    at = put_field (at, PACKET_FLAGS, FLAG_FETCH);
  at = put_field (at, PACKET_ID, instr->thread);
  if (instr->address != 0)
    at = put_field (at, PACKET_PC, instr->address);
  return at;
}

void
export_gem5_put (struct export *export, const struct export_instr *instr)
{
  uint64_t tick =
    export_time (export, export->state, instr->icount, TICKS_PER_NS);

  for (size_t i = 0; i < instr->n; i++) {
    char *start;

    output_reserve (&export->out);
    start = export->out.at;
    export->out.at = put_packet (start + 1, instr, &instr->accesses[i], tick);
    *start = (char) (export->out.at - start - 1);
  }
}
