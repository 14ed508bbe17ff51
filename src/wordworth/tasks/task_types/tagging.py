"""Tagging: a sentence split into words, a tag for each word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.measures.chunk_f1 import chunks, scheme, stripped
from wordworth.tasks.labels import Integers, Labelled, in_order
from wordworth.tasks.reading.cell_values import check_present, words
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Examples, Labels, Rows

_PREFIXES = ("B-", "I-", "E-", "S-", "L-", "U-", "M-")


def examples(sheet: LabelledRows) -> Examples:
    """The sentences (words joined by a space), their words as the file splits them, and the documents that it marks."""
    sentences = tuple(tuple(words(cell)) for cell in sheet.first)
    return Examples(tuple(" ".join(sentence) for sentence in sentences), words=sentences, documents=sheet.documents)


def read(sheet: LabelledRows) -> Labelled:
    """The tags of each sentence, int64 [words]; entity tags of any scheme become IOB2 (`O` first), others are kept.

    Entities are found by conlleval's rules, so that IOB1, IOB2, IOBES and BILOU files with the same entities give the
    same tags.

    Raises:
        BadInput: tags are missing, differ in number from the words, are all `O`, or mix a scheme with other tags.
    """
    cells = sheet.label
    check_present(sheet, cells)
    rows = [words(cell) for cell in cells]
    _check_lengths(sheet, rows)
    names = {tag for row in rows for tag in row}
    if names <= {"O"}:
        what = "every word has the tag 'O': there is nothing to find"
        raise BadInput(what, where=sheet.tables[0].path, mend="choose another column with --label")
    if not is_scheme(names):
        return _labelled(rows, in_order(names), "one tag a word")
    _check_scheme(sheet, rows, names)
    types = scheme(sorted(names)).types
    return _labelled(iob2(rows), iob2_classes(types), "entities, tags read as IOB2")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:  # noqa: ARG001 - a TaskKind
    """Entity F1 if tags mark entities, else the share of words with the right tag."""
    if is_scheme(classes):
        return "entity_f1", "tags mark entities: one counts where its start, end and type are right"
    return "token_accuracy", "tags mark words one by one"


def is_scheme(tags: Iterable[str]) -> bool:
    """Whether tags mark entities: they include `O` and a tag that begins with `B-`, `I-`, …."""
    names = set(tags)
    return "O" in names and any(name.startswith(_PREFIXES) for name in names)


def iob2_classes(types: Sequence[str]) -> tuple[str, ...]:
    """The class names `O`, then `B-` and `I-` of each type.

    >>> iob2_classes(["LOC"])
    ('O', 'B-LOC', 'I-LOC')
    """
    return ("O", *(f"{prefix}-{kind}" for kind in types for prefix in "BI"))


def iob2(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same entities in IOB2: `B-` at the first word of each, `I-` at the others.

    >>> iob2([["I-PER", "I-PER", "O", "I-LOC", "B-LOC"]])
    [['B-PER', 'I-PER', 'O', 'B-LOC', 'B-LOC']]
    """
    names = sorted({tag for row in rows for tag in row})
    number = {name: index for index, name in enumerate(names)}
    tag_scheme = scheme(names)
    entities = chunks([np.array([number[tag] for tag in row], dtype=np.int64) for row in rows], tag_scheme)
    flat = np.full(sum(map(len, rows)), "O", dtype=object)
    for start, end, kind in zip(entities.start.tolist(), entities.end.tolist(), entities.kind.tolist(), strict=True):
        flat[start] = f"B-{tag_scheme.types[kind]}"
        flat[start + 1 : end] = f"I-{tag_scheme.types[kind]}"
    bounds = np.cumsum([0, *map(len, rows)])
    return [flat[bounds[row] : bounds[row + 1]].tolist() for row in range(len(rows))]


def _labelled(rows: Sequence[Sequence[str]], classes: tuple[str, ...], how: str) -> Labelled:
    index = {name: number for number, name in enumerate(classes)}
    labels: tuple[Integers, ...] = tuple(np.array([index[tag] for tag in row], dtype=np.int64) for row in rows)
    return Labelled(labels, classes, how)


def _check_lengths(sheet: LabelledRows, rows: Sequence[Sequence[str]]) -> None:
    for row, (cell, tags) in enumerate(zip(sheet.first, rows, strict=True)):
        count = len(words(cell))
        if count != len(tags):
            mend = "give one tag for each word, with one space between words and between tags"
            raise BadInput(f"{count} words but {len(tags)} tags", where=sheet.where(row), mend=mend)


def _check_scheme(sheet: LabelledRows, rows: Sequence[Sequence[str]], names: set[str]) -> None:
    known = {name for name in names if name == "O" or (name.startswith(_PREFIXES) and stripped(name)[1])}
    odd = names - known
    if not odd:
        return
    row, position, tag = next((r, p, tag) for r, tags in enumerate(rows) for p, tag in enumerate(tags) if tag in odd)
    what = f"tag {tag!r} of word {position + 1} is neither O nor B-, I-, E-, S- (or L-, U-) and a type"
    raise BadInput(what, where=sheet.where(row), mend=nearest(tag, sorted(known)))
