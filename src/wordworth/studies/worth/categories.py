"""Scores by category of test rows: where a contextual rung surely beats a cheap one, and where it cannot be told.

The categories are those of the user's columns, such as the phenomena of GLUE's diagnostic set (Wang et al. 2019). A
category is scored as a condition of the sensitivity analysis is: all test rows outside it get the weight 0. One pair of
rungs is compared on all categories; it is chosen by the scores on all test rows, so that no category chooses its own.
A rung is one way of turning text into predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import CLASS_F1, metric
from wordworth.records import Finding, Table
from wordworth.studies.worth.decision_rule import ERROR
from wordworth.studies.worth.rung_result import predictions_at
from wordworth.studies.worth.tables import SCORE, score_columns
from wordworth.tasks.reading.categories import LEAST_ROWS
from wordworth.text_format import count_of, join_words, signed_with_range

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.examples import Category
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
        scores: the scores on all labels; None if the category is left out.
        left_out: why it is left out; else empty.
    """

    category: Category
    rows: NDArray[np.bool_]
    scores: Scores | None
    left_out: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """The first columns of both tables: the category, and its number of test rows."""
        return {"column": self.category.column, "category": self.category.name, "rows": int(self.rows.sum())}


def category_scores(study: StudyResult) -> list[CategoryScores]:
    """Return the scores on each category of test rows, by column and name; empty without columns of categories."""
    listed = study.task.examples.categories
    if listed is None:
        return []
    of_rows = [set(listed[row]) for row in study.task.test.tolist()]
    every = sorted(set().union(*of_rows))
    return [_scored(study, each, np.array([each in own for own in of_rows])) for each in every]


def _scored(study: StudyResult, category: Category, rows: NDArray[np.bool_]) -> CategoryScores:
    left_out = _why_left_out(study.task, rows)
    scores = None if left_out else study.rescored(study.task.metric, rows.astype(np.float64))
    return CategoryScores(category, rows, scores, left_out)


def _why_left_out(task: Task, rows: NDArray[np.bool_]) -> str:
    """Return why a category cannot be scored: too few rows, or labels for which the metric is not defined; else ""."""
    count, gold = int(rows.sum()), task.gold(task.test)
    if count < LEAST_ROWS:
        return f"{count_of(count, 'test row')}, and {LEAST_ROWS} are needed"
    if isinstance(gold, tuple) or gold.ndim > 1 or gold.dtype == np.object_ or task.metric == "accuracy":
        return ""
    present = set(gold[rows].tolist())
    name = metric(task.metric, task.classes).title
    one_class = task.metric.removeprefix(CLASS_F1)
    if one_class != task.metric:
        lacking = one_class in task.classes and task.classes.index(one_class) not in present
        return f"no row of the class of {name}" if lacking else ""
    return f"one label in all its rows, of which {name} says nothing" if len(present) == 1 else ""


def categories_table(study: StudyResult) -> Table:
    """Return the table `categories`: the score of every rung on each category that is scored.

    A rung that predicted only some of the folds has a score where it predicted `LEAST_ROWS` rows of the category.
    """
    rows = []
    for each in study.categories:
        for result in study.measured if each.scores else ():
            row = dict.fromkeys(CATEGORIES) | each.columns | {"rung": result.rung.name}
            row["predicted"] = int(each.rows[_predicted(result, study)].sum())
            if row["predicted"] >= LEAST_ROWS and each.scores is not None:
                row |= score_columns(each.scores, result.rung.name, study.labels)
            rows.append(row)
    return Table.of(rows, CATEGORIES)


def _predicted(result: RungResult, study: StudyResult) -> NDArray[np.int64]:
    """Return the indices of the test items that a rung predicted after learning from all labels, each once."""
    items = [run.items for run in result.at(study.labels).runs]
    every = np.arange(len(study.task.test))
    return every if any(of_run is None for of_run in items) else np.unique(np.concatenate(items or [every[:0]]))


def compared_pair(study: StudyResult) -> tuple[str, str] | None:
    """Return the names of the cheap and the contextual rung with the best scores on all test rows.

    Only rungs that predicted every test row are compared. None without a rung of each kind.
    """
    tested = len(study.task.test)
    whole = {
        result.rung.name
        for result in study.measured
        if predictions_at(result, study.labels, study.rung_results, tested)
    }
    best = [
        study.best_of([name for name in study.measured_names(contextual=contextual) if name in whole])
        for contextual in (False, True)
    ]
    return None if best[0] is None or best[1] is None else (best[0].rung.name, best[1].rung.name)


