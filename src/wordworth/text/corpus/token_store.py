"""`TokenStore`: a corpus as memory-mapped token ids with bounds of sentences and documents; `build_store` builds it."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.file_checksums import changed_file, file_checksums
from wordworth.files import content_key, write_text
from wordworth.folder_lock import alone_in
from wordworth.json_file import read_object, require_fields
from wordworth.progress import SILENT, Progress
from wordworth.text.cached_tokenizer import store_type
from wordworth.text.corpus.encode_entity_links import encode_linked
from wordworth.text.corpus.index_ranges import starts_of
from wordworth.text.corpus.read_documents import (
    Corpus,
    CorpusSettings,
    Document,
    DocumentReader,
    corpus_files,
    empty_corpus_error,
)
from wordworth.text.corpus.resumable_append import STATE, AppendLog
from wordworth.text.corpus.tokenize_corpus import (
    EncodedDocuments,
    chunks,
    encode_chunks,
    expected_characters,
    useful_processes,
)
from wordworth.text.entity_link_tokenizer import LinkedTokenizer, open_tokenizer
from wordworth.text.entity_links import ENTITY
from wordworth.text.read_compressed_file import check_file, file_sha256
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.text.unknown_entity import UnknownEntity
from wordworth.text.word_starts import WordStarts

VERSION = 1
META = "store.json"
_MEND = "build the store again, or copy its folder again"
_TYPES = frozenset({"<u2", "<u4"})
_COMMIT_EVERY = 8  # chunks of about a megabyte
IDS, SENTENCES, DOCUMENTS = "ids.bin", "sentences.bin", "documents.bin"
_FEATURE = "{}.feature.bin"
_PROGRESS = ("chunks", "characters")
"""Counters of the log that record the progress of a build and are not part of the store."""


@dataclass(frozen=True)
class TokenStore:
    """A corpus of t tokens in s sentences in d documents.

    Attributes:
        ids: uint16 or uint32 [t], without special tokens, memory-mapped.
        sentences: int64 [s + 1], the index of each sentence's first token; the last entry is t.
        documents: int64 [d + 1], the index of each document's first sentence; the last entry is s.
        vocabulary: the vocabulary of the tokenizer that the store was built with.
        fingerprint: hash of the corpus bytes, the tokenizer and the settings.
        counts: numbers of documents, sentences, tokens, bytes and dropped documents, by name (see `build_store`).
        folder: the folder of the store and its tokenizer.
        features: name -> int32 [t], a further value of each token, memory-mapped; empty for plain text.
        entities: hash of the identifiers of the linked entities; empty for plain text.
        checksums: name -> SHA-256 of each file of arrays; None in stores of earlier versions.
    """

    ids: NDArray[np.uint16] | NDArray[np.uint32]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    vocabulary: Vocabulary
    fingerprint: str
    counts: Mapping[str, int]
    folder: Path
    features: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)
    entities: str = ""
    checksums: Mapping[str, str] | None = None

    @classmethod
    def open(cls, folder: Path | str) -> TokenStore:
        """Open a finished token store; `require_intact` checks its bytes.

        Raises:
            BadInput: the folder has no store, or the store is unfinished, of another version or damaged.
        """
        store_folder = Path(folder)
        if not (store_folder / META).is_file():
            mend = "build it first; a build that was stopped resumes when it is started again"
            raise BadInput("there is no finished token store here", where=str(store_folder), mend=mend)
        meta = read_object(store_folder / META, _MEND)
        if meta.get("version") != VERSION:
            what = f"this token store has version {meta.get('version')}; version {VERSION} is needed"
            raise BadInput(what, where=str(store_folder), mend=_MEND)
        _check_meta(meta, str(store_folder / META))
        counts, dtype = meta["counts"], np.dtype(meta["dtype"])
        return cls(
            ids=_memory_map(store_folder / IDS, dtype, counts["tokens"]),
            sentences=_memory_map(store_folder / SENTENCES, np.dtype("<i8"), counts["sentences"] + 1),
            documents=_memory_map(store_folder / DOCUMENTS, np.dtype("<i8"), counts["documents"] + 1),
            vocabulary=Vocabulary.of(Tokenizer.read(store_folder)),
            fingerprint=meta["fingerprint"],
            counts=counts,
            folder=store_folder,
            features={
                name: _memory_map(store_folder / _FEATURE.format(name), np.dtype("<i4"), counts["tokens"])
                for name in meta.get("features", [])
            },
            entities=str(meta.get("entities", "")),
            checksums=meta.get("sha256"),
        )

    @cached_property
    def document_tokens(self) -> NDArray[np.int64]:
        """The index of each document's first token, int64 [documents + 1]; the last entry is the number of tokens."""
        return self.sentences[self.documents]

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the store was built with."""
        return Tokenizer.read(self.folder)

    def require_intact(self, progress: Progress = SILENT) -> TokenStore:
        """Check that the arrays have the bytes that the build wrote, and return the store.

        Raises:
            BadInput: a file was changed since the build.
        """
        with progress.step("checking the token store"):
            changed = changed_file(self.folder, self.checksums)
        if changed is not None:
            raise BadInput(f"{changed.name} was changed since the store was built", where=str(self.folder), mend=_MEND)
        return self

    def require_tokenizer(self, model: Path) -> None:
        """Check that the store was built with a model's tokenizer and, if texts link to entities, the model's entities.

        Args:
            model: the model's folder.

        Raises:
            BadInput: the store was built with another tokenizer, or with links to other entities.
        """
        read = open_tokenizer(model)
        if self.entities and isinstance(read, LinkedTokenizer) and read.entities_key != self.entities:
            message = "the links of this corpus are to other entities than this model's"
            raise BadInput(message, where=str(self.folder), mend="build the store with this model's tokenizer")
        both = Tokenizer.read(model), self.tokenizer
        if len({tokenizer.without_suffix().fingerprint for tokenizer in both}) > 1:  # a left-to-right model's lacks it
            message = "the corpus was tokenized with another tokenizer than this model's"
            mend = "build the store with the model's tokenizer, or let `wordworth adapt` do so"
            raise BadInput(message, where=str(model), mend=mend)


def store_name(folder: Path) -> str:
    """Return the name of a store's corpus: the folder's name without the number that pretraining prepends."""
    return folder.name.split("-", 1)[-1] if folder.parent.name in {"corpora", "held-out"} else folder.name


def _check_meta(meta: Mapping[str, Any], where: str) -> None:
    """Check that a store's metadata has the fields and types that a build writes."""
    require_fields(meta, {"counts": dict, "dtype": str, "fingerprint": str}, where, _MEND)
    require_fields(meta["counts"], dict.fromkeys(("tokens", "sentences", "documents"), int), where, _MEND)
    if not set(meta.get("features", [])) <= {ENTITY}:
        raise BadInput(f"unknown features {meta['features']!r:.40}", where=where, mend=_MEND)
    if meta["dtype"] not in _TYPES or not all(type(count) is int and count >= 0 for count in meta["counts"].values()):
        raise BadInput("this file is damaged: its 'dtype' or 'counts'", where=where, mend=_MEND)


