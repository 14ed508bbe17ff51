"""Warnings about rungs whose vocabulary lacks many words or spells them, and about rungs that truncate long texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The score of an encoder that cannot read a text says nothing about an encoder that could. A vocabulary without the
letters of a script turns its words into unknown subwords. A vocabulary with the letters but without the words spells
them letter by letter, without any unknown subword. How much lower scores are in either case is quoted from the study of
languages: `docs/languages-findings.md`, `docs/records/languages_minilm.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wordworth.records import Finding, Table
from wordworth.representations.rung import VocabularyCoverage
from wordworth.sentence_formatting import percent

if TYPE_CHECKING:
    from wordworth.representations.rung import Learner
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.tasks.task import Examples, Task

WARNED_SHARE = 0.05
"""Share of unknown words or subwords from which a rung gets a warning."""
UNREADABLE_SHARE = 0.15
"""Share of unknown words or subwords from which a verdict is limited to the encoder that was measured."""
SPELLED_PER_CHARACTER, SPELLED_PER_WORD = 0.6, 2.0
"""Subwords per character and per word from which words count as spelled letter by letter. In 39 languages MiniLM and
`mini` have at most 0.52 subwords per character if the subwords are words or syllables, and at least 0.71 if they are
letters. Chinese split into characters does not count as spelled, since each ideograph is a word."""
LOST_UNKNOWN = (7, 0.146, 0.450)
"""Number of the 39 languages in which MiniLM does not know `UNREADABLE_SHARE` of the subwords or more, and the smallest
and the largest accuracy by which it is behind TF-IDF of character n-grams there, significantly in each language."""
LOST_SPELLED = (8, 0.281, 0.387)
"""The same for the further languages whose words MiniLM spells letter by letter."""

LITERACY = {
    "rung": "short name",
    "unit": "what its vocabulary splits texts into: words, or pieces of words",
    "pieces": "number of them in the texts",
    "unknown": "number of them that its vocabulary lacks",
    "share": "unknown as a share of all",
    "blank": "number of texts without any known one; empty texts are not counted",
    "per_word": "pieces a word; missing where words are counted",
    "per_character": "pieces a character, white space left out; missing where words are counted",
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
    """Return the table of how much of the texts each rung's vocabulary covers, a row for each rung.

    Args:
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    rows = [
        {"rung": name, "unit": coverage.unit, "pieces": coverage.num_units, "unknown": coverage.unknown}
        | {"share": coverage.share, "blank": coverage.blank}
        | {"per_word": coverage.per_word or None, "per_character": coverage.per_character or None}
        for name, coverage in coverages.items()
    ]
    return Table.of(rows, LITERACY)


def coverage_findings(rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]) -> list[Finding]:
    """Return a warning for each rung whose vocabulary lacks many words of the texts, or spells them letter by letter.

    Many means a share of `WARNED_SHARE` or more, or all words of some text. For rungs that read subwords, subwords are
    counted in place of words.

    Args:
        rung_results: the rungs, whose titles the warnings use.
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    findings = []
    for result in rung_results:
        coverage = coverages.get(result.rung.name)
        if coverage is not None and (coverage.share >= WARNED_SHARE or coverage.blank or is_spelled(coverage)):
            text = f"{result.rung.title}: {_description(coverage, contextual=result.rung.contextual)}."
            numbers = {
                "rung": result.rung.name,
                "share": coverage.share,
                "unknown": coverage.unknown,
                "blank": coverage.blank,
                "per_word": coverage.per_word,
            }
            findings.append(Finding(f"warning.unread.{result.rung.name}", text, numbers))
    return findings


def _description(coverage: VocabularyCoverage, *, contextual: bool) -> str:
    lacks = "are unknown to it" if contextual else "have no vector and are left out"
    parts = [
        f"{percent(coverage.share)} of the {coverage.unit} ({coverage.unknown:,} of {coverage.num_units:,}) {lacks}"
    ] * bool(coverage.unknown)
    if coverage.blank:
        them = "text, which it cannot read" if coverage.blank == 1 else "texts, which all look alike to it"
        parts.append(f"it knows nothing of {coverage.blank:,} {them}")
    if is_spelled(coverage):
        parts.append(f"it cuts words letter by letter, into {coverage.per_word:.1f} pieces each")
    return "; ".join(parts)


def is_spelled(coverage: VocabularyCoverage) -> bool:
    """Return whether a vocabulary of subwords has the letters of the texts but hardly any of their words."""
    return coverage.per_character >= SPELLED_PER_CHARACTER and coverage.per_word >= SPELLED_PER_WORD


def unreadable(rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]) -> dict[str, float]:
    """Return title of each contextual rung that cannot read the texts -> the share of unknown subwords in the texts.

    A rung cannot read the texts if this share is `UNREADABLE_SHARE` or more.

    Args:
        rung_results: the rungs and their runs.
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    of_rungs = _of_contextual_rungs(rung_results, coverages)
    return {title: coverage.share for title, coverage in of_rungs if coverage.share >= UNREADABLE_SHARE}


