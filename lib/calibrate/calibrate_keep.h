/* calibrate_keep.h: what keeps the compiler from removing the work of a
   loop.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_KEEP_H
#define DG_CALIBRATE_KEEP_H

/* The value is in a register here, and may be any from now on.  */
#define KEEP(x) __asm__ volatile ("" : "+r" (x))
#define CALIBRATE_FLOATS 1
#if defined (__x86_64__) || (defined (__i386__) && defined (__SSE2_MATH__))
#  define KEEP_FLOAT(x) __asm__ volatile ("" : "+x" (x))
#elif defined (__aarch64__)
#  define KEEP_FLOAT(x) __asm__ volatile ("" : "+w" (x))
#else
/* No register of floating-point numbers is known: they are not measured.  */
#  define KEEP_FLOAT(x) ((void) (x))
#  undef CALIBRATE_FLOATS
#  define CALIBRATE_FLOATS 0
#endif

#define TIMES4(x)  x x x x
#define TIMES16(x) TIMES4 (TIMES4 (x))
#define TIMES64(x) TIMES4 (TIMES16 (x))

#endif /* DG_CALIBRATE_KEEP_H */
