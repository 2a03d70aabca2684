/*--------------------------------------------------------------------*/
/*--- Datagrind: the ring to who packs the log.          dg_ring.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* With --datagrind-ring=DIR there is no file: runs, what they name, and
   records go as messages through shared memory to the process that owns DIR
   (dg_ring.h).  Runs go as they are, so that all the work of making a log is
   done on the other processor.

   The program must not notice: when that process is slow we wait for it,
   when it is gone, or wants no more, recording has ended.  */

#include "dg_arch.h"
#include "dg_ring.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"

Bool DG_(ring_open);

static struct dg_ring_header* header;    /* NULL: not mapped */
static UChar* data;
static SizeT  mapped;            /* bytes */
static UInt   units;             /* of the data */
static UInt   populated;         /* units whose pages are there */
static UInt   head;              /* what the packer will see in time */
static UInt   published;         /* what it sees */
static UInt   tail;              /* the last that we saw of its counter */
static ULong  sent;              /* bytes */
static ULong  waits, waited_us;
static ULong  skipped;           /* instructions, not told yet */
static UInt   open_size;         /* of the message that is being made */
static Bool   is_swapped;        /* the header is of the other byte order */

UWord* DG_(ring_place);

/* What the run buffer takes there: as large as the other one, smaller where
   the ring ends or is nearly full.  Behind its limit a block still fits.  */
#define PLACE_UNITS  (160 * 1024 / DG_RING_UNIT)
#define LEAST_UNITS  (32 * 1024 / DG_RING_UNIT)
#define SLACK_UNITS  (4096 * sizeof(UWord) / DG_RING_UNIT + 1)

/* Telling the packer of each message would send the counter's cache line back
   and forth: it is told when there is something to do for it.  */
#define PUBLISH_UNITS  (32 * 1024 / DG_RING_UNIT)

#define POPULATE_UNITS (1024 * 1024 / DG_RING_UNIT)

/* Definitions that were made and not sent.  They go before anything that
   may name them.  */
#define MAX_PENDING  256
static struct dg_ring_variant variants[MAX_PENDING];
static struct dg_ring_node    nodes[MAX_PENDING];
static UInt n_variants, n_nodes;

/* The packer.  */
static ULong owner_pid;
static ULong owner_ticks;

/* Who waits lets the packer have the processor, and goes on when there is
   much to be done at once; but not if that takes long.  */
#define SPINS          100
#define MUCH           (units / 4)
#define LONG_MS        20
#define LOOK_MS        100       /* how often to see whether it lives */
#define ASK_MS         10000     /* how long to ask it for a ring */

/*------------------------------------------------------------*/
/*--- The other side                                       ---*/
/*------------------------------------------------------------*/

static void sleep_ms ( UInt ms )
{
   VG_(poll)(NULL, 0, ms);
}

/* DIR, which the program loses sight of where it gets another root; or -1.  It
   is opened by the first process, and its children have it.  */
static Int folder = -1;

static void open_folder ( void )
{
   Int fd = folder < 0 ? VG_(fd_open)(DG_(opt).ring_dir, DG_OPEN_PATH, 0) : -1;
   if (fd >= 0)
      folder = DG_(core_safe_fd)(fd);
}

/* A file of that folder, which the packer has made as this user; -1: another one
   stands there.  Who may write to the ring may have us write elsewhere.  */
static Int open_own ( const HChar* name, Int flags )
{
   struct vg_stat st;
   Int fd = DG_(core_open_in)(folder, name, flags | DG_ARCH_NOFOLLOW
                                            | VKI_O_NONBLOCK, 0);
   if (fd < 0)
      return -1;
   if (VG_(fstat)(fd, &st) == 0 && VKI_S_ISREG(st.mode)
       && st.uid == (UInt)VG_(geteuid)()
       && (st.mode & (VKI_S_IWGRP|VKI_S_IWOTH)) == 0)
      return fd;
   VG_(close)(fd);
   return -1;
}

