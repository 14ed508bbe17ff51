"""The header of a `worth` page with its four key figures, and the caveats: conditions, warnings, incomplete rungs.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.number_format import ABSENT, count, finite, money, size_in_bytes, speed
from wordworth.reports.page import KeyFigure, ReportHeader
from wordworth.reports.record_view import Row
from wordworth.reports.worth.record_view import OUTLOOK, WorthView
from wordworth.tasks.task_types import of_record

_GRAVE = ("number_texts", "object_texts", "leak_text", "unread", "below_guessing", "single_run", "preregistration",
          "few_groups", "groups", "time", "second_label", "overlap", "leak_column", "conflicts", "missing_classes",
          "similar_classes", "columns", "further_texts", "cut")  # fmt: skip
"""The warnings that matter most for the answer, in this order."""
MOST_CAUTIONS = 4
"""Most warnings that stand under the verdict; the others stand at the end of the page."""
_SHORT = {
    "cheap suffices": "A cheap rung suffices.",
    "contextual is worth it": "Context is worth it.",
    "contextual is ahead": "Context is ahead.",
    "cannot tell yet": "Cannot tell yet.",
}


def header(view: WorthView) -> ReportHeader:
    """Return the header of the page, from the record's verdict and the row of the chosen rung."""
    numbers = view.verdict
    answer = str(numbers.get("answer", ""))
    return ReportHeader(
        question=_question(view),
        headline=str(numbers.get("headline") or _SHORT.get(answer, "No verdict.")),
        sentences=(_verdict(view)[0],),
        key_figures=_tiles(view),
    )


def outlook(view: WorthView) -> str:
    """Return the sentences of an open verdict on what would decide; "" for a definite verdict."""
    return _verdict(view)[1]


def _verdict(view: WorthView) -> tuple[str, str]:
    """Return the sentences of the verdict: the answer, and what would decide if it is open."""
    findings = view.findings("verdict")
    text = str(findings[0]["text"]) if findings else "This record holds no verdict."
    answer, begins, rest = text.partition(OUTLOOK)
    return answer.rstrip(), begins + rest


def gravest_warnings(view: WorthView) -> tuple[str, ...]:
    """Return the texts of all warnings in the study's record, the most serious first."""
    warnings = [(str(row["name"]).split(".")[1], str(row["text"])) for row in view.findings("warning")]
    order = {name: rank for rank, name in enumerate(_GRAVE)}
    return tuple(text for _, text in sorted(warnings, key=lambda pair: order.get(pair[0], len(order))))


def _question(view: WorthView) -> str:
    data, task_type = view.data, of_record(str(view.data["kind"]))
    both = ("test",) if "folds" in data else ("train", "test")
    rows = sum(finite(data.get(part)) or 0 for part in both)
    limited: Row = next((row["numbers"] for row in view.findings("warning") if row["name"] == "warning.limit"), {})
    file_rows = finite(limited.get("file_rows"))
    of = "" if file_rows is None else f" of {count(file_rows)}"
    parts = [str(data["name"]), f"{count(rows)}{of} {task_type.wording.to_learn}"]
    distinct = finite(data.get("labels_distinct"))
    if distinct is not None and not task_type.numeric:
        parts.append(f"{count(distinct)} {task_type.wording.classes}")
    return " · ".join(parts)


def _tiles(view: WorthView) -> tuple[KeyFigure, ...]:
    row = view.ladder.get(view.chosen or "", {})
    cost = view.costs.get(view.chosen or "", {})
    untimed = "" if cost else "not timed"
    between = view.unit.interval(finite(row.get("low")), finite(row.get("high")))
    rate, price = finite(cost.get("texts_per_second")), finite(cost.get("price_per_million"))
    weight = finite(row.get("disk_bytes"))
    return (
        KeyFigure(
            view.unit.title,
            view.unit.score(finite(row.get("score"))),
            f"95 %: {between}" if between else "no interval",
        ),
        KeyFigure("texts a second", speed(rate), untimed or "on this machine"),
        KeyFigure("price of a million texts", money(price, view.currency), untimed or _rent(view)),
        KeyFigure("size on disk", size_in_bytes(weight), "" if weight is not None else f"{ABSENT} not known"),
    )


def _rent(view: WorthView) -> str:
    rent = finite(view.settings.get("hourly_price"))
    return "" if rent is None else f"at {money(rent, view.currency)} an hour"


@dataclass(frozen=True, slots=True)
class Caveats:
    """The caveats of a record's answer, in three lists of sentences.

    Attributes:
        conditions: the answer under each other condition, such as another metric, and whether it differs from the
            verdict.
        warnings: warnings on data and method that the header does not show under the verdict.
        unmeasured_rungs: sentences on rungs that were skipped or failed.
    """

    conditions: tuple[tuple[str, bool], ...]
    warnings: tuple[str, ...]
    unmeasured_rungs: tuple[str, ...]


def caveats(view: WorthView) -> Caveats:
    """Return the caveats of a record's answer; conditions under which the answer would differ come first."""
    conditions = [(str(row["text"]), bool(row["numbers"].get("changes"))) for row in view.findings("condition")]
    return Caveats(
        conditions=tuple(sorted(conditions, key=lambda pair: not pair[1])),
        warnings=(*_warnings(view), *_windowed(view)),
        unmeasured_rungs=_incomplete(view),
    )


def _warnings(view: WorthView) -> tuple[str, ...]:
    """Return the texts of the warnings that the header does not show under the verdict.

    Warnings on incomplete rungs are left out, as they have a list of their own.
    """
    under_verdict = gravest_warnings(view)[:MOST_CAUTIONS]
    texts = [str(row["text"]) for row in view.findings("warning") if not row["name"].startswith("warning.rung.")]
    return tuple(text for text in texts if text not in under_verdict)


def _windowed(view: WorthView) -> tuple[str, ...]:
    """Return a sentence on the number of texts longer than the encoder's window; empty without any."""
    long = finite(view.data.get("windowed"))
    if not long:
        return ()
    verb = "text is" if long == 1 else "texts are"
    how = "a frozen encoder reads such a text whole, in overlapping windows"
    return (f"{count(long)} {verb} longer than the encoder's window: {how}.",)


def _incomplete(view: WorthView) -> tuple[str, ...]:
    """Return a sentence on each rung that was not measured to the end, from its finding, or else from its row."""
    findings = [row for state in ("failed", "dropped", "skipped", "measured") for row in view.findings(state)]
    mentioned = {row["numbers"].get("rung") or row["name"].partition(".")[2] for row in findings}
    rows = [row for row in view.ladder.values() if row["state"] != "measured" and row["rung"] not in mentioned]
    others = (f"{view.title(row['rung'])}, {row['state']}: {row['reason'] or 'no reason is on record'}" for row in rows)
    return tuple(map(view.sentences_of, (*map(_with_state, findings), *others)))


def _with_state(row: Row) -> str:
    state = str(row["name"]).split(".", maxsplit=1)[0]
    return str(row["text"]) if state == "measured" or state in row["text"] else f"{state.capitalize()}: {row['text']}"
