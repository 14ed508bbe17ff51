"""A transformer over padded rectangles of tokens, as exported graphs have them; packed batches are faster."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.attention_positions import PositionBias
from wordworth.models.batch import Batch
from wordworth.models.encoder_base import Encoder
from wordworth.models.transformer import Attention, Transformer


@dataclass(frozen=True, slots=True)
class _Rectangle(Batch):
    """A batch whose sequences all have the padded length, padding included.

    Attributes:
        width: int64 [tokens], the column of each token in the rectangle.
    """

    width: Tensor

    @property
    def positions(self) -> Tensor:
        """Position of each token in its own sequence, int64 [tokens]: the token's column in the rectangle."""
        return self.width


class PaddedTransformer(nn.Module):
    """The layers of a transformer over a rectangle of ids [texts, length]; tokens do not attend to padding.

    Args:
        model: the transformer, of which a copy in float32 is used.

    Raises:
        BadInput: the model has rotary positions, which exported graphs do not support.
    """

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        require_no_rotary(model)
        self.model = copy.deepcopy(model).float().eval()

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """Return the last states, [texts, length, hidden_size].

        Args:
            ids: int64 [texts, length], the ids of the tokens.
            mask: int64 [texts, length], 1 for a token and 0 for padding, which is at the end.
            segments: int64 [texts, length], 1 for tokens of the second text of a pair, else 0.
        """
        for layer in self.model.body.modules():
            if isinstance(layer, Attention):
                layer.attend = padded_attention(mask)
        columns = torch.arange(ids.shape[1]).expand_as(ids).reshape(-1)
        starts = torch.zeros(2, dtype=torch.int32)  # of no use: `padded_attention` knows the rows
        states: Tensor = self.model(_Rectangle(ids.reshape(-1), segments.reshape(-1), starts, width=columns))
        return states.view(ids.shape[0], ids.shape[1], -1)


def require_no_rotary(model: Encoder) -> None:
    """Check that a model has no rotary positions.

    Raises:
        BadInput: the model has rotary positions.
    """
    if getattr(model.config, "positions", None) == "rotary":
        raise BadInput("a model with rotary positions cannot be exported", mend="name one with learned positions")


def padded_attention(mask: Tensor) -> Callable[..., Tensor]:
    """Return a replacement of `models.attention.attend` for padded texts, in which tokens do not attend to padding.

    Args:
        mask: int64 [texts, length], 1 for a token and 0 for padding.
    """

    def attend(
        q: Tensor, k: Tensor, v: Tensor, _: object, *, causal: bool, bias: PositionBias | None = None, **__: object
    ) -> Tensor:
        query, key, value = (
            part.reshape(mask.shape[0], mask.shape[1], part.shape[1], part.shape[2]).transpose(1, 2)
            for part in (q, k, v)
        )
        visible = mask[:, None, None, :].bool()
        if causal:
            positions = torch.arange(mask.shape[1])
            visible = visible & (positions[None, :] <= positions[:, None])
        scores = (query * float(q.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
        if bias is not None:
            scores = scores + bias(mask.shape[1])
        weights = scores.masked_fill(~visible, torch.finfo(scores.dtype).min).softmax(-1)
        heads: Tensor = (weights @ value).transpose(1, 2).reshape(-1, v.shape[1], v.shape[2])
        return heads

    return attend