def build_store(
    corpus: Corpus,
    tokenizer: Tokenizer,
    folder: Path | str,
    settings: CorpusSettings | None = None,
    progress: Progress = SILENT,
) -> TokenStore:
    """Build the token store of a corpus in `folder`, unless `folder` already has a finished store of the same corpus.

    Memory does not grow with the size of the corpus, except by 100 bytes for each document where duplicates are
    dropped. A build that is killed resumes where it was, with the same bytes. If several processes (of torchrun)
    request the same store, the first builds it and the others wait for it.

    Args:
        corpus: a folder or files: .txt, .jsonl, .parquet, also compressed (.gz, .xz, .zst, .bz2).
        tokenizer: encodes the text; special tokens that stand literally in a text are read as characters.
        folder: where to put the store.
        settings: how to read the corpus.
        progress: progress display, advanced by the number of characters.

    Returns:
        The store. Its `counts` are the numbers of stored documents, sentences, tokens and bytes, and the numbers of
        documents read, empty, duplicates, composed (changed by NFC), unread (without any token) and overlapping (with
        texts to leave out).

    Raises:
        BadInput: the corpus is missing, damaged, not UTF-8 or without text, or the disk is full.
    """
    settings, store_folder, files = settings or CorpusSettings(), Path(folder), corpus_files(corpus)
    key = _fingerprint(files, tokenizer, settings)
    with alone_in(store_folder):
        with suppress(BadInput):  # no store, or a damaged one: build it again
            existing = TokenStore.open(store_folder)
            if existing.fingerprint == key:
                (store_folder / STATE).unlink(missing_ok=True)  # else damaged files would be resumed
                return existing.require_intact(progress)
        names = (IDS, SENTENCES, DOCUMENTS, *(_FEATURE.format(name) for name in _features(tokenizer)))
        try:
            with AppendLog(store_folder, key, names) as log:
                _build(log, files, tokenizer, DocumentReader(settings), progress)
        except UnknownEntity as error:
            raise error.in_files(files, [settings.text]) from error
    return TokenStore.open(store_folder)


def _build(log: AppendLog, files: list[Path], tokenizer: Tokenizer, reader: DocumentReader, progress: Progress) -> None:
    """Write all files of a store, the metadata last: until the metadata exists, the store counts as unfinished."""
    folder = log.folder
    (folder / META).unlink(missing_ok=True)
    save_tokenizer(tokenizer, folder)
    _fill(log, files, tokenizer, reader, progress)
    stored_counts = {name: number for name, number in log.counters.items() if name not in _PROGRESS}
    counts = {**asdict(reader.counts), **stored_counts}
    if reader.settings.leave_out is None:
        del counts["overlapping"]
    if not counts["tokens"]:
        raise empty_corpus_error(files, reader)
    meta: dict[str, Any] = {"version": VERSION, "fingerprint": log.key, "dtype": store_type(tokenizer).str}
    meta |= {"counts": counts, "sha256": file_checksums(folder, log.names)}
    if isinstance(tokenizer, LinkedTokenizer):
        meta |= {"features": _features(tokenizer), "entities": tokenizer.entities_key}
    write_text(folder / META, json.dumps(meta, indent=1) + "\n")
    (folder / STATE).unlink(missing_ok=True)


