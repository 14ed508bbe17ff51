"""Pairs in which each word has a code of its own, twice; and a tiny model of them."""

import numpy as np

from wordworth.text.words_and_codes_vocabulary import WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import Pairs
from wordworth.training.crossmodal.settings import CrossmodalTrainingSettings
from wordworth.training.crossmodal.train import new_model

WORDS = ("red", "green", "blue", "black")
VOCABULARY = WordsAndCodesVocabulary(WORDS, 4)


def pairs(count, seed=0, most=2):
    """Pairs of one to so many words."""
    draw = np.random.default_rng(seed)
    words = [draw.integers(0, 4, draw.integers(1, most + 1)) for _ in range(count)]
    first = VOCABULARY.first_code - len(WORDS)
    return Pairs([ids + first for ids in words], [np.repeat(VOCABULARY.code_ids(ids), 2) for ids in words])


def new_tiny_model():
    """A model with random weights, in evaluation mode."""
    settings = CrossmodalTrainingSettings(width=8, heads=2, layers=1, max_length=24, device="cpu")
    return new_model(settings, VOCABULARY, 0).eval()
