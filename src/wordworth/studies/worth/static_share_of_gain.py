"""The share of an encoder's gain that a static table (one vector a word), distilled from the encoder, keeps.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The gain of an encoder is counted from random vectors, which identify the words of a text but carry no meaning:

    kept = (score of the table - score of random vectors) / (score of the encoder - score of random vectors)

The predicted share needs no label: it is the share of the variance of the encoder's states that the words alone explain
(`measures.geometry.explainable_variance.group_share`), measured while the table is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.records import Finding, Table
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.feature_rung import RepresentationLearner
from wordworth.representations.static_vectors import Static
from wordworth.sentence_formatting import percent, points_phrase, signed, signed_range
from wordworth.sources import short_name

if TYPE_CHECKING:
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.scores import Scores

FLOOR = "random"
MISSED, GUESSED, JUDGED_ON = 0.42, 0.31, 32
"""Root mean square errors of the rule in `predicted` and of one guess for all data sets, as shares of the gain, and the
number of data sets on which they were measured (`recipes/static_share.py`)."""
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
    """The share of an encoder's gain over random vectors that a static table keeps, with the interval of the share.

    The share is NaN if the encoder's gain is not significant.
    """

    value: float
    interval: Interval


def share_of_gain(scores: Scores, names: tuple[str, str, str], labels: int) -> Share:
    """Return the share of one rung's gain in score that another rung keeps.

    Args:
        scores: the scores of a study.
        names: the rung that may keep a share, the rung with the whole gain, and the rung relative to which both gains
            are measured.
        labels: the number of labelled examples that the rungs learned from.

    Returns:
        The ratio of the mean gains, and the 95 % percentile interval of the ratio over the resamples. Both are NaN if
        the lower end of the interval of the whole gain is not above 0, since a ratio to such a gain means nothing.
    """
    rung, against, floor = names
    if not scores.gap_interval(against, floor, labels).low > 0:
        return Share(nan, Interval(nan, nan))
    own, whole = (scores.score_draws(name, labels) - scores.score_draws(floor, labels) for name in (rung, against))
    ratios = own / np.where(whole > 0, whole, np.nan)
    point = scores.gap(rung, floor, labels) / scores.gap(against, floor, labels)
    return Share(point, interval(ratios[~np.isnan(ratios)]))


def static_share_table(rung_results: Sequence[RungResult], scores: Scores, labels: int) -> Table:
    """Return the table of distilled static tables, with the share of the encoder's gain that each static table keeps.

    A static table has a row if its encoder and random vectors were measured too.

    Args:
        rung_results: the rungs and their runs.
        scores: the scores of all rungs.
        labels: the number of labelled examples at which the gains are compared.
    """
    return Table.of(list(_rows(rung_results, scores, labels)), STATIC_SHARE)


def _rows(rung_results: Sequence[RungResult], scores: Scores, labels: int) -> Iterator[dict[str, Any]]:
    for result in rung_results:
        if not isinstance(result.rung, DistilledRung):
            continue
        names = (result.rung.name, short_name(result.rung.model), FLOOR)
        if all(scores.has(name, labels) for name in names):
            yield _row(names, word_share(result), scores, labels)


def _row(names: tuple[str, str, str], words: float, scores: Scores, labels: int) -> dict[str, Any]:
    rung, against, floor = names
    gain, gap = scores.gap_interval(against, floor, labels), scores.gap_interval(rung, against, labels)
    kept = share_of_gain(scores, names, labels)
    row: dict[str, Any] = {"rung": rung, "against": against, "floor": floor, "labels": labels}
    row |= {"word_share": words, "predicted": predicted(words)}
    row |= {"gain": scores.gap(against, floor, labels), **gain.columns("gain_")}
    row |= {"gap": scores.gap(rung, against, labels), **gap.columns("gap_")}
    row |= {"state": "no gain" if isnan(kept.value) else "measured"}
    return row | {"kept": kept.value, **kept.interval.columns("kept_")}


def word_share(result: RungResult) -> float:
    """Return the share of the variance of an encoder's states that the words explain.

    The share was measured when the rung's static table was distilled; it is NaN for a rung without such a table.
    """
    learner = result.learner
    static = learner.representation if isinstance(learner, RepresentationLearner) else None
    return static.notes.word_share if isinstance(static, Static) and static.notes is not None else nan


def predicted(words: float) -> float:
    """Predict the share of an encoder's gain that its distilled static table keeps, by a rule of thumb.

    The rule assumes that words account for the same share of the gain as of the variance of the encoder's states. On
    real data sets it is no better than a constant guess (the root mean square errors are `MISSED` and `GUESSED`): the
    share of variance hardly differs between data sets, and the share of the gain differs widely.

    Args:
        words: the share of the variance of the encoder's states that words explain; NaN gives NaN.
    """
    return min(max(words, 0.0), 1.0) if not isnan(words) else nan


def static_share_findings(table: Table, rung_results: Sequence[RungResult]) -> list[Finding]:
    """Return a finding for each distilled static table: the predicted and the measured share of its encoder's gain.

    Args:
        table: the table of shares, as `static_share_table` returns it.
        rung_results: all rungs, whose titles the findings use.
    """
    titles = {result.rung.name: result.rung.title for result in rung_results}
    return [Finding(f"static.{row['rung']}", _sentences(row, titles), row) for row in table.rows()]


def _sentences(row: dict[str, Any], titles: dict[str, str]) -> str:
    encoder, floor = titles[row["against"]], titles[row["floor"]]
    distance = f"{points_phrase(row['gap'])} {'ahead of' if row['gap'] > 0 else 'behind'} {encoder}"
    gap_text = f"{distance} ({signed_range(row['gap_low'], row['gap_high'])})"
    if row["state"] == "no gain":
        no_gain = f"{encoder} is not surely ahead of {floor}, so that there is no gain to share"
        measurement = f"{no_gain}; the table is {gap_text}"
    else:
        kept = f"{_share(row['kept'])} ({_share(row['kept_low'])} to {_share(row['kept_high'])})"
        gain = f"{points_phrase(row['gain'])} ({signed(row['gain_low'])} to {signed(row['gain_high'])})"
        measurement = f"it keeps {kept} of the {gain} that {encoder} adds, and is {gap_text}"
    return f"{_prediction(row, encoder, floor)}Measured: {measurement}."


def _prediction(row: dict[str, Any], encoder: str, floor: str) -> str:
    if isnan(row["word_share"]):
        return ""
    return (
        f"Which word it is accounts for {percent(row['word_share'])} of the variance of the encoder's states on these "
        f"texts. If it also accounts for that much of the gain, a table of one vector per word keeps about "
        f"{percent(row['predicted'])} of what {encoder} adds to {floor}. Trust the measurement: on {JUDGED_ON} data "
        f"sets this rule was {points_phrase(MISSED)} off (root mean square), and one guess for all of them "
        f"{points_phrase(GUESSED)}. "
    )


def _share(value: float) -> str:
    """Return a share, which may lie below 0 or above 1, in percent."""
    return percent(value).replace("-", "−")
