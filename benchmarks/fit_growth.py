"""How a fit's time grows with its labels, beside what the forecast of `worth` assumes.

Question: one fit of each cheap or frozen rung on 100 labels is timed at the start of a study; how near does the time
that the forecast makes of it come to the time of fits on more labels?

    python benchmarks/fit_growth.py [--data DATA] [--out docs/records/fit_growth.json] [--sets mr trec ...]

Processor seconds on one thread, settings chosen inside the fit; mean of three fits up to 400 labels, one fit above. The
times of all rungs are added up.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

import measure
from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import Learner, RunContext
from wordworth.studies.worth.time_plan.fit_seconds import FitSeconds
from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds, few_rows
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

SIZES = (100, 400, 960, 2000, 3200)
TEXT, PAIR = {"text": "text", "label": "label"}, {"text": "text_a", "text_b": "text_b"}
SETS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "mr": ("mr/all.csv.xz", TEXT),
    "ag_news": ("ag_news/test.csv.xz", TEXT),
    "trec": ("trec/train.csv.xz", TEXT),
    "sst5": ("sst5/train.csv.xz", TEXT),
    "mrpc": ("mrpc/train.csv.xz", {**PAIR, "label": "label"}),
    "stsb": ("stsb/train.csv.xz", {**PAIR, "label": "score", "kind": "regression"}),
    "clinc150": ("clinc150/train.csv.xz", TEXT),
}
RUNGS = ("tfidf", "random", "glove", "wordllama", "minilm", "tfidf+minilm")


def sample(name: str, data: Path) -> Task:
    """Return the task with a sample of rows, all of them training rows, as many as the largest size."""
    file, settings = SETS[name]
    return few_rows(read_task(data / file, ReadSettings(**settings)), 0, SIZES[-1])


def fit_seconds(learner: Learner, name: str, task: Task, labels: int) -> float:
    """Return the processor seconds of a fit of a rung, choice of its settings included.

    Args:
        learner: the rung, prepared for the task.
        name: the rung's name, which seeds its fits.
        task: the task.
        labels: number of labelled rows of the fit.
    """
    seconds = []
    for seed in range(3 if labels <= 400 else 1):
        rows = seeds.child(seed, "rows").permutation(task.train)[:labels]
        drawn = learner.redraw(seed)
        began = time.process_time()
        drawn.fit(rows, seeds.child(seed, name, labels))
        seconds.append(time.process_time() - began)
    return fmean(seconds)


def growth(task: Task) -> list[dict[str, float]]:
    """Return for each number of labels the seconds of all rungs together, and what the forecast says they take."""
    taken, rungs = (
        dict[tuple[str, int], float](),
        [rung for rung in default_ladder(task.kind, finetune=None) if rung.name in RUNGS],
    )
    sizes = [size for size in SIZES if size <= len(task.train)]
    with TemporaryDirectory() as cache, threadpool_limits(1):
        run_context = RunContext(ArrayCache(Path(cache)), threads=1)
        for rung in rungs:
            learner = rung.prepare(task, run_context)
            taken |= {(rung.name, size): fit_seconds(learner, rung.name, task, size) for size in sizes}
    fits = {rung.name: FitSpeed(taken[rung.name, sizes[0]], sizes[0]) for rung in rungs}
    forecast = FitSeconds.of(task, Speeds(fits=fits), 0)
    return [
        {
            "labels": size,
            "seconds": round(sum(taken[rung.name, size] for rung in rungs), 3),
            "forecast": round(sum(forecast(rung, size) for rung in rungs), 3),
        }
        for size in sizes
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the times and the forecasts of each set, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=measure.data_folder())
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/fit_growth.json"))
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    options = parser.parse_args(arguments)
    sets = {}
    for name in options.sets:
        sets[name] = growth(sample(name, options.data))
        print(name, pd.DataFrame(sets[name]).to_string(index=False), sep="\n", flush=True)
        write_text(options.out, json.dumps({"machine": measure.machine(), "sets": sets}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
