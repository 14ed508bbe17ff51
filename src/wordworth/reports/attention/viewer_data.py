"""The data of an attention page's script: the tokens, compressed maps and vectors of one or two models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.measures.attention_maps import AttentionMaps, Vectors
from wordworth.records import Record
from wordworth.reports.attention.packed_maps import PackedMaps, pack_maps
from wordworth.reports.attention.packed_vectors import PackedVectors, pack_vectors
from wordworth.reports.html import strip_control_chars

ROOM = 2_450_000
"""Most characters of all maps and vectors of a page, which leaves half a megabyte of its 3 MB for the rest."""
_LONGEST = 200
"""Most characters of a token on the page."""


@dataclass(frozen=True, slots=True)
class PackedModel:
    """The attention of a model as a page embeds it.

    Attributes:
        maps: the maps as they were computed, with the tokens.
        weights: the compressed maps.
        vectors: the compressed queries and keys; None if they do not fit or were not computed.
    """

    maps: AttentionMaps
    weights: PackedMaps
    vectors: PackedVectors | None

    def data(self) -> dict[str, Any]:
        """Return the model as JSON values for the page's script, with layers numbered from 1."""
        maps, words = self.maps, self.maps.words
        return {
            "name": maps.name,
            "tokens": [page_text(token) for token in maps.tokens],
            "special": [int(special) for special in maps.special],
            "second": maps.second,
            "words": None
            if words is None
            else {"names": [*map(page_text, words.names)], "of": words.of_token.tolist()},
            "layers": [layer + 1 for layer in self.weights.layers],
            "heads": maps.shape[1],
            "removed": (np.argwhere(~maps.present) + 1).tolist(),
            "causal": is_causal(maps),
            "maps": list(self.weights.data),
            "least": self.weights.smallest_kept,
            "hasVectors": self.vectors is not None,
            "vectors": None if self.vectors is None else _vectors(self.vectors),
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttentionRecord(Record):
    """An `attention` record together with the maps that its page shows; the maps are not saved in the record's file.

    Attributes:
        models: the compressed maps and vectors of each model.
    """

    models: tuple[PackedModel, ...] = ()

    @classmethod
    def of(cls, record: Record, models: Sequence[PackedModel]) -> AttentionRecord:
        """Return a record together with the compressed maps and vectors of its models."""
        return cls(**_fields(record), models=tuple(models))

    def to_json(self) -> str:
        """Return the record as JSON text, without the maps."""
        return Record(**_fields(self)).to_json()


def _fields(record: Record) -> dict[str, Any]:
    """Return name -> value of the fields that every record has."""
    return {name: getattr(record, name) for name in Record.__dataclass_fields__}


def pack(models: Sequence[AttentionMaps]) -> tuple[PackedModel, ...]:
    """Compress the attention maps of one or two models, and their query and key vectors, within the limit of a page.

    The limit is a number of characters; vectors get the characters that the maps leave.

    Args:
        models: the maps of one model or two; all get the same number of characters.
    """
    weights = [pack_maps(maps.weights, ROOM // len(models), len(models)) for maps in models]
    rest = (ROOM - sum(packed.characters for packed in weights)) // len(models)
    return tuple(
        PackedModel(maps, packed, _packed_vectors(maps.vectors, packed, rest))
        for maps, packed in zip(models, weights, strict=True)
    )


def page_text(token: str) -> str:
    """Return a token as a page shows it: control characters visible, a long token cut, an empty one as `(empty)`."""
    text = strip_control_chars(token).replace("\n", "⏎").replace("\t", "⇥")
    return (text[:_LONGEST] + "…" * (len(text) > _LONGEST)) or "(empty)"


def is_causal(maps: AttentionMaps) -> bool:
    """Return True if no token attends to a later one, in any layer or head."""
    return len(maps.tokens) > 1 and not any(np.triu(layer, 1).any() for layer in maps.weights)


def _packed_vectors(vectors: Vectors | None, weights: PackedMaps, room: int) -> PackedVectors | None:
    if vectors is None:
        return None
    kept = list(weights.layers)
    return pack_vectors(Vectors(vectors.query[kept], vectors.key[kept]), room)


def _vectors(packed: PackedVectors) -> dict[str, Any]:
    return {
        "query": packed.query,
        "key": packed.key,
        "queryScale": packed.query_scale,
        "keyScale": packed.key_scale,
        "tokens": packed.tokens,
        "size": packed.width,
        "error": packed.error,
    }
