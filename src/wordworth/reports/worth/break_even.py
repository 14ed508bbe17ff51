"""Break-even in words: after how many texts the additional labels of the best cheap rung have paid off."""

from __future__ import annotations

import math

from wordworth.reports.charts.decision_map import short_count
from wordworth.reports.number_format import count, figures, finite, money, number
from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title

_SIGNS = {"at most": "at most ", "exact": "about ", "more than": "more than "}


def break_even(study: Study) -> tuple[str, ...]:
    """A sentence on the best cheap rung and the contextual one; none if the record compares no two."""
    facts = study.plain["timings"].get("break_even") or {}
    if not facts:
        return ()
    cheap, contextual = (inline_title(study.title(facts[name])) for name in ("rung", "against"))
    goal = f"what {contextual} scores with {count(finite(facts['labels']))} labels"
    sign = _SIGNS.get(facts["state"])
    if sign is None:
        return (f"By the curve fitted to it, {cheap} never reaches {goal}: no number of texts pays for more labels.",)
    needs = f"To reach {goal}, {cheap} needs {sign}{figures(finite(facts['multiple']))} times as many"
    if (finite(facts["text_less"]) or 0.0) <= 0:
        return (f"{needs}; serving a text costs no less, so that texts do not pay for more labels.",)
    return (f"{needs}. {_paid(study, facts, sign)}",)


def _paid(study: Study, facts: Row, sign: str) -> str:
    """The texts that pay for the labels; the interval is that of the multiple of labels, not of the timing."""
    less = money(1e6 * facts["text_less"], study.currency)
    texts, low, high = (number(facts[name]) for name in ("texts", "low", "high"))
    if not texts:
        open_end = " if they are no more than that" if facts["state"] == "more than" else ""
        return f"They cost no more before the first text, training included{open_end}, and {less} less a million texts."
    between = f" (95 %: {_texts(low)} to {_texts(high)})" if facts["state"] == "exact" else ""
    more = money(finite(facts["once_more"]), study.currency)
    return (
        f"They cost {more} more, training included, and {less} less a million texts: they have paid off after "
        f"{sign}{_texts(texts)} texts{between}."
    )


def _texts(value: float | None) -> str:
    return "never" if value is None or math.isinf(value) else short_count(float(f"{value:.2g}"))
