/* typed_programs.h: programs with types of every kind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef TYPED_PROGRAMS_H
#define TYPED_PROGRAMS_H

extern const char typed_c[];
extern const char typed_cc[];

#endif /* TYPED_PROGRAMS_H */
