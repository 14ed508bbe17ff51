"""Which masking policy is better: scores with intervals, paired differences, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from parts.scored import Scored
from wordworth.records import Finding

POLICIES = ("piece", "word", "phrase", "entity")
SCORES = {
    "measure": "mean reciprocal rank of a name among those of as many tokens; share of names among the ten best "
    "completions of the whole vocabulary; negative log-probability of a name, in nats a token (lower is better); "
    "entity F1 after fine-tuning",
    "on": "names of any length, of two tokens or more, or the test sentences",
    "policy": "what is masked whole: a piece, a word, a phrase found by statistics, an entity of the training tags",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and sentences",
    "high": "upper end of it",
    "seeds": "runs",
}
DIFFERENCES = {
    "measure": "as in the scores",
    "on": "as in the scores",
    "policy": "one policy",
    "other": "the policy that it is compared with",
    "difference": "the score of the policy minus that of the other, paired by seed",
    "low": "lower end of the 95 % interval",
    "high": "upper end of it",
    "seeds": "runs of each",
}
BUDGETS = {
    "policy": "as in the scores",
    "masked": "share of the tokens of the corpus's first thousand sequences that are masked",
    "together": "share of the masked tokens whose unit has two tokens or more",
    "phrases": "phrases or entities of the lexicon; none where pieces or words are masked",
}
Key = tuple[str, str]
"""The measure, and what it is taken on."""


def score_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """Return the table of scores."""
    return [
        {"measure": measure, "on": on, "policy": policy, "mean": score.mean, **_ends(score)}
        for (measure, on), policies in scores.items()
        for policy, score in policies.items()
    ]


def difference_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """Return the table of differences: of every policy from all simpler ones."""
    return [
        {"measure": measure, "on": on, "policy": policy, "other": other, "difference": gap.mean, **_ends(gap)}
        for (measure, on), policies in scores.items()
        for other, policy in _pairs(list(policies))
        for gap in [policies[policy].minus(policies[other])]
    ]


def verdict(differences: Sequence[Mapping[str, Any]], compared: str = "masking policies") -> Finding:
    """Return which differences are beyond doubt, in a sentence each.

    Args:
        differences: the rows of `difference_rows`.
        compared: what differs, in words.
    """
    clear = [row for row in differences if row["low"] > 0 or row["high"] < 0]
    lines = [
        f"{row['measure']}, {row['on']}: {row['policy']} {row['difference']:+.3f} beside {row['other']} "
        f"(95 %: {row['low']:+.3f} to {row['high']:+.3f})"
        for row in clear
    ]
    unclear = f"{len(differences) - len(clear)} of {len(differences)}"
    rest = f"{unclear} differences between {compared} cannot be told from none"
    return Finding("verdict", ". ".join([rest, *lines]) + ".", {"clear": len(clear), "differences": len(differences)})


def _pairs(policies: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each policy with each one after it."""
    for number, other in enumerate(policies):
        for policy in policies[number + 1 :]:
            yield other, policy


def _ends(score: Scored) -> dict[str, Any]:
    return {"low": score.interval.low, "high": score.interval.high, "seeds": len(score.point)}
