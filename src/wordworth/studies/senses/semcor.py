"""SemCor: text in which every content word is tagged with its sense in WordNet (Miller et al. 1993)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.studies.senses.sense_dataset import (
    SenseDataset,
    Source,
    TaggedSentence,
    Target,
    build_dataset,
    sample_sentences,
)
from wordworth.text.read_compressed_file import lines

_CLASSES = {"1": "noun", "2": "verb", "3": "adjective", "4": "adverb", "5": "adjective"}
_FILES = (
    "", "pertaining", "", "", "act", "animal", "artefact", "attribute", "body", "cognition",
    "communication", "event", "feeling", "food", "group", "location", "motive", "object", "person", "phenomenon",
    "plant", "possession", "process", "quantity", "relation", "shape", "state", "substance", "time", "body", "change",
    "cognition", "communication", "competition", "consumption", "contact", "creation", "emotion", "motion",
    "perception", "possession", "social", "stative", "weather", "participle",
)  # fmt: skip
"""Topics of WordNet's lexicographer files, by file number (lexnames); "" for files without a topic."""
_VERBS_ONLY = "brownv"
_NAMES = "names of people, groups and places, which WordNet does not list"
_SEVERAL = "words tagged with several senses"
_REMOVED = "senses that WordNet 3.0 no longer has"
_MARKS = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_TAGGED = 4
_MEND = "give SemCor 3.0 as `# part/document/sentence`, then one line per token: word, tag, sense key, sense number"


def read_semcor(name: str, path: Path, limit: int | None, seed: int) -> SenseDataset:
    """Read SemCor's sentences from blocks of lines, separated by empty lines.

    Texts in which only verbs are tagged are used for training and not for testing. A token of several words, joined by
    `_`, is split into these words.

    Args:
        name: name of the set.
        path: the file.
        limit: largest number of sentences that are used, drawn at random; None for all.
        seed: seed of the draw.

    Raises:
        BadInput: a line is malformed.
    """
    left_out: Counter[str] = Counter()
    sentences = [sentence for block in _blocks(path) if (sentence := _sentence(block, left_out, path))]
    source = Source(path.name, sha256(path), len(sentences), dict(left_out))
    return build_dataset(name, source, sample_sentences(sentences, limit, seed))


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """Yield for each block of lines between empty lines the list of (number of the line, line)."""
    for has_text, block in groupby(lines(path), key=lambda numbered: bool(numbered[1].strip())):
        if has_text:
            yield list(block)


def _sentence(block: list[tuple[int, str]], left_out: Counter[str], path: Path) -> TaggedSentence | None:
    (number, head), *tokens = block
    if not head.startswith("# ") or head.count("/") < 2:  # noqa: PLR2004 - part, document, sentence
        raise BadInput("this is not the head line of a sentence", where=f"{path}, line {number}", mend=_MEND)
    part, document, _ = head[2:].split("/", 2)
    words, targets = list[str](), list[Target]()
    for line_number, line in tokens:
        fields = line.split("\t")
        written = [_MARKS.get(word, word) for word in fields[0].split("_") if word]
        if len(fields) == _TAGGED:
            targets += _targets(
                fields, (len(words), len(words) + len(written)), left_out, f"{path}, line {line_number}"
            )
        words += written
    if not targets:
        return None
    return TaggedSentence(tuple(words), f"{part}/{document}", tuple(targets), tested=part != _VERBS_ONLY)


def _targets(fields: list[str], span: tuple[int, int], left_out: Counter[str], where: str) -> list[Target]:
    """Return a list with the tagged word of a line; an empty list if the tag cannot be used.

    Args:
        fields: the columns of the line.
        span: index in the sentence of the first of the words, and of the word after the last, that the line stands for.
        left_out: reason -> number of tags that cannot be used; is changed.
        where: the file and the line, for errors.
    """
    _, tag, key, number = fields
    why = _SEVERAL if ";" in number else _REMOVED if number == "0" else _NAMES if tag == "NNP" else ""
    if why or span[0] == span[1]:
        left_out[why or "words without letters"] += 1
        return []
    lemma, _, lex_sense = key.partition("%")
    kind, file = (*lex_sense.split(":"), "", "")[:2]
    if kind not in _CLASSES or not file.isdigit() or int(file) >= len(_FILES) or not number.isdigit():
        raise BadInput(f"{key!r} with number {number!r} is not a sense of WordNet", where=where, mend=_MEND)
    word = f"{lemma.replace('_', ' ')} ({_CLASSES[kind]})"
    label = ": ".join(filter(None, (f"WordNet sense {number}", _FILES[int(file)])))
    return [Target(*span, word, key, label, int(number))]
