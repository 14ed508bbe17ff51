"""The score of a rung that was trained in a few of the folds, where the truth is known: two ways of estimating it.

    PYTHONPATH=benchmarks python benchmarks/few_folds.py --out docs/records/few_folds.json

A fine-tuned rung predicts one fold or three of five, the other rungs all of them. Its score on all is a regression
estimate (`studies.worth.run_scores.regressed`), and a gap is the difference of two scores. Beside it, on the same
studies, what was done before: the score by the difference estimator, from the best of the other rungs; the gap on the
folds that both rungs predicted.

The world is that of `cross_fitting`, with a fine-tuned rung whose runs differ by 1.1 points beside what the labels
change, as they do on real data (`docs/validity.md`). *Contradictions* are studies in which the sign of a gap to another
rung is not that of the difference of the two scores. The truth is the accuracy over all draws of labels and all runs.
Cells that the record holds already are not simulated again.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from cross_fitting import GAP_VARIANCE, LEARNED, MARGIN, SETTINGS, World, runs, tasks
from measure import in_parts
from simulated_ladder import SimulatedRung, errs
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.metrics import metric
from wordworth.measures.training_sample_variance import PRIOR_DEGREES, PRIOR_SHARE
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.label_grid import LabelGrid, label_grid
from wordworth.studies.worth.run_scores import CrossFittedScores, RunScores
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.tasks.task import Task

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung

RUN_SD = 0.011
"""Standard deviation of the accuracy of fine-tuning runs on the same labels."""
TUNED = "finetuned"
LUCK_PARTS = 10_000
"""Parts of equal probability that the luck of runs is cut into, for the mean over it."""
ADVANTAGES = (0.0, 0.015, 0.03)


@dataclass(frozen=True, slots=True)
class Design:
    """A kind of simulated study.

    Attributes:
        rows: number of labelled rows.
        folds: folds that the fine-tuned rung predicts, of five.
        whole: number of the other rungs, beside the constant one; one of three reads context, two of six.
        advantage: true lead of the fine-tuned rung over the best of the others, but for what its runs change.
        best: accuracy of the best of the others.
        ratio: variance of a difference of two rungs over draws of the labels, in variances over as many items.
        run_sd: standard deviation of the accuracy of fine-tuning runs on the same labels.
        tails: degrees of freedom, more than 2, of the Student's distribution that runs are drawn from.
    """

    rows: int
    folds: int
    whole: int
    advantage: float
    best: float = 0.78
    ratio: float = PRIOR_SHARE
    run_sd: float = RUN_SD
    tails: float = np.inf

    @property
    def name(self) -> str:
        """The design in words."""
        easy = "" if self.best < 0.9 else f", others at {100 * self.best:g}"
        return f"{self.rows} rows, {self.folds} of 5 folds, {self.whole} rungs, lead of {100 * self.advantage:g}{easy}"

    @property
    def rungs(self) -> tuple[SimulatedRung, ...]:
        """The rungs: a constant one, cheap ones, frozen ones, and the fine-tuned one; runs differ by their labels."""
        label_sd = float(np.sqrt(self.ratio * GAP_VARIANCE / (LEARNED * self.rows) / 2))
        contextual = self.whole // 3
        step = min(0.015, (1 - self.best) / 2)
        cheap = [self.best - step * number for number in range(self.whole - contextual)]
        frozen = [self.best - step * number for number in range(contextual)]
        made = [SimulatedRung(f"cheap-{number}", "counts", value) for number, value in enumerate(cheap)]
        made += [SimulatedRung(f"frozen-{number}", "frozen", value) for number, value in enumerate(frozen)]
        made.append(SimulatedRung(TUNED, "finetuned", self.best + self.advantage, assumed_sd=FineTuned.assumed_run_sd))
        moved = [replace(rung, run_sd=label_sd) for rung in made]
        return SimulatedRung("constant", "constant", 0.55, run_sd=0.0), *moved

    @property
    def truth(self) -> dict[str, float]:
        """Return the true accuracy of each rung, over all draws of labels and all runs."""
        rungs = {rung.name: rung for rung in self.rungs}
        level, spread = rungs[TUNED].latent
        shares = (np.arange(LUCK_PARTS) + 0.5) / LUCK_PARTS
        tuned = float(ndtr((level + self.luck(stdtrit(self.tails, shares))) / np.hypot(1, spread)).mean())
        return {name: rung.accuracy for name, rung in rungs.items()} | {TUNED: tuned}

    def luck(self, student: Floats) -> Floats:
        """Return the deviations of runs on the latent scale, from draws `student` of Student's distribution."""
        accuracy = self.best + self.advantage
        slope = float(np.exp(-(ndtri(accuracy) ** 2) / 2) / np.sqrt(2 * np.pi))
        unit = 1.0 if np.isinf(self.tails) else np.sqrt(1 - 2 / self.tails)
        return floats(min(self.run_sd, (1 - accuracy) / 2) / slope * unit * student)


