"""The number of texts after which a cheap rung has paid for the extra labels that it needs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wordworth.measures.serving_costs import break_even

if TYPE_CHECKING:
    from wordworth.records import Table
    from wordworth.studies.worth.settings import WorthSettings


def break_even_texts(multiple: Mapping[str, Any], costs: Table, top: int, settings: WorthSettings) -> dict[str, Any]:
    """The number of texts at which two rungs of one score have cost the same; empty where that cannot be said.

    The contextual rung learns from `labels` labels, the cheap one from `multiple` times as many. From the break-even
    on, the cheap one has cost less. The interval is that of the multiple, and so is the state (a bound, or never).

    Args:
        multiple: a row of the table of multiples, of direction `needed`.
        costs: the measured costs of serving.
        top: the number of labels of the timed fits; a fit costs in proportion to its labels.
        settings: the prices.

    Returns:
        rung, against, labels, multiple and state as in the table of multiples; `once_more`, the extra cost of the cheap
        rung before the first text; `text_less`, what it saves on each text; and `texts` with `low` and `high`: infinite
        where it never pays off, 0 where it costs less from the beginning.
    """
    timed = {row["rung"]: row for row in costs.rows()}
    if not {multiple.get("rung"), multiple.get("against")} <= timed.keys() or multiple["state"] == "undefined":
        return {}
    cheap, contextual, labels = timed[multiple["rung"]], timed[multiple["against"]], multiple["labels"]
    price_per_label_second = settings.hourly_price / 3_600 / top

    def once_more(times: float) -> float:
        if math.isinf(times):
            return math.inf
        fits = times * labels * cheap["fit_seconds"] - labels * contextual["fit_seconds"]
        return float((times - 1) * labels * settings.label_price + fits * price_per_label_second)

    text_less = (contextual["price_per_million"] - cheap["price_per_million"]) / 1e6
    comparison = {name: multiple[name] for name in ("rung", "against", "labels", "multiple", "state")}
    bounds = {"texts": multiple["multiple"], "low": multiple["low"], "high": multiple["high"]}
    texts = {name: float(break_even(once_more(times), text_less)) for name, times in bounds.items()}
    return {**comparison, "once_more": once_more(multiple["multiple"]), "text_less": text_less, **texts}