def category_gaps_table(study: StudyResult) -> Table:
    """Return the table `category_gaps`: on each category, the lead of the best contextual rung over the best cheap one.

    Intervals are simultaneous: their level leaves 5 % to all categories that are scored (Bonferroni). The table is
    empty without a contextual and a cheap rung.
    """
    pair = compared_pair(study)
    if pair is None:
        return Table.of([], CATEGORY_GAPS)
    level = 1 - ERROR / max(1, sum(each.scores is not None for each in study.categories))
    return Table.of([_gap_row(study, each, pair, level) for each in study.categories], CATEGORY_GAPS)


def _gap_row(study: StudyResult, each: CategoryScores, pair: tuple[str, str], level: float) -> dict[str, Any]:
    cheap, contextual = pair
    row = dict.fromkeys(CATEGORY_GAPS) | each.columns | {"cheap": cheap, "contextual": contextual}
    if each.scores is None:
        return row | {"left_out": each.left_out}
    span = each.scores.gap_interval(contextual, cheap, study.labels, level)
    answer = HELPS if span.low > 0 else HURTS if span.high < 0 else OPEN
    gap = each.scores.gap(contextual, cheap, study.labels)
    return row | {"gap": gap, **span.columns(), "level": level, "answer": answer, "left_out": ""}


def categories_finding(study: StudyResult) -> Iterator[Finding]:
    """Yield the finding on where context surely helps, by the table `category_gaps`; nothing without categories."""
    if not study.categories:
        return
    rows = category_gaps_table(study).rows()
    if not rows:
        yield Finding(
            "categories", "Where context helps was not tested: no rung with context and no cheap one to compare."
        )
        return
    scored = [row for row in rows if row["answer"]]
    pair = f"{study.title(rows[0]['contextual'])} over {study.title(rows[0]['cheap'])}"
    counts = {answer: sum(row["answer"] == answer for row in scored) for answer in (HELPS, HURTS, OPEN)}
    text = f"By category, the lead of {pair}: {_sentences(scored)}{_left_out(rows)}"
    yield Finding("categories", text, {"scored": len(scored), **counts})


def _sentences(scored: Sequence[dict[str, Any]]) -> str:
    """Return which categories have which answer, as text that continues a sentence."""
    parts, several = list[str](), len({row["column"] for row in scored}) > 1
    for answer, words in (
        (HELPS, "context surely helps in"),
        (HURTS, "it surely hurts in"),
        (OPEN, "it cannot tell in"),
    ):
        rows = sorted((row for row in scored if row["answer"] == answer), key=lambda row: -abs(row["gap"]))
        named = [f"{_name(row, several=several)} {_gap_text(row)}" for row in rows[:_MOST_NAMED]]
        named += [f"{len(rows) - _MOST_NAMED} more"] if len(rows) > _MOST_NAMED else []
        if rows or answer == HELPS:
            parts.append(f"{words} {len(rows)} of {len(scored)}" + (f", {join_words(named)}" if named else ""))
    return "; ".join(parts) + "."


def _name(row: dict[str, Any], *, several: bool) -> str:
    """Return the name of a row's category, after that of its column where there are several columns."""
    return f"{row['column']}: {row['category']}" if several else str(row["category"])


def _gap_text(row: dict[str, Any]) -> str:
    return signed_with_range(row["gap"], row["low"], row["high"], row["level"])


def _left_out(rows: Sequence[dict[str, Any]]) -> str:
    """Return the sentence on the categories that are not scored, with the reason; "" without any."""
    left_out = [f"{row['category']} ({row['left_out']})" for row in rows if row["left_out"]]
    if not left_out:
        return ""
    more = [f"{len(left_out) - _MOST_NAMED} more"] if len(left_out) > _MOST_NAMED else []
    return f" Left out: {'; '.join([*left_out[:_MOST_NAMED], *more])}."


def categories_step(study: StudyResult) -> dict[str, str]:
    """Return the step of the method on categories; empty without columns of categories."""
    if not study.categories:
        return {}
    columns = join_words([repr(name) for name in dict.fromkeys(each.category.column for each in study.categories)])
    text = (
        f"Categories are those of {columns}. On each, every rung is scored by the same metric and resamples, and the "
        "cheap and the contextual rung with the best scores on all test rows are compared; rungs that predicted only "
        "some of the folds are not. The intervals of these differences leave 5 % to all categories together "
        f"(Bonferroni). Categories of fewer than {LEAST_ROWS} test rows are left out. That context surely helps in "
        "one category and not surely in another does not show that the two differ."
    )
    return {"categories": text}
