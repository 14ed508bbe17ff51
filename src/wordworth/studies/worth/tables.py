"""The main tables of the record: the ladder of rungs, learning curves, runs, gaps, other metrics, classes, examples.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures import precision_recall_at_k
from wordworth.measures.metrics import errors
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.records import Table
from wordworth.sentence_formatting import within
from wordworth.studies.worth.learning_curves import extension_rows

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.task import Labels, Task

SCORE = {
    "score": "mean over the runs, on the metric's scale",
    "low": "lower end of its 95 % interval, over test texts (with the few that comparisons add, on which two rungs "
    "differ) and over runs or, where every row is tested, other labels drawn like these",
    "high": "upper end of that interval",
}

LADDER = {
    "rung": "short name",
    "title": "what it is",
    "family": "constant, counts, random, static, frozen, hybrid, finetuned, or that of another package's rung",
    "contextual": "whether it reads a word in its context; other rungs are cheap",
    "state": "measured, dropped (it could not win), failed or skipped (something it needs is missing)",
    "reason": "why it was dropped, failed or skipped",
    "labels": "labels learned from",
    "seeds": "runs behind the score",
    **SCORE,
    "gap": "score minus the best rung's, over the runs both have",
    "gap_low": "lower end of the gap's 95 % interval, over the same as that of the score",
    "gap_high": "upper end of that interval",
    "within": "whether it is within the margin of every other rung (lower bound)",
    "multiple": "times the labels it needs to equal the contextual rung, at the largest size where that is known",
    "multiple_against": "that contextual rung: the one that the verdict is about",
    "multiple_labels": "that size: the labels that the contextual rung learned from",
    "multiple_low": "lower end of the multiple's 95 % interval",
    "multiple_high": "upper end of the multiple's 95 % interval",
    "multiple_state": "exact, at most, more than, never or undefined",
    "disk_bytes": "what must be shipped for it to answer, in bytes",
    "parameters": "number of parameters",
    "width": "number of features of a text",
}
CURVE = {
    "rung": "short name",
    "labels": "labels learned from",
    **SCORE,
    "seeds": "runs behind the score",
    "extrapolated": "true where the size was not measured but extrapolated from the fitted curve",
}
RUNS = {
    "rung": "short name",
    "labels": "labels learned from",
    "seed": "which draw of the labels",
    "score": "on the metric's scale; a failed run counts as the constant rung, and none has a score where all failed",
    "state": "ok, or why it failed",
    "chosen": "what was selected on the training rows, as JSON",
}
GAPS = {
    "rung": "short name",
    "against": "the rung it is compared with: a contextual one, if there is any",
    "labels": "labels both learned from",
    "gap": "score of rung minus that of against, paired by run and test item",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
}
METRICS = {
    "rung": "short name",
    "metric": "name of the metric",
    **SCORE,
    "ceiling": "the highest score that any predictions could have, where that is not always 1",
}


def ladder_table(study: StudyResult) -> Table:
    """Return the table `ladder`, a row for each rung with its score, size and state, the cheapest first."""
    return Table.of([_ladder_row(study, result) for result in study.rung_results], LADDER)


def _ladder_row(study: StudyResult, result: RungResult) -> dict[str, Any]:
    scores, labels, best = study.scores, study.labels, study.verdict.best
    name = result.rung.name
    row = dict.fromkeys(LADDER) | {"rung": name, "title": result.rung.title, "family": result.rung.family}
    row["contextual"] = result.rung.contextual
    row |= {"state": result.state, "reason": result.reason, "seeds": 0, "within": False, "multiple_state": "undefined"}
    if result.learner is not None:
        cost = result.learner.cost()
        row |= {"disk_bytes": cost.disk_bytes, "parameters": cost.parameters, "width": cost.num_features}
    if not scores.has(name, labels):
        return row
    row |= {"labels": labels, "seeds": scores.seeds_of(name, labels), **score_columns(scores, name, labels)}
    row |= {"gap": scores.gap(name, best, labels), **scores.gap_interval(name, best, labels).columns("gap_")}
    row |= {"within": study.verdict.of(name).adequate}
    multiple = study.multiple(name) if name in study.measured_names(contextual=False) else {}
    columns = {"multiple": "multiple"} | {
        f"multiple_{key}": key for key in ("against", "labels", "low", "high", "state")
    }
    return row | ({column: multiple.get(key) for column, key in columns.items()} if multiple else {})


def score_columns(scores: Scores, rung: str, labels: int) -> dict[str, float]:
    """Return the columns `SCORE` of a rung's score: its mean over the runs, and both ends of its interval.

    Args:
        scores: the scores of all rungs.
        rung: name of the rung.
        labels: number of labelled examples that the rung learned from.
    """
    return {"score": scores.mean(rung, labels), **scores.score_interval(rung, labels).columns()}


def curve_table(study: StudyResult) -> Table:
    """Return the table of learning curves: first the measured points of all rungs, then the extrapolated points."""
    scores, rows = study.scores, []
    for rung in (result.rung.name for result in study.measured):
        for labels in scores.sizes(rung):
            row = {"rung": rung, "labels": labels, **score_columns(scores, rung, labels)}
            rows.append(row | {"seeds": scores.seeds_of(rung, labels), "extrapolated": False})
    for rung, extension in study.extensions.items():
        rows += extension_rows(scores, rung, extension) if extension else []
    return Table.of(rows, CURVE)


def runs_table(study: StudyResult) -> Table:
    """Return the table of runs, a row for each fit of a rung on a subset of the labelled examples, failed ones too."""
    rows = []
    for result in study.rung_results:
        for labels in sorted({run.labels for run in result.runs}):
            runs = [run for run in result.runs if run.labels == labels]
            scored = study.scores.table.get((result.rung.name, labels))
            points = [None] * len(runs) if scored is None else scored.by_run.tolist()
            for run, point in zip(runs, points, strict=True):
                row = {"rung": run.rung, "labels": labels, "seed": run.seed, "score": point}
                row |= {"state": run.error or "ok"}
                rows.append(row | {"chosen": json.dumps(dict(run.chosen), sort_keys=True, default=str)})
    return Table.of(rows, RUNS)


def gaps_table(study: StudyResult) -> Table:
    """Return the table of each rung's score minus each contextual rung's score, by number of labelled examples.

    The differences are paired. There is a row for each number of labelled examples at which both rungs were measured.
    If the study has no contextual rung, each rung is compared with every other rung.
    """
    scores, rungs = study.scores, [result.rung.name for result in study.measured]
    rows = []
    for against in study.measured_names(contextual=True) or rungs:
        for rung in rungs:
            for labels in scores.sizes(rung):
                if rung != against and scores.has(against, labels):
                    row = {"rung": rung, "against": against, "labels": labels, "gap": scores.gap(rung, against, labels)}
                    rows.append(row | scores.gap_interval(rung, against, labels).columns())
    return Table.of(rows, GAPS)


def metrics_table(study: StudyResult) -> Table:
    """Return the table of scores by the task's metric, and by every other usual metric of the kind of task.

    The scores are of runs that learned from all labelled examples. If the task's metric is of the k labels with the
    highest scores, precision, recall and F1 at smaller k are added.
    """
    rows: list[dict[str, Any]] = []
    main = study.task.metric
    for name in dict.fromkeys([main, *precision_recall_at_k.metrics_to_report(main), *study.task.type.metrics]):
        scores, ceiling = study.rescored(name), study.task.ceiling(name)
        rungs = [rung.name for rung in study.ladder if scores.has(rung.name, study.labels)]
        rows += [
            {"rung": rung, "metric": name, **score_columns(scores, rung, study.labels), "ceiling": ceiling}
            for rung in rungs
        ]
    return Table.of(rows, METRICS)


CLASSES = {"name": "class or tag", "train": "training examples that have it", "test": "test examples that have it"}


def classes_table(task: Task) -> Table:
    """Return the table of classes, with the number of examples of each class in the training and in the test part."""
    rows = [
        {"name": name, "train": _count(task.gold(task.train), index), "test": _count(task.gold(task.test), index)}
        for index, name in enumerate(task.classes)
    ]
    return Table.of(rows, CLASSES)


def _count(labels: Labels, index: int) -> int:
    if isinstance(labels, tuple):
        return sum(bool((tags == index).any()) for tags in labels)
    return int(labels[:, index].sum() if labels.ndim == 2 else (labels == index).sum())  # noqa: PLR2004 - one row a label set


EXAMPLES = {
    "which": "which of the two is right: cheap or contextual",
    "text": "the text, at most 600 characters of it",
    "second": "the other text of a pair",
    "gold": "the label given",
    "cheap": "prediction of the cheap rung",
    "contextual": "prediction of the contextual rung",
    "cheap_rung": "the cheap rung",
    "contextual_rung": "the contextual rung",
}
_MOST_EXAMPLES = 6
_LENGTH = 600
_MAJORITY = 0.5
"""An example's advantage, in errors, is above this over most runs and in the run whose answer is shown."""


