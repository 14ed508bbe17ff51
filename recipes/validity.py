"""Can the verdict be trusted? Run the study on part of the labels and compare it with the large remainder.

    PYTHONPATH=benchmarks python recipes/validity.py --data DATA --out docs/records/validity.json [--finetune]

For each of forty data sets (`parts/validity_sets.py`), several times over: draw 1,200 labelled rows; fit every rung on
five folds of them, as `worth` does; judge. Up to 2,000 of the rows that are left are the truth: they say how good each
fitted rung really is. Others, where there are enough, are fresh labels to learn from. Counted are

* coverage: how often the 95 % interval of a gap to the contextual rung holds the true one. On all labels there are two
  truths: the gap of the very rungs fitted (these labels), and the mean gap of rungs that learned from fresh draws of as
  many labels (new labels). At a quarter of them the truth is that of fresh draws. The truth is a mean over some
  thousand items and a few draws, whose own errors join the interval's;
* regret: by how many points the rung the verdict names truly falls short of the best rung minus epsilon, beside the
  regret of the rules that people follow without a study (`parts/policies.py`);
* errors: how often a definite answer is wrong on the remainder;
* answers at best: how many studies would be definite if the two decisive rungs were known (`parts/known_pair.py`).

The ladder's own rungs could all be poor in one way, and agree on a verdict that is false. So regret and errors are
counted twice: among the ladder's rungs, and with the TF-IDF model that a specialist makes of as many labels with
scikit-learn alone (`benchmarks/specialist_models.py`; not for tagging), on the same remainder.

What the rungs predicted is kept in a file for each part (`--runs`), so that a stopped recipe goes on where it was, and
another rule judges the same runs. The record is written after every part, of those that there are.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from parts.known_pair import cannot_tell_at_best, known_pair
from parts.policies import policies, policy_regrets
from parts.validity_runs import LABELS, QUARTER, ROWS, Part, PartRuns, cached_runs, part
from parts.validity_sets import SETS, read_set
from wordworth import seeds
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.bootstrap import interval
from wordworth.measures.metrics import metric
from wordworth.representations.rung import RunContext, Rung
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.tasks.task import Rows, Task

DRAWS, EPSILON = 1_000, 0.01


def restricted(rung_results: list[RungResult], items: Rows) -> list[RungResult]:
    """Restrict runs to some test items, which are then counted from 0.

    Args:
        rung_results: all runs.
        items: int64, a range of indices into the test part.
    """

    def cut(run: Run) -> Run:
        if run.predictions is None:
            return run
        predicted = np.arange(len(run.predictions)) if run.items is None else run.items
        kept = np.flatnonzero(np.isin(predicted, items))
        values = run.predictions
        chosen = tuple(values[index] for index in kept) if isinstance(values, tuple) else values[kept]
        return replace(run, predictions=chosen, items=predicted[kept] - items[0])

    return [replace(entry, runs=[cut(run) for run in entry.runs]) for entry in rung_results]


def scores_of(rung_results: list[RungResult], task: Task, items: Rows, *, folds: bool) -> Scores:
    """Return the scores on some test items.

    Args:
        rung_results: all runs.
        task: the task.
        items: int64, a range of indices into its test part.
        folds: whether the runs on all labels predict folds, and have one score together.
    """
    on_items = replace(task, test=task.test[items], folds=task.folds if folds else ())
    by = metric(task.metric, task.classes)
    return measure(restricted(rung_results, items), on_items, by, Bootstrap(DRAWS, 0))


def examine(of: Part, runs: PartRuns) -> dict[str, Any]:
    """Return coverage, regret and errors of one part, and the rungs that the usual rules of thumb name.

    Args:
        of: the part, one draw of labelled rows from a data set.
        runs: the runs of that part.
    """
    ladder = [entry.rung for entry in runs.study]
    study = scores_of(runs.study, of.study, np.arange(ROWS), folds=True)
    truth = scores_of(runs.study, of.study, of.remainder, folds=False)
    fresh = scores_of(runs.fresh, of.fresh, np.arange(len(of.fresh.test)), folds=False) if of.fresh else None
    verdict = judge(study, ladder, LABELS, EPSILON)
    true = {standing.name: truth.mean(standing.name, LABELS) for standing in verdict.comparisons}
    new = {name: fresh.mean(name, LABELS) for name in true if fresh and fresh.has(name, LABELS)}
    outside = runs.specialist
    return {
        "answer": verdict.answer,
        "rung": verdict.rung,
        "true": true,
        "true_of_new_labels": new,
        "specialist": outside,
        "regret": regret(verdict, true),
        "wrong": wrong(verdict, true),
        "wrong_of_new_labels": wrong(verdict, new) if len(new) == len(true) else None,
        "regret_beside_specialist": regret(verdict, true, outside),
        "wrong_beside_specialist": wrong(verdict, true, outside),
        "width": decisive_width(study, verdict),
        "known_pair": known_pair(verdict, truth, fresh, LABELS, (ROWS, len(of.remainder))),
        "policies": policies(verdict, of.study, LABELS),
        "top": list(covered(study, truth, ladder, LABELS, noisy=False)),
        "top_of_new_labels": list(covered(study, fresh, ladder, LABELS, noisy=True)) if fresh else [],
        "quarter": list(covered(study, fresh, ladder, QUARTER, noisy=True)) if fresh else [],
        "quarter_as_if_exact": list(covered(study, fresh, ladder, QUARTER, noisy=None)) if fresh else [],
    }


def decisive_width(study: Scores, verdict: Verdict) -> float:
    """Return the width in points of the 95 % interval between the best cheap and the best contextual rung."""
    cheap, contextual = (max(rungs, key=lambda rung: rung.mean) for rungs in (verdict.cheap, verdict.contextual))
    span = study.gap_interval(contextual.name, cheap.name, LABELS)
    return 100 * (span.high - span.low)


def covered(study: Scores, truth: Scores, ladder: list[Rung], labels: int, *, noisy: bool | None) -> Iterator[bool]:
    """Yield for each rung, against the frozen contextual one, whether the interval holds the true gap.

    The truth has errors of its own, which join the interval's (`allowance`); else they would count as the interval's
    fault. They are those of its items and, where it is a mean over a few further draws, of these draws.

    Args:
        study: the scores whose intervals are judged.
        truth: the scores on the remaining items.
        ladder: all rungs.
        labels: the number of labels.
        noisy: True where the truth is a mean over a few draws; None to take the truth as exact.
    """
    reference = next(rung.name for rung in ladder if rung.family == "frozen")
    for name in (rung.name for rung in ladder):
        if name != reference and study.has(name, labels) and truth.has(name, labels):
            true, span = truth.gap(name, reference, labels), study.gap_interval(name, reference, labels)
            middle = study.gap(name, reference, labels)
            side = span.high - middle if true > middle else middle - span.low
            point, by_draw = truth.differences(name, reference, labels)
            of_items = 0.0 if noisy is None else float(by_draw.mean(axis=0).var())
            of_draws = float(point.var(ddof=1) / len(point)) if noisy else 0.0
            yield abs(true - middle) <= allowance(side, of_items, of_draws, len(point))


def allowance(side: float, of_items: float, of_draws: float, draws: int) -> float:
    """Return how far the true gap may be from the study's gap while the study's 95 % interval counts as holding it.

    The variance of a mean over two to five draws is known badly, so that the quantile is Student's t, with the degrees
    of freedom of the sum of variances (Welch 1947; Satterthwaite 1946).

    Args:
        side: the distance from the study's gap to the end of its interval.
        of_items: the variance of the true gap by its test items; 0 to take them as exact.
        of_draws: the variance of the true gap by the draws of labels; 0 to take it as exact.
        draws: the number of draws that the true gap is a mean over.
    """
    variance = (side / ndtri(0.975)) ** 2 + of_items + of_draws
    degrees = (draws - 1) * (variance / of_draws) ** 2 if of_draws else np.inf
    return float(stdtrit(degrees, 0.975) * np.sqrt(variance))


def regret(verdict: Verdict, true: Mapping[str, float], outside: float | None = None) -> float:
    """Return by how many points the named rung is below the best true score minus epsilon; 0 if it is not below.

    Args:
        verdict: the verdict of the study, which names the rung.
        true: name of a rung -> its score on the remaining rows.
        outside: the score of a cheap model from outside the ladder; None if there is none.
    """
    best = max([*true.values(), *([] if outside is None else [outside])])
    return 100 * max(0.0, best - EPSILON - true[verdict.rung])


def wrong(verdict: Verdict, true: Mapping[str, float], outside: float | None = None) -> bool:
    """Return whether the verdict is definite and false on the remaining rows; the arguments are those of `regret`."""
    others = [] if outside is None else [outside]
    if verdict.settled:
        return true[verdict.rung] < max([*true.values(), *others]) - EPSILON
    advantage = max(true[rung.name] for rung in verdict.contextual) - max(
        [*(true[rung.name] for rung in verdict.cheap), *others]
    )
    if verdict.answer == "cheap suffices":
        return advantage > EPSILON
    return verdict.context_leads and advantage <= (EPSILON if verdict.answer == "contextual is worth it" else 0.0)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Summarise all parts; intervals resample data sets, as the parts of one data set share rows."""
    suffices = [row for row in rows if row["answer"] == "cheap suffices"]
    worth = [row for row in rows if row["answer"] == "contextual is worth it"]
    small_leads = [row for row in rows if row["answer"] == "contextual is ahead"]
    definite, rest = [*suffices, *worth, *small_leads], [row for row in rows if row["answer"] == "cannot tell yet"]
    return {
        "data_sets": len({row["set"] for row in rows}),
        "studies": len(rows),
        "coverage_top": float(np.mean([hit for row in rows for hit in row["top"]])),
        "coverage_top_between": between(rows, "top"),
        "coverage_top_of_new_labels": float(np.mean([hit for row in rows for hit in row["top_of_new_labels"]])),
        "coverage_top_of_new_labels_between": between(rows, "top_of_new_labels"),
        "coverage_quarter": float(np.mean([hit for row in rows for hit in row["quarter"]])),
        "coverage_quarter_between": between(rows, "quarter"),
        "coverage_quarter_as_if_exact": float(np.mean([hit for row in rows for hit in row["quarter_as_if_exact"]])),
        "intervals": {which: sum(len(row[which]) for row in rows) for which in ("top", "top_of_new_labels", "quarter")},
        "mean_regret": float(np.mean([row["regret"] for row in definite] or [0.0])),
        "largest_regret": max([row["regret"] for row in definite], default=0.0),
        "mean_regret_of_best_looking_where_it_cannot_tell": float(np.mean([row["regret"] for row in rest] or [0.0])),
        "cheap_suffices": len(suffices),
        "cheap_suffices_wrong": sum(row["wrong"] for row in suffices),
        "contextual_worth_it": len(worth),
        "contextual_worth_it_wrong": sum(row["wrong"] for row in worth),
        "contextual_ahead": len(small_leads),
        "contextual_ahead_wrong": sum(row["wrong"] for row in small_leads),
        "mean_regret_beside_specialist": float(np.mean([row["regret_beside_specialist"] for row in definite] or [0.0])),
        "largest_regret_beside_specialist": max([row["regret_beside_specialist"] for row in definite], default=0.0),
        "cheap_suffices_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in suffices),
        "contextual_worth_it_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in worth),
        "contextual_ahead_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in small_leads),
        "definite_with_fresh_labels": sum(row["wrong_of_new_labels"] is not None for row in definite),
        "wrong_of_new_labels": sum(bool(row["wrong_of_new_labels"]) for row in definite),
        "cannot_tell": len(rest),
        "cannot_tell_at_best": cannot_tell_at_best((row["known_pair"] for row in rows), 100 * EPSILON),
        "median_width": float(np.median([row["width"] for row in rows])),
        "policies": policy_regrets(rows, EPSILON),
    }


