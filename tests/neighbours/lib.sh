# lib.sh: two users of the machine who trust each other in nothing; to be
# sourced by tests that root runs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   user COMMAND...    as the user, with a home of his own
#   other COMMAND...   as another user, who has bad intentions
#   shared             a new folder where both may make files, as /tmp; the
#                      current directory
#
# And all of cli/lib.sh.

# Where others get to, and may write; TMPDIR may be for one user alone.
export TMPDIR=/tmp
# shellcheck source=../cli/lib.sh
. "${abs_srcdir:?}/cli/lib.sh"
# Other users cannot keep what they write for schemas.
DG=${dg_itself:?}

skip_all ()
{
  echo "1..0 # SKIP $1"
  exit 0
}

[ "$(id -u)" = 0 ] || skip_all 'only root can be two other users'
command -v setpriv > /dev/null || skip_all 'setpriv is not installed'

# Real users, if there can be; else numbers that nobody has.
users=()
make_user ()
{
  local name=dg-test-$1-$$

  if command -v useradd > /dev/null && useradd -M -N -s /bin/false "$name" \
      2> /dev/null; then
    users+=("$name")
    made=$(id -u "$name")
  else
    made=$2
  fi
}

remove_users ()
{
  local name

  for name in "${users[@]}"; do
    userdel "$name" 2> /dev/null
  done
}
trap 'cd /; rm -rf "$work" "$kept"; remove_users' EXIT
trap 'exit 99' HUP INT TERM
make_user user 64501
user_id=$made
make_user other 64502
other_id=$made

as ()
{
  local id=$1

  shift
  env HOME="$work/home-$id" TMPDIR="$work/home-$id" setpriv --reuid "$id" --regid "$id" \
    --clear-groups -- "$@"
}

user ()
{
  as "$user_id" "$@"
}

other ()
{
  as "$other_id" "$@"
}

shared ()
{
  cd "$work" || exit 99
  rm -rf shared
  mkdir shared
  chmod 1777 shared
  cd shared || exit 99
}

chmod 755 "$work"
for id in "$user_id" "$other_id"; do
  mkdir -m 700 "$work/home-$id"
  chown "$id" "$work/home-$id"
done
home=$work/home-$user_id
# Where others cannot enter the folder of the build, they get a copy.  setpriv
# itself still may, so that it is not to be what looks.
if ! user env test -x "$DG"; then
  mkdir "$work/build"
  cp "$DG" "$DATAGRIND_PROBE" "${abs_top_builddir:?}"/lib/.libs/libdatagrind.so* \
    "$work/build"
  DG=$work/build/${DG##*/}
  DATAGRIND_PROBE=$work/build/${DATAGRIND_PROBE##*/}
  LD_LIBRARY_PATH=$work/build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export DG DATAGRIND_PROBE LD_LIBRARY_PATH
fi
user env "$DG" --help > /dev/null 2>&1 ||
  skip_all 'other users cannot run what was built'

# The user's file that others want to destroy.
precious ()
{
  echo precious > "$home/precious"
  chown "$user_id" "$home/precious"
}

# unharmed: what the user has is as it was.
unharmed ()
{
  [ "$(cat "$home/precious")" = precious ] && [ ! -e "$home/new" ]
  report 'nothing of the user is changed or made' /dev/null
}

# A log with the accesses of some chunks, enough for an index.
indexed_text ()
{
  cat << END
process 7 1 0 0 4096 64 0 8 "t" "v" "a" "/p" "/" ["prog"]
bbdef [0x1000+4] [R8@0]
bbdef [0x1010+4] [W4@0]
context 0 [0x1000]
context 1 [0x1010]
repeat 20000
  bbrun 0 1 [0x1800]
  bbrun 1 1 [$1]
done
end
END
}