/* Text of a small file, with a NUL; its length, or -1 without the file.  */
static Int read_text ( const HChar* name, HChar* text, Int size )
{
   Int fd = open_own(name, VKI_O_RDONLY);
   if (fd < 0)
      return -1;
   Int n = VG_(read)(fd, text, size - 1);
   VG_(close)(fd);
   if (n < 0)
      n = 0;
   text[n] = 0;
   return n;
}

static Bool read_owner ( void )
{
   HChar  text[64];
   HChar* end;
   if (read_text("owner", text, sizeof text) <= 0)
      return False;
   owner_pid   = VG_(strtoull10)(text, &end);
   owner_ticks = VG_(strtoull10)(end, NULL);
   return owner_pid != 0;
}

/* One that has ended and was not waited for lives no more.  Where the program
   has a root without /proc, that is all that can be known.  */
static Bool owner_lives ( void )
{
   HChar state, own;
   if (DG_(start_ticks)(VG_(getpid)(), &own) == 0)
      return DG_(core_has_process)(owner_pid);
   return DG_(start_ticks)(owner_pid, &state) == owner_ticks
          && state != 'Z' && state != 'X';
}

/*------------------------------------------------------------*/
/*--- Asking for a ring                                    ---*/
/*------------------------------------------------------------*/

/* By which /proc knows us, and so the packer: not what getpid says in a pid
   namespace that the program has made.  */
static ULong proc_pid ( void )
{
   HChar  text[32];
   HChar* end;
   SSizeT n = VG_(readlink)("/proc/self", text, sizeof text - 1);
   if (n > 0) {
      text[n] = 0;
      ULong pid = VG_(strtoull10)(text, &end);
      if (pid != 0 && *end == 0)
         return pid;
   }
   return VG_(getpid)();
}

#define NAME_SIZE  32

static void name_of ( HChar* name, const HChar* what )
{
   VG_(snprintf)(name, NAME_SIZE, "%llu.%s", proc_pid(), what);
}

/* Is there a file of that name?  */
static Bool is_there ( const HChar* name )
{
   Int fd = DG_(core_open_in)(folder, name, DG_OPEN_PATH|DG_ARCH_NOFOLLOW, 0);
   if (fd >= 0)
      VG_(close)(fd);
   return fd >= 0;
}

/* A program whose process was told this before an exec is not told again.  */
static void refuse ( const HChar* why )
{
   if (DG_(opt).ring_child != 0)
      VG_(umsg)("Datagrind: cannot be recorded: %s.\n", why);
}

/* A number of the header, which is the packer's: by an emulator of another
   processor we see it as that does not.  */
static inline UInt of_packer ( UInt n )
{
   return UNLIKELY(is_swapped) ? __builtin_bswap32(n) : n;
}

static inline ULong of_packer_quad ( ULong n )
{
   return UNLIKELY(is_swapped) ? __builtin_bswap64(n) : n;
}

static inline UInt load ( const UInt* from )
{
   return of_packer(__atomic_load_n(from, __ATOMIC_ACQUIRE));
}

static inline void store ( UInt* to, UInt n )
{
   __atomic_store_n(to, of_packer(n), __ATOMIC_RELEASE);
}

/* What the file's header says against using it, or NULL; it is in our order
   then.  */
static const HChar* objection ( struct dg_ring_header* h, Long size )
{
   static HChar text[128];
   if (VG_(memcmp)(h->magic, DG_RING_MAGIC, sizeof h->magic) != 0)
      return "that is not a ring";
   is_swapped     = h->version == __builtin_bswap32(DG_RING_VERSION);
   h->version     = of_packer(h->version);
   h->header_size = of_packer(h->header_size);
   h->data_size   = of_packer(h->data_size);
   if (h->version != DG_RING_VERSION) {
      VG_(sprintf)(text, "the ring has version %u, but this exp-datagrind "
                         "needs version %u", h->version,
                   (UInt)DG_RING_VERSION);
      return text;
   }
   if (h->header_size != DG_RING_HEADER
       || h->data_size < DG_RING_MIN || h->data_size > DG_RING_MAX
       || (h->data_size & (h->data_size - 1)) != 0
       || size != (Long)h->header_size + h->data_size)
      return "the ring has an invalid size";
   return NULL;
}

