"""A made-up reader whose vectors are known, and sentences of made-up words."""

import re
from dataclasses import dataclass

import numpy as np

from wordworth.progress import SILENT
from wordworth.studies.contextuality.collect_layer_vectors import collect
from wordworth.studies.contextuality.layer_measures import LayerData
from wordworth.studies.contextuality.sampling_plan import list_occurrences, plan
from wordworth.studies.contextuality.settings import ContextSettings

SETTINGS = ContextSettings(pool=300, sample=30, sentences=100, draws=200)
WORDS = ["w0", "w1", "the", "of", "and", "to", "in", "is"] + [f"w{place}" for place in range(2, 40)]


def sentences(number=300, seed=0):
    """Sentences of 4 to 12 words, the frequent ones more often; a comma in the middle."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, len(WORDS) + 1)
    drawn = [rng.choice(WORDS, rng.integers(4, 12), p=share / share.sum()).tolist() for _ in range(number)]
    return tuple(" ".join([*words[:2], ",", *words[2:]]) for words in drawn)


@dataclass(frozen=True)
class MadeUp:
    """Layer 0: a vector a word. Layer 1: a common part, the word's own, the sentence's and noise. Layer 2: noise."""

    name: str = "made-up"
    layers: int = 3
    width: int = 24
    dtype: str = "float32"
    unit: str = "words"
    giant: float = 1.0
    last_layer_note: str = ""

    def lengths(self, texts):  # noqa: ARG002 - as readers have it
        return None

    def forms(self, texts):
        return [[None if word == "w7" else word for word in text.split()] for text in texts]

    def spans(self, texts):
        return [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]

    def vectors(self, texts):
        return np.concatenate([self._vectors(text) for text in texts], axis=1).astype(np.float32)

    def _vectors(self, text):
        words = text.split()
        chance = np.random.default_rng(abs(sum(map(ord, text))) + len(text))
        own = np.stack([np.random.default_rng(sum(map(ord, w)) * 7 + len(w)).normal(size=self.width) for w in words])
        noise = chance.normal(size=(2, len(words), self.width))
        mixed = 0.8 + own + chance.normal(size=self.width) + 0.3 * noise[0]
        layers = np.stack([own, mixed, noise[1]])
        layers[:, 0] *= self.giant
        return layers


def layer_data(texts=None, times=None, settings=SETTINGS, model=MadeUp()):
    """Return what the study collects of a model: by default of the made-up one, on 300 sentences."""
    texts = sentences() if texts is None else texts
    of = list_occurrences(model.forms(texts), settings)
    planned = plan(of, np.ones(len(texts), np.int64) if times is None else times, settings)
    return LayerData(model.name, of, planned, collect(model, texts, of, planned, SILENT), settings)
