/* mapped.c: the bytes of a file in memory, and a handler for what is missing
   of them.

   The handler may run in any thread at any moment, so it takes no lock and
   calls nothing but mmap, sigaction and raise.  It finds the mapping in a
   table of fixed size, whose places are taken and given back by atomic
   operations.  A mapping stays in the table while anybody reads it, since
   readers hold a reference.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "mapped.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* Files that are open at the same time; further ones are read.  */
#define PLACES 256
/* A fault brings the pages around it as well, usually that many bytes.  */
#define AROUND_BYTES ((size_t) 64 << 10)

struct dg_mapped {
  gint users;              /* atomic */
  uint8_t *bytes;
  size_t size;
  struct place *place;
};

/* Of a mapping, for the handler; all are atomic.  */
struct place {
  gint is_taken;
  /* The handler of another mapping may look at the place while it is filled.
     So `end` is 0 as long as `start` is not right.  */
  uintptr_t start, end;
  uint64_t hole;           /* from this offset on, zeros; UINT64_MAX: none */
};

/* A process has one handler of a signal, and so one table for it.  */
static struct {
  gsize is_ready;          /* for g_once_init_enter: 1 is installed, 2 not */
  size_t page_size;
  struct sigaction before; /* does not change once ours is installed */
  struct place places[PLACES];
} guard;

/* ---- In the handler ---- */

/* The place of the mapping that has this address, and where that ends.  */
static struct place *
find_place (uintptr_t address, uintptr_t *end)
{
  for (size_t i = 0; i < PLACES; i++) {
    struct place *place = &guard.places[i];
    uintptr_t start;

    *end = __atomic_load_n (&place->end, __ATOMIC_ACQUIRE);
    start = __atomic_load_n (&place->start, __ATOMIC_ACQUIRE);
    /* If it is the same before and after, it belongs to that start.  */
    if (start <= address && address < *end
        && __atomic_load_n (&place->end, __ATOMIC_RELAXED) == *end)
      return place;
  }
  return NULL;
}

/* Puts zeros where a mapping has nothing, from the page of this address to its
   end.  False if there is no such mapping.  */
