"""Read a token store block by block, as the texts that masking units see: each sentence is a sequence of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.masking.mask_sampling import Text

BLOCK = 1 << 20
"""Tokens in a block, about: memory does not grow with the store."""


def text_blocks(store: TokenStore, block: int = BLOCK) -> Iterator[tuple[int, Text]]:
    """Read a token store in blocks; yield (index of the block's first token in the store, the block as a `Text`).

    Unknown tokens are not maskable in these texts, so that no phrase contains one.

    Args:
        store: the store; its only special tokens are [UNK].
        block: approximate number of tokens in a block; sentences are never divided.
    """
    unknown = np.zeros(store.vocabulary.vocab_size, dtype=np.bool_)
    unknown[store.vocabulary.special_ids.get("unk", 0)] = "unk" in store.vocabulary.special_ids
    sentences = store.sentences
    first = 0
    while first < len(sentences) - 1:
        last = max(first + 1, int(np.searchsorted(sentences, sentences[first] + block, side="right")) - 1)
        base = int(sentences[first])
        ids = np.asarray(store.ids[base : sentences[last]], dtype=np.int64)
        word_starts = store.vocabulary.word_starts.find(ids)
        yield base, Text.read(ids, sentences[first : last + 1] - base, unknown, word_starts)
        first = last
