"""How much fine-tuning runs differ: the prior of `measures.intervals_from_few_runs`, from the records of our own runs.

    python benchmarks/run_variance_prior.py

Every group of at least five runs with the same data, settings and test items in `docs/records` gives a variance s_k².
Its prior, s0² / s_k² ~ chi² with d0 degrees of freedom over d0, is estimated by the moments of log s_k² (Smyth 2004,
section 6.2).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import digamma, ndtri, polygamma

from wordworth.checked_json import read_checked
from wordworth.cli.scripts import part_of_record, run_script
from wordworth.measures.intervals_from_few_runs import RunVariance

RECORDS = Path(__file__).parents[1] / "docs" / "records"
FEWEST = 5
OURS = frozenset({"wordworth", "shuffled"})
"""Names of runs of this package in the records of quality; the others are those of the peer."""


def groups(folder: Path) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield the name of each group of runs and their scores, float64 [runs], from the records in a folder."""
    for name, group in read_checked(folder / "luck.json").items():
        yield f"luck, {name}", np.array(group["scores"])
    for file in [*sorted(folder.glob("finetune_quality*.json")), folder / "finetune_sorting.json"]:
        tasks = part_of_record(file, "tasks", dict)
        for name, task in tasks.items():
            for runs in OURS & task["scores"].keys():
                yield f"{file.stem}, {name}, {runs}", np.array(task["scores"][runs])


def fitted_prior(variances: NDArray[np.float64], degrees: NDArray[np.float64]) -> RunVariance:
    """Return the prior of sample variances by the moments of their logarithms (Smyth 2004, section 6.2).

    Args:
        variances: float64 [groups], each more than 0.
        degrees: float64 [groups], their degrees of freedom.
    """
    logs = np.log(variances) - digamma(degrees / 2) + np.log(degrees / 2)
    excess = float(logs.var(ddof=1) - polygamma(1, degrees / 2).mean())
    if excess <= 0:
        return RunVariance(float(np.exp(logs.mean())), np.inf)
    half = brentq(lambda half: float(polygamma(1, half)) - excess, 1e-3, 1e6)
    return RunVariance(float(np.exp(logs.mean() + digamma(half) - np.log(half))), 2 * half)


def least_item_error(steady: float, unsteady: float, covered: tuple[float, float] = (0.93, 0.97)) -> float:
    """Return the least error by items with which one half-width covers a share in `covered` at both deviations.

    A single run shows nothing of how far runs differ, so that the half-width h of its interval cannot depend on it.
    With items' error i, the interval covers at most `covered[1]` where runs differ by `steady` only if h is at most
    z * hypot(i, steady), z the normal quantile of (1 + covered[1]) / 2; and at least `covered[0]` where they differ by
    `unsteady` only if h is at least as much with that deviation and share. Both hold from the i on that makes the two
    equal.

    Args:
        steady: the lower true standard deviation between runs, in points.
        unsteady: the higher one.
        covered: the least and the largest share that is asked for.
    """
    least, most = (float(ndtri((1 + share) / 2)) for share in covered)
    return float(np.sqrt(((least * unsteady) ** 2 - (most * steady) ** 2) / (most**2 - least**2)))


def main() -> None:
    """Print every group's deviation, and the prior."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    kept = [(name, scores) for name, scores in groups(RECORDS) if len(scores) >= FEWEST]
    for name, scores in kept:
        print(f"{name}: {len(scores)} runs, standard deviation {100 * scores.std(ddof=1):.2f} points")
    variances = np.array([scores.var(ddof=1) for _, scores in kept])
    prior = fitted_prior(variances, np.array([len(scores) - 1.0 for _, scores in kept]))
    root_mean_square = 100 * float(np.sqrt(variances.mean()))
    print(f"{len(kept)} groups, root mean square {root_mean_square:.2f} points")
    print(f"prior: {100 * np.sqrt(prior.value):.2f} points, {prior.degrees_of_freedom:.1f} degrees of freedom")
    error = least_item_error(0.5, 2.0)
    print(f"93 to 97 % at 0.5 and at 2.0 points: with one run only from {error:.1f} points of error by items on")


if __name__ == "__main__":
    run_script(main)
