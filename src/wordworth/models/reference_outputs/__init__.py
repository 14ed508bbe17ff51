"""Token ids and vectors of known checkpoints, made by `scripts/golden_vectors.py` with the versions named inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from wordworth.json_file import parse_json


@dataclass(frozen=True, slots=True)
class GoldenText:
    """A text, its exact token ids, and some numbers of its vector by their place."""

    text: str
    ids: list[int]
    vector: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Golden:
    """What a known checkpoint says of a few texts.

    Attributes:
        name: of the checkpoint, as the catalogue has it.
        weights: SHA-256 of its weight file.
        made_with: packages and their versions.
    """

    name: str
    weights: str
    made_with: Mapping[str, str]
    texts: list[GoldenText]


def goldens() -> list[Golden]:
    """All that are stored."""
    found = [entry for entry in files(__name__).iterdir() if entry.name.endswith(".json")]
    return [_read(entry.name.removesuffix(".json"), entry.read_text(encoding="utf-8")) for entry in found]


def _read(name: str, text: str) -> Golden:
    raw = parse_json(text)
    texts = [
        GoldenText(entry["text"], entry["ids"], {int(place): value for place, value in entry["vector"].items()})
        for entry in raw["texts"]
    ]
    return Golden(name, raw["weights"], raw["made_with"], texts)
