# dg-diff.sh: which rows dg diff finds again, and what it says of them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}
${CC:-cc} -std=gnu11 -w -shared -fPIC -I"${abs_top_srcdir:?}/include" \
  $(pkg-config --cflags glib-2.0 2> errors) -o given.so \
  "$abs_srcdir/cli/diff/given_rows.c" 2> errors || {
  echo '1..0 # SKIP the compiler cannot make a plug-in'
  exit 0
}
for log in a b c d e; do
  assemble_small $log
done

# given LOG: what its report is, from standard input.
given ()
{
  cat > "$1.rows"
}

diff_given ()
{
  dg diff given --plugin=./given.so "$@"
}

# changes ARG...: "status before after pattern name" of the rows that changed.
changes ()
{
  diff_given --json "$@" > json 2> stderr
  python3 -c '
import json
for r in json.load (open ("json"))["tables"].get ("rows", []):
    print (r["status"] or "both", r["reads_before"], r["reads_after"],
           r["pattern"], r["name"])' > stdout
}

# ---- Lines ------------------------------------------------------------------

# The first line was deleted, one was appended; the others moved.
given a << 'END'
row f.c:10_(f) f f.c 10 p 1000 0x10 -
row f.c:11_(f) f f.c 11 p 10 0x14 -
row f.c:12_(f) f f.c 12 p 500 0x18 -
END
given b << 'END'
row f.c:20_(f) f f.c 20 p 10 0x14 -
row f.c:21_(f) f f.c 21 p 500 0x18 -
row f.c:22_(f) f f.c 22 p 77 0x1c -
END
title='a line deleted, another one appended'
changes a b
out << 'END'
gone 1000 None None f.c:10 (f)
new None 77 None f.c:22 (f)
END

# Two instructions on a line: by their order in the code, not by their weight.
given a << 'END'
row f.c:10_(f) f f.c 10 p 1000 0x10 -
row f.c:10_(f) f f.c 10 p 900 0x14 -
END
given b << 'END'
row f.c:10_(f) f f.c 10 p 1100 0x54 -
row f.c:10_(f) f f.c 10 p 1000 0x50 -
END
title='two instructions of a line'
changes a b
out << 'END'
both 900 1100 None f.c:10 (f)
END

# Built again: another module, a file of another name, a suffix of the compiler.
given a << 'END'
row f.c:10_(f) f /src/f.c 10 /old/prog 7 0x10 -
row g g /src/g.c - /old/prog 8 - -
END
given b << 'END'
row h.c:90_(f) f.constprop.0 /new/h.c 90 /new/prog2 7 0x90 -
row g.isra.1 g.isra.1 /new/h.c - /new/prog2 9 - -
END
title='built again'
changes a b
out << 'END'
both 8 9 None g.isra.1
END

# What has no names in common is not the same; nor are variables that begin
# alike.
given a << 'END'
row - - - - libold.so 5 - -
row <global>.cold_hits - - - - 6 - -
END
given b << 'END'
row - - - - libnew.so 5 - -
row <global>.cold_misses - - - - 6 - -
END
title='no names in common'
changes a b
sort -o stdout stdout
out << 'END'
gone 5 None None None
gone 6 None None <global>.cold hits
new None 5 None None
new None 6 None <global>.cold misses
END

# A thread that has a name may get another number; a word that changes.
given a << 'END'
row thread_2_(worker) - - - - 5 - sequential
row thread_3 - - - - 6 - -
END
given b << 'END'
row thread_3_(worker) - - - - 5 - strided
row thread_3 - - - - 6 - -
END
title='threads'
changes a b
out << 'END'
both 5 5 sequential > strided thread 3 (worker)
END

# ---- The program under another name -----------------------------------------

# old is of /bin/sort, new of /bin/sort-2.
for log in old new; do
  name=sort
  [ $log = old ] || name=sort-2
  assemble $log << END
$(small_text | sed "s,/bin/prog,/bin/$name,; s,\"prog\",\"$name\",g")
END
done
# renamed PROGRAM READS: rows with its name in all that is of a module, and
# others that keep theirs, some with other reads.
renamed ()
{
  cat << END
row $1_.got.plt - - - - 1 - -
row $1_.data,_<global>.n,_$1_.bss - - - - 2 - -
row <thread_2>.$1 - - - - 3 - -
row work_($1) - - - - 4 - -
row 0x12_in_$1 - - - - 5 - -
row work_(in_$1,_0x12) - - - - 6 - -
row $1_(no_section) - - - - 7 - -
row $1_func_0x12().i - - - - 8 - -
row $1 - - - /bin/$1 $2 - -
row - sort - - /bin/$1 $2 - -
row sort_(sort.c:12) - - - - $2 - -
row <global>.sort - - - - $2 - -
row table - - - - $2 - ($1)
row f.c:3_($1) - - - /bin/$1 $2 - -
END
}
renamed sort 9 > old.rows
renamed sort-2 9 > new.rows
title='the program under another name is the same'
changes old new
out << 'END'
END
title='its own rows are found, the others stay what they are'
{
  renamed sort 9
  echo 'row libsort.so_.data - - - - 10 - -'
} > old.rows
{
  renamed sort-2 99
  echo 'row sort-2 sort-2 - - /bin/sort-2 16 - -'
} > new.rows
changes old new
sort -o stdout stdout
out << 'END'
both 9 99 (sort-2) table
both 9 99 None <global>.sort
both 9 99 None None
both 9 99 None f.c:3 (sort-2)
both 9 99 None sort (sort.c:12)
both 9 99 None sort-2
gone 10 None None libsort.so .data
new None 16 None sort-2
END

