"""The tables of a record of kind `distill`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from wordworth.inference.prediction_speed import SPEED_COLUMNS
from wordworth.records import Table
from wordworth.studies.distill.comparison import Comparison, Measured
from wordworth.studies.estimate import Estimate

TEACHER, START, STUDENT = "teacher", "first layers", "student"
MODELS = {
    "model": "teacher; its first layers, without training; else the method by which students learn",
    "layers": "number of layers",
    "parameters": "number of the encoder's parameters",
    "bytes": "size of the files of weights; null where none were written",
    "runs": "number of runs that ended, one for each seed; null for the teacher and its first layers",
    "score": "score on the test rows, the mean over runs",
    "deviation": "standard deviation over runs",
    "low": "lower end of the 95 % interval of the mean, over runs and test rows",
    "high": "upper end of the interval",
    "loss": "mean over runs of the score less the teacher's",
    "loss_low": "of its 95 % interval, over runs and test rows",
    "loss_high": "of its 95 % interval",
    "gain": "mean over seeds of the score less that of the student of the same seed that had no teacher",
    "gain_low": "of its 95 % interval, over seeds and test rows",
    "gain_high": "of its 95 % interval",
    "over_kd": "mean over seeds of the score less that of the student of the same seed that learned from the teacher's "
    "answers alone (kd); null for methods without a loss of hidden states",
    "over_kd_low": "of its 95 % interval, over seeds and test rows",
    "over_kd_high": "of its 95 % interval",
    "sure": "whether the gain's interval excludes 0 at a level corrected for the number of methods",
}
METHODS = {
    "method": "name of the method",
    "formula": "the loss",
    "source": "where it is published",
    "temperature": "temperature of the answers; null without a teacher",
    "alpha": "weight of the answers",
    "beta": "weight of the states; null where they are not compared",
    "student_layers": "layers of the student that are compared, from 1; 0 is the embedding",
    "teacher_layers": "the teacher's layers that they are compared with",
}
RUNS = {
    "method": "name of the method",
    "seed": "number of the seed",
    "steps": "updates in the whole run",
    "kept_step": "the update whose weights make its predictions",
    "state": "finished, collapsed (predicts the same for every example) or failed (its loss was not finite)",
    "reason": "why it failed",
    "dev": "score on the dev part",
    "test": "score on the test rows",
    "written": "whether it is the student in the folder",
}
SPEED = {"model": "the teacher, or its student", **SPEED_COLUMNS}


@dataclass(frozen=True, slots=True)
class Size:
    """The number of layers and parameters of a model's encoder, and the bytes of its files.

    Attributes:
        layers: number of layers of its encoder.
        parameters: number of parameters of its encoder.
        bytes: size in bytes of its files of weights; None for a model that was not written.
    """

    layers: int
    parameters: int
    bytes: int | None


def tables_of(comparison: Comparison, sizes: tuple[Size, Size]) -> dict[str, Table]:
    """Return the tables of a `distill` record by name.

    Args:
        comparison: the scores of the students and their teacher.
        sizes: the sizes of the teacher and of a student.
    """
    teacher, student = (asdict(size) for size in sizes)
    empty = dict.fromkeys(MODELS)
    change = comparison.start_change
    start = [] if change is None else [{"loss": change.value, **change.interval.columns("loss_")}]
    models: list[dict[str, Any]] = [
        empty | {"model": TEACHER, **teacher, "score": comparison.teacher},
        *(empty | {"model": START, **student, "score": comparison.start} | loss for loss in start),
        *(empty | student | _measured(each) for each in comparison.measured),
    ]
    return {
        "models": Table.of(models, MODELS),
        "methods": Table.of([_method(each, sizes) for each in comparison.measured], METHODS),
        "runs": Table.of([row for each in comparison.measured for row in _runs(each, comparison)], RUNS),
    }


def _measured(each: Measured) -> dict[str, Any]:
    values = each.scored.values
    row: dict[str, Any] = {"model": each.name, "runs": len(values)}
    if len(values):
        row |= {"score": float(values.mean()), "low": each.scored.low, "high": each.scored.high}
    if len(values) > 1:
        row["deviation"] = float(values.std(ddof=1))
    sure = None if each.gain is None else each.gain.is_significant
    differences = {"loss": each.change_from_teacher, "gain": each.gain, "over_kd": each.over_kd}
    return {
        **row,
        **{key: cell for each in differences.items() for key, cell in _difference(*each).items()},
        "sure": sure,
    }


def _difference(name: str, value: Estimate | None) -> dict[str, Any]:
    return {} if value is None else {name: value.value, **value.interval.columns(f"{name}_")}


def _method(each: Measured, sizes: tuple[Size, Size]) -> dict[str, Any]:
    method, weights = each.students.method, each.students.weights
    student, teacher = method.layers(sizes[0].layers, sizes[1].layers)
    return {
        "method": method.name,
        "formula": method.formula,
        "source": method.source,
        "temperature": weights.temperature if method.has_teacher else None,
        "alpha": weights.alpha,
        "beta": weights.beta if student else None,
        "student_layers": ", ".join(map(str, student)),
        "teacher_layers": ", ".join(map(str, teacher)),
    }


def _runs(each: Measured, comparison: Comparison) -> Iterator[dict[str, Any]]:
    scores, best = iter(each.scored.values.tolist()), each.students.best
    is_last = each is comparison.measured[-1]
    for run in each.students.results:
        yield {
            "method": each.name,
            "seed": run.seed,
            "steps": run.steps,
            "kept_step": run.kept_step,
            "state": run.state,
            "reason": run.reason,
            "dev": run.dev_score,
            "test": None if run.test is None else next(scores),
            "written": is_last and best is not None and run.seed == best.seed,
        }
