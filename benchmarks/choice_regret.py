"""What the choice inside the training labels costs: the best fixed candidate of the grid minus the chosen one.

    python benchmarks/choice_regret.py [--data DATA] [--out docs/records/choice_regret.json]

For each data set, number of labels and draw of them, the TF-IDF rung's linear head chooses its view, strength and
logit adjustment by cross-validation inside the labels. Every candidate of its grid is then learned from all labels and
scored on up to 10,000 texts that nobody chose by, and so are two strengths beyond each end of the grid.

Regret is the score of the candidate that is best on average over the draws less the chosen ones' average. The best of
some hundred candidates owes part of its score to luck on these very draws, so that regret has a second figure: the
candidate that is best on average over all other draws, scored on the draw left out. Cells are kept as they are done;
the same call goes on.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from measure import data_file, data_folder
from wordworth import seeds
from wordworth.cli.scripts import recorded_lines, run_script, writable_path
from wordworth.files import write_text
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.blas_threads import SINGLE_BLAS_THREAD
from wordworth.representations.heads.cross_validation import Fold, Part
from wordworth.representations.heads.fold_models import Candidate
from wordworth.representations.heads.grid_search import GridSearch
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.logit_adjustment import regularised_taus_for
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

SETS: dict[str, dict[str, Any]] = {
    "mr/all": {},
    "subj/all": {},
    "mpqa/all": {},
    "trec/train": {},
    "sst5/train": {},
    "ag_news/test": {},
    "cola/train": {"metric": "matthews"},
    "hate_offensive/all": {"metric": "macro_f1"},
    "tweet_emotion/train": {"metric": "macro_f1"},
    "tweet_hate/train": {"metric": "f1:hate"},
    "sms_spam/all": {"metric": "f1:spam"},
    "acl_arc/train": {"metric": "macro_f1"},
    "legal_roles/all": {"metric": "macro_f1"},
    "mrpc/train": {"text": "text_a", "text_b": "text_b", "metric": "f1:1"},
    "qqp/train": {"text": "text_a", "text_b": "text_b"},
    "stsb/train": {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression", "metric": "pearson"},
    "sst2_glue/train": {},
    "goemotions/train": {"label": "labels", "kind": "multilabel", "metric": "micro_f1"},
    "chemprot/train": {"metric": "macro_f1"},
}
SIZES, TEST = (100, 300, 1_000, 3_000), 10_000
DRAWS = {100: 20, 300: 20, 1_000: 10}
FEWEST_DRAWS = 10
"""Number of draws at the larger sizes; small sizes have more draws, as they vary more and are quick."""
LARGE, LARGE_SIZE = frozenset({"hate_offensive/all", "sst2_glue/train"}), 10_000
HEAD = LinearHead()
BEYOND = (HEAD.strengths[0] / 10, HEAD.strengths[0] / 3, HEAD.strengths[-1] * 3, HEAD.strengths[-1] * 10)


def read(folder: Path, name: str) -> Task:
    """Read a data set as a task with all its rows to draw from."""
    file = data_file(folder, f"{name}.csv*")
    task = read_task(file, ReadSettings(**{"text": "text", "label": "label", **SETS[name]}))
    return replace(task, name=name, numbers=None, train=np.arange(len(task.examples)), test=np.arange(0))


def cells(task: Task) -> Iterator[tuple[int, int]]:
    """Yield the sizes and draws of a data set; up to a third of its rows are kept for testing."""
    most = len(task.examples) - min(TEST, len(task.examples) // 3)
    sizes = [*SIZES, LARGE_SIZE] if task.name in LARGE else [*SIZES]
    fitting = [size for size in sizes if size <= most]
    for size in fitting if fitting[-1] >= SIZES[-1] else [*fitting, most]:
        yield from ((size, draw) for draw in range(DRAWS.get(size, FEWEST_DRAWS)))


def measured(learner: RepresentationLearner, size: int, draw: int) -> dict[str, Any]:
    """Return the candidates' scores on the test part, and the one chosen inside the labels."""
    task = learner.task
    order = seeds.child(0, "regret", task.name, draw).permutation(len(task.examples))
    rows, test = np.sort(order[:size]), np.sort(order[size:][-TEST:])
    choice = learner.fit(rows, seeds.child(0, "regret")).chosen
    training, held_out = learner.fold(rows, test)
    target, taus = Target.of(task, test), regularised_taus_for(Target.of(task, rows))
    search = GridSearch([Fold(Part(training, Target.of(task, rows)), Part(held_out, target))], taus)
    candidates = [Candidate(view, strength) for view in training for strength in (*HEAD.strengths, *BEYOND)]
    with SINGLE_BLAS_THREAD.limited():
        scores = search.scores(candidates)
    grid = {
        f"{view} {strength:g} {tau:g}": float(score)
        for (view, strength), of_candidate in zip(candidates, scores, strict=True)
        for tau, score in zip(taus, of_candidate, strict=True)
    }
    return {
        "set": task.name,
        "metric": task.metric,
        "labels": size,
        "draw": draw,
        "tested": len(test),
        "chosen": f"{choice['view']} {choice['strength']:g} {choice['tau']:g}",
        "scores": {key: round(score, 5) for key, score in grid.items()},
    }


