"""The texts of a pool to label next: what the rungs answer to them, those that are drawn, and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.records import Finding, Table
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.planning.sampling import (
    Contrast,
    RungAnswers,
    draw,
    even_labels,
    inclusion_probabilities,
)
from wordworth.studies.worth.power import compared_rungs
from wordworth.studies.worth.run_ladder import fit_all, mark_failed, open_rungs
from wordworth.studies.worth.rung_result import RungResult
from wordworth.tasks.task import Examples, Task
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Floats
    from wordworth.representations.rung import RunContext, Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.studies.worth.study_result import StudyResult

WEIGHT = "sampling_weight"
"""The column of the sampling weights in the file of texts to label."""
ROW = "row"
_LEAST_DISTANCE = 0.005
LABEL_VALUE = {
    "cheap": "the cheap rung",
    "contextual": "the contextual rung",
    "labels": "number of texts to label that were drawn",
    "even_labels": "how many texts drawn evenly would say as much about the difference of the two, as expected by how "
    "sure both are",
}


@dataclass(frozen=True, slots=True)
class ChosenTexts:
    """The texts of a pool that were drawn for labelling.

    Attributes:
        texts: the drawn texts, in a random order, so that the first of them are a sample too.
        weights: float64 [texts], the inverse of the probability with which each was drawn.
        columns: names of the columns of the texts, then that of the label.
        value: each pair of rungs -> the number of texts drawn evenly that would say as much; the first pair is that
            which a study would compare.
        pool: the number of texts that they were drawn from.
    """

    texts: Examples
    weights: Floats
    columns: tuple[str, ...]
    value: Mapping[tuple[str, str], float]
    pool: int

    def tables(self) -> dict[str, Table]:
        """Return the texts with their weights and an empty column of labels, and what they are worth."""
        *names, label = self.columns
        sides = (self.texts.first, self.texts.second or ())
        texts = {name: list(side) for name, side in zip(names, sides, strict=False)}
        rows = {ROW: [int(number) for number in self.texts.ids or ()]}
        columns: dict[str, list[Any]] = {**texts, label: [""] * len(self.texts), **rows, WEIGHT: self.weights.tolist()}
        described = dict.fromkeys(names, "as in the file of texts") | {
            label: "to be filled in",
            ROW: "number of the row in the file of texts, from 1",
            WEIGHT: "how many texts of the pool this one stands for",
        }
        value = [
            {"cheap": cheap, "contextual": contextual, "labels": len(self.texts), "even_labels": number}
            for (cheap, contextual), number in self.value.items()
        ]
        return {"to_label": Table(columns, described), "label_value": Table.of(value, LABEL_VALUE)}

    def finding(self, result: StudyResult) -> Finding:
        """Return what was drawn, and what it is worth."""
        (cheap, contextual), number = next(iter(self.value.items()))
        text = (
            f"{count_of(len(self.texts), 'text')} to label next were drawn from {self.pool:,} where rungs disagree. "
            f"About the difference of {result.title(cheap)} and {result.title(contextual)} they are expected to say as "
            f"much as {number:,.0f} drawn evenly. Label them in their order in to_label.csv, as many as you like; the "
            f"study then tests on them with the options test (this file), test_weight ({WEIGHT!r}) and skip_unusable, "
            f"which leaves those without a label out."
        )
        return Finding("verdict.to_label", text, {"labels": len(self.texts), "even_labels": number, "pool": self.pool})


def choose_texts(
    result: StudyResult,
    pool: Examples,
    number: int,
    columns: tuple[str, ...],
    settings: WorthSettings,
    run_context: RunContext,
) -> ChosenTexts:
    """Draw the texts of a pool to label next.

    Args:
        result: the rungs that have learned from the labels so far, and how they compare by these.
        pool: texts without labels, each once.
        number: how many to draw; all of them where the pool has fewer.
        columns: names of the columns of the texts, then that of the label.
        settings: the study's settings.
        run_context: cache, seed, threads and progress.
    """
    rungs = [each.rung for each in result.measured]
    answers = pool_answers(run_on_pool(tested_on(result.task, pool), rungs, settings, run_context))
    contrasts = contrasts_of(result, answers)
    probabilities = inclusion_probabilities(contrasts, answers, number)
    rows = draw(probabilities, seeds.child(settings.seed, "texts to label"))
    value = {(each.cheap, each.contextual): even_labels(each, answers, probabilities) for each in contrasts}
    return ChosenTexts(pool.take(rows), 1 / probabilities[rows], columns, value, len(pool))


def run_on_pool(
    task: Task, rungs: Sequence[Rung], settings: WorthSettings, run_context: RunContext
) -> list[RungResult]:
    """Return the runs of rungs on all labels so far, which predict the texts of a pool.

    Where the rungs of a plan leave out a fold, these learn from all labels: a study of the same labels, with the texts
    that are drawn as its test part, then answers these texts in the same way.

    Args:
        task: the labels so far, and the pool as the test part, as `tested_on` returns it.
        rungs: the rungs.
        settings: the study's settings.
        run_context: cache, seed, threads and progress.
    """
    rung_results = open_rungs(rungs, task, run_context, ())
    grid = label_grid(task, settings)
    on_all_labels = [pair for pair in grid.runs() if pair[0] == grid.top]
    pairs = {result.rung.name: on_all_labels for result in rung_results}
    fit_all(rung_results, pairs, task, grid, run_context, "predicting the texts to draw from")
    mark_failed(rung_results)
    return [result for result in rung_results if result.state == "measured"]


def pool_answers(rung_results: Sequence[RungResult]) -> dict[str, RungAnswers]:
    """Return rung -> its answers to the texts of a pool, over its runs."""
    return {result.rung.name: _answers(result) for result in rung_results}


def tested_on(task: Task, pool: Examples) -> Task:
    """Return the task of the labels so far whose test part is the pool; the labels of that part mean nothing."""
    labelled, number = task.examples.take(task.used), len(pool)
    second = None if pool.second is None else (*(labelled.second or ()), *pool.second)
    examples = Examples((*labelled.first, *pool.first), second)
    train = np.arange(len(labelled))
    labels = np.concatenate([np.asarray(task.gold(task.used)), np.zeros(number, dtype=np.int64)])
    test = np.arange(len(labelled), len(labelled) + number)
    return replace(task, examples=examples, labels=labels, train=train, test=test, folds=(), numbers=None)


def _answers(result: RungResult) -> RungAnswers:
    runs = [run for run in result.runs if run.predictions is not None]
    scores = [np.asarray(run.predictions, dtype=np.float64) for run in runs]
    shares = np.mean([np.eye(each.shape[1])[each.argmax(axis=1)] for each in scores], axis=0)
    likely = [run.calibration.probabilities(each) for run, each in zip(runs, scores, strict=True)]
    return RungAnswers(shares, np.mean(likely, axis=0))


def contrasts_of(result: StudyResult, answers: Mapping[str, RungAnswers]) -> list[Contrast]:
    """Return the differences that the verdict hangs on, that which a study would compare first.

    They are those of each cheap rung and the contextual rung that leads, and of each contextual rung and the cheap one
    that leads, by the labels so far.
    """
    cheap, contextual = (
        [name for name in result.measured_names(contextual=kind) if name in answers] for kind in (False, True)
    )
    best_cheap, best_contextual = (
        max(names, key=lambda name: result.scores.mean(name, result.labels)) for names in (cheap, contextual)
    )
    pairs = [
        compared_rungs(result),
        *((name, best_contextual) for name in cheap),
        *((best_cheap, name) for name in contextual),
    ]
    return [Contrast(*pair, _distance(result, pair)) for pair in dict.fromkeys(pairs)]


def _distance(result: StudyResult, pair: tuple[str, str]) -> float:
    """Return how far apart two rungs seem, at least the standard error of that and half a point."""
    error = float(result.scores.gap_variance(*pair, result.labels).error(np.ones(1))[0])
    return max(abs(result.scores.gap(*pair, result.labels)), error, _LEAST_DISTANCE)
