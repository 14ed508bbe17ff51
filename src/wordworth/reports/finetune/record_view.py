"""A `finetune` record prepared for its page: runs, learning curves and mistakes, and the captions of charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import Unit, finite, unit
from wordworth.reports.record_view import RecordView, Row
from wordworth.sentence_formatting import count_of, points_phrase
from wordworth.tasks.task_types import TaskType, of_record

_BEST, _OTHER, _TRIED, _FALLEN = (
    SeriesStyle(7, "circle"),
    SeriesStyle(6, "circle"),
    SeriesStyle(0, "circle"),
    SeriesStyle(1, "cross"),
)
SEEDS, LEARNING, CONFUSION = "seeds", "learning", "confusion"
_LEVEL = 0.002
"""Mean dev scores that are closer than this are level."""
_MOST_CLASSES = 16


@dataclass(frozen=True)
class FinetuneView(RecordView):
    """A `finetune` record for its page, with runs, learning curves and mistakes."""

    needed = frozenset({"scores", "runs", "evaluations", "confusion", "classes", "examples"})

    @cached_property
    def unit(self) -> Unit:
        """The unit in which scores of the task's metric are written."""
        return unit(str(self.data["metric"]), str(self.data["metric_title"]))

    @cached_property
    def runs(self) -> list[Row]:
        """The rows of the runs with the chosen settings, one for each seed; runs of a grid search are left out."""
        return [row for row in self.rows("runs") if row["stage"] == "restart"]

    @cached_property
    def test_scores(self) -> list[float]:
        """The test scores of the runs that have the chosen settings; a run without a test score is left out."""
        return [value for row in self.runs if (value := finite(row["test"])) is not None]

    @cached_property
    def curve_column(self) -> str:
        """The column that learning curves show: `dev`, the score on the dev part, or `loss` without a dev part."""
        return "dev" if any(finite(row["dev"]) is not None for row in self.rows("evaluations")) else "loss"

    @cached_property
    def learning_curves(self) -> list[tuple[Row, list[tuple[float, float]]]]:
        """The learning curves of all runs that were evaluated, as (run, points); a point is (epoch, value).

        The values are taken from the column that `curve_column` names.
        """
        evaluations, followed = self.rows("evaluations"), self.curve_column
        points = [
            (run, [
                (float(evaluation["epoch"]), value)
                for evaluation in evaluations
                if evaluation["run"] == run["run"] and (value := finite(evaluation[followed])) is not None
            ])
            for run in self.rows("runs")
        ]  # fmt: skip
        return [(run, of_run) for run, of_run in points if of_run]

    @cached_property
    def mistakes(self) -> list[Row]:
        """The pairs of a gold label and a different prediction, with their counts, the most frequent first."""
        wrong = (row for row in self.rows("confusion") if row["gold"] != row["predicted"])
        return sorted(wrong, key=lambda row: -row["count"])

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The names of the classes, followed by other labels and predictions that occur, such as `no entity`."""
        names = [str(row["name"]) for row in self.rows("classes")]
        others = [str(row[side]) for row in self.rows("confusion") for side in ("gold", "predicted")]
        return tuple(dict.fromkeys([*names, *others]))

    @cached_property
    def task_type(self) -> TaskType:
        """The kind of task that the model was fine-tuned on, such as text classification."""
        return of_record(str(self.data["kind"]))

    @property
    def unlearned(self) -> str:
        """The short name of the baseline that learns nothing from texts, such as `the most frequent class`."""
        return self.task_type.wording.baseline_name

    def style(self, run: Row) -> SeriesStyle:
        """Return the style of a run in charts: the best is highlighted, a collapsed or failed run is a cross."""
        if run["best"]:
            return _BEST
        if run["stage"] == "grid":
            return _TRIED
        return _OTHER if run["state"] == "finished" else _FALLEN


def run_name(run: Row) -> str:
    """Return the name of a run for readers, made from its seed, or from the settings of a run of a grid search."""
    if run["stage"] == "restart":
        return f"seed {run['seed']}" + (" (kept)" if run["best"] else "")
    return f"{run['learning_rate']:g}, {run['batch_size']}, {run['epochs']:g}"


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `finetune` record -> its caption."""
    view = FinetuneView.of(record)
    runs = {SEEDS: _seeds(view), LEARNING: _learning(view)}
    return {**runs, CONFUSION: _confusion(view)} if view.rows("confusion") else runs


