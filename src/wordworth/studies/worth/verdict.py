"""The verdict in two plain sentences, written from the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from wordworth.records import Finding, Table
from wordworth.studies.worth.cheap_only import advice, leader, runner_up
from wordworth.studies.worth.coverage_warnings import limitation
from wordworth.studies.worth.decision_rule import Verdict, judge, labels_needed
from wordworth.studies.worth.distances import ahead_or_behind, paired, points_phrase
from wordworth.studies.worth.guessing import SAYING, nothing_learned, unbeaten_baseline
from wordworth.studies.worth.learning_curves import best_row, telling
from wordworth.text_format import join_words

if TYPE_CHECKING:
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.sensitivity import VerdictInputs
    from wordworth.tasks.task import Task

_HEADLINE_LENGTH = 28
"""Most characters that fit on one line of a phone."""
_OPEN, _NOTHING = "Cannot tell yet.", "Nothing beats guessing yet."
_FEW_MORE = 1.1
"""Lower bound of a label multiple below which it only says that the cheap rung is behind."""


@dataclass(frozen=True, slots=True)
class RowCounts:
    """The number of rows used, the number in the user's files, and how to use more of them."""

    used: int
    held: int
    more: str = ""

    @classmethod
    def of(cls, task: Task, *, quick: bool) -> RowCounts:
        """The counts of a task's files, and how to use more rows where a limit left some out."""
        used = len(task.examples)
        limited = next((finding.numbers for finding in task.warnings if finding.name == "warning.limit"), None)
        if limited is None:
            return cls(used, used)
        return cls(used, limited["file_rows"], "leave --quick out or raise --limit" if quick else "raise --limit")


@dataclass(frozen=True, slots=True)
class VerdictContext:
    """What the sentences need besides the judgement.

    Attributes:
        titles: rung -> title.
        labels: the number of labels judged at.
        rows: the rows used and held.
        multiples: the table of label multiples.
        blind: encoders that cannot read the texts -> the share of unknown pieces.
        guess: what the constant rung does, in words.
    """

    titles: Mapping[str, str]
    labels: int
    rows: RowCounts
    multiples: Table
    blind: Mapping[str, float] = field(default_factory=dict)
    guess: str = SAYING


def verdict(judgement: Verdict, case: VerdictInputs, scores: Scores, words: VerdictContext) -> Finding:
    """The finding `verdict`: a headline of a few words, two sentences, and the numbers behind them.

    Where nothing surely beats a constant, that is said first, whatever the answer.

    Args:
        judgement: the rule's answer.
        case: the rungs, to apply the rule again at other numbers of labels.
        scores: every rung's scores.
        words: titles, rows and multiples for the sentences.
    """
    best, rung = judgement.best, judgement.rung
    floor = unbeaten_baseline(judgement, scores, words.labels)
    cheap = judgement.undecided or (judgement.cheap[0] if judgement.cheap else None)
    numbers: dict[str, Any] = {"answer": judgement.answer, "rung": rung, "best": best, "epsilon": judgement.epsilon}
    if judgement.answer == "cheap suffices":
        first, second = rung, judgement.of(rung).rival
        text = _suffices(judgement, scores, words) + _when_context_pays(judgement, case, scores, words)
        numbers["headline"] = _headline(f"Keep {words.titles[rung]}", "Keep the cheap one") if not floor else _NOTHING
    elif judgement.answer == "contextual is worth it":
        first, second = rung, cheap.name if cheap else best
        text = _contextual_lead(judgement, scores, words, (first, second)) + _needed(words, first, second)
        numbers["headline"] = _headline(f"Use {words.titles[rung]}", "Context is worth it")
    elif not judgement.contextual:
        first, second = best, runner_up(judgement)
        text = leader(judgement, scores, words) + advice(case)
        numbers["headline"] = _OPEN
    else:
        first, second = (cheap.name, cheap.rival) if cheap else (rung, best)
        text = _contextual_behind(judgement, scores, words) + _open(judgement, scores, words, (first, second))
        text += _labels_to_decide(judgement, words)
        numbers["headline"] = _OPEN
        numbers["labels_to_tell"] = labels_needed(judgement, words.rows.used)
    if floor:
        text = nothing_learned(judgement, scores, words, floor) + text
        numbers["no_better_than"] = floor
    if first != second:
        interval = scores.gap_interval(first, second, words.labels)
        numbers |= {
            "gap": scores.gap(first, second, words.labels),
            "low": interval.low,
            "high": interval.high,
            "against": second,
        }
    return Finding(
        "verdict", text + limitation(words.blind), numbers | ({"blind": dict(words.blind)} if words.blind else {})
    )


