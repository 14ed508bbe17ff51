"""The study `sentences`: correlation of the cosines of sentence vectors with gold scores of similarity (STS)."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["sentences"]


@documented_by(SentencesSettings)
def sentences(  # noqa: PLR0913 - the settings of the study, each by its name
    *,
    model: str = "minilm",
    data: TableSource | None = None,
    sets: tuple[str, ...] = (),
    labelled_pairs: TableSource | None = None,
    other_models: tuple[str, ...] = ("glove",),
    dimensions: tuple[int, ...] = (),
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    limit: int = 4_000,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure how well the cosines of sentence vectors rank pairs of texts by gold scores of their similarity.

        ww.study_sentences(model="sbert", data="pairs.csv").table("scores")

    The measure is Spearman's correlation, as in Reimers and Gurevych 2019 (arXiv 1908.10084, table 1). It is given for
    the model's own pooling, and for the mean, the first token and the maximum of its states. Controls are the model's
    input layer, the same network with random weights, and other models.

    Args:
        data: pairs of texts with a score: a file or a table; None scores published sets alone.
        sets: published sets in `$WORDWORTH_DATA`: `sts12` to `sts16`, `stsb`, `sick`, or `sts` for all that are there;
            an empty tuple without `data` means `sts`.
        labelled_pairs: pairs with a class each, a file or a table: a linear classifier then learns the classes from the
            model's frozen vectors u and v of a pair, once from each concatenation of `u`, `v`, `|u - v|` and `u * v`.
        other_models: other models that are scored on the same pairs; `model` itself is left out, and `glove` if it is
            not installed.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `sentences`: `tables["scores"]` has a row for each system, set and subset, and for the mean
        over sets. `tables["comparisons"]` has a row for each two systems that are compared, with the correlation of
        `first` minus the correlation of `second`. With `labelled_pairs`, `tables["concatenations"]` has a row for each
        concatenation.

    Raises:
        BadInput: there is no such model or set, the pairs cannot be read, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(data, labelled_pairs) as (pairs, labelled):
        settings = settings_from({**arguments, "data": pairs, "labelled_pairs": labelled}, SentencesSettings)
        from wordworth.studies.sentences.study import STUDY

        return STUDY.answer(settings, out=out, progress=progress)
