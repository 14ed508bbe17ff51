"""The study `finetuning`: what fine-tuning changed in a model. The training itself is `studies/finetune`."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["finetuning_changes"]


@documented_by(FinetuningChangesSettings)
def finetuning_changes(  # noqa: PLR0913 - the settings of the study, each by its name
    run: Path | str,
    data: TableSource | None = None,
    *,
    start: str | None = None,
    second_run: Path | str | None = None,
    scratch_run: Path | str | None = None,
    other_task: Path | str | None = None,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int = 512,
    points: int = 21,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure what fine-tuning changed in a model, and the loss along the way from the old weights to the new ones.

    The study compares the model before fine-tuning and after. It gives the similarity of each layer's hidden states
    (CKA) and of each head's attention maps. It classifies attention patterns (Kovaleva et al. 2019, arXiv 1908.08593),
    names the words whose states moved most, computes the loss along lines and on a plane through the weights, and
    scores the model with layers reset (Hao et al. 2019, arXiv 1908.05620). A second run, which differs in its seed
    alone, shows how much of each change is chance.

    Args:
        run: the output folder of a fine-tuning; one made with `keep_path` also has rows to measure on and a second run.
        data: labelled rows that the model did not learn from: a file, a table in memory, or a list of dicts; None for
            the rows that the run kept.
        metric: name of the metric; the usual one of the kind of task if not given.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `finetuning`. `tables["layers"]` and `["heads"]` have the similarity before and after
        fine-tuning; `["patterns"]` the shares of attention patterns; `["words"]` the words that moved most.
        `["lines"]`, `["basins"]` and `["plane"]` have the loss along lines, the widths of the loss basins around the
        ends of the lines, and the loss on the plane. `["way"]` has the weights' distance from the start by training
        step, `["roll_back"]` the scores with layers reset.

    Raises:
        BadInput: `run` holds no fine-tuned transformer, the model that it started from is not on this machine, another
            run or `data` does not fit it, or `out` cannot be written.
    """
    from wordworth.settings_validation import settings_from

    settings = settings_from(locals(), FinetuningChangesSettings)
    from wordworth.studies.finetuning_changes.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(data) as (source,):
        return STUDY.answer(settings, out=out, progress=progress, run=run, data=source)
