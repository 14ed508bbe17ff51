"""Grid search: all points run a quarter of their steps, the best third a half, and the best of those to the end.

Successive halving (Jamieson and Talwalkar 2016), ranked by the best score on the dev part so far. Points that an
earlier call trained further are ranked by their scores up to the share in question. Points with a shorter schedule have
decayed further at the same share; that is their merit, as they would also end sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wordworth.measures.successive_halving import halving, rounds
from wordworth.studies.finetune.run import RunSpec

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.grid import HyperParameters
    from wordworth.studies.finetune.run_result import Result
    from wordworth.studies.finetune.worker_pool import Crew

_SHARES = (0.25, 0.5, 1.0)


def grid_search(
    points: Sequence[HyperParameters], crew: Crew, parts: Split, progress: Progress
) -> tuple[HyperParameters, list[Result]]:
    """Return the best point and the result of each; a single point is returned at once.

    Args:
        points: of the grid.
        crew: makes the runs, with the first seed.
        parts: the rows that all train on and are compared on.
        progress: receives progress.
    """
    if len(points) == 1:
        return points[0], []
    budgets = [each.budget for each in rounds(len(points))]
    result_of: dict[int, Result] = {}

    def scores(left: Sequence[int], budget: int) -> list[float]:
        share = _SHARES[min(budgets.index(budget), len(_SHARES) - 1)]
        works = [RunSpec(points[number], 0, share) for number in left]
        with progress.step(f"trying {len(left)} settings", sum(work.cost(parts) for work in works)) as step:
            results = crew.results(works, step)
        result_of.update(zip(left, results, strict=True))
        return [result.best_dev(work.due(result.steps)) for work, result in zip(works, results, strict=True)]

    (best,) = halving(["one"] * len(points), scores)
    dropped = {number: replace(run, state="pruned") for number, run in result_of.items() if run.state == "paused"}
    dropped.pop(best, None)  # in a small grid the best run has not reached its end yet
    return points[best], [dropped.get(number, result_of[number]) for number in range(len(points))]
