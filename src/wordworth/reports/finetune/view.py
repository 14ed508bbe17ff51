"""A finetune record for its page, and the head of the page: the question, the score in a line, four figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import Unit, count, finite, seconds, spread, unit
from wordworth.reports.page import KeyFigure, ReportHeader
from wordworth.reports.record_view import RecordView, Row
from wordworth.tasks.task_types import TaskType, of_record

_BEST, _OTHER, _TRIED, _FALLEN = (
    SeriesStyle(7, "circle"),
    SeriesStyle(6, "circle"),
    SeriesStyle(0, "circle"),
    SeriesStyle(1, "cross"),
)


@dataclass(frozen=True)
class FinetuneView(RecordView):
    """The record, its runs with the style of each, and its mistakes."""

    needed = frozenset({"scores", "runs", "evaluations", "confusion", "classes", "examples"})

    @cached_property
    def unit(self) -> Unit:
        """The unit of the task's metric."""
        return unit(str(self.data["metric"]), str(self.data["metric_title"]))

    @cached_property
    def runs(self) -> list[Row]:
        """The runs with the chosen settings."""
        return [row for row in self.rows("runs") if row["stage"] == "restart"]

    @cached_property
    def ended(self) -> list[float]:
        """The test scores of those of `runs` that ended."""
        return [value for row in self.runs if (value := finite(row["test"])) is not None]

    @cached_property
    def followed(self) -> str:
        """What shows how runs learned: the column `dev` of their evaluations, or `loss` without a dev part."""
        return "dev" if any(finite(row["dev"]) is not None for row in self.rows("evaluations")) else "loss"

    @cached_property
    def learning(self) -> list[tuple[Row, list[tuple[float, float]]]]:
        """Each run that was evaluated, with (epoch, value of `followed`) of its evaluations."""
        evaluations, followed = self.rows("evaluations"), self.followed
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
        """The pairs of a gold label and another prediction, the most frequent first."""
        wrong = (row for row in self.rows("confusion") if row["gold"] != row["predicted"])
        return sorted(wrong, key=lambda row: -row["count"])

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The classes, then what else is a label or a prediction, such as no entity."""
        names = [str(row["name"]) for row in self.rows("classes")]
        others = [str(row[side]) for row in self.rows("confusion") for side in ("gold", "predicted")]
        return tuple(dict.fromkeys([*names, *others]))

    @cached_property
    def task_type(self) -> TaskType:
        """The kind of the task."""
        return of_record(str(self.data["kind"]))

    @property
    def unlearned(self) -> str:
        """A short name of the baseline beside the runs, which needs no model."""
        return self.task_type.wording.baseline_name

    def style(self, run: Row) -> SeriesStyle:
        """Return the style of a run: the best one is highlighted, runs that learned nothing are crosses."""
        if run["best"]:
            return _BEST
        if run["stage"] == "grid":
            return _TRIED
        return _OTHER if run["state"] == "finished" else _FALLEN


def run_name(run: Row) -> str:
    """Return the name of a run for readers: its seed, or the settings of one that was tried."""
    if run["stage"] == "restart":
        return f"seed {run['seed']}" + (" (kept)" if run["best"] else "")
    return f"{run['learning_rate']:g}, {run['batch_size']}, {run['epochs']:g}"


def header(view: FinetuneView) -> ReportHeader:
    """Return the head of the page."""
    findings, data = view.findings("verdict"), view.data
    things = view.task_type.wording.examples
    question = f"{data['name']} · {data['model']} · {count(finite(data['train']))} {things} for training"
    headline = str(view.verdict.get("headline", "No run ended."))
    return ReportHeader(question, headline, (str(findings[0]["text"]) if findings else "",), _tiles(view))


def _tiles(view: FinetuneView) -> tuple[KeyFigure, ...]:
    verdict, scores = view.verdict, view.rows("scores")
    main = scores[0] if scores else {}
    between = view.unit.interval(finite(main.get("low")), finite(main.get("high")))
    ended, runs = int(verdict.get("ended", 0)), len(view.runs)
    unfinished = runs - sum(run["state"] == "finished" for run in view.runs)
    deviation = finite(main.get("deviation"))
    spent = sum(finite(value) or 0.0 for value in (view.plain["timings"].get("runs") or {}).values())
    return (
        KeyFigure(
            f"{view.unit.title}, mean", view.unit.score(finite(main.get("mean"))), f"95 %: {between}" if between else ""
        ),
        KeyFigure(
            "spread over seeds",
            spread(deviation),
            "standard deviation" if deviation is not None else "one run has none",
        ),
        KeyFigure(
            "runs that did not collapse",
            f"{runs - unfinished} of {runs}",
            f"{unfinished} collapsed or failed" if unfinished else (_against_baseline(view) if ended else ""),
        ),
        KeyFigure("time of a run", seconds(spent / runs if runs and spent else None), "on this machine"),
    )


def _against_baseline(view: FinetuneView) -> str:
    """Return how runs that did not collapse compare with a constant prediction or guessing, in words."""
    floor, mean = finite(view.verdict.get("baseline")), finite(view.verdict.get("mean"))
    if floor is None or mean is None or mean > floor:
        return "none says the same of all"
    return f"yet {view.unlearned} scores {view.unit.score(floor)}"
