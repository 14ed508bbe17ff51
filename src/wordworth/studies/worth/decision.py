"""The decision map: over labels and texts a month, which rung is the cheapest that stays within epsilon of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.costs import Prices, decide, total
from wordworth.measures.sums import floats

if TYPE_CHECKING:
    from wordworth.records import Table
    from wordworth.studies.worth.conditions import Case
    from wordworth.studies.worth.plan import Plan
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.settings import WorthSettings

TEXTS_PER_MONTH = tuple(10**power for power in range(3, 10))


def decision_map(case: Case, plan: Plan, scores: Scores, costs: Table, settings: WorthSettings) -> dict[str, Any]:
    """The map as plain lists, a row a volume and a column a number of labels; prices are in the user's currency.

    Costs are those of a year: the labels, one fit, and the texts at this machine's speed and hourly price.
    """
    timed = {row["rung"]: row for row in costs.rows()}
    names = [name for name, _ in case.ladder if name in timed]
    sizes = np.array(plan.sizes)
    draws = np.stack([_draws(scores, name, plan) for name in names])
    prices = Prices(
        label=settings.label_price, fixed=_fits(timed, names, sizes, settings.hourly_price), text=_texts(timed, names)
    )
    volumes = np.array(TEXTS_PER_MONTH, dtype=np.float64)
    found = decide(draws, total(prices, sizes.astype(np.float64), volumes), settings.margin)
    return {
        "labels": sizes.tolist(),
        "texts_per_month": list(TEXTS_PER_MONTH),
        "rung": [[names[index] if index >= 0 else None for index in row] for row in found.rung],
        "uncertain": found.uncertain.tolist(),
        "total_cost": np.round(found.cost, 4).tolist(),
        "epsilon": settings.margin,
        "months": prices.months,
    }


def _draws(scores: Scores, name: str, plan: Plan) -> NDArray[np.float64]:
    """float64 [sizes, draws]: NaN where the rung was not measured."""
    unknown = np.full(scores.draws, np.nan)
    return np.stack([scores.score_draws(name, size) if scores.has(name, size) else unknown for size in plan.sizes])


def _fits(
    timed: dict[str, dict[str, Any]], names: list[str], sizes: NDArray[np.int64], hourly: float
) -> NDArray[np.float64]:
    """float64 [rungs, sizes]: the price of one fit, in proportion to the labels."""
    top = np.array([timed[name]["fit_seconds"] * hourly / 3_600 for name in names])
    return floats(top[:, None] * sizes / sizes[-1])


def _texts(timed: dict[str, dict[str, Any]], names: list[str]) -> NDArray[np.float64]:
    return np.array([timed[name]["price_per_million"] / 1e6 for name in names])
