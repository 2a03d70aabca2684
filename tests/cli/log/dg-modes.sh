# dg-modes.sh: logs, archives and bundles can be read by nobody else, whatever
# the umask would allow.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
printf 'I  04000000,3\n L 1ffeffe7e0,8\n' > trace
mkdir out
for mask in 0 022 077; do
  umask $mask
  rm -f out/*
  for words in 'pack log -o out/log.dgz' 'pack out/log.dgz -o out/again.dgz' \
      'unpack out/log.dgz -o out/log' 'bundle out/log.dgz -o out/bundle.dgz' \
      'bundle log -o out/bundle' 'cut --instructions=0..4 -o out/cut out/log' \
      'cut --instructions=0..4 -o out/cut.dgz out/log.dgz' \
      'import --lackey=trace -o out/imported' \
      'import --lackey=trace -o out/imported.dgz' \
      'index out/log'; do
    # shellcheck disable=SC2086
    run dg $words
    status 0
  done
  title="umask $mask"
  [ "$(stat -c %a out/* | sort -u)" = 600 ]
  report 'nobody else may read them' <(stat -c '%a %n' out/*)
done
finish
