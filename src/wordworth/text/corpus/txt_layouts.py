"""Split a `.txt` into documents: the whole file, each line, or blocks of one sentence on each line (BERT's format)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.read_compressed_file import lines

Layout = Literal["auto", "document", "lines", "sentences"]

LONGEST_DOCUMENT = 1 << 26
"""Maximal number of characters in a document, which limits the memory of a build."""

_LOOKED_AT = 4_000
_MOST_LINES = 1_000_000
_ONE_SENTENCE = 0.9
_LINES_A_BLOCK = 2.0
_WRAPPED = 100


def text_documents(path: Path, layout: Layout) -> Iterator[str]:
    """Yield the text of each document of a `.txt`.

    In the layout "sentences", each line of a document is a sentence.

    Raises:
        BadInput: the file is not UTF-8, or a line or document in it is too long for memory.
    """
    if layout == "lines":
        yield from (line for _, line in lines(path))
    elif layout == "sentences":
        yield from _blocks(path)
    else:
        yield _whole(path)


def layout_of(path: Path) -> Layout:
    """Guess the layout of a `.txt`: "sentences" (one sentence on each line, as in BERT's corpus) or "document".

    The first 4,000 lines are read. The layout is "sentences" on two conditions: the lines form blocks with blank lines
    between them, of at least two lines on average; and nine lines in ten hold one sentence each, that is, end with a
    full stop or the like and contain no second sentence. Any other file is a "document" with blank lines between
    paragraphs.
    """
    blocks, filled, single = 1, 0, 0
    for number, line in lines(path):
        filled += bool(line.strip())
        blocks += not line.strip()
        single += _is_sentence(line)
        if number == _LOOKED_AT:
            break
    apart = blocks > 1 and filled >= _LINES_A_BLOCK * blocks
    return "sentences" if apart and single >= _ONE_SENTENCE * filled else "document"


def _is_sentence(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and bare.rstrip("\"'”’»)]}` ")[-1:] in ".!?…:;。！？।" and len(sentences(bare)) == 1


def _blocks(path: Path) -> Iterator[str]:
    block: list[str] = []
    for number, line in chain(lines(path), [(0, "")]):
        if line.strip():
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
        if len(block) > _MOST_LINES:
            what, where = f"a document of more than {_MOST_LINES:,} lines", f"{path}, line {number}"
            raise BadInput(what, where=where, mend="put blank lines between documents")


def _whole(path: Path) -> str:
    document_lines, size = list[str](), 0
    for _, line in lines(path):
        document_lines.append(line)
        size += len(line) + 1
        if size > LONGEST_DOCUMENT:
            what = f"one document of more than {LONGEST_DOCUMENT:,} characters"
            mend = "set the layout (lines or sentences), or put each document into a file of its own"
            raise BadInput(what, where=str(path), mend=mend)
    return "\n".join(document_lines)


def paragraphs(text: str) -> list[str]:
    r"""Return the paragraphs of a document; line breaks inside a paragraph become spaces.

    A blank line ends a paragraph. A single line break ends it too if some line of the document is longer than 100
    characters; otherwise a single line break only wraps a paragraph.

    >>> paragraphs("A line that\nwas wrapped.\n\nAnother.")
    ['A line that was wrapped.', 'Another.']
    """
    if "\n" not in text:
        return [text]
    document_lines = text.split("\n")
    if max(map(len, document_lines)) > _WRAPPED:
        return [line for line in document_lines if line and not line.isspace()]
    return list(_wrapped(document_lines))


def _wrapped(document_lines: Iterable[str]) -> Iterator[str]:
    block: list[str] = []
    for line in (*document_lines, ""):
        if line and not line.isspace():
            block.append(line)
        elif block:
            yield " ".join(block)
            block = []