def between(rows: list[dict[str, Any]], which: str) -> list[float]:
    """Return the 95 % interval of a coverage; data sets are resampled, as intervals of one set share rows and rungs."""
    names = dict.fromkeys(row["set"] for row in rows)
    by_set = [[hit for row in rows if row["set"] == name for hit in row[which]] for name in names]
    hits = [of_set for of_set in by_set if of_set]
    drawn = seeds.child(0, "coverage", which).integers(len(hits), size=(DRAWS, len(hits)))
    right, all_of = np.array([sum(group) for group in hits]), np.array([len(group) for group in hits])
    span = interval(right[drawn].sum(1) / all_of[drawn].sum(1))
    return [span.low, span.high]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/validity.json"))
    parser.add_argument("--runs", type=Path, default=Path("run/validity"), help="folder of the kept runs")
    parser.add_argument("--parts", type=int, default=2)
    parser.add_argument("--finetune", action="store_true", help="fine-tune as well, at the top size")
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS), metavar="SET")
    options = parser.parse_args()
    run_context, rows = RunContext(progress=Bars()), list[dict[str, Any]]()
    for number, name in itertools.product(range(options.parts), options.sets):
        whole = read_set(options.data, name)
        of = part(whole, number)
        runs = cached_runs(options.runs / f"{name}-{number}.npz", of, run_context, finetune=options.finetune)
        rows.append({"set": name, "part": number, "kind": whole.kind, "metric": whole.metric} | examine(of, runs))
        printed = ("set", "part", "answer", "rung", "regret", "wrong")
        print(json.dumps({key: rows[-1][key] for key in printed}), flush=True)
        write_text(options.out, json.dumps({"summary": summary(rows), "studies": rows}, indent=1) + "\n")
    print(json.dumps(summary(rows), indent=1))


if __name__ == "__main__":
    run_script(main)
