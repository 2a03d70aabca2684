/* calls_perfetto.c: calls and events of the program over time, as a trace of
   Perfetto: packets of Protocol Buffers, by the numbers of their fields in
   perfetto_trace.proto.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include "calls_proto.h"
#include "calls_walk.h"

#include <string.h>

#include "base/error.h"

/* Fields and their wire types.  */
#define FIELD CALLS_PROTO_FIELD
#define NUMBER CALLS_PROTO_NUMBER
#define BYTES CALLS_PROTO_BYTES
#define TRACE_PACKET FIELD (1, BYTES)
#define PACKET_TIMESTAMP FIELD (8, NUMBER)
#define PACKET_SEQUENCE FIELD (10, NUMBER)
#define PACKET_TRACK_EVENT FIELD (11, BYTES)
#define PACKET_TRACK_DESCRIPTOR FIELD (60, BYTES)
#define DESCRIPTOR_UUID FIELD (1, NUMBER)
#define DESCRIPTOR_NAME FIELD (2, BYTES)
#define DESCRIPTOR_PROCESS FIELD (3, BYTES)
#define DESCRIPTOR_THREAD FIELD (4, BYTES)
#define DESCRIPTOR_PARENT FIELD (5, NUMBER)
#define PROCESS_PID FIELD (1, NUMBER)
#define PROCESS_NAME FIELD (6, BYTES)
#define THREAD_PID FIELD (1, NUMBER)
#define THREAD_TID FIELD (2, NUMBER)
#define THREAD_NAME FIELD (5, BYTES)
#define EVENT_ANNOTATION FIELD (4, BYTES)
#define EVENT_TYPE FIELD (9, NUMBER)
#define EVENT_TRACK FIELD (11, NUMBER)
#define EVENT_NAME FIELD (23, BYTES)
#define ANNOTATION_NUMBER FIELD (3, NUMBER)
#define ANNOTATION_NAME FIELD (10, BYTES)
#define TYPE_BEGIN 1
#define TYPE_END 2

/* Tracks: that of the process, of threads, of events.  */
#define TRACK_PROCESS 1
#define TRACK_THREADS (UINT64_C (1) << 32)
#define TRACK_EVENTS (UINT64_C (2) << 32)
#define SEQUENCE 1
#define PID 1

struct writer {
  struct calls *calls;
  FILE *file;
  GByteArray *packet, *part, *inner;   /* in hand */
  uint64_t track;
  GArray *starts;          /* uint64_t: the weight of the thread when each
                              open call began */
};

/* Writes the packet with the part that was made.  */
static void
write_packet (struct writer *writer, unsigned field)
{
  GByteArray *packet = writer->packet;
  GByteArray *head = writer->inner;

  calls_proto_number (packet, PACKET_SEQUENCE, SEQUENCE);
  calls_proto_bytes (packet, field, writer->part->data, writer->part->len);
  g_byte_array_set_size (head, 0);
  calls_proto_number (head, TRACE_PACKET, packet->len);
  fwrite (head->data, 1, head->len, writer->file);
  fwrite (packet->data, 1, packet->len, writer->file);
  g_byte_array_set_size (packet, 0);
  g_byte_array_set_size (head, 0);
  g_byte_array_set_size (writer->part, 0);
}

static void
write_process (struct writer *writer)
{
  calls_proto_number (writer->inner, PROCESS_PID, PID);
  calls_proto_text (writer->inner, PROCESS_NAME,
            calls_walk_program (writer->calls->log));
  calls_proto_number (writer->part, DESCRIPTOR_UUID, TRACK_PROCESS);
  calls_proto_bytes (writer->part, DESCRIPTOR_PROCESS, writer->inner->data,
             writer->inner->len);
  write_packet (writer, PACKET_TRACK_DESCRIPTOR);
}

