# check_schemas.py: docs/schema/ describes everything, and a key is the same
# thing in all of it, as docs/json.md says.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   check_schemas.py SCHEMAS JSON.MD
#
# Prints what is wrong, a line each; the exit status is 0 if nothing is.
import json
import pathlib
import re
import sys

DRAFT = 'https://json-schema.org/draft/2020-12/schema'
TYPES = {
    'integer': ({'integer'},), 'number': ({'number'}, {'integer'}),
    'boolean': ({'boolean'},), 'string': ({'string'},),
    'address': ({'string'},), 'object': ({'object'},), 'null': ({'null'},),
    'objects': ({'array'},), 'strings': ({'array'},),
    'integers': ({'array'},), 'pairs': ({'array'},),
}
wrong = []


def complain(where, what):
    wrong.append('%s: %s' % (where, what))


def read_table(path):
    """key -> (types, unit, meaning)"""
    keys = {}
    for line in path.read_text(encoding='utf-8').split('## Members')[1] \
            .splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if not line.startswith('| `') or len(cells) != 4:
            continue
        key = cells[0].strip('`')
        if key in keys:
            complain(path.name, '%s is there twice' % key)
        if not cells[3]:
            complain(path.name, '%s has no meaning' % key)
        keys[key] = (cells[1].split(' or '), cells[2].strip('`'))
    return keys


def resolve(schema, node):
    """The node, with what it refers to in the same file."""
    while '$ref' in node and node['$ref'].startswith('#/$defs/'):
        node = {**schema['$defs'][node['$ref'][8:]],
                **{k: v for k, v in node.items() if k != '$ref'}}
    return node


def types_of(schema, node):
    """The types that JSON Schema has, which the node allows."""
    node = resolve(schema, node)
    if '$ref' in node:
        return {'object'}
    if 'anyOf' in node:
        return set().union(*(types_of(schema, one) for one in node['anyOf']))
    if 'const' in node or 'enum' in node:
        values = node.get('enum', [node.get('const')])
        return {'null' if v is None else 'string' for v in values}
    types = node.get('type', [])
    return {types} if isinstance(types, str) else set(types)


def check_key(where, schema, key, node, keys):
    if key not in keys:
        complain(where, 'not in json.md')
        return
    types, unit = keys[key]
    for one in types_of(schema, node):
        if not any({one} in TYPES[known] for known in types):
            complain(where, '%s, but json.md: %s' % (one, ' or '.join(types)))
    full = resolve(schema, node)
    is_share = full.get('maximum') == 1
    if is_share != (unit == 'share') or \
            is_share != (key == 'share' or key.endswith('_share')):
        complain(where, 'a share by its key, its unit or its limits only')
    if not is_share and full.get('x-unit', '') != unit:
        complain(where, 'unit %s, but json.md: %s'
                 % (full.get('x-unit'), unit))
    if ('address' in types) != ('0x' in full.get('pattern', '')):
        complain(where, 'an address in one of the two only')
    if ('boolean' in types_of(schema, node)) != \
            bool(re.match('(is|has)_', key)):
        complain(where, 'a boolean by its key or its type only')


def walk(where, schema, node, keys, met):
    """Every object of the schema, and every property."""
    if 'properties' in node:
        if 'additionalProperties' not in node:
            complain(where, 'allows anything')
        for key in node.get('required', []):
            if key not in node['properties']:
                complain(where, 'requires %s, which it does not have' % key)
        for key, one in node['properties'].items():
            met.add(key)
            here = '%s.%s' % (where, key)
            if not one.get('$ref', '').startswith('urn:'):
                text = resolve(schema, one).get('description', '')
                if not re.search(r'^[^a-z ].*\.$', text):
                    complain(here, 'not described by a sentence: %r' % text)
                check_key(here, schema, key, one, keys)
            walk(here, schema, one, keys, met)
    for name in ('items', 'additionalProperties'):
        if isinstance(node.get(name), dict):
            walk(where, schema, node[name], keys, met)
    for one in list(node.get('anyOf', [])) + \
            list(node.get('patternProperties', {}).values()):
        walk(where, schema, one, keys, met)


def main():
    folder, path = (pathlib.Path(argument) for argument in sys.argv[1:])
    keys = read_table(path)
    met = set()
    definitions = {}
    names = set()
    for file in sorted(folder.glob('*.json')):
        schema = json.loads(file.read_text(encoding='utf-8'))
        name = file.stem
        names.add(name)
        number = schema['properties']['schema']['const'].split('/')
        if number[:2] != ['datagrind', name] or \
                schema['$id'] != 'urn:' + ':'.join(number):
            complain(name, 'its name, `schema` and `$id` differ')
        if schema['$schema'] != DRAFT:
            complain(name, 'is not of draft 2020-12')
        if list(schema['properties'])[0] != 'schema' or \
                'schema' not in schema['required']:
            complain(name, '`schema` is not the first member')
        walk(name, schema, schema, keys, met)
        for key, one in schema.get('$defs', {}).items():
            walk('%s %s' % (name, key), schema, one, keys, met)
            if definitions.setdefault(key, one) != one:
                complain(name, '$defs/%s is not that of other files' % key)
    for key in sorted(set(keys) - met):
        complain(path.name, '%s is in no schema' % key)
    print('\n'.join(wrong))
    sys.exit(bool(wrong) or len(names) < 19)


main()