# ---- Several logs of a side -------------------------------------------------

given a <<< 'figure n 100'
given b <<< 'figure n 102'
given c <<< 'figure n 101'
given d <<< 'figure n 110'
given e << 'END'
figure n 111
row rare - - - - 1000 - -
END
title='medians'
diff_given --json --before=b --before=c --after=e a d > json
python3 -c '
import json
d = json.load (open ("json"))
for f in d["figures"]:
    print (f["before"], f["after"], f["change"], f["before_spread"],
           f["is_noise"])
print (d["tables"]["rows"], d["tables"]["rows_not_shown"])' > stdout
out << 'END'
101 110 9 2 False
[] {'same': 0, 'small': 0, 'noise': 1}
END
title='noise'
diff_given --before=d a c > stdout
out << 'END'
Before     a
Before     d
After      c

No figure changed.
END

# What only one side has.
given a <<< 'figure only_before 5'
given b <<< 'figure only_after 6'
title='figures of one side'
diff_given --json a b > json
python3 -c '
import json
for f in json.load (open ("json"))["figures"]:
    print (f["figure"], f["before"], f["after"], f["change"], f["relative"])' \
  > stdout
out << 'END'
only_after None 6 6 None
only_before 5 None -5 -1
END
run diff_given --fail-if='only_before<-50%' a b
status 3

# What limits say, for other programs; a name is whatever it is.
given a << 'END'
row <&"'> f f.c 10 p 1000 0x10 -
END
given b << 'END'
row <&"'> f f.c 10 p 1100 0x10 -
END
title='results of limits'
run diff_given --fail-if='reads@<&"'"'"'>>+5%' --fail-if='reads@<&"'"'"'><5' \
  --junit=out.xml --benchmark=out.json a b
status 3
python3 - > stdout << 'END'
import json, xml.dom.minidom
with open ("out.xml") as file:
    suite, = xml.dom.minidom.parse (file).getElementsByTagName ("testsuite")
print (suite.getAttribute ("tests"), suite.getAttribute ("failures"))
for test in suite.getElementsByTagName ("testcase"):
    print (test.getAttribute ("name"),
           *(f.getAttribute ("message")
             for f in test.getElementsByTagName ("failure")))
for figure in json.load (open ("out.json")):
    print (figure["name"], figure["value"])
END
out << 'END'
2 1
reads@<&"'>>+5% reads@<&"'>>+5%: reads of <&"'> was 1,000 and is 1,100 (+100, +10.0 %)
reads@<&"'><5
reads of <&"'> 1100
reads of <&"'> 1100
END
run diff_given --junit=out.xml a b
status 2
for file in - same; do
  run diff_given --fail-if='only_before>1' -o same --junit=$file a b
  status 2
done
run diff_given --fail-if='reads@<&"'"'"'>>+5%' --junit=a a b
status 1

# ---- Sizes ------------------------------------------------------------------

# Many rows that are only on one side, and many with the same names.
python3 - << 'END'
for log, shift in (("a", 0), ("b", 7)):
    with open (log + ".rows", "w") as f:
        for i in range (30000):
            print ("row a%s%d - - - p %d - -" % (log, i, i + 1), file=f)
        for i in range (3000):
            print ("row z.c:%d_(z) z z.c %d p %d 0x%x -"
                   % (i + shift, i + shift, 1 + i * i % 1009, i), file=f)
END
title='33,000 rows'
changes a b
[ "$(wc -l < stdout)" = 60000 ]
report 'those with the same names are found' stderr

# ---- No analysis ------------------------------------------------------------

run dg diff a a
status 0
out_has 'No figure changed.'
out_has 'More: dg diff advise'
dg diff --json a a > stdout 2> stderr
dg diff counts,time,heap --json a a 2>> stderr | diff - stdout > difference
report 'the overview is of counts, time and heap' difference
run dg diff a
status 2
err_has 'no AFTER is given'
finish
