"""Test whether a model predicts the masked words of test pairs from the codes, or the masked codes from the words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from wordworth.measures.weighted_sums import Floats
from wordworth.models.lm_heads import word_table
from wordworth.text.corpus.pretraining_sequences import NO_SECOND
from wordworth.text.words_and_codes_vocabulary import MASK, ROLES, WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import WORDS_SIDE, Pairs, instances_of
from wordworth.training.pretraining.batches import packed
from wordworth.training.pretraining.model import PretrainingModel

TOP = (1, 5)
"""Ranks up to which a right answer counts."""
_AT_ONCE = 256


def masked_prediction_hits(
    model: PretrainingModel, vocabulary: WordsAndCodesVocabulary, pairs: Pairs, side: int, max_length: int
) -> Iterator[tuple[Floats, Floats]]:
    """Mask all words or all codes of each pair, and count how many a model predicts correctly.

    A masked word is a hit if the right word is among the 1 or 5 words with the highest logits, and likewise for codes.

    Args:
        model: the model, in evaluation mode.
        vocabulary: the joint vocabulary of words and codes.
        pairs: the test pairs of words and codes.
        side: what is masked: `WORDS_SIDE` for the words, `CODES_SIDE` for the codes.
        max_length: the largest number of tokens of a sequence.

    Yields:
        For top 1 and then for top 5: the number of hits and the number of masked tokens of each pair, float64 [pairs].
    """
    right, answers = np.zeros((len(pairs), len(TOP))), np.zeros(len(pairs))
    ranked = slice(len(ROLES), vocabulary.first_code) if side == WORDS_SIDE else slice(vocabulary.first_code, None)
    for start in range(0, len(pairs), _AT_ONCE):
        rows = np.arange(start, min(start + _AT_ONCE, len(pairs)))
        part = pairs.take(rows)
        sides = list(zip(part.words, part.codes, strict=True))
        instances = instances_of(sides, np.full(len(part), NO_SECOND), max_length)
        hidden = np.flatnonzero((instances.segments == side) & (instances.ids >= len(ROLES)))
        owner = start + np.repeat(np.arange(len(part)), instances.lengths)[hidden]
        gold = instances.ids[hidden] - ranked.start
        instances.ids[hidden] = MASK
        with torch.inference_mode():
            states = model.encoder(packed(instances).to(model.encoder.device))[torch.from_numpy(hidden)]
            logits = model.heads["mlm"](states, word_table(model.encoder))[:, ranked].float().cpu().numpy()
        above = (logits > logits[np.arange(len(gold)), gold][:, None]).sum(1)
        answers += np.bincount(owner, minlength=len(pairs))
        for column, top in enumerate(TOP):
            right[:, column] += np.bincount(owner, weights=above < top, minlength=len(pairs))
    return ((right[:, column], answers) for column in range(len(TOP)))
