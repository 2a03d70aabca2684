# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

check_PROGRAMS += dgasm
dgasm_SOURCES = dgasm.c asm.c asm.h
dgasm_LDADD = $(GLIB_LIBS)
