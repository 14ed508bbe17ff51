"""Learning curves extrapolated to two and four times the labels, beside what those labels really taught.

    python benchmarks/extrapolation.py [--data DATA] [--minutes 35] [--out docs/records/extrapolation.json]

Of each data set, some 2,500 rows are kept to learn from and 1,000 to test on. A study of n labels (150, 300, 600) is
made as `worth` makes it: the doubling grid below n, five draws of each subset, the rung's own choices in the labels.
The same rung then learns from 2n and 4n labels that contain those n, and answers the same test texts. Sets of 10,000
rows do so for a study of 2,000 labels too, with TF-IDF.

What is measured of one rung on one data set is kept as soon as it is done; the same call goes on. A cell holds the
resampled curves, so that the predictions are made from it by the code as it is today (`extrapolation_record.py`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from extrapolation_record import record, tables
from measure import data_file, data_folder, machine
from wordworth import seeds
from wordworth.cli.scripts import recorded_lines, run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import Learner, RunContext, Rung
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.learning_curves import curve_draws
from wordworth.studies.worth.run_ladder import fit_all
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

_PAIR = {"text": "text_a", "text_b": "text_b", "kind": "pair_classification"}
SETS: Mapping[str, Mapping[str, Any]] = {
    "mr/all": {"metric": "accuracy"},
    "subj/all": {"metric": "accuracy"},
    "trec/train": {"metric": "accuracy"},
    "ag_news/train_sample": {"metric": "accuracy"},
    "tweet_hate/train": {"metric": "macro_f1"},
    "sst5/train": {"metric": "accuracy"},
    "snips/train": {"metric": "accuracy"},
    "hate_offensive/all": {"metric": "macro_f1"},
    "mpqa/all": {"metric": "accuracy"},
    "sms_spam/all": {"metric": "f1:spam"},
    "sst2_glue/train": {"metric": "accuracy"},
    "cola/train": {"metric": "matthews"},
    "stsb/train": {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression", "metric": "pearson"},
    "qqp/train": {**_PAIR, "metric": "accuracy"},
    "mnli/train": {**_PAIR, "metric": "accuracy"},
    "pan_paraphrase/train": {**_PAIR, "metric": "accuracy"},
    "chnsenticorp/train": {"metric": "accuracy"},
    "qnli/train": {**_PAIR, "metric": "accuracy"},
    "snli/train": {**_PAIR, "metric": "accuracy"},
    "chemprot/train": {"metric": "micro_f1"},
    "legal_roles/all": {"metric": "macro_f1"},
}
LARGE_SETS = (
    "subj/all",
    "mr/all",
    "mpqa/all",
    "sst2_glue/train",
    "ag_news/train_sample",
    "hate_offensive/all",
    "snips/train",
)
SHORT_TEXTS = ("trec/train", "mpqa/all", "snips/train", "sst2_glue/train", "cola/train")
FIRST_SETS = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """The sizes of the studies of a data set: their numbers of labels, the rows to read, and the rows to test on."""

    labels: tuple[int, ...]
    rows: int
    tested: int


SMALL, LARGE = Scale((150, 300, 600), 3_600, 1_008), Scale((2_000,), 9_600, 1_440)
TIMES = (2, 4)
RESAMPLES = Bootstrap(200, 0)
TRUE_RUNS = 3
"""Runs on more labels than any of the studies has; those of their own sizes have five."""
Cell = dict[str, Any]


def plan() -> Iterator[tuple[str, str, Scale]]:
    """Yield what is measured, data set, rung and scale, by turns, so that each kind has some where time runs out."""
    first = [*SETS][:FIRST_SETS]
    yield from ((name, rung, SMALL) for name in first for rung in ("tfidf", "glove"))
    turns = [
        [(name, "minilm", SMALL) for name in SHORT_TEXTS],
        [(name, "tfidf", LARGE) for name in LARGE_SETS],
        [(name, "tfidf", SMALL) for name in SETS],
        [(name, "wordllama", SMALL) for name in SETS],
        [(name, "random", SMALL) for name in SETS],
    ]
    yield from (each for turn in zip_longest(*turns) for each in turn if each is not None)
    yield from ((name, rung, SMALL) for name in SETS for rung in ("glove", "minilm"))


def read(folder: Path, name: str, scale: Scale) -> Task:
    """Read a data set as a study reads a file: a sample of its rows, split so that no text is in both parts."""
    columns = {"text": "text", "label": "label", **SETS[name]}
    file = data_file(folder, f"{name}.csv*")
    return read_task(file, ReadSettings(**columns, limit=scale.rows, test=scale.tested / scale.rows))


@dataclass(frozen=True, slots=True)
class Opened:
    """A rung prepared for a data set.

    Attributes:
        rung: the rung.
        learner: the rung, prepared.
        task: the data set; its training rows are in the order in which studies take them.
    """

    rung: Rung
    learner: Learner
    task: Task

    def scores(self, labels: int, *, curve: bool) -> Scores:
        """Return the scores of a study of the first `labels` rows: of its whole curve, or on all its labels alone."""
        task = replace(self.task, train=self.task.train[:labels])
        grid = label_grid(task, WorthSettings())
        runs = grid.runs() if curve else grid.runs()[:TRUE_RUNS]
        constant = Majority.of(task.kind)
        results = [
            RungResult(constant, constant.prepare(task, RunContext())),
            RungResult(self.rung, self.learner),
        ]
        fit_all(results, {result.rung.name: runs for result in results}, task, grid, RunContext(threads=1))
        return measure(results, task, metric(task.metric, task.classes), RESAMPLES)


def prepared(folder: Path, name: str, rung: Rung, scale: Scale) -> Opened:
    """Return a rung prepared for a data set.

    Args:
        folder: the folder of data sets.
        name: the data set, as in `SETS`.
        rung: the rung.
        scale: how many labels its studies have.
    """
    task = read(folder, name, scale)
    order = seeds.child(0, "extrapolation", name).permutation(task.train)
    needed = max(scale.labels) * max(TIMES)
    assert len(order) >= needed, f"{name} has {len(order)} rows to learn from, not {needed}"
    task = replace(task, name=name, train=order)
    return Opened(rung, rung.prepare(task, RunContext(threads=1)), task)


def measured(of: Opened, scale: Scale) -> Iterator[Cell]:
    """Yield a cell for each number of labels: the resampled curve, and what more labels taught."""
    task, rung = of.task, of.rung.name
    every = sorted({labels * times for labels in scale.labels for times in (1, *TIMES)})
    scores = {labels: of.scores(labels, curve=labels in scale.labels) for labels in every}
    for labels in scale.labels:
        sizes, draws = curve_draws(scores[labels], rung)
        yield {
            "set": task.name,
            "metric": task.metric,
            "kind": task.kind,
            "least": metric(task.metric, task.classes).least,
            "rung": rung,
            "labels": labels,
            "tested": len(task.test),
            "sizes": sizes.tolist(),
            "means": [round(scores[labels].mean(rung, size), 5) for size in sizes.tolist()],
            "draws": draws.round(4).tolist(),
            "then": {str(times): round(scores[labels * times].mean(rung, labels * times), 5) for times in TIMES},
        }


def run(folder: Path, path: Path, minutes: float) -> list[Cell]:
    """Measure what is missing, until the time is up, and return all cells."""
    began = time.monotonic()
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = recorded_lines(path)
    done = {(cell["set"], cell["rung"], cell["labels"]) for cell in cells}
    ladder = {rung.name: rung for rung in default_ladder("classification", finetune=None, distil=False)}
    for name, rung, scale in plan():
        if (name, rung, scale.labels[0]) in done:
            continue
        if time.monotonic() - began > 60 * minutes:
            break
        new = list(measured(prepared(folder, name, ladder[rung], scale), scale))
        cells += new
        done.add((name, rung, scale.labels[0]))
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(cell) + "\n" for cell in new)
        print(f"{time.monotonic() - began:.0f} s", name, rung, new[-1]["means"], new[-1]["then"], flush=True)
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/extrapolation.json"))
    parser.add_argument("--cells", type=Path, default=Path("run/extrapolation.jsonl"), help="where cells are kept")
    parser.add_argument("--minutes", type=float, default=35.0, help="no rung is begun after so many")
    options = parser.parse_args()
    summary = record(run(options.data, options.cells, options.minutes))
    print("\n".join(tables(summary)))
    write_text(options.out, json.dumps({**summary, "machine": machine()}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
