"""A tagger over frozen features: the encoder is not trained, and a two-layer BiLSTM reads the states of its layers.

Devlin et al. 2019, section 5.3 and table 7: six ways of taking layers, a two-layer 768-wide BiLSTM, then a classifier.
The folder of such a model holds the unchanged encoder and the tagger's weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput, nearest
from wordworth.files import content_key, replacing_folder
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import save
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.training.bilstm_tagger import TaggedSentences, Tagger, tagger_loop, tags_of
from wordworth.training.crf import Crf, iob2_forbidden
from wordworth.training.finetuning.checkpoint import HEAD
from wordworth.training.finetuning.checkpoint_metadata import AGAIN, write_metadata, write_model_card

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.tasks.task import Examples, Rows, Task
    from wordworth.training.finetuning.run_result import HyperParameters

Strategy = Literal["embeddings", "second-to-last", "last", "weighted-last-four", "concat-last-four", "weighted-all"]
HIDDEN, LAYERS, DROPOUT = 384, 2, 0.3


def layers_of(strategy: Strategy, depth: int) -> tuple[int, ...]:
    """Return the numbers of the layers that a strategy of the feature tagger reads; 0 is the input layer.

    Args:
        strategy: the name of the strategy.
        depth: number of layers of the encoder.

    >>> layers_of("concat-last-four", 12)
    (9, 10, 11, 12)
    """
    chosen: dict[Strategy, range] = {
        "embeddings": range(1),
        "second-to-last": range(depth - 1, depth),
        "last": range(depth, depth + 1),
        "weighted-last-four": range(max(0, depth - 3), depth + 1),
        "concat-last-four": range(max(0, depth - 3), depth + 1),
        "weighted-all": range(1, depth + 1),
    }
    return tuple(chosen[strategy])


@dataclass(frozen=True, slots=True)
class Features:
    """The states of every word of a task in some layers of a frozen encoder.

    Attributes:
        strategy: which layers are used, and how they are combined.
        values: float16 [words, layers, hidden_size], the states of each word's first subword, all sentences end to end.
        lengths: int64 [sentences], the number of words in each.
    """

    strategy: Strategy
    values: NDArray[np.float16]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, encoder: TextEncoder, words: Sequence[Sequence[str]], strategy: Strategy) -> Features:
        """Return the states of the words of all sentences, computed by a frozen encoder or read from the disk cache.

        Args:
            encoder: the frozen encoder.
            words: the words of each sentence.
            strategy: which layers are used, and how they are combined.
        """
        key = content_key(
            "features", vectors_key(encoder, "training"), strategy, *("\x1f".join(sentence) for sentence in words)
        )
        values = ArrayCache().array(key, lambda: states(encoder, words, strategy))
        return cls(strategy, values, np.array([len(sentence) for sentence in words], dtype=np.int64))


def parse_strategy(name: str) -> Strategy:
    """Check the name of a strategy for combining layers, such as `concat-last-four`, and return it.

    Raises:
        BadInput: there is no strategy of that name.
    """
    strategy = next((known for known in get_args(Strategy) if known == name), None)
    if strategy is None:
        raise BadInput(f"no features {name!r}", where="--features", mend=nearest(name, get_args(Strategy)))
    return strategy  # type: ignore[no-any-return]  # typing's own arguments


def states(encoder: TextEncoder, words: Sequence[Sequence[str]], strategy: Strategy) -> NDArray[np.float16]:
    """Compute the states of each word in some layers of a frozen encoder, float16 [words, layers, hidden_size].

    Args:
        encoder: the frozen encoder.
        words: the words of each sentence.
        strategy: decides which layers are read.
    """
    layers = layers_of(strategy, encoder.depth)
    parts = [np.zeros((0, len(layers), encoder.model.width), np.float16)]
    for start in range(0, len(words), 512):
        block = encoder.word_states(words[start : start + 512], layers=layers, pooling="first")
        parts.append(block.values.transpose(1, 0, 2).astype(np.float16))
    return np.concatenate(parts)


def new_tagger(strategy: Strategy, shape: tuple[int, int], classes: Sequence[str], *, crf: bool) -> Tagger:
    """Return a tagger that reads words' states in some layers, and whose weights are not yet initialised.

    Args:
        strategy: how layers are combined.
        shape: (number of layers, hidden size) of the states.
        classes: the tags.
        crf: whether a CRF decodes the scores.
    """
    rules = Crf(len(classes), iob2_forbidden(classes)) if crf else None
    weighted = strategy.startswith("weighted")
    return Tagger(shape, len(classes), hidden=HIDDEN, layers=LAYERS, crf=rules, dropout=DROPOUT, weighted=weighted)


class FeatureTaggerTraining:
    """A run that trains a tagger over the states of a frozen encoder, with the interface `TrainableRun`.

    Args:
        features: the states of all words of the task.
        task: the task.
        rows: int64 [n], the indices of the sentences to train on.
        hyper_parameters: learning rate, batch size and epochs.
        seed: the seed of weights, batches and dropout.
        crf: whether a CRF decodes the scores.
    """

    def __init__(
        self, features: Features, task: Task, rows: Rows, hyper_parameters: HyperParameters, seed: int, *, crf: bool
    ) -> None:
        self.sentences = TaggedSentences.of(features.values, features.lengths, task.labels)
        self.steps = hyper_parameters.steps(len(rows))
        learned = rows[features.lengths[rows] > 0]
        self.network = new_tagger(features.strategy, features.values.shape[1:], task.classes, crf=crf)
        self.network.initialise(self.sentences, learned, seed)
        self.loop = tagger_loop(
            self.network,
            self.sentences,
            learned,
            rate=hyper_parameters.learning_rate,
            batch_size=hyper_parameters.batch_size,
            steps=self.steps,
            seed=seed,
        )

    def tune(self, rows: Rows) -> tuple[dict[str, float], tuple[NDArray[np.int64], ...]]:
        """Return an empty dict, as a tagger has no thresholds to tune, and predictions for some sentences.

        Args:
            rows: int64 [k], the indices of the sentences.

        Returns:
            {}, and for each sentence int64 [words], the index of each word's tag.
        """
        return {}, self.predict(rows)

    def predict(self, rows: Rows) -> tuple[NDArray[np.int64], ...]:
        """Return for each of some sentences the index of each word's predicted tag, int64 [words].

        Args:
            rows: int64 [n], the indices of the sentences.
        """
        return tags_of(
            self.network, self.sentences.features[self.sentences.words_of(rows)], self.sentences.lengths[rows]
        )


@dataclass(frozen=True, slots=True)
class FrozenFeatureModel:
    """A trained tagger over the states of a frozen encoder, read from a folder together with the encoder."""

    encoder: TextEncoder
    tagger: Tagger
    strategy: str

    def predictions(self, examples: Examples) -> tuple[NDArray[np.int64], ...]:
        """Return for each sentence the index of each word's predicted tag, int64 [words]."""
        words = examples.words or ()
        values = states(self.encoder, words, parse_strategy(self.strategy))
        return tags_of(self.tagger, values, np.array([len(sentence) for sentence in words], dtype=np.int64))


