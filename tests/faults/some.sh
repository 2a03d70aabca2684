#!/bin/bash
# some.sh: calls of some commands fail, one of each kind: those that write a new
# file and replace one, that read in several threads, that record, and that
# print.  sweep.sh, which check-all runs, has all commands.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

here=$(cd "$(dirname "$0")" && pwd)
# More calls than there are kinds, so that each kind has one.
FAULTS_SAMPLE=24 FAULTS_FOUND=no exec bash "$here/sweep.sh" info-json \
  pack-workers pack-over unpack-over cut-bundle bundle index-over import \
  record-over counts-workers variables heap-dhat allocs-diff export-gz advise \
  report-two
