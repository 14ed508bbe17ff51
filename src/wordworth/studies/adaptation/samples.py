"""Read the texts of a task, and documents from the beginning of a corpus, some of which are held out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.corpus.evaluation_overlap import GRAM, EvaluationTexts
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files

MOST_TEXTS = 200
"""Most texts of each kind (task, corpus, control) on which the loss is measured."""
MOST_CHARACTERS = 5_000_000
"""Number of characters of a corpus after which no further document is read."""
_HELD_OUT_EVERY = 20
"""One document in this many is held out."""
_LEAST_TEXTS, _LEAST_DOCUMENTS = 20, 40


@dataclass(frozen=True, slots=True)
class CorpusSample:
    """Documents from the beginning of a corpus.

    Attributes:
        learned: the documents on which the model is pretrained further.
        held_out: the documents on which its loss is measured.
        overlapping: number of documents left out because they share 13 words in a row with a text of the task.
        characters: number of characters of all documents that were read.
        is_whole: whether the whole corpus was read.
    """

    learned: tuple[str, ...]
    held_out: tuple[str, ...]
    overlapping: int
    characters: int
    is_whole: bool

    def write(self, path: Path) -> Path:
        """Write the documents that the model is trained on as JSON Lines, {"text": ...} each; return the path."""
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in self.learned), encoding="utf-8")
        return path


def task_texts(path: Path, column: str) -> tuple[str, ...]:
    """Return the texts of a task.

    Args:
        path: the file of the task; in a .txt file every line is a text.
        column: name of the column of texts, for files with columns.

    Raises:
        BadInput: the file cannot be read, or has fewer than 20 texts.
    """
    reader = DocumentReader(CorpusSettings(text=column, layout="lines"))
    texts = tuple(document.text for document in reader.documents(corpus_files(path)))
    if len(texts) < _LEAST_TEXTS:
        what = f"a plan needs {_LEAST_TEXTS} texts of the task, and there are {len(texts)}"
        raise BadInput(what, where=str(path), mend="give a file with more texts; labels are not needed")
    return texts


def corpus_sample(paths: Iterable[Path], column: str, task: tuple[str, ...]) -> CorpusSample:
    """Read the first 5 million characters of a corpus, and hold out one in every 20 documents.

    Args:
        paths: files and folders of text.
        column: name of the column of texts, for files with columns.
        task: the texts of the task; documents that share 13 words in a row with one of them are left out.

    Raises:
        BadInput: a file cannot be read, or there are too few documents to hold some out.
    """
    files, tests = corpus_files(list(paths)), EvaluationTexts.of(task)
    learned, held_out = list[str](), list[str]()
    overlapping = characters = 0
    is_whole = True
    for number, document in enumerate(DocumentReader(CorpusSettings(text=column)).documents(files)):
        if characters > MOST_CHARACTERS:
            is_whole = False
            break
        characters += len(document.text)
        if tests.overlap(document.text):
            overlapping += 1
        elif number % _HELD_OUT_EVERY == 0:
            held_out.append(document.text)
        else:
            learned.append(document.text)
    count = len(learned) + len(held_out)
    if count < _LEAST_DOCUMENTS or not held_out:
        raise _too_few(str(files[0]), count, overlapping)
    return CorpusSample(tuple(learned), tuple(held_out), overlapping, characters, is_whole)


def _too_few(where: str, count: int, overlapping: int) -> BadInput:
    """Return the error for a corpus of too few documents, which says how many were left out as texts of the task."""
    need = f"a plan needs {_LEAST_DOCUMENTS} documents or more that share no text with the task"
    shared = f": {overlapping} share {GRAM} words in a row with it, or are one of its texts" if overlapping else ""
    mend = "give text that does not hold the task's" if overlapping else "give more text, or one document per line"
    return BadInput(f"{need}, and there are {count}{shared}", where=where, mend=mend)


def require_other_text(control: CorpusSample, corpus: CorpusSample) -> None:
    """Check that the control has at least one training document that the corpus lacks.

    Raises:
        BadInput: every training document of the control is also a training document of the corpus.
    """
    if set(control.learned) <= set(corpus.learned):
        mend = "name text of another domain, or leave it out"
        raise BadInput("the control has no text that the corpus lacks", where="--control", mend=mend)
