"""`TaggedText`, a text split into words with the tags of a treebank, and how a corpus and a query are read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.treebank import ROOT, read_treebank
from wordworth.text.word_boundaries import words as word_spans

_QUERY = re.compile(r"\[([^\[\]]+)\]")
_MEND = 'put one word in square brackets: "He sat by the [bank] of the river."'


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text split into words; in a treebank also with each word's dependency relation, head and part of speech.

    Attributes:
        words: the words in order.
        text: the text before it was split; None for a sentence of a treebank.
        relations: each word's relation to its syntactic head; empty without a treebank.
        governors: each word's syntactic head as a word, `(root)` for the root; empty without a treebank.
        tags: each word's part of speech, `_` for a word without one; empty without a treebank.
    """

    words: tuple[str, ...]
    text: str | None = None
    relations: tuple[str, ...] = ()
    governors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def read_texts(path: Path, column: str, limit: int, seed: int) -> list[TaggedText]:
    """Return the texts of a file in their order, or a random sample of `limit` of them.

    Args:
        path: a file of texts, or a treebank in CoNLL-U (`.conllu`).
        column: the column of texts.
        limit: largest number of texts that are returned.
        seed: seed of the sample.

    Raises:
        BadInput: the file cannot be read, or has fewer than two texts with words.
    """
    if ".conllu" in path.name.lower():
        texts = [
            TaggedText(
                sentence.words,
                relations=sentence.relations,
                governors=tuple("(root)" if head == ROOT else sentence.words[head] for head in sentence.heads),
                tags=sentence.tags,
            )
            for sentence in read_treebank(path).sentences
        ]
    else:
        texts = [plain_text(text) for _, text in iterate_texts(path, column) if text.strip()]
    texts = [text for text in texts if text.words]
    if len(texts) < 2:  # noqa: PLR2004 - nothing to search
        raise BadInput("fewer than two texts", where=str(path), mend="give a file of texts, some hundreds at least")
    drawn = np.sort(seeds.child(seed, "neighbours", "texts").permutation(len(texts))[:limit])
    return [texts[index] for index in drawn]


def plain_text(text: str) -> TaggedText:
    """Return a text split into words, without tags."""
    return TaggedText(tuple(text[start:end] for start, end in word_spans(text)), text)


def read_query(sentence: str) -> tuple[TaggedText, int]:
    """Return the text of a query without its brackets, and the index of the bracketed word.

    Raises:
        BadInput: there is no bracketed word, or more than one.
    """
    bracketed = [match for match in _QUERY.finditer(sentence) if match[1].strip()]
    if len(bracketed) != 1:
        raise BadInput(f"{len(bracketed)} words in square brackets", mend=_MEND)
    start = bracketed[0].start()
    text = _QUERY.sub(r"\1", sentence)
    index = next((number for number, (_, end) in enumerate(word_spans(text)) if end > start), None)
    if index is None:
        raise BadInput("no word in the square brackets", mend=_MEND)
    return plain_text(text), index
