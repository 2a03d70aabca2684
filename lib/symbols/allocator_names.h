/* allocator_names.h: functions that are known to allocate for others, of many
   languages and libraries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALLOCATOR_NAMES_H
#define DG_ALLOCATOR_NAMES_H

#include <stdbool.h>

/* Of a module, by its path: the library that Valgrind puts into the program,
   its malloc and what that remembers.  */
bool dg_allocator_module_is_preload (const char *path);

/* By its demangled name, with or without parameters.  */
bool dg_allocator_is_known (const char *function);

/* Whether a function belongs to a language's own library: std:: of C++; std,
   core, alloc and hashbrown of Rust.  */
bool dg_allocator_function_is_standard (const char *function);

/* The same of a source file: headers of C++, sources of Rust's library.  */
bool dg_allocator_source_is_standard (const char *file);

#endif /* DG_ALLOCATOR_NAMES_H */
