"""The settings of `export`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Literal, TypeAlias, get_args

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import setting

Format: TypeAlias = Literal["onnx", "int8", "sentence-transformers", "model2vec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSettings:
    """Settings of an export."""

    to: Format = setting(MISSING, "The form to write.")
    text: str = setting("text", "Column of the texts in --data.")

    def __post_init__(self) -> None:
        if self.to not in get_args(Format):
            mend = nearest(str(self.to), get_args(Format))
            raise BadInput(f"nothing is exported as {self.to!r}", where="--to", mend=mend)
