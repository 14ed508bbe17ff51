"""Parse the lines of a treebank's file into words with their heads, in CoNLL-U or the format of attention-analysis."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wordworth.errors import BadInput
from wordworth.text.read_compressed_file import RawFile

_COLUMNS = 10
_ID, _FORM, _TAG, _HEAD, _RELATION = 0, 1, 3, 6, 7
NO_TAG = "_"
"""The tag of a word without a part of speech."""
_DOCUMENT, _NAME = "# newdoc", "# sent_id"
FORMS = "give a treebank in CoNLL-U, or with a word and its head-label (`dog 2-nsubj`) in each line"
_WORD_AND_HEAD = re.compile(r"(\S+) ([0-9]+)-(\S+)")


class WordLine(NamedTuple):
    """A word of a sentence as a treebank's file writes it: line number, word, number of the head, relation and tag."""

    line: int
    word: str
    head: str
    relation: str
    tag: str = NO_TAG


class SentenceLines(NamedTuple):
    """A sentence as a treebank's file writes it.

    Attributes:
        document: number of document marks before the sentence; index of the sentence, from 0, in a file without marks.
        first: number of the sentence's first line, from 1.
        words: the words in order.
        name: the name (`sent_id`); "" for a sentence without a name.
    """

    document: int
    first: int
    words: list[WordLine]
    name: str = ""


def sentence_lines(raw: RawFile) -> Iterator[SentenceLines]:
    """Yield the words of each sentence of a treebank's file, whose format is detected.

    A file without tabs whose first line has the form `word head-label` is in the format of attention-analysis (Clark et
    al. 2019); any other is read as CoNLL-U.

    Raises:
        BadInput: a line is not in the detected format; the error names the line.
    """
    text = raw.text()
    first = next((line for line in text.splitlines() if line.strip()), "")
    is_plain = "\t" not in text and _WORD_AND_HEAD.fullmatch(first.rstrip())
    yield from _plain_sentences(raw) if is_plain else _conllu_sentences(raw)


def _plain_sentences(raw: RawFile) -> Iterator[SentenceLines]:
    """Yield sentences of lines such as `dog 2-nsubj`; each sentence is a document."""
    block = list[WordLine]()
    number = 0
    for line_number, line in enumerate([*raw.text().splitlines(), ""], start=1):
        if line.strip():
            block.append(_plain_word(raw.path, line_number, line.rstrip()))
        elif block:
            yield SentenceLines(number, block[0].line, block)
            number, block = number + 1, []


def _plain_word(path: str, number: int, line: str) -> WordLine:
    match = _WORD_AND_HEAD.fullmatch(line)
    if match is None:
        what = f"{line!r:.60} is no word with its head and label"
        raise BadInput(what, where=f"{path}, line {number}", mend="write a word, a space and head-label: dog 2-nsubj")
    word, head, relation = match.groups()
    return WordLine(number, word, head, relation)


def _conllu_sentences(raw: RawFile) -> Iterator[SentenceLines]:
    """Yield sentences of CoNLL-U; if the file marks no documents, each sentence is a document."""
    marked = f"\n{_DOCUMENT}" in f"\n{raw.text()}"
    for number, (document, name, lines) in enumerate(_blocks(raw)):
        words = [(line, columns) for line, columns in lines if not set("-.") & set(columns[_ID])]
        for index, (line, columns) in enumerate(words, start=1):
            if columns[_ID] != str(index):
                what = f"word {index} of its sentence is numbered {columns[_ID]!r:.40}"
                raise BadInput(what, where=f"{raw.path}, line {line}", mend="number words from 1")
        rows = [WordLine(line, *(columns[each] for each in (_FORM, _HEAD, _RELATION, _TAG))) for line, columns in words]
        yield SentenceLines(document if marked else number, lines[0][0], rows, name)


def _blocks(raw: RawFile) -> Iterator[tuple[int, str, list[tuple[int, list[str]]]]]:
    """Yield (number of document marks so far, name, [(line number, columns) of each line]) of each sentence."""
    document, name, block = 0, "", list[tuple[int, list[str]]]()
    for number, line in enumerate(raw.text().splitlines(), start=1):
        if line.startswith(_DOCUMENT):
            document += 1
        elif line.startswith(_NAME):
            name = line.partition("=")[2].strip()
        elif not line.strip():
            if block:
                yield document, name, block
            name, block = "", []
        elif not line.startswith("#"):
            block.append((number, _columns(raw.path, number, line)))
    if block:
        yield document, name, block


def _columns(path: str, number: int, line: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        what = f"a line of {len(columns)} columns between tabs, CoNLL-U has {_COLUMNS}"
        raise BadInput(what, where=f"{path}, line {number}", mend=FORMS)
    return columns