def spelled(rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]) -> dict[str, float]:
    """Return title of each contextual rung that spells words letter by letter -> its mean number of subwords per word.

    Rungs that `unreadable` returns are left out.

    Args:
        rung_results: the rungs and their runs.
        coverages: name of each rung with a vocabulary of its own -> how much of the texts it covers.
    """
    of_rungs = _of_contextual_rungs(rung_results, coverages)
    return {
        title: coverage.per_word
        for title, coverage in of_rungs
        if coverage.share < UNREADABLE_SHARE and is_spelled(coverage)
    }


def _of_contextual_rungs(
    rung_results: Sequence[RungResult], coverages: dict[str, VocabularyCoverage]
) -> Iterator[tuple[str, VocabularyCoverage]]:
    """Yield the title of each contextual rung with a vocabulary of its own, and how much of the texts it covers."""
    for result in rung_results:
        if result.rung.contextual and (coverage := coverages.get(result.rung.name)):
            yield result.rung.title.partition(",")[0], coverage


def limitation(unknown_shares: Mapping[str, float], pieces_per_word: Mapping[str, float]) -> str:
    """Return sentences that limit the verdict to the measured encoders, since they cannot read the texts.

    The last sentence says how far MiniLM was behind in languages that it cannot read, in the study of languages. The
    text is "" if the encoders can read the texts.

    Args:
        unknown_shares: title of each contextual rung that cannot read the texts -> its share of unknown subwords, as
            `unreadable` returns it.
        pieces_per_word: title of each contextual rung that spells the words -> its subwords per word, as `spelled`
            returns it.
    """
    if not unknown_shares and not pieces_per_word:
        return ""
    lacks = [
        f"{name} {_ignorance(share)} of the pieces that these texts are made of"
        for name, share in unknown_shares.items()
    ]
    lacks += [
        f"{name} cuts the words of these texts letter by letter, into {number:.1f} pieces each"
        for name, number in pieces_per_word.items()
    ]
    lacking = f"of which MiniLM does not know {percent(UNREADABLE_SHARE)} of the pieces or more"
    return (
        f" But {' and '.join(lacks)}: this says nothing about encoders made for their language; name one of them (the "
        f"option models).{_cost(LOST_UNKNOWN, lacking) if unknown_shares else ''}"
        f"{_cost(LOST_SPELLED, 'whose words MiniLM cuts so') if pieces_per_word else ''}"
    )


def _ignorance(share: float) -> str:
    """Return in words which share of the subwords an encoder lacks; "knows none" only if it lacks all of them."""
    return "knows none" if share == 1 else f"does not know {percent(share)}"


def _cost(lost: tuple[int, float, float], which: str) -> str:
    """Return the sentence on how far MiniLM was behind character n-grams in some languages of the study of languages.

    Args:
        lost: (number of languages; the smallest and the largest accuracy by which MiniLM was behind).
        which: a clause that says which languages they are.
    """
    languages, least, most = lost
    return (
        f" In the {languages} of 39 languages {which}, it was {100 * least:.0f} to {100 * most:.0f} points behind "
        "n-grams of characters, on topics of sentences with labels of the language itself."
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
    of_test = "" if len(task.test) == texts else f" ({test:,} of the {len(task.test):,} test texts)"
    text = f"{result.rung.title} {learner.truncation} {truncated:,} of the {texts:,} texts{of_test}."
    return [Finding(f"warning.cut.{result.rung.name}", text, numbers)]
