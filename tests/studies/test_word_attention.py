"""Attention between words is that of pieces: summed over those attended to, averaged over those that attend."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.models.activation_taps import Taps
from wordworth.progress import STILL
from wordworth.studies import word_attention as module
from wordworth.studies.word_attention import word_attention

SENTENCES = [["The", "zyzzyvas", "sat", "."], ["Yes"], ["Cats", "sleep", "."]]


@pytest.mark.parametrize("together", [1_024, 4])
def test_attention_between_words_is_that_between_their_pieces(together, monkeypatch):
    monkeypatch.setattr(module, "_BATCH_TOKENS", together)
    encoder = ww.load("mini")
    tokens = encoder.tokenizer.encode_words(SENTENCES)
    maps = list(word_attention(encoder.model, tokens, [len(words) for words in SENTENCES], STILL))
    taps = Taps(read=("layers.*.attention.probabilities",))
    for words, pieces, attention in zip(SENTENCES, tokens, maps, strict=True):
        (seen,) = encoder.activations([" ".join(words)], taps)
        heads = [
            head for layer in range(encoder.depth) for head in seen.values[f"layers.{layer}.attention.probabilities"]
        ]
        assert attention.shape == (len(heads), len(words), len(words))
        for first in range(len(words)):
            for second in range(len(words)):
                places = [np.flatnonzero(pieces.words == word) for word in (first, second)]
                expected = [head[np.ix_(*places)].sum(1).mean() for head in heads]
                assert attention[:, first, second] == pytest.approx(expected, abs=1e-5)
