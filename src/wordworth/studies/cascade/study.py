"""The study `cascade` from end to end: choose a threshold on one half of the rows, and score it on the other half."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.inference.cascade import confidence, require_pair, write_cascade
from wordworth.inference.labelled_inputs import LEARNED, learned_rows, read_halves
from wordworth.inference.read_predictor import read_predictor
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges, is_within
from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import percent, points, points_phrase, signed, signed_range
from wordworth.sources import short_name
from wordworth.studies.study import make_record, timed

if TYPE_CHECKING:
    from wordworth.inference.read_predictor import AnyPredictor
    from wordworth.progress import Progress, Step
    from wordworth.studies.cascade.settings import CascadeSettings
    from wordworth.studies.report_folder import ReportFolder
    from wordworth.tasks.task import Rows, Task

SHARES = {
    "share": "of the texts of the half that chooses, for which the second model is asked",
    "threshold": "probability below which the first model is unsure; 0 asks the second model never, 2 always",
    "choosing_low": "lower end of the change's 95 % interval on the half that chooses",
    "chosen": "whether this is the cascade that was written",
    "measured_share": "of the texts of the half that measures",
    "score": "on the half that measures",
    "change": "score less that of the second model alone, paired",
    "low": "lower end of the change's 95 % interval over rows",
    "high": "its upper end",
}
_STEPS, _ALWAYS, _BATCH = 20, 2.0, 64


@dataclass(frozen=True, slots=True)
class Half:
    """The predictions of both models of a cascade for one half of the labelled rows.

    Attributes:
        first, second: float64 [n, classes], the predictions of the two models: 1 for the predicted class, 0 elsewhere.
        confidence: float64 [n], the first model's largest probability.
        paired: compares the scores of two sets of predictions for these rows on the same bootstrap resamples.
        milliseconds: the milliseconds per text of the first and of the second model.
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    confidence: NDArray[np.float64]
    paired: PairedChanges
    milliseconds: tuple[float, float]

    def answered(self, threshold: float) -> NDArray[np.float64]:
        """Return the predictions of the cascade with this threshold, float64 [n, classes].

        Where the first model's confidence is below the threshold, the second model's predictions are returned.
        """
        return np.where((self.confidence < threshold)[:, None], self.second, self.first)

    def share(self, threshold: float) -> float:
        """Return the share of the rows, 0 to 1, that a cascade with this threshold passes to the second model."""
        return float((self.confidence < threshold).mean())

    def speed(self, share: float) -> dict[str, float]:
        """Return `first`, `second` and `cascade` -> the milliseconds per text of that model, or of the cascade.

        Args:
            share: the share of texts that the cascade passes to the second model, 0 to 1.
        """
        first, second = self.milliseconds
        return {"first": first, "second": second, "cascade": first + share * second}

    def rows_needed(self, margin: float) -> int:
        """Estimate the number of rows, of both halves together, that a cascade without loss needs to pass the test.

        The cascade passes if the interval of its loss ends within the margin.

        The estimate is 0 if the present rows are enough, or if no number of rows would be. The width of the interval of
        a change of 0 is inversely proportional to the number of rows.

        Args:
            margin: the largest loss allowed, on the metric's scale.
        """
        loss = -self.paired.change(self.second, self.second).interval.low
        return 100 * math.ceil(2 * len(self.second) * loss / margin / 100) if loss > margin > 0 else 0

    def change(self, threshold: float) -> Change:
        """Return the cascade's score minus the second model's score, with its paired interval, for a threshold."""
        return self.paired.change(self.answered(threshold), self.second)


def run(
    runs: tuple[Path, Path], data: Path, settings: CascadeSettings, folder: ReportFolder, progress: Progress
) -> Record:
    """Choose the threshold of a cascade of two models, compare it with the second model alone, and write the cascade.

    Args:
        runs: the folders of the two models, the cheap one first.
        data: the file of labelled rows.
        settings: the settings of the study.
        folder: the folder of the record, into which the cascade is written too.
        progress: receives progress.

    Raises:
        BadInput: both folders are one, a folder holds no model, the models differ in their classes, or the rows do not
            fit them.
    """
    if runs[0].resolve() == runs[1].resolve():
        what, mend = "both models of the cascade are this one", "give a cheap model and a costly one"
        raise BadInput(what, where=str(runs[1]), mend=mend)
    target, seconds = folder.model_folder(), dict[str, float]()
    first, second = (read_predictor(path) for path in runs)
    require_pair(first, second)
    with timed(seconds, "reading"):
        task = read_halves(first, data, settings.read)
    with timed(seconds, "answering"), progress.step("answering", 2 * len(task.used)) as step:
        choosing, measuring = (_half(first, second, task, rows, settings, step) for rows in (task.train, task.test))
    table = _table(choosing, measuring, settings.margin / 100)
    row = next(row for row in table if row["chosen"])
    names = [short_name(str(path)) for path in runs]
    facts = {**task.facts, "first": names[0], "second": names[1], "choosing": len(task.train)}
    facts |= {"measuring": len(task.test)}
    findings = [_verdict(row, facts, settings, choosing.rows_needed(settings.margin / 100)), *task.warnings]
    findings += [_method(facts)]
    if not any(finding.name == LEARNED for finding in task.warnings):
        findings += learned_rows(second, task)
    speed = measuring.speed(row["measured_share"])
    if target is not None:
        measured = {name: row[name] for name in ("threshold", "score", "change", "low", "high")}
        measured |= {"share": row["measured_share"], "metric": task.metric, "first": names[0], "second": names[1]}
        measured |= {"milliseconds": speed["cascade"]}
        write_cascade(target, runs, first.facts, measured)
    tables = {"shares": Table.of(table, SHARES)}
    fields, timings = asdict(settings), {"speed": speed}
    return make_record("cascade", fields, facts, tables=tables, findings=findings, seconds=seconds, timings=timings)


