# tab.zsh LINE: types it and a tab in a zsh of its own, and prints what it became.
# Needs ./zfunctions/_dg.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

zmodload zsh/zpty || exit 77
zpty shell 'PS1= TERM=dumb zsh -f -i'
zpty -w shell 'unsetopt zle_bracketed_paste; PS1=; fpath=($PWD/zfunctions $fpath)'
zpty -w shell 'autoload -Uz compinit; compinit -u -D; echo re""ady'
zpty -r -m shell line '*ready*'
zpty -w shell 'show () { zle -I; print -r -- "<<$BUFFER>>" }; zle -N show'
zpty -w shell 'bindkey "^X" show; bindkey "^I" complete-word; echo re""ady'
zpty -r -m shell line '*ready*'
zpty -w -n shell "$1"$'\t\C-x'
zpty -r -m shell line '*<<*>>*'
line=${line##*<<}
print -r -- "${${line%%>>*}%% }"
zpty -d shell