/* Maps the ring of that name.  NULL, or what is wrong.  */
static const HChar* attach ( const HChar* name )
{
   struct dg_ring_header h;
   struct vg_stat st;
   Int fd = open_own(name, VKI_O_RDWR);
   if (fd < 0)
      return "its ring cannot be opened";
   fd = DG_(core_safe_fd)(fd);
   if (fd < 0) {
      DG_(core_unlink_in)(folder, name);
      return "there is no descriptor for its ring";
   }
   const HChar* wrong = NULL;
   if (VG_(fstat)(fd, &st) != 0
       || VG_(read)(fd, &h, sizeof h) != sizeof h)
      wrong = "its ring cannot be read";
   else
      wrong = objection(&h, st.size);
   if (wrong == NULL) {
      mapped = h.header_size + h.data_size;
      header = (struct dg_ring_header*)DG_(core_map_shared)(fd, mapped);
      if (header == NULL)
         wrong = "there is not enough address space for the ring";
   }
   VG_(close)(fd);
   DG_(core_unlink_in)(folder, name);
   return wrong;
}

/* The packer's answer, waited for: True if it is a ring.  Says why not,
   unless the packer wants nothing said.  */
static Bool ask ( void )
{
   HChar ring[NAME_SIZE], none[NAME_SIZE], want[NAME_SIZE];
   HChar text[256];
   Bool  asked = False;
   Bool  got = False;
   const HChar* wrong = NULL;
   UInt  start = VG_(read_millisecond_timer)();
   name_of(ring, "ring");
   name_of(none, "none");
   name_of(want, "want");

   while (wrong == NULL && !got) {
      UInt waited = VG_(read_millisecond_timer)() - start;
      if (is_there(ring)) {
         wrong = attach(ring);
         got   = wrong == NULL;
      } else if (read_text(none, text, sizeof text) >= 0) {
         wrong = text;
         DG_(core_unlink_in)(folder, none);
      } else if (!owner_lives()) {
         wrong = "the process that packs the log has ended";
      } else if (waited > ASK_MS) {
         wrong = "the process that packs the log does not respond";
      } else if (!asked) {
         asked = True;
         Int fd = DG_(core_open_in)(folder, want,
                                    VKI_O_CREAT|VKI_O_EXCL|VKI_O_WRONLY,
                                    VKI_S_IRUSR|VKI_S_IWUSR);
         if (fd >= 0)
            VG_(close)(fd);
         else if (fd != -VKI_EEXIST)
            wrong = "the folder for requests cannot be written to";
      } else {
         sleep_ms(waited < 100 ? 1 : 10);
      }
   }
   if (asked)
      DG_(core_unlink_in)(folder, want);
   if (!got && wrong[0] != 0)
      refuse(wrong);
   return got;
}

Bool DG_(ring_attach) ( void )
{
   HChar state;
   open_folder();
   if (!read_owner()) {
      refuse("its --datagrind-ring is not the folder of a recorder");
      return False;
   }
   if (!ask())
      return False;
   if (DG_(opt).values
       && !(of_packer(header->features) & DG_RING_KNOWS_VALUES)) {
      VG_(umsg)("Datagrind: the process that packs the log does not know "
                "values; they are not recorded.\n");
      DG_(opt).values = False;
   }
   data  = (UChar*)header + DG_RING_HEADER;
   units = (mapped - DG_RING_HEADER) / DG_RING_UNIT;
   head  = published = tail = load(&header->tail);
   sent  = skipped = 0;
   waits = waited_us = 0;
   populated = 0;
   n_variants = n_nodes = 0;
   ULong pid = proc_pid();
   header->order       = DG_RING_ORDER;
   header->head        = of_packer(head);
   header->word_size   = of_packer(sizeof(UWord));
   header->pid         = of_packer_quad(pid);
   header->start_ticks = of_packer_quad(DG_(start_ticks)(pid, &state));
   header->max_size    = of_packer_quad(DG_(opt).max_size);
   store(&header->attached, 1);
   DG_(ring_open) = True;
   return True;
}