def examples_table(study: StudyResult) -> Table:
    """Return the table of test texts for which the mean errors of two rungs over their runs differ by more than 0.5.

    The two rungs are the cheap and the contextual rung that the verdict compares; a kind that it does not compare has
    its best rung. If one of the two is better on no text, the best rung of each kind is taken instead; if this does not
    help, the pair with more texts is kept. First come texts that the contextual rung predicts better, then texts that
    the cheap rung predicts better, each from the largest difference down. The table is empty if no cheap or no
    contextual rung was measured.
    """
    pairs = [[_exemplary(study, among, contextual=side) for side in (False, True)] for among in _choices(study)]
    tables = [_examples(study, *pair) for pair in pairs]
    both = (rows for rows in tables if len({row["which"] for row in rows}) > 1)
    return Table.of(next(both, max(tables, key=len)), EXAMPLES)


def _choices(study: StudyResult) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of the rungs that the verdict compares, and those of all measured rungs."""
    return study.verdict.compared_pair, [result.rung.name for result in study.measured]


def _exemplary(study: StudyResult, among: Sequence[str], *, contextual: bool) -> RungResult | None:
    """Return the best cheap (or contextual) rung among the names `among`, or of all measured rungs if none fits."""
    names = study.measured_names(contextual=contextual)
    return study.best_of([name for name in names if name in among] or names)


def _examples(study: StudyResult, cheap: RungResult | None, contextual: RungResult | None) -> list[dict[str, Any]]:
    """Return the rows of the examples for two rungs; empty if one of them is None."""
    if cheap is None or contextual is None:
        return []
    task, labels = study.task, study.labels
    advantage = _errors(cheap, task, labels) - _errors(contextual, task, labels)
    rows = []
    for which, (of_mean, of_first) in (("contextual", advantage), ("cheap", -advantage)):
        order = np.lexsort((task.test, -of_mean))
        better = order[(np.minimum(of_mean, of_first) > _MAJORITY)[order]]
        rows += [_example(which, task, item, (cheap, contextual), labels) for item in better[:_MOST_EXAMPLES]]
    return rows


def _errors(result: RungResult, task: Task, labels: int) -> Floats:
    """Return each test item's error by a rung's runs at one size: the mean over runs, and that of the first run.

    Returns:
        float64 [2, test items]; NaN for an item that no run predicts. The first run is the one whose answer is shown
        (`_first`).
    """
    total, runs, first = np.zeros((3, len(task.test)))
    for run in result.runs:
        if run.labels == labels and run.predictions is not None:
            items = np.arange(len(task.test)) if run.items is None else run.items
            of_run = errors(task.gold(task.test[items]), run.predictions)
            first[items] = np.where(runs[items] > 0, first[items], of_run)
            total[items] += of_run
            runs[items] += 1
    return floats(np.divide([total, first], [runs, runs > 0], out=np.full((2, len(total)), np.nan), where=runs > 0))


def _example(which: str, task: Task, item: int, pair: tuple[RungResult, RungResult], labels: int) -> dict[str, Any]:
    row = int(task.test[item])
    predictions = [task.label_text(task.type.decide(_first(result, labels, item)), row) for result in pair]
    return {
        "which": which,
        "text": within(task.examples.first[row], _LENGTH),
        "second": within(task.examples.second[row], _LENGTH) if task.examples.second else "",
        "gold": task.label_text(task.gold(np.array([row]))[0], row),
        "cheap": predictions[0],
        "contextual": predictions[1],
        "cheap_rung": pair[0].rung.name,
        "contextual_rung": pair[1].rung.name,
    }


def _first(result: RungResult, labels: int, item: int) -> Any:  # noqa: ANN401 - a prediction of any kind
    """Return the prediction for the test item with index `item`, by the first run that predicted it."""
    for run in result.runs:
        if run.labels == labels and run.predictions is not None:
            if run.items is None:
                return run.predictions[item]
            index = int(np.searchsorted(run.items, item))
            if index < len(run.items) and run.items[index] == item:
                return run.predictions[index]
    raise LookupError(f"{result.rung.name} made no prediction for test item {item}")
