"""Scores by category of test rows: in which categories a contextual rung is significantly better than a cheap one.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The user's columns name the categories, such as the phenomena of GLUE's diagnostic set (Wang et al. 2019). To score a
category, all test rows outside it get the weight 0, as in the sensitivity analysis. The two rungs that are compared are
the same for every category: the best cheap and the best contextual rung on all test rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import CLASS_F1, metric
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, join_words, signed_with_range
from wordworth.studies.worth.decision_rule import ERROR
from wordworth.studies.worth.tables import SCORE, score_columns
from wordworth.tasks.examples import Category
from wordworth.tasks.reading.row_categories import LEAST_ROWS

if TYPE_CHECKING:
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.task import Task

HELPS, HURTS, OPEN = "context helps", "context hurts", "cannot tell"
_MOST_NAMED = 12
"""Most categories that a sentence lists by name."""
_CATEGORY = {
    "column": "the user's column of categories",
    "category": "name of the category; `(any)`: all rows that have one in this column",
    "rows": "test rows of the category",
}
CATEGORIES = {
    **_CATEGORY,
    "rung": "short name",
    "predicted": "rows of the category that the rung predicted; its score on the others is estimated",
    **SCORE,
}
CATEGORY_GAPS = {
    **_CATEGORY,
    "cheap": "the cheap rung",
    "contextual": "the contextual rung",
    "gap": "score of the contextual rung minus that of the cheap one",
    "low": "lower end of its interval",
    "high": "upper end of its interval",
    "level": "two-sided level of the interval, which leaves 5 % to all categories together",
    "answer": f"{HELPS}, {HURTS} or {OPEN}",
    "left_out": "why the category was not scored",
}


@dataclass(frozen=True, slots=True)
class CategoryScores:
    """The scores of all rungs on one category of test rows.

    Attributes:
        category: the column and the name of the category.
        rows: bool [test items], whether a test row is of the category.
        scores: the scores of the rungs after learning from all labelled examples; None if the category cannot be
            scored.
        reason: why the category cannot be scored; empty if it has scores.
    """

    category: Category
    rows: NDArray[np.bool_]
    scores: Scores | None
    reason: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """Name -> value of the columns that the tables `categories` and `category_gaps` share.

        The columns are the user's column, the name of the category, and its number of test rows.
        """
        return {"column": self.category.column, "category": self.category.name, "rows": int(self.rows.sum())}


@dataclass(frozen=True, slots=True)
class Categories:
    """The scores of a study on each category of its test rows, with the tables and findings made from these scores.

    Attributes:
        study: the result of the study.
        scored: the scores on each category, by column and name; empty without columns of categories.
    """

    study: StudyResult
    scored: Sequence[CategoryScores]

    @classmethod
    def of(cls, study: StudyResult) -> Categories:
        """Score all rungs on each category of the test rows."""
        listed = study.task.examples.categories
        of_rows = [set[Category]() if listed is None else set(listed[row]) for row in study.task.test.tolist()]
        every = sorted(set[Category]().union(*of_rows))
        return cls(study, [_scored(study, each, np.array([each in own for own in of_rows])) for each in every])

    @property
    def compared_pair(self) -> tuple[str, str] | None:
        """The names of the cheap and the contextual rung with the best scores on all test rows.

        Only rungs that predicted every test row are compared. The result is None if the study lacks a cheap rung or a
        contextual rung.
        """
        study, best = self.study, list[str]()
        for contextual in (False, True):
            names = [name for name in study.measured_names(contextual=contextual) if self._predicted(name).all()]
            result = study.best_of(names)
            best += [] if result is None else [result.rung.name]
        return (best[0], best[1]) if len(best) > 1 else None

    def tables(self) -> dict[str, Table]:
        """Return the tables `categories` and `category_gaps`; {} without columns of categories.

        The table `categories` has the score of every rung on each category. A rung that predicted only some of the
        folds has a score where it predicted at least `LEAST_ROWS` rows of the category. The table `category_gaps` has
        the lead of the best contextual rung over the best cheap rung, and is empty if the study lacks a rung of either
        kind. Its intervals are simultaneous: they all hold together with 95 % probability (Bonferroni).
        """
        if not self.scored:
            return {}
        return {"categories": Table.of(self._score_rows(), CATEGORIES), "category_gaps": self._gaps()}

    def _score_rows(self) -> list[dict[str, Any]]:
        rows = []
        for each in self.scored:
            for result in self.study.measured if each.scores else ():
                predicted = int((each.rows & self._predicted(result.rung.name)).sum())
                row = dict.fromkeys(CATEGORIES) | each.columns
                row |= {"rung": result.rung.name, "predicted": predicted}
                if predicted >= LEAST_ROWS and each.scores is not None:
                    row |= score_columns(each.scores, result.rung.name, self.study.labels)
                rows.append(row)
        return rows

    def _predicted(self, rung: str) -> NDArray[np.bool_]:
        """Return whether a rung that learned from all labelled examples predicted each test item, bool [test items]."""
        predicted = np.zeros(len(self.study.task.test), np.bool_)
        result = next(result for result in self.study.measured if result.rung.name == rung)
        for run in result.at(self.study.labels).runs:
            predicted[slice(None) if run.items is None else run.items] = True
        return predicted

    def _gaps(self) -> Table:
        pair = self.compared_pair
        level = 1 - ERROR / max(1, sum(each.scores is not None for each in self.scored))
        rows = [] if pair is None else [self._gap_row(each, pair, level) for each in self.scored]
        return Table.of(rows, CATEGORY_GAPS)

    def _gap_row(self, each: CategoryScores, pair: tuple[str, str], level: float) -> dict[str, Any]:
        (cheap, contextual), labels = pair, self.study.labels
        row = dict.fromkeys(CATEGORY_GAPS) | each.columns | {"cheap": cheap, "contextual": contextual}
        if each.scores is None:
            return row | {"left_out": each.reason}
        span = each.scores.gap_interval(contextual, cheap, labels, level)
        answer = HELPS if span.low > 0 else HURTS if span.high < 0 else OPEN
        gap = each.scores.gap(contextual, cheap, labels)
        return row | {"gap": gap, **span.columns(), "level": level, "answer": answer, "left_out": ""}

    def findings(self) -> Iterator[Finding]:
        """Yield a finding on the categories where the contextual rung is significantly better, and one on the method.

        Nothing is yielded for a study without categories.
        """
        if not self.scored:
            return
        rows, names = self._gaps().rows(), dict.fromkeys(repr(each.category.column) for each in self.scored)
        text, numbers = "Where context helps was not tested: there is no rung with context, or no cheap one.", {}
        if rows:
            scored = [row for row in rows if row["answer"]]
            pair = f"{self.study.title(rows[0]['contextual'])} over {self.study.title(rows[0]['cheap'])}"
            text = f"By category, the lead of {pair}: {_sentences(scored)}{_left_out(rows)}"
            numbers = {answer: sum(row["answer"] == answer for row in scored) for answer in (HELPS, HURTS, OPEN)}
        yield Finding("categories", text, numbers)
        yield Finding("method.categories", f"Categories are those of {join_words([*names])}. {_METHOD}")


_METHOD = (
    "On each, every rung is scored by the same metric and resamples, and the cheap and the contextual rung with the "
    "best scores on all test rows are compared; rungs that predicted only some of the folds are not. The intervals of "
    "these differences leave 5 % to all categories together (Bonferroni). Categories of fewer than "
    f"{LEAST_ROWS} test rows are left out. That context surely helps in one category and not surely in another "
    "does not show that the two differ."
)


def _scored(study: StudyResult, category: Category, rows: NDArray[np.bool_]) -> CategoryScores:
    left_out = _why_left_out(study.task, rows)
    scores = None if left_out else study.rescored(study.task.metric, rows.astype(np.float64))
    return CategoryScores(category, rows, scores, left_out)


def _why_left_out(task: Task, rows: NDArray[np.bool_]) -> str:
    """Return why a category cannot be scored: too few rows, or labels for which the metric is not defined; else ""."""
    size, gold = int(rows.sum()), task.gold(task.test)
    if size < LEAST_ROWS:
        return f"{count_of(size, 'test row')}, and {LEAST_ROWS} are needed"
    if isinstance(gold, tuple) or gold.ndim > 1 or gold.dtype == np.object_ or task.metric == "accuracy":
        return ""
    present = set(gold[rows].tolist())
    title, one_class = metric(task.metric, task.classes).title, task.metric.removeprefix(CLASS_F1)
    if one_class in task.classes and one_class != task.metric:
        return "" if task.classes.index(one_class) in present else f"no row of the class of {title}"
    return f"one label in all its rows, of which {title} says nothing" if len(present) == 1 else ""


def _sentences(scored: Sequence[dict[str, Any]]) -> str:
    """Return which categories have which answer, the largest leads first, as text that continues a sentence.

    Args:
        scored: the rows of the table `category_gaps` that have an answer.
    """
    parts, several = list[str](), len({row["column"] for row in scored}) > 1
    for answer, verb in (
        (HELPS, "context surely helps in"),
        (HURTS, "it surely hurts in"),
        (OPEN, "it cannot tell in"),
    ):
        rows = sorted((row for row in scored if row["answer"] == answer), key=lambda row: -abs(row["gap"]))
        named = [_name_and_gap(row, several=several) for row in rows[:_MOST_NAMED]]
        named += [f"{len(rows) - _MOST_NAMED} more"] if len(rows) > _MOST_NAMED else []
        if rows or answer == HELPS:
            parts.append(f"{verb} {len(rows)} of {len(scored)}" + (f", {join_words(named)}" if named else ""))
    return "; ".join(parts) + "."


def _name_and_gap(row: dict[str, Any], *, several: bool) -> str:
    """Return the category of a row and its gap with interval; the column precedes if there are several columns."""
    name = f"{row['column']}: {row['category']}" if several else row["category"]
    return f"{name} {signed_with_range(row['gap'], row['low'], row['high'], row['level'])}"


def _left_out(rows: Sequence[dict[str, Any]]) -> str:
    """Return the sentence on the categories that are not scored, with the reason; "" without any."""
    left_out = [f"{row['category']} ({row['left_out']})" for row in rows if row["left_out"]]
    more = [f"{len(left_out) - _MOST_NAMED} more"] if len(left_out) > _MOST_NAMED else []
    return f" Left out: {'; '.join([*left_out[:_MOST_NAMED], *more])}." if left_out else ""
