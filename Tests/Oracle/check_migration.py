#!/usr/bin/env python3
"""An oracle for migrations that shares no code with Strata: hand-written rules over SQLite.

    check_migration.py validate STORE MODEL.json
    check_migration.py compare SOURCE TARGET DESCRIPTION.json [--in-place]
    check_migration.py serve

A description is {"old": model, "new": model, "entities": [{"source", "destination", "attributes", "relationships"}]}:
both models, and for each destination entity what it and its properties continue. Each finding is a rule and what
breaks it. `serve` answers one request a line, so that one process looks at many stores:

    {"command": "validate", "store", "model"}  {"command": "roughen", "store", "model", "seed"}
    {"command": "compare", "source", "target", "description", "inPlace", "named"}
    {"command": "receipt", "source", "target", "description", "receipt"}
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from comparison import Comparison, Continuation, Marked  # noqa: E402
from receipts import ReceiptCheck  # noqa: E402
from roughening import roughen  # noqa: E402
from stores import Store  # noqa: E402
from validation import check_join_names, validate_store  # noqa: E402


def validate(path, model, keeps_derived=True):
    with Store(path, model) as store:
        findings = validate_store(store, keeps_derived)
        check_join_names(store, findings)
        return findings


def compare(source, target, description, in_place, named=()):
    """The findings of a migrated store, and how many relationships could not be compared."""
    with Store(source, description["old"]) as old, Store(target, description["new"]) as new:
        comparison = Comparison(old, new, description["entities"], in_place, named)
        return comparison.run(), comparison.skipped


def check_receipt(source, target, description, receipt):
    with Store(source, description["old"]) as old, Store(target, description["new"]) as new:
        before, after = Marked(old), Marked(new)
        if before.unmarked or after.unmarked:
            return []
        return ReceiptCheck(before, after, Continuation(description["entities"]), receipt).run()


def answer(request):
    match request["command"]:
        case "validate":
            return {"findings": validate(request["store"], request["model"], request.get("keepsDerived", True))}
        case "roughen":
            with Store(request["store"], request["model"]) as store:
                roughen(store, request["seed"])
            return {"findings": []}
        case "compare":
            findings, skipped = compare(
                request["source"], request["target"], request["description"], request["inPlace"],
                request.get("named", []),
            )  # fmt: skip
            return {"findings": findings, "skipped": skipped}
        case "receipt":
            return {
                "findings": check_receipt(
                    request["source"], request["target"], request["description"], request["receipt"]
                )
            }


def serve():
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # The test that asked must hear of it.
            reply = {"findings": [["oracle", f"{type(error).__name__}: {error}"]]}
        print(json.dumps(reply), flush=True)


def main(arguments):
    match arguments:
        case ["serve"]:
            serve()
            return 0
        case ["validate", store, model]:
            findings = validate(store, json.loads(Path(model).read_text()))
        case ["compare", source, target, description, *rest] if rest in ([], ["--in-place"]):
            findings, _ = compare(source, target, json.loads(Path(description).read_text()), bool(rest))
        case _:
            print(__doc__, file=sys.stderr)
            return 64
    for rule, text in findings:
        print(f"{rule}: {text}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
