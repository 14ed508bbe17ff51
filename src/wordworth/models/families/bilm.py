"""Bidirectional language model of ELMo: two independent stacks of LSTMs, one from the left and one from the right.

Peters et al. 2018 (arXiv 1802.05365), section 3.1, and allenai/bilm-tf: LSTMs with a projection, a residual connection
from one layer to the next, values clipped. The body accepts any vectors; here they are embeddings of word pieces. No
library has a class for such checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps, inside, passing
from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.encoder_base import Encoder, EncoderBody, EncoderConfig, Reads
from wordworth.models.families.base import Family, Fields
from wordworth.models.lm_heads import BidirectionalHead
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder, SavedStates
from wordworth.models.transformer import zero_embedding
from wordworth.models.transformer_config import TransformerConfig
from wordworth.models.weight_mapping import Row, WeightMap, linear, table

MODEL_TYPE = "wordworth-bilm"


@dataclass(frozen=True, kw_only=True, slots=True)
class BilmConfig(EncoderConfig):
    """The config of a bidirectional language model of LSTMs; the defaults are ELMo's, over word pieces.

    Attributes:
        vocab_size: rows of the token embedding matrix.
        projection_size: width of one direction's state and of the embedding.
        cell_size: width of an LSTM's cell.
        residual: whether each layer but the first adds its input to its states.
        cell_clip: largest absolute value in a cell; None clips nothing.
        projection_clip: largest absolute value in a state; None clips nothing.
        dropout: rate on each layer's input and on the last states; in training only.
        max_length: maximal number of tokens read at once; an LSTM itself has no limit.
        initializer_range: standard deviation of newly initialised matrices.
    """

    vocab_size: int = 30_522
    projection_size: int = 512
    cell_size: int = 4096
    num_layers: int = 2
    residual: bool = True
    cell_clip: float | None = 3.0
    projection_clip: float | None = 3.0
    dropout: float = 0.1
    max_length: int = 512
    initializer_range: float = 0.02

    @property
    def hidden_size(self) -> int:
        """Width of a state: both directions concatenated."""
        return 2 * self.projection_size

    @property
    def model_type(self) -> str:
        """The value of `model_type` in the `config.json` of a new model with this config."""
        return MODEL_TYPE

    @property
    def architecture(self) -> str | None:
        """Name of the architecture by which `pretrain` builds a model with this config."""
        return "bilm"

    @property
    def reads(self) -> Reads:
        """`bidirectional`: two separate directions, neither of which sees the other's states."""
        return "bidirectional"

    def with_dropout(self, rate: float) -> Self:
        """Return the config with this rate of dropout in training."""
        return replace(self, dropout=rate)


def matched(config: TransformerConfig) -> BilmConfig:
    """Return the config of an LSTM model with a transformer's width and, within 2 %, its number of parameters.

    The LSTM model has a third of the transformer's layers, at least ELMo's two; the parameters that its narrower token
    embedding matrix saves go into the cells. Since the model has no norms, the standard deviation of its initial
    matrices is 1 / sqrt(width), which keeps the size of values from layer to layer (LeCun et al. 1998, Efficient
    BackProp, 4.6). With BERT's 0.02 the model learns no more than word frequencies from its first million tokens.
    """
    width, layers = config.hidden_size // 2, max(2, round(config.num_layers / 3))
    tables = (config.vocab_size + config.max_positions) * config.hidden_size
    attention, mlp = 4 * config.hidden_size**2, 2 * config.hidden_size * config.intermediate_size
    remaining = tables + config.num_layers * (attention + mlp) - config.vocab_size * width
    cells = remaining / (2 * layers * (9 * width + 4))
    return BilmConfig(
        vocab_size=config.vocab_size,
        projection_size=width,
        cell_size=max(8, round(cells / 8) * 8),
        num_layers=layers,
        dropout=config.dropout,
        max_length=config.max_length,
        initializer_range=width**-0.5,
    )


class PieceEmbedding(nn.Module):
    """Embedding of word pieces without positions or segments, which an LSTM does not need.

    Vectors are multiplied by the root of their width, since the output softmax uses the same matrix (Vaswani et al.
    2017, section 3.4).
    """

    def __init__(self, config: BilmConfig) -> None:
        super().__init__()
        self.word = zero_embedding(config.vocab_size, config.projection_size)
        self.gain = config.projection_size**0.5

    def forward(self, batch: Batch) -> Tensor:
        """Return the embedding of each token of a batch, [tokens, projection_size]."""
        embedded: Tensor = self.word(batch.ids) * self.gain
        return embedded


@dataclass(frozen=True, slots=True)
class CarriedStates:
    """LSTM states carried from each sequence of a batch to the sequence of the same index in the next batch.

    Reading a batch replaces the states. The published code of ELMo never resets them to zeros, so that a sentence's
    states depend, in both directions, on the earlier sentences of the same index. To reproduce published numbers, pass
    one `CarriedStates` from batch to batch; without it, every sequence starts from zeros. If a batch has fewer
    sequences than an earlier batch, the states of the missing indices are kept.

    Attributes:
        layers: index of a layer, from 0 -> the states of as many sequences as the largest batch had.
    """

    layers: dict[int, SavedStates] = field(default_factory=dict)

    def carried(self, number: int, layer: BidirectionalLSTM, x: Tensor, order: PackedOrder) -> Tensor:
        """Run a layer from the saved states of each sequence, and save its final states in their place.

        Args:
            number: index of the layer, from 0.
            layer: the layer.
            x: [2, tokens, inputs], the inputs of both directions in the order in which each reads the batch.
            order: the order in which both directions read the batch.

        Returns:
            The states of both directions, [2, tokens, projection_size], in the order of `x`.
        """
        rows = len(order.sequences)
        saved = layer.wider(self.layers.get(number), rows, x)
        states, ends = layer.carried(x, order, SavedStates(*(values[:, :rows] for values in saved)))
        updated = (torch.cat([end, values[:, rows:]], dim=1) for end, values in zip(ends, saved, strict=True))
        self.layers[number] = SavedStates(*updated)
        return states

    def reset(self) -> None:
        """Forget all states, so that the next batch starts from zeros."""
        self.layers.clear()


