"""The rule of thumb for few labels, judged: SetFit up to 80 labels a class, fine-tuning above.

    python recipes/few_labels.py few_shot.json few_shot_trec.json --out few_labels.json

It reads what `benchmarks/few_shot.py` measured of the rungs of one encoder, and counts for the rule, and for always
taking one rung, by how many points the rung that it names falls short of the best at each set and number of labels a
class, less a margin of a point (`parts/policies.py`). The scores are means over the draws of the labels; each set and
number of labels is to be in one of the records alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parts.policies import FEW_LABELS, policy_regrets
from wordworth.cli.scripts import part_of_record, run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text

EPSILON = 0.01
ALWAYS = {
    "tfidf": "always TF-IDF",
    "frozen": "always frozen",
    "few-shot": "always few-shot",
    "fine-tuned": "always fine-tune",
}


def named(labels: int) -> dict[str, str]:
    """Return the rung that each rule names at a number of labels a class."""
    few = labels <= FEW_LABELS
    return {
        "few-shot for few labels, else fine-tune": "few-shot" if few else "fine-tuned",
        "frozen for few labels, else fine-tune": "frozen" if few else "fine-tuned",
        **{rule: rung for rung, rule in ALWAYS.items()},
    }


def cells(rows: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each set and number of labels a class with the scores of the rungs, 0 to 1, and what each rule names.

    Raises:
        BadInput: if a rung has two scores on one set with one number of labels.
    """
    of: dict[tuple[str, int], dict[str, float]] = {}
    for row in (row for row in rows if row["rung"] in ALWAYS):
        scores = of.setdefault((row["set"], row["labels"]), {})
        if row["rung"] in scores:
            what = f"{row['rung']!r} on {row['set']!r} with {row['labels']} labels a class was measured twice"
            raise BadInput(what, where="the records", mend="name one record of each set and number of labels")
        scores[row["rung"]] = row["score"][0] / 100
    return [
        {
            "set": name,
            "labels": labels,
            "true": true,
            "best": max(true, key=true.__getitem__),
            "policies": {rule: rung for rule, rung in named(labels).items() if rung in true},
        }
        for (name, labels), true in of.items()
    ]


def judged(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the regrets of the rules over all cells, below the number of labels of the rule, and above it."""
    every = cells(rows)
    parts = {
        "all": every,
        "few": [cell for cell in every if cell["labels"] <= FEW_LABELS],
        "more": [cell for cell in every if cell["labels"] > FEW_LABELS],
    }
    regrets = {part: policy_regrets(of, EPSILON) for part, of in parts.items() if of}
    return {"labels_of_the_rule": FEW_LABELS, "epsilon": EPSILON, "regrets": regrets, "cells": every}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+", help="records of benchmarks/few_shot.py")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/few_labels.json"))
    options = parser.parse_args()
    results = judged([row for file in options.records for row in part_of_record(file, "rows", list)])
    text = json.dumps(results, indent=1)
    print(text)
    write_text(options.out, text + "\n")


if __name__ == "__main__":
    run_script(main)