def _headline(wanted: str, instead: str) -> str:
    return f"{wanted if len(wanted) <= _HEADLINE_LENGTH else instead}."


def _suffices(judgement: Verdict, scores: Scores, words: VerdictContext) -> str:
    name, title = judgement.rung, words.titles[judgement.rung]
    rival = judgement.of(name).rival
    if rival == name:
        return f"With {words.labels:,} labels, {title} is the only rung to compare. "
    gap = scores.gap(name, rival, words.labels)
    return (
        f"With {words.labels:,} labels, {title} is {ahead_or_behind(gap)} {words.titles[rival]} "
        f"({paired(scores, name, rival, words.labels)}), and surely no rung is better by more "
        f"than {points_phrase(judgement.epsilon)}. "
    )


def _when_context_pays(judgement: Verdict, case: VerdictInputs, scores: Scores, words: VerdictContext) -> str:
    """The largest smaller number of labels at which context was worth it, in a sentence."""
    sizes = [size for size in scores.sizes(judgement.rung) if size < words.labels]
    judgements = [(size, judge(scores, case.ladder, size, judgement.epsilon)) for size in sizes]
    worth = [(size, earlier) for size, earlier in judgements if earlier.answer == "contextual is worth it"]
    if not worth:
        smallest = min([*sizes, words.labels])
        return f"Nowhere between {smallest:,} and {words.labels:,} labels was context clearly worth it."
    size, earlier = worth[-1]
    fewer = " or fewer" if len(worth) == len([smaller for smaller in sizes if smaller <= size]) else ""
    return f"With {size:,} labels{fewer}, {words.titles[earlier.rung]} would be worth it."


def _contextual_lead(judgement: Verdict, scores: Scores, words: VerdictContext, pair: tuple[str, str]) -> str:
    contextual, cheap = pair
    gap, interval = scores.gap(contextual, cheap, words.labels), scores.gap_interval(contextual, cheap, words.labels)
    caveat = (
        f": surely ahead, perhaps by less than {points_phrase(judgement.epsilon)}"
        if interval.low < judgement.epsilon
        else ""
    )
    return (
        f"With {words.labels:,} labels, {words.titles[contextual]} is {points_phrase(gap)} ahead of the best "
        f"cheap rung, {words.titles[cheap]} ({paired(scores, contextual, cheap, words.labels)}){caveat}"
        f"{_level(judgement, scores, words, contextual)}. "
    )


def _level(judgement: Verdict, scores: Scores, words: VerdictContext, named: str) -> str:
    """The contextual rungs that come before the named one on the ladder and are not surely behind it, in words."""
    before = takewhile(lambda comparison: comparison.name != named, judgement.contextual)
    open_ = [
        words.titles[comparison.name]
        for comparison in before
        if comparison.name not in scores.dropped and scores.gap_interval(comparison.name, named, words.labels).high >= 0
    ]
    if not open_:
        return ""
    return f"; {join_words(open_)}, before it on the ladder, may be as good"


