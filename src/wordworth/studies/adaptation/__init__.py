"""The study `adaptation`: a short trial run that tells whether adapting a model to a corpus may help a task."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.adaptation.settings import AdaptationSettings
from wordworth.text.corpus.read_documents import CorpusOrTable
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["plan_adaptation"]


@documented_by(AdaptationSettings)
def plan_adaptation(  # noqa: PLR0913 - the settings, each by its name
    model: str | Path,
    corpora: CorpusOrTable,
    *,
    task: TableSource,
    control: CorpusOrTable | None = None,
    out: Path | str | None = None,
    text: str = "text",
    steps: int = 50,
    vocabulary: Literal["keep", "extend"] = "keep",
    new_subwords: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    device: str = "auto",
    progress: Progress = SILENT,
) -> Record:
    """Tell whether adapting a model to a corpus may help a task, by a short trial (Gururangan et al. 2020).

    The model is pretrained further on the corpus for a few steps, in a folder that is removed at the end. The loss on
    the task's texts is measured before and after. The words, subwords and texts that corpus and task share are counted.

    Args:
        model: an encoder: a folder, a catalogue name or a cached hub name.
        corpora: files or folders of text; or a table in memory with a column of texts.
        task: the texts that the model is adapted for: a file, a table, or a list of dicts.
        control: text of another domain, in a form that `corpora` may have, to which the model is adapted for
            comparison; None for no comparison.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `adaptation`: `tables["texts"]` has the bits per character of the task's texts, the corpus and
        the control before and after the trial; `tables["overlap"]` has the share of frequent words that the task shares
        with each corpus; `tables["vocabularies"]` has the number of subwords per word.

    Raises:
        BadInput: there is no such model, a file cannot be read, or there is too little text.
        MissingExtra: torch is not installed.

    >>> plan_adaptation("mini", "notes/", task="train.csv", out="plan")  # doctest: +SKIP
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.text.corpus.read_documents import as_corpora
    from wordworth.text.file_formats.in_memory import as_file

    with as_corpora(corpora) as paths, as_file(task) as file, as_corpora([] if control is None else control) as others:
        values = arguments | {"task": file, "control": others[0] if others else None}
        settings = settings_from(values, AdaptationSettings)
        from wordworth.studies.adaptation.study import STUDY

        return STUDY.answer(settings, out=out, progress=progress, model=str(model), corpora=paths, control=others)
