"""Words whose senses are known from the words around them, and a reader that sees those (or does not)."""

from dataclasses import dataclass, replace

import numpy as np

from wordworth.studies.senses.sense_dataset import Source, TaggedSentence, Target, build_dataset

SOURCE = Source("made-up.csv", "0" * 64, 0, {})
CUES = {"bank": {"money": ["coin", "loan", "debt"], "river": ["water", "shore", "boat"]},
        "bat": {"animal": ["wing", "night", "cave"], "club": ["ball", "swing", "game"], "rare": ["odd"]},
        "sun": {"star": ["light", "day"]}}  # fmt: skip
_SHARE = {"bank": [0.7, 0.3], "bat": [0.5, 0.45, 0.05], "sun": [1.0]}
FILL = ["here", "there", "today", "often", "then", "where"]


def made_up_sentences(number=300, seed=0, documents=30):
    """Sentences of one tagged word, a cue of its sense and words without meaning."""
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(number):
        word = str(rng.choice(list(CUES)))
        sense = str(rng.choice(list(CUES[word]), p=_SHARE[word]))
        words = [str(rng.choice(CUES[word][sense])), word, *map(str, rng.choice(FILL, 2))]
        rng.shuffle(words)
        target = Target(words.index(word), words.index(word) + 1, word, sense, sense)
        sentences.append(TaggedSentence(tuple(words), f"d{rng.integers(documents):03d}", (target,)))
    return sentences


def made_up(number=300, seed=0, documents=30):
    """The same as a set."""
    return build_dataset("made-up", SOURCE, made_up_sentences(number, seed, documents))


def permuted_within_words(of, rng):
    """The set with the sense labels of each word dealt out among its occurrences by lot."""
    sense = of.sense.copy()
    for word in range(len(of.words)):
        occurrences = np.flatnonzero(of.word == word)
        sense[occurrences] = rng.permutation(sense[occurrences])
    return replace(of, sense=sense)


@dataclass(frozen=True)
class MadeUp:
    """Layer 0: a vector a word, wherever it stands. Layer 1: mixed with the words around it."""

    name: str = "made-up model"
    layers: int = 2
    width: int = 16
    unknown: str = ""

    def lengths(self, sentences):  # noqa: ARG002 - as readers have it
        return None

    def vectors(self, sentences):
        return np.concatenate([self._vectors(sentence) for sentence in sentences], axis=1).astype(np.float32)

    def _vectors(self, sentence):
        own = np.stack([self._word(word) for word in sentence])
        layers = np.stack([own, own + own.mean(axis=0) * len(sentence)])
        layers[:, [word == self.unknown for word in sentence]] = 0
        return layers

    def _word(self, word):
        chance = np.random.default_rng(sum(ord(c) * 31**n for n, c in enumerate(word)) % 2**32)
        return chance.normal(size=self.width) * (0.3 if word in FILL else 1)


@dataclass(frozen=True)
class Static:
    """A vector a word: no context at all."""

    name: str = "made-up table"
    layers: int = 1
    width: int = 16

    def lengths(self, sentences):  # noqa: ARG002 - as readers have it
        return None

    def vectors(self, sentences):
        return MadeUp().vectors(sentences)[:1]
