/* count_plugin.c: a plugin of QEMU: how many instructions of its own processor
   an emulated program executes.  Its argument, `to=NAME', is where the number
   goes.

   Declares what it needs of qemu-plugin.h (version 1), which distributions do
   not have without all of QEMU.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct qemu_plugin_tb;
typedef void translated (uint64_t id, struct qemu_plugin_tb *block);
typedef void ended (uint64_t id, void *data);
enum { ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb (uint64_t id, translated *);
void qemu_plugin_register_vcpu_tb_exec_inline (struct qemu_plugin_tb *, int,
                                               void *, uint64_t);
void qemu_plugin_register_atexit_cb (uint64_t id, ended *, void *data);
size_t qemu_plugin_tb_n_insns (const struct qemu_plugin_tb *);

__attribute__ ((visibility ("default"))) int qemu_plugin_version = 1;

static uint64_t count;
static char file[4096];

static void
see_block (uint64_t id, struct qemu_plugin_tb *block)
{
  (void) id;
  qemu_plugin_register_vcpu_tb_exec_inline (block, ADD_U64, &count,
                                            qemu_plugin_tb_n_insns (block));
}

static void
say (uint64_t id, void *data)
{
  FILE *to = fopen (file, "w");

  (void) id;
  (void) data;
  if (to) {
    fprintf (to, "%" PRIu64 "\n", count);
    fclose (to);
  }
}

__attribute__ ((visibility ("default"))) int
qemu_plugin_install (uint64_t id, const void *info, int argc, char **argv)
{
  (void) info;
  if (argc != 1 || strncmp (argv[0], "to=", 3) != 0)
    return 1;
  snprintf (file, sizeof file, "%s", argv[0] + 3);
  qemu_plugin_register_vcpu_tb_trans_cb (id, see_block);
  qemu_plugin_register_atexit_cb (id, say, NULL);
  return 0;
}