static bool
fill_hole (uintptr_t address)
{
  uintptr_t end, page = address & ~(uintptr_t) (guard.page_size - 1);
  struct place *place = find_place (address, &end);
  uint64_t hole, seen;

  if (!place)
    return false;
  /* Noted before anybody can read the zeros.  */
  hole = page - __atomic_load_n (&place->start, __ATOMIC_RELAXED);
  seen = __atomic_load_n (&place->hole, __ATOMIC_RELAXED);
  while (hole < seen
         && !__atomic_compare_exchange_n (&place->hole, &seen, hole, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    ;
  return mmap ((void *) page, end - page, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0)
         != MAP_FAILED;
}

static void
set_default (int number)
{
  struct sigaction action = { .sa_handler = SIG_DFL };

  sigaction (number, &action, NULL);
}

/* What would have happened without us.  */
static void
pass_on (int number, siginfo_t *info, void *context)
{
  const struct sigaction *before = &guard.before;
  bool is_fault = info->si_code > 0;   /* and not sent by somebody */

  if (before->sa_handler == SIG_IGN && !is_fault)
    return;
  if (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN) {
    /* A fault happens again when we return, and then ends the process.  */
    set_default (number);
    if (!is_fault)
      raise (number);
    return;
  }
  if (before->sa_flags & SA_RESETHAND)
    set_default (number);
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction (number, info, context);
  else
    before->sa_handler (number);
}

static void
on_bus (int number, siginfo_t *info, void *context)
{
  int saved = errno;
  bool is_ours = (info->si_code == BUS_ADRERR
                  || info->si_code == BUS_MCEERR_AR)
                 && fill_hole ((uintptr_t) info->si_addr);

  errno = saved;
  if (!is_ours)
    pass_on (number, info, context);
}

/* ---- Installing it ---- */

/* With the mask and the flags of the handler before, which may rely on
   them.  */
static bool
install (void)
{
  struct sigaction action = { .sa_sigaction = on_bus };

  guard.page_size = (size_t) sysconf (_SC_PAGESIZE);
  if (sigaction (SIGBUS, NULL, &guard.before) < 0)
    return false;
  action.sa_mask = guard.before.sa_mask;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK
                    | (guard.before.sa_flags & (SA_NODEFER | SA_RESTART));
  return sigaction (SIGBUS, &action, NULL) == 0;
}

static bool
is_installed (void)
{
  if (g_once_init_enter (&guard.is_ready))
    g_once_init_leave (&guard.is_ready, install () ? 1 : 2);
  return guard.is_ready == 1;
}

bool
dg_mapped_is_safe (void)
{
  struct sigaction now;
  sigset_t blocked;

  return sigaction (SIGBUS, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO)
         && now.sa_sigaction == on_bus
         && pthread_sigmask (SIG_BLOCK, NULL, &blocked) == 0
         && !sigismember (&blocked, SIGBUS);
}

/* ---- Mappings ---- */

static struct place *
take_place (void)
{
  for (size_t i = 0; i < PLACES; i++)
    if (g_atomic_int_compare_and_exchange (&guard.places[i].is_taken, 0, 1))
      return &guard.places[i];
  return NULL;
}

struct dg_mapped *
dg_mapped_new (int fd, uint64_t size)
{
  struct dg_mapped *mapped;
  struct place *place;
  void *bytes = MAP_FAILED;

  if (size == 0 || size > G_MAXSSIZE || !is_installed ())
    return NULL;
  mapped = g_try_new0 (struct dg_mapped, 1);
  place = mapped ? take_place () : NULL;
  if (place)
    bytes = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) {
    if (place)
      g_atomic_int_set (&place->is_taken, 0);
    g_free (mapped);
    return NULL;
  }
  *mapped = (struct dg_mapped) { 1, bytes, size, place };
  __atomic_store_n (&place->hole, UINT64_MAX, __ATOMIC_RELAXED);
  __atomic_store_n (&place->start, (uintptr_t) bytes, __ATOMIC_RELEASE);
  __atomic_store_n (&place->end, (uintptr_t) bytes + size, __ATOMIC_RELEASE);
  return mapped;
}

struct dg_mapped *
dg_mapped_ref (struct dg_mapped *mapped)
{
  g_atomic_int_inc (&mapped->users);
  return mapped;
}

void
dg_mapped_unref (struct dg_mapped *mapped)
{
  if (!mapped || !g_atomic_int_dec_and_test (&mapped->users))
    return;
  __atomic_store_n (&mapped->place->end, 0, __ATOMIC_SEQ_CST);
  munmap (mapped->bytes, mapped->size);
  g_atomic_int_set (&mapped->place->is_taken, 0);
  g_free (mapped);
}

bool
dg_mapped_is_whole (const struct dg_mapped *mapped, uint64_t end)
{
  /* What was read before is not looked at later than this.  */
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  return __atomic_load_n (&mapped->place->hole, __ATOMIC_RELAXED) >= end;
}

const uint8_t *
dg_mapped_use (struct dg_mapped *mapped, uint64_t offset, size_t n)
{
  return dg_mapped_is_whole (mapped, offset + n) ? mapped->bytes + offset
                                                 : NULL;
}

void
dg_mapped_leave (struct dg_mapped *mapped, uint64_t offset, size_t n)
{
  size_t around = MAX (AROUND_BYTES, guard.page_size);
  size_t start = offset - offset % around;
  size_t end = MIN (mapped->size, offset + n + around - 1);

  /* A thread that still reads some of them gets them again.  */
  end = end == mapped->size ? end : end - end % around;
  madvise (mapped->bytes + start, end - start, MADV_DONTNEED);
}
