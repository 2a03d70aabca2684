# json_keys.py: what --json writes has the members, of the types, that
# docs/json.md says.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   json_keys.py DOCUMENT FILE...
#
# Tells of each file what is wrong with it, a line for each kind of mistake;
# and, as lines that begin with "unmet", the members of the document that none
# of them has.  The exit status is 0 if nothing is wrong.
import json
import re
import sys

LARGEST = 2 ** 64 - 1


def read_table(path):
    """key -> (types, unit); the table of the section Members."""
    keys = {}
    for line in open(path, encoding='utf-8').read().split('## Members')[1] \
            .splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if not line.startswith('| `') or len(cells) != 4:
            continue
        key = cells[0].strip('`')
        if key in keys:
            raise SystemExit('%s: %s stands twice' % (path, key))
        keys[key] = (cells[1].split(' or '), cells[2])
    if len(keys) < 100:
        raise SystemExit('%s: no table' % path)
    return keys


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_whole(value):
    return is_integer(value) and 0 <= value <= LARGEST


def all_are(is_one):
    return lambda v: isinstance(v, list) and all(is_one(one) for one in v)


def is_pair(value):
    return isinstance(value, list) and len(value) == 2 \
        and all(is_whole(one) for one in value)


IS = {
    'null': lambda v: v is None,
    'boolean': lambda v: isinstance(v, bool),
    'integer': is_integer,
    'number': lambda v: is_integer(v) or isinstance(v, float),
    'string': lambda v: isinstance(v, str),
    'address': lambda v: isinstance(v, str)
    and re.fullmatch('0x(0|[1-9a-f][0-9a-f]*)', v) is not None,
    'object': lambda v: isinstance(v, dict),
    'objects': all_are(lambda v: isinstance(v, dict)),
    'strings': all_are(lambda v: isinstance(v, str)),
    'integers': all_are(is_whole),
    'pairs': all_are(is_pair),
}


def check_value(keys, key, value):
    """What is wrong with it, or None."""
    if key not in keys:
        return 'is not in the table'
    types, unit = keys[key]
    if not any(IS[one](value) for one in types):
        return 'is no %s: %s' % (' or '.join(types), json.dumps(value)[:60])
    if is_integer(value) and key != 'stride' and not is_whole(value):
        return 'is no whole number: %s' % value
    is_share = key == 'share' or key.endswith('_share')
    if is_share != (unit == 'share'):
        return 'is a share by its key or its unit only'
    if is_share and value is not None and not 0 <= value <= 1:
        return 'is no share: %s' % value
    if ('boolean' in types) != bool(re.match('(is|has)_', key)):
        return 'is a boolean by its key or its type only'
    if value in ('yes', 'no'):
        return 'should be a boolean'
    return None


def walk(keys, value, wrong, met):
    if isinstance(value, dict):
        for key, one in value.items():
            met.add(key)
            why = check_value(keys, key, one)
            if why is not None:
                wrong.setdefault((key, why.split(':')[0]), why)
            walk(keys, one, wrong, met)
    elif isinstance(value, list):
        for one in value:
            walk(keys, one, wrong, met)


def once(pairs):
    """An object, whose members stand once each."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError('a member stands twice')
    return dict(pairs)


def no_constant(text):
    raise ValueError('%s is no JSON' % text)


def main():
    keys = read_table(sys.argv[1])
    met = set()
    status = 0
    for path in sys.argv[2:]:
        wrong = {}
        try:
            with open(path, encoding='utf-8') as file:
                value = json.load(file, object_pairs_hook=once,
                                  parse_constant=no_constant)
            if not isinstance(value, dict):
                raise ValueError('no object')
            # Of several analyses: an object for each.
            parts = value
            if ',' in path:
                met.add('partial')
                parts = {str(i): value[k]
                         for i, k in enumerate(value) if k != 'partial'}
                for one in parts.values():
                    walk(keys, one, wrong, met)
            else:
                walk(keys, value, wrong, met)
        except ValueError as error:
            wrong['', ''] = str(error)
        for (key, _), why in sorted(wrong.items()):
            print('%s: %s %s' % (path, key, why))
            status = 1
    for key in sorted(set(keys) - met):
        print('unmet: %s' % key)
    sys.exit(status)


main()
