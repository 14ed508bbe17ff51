"""Reference token ids and vectors of known checkpoints, made by `scripts/reference_outputs.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from wordworth.json_file import parse_json


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A text with its exact token ids, and with some components of its vector by index."""

    text: str
    ids: list[int]
    vector: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference outputs of a known checkpoint for a few texts.

    Attributes:
        name: the checkpoint's name in the catalogue.
        weights: SHA-256 of its weight file.
        made_with: name -> version of the packages that made the outputs.
        texts: the texts with their outputs.
    """

    name: str
    weights: str
    made_with: Mapping[str, str]
    texts: list[ReferenceText]


def references() -> list[Reference]:
    """Return all stored reference outputs, one `Reference` per checkpoint."""
    json_files = [entry for entry in files(__name__).iterdir() if entry.name.endswith(".json")]
    return [_read(entry.name.removesuffix(".json"), entry.read_text(encoding="utf-8")) for entry in json_files]


def _read(name: str, text: str) -> Reference:
    raw = parse_json(text)
    texts = [
        ReferenceText(entry["text"], entry["ids"], {int(index): value for index, value in entry["vector"].items()})
        for entry in raw["texts"]
    ]
    return Reference(name, raw["weights"], raw["made_with"], texts)
