"""Read files of texts with labelled spans into `SpanFile`; a target is one span or two, which a probe has to label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.studies.syntactic_relations.pronoun_sentences import read_pronouns
from wordworth.tasks.reading.labelled_rows import words as words_of_cell
from wordworth.tasks.task_types.tagging import is_scheme
from wordworth.text.file_formats.conll import read_conll
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.treebank import ROOT, DependencySentence, read_treebank
from wordworth.text.treebank_lines import NO_TAG
from wordworth.text.word_boundaries import Span
from wordworth.text.word_boundaries import words as word_spans

Words = tuple[str, ...]
_TARGETS = 'give {"text": "The cat sat", "targets": [{"span1": [0, 2], "label": "animal"}]}, words parted by spaces'
_SAME, _OTHER = "same", "other"


class Target(NamedTuple):
    """What a probe labels: one span of a text or two, with the labels.

    Attributes:
        text: index of the text.
        spans: for each span the index of its first word and of the word after its last.
        labels: names of the target's labels.
    """

    text: int
    spans: tuple[Span, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpanFile:
    """The content of a file of texts with labelled spans.

    Attributes:
        texts: the words of each sentence; or whole texts, each of which counts as one word.
        documents: for each text a number that identifies its document.
        targets: the targets, in the order of their texts.
        name: name of the file.
        sha256: SHA-256 of the file.
        published: whether the file belongs to a published task. Random choices for a published task, such as which
            texts are drawn, are seeded by names and hashes of its files; for a user's file by its content.
    """

    texts: Sequence[Words | str]
    documents: Sequence[int]
    targets: Sequence[Target]
    name: str
    sha256: str
    published: bool = False


Reader = Callable[[Path], SpanFile]


def read_tags(path: Path) -> SpanFile:
    """Read the part of speech of each word of a treebank.

    Raises:
        BadInput: the file is damaged, or has no tags.
    """

    def of_sentence(row: int, sentence: DependencySentence) -> Iterable[Target]:
        tagged = [(word, tag) for word, tag in enumerate(sentence.tags) if tag != NO_TAG]
        return [Target(row, ((word, word + 1),), (tag,)) for word, tag in tagged]

    return _of_treebank(path, of_sentence, "tags its words with parts of speech")


def read_dependencies(path: Path) -> SpanFile:
    """Read the relation of each word of a treebank to its head; the root counts as its own head.

    Subtypes of relations are dropped (`nsubj:pass` becomes `nsubj`).

    Raises:
        BadInput: the file is damaged.
    """

    def of_sentence(row: int, sentence: DependencySentence) -> Iterable[Target]:
        heads = np.where(sentence.heads == ROOT, np.arange(len(sentence)), sentence.heads).tolist()
        pairs = zip(heads, sentence.universal_relations, strict=True)
        return [
            Target(row, ((word, word + 1), (head, head + 1)), (relation,))
            for word, (head, relation) in enumerate(pairs)
        ]

    return _of_treebank(path, of_sentence, "relates its words")


def _of_treebank(path: Path, of_sentence: Callable[[int, DependencySentence], Iterable[Target]], what: str) -> SpanFile:
    treebank = read_treebank(path)
    targets = [target for row, sentence in enumerate(treebank.sentences) for target in of_sentence(row, sentence)]
    if not targets:
        raise BadInput(f"nothing in this treebank {what}", where=str(path), mend="give one in CoNLL-U, with UPOS tags")
    documents = [sentence.document for sentence in treebank.sentences]
    return SpanFile([each.words for each in treebank.sentences], documents, targets, treebank.name, treebank.sha256)


def read_chunks(path: Path) -> SpanFile:
    """Read the chunks of a CoNLL file with their types.

    If the tags mark no chunks, each word is read with its tag as a label.

    Args:
        path: the file.

    Raises:
        BadInput: the file is damaged, or has no chunk and no tag.
    """
    raw = read_raw(path)
    table = read_conll(raw)
    texts, tags = ([tuple(words_of_cell(cell)) for cell in table.column(name)] for name in ("words", "tags"))
    names = sorted({tag for row in tags for tag in row})
    if is_scheme(names):
        targets = _chunk_targets(tags, names)
    else:
        targets = [
            Target(row, ((word, word + 1),), (tag,)) for row, each in enumerate(tags) for word, tag in enumerate(each)
        ]
    if not targets:
        mend = "give a file whose last column has tags such as B-PER"
        raise BadInput("no chunk is marked in this file", where=str(path), mend=mend)
    documents = range(len(texts)) if table.document_of is None else table.document_of
    return SpanFile(texts, documents, targets, path.name, raw.sha256)


def _chunk_targets(tags: Sequence[Words], names: Sequence[str]) -> list[Target]:
    number, of = {name: index for index, name in enumerate(names)}, scheme(names)
    spans = chunks([np.array([number[tag] for tag in row], np.int64) for row in tags], of)
    first = np.cumsum([0, *map(len, tags)])[spans.sentence]
    columns = (spans.sentence, spans.start - first, spans.end - first, spans.kind)
    return [
        Target(row, ((start, end),), (of.types[kind],))
        for row, start, end, kind in zip(*(column.tolist() for column in columns), strict=True)
    ]


def read_relations(path: Path) -> SpanFile:
    """Read sentences with two marked entities and their relation, in the format of SemEval-2010 task 8.

    Raises:
        BadInput: a sentence has no <e1> or no <e2>, or no line with a relation below it; the error names the line.
    """
    raw = read_raw(path)
    texts, targets = list[Words](), list[Target]()
    lines = raw.text().splitlines()
    for number, line in enumerate(lines):
        if "<e1>" not in line or not line[:1].isdigit():
            continue
        label = lines[number + 1].strip() if number + 1 < len(lines) else ""
        words, spans = _marked(line.partition("\t")[2].strip().strip('"'), f"{path}, line {number + 1}")
        if not label:
            raise BadInput("no relation under this sentence", where=f"{path}, line {number + 1}", mend="write it below")
        targets.append(Target(len(texts), spans, (label,)))
        texts.append(words)
    if not texts:
        mend = "mark two things with <e1>…</e1> and <e2>…</e2>, with their relation on the next line"
        raise BadInput("no sentence with marked things", where=str(path), mend=mend)
    return SpanFile(texts, range(len(texts)), targets, path.name, raw.sha256)


def _marked(text: str, where: str) -> tuple[Words, tuple[Span, ...]]:
    """Return the words of a sentence without its tags <e1> and <e2>, and the spans of words inside them."""
    plain, ends = text, dict[str, Span]()
    for name in sorted(("e1", "e2"), key=lambda name: text.find(f"<{name}>")):
        before, opened, rest = plain.partition(f"<{name}>")
        inside, closed, after = rest.partition(f"</{name}>")
        if not (opened and closed and inside.strip()):
            raise BadInput(f"no <{name}>…</{name}> in this sentence", where=where, mend="mark both things")
        plain, ends[name] = f"{before}{inside}{after}", (len(before), len(before) + len(inside))
    spans = word_spans(plain)
    words = tuple(plain[start:end] for start, end in spans)
    return words, tuple(_overlapping(spans, ends[name], where) for name in ("e1", "e2"))


def _overlapping(spans: Sequence[Span], marked: Span, where: str) -> Span:
    """Return the span of words that share characters with a marked stretch of characters.

    Args:
        spans: for each word the index of its first character and of the character after its last.
        marked: the index of the first marked character, and of the character after the last.
        where: the place in the file, for errors.
    """
    inside = [word for word, (start, end) in enumerate(spans) if start < marked[1] and end > marked[0]]
    if not inside:
        raise BadInput("a marked thing without a word", where=where, mend="mark words")
    return inside[0], inside[-1] + 1


def read_pronoun_pairs(path: Path) -> SpanFile:
    """Read sentences with a pronoun (Winograd schemas) as targets of two spans.

    The spans are the pronoun and the last word of a noun phrase that it may refer to; the label says whether it does.

    Raises:
        BadInput: the file is damaged, or has no usable sentence; see `read_pronouns`.
    """
    pronouns = read_pronouns(path)
    targets = [
        Target(row, ((each.pronoun, each.pronoun + 1), (end, end + 1)), (_SAME if number == each.answer else _OTHER,))
        for row, each in enumerate(pronouns.sentences)
        for number, end in enumerate(each.candidates)
    ]
    texts, documents = zip(*((each.words, each.group) for each in pronouns.sentences), strict=True)
    return SpanFile(texts, documents, targets, pronouns.name, pronouns.sha256)


def read_span_labels(path: Path) -> SpanFile:
    """Read JSON lines of edge probing in the format of jiant: a text, and targets of one or two spans with labels.

    Raises:
        BadInput: a line has another format, or a span lies outside its text; the error names the line.
    """
    raw = read_raw(path)
    texts, documents, targets = list[Words](), list[int](), list[Target]()
    for number, line in enumerate(raw.text().splitlines(), start=1):
        if line.strip():
            words, labelled = _line_targets(line, len(texts), f"{path}, line {number}")
            texts.append(words)
            documents.append(number)
            targets += labelled
    if not targets:
        raise BadInput("no targets in this file", where=str(path), mend=_TARGETS)
    return SpanFile(texts, documents, targets, path.name, raw.sha256)


def _line_targets(line: str, row: int, where: str) -> tuple[Words, list[Target]]:
    try:
        value = parse_json(line)
        words = tuple(value["text"].split())
        fields = [(target.get("span1"), target.get("span2"), target["label"]) for target in value["targets"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput("this line is no text with targets", where=where, mend=_TARGETS) from error
    return words, [_target(*target, row, len(words), where) for target in fields]


def _target(first: object, second: object, label: object, row: int, words: int, where: str) -> Target:
    if first is None:
        raise BadInput("a target without span1", where=where, mend=_TARGETS)
    spans = tuple(_span(each, words, where) for each in (first, second) if each is not None)
    labels = label if isinstance(label, list) else [label]
    if None in labels:
        raise BadInput("a target without a label", where=where, mend=_TARGETS)
    return Target(row, spans, tuple(map(str, labels)))


def _span(value: object, words: int, where: str) -> Span:
    if not (isinstance(value, list) and len(value) == 2 and all(type(end) is int for end in value)):  # noqa: PLR2004 - ends
        raise BadInput(f"{value!r:.40} is no span", where=where, mend="give [first word, word after the last], from 0")
    start, end = value
    if not 0 <= start < end <= words:
        what = f"the span {value} lies outside its text of {words} words"
        raise BadInput(what, where=where, mend="give [first word, word after the last], counted from 0")
    return start, end


def read_proto_roles(path: Path, treebank: Sequence[Path]) -> dict[str, SpanFile]:
    """Read semantic proto-roles of predicates and arguments (Universal Decompositional Semantics).

    The labels of a predicate and its argument are the properties whose value is above 0. Only pairs that are annotated
    with the 14 properties of SPR2 are read.

    Args:
        path: JSON lines with split, sent_id, pred and arg (positions of words in the sentence, from 1), and props.
        treebank: the files of the treebank that has the sentences.

    Returns:
        Part (train, dev or test) -> its sentences and targets.

    Raises:
        BadInput: a line has another format, or the treebank lacks its sentence or its words; the error names the line.
    """
    raw = read_raw(path)
    words = {each.name: each.words for file in treebank for each in read_treebank(file).sentences}
    parts: dict[str, tuple[dict[str, int], list[Target]]] = {}
    for number, line in enumerate(raw.text().splitlines(), start=1):
        where = f"{path}, line {number}"
        try:
            pair = parse_json(line)
            split, name, ends = str(pair["split"]), str(pair["sent_id"]), (int(pair["pred"]), int(pair["arg"]))
            held = tuple(role for role, (value, _) in pair["props"].items() if value > 0)
            known = "instigation" in pair["props"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInput(
                "this line is no pair with its properties", where=where, mend="give split, sent_id, pred, arg, props"
            ) from error
        if name not in words or not all(0 < end <= len(words[name]) for end in ends):
            raise BadInput(f"no such words in the treebank: {name} {ends}", where=where, mend="give the treebank's own")
        if known:
            rows, targets = parts.setdefault(split, ({}, []))
            row = rows.setdefault(name, len(rows))
            targets.append(Target(row, tuple((end - 1, end) for end in ends), held))
    return {
        split: SpanFile([words[name] for name in rows], range(len(rows)), sorted(targets), path.name, raw.sha256)
        for split, (rows, targets) in parts.items()
    }
