"""The captions of the charts of costs; they depend on measured times, so that a record has them among its timings.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from wordworth.measures.label_multiples import FEW_MORE, is_unbounded
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import count, figures, finite, money, multiple_interval, number, short_count
from wordworth.sentence_formatting import join_words, points_phrase

if TYPE_CHECKING:
    from wordworth.reports.record_view import Row
    from wordworth.reports.worth.record_view import WorthView

_NO_RUNG = "no rung"
_SIGNS = {"at most": "at most ", "exact": "about ", "more than": "more than "}
_MOST_TIMES = 10_000
_NOISE = 1.3
"""Factor by which two measurements of the same speed may differ."""


def decision_caption(view: WorthView) -> Caption | None:
    """Return the caption of the decision map: the cheapest rung that is good enough, at the user's number of labels.

    If all cells of the map agree, the caption says why the map is not drawn.

    Returns:
        The caption; None for a record without a map.
    """
    decision = view.decision
    if not decision:
        return None
    notes = (*_cheapest_near(view), _rule(view, finite(decision.get("months"))), *_partly_measured(view))
    return Caption(_decision_title(view), notes, _one_answer(view))


def _decision_title(view: WorthView) -> str:
    labels = f"With {count(view.decision['labels'][_own_column(view)])} labels"
    names, cheapest = _cheapest(view)
    if _is_open(view) and view.has_context:
        return f"{labels} it cannot be told yet which rung is good enough"
    if _is_open(view):
        return f"{labels}, of those {_near(view)} the best score, the cheapest is {cheapest}"
    answer = str(view.verdict.get("answer"))
    if len(names) == 1 and answer.startswith("contextual"):
        return f"{labels}, {answer.replace('contextual', 'context')} at any volume: {names[0]}"
    if len(names) == 1:
        return f"{labels}, {names[0]} is the cheapest that is good enough, at any volume"
    return f"{labels}, the cheapest that is good enough is {cheapest}"


def _cheapest(view: WorthView) -> tuple[list[str], str]:
    """Return the cheapest rungs at the user's number of labels, from few texts a month to many: titles, and words."""
    decision, column = view.decision, _own_column(view)
    volumes = zip(decision["texts_per_month"], [row[column] for row in decision["rung"]], strict=True)
    turns = [(rung, [texts for texts, _ in group]) for rung, group in groupby(volumes, key=lambda pair: pair[1])]
    names = [view.title(rung) if rung else _NO_RUNG for rung, _ in turns]
    last_volumes = [short_count(texts[-1]) for _, texts in turns[:-1]]
    steps = [f"{name} up to {texts} texts a month" for name, texts in zip(names, last_volumes, strict=False)]
    return names, f"{', '.join(steps)}, then {names[-1]}" if steps else names[-1]


def _cheapest_near(view: WorthView) -> tuple[str, ...]:
    """Return the sentence on the cheapest rung near the best score, if the verdict at the user's labels is open."""
    if not _is_open(view) or not view.has_context:
        return ()
    return (f"Of the rungs {_near(view)} the best score, the cheapest is {_cheapest(view)[1]}.",)


def _is_open(view: WorthView) -> bool:
    """Return whether the verdict at the user's number of labels is *cannot tell yet* at every number of texts."""
    column = _own_column(view)
    return all(row[column] for row in view.uncertain)


def _near(view: WorthView) -> str:
    return "near" if view.margin is None else f"within {points_phrase(view.margin)} of"


def _own_column(view: WorthView) -> int:
    """Return the index of the column of the map with the most labels that are not more than the user's."""
    sizes: Sequence[float] = view.decision["labels"]
    most = (view.most_labels or sizes[-1]) * 1.001
    return max((index for index, labels in enumerate(sizes) if labels <= most), default=0)


def _one_answer(view: WorthView) -> str:
    """Return the sentence on the answer of all cells if they agree; empty if they do not."""
    if not view.map_is_uniform:
        return ""
    if view.uncertain[0][0] and not view.has_context:
        return "The map sets cheap rungs against those that read context, and none of these was measured."
    if view.uncertain[0][0]:
        return "It cannot be told yet at any number of labels and texts a month, so there is no map to draw."
    name = view.title(view.decision["rung"][0][0])
    return f"{name} is named at every number of labels and texts a month, so there is no map to draw."


