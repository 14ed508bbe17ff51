"""`PruneSettings`: the settings of `prune`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import ValidRange, at_least, setting, validate
from wordworth.studies.labelled_rows_settings import LabelledRows

_SHARE = ValidRange(lambda share: 0 < share < 1, "a share between 0 and 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneSettings(LabelledRows):
    """Settings of `prune`, which removes either a share of the attention heads or layers from the top."""

    heads: float | None = setting(None, "Share of the attention heads to remove, such as 0.4.", _SHARE)
    layers: int | None = setting(None, "Number of layers to keep, from the first.", at_least(1))
    data: Path | str | None = setting(
        None,
        "Labelled rows that the model did not learn from: half rank the heads, the other half is scored before and "
        "after.",
    )
    as_zeros: bool = setting(
        False,
        "With --heads: keep the shapes, which transformers loads, and set the heads' weights to 0; as slow as before.",
    )
    onnx: bool = setting(False, "With a fine-tuned model: also write model.onnx, which onnxruntime runs.")

    def __post_init__(self) -> None:
        validate(self)
        if (self.heads is None) == (self.layers is None):
            what = "both heads and layers" if self.layers else "neither heads nor layers"
            raise BadInput(f"{what} to prune were given", mend="give --heads 0.4, or --layers 2")
        if self.heads is not None and self.data is None:
            what = "heads are ranked by labelled rows, and none are given"
            raise BadInput(what, mend="give a file with --data, of rows that the model did not learn from")
        if self.layers is not None and self.as_zeros:
            raise BadInput("--as-zeros is for heads", mend="leave it out: layers are dropped for good")
