# schemas.py: docs/schema/, and validators of what they describe.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
import json
import pathlib

import jsonschema
import referencing

# Rows of a table that are looked at: those in a large one are alike.
MOST_ROWS = 300


def read(folder):
    """name -> schema"""
    return {path.stem: json.loads(path.read_text(encoding='utf-8'))
            for path in sorted(pathlib.Path(folder).glob('*.json'))}


def validators(schemas):
    """The same, as validators that know each other's schemas."""
    registry = referencing.Registry().with_resources(
        (schema['$id'], referencing.Resource.from_contents(schema))
        for schema in schemas.values())
    return {name: jsonschema.Draft202012Validator(schema, registry=registry)
            for name, schema in schemas.items()}


def once(pairs):
    """An object, each member of which occurs once."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError('a member occurs twice')
    return dict(pairs)


def no_constant(text):
    raise ValueError('%s is not JSON' % text)


def thin(value):
    """The value, with fewer rows in long lists."""
    if isinstance(value, dict):
        return {key: thin(one) for key, one in value.items()}
    if isinstance(value, list):
        step = max(len(value) // MOST_ROWS, 1)
        return [thin(one) for one in value[::step] + value[-1:]] \
            if step > 1 else [thin(one) for one in value]
    return value


def load(text):
    """A document, thinned."""
    return thin(json.loads(text, object_pairs_hook=once,
                           parse_constant=no_constant))


def wrong(validator, document):
    """What is wrong, a line each: the first few."""
    lines = []
    for error in validator.iter_errors(document):
        error = jsonschema.exceptions.best_match([error])
        lines.append('%s: %s' % (error.json_path, error.message[:200]))
        if len(lines) == 5:
            break
    return lines
