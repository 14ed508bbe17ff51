"""The study `heads`: which attention heads a fine-tuned model needs, and how many can be removed."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.heads.settings import HeadsSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["heads"]


@documented_by(HeadsSettings)
def heads(  # noqa: PLR0913 - the settings of the study, each by its name
    run: Path | str,
    data: TableSource,
    *,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 1_000,
    margin: float = 1.0,
    second_run: Path | str | None = None,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Find out which attention heads a fine-tuned model needs, and how many can be removed.

    The study gives each head's importance, how its ablation changes the score, pruning curves, and smaller models with
    their speed (Michel et al. 2019, arXiv 1905.10650). Choices, such as the order of pruning, are made on one half of
    the rows; scores are measured on the other half.

    Args:
        run: the output folder of a fine-tuning.
        data: labelled rows that the model did not learn from: a file, a table in memory, or a list of dicts.
        metric: metric; if not given, the usual metric of the kind of task.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `heads`: `tables["heads"]` has a row for each head, `tables["layers"]` one for each layer,
        `tables["curves"]` the pruning curves, `tables["frontier"]` smaller models with their scores and speed.

    Raises:
        BadInput: `run` holds no fine-tuned transformer, `data` does not fit it, or `out` cannot be written.
    """
    from wordworth.settings_validation import settings_from

    settings = settings_from(locals(), HeadsSettings)
    from wordworth.studies.heads.study import STUDY
    from wordworth.text.file_formats.in_memory import as_file

    with as_file(data) as source:
        return STUDY.answer(settings, out=out, progress=progress, run=run, data=source)
