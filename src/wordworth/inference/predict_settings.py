"""`PredictSettings`: the settings of `predict`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wordworth.models.cpu_inference import DtypeOption
from wordworth.settings_validation import setting, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictSettings:
    """Settings of `predict`, which predicts every row of a file with the model of a run."""

    text: str | None = setting(None, "Column of the texts (words, contexts), if it has no usual name.")
    text_b: str | None = setting(None, "Column of the second texts.")
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    dtype: DtypeOption = setting(
        "auto",
        "Data type to compute in; auto is bfloat16 where the machine multiplies it faster; int8, on a CPU, is faster "
        "still and less exact.",
    )

    long_texts: Literal["cut", "vote"] = setting(
        "cut", "What becomes of texts longer than the model reads: cut as in training, or in chunks that vote."
    )

    def __post_init__(self) -> None:
        validate(self)