def _half(
    first: AnyPredictor, second: AnyPredictor, task: Task, rows: Rows, settings: CascadeSettings, step: Step
) -> Half:
    """Return the predictions of both models for some rows, with their times."""
    (of_first, first_ms), (of_second, second_ms) = (_answers(model, task, rows, step) for model in (first, second))
    rng = seeds.child(settings.seed, "cascade", "draws", len(rows))
    scored_by = metric(task.metric, task.classes)
    paired = PairedChanges.of(scored_by, task.gold(rows), task.classes, settings.draws, rng)
    by_first, by_second = (_one_hot(task, answers) for answers in (of_first, of_second))
    return Half(by_first, by_second, confidence(of_first), paired, (first_ms, second_ms))


def _answers(model: AnyPredictor, task: Task, rows: Rows, step: Step) -> tuple[list[dict[str, Any]], float]:
    """Return a model's answers for some rows, and its milliseconds per text, timed after a first batch to warm up."""
    model.answers(task.examples.take(rows[:_BATCH]))
    answers, began = list[dict[str, Any]](), time.perf_counter()
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        answers += model.answers(task.examples.take(batch))
        step.advance(len(batch))
    return answers, 1_000 * (time.perf_counter() - began) / len(rows)


def _one_hot(task: Task, answers: list[dict[str, Any]]) -> NDArray[np.float64]:
    """Return answers as predictions, float64 [n, classes]: 1 for the answered class, 0 for the others."""
    numbers = {name: number for number, name in enumerate(task.classes)}
    return np.eye(len(numbers))[[numbers[answer[task.type.answer_key]] for answer in answers]]


def _table(choosing: Half, measuring: Half, margin: float) -> list[dict[str, Any]]:
    """Return the rows of the table `shares`, one for each share of texts that the second model answers.

    The smallest share whose loss is significantly within the margin on the choosing half is marked as chosen.

    Args:
        choosing: the half that chooses.
        measuring: the half that measures.
        margin: the largest loss allowed, on the metric's scale.
    """
    ordered, rows = np.sort(choosing.confidence), list[dict[str, Any]]()
    for number in range(_STEPS + 1):
        count = round(number / _STEPS * len(ordered))
        threshold = float(ordered[count]) if 0 < count < len(ordered) else _ALWAYS * (count > 0)
        low = choosing.change(threshold).interval.low
        suffices = is_within(low, margin) or threshold == _ALWAYS
        change, share = measuring.change(threshold), measuring.share(threshold)
        rows.append(
            {
                "share": choosing.share(threshold),
                "threshold": threshold,
                "choosing_low": low,
                "chosen": suffices and not any(row["chosen"] for row in rows),
                "measured_share": share,
                "score": measuring.paired.score(measuring.answered(threshold)),
                "change": change.value,
                **change.interval.columns(),
            }
        )
    return rows


def _verdict(row: Mapping[str, Any], facts: Mapping[str, Any], settings: CascadeSettings, needed: int) -> Finding:
    """Return the finding `verdict`: the share of texts for the second model, and the score and loss of the cascade.

    Args:
        row: the row of the table `shares` of the chosen cascade.
        facts: the facts of the record.
        settings: the settings of the study.
        needed: `Half.rows_needed` of the half that chose.
    """
    title = facts["metric_title"]
    change = f"{signed(row['change'])} points ({signed_range(row['low'], row['high'])})"
    text = (
        f"{facts['first']} answers {percent(1 - row['measured_share'])} of the texts alone, and {facts['second']} "
        f"those of which it is less than {row['threshold']:.3g} sure.\n"
        f"On {facts['measuring']:,} rows that did not choose this, {title} is {points(row['score'])}, {change} beside "
        f"{facts['second']} alone."
    )
    if row["threshold"] >= _ALWAYS:
        text = (
            f"No cascade is surely within {points_phrase(settings.margin / 100)} of {facts['second']} on "
            f"{facts['choosing']:,} rows: {facts['second']} answers every text. "
        )
        few = f"So few rows allow none, even if both models answer alike: give about {needed:,}, or a wider margin."
        text += few if needed else "More rows, or a wider margin, may allow one."
    headline = f"{percent(row['measured_share'])} of the texts need {facts['second']}."
    return Finding("verdict", text, {"headline": headline, **row})


def _method(facts: Mapping[str, Any]) -> Finding:
    text = (
        f"{facts['choosing']:,} rows chose the threshold: of {_STEPS + 1} shares the least at which the paired 95 % "
        f"interval lies within the margin. The other {facts['measuring']:,} measured it."
    )
    return Finding("method.threshold", text)
