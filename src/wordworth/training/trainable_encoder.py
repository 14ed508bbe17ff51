"""`TrainableEncoder`: a copy of an encoder whose weights are trained, with or without dropout."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.activation_taps import Taps, passing
from wordworth.models.batch import Batch
from wordworth.models.dropout import draw_from
from wordworth.models.encoder_base import Encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.training.partial_embedding import SharedReference, TrainableRows

_GRAIN, _LARGE = 32, 512


class TrainableEncoder(nn.Module):
    """A trainable float32 copy of an encoder's embedding and layers, on the encoder's device.

    Args:
        model: the encoder; it is not changed.
        trained_rows: int64 [rows], indices of the rows of the token embedding matrix to train; position and segment
            embeddings are then trained too. None trains no embedding: the encoder's own is used, unchanged.
        dropout: whether training uses the dropout with which the encoder was pretrained.
    """

    def __init__(self, model: Encoder, trained_rows: NDArray[np.int64] | None, *, dropout: bool) -> None:
        super().__init__()
        self.dropout, self._longest = dropout, model.config.max_length
        self._shared = SharedReference(model.embedding)
        self.embedding = None if trained_rows is None else _trainable(model.embedding, trained_rows)
        self.body = copy.deepcopy(model.body).float().eval().requires_grad_(requires_grad=True)

    @property
    def trained_embedding(self) -> TrainableRows | None:
        """The token embedding matrix as it is trained; None if it is frozen."""
        table = getattr(self.embedding, "word", None)
        return table if isinstance(table, TrainableRows) else None

    @property
    def word_table(self) -> Tensor:
        """The token embedding matrix, [vocabulary, embedding width], for a head over the vocabulary that is tied to it.

        If the matrix is trained, every row of it must be trained, not only the rows of the training texts.
        """
        return (
            self._shared.value.get_parameter("word.weight")
            if self.trained_embedding is None
            else self.trained_embedding.rows
        )

    def freeze_layers(self, number: int) -> None:
        """Exclude the first layers of a transformer from training; their dropout is not changed.

        Args:
            number: number of layers, from the lowest.
        """
        if number:
            layers = self.body.get_submodule("layers")
            for layer in list(layers.children())[:number]:
                layer.requires_grad_(requires_grad=False)

    def encoded(
        self,
        batch: Batch,
        generator: torch.Generator | None = None,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Return the states of the encoder's last layer for a batch, [tokens, width], as computed in training.

        Args:
            batch: the sequences.
            generator: source of the dropout of training; None computes as in inference, without dropout.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        self._set_dropout(generator)
        padded = batch if generator is None else with_rounded_length(batch, self._longest)
        return self.states(padded, taps, head_scale)[: len(batch.ids)]

    def states(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """Return the states of the encoder's last layer, [tokens, width], with dropout as it is currently set.

        The method `encoded` sets dropout, then calls `states`.

        Args:
            batch: the sequences.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        if self.embedding is not None:
            embedded = self.embedding(batch)
        else:
            with torch.no_grad():
                embedded = self._shared.value(batch).to(next(self.body.parameters()).dtype)
        layers: Iterator[Tensor] = self.body.of_batch(passing(taps, "embedding", embedded), batch, taps, head_scale)
        return deque(layers, maxlen=1)[0]

    def trained(self, encoder: TextEncoder, *, pooler: bool = False) -> Encoder:
        """Return a copy of the model of an encoder with the trained weights.

        Args:
            encoder: the encoder that training started from.
            pooler: whether the copy has a pooler, whose weights the caller then has to load.
        """
        model = encoder.checkpoint.family.build(encoder.model.config.with_pooler(has_pooler=pooler))
        embedding = dict(encoder.model.embedding.state_dict())
        if self.embedding is not None:
            embedding |= {name: value for name, value in self.embedding.state_dict().items() if name in embedding}
        if self.trained_embedding is not None:
            embedding["word.weight"] = self.trained_embedding.full_table()
        model.embedding.load_state_dict(embedding)
        model.body.load_state_dict(self.body.state_dict())
        return model.eval()

    def _set_dropout(self, generator: torch.Generator | None) -> None:
        """Turn the encoder's dropout on if there is a generator to draw it from and training uses dropout; else off."""
        trained = [part for part in (self.embedding, self.body) if part is not None]
        for part in trained:
            part.train(generator is not None and self.dropout)
        if self.trained_embedding is not None:
            self.trained_embedding.train(generator is not None)
        if generator is not None:
            draw_from(self, np.random.default_rng(generator.initial_seed()))


def with_rounded_length(batch: Batch, longest: int = 2 * _GRAIN) -> Batch:
    """Return a batch with a dummy sequence appended, so that its number of tokens is round.

    The results for the other sequences are unchanged.

    If the encoder reads fewer tokens at once than the dummy has, there are several dummies.

    CPU libraries compile a kernel for each new number of rows. Without rounding, compiling took most of the time of a
    backward pass over short texts. On a GPU the batch is returned unchanged.

    Args:
        batch: the sequences.
        longest: the longest sequence that the encoder reads, in tokens.
    """
    if batch.ids.is_cuda:
        return batch
    missing = -len(batch.ids) % (_GRAIN if len(batch.ids) < _LARGE else 2 * _GRAIN)
    if not missing:
        return batch
    ids = torch.cat([batch.ids, batch.ids[:1].repeat_interleave(missing, dim=0)])
    segments = torch.cat([batch.segments, batch.segments[:1].expand(missing)])
    features = {
        name: torch.cat([values, values[:1].repeat_interleave(missing, dim=0)])
        for name, values in batch.features.items()
    }
    ends = batch.starts[-1:] + batch.starts.new_tensor([*range(longest, missing, longest), missing])
    return Batch(ids, segments, torch.cat([batch.starts, ends]), features=features)


def _trainable(embedding: nn.Module, used: NDArray[np.int64]) -> nn.Module:
    """Return a trainable copy of an embedding; of its word table only the rows with the indices `used` are trained."""
    table = embedding.get_submodule("word").get_parameter("weight")
    copied = copy.deepcopy(embedding, {id(embedding.word): nn.Identity()}).float()
    copied.requires_grad_(requires_grad=True)
    copied.word = TrainableRows(table, used)
    return copied.eval()