/*------------------------------------------------------------*/
/*--- Room                                                 ---*/
/*------------------------------------------------------------*/

static void unmap ( void )
{
   DG_(ring_leave_place)();
   if (header != NULL)
      VG_(am_munmap_valgrind)((Addr)header, mapped);
   header = NULL;
   DG_(ring_open) = False;
}

/* Without a word to the packer: the ring is another process's.  */
void DG_(ring_forget) ( void )
{
   unmap();
}

static void publish ( void )
{
   if (published == head)
      return;
   published = head;
   store(&header->head, head);
}

static void end_recording ( void )
{
   store(&header->closed, 1);
   unmap();
   DG_(recording) = False;
}

static Bool wants_more ( void )
{
   return load(&header->stop) == 0;
}

static inline UInt room ( void )
{
   return units - (head - tail);
}

/* Waits until n units can be written; False if they never will be.  */
static Bool wait_for ( UInt n )
{
   tail = load(&header->tail);
   if (LIKELY(room() >= n) || !DG_(ring_open))
      return DG_(ring_open);
   ULong start = DG_(now_ns)();
   UInt  slept = 0;
   publish();
   for (UInt i = 0; ; i++) {
      tail = load(&header->tail);
      if (room() >= n && (i == 0 || room() >= MUCH || slept >= LONG_MS))
         break;
      if (!wants_more()) {
         end_recording();
         return False;
      }
      if (i < SPINS)
         continue;
      sleep_ms(1);
      if (++slept % LOOK_MS == 0 && !owner_lives()) {
         VG_(umsg)("Datagrind: the process that packs the log has ended.  "
                   "Recording has stopped; the program continues.\n");
         end_recording();
         return False;
      }
   }
   waited_us += (DG_(now_ns)() - start) / 1000;
   header->waits     = of_packer_quad(++waits);
   header->waited_us = of_packer_quad(waited_us);
   return True;
}

static void populate ( UInt upto )
{
   UInt n = VG_ROUNDUP(upto - populated, POPULATE_UNITS);
   if (n > units - populated)
      n = units - populated;
   DG_(core_populate)((Addr)data + (SizeT)populated * DG_RING_UNIT,
                      (SizeT)n * DG_RING_UNIT);
   populated += n;
}

static inline UInt units_of ( UInt size )
{
   return (sizeof(struct dg_ring_message) + size + DG_RING_UNIT - 1)
          / DG_RING_UNIT;
}

static inline struct dg_ring_message* message_at ( UInt at )
{
   return (struct dg_ring_message*)(data + (SizeT)at * DG_RING_UNIT);
}

/* The runs in the place are a message.  */
static void let_go ( void )
{
   UInt size = (DG_(hot).cur - DG_(ring_place)) * sizeof(UWord);
   if (size == 0)
      return;
   struct dg_ring_message* m = (struct dg_ring_message*)DG_(ring_place) - 1;
   m->kind = DG_RING_RUNS;
   m->size = size;
   head += units_of(size);
   sent += (ULong)units_of(size) * DG_RING_UNIT;
}

/* Room for a message of so many bytes, whose head is written, or NULL when
   nothing is recorded any more.  It counts when end_message is called.  */
static UChar* begin_message ( UInt kind, UInt size )
{
   if (DG_(ring_place) != NULL)
      let_go();
   UInt n    = units_of(size);
   UInt at   = head & (units - 1);
   UInt left = units - at;
   UInt need = n <= left ? n : left + n;
   if (UNLIKELY(room() < need) && !wait_for(need))
      return NULL;
   struct dg_ring_message* m = message_at(at);
   if (UNLIKELY(n > left)) {
      m->kind = DG_RING_PAD;
      m->size = (left - 1) * DG_RING_UNIT;
      head += left;
      m = (struct dg_ring_message*)data;
   }
   if (UNLIKELY(at + n > populated) && at + n <= units)
      populate(at + n);
   m->kind = kind;
   m->size = size;
   return (UChar*)(m + 1);
}

