/* symbols_test.h: programs that the tests of symbols compile and ask about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef SYMBOLS_TEST_H
#define SYMBOLS_TEST_H

#include "fake_log.h"

#include <glib.h>

/* Where everything is; set by main.  */
extern char *work_dir;
char *in_dir (const char *name);

/* What a shell command writes, NULL if it fails.  */
char *shell (const char *format, ...) G_GNUC_PRINTF (1, 2);
const char *compiler (const char *variable, const char *fallback);
/* Compiles a C or C++ source to `name`; false and a skipped test without a
   compiler for these flags.  */
bool compile_text (const char *source, const char *text, const char *name,
                   const char *flags);
/* The same for a C++ program, program.cc, which has functions that are
   inlined into each other and variables in a namespace.  */
bool compile_program (const char *name, const char *flags);

bool find_section (const char *file, const char *section, uint64_t *address,
                   uint64_t *size);
uint64_t address_of (const char *file, const char *symbol);
size_t read_build_id (const char *file, uint8_t *id);

/* A log with one module.  */
struct fixture {
  struct dg_log log;
  struct dg_module module;
  struct dg_symbols *symbols;
  char *path;
  uint8_t build_id[64];
  uint64_t text, text_size;
};
void fixture_init (struct fixture *f, const char *name, uint64_t bias,
                   bool has_detail);
void fixture_fini (struct fixture *f);

#endif /* SYMBOLS_TEST_H */
