"""Story endings of your own corpus: four sentences of a document, and two candidates for the fifth.

    python recipes/story_endings.py corpus.jsonl --out endings/
    wordworth finetune --data endings/train.jsonl --test endings/test.jsonl --kind multiple_choice --out run/

The right candidate is the sentence that follows, the wrong one is the fifth sentence of a passage of another document.
Every ending is right once and wrong once, so that a model which reads no context is right in half of the cases: what
Story Cloze's written endings betray of themselves (Schwartz et al. 2017, arXiv 1702.01841) these cannot. Documents of
the test file are not in the training file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.corpus.txt_layouts import paragraphs

SENTENCES, SHORTEST, LONGEST = 5, 4, 30
"""Sentences of a passage, and the least and most words of each."""
_LEAST_DOCUMENTS = 4


class Passage(NamedTuple):
    """Sentences that follow each other: the context, and the ending; with the number of their document."""

    document: int
    context: str
    ending: str


def passages(number: int, text: str, most: int) -> list[Passage]:
    """Return passages of a document that do not overlap, at most `most`, spread evenly over it."""
    cut = list(_passages(number, text))
    return [cut[index] for index in np.unique(np.linspace(0, len(cut) - 1, min(most, len(cut)), dtype=int))]


def _passages(number: int, text: str) -> Iterator[Passage]:
    for paragraph in paragraphs(text):
        window: list[str] = []
        for begin, end in sentences(paragraph):
            sentence = paragraph[begin:end]
            window = [*window, sentence] if SHORTEST <= len(sentence.split()) <= LONGEST else []
            if len(window) == SENTENCES:
                yield Passage(number, " ".join(window[:-1]), window[-1])
                window = []


def endings(of: Sequence[Passage], rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a choice for each passage, whose wrong ending is that of a passage of another document.

    Each ending is wrong exactly once: passages are put in an order by document and paired at half of their number,
    which leaves no pair of one document unless that document has more than half of all passages.

    Args:
        of: the passages of one part, training or test.
        rng: decides which passages are paired, and which ending comes first.
    """
    order = rng.permutation(len(of))
    order = order[np.argsort([of[index].document for index in order], kind="stable")]
    partner = dict(zip(order, np.roll(order, len(order) // 2), strict=True))
    late = rng.integers(2, size=len(of))
    rows = []
    for index, passage in enumerate(of):
        other = of[partner[index]]
        if other.document != passage.document:
            pair = [passage.ending, other.ending]
            rows.append(
                {"context": passage.context, "options": pair[::-1] if late[index] else pair, "label": int(late[index])}
            )
    return rows


def parts(of: Sequence[Passage], share: float, rng: np.random.Generator) -> tuple[list[Passage], list[Passage]]:
    """Return the passages of the training and of the test part, which share no document.

    Args:
        of: all passages.
        share: share of the passages in the test part, about.
        rng: decides the documents of the test part.
    """
    documents = rng.permutation(sorted({passage.document for passage in of}))
    counts = np.cumsum([sum(passage.document == each for passage in of) for each in documents])
    tested = set(documents[: int(np.searchsorted(counts, share * len(of))) + 1].tolist())
    return (
        [passage for passage in of if passage.document not in tested],
        [passage for passage in of if passage.document in tested],
    )


def write_endings(corpus: Sequence[Path], out: Path, most: int, share: float, seed: int) -> dict[str, int]:
    """Write `train.jsonl` and `test.jsonl`, and return their numbers of rows.

    Args:
        corpus: files or folders of texts.
        out: the folder to write into.
        most: most passages of a document.
        share: share of the passages to test on, about.
        seed: decides documents, pairs and the order of endings.

    Raises:
        BadInput: the corpus cannot be read, or has passages in too few documents.
    """
    reader = DocumentReader(CorpusSettings())
    each = [
        passages(number, document.text, most) for number, document in enumerate(reader.documents(corpus_files(corpus)))
    ]
    every = [passage for of_document in each for passage in of_document]
    if sum(map(bool, each)) < _LEAST_DOCUMENTS:
        row = f"{SENTENCES} sentences in a row of {SHORTEST} to {LONGEST} words"
        what = f"fewer than {_LEAST_DOCUMENTS} documents have {row}"
        raise BadInput(what, where=str(corpus[0]), mend="give more text, with its sentences in paragraphs")
    rng = seeds.child(seed, "story endings")
    counts = {}
    for name, part in zip(("train", "test"), parts(every, share, rng), strict=True):
        rows = endings(part, rng)
        write_text(out / f"{name}.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        counts[name] = len(rows)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+", help="files or folders of texts")
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--most", type=int, default=150, help="most passages of a document")
    parser.add_argument("--test-share", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts = write_endings(options.corpus, options.out, options.most, options.test_share, options.seed)
    print(f"{counts['train']:,} story endings to learn from, {counts['test']:,} to test on, in {options.out}")


if __name__ == "__main__":
    run_script(main)
