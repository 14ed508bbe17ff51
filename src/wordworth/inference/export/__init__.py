"""`export`: write a model in a format that other programs read, such as ONNX or sentence-transformers."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput, require_package
from wordworth.files import as_path, require_free, require_outside
from wordworth.inference.export.settings import ExportSettings, Format
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import settings_from
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["export"]


def export(
    model: Path | str,
    out: Path | str,
    *,
    to: Format,
    data: TableSource | None = None,
    text: str = "text",
    progress: Progress = SILENT,
) -> Path:
    """Write a model in a format that other programs read.

    Args:
        model: the output folder of a fine-tuning; or a sentence encoder: a name, a folder or a hub name.
        out: the folder to write, which must not hold anything yet.
        to: `onnx`, a graph from token ids to the scores of a fine-tuned model, or to the vector of an encoder; `int8`,
            the same graph with weights of one byte; `sentence-transformers`, a folder that gives the same vectors, with
            the range of each component for int8 vectors; `model2vec`, the static table of the encoder's pieces.
        data: for `sentence-transformers`, texts from whose vectors the ranges are computed; None takes texts of many
            kinds that come with Wordworth.
        text: the column of the texts in `data`.
        progress: receives progress and messages.

    Returns:
        The path of the folder `out`.

    Raises:
        BadInput: there is no such model or format, this model cannot be written in this format, or `out` cannot be
            written, is the model's folder or lies inside it.
        MissingExtra: `to` is `onnx` or `int8`, and onnx is not installed.

    >>> export("run", "graph", to="onnx")  # doctest: +SKIP
    """
    settings, target = settings_from(locals(), ExportSettings), as_path(out, "--out")
    if data is not None and to != "sentence-transformers":
        mend = "leave it out, or give --to sentence-transformers"
        raise BadInput("texts set the ranges of int8 vectors, which this format has not", where="--data", mend=mend)
    require_outside(target, as_path(model, "model"))
    require_free(target)
    if settings.to in {"onnx", "int8"}:
        require_package("onnx", "onnx")  # before a model is read, which takes seconds
    from wordworth.inference.export.formats import FORMATS
    from wordworth.inference.export.read_model import read_source

    FORMATS[settings.to](read_source(model), target, (data, settings.text), progress)
    return target
