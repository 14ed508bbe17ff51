"""The study `codes`: predict medical codes at patients' visits by graph attention over an ontology and pretraining."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.medical_codes.settings import CodesSettings
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

    The network is G-BERT (Shang et al. 2019, arXiv 1906.00346): graph attention over the ontology embeds the codes, and
    a transformer reads the set of codes of each visit. Rounds of pretraining predict the codes of both kinds from the
    codes of one kind. They alternate with rounds of recommending, which predict target codes from earlier visits and
    the input codes. The network is trained in four variants: with graph and pretraining, with the graph alone, with
    pretraining alone, and with neither. The baselines are the most frequent codes, the codes of the last visit, the
    nearest training visits, and logistic regression. The same call resumes a study that was stopped.

    Args:
        visits: a table with columns patient, date, kind and code, and one row for each code of a visit. A column `part`
            (train, valid or test, the same in all rows of a patient) is optional.
        input_ontology: a table with columns child and parent, which has every code of the kind `input_kind`; None for
            no ontology of these codes.
        target_ontology: the same for the codes of the kind `target_kind`; at least one of the two ontologies is needed.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `codes`: `tables["scores"]` has a row for each system, set of codes and measure,
        `tables["differences"]` the paired differences between systems, `tables["filters"]` the numbers of rows, visits
        and patients after each step of filtering.

    Raises:
        BadInput: visits or ontologies cannot be read, a code is its own ancestor or in no ontology, a visit has no
            code, a patient has two different values of `part`, or `out` cannot be written.
        Diverged: a loss or gradient is not finite.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(visits, input_ontology, target_ontology) as (table, inputs, targets):
        arguments |= {"input_ontology": inputs, "target_ontology": targets}
        settings = settings_from(arguments, CodesSettings)
        from wordworth.studies.medical_codes.study import STUDY

        return STUDY.answer(settings, out=out, progress=progress, visits=table)
