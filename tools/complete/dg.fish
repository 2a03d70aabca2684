# Completions of dg and dg_view for fish.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What fits is known by dg itself (dg __complete); here is only how fish wants
# it.

function __dg_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l dg dg
    if string match -qr '(^|/)dg$' -- $words[1]; and type -q $words[1]
        set dg $words[1]
    end
    set -l answer ($dg __complete $words "$current" 2>/dev/null)
    # What an option has before its value stays.
    set -l option (string match -r -- '^--[^=]*=' $current; or echo '')
    set -l value (string replace -r -- '^--[^=]*=' '' $current)
    switch "$answer[1]"
        case ':files'
            for file in (__fish_complete_path "$value")
                echo $option$file
            end
        case ':folders'
            for file in (__fish_complete_directories "$value")
                echo $option$file
            end
        case ':logs'
            set -l files (__fish_complete_path "$value")
            set -l logs (string match -r -- \
                '^[^\t]*(?:/|\.dgz|\.dg|datagrind\.out\.[^/\t]*)(?:\t.*)?$' $files)
            test (count $logs) -gt 0; and set files $logs
            for file in $files
                echo $option$file
            end
        case ':program *'
            set -l skip (string replace ':program ' '' -- $answer[1])
            __fish_complete_subcommand --fcs-skip=$skip
    end
    for line in $answer[2..-1]
        echo $line
    end
end

complete -c dg -f -a '(__dg_complete)'
complete -c dg_view -f -a '(__dg_complete)'
