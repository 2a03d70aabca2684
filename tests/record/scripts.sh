#!/bin/bash
# --datagrind-scripts: which function and line of a Python or Perl program made
# each access of a buffer, by programs whose sources say so, with each version
# of Python that there is.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ "$(uname -m)" = x86_64 ] || skip_all 'only x86-64 is supported'
guest mark -shared -fPIC -o mark.so || skip_all 'the guest cannot be compiled'
[ -e mark.so ] || mv mark mark.so
cp "$guests/script.py" .

# Of each version one; where several are kept side by side, these.
pythons ()
{
  local python version seen=
  for python in /usr/bin/python3 python3 python3.11 python3.12 python3.13 \
    "${PYENV_ROOT:-$HOME_BEFORE/.pyenv}"/versions/3.1[123].*/bin/python3; do
    python=$("$python" -c 'import sys, ctypes
v = sys.version_info
if (3, 11) <= v < (3, 14): print(v[1], sys.executable)' \
      2> /dev/null) || continue
    version=${python%% *}
    case " $seen " in
      *" $version "*) ;;
      *) seen="$seen $version"; [ -z "$version" ] || echo "${python#* }" ;;
    esac
  done
}

# FUNCTION READS WRITES of the buffer, as the source has them.
cat > expected << 'END'
py:Reader.all.<locals>.<genexpr> 90 0
py:Reader.read 60 0
py:by_callback.<locals>.<lambda> 110 0
py:fails 2 0
py:fill 0 1000
py:häufig 1 0
py:in_thread 600 0
py:made_N 20 0
py:recurse 201 0
py:total 700 0
END

# The line in the source that each function's accesses are made by.
cat > lines << 'END'
callback 110 0
fails 1 0
fails too 1 0
fill 0 1000
generator 90 0
names 1 0
read 60 0
recurse 201 0
thread 600 0
total 700 0
END

rows () # LOG BY [OPTION]
{
  "$DG" counts --by="$2" --script $3 --top=0 --json "$1" \
    2> counts.err | perl -MJSON::PP -CO -0777 -ne '
      for my $r (@{decode_json ($_)->{rows}}) {
        print join ("\t", map { $_ // "" }
          @$r{qw(function file line reads writes module)}), "\n" }'
}

# Sums of rows, by function.
functions () # ROWS
{
  awk -F'\t' '{ sub (/made_[0-9]+/, "made_N", $1)
      r[$1] += $4; w[$1] += $5 } END { for (f in r) print f, r[f], w[f] }' "$1" \
    | sort
}

