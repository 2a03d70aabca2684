# corpora.sh: the inputs that fuzz targets begin with; to be sourced by run,
# many and coverage, with `here`, this folder, and `out`, where they work.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
: "${here:?}" "${out:?}"

corpora_unpack ()
{
  rm -rf "$out/unpacked"
  mkdir -p "$out/unpacked"
  tar -xJf "$here/corpus.tar.xz" -C "$out/unpacked"
}

# What a fuzzer found to reach more, and what it found.
corpora_of () # TARGET: prints folders
{
  local names=${1#light_} name folder
  case $1 in
  analyses) names=log ;;
  questions) names='questions archive' ;;
  esac
  for name in $names; do
    for folder in "$out/unpacked/corpus/$name" "$here/regressions-$name"; do
      [ ! -d "$folder" ] || echo "$folder"
    done
  done
}
