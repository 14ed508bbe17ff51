"""Find documents that overlap with evaluation texts: such documents must not be in a pretraining corpus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import format_of, iterate_rows, iterate_texts

GRAM = 13
"""A document may not share this number of consecutive words with an evaluation text (Brown et al. 2020, appendix C)."""


@dataclass(frozen=True, slots=True)
class EvaluationTexts:
    """The word sequences of evaluation texts that no pretraining document may contain.

    Attributes:
        runs: every 13 consecutive words of a text, joined by spaces.
        short: all words of each text that has fewer than 13 words, joined by spaces.
    """

    runs: frozenset[str]
    short: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Return the word sequences of evaluation texts that no pretraining document may contain."""
        runs, short = set[str](), set[str]()
        for text in texts:
            words = plain_words(text)
            runs.update(_runs(words))
            if 0 < len(words) < GRAM:
                short.add(" ".join(words))
        return cls(frozenset(runs), frozenset(short))

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read evaluation texts from a file: the cells of all its columns, or its lines if it has no columns.

        Raises:
            BadInput: the file cannot be read, or holds no word.
        """
        file = Path(path)
        known = format_of(file)
        if known is None or known.named:
            texts = (cell for _, cells in iterate_rows(file) for cell in cells.values())
        else:
            texts = (text for _, text in iterate_texts(file))
        tests = cls.of(texts)
        if not tests.runs and not tests.short:
            raise BadInput("there is no text in this file", where=str(path), mend="name the file that is tested on")
        return tests

    def overlap(self, document: str) -> bool:
        """Return whether a document shares text with the evaluation texts.

        A document does so if it contains 13 consecutive words of an evaluation text, or equals an evaluation text of
        fewer words.
        """
        words = plain_words(document)
        return not self.runs.isdisjoint(_runs(words)) or (len(words) < GRAM and " ".join(words) in self.short)


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())


def _runs(words: Sequence[str]) -> Iterator[str]:
    for start in range(len(words) - GRAM + 1):
        yield " ".join(words[start : start + GRAM])
