"""ELMo: words read by their characters, then two stacks of LSTMs (Peters et al. 2018, arXiv 1802.05365, section 3.1).

The embedding is the character convolution of Kim et al. 2016 (arXiv 1508.06615) with highways (Srivastava et al. 2015,
arXiv 1505.00387), as in allenai/bilm-tf; the body is the body of `bilm`. ELMo was published as options in JSON and
weights in HDF5; this package saves it as `config.json` and safetensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.batch import Batch, pack
from wordworth.models.encoder_base import Encoder
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bilm import BilmBody, BilmConfig, CarriedStates, bidirectional_head
from wordworth.models.families.elmo_tensor_names import ElmoNames
from wordworth.models.transformer import zero_embedding
from wordworth.text.character_tokenizer import END_WORD, FILLING, LENGTH, CharacterTokenizer

MODEL_TYPE = "elmo"
CharacterActivation = Literal["relu", "tanh"]
PUBLISHED_FILTERS = ((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024))
_WORDS_AT_ONCE = 512
"""Number of words convolved at once: a word takes 180 KB under the widest filter of the published model."""
_CARRY_BIAS = -2.0
"""Initial bias of the carry gates, so that new highways mostly pass their input on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ElmoConfig(BilmConfig):
    """The config of an ELMo; the defaults are the values of the published models (5.5B or original).

    Attributes:
        vocab_size: number of characters, the unused id 0 included, for a model that reads any word by its characters
            (`elmo`); number of words for a model that is trained over a fixed vocabulary of words, each read by its
            characters (`SpelledEmbedding`).
        character_size: width of a character's vector.
        filters: (width in characters, number of filters) of each convolution.
        num_highways: number of highway layers after the convolutions.
        activation: applied after the maximum over a word's positions.
    """

    vocab_size: int = FILLING + 1
    character_size: int = 16
    filters: tuple[tuple[int, int], ...] = PUBLISHED_FILTERS
    num_highways: int = 2
    activation: CharacterActivation = "relu"

    def __post_init__(self) -> None:
        if not self.filters or not all(1 <= width <= LENGTH and number > 0 for width, number in self.filters):
            raise ValueError(f"filters {self.filters} are not convolutions over {LENGTH} characters")

    @property
    def model_type(self) -> str:
        """The value of `model_type` in the `config.json` of a model with this config."""
        return MODEL_TYPE

    @property
    def architecture(self) -> None:
        """None: `pretrain` builds no model that reads characters."""
        return


class Highway(nn.Module):
    """A highway layer: `g * relu(W x + b) + (1 - g) * x`, where `g = sigmoid(W' x + b')`."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.transform = nn.Linear(size, size)
        self.carry = nn.Linear(size, size)

    def forward(self, x: Tensor) -> Tensor:
        """Apply a highway layer to vectors of words (Srivastava et al. 2015).

        Args:
            x: [words, size].

        Returns:
            [words, size].
        """
        return torch.lerp(x, torch.relu(self.transform(x)), torch.sigmoid(self.carry(x)))


class CharacterEmbedding(nn.Module):
    """Embedding of words from their characters; a word that occurs several times in a batch is computed once."""

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
        """Return the embedding of each word of a batch, [tokens, projection_size], from character ids [tokens, 50]."""
        return self.vectors(batch.ids)

    def vectors(self, characters: Tensor) -> Tensor:
        """Return the embedding of each word, [words, projection_size].

        Args:
            characters: character ids, int [words, 50], all above 0.
        """
        distinct, inverse = torch.unique(characters, dim=0, return_inverse=True)
        return torch.cat([self._read(part) for part in distinct.split(_WORDS_AT_ONCE)])[inverse]

    def draw(self, generator: torch.Generator) -> None:
        """Draw new weights in place, as bilm-tf does; biases of carry gates are -2, all others 0."""
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
        x = torch.cat(
            [self._convolved(flat, *each) for each in zip(self.config.filters, self.filters, strict=True)], dim=1
        )
        x = torch.relu(x) if self.config.activation == "relu" else torch.tanh(x)
        for highway in self.highways:
            x = highway(x)
        projected: Tensor = self.projection(x)
        return projected

    def _convolved(self, flat: Tensor, shape: tuple[int, int], convolution: nn.Module) -> Tensor:
        """Return the maximum of each filter of a convolution over the positions of each word, [words, filters].

        Args:
            flat: [words, 50 * character_size], the vectors of each word's characters, one after the other.
            shape: (width of the filters in characters, number of filters).
            convolution: the linear map of a window of characters to the filters.
        """
        step = self.config.character_size
        activations: Tensor = convolution(flat.unfold(1, shape[0] * step, step))
        return activations.max(dim=1).values


class SpelledEmbedding(nn.Module):
    """Embedding of a vocabulary of words, each read by its characters, for training a language model over whole words.

    After training, its `CharacterEmbedding`, the attribute `characters`, embeds any word, in the vocabulary or not: use
    it as the embedding of `elmo(config)`, with the trained body.

    Args:
        config: config of the model; its `vocab_size` is the number of words.
        spellings: int64 [vocab_size, 50], the character ids of each word.
    """

    def __init__(self, config: ElmoConfig, spellings: NDArray[np.int64]) -> None:
        super().__init__()
        self.characters = CharacterEmbedding(config)
        self.spellings: Tensor
        self.register_buffer("spellings", torch.from_numpy(spellings), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Return the embedding of each word of a batch, [tokens, projection_size], from word ids [tokens]."""
        return self.characters.vectors(self.spellings[batch.ids])