/* Where the next message will be is the place for runs.  */
static void place ( void )
{
   UInt least = LEAST_UNITS + SLACK_UNITS;
   UInt at    = head & (units - 1);
   UInt left  = units - at;
   UInt need  = least <= left ? least : left + least;
   if (UNLIKELY(room() < PLACE_UNITS + SLACK_UNITS) && !wait_for(need))
      return;
   UInt n = room();
   if (UNLIKELY(least > left)) {
      struct dg_ring_message* m = message_at(at);
      m->kind = DG_RING_PAD;
      m->size = (left - 1) * DG_RING_UNIT;
      head += left;
      n    -= left;
      at    = 0;
   } else if (n > left) {
      n = left;
   }
   if (n > PLACE_UNITS + SLACK_UNITS)
      n = PLACE_UNITS + SLACK_UNITS;
   if (UNLIKELY(at + n > populated))
      populate(at + n);
   DG_(ring_place) = (UWord*)(message_at(at) + 1);
   DG_(hot).cur    = DG_(ring_place);
   DG_(hot).limit  = (UWord*)message_at(at + n - SLACK_UNITS);
}

static void end_message ( UInt size )
{
   UInt n = units_of(size);
   head += n;
   sent += n * DG_RING_UNIT;
   if (head - published >= PUBLISH_UNITS)
      publish();
   if (DG_(ring_place) != NULL)
      place();
}

static Bool send ( UInt kind, const void* p, UInt size )
{
   UChar* to = begin_message(kind, size);
   if (to == NULL)
      return False;
   VG_(memcpy)(to, p, size);
   end_message(size);
   return True;
}

/*------------------------------------------------------------*/
/*--- Definitions                                          ---*/
/*------------------------------------------------------------*/

static void send_variants ( void )
{
   UInt n = n_variants;
   n_variants = 0;
   if (n != 0)
      send(DG_RING_VARIANTS, variants, n * sizeof *variants);
}

static void send_nodes ( void )
{
   UInt n = n_nodes;
   n_nodes = 0;
   if (n != 0)
      send(DG_RING_NODES, nodes, n * sizeof *nodes);
}

static void send_skipped ( void )
{
   ULong n = skipped;
   skipped = 0;
   if (n != 0)
      send(DG_RING_SKIP, &n, sizeof n);
}

/* What was put off and must stand before the next message.  */
static inline void catch_up ( void )
{
   if (LIKELY((n_variants | n_nodes) == 0 && skipped == 0))
      return;
   send_variants();
   send_nodes();
   send_skipped();
}

static void put_values ( struct dg_ring_value* to, const DgBlock* b )
{
   for (UInt i = 0; i < b->n_entries; i++, to++) {
      VG_(memset)(to, 0, sizeof *to);
      to->disp = b->values[i].disp;
      to->from = b->values[i].from;
      to->kind = b->values[i].kind;
   }
}

void DG_(ring_block) ( const DgBlock* b )
{
   if (!DG_(ring_open))
      return;
   UInt size = sizeof(struct dg_ring_block)
               + b->n_instrs * sizeof(struct dg_ring_instr)
               + b->n_entries * sizeof(struct dg_ring_entry);
   if (b->values != NULL)
      size += b->n_entries * sizeof(struct dg_ring_value);
   UChar* to = begin_message(DG_RING_BLOCK, size);
   if (to == NULL)
      return;
   struct dg_ring_block* block = (struct dg_ring_block*)to;
   block->n_instrs  = b->n_instrs;
   block->n_entries = b->n_entries;
   block->n_words   = b->n_words;
   block->has_values = b->values != NULL;
   struct dg_ring_instr* in = (struct dg_ring_instr*)(block + 1);
   for (UInt i = 0; i < b->n_instrs; i++, in++) {
      in->address  = b->instrs[i].addr;
      in->size     = b->instrs[i].size;
      in->reserved = 0;
   }
   struct dg_ring_entry* e = (struct dg_ring_entry*)in;
   for (UInt i = 0; i < b->n_entries; i++, e++) {
      e->disp     = b->entries[i].disp;
      e->word     = b->entries[i].word;
      e->kind     = b->entries[i].kind;
      e->size     = b->entries[i].size;
      e->iseq     = b->entries[i].iseq;
      e->guarded  = b->entries[i].guarded;
      e->reserved = 0;
   }
   if (b->values != NULL)
      put_values((struct dg_ring_value*)e, b);
   end_message(size);
}

