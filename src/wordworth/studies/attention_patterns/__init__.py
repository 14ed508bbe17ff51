"""The study `patterns`: what the attention heads of a transformer attend to."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.attention_patterns.settings import PatternsSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["patterns"]


@documented_by(PatternsSettings)
def patterns(  # noqa: PLR0913 - the settings of the study, each by its name
    data: TableSource,
    *,
    model: str = "minilm",
    text: str = "text",
    limit: int = 1_000,
    length: int = 128,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure what each attention head of a transformer attends to, in the model and in a copy with random weights.

    For each head the study gives the entropy of its attention, the attention to special tokens, punctuation and
    neighbours, and the gradient of a loss with respect to the attention to separators. It also measures the distances
    between heads (Clark et al. 2019, sections 3 and 6). Attention maps are not stored.

    Args:
        data: texts: a .txt with one text per line, a file or table with a column of texts, or a JSON list of objects
            with `text`, `words` or `tokens`, as attention-analysis reads it.
        text: column of the texts.
        limit: largest number of segments of texts, drawn at random.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `patterns`: `tables["heads"]` has a row for each attention head, `tables["layers"]` one for
        each layer, `tables["distances"]` the divergence within and between layers.

    Raises:
        BadInput: the texts cannot be read, there are fewer than two, the model has no attention, or `out` cannot be
            written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.attention_patterns.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files

    settings = settings_from(arguments, PatternsSettings)
    with as_files(data) as (path,):
        return STUDY.answer(settings, out=out, progress=progress, data=Path(path))
