"""What could be wrong: what would change the answer, what is odd about the data, and which rungs fell out and why."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.number_format import count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study


@dataclass(frozen=True, slots=True)
class Doubts:
    """Sentences under three heads; a condition comes with whether it changes the answer."""

    conditions: tuple[tuple[str, bool], ...]
    warnings: tuple[str, ...]
    fallen: tuple[str, ...]


def caveats(study: Study) -> Doubts:
    """The record's conditions, warnings and incomplete rungs; conditions that change the answer come first."""
    conditions = [(str(row["text"]), bool(row["numbers"].get("changes"))) for row in study.findings("condition")]
    return Doubts(
        conditions=tuple(sorted(conditions, key=lambda pair: not pair[1])),
        warnings=(*study.sentences("warning"), *_windowed(study)),
        fallen=_incomplete(study),
    )


def _windowed(study: Study) -> tuple[str, ...]:
    """The number of texts longer than the encoder's window; if a rung cut texts, a warning of the record says so."""
    long = finite(study.data.get("windowed"))
    if not long:
        return ()
    verb = "text is" if long == 1 else "texts are"
    how = "a frozen encoder reads such a text whole, in overlapping windows"
    return (f"{count(long)} {verb} longer than the encoder's window: {how}.",)


def _incomplete(study: Study) -> tuple[str, ...]:
    """A sentence on every rung that was not measured to the end: the study's own, else made from its row."""
    findings = [row for state in ("failed", "dropped", "skipped", "measured") for row in study.findings(state)]
    mentioned = {row["numbers"].get("rung") or row["name"].partition(".")[2] for row in findings}
    rows = [row for row in study.ladder.values() if row["state"] != "measured" and row["rung"] not in mentioned]
    others = (
        f"{study.title(row['rung'])}, {row['state']}: {row['reason'] or 'no reason is on record'}" for row in rows
    )
    return (*(_with_state(row) for row in findings), *others)


def _with_state(row: Row) -> str:
    state = str(row["name"]).split(".", maxsplit=1)[0]
    return str(row["text"]) if state == "measured" or state in row["text"] else f"{state.capitalize()}: {row['text']}"
