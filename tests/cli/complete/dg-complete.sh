# dg-complete.sh: completions: what dg offers is what --help lists and the log
# has, and bash, zsh and fish show it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
scripts=${abs_top_srcdir:?}/tools/complete
# What others do on this machine is not the question.
export DATAGRIND_COMPLETE_MS=600000


# offered WORD...: the candidates; the first line of the answer in `also`.
offered ()
{
  timeout 600 "$DG" __complete dg "$@" > answer 2> stderr
  also=$(head -n 1 answer)
  sed '1d; s/\t.*//' answer > candidates
}

# offers WHAT...: these candidates only, in any order.
offers ()
{
  printf '%s\n' "$@" | sort > expected
  sort candidates | diff expected - > difference
  report "offers $*" difference stderr
}

# ---- As --help has it ----------------------------------------------------------

names ()
{
  "$DG" --help | sed -n "/^$1/,/^\$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p"
}

title='dg __complete dg'
commands=$(names Commands:)
analyses=$(names Analyses)
offered ''
# shellcheck disable=SC2086
offers $commands $analyses help
for command in $commands $analyses; do
  parts=$("$DG" $command --help |
    sed -n "s/^Usage: dg $command \([a-z|]*\).*/\1/p" | tr '|' ' ')
  for part in ${parts:-''}; do
    "$DG" $command $part --help |
      grep -oE '^ {2,6}(-[a-zA-Z], )?--[A-Za-z0-9-]+=?' |
      grep -oE -- '--.*' | sort -u > wanted
    offered $command $part -
    sort candidates | diff wanted - || echo "dg $command $part"
  done
done > difference
[ ! -s difference ]
report 'offers the options of --help' difference

view=${DG_VIEW:-${abs_top_builddir:?}/dg_view/dg_view}
title='dg __complete dg_view'
if [ -x "$view" ]; then
  "$view" --help | grep -oE '^  (-[a-zA-Z], )?--[A-Za-z0-9-]+=?' |
    grep -oE -- '--.*' | sort -u > wanted
  "$DG" __complete "$view" - | sed '1d; s/\t.*//' | sort |
    diff wanted - > difference
  [ -s wanted ] && [ ! -s difference ]
  report 'offers the options of --help' difference
  "$DG" __complete "$view" '' | diff - <(echo :logs) > difference
  report 'offers logs' difference
  for option in --theme= --x-axis=; do
    "$DG" __complete "$view" $option | sed 1d
  done | diff - <(printf '%s\n' --theme=dark --theme=light \
    --x-axis=addresses --x-axis=owners --x-axis=blocks) > difference
  report 'offers values' difference
else
  skip 'no dg_view'
fi

title='values'
offered counts --by=f
offers --by=function
offered heap --by s
offers site stack
offered heap --time-unit=
offers --time-unit=i --time-unit=ms --time-unit=B
offered advise --format=
offers --format=text --format=gcc --format=sarif --format=gitlab
offered export --format=ramulator-s
offers --format=ramulator-simpleo3
offered counts,re
offers counts,reuse
offered diff counts,re
offers counts,reuse
offered allocs s
offers stats
offered help allo
offers allocs
offered --schema allocs-l
offers allocs-leaks
offered cache --D1=
[ ! -s candidates ]
report 'a default is not a choice' candidates
offered counts --mi
offers --mine
offered counts --mine --mi
[ ! -s candidates ]
report 'an option that is given is not offered again' candidates
offered heap --alloc-fn=x --alloc
offers --alloc-fn=
while read -r wanted words; do
  # shellcheck disable=SC2086
  offered $words ""
  [ "$also" = "$wanted" ] || echo "$words: $also"
done > difference << 'END'
:logs info
:logs report
:files counts -o
:folders advise --root
:logs diff counts --before
END
[ ! -s difference ]
report 'are files, folders or logs' difference
offered record -q -o out.dgz -- prog --ver
[ "$also" = ':program 6' ]
report 'the program has completions of its own' answer
offered record prog ''
[ "$also" = ':program 2' ]
report 'also without --' answer

# ---- Of the log ----------------------------------------------------------------

assemble log.dg << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/p" "/" ["p"]
text_avma 0x400000 "/opt/app/libmine.so.1"
module 0x400000 0x1000 0 [] "libmine.so.1"
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
start_event "phase one"
start_event "x,y:z"
track_range 0x1000 8 "" "table"
track_range 0x2000 8 "" "two\nlines"
track_range 0x3000 8 "" "c1\xc2\x9bcontrol"
thread_start 2 1 43
thread_name 1 "main"
bbrun 0 1 [0x1000]
end_event "x,y:z"
end_event "phase one"
end why=0 exit_code=0
END
title='labels'
offered counts log.dg --events=user:
offers '--events=user:phase one' '--events=user:x\,y:z'
offered counts log.dg --events 'fn:main,us'
offers 'fn:main,user:phase one' 'fn:main,user:x\,y:z'
offered dump log.dg --ranges=
offers --ranges=fn: --ranges=file: --ranges=range --ranges=malloc \
  --ranges=var: --ranges=addr: '--ranges=not ' \
  --ranges=user:table --ranges=dso:libmine.so.1
offered counts log.dg --events=th
offers --events=thread:main --events=thread:2
offered counts log.dg '--events=fn:main, not us'
offers '--events=fn:main, not user:phase one' \
  '--events=fn:main, not user:x\,y:z'
