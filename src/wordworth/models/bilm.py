"""Two stacks of LSTMs that read from the left and from the right and never see each other (ELMo).

Peters et al. 2018 (arXiv 1802.05365), section 3.1, and allenai/bilm-tf: LSTMs with a projection, a residual connection
from one layer to the next, values clipped. The body reads vectors of any origin; here they are rows of a table of word
pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.encoder_module import EncoderBody
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder, SavedStates
from wordworth.models.taps import Taps, inside, passing
from wordworth.models.transformer import Encoder, TransformerConfig
from wordworth.models.transformer_layers import zero_embedding


@dataclass(frozen=True, kw_only=True, slots=True)
class BilmConfig:
    """A bidirectional language model of LSTMs; the defaults are ELMo's, over word pieces.

    Attributes:
        vocab_size: rows of the word table.
        projection_size: width of one direction's state and of the embedding.
        cell_size: width of an LSTM's memory.
        residual: whether each layer but the first adds its input to its states.
        cell_clip: largest absolute value in a memory; None clips nothing.
        projection_clip: likewise in a state.
        dropout: rate on each layer's input and on the last states; in training only.
        max_length: tokens read at once; an LSTM sets no bound of its own.
        initializer_range: standard deviation of fresh matrices.
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
        """Numbers in a state: both directions side by side."""
        return 2 * self.projection_size


def matched(config: TransformerConfig) -> BilmConfig:
    """The bidirectional language model with as many numbers as a transformer, its states as wide (within 2 %).

    Its layers are a third of the transformer's, at least ELMo's two; what its narrower table saves goes into its cells.
    Its matrices are drawn so that values neither fade nor grow on their way (LeCun et al. 1998, Efficient BackProp,
    4.6): no norm does that here, and with BERT's 0.02 it says no more than word frequencies for a million tokens.
    """
    width, layers = config.hidden_size // 2, max(2, round(config.num_layers / 3))
    tables = (config.vocab_size + config.max_positions) * config.hidden_size
    attention, mlp = 4 * config.hidden_size**2, 2 * config.hidden_size * config.intermediate_size
    left = tables + config.num_layers * (attention + mlp) - config.vocab_size * width
    cells = left / (2 * layers * (9 * width + 4))
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
    """Word pieces become vectors, without positions or segments: an LSTM counts by itself.

    Rows are multiplied by the root of their width, as the softmax has the same table (Vaswani et al. 2017, 3.4).
    """

    def __init__(self, config: BilmConfig) -> None:
        super().__init__()
        self.word = zero_embedding(config.vocab_size, config.projection_size)
        self.gain = config.projection_size**0.5

    def forward(self, batch: Batch) -> Tensor:
        """[tokens, projection_size]."""
        embedded: Tensor = self.word(batch.ids) * self.gain
        return embedded


@dataclass(frozen=True, slots=True)
class Memory:
    """What the layers hold of each row of a batch, for the same row of the next batch; it changes as batches are read.

    The published code of ELMo never lets go of it, so that a sentence's states depend on what was read before in its
    row, of the second direction too. Whoever wants published numbers passes one `Memory` from batch to batch; with
    none, every sequence begins from zeros. Rows that a smaller batch lacks keep theirs.

    Attributes:
        layers: one entry a layer, of as many sequences as the largest batch had.
    """

    layers: dict[int, SavedStates] = field(default_factory=dict)

    def carried(self, number: int, layer: BidirectionalLSTM, x: Tensor, order: PackedOrder) -> Tensor:
        """The states of layer `number`, from what is held of each sequence, which is replaced."""
        rows = len(order.sequences)
        held = layer.wider(self.layers.get(number), rows, x)
        states, ends = layer.carried(x, order, SavedStates(*(values[:, :rows] for values in held)))
        kept = (torch.cat([end, values[:, rows:]], dim=1) for end, values in zip(ends, held, strict=True))
        self.layers[number] = SavedStates(*kept)
        return states

    def reset(self) -> None:
        """Hold nothing, as at first."""
        self.layers.clear()


class BilmBody(EncoderBody):
    """Layers of LSTMs over packed vectors of any origin."""

    def __init__(self, config: BilmConfig) -> None:
        super().__init__()
        self.config = config
        clips, width = Clips(cell=config.cell_clip, projection=config.projection_clip), config.projection_size
        self.layers = nn.ModuleList(
            BidirectionalLSTM(width, config.cell_size, width, clips) for _ in range(config.num_layers)
        )
        self.dropout = Dropout(config.dropout)

    def states(
        self, x: Tensor, starts: Tensor, taps: Taps | None = None, memory: Memory | None = None
    ) -> Iterator[Tensor]:
        """The input twice over, then each layer's states, [tokens, 2 * projection_size] each.

        The first half of a state knows its token and those before it, the second its token and those after it; with a
        memory, also what stood in the same row of the batches before.
        """
        order = PackedOrder.of(starts)
        yield torch.cat([x, x], dim=-1)
        both = x[order.walk]
        for number, layer in enumerate(self._pairs()):
            given = self.dropout(both)
            found = layer(given, order) if memory is None else memory.carried(number, layer, given, order)
            both = found + given if number and self.config.residual else found
            states = torch.cat([both[0][order.back[0]], both[1][order.back[1]]], dim=-1)
            states = passing(inside(taps, f"layers.{number}"), "output", states)
            yield self.dropout(states) if number == len(self.layers) - 1 else states

    def _pairs(self) -> Iterator[BidirectionalLSTM]:
        yield from (layer for layer in self.layers if isinstance(layer, BidirectionalLSTM))

    def tap_names(self) -> list[str]:
        """The names of all values inside."""
        return [f"layers.{number}.output" for number in range(len(self.layers))]


def bilm(config: BilmConfig) -> Encoder:
    """The encoder, its weights still to be drawn (`body.initialise`) or read (`checkpoint`)."""
    return Encoder(config, PieceEmbedding(config), BilmBody(config))