static void
write_thread (void *user, uint32_t thread, const char *name)
{
  struct writer *writer = user;

  writer->track = TRACK_THREADS + thread;
  calls_proto_number (writer->inner, THREAD_PID, PID);
  calls_proto_number (writer->inner, THREAD_TID, thread);
  calls_proto_text (writer->inner, THREAD_NAME, name);
  calls_proto_number (writer->part, DESCRIPTOR_UUID, writer->track);
  calls_proto_number (writer->part, DESCRIPTOR_PARENT, TRACK_PROCESS);
  calls_proto_bytes (writer->part, DESCRIPTOR_THREAD, writer->inner->data,
             writer->inner->len);
  write_packet (writer, PACKET_TRACK_DESCRIPTOR);
}

/* name: NULL where it ends.  */
static void
write_event (struct writer *writer, const char *name, uint64_t icount)
{
  calls_proto_number (writer->packet, PACKET_TIMESTAMP, icount);
  calls_proto_number (writer->part, EVENT_TYPE,
                      name != NULL ? TYPE_BEGIN : TYPE_END);
  calls_proto_number (writer->part, EVENT_TRACK, writer->track);
  if (name != NULL)
    calls_proto_text (writer->part, EVENT_NAME, name);
  write_packet (writer, PACKET_TRACK_EVENT);
}

static void
write_begin (void *user, uint32_t function, uint64_t icount,
             uint64_t own)
{
  struct writer *writer = user;

  g_array_append_val (writer->starts, own);
  write_event (writer,
               calls_code_function (writer->calls->code, function).label,
               icount);
}

/* Adds what a call took to the event that comes next.  */
static void
annotate (struct writer *writer, uint64_t cost)
{
  calls_proto_number (writer->inner, ANNOTATION_NUMBER, cost);
  calls_proto_text (writer->inner, ANNOTATION_NAME,
            calls_weight_key (writer->calls->weight));
  calls_proto_bytes (writer->part, EVENT_ANNOTATION, writer->inner->data,
             writer->inner->len);
  g_byte_array_set_size (writer->inner, 0);
}

static void
write_end (void *user, uint32_t function, uint64_t icount,
           uint64_t own)
{
  struct writer *writer = user;
  guint last = writer->starts->len - 1;
  uint64_t start = g_array_index (writer->starts, uint64_t, last);

  (void) function;
  g_array_set_size (writer->starts, last);
  if (writer->calls->meter != NULL)
    annotate (writer, calls_shown (writer->calls, own - start));
  write_event (writer, NULL, icount);
}

/* Events may overlap, so each has a track of its own.  */
static void
write_events (struct writer *writer)
{
  uint64_t last = dg_log_summary (writer->calls->log)->last_icount;
  size_t n;
  const struct dg_event *events = dg_log_events (writer->calls->log, &n);

  for (size_t i = 0; i < n && i < writer->calls->spans.limit; i++) {
    writer->track = TRACK_EVENTS + i;
    calls_proto_number (writer->part, DESCRIPTOR_UUID, writer->track);
    calls_proto_number (writer->part, DESCRIPTOR_PARENT, TRACK_PROCESS);
    calls_proto_text (writer->part, DESCRIPTOR_NAME, events[i].label);
    write_packet (writer, PACKET_TRACK_DESCRIPTOR);
    write_event (writer, events[i].label, events[i].start_icount);
    write_event (writer, NULL, MIN (events[i].end_icount, last));
  }
}

int
calls_write_perfetto (struct calls *calls, struct dg_report *report,
                      struct dg_error *err)
{
  struct writer writer = {
    .calls = calls, .file = dg_report_file (report, calls->perfetto, err)};
  const struct calls_walker walker = {&writer, write_thread, write_begin,
                                      write_end};
  int code;

  if (writer.file == NULL)
    return DG_ERR_IO;
  writer.packet = g_byte_array_new ();
  writer.part = g_byte_array_new ();
  writer.inner = g_byte_array_new ();
  writer.starts = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  write_process (&writer);
  code = calls_walk (calls->log, &calls->spans, &walker, report, err);
  write_events (&writer);
  calls_walk_note (&calls->spans, calls->perfetto, report);
  g_byte_array_unref (writer.packet);
  g_byte_array_unref (writer.part);
  g_byte_array_unref (writer.inner);
  g_array_unref (writer.starts);
  return code;
}
