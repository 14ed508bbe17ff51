"""Choose the unlabelled texts to label next: predict a pool of them with every rung, and draw where rungs disagree.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of
from wordworth.studies.worth.detectable_difference import compared_rungs
from wordworth.studies.worth.fit_progress import FitBar
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.planning.control_variates import control_variates
from wordworth.studies.worth.planning.sampling_by_disagreement import (
    Contrast,
    RungAnswers,
    draw,
    even_labels,
    inclusion_probabilities,
)
from wordworth.studies.worth.run_ladder import fit_all, mark_failed, open_rungs
from wordworth.studies.worth.rung_result import RungResult
from wordworth.tasks.reading.sampling_weights import control_column
from wordworth.tasks.task import Examples, Task

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Floats
    from wordworth.representations.rung import RunContext, Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.studies.worth.study_result import StudyResult

WEIGHT = "sampling_weight"
"""The column of the sampling weights in the file of texts to label."""
ROW = "row"
CONTROL = "what the rungs' answers let one expect of this text, 0 on average over the pool; corrects the weights"
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
    """The texts that were drawn from a pool of unlabelled texts, to be labelled next.

    Attributes:
        texts: the drawn texts, in a random order, so that the first of them are a sample too.
        weights: float64 [texts], the inverse of the probability with which each was drawn.
        controls: float64 [texts, variables], the control variates of each text, whose mean over the pool is 0.
        columns: names of the columns of texts, and last the name of the label column.
        equal_probability_texts: names of a cheap and a contextual rung -> the number of texts, drawn with equal
            probabilities, that would estimate their difference as precisely as `texts` do. The first pair is the one
            that a study would compare.
        pool: the number of texts in the pool.
    """

    texts: Examples
    weights: Floats
    controls: Floats
    columns: tuple[str, ...]
    equal_probability_texts: Mapping[tuple[str, str], float]
    pool: int

    def tables(self) -> dict[str, Table]:
        """Return the table `to_label` (texts, an empty label column, weights) and the table `label_value`.

        `label_value` has a row for each pair of rungs: how many texts, drawn with equal probabilities, would be as
        informative as the drawn texts.
        """
        *names, label = self.columns
        sides = (self.texts.first, self.texts.second or ())
        texts = {name: list(side) for name, side in zip(names, sides, strict=False)}
        rows = {ROW: [int(number) for number in self.texts.ids or ()]}
        columns: dict[str, list[Any]] = {**texts, label: [""] * len(self.texts), **rows, WEIGHT: self.weights.tolist()}
        names_of_controls = [control_column(WEIGHT, 1 + number) for number in range(self.controls.shape[1])]
        columns |= dict(zip(names_of_controls, self.controls.T.tolist(), strict=True))
        described = dict.fromkeys(names, "as in the file of texts") | {
            label: "to be filled in",
            ROW: "number of the row in the file of texts, from 1",
            WEIGHT: "how many texts of the pool this one stands for",
        }
        described |= dict.fromkeys(names_of_controls, CONTROL)
        value = [
            {"cheap": cheap, "contextual": contextual, "labels": len(self.texts), "even_labels": number}
            for (cheap, contextual), number in self.equal_probability_texts.items()
        ]
        return {"to_label": Table(columns, described), "label_value": Table.of(value, LABEL_VALUE)}

    def finding(self, result: StudyResult) -> Finding:
        """Return the finding on how many texts were drawn, and how many evenly drawn texts would be as informative."""
        (cheap, contextual), number = next(iter(self.equal_probability_texts.items()))
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
        result: the rungs, fitted on the labels so far, and their scores.
        pool: the texts without labels, in which no text occurs twice.
        number: number of texts to draw; a pool with fewer texts is taken whole.
        columns: names of the columns of texts, and last the name of the label column.
        settings: the study's settings.
        run_context: cache, seed, number of threads, and receiver of progress.
    """
    rungs = [each.rung for each in result.measured]
    answers = pool_answers(run_on_pool(tested_on(result.task, pool), rungs, settings, run_context))
    contrasts = contrasts_of(result, answers)
    probabilities = inclusion_probabilities(contrasts, answers, number)
    rows = draw(probabilities, seeds.child(settings.seed, "texts to label"))
    value = {(each.cheap, each.contextual): even_labels(each, answers, probabilities) for each in contrasts}
    controls = control_variates(contrasts, answers)[rows]
    return ChosenTexts(pool.take(rows), 1 / probabilities[rows], controls, columns, value, len(pool))


def run_on_pool(
    task: Task, rungs: Sequence[Rung], settings: WorthSettings, run_context: RunContext
) -> list[RungResult]:
    """Fit rungs on all labels so far, and predict a pool of unlabelled texts; return the rungs that did not fail.

    Elsewhere in a plan, a run learns from all folds but one. Here each run learns from all labelled examples so far. A
    later study that tests on the drawn texts does so too, and therefore predicts the same classes for these texts.

    Args:
        task: the labels so far as the training part and the pool as the test part, as `tested_on` returns them.
        rungs: the rungs to fit.
        settings: the study's settings.
        run_context: cache, seed, number of threads, and receiver of progress.
    """
    rung_results = open_rungs(rungs, task, run_context, ())
    grid = label_grid(task, settings)
    on_all_labels = [pair for pair in grid.runs() if pair[0] == grid.top]
    pairs = {result.rung.name: on_all_labels for result in rung_results}
    fit_all(rung_results, pairs, task, grid, run_context, FitBar("predicting the texts to draw from"))
    mark_failed(rung_results)
    return [result for result in rung_results if result.state == "measured"]


def pool_answers(rung_results: Sequence[RungResult]) -> dict[str, RungAnswers]:
    """Return name of each rung -> its predictions for a pool of unlabelled texts, averaged over its runs."""
    return {result.rung.name: _answers(result) for result in rung_results}


def tested_on(task: Task, pool: Examples) -> Task:
    """Return the task whose training part is the labels so far and whose test part is a pool of unlabelled texts.

    All labels of the test part are the first class, as placeholders.
    """
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
    """Return the pairs of rungs whose differences the verdict depends on.

    The first is the pair that a study would compare. The others are each cheap rung with the best contextual rung, and
    each contextual rung with the best cheap rung, by the labels so far.

    Args:
        result: the rungs, fitted on the labels so far, and their scores.
        answers: name of each rung -> its predictions for the pool; rungs without predictions are left out.
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
    """Return the absolute difference of two rungs' scores, or its standard error or half a point if larger."""
    error = float(result.scores.gap_variance(*pair, result.labels).error(np.ones(1))[0])
    return max(abs(result.scores.gap(*pair, result.labels)), error, _LEAST_DISTANCE)
