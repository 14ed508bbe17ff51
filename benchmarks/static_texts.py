"""Static tables under one linear head: accuracy on labelled sets of texts, each table beside the others.

    WORDWORTH_DATA=data python benchmarks/static_texts.py static/ other/ glove wordllama --out record.json

The head, its choices and the rows are those of `wordworth worth`; the first table named is compared with the rest by
paired bootstrap over the test texts of every set.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measure import data_folder, report
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.representations.rung import RunContext
from wordworth.representations.static_vectors import StaticRung
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

SETS = {
    name: f"{name}/{part}.csv.xz"
    for part, names in {
        "all": ("cr", "hate_offensive", "mpqa", "mr", "sms_spam", "subj"),
        "train": ("cola", "sst2", "sst5", "trec", "tweet_emotion", "tweet_hate"),
        "test": ("ag_news",),
    }.items()
    for name in names
}
DRAWS = 2_000
Right = NDArray[np.float64]
"""For each test text 1 if the predicted class is right, else 0, float64 [test texts]."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", help="names, folders or files; the first is set against each other")
    parser.add_argument("--train", type=int, default=1_000)
    parser.add_argument("--test", type=int, default=1_000)
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS), metavar="SET")
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    by_set: dict[str, dict[str, Right]] = {}
    for name in options.sets:
        whole = read_task(data_folder() / SETS[name], ReadSettings(text="text", label="label"))
        task = drawn(whole, options.train, options.test)
        by_set[name] = {table: right(table, task) for table in options.tables}
        print(name, {Path(table).name: f"{rows.mean():.3f}" for table, rows in by_set[name].items()}, flush=True)
    report(summary(by_set, options.tables), options.out)


def drawn(whole: Task, train: int, test: int) -> Task:
    """Draw rows of a set to learn from and others to test on; halves of a small set."""
    order = seeds.child(0, "static texts", whole.name).permutation(len(whole.examples))[: train + test]
    cut, rows = min(train, len(order) // 2), np.arange(len(order))
    labels = np.asarray(whole.labels)[order]
    task = replace(whole, examples=whole.examples.take(order), labels=labels, train=rows[:cut], test=rows[cut:])
    return replace(task, metric="accuracy", warnings=())


def right(table: str, task: Task) -> Right:
    """Return for which test texts a table's vectors give the right class."""
    learner = StaticRung(table, Path(table).name, Path(table).name).prepare(task, RunContext())
    predictions = learner.fit(task.train, np.random.default_rng(0)).predict(task.test)
    assert not isinstance(predictions, tuple)
    return np.asarray(predictions.argmax(1) == task.gold(task.test), dtype=np.float64)


def summary(by_set: dict[str, dict[str, Right]], tables: Sequence[str]) -> dict[str, Any]:
    """Return each table's mean accuracy over the sets, and the lead of the first over it, in points."""
    names = {table: Path(table).name for table in tables}
    means = {names[table]: mean_over_sets([of_set[table] for of_set in by_set.values()]) for table in tables}
    leads_of_first = {
        names[table]: mean_over_sets([of_set[tables[0]] - of_set[table] for of_set in by_set.values()])
        for table in tables[1:]
    }
    rounded = {
        name: {names[table]: round(100 * rows.mean(), 2) for table, rows in of_set.items()}
        for name, of_set in by_set.items()
    }
    return {"mean accuracy": means, f"{names[tables[0]]} ahead by": leads_of_first, "sets": rounded}


def mean_over_sets(each: Sequence[Right]) -> dict[str, float]:
    """Return the mean over the sets, in points, with its 95 % interval over the test texts of each."""
    rng = np.random.default_rng(0)
    draws = np.mean(
        [rng.multinomial(len(hits), np.full(len(hits), 1 / len(hits)), DRAWS) @ hits / len(hits) for hits in each], 0
    )
    mean, (low, high) = np.mean([hits.mean() for hits in each]), np.quantile(draws, (0.025, 0.975))
    return {name: round(100 * float(value), 2) for name, value in (("mean", mean), ("low", low), ("high", high))}


if __name__ == "__main__":
    run_script(main)
