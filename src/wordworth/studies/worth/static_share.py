"""Could a static table do? How much a table distilled from an encoder keeps of what the encoder adds.

What an encoder adds is counted from random vectors, which know which words stand in a text and nothing of what they
mean:

    kept = (score of the table - score of random vectors) / (score of the encoder - score of random vectors)

The prediction needs no label: it comes from how much of the variance of the encoder's states the words alone account
for (`measures.geometry.explained.group_share`), measured while the table is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.records import Finding, Table
from wordworth.representations.distilled import DistilledRung
from wordworth.representations.feature_rung import RepresentationLearner
from wordworth.representations.shared_encoder import short_name
from wordworth.representations.static import Static
from wordworth.studies.worth.distances import points_phrase
from wordworth.text_format import inline_title, percent, signed

if TYPE_CHECKING:
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.studies.worth.scores import Scores

FLOOR = "random"
MISSED, GUESSED, JUDGED_ON = 0.49, 0.47, 10
"""How far the rule of `predicted` was off (root mean square), how far one guess for all, and on how many data sets
(recipes/static_share.py)."""
STATIC_SHARE = {
    "rung": "the table",
    "against": "the encoder that it was distilled from, frozen",
    "floor": "the rung from which both gains are counted",
    "labels": "labels learned from",
    "word_share": "share of the variance of the encoder's states that the words alone account for",
    "predicted": "share of the encoder's gain that the table should keep, by a rule of thumb on word_share",
    "gain": "score of the encoder minus that of the floor",
    "gain_low": "lower end of its 95 % interval",
    "gain_high": "upper end of its 95 % interval",
    "gap": "score of the table minus that of the encoder",
    "gap_low": "lower end of its 95 % interval",
    "gap_high": "upper end of its 95 % interval",
    "state": "measured, or no gain (the encoder's lead on the floor is not sure, so there is no share of it)",
    "kept": "share of the encoder's gain that the table keeps",
    "kept_low": "lower end of its 95 % interval",
    "kept_high": "upper end of its 95 % interval",
}


@dataclass(frozen=True, slots=True)
class Share:
    """A share of a gain with its interval; all NaN where there is no gain to share."""

    value: float
    interval: Interval


def share_of_gain(scores: Scores, names: tuple[str, str, str], labels: int) -> Share:
    """How much of the gain of one rung another keeps.

    Args:
        scores: of a study.
        names: the rung, the one whose gain is shared, and the one that gains are counted from.
        labels: at which size.

    Returns:
        The ratio of the mean gains, and the 95 % percentiles of the ratio over the resamples. NaN where the interval of
        the gain that is shared reaches down to 0: a ratio over what may be nothing says nothing.
    """
    rung, against, floor = names
    if not scores.gap_interval(against, floor, labels).low > 0:
        return Share(nan, Interval(nan, nan))
    own, whole = (scores.score_draws(name, labels) - scores.score_draws(floor, labels) for name in (rung, against))
    ratios = own / np.where(whole > 0, whole, np.nan)
    point = scores.gap(rung, floor, labels) / scores.gap(against, floor, labels)
    return Share(point, interval(ratios[~np.isnan(ratios)]))


def static_share_table(rung_results: Sequence[RungResult], scores: Scores, labels: int) -> Table:
    """A row for each distilled table that was measured beside its encoder and the floor."""
    return Table.of(list(_rows(rung_results, scores, labels)), STATIC_SHARE)


def _rows(rung_results: Sequence[RungResult], scores: Scores, labels: int) -> Iterator[dict[str, Any]]:
    for entry in rung_results:
        if not isinstance(entry.rung, DistilledRung):
            continue
        names = (entry.rung.name, short_name(entry.rung.model), FLOOR)
        if all(scores.has(name, labels) for name in names):
            yield _row(names, word_share(entry), scores, labels)


def _row(names: tuple[str, str, str], words: float, scores: Scores, labels: int) -> dict[str, Any]:
    rung, against, floor = names
    gain, gap = scores.gap_interval(against, floor, labels), scores.gap_interval(rung, against, labels)
    kept = share_of_gain(scores, names, labels)
    return {
        "rung": rung,
        "against": against,
        "floor": floor,
        "labels": labels,
        "word_share": words,
        "predicted": predicted(words),
        "gain": scores.gap(against, floor, labels),
        "gain_low": gain.low,
        "gain_high": gain.high,
        "gap": scores.gap(rung, against, labels),
        "gap_low": gap.low,
        "gap_high": gap.high,
        "state": "no gain" if isnan(kept.value) else "measured",
        "kept": kept.value,
        "kept_low": kept.interval.low,
        "kept_high": kept.interval.high,
    }


def word_share(entry: RungResult) -> float:
    """What the table was told of the encoder's states when it was made; NaN for a rung that is none."""
    learner = entry.learner
    static = learner.representation if isinstance(learner, RepresentationLearner) else None
    return static.told.word_share if isinstance(static, Static) and static.told is not None else nan


def predicted(words: float) -> float:
    """The share of the encoder's gain that a table should keep, from the share of variance that is the words'.

    A rule of thumb, not fitted: what the words carry of the states, they carry of the gain. On real data sets it does
    not hold (`MISSED`): the words' share hardly differs from set to set, and what a table keeps differs widely.
    """
    return min(max(words, 0.0), 1.0) if not isnan(words) else nan


def static_share_findings(table: Table, rung_results: Sequence[RungResult]) -> list[Finding]:
    """For each table: what was predicted, and what was measured."""
    titles = {entry.rung.name: entry.rung.title for entry in rung_results}
    return [Finding(f"static.{row['rung']}", _said(row, titles), row) for row in table.rows()]


def _said(row: dict[str, Any], titles: dict[str, str]) -> str:
    encoder, floor = inline_title(titles[row["against"]]), titles[row["floor"]]
    behind = f"{points_phrase(row['gap'])} {'ahead of' if row['gap'] > 0 else 'behind'} {encoder}"
    place = f"{behind} (95 %: {signed(row['gap_low'])} to {signed(row['gap_high'])})"
    if row["state"] == "no gain":
        found = f"{encoder} is not surely ahead of {floor}, so that there is no gain to share; the table is {place}"
    else:
        kept = f"{_share(row['kept'])} ({_share(row['kept_low'])} to {_share(row['kept_high'])})"
        gain = f"{points_phrase(row['gain'])} ({signed(row['gain_low'])} to {signed(row['gain_high'])})"
        found = f"it keeps {kept} of the {gain} that {encoder} adds, and is {place}"
    return f"{_foretold(row, encoder, floor)}Measured: {found}."


def _foretold(row: dict[str, Any], encoder: str, floor: str) -> str:
    if isnan(row["word_share"]):
        return ""
    return (
        f"Which word it is accounts for {percent(row['word_share'])} of the variance of the encoder's states on these "
        f"texts. Did it account for as much of the gain, a table of one vector a word would keep about "
        f"{percent(row['predicted'])} of what {encoder} adds to {floor}. Believe the measurement: on {JUDGED_ON} data "
        f"sets this rule was {points_phrase(MISSED)} off (root mean square), and one guess for all of them "
        f"{points_phrase(GUESSED)}. "
    )


def _share(value: float) -> str:
    """A share that may lie below 0 or above 1."""
    return percent(value).replace("-", "−")
