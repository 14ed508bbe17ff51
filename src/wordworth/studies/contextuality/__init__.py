"""The study `context`: how contextual a model's vectors are, layer by layer (Ethayarajh 2019, with null values)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.word_vectors_by_layer import LastLayer, Pooling, Units
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["context"]


@documented_by(ContextSettings)
def context(  # noqa: PLR0913 - the settings of the study, each by its name
    data: TableSource,
    *,
    models: str | Sequence[str] = ("minilm",),
    units: Units = "words",
    pooling: Pooling = "mean",
    last_layer: LastLayer = "after",
    text: str = "text",
    limit: int | None = None,
    contexts: int = 5,
    first: bool = True,
    word: str | Sequence[str] = (),
    explorer: int = 150,
    draws: int = 1_000,
    dtype: DtypeOption = "auto",
    seed: int = 0,
    pool: int = 2_000,
    sample: int = 400,
    occurrences: int = 16,
    sentences: int = 5_000,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure how contextual the vectors of models are, layer by layer.

    Args:
        data: sentences: a .txt with one sentence per line, a file or table with a column of texts, or `sts` for SemEval
            STS 2012 to 2016 in the folder named by the environment variable WORDWORTH_DATA.
        units: what has a vector: `words`, or the tokenizer's `pieces`, as in Ethayarajh (2019).
        first: whether the first word (or piece) of each sentence is measured too.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `context`, whose table `layers` has a row for each model, layer and measure, with its 95 %
        interval and its null value: the value if context did nothing.

    Raises:
        BadInput: a model or the sentences cannot be read, or too few words occur in enough sentences.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.contextuality.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files

    settings = settings_from(arguments, ContextSettings)
    with as_files(data) as (path,):
        return STUDY.answer(settings, out=out, progress=progress, data=path)
