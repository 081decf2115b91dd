"""Checks configuration files against the published schema with an implementation of JSON Schema that is not ours.

Reads {"schema", "accepted": [document], "document", "mutations": [{"path", "value"}]} from standard input. Writes
{"accepted": [error or null], "mutations": [whether the document is refused with this value at this path]}.
"""

import copy
import json
import sys

from jsonschema import Draft202012Validator


def mutated(document, mutation):
    document = copy.deepcopy(document)
    *way, last = mutation["path"]
    place = document
    for step in way:
        place = place[step]
    place[last] = mutation["value"]
    return document


def main():
    question = json.load(sys.stdin)
    Draft202012Validator.check_schema(question["schema"])
    validator = Draft202012Validator(question["schema"])
    accepted = []
    for document in question["accepted"]:
        error = next(validator.iter_errors(document), None)
        accepted.append(error and f"{error.json_path}: {error.message}")
    refused = [not validator.is_valid(mutated(question["document"], m)) for m in question["mutations"]]
    json.dump({"accepted": accepted, "mutations": refused}, sys.stdout)


main()
