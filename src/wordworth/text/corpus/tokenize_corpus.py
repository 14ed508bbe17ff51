"""Encode the documents of a corpus as ids, sentence by sentence, in order, in one process or several."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.subprocesses import child_death, exit_with_parent, ignore_sigint
from wordworth.text.cached_tokenizer import SentenceTokenizer
from wordworth.text.corpus.read_documents import Document
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.corpus.txt_layouts import paragraphs
from wordworth.text.read_compressed_file import size_of
from wordworth.text.tokenizer import Tokenizer

_CHUNK = 1 << 20
_CHUNKS_AHEAD = 2
_SMALL = 8 * _CHUNK
_SENTENCES_AT_ONCE = 8_192
_UNPACKED = {".xz": 3.7, ".bz2": 3.5, ".zst": 2.9, ".gz": 2.6, ".parquet": 1.7}


@dataclass(frozen=True, slots=True)
class EncodedDocuments:
    """Documents as token ids, sentence by sentence.

    Attributes:
        ids: uint16 or uint32 [tokens], the token ids of all documents without special tokens.
        sentences: int64 [sentences], number of tokens in each sentence, at least 1.
        documents: int64 [documents], number of sentences in each document, at least 1.
        unread: number of documents that have no token because the tokenizer drops all their characters.
        characters: number of characters in the documents, for progress reports.
        features: name -> int32 [tokens], a further value of each token, such as its entity.
    """

    ids: NDArray[np.unsignedinteger]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]
    unread: int
    characters: int
    features: Mapping[str, NDArray[np.int32]] = field(default_factory=dict)


def encode(documents: Sequence[Document], reader: SentenceTokenizer) -> EncodedDocuments:
    """Return documents as token ids; sentences and documents without a token are left out.

    For a tokenizer whose pieces include the space before a word (byte pairs, SentencePiece), a space is put before
    every sentence but the first of a document.
    """
    before = " " if reader.tokenizer.blank_mark else ""
    numbered = (
        (number, before + text if index else text)
        for number, document in enumerate(documents)
        for index, text in enumerate(sentence_texts(document))
    )
    owners, ids, sizes = list[int](), [np.empty(0, reader.dtype)], [np.empty(0, np.int64)]
    while batch := list(islice(numbered, _SENTENCES_AT_ONCE)):
        owners += [number for number, _ in batch]
        encoded_texts = reader.read([text for _, text in batch])
        ids.append(encoded_texts.ids)
        sizes.append(np.diff(encoded_texts.starts))
    lengths = np.concatenate(sizes)
    filled = np.bincount(np.array(owners, dtype=np.int64)[lengths > 0], minlength=len(documents))
    sentence_counts = filled[filled > 0]
    characters = sum(len(document.text) for document in documents)
    return EncodedDocuments(
        np.concatenate(ids), lengths[lengths > 0], sentence_counts, len(documents) - len(sentence_counts), characters
    )


def sentence_texts(document: Document) -> Iterator[str]:
    """Yield the text of each sentence of a document."""
    if document.presplit:
        yield from document.text.split("\n")
        return
    for paragraph in paragraphs(document.text):
        for begin, end in sentences(paragraph):
            yield paragraph[begin:end]


def chunks(documents: Iterable[Document], *, skip: int = 0) -> Iterator[list[Document]]:
    """Yield groups of whole documents, each of about a million characters.

    Args:
        documents: the documents.
        skip: number of groups to leave out at the start.
    """
    chunk, characters, number = list[Document](), 0, 0
    for document in documents:
        chunk.append(document)
        characters += len(document.text)
        if characters >= _CHUNK:
            number += 1
            if number > skip:
                yield chunk
            chunk, characters = [], 0
    if chunk and number >= skip:
        yield chunk


def encode_chunks(
    document_chunks: Iterable[list[Document]], tokenizer_folder: Path, processes: int
) -> Generator[EncodedDocuments]:
    """Yield the token ids of each group of documents in order, the same for any number of processes.

    Args:
        document_chunks: the groups of documents.
        tokenizer_folder: the folder of the tokenizer, which every process reads.
        processes: number of processes; 1 encodes in this process.

    Raises:
        WordworthError: a process died.
    """
    if processes == 1:
        reader = SentenceTokenizer(Tokenizer.read(tokenizer_folder))
        yield from (encode(chunk, reader) for chunk in document_chunks)
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawned, initializer=_settle) as pool:
        waiting: deque[Future[EncodedDocuments]] = deque()
        workers: set[BaseProcess] = set()
        try:
            for chunk in document_chunks:
                with ignore_sigint():
                    waiting.append(pool.submit(_encode, tokenizer_folder, chunk))
                workers.update(multiprocessing.active_children())
                if len(waiting) >= processes + _CHUNKS_AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise child_death(workers, "the same command goes on from here") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def useful_processes(processes: int, files: Iterable[Path]) -> int:
    """Return the number of processes with which to encode files: 1 if the files are so small that several take longer.

    Args:
        processes: the number to return for larger files.
        files: the files.
    """
    return processes if expected_characters(files) > _SMALL else 1


def expected_characters(files: Iterable[Path]) -> int:
    """Estimate the number of characters in files, from the sizes of the files and the usual compression ratios."""
    return sum(round(size_of(file) * _UNPACKED.get(file.suffix.lower(), 1)) for file in files)


def _encode(tokenizer_folder: Path, chunk: list[Document]) -> EncodedDocuments:
    return encode(chunk, _reader(tokenizer_folder))


@lru_cache(maxsize=1)
def _reader(tokenizer_folder: Path) -> SentenceTokenizer:
    """Return the tokenizer, read once in each process, with its cache of words."""
    return SentenceTokenizer(Tokenizer.read(tokenizer_folder))


def _settle() -> None:
    """Set up a worker process: one thread, and an exit when its parent is killed (it would wait for work for ever)."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    exit_with_parent()
