"""Ladders of made-up rungs for the tests of the study: scores with known intervals, fitted rungs, whole records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task

from wordworth.measures.intervals_from_few_runs import PRIOR_DEGREES, RunVariance
from wordworth.records import Record
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.record import make_record
from wordworth.studies.worth.run_ladder import open_rungs, run_ladder
from wordworth.studies.worth.run_scores import RunScores
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.running_costs import costs_table
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.verdict_text import VerdictWriter
from wordworth.tasks.task import Task

LABELS = 100
FAMILIES = {
    "majority": "constant",
    "tfidf": "counts",
    "glove": "static",
    "minilm": "frozen",
    "distilled": "static",
    "both": "hybrid",
    "tuned": "finetuned",
}
CHOSEN = WorthSettings(seeds=3, draws=100)


def scores(runs=5, assumed=None, **rungs):
    """Scores whose items move each rung on its own: mean and half the width of its 95 % interval, in points."""
    noise = np.random.default_rng(0)
    table = {}
    for name, (mean, half) in rungs.items():
        moved = noise.normal(mean, half / 1.96, 4_000) / 100
        point = np.full(runs, mean / 100)
        table[name, LABELS] = RunScores(point, np.tile(moved, (runs, 1)))
    priors = {name: RunVariance(sd**2, PRIOR_DEGREES) for name, sd in (assumed or {}).items()}
    return Scores(table, Bootstrap(4_000, 0), priors)


def judged(scores, margin=0.01):
    return judge(scores, [FakeRung(name, FAMILIES[name], constant(0)) for name, _ in scores.table], LABELS, margin)


class Named(FakeRung):
    """A rung whose title is its name."""

    @property
    def title(self):
        return self.name


def sentence(scores, grid=None, about=None):
    rungs = [RungResult(Named(name, FAMILIES[name], constant(0.5))) for name, _ in scores.table]
    study = StudyResult(about or task(200), grid or LabelGrid((LABELS,), ()), rungs, scores, 0.01)
    return VerdictWriter(study).finding()


def rung_results(*rungs, rows=1_600, seeds=5, threads=2):
    """Rungs fitted on every subset of a made-up task, with their scores."""
    made, chosen = task(rows), WorthSettings(seeds=seeds, draws=400)
    run_context = RunContext(threads=threads)
    entries = open_rungs(rungs, made, run_context, ())
    layout = label_grid(made, chosen)
    return entries, run_ladder(entries, made, layout, chosen, run_context), layout


def verdict(entries, scores, layout, epsilon=0.01):
    return judge(scores, [entry.rung for entry in entries], layout.top, epsilon)


@dataclass(frozen=True)
class Unlucky(FakeRung):
    """Fails with the rows that `when` tells."""

    when: Callable[[np.ndarray], bool] = lambda _: True

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return UnluckyLearner(self, task)


class UnluckyLearner(FakeLearner):
    def fit(self, rows, rng):
        return FakeLearner(replace(self.rung, fails=self.rung.when(rows)), self.task).fit(rows, rng)


@dataclass(frozen=True)
class ShortSighted(FakeRung):
    """Reads at most 8 tokens of a text, which every so many texts exceed."""

    every: int = 4

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return ShortSightedLearner(self, task)


class ShortSightedLearner(FakeLearner):
    max_tokens = 8

    def num_truncated(self, rows):
        return int((rows % self.rung.every == self.rung.every - 1).sum())


def study(
    *rungs: FakeRung,
    rows: int = 600,
    chosen: WorthSettings = CHOSEN,
    floor: FakeRung = MAJORITY,
    about: Task | None = None,
) -> Record:
    """The record of a study of these rungs on a made-up task."""
    made, run_context = about or task(rows), RunContext(threads=1)
    entries, layout = open_rungs([floor, *rungs], made, run_context, ()), label_grid(made, chosen)
    scores = run_ladder(entries, made, layout, chosen, run_context)
    costs = costs_table(entries, made, chosen.hourly_price, run_context)
    result = StudyResult(made, layout, entries, scores, chosen.metric_margin, costs)
    return make_record(result, ReadSettings(), chosen)


def at_top(*seeds: int, rows: int = 600) -> Callable[[np.ndarray], bool]:
    """Whether some rows are one of these draws of all labels."""
    layout = label_grid(task(rows), CHOSEN)
    firsts = {int(layout.subsets[seed][0]) for seed in seeds}
    return lambda drawn: len(drawn) == layout.top and int(drawn[0]) in firsts


TFIDF = FakeRung("tfidf", "counts", constant(0.75))
