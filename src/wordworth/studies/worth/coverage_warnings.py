"""Whether the rungs can read these texts at all: a score of one that cannot says nothing about others that could."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding, Table
from wordworth.representations.rung import CONTEXTUAL, Literate, VocabularyCoverage
from wordworth.text_format import percent

if TYPE_CHECKING:
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.tasks.task import Examples

TOLD = 0.05
"""The share of unknown pieces from which a warning tells of it."""
BLIND = 0.15
"""The share from which a verdict about an encoder speaks of that encoder alone."""

LITERACY = {
    "rung": "short name",
    "unit": "what its vocabulary splits texts into: words, or pieces of words",
    "pieces": "how many of them the texts hold",
    "unknown": "how many of them its vocabulary lacks",
    "share": "unknown of all",
    "blank": "texts of which it knows nothing",
}


def literacies(rung_results: Sequence[RungResult], examples: Examples) -> dict[str, VocabularyCoverage]:
    """What each rung with a vocabulary of its own can read of the examples, by name; made-up vectors read anything."""
    found: dict[str, VocabularyCoverage | None] = {}
    for entry in rung_results:
        learner: object = entry.learner
        if entry.rung.family in {"static", "frozen"} and isinstance(learner, Literate):
            found[entry.rung.name] = learner.literacy(examples)
    return {name: literacy for name, literacy in found.items() if literacy is not None}


def literacy_table(found: dict[str, VocabularyCoverage]) -> Table:
    """A row a rung."""
    rows = [
        {"rung": name, "unit": one.unit, "pieces": one.pieces, "unknown": one.unknown}
        | {"share": one.share, "blank": one.blank}
        for name, one in found.items()
    ]
    return Table.of(rows, LITERACY)


def literacy_findings(rung_results: Sequence[RungResult], found: dict[str, VocabularyCoverage]) -> list[Finding]:
    """A warning for each rung that cannot read a good part of the texts, or nothing of some."""
    said = []
    for entry in rung_results:
        one = found.get(entry.rung.name)
        if one is not None and (one.share >= TOLD or one.blank):
            text = f"{entry.rung.title}: {_told(one, contextual=entry.rung.family in CONTEXTUAL)}."
            numbers = {"rung": entry.rung.name, "share": one.share, "unknown": one.unknown, "blank": one.blank}
            said.append(Finding(f"warning.unread.{entry.rung.name}", text, numbers))
    return said


def _told(one: VocabularyCoverage, *, contextual: bool) -> str:
    lacks = "are unknown to it" if contextual else "have no vector and are left out"
    parts = [f"{percent(one.share)} of the {one.unit} ({one.unknown:,} of {one.pieces:,}) {lacks}"] * bool(one.unknown)
    if one.blank:
        them = "text, which it cannot read" if one.blank == 1 else "texts, which all look alike to it"
        parts.append(f"it knows nothing of {one.blank:,} {them}")
    return "; ".join(parts)


def unreadable(rung_results: Sequence[RungResult], found: dict[str, VocabularyCoverage]) -> dict[str, float]:
    """The contextual rungs that cannot read these texts, by title, with the share of pieces unknown to each."""
    return {
        entry.rung.title.partition(",")[0]: one.share
        for entry in rung_results
        if entry.rung.family in CONTEXTUAL and (one := found.get(entry.rung.name)) and one.share >= BLIND
    }


def limitation(blind_to: Mapping[str, float]) -> str:
    """The sentence that limits a verdict to the encoders at hand; nothing where they can read."""
    if not blind_to:
        return ""
    shares = " and ".join(f"{name} does not know {percent(share)} of the pieces" for name, share in blind_to.items())
    return (
        f" But {shares} that these texts are made of: this says nothing of encoders made for their language; name one "
        "with --model."
    )