offered counts log.dg --events=n
offers '--events=not '
offered allocs dump log.dg --at=
offers --at=end '--at=event:phase one' '--at=event:x,y:z'
title='other files'
head -c 300 log.dg > cut
head -c 2000 /dev/urandom > noise
: > empty
mkfifo pipe
for file in cut noise empty pipe . /dev/zero nosuch; do
  offered counts $file --events=
  grep -qx -- --events=user: candidates ||
    grep -q -- --events=user: candidates || echo "$file"
done > difference
[ ! -s difference ]
report 'are no trouble' difference

# ---- Shells --------------------------------------------------------------------

mkdir bin logs.d
ln -s "$DG" bin/dg
PATH=$work/bin:$PATH
: > run.dgz
: > datagrind.out.7
: > notes.txt

cat > lines << 'END'
dg cou|counts
dg counts --by=fu|function
dg counts --mi|--mine
dg allocs le|leaks
dg counts log.dg --ranges=user:ta|table
dg info r|run.dgz
dg help inde|index
END

title=bash
cat > tab.bash << 'END'
# Completes the line in $1 as bash does, and prints what it would offer.
. "$2"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
rest=$1
COMP_WORDS=()
while [[ -n $rest ]]; do
  if [[ $rest =~ ^[[:blank:]]+ ]]; then :
  elif [[ $rest =~ ^[\'\"] ]]; then
    # An open quote goes to the end.
    COMP_WORDS+=("$rest")
    rest=
    break
  elif [[ $rest =~ ^[=:] || $rest =~ ^[^[:blank:]=:]+ ]]; then
    COMP_WORDS+=("${BASH_REMATCH[0]}")
  fi
  rest=${rest:${#BASH_REMATCH[0]}}
done
# After a blank, and after a break, the word is empty.
[[ $1 == *[[:blank:]] && $1 != *[\'\"]* ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_dg dg
printf '%s\n' "${COMPREPLY[@]}"
END
while IFS='|' read -r line wanted; do
  bash --norc --noprofile tab.bash "$line" "$scripts/dg.bash" > got 2> wrong
  [ "$(cat got)" = "$wanted" ] || { echo "$line: $(cat got wrong)"; }
done < lines > difference
[ ! -s difference ]
report 'completes' difference
bash --norc --noprofile tab.bash 'dg info ' "$scripts/dg.bash" | sort > got
printf '%s\n' bin datagrind.out.7 log.dg logs.d run.dgz | diff - got \
  > difference
report 'offers logs and folders' difference
bash --norc --noprofile tab.bash 'dg counts log.dg --events=user:' \
  "$scripts/dg.bash" > got
printf '%s\n' 'phase\ one' 'x\\\,y:z' | diff - got > difference
report 'quotes labels' difference got
{ bash --norc --noprofile tab.bash "dg counts log.dg --events='user:" \
    "$scripts/dg.bash"
  bash --norc --noprofile tab.bash 'dg counts log.dg --events="user:' \
    "$scripts/dg.bash"
} > got
printf '%s\n' 'user:phase one' 'user:x\,y:z' 'user:phase one' \
  'user:x\\,y:z' | diff - got > difference
report 'quotes labels in a quote' difference got
bash --norc --noprofile tab.bash 'dg record --level=2 -- tou' \
  "$scripts/dg.bash" > got
grep -qx touch got
report 'offers programs' got
mkdir completions
cp "$scripts/dg.bash" completions/dg
cp "$scripts/dg_view.bash" completions/dg_view
bash --norc --noprofile -c '. completions/dg_view && complete -p dg_view' \
  > got 2>&1
grep -q -- '-F _dg dg_view' got
report 'knows dg_view, too' got
rm completions/dg
bash --norc --noprofile -c '. completions/dg_view' > got 2>&1
[ ! -s got ]
report 'needs no dg' got

tab_zsh ()
{
  timeout 600 zsh -f "$abs_srcdir/cli/complete/tab.zsh" "$1" > got 2> wrong \
    < /dev/null
}
title=zsh
if command -v zsh > /dev/null; then
  mkdir zfunctions
  cp "$scripts/_dg" zfunctions
  while IFS='|' read -r line wanted; do
    case $line in
    *=*) whole=${line%"${line##*[=:]}"}$wanted ;;
    *) whole=${line% *}\ $wanted ;;
    esac
    tab_zsh "$line"
    [ "$(cat got)" = "$whole" ] || echo "$line: $(cat got wrong)"
  done < lines > difference
  [ ! -s difference ]
  report 'completes' difference
  tab_zsh 'dg counts log.dg --events=user:x'
  [ "$(cat got)" = 'dg counts log.dg --events=user:x\\,y:z' ]
  report 'quotes labels' got wrong
else
  skip 'no zsh'
fi

title=fish
if command -v fish > /dev/null; then
  export HOME=$work XDG_CONFIG_HOME=$work/.config XDG_DATA_HOME=$work/.local
  while IFS='|' read -r line wanted; do
    case $line in
    *=*) word=${line##* } whole=${word%"${word##*[=:]}"}$wanted ;;
    *) whole=$wanted ;;
    esac
    timeout 600 fish -N -c 'source $argv[2]; complete -C $argv[1]' "$line" \
      "$scripts/dg.fish" 2> wrong | cut -f 1 > got
    [ "$(cat got)" = "$whole" ] || echo "$line: $(cat got wrong)"
  done < lines > difference
  [ ! -s difference ]
  report 'completes' difference
else
  skip 'no fish'
fi
finish
