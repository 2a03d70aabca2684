# dg-usage.sh: wrong command lines, and the help for right ones.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

run dg
status 2
no_out
err << 'END'
dg: no command is given
Try 'dg --help'.
END

run dg frobnicate log
status 2
err << 'END'
dg: there is no command 'frobnicate'
Try 'dg --help'.
END

run dg --frobnicate
status 2
err << 'END'
dg: there is no option '--frobnicate'
Try 'dg --help'.
END

for command in info check dump; do
  run dg $command
  status 2
  no_out
  err << END
dg: $command: no LOG is given
Try 'dg $command --help'.
END

  run dg $command one two
  status 2
  err << END
dg: $command: 'two' is one argument too many
Try 'dg $command --help'.
END

  run dg $command --wrong log
  status 2
  err << END
dg: $command: Unknown option --wrong
Try 'dg $command --help'.
END

  run dg $command -j -1 log
  status 2
  err << END
dg: $command: -1 is not a number of threads
Try 'dg $command --help'.
END

  run dg $command -j many log
  status 2

  run dg $command --help
  status 0
  no_err
  out_has "Usage: dg $command [OPTION]... LOG"
done

run dg dump --events
status 2
no_out

run dg --help
status 0
no_err
out_has 'Usage: dg COMMAND [OPTION]... LOG'

run dg --version
status 0
no_err
out_has 'dg (Datagrind) '

# Names that look like options, behind a --.
assemble_small ./-log
run dg check -- -log
status 0
out << 'END'
-log: good
END
run dg check --
status 2
finish
