"""Token stores of a domain, of a control and of general text: parts to learn, and parts that never are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from parts.tagging import tagging_task
from wordworth.files import write_text
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.overlap import EvaluationTexts
from wordworth.text.corpus.token_store import TokenStore, build_store
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.tokenizer import Tokenizer

CORPORA = {"biomedical": "biomedical", "patents": "patents", "general": "general_heldout"}
"""The files that the three kinds of text are read from; of the last one nothing is learned."""
_TENTH = 10


@dataclass(slots=True)
class Division:
    """A corpus divided into a part to learn from and a held-out part.

    Attributes:
        learned: documents to learn from.
        held_out: documents that are never learned from.
        shared: number of documents that were left out because they share a run of words with a test text.
    """

    learned: list[str] = field(default_factory=list)
    held_out: list[str] = field(default_factory=list)
    shared: int = 0


@dataclass(frozen=True, slots=True)
class StoreSizes:
    """The sizes of a finished store.

    Attributes:
        documents: number of documents.
        characters: number of characters.
        tokens: number of tokens.
        shared: number of documents that were left out because they share a run of words with a test text.
    """

    documents: int
    characters: int
    tokens: int
    shared: int


def build(corpora: Path, tokenizer: Tokenizer, stores: Path, tasks: Sequence[str], characters: int) -> None:
    """Build every store in `stores/<corpus>/<part>`, and write their sizes to `stores/told.json`.

    Args:
        corpora: folder of the corpora.
        tokenizer: cuts the text into pieces.
        stores: folder of the stores.
        tasks: names of the tasks whose test texts are kept out.
        characters: learned at most of each corpus.
    """
    tests, facts = EvaluationTexts.of(test_texts(tasks)), dict[str, StoreSizes]()
    for name, file in CORPORA.items():
        texts = (text for _, text in iterate_texts(corpora / f"{file}.jsonl.xz"))
        division = divide(texts, tests, characters, all_held_out=name == "general")
        for part, kept in (("learned", division.learned), ("held-out", division.held_out)):
            if kept:
                store = store_of(kept, tokenizer, stores / name / part)
                length = sum(map(len, kept))
                facts[f"{name}/{part}"] = StoreSizes(len(kept), length, store.counts["tokens"], division.shared)
    write_text(
        stores / "told.json", json.dumps({name: asdict(entry) for name, entry in facts.items()}, indent=1) + "\n"
    )


def read_told(stores: Path) -> dict[str, StoreSizes]:
    """Read the sizes that `build` wrote."""
    raw = json.loads((stores / "told.json").read_text(encoding="utf-8"))
    return {name: StoreSizes(**entry) for name, entry in raw.items()}


def divide(texts: Iterable[str], tests: EvaluationTexts, characters: int, *, all_held_out: bool = False) -> Division:
    """Divide documents: a tenth, by the hash of their text, is held out; the rest is learned up to `characters`.

    Args:
        texts: documents, in any order.
        tests: texts that no document may share a run of words with.
        characters: learned at most, but for the end of the last document; the same for every corpus, so that a domain
            has no more text than its control.
        all_held_out: whether nothing is learned.
    """
    division, length = Division(), 0
    for text in sorted(set(texts), key=digest):
        if tests.overlap(text):
            division.shared += 1
        elif all_held_out or digest(text) % _TENTH == 0:
            division.held_out.append(text)
        elif length < characters:
            division.learned.append(text)
            length += len(text)
    return division


def digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def test_texts(tasks: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of the tasks' dev and test parts."""
    for name in tasks:
        task = tagging_task(name)
        yield from (task.examples.first[row] for row in task.test)


def store_of(texts: Sequence[str], tokenizer: Tokenizer, folder: Path, progress: Progress = SILENT) -> TokenStore:
    """Build a token store of texts, in their order.

    Args:
        texts: one document each.
        tokenizer: cuts the text into pieces.
        folder: folder of the store.
        progress: receives progress.
    """
    lines = folder.with_suffix(".jsonl")
    write_text(lines, "".join(json.dumps({"text": text}) + "\n" for text in texts))
    store = build_store(lines, tokenizer, folder, progress=progress)
    lines.unlink()
    return store