lines () # ROWS
{
  awk -F'\t' '
    FILENAME == "script.py" { if (sub (/.*  # /, "")) text[FNR] = $0; next }
    $2 ~ /script.py$/ { print text[$3], $4, $5 }' script.py "$1" | sort
}

HOME_BEFORE=$(getent passwd "$(id -u)" | cut -d: -f6)
found=$(pythons)
[ -n "$found" ] || skip_all 'there is no Python 3.11, 3.12 or 3.13'
# A log is read once for its lines, which have the functions; by function, and
# for all else, that of the first version.  DG_TEST_LONG asks all of each.
first=yes
for python in $found; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o script.dgz \
    --datagrind-scripts=yes -- \
    "$python" -S -E script.py "$PWD/mark.so" > out 2> err
  is "$version: the program" "$(cat out)" 'done'
  rows script.dgz line --ranges=user:data > by-line
  is "$version: functions" "$(functions by-line)" "$(sort expected)"
  is "$version: lines" "$(lines by-line)" "$(cat lines)"
  "$DG" calls --folded=folded script.dgz > /dev/null 2>&1
  check "$version: native code and functions of the script in one stack" \
    grep -q 'py:<module>;py:by_callback;_PyEval.*py:by_callback.<locals>.<lambda>;_PyEval_EvalFrameDefault' \
    folded
  if [ -n "$first$DG_TEST_LONG" ]; then
    rows script.dgz function --ranges=user:data > by-function
    is "$version: rows of functions" "$(functions by-function)" \
      "$(sort expected)"
    check "$version: dg check" "$DG" check script.dgz
  fi
  first=
done

# ---- Perl ----

cp "$guests/script.pl" .
cat > expected-perl << 'END'
perl:(main) 1 0
perl:Reader::read 60 0
perl:__ANON__ 130 0
perl:fill 1000 1000
perl:in_eval 60 0
perl:recurse 201 0
perl:total 700 0
END
cat > lines-perl << 'END'
after 30 0
anonymous 110 0
dies 30 0
fill 1000 1000
read 60 0
recurse 201 0
sort 1 0
total 700 0
END
if perl -MConfig -e 'exit !($Config{PERL_VERSION} == 36 && $Config{usethreads}
                             && $^X eq "/usr/bin/perl")' 2> /dev/null; then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o perl.dgz \
    --datagrind-scripts=yes -- /usr/bin/perl script.pl > out 2> err
  is 'Perl: the program' "$(tail -n 1 out)" 'done'
  at=$((16#$(head -n 1 out)))
  "$DG" cut --addresses=$at..$((at + 4096)) -o part.dgz perl.dgz 2> cut.err
  rows part.dgz function | awk -F'\t' '$1 ~ /^perl:/ { r[$1] += $4
      w[$1] += $5 } END { for (f in r) print f, r[f], w[f] }' | sort > got
  # What the program does to the buffer before it prints where that is, and
  # what it does once for each statement, is not of interest.
  is 'Perl: functions' "$(grep -v main got)" "$(grep -v main expected-perl)"
  rows part.dgz line | awk -F'\t' '
    FILENAME != "-" { if (sub (/.*  # /, "")) text[FNR] = $0; next }
    $2 ~ /script.pl$/ && text[$3] != "" { print text[$3], $4, $5 }' \
    script.pl - | sort > got
  is 'Perl: lines' "$(cat got)" "$(cat lines-perl)"
  "$DG" calls --folded=folded perl.dgz > /dev/null 2>&1
  check 'Perl: native code and functions of the script in one stack' \
    grep -q 'perl:(main);perl:Reader::read;Perl_runops_standard' folded
  check 'Perl: dg check' "$DG" check perl.dgz
else
  skip 'Perl' '/usr/bin/perl is not Perl 5.36 with threads'
fi

# ---- Raw, with the unwinder, and in a child ----

python=$(echo "$found" | head -n 1)
cat > fork.py << 'END'
import os
def recurse(n):
    if n:
        recurse(n - 1)
    return n
def parent(): return [i for i in range(100)] + [recurse(200)]
def child(): return [i * 2 for i in range(100)]
parent()
if os.fork() == 0:
    child()
    os._exit(0)
os.wait()
END
# shellcheck disable=SC2086
$VALGRIND_DG --datagrind-out-file=fork.log --datagrind-scripts=yes \
  --datagrind-check-stacks=1000 "$python" -S -E fork.py > out 2> raw.err
check 'raw: the log' "$DG" check fork.log
for what in stacks 'heap stacks'; do
  agree=$(sed -n "s/.* $what: \([0-9]*\)\..*% of .*/\1/p" raw.err | sort -n | head -n 1)
  check "raw: $what without the script are those of the unwinder: $agree %" \
    [ "${agree:-0}" -ge 99 ]
done
is 'raw: a function calls what it calls in every view' \
  "$("$DG" calls --callers=py:recurse fork.log 2> /dev/null \
       | sed -n '/^Callers of/,$s/.*  \(py:[a-z<>]*\) *py:recurse$/\1/p' \
       | sort)" \
  "$(printf 'py:parent\npy:recurse')"
log=$(ls fork.log.* | grep -v err)
check_log 'fork: the log of the child' "$log"
is 'fork: the child has its functions, and not those that only ran before' \
  "$("$DG" counts --by=function --script --top=0 "$log" 2> /dev/null \
       | grep -oE 'py:(child|parent)$' | sort)" 'py:child'
if [ -n "$DG_TEST_LONG" ]; then
  # shellcheck disable=SC2086
  $VALGRIND_DG --datagrind-out-file=raw.log --datagrind-scripts=yes \
    --datagrind-check-stacks=1000 "$python" script.py "$PWD/mark.so" > out \
    2> raw.err
  check_log 'raw: the log of the larger program' raw.log
  for what in stacks 'heap stacks'; do
    agree=$(sed -n "s/.* $what: \([0-9]*\)\..*% of .*/\1/p" raw.err | head -n 1)
    check "raw: its $what: $agree %" [ "${agree:-0}" -ge 99 ]
  done
  rows raw.log function --ranges=user:data > by-function
  is 'raw: functions' "$(functions by-function)" "$(sort expected)"
fi
record off.log -- "$python" -S -E -c 'pass'
is 'off unless asked for' "$("$DG" dump off.log | grep -c ' CODE ')" 0

done_testing
