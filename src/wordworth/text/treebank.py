"""Treebanks in CoNLL-U: sentences whose words have a head and a relation to it (Universal Dependencies)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.raw_file import RawFile, read_raw

ROOT = -1
"""The head of a sentence's root."""
_COLUMNS = 10
_ID, _FORM, _HEAD, _RELATION = 0, 1, 6, 7
_DOCUMENT = "# newdoc"


@dataclass(frozen=True, slots=True)
class DependencySentence:
    """A sentence of n words with its dependency tree.

    Attributes:
        words: the words in order.
        heads: int64 [n], the index of each word's head, from 0; `ROOT` for the root.
        relations: each word's relation to its head, as written, such as `nsubj:pass`.
        document: number of the document that it is in, from 0; its own number where the file marks no documents.
        line: the line that it begins at.
    """

    words: tuple[str, ...]
    heads: NDArray[np.int64]
    relations: tuple[str, ...]
    document: int
    line: int

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of a file, its name and its SHA-256."""

    sentences: tuple[DependencySentence, ...]
    name: str
    sha256: str


def read_treebank(path: Path | str) -> Treebank:
    """Read a CoNLL-U file, compressed or not.

    Lines of multi-word tokens (`3-4`) and of empty nodes (`8.1`) are left out, so that heads refer to syntactic words.

    Raises:
        BadInput: the file cannot be read, a line has other than ten columns, words are not numbered from 1, a head is
            no word of its sentence, or a sentence has no root, two, or a circle; names the line.
    """
    raw = read_raw(path)
    marked = f"\n{_DOCUMENT}" in f"\n{raw.text()}"
    sentences = []
    for number, (document, lines) in enumerate(_blocks(raw)):
        sentences.append(_sentence(raw.path, lines, document if marked else number))
    if not sentences:
        raise BadInput("no sentences", where=raw.path, mend="give a treebank in CoNLL-U")
    return Treebank(tuple(sentences), Path(path).name, raw.sha256)


Line = tuple[int, list[str]]


def _blocks(raw: RawFile) -> Iterator[tuple[int, list[Line]]]:
    """Yield the number of the document and the numbered lines of words of each sentence."""
    document, block = 0, list[Line]()
    for number, line in enumerate(raw.text().splitlines(), start=1):
        if line.startswith(_DOCUMENT):
            document += 1
        elif not line.strip():
            if block:
                yield document, block
            block = []
        elif not line.startswith("#"):
            block.append((number, _columns(raw.path, number, line)))
    if block:
        yield document, block


def _columns(path: str, number: int, line: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        what = f"a line of {len(columns)} columns between tabs, CoNLL-U has {_COLUMNS}"
        raise BadInput(what, where=f"{path}, line {number}", mend="give a treebank in CoNLL-U")
    return columns


def _sentence(path: str, block: list[Line], document: int) -> DependencySentence:
    words = [(number, columns) for number, columns in block if not set("-.") & set(columns[_ID])]
    first = block[0][0]
    for index, (number, columns) in enumerate(words, start=1):
        if columns[_ID] != str(index):
            what = f"word {index} of its sentence is numbered {columns[_ID]!r:.40}"
            raise BadInput(what, where=f"{path}, line {number}", mend="number words from 1")
    heads = np.array([_head(path, number, columns, len(words)) for number, columns in words], dtype=np.int64)
    _require_tree(heads, f"{path}, line {first}")
    return DependencySentence(
        words=tuple(columns[_FORM] for _, columns in words),
        heads=heads,
        relations=tuple(columns[_RELATION] for _, columns in words),
        document=document,
        line=first,
    )


def _head(path: str, number: int, columns: list[str], words: int) -> int:
    """Return the index of a word's head, `ROOT` for 0."""
    text = columns[_HEAD]
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= words):  # noqa: PLR2004 - digits
        what = f"the head {text!r:.40} is no word of its sentence of {words} words"
        raise BadInput(
            what, where=f"{path}, line {number}", mend="give each word the number of its head, 0 for the root"
        )
    return int(text) - 1


def _require_tree(heads: NDArray[np.int64], where: str) -> None:
    """Make sure that one word is the root and that every word leads to it."""
    roots = int((heads == ROOT).sum())
    if roots != 1:
        raise BadInput(f"a sentence with {roots} roots", where=where, mend="give one word of it the head 0")
    reached = heads
    for _ in range(len(heads).bit_length()):
        reached = np.where(reached == ROOT, ROOT, reached[np.maximum(reached, 0)])
    if (reached != ROOT).any():
        raise BadInput("the heads of a sentence run in a circle", where=where, mend="let every word lead to the root")