def regrets(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each data set and number of labels, scores in points."""
    lines = []
    for (name, size), group in itertools.groupby(rows, key=lambda row: (row["set"], row["labels"])):
        cell = list(group)
        keys = list(cell[0]["scores"])
        scores = 100 * np.array([[row["scores"][key] for key in keys] for row in cell])
        chosen = 100 * np.array([row["scores"][row["chosen"]] for row in cell])
        inside = np.array([key.split()[-2] not in {f"{strength:g}" for strength in BEYOND} for key in keys])
        means = np.where(inside, scores.mean(0), -np.inf)
        others = [float(scores[draw, _best_of_others(scores, draw, inside)]) for draw in range(len(cell))]
        line = {
            "set": name,
            "metric": cell[0]["metric"],
            "labels": size,
            "draws": len(cell),
            "best": keys[int(means.argmax())],
            "best_score": float(means.max()),
            "chosen_score": float(chosen.mean()),
            "regret": float(means.max() - chosen.mean()),
            "regret_beside_the_best_of_other_draws": float(np.mean(others - chosen)),
            "gain_beyond_the_grid": float(scores.mean(0).max() - means.max()),
        }
        lines.append({key: round(value, 2) if isinstance(value, float) else value for key, value in line.items()})
    return lines


def _best_of_others(scores: np.ndarray, draw: int, inside: np.ndarray) -> int:
    """Return the candidate of the grid that is best on average over all draws but one."""
    return int(np.where(inside, np.delete(scores, draw, axis=0).mean(0), -np.inf).argmax())


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, then print the regrets and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder())
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/choice_regret.json"))
    parser.add_argument("--cells", type=Path, default=Path("run/choice_regret.jsonl"), help="where cells are kept")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), metavar="SET", help="which data sets")
    options = parser.parse_args(arguments)
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    rows = recorded_lines(options.cells)
    done = {(row["set"], row["labels"], row["draw"]) for row in rows}
    for name in options.sets:
        task = read(options.data, name)
        missing = [cell for cell in cells(task) if (name, *cell) not in done]
        learner = RepresentationRung(Tfidf()).prepare(task, RunContext()) if missing else None
        for size, draw in missing:
            assert learner is not None
            rows.append(measured(learner, size, draw))
            with options.cells.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
            print(name, size, draw, rows[-1]["chosen"], flush=True)
    report(rows, options.out)


def report(rows: list[dict[str, Any]], out: Path) -> None:
    """Print the regrets and write the record."""
    lines = regrets(sorted(rows, key=lambda row: (row["set"], row["labels"], row["draw"])))
    for line in lines:
        print(*line.values())
    summary: dict[str, Any] = {"sets": len({line["set"] for line in lines}), "cells_of_sets_and_sizes": len(lines)}
    for kind in ("regret", "regret_beside_the_best_of_other_draws"):
        each = np.array([line[kind] for line in lines])
        summary |= {f"mean_{kind}": round(float(each.mean()), 3), f"largest_{kind}": float(each.max())}
        print(f"{kind}: mean {each.mean():.2f}, largest {each.max():.2f}, above 2: {(each > 2).sum()} of {len(each)}")
    write_text(out, json.dumps({**summary, "cells": lines}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
