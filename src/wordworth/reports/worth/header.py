"""The head of the page: the question, the answer in four words, two sentences, four figures."""

from __future__ import annotations

from wordworth.reports.number_format import ABSENT, count, finite, money, size_in_bytes, speed
from wordworth.reports.page import KeyFigure, ReportHeader
from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study

_KINDS = {
    "single": "texts to classify",
    "pair": "pairs of texts to classify",
    "regression": "texts to score",
    "multilabel": "texts with any number of labels",
    "tags": "sentences to tag",
}
_CLASSES = {"multilabel": "labels", "tags": "tags"}
_GRAVE = ("unread", "below_guessing", "overlap", "leak_column", "leak_text", "conflicts", "missing_classes",
          "similar_classes", "columns", "cut")  # fmt: skip
"""The warnings that matter most for the answer, in this order."""
_SHORT = {
    "cheap suffices": "A cheap rung suffices.",
    "contextual is worth it": "Context is worth it.",
    "cannot tell yet": "Cannot tell yet.",
}


def header(study: Study) -> ReportHeader:
    """The head of the page from the record's verdict and the chosen rung's row."""
    findings = study.findings("verdict")
    numbers = study.verdict
    answer = str(numbers.get("answer", ""))
    return ReportHeader(
        question=_question(study),
        headline=str(numbers.get("headline") or _SHORT.get(answer, "No verdict.")),
        sentences=(str(findings[0]["text"]) if findings else "This record holds no verdict.",),
        key_figures=_tiles(study),
    )


def gravest_warnings(study: Study) -> tuple[str, ...]:
    """The record's warnings, the gravest first."""
    warnings = [(str(row["name"]).split(".")[1], str(row["text"])) for row in study.findings("warning")]
    order = {name: rank for rank, name in enumerate(_GRAVE)}
    return tuple(text for _, text in sorted(warnings, key=lambda pair: order.get(pair[0], len(order))))


def _question(study: Study) -> str:
    data = study.data
    rows = (finite(data.get("train")) or 0) + (finite(data.get("test")) or 0)
    limited: Row = next((row["numbers"] for row in study.findings("warning") if row["name"] == "warning.limit"), {})
    file_rows = finite(limited.get("file_rows"))
    of = "" if file_rows is None else f" of {count(file_rows)}"
    parts = [str(data["name"]), f"{count(rows)}{of} {_KINDS.get(str(data['kind']), 'texts')}"]
    distinct = finite(data.get("labels_distinct"))
    if distinct is not None and data["kind"] != "regression":
        parts.append(f"{count(distinct)} {_CLASSES.get(str(data['kind']), 'classes')}")
    return " · ".join(parts)


def _tiles(study: Study) -> tuple[KeyFigure, ...]:
    row = study.ladder.get(study.chosen or "", {})
    cost = study.costs.get(study.chosen or "", {})
    untimed = "" if cost else "not timed"
    between = study.unit.interval(finite(row.get("low")), finite(row.get("high")))
    rate, price = finite(cost.get("texts_per_second")), finite(cost.get("price_per_million"))
    weight = finite(row.get("disk_bytes"))
    return (
        KeyFigure(
            study.unit.title,
            study.unit.score(finite(row.get("score"))),
            f"95 %: {between}" if between else "no interval",
        ),
        KeyFigure("texts a second", speed(rate), untimed or "on this machine"),
        KeyFigure("price of a million texts", money(price, study.currency), untimed or _rent(study)),
        KeyFigure("size on disk", size_in_bytes(weight), "" if weight is not None else f"{ABSENT} not known"),
    )


def _rent(study: Study) -> str:
    rent = finite(study.settings.get("hourly_price"))
    return "" if rent is None else f"at {study.currency}{rent:.2f} an hour"