void DG_(ring_variant) ( const DgVariant* v )
{
   if (!DG_(ring_open))
      return;
   struct dg_ring_variant* r = &variants[n_variants++];
   r->block     = v->block->index;
   r->n_instrs  = v->n_instrs;
   r->n_entries = v->n_entries;
   r->n_words   = v->n_words;
   if (n_variants == MAX_PENDING || DG_(ring_place) != NULL)
      send_variants();
}

void DG_(ring_node) ( UInt parent, Addr site )
{
   if (!DG_(ring_open))
      return;
   struct dg_ring_node* r = &nodes[n_nodes++];
   r->site     = site;
   r->parent   = parent;
   r->reserved = 0;
   if (n_nodes == MAX_PENDING || DG_(ring_place) != NULL)
      send_nodes();
}

/*------------------------------------------------------------*/
/*--- Messages                                             ---*/
/*------------------------------------------------------------*/

void DG_(ring_skip) ( ULong n_instrs )
{
   skipped += n_instrs;
}

/* Room for a record of n bytes with its head, and 8 more; or NULL.  */
UChar* DG_(ring_record) ( UInt n )
{
   catch_up();
   if (!DG_(ring_open))
      return NULL;
   UChar* p = begin_message(DG_RING_RECORD, n + 8);
   if (p != NULL)
      ((struct dg_ring_message*)p)[-1].size = open_size = n;
   return p;
}

void DG_(ring_record_done) ( void )
{
   end_message(open_size);
}

typedef ULong Vector __attribute__((vector_size(16)));

void DG_(ring_take_place) ( void )
{
   catch_up();
   if (DG_(ring_open))
      place();
}

void DG_(ring_leave_place) ( void )
{
   if (DG_(ring_place) == NULL)
      return;
   DG_(ring_place) = NULL;
   DG_(run_to_buffer)();
}

void DG_(ring_runs_here) ( void )
{
   let_go();
   if (head - published >= PUBLISH_UNITS)
      publish();
   place();
}

/* Whole runs of n words, which are 0 afterwards.  */
void DG_(ring_runs) ( UWord* words, UInt n )
{
   UInt size = n * sizeof(UWord);
   if (n == 0)
      return;
   catch_up();
   UChar* to = DG_(ring_open) ? begin_message(DG_RING_RUNS, size) : NULL;
   if (to == NULL)
      return;
   UInt i = 0;
   typedef Vector Unaligned __attribute__((aligned(4)));
   Vector zero = { 0, 0 };
   for (; i + 64 <= size; i += 64)
      for (UInt k = 0; k < 64; k += 16) {
         Unaligned* from = (Unaligned*)((UChar*)words + i + k);
         *(Unaligned*)(to + i + k) = *from;
         *from = zero;
      }
   for (i /= sizeof(UWord); i < n; i++) {
      ((UWord*)to)[i] = words[i];
      words[i] = 0;
   }
   end_message(size);
}

/* Called now and then: the packer shall see what there is, and may want no
   more of it.  */
void DG_(ring_sync) ( void )
{
   if (!DG_(ring_open))
      return;
   catch_up();
   if (!DG_(ring_open))
      return;
   publish();
   if (!wants_more())
      end_recording();
}

/* Nothing follows.  */
void DG_(ring_close) ( void )
{
   DG_(ring_sync)();
   if (DG_(ring_open)) {
      store(&header->closed, 1);
      unmap();
   }
}

ULong DG_(ring_bytes) ( void )
{
   return sent;
}

/*--------------------------------------------------------------------*/
/*--- end                                                dg_ring.c ---*/
/*--------------------------------------------------------------------*/
