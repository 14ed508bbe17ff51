"""The decision map: the cheapest rung that the verdict allows, by numbers of labelled examples and of texts a month.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.serving_costs import Prices, cheapest, total
from wordworth.measures.weighted_sums import Flags, Floats, floats
from wordworth.studies.worth.decision_rule import Verdict

if TYPE_CHECKING:
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.studies.worth.study_result import StudyResult

TEXTS_PER_MONTH = tuple(10**power for power in range(3, 10))


def decision_map(study: StudyResult, settings: WorthSettings) -> dict[str, Any]:
    """Return the decision map: the cheapest rung that the verdict allows, by number of texts a month and of labels.

    Each row of the map is for a number of texts a month, and each column for a number of labelled examples.

    At each number of labelled examples, the decision rule is applied to the scores with that many labels, and a cell
    names the cheapest of the rungs that its verdict allows (`candidates`). In the column of all labelled examples the
    map therefore agrees with the study's verdict. The cost, in the user's currency, is the price of the labels, one
    fit, and a year's texts at this machine's speed and hourly price.

    Returns:
        `labels` and `texts_per_month`, the two axes, as lists. `rung`, `total_cost` and `uncertain` are lists of rows:
        the name of the cheapest rung, its cost, and whether the verdict at that number of labelled examples is *cannot
        tell yet*. `epsilon` is the margin on the metric's scale, and `months` the number of months that are paid for.
    """
    timed = {row["rung"]: row for row in study.costs.rows()}
    names, sizes = [rung.name for rung in study.ladder if rung.name in timed], np.array(study.grid.sizes)
    verdicts = [study.judged(study.scores, size) for size in study.grid.sizes]
    prices = Prices(
        label=settings.label_price,
        fixed=_fit_prices(timed, names, sizes, settings.hourly_price),
        text=_text_prices(timed, names),
    )
    paid = total(prices, sizes.astype(np.float64), np.array(TEXTS_PER_MONTH, dtype=np.float64))
    cheapest_rungs = cheapest(_candidates(verdicts, names), paid)
    open_ = [verdict.is_open for verdict in verdicts]
    return {
        "labels": sizes.tolist(),
        "texts_per_month": list(TEXTS_PER_MONTH),
        "rung": [[names[index] if index >= 0 else None for index in row] for row in cheapest_rungs],
        "uncertain": [open_ for _ in TEXTS_PER_MONTH],
        "total_cost": np.round(_costs_of(paid, cheapest_rungs), 4).tolist(),
        "epsilon": study.margin,
        "months": prices.months,
    }


def _candidates(verdicts: Sequence[Verdict], names: Sequence[str]) -> Flags:
    """Return whether each rung is allowed at each number of labelled examples (`candidates`), bool [rungs, sizes].

    Args:
        verdicts: the verdict at each number of labelled examples.
        names: the names of the rungs.
    """
    allowed = [candidates(verdict) for verdict in verdicts]
    return np.array([[name in at_size for at_size in allowed] for name in names], dtype=np.bool_)


def candidates(verdict: Verdict) -> list[str]:
    """Return the names of the rungs that a verdict allows; a cell of the decision map names the cheapest of them.

    A rung is adequate if it is significantly within the margin (`Verdict.margin`) of every other rung. The answer of
    the verdict decides which rungs are allowed:

    * a cheap rung suffices: the adequate rungs; if none is adequate, the cheap rungs within the margin of every
      contextual rung;
    * context leads: the adequate rungs among those significantly ahead; if none is adequate, the rung that the verdict
      names;
    * cannot tell: the rungs whose mean score is within the margin of the best; the page draws such cells as uncertain.
    """
    if verdict.is_open:
        least = max(comparison.mean for comparison in verdict.comparisons) - verdict.margin - 1e-12
        return [comparison.name for comparison in verdict.comparisons if comparison.mean >= least]
    allowed = verdict.surely_ahead if verdict.context_leads else verdict.comparisons
    adequate = [comparison.name for comparison in allowed if comparison.adequate]
    enough = [comparison.name for comparison in verdict.cheap if comparison.enough and not verdict.context_leads]
    return adequate or enough or [verdict.rung]


def _costs_of(paid: Floats, chosen: NDArray[np.int64]) -> Floats:
    """Return the cost of the chosen rung, float64 [volumes, sizes]; NaN where no rung is chosen.

    Args:
        paid: float64 [rungs, volumes, sizes], the cost of each rung for each number of texts and of labels.
        chosen: int64 [volumes, sizes], the index of the chosen rung; -1 for no rung.
    """
    return floats(np.where(chosen >= 0, np.take_along_axis(paid, np.maximum(chosen, 0)[None], axis=0)[0], np.nan))


def _fit_prices(
    timed: dict[str, dict[str, Any]], names: list[str], sizes: NDArray[np.int64], hourly: float
) -> NDArray[np.float64]:
    """Return the price of one fit of each rung at each number of labelled examples, float64 [rungs, sizes].

    The price is in proportion to the number of labelled examples.

    Args:
        timed: name of each rung -> its row in the table of costs, measured on all labelled examples.
        names: the names of the rungs.
        sizes: int64 [sizes], the numbers of labelled examples, all labels last.
        hourly: the price of an hour of this machine.
    """
    top = np.array([timed[name]["fit_seconds"] * hourly / 3_600 for name in names])
    return floats(top[:, None] * sizes / sizes[-1])


def _text_prices(timed: dict[str, dict[str, Any]], names: list[str]) -> NDArray[np.float64]:
    return np.array([timed[name]["price_per_million"] / 1e6 for name in names])
