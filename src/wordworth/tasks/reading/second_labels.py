"""A second annotator's labels: how far they agree with the task's labels, and which score a model can thus reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput, likeliest
from wordworth.measures.agreement import Agreement, agreement, best_accuracy, unlike_classes
from wordworth.measures.bootstrap import Interval
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, decimal, one_spelling, percent
from wordworth.tasks.labels import Integers
from wordworth.tasks.reading.labelled_rows import LabelledRows, absent, is_no_answer
from wordworth.tasks.task import Task

LEAST_TWICE = 20
"""Minimal number of rows with a second label; with fewer, intervals would be too wide to be of use."""
_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class SecondLabels:
    """The rows that a second annotator labelled too, with both labels; n is their number.

    Attributes:
        first: int64 [n], the task's label of each row, an index of `classes`.
        second: int64 [n], the second annotator's label of each row, an index of `classes`.
        classes: names of the classes: the task's, then those that only the second annotator uses.
        groups: int64 [n], the group of each row; None where the user names no groups.
        num_rows: number of all rows, also of rows without a second label.
        column: the column of the second labels.
        num_task_classes: number of classes of the task; they are the first in `classes`.
        unanswered: word that stands for a missing second label -> number of rows with it.
    """

    first: Integers
    second: Integers
    classes: tuple[str, ...]
    groups: Integers | None
    num_rows: int
    column: str
    num_task_classes: int
    unanswered: dict[str, int]

    @classmethod
    def of_task(cls, whole: Task, rows: LabelledRows) -> SecondLabels | None:
        """Read the second annotator's labels of a task's rows; None if the user names no column of second labels.

        Args:
            whole: the task over all rows.
            rows: the rows of the task.

        Raises:
            BadInput: rows do not have exactly one class each, the column has too few labels, or most of its labels are
                not classes of the task.
        """
        name, where = rows.columns.second_label, rows.tables[0].path
        if name is None:
            return None
        if not whole.type.multiclass:
            what = f"second labels are compared where each row has one class, not in a task of kind {whole.kind}"
            raise BadInput(what, where="--second-label", mend="leave it out")
        classes = {each: number for number, each in enumerate(whole.classes)}
        index = {one_spelling(each): number for each, number in classes.items()} | classes
        stripped = (cell.strip() for cell in rows.cells(name))
        cells = [cell if cell in index else one_spelling(cell) for cell in stripped]
        unanswered = [row for row, cell in enumerate(cells) if is_no_answer(cell) and cell and cell not in index]
        twice = np.setdiff1d(np.arange(len(rows)), [*absent(cells), *unanswered]).astype(np.int64)
        if len(twice) < LEAST_TWICE:
            what = f"{len(twice)} rows have a second label in {name!r}"
            raise BadInput(what, where=where, mend=f"label {LEAST_TWICE} or more a second time, or leave it out")
        num_task_classes = len(classes)
        others = dict.fromkeys(cells[row] for row in twice.tolist() if cells[row] not in index)
        index |= {other: number for number, other in enumerate(others, start=num_task_classes)}
        second = np.array([index[cells[row]] for row in twice.tolist()], dtype=np.int64)
        if (second >= num_task_classes).mean() > 1 / 2:
            what = f"most labels in {name!r} are none of {', '.join(map(repr, whole.classes[:5]))}"
            raise BadInput(what, where=where, mend="write the classes of both columns alike")
        groups = whole.examples.groups
        return cls(
            np.asarray(whole.labels)[twice],
            second,
            (*whole.classes, *others),
            None if groups is None else np.array(groups)[twice],
            len(rows),
            name,
            num_task_classes,
            dict(Counter(cells[row] for row in unanswered)),
        )

    def findings(self, metric_name: str, seed: int) -> tuple[Finding, ...]:
        """Return one to three findings on the two annotators' labels.

        The first finding says how far the annotators agree and, where it can be estimated, the best accuracy that a
        model can reach on such labels. If there are such words, another finding names the words that were read as a
        missing second label. If there are such classes, another one names the classes that only the second annotator
        gives.

        Args:
            metric_name: name of the task's metric; the first finding scores the second labels by it, as predictions of
                the task's labels.
            seed: seed of the bootstrap resamples behind the intervals.
        """
        rng = seeds.child(seed, "second labels")
        measured = agreement(self.first, self.second, _DRAWS, rng, self.groups)
        best = _Best.of(measured, len(self.classes))
        score, span = self._score(metric_name, seed)
        numbers = {
            "column": self.column,
            "rows": measured.rows,
            "of": self.num_rows,
            "agreement": measured.same,
            **measured.same_interval.columns("agreement_"),
            **(
                {}
                if np.isnan(measured.kappa)
                else {"kappa": measured.kappa, **measured.kappa_interval.columns("kappa_")}
            ),
            **({} if best is None else {"best": best.accuracy, **best.interval.columns("best_")}),
            "metric": metric_name,
            "score": score,
            **span.columns("score_"),
        }
        unlike = unlike_classes(self.first, self.second, _DRAWS, rng, self.groups)
        bound = _NO_BOUND if best is None else best.sentence() + self._unlike(unlike)
        own = "" if metric_name == "accuracy" else self._own_score(metric_name, score, span)
        text = self._agreement(measured) + own + bound + _UNCORRECTED
        return (Finding("warning.second_label", text, numbers), *self._missing(), *self._unknown())

    def _missing(self) -> tuple[Finding, ...]:
        """Return a finding that names the words of the column that were read as a missing label; else nothing."""
        if not self.unanswered:
            return ()
        words = ", ".join(f"{word!r} ({count_of(rows, 'row')})" for word, rows in self.unanswered.items())
        text = f"Read as no second label in {self.column!r}, as the labels have no such class: {words}."
        return (Finding("warning.second_label_missing", text, {"words": self.unanswered}),)

    def _unknown(self) -> tuple[Finding, ...]:
        """Return a finding on the classes that only the second annotator gives; else nothing.

        The finding also names the task's class that the most frequent of these classes may be a misspelling of.
        """
        counts = Counter(self.second[self.second >= self.num_task_classes].tolist())
        if not counts:
            return ()
        example = self.classes[counts.most_common(1)[0][0]]
        likely = likeliest(example, self.classes[: self.num_task_classes])
        hint = "" if likely is None else f"; did you mean {likely!r}?"
        rows = sum(counts.values())
        text = (
            f"{count_of(rows, 'second label is', 'second labels are')} of a class that the labels never have, and so "
            f"{'counts' if rows == 1 else 'count'} as different, such as {example!r}{hint or '.'}"
        )
        names = [self.classes[number] for number in sorted(counts)]
        return (Finding("warning.second_label_classes", text, {"rows": rows, "classes": names}),)

    def _score(self, metric_name: str, seed: int) -> tuple[float, Interval]:
        """Return the score of the second labels as predictions of the first, and its interval."""
        rule, predicted = metric(metric_name, self.classes), np.eye(len(self.classes))[self.second]
        rng = seeds.child(seed, "second labels' score")
        scored = PairedChanges.of(rule, self.first, self.classes, _DRAWS, rng, self.groups)
        return scored.score(predicted), scored.score_interval(predicted)

    def _agreement(self, measured: Agreement) -> str:
        kappa = (
            ""
            if np.isnan(measured.kappa)
            else f", Cohen's kappa {decimal(measured.kappa, 2)} ({_span(measured.kappa_interval)})"
        )
        return (
            f"A second annotator ({self.column!r}) labelled {measured.rows:,} of {self.num_rows:,} rows and gave the "
            f"same label to {percent(measured.same, 1)} of them (95 %: {_points(measured.same_interval)}){kappa}. "
            + (_COPY if measured.same == 1 else "")
        )

    def _own_score(self, metric_name: str, score: float, span: Interval) -> str:
        title = metric(metric_name, self.classes).title
        return f"By {title} the second labels score {decimal(100 * score, 1)} (95 %: {_points(span)}). "

    def _unlike(self, unlike: Integers) -> str:
        if not len(unlike):
            return ""
        name, shares = self.classes[unlike[0]], [np.mean(side == unlike[0]) for side in (self.first, self.second)]
        return (
            f"They are not alike: {name!r} is {percent(shares[0])} of the labels and {percent(shares[1])} of the "
            "second ones, so that this bound may be wrong. "
        )


@dataclass(frozen=True, slots=True)
class _Best:
    """The accuracy that no model can be expected to exceed.

    Attributes:
        accuracy: the accuracy, estimated from the agreement of the two annotators.
        interval: the interval of the accuracy.
        same: the share of rows to which both annotators gave the same label.
    """

    accuracy: float
    interval: Interval
    same: float

    @classmethod
    def of(cls, measured: Agreement, classes: int) -> _Best | None:
        """Return the bound; None if the annotators' agreement is not significantly above chance.

        Args:
            measured: the agreement of the two annotators.
            classes: number of classes.
        """
        if measured.kappa_interval.low <= 0 or measured.same * classes <= 1:
            return None
        ends = measured.same_interval
        low, high = (best_accuracy(end, classes) for end in (ends.low, ends.high))
        return cls(best_accuracy(measured.same, classes), Interval(low, high), measured.same)

    def sentence(self) -> str:
        return (
            "If both label alike and without seeing each other's labels, the best possible accuracy by such labels "
            f"lies between {percent(self.same, 1)}, as a second annotator has, and {percent(self.accuracy, 1)} (95 %: "
            f"up to {percent(self.interval.high, 1)}). "
        )


_NO_BOUND = (
    "The two do not surely agree more often than by chance, so that no best possible accuracy can be told: are both "
    "columns labels of the same thing? "
)
_COPY = "Both are the same in every one of these rows: is the second column a copy? "
_UNCORRECTED = "Scores and gaps between rungs are not corrected for it."


def _points(span: Interval) -> str:
    return f"{decimal(100 * span.low, 1)} to {decimal(100 * span.high, 1)}"


def _span(span: Interval) -> str:
    return f"95 %: {decimal(span.low, 2)} to {decimal(span.high, 2)}"


def second_label_findings(whole: Task, rows: LabelledRows, metric_name: str, seed: int) -> Sequence[Finding]:
    """Return findings about a second annotator's labels; nothing where the user names no column of second labels.

    Args:
        whole: the task over all rows.
        rows: the rows of the task.
        metric_name: the metric of the task, by which the second labels are scored as predictions of the task's labels.
        seed: the seed of the bootstrap resamples behind the intervals.

    Raises:
        BadInput: the second labels cannot be used.
    """
    labels = SecondLabels.of_task(whole, rows)
    return () if labels is None else labels.findings(metric_name, seed)
