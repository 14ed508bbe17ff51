"""The findings of the study `neighbours`: properties that the nearest words share, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, decimal, join_words, passing_by_chance, percent, quoted
from wordworth.studies.neighbours.nearest_words import SAME, SURE

_MOST_NAMED, _FEW = 3, 1_000
Row = Mapping[str, Any]


def verdict(
    query: str, common: Sequence[Row], contexts: Sequence[Row], overlaps: tuple[int, int], chance: tuple[int, float]
) -> Finding:
    """Return the finding `verdict`: the properties that the nearest words share.

    Args:
        query: the word that is searched for.
        common: the rows of the table `common`, one for each property.
        contexts: the rows of the table `contexts`, one for each of the nearest words.
        overlaps: number of the nearest words that the input layer finds too, and number that the same layer or head
            with random weights finds too.
        chance: number of properties that are tested, and the share of them that would seem significant by chance if the
            level were not corrected for their number.
    """
    number, (by_input, by_random) = len(contexts), overlaps
    same = sum(row["form"].casefold() == query.casefold() for row in contexts)
    headline = f"{same} of the {number} nearest words are {quoted(query)}."
    passing = [row for row in common if row["p"] < SURE]
    sure = [row for row in passing if row["value"] != SAME][:_MOST_NAMED]
    named = [
        f"{row['kind']} {quoted(row['value'])} ({row['count']} of {number}; {percent(row['corpus_share'], 1)} of "
        f"the corpus, {percent(row['input_share'])} of the nearest by the input layer, {percent(row['random_share'])} "
        f"by random weights)"
        for row in sure
    ]
    tested = (
        f"Of the {chance[0]:,} properties of the corpus these pass at a level corrected for their number: "
        f"{len(passing)} (with words drawn at random, {passing_by_chance(*chance)})."
    )
    sentences = [
        f"More often than in the corpus they have: {join_words(named)}."
        if named
        else "Beside the word itself, nothing is surely more common to them than to the corpus.",
        tested,
        f"The input layer, which knows the word and its place but no context, finds {by_input} of the {number} too.",
        f"Random weights, which mix the words of a text but learned nothing, find {by_random}.",
        f"Their cosines are {decimal(contexts[0]['cosine'], 2)} to {decimal(contexts[-1]['cosine'], 2)}.",
    ]
    return Finding(
        "verdict",
        "\n".join(sentences),
        {
            "headline": headline,
            "same": same,
            "overlap": by_input,
            "random_overlap": by_random,
            "properties": chance[0],
            "passing": len(passing),
            "by_luck": chance[0] * chance[1],
        },
    )


def warnings(facts: Mapping[str, Any], query: str) -> Iterator[Finding]:
    """Yield the warnings: a small corpus, a query that is not in the corpus, texts left out, p-values too small.

    P-values are too small if several of the nearest words are from one document.

    Args:
        facts: the description of the data in the record.
        query: the word that is searched for.
    """
    if facts["words"] < _FEW:
        yield Finding("warning.words", f"The corpus has only {count_of(facts['words'], 'word')}.")
    if not facts["occurrences"]:
        yield Finding("warning.absent", f"{quoted(query)} is not in the corpus: its nearest words are others.")
    if facts["too_long"]:
        text = f"{count_of(facts['too_long'], 'text')} longer than the model reads at once left out."
        yield Finding("warning.too_long", text)
    yield Finding(
        "warning.texts",
        "Words of one document are alike, so that p-values are too small where several of the nearest are from one.",
    )


def method(head: int | None) -> Iterator[Finding]:
    """Yield the findings that say how the numbers of a `neighbours` record were computed.

    Args:
        head: the attention head whose vectors were searched; None for a layer's states.
    """
    yield Finding(
        "method.vectors",
        "A word's vector is the mean over its pieces, of a layer's states or of what one attention head gives before "
        "heads are mixed. Vectors are scaled to length 1, their mean is subtracted, and cosines are taken. The query's "
        "own text is left out.",
    )
    yield Finding(
        "method.common",
        "Intervals are exact 95 % intervals of a share of the nearest words. p-values are of as many words with a "
        "property among words drawn at random, times the number of properties in the corpus.",
    )
    if head is not None:
        yield Finding(
            "method.attended",
            "What a word attends to is the word with the largest weight in this head, and its place beside the word; "
            "to a word the sum over its pieces, from a word the mean over them. The shares of the controls are of what "
            "the words that they find attend to in this head.",
        )
