"""`ExportSettings`: the settings of `export`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Literal, TypeAlias

from wordworth.settings_validation import setting, validate

Format: TypeAlias = Literal["onnx", "int8", "sentence-transformers", "model2vec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSettings:
    """Settings of `export`, which writes a model in a format that other programs read."""

    to: Format = setting(MISSING, "The form to write.", noun="form")
    text: str = setting("text", "Column of the texts in --data.")

    def __post_init__(self) -> None:
        validate(self)
