"""After how many texts a cheap rung has paid for the labels that it needs more than a contextual one of its score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wordworth.measures.serving_costs import break_even

if TYPE_CHECKING:
    from wordworth.records import Table
    from wordworth.studies.worth.settings import WorthSettings


def break_even_texts(multiple: Mapping[str, Any], costs: Table, top: int, settings: WorthSettings) -> dict[str, Any]:
    """The texts at which two rungs of one score have cost the same; nothing where a rung was not timed or compared.

    The contextual rung learns from `labels`, the cheap one from `multiple` times as many; from then on it is the cheap
    one that has cost less. The interval is that of the multiple, and its state (a bound, or never) is the state here.

    Args:
        multiple: a row of the table of multiples, of direction `needed`.
        costs: what serving was measured to cost.
        top: the labels of the fits that were timed; a fit costs in proportion to its labels.
        settings: the prices.

    Returns:
        rung, against, labels, multiple and state as in the table of multiples; `once_more`, what the cheap rung costs
        more before the first text, and `text_less`, what it costs less for each; `texts` with `low` and `high`,
        infinite where it never pays off and 0 where it costs less from the beginning.
    """
    timed = {row["rung"]: row for row in costs.rows()}
    if not {multiple.get("rung"), multiple.get("against")} <= timed.keys() or multiple["state"] == "undefined":
        return {}
    cheap, contextual, labels = timed[multiple["rung"]], timed[multiple["against"]], multiple["labels"]
    an_hour = settings.hourly_price / 3_600 / top

    def once_more(times: float) -> float:
        if math.isinf(times):
            return math.inf
        fits = times * labels * cheap["fit_seconds"] - labels * contextual["fit_seconds"]
        return float((times - 1) * labels * settings.label_price + fits * an_hour)

    text_less = (contextual["price_per_million"] - cheap["price_per_million"]) / 1e6
    known = {name: multiple[name] for name in ("rung", "against", "labels", "multiple", "state")}
    ends = {"texts": multiple["multiple"], "low": multiple["low"], "high": multiple["high"]}
    texts = {name: float(break_even(once_more(times), text_less)) for name, times in ends.items()}
    return {**known, "once_more": once_more(multiple["multiple"]), "text_less": text_less, **texts}
