"""Token stores of dialogues: a dialogue is a document, a turn a sentence; a further file holds each turn's speaker."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.file_checksums import file_checksums
from wordworth.files import content_key, write_text
from wordworth.folder_lock import alone_in
from wordworth.progress import SILENT, Progress
from wordworth.sentence_formatting import count_of
from wordworth.text.cached_tokenizer import SentenceTokenizer, store_type
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.corpus.read_documents import Corpus, CorpusSettings, corpus_files
from wordworth.text.corpus.resumable_append import STATE, AppendLog
from wordworth.text.corpus.token_store import DOCUMENTS, IDS, META, SENTENCES, VERSION, TokenStore
from wordworth.text.dialogue_files import Dialogue, read_dialogues
from wordworth.text.read_compressed_file import file_sha256
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer

SPEAKERS = "speakers.bin"
_AT_ONCE = 1024
_MOST_SPEAKERS = 255


def build_dialogue_store(
    corpus: Corpus,
    tokenizer: Tokenizer,
    folder: Path | str,
    settings: CorpusSettings | None = None,
    progress: Progress = SILENT,
) -> TokenStore:
    """Build the token store of dialogues in `folder`, unless it exists already; a build that was killed resumes.

    Args:
        corpus: files that `wordworth.text.dialogue_files` can read, or folders of them.
        tokenizer: encodes the turns.
        folder: where to put the store.
        settings: only its `leave_out` is used: a file; dialogues that share text with the file are left out.
        progress: progress display, advanced by the number of dialogues.

    Returns:
        The store. Dialogues of a single turn are left out, and counted in `counts` as `single`.

    Raises:
        BadInput: a file cannot be read, or no dialogue has two turns or more.
    """
    files, store_folder = corpus_files(corpus), Path(folder)
    leave_out = None if settings is None or settings.leave_out is None else Path(settings.leave_out)
    excluded = None if leave_out is None else file_sha256(leave_out)
    key = content_key("dialogues", VERSION, [file_sha256(file) for file in files], tokenizer.fingerprint, excluded)
    with alone_in(store_folder):
        with suppress(BadInput):  # no store, or a damaged one: build it again
            existing = TokenStore.open(store_folder)
            if existing.fingerprint == key:
                (store_folder / STATE).unlink(missing_ok=True)  # else damaged files would be resumed
                return existing.require_intact(progress)
        (store_folder / META).unlink(missing_ok=True)
        with AppendLog(store_folder, key, (IDS, SENTENCES, DOCUMENTS, SPEAKERS)) as log:
            save_tokenizer(tokenizer, store_folder)
            _fill(log, _usable(files, leave_out, log.counters), SentenceTokenizer(tokenizer), progress)
            _finish(log, files, tokenizer)
    return TokenStore.open(store_folder)


def read_speakers(store: TokenStore) -> NDArray[np.uint8]:
    """Return the index of each turn's speaker within the dialogue, from 0, uint8 [turns].

    A turn is a sentence of the store.

    Raises:
        BadInput: the store is not a store of dialogues.
    """
    path = store.folder / SPEAKERS
    turns = len(store.sentences) - 1
    if not path.is_file() or path.stat().st_size != turns:
        mend = "give a .jsonl of dialogues, from which a store is built"
        raise BadInput("this token store holds no dialogues", where=str(store.folder), mend=mend)
    return np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))


def _usable(files: Iterable[Path], leave_out: Path | None, counters: dict[str, int]) -> Iterator[Dialogue]:
    """Yield the dialogues of two or more turns without overlap with the file `leave_out`, and update `counters`."""
    tests = None if leave_out is None else EvaluationTexts.read(leave_out)
    for name in ("read", "single", "overlapping", "documents", "sentences", "tokens", "bytes"):
        counters.setdefault(name, 0)
    for dialogue in islice(read_dialogues(files), counters["read"], None):
        counters["read"] += 1
        if len(dialogue.texts) == 1:
            counters["single"] += 1
        elif tests is not None and tests.overlap(" ".join(dialogue.texts)):
            counters["overlapping"] += 1
        elif dialogue.texts:
            yield dialogue


def _fill(log: AppendLog, dialogues: Iterator[Dialogue], reader: SentenceTokenizer, progress: Progress) -> None:
    """Append the dialogues to the log, a thousand at a time."""
    if not log.counters:
        log.append({SENTENCES: bytes(8), DOCUMENTS: bytes(8)})
    with progress.step("dialogues to tokens") as step:
        while batch := list(islice(dialogues, _AT_ONCE)):
            _append(log, batch, reader)
            log.commit()
            step.advance(len(batch))


def _append(log: AppendLog, batch: list[Dialogue], reader: SentenceTokenizer) -> None:
    """Append a batch of dialogues; turns without a token are left out, then dialogues of fewer than two turns."""
    counters = log.counters
    texts = [text for dialogue in batch for text in dialogue.texts]
    encoded = reader.read(texts)
    lengths = np.diff(encoded.starts)
    owner = np.repeat(np.arange(len(batch)), [len(dialogue.texts) for dialogue in batch])
    speakers = np.array([number for dialogue in batch for number in dialogue.speakers])
    turns = lengths > 0
    turns &= (np.bincount(owner[turns], minlength=len(batch)) > 1)[owner]
    ids = encoded.ids[np.repeat(turns, lengths)]
    per_dialogue = np.bincount(owner[turns], minlength=len(batch))
    ends = np.cumsum(lengths[turns]) + counters["tokens"]
    documents = np.cumsum(per_dialogue[per_dialogue > 0]) + counters["sentences"]
    log.append(
        {
            IDS: ids.astype(store_type(reader.tokenizer)).data,
            SENTENCES: ends.astype("<i8").data,
            DOCUMENTS: documents.astype("<i8").data,
            SPEAKERS: np.minimum(speakers[turns], _MOST_SPEAKERS).astype(np.uint8).data,
        }
    )
    counters["tokens"] += len(ids)
    counters["sentences"] += int(turns.sum())
    counters["documents"] += len(documents)
    counters["single"] += int((per_dialogue == 0).sum())
    counters["bytes"] += sum(len(text.encode(errors="replace")) for text in texts)


def _finish(log: AppendLog, files: list[Path], tokenizer: Tokenizer) -> None:
    """Write the metadata: a store that has its metadata counts as finished."""
    if not log.counters["documents"]:
        what = f"of {count_of(log.counters['read'], 'dialogue')} none has two turns or more"
        mend = "give dialogues of several turns: the model judges whether an utterance fits those beside it"
        raise BadInput(what, where=", ".join(map(str, files[:3])), mend=mend)
    meta = {"version": VERSION, "fingerprint": log.key, "dtype": store_type(tokenizer).str, "counts": log.counters}
    meta["sha256"] = file_checksums(log.folder, log.names)
    write_text(log.folder / META, json.dumps(meta, indent=1) + "\n")
    (log.folder / STATE).unlink(missing_ok=True)
