# cross.sh: a test of the recorder for guests of another architecture, which are
# emulated; to be sourced by ARCHITECTURE-NAME.sh, which is tests/record/NAME.sh.
# What differs between architectures is tested so: how calls and returns look,
# what instructions access, structures of the system, and the ring between an
# emulated guest and a packer that is not.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
name=$(basename "$0" .sh)
arch=${name%%-*}
folder=${abs_top_builddir:?}/cross-$arch
if [ ! -e "$folder/ready" ]; then
  echo "1..0 # SKIP no emulated Valgrind for $arch (make cross-$arch)"
  exit 0
fi
DATAGRIND_CROSS=$folder exec bash "${abs_srcdir:?}/record/${name#*-}.sh"
