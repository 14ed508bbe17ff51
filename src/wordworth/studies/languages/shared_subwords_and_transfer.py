"""Whether languages that share more subwords with the source language gain more from labels of the source language.

Wu and Dredze (2019, section 4.4) ask this question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.correlation import spearman
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.records import Finding

LEAST = 8
"""Fewest languages besides the source of which a correlation is computed."""
_DRAWS = 2_000


def relatedness(
    languages: Sequence[Mapping[str, Any]], pieces: Sequence[Mapping[str, Any]], seed: int
) -> tuple[Finding, ...]:
    """Return findings on whether languages that share more subwords with the source language gain more from its labels.

    The findings state two rank correlations over languages: of the share of shared subwords with the zero-shot
    accuracy, and with the zero-shot gap. The gap is the accuracy on a language after training on the source language,
    minus the accuracy after training on the language itself.

    The intervals of the correlations resample languages. There are no findings for fewer than `LEAST` languages.

    Args:
        languages: rows of the table of languages, the source language first.
        pieces: rows of the table of subwords (pieces), in the same order.
        seed: seed of the study.
    """
    shared = floats([row["shared"] for row in pieces[1:]])
    if len(shared) < LEAST:
        return ()
    numbers: dict[str, float] = {"languages": len(shared)}
    phrases = []
    for column, name in (("zero_shot", "zero-shot accuracy"), ("gap", "the zero-shot gap")):
        value, ends = _correlation(shared, floats([row[column] for row in languages[1:]]), seed)
        numbers |= {column: value, **ends.columns(f"{column}_")}
        phrases.append(f"{name} {value:.2f} ({ends.low:.2f} to {ends.high:.2f})")
    text = (
        f"Over {len(shared)} languages, the share of pieces that {languages[0]['language']} has too correlates in rank "
        f"with {phrases[0]} and with {phrases[1]}; intervals are over languages."
    )
    return (Finding("relatedness", text, numbers),)


def _correlation(first: Floats, second: Floats, seed: int) -> tuple[float, Interval]:
    weights = item_weights(len(first), _DRAWS, seeds.child(seed, "languages", "relatedness"))
    whole = np.ones((1, len(first)))
    return float(spearman(first, second, whole)[0]), interval(spearman(first, second, weights))