def _rule(view: WorthView, months: float | None) -> str:
    """Return the sentence that defines `cheapest` and `good enough` for the map."""
    span = "" if months is None else f" of {figures(months)} months"
    cheapest = f"“Cheapest” counts labels, training and answering the texts{span}"
    costs = f"{cheapest}; within 1 % of each other, costs count as equal."
    if not view.has_context:
        return costs
    near = "near enough to the best" if view.margin is None else f"within {points_phrase(view.margin)} of the best"
    rule = f"The verdict's rule at every number of labels: a rung is “good enough” if it is surely {near}"
    return f"{rule}; where no cheap rung is, the map names a contextual one. {costs}"


def _partly_measured(view: WorthView) -> tuple[str, ...]:
    """Return a sentence on each group of rungs that were measured in the same columns of the map, but not in all."""
    sizes: dict[str, set[int]] = {}
    for row in view.rows("curve"):
        if not row["extrapolated"] and finite(row["score"]) is not None:
            sizes.setdefault(str(row["rung"]), set()).add(int(row["labels"]))
    columns = {int(labels) for labels in view.decision["labels"]}
    partly: dict[tuple[int, ...], list[str]] = {}
    for rung, labels in sizes.items():
        if columns - labels and labels & columns and not view.is_floor(rung):
            partly.setdefault(tuple(sorted(labels & columns)), []).append(view.title(rung))
    return tuple(
        f"{join_words(titles)} {'was' if len(titles) == 1 else 'were'} measured with "
        f"{join_words([count(size) for size in labels])} labels only; the other columns choose among the rest."
        for labels, titles in partly.items()
    )


def cost_caption(view: WorthView) -> Caption | None:
    """Return the caption of the chart of costs: score and speed of the two rungs that the verdict compares.

    For the same score, a cheap rung may need more labels than a contextual rung, but it costs less for each text. The
    caption's note says after how many texts the savings have paid for the labels. The result is None if no rung has a
    score.
    """
    return Caption(_cost_title(view), break_even_notes(view)) if view.scored() else None


def _cost_title(view: WorthView) -> str:
    if len(view.compared) < 2:  # noqa: PLR2004 - a pair
        return f"What {view.title(view.chosen)} costs"
    first, second = map(view.title, view.compared)
    if not view.compared_gap:
        return f"What {first} and {second} cost"
    # A definite answer prints an interval that is corrected for its choice; the chart shows what was measured.
    here = " here" if "corrected" in view.verdict else ""
    comparison = f"{first} {_distance(view, bare=bool(here))} {second}{here}"
    rates = [view.rate(rung) for rung in view.compared]
    return f"{comparison}, {relative_speed(rates[0] / rates[1])}" if rates[0] and rates[1] else comparison


def relative_speed(ratio: float) -> str:
    """Return the speed ratio of two rungs in words, no finer than timings on a busy machine allow.

    Ratios beyond 10,000, which only a constant has, are written as a bound.

    Args:
        ratio: texts per second of a rung, divided by the texts per second of the rung that it is compared with.

    >>> [relative_speed(r) for r in (0.91, 1.1, 0.31, 24.3)]
    ['at about the same speed', 'at about the same speed', 'at 31 % of its speed', 'at 24 times its speed']
    >>> relative_speed(15e6), relative_speed(1 / 15e6)
    ('at over 10,000 times its speed', 'at under 0.01 % of its speed')
    """
    if 1 / _NOISE < ratio < _NOISE:
        return "at about the same speed"
    if not 1 / _MOST_TIMES < ratio < _MOST_TIMES:
        return f"at over {_MOST_TIMES:,} times its speed" if ratio > 1 else "at under 0.01 % of its speed"
    return f"at {figures(ratio)} times its speed" if ratio > 1 else f"at {figures(100 * ratio)} % of its speed"


def _distance(view: WorthView, *, bare: bool) -> str:
    """Return the measured difference in words: `scores 1.2 points (95 %: 0.3 to 2.1) below`, or `is level with`.

    Args:
        view: the record.
        bare: whether the interval is left out.
    """
    gap, *ends = view.compared_gap
    low, high = sorted(end if gap > 0 else -end for end in ends)
    between = "" if bare else f" (95 %: {view.unit.gap(low)} to {view.unit.gap(high)})"
    if view.unit.gap(gap) == "0.0":
        return f"is level{between} with"
    return f"scores {points_phrase(gap)}{between.replace('+', '')} {'above' if gap > 0 else 'below'}"


