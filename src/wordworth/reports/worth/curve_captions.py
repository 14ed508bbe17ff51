"""The captions of the learning curves: the leading rung, whether its lead is significant, the gain of more labels.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from wordworth.measures.learning_curves import CONTROL
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import count, finite, money
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import join_words

if TYPE_CHECKING:
    from wordworth.reports.record_view import Row

_NAMED = 3
"""Most rungs that a title names; if there are more, it gives their number."""

Points = Mapping[str, Sequence[tuple[int, float]]]
"""Rung -> the measured points of its learning curve, as (number of labels, score)."""


def curves_caption(view: WorthView) -> Caption | None:
    """Return the caption of the learning curves.

    The verdict compares two rungs. The title says at which numbers of labels each of them has the better score, and
    whether its lead is significant. Notes say what more labels would bring, and name the best rung if it is a third
    one.

    Returns:
        The caption; None if no point of a curve was measured.
    """
    points: dict[str, list[tuple[int, float]]] = {}
    for row in view.rows("curve"):
        score = finite(row["score"])
        if score is not None and row["labels"] and not row["extrapolated"]:
            points.setdefault(str(row["rung"]), []).append((int(row["labels"]), score))
    if not points:
        return None
    curves = {rung: sorted(curve) for rung, curve in points.items()}
    pair, leading = _at_common_sizes(curves, view.compared), leaders(curves)
    if not pair:
        return Caption(_best_of_all(view, leading), more_labels_notes(view))
    others = {rung for _, rung in leading}.union(_level(view)) - pair.keys()
    of_all = (f"Of all rungs, {_within_sentence(_best_of_all(view, leading))}.",) if others else ()
    return Caption(_best_of_two(view, pair), (*of_all, *more_labels_notes(view)))


def _at_common_sizes(curves: Points, pair: Sequence[str]) -> Points:
    """Return the points of two rungs at the numbers of labels that both were measured at; empty without any."""
    if len(pair) < 2 or not curves.keys() >= set(pair):  # noqa: PLR2004 - a pair
        return {}
    common = set.intersection(*({labels for labels, _ in curves[rung]} for rung in pair))
    return {rung: [point for point in curves[rung] if point[0] in common] for rung in pair} if common else {}


def _best_of_two(view: WorthView, pair: Points) -> str:
    """Return the title on the verdict's two rungs: which leads, and whether the difference on all labels may be 0."""
    first, second = map(view.title, pair)
    sizes = [labels for labels, _ in next(iter(pair.values()))]
    where = "every number of labels" if len(sizes) > 1 else f"{count(sizes[-1])} labels"
    if len({tuple(view.unit.score(score) for _, score in curve) for curve in pair.values()}) == 1:
        return f"{first} and {second} score the same at {where}"
    leading = leaders(pair)
    title = _leading_rungs(view, leading, over=second if view.title(leading[-1][1]) == first else first)
    _, low, high = view.compared_gap or (1.0, 1.0, 1.0)
    if not low <= 0 <= high:
        return title
    near = "they are level" if max(-low, high) <= (view.margin or 0.0) else "their order may be chance"
    largest = _unless_said(title, sizes[-1])
    return f"{title}; {f'{largest} ' if largest else ''}{near}"


def _best_of_all(view: WorthView, leading: Sequence[tuple[int, str]]) -> str:
    """Return the title on all rungs: which leads, and which others may be as good as the best on all labels."""
    level = [view.title(rung) for rung in _level(view)]
    title = _leading_rungs(view, leading)
    if not level:
        return title
    names = join_words(level) if len(level) <= _NAMED else f"{len(level)} others"
    verb = "are" if len(level) > 1 else "is"
    where = _unless_said(title, leading[-1][0])
    return f"{title}; {names} {verb} {_how_level(view)} it{f' {where}' if where else ''}"


def _unless_said(title: str, labels: int) -> str:
    """Return `at N labels`; empty if `title` ends with these words."""
    where = f"at {count(labels)} labels"
    return "" if title.endswith(where) else where


def _within_sentence(title: str) -> str:
    """Return a title as part of a sentence: `The lead` at its beginning becomes `the lead`; names of rungs stay."""
    return title.replace("The lead", "the lead", 1) if title.startswith("The lead") else title


def leaders(points: Points) -> list[tuple[int, str]]:
    """Return (number of labels, best rung) for each number of labels at which at least half of the rungs have a score.

    A rung that was only measured at smaller and larger numbers has its score interpolated as in the chart.
    """
    reached = Counter(labels for curve in points.values() for labels, _ in curve)
    sizes = sorted(labels for labels, rungs in reached.items() if 2 * rungs >= max(reached.values()))
    return [(labels, max(points, key=lambda rung: _drawn_at(labels, points[rung]))) for labels in sizes]


def _drawn_at(labels: int, points: Sequence[tuple[int, float]]) -> float:
    """Return the score interpolated linearly in the logarithm of labels; −infinity outside the measured range."""
    known, scores = zip(*points, strict=True)
    inside = known[0] <= labels <= known[-1]
    return float(np.interp(math.log2(labels), np.log2(known), scores)) if inside else -math.inf


