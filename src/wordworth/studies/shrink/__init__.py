"""The study `shrink`: smaller variants of a model, from bfloat16 to a static table, scored on your own labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["shrink"]


def shrink(  # noqa: PLR0913 - the settings of the study, each by its name
    run: Path | str,
    data: TableSource,
    *,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 2_000,
    also: Sequence[str] = (),
    margin: float = 1.0,
    hourly_price: float = 0.10,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Score smaller variants of a model on your own labels, and name the smallest whose loss is within a margin.

    Variants of a fine-tuned model are: bfloat16, int8, layers dropped, attention heads removed, its static table, and
    students. Each variant of a sentence encoder is scored with a classifier that is trained on half of the rows; there
    are no variants with removed heads, and the students are other encoders. The encoder's vectors are also cut, stored
    in int8, and stored in bits.

    Args:
        run: the output folder of a fine-tuning; or a sentence encoder: a name, a folder or a hub name.
        data: labelled rows that the model did not learn from: a file, a table in memory, or a list of dicts.
        text: column of the texts; guessed if not given.
        text_b: column of the second texts, for pairs; None for single texts, or for two columns with usual names.
        label: column of the labels; guessed if not given.
        metric: metric; if not given, the usual metric of the kind of task.
        limit: most rows, drawn by class.
        also: folders of smaller models to compare. For a fine-tuned `run` they are models for the same classes, as
            `distill` and `prune` write; for an encoder they are encoders, as `train_sentences` writes.
        margin: largest loss of the metric that is acceptable in a smaller model, in points (hundredths).
        hourly_price: price of an hour of this machine, from which the price of a million texts is computed.
        draws: bootstrap resamples of rows per interval.
        seed: random seed.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `shrink`: `tables["models"]` has a row for each model with its bytes, its score, its score
        minus the whole model's, and whether its loss is within the margin. `tables["vectors"]` has a row for each form
        of a sentence encoder's vectors, and `timings["speed"]` the milliseconds of a text and the price of a million.

    Raises:
        BadInput: `run` is no transformer, `data` does not fit it, or `out` cannot be written.
    """
    from wordworth.settings_validation import settings_from
    from wordworth.studies.shrink.settings import ShrinkSettings

    settings = settings_from(locals(), ShrinkSettings)
    from wordworth.studies.shrink.study import STUDY
    from wordworth.text.file_formats.in_memory import as_file

    with as_file(data) as source:
        return STUDY.answer(settings, out=out, progress=progress, run=run, data=source)