def elmo(config: ElmoConfig) -> Encoder:
    """Build an ELMo, with weights still to be drawn or read."""
    return Encoder(config, CharacterEmbedding(config), BilmBody(config))


def carried(model: Encoder, batch: Batch, memory: CarriedStates) -> Iterator[Tensor]:
    """Yield the hidden states of a batch, [tokens, width] each, as `model.states` does, but start from saved states.

    Args:
        model: an encoder whose body is a bidirectional LSTM.
        batch: the packed sequences.
        memory: the states to start from, which are replaced by the final states of the batch.

    Raises:
        TypeError: the model's body has no LSTMs.
    """
    if not isinstance(model.body, BilmBody):
        raise TypeError(f"a {type(model.body).__name__} carries no state from batch to batch")
    yield from model.body.states(model.embedding(batch), batch.starts, memory=memory)


def read_in_order(
    model: Encoder, batches: Iterable[Sequence[Sequence[str]]], memory: CarriedStates | None = None
) -> Iterator[list[NDArray[np.float32]]]:
    """Read batches of tokenized sentences as the published code does: states are carried from batch to batch.

    Args:
        model: an ELMo.
        batches: sentences as lists of words; sentence i of a batch starts from the final states of sentence i of the
            batch before.
        memory: states to start from; None starts from zeros.

    Returns:
        For each batch, the states of each sentence, float32 [layers, words, width], without boundary tokens.
    """
    carried_memory, reader = CarriedStates() if memory is None else memory, CharacterTokenizer()
    for sentences in batches:
        batch = pack(reader.encode_words(sentences)).to(model.device)
        with torch.inference_mode():
            states = torch.stack(list(carried(model, batch, carried_memory))).float()
        parts = torch.split(states, (batch.starts[1:] - batch.starts[:-1]).tolist(), dim=1)
        yield [part[:, 1:-1].numpy(force=True) for part in parts]


def read(fields: Fields) -> ElmoConfig:
    """Return the config of an ELMo, from the fields of its published options file."""
    lstm, characters = _part(fields, "lstm"), _part(fields, "char_cnn")
    characters.require("max_characters_per_token", LENGTH)
    if characters.integer("n_characters", FILLING + 1) not in (END_WORD + 1, FILLING + 1):  # one less in training
        raise BadInput(f"ELMo has {FILLING + 1} characters", where=fields.where, mend="fetch the file again")
    activation = characters.raw.get("activation", "relu")
    if activation not in ("relu", "tanh"):
        raise BadInput(f"unknown activation {activation!r}", where=fields.where, mend="it is relu or tanh")
    default = ElmoConfig()
    return ElmoConfig(
        projection_size=lstm.integer("projection_dim", default.projection_size, 1),
        cell_size=lstm.integer("dim", default.cell_size, 1),
        num_layers=lstm.layers("n_layers", default.num_layers),
        residual=bool(lstm.raw.get("use_skip_connections", False)),
        cell_clip=_bound(lstm, "cell_clip"),
        projection_clip=_bound(lstm, "proj_clip"),
        dropout=fields.number("dropout", default.dropout),
        max_length=fields.integer("max_length", default.max_length),
        character_size=_part(characters, "embedding").integer("dim", default.character_size, 1),
        filters=_filters(characters),
        num_highways=characters.layers("n_highway", default.num_highways, least=0),
        activation=activation,
    )


def write(config: ElmoConfig) -> Mapping[str, Any]:
    """Return the fields of an ELMo's published options file, and `hidden_size`.

    `hidden_size` is for programs that read any model's config.
    """
    return {
        "lstm": {
            "projection_dim": config.projection_size,
            "dim": config.cell_size,
            "n_layers": config.num_layers,
            "use_skip_connections": config.residual,
            "cell_clip": config.cell_clip,
            "proj_clip": config.projection_clip,
        },
        "char_cnn": {
            "embedding": {"dim": config.character_size},
            "filters": [list(each) for each in config.filters],
            "n_highway": config.num_highways,
            "n_characters": FILLING + 1,
            "max_characters_per_token": LENGTH,
            "activation": config.activation,
        },
        "dropout": config.dropout,
        "max_length": config.max_length,
        "hidden_size": config.hidden_size,
    }


def _part(fields: Fields, name: str) -> Fields:
    options = fields.raw.get(name)
    if not isinstance(options, dict):
        raise BadInput(f"these options have no {name!r}", where=fields.where, mend="is this the options.json of ELMo?")
    return Fields(options, fields.where)


def _filters(fields: Fields) -> tuple[tuple[int, int], ...]:
    filters = fields.raw.get("filters")
    pairs = filters if isinstance(filters, list) and len(filters) <= LENGTH else []
    if not pairs or not all(isinstance(pair, list) and [type(value) for value in pair] == [int, int] for pair in pairs):
        what = f"'filters' is {str(filters)[:60]}, not a list of [width, number]"
        raise BadInput(what, where=fields.where, mend="fetch the file again")
    for _, number in pairs:
        Fields({"a filter's number": number}, fields.where).integer("a filter's number", 1, 1)
    return tuple((width, number) for width, number in pairs)


def _bound(fields: Fields, name: str) -> float | None:
    return None if not fields.raw.get(name) else fields.number(name, 0)


ELMO = Family(
    model_types=(MODEL_TYPE,),
    encoder_class="ELMo",
    table=ElmoNames(),
    read=read,
    write=write,
    build=elmo,
    tokenizer=lambda _: CharacterTokenizer(),
    lm_head=bidirectional_head,
    special_roles=lambda _: ("bos", "eos"),
)
