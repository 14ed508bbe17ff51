"""The folder of a tagger over frozen features: the unchanged encoder, and the tagger's weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.models.export import save
from wordworth.models.read_encoder import read_encoder
from wordworth.models.safetensors_file import read_safetensors, write_safetensors
from wordworth.studies.finetune.features import FeatureAttempt, FeatureTagger, layers_of, parse_strategy, states
from wordworth.training.finetuning.checkpoint import HEAD
from wordworth.training.finetuning.checkpoint_metadata import AGAIN, write_facts
from wordworth.training.finetuning.model_card import write_tuned_card

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wordworth.models.text_encoder import TextEncoder


@dataclass(frozen=True, slots=True)
class ReadFeatures:
    """A tagger read from a folder, with its encoder."""

    encoder: TextEncoder
    tagger: FeatureTagger
    strategy: str

    def tags(self, words: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], ...]:
        """Predict one tag for each word of each sentence."""
        values = states(self.encoder, words, parse_strategy(self.strategy))
        return self.tagger.tags(values, np.array([len(sentence) for sentence in words], dtype=np.int64))


def write_features(folder: Path, encoder: TextEncoder, attempt: FeatureAttempt, facts: Mapping[str, Any]) -> None:
    """Write encoder and tagger; an existing folder is replaced.

    Args:
        folder: where to write.
        encoder: the frozen encoder.
        attempt: the trained tagger.
        facts: metadata of the task and its settings.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    with replacing_folder(folder) as neighbour:
        save(encoder, neighbour)
        write_safetensors(attempt.network.state_dict(), neighbour / HEAD)
        write_facts(neighbour, facts)
        write_tuned_card(neighbour, facts)


def read_features(folder: Path, facts: Mapping[str, Any], device: torch.device) -> ReadFeatures:
    """Read the tagger of a folder, with its encoder on a device.

    Raises:
        BadInput: a file is missing or damaged.
    """
    encoder = read_encoder(folder)
    encoder.model.to(device)
    strategy = parse_strategy(str(facts["features"]))
    shape = len(layers_of(strategy, encoder.depth)), encoder.model.width
    tagger = FeatureTagger(strategy, shape, facts["classes"], crf=bool(facts["crf"]))
    weights = read_safetensors(folder / HEAD)
    try:
        tagger.load_state_dict(weights)
    except RuntimeError as error:  # a name or a shape differs
        where = str(folder / HEAD)
        raise BadInput(f"cannot read: {error}", where=where, mend=AGAIN) from error
    return ReadFeatures(encoder, tagger.eval(), strategy)
