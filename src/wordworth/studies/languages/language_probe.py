"""Linear probes that predict the language of a text from a layer's mean state (Wu and Dredze 2019, section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from wordworth import seeds
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.training.loop import Loss
from wordworth.training.probes.train_probe import ProbeTraining, train_probe

PER_LANGUAGE = 100
"""Most texts of a language for training and validation of a probe, and most texts for its test."""
_HELD_OUT = 5
_TRAINING = ProbeTraining(rate=0.01, batch_size=32)


@dataclass(frozen=True, slots=True)
class ProbeTexts:
    """The texts on which language probes are trained and tested, as indices into `LanguageTexts.texts`.

    Attributes:
        train: int64 [n], texts that a probe learns from.
        held_out: int64 [m], texts that decide when the probe's training stops.
        test: int64 [tests], texts on which the probe's accuracy is measured.
    """

    train: Integers
    held_out: Integers
    test: Integers

    @property
    def rows(self) -> Integers:
        """The indices of the texts of all parts, int64 [n + m + tests]: `train`, then `held_out`, then `test`."""
        return np.concatenate([self.train, self.held_out, self.test])

    @classmethod
    def of(cls, data: LanguageTexts) -> ProbeTexts:
        """Choose the same number of texts from every language, at most `PER_LANGUAGE` to train on and as many to test.

        A fifth of the texts to train on is held out to decide when training stops.
        """
        sides = [[data.rows(number, test=test) for number in range(len(data.languages))] for test in (False, True)]
        most = [min(PER_LANGUAGE, *map(len, each)) for each in sides]
        learned, tested = ([rows[:number] for rows in each] for each, number in zip(sides, most, strict=True))
        cut = max(1, most[0] // _HELD_OUT)
        return cls(*(np.concatenate(part) for part in ([r[cut:] for r in learned], [r[:cut] for r in learned], tested)))


def language_probe_hits(
    encoder: TextEncoder, data: LanguageTexts, texts: ProbeTexts, seed: int, progress: Progress
) -> Flags:
    """Train a probe of each layer, and return whether it predicts the language of each test text, bool [layers, tests].

    Args:
        encoder: the frozen encoder.
        data: the texts with their languages.
        texts: which of the texts the probes are trained and tested on.
        seed: seed of the study.
        progress: shows the progress of encoding.
    """
    with ONE_THREAD.limit():
        states = encoder.pooled_layers(data.of(texts.rows), progress=progress)
        return np.stack(
            [
                _named(states[:, layer], data, texts, seeds.child_seed(seed, "languages", "probe", str(layer)))
                for layer in range(states.shape[1])
            ]
        )


def _named(states: np.ndarray, data: LanguageTexts, texts: ProbeTexts, seed: int) -> Flags:
    """Train a probe of one layer, and return whether it predicts the language of each test text, bool [tests].

    Args:
        states: [texts, width], the layer's mean state of each text in `texts.rows`.
        data: the texts with their languages.
        texts: which of the texts the probe is trained and tested on.
        seed: seed of the training.
    """
    learned = states[: len(texts.train)]
    scaled = torch.from_numpy((states - learned.mean(0)) / np.maximum(learned.std(0), 1e-6)).float()
    gold = torch.from_numpy(data.language[texts.rows])
    probe = nn.Linear(scaled.shape[1], len(data.languages))
    nn.init.zeros_(probe.weight)
    nn.init.zeros_(probe.bias)

    def loss(items: Integers, generator: torch.Generator | None) -> Loss:  # noqa: ARG001 - a ProbeLoss
        return Loss(cross_entropy(probe(scaled[items]), gold[items], reduction="sum"), len(items))

    ends = np.cumsum([len(texts.train), len(texts.held_out)])
    train_probe(probe, loss, np.arange(ends[0]), np.arange(ends[0], ends[1]), _TRAINING, seed=seed)
    with torch.inference_mode():
        right: Flags = (probe(scaled[ends[1] :]).argmax(1) == gold[ends[1] :]).numpy()
    return right
