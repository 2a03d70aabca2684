# strange-files.sh: what a log names as its modules, sources and their debug
# files may be anything that another user can make: it is not waited for, and
# not read without end.  For FIFOs in all places see cli/base/dg-irregular.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# The backstop; its status is 124, or 137.
dg ()
{
  timeout -k 5 300 "$DG" "$@"
}

cat > prog.c << 'END'
__attribute__ ((noinline)) int leaf (volatile int *p) { return *p + 1; }
int main (void) { volatile int v = 1; return leaf (&v); }
void _start (void) { main (); }
END
if ! ${CC:-cc} -O1 -g -nostdlib -static -no-pie -fno-pie -Wl,--build-id=none \
    -o whole prog.c 2> /dev/null || ! command -v nm objdump objcopy \
    > /dev/null; then
  skip 'no compiler for a program without libraries'
  finish
  exit
fi
text=0x$(objdump -h whole | awk '$2 == ".text" { print $4 }')
leaf=0x$(nm whole | sed -n "s/ . leaf\$//p")

log_of ()
{
  assemble log << END
header
process 42 1 0 0 4096 64 0 8 "t" "v" "a" "/exe" "/" ["prog"]
text_avma $text "$1"
bbdef [$leaf+1] [R4@0]
context 0 [$leaf]
malloc_block 0x1000 16 [$leaf]
bbrun 0 1 [0x1000]
end why=0 exit_code=0
END
}

# ends WHAT: all that reads the files ends, and takes no more memory than it
# would without them.
ends ()
{
  local command

  for command in 'counts --by=function' 'report -o page.html' \
      'bundle -o b.dgz'; do
    rm -f page.html b.dgz
    # shellcheck disable=SC2086
    run dg $command log
    title="$1: dg ${command%% *}"
    [ "$exit_status" -lt 124 ]
    report "ends, with $exit_status" stderr
    if [ -e b.dgz ]; then
      [ "$(stat -c %s b.dgz)" -lt 1000000 ]
      report 'the bundle is small' stderr
    fi
  done
}

mkdir folder
python3 -c 'import socket
socket.socket (socket.AF_UNIX).bind ("socket")'
mkfifo fifo
for module in "$PWD/folder" "$PWD/socket" "$PWD/fifo" /dev/zero /dev/full \
    /dev/tty /proc/self/fd/0; do
  log_of "$module"
  ends "the module ${module##*/}"
  run dg counts --by=function log
  [ $exit_status = 0 ]
  report 'and says so' stderr
done
for module in /proc/kmsg /proc/kcore /proc/self/mem /proc/self/pagemap; do
  log_of "$module"
  run dg bundle -o b.dgz log
  [ "$exit_status" -lt 124 ]
  report 'ends' stderr
  rm -f b.dgz
done

# Terabytes that take no place on the disk.
if truncate -s 4T hollow 2> /dev/null; then
  log_of "$PWD/hollow"
  ends 'a hollow module'
  err_has 'nearly all of it is a hole'
  cp whole tail
  truncate -s 4T tail
  log_of "$PWD/tail"
  ends 'a module with a hollow tail'
  objcopy --only-keep-debug whole prog.debug
  objcopy --strip-all --add-gnu-debuglink=prog.debug whole linked
  truncate -s 4T prog.debug
  log_of "$PWD/linked"
  ends 'a hollow debug file'
  rm prog.debug
  printf 'hollow\0abcdefghijklmnopqrst' > link
  objcopy --add-section .gnu_debugaltlink=link whole sharing
  log_of "$PWD/sharing"
  ends 'a hollow file that several share'
  cp prog.c prog.c.kept
  truncate -s 4T prog.c
  log_of "$PWD/whole"
  ends 'a hollow source'
  truncate -s 4T log.dgx
  ends 'a hollow index'
  rm -f log.dgx
else
  skip 'hollow files: the file system has none'
fi
# What is read as a whole, however it is read, has an end.
log_of "$PWD/whole"
for file in /dev/zero "$PWD/fifo" "$PWD/folder"; do
  run dg counts --by=allocation --allocators="$file" log
  [ "$exit_status" = 1 ] || [ "$exit_status" = 2 ]
  report "is refused, with $exit_status" stderr
done

finish
