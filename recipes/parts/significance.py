"""Statistics over many tasks: a permutation test of a difference, and the survival curve of label multiples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.measures.label_multiples import Multiple
from wordworth.measures.weighted_sums import Floats, floats

_EXACT_TASKS = 16


def cluster_permutation(cells: Floats, permutations: int, rng: np.random.Generator) -> float:
    """Return the two-sided p of the hypothesis that the mean cell is 0, if the cells of one task are dependent.

    Under the null a whole task's signs may flip (cells share its test items and models; counting cells as independent
    overstates the evidence). Exact over all flips up to 16 tasks, else over random flips, the observed one counted.

    Args:
        cells: float64 [tasks, cells], signed differences, or -1, 0, 1 to count directions; NaN where there is none.
        permutations: number of random flips where there are more than 16 tasks.
        rng: source of randomness.

    Raises:
        ValueError: there are no cells.
    """
    sums = np.nansum(cells, axis=1)
    if sums.size == 0:
        raise ValueError("no cells to test")
    flips = _every_flip(len(sums)) if len(sums) <= _EXACT_TASKS else rng.choice([-1.0, 1.0], (permutations, len(sums)))
    as_large = np.count_nonzero(np.abs(flips @ sums) >= abs(sums.sum()) - 1e-12)
    extra = 0 if len(sums) <= _EXACT_TASKS else 1
    return (as_large + extra) / (len(flips) + extra)


def _every_flip(tasks: int) -> Floats:
    """float64 [2 ** tasks, tasks]: every combination of -1 and 1."""
    return floats(1 - 2 * ((np.arange(2**tasks)[:, None] >> np.arange(tasks)) & 1))


def survival(of: Sequence[Multiple]) -> list[tuple[float, float]]:
    """Return the estimate of Kaplan and Meier (1958) over tasks: at each step the multiple and the share above it.

    A `more than` task leaves the tasks at risk at its bound, after the exact ones there; `never` stays to the end;
    `at most` counts as exact at its bound, which can only overstate a multiple; `undefined` is left out.
    """
    known = [multiple for multiple in of if multiple.state != "undefined"]
    exact = sorted(multiple.value for multiple in known if multiple.state in {"exact", "at most"})
    share, steps = 1.0, []
    for value in dict.fromkeys(exact):
        at_risk = sum(multiple.value >= value for multiple in known)
        share *= 1 - exact.count(value) / at_risk
        steps.append((value, share))
    return steps


def survival_median(of: Sequence[Multiple]) -> float:
    """Return the smallest multiple that at most half of the tasks exceed; infinite if censoring hides it."""
    return next((value for value, share in survival(of) if share <= 0.5 + 1e-12), np.inf)
