# Completions of dg and dg_view for bash.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What fits is known by dg itself (dg __complete); here is only how bash wants
# it.  Works with and without the package bash-completion.

# The words up to the cursor as a program would get them: bash breaks them at
# '=' and ':', too.  Sets words, and starts: where they are in COMP_WORDS.
__dg_words ()
{
  local line=${COMP_LINE:0:COMP_POINT} i word

  words=() starts=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $i -eq 0 || -z $line || $line == [[:blank:]]* ]]; then
      words+=('')
      starts+=("$i")
    fi
    line=${line#"${line%%[![:blank:]]*}"}
    # The cursor may be within the last one.
    [[ $line == "$word"* ]] || word=$line
    words[${#words[@]} - 1]+=$word
    line=${line#"$word"}
  done
  for i in "${!words[@]}"; do
    __dg_unquote "${words[i]}"
    # shellcheck disable=SC2088
    [[ ${words[i]} == '~/'* ]] && plain=$HOME${plain:1}
    words[i]=$plain
  done
}

# A word as a program would get it: sets plain, and quote: the one that is still
# open, with all that is before it in outside.
__dg_unquote ()
{
  local i c

  plain= quote= outside=
  for ((i = 0; i < ${#1}; i++)); do
    c=${1:i:1}
    if [[ $c == "$quote" ]]; then
      quote=
    elif [[ -z $quote && $c == [\'\"] ]]; then
      quote=$c outside=$plain
    elif [[ $c == \\ && -z $quote ]] ||
      [[ $c == \\ && $quote == \" && ${1:i+1:1} == [\\\"\$\`] ]]; then
      i=$((i + 1))
      plain+=${1:i:1}
    else
      plain+=$c
    fi
  done
}

# Sets word to what has to be typed for it.
__dg_quote ()
{
  local back=\\ apostrophe=\'

  case $quote in
    \') word=${word//"$apostrophe"/"$apostrophe$back$apostrophe$apostrophe"} ;;
    \")
      word=${word//"$back"/"$back$back"}
      word=${word//\"/"$back\""}
      word=${word//\$/"$back\$"}
      word=${word//\`/"$back\`"} ;;
    *) [[ $word == *[!A-Za-z0-9=:,._/-]* ]] && printf -v word %q "$word" ;;
  esac
}

# __dg_files WHAT WORD: files, folders, or logs if there are any; as COMPREPLY.
__dg_files ()
{
  local file all=() logs=()

  compopt -o filenames 2> /dev/null
  if [[ $1 == folders ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$2")
    return
  fi
  mapfile -t all < <(compgen -f -- "$2")
  if [[ $1 == logs ]]; then
    for file in "${all[@]}"; do
      [[ $file == *.dgz || $file == *.dg || $file == *datagrind.out.* ||
        -d ${file/#\~\//$HOME/} ]] && logs+=("$file")
    done
    ((${#logs[@]} > 0)) && all=("${logs[@]}")
  fi
  COMPREPLY=("${all[@]}")
}

# The command line that begins at a word, as it would be completed by itself.
__dg_program ()
{
  if declare -F _comp_command_offset > /dev/null; then
    _comp_command_offset "${starts[$1]}"
  elif declare -F _command_offset > /dev/null; then
    _command_offset "${starts[$1]}"
  elif ((${#words[@]} - 1 == $1)); then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -c -- "${words[-1]}" | sort -u)
  else
    __dg_files files "${words[-1]}"
  fi
}

_dg ()
{
  local words starts answer=() current dg word breaks= broken=
  local plain quote outside

  COMPREPLY=()
  __dg_words
  current=${words[-1]}
  dg=${words[0]}
  [[ ${dg##*/} == dg ]] && type -P "$dg" > /dev/null || dg=dg
  mapfile -t answer < <("$dg" __complete "${words[@]}" 2> /dev/null)
  case ${answer[0]} in
    ':files' | ':folders' | ':logs')
      # After "--output=", bash completes what follows.
      [[ $current == --*=* ]] && current=${current#*=}
      __dg_files "${answer[0]#:}" "$current"
      return ;;
    ':program '*)
      __dg_program "${answer[0]#:program }"
      return ;;
  esac
  # Only what follows the last break is replaced.
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=':'
  [[ -n $breaks ]] && broken=${current%"${current##*["$breaks"]}"}
  # In a quote nothing breaks.
  [[ -n $quote ]] && broken=$outside
  for word in "${answer[@]:1}"; do
    word=${word%%$'\t'*}
    word=${word#"$broken"}
    # Labels may be of any characters.
    __dg_quote
    COMPREPLY+=("$word")
  done
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[=:\ ] ]]; then
    compopt -o nospace 2> /dev/null
  fi
}

complete -F _dg dg dg_view
