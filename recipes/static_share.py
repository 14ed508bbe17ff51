"""How much of what an encoder adds does a static table keep, and could one have known it beforehand?

    python recipes/static_share.py --data DATA --out docs/records/static_share.json

For each data set, 1,000 labelled texts to learn from and as many to be judged on: the table distilled from the
encoder, the encoder itself and random vectors are fitted as `wordworth worth` fits them (no tagging), and the share of
the encoder's gain that the table keeps is set against what the geometry of its states foretold. A line through all
data sets is fitted, and judged by leaving out one at a time.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from validity import SETS
from wordworth import seeds
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.representations.distilled import DistilledRung
from wordworth.representations.frozen import Frozen
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.scores import Bootstrap, measure
from wordworth.studies.worth.static_share import static_share_table
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

TRAIN, TEST, SEEDS, DRAWS = 1_000, 1_000, 2, 1_000
FEWEST = 3
"""Data sets under which there is no line to fit and leave one out of."""
MORE = {
    name: {"text": "text", "label": "label"}
    for name in ("cr/all.csv.xz", "sst2/train.csv.xz", "acl_arc/train.csv.xz", "chemprot/train.csv.xz")
}


def row(whole: Task, model: str) -> dict[str, Any] | None:
    """What was foretold and found on one data set; None where the table was not measured."""
    order = seeds.child(0, "static share", whole.name).permutation(len(whole.examples))
    cut = min(TRAIN, len(order) // 2)
    task = replace(whole, train=np.sort(order[:cut]), test=order[cut : cut + TEST], warnings=())
    plan = LabelGrid((cut,), tuple(seeds.child(seed, "subset").permutation(task.train) for seed in range(SEEDS)))
    run_context = RunContext()
    rung_results = open_rungs([RandomRung(), DistilledRung(model), Frozen(model)], task, run_context, ())
    fit_all(
        rung_results,
        {entry.rung.name: [(cut, seed) for seed in range(SEEDS)] for entry in rung_results},
        task,
        plan,
        run_context,
    )
    scores = measure(rung_results, task, metric(task.metric, task.classes), Bootstrap(DRAWS, 0))
    return next(iter(static_share_table(rung_results, scores, cut).rows()), None)


def fitted(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The rule kept = intercept + slope x word share, its error where each data set is left out, and the mean's."""
    known = [one for one in rows if one["state"] == "measured"]
    x, y = (np.array([one[name] for one in known]) for name in ("word_share", "kept"))
    own, mean = [], []
    for place in range(len(known)):
        rest = np.arange(len(known)) != place
        slope, intercept = np.polyfit(x[rest], y[rest], 1)
        own.append(y[place] - intercept - slope * x[place])
        mean.append(y[place] - y[rest].mean())
    slope, intercept = np.polyfit(x, y, 1)
    return {
        "sets": len(known),
        "intercept": float(intercept),
        "slope": float(slope),
        "correlation": float(np.corrcoef(x, y)[0, 1]),
        "mean_kept": float(y.mean()),
        "error_left_out": float(np.sqrt(np.mean(np.square(own)))),
        "error_of_the_mean_left_out": float(np.sqrt(np.mean(np.square(mean)))),
        "error_of_the_share_itself": float(np.sqrt(np.mean(np.square(y - x)))),
    }


def save(rows: list[dict[str, Any]], out: Path) -> None:
    """The rule so far, and what it comes from."""
    enough = sum(one["state"] == "measured" for one in rows) > FEWEST
    write_text(out, json.dumps({"rule": fitted(rows) if enough else {}, "sets": rows}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=Path, default=Path("docs/records/static_share.json"))
    parser.add_argument("--model", default="minilm")
    asked = parser.parse_args()
    rows = json.loads(asked.out.read_text(encoding="utf-8"))["sets"] if asked.out.exists() else []
    for name, reading in {**MORE, **SETS}.items():
        if name in {one["set"] for one in rows} or reading.get("format") == "conll":
            continue
        found = row(read_task(asked.data / name, ReadSettings(**reading)), asked.model)
        if found is not None:
            rows.append(
                {
                    "set": name,
                    **{
                        key: value if not isinstance(value, float) or isfinite(value) else None
                        for key, value in found.items()
                    },
                }
            )
            print(json.dumps(rows[-1]), flush=True)
            save(rows, asked.out)
    save(rows, asked.out)


if __name__ == "__main__":
    main()
