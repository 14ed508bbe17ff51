"""ELMo as published: options in JSON, weights in HDF5; saved as `config.json` and safetensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordworth.errors import BadInput
from wordworth.models.elmo import ElmoConfig, elmo
from wordworth.models.families.base import Family
from wordworth.models.families.config_fields import Fields
from wordworth.models.families.elmo_names import ElmoNames
from wordworth.text.character_tokenizer import END_WORD, FILLING, LENGTH, CharacterTokenizer

MODEL_TYPE = "elmo"


def read(fields: Fields) -> ElmoConfig:
    """Convert the published options to our config."""
    lstm, characters = _part(fields, "lstm"), _part(fields, "char_cnn")
    characters.insist("max_characters_per_token", LENGTH)
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
    """Convert our config to the published options, with `hidden_size` for readers of any model."""
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
    architecture="ELMo",
    table=ElmoNames(),
    read=read,
    write=write,
    build=elmo,
    tokenizer=lambda _: CharacterTokenizer(),
)
