"""Which point of a grid to take: all run a quarter of their steps, the best third a half, the best of those to the end.

Successive halving (Jamieson and Talwalkar 2016), ranked by the best look at the dev part so far: points that an earlier
call brought further are ranked by what was seen of them at that share. Points with a shorter schedule have decayed
further at the same share; that is their merit, as they would also end sooner.
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
    """The best point, and how far each was run; one point needs no race.

    Args:
        points: of the grid.
        crew: who makes the runs, the first seed's.
        parts: what all learn from, and are judged by.
        progress: whom to tell.
    """
    if len(points) == 1:
        return points[0], []
    budgets = [each.budget for each in rounds(len(points))]
    found: dict[int, Result] = {}

    def scores(left: Sequence[int], budget: int) -> list[float]:
        share = _SHARES[min(budgets.index(budget), len(_SHARES) - 1)]
        works = [RunSpec(points[number], 0, share) for number in left]
        with progress.step(f"trying {len(left)} settings", sum(work.cost(parts) for work in works)) as step:
            results = crew.results(works, step)
        found.update(zip(left, results, strict=True))
        return [result.best_dev(work.due(result.steps)) for work, result in zip(works, results, strict=True)]

    (best,) = halving(["one"] * len(points), scores)
    dropped = {number: replace(one, state="pruned") for number, one in found.items() if one.state == "paused"}
    dropped.pop(best, None)  # of a small grid the best is still on its way
    return points[best], [dropped.get(number, found[number]) for number in range(len(points))]
