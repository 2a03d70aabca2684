#!/bin/bash
# The examples of docs/python.md.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs frames
[ -n "$DATAGRIND_DG_VIEW" ] || skip_all "dg_view is not built"
docs=${abs_top_srcdir:?}/docs
${CC:-cc} -g -O1 "$docs/examples/mailbox.c" -o mailbox -lpthread ||
  skip_all "the compiler cannot make mailbox"
run_test check_docs.py "$docs/python.md"
