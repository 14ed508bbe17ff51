"""The study `entities`: what the vectors of linked entities add to a model on labelled texts."""

from __future__ import annotations

from pathlib import Path

from wordworth.files import as_path
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.studies.entities.settings import EntitiesSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["entities"]


@documented_by(EntitiesSettings)
def entities(  # noqa: PLR0913 - the settings, each by its name
    data: TableSource,
    out: Path | str,
    *,
    model: str,
    control: str | None = None,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    kind: str | None = None,
    metric: str | None = None,
    test: TableSource | float | None = None,
    limit: int | None = None,
    runs: int = 3,
    learning_rate: float | None = None,
    batch_size: int | None = None,
    epochs: float | None = None,
    draws: int = 1_000,
    seed: int = 0,
    device: str = "auto",
    processes: int | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure what the vectors of linked entities add to a model on labelled texts (ERNIE, Zhang et al. 2019).

        ww.study_entities("linked.csv", "run", model="pretrained/").table("differences")

    The model is fine-tuned in three ways: with the links of the texts, with every entity exchanged for another, and
    without entities. Seeds and the markers around mentions stay the same. The same call resumes a study that was
    stopped.

    Args:
        data: labelled rows whose texts have links, as `link_entities` writes them: a file, a table, or a list of dicts.
        out: a folder for record.json, report.html and `runs`, from which stopped runs resume.
        test: a file or table to test on, or a share of the rows such as 0.2; None for a quarter, at least 200 rows and
            at most two fifths.
        progress: receives progress and messages.

    Returns:
        A record of kind `entities`: `tables["scores"]` has a row for each system, `tables["differences"]` the score
        with links minus the score of each other system, paired, `tables["links"]` the numbers of entities in the rows.

    Raises:
        BadInput: the rows cannot be read or have no links, a model does not fuse entities or lacks an entity of the
            rows, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(data, test, names=["the table", "the test table"]) as (rows, test_part):
        settings = settings_from({**arguments, "test": test_part}, EntitiesSettings)
        target = as_path(out, "--out")
        from wordworth.studies.entities.study import STUDY  # imports torch

        return STUDY.answer(settings, out=target, progress=progress, data=rows, target=target)
