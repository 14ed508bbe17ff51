"""What the candidates for tau (logit adjustment) gain: the same rung, labels and folds under two sets of candidates.

    python benchmarks/tau_candidates.py --data DATA --cells cells.jsonl --out docs/records/tau_candidates.json

*Now* is what the linear head takes: 0 to 1 under any metric of classes. *Before*, metrics that count every item alike
had none but 0, and the others -1 to 2. Both choices read the same features of the same folds, and the gain is the
difference of their scores on up to 2,000 texts that nobody chose by, in points. Its interval is a bootstrap over the
data sets. Cells are kept as they are done; the same call goes on.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest import mock

import numpy as np

from choice_regret import HEAD, SETS, TEST, read
from measure import machine
from wordworth import seeds
from wordworth.files import write_text
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads import linear
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.logit_adjustment import regularised_taus_for, taus_for, weighs_items_equally
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.static import glove, wordllama
from wordworth.representations.tfidf import Tfidf

CANDIDATES = {"before": taus_for, "now": regularised_taus_for}
RUNGS: dict[str, Callable[[], Rung]] = {
    "tfidf": lambda: RepresentationRung(Tfidf()),
    "wordllama": lambda: wordllama(HEAD),
    "glove": lambda: glove(HEAD),
}
DRAWS = {100: 6, 300: 4, 1_000: 3, 3_000: 2}
RESAMPLED, LEVEL = 10_000, (2.5, 97.5)
Cell = dict[str, Any]


def measured(learner: RepresentationLearner, size: int, draw: int) -> dict[str, Any]:
    """Return the score of each choice on the test texts, in points, and its tau."""
    task = learner.task
    order = seeds.child(0, "regret", task.name, draw).permutation(len(task.examples))
    rows, test = np.sort(order[:size]), np.sort(order[size:][-TEST:])
    views, new = learner.fold(rows, test)

    @cache
    def fold(training: bytes, held_out: bytes) -> Any:
        return learner.fold(rows[np.frombuffer(training, np.int64)], rows[np.frombuffer(held_out, np.int64)])

    scores: dict[str, Any] = {}
    for name, candidates in CANDIDATES.items():
        with mock.patch.object(linear, "regularised_taus_for", candidates):
            rng = seeds.child(0, "taus", task.name, draw)
            choice = HEAD.choose(lambda a, b: fold(a.tobytes(), b.tobytes()), Target.of(task, rows), rng)
        fitted = HEAD.learn(views, Target.of(task, rows), choice)
        score = Target.of(task, test).score(fitted.predict(new[choice.view]))
        scores |= {name: round(100 * score, 3), f"tau {name}": choice.tau}
    return {**scores, "equal": weighs_items_equally(Target.of(task, rows)), "metric": task.metric}


def cells(rows: int, sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the sizes and draws of a data set; up to a third of its rows are kept for testing."""
    most = rows - min(TEST, rows // 3)
    yield from ((size, draw) for size in sizes if size <= most for draw in range(DRAWS[size]))


def summary(rows: Sequence[Cell]) -> list[Cell]:
    """Return the mean gain over the data sets of each rung, number of labels and sort of metric, with its interval."""
    lines = []
    for rung in RUNGS:
        for size in DRAWS:
            for equal in (True, False):
                of = [row for row in rows if (row["rung"], row["labels"], row["equal"]) == (rung, size, equal)]
                names = sorted({row["set"] for row in of})
                if not names:
                    continue
                gains = [fmean(row["now"] - row["before"] for row in of if row["set"] == name) for name in names]
                about = {"rung": rung, "labels": size, "items_count_equally": equal, "sets": len(names)}
                lines.append(about | {"cells": len(of)} | _with_interval(gains, names))
    return lines


def _with_interval(gains: Sequence[float], names: Sequence[str]) -> Cell:
    """Return the mean gain with its interval, and the least and the largest gain of a data set."""
    drawn = seeds.child(0, "bootstrap").integers(0, len(gains), (RESAMPLED, len(gains)))
    low, high = np.percentile(np.array(gains)[drawn].mean(1), LEVEL)
    ends = {"least": min(zip(gains, names, strict=True)), "most": max(zip(gains, names, strict=True))}
    numbers = {"gain": fmean(gains), "low": float(low), "high": float(high)}
    return {name: round(value, 2) for name, value in numbers.items()} | {
        name: [of, round(gain, 2)] for name, (gain, of) in ends.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, then print the gains and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("WORDWORTH_DATA", "../shared/data")))
    parser.add_argument("--cells", type=Path, default=Path("run/tau_candidates.jsonl"), help="where cells are kept")
    parser.add_argument("--rungs", nargs="*", default=list(RUNGS))
    parser.add_argument("--labels", nargs="*", type=int, default=list(DRAWS))
    parser.add_argument("--out", type=Path, help="write the record here")
    options = parser.parse_args(arguments)
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    kept = [json.loads(line) for line in options.cells.read_text().splitlines()] if options.cells.exists() else []
    done = {(row["rung"], row["set"], row["labels"], row["draw"]) for row in kept}
    for rung in options.rungs:
        for name in (name for name, settings in SETS.items() if settings.get("kind") != "regression"):
            task = read(options.data, name)
            planned = cells(len(task.examples), options.labels)
            missing = [cell for cell in planned if (rung, name, *cell) not in done]
            learner = RUNGS[rung]().prepare(task, RunContext()) if missing else None
            for size, draw in missing:
                assert isinstance(learner, RepresentationLearner)
                kept.append({"rung": rung, "set": name, "labels": size, "draw": draw, **measured(learner, size, draw)})
                with options.cells.open("a") as file:
                    file.write(json.dumps(kept[-1]) + "\n")
                print(kept[-1], flush=True)
    lines = summary(kept)
    print(*lines, sep="\n")
    if options.out is not None:
        write_text(options.out, json.dumps({"gains": lines, "machine": machine()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
