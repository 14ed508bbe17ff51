"""Whether the rungs can read these texts: the score of an encoder that cannot says nothing about one that could."""

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
"""Share of unknown pieces from which there is a warning."""
BLIND = 0.15
"""Share from which a verdict is limited to the encoder that was measured."""

LITERACY = {
    "rung": "short name",
    "unit": "what its vocabulary splits texts into: words, or pieces of words",
    "pieces": "number of them in the texts",
    "unknown": "number of them that its vocabulary lacks",
    "share": "unknown as a share of all",
    "blank": "number of texts without any known one",
}


def literacies(rung_results: Sequence[RungResult], examples: Examples) -> dict[str, VocabularyCoverage]:
    """By name, how much each rung with its own vocabulary can read of the examples; random vectors read anything."""
    coverages: dict[str, VocabularyCoverage | None] = {}
    for entry in rung_results:
        learner: object = entry.learner
        if entry.rung.family in {"static", "frozen"} and isinstance(learner, Literate):
            coverages[entry.rung.name] = learner.literacy(examples)
    return {name: coverage for name, coverage in coverages.items() if coverage is not None}


def literacy_table(found: dict[str, VocabularyCoverage]) -> Table:
    """One row per rung."""
    rows = [
        {"rung": name, "unit": coverage.unit, "pieces": coverage.pieces, "unknown": coverage.unknown}
        | {"share": coverage.share, "blank": coverage.blank}
        for name, coverage in found.items()
    ]
    return Table.of(rows, LITERACY)


def literacy_findings(rung_results: Sequence[RungResult], found: dict[str, VocabularyCoverage]) -> list[Finding]:
    """A warning for each rung that cannot read a good part of the texts, or nothing of some texts."""
    findings = []
    for entry in rung_results:
        coverage = found.get(entry.rung.name)
        if coverage is not None and (coverage.share >= TOLD or coverage.blank):
            text = f"{entry.rung.title}: {_description(coverage, contextual=entry.rung.family in CONTEXTUAL)}."
            numbers = {
                "rung": entry.rung.name,
                "share": coverage.share,
                "unknown": coverage.unknown,
                "blank": coverage.blank,
            }
            findings.append(Finding(f"warning.unread.{entry.rung.name}", text, numbers))
    return findings


def _description(coverage: VocabularyCoverage, *, contextual: bool) -> str:
    lacks = "are unknown to it" if contextual else "have no vector and are left out"
    parts = [
        f"{percent(coverage.share)} of the {coverage.unit} ({coverage.unknown:,} of {coverage.pieces:,}) {lacks}"
    ] * bool(coverage.unknown)
    if coverage.blank:
        them = "text, which it cannot read" if coverage.blank == 1 else "texts, which all look alike to it"
        parts.append(f"it knows nothing of {coverage.blank:,} {them}")
    return "; ".join(parts)


def unreadable(rung_results: Sequence[RungResult], found: dict[str, VocabularyCoverage]) -> dict[str, float]:
    """The contextual rungs that cannot read these texts, by title, with the share of pieces that each does not know."""
    return {
        entry.rung.title.partition(",")[0]: coverage.share
        for entry in rung_results
        if entry.rung.family in CONTEXTUAL and (coverage := found.get(entry.rung.name)) and coverage.share >= BLIND
    }


def limitation(blind_to: Mapping[str, float]) -> str:
    """The sentence that limits a verdict to the measured encoders; empty where they can read the texts."""
    if not blind_to:
        return ""
    shares = " and ".join(f"{name} does not know {percent(share)} of the pieces" for name, share in blind_to.items())
    return (
        f" But {shares} that these texts are made of: this says nothing about encoders made for their "
        "language; name one with --model."
    )
