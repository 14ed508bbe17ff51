"""Tagged sentences as text, with the entities of one type replaced, and F1 on that type or on all others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from parts import tuning
from parts.scored import Scored
from parts.tagging import Tags, tags_of
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.measures.chunk_f1 import Chunks, chunks, scheme
from wordworth.measures.metrics import metric
from wordworth.tasks.task import Task
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.file_formats.conll import read_conll
from wordworth.text.read_compressed_file import read_raw
from wordworth.training.finetuning.run_result import Result

PLACEHOLDER = "[**Name**]"
"""What stands for a name in the notes of MIMIC-III, without the words that say which kind of name it was."""


class TaggedText(NamedTuple):
    """The sentences of a tagged file.

    Attributes:
        words: the words of each sentence.
        spans: the entities; words are numbered through all sentences.
        types: names of the entities' types.
        documents: number of each sentence's document; every sentence is one where the file marks none.
    """

    words: list[list[str]]
    spans: Chunks
    types: tuple[str, ...]
    documents: Sequence[int]


def read_tagged(path: Path) -> TaggedText:
    """Read a CoNLL file.

    Raises:
        BadInput: the file cannot be read.
    """
    table = read_conll(read_raw(path))
    words, tags = ([json.loads(cell) for cell in table.columns[name]] for name in ("words", "tags"))
    names = sorted({tag for sentence in tags for tag in sentence})
    number = {name: index for index, name in enumerate(names)}
    rule = scheme(names)
    spans = chunks([np.array([number[tag] for tag in sentence]) for sentence in tags], rule)
    return TaggedText(words, spans, rule.types, table.document_of or range(len(words)))


def require_type(types: Sequence[str], wanted: str, path: Path) -> None:
    """Raise BadInput unless entities of the type occur beside entities of others."""
    if wanted not in types or len(types) == 1:
        what = f"no entities of the type {wanted!r} beside others; there is {', '.join(types) or 'none'}"
        raise BadInput(what, where=str(path), mend="name the type of persons with --person")


def shared_sentences(tagged: TaggedText, tests: EvaluationTexts) -> list[bool]:
    """Return for each sentence of a tagged file whether it shares a run of words with the tests."""
    return [tests.overlap(" ".join(words)) for words in tagged.words]


def texts_to_leave_out(path: Path) -> EvaluationTexts:
    """Return the sentences of a tagged file that is tested on, which no text to go on with may share."""
    return EvaluationTexts.of(map(" ".join, read_tagged(path).words))


def replaced_texts(path: Path, replaced: str | None, tests: EvaluationTexts) -> list[str]:
    """Return the text of each document of a tagged file, without sentences that share a run of words with the tests.

    Args:
        path: the file.
        replaced: type of the entities that are replaced by `PLACEHOLDER`; None replaces nothing.
        tests: the sentences that are tested on.

    Raises:
        BadInput: the file has no entities of that type, or none of others, or no sentence is left.
    """
    tagged = read_tagged(path)
    words = [word for sentence in tagged.words for word in sentence]
    if replaced is not None:
        require_type(tagged.types, replaced, path)
    rows = zip(tagged.spans.start.tolist(), tagged.spans.end.tolist(), tagged.spans.kind.tolist(), strict=True)
    for start, end, kind in rows:
        if tagged.types[kind] == replaced:
            words[start:end] = [PLACEHOLDER, *[""] * (end - start - 1)]
    ends = np.cumsum([len(sentence) for sentence in tagged.words]).tolist()
    texts: dict[int, list[str]] = {}
    shared = shared_sentences(tagged, tests)
    for document, sentence, end, left_out in zip(tagged.documents, tagged.words, ends, shared, strict=True):
        if not left_out:
            texts.setdefault(document, []).append(" ".join(word for word in words[end - len(sentence) : end] if word))
    if not texts:
        what = "every sentence shares 13 words in a row, or is as a whole the same, with a test sentence"
        raise BadInput(what, where=str(path), mend="name a training file that is not the test file")
    return [" ".join(sentences) for sentences in texts.values()]


def write_texts(texts: Sequence[str], made: Path) -> None:
    """Write texts as JSON Lines, one document each."""
    write_text(made, "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts))


def write_names(path: Path, kind: str, made: Path, *, wanted: bool) -> None:
    """Write the sentences of a tagged file with the entities of one type alone, or of all others, tagged.

    Args:
        path: the tagged file.
        kind: the type.
        made: the file to write, in IOB2.
        wanted: whether entities of the type are tagged, or those of the other types.

    Raises:
        BadInput: the file has no entities of that type, or none of others.
    """
    tagged = read_tagged(path)
    require_type(tagged.types, kind, path)
    tags = ["O"] * sum(map(len, tagged.words))
    rows = zip(tagged.spans.start.tolist(), tagged.spans.end.tolist(), tagged.spans.kind.tolist(), strict=True)
    for start, end, number in rows:
        if (tagged.types[number] == kind) == wanted:
            tags[start:end] = [f"B-{tagged.types[number]}", *[f"I-{tagged.types[number]}"] * (end - start - 1)]
    remaining = iter(tags)
    sentences = ["".join(f"{word}\t{next(remaining)}\n" for word in sentence) for sentence in tagged.words]
    write_text(made, "\n".join(sentences))


def f1_of_types(results: Sequence[Result], task: Task, kind: str, *, wanted: bool) -> Scored:
    """Return the entity F1 of runs on the entities of one type, or on those of all others.

    Args:
        results: results of the runs.
        task: the task.
        kind: the type.
        wanted: whether entities of the type are scored, or those of the other types.
    """
    outside = task.classes.index("O")
    kept = np.array(
        [number if (tag.partition("-")[2] == kind) == wanted else outside for number, tag in enumerate(task.classes)]
    )

    def only(tags: Tags) -> Tags:
        return tuple(kept[of_sentence] for of_sentence in tags)

    rule, gold = metric("entity_f1", task.classes), only(cast("Tags", task.gold(task.test)))
    weights = tuning.resampled(task, slice(None), task.name)
    predictions = [only(tags_of(result, task)) for result in results]
    point = np.array([rule.score(gold, tags) for tags in predictions], dtype=np.float64)
    return Scored(point, np.array([rule.score(gold, tags, weights) for tags in predictions]))
