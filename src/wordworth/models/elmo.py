"""ELMo: words read by their characters, under two stacks of LSTMs (Peters et al. 2018, arXiv 1802.05365, section 3.1).

The embedding is the character convolution of Kim et al. 2016 (arXiv 1508.06615) with highways (Srivastava et al. 2015,
arXiv 1505.00387), as in allenai/bilm-tf; the body is that of `bilm`, which never learns what its vectors stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.batch import Batch, pack
from wordworth.models.bilm import BilmBody, BilmConfig, Memory
from wordworth.models.transformer import Encoder
from wordworth.models.transformer_layers import zero_embedding
from wordworth.text.character_tokenizer import FILLING, LENGTH, CharacterTokenizer

CharacterActivation = Literal["relu", "tanh"]
PUBLISHED_FILTERS = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
_WORDS_AT_ONCE = 512
"""Words whose convolution is held at once: 180 KB each under the widest filter of the published model."""
_CARRY_BIAS = -2.0
"""Fresh highways mostly let their input pass."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ElmoConfig(BilmConfig):
    """ELMo; the defaults are the published model's (5.5B or original).

    Attributes:
        vocab_size: characters, the free id 0 included; of `SpelledEmbedding`, words.
        character_size: width of a character's vector.
        filters: width in characters and number of each convolution.
        num_highways: highway layers above the convolutions.
        activation: after the greatest value over a word's places is taken.
    """

    vocab_size: int = FILLING + 1
    character_size: int = 16
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    num_highways: int = 2
    activation: CharacterActivation = "relu"

    def __post_init__(self) -> None:
        if not self.filters or not all(1 <= width <= LENGTH and number > 0 for width, number in self.filters):
            raise ValueError(f"filters {self.filters} are no convolutions over {LENGTH} characters")


class Highway(nn.Module):
    """`g * relu(W x + b) + (1 - g) * x`, where `g = sigmoid(W' x + b')` is how much is changed."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.transform = nn.Linear(size, size)
        self.carry = nn.Linear(size, size)

    def forward(self, x: Tensor) -> Tensor:
        """[words, size] to the same shape."""
        return torch.lerp(x, torch.relu(self.transform(x)), torch.sigmoid(self.carry(x)))


class CharacterEmbedding(nn.Module):
    """From the characters of words to their vectors. A word that stands in a batch twice is computed once."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        size = sum(number for _, number in config.filters)
        self.config = config
        self.characters = zero_embedding(FILLING, config.character_size)
        self.filters = nn.ModuleList(
            nn.Linear(width * config.character_size, number) for width, number in config.filters
        )
        self.highways = nn.ModuleList(Highway(size) for _ in range(config.num_highways))
        self.projection = nn.Linear(size, config.projection_size)

    def forward(self, batch: Batch) -> Tensor:
        """[tokens, projection_size] from ids [tokens, 50]."""
        return self.vectors(batch.ids)

    def vectors(self, characters: Tensor) -> Tensor:
        """[words, projection_size] from characters [words, 50], none of them 0."""
        distinct, places = torch.unique(characters, dim=0, return_inverse=True)
        return torch.cat([self._read(part) for part in distinct.split(_WORDS_AT_ONCE)])[places]

    def draw(self, generator: torch.Generator) -> None:
        """Fresh weights in place, as bilm-tf draws them; biases of carry gates are -2, all others 0."""
        nn.init.uniform_(self.characters.weight, -1, 1, generator=generator)
        for module in (module for module in self.modules() if isinstance(module, nn.Linear)):
            nn.init.normal_(module.weight, std=module.in_features**-0.5, generator=generator)
            nn.init.zeros_(module.bias)
        for convolution in self.filters.parameters():
            if convolution.dim() > 1:
                nn.init.uniform_(convolution, -0.05, 0.05, generator=generator)
        for highway in self.highways.children():
            nn.init.constant_(highway.get_parameter("carry.bias"), _CARRY_BIAS)

    def _read(self, characters: Tensor) -> Tensor:
        flat = self.characters(characters - 1).flatten(1)
        x = torch.cat([self._found(flat, *each) for each in zip(self.config.filters, self.filters, strict=True)], dim=1)
        x = torch.relu(x) if self.config.activation == "relu" else torch.tanh(x)
        for highway in self.highways:
            x = highway(x)
        projected: Tensor = self.projection(x)
        return projected

    def _found(self, flat: Tensor, shape: tuple[int, int], convolution: nn.Module) -> Tensor:
        """[words, number]: the most that each filter finds anywhere in a word [words, 50 * character_size]."""
        step = self.config.character_size
        found: Tensor = convolution(flat.unfold(1, shape[0] * step, step))
        return found.max(dim=1).values


class SpelledEmbedding(nn.Module):
    """A vocabulary of words, each read by its characters: what a language model over whole words is trained with.

    Its `characters` then read any word, of the vocabulary or not: `elmo(config)` with that embedding and the body.

    Args:
        config: its `vocab_size` counts words.
        spellings: int64 [vocab_size, 50].
    """

    def __init__(self, config: ElmoConfig, spellings: NDArray[np.int64]) -> None:
        super().__init__()
        self.characters = CharacterEmbedding(config)
        self.spellings: Tensor
        self.register_buffer("spellings", torch.from_numpy(spellings), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """[tokens, projection_size] from ids [tokens]."""
        return self.characters.vectors(self.spellings[batch.ids])


def elmo(config: ElmoConfig) -> Encoder:
    """The encoder, its weights still to be drawn or read."""
    return Encoder(config, CharacterEmbedding(config), BilmBody(config))


def carried(model: Encoder, batch: Batch, memory: Memory) -> Iterator[Tensor]:
    """Every hidden state of a batch in turn, as `model.states`, after what `memory` holds of each row, which changes.

    Raises:
        TypeError: the model's body is none of LSTMs.
    """
    if not isinstance(model.body, BilmBody):
        raise TypeError(f"a {type(model.body).__name__} holds nothing from batch to batch")
    yield from model.body.states(model.embedding(batch), batch.starts, memory=memory)


def read_in_order(
    model: Encoder, batches: Iterable[Sequence[Sequence[str]]], memory: Memory | None = None
) -> Iterator[list[NDArray[np.float32]]]:
    """Batches of sentences of given words, read as the published code reads them: nothing is forgotten between batches.

    Args:
        model: an ELMo.
        batches: sentences; the first of each batch go on with what the first of the batch before left, and so on.
        memory: what is held already; None begins with nothing.

    Returns:
        For each batch, each sentence's float32 [layers, words, width], sentence boundaries left out.
    """
    held, reader = Memory() if memory is None else memory, CharacterTokenizer()
    for sentences in batches:
        batch = pack(reader.encode_words(sentences)).to(model.device)
        with torch.inference_mode():
            states = torch.stack(list(carried(model, batch, held))).float()
        parts = torch.split(states, (batch.starts[1:] - batch.starts[:-1]).tolist(), dim=1)
        yield [part[:, 1:-1].numpy(force=True) for part in parts]