def _fingerprint(files: list[Path], tokenizer: Tokenizer, settings: CorpusSettings) -> str:
    decisive = {name: value for name, value in asdict(settings).items() if name not in {"processes", "leave_out"}}
    if settings.leave_out is not None:
        check_file(Path(settings.leave_out))
        decisive["leave_out"] = file_sha256(Path(settings.leave_out))
    return content_key(VERSION, [file_sha256(file) for file in files], tokenizer.fingerprint, sorted(decisive.items()))


def _features(tokenizer: Tokenizer) -> list[str]:
    """Return the names of the features that the tokens of a tokenizer have."""
    return [ENTITY] if isinstance(tokenizer, LinkedTokenizer) else []


def _encoded(
    tokenizer: Tokenizer, documents: Iterator[list[Document]], folder: Path, processes: int
) -> Generator[EncodedDocuments]:
    """Yield each chunk of documents as token ids; texts with links to entities are encoded in one process."""
    if not isinstance(tokenizer, LinkedTokenizer):
        yield from encode_chunks(documents, folder, processes)
        return
    literal = tokenizer.literal()
    yield from (encode_linked(chunk, literal) for chunk in documents)


def _fill(log: AppendLog, files: list[Path], tokenizer: Tokenizer, reader: DocumentReader, progress: Progress) -> None:
    """Append the corpus to the log, starting after the last committed chunk."""
    counters = log.counters
    if not counters:
        counters |= dict.fromkeys((*_PROGRESS, "documents", "sentences", "tokens", "unread"), 0)
        log.append({SENTENCES: bytes(8), DOCUMENTS: bytes(8)})
    todo = chunks(reader.documents(files), skip=counters["chunks"])
    with (
        progress.step("text to tokens", total=expected_characters(files)) as bar,
        closing(_encoded(tokenizer, todo, log.folder, useful_processes(reader.settings.processes, files))) as parts,
    ):
        bar.skip(counters["characters"])
        for part in parts:
            _append(log, part)
            bar.advance(part.characters)
            if counters["chunks"] % _COMMIT_EVERY == 0:
                log.commit()
    log.commit()


def _append(log: AppendLog, part: EncodedDocuments) -> None:
    """Append one chunk, with the starts of its sentences and documents counted from the beginning of the store."""
    counters = log.counters
    sentences, documents = starts_of(part.sentences)[1:], starts_of(part.documents)[1:]
    log.append(
        {
            IDS: part.ids.data,
            SENTENCES: (sentences + counters["tokens"]).astype("<i8").data,
            DOCUMENTS: (documents + counters["sentences"]).astype("<i8").data,
            **{_FEATURE.format(name): values.astype("<i4").data for name, values in part.features.items()},
        }
    )
    counters["chunks"] += 1
    counters["characters"] += part.characters
    counters["documents"] += len(part.documents)
    counters["sentences"] += len(part.sentences)
    counters["tokens"] += len(part.ids)
    counters["unread"] += part.unread


def _memory_map(path: Path, dtype: np.dtype, length: int) -> NDArray:  # type: ignore[type-arg]  # of the dtype given
    """Return a file as a memory-mapped array, [length]; raise BadInput if the file has another size."""
    size = path.stat().st_size if path.is_file() else -1
    if size != length * dtype.itemsize:
        what = f"{path.name} has {size:,} bytes where {length * dtype.itemsize:,} belong"
        raise BadInput(what, where=str(path.parent), mend=_MEND)
    return np.asarray(np.memmap(path, dtype=dtype, mode="r")) if size else np.empty(0, dtype=dtype)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary as arrays over its token ids.

    Attributes:
        vocab_size: number of rows of the token embedding matrix.
        special_ids: the id of each special token by its role: cls, sep, mask, pad, unk and any others.
        word_starts: finds where words begin in a sequence of token ids.
        special: bool [vocab_size], whether each id is the id of a special token.
        fingerprint: the fingerprint of the tokenizer that has these ids.
    """

    vocab_size: int
    special_ids: Mapping[str, int]
    word_starts: WordStarts
    special: NDArray[np.bool_]
    fingerprint: str

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Vocabulary:
        """Return the vocabulary of a tokenizer.

        Raises:
            BadInput: the tokenizer has no token in the role of [CLS] or of [SEP].
        """
        for role in ("cls", "sep"):
            if role not in tokenizer.special_ids:
                mend = "train one with `wordworth tokenizer`, or take that of a BERT-like checkpoint"
                raise BadInput(f"this tokenizer has no {role} token, which sequences begin or end with", mend=mend)
        size = tokenizer.vocab_size
        special = np.zeros(size, dtype=np.bool_)
        special[list(tokenizer.special_ids.values())] = True
        return cls(size, tokenizer.special_ids, WordStarts.of(tokenizer), special, tokenizer.fingerprint)
