"""The settings of `wordworth study attention`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import setting, validate
from wordworth.studies.word_vectors_by_layer import Units

_MODEL = "minilm"

RANDOM = "random"
"""The value of `beside` that means the first model with random weights."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AttentionSettings:
    """Settings of the study `attention`, which measures attention maps."""

    model: str = setting(_MODEL, "A transformer: a name, a folder, the folder of a fine-tuning or a hub name.")
    beside: str | None = setting(
        None, "A second model, such as a fine-tuned one, or `random`: the same with random weights."
    )
    arrays: Path | None = setting(None, "An .npz with the arrays attention and tokens of any model, in place of texts.")
    units: Units = setting("words", "Whether figures are of words or of pieces of the tokenizer.")
    save_maps: Path | None = setting(None, "Write the maps of --model to this .npz, which --arrays reads.")

    def __post_init__(self) -> None:
        validate(self)
        if self.arrays is not None and (self.beside is not None or self.model != _MODEL):
            raise both_given(self.arrays)
        if self.save_maps is not None and self.save_maps.suffix != ".npz":
            raise BadInput(
                "the file for maps is an .npz", where=str(self.save_maps), mend="give a name such as maps.npz"
            )


def both_given(arrays: Path) -> BadInput:
    """Return the error to raise if both a file of arrays and a model are given."""
    mend = "leave out --model and --beside, or --arrays"
    return BadInput("both arrays and a model are given", where=str(arrays), mend=mend)
