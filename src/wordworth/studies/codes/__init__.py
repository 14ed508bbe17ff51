"""The study `codes`: sets of codes at patients' visits, with graph attention over an ontology and pretraining."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.codes.settings import CodesSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["codes"]


@documented_by(CodesSettings)
def codes(  # noqa: PLR0913 - the settings, each by its name
    visits: TableSource,
    *,
    input_kind: str = "condition",
    target_kind: str = "medication",
    input_ontology: TableSource | None = None,
    target_ontology: TableSource | None = None,
    synthetic: bool = False,
    width: int = 64,
    layers: int = 2,
    heads: int = 4,
    dropout: float = 0.1,
    rounds: int = 10,
    epochs: int = 3,
    batch_size: int = 16,
    learning_rate: float = 1e-3,
    device: str = "auto",
    threads: int = 1,
    runs: int = 3,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Predict codes of one kind at patients' visits, and measure what an ontology and pretraining add.

        ww.study_codes("visits.csv", target_ontology="atc.csv").table("scores")

    The network is G-BERT (Shang et al. 2019, arXiv 1906.00346): graph attention over the ontology, a transformer over
    each set of codes, self and dual prediction, and recommending from earlier visits. It is trained with graph and
    pretraining, with either, and with neither, beside the most frequent codes, the last visit again, the nearest visits
    and logistic regression. The same call goes on where it was stopped.

    Args:
        visits: a table with columns patient, date, kind and code, a row for each code of a visit, and perhaps part
            (train, valid or test), the same at all rows of a patient.
        input_ontology: a table with columns child and parent of the known codes; all of them must be in it.
        target_ontology: the same of the predicted codes.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `codes`: `tables["scores"]` has a row for each system, set of codes and measure,
        `tables["differences"]` what differs, paired, `tables["filters"]` what was left out of the data.

    Raises:
        BadInput: visits or ontologies cannot be read, a code is its own ancestor or in no ontology, a visit has no
            code, a patient stands in two parts, or `out` cannot be written.
        Diverged: a loss or gradient is not finite.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(visits, input_ontology, target_ontology) as (table, inputs, targets):
        arguments |= {"input_ontology": inputs, "target_ontology": targets}
        settings = settings_from(arguments, CodesSettings)
        from wordworth.studies.codes.study import STUDY

        return STUDY.answer(settings, out=out, progress=progress, visits=table)
