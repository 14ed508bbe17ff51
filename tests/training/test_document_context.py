"""Sentences between their neighbours of the same document."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.tokens import Tokens
from wordworth.training.document_context import with_document_context


def sentence(length, start):
    """[CLS] words [SEP], a piece a word."""
    ids = np.array([2, *range(start, start + length), 3])
    words = np.array([-1, *range(length), -1], np.int32)
    return Tokens(ids, np.zeros_like(ids), np.zeros((length + 2, 2), np.int32), words)


@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=12),
    limit=st.integers(6, 40),
    documents=st.lists(st.integers(0, 2), min_size=12, max_size=12),
)
def test_a_sentence_between_its_neighbours_fills_the_window_and_keeps_its_own_words(lengths, limit, documents):
    numbers = sorted(documents[: len(lengths)])
    starts = np.cumsum([10, *lengths])[:-1]
    sentences = [sentence(length, int(start)) for length, start in zip(lengths, starts, strict=True)]
    windows = with_document_context(sentences, numbers, limit)
    for row, (alone, window) in enumerate(zip(sentences, windows, strict=True)):
        mine = sum(length for length, number in zip(lengths, numbers, strict=True) if number == numbers[row])
        assert len(window) == max(len(alone), min(limit, mine + 2))
        assert window.ids[window.words >= 0].tolist() == alone.ids[1:-1].tolist()
        inner = window.ids[1:-1]
        assert (np.diff(inner) == 1).all()  # the text of the document, in its order, with nothing left out
