"""The study `cascade`: choose the confidence below which a costly model answers in place of a cheap one."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.cascade.settings import CascadeSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["cascade"]


@documented_by(CascadeSettings)
def cascade(  # noqa: PLR0913 - the settings, each by its name
    first: Path | str,
    second: Path | str,
    data: TableSource,
    out: Path | str,
    *,
    margin: float = 1.0,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 2_000,
    draws: int = 1_000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Write a cascade of two models: the first answers a text, and the second where the first is unsure.

    The second model answers if the first model's largest probability is below a threshold, which is chosen on half of
    the labelled rows. The chosen threshold sends as few texts as possible to the second model, under one condition: the
    cascade's score minus the second model's score has a 95 % interval whose lower end is not below minus `margin`. The
    margin is the loss, in points, that the user accepts. The cascade is then scored on the other half of the rows.

    Args:
        first: the cheap model: the output folder of `worth`, `finetune` or `probe`.
        second: the costly model: the output folder of `worth`, `finetune` or `probe`.
        data: labelled rows that neither model learned from: a file, a table, or a list of dicts.
        out: the folder to write: copies of both models and the threshold, which `serve` and `predict` read, with
            record.json and report.html beside them.
        progress: receives progress and messages.

    Returns:
        A record of kind `cascade`: `tables["shares"]` has a row for each share of texts that the second model answers,
        with its threshold, score and paired change; `timings["speed"]` has the milliseconds per text.

    Raises:
        BadInput: a folder holds no model, the models differ in their classes, the rows do not fit them, or `out` cannot
            be written.

    >>> cascade("study", "run", "dev.csv", "cascade")  # doctest: +SKIP
    """
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_file

    settings = settings_from(locals(), CascadeSettings)
    from wordworth.studies.cascade.study import run
    from wordworth.studies.report_folder import ReportFolder

    runs, folder = (as_path(first, "first"), as_path(second, "second")), ReportFolder.of(out, "cascade")
    with as_file(data) as source:
        return folder.write(run(runs, source, settings, folder, progress))