def write_features(
    folder: Path, encoder: TextEncoder, training: FeatureTaggerTraining, metadata: Mapping[str, Any]
) -> None:
    """Write the folder of a tagger over frozen features, with its encoder; an existing folder is replaced.

    Args:
        folder: where to write.
        encoder: the frozen encoder.
        training: the trained tagger.
        metadata: metadata of the task and its settings.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    with replacing_folder(folder) as neighbour:
        save(encoder, neighbour)
        write_safetensors(training.network.state_dict(), neighbour / HEAD)
        write_metadata(neighbour, metadata)
        write_model_card(neighbour, metadata)


def read_features(folder: Path, metadata: Mapping[str, Any], device: torch.device) -> FrozenFeatureModel:
    """Read a tagger over frozen features from its folder, with its encoder, onto a device.

    Args:
        folder: the folder.
        metadata: the metadata of the model.
        device: the device.

    Raises:
        BadInput: a file is missing or damaged.
    """
    encoder = read_encoder(folder)
    encoder.model.to(device)
    strategy = parse_strategy(str(metadata["features"]))
    shape = len(layers_of(strategy, encoder.depth)), encoder.model.width
    tagger = new_tagger(strategy, shape, metadata["classes"], crf=bool(metadata["crf"]))
    weights = read_safetensors(folder / HEAD)
    try:
        tagger.load_state_dict(weights)
    except RuntimeError as error:  # a name or a shape differs
        where = str(folder / HEAD)
        raise BadInput(f"cannot read: {error}", where=where, mend=AGAIN) from error
    return FrozenFeatureModel(encoder, tagger.eval(), strategy)
