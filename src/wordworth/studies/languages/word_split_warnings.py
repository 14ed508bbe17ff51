"""How a tokenizer cuts the words of tagged or parsed sentences, and the warnings that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import join_words, percent
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokenizer_statistics import piece_counts

PIECES = {
    "language": "name of the language",
    "sentences": "number of sentences",
    "words": "number of words",
    "per_word": "pieces a word (fertility)",
    "unknown": "share of the words that have a piece that the vocabulary lacks",
}
_MANY_UNKNOWN, _FEW = 0.02, 100
Rows = Sequence[Mapping[str, Any]]


def piece_row(tokenizer: TokenizerProtocol, language: str, sentences: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return a row of the table of pieces: how a tokenizer cuts the test sentences of a language.

    Args:
        tokenizer: cuts texts into pieces.
        language: name of the language.
        sentences: the words of each test sentence.
    """
    counts = piece_counts(tokenizer, tuple(map(" ".join, sentences)))
    return {
        "language": language,
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "per_word": counts.per_word,
        "unknown": float(counts.unknown.sum() / counts.words.sum()),
    }


def word_warnings(pieces: Rows, rows: Rows, units: str = "sentences") -> Iterator[Finding]:
    """Yield the warnings of a study of tags, trees or answers: unknown words, few test items.

    Args:
        pieces: rows of the table of pieces.
        rows: rows of the table of languages.
        units: noun for the test items, as the warnings call them.
    """
    for row in pieces:
        if row["unknown"] >= _MANY_UNKNOWN:
            text = (
                f"{percent(row['unknown'])} of the words in {row['language']} have a piece that the vocabulary lacks: "
                "such words look alike to the model."
            )
            yield Finding(f"warning.unknown_words.{row['language']}", text, {"share": row["unknown"]})
    few = [row["language"] for row in rows if row["test"] < _FEW]
    if few:
        text = f"Fewer than {_FEW} {units} test in {join_words(few)}: intervals are wide."
        yield Finding(f"warning.few_{units}", text, {"languages": few})
