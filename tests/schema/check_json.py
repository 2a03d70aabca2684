# check_json.py: what dg wrote with --json is as its schemas say.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   check_json.py SCHEMAS FOLDER
#
# FOLDER has what keep-json.sh put there.  Prints what is wrong, a line each;
# the exit status is 0 if nothing is.
import pathlib
import sys

import schemas

# Larger ones are tables of many rows, which others have, too.
MOST_BYTES = 4 << 20


def name_of(command, known):
    """The schema that the command should use."""
    words = command.split()
    name = words[1]
    if name == 'allocs':
        name += '-' + words[2]
    elif ',' in name:
        name = 'analyses'
    # Plug-ins have any name.
    return name if name in known else 'plugin'


def check(path, validators):
    command = path.with_suffix('.command').read_text(errors='replace')
    if path.stat().st_size > MOST_BYTES:
        return []
    text = path.read_bytes()
    if text.strip() == b'':
        return []
    try:
        document = schemas.load(text)
    except ValueError as error:
        # What dg could not finish it need not have written.
        status = path.with_suffix('.status')
        has_failed = not status.exists() or status.read_text().strip() != '0'
        return [] if has_failed else [str(error)]
    name = name_of(command, validators)
    return schemas.wrong(validators[name], document)


def main():
    validators = schemas.validators(schemas.read(sys.argv[1]))
    status = 0
    seen = set()
    for path in sorted(pathlib.Path(sys.argv[2]).glob('*.json')):
        # Many tests run a command again.
        key = hash(path.read_bytes())
        if key in seen:
            continue
        seen.add(key)
        for line in check(path, validators):
            print('%s: %s' % (path.with_suffix('.command').read_text(
                errors='replace').strip()[:100], line))
            status = 1
    sys.exit(status)


main()