def _seeds(view: FinetuneView) -> Caption:
    if not view.test_scores:
        return Caption("No run ended", absent="Every run failed; the reasons are in the table below.")
    dev = any(finite(row["dev"]) is not None for row in view.runs)
    notes = ["Full: on the test part. Hollow: on the dev part, which decided which run is kept (bold)."] * dev
    notes += ["The whisker is the 95 % interval of the mean, over runs and test examples."] * (len(view.runs) > 1)
    return Caption(_score_range(view), tuple(notes))


def _score_range(view: FinetuneView) -> str:
    """Return how much the runs' scores differ, or how many runs learned nothing, in words."""
    collapsed = sum(row["state"] == "collapsed" for row in view.runs)
    if collapsed:
        return f"{collapsed} of {count_of(len(view.runs), 'run')} learned nothing"
    if len(view.test_scores) == 1:
        return f"One run, {view.unit.score(view.test_scores[0])}"
    least, most = min(view.test_scores), max(view.test_scores)
    if view.unit.score(least) == view.unit.score(most):
        return f"All seeds score {view.unit.score(most)}"
    return f"Seeds differ by up to {points_phrase(most - least)}"


def _learning(view: FinetuneView) -> Caption:
    if not view.learning_curves:
        return Caption("No run was evaluated", absent="Every run failed before its first evaluation.")
    tried = any(run["stage"] != "restart" for run, _ in view.learning_curves)
    notes = ("Grey: settings that were tried with one seed.",) if tried else ()
    return Caption(_gains(view) if view.curve_column == "dev" else "Training loss by epoch", notes)


def _gains(view: FinetuneView) -> str:
    """Return in words the first epoch at which the mean dev score of the complete runs is about at its best."""
    restarts = [points for run, points in view.learning_curves if run["stage"] == "restart"]
    full = _complete_means(restarts or [points for _, points in view.learning_curves])
    if not full:
        return "The dev score by epoch"
    best = max(full.values())
    first = min(at for at, value in full.items() if value >= best - _LEVEL)
    if best - min(full.values()) < _LEVEL:
        return "The mean dev score hardly moves"
    if first == max(full):
        return "The mean dev score is highest at the end"
    if first == min(full):
        return f"The mean dev score is highest at the first evaluation, after epoch {first:.2g}"
    return f"After epoch {first:.2g} the mean dev score gains nothing more"


def _complete_means(runs: Sequence[Sequence[tuple[float, float]]]) -> dict[float, float]:
    """Return the mean value at each epoch at which every run was evaluated."""
    epochs = sorted({epoch for points in runs for epoch, _ in points})
    values = {at: [value for points in runs for epoch, value in points if epoch == at] for at in epochs}
    return {at: sum(of_epoch) / len(of_epoch) for at, of_epoch in values.items() if len(of_epoch) == len(runs)}


def _confusion(view: FinetuneView) -> Caption:
    classes, title = len(view.class_names), _worst_mistake(view)
    if classes > _MOST_CLASSES:
        return Caption(title, absent=f"{classes} classes are too many for a matrix; the mistakes are in the table.")
    note = "Of the best model, on the test part. Colour is the share of a row: blue is right, orange is wrong."
    exact = " An entity counts at its exact first and last word." * view.task_type.labels_words
    return Caption(title, (f"{note}{exact}",))


def _worst_mistake(view: FinetuneView) -> str:
    """Return the most frequent mistake in words."""
    if not view.mistakes:
        return "No class is confused with another"
    worst = view.mistakes[0]
    times, gold, predicted = count_of(worst["count"], "time"), worst["gold"], worst["predicted"]
    if view.task_type.labels_words and predicted == "no entity":
        return f"The most frequent error: {gold} is overlooked, {times}"
    if view.task_type.labels_words and gold == "no entity":
        return f"The most frequent error: {predicted} where there is none, {times}"
    return f"The most frequent error: “{gold}” taken for “{predicted}”, {times}"
