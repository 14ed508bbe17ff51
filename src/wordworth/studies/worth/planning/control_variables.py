"""Control variables of the texts to label: what the rungs' answers let one expect of their differences.

Of every text of a pool it is known, before its label is, how much the difference of two rungs may be moved by it and in
which direction it probably is. The pool's mean of both is therefore known, and the study corrects its scores for how
far the drawn texts are from it (`measures.calibrated_weights`). They need not be true: the better the probabilities of
the rungs, the more error they take away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.planning.sampling import Contrast, RungAnswers, weighted_squares

_LEAST_SHARE = 1e-9
"""Share of the variance from which a direction counts."""


def control_variables(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers]) -> Floats:
    """Return the control variables of each text of a pool, the most useful first: float64 [texts, variables].

    Each has a mean of 0 and a variance of 1 over the pool. The first is the expected square of what a text adds to the
    differences, the others the principal components of the differences that are expected.

    Args:
        contrasts: the pairs of rungs, which count by the inverse of their distance.
        answers: rung -> its answers.
    """
    expected = _expected_correct(contrasts, answers)
    differences = [(expected[each.contextual] - expected[each.cheap]) / each.distance for each in contrasts]
    centred = _centred(np.stack(differences, axis=1))
    components = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    squares = weighted_squares(contrasts, answers)[:, None]
    return np.concatenate([_scaled(_centred(squares), float(np.square(squares).mean())), _scaled(components)], axis=1)


def _centred(columns: Floats) -> Floats:
    return floats(columns - columns.mean(axis=0))


def _scaled(columns: Floats, scale: float | None = None) -> Floats:
    """Return centred columns with a variance of 1; without those whose variance is next to nothing beside a scale.

    Args:
        columns: float64 [texts, columns], each with a mean of 0.
        scale: what the variance is compared with; the sum of all variances where not given.
    """
    variances = columns.var(axis=0)
    varies = variances > _LEAST_SHARE * (variances.sum() if scale is None else scale)
    return floats(columns[:, varies] / np.sqrt(variances[varies]))


def _expected_correct(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers]) -> dict[str, Floats]:
    """Return rung -> the probability that its answer to each text is right, by the mean probabilities of all rungs."""
    names = dict.fromkeys(name for each in contrasts for name in (each.cheap, each.contextual))
    likely = np.mean([answers[name].probabilities for name in names], axis=0)
    return {name: floats((likely * answers[name].shares).sum(axis=1)) for name in names}
