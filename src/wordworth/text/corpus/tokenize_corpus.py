"""Encode the chunks of a corpus, in order, in one process or several."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path

from wordworth.errors import WordworthError
from wordworth.subprocesses import exit_with_parent, ignore_sigint
from wordworth.text.corpus.documents import Document
from wordworth.text.corpus.encoding import Encoded, encode
from wordworth.text.corpus.word_reader import WordReader
from wordworth.text.tokenizer import Tokenizer

_CHUNK = 1 << 20
_AHEAD = 2
_SMALL = 8 * _CHUNK
_UNPACKED = {".xz": 3.7, ".bz2": 3.5, ".zst": 2.9, ".gz": 2.6, ".parquet": 1.7}


def chunks(documents: Iterable[Document], *, skip: int = 0) -> Iterator[list[Document]]:
    """Groups of whole documents, about a million characters each, without the first `skip` groups."""
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


def encoded(some: Iterable[list[Document]], tokenizer_folder: Path, processes: int) -> Generator[Encoded]:
    """The ids of every chunk, in order; the same for any number of processes.

    Raises:
        WordworthError: a process died.
    """
    if processes == 1:
        reader = WordReader(Tokenizer.read(tokenizer_folder))
        yield from (encode(chunk, reader) for chunk in some)
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawned, initializer=_settle) as pool:
        waiting: deque[Future[Encoded]] = deque()
        try:
            for chunk in some:
                with ignore_sigint():
                    waiting.append(pool.submit(_encode, tokenizer_folder, chunk))
                if len(waiting) >= processes + _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            mend = "build with processes=1, or put the call under `if __name__ == '__main__':`"
            raise WordworthError("a process died: memory ran out, or it could not start", mend=mend) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def worthwhile(processes: int, files: Iterable[Path]) -> int:
    """The number of processes to use: one for a corpus that is read before others would have started."""
    return processes if expected_characters(files) > _SMALL else 1


def expected_characters(files: Iterable[Path]) -> float:
    """Estimate the characters of text in files, from their sizes and the usual compression ratios."""
    return sum(file.stat().st_size * _UNPACKED.get(file.suffix.lower(), 1.0) for file in files)


def _encode(tokenizer_folder: Path, chunk: list[Document]) -> Encoded:
    return encode(chunk, _reader(tokenizer_folder))


@lru_cache(maxsize=1)
def _reader(tokenizer_folder: Path) -> WordReader:
    """The tokenizer, read once in each process, with its cache of words."""
    return WordReader(Tokenizer.read(tokenizer_folder))


def _settle() -> None:
    """Set up a worker process: one thread, and an exit when its parent is killed (it would wait for work for ever)."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    exit_with_parent()
