"""Warnings of rungs whose vocabulary lacks much of the texts, and of rungs that truncate long texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The score of an encoder that cannot read a text says nothing about an encoder that could.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding, Table
from wordworth.representations.rung import VocabularyCoverage
from wordworth.text_format import percent

if TYPE_CHECKING:
    from wordworth.representations.rung import Learner
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Examples, Task

WARNED_SHARE = 0.05
"""Share of unknown words or subwords from which a rung gets a warning."""
UNREADABLE_SHARE = 0.15
"""Share of unknown words or subwords from which a verdict is limited to the encoder that was measured."""

LITERACY = {
    "rung": "short name",
    "unit": "what its vocabulary splits texts into: words, or pieces of words",
    "pieces": "number of them in the texts",
    "unknown": "number of them that its vocabulary lacks",
    "share": "unknown as a share of all",
    "blank": "number of texts without any known one; empty texts are not counted",
}


def vocabulary_coverages(rung_results: Sequence[RungResult], examples: Examples) -> dict[str, VocabularyCoverage]:
    """Return name of each rung with a vocabulary of its own -> how much of the examples that vocabulary covers.

    Rungs without a fixed vocabulary, such as TF-IDF, are left out.

    Args:
        rung_results: the fitted rungs.
        examples: the examples.
    """
    return {
        result.rung.name: coverage
        for result in rung_results
        if result.learner is not None and (coverage := result.learner.vocabulary_coverage(examples)) is not None
    }


def coverage_table(coverages: dict[str, VocabularyCoverage]) -> Table:
    """Return the table of how much of the texts each rung's vocabulary covers, a row for each rung."""
    rows = [
        {"rung": name, "unit": coverage.unit, "pieces": coverage.pieces, "unknown": coverage.unknown}
        | {"share": coverage.share, "blank": coverage.blank}
        for name, coverage in coverages.items()
    ]
    return Table.of(rows, LITERACY)


def coverage_findings(rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]) -> list[Finding]:
    """Return a warning for each rung whose vocabulary lacks many words of the texts, or subwords if it reads subwords.

    Many means a share of `WARNED_SHARE` or more, or all words of some text.

    Args:
        rung_results: the rungs, of which the titles are read.
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    findings = []
    for result in rung_results:
        coverage = coverages.get(result.rung.name)
        if coverage is not None and (coverage.share >= WARNED_SHARE or coverage.blank):
            text = f"{result.rung.title}: {_description(coverage, contextual=result.rung.contextual)}."
            numbers = {
                "rung": result.rung.name,
                "share": coverage.share,
                "unknown": coverage.unknown,
                "blank": coverage.blank,
            }
            findings.append(Finding(f"warning.unread.{result.rung.name}", text, numbers))
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


def unreadable(rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]) -> dict[str, float]:
    """Return title of each contextual rung that cannot read the texts -> the share of unknown subwords in the texts.

    A rung cannot read the texts if this share is `UNREADABLE_SHARE` or more.

    Args:
        rung_results: the rungs and their runs.
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    return {
        result.rung.title.partition(",")[0]: coverage.share
        for result in rung_results
        if result.rung.contextual
        and (coverage := coverages.get(result.rung.name))
        and coverage.share >= UNREADABLE_SHARE
    }


def limitation(unknown_shares: Mapping[str, float]) -> str:
    """Return a sentence that limits the verdict to the measured encoders, since they cannot read the texts; else "".

    Args:
        unknown_shares: title of each contextual rung that cannot read the texts -> the share of unknown subwords, as
            `unreadable` returns it; empty if all rungs can.
    """
    if not unknown_shares:
        return ""
    shares = " and ".join(
        f"{name} does not know {percent(share)} of the pieces" for name, share in unknown_shares.items()
    )
    return (
        f" But {shares} that these texts are made of: this says nothing about encoders made for their "
        "language; name one of them (the option models)."
    )


def cut_findings(rung_results: Sequence[RungResult], task: Task) -> list[Finding]:
    """Return a warning for each rung that truncated texts: how many texts in all, and how many test texts.

    Args:
        rung_results: the fitted rungs.
        task: the task.
    """
    findings = []
    for result in rung_results:
        if result.learner is not None and (most := result.learner.max_tokens) is not None:
            findings += _findings(result, result.learner, task, most)
    return findings


def _findings(result: RungResult, learner: Learner, task: Task, most: int) -> list[Finding]:
    test = learner.num_truncated(task.test)
    truncated, texts = learner.num_truncated(task.used), len(task.used)
    if not truncated:
        return []
    numbers = {"cut": truncated, "texts": texts, "cut_test": test, "test": len(task.test), "most_tokens": most}
    title, of_test = result.rung.title, f"{test:,} of the {len(task.test):,} test texts"
    text = (
        f"{title} reads at most {most:,} tokens of a text: it saw only the beginning and the end of "
        f"{truncated:,} of the {texts:,} texts ({of_test})."
    )
    return [Finding(f"warning.cut.{result.rung.name}", text, numbers)]
