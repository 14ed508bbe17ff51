"""`EmbedSettings`: the settings of `embed`; `FileEmbedSettings`: settings of all functions that embed a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Self

from wordworth.models.cpu_inference import DtypeOption
from wordworth.settings_validation import at_least, setting, validate
from wordworth.sources import kind_of
from wordworth.text.windows import LongTexts

Engine = Literal["local", "ray"]
"""Where the parts of a file are computed: in this process, or by the workers of a Ray cluster."""
_ENCODER_ROWS, _TABLE_ROWS = 512, 8192
"""A part costs a file, and a task of the cluster: of a static table, whose vectors cost little, it is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEmbedSettings:
    """Settings of all functions that embed a file; the vectors are float32, whatever `dtype` the model computes in.

    A static table reads texts of any length, whatever `long_texts` says.
    """

    model: str = setting("minilm", "A name, a folder or a hub name.")
    text: str = setting("text", "Column of the texts; a .txt has one text per line.")
    id: str | None = setting(None, "Column of distinct ids, one a row of --out; the row's number from 0 if not given.")
    dtype: DtypeOption = setting("auto", "Data type to compute in; auto is bfloat16 where the CPU supports it.")
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    long_texts: LongTexts | None = setting(
        None,
        "How to read texts longer than the model's window; cut is what sentence-transformers does. [default: window]",
    )
    threads: int | None = setting(None, "Number of threads; the vectors do not depend on it.", at_least(1))
    engine: Engine = setting("local", "Where parts are computed: local, or ray: by the workers of a Ray cluster.")
    overwrite: bool = setting(False, "Replace the file at --out and parts of a stopped run, whatever made them.")
    rows: int | None = setting(
        None, "Most texts per part. [default: 8,192 of a static table, 512 of an encoder]", at_least(1), option=False
    )
    characters: int = setting(
        1 << 20, "Most characters per part; a longer text is a part alone.", at_least(1), option=False
    )

    def __post_init__(self) -> None:
        validate(self)

    @property
    def reads_long(self) -> LongTexts:
        """How texts longer than the model's window are read: as `long_texts` says, or `window` if it is None."""
        return self.long_texts or "window"

    @property
    def part_size(self) -> int:
        """Most texts that are embedded and saved together: `rows`, or a default that depends on the model's kind.

        The default is 512 for an encoder and 8,192 for a static table.

        Raises:
            BadInput: `rows` is None, and the model is not on this machine.
        """
        return self.rows or (_TABLE_ROWS if kind_of(self.model) == "static" else _ENCODER_ROWS)

    def resuming(self, *earlier: Mapping[str, object] | None) -> Self:
        """Return the settings with the value `rows` of an earlier run, so that this run can resume it.

        A run can resume only if `rows`, the most texts that are embedded and saved together, is the same. If the user
        has set `rows`, the settings are returned unchanged.

        Args:
            earlier: for each earlier run, name -> value of what it was started with; None where no run was found. The
                first that is not None is used.
        """
        sizes = [str(made_of.get("rows")) for made_of in earlier if made_of]
        return replace(self, rows=int(sizes[0])) if self.rows is None and sizes and sizes[0].isdecimal() else self


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedSettings(FileEmbedSettings):
    """Settings of `embed`: the settings of every function that embeds a file, and the name of the prompt."""

    prompt: str | None = setting(
        None, "Name of the model's prompt to put before each text, such as query. [default: the model's default prompt]"
    )