def break_even_notes(view: WorthView) -> tuple[str, ...]:
    """Return a sentence on the number of texts from which a cheap rung with more labels costs less in total.

    To score what a contextual rung scores, the cheap rung needs more labels, but it saves money on each text. The tuple
    is empty for a record without these numbers.
    """
    facts: Row = view.plain["timings"].get("break_even") or {}
    if not facts:
        return ()
    cheap, contextual = (view.title(facts[name]) for name in ("rung", "against"))
    labels, sign = count(finite(facts["labels"])), _SIGNS.get(facts["state"])
    goal = f"what {contextual} scores with {labels} labels"
    if sign is None:
        return (f"By the curve fitted to it, {cheap} never reaches {goal}: no number of texts pays for more labels.",)
    if _is_unknown(facts):
        return (
            f"How many times as many labels {cheap} needs to reach {goal} cannot be estimated.{_saving(view, facts)}",
        )
    if facts["state"] == "more than" and facts["multiple"] < FEW_MORE:
        reached = f"With all the labels there are, {cheap} does not reach {goal}"
        return (f"{reached}: how many more it needs, and what they cost, is not known.{_saving(view, facts)}",)
    times = f"{sign}{figures(finite(facts['multiple']))} times as many"
    needs = f"To reach {goal}, {cheap} needs {'fewer: ' * _needs_fewer(facts)}{times}{_span(facts)}"
    if (finite(facts["text_less"]) or 0.0) <= 0:
        return (f"{needs}; answering a text costs no less, so that no number of texts pays for more labels.",)
    return (f"{needs}. {_paid(view, facts, sign)}",)


def _is_unknown(facts: Row) -> bool:
    """Return whether the interval of the label multiple is bounded on neither side."""
    low, high = (number(facts.get(f"multiple_{end}")) for end in ("low", "high"))
    return facts["state"] == "exact" and low is not None and high is not None and is_unbounded(low, high)


def _saving(view: WorthView, facts: Row) -> str:
    """Return the sentence on how much less the cheap rung costs for a million texts; "" if it costs no less."""
    less = finite(facts["text_less"]) or 0.0
    title = view.title(facts["rung"])
    return f" A million texts cost {money(1e6 * less, view.currency)} less with {title}." if less > 0 else ""


def _span(facts: Row) -> str:
    """Return the interval of a label multiple in words; "" if the multiple is a bound or the record lacks its ends."""
    low, high = (number(facts.get(f"multiple_{end}")) for end in ("low", "high"))
    if facts["state"] != "exact" or low is None or high is None:
        return ""
    either = ", so it may need fewer or more" if low < 1 < high else ""
    return f" (95 %: {multiple_interval(low, high, ' to ')}{either})"


def _needs_fewer(facts: Row) -> bool:
    """Return whether the cheap rung needs significantly fewer labels than the contextual one."""
    high = number(facts.get("multiple_high"))
    return facts["state"] == "exact" and high is not None and high < 1


def _paid(view: WorthView, facts: Row, sign: str) -> str:
    """Return the sentence on the number of texts from which the cheap rung costs less in total.

    The interval in it is due to the uncertainty of the label multiple, not of timing.
    """
    less = f"a million texts cost {money(1e6 * facts['text_less'], view.currency)} less"
    texts, low, high = (number(facts[name]) for name in ("texts", "low", "high"))
    if not texts and facts["state"] == "more than":
        return f"If that many are enough, its labels and training cost no more, and {less}."
    between = f" (95 %: {_texts(low)} to {_texts(high)})" if facts["state"] == "exact" and high else ""
    if not texts:
        first = f"it is the cheaper of the two from the first text on{between}"
        return f"Its labels and training then cost no more, and {less}: {first}."
    more = money(finite(facts["once_more"]), view.currency)
    return (
        f"Its labels and training then cost {more} more, but {less}: it is the cheaper of the two from "
        f"{sign}{_texts(texts)} texts on{between}."
    )


def _texts(value: float | None) -> str:
    return "never" if value is None or math.isinf(value) else short_count(float(f"{value:.2g}"))
