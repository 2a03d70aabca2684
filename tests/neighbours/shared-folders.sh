# shared-folders.sh: in a folder where everybody may make files, another user
# has made what the user is about to write, or what dg reads beside it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/neighbours/lib.sh"
umask 022

# ---- Where links of another user lead ----

shared
precious
indexed_text 0x9100 > text
assemble log.dg < text
chown "$user_id" log.dg
# planted NAME: by the other user, in each way that there is, one after the
# other.
ways='link dangling folder file fifo'
plant ()
{
  rm -rf "$2"
  case $1 in
    link) other ln -s "$home/precious" "$2" ;;
    dangling) other ln -s "$home/new" "$2" ;;
    folder) other ln -s "$home" "${2%/*}" ;;
    file) other sh -c 'umask 0; echo mine > "$1"' sh "$2" ;;
    fifo) other sh -c 'umask 0; mkfifo "$1"' sh "$2" ;;
  esac
}
# refused NAME: nothing was written there, by whatever way.
refused ()
{
  [ "$exit_status" != 0 ] && [ "$exit_status" -lt 124 ]
  report "is refused, with status $exit_status" stderr
  unharmed
  if [ "$way" = file ]; then
    [ "$(cat "$1")" = mine ] && [ "$(stat -c %u "$1")" = "$other_id" ]
    report 'what another has made is left' stderr
  fi
}
for way in $ways; do
  name=out
  [ $way = folder ] && name=d/out
  for command in 'pack -o' 'cut -o' 'index --force -o' 'bundle -o' \
      'export --format=lackey -o' 'report -o' 'heap --dhat-out'; do
    # A pipe that the user names is one that he wants to write to.
    case $way:$command in
      fifo:export* | fifo:report* | fifo:heap*) continue ;;
    esac
    rm -rf d
    plant $way $name
    # shellcheck disable=SC2086
    run user timeout 600 "$DG" $command $name log.dg
    title="$way: dg $command"
    refused $name
  done
done
rm -rf d out

# ---- What another user's file says of the new one ----

# Where others can be replaced, in a folder of a group: not with their modes.
mkdir -m 777 team
other sh -c 'umask 0; echo mine > team/page.html'
run user "$DG" report -o team/page.html log.dg
status 0
[ "$(stat -c '%u %a' team/page.html)" = "$user_id 644" ]
report "the page is the user's, $(stat -c '%u %a' team/page.html)" stderr

# ---- The index beside a log ----

# Of a log that is alike but for its addresses, and has the same time.
indexed_text 0x5500 > text
other "$DGASM" -o lie.dg < text
touch -r log.dg lie.dg
run other "$DG" index lie.dg
status 0
other cp lie.dg.dgx log.dg.dgx
run user "$DG" index log.dg
err_has 'log.dg.dgx'
[ $exit_status != 0 ]
report 'is not taken for up to date' stdout stderr
[ "$(stat -c %u log.dg.dgx)" = "$other_id" ]
report 'it is not replaced either' stderr
# Who has written the log may write its index.
run user "$DG" index lie.dg
status 0
out_has 'up to date'
rm log.dg.dgx
# Anybody could have written this one.
run user "$DG" index log.dg
status 0
chmod 666 log.dg.dgx
run user "$DG" index log.dg
status 0
out_has 'made'
[ "$(stat -c %a log.dg.dgx)" = 644 ]
report 'the new one is for its owner to write' stdout
# Written unasked beside the log of another user, who is waiting for it.
other mkdir -m 755 nest
other cp lie.dg nest/
other ln -s "$home/precious" nest/lie.dg.dgx
title='an index beside a log of another user'
run user "$DG" index nest/lie.dg
unharmed
[ $exit_status != 0 ]
report 'is refused' stdout stderr
# The log's owner lets all write, which the index is not.
chmod 777 nest
chmod 666 nest/lie.dg
rm nest/lie.dg.dgx
run user "$DG" index nest/lie.dg
status 0
[ "$(stat -c '%u %a' nest/lie.dg.dgx)" = "$user_id 644" ]
report 'its mode lets nobody else write' stdout

# ---- Plug-ins ----

cp "$abs_top_srcdir/docs/examples/sizes.c" .
${CC:-cc} -shared -fPIC -I"$abs_top_srcdir/include" -o sizes.so sizes.c
[ -f sizes.so ] || exit 99
export DATAGRIND_PLUGIN_PATH=$PWD/plugins
try_plugin ()
{
  rm -rf plugins
  mkdir plugins
  cp sizes.so plugins/
  chown "$2" plugins/sizes.so
  chmod "$3" plugins/sizes.so
  chown "$1" plugins
  chmod "$4" plugins
  run user "$DG" sizes log.dg
  title="a plug-in of $1, $3, in a folder of $2, $4"
}
for good in "$user_id $user_id 755 755" '0 0 644 755' \
    "0 $user_id 755 1777"; do
  # shellcheck disable=SC2086
  try_plugin $good
  status 0
done
for bad in "$user_id $other_id 755 755" "$other_id $user_id 755 755" \
    "$user_id $user_id 757 755" "$user_id $user_id 755 777"; do
  # shellcheck disable=SC2086
  try_plugin $bad
  status 1
  err_has 'not loaded: another user may write it'
  run user "$DG" --help
  title='--help'
  if grep -q '^ *sizes ' stdout; then false; else true; fi
  report 'does not load it either' stdout
done
unset DATAGRIND_PLUGIN_PATH

finish