def _leading_rungs(view: WorthView, leading: Sequence[tuple[int, str]], over: str = "") -> str:
    """Return the text on which rung leads up to which number of labels.

    Args:
        view: the record.
        leading: (number of labels, best rung), as `leaders` returns.
        over: title of the other rung, where two are compared and one leads at every number.
    """
    turns = [
        (view.title(rung), [labels for labels, _ in group])
        for rung, group in groupby(leading, key=lambda leader: leader[1])
    ]
    last, largest = turns[-1][0], f"{count(leading[-1][0])} labels"
    if len(turns) == 1:
        verb = f"is ahead of {over}" if over else "leads"
        return f"{last} {verb} at {'every number of labels' if len(leading) > 1 else largest}"
    if len(turns) == 2:  # noqa: PLR2004 - the lead changes once
        return f"{turns[0][0]} leads up to {count(turns[0][1][-1])} labels, then {last}"
    return f"The lead changes {len(turns) - 1} times; {last} is ahead at {largest}"


def _level(view: WorthView) -> list[str]:
    """Return the names of the rungs that are not significantly below the best: the interval of the gap includes 0."""
    highs = {rung: finite(row["gap_high"]) for rung, row in view.ladder.items() if rung != view.best}
    return [rung for rung, high in highs.items() if high is not None and high >= 0]


def _how_level(view: WorthView) -> str:
    """Return `level with` if every gap in `_level` is surely within the margin, else `not surely below`."""
    margin = view.margin or 0.0
    lows = [finite(view.ladder[rung]["gap_low"]) for rung in _level(view)]
    return "level with" if all(low is not None and low >= -margin for low in lows) else "not surely below"


def more_labels_notes(view: WorthView) -> tuple[str, ...]:
    """Return a note on what more labels would bring to the rung that the verdict names.

    The note has the predicted score, the price of the labels, and other rungs that would overtake the rung.
    """
    if view.chosen is None:
        return ()
    measured, predicted = _measured_and_predicted(view, view.chosen)
    if not measured or not predicted:
        return ()
    last, nearest = measured[-1], predicted[0]
    extra = _labels(nearest) - _labels(last)
    price = finite(view.settings.get("label_price"))
    cost = f" (about {money(extra * price, view.currency)} at {money(price, view.currency)} a label)" if price else ""
    note = (
        f"Predicted, not measured: with {count(_labels(nearest))} labels, {count(extra)} more{cost}, "
        f"{view.title(view.chosen)} {_predicted_change(view, last, nearest)}{_overtaken(view, last, predicted)}"
    )
    return (note,)


def _measured_and_predicted(view: WorthView, rung: str) -> tuple[list[Row], list[Row]]:
    """Return the rows of a rung's measured points and of its predicted points, each by number of labels."""
    rows = [row for row in view.rows("curve") if row["rung"] == rung and finite(row["score"]) is not None]
    rows.sort(key=_labels)
    return [row for row in rows if not row["extrapolated"]], [row for row in rows if row["extrapolated"]]


def _predicted_change(view: WorthView, last: Row, nearest: Row) -> str:
    """Return the predicted score of a rung in words, with the reason if it is the last score carried forward."""
    now = view.unit.score(finite(last["score"]))
    findings = [row for row in view.findings("condition") if row["name"] == "condition.more_labels"]
    if not findings or findings[0]["numbers"].get("family") != CONTROL:
        return f"would score about {view.score_text(nearest)}."
    stays = f"would stay at {now} ({view.interval(nearest)})."
    if view.is_floor(str(last["rung"])):
        return f"{stays} A constant does not learn from more labels."
    return (
        f"{stays} That is its last score carried on: no fitted curve predicted it better than the score before it did."
    )


def _overtaken(view: WorthView, last: Row, predicted: list[Row]) -> str:
    """Return the sentence on rungs predicted to overtake the chosen one, and at which number of labels each does."""
    behind = {rung: later for rung in view.scored() if (later := _predicted_scores(view, rung, last)) is not None}
    clauses, passed = [], set[str]()
    for point in predicted:
        now = [rung for rung, later in behind.items() if rung not in passed and _above(view, later, point)]
        names = [f"{view.title(rung)} ({view.unit.score(behind[rung][point['labels']])})" for rung in now]
        passed.update(now)
        if names:
            clauses.append(f"with {count(_labels(point))} labels by {join_words(names)}")
    return f" It is predicted to be passed {', and '.join(clauses)}." if clauses else ""


def _predicted_scores(view: WorthView, rung: str, last: Row) -> dict[int, float] | None:
    """Return number of labels -> predicted score of a rung; None unless its last measured score is below `last`."""
    measured, predicted = _measured_and_predicted(view, rung)
    if not measured or measured[-1]["score"] >= last["score"]:
        return None
    return {_labels(row): float(row["score"]) for row in predicted}


def _above(view: WorthView, later: dict[int, float], point: Row) -> bool:
    """Return whether a rung's prediction is above the chosen rung's, and differs from it as printed.

    Args:
        view: the record.
        later: number of labels -> predicted score of the rung.
        point: a row with a predicted score of the chosen rung.
    """
    score = later.get(_labels(point), -math.inf)
    return score > point["score"] and view.unit.score(score) != view.unit.score(point["score"])


def _labels(row: Row) -> int:
    return int(row["labels"])
