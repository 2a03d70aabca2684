/*--------------------------------------------------------------------*/
/*--- Datagrind: what runs within the program.        dg_preload.c ---*/
/*--------------------------------------------------------------------*/

/*
   This file is part of Datagrind, a Valgrind tool that records the
   memory accesses of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later
*/

/* Part of the preloaded object, beside Valgrind's replacement of malloc: it
   wraps the functions by which threads are made and wait for one another, and
   tells the tool.  They are called rarely, and a wrapper adds some twenty
   instructions to each call, so that nothing else becomes slower.  A program
   that is linked statically has no preload.

   The thread itself does the calls, so what is told in front of one stands in
   the log before whatever it makes others do, and behind it after.  */

#include "pub_tool_basics.h"
#include "pub_tool_redir.h"
#include "valgrind.h"
#include "dg_order.h"

#define ASK(request, a, b)                                                \
   VALGRIND_DO_CLIENT_REQUEST_EXPR(0, (request), (a), (b), 0, 0, 0)
#define TELL(request, a, b)                                               \
   VALGRIND_DO_CLIENT_REQUEST_STMT((request), (a), (b), 0, 0, 0)

/* The function of that name in libc and, of older ones, in libpthread; its
   parameters in parentheses, and what makes its result of `fn'.  */
#define IN(soname, name, parameters, ...)                                 \
   UWord I_WRAP_SONAME_FNNAME_ZU(soname, name) parameters;                \
   UWord I_WRAP_SONAME_FNNAME_ZU(soname, name) parameters                 \
   {                                                                      \
      OrigFn fn;                                                          \
      UWord  result;                                                      \
      VALGRIND_GET_ORIG_FN(fn);                                           \
      __VA_ARGS__                                                         \
      return result;                                                      \
   }
#define PTHREAD(name, parameters, ...)                                    \
   IN(VG_Z_LIBC_SONAME, name, parameters, __VA_ARGS__)                    \
   IN(VG_Z_LIBPTHREAD_SONAME, name, parameters, __VA_ARGS__)

/*------------------------------------------------------------*/
/*--- Threads                                              ---*/
/*------------------------------------------------------------*/

PTHREAD(pthread_create, (UWord* handle, UWord attr, UWord start, UWord arg),
   CALL_FN_W_WWWW(result, fn, handle, attr, start, arg);
   if ((Int)result == 0)
      TELL(DG_REQ_THREAD_CREATED, *handle, 0);)

#define JOINED                                                            \
   if ((Int)result == 0)                                                  \
      TELL(DG_REQ_THREAD_JOINED, handle, 0);

PTHREAD(pthread_join, (UWord handle, UWord value),
   CALL_FN_W_WW(result, fn, handle, value);
   JOINED)
PTHREAD(pthread_tryjoin_np, (UWord handle, UWord value),
   CALL_FN_W_WW(result, fn, handle, value);
   JOINED)
PTHREAD(pthread_timedjoin_np, (UWord handle, UWord value, UWord until),
   CALL_FN_W_WWW(result, fn, handle, value, until);
   JOINED)
PTHREAD(pthread_clockjoin_np,
   (UWord handle, UWord value, UWord clock, UWord until),
   CALL_FN_W_WWWW(result, fn, handle, value, clock, until);
   JOINED)

/*------------------------------------------------------------*/
/*--- Barriers                                             ---*/
/*------------------------------------------------------------*/

PTHREAD(pthread_barrier_init, (UWord barrier, UWord attr, UWord count),
   CALL_FN_W_WWW(result, fn, barrier, attr, count);
   if ((Int)result == 0)
      TELL(DG_REQ_BARRIER_INIT, barrier, (UInt)count);)
PTHREAD(pthread_barrier_destroy, (UWord barrier),
   CALL_FN_W_W(result, fn, barrier);
   if ((Int)result == 0)
      TELL(DG_REQ_BARRIER_INIT, barrier, 0);)
PTHREAD(pthread_barrier_wait, (UWord barrier),
   TELL(DG_REQ_BARRIER_ARRIVE, barrier, 0);
   CALL_FN_W_W(result, fn, barrier);
   TELL(DG_REQ_BARRIER_LEAVE, barrier, 0);)

/*------------------------------------------------------------*/
/*--- OpenMP, as GCC has it                                ---*/
/*------------------------------------------------------------*/

/* A parallel region: its function, called by each thread of the team, which
   the library keeps for the next one.  */
typedef struct {
   void (*body) ( void* );
   void*  data;
   UWord  number;
} Team;

static void in_team ( void* arg )
{
   Team* team  = arg;
   UWord number = team->number;  /* gone when the last one has left */
   UWord before = ASK(DG_REQ_TEAM_ENTER, number, 0);
   team->body(team->data);
   TELL(DG_REQ_TEAM_LEAVE, number, before);
}

#define TEAM_BEGINS                                                       \
   Team team = { (void (*)(void*))body, (void*)data,                      \
                 ASK(DG_REQ_TEAM_NEW, 0, 0) };
#define TEAM_ENDS                                                         \
   TELL(DG_REQ_TEAM_DONE, team.number, 0);

/* libgomp.so*  */
#define GOMP(name, parameters, ...)                                       \
   IN(libgompZdsoZa, name, parameters, __VA_ARGS__)

GOMP(GOMP_parallel, (UWord body, UWord data, UWord threads, UWord flags),
   TEAM_BEGINS
   CALL_FN_W_WWWW(result, fn, in_team, &team, threads, flags);
   TEAM_ENDS)

#define GOMP_LOOP(name)                                                   \
   GOMP(name, (UWord body, UWord data, UWord threads, UWord start,        \
               UWord end, UWord step, UWord chunk, UWord flags),          \
      TEAM_BEGINS                                                         \
      CALL_FN_W_8W(result, fn, in_team, &team, threads, start, end, step, \
                   chunk, flags);                                         \
      TEAM_ENDS)
GOMP_LOOP(GOMP_parallel_loop_static)
GOMP_LOOP(GOMP_parallel_loop_dynamic)
GOMP_LOOP(GOMP_parallel_loop_guided)
GOMP_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
GOMP_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define GOMP_LOOP_AT_RUNTIME(name)                                        \
   GOMP(name, (UWord body, UWord data, UWord threads, UWord start,        \
               UWord end, UWord step, UWord flags),                       \
      TEAM_BEGINS                                                         \
      CALL_FN_W_7W(result, fn, in_team, &team, threads, start, end, step, \
                   flags);                                                \
      TEAM_ENDS)
GOMP_LOOP_AT_RUNTIME(GOMP_parallel_loop_runtime)
GOMP_LOOP_AT_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
GOMP_LOOP_AT_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

GOMP(GOMP_parallel_sections, (UWord body, UWord data, UWord threads,
                              UWord sections, UWord flags),
   TEAM_BEGINS
   CALL_FN_W_5W(result, fn, in_team, &team, threads, sections, flags);
   TEAM_ENDS)

/* Where all threads of a team wait: also at the ends of loops and sections
   whose parts they take one by one.  */
#define GOMP_BARRIER(name)                                                \
   GOMP(name, (void),                                                     \
      TELL(DG_REQ_TEAM_ARRIVE, 0, 0);                                     \
      CALL_FN_W_v(result, fn);                                            \
      TELL(DG_REQ_TEAM_GO_ON, 0, 0);)
GOMP_BARRIER(GOMP_barrier)
GOMP_BARRIER(GOMP_loop_end)
GOMP_BARRIER(GOMP_sections_end)

/*--------------------------------------------------------------------*/
/*--- end                                             dg_preload.c ---*/
/*--------------------------------------------------------------------*/
