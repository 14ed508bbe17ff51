"""What a logit adjustment brings the fine-tuned rung with few labels, and what holding labels out for it costs.

    python benchmarks/finetuned_tau.py --data DATA --out docs/records/finetuned_tau.json [--sets SET] [--draws 1]

Each cell fine-tunes MiniLM on all its labels, and on four fifths of them; tau is chosen on the fifth that is left. The
scores are those of up to 1,500 other texts, in points of the set's metric: `plain` learns from all labels and has no
tau, `all` learns from all and takes the tau of the other run, `held_out` learns from four fifths and takes its own.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.representations.finetuned_encoder import FineTuned, FineTunedPredictor
from wordworth.representations.finetuning_run import best_adjustment
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.logit_adjustment import LogitAdjustment, taus_for
from wordworth.representations.rung import RunContext
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task

SETS: dict[str, dict[str, Any]] = {
    "hate_offensive/all.csv.xz": {},
    "tweet_hate/train.csv.xz": {"metric": "f1:hate"},
    "acl_arc/train.csv.xz": {},
}
LABELS, TEST, HELD_PART = (200, 600), 1_500, 5
NO_HELD_OUT = FineTuning(stop_from=1 << 30)


def drawn(whole: Task, name: str, labels: int, draw: int) -> Task:
    """Draw a task with `labels` rows to learn from and other texts to test on.

    Args:
        whole: the data set as a task.
        name: its short name, from which the draw's seed follows.
        labels: number of rows to learn from.
        draw: number of the draw.
    """
    order = seeds.child(draw, "tau", name, labels).permutation(len(whole.examples))[: labels + TEST]
    rows = np.concatenate([np.sort(order[:labels]), order[labels:]])
    examples, gold = whole.examples.take(rows), whole.gold(rows)
    train, test = np.arange(labels), np.arange(labels, len(rows))
    return replace(whole, examples=examples, labels=gold, numbers=None, warnings=(), train=train, test=test)


def raw_scores(fitted: FineTunedPredictor, rows: Rows) -> np.ndarray:
    """Return the scores float64 [rows, classes], without logit adjustment."""
    return np.asarray(fitted.outcome.model.predict(fitted.learner.tokenized.take(rows)))


def cell(task: Task, draw: int) -> dict[str, Any]:
    """Fine-tune on all labels and on four fifths of them; return the scores with and without tau."""
    plain_task = replace(task, metric="accuracy")  # no tau is chosen inside the run
    learner = FineTuned("minilm", NO_HELD_OUT).prepare(plain_task, RunContext(threads=1))
    order = seeds.child(draw, "fifth").permutation(len(task.train))
    held, rest = np.sort(order[: len(order) // HELD_PART]), np.sort(order[len(order) // HELD_PART :])
    whole, part = (
        learner.fit(rows, seeds.child(draw, "run", *name)) for rows, name in ((task.train, ()), (rest, (1,)))
    )
    train, learned, test = (Target.of(task, rows) for rows in (task.train, rest, task.test))

    def score(target: Target, of: Target, tau: float, scores: np.ndarray) -> float:
        return 100 * target.score(LogitAdjustment.of(of, tau)(scores))

    tau = best_adjustment(learned, Target.of(task, held), raw_scores(part, held)).tau
    on_test, by_part = raw_scores(whole, task.test), raw_scores(part, task.test)
    return {
        "metric": task.metric,
        "tau": tau,
        "plain": score(test, train, 0.0, on_test),
        "all": score(test, train, tau, on_test),
        "held_out": score(test, learned, tau, by_part),
        "held_out_without_tau": score(test, learned, 0.0, by_part),
        "best_tau": max(score(test, train, tau, on_test) for tau in taus_for(train)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/finetuned_tau.json"))
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS), metavar="SET")
    parser.add_argument("--draws", type=int, default=1)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for draw in range(options.draws):
        for name in options.sets:
            whole = read_task(options.data / name, ReadSettings(text="text", label="label", **SETS[name]))
            for labels in LABELS:
                short = name.split("/")[0]
                scores = cell(drawn(whole, short, labels, draw), draw)
                rows.append({"set": short, "labels": labels, "draw": draw} | scores)
                write_text(options.out, json.dumps(rows, indent=1) + "\n")
                print(json.dumps(rows[-1]), flush=True)


if __name__ == "__main__":
    run_script(main)
