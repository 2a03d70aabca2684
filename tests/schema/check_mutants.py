# check_mutants.py: schemas find what is wrong with a document.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   check_mutants.py SCHEMAS FOLDER
#
# FOLDER has what keep-json.sh put there: documents, at least one for each
# schema.  Each member in them is renamed, and gets a value of another type;
# prints each change that its schema allows, and each schema without a
# document.  The exit status is 0 if there is nothing to print.
import copy
import pathlib
import sys

import jsonschema
import schemas

ADDRESSES = {'address', 'instruction', 'heap_start', 'heap_end',
             'old_address'}


def kind(value):
    """What JSON Schema distinguishes; and a number's sign."""
    if isinstance(value, bool):
        return 'boolean'
    if isinstance(value, int):
        return 'integer' if value >= 0 else 'negative'
    return type(value).__name__


def places(value, path=()):
    """Each member: its parent's path, and its key; of a list, the items."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield path, key
            yield from places(one, path + (key,))
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from places(one, path + (i,))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def name_of(path, key):
    """The place, whatever the row."""
    return '.'.join(str(one) for one in path + (key,)
                    if not isinstance(one, int))


def with_value(document, path, key, value):
    changed = copy.deepcopy(document)
    at(changed, path)[key] = value
    return changed


def with_name(document, path, key, name):
    changed = copy.deepcopy(document)
    parent = at(changed, path)
    parent[name] = parent.pop(key)
    return changed


def mutants(document, path, key):
    """(what, document): changes, each of which must be found."""
    value = at(document, path)[key]
    others = []
    if isinstance(value, bool):
        others = [int(value), str(value)]
    elif isinstance(value, (int, float)):
        others = [str(value)]
    elif isinstance(value, str):
        others = [4096]
    elif isinstance(value, (list, dict)):
        others = ['text']
    if key in ADDRESSES and value is not None:
        others += [value[2:], value.upper(), '0x0' + value[2:],
                   int(value, 16)]
    yield 'renamed', with_name(document, path, key, 'x' + key)
    for other in others:
        yield 'as %r' % other, with_value(document, path, key, other)


def is_open(name, path, key):
    """Whether the schema cannot know such members, as plug-ins have them."""
    if name == 'plugin':
        return key != 'schema' and 'partial' not in path
    if name == 'diff':
        return path[:1] == ('tables',)
    return name == 'analyses' and path == () and key != 'schema'


def short(value):
    """Two rows of each list are enough."""
    if isinstance(value, dict):
        return {key: short(one) for key, one in value.items()}
    if isinstance(value, list):
        return [short(one) for one in value[:1] + value[1:][-1:]]
    return value


def check(name, validator, document, seen):
    """How many changes of it the schema allows."""
    missed = 0
    for path, key in list(places(document)):
        of = (name_of(path, key), kind(at(document, path)[key]))
        if of in seen or is_open(name, path, key):
            continue
        seen.add(of)
        for what, changed in mutants(document, path, key):
            if validator.is_valid(changed):
                print('%s: %s %s is allowed' % (name, of[0], what))
                missed += 1
    return missed


def main():
    all_schemas = schemas.read(sys.argv[1])
    validators = schemas.validators(all_schemas)
    seen = {name: set() for name in all_schemas}
    missed = 0
    for schema in all_schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    for path in sorted(pathlib.Path(sys.argv[2]).glob('*.json')):
        if path.stat().st_size == 0:
            continue
        document = short(schemas.load(path.read_bytes()))
        name = document['schema'].split('/')[1]
        missed += check(name, validators[name], document, seen[name])
    for name in sorted(all_schemas):
        if not seen[name]:
            print('%s: there is no document' % name)
            missed += 1
    print('# %d places' % sum(len(places) for places in seen.values()))
    sys.exit(missed > 0)


main()