def _needed(words: VerdictContext, contextual: str, cheap: str) -> str:
    """How many more labels the cheap rung needs, at the size where that is known best."""
    row = telling(words.multiples, cheap, contextual)
    titles = words.titles
    if row.get("state") == "exact" and best_row(row):
        return (
            f"How many times the labels {titles[cheap]} needs to score what {titles[contextual]} scores with "
            f"{row['labels']:,} cannot be estimated: the curves bound it on neither side."
        )
    if row.get("state") == "exact":
        return (
            f"{titles[cheap]} needs about {row['multiple']:.1f} times the labels to score what {titles[contextual]} "
            f"scores with {row['labels']:,} (95 %: {_end(row['low'])} to {_end(row['high'])})."
        )
    if row.get("state") == "more than" and row["multiple"] < _FEW_MORE:
        return f"{titles[cheap]} does not reach that with all the labels there are."
    if row.get("state") == "more than":
        return (
            f"What {titles[contextual]} scores with {row['labels']:,} labels, {titles[cheap]} does not reach with "
            f"{row['multiple']:.1f} times as many."
        )
    if row.get("state") == "never":
        return (
            f"By the curve fitted to its scores, {titles[cheap]} never reaches what {titles[contextual]} scores with "
            f"{row['labels']:,} labels."
        )
    return f"More labels did not let {titles[cheap]} reach it."


def _end(value: float) -> str:
    return "not reached" if math.isinf(value) or math.isnan(value) else f"{value:.1f}"


def _open(judgement: Verdict, scores: Scores, words: VerdictContext, pair: tuple[str, str]) -> str:
    first, second = pair
    gap, interval = scores.gap(first, second, words.labels), scores.gap_interval(first, second, words.labels)
    margin = points_phrase(judgement.epsilon)
    both = f"the interval holds both no difference and one of more than {margin}"
    neither = (
        "tested against all of them, it is neither surely behind a contextual rung nor surely within "
        f"{margin} of every other rung"
    )
    return (
        f"With {words.labels:,} labels, {words.titles[first]} is {ahead_or_behind(gap)} {words.titles[second]} "
        f"({paired(scores, first, second, words.labels)}): {both if 0 in interval else neither}. "
    )


def _contextual_behind(judgement: Verdict, scores: Scores, words: VerdictContext) -> str:
    """A sentence for the case that no contextual rung can win and only the choice of cheap rung is open; else empty."""
    best = judgement.cheap[0].name
    open_ = [comparison.name for comparison in judgement.contextual if comparison.name not in scores.dropped]
    if any(scores.gap_interval(name, best, words.labels).high >= 0 for name in open_):
        return ""
    behind = join_words([words.titles[comparison.name] for comparison in judgement.contextual])
    verb = "is" if len(judgement.contextual) == 1 else "are"
    return f"{behind} {verb} surely behind {words.titles[best]}; only which cheap rung to keep is open. "


def _labels_to_decide(judgement: Verdict, words: VerdictContext) -> str:
    needed = labels_needed(judgement, words.rows.used)
    if math.isinf(needed):
        return "The difference is at the margin itself, where more labels would hardly decide."
    about = f"About {_rounded(needed):,}" if _rounded(needed) > words.rows.used else "Somewhat more"
    return f"{about} labelled rows would settle it; {_rows_available(words.rows, needed)}."


def _rows_available(rows: RowCounts, needed: float) -> str:
    """The number of rows used and available, in words.

    >>> _rows_available(RowCounts(1_000, 4_866, "leave --quick out"), 2_000), _rows_available(RowCounts(300, 300), 900)
    ('1,000 were used, and your file holds 4,866: leave --quick out', 'your file holds 300')
    >>> _rows_available(RowCounts(1_000, 4_866, "leave --quick out"), 9_000)
    '1,000 were used, and your file holds 4,866: leave --quick out, though even all of them may not be enough'
    """
    held = f"your file holds {rows.held:,}"
    if rows.used >= rows.held or not rows.more:
        return held
    short = ", though even all of them may not be enough" if needed > rows.held else ""
    return f"{rows.used:,} were used, and {held}: {rows.more}{short}"


def _rounded(value: float) -> int:
    """The value rounded up to two significant digits: an estimate should not look like a count."""
    digits: int = 10 ** max(0, int(math.log10(max(value, 1))) - 1)
    return math.ceil(value / digits) * digits