class OnCommonFolds(Scores):
    """Scores by the earlier estimator, whose gap of two rungs is measured on the folds that both predicted."""

    part: Scores

    @classmethod
    def of(cls, whole: Scores, part: Scores, labels: int) -> OnCommonFolds:
        """Return the scores from those of whole rungs on all folds, and those of all rungs on the first ones.

        Args:
            whole: the scores of the study.
            part: the scores of all rungs on the folds of the fine-tuned one.
            labels: the number of labels of both.
        """
        others = [name for name, size in whole.table if size == labels and name != TUNED]
        best = max(others, key=lambda name: whole.mean(name, labels))
        on_all, on_part, own = whole.table[best, labels], part.table[best, labels], part.table[TUNED, labels]
        shift = float(on_all.point[0] - on_part.point[0])
        tuned = RunScores.plus(own, shift, on_all.by_draw[0] - on_part.by_draw[0])
        table = {**whole.table, (TUNED, labels): CrossFittedScores.of(tuned, own.by_run)}
        made = cls(table, whole.bootstrap, whole.run_priors, whole.dropped, whole.score_range, whole.row_counts)
        object.__setattr__(made, "part", part)
        return made

    def _paired(self, rung: str, against: str, labels: int) -> tuple[RunScores, RunScores]:
        source = self.part if TUNED in {rung, against} else self
        return source.table[rung, labels], source.table[against, labels]


def tuned_runs(world: World, design: Design, grid: LabelGrid, task: Task, rng: np.random.Generator) -> list[Run]:
    """Return the runs of the fine-tuned rung on all labels, each with its own luck.

    Args:
        world: the rows, and what moves each rung.
        design: the design of the study.
        grid: the subsets that are learned from.
        task: the task.
        rng: source of chance.
    """
    index, rung, made = len(design.rungs) - 1, design.rungs[-1], []
    for seed in range(design.folds):
        items = grid.items(grid.top, seed)
        drawn = rng.standard_normal() if np.isinf(design.tails) else rng.standard_t(design.tails)
        level = world.level(index, rung, grid.rows(grid.top, seed)) + float(design.luck(np.array(drawn)))
        predictions = world.predicted(index, level, task.test[items], rng)
        made.append(Run(rung.name, grid.top, seed, predictions, {}, 0.0, items=items))
    return made


def both_scores(design: Design, number: int) -> tuple[dict[str, Scores], int]:
    """Return the scores of one study by both estimators, and the number of labels.

    Args:
        design: the design of the study; the prior says how much its labels matter.
        number: the number of the study, its seed.
    """
    rng = seeds.child(number, "world", design.name)
    design = replace(design, ratio=PRIOR_SHARE * PRIOR_DEGREES / rng.chisquare(PRIOR_DEGREES))
    world = World.drawn(len(design.rungs), design.rows, rng)
    task = tasks(world, number)["folds"]
    grid, results = label_grid(task, SETTINGS), []
    for index, rung in enumerate(design.rungs):
        chance = seeds.child(number, rung.name)
        tuned = rung.name == TUNED
        made = tuned_runs(world, design, grid, task, chance) if tuned else runs(world, index, rung, grid, task, chance)
        results.append(RungResult(cast("Rung", rung), runs=made))
    accuracy, bootstrap = metric("accuracy", task.classes), Bootstrap(SETTINGS.draws, number)
    first = [
        replace(result, runs=[run for run in result.runs if run.labels == grid.top and run.seed < design.folds])
        for result in results
    ]
    scores, part = (measure(each, task, accuracy, bootstrap) for each in (results, first))
    return {"regression": scores, "common folds": OnCommonFolds.of(scores, part, grid.top)}, grid.top


