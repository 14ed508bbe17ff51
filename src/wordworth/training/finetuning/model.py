"""An encoder under a new output layer, ready to be fine-tuned (Devlin et al. 2019, section 3.2)."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch
from wordworth.models.dropout import dropped
from wordworth.models.encoder_base import Encoder
from wordworth.models.length_buckets import gather_rows
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder
from wordworth.models.pooling import SentencePooling, pool
from wordworth.training.finetuning.masked_piece_scores import PieceScores
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.trainable_encoder import TrainableEncoder

ABOVE = ("output", "pooler", "recurrent")
"""Layers of a `FineTuningModel` above the encoder."""
Pooling: TypeAlias = SentencePooling | Literal["pooler"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadConfig:
    """The configuration of the layers above an encoder, and of the part of the encoder that is trained.

    Attributes:
        num_scores: number of scores for each text, option or token.
        pooling: how a sequence's states become one vector; `pooler` is BERT's tanh layer over the first token, newly
            initialised if the checkpoint has no such layer; None scores every token's state.
        trained_rows: int64 [rows], indices of the token embedding's rows to train (the words of the training texts);
            position and segment embeddings are then trained too. None trains no embedding: the encoder's own is used,
            unchanged, which halves the trained parameters of a small encoder.
        dropout: dropout rate on the input of the output layer.
        encoder_dropout: whether the encoder uses the dropout that it was pretrained with.
        bilstm: whether a newly initialised BiLSTM stands between the encoder's states and the pooling.
        vocabulary_head: the model's pretrained head over its vocabulary, a copy of which scores masked pieces; None for
            a new linear layer of `num_scores` scores.
    """

    num_scores: int
    pooling: Pooling | None
    trained_rows: NDArray[np.int64] | None = None
    dropout: float = 0.1
    encoder_dropout: bool = False
    bilstm: bool = False
    vocabulary_head: nn.Module | None = None


class BiLstm(nn.Module):
    """A BiLSTM between an encoder and the layers above it; it gives a left-to-right model context from both directions.

    Devlin et al. 2019, section 5.1 and table 5: "a randomly initialized BiLSTM on top", trained with the encoder. Its
    output has the width of its input, half for each direction. The paper gives no size: here each direction has as many
    cells as the encoder is wide, projected to half that width.

    Args:
        width: width of the encoder's states.
        generator: source of the initial weights, uniform within +-1/sqrt(width) (torch's default); biases are 0.
    """

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__()
        with torch.device("meta"):
            pair = BidirectionalLSTM(width, width, width // 2, Clips())
        self.pair: BidirectionalLSTM = pair.to_empty(device="cpu")
        bound = width**-0.5
        for name, parameter in self.pair.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            else:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def forward(self, states: Tensor, starts: Tensor) -> Tensor:
        """Return the outputs of the BiLSTM over the states of packed sequences, [tokens, width].

        Args:
            states: [tokens, width], the encoder's states of all sequences, one after the other.
            starts: int [sequences + 1], the index of the first token of each sequence, and the number of tokens as last
                entry.
        """
        order = PackedOrder.of(starts)
        left, right = self.pair(states[order.walk], order)
        return torch.cat([left[order.back[0]], right[order.back[1]]], dim=-1)


class FineTuningModel(TrainableEncoder):
    """An encoder with an output layer that scores texts, or the tokens of texts; it is on the encoder's device.

    Args:
        model: the encoder; it is not changed.
        config: the layers above it.
        generator: draws the output layer's initial weights from a normal distribution, with the standard deviation of
            the encoder's own initial weights.
    """

    def __init__(self, model: Encoder, config: HeadConfig, generator: torch.Generator) -> None:
        super().__init__(model, config.trained_rows, dropout=config.encoder_dropout)
        self.config = config
        self.pooler = _pooler(model, generator) if config.pooling == "pooler" else None
        self.output = _output(model, config, generator)
        self.recurrent = BiLstm(model.width, generator).to(model.device) if config.bilstm else None

    @property
    def device(self) -> torch.device:
        """The device on which the weights are."""
        return next(self.output.parameters()).device

    def forward(
        self,
        batch: Batch,
        generator: torch.Generator | None = None,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Return the scores of sequences, [sequences, num_scores], or of tokens without pooling, [tokens, num_scores].

        Args:
            batch: the sequences.
            generator: source of the dropout of training; None computes without dropout.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        vectors = self._vectors(self.encoded(batch, generator, taps, head_scale), batch.starts)
        scores: Tensor
        if isinstance(self.output, PieceScores):
            scores = self.output(vectors, batch, self.word_table)
        else:
            scores = self.output(dropped(vectors.float(), self.config.dropout, generator))
        return scores

    def states(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """Return the states of the encoder's last layer, or of the BiLSTM above it, [tokens, width].

        Args:
            batch: the sequences.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        states = super().states(batch, taps, head_scale)
        return states if self.recurrent is None else self.recurrent(states, batch.starts)

    def _vectors(self, states: Tensor, starts: Tensor) -> Tensor:
        if self.config.pooling is None:
            return states
        if self.pooler is not None:
            return torch.tanh(self.pooler(gather_rows(states, starts[:-1].long()).float()))
        assert self.config.pooling != "pooler"  # noqa: S101 - it has a layer of its own
        return pool(states, starts, self.config.pooling)


def over_encoder(network: FineTuningModel, model: Encoder) -> FineTuningModel:
    """Return a network with the layers of `network` on top of another encoder.

    Args:
        network: the network; it is not changed.
        model: the other encoder, as wide as the network's own.
    """
    made = FineTuningModel(model, network.config, torch.Generator())
    copy_layers_above(network, made)
    return made


def copy_layers_above(network: FineTuningModel, other: FineTuningModel) -> None:
    """Copy the weights of the layers above the encoder from a network into a second network.

    Args:
        network: the network to copy from.
        other: the network to copy to; its encoder is as wide, and its layers above are the same.
    """
    for name in ABOVE:
        layer = getattr(network, name)
        if layer is not None:
            getattr(other, name).load_state_dict(layer.state_dict())


def bf16_replica(network: FineTuningModel) -> Bf16Replica[FineTuningModel]:
    """Return a bfloat16 copy of a network, in which pooler and output layer stay float32, for exact scores."""
    replica = Bf16Replica(network)
    for layer in (replica.module.pooler, replica.module.output):
        if layer is not None:
            layer.float()
    replica.sync_weights()
    return replica


def _pooler(model: Encoder, generator: torch.Generator) -> nn.Linear:
    """Return a trainable copy of the encoder's pooler; a newly initialised pooler if the encoder has none."""
    if model.pooler is None:
        return _fresh(model, model.width, generator)
    return copy.deepcopy(model.pooler).float().requires_grad_(requires_grad=True)


def _output(model: Encoder, config: HeadConfig, generator: torch.Generator) -> nn.Linear | PieceScores:
    if config.vocabulary_head is None:
        return _fresh(model, config.num_scores, generator)
    return PieceScores(config.vocabulary_head).to(model.device)


def _fresh(model: Encoder, num_scores: int, generator: torch.Generator) -> nn.Linear:
    made: nn.Linear = nn.Linear(model.width, num_scores, device="meta").to_empty(device="cpu")
    nn.init.normal_(made.weight, std=model.config.initializer_range, generator=generator)
    nn.init.zeros_(made.bias)
    return made.to(model.device)
