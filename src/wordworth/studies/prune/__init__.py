"""The study `prune`: a smaller copy of a model, compared with the whole model in score, size and speed."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.prune.settings import PruneSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["prune"]


@documented_by(PruneSettings)
def prune(  # noqa: PLR0913 - the settings, each by its name
    run: Path | str,
    out: Path | str,
    *,
    heads: float | None = None,
    layers: int | None = None,
    data: TableSource | None = None,
    as_zeros: bool = False,
    onnx: bool = False,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 1_000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Write a smaller copy of a fine-tuned model: without its least important attention heads, or with fewer layers.

    Nothing is trained. The importance of a head is measured by equation 5 of Michel et al. (2019, arXiv 1905.10650) on
    half of the labelled rows; each layer keeps at least one head. Only Wordworth can load a model from which heads are
    removed. With `as_zeros` other libraries load the model too, but it is no faster than the whole model. Every library
    loads a model with fewer layers.

    Args:
        run: the output folder of a fine-tuning, or the model folder inside that; with `layers` also an encoder: a name,
            a folder or a hub name.
        out: the folder to write: the model, with record.json and report.html beside it.
        data: labelled rows that the model did not learn from: a file, a table, or a list of dicts. With `heads` half of
            them rank the heads; the other half is scored before and after, and timed. Without rows the record has
            neither scores nor speed.
        as_zeros: with `heads`: keep the shapes, and set the weights of the heads to 0.
        onnx: with a fine-tuned model, also write `model.onnx`, from token ids to scores, which onnxruntime runs without
            Wordworth; needs the package onnx.
        metric: metric of the scores; if not given, the usual metric of the kind of task.
        seed: random seed of the halves, resamples and random choices of heads.
        progress: receives progress and messages.

    Returns:
        A record of kind `prune`: `tables["models"]` has the whole model and the smaller model with heads, layers,
        parameters, bytes and scores. `tables["heads"]` has each head's importance and whether it is kept, and
        `timings["speed"]` the milliseconds that a text takes.

    Raises:
        BadInput: there is no such model or no attention in it, the rows do not fit it, or `out` cannot be written.
        MissingExtra: onnx is not installed, and `onnx` is given.

    >>> prune("run", "small", heads=0.4, data="dev.csv")  # doctest: +SKIP
    """
    arguments = dict(locals())
    from wordworth.files import as_path, require_free, require_outside
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(data, names=["the table"]) as (rows,):
        settings = settings_from({**arguments, "data": rows}, PruneSettings)
        target = as_path(out, "--out")
        from wordworth.studies.prune.study import STUDY

        require_outside(target, as_path(run, "run"))
        require_free(target)
        return STUDY.answer(settings, out=target, progress=progress, run=run, target=target)
