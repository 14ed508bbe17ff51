"""Treebanks: sentences with the head and the dependency relation of each word (Universal Dependencies)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.treebank_lines import FORMS, SentenceLines, WordLine, sentence_lines

ROOT = -1
"""The head of a sentence's root."""


@dataclass(frozen=True, slots=True)
class DependencySentence:
    """A sentence of n words with its dependency tree.

    Attributes:
        words: the words in order.
        heads: int64 [n], the index of each word's head, from 0; `ROOT` for the root.
        relations: each word's relation to its head, as written, such as `nsubj:pass`.
        document: number of document marks before the sentence; index of the sentence, from 0, in a file without marks.
        line: number of the line at which the sentence begins.
        tags: each word's part of speech (UPOS), `_` for a word without one; empty where the file has no tags.
        name: the name of the sentence in the file (`sent_id`); empty for a sentence without a name.
    """

    words: tuple[str, ...]
    heads: NDArray[np.int64]
    relations: tuple[str, ...]
    document: int
    line: int
    tags: tuple[str, ...] = ()
    name: str = ""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def universal_relations(self) -> tuple[str, ...]:
        """Each word's relation to its head without its subtype, such as `nsubj`."""
        return tuple(relation.partition(":")[0] for relation in self.relations)


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of a file of dependency trees, with the file's name and SHA-256."""

    sentences: tuple[DependencySentence, ...]
    name: str
    sha256: str


def read_treebank(path: Path | str) -> Treebank:
    """Read a file of dependency trees, compressed or not.

    Two formats are detected by their lines. In CoNLL-U, lines of multi-word tokens (`3-4`) and of empty nodes (`8.1`)
    are left out, so that heads refer to syntactic words. The format of attention-analysis (Clark et al. 2019) has a
    line for each word, such as `dog 2-nsubj` with `0-root` for the root, and a blank line between sentences.

    Raises:
        BadInput: the file cannot be read; a line is in neither format; words are not numbered from 1; a head is not a
            word of its sentence; or a sentence does not have exactly one root or has a cycle. The error names the line.
    """
    raw = read_raw(path)
    sentences = tuple(_sentence(raw.path, lines) for lines in sentence_lines(raw))
    if not sentences:
        raise BadInput("no sentences", where=raw.path, mend=FORMS)
    return Treebank(sentences, Path(path).name, raw.sha256)


def _sentence(path: str, lines: SentenceLines) -> DependencySentence:
    words = lines.words
    heads = np.array([_head(path, word, len(words)) for word in words], dtype=np.int64)
    _require_tree(heads, f"{path}, line {lines.first}")
    return DependencySentence(
        words=tuple(word.word for word in words),
        heads=heads,
        relations=tuple(word.relation for word in words),
        document=lines.document,
        line=lines.first,
        tags=tuple(word.tag for word in words),
        name=lines.name,
    )


def _head(path: str, word: WordLine, words: int) -> int:
    """Return the index of a word's head, `ROOT` for head 0, in a sentence of `words` words."""
    text = word.head
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= words):  # noqa: PLR2004 - digits
        what = f"the head {text!r:.40} is no word of its sentence of {words} words"
        mend = "give each word the number of its head, 0 for the root"
        raise BadInput(what, where=f"{path}, line {word.line}", mend=mend)
    return int(text) - 1


def _require_tree(heads: NDArray[np.int64], where: str) -> None:
    """Check that exactly one word is the root, and that following heads from any word leads to the root."""
    roots = int((heads == ROOT).sum())
    if roots != 1:
        raise BadInput(f"a sentence with {roots} roots", where=where, mend="give exactly one word of it the head 0")
    reached = heads
    for _ in range(len(heads).bit_length()):
        reached = np.where(reached == ROOT, ROOT, reached[np.maximum(reached, 0)])
    if (reached != ROOT).any():
        raise BadInput("the heads of a sentence run in a circle", where=where, mend="let every word lead to the root")
