"""Token stores made up in memory, and sequences taken apart again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from wordworth.text.corpus.token_store import TokenStore, Vocabulary
from wordworth.text.word_starts import WordStarts

PIECES = 1000
CLS, SEP = 2, 3
VOCABULARY = Vocabulary(
    PIECES,
    {"pad": 0, "unk": 1, "cls": CLS, "sep": SEP, "mask": 4},
    WordStarts.of_continuations(np.arange(PIECES) >= 700),
    np.arange(PIECES) < 5,
    "made up",
)


def store_of(documents, vocabulary=VOCABULARY) -> TokenStore:
    """A store of documents, each a list of the sizes of its sentences; token t is 5 + t modulo what is not special."""
    sizes = [size for document in documents for size in document]
    ids = (5 + np.arange(sum(sizes)) % (PIECES - 5)).astype(np.uint16)
    return TokenStore(
        ids=ids,
        sentences=np.cumsum([0, *sizes], dtype=np.int64),
        documents=np.cumsum([0, *map(len, documents)], dtype=np.int64),
        vocabulary=vocabulary,
        fingerprint="made up",
        counts={},
        folder=Path(),
    )


def drawn_documents(seed, count, longest=60, sentences=30):
    rng = np.random.default_rng(seed)
    return [rng.integers(1, longest, size=rng.integers(1, sentences)).tolist() for _ in range(count)]


def documents(most=8):
    """Documents of any shape, those of one sentence and sentences longer than any sequence among them."""
    sentence = st.integers(1, 12) | st.integers(1, 90)
    return st.lists(st.lists(sentence, min_size=1, max_size=12), min_size=1, max_size=most)


def document_of(store, token):
    """The document that a token of the store is in."""
    return int(np.searchsorted(store.document_tokens, token, side="right")) - 1
