"""What share of an encoder's gain does a static table made of it have, and can the encoder's geometry predict it?

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

from parts.validity_sets import SETS
from wordworth import seeds
from wordworth.cli.scripts import recorded_part, run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.static_share_of_gain import static_share_table
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

TRAIN, TEST, SEEDS, DRAWS = 1_000, 1_000, 2, 1_000
FEWEST = 3
"""Fewest data sets for fitting a line and leaving one out."""
MORE = {"sst2/train.csv.xz": {"text": "text", "label": "label"}}


def row(whole: Task, model: str) -> dict[str, Any] | None:
    """Return the predicted and the measured share of one data set; None if the table was not measured."""
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
    """Fit kept = intercept + slope x word share; return its leave-one-out error beside that of the mean."""
    known = [entry for entry in rows if entry["state"] == "measured"]
    x, y = (np.array([entry[name] for entry in known]) for name in ("word_share", "kept"))
    own, mean = [], []
    for index in range(len(known)):
        rest = np.arange(len(known)) != index
        slope, intercept = np.polyfit(x[rest], y[rest], 1)
        own.append(y[index] - intercept - slope * x[index])
        mean.append(y[index] - y[rest].mean())
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
    """Write the line that is fitted so far, and the rows that it is fitted to."""
    enough = sum(entry["state"] == "measured" for entry in rows) > FEWEST
    write_text(out, json.dumps({"rule": fitted(rows) if enough else {}, "sets": rows}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/static_share.json"))
    parser.add_argument("--model", default="minilm")
    options = parser.parse_args()
    rows = recorded_part(options.out, "sets", list)
    for name, reading in {**MORE, **dict(SETS.values())}.items():
        if name in {entry["set"] for entry in rows} or reading.get("format") == "conll":
            continue
        measured = row(read_task(options.data / name, ReadSettings(**reading)), options.model)
        if measured is not None:
            rows.append(
                {
                    "set": name,
                    **{
                        key: value if not isinstance(value, float) or isfinite(value) else None
                        for key, value in measured.items()
                    },
                }
            )
            print(json.dumps(rows[-1]), flush=True)
            save(rows, options.out)
    save(rows, options.out)


if __name__ == "__main__":
    run_script(main)
