# dg-tables.sh: tables are as wide as the terminal, and in the order that is
# asked for.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

long='std::vector<std::pair<std::string,Node*>,Pool<std::pair<std::string>>>'
{
  cat << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+4 0x400004+4] [R8@0 W8@1]
context 0 [0x400000]
malloc_block 0x9000 0x400 [0x400000]
heap_alloc 1 1 1 1024 0 0
END
  for i in 1 2 3 4 5 6 7 8 9; do
    echo "track_range 0x${i}000 4096 \"$long::member_$i\" \"range $i\""
    for ((k = 0; k < i; k++)); do
      printf 'thread_switch 1\nbbrun 0 2 [0x%d000 0x%d010]\n' $i $i
      printf 'thread_switch 2\nbbrun 0 2 [0x%d020 0x%d008]\n' $i $i
    done
  done
  echo end why=0 exit_code=0
} > text
assemble log < text

# ---- The order --------------------------------------------------------------

run dg counts --by=variable --sort=reads --top=2 log
status 0
no_err
[ "$(grep -o 'member_[0-9]' stdout | tr -d '\n')" = member_9member_8 ]
report 'the most first' stdout
run dg counts --by=variable --sort=-Reads --top=2 log
status 0
[ "$(grep -o 'member_[0-9]' stdout | tr -d '\n')" = member_1member_2 ]
report 'by its title, the least first' stdout
run dg counts --by=variable --sort=name log
[ "$(grep -o 'member_[0-9]' stdout | tr -dc '0-9')" = 123456789 ]
report 'names as in a dictionary' stdout
run dg counts --by=variable --sort=-name --json --top=1 log
out_has 'member_9'
run dg counts --by=variable --sort=nosuch log
status 2
no_out
err_has "dg: counts: --sort: no table has a column 'nosuch'; valid are: "
err_has ', reads, writes, '
run dg heap --sites --sort=bytes log
status 0
run dg heap --sites --sort=nosuch log
status 2
err_has 'untouched_share'
run dg heap --sort=bytes log
status 2

# ---- The width --------------------------------------------------------------

command -v python3 > /dev/null || {
  skip 'no python3'
  finish
  exit 0
}
cat > at_width.py << 'END'
# at_width.py WIDTH COMMAND...: what it writes to a terminal of that width.
import fcntl, os, pty, signal, struct, sys, termios
signal.alarm(300)
pid, master = pty.fork()
if pid == 0:
    size = struct.pack('HHHH', 40, int(sys.argv[1]), 0, 0)
    fcntl.ioctl(1, termios.TIOCSWINSZ, size)
    os.dup2(os.open('stderr', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
while True:
    try:
        some = os.read(master, 65536)
    except OSError:
        break
    if not some:
        break
    seen += some
os.waitpid(pid, 0)
text = seen.decode().replace('\r', '')
open('stdout', 'w').write(text)
print(max(len(line) for line in text.split('\n')))
END
unset COLUMNS
export NO_COLOR=1
for width in 80 120 200; do
  for command in 'reuse --by=variable' 'counts --by=variable' \
    'cache --by=variable --cores=threads' 'sharing --false --by=line' \
    'pages --interval=10' 'patterns' 'heap --sites --blocks' \
    'tlb --by=variable' 'time --by=line' 'calls --edges'; do
    title="dg $command"
    # shellcheck disable=SC2086
    widest=$(python3 at_width.py $width "$DG" $command log)
    [ "$widest" -le $width ] && [ -s stdout ]
    report "at most $width columns: $widest" stdout
  done
done

# Lines that are not tables.
folder=/opt/a-long-name-of-a-folder/with-more-of-it/of-this
assemble long << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "$folder" ["prog" "an argument" "--another=one" "--and=$folder" "and" "many" "more" "words" "behind" "it"]
thread_start 1 0 42
text_avma 0x400000 "$folder/prog"
module 0x400000 0x1000 0 [1 2 3 4] "prog"
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
malloc_block 0x9000 0x400 [0x400000 0x400100]
heap_alloc 1 1 1 1024 0 0
bbrun 0 1 [0x9000]
malloc_block 0xa000 0x400 [0x400000 0x400100]
heap_alloc 2 1 1 1024 0 0
end why=0 exit_code=0
END
for width in 80 100 120; do
  for command in info 'allocs stats' 'allocs dump' 'allocs history' \
    'allocs leaks' 'allocs diff'; do
    title="dg $command"
    # shellcheck disable=SC2086
    widest=$(python3 at_width.py $width "$DG" $command long)
    [ "$widest" -le $width ] && [ -s stdout ]
    report "at most $width columns: $widest" stdout
  done
done
for command in 'allocs dump' 'allocs history' 'allocs leaks'; do
  title="dg $command --wide"
  # shellcheck disable=SC2086
  python3 at_width.py 80 "$DG" $command --wide long > width
  out_has " in $folder/prog"
  # shellcheck disable=SC2086
  run dg $command long
  out_has " in $folder/prog"
done
run dg info long
out_has "--and=$folder and many more words behind it"
title='dg counts --by=variable'
python3 at_width.py 80 "$DG" counts --by=variable log > width
out_has '...'
out_has 'member_9'
python3 at_width.py 80 "$DG" counts --by=variable --wide log > width
out_has "$long::member_9"
COLUMNS=300 python3 at_width.py 80 "$DG" counts --by=variable log > width
out_has "$long::member_9"
python3 at_width.py 60 "$DG" cache --by=variable log > width
out_has '(--wide also shows: '
run dg counts --by=variable log
out_has "$long::member_9"
COLUMNS=80 run dg counts --by=variable log
out_has "$long::member_9"
finish
