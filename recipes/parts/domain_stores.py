"""Token stores of a domain, of a control and of general text: parts to learn, and parts that never are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import accumulate
from pathlib import Path

from wordworth.checked_json import read_checked
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.progress import SILENT, Progress
from wordworth.sentence_formatting import count_of
from wordworth.text.corpus.evaluation_overlap import GRAM, EvaluationTexts
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files
from wordworth.text.corpus.token_store import TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer

GENERAL = "general"
"""The name of the general text, of which nothing is learned."""
_TENTH, _LEAST = 10, 100


@dataclass(slots=True)
class Division:
    """A corpus divided into a part to learn from and a held-out part.

    Attributes:
        learned: documents to learn from.
        held_out: documents that are never learned from.
        shared: number of documents that were left out because they share a run of words with a test text.
        documents: number of documents in both parts, before the learned ones are cut to a number of characters.
    """

    learned: list[str] = field(default_factory=list)
    held_out: list[str] = field(default_factory=list)
    shared: int = 0
    documents: int = 0

    def check(self, corpus: Path, *, all_held_out: bool = False) -> None:
        """Check that there are a hundred documents in two parts; or some in the held-out part alone.

        Args:
            corpus: file or folder of the corpus, for the error.
            all_held_out: whether nothing is learned.

        Raises:
            BadInput: there are fewer documents.
        """
        if self.held_out and (all_held_out or (self.learned and self.documents >= _LEAST)):
            return
        if self.shared and not self.held_out and not self.learned:
            what = f"every document shares {GRAM} words in a row, or is as a whole the same, with a test text"
            raise BadInput(what, where=str(corpus), mend="name a corpus that does not hold the test")
        left = count_of(self.documents, "document")
        what = f"too few documents to learn from and to hold some back: {left}, apart from the test texts"
        mend = "give a hundred or more, or in a text file one a line"
        raise BadInput(what, where=str(corpus), mend=mend)


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


def sizes_file(stores: Path) -> Path:
    """Return the file of the sizes of all stores."""
    return stores / "told.json"


def build(
    corpora: Mapping[str, Path],
    read: CorpusSettings,
    tokenizer: Tokenizer,
    stores: Path,
    tests: EvaluationTexts,
    characters: int,
) -> None:
    """Build every store in `stores/<corpus>/<part>`, and write their sizes to `stores/told.json`.

    Args:
        corpora: name -> file or folder of a corpus; of the one called `GENERAL` nothing is learned.
        read: how the corpora are read.
        tokenizer: cuts the text into pieces.
        stores: folder of the stores.
        tests: texts that no document may share a run of words with.
        characters: learned at most of each corpus, and no more than the shortest one has.

    Raises:
        BadInput: a corpus cannot be read, or too few of its documents are left.
    """
    divisions = dict[str, Division]()
    for name, corpus in corpora.items():
        divisions[name] = divide(documents(corpus, read), tests, characters, all_held_out=name == GENERAL)
        divisions[name].check(corpus, all_held_out=name == GENERAL)
    least = min(sum(map(len, division.learned)) for name, division in divisions.items() if name != GENERAL)
    sizes = dict[str, StoreSizes]()
    for name, division in divisions.items():
        for part, kept in (("learned", first_texts(division.learned, least)), ("held-out", division.held_out)):
            if kept:
                store = store_of(kept, tokenizer, stores / name / part)
                length = sum(map(len, kept))
                sizes[f"{name}/{part}"] = StoreSizes(len(kept), length, store.counts["tokens"], division.shared)
    text = json.dumps({name: asdict(entry) for name, entry in sizes.items()}, indent=1)
    write_text(sizes_file(stores), text + "\n")


def documents(corpus: Path, read: CorpusSettings) -> Iterator[str]:
    """Yield the documents of a corpus: the rows or lines of a file, or of a folder what `pretrain` reads of it.

    Args:
        corpus: the file or folder.
        read: how it is read, apart from the layout of a file.

    Raises:
        BadInput: the corpus cannot be read.
    """
    settings = replace(read, layout=read.layout if corpus.is_dir() else "lines", nfc=False, deduplicate=False)
    yield from (document.text for document in DocumentReader(settings).documents(corpus_files(corpus)))


def read_sizes(stores: Path) -> dict[str, StoreSizes]:
    """Read the sizes that `build` wrote."""
    sizes, names = read_checked(sizes_file(stores)), [each.name for each in fields(StoreSizes)]
    return {store: StoreSizes(**{name: entry[name] for name in names}) for store, entry in sizes.items()}


def divide(texts: Iterable[str], tests: EvaluationTexts, characters: int, *, all_held_out: bool = False) -> Division:
    """Divide documents: a tenth, by the hash of their text, is held out; the rest is learned up to `characters`.

    Args:
        texts: documents, in any order.
        tests: texts that no document may share a run of words with.
        characters: learned at most, but for the end of the last document.
        all_held_out: whether nothing is learned.
    """
    division = Division()
    for text in sorted(set(texts), key=digest):
        if tests.overlap(text):
            division.shared += 1
        elif all_held_out or digest(text) % _TENTH == 0:
            division.held_out.append(text)
        else:
            division.learned.append(text)
    division.documents = len(division.learned) + len(division.held_out)
    division.learned = first_texts(division.learned, characters)
    return division


def first_texts(texts: Sequence[str], characters: int) -> list[str]:
    """Return the first texts, as many whole ones as begin within a number of characters."""
    starts = accumulate(map(len, texts), initial=0)
    return [text for text, start in zip(texts, starts, strict=False) if start < characters]


def digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


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