class BilmBody(EncoderBody):
    """Layers of LSTMs over packed vectors."""

    def __init__(self, config: BilmConfig) -> None:
        super().__init__()
        self.config = config
        clips, width = Clips(cell=config.cell_clip, projection=config.projection_clip), config.projection_size
        self.layers = nn.ModuleList(
            BidirectionalLSTM(width, config.cell_size, width, clips) for _ in range(config.num_layers)
        )
        self.dropout = Dropout(config.dropout)

    def states(
        self,
        x: Tensor,
        starts: Tensor,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
        *,
        memory: CarriedStates | None = None,
    ) -> Iterator[Tensor]:
        """Yield the input twice side by side, then each layer's states, [tokens, 2 * projection_size] each.

        The first half of a state depends on its token and the tokens before it, the second half on its token and the
        tokens after it. With a `memory`, both halves also depend on the sequences of the same index in earlier batches.

        Args:
            x: [tokens, projection_size], the embedded tokens.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            taps: inner values to read or change.
            head_scale: must be None: an LSTM has no attention heads, whose factors [layers, heads] would be passed
                here.
            memory: states to start from, which are replaced by the final states; None starts from zeros.

        Raises:
            BadInput: `head_scale` is not None.
        """
        if head_scale is not None:
            raise BadInput("an LSTM has no attention heads to scale", mend="leave head_scale out")
        order = PackedOrder.of(starts)
        yield torch.cat([x, x], dim=-1)
        both = x[order.walk]
        for number, layer in enumerate(self._pairs()):
            layer_input = self.dropout(both)
            layer_output = (
                layer(layer_input, order) if memory is None else memory.carried(number, layer, layer_input, order)
            )
            both = layer_output + layer_input if number and self.config.residual else layer_output
            states = torch.cat([both[0][order.back[0]], both[1][order.back[1]]], dim=-1)
            states = passing(inside(taps, f"layers.{number}"), "output", states)
            yield self.dropout(states) if number == len(self.layers) - 1 else states

    def _pairs(self) -> Iterator[BidirectionalLSTM]:
        yield from (layer for layer in self.layers if isinstance(layer, BidirectionalLSTM))

    def tap_names(self) -> list[str]:
        """Return the names of all inner values that `Taps` can read or change."""
        return [f"layers.{number}.output" for number in range(len(self.layers))]


def bilm(config: BilmConfig) -> Encoder:
    """Build an encoder of bidirectional LSTMs, with weights still to be drawn (`init_weights`) or read."""
    return Encoder(config, PieceEmbedding(config), BilmBody(config))


LAYER_ROWS = tuple(
    row
    for side in ("left_to_right", "right_to_left")
    for row in (
        *linear(f"body.layers.{{}}.{side}.input", f"layers.{{}}.{side}.input"),
        *table(f"body.layers.{{}}.{side}.recurrent", f"layers.{{}}.{side}.recurrent"),
        *table(f"body.layers.{{}}.{side}.projection", f"layers.{{}}.{side}.projection"),
    )
)
HEAD_ROWS = (
    Row("heads.bilm.bias", ("softmax.bias",)),
    *table("heads.bilm.output", "softmax"),
)


def read(fields: Fields) -> BilmConfig:
    """Return the config of a bidirectional language model of LSTMs, from the fields of its `config.json`."""
    default = BilmConfig()
    integers = ("vocab_size", "projection_size", "cell_size", "max_length")
    return BilmConfig(
        **{name: fields.integer(name, getattr(default, name)) for name in integers},
        num_layers=fields.layers("num_layers", default.num_layers),
        cell_clip=_bound(fields, "cell_clip"),
        projection_clip=_bound(fields, "projection_clip"),
        residual=bool(fields.raw.get("residual", True)),
        dropout=fields.number("dropout", default.dropout),
        initializer_range=fields.number("initializer_range", default.initializer_range),
    )


def _bound(fields: Fields, name: str) -> float | None:
    return None if fields.raw.get(name) is None else fields.number(name, 0)


def write(config: BilmConfig) -> Mapping[str, Any]:
    """Return the fields of a `config.json`; `hidden_size` is added for programs that read any model's config."""
    return {**asdict(config), "hidden_size": config.hidden_size}


def bidirectional_head(config: BilmConfig, heads: Mapping[str, Tensor]) -> BidirectionalHead:
    """Return the head over the vocabulary, tied to the token embedding unless the checkpoint has a softmax matrix.

    Args:
        config: the config of the LSTM model.
        heads: name -> tensor of the checkpoint's heads.
    """
    tied = "heads.bilm.output.weight" not in heads
    return BidirectionalHead(config.vocab_size, config.projection_size, tied=tied)


BILM = Family(
    model_types=(MODEL_TYPE,),
    encoder_class="BidirectionalLanguageModel",
    table=WeightMap(rows=table("embedding.word", "embedding.word"), layer_rows=LAYER_ROWS, head_rows=HEAD_ROWS),
    read=read,
    write=write,
    build=bilm,
    new=matched,
    lm_head=bidirectional_head,
)
