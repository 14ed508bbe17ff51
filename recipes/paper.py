"""Repeat the design of Arora et al. (2020) on the data sets it used: label multiples, and where the gap is larger.

    python recipes/paper.py --data DATA --out docs/records/paper.json

Every data set gets the whole study (no fine-tuning, as in the paper). A cell is a task, a measure (complexity,
ambiguity, unseen words) and a rival (random or GloVe vectors); it agrees with the paper when the contextual rung's gap
is larger on the hard half. The paper counts 30 of 42, which is 19 of 21 against random and 11 of 21 against GloVe.
A data set that is in --out already is not studied again; what is counted over all of them is counted anew.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import wordworth as ww
from parts.significance import cluster_permutation, survival_median
from wordworth import seeds
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import recorded_part, run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.binomial import holm, sign_test
from wordworth.measures.label_multiples import Multiple
from wordworth.records import Record

PAIR = {"text": "text_a", "text_b": "text_b", "label": "label"}
TEXT = {"text": "text", "label": "label"}
PAPER: dict[str, dict[str, Any]] = {
    "mr/all.csv.xz": TEXT,
    "cr/all.csv.xz": TEXT,
    "mpqa/all.csv.xz": TEXT,
    "subj/all.csv.xz": TEXT,
    "sst2/train.csv.xz": TEXT | {"test": "sst2/test.csv"},
    "trec/train.csv.xz": TEXT | {"test": "trec/test.csv"},
    "conll2003/eng.train.xz": {"format": "conll", "limit": 1_000},
}
GLUE: dict[str, dict[str, Any]] = {
    "cola/train.csv.xz": TEXT | {"metric": "matthews"},
    "mrpc/train.csv.xz": PAIR,
    "rte/train.csv.xz": PAIR | {"test": "rte/dev.csv"},
    "stsb/train.csv.xz": {"text": "text_a", "text_b": "text_b", "label": "score", "test": "stsb/dev.csv.xz"},
    "wnli/train.csv": PAIR | {"test": "wnli/dev.csv"},
    "qnli/train.csv.xz": PAIR,
    "qqp/train.csv.xz": PAIR,
    "mnli/train.csv.xz": PAIR,
}
LEVEL = 0.05
RIVALS, MEASURES, CONTEXTUAL = ("random", "glove"), ("complexity", "ambiguity", "unseen"), "minilm"


def studied(data: Path, name: str, choices: dict[str, Any]) -> dict[str, Any]:
    """Run the study on one data set; return its ladder, label multiples and cells."""
    chosen = dict(choices)
    if "test" in chosen:
        chosen["test"] = str(data / chosen["test"])
    record = ww.worth(data / name, finetune=False, budget="none", progress=Bars(), **chosen)
    return {
        "set": name.split("/", maxsplit=1)[0],
        "data": {key: record.data[key] for key in ("kind", "metric", "train", "test")},
        "sources": [source | {"path": Path(source["path"]).name} for source in record.data["sources"]],
        "verdict": dict(record.finding("verdict").numbers),
        "ladder": {row["rung"]: [row["score"], row["low"], row["high"]] for row in record.tables["ladder"].rows()},
        "multiples": multiples(record),
        "cells": cells(record),
        "seconds": record.timings["seconds"],
    }


def multiples(record: Record) -> list[dict[str, Any]]:
    """Return the label multiples of the cheap rungs and the frozen contextual one, both directions."""
    rows = [row for row in record.tables["multiples"].rows() if row["against"] == CONTEXTUAL]
    return [row for row in rows if row["rung"] in {*RIVALS, "tfidf"}]


def cells(record: Record) -> list[dict[str, Any]]:
    """Return the slices of the paper's two rivals."""
    keep = (
        "measure",
        "rung",
        "easy_gap",
        "hard_gap",
        "difference",
        "low",
        "high",
        "p",
        "larger_on_hard",
        "survives_null",
    )
    rows = [row for row in record.tables["slices"].rows() if row["rung"] in RIVALS]
    return [{key: row[key] for key in keep} for row in rows]