def outcome(design: Design, number: int) -> dict[str, dict[str, float]]:
    """Simulate one study of a design; return the figures of both estimators."""
    by_estimator, labels = both_scores(design, number)
    return {name: figures(design, scores, labels) for name, scores in by_estimator.items()}


def figures(design: Design, scores: Scores, labels: int) -> dict[str, float]:
    """Return the figures of a study by one estimator: contradictions, coverage, squared error, errors of its verdict.

    Args:
        design: the design, with its truth.
        scores: the scores by the estimator.
        labels: the number of labels.
    """
    others = [rung.name for rung in design.rungs if not rung.is_baseline and rung.name != TUNED]
    truth, best = design.truth, others[0]
    gaps = {name: scores.gap(TUNED, name, labels) for name in others}
    by_score = {name: scores.mean(TUNED, labels) - scores.mean(name, labels) for name in others}
    spans = {name: scores.gap_interval(TUNED, name, labels) for name in others}
    verdict = judge(scores, design.rungs, labels, MARGIN)
    return {
        "contradicts": any(gaps[name] * by_score[name] < -1e-12 for name in others),
        "gap covered": float(np.mean([truth[TUNED] - truth[name] in span for name, span in spans.items()])),
        "score covered": truth[TUNED] in scores.score_interval(TUNED, labels),
        "width": spans[best].high - spans[best].low,
        "squared error": (gaps[best] - (truth[TUNED] - truth[best])) ** 2,
        "definite": verdict.answer != "cannot tell yet",
        "wrong": errs(verdict, truth, MARGIN),
    }


def summary(outcomes: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, Any]:
    """Return the mean figures of each estimator over studies, and the ratios of widths and errors of the two."""
    shares = {
        name: {key: float(np.mean([each[name][key] for each in outcomes])) for key in outcomes[0][name]}
        for name in outcomes[0]
    }
    widths = [each["regression"]["width"] / each["common folds"]["width"] for each in outcomes]
    errors = shares["regression"]["squared error"] / shares["common folds"]["squared error"]
    return {
        "studies": len(outcomes),
        **shares,
        "width ratio": float(np.median(widths)),
        "root mean square error ratio": float(np.sqrt(errors)),
    }


def designs() -> Iterator[Design]:
    """Yield every design: those in which wrong answers are common, then those in which most answers are right."""
    for rows, folds, whole, advantage in itertools.product((100, 300, 1_200), (1, 3), (3, 6), ADVANTAGES):
        yield Design(rows, folds, whole, advantage)
    for rows, folds in itertools.product((60, 100, 300), (1, 3)):
        yield Design(rows, folds, 3, 0.015, best=0.975)


def simulated(design: Design, studies: int, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """Return the summary of `studies` simulated studies of a design."""
    return summary(list(pool.map(partial(outcome, design), range(studies), chunksize=5)))


def main() -> None:
    """Simulate every design and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=200, help="studies a design")
    parser.add_argument("--rows", type=int, nargs="*", help="designs with so many rows only")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=writable_path, help="the record to write")
    options = parser.parse_args()
    wanted = [design for design in designs() if design.rows in (options.rows or [design.rows])]
    with ProcessPoolExecutor(options.processes) as pool:
        parts = [(design.name, partial(simulated, design, options.studies, pool)) for design in wanted]
        in_parts(parts, "designs", options.out)


if __name__ == "__main__":
    run_script(main)