def corrected(sets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sets, each cell with a `p_holm` that bounds the chance of any false claim among all cells."""
    levels = [cell["p"] for data_set in sets for cell in data_set["cells"] if cell["p"] is not None]
    adjusted = iter(holm(levels))
    return [
        data_set
        | {"cells": [cell | {"p_holm": None if cell["p"] is None else next(adjusted)} for cell in data_set["cells"]]}
        for data_set in sets
    ]


def saved(sets: list[dict[str, Any]]) -> dict[str, float]:
    """Return the median label multiple over the sets, by rival; multiples that are bounds count as censored."""
    rows = [row for data_set in sets for row in data_set["multiples"] if row["direction"] == "saved"]
    of = {name: [row for row in rows if row["rung"] == name] for name in sorted({row["rung"] for row in rows})}
    return {
        name: survival_median([Multiple(row["multiple"], row["state"]) for row in data_set])
        for name, data_set in of.items()
    }


def count(sets: list[dict[str, Any]]) -> dict[str, Any]:
    """Count the cells that agree with the paper, by rival and measure, and test with a task's cells as one."""
    counts: dict[str, Any] = {}
    for rival in (*RIVALS, "both"):
        chosen = [[cell for cell in data_set["cells"] if rival in {cell["rung"], "both"}] for data_set in sets]
        known = [cell for of in chosen for cell in of if cell["larger_on_hard"] is not None]
        agree = sum(cell["larger_on_hard"] for cell in known)
        counts[rival] = {
            "agree": agree,
            "cells": len(known),
            "survive_null": sum(bool(cell["survives_null"]) for cell in known),
            "survive_holm": sum(bool(cell["survives_null"]) and cell["p_holm"] <= LEVEL for cell in known),
            "p_if_independent": sign_test(agree, len(known)),
            "p_by_task": by_task(chosen),
            "by_measure": {
                measure: [
                    sum(cell["larger_on_hard"] for cell in known if cell["measure"] == measure),
                    sum(cell["measure"] == measure for cell in known),
                ]
                for measure in MEASURES
            },
        }
    return counts


def by_task(chosen: list[list[dict[str, Any]]]) -> float:
    """Return p of the permutation test that flips all cells of a task together."""
    width = max(map(len, chosen))
    signs = np.full((len(chosen), width), np.nan)
    for row, of in enumerate(chosen):
        for column, cell in enumerate(of):
            if cell["larger_on_hard"] is not None:
                signs[row, column] = 1.0 if cell["larger_on_hard"] else -1.0
    return cluster_permutation(signs, 10_000, seeds.child(0, "paper"))


def keep(out: Path, done: list[dict[str, Any]]) -> None:
    """Write the sets and what is counted over those of the paper, and over all."""
    names = {name.split("/")[0] for name in PAPER}
    groups = {"paper_sets": [data_set for data_set in done if data_set["set"] in names], "all_sets": done}
    counts = {name: count(corrected(group)) | {"saved": saved(group)} for name, group in groups.items() if group}
    write_text(out, json.dumps({"counts": counts, "sets": corrected(done)}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/paper.json"))
    parser.add_argument("--sets", nargs="*", choices=[*PAPER, *GLUE], default=[*PAPER, *GLUE], metavar="SET")
    options = parser.parse_args()
    done = recorded_part(options.out, "sets", list)
    for name in options.sets:
        if all(entry["set"] != name.split("/")[0] for entry in done):
            done.append(studied(options.data, name, (PAPER | GLUE)[name]))
            print(json.dumps({"set": done[-1]["set"], "verdict": done[-1]["verdict"].get("answer")}), flush=True)
            keep(options.out, done)
    keep(options.out, done)


if __name__ == "__main__":
    run_script(main)
