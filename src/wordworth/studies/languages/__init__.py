"""The study `languages`: how well a model serves each language of a data set in several languages.

The data set has labels, tags, dependency trees, questions with answers, or translations.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["languages"]


@documented_by(LanguagesSettings)
def languages(  # noqa: PLR0913 - the settings of the study, each by its name
    data: TableSource,
    *,
    model: str = "minilm",
    text: str | None = None,
    label: str | None = None,
    language: str | None = None,
    item: str | None = None,
    translation: str | None = None,
    languages: Sequence[str] = (),
    source: str | None = None,
    test: float = 0.5,
    limit: int = 1_000,
    draws: int = 1_000,
    freeze: bool = False,
    restarts: int | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure how well a model serves each language of a data set, by labels, tags, trees, answers or translations.

        ww.study_languages("reviews.csv", model="minilm").table("languages")

    For each language the study gives the subwords (pieces) per word, the share of unknown words, and the accuracy of a
    linear head on the frozen model. The head learns from the language's own labels or, zero-shot, from the labels of
    the source language; transfer to the source language is measured too. Character n-grams, random weights and shuffled
    labels are baselines. Where texts are translations of each other, the study measures how often the nearest text in
    the other language is the translation. For each layer a probe predicts the language of a text. With `freeze` the
    encoder is also fine-tuned on the source language, several times, with more and more layers frozen. The study
    compares the accuracy after training on related languages (of the same genus) with the accuracy after training on
    distant languages (of other families). Genus and family are looked up by the codes of the languages.

    What is measured follows from the data. Sentences with `words` and `tags` give entity F1 or token accuracy in place
    of accuracy, treebanks the labelled attachment score of a biaffine parser (Dozat and Manning 2017). The same
    questions in several languages give the F1 of the answers of a linear span head (XQuAD, Artetxe et al. 2020). A
    column of translations, or one of items (the same value for texts that are translations of each other) without
    labels, gives the retrieval of translations by layer, with the layer chosen on training pairs.

    Args:
        data: texts with their languages, and with labels, tags or translations: a file or a table; or a folder of
            tagged sentences (CoNLL) or of treebanks (CoNLL-U) with one file, or a training and a test file, for each
            language; or a folder with a SQuAD file of the same questions for each language (`xquad.de.json`);
            or the name of a published set: `"xquad"`, `"sib200"`, `"uner"`, `"conll2002"` or `"tatoeba"`.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `languages`: `tables["languages"]` and `tables["pieces"]` have a row for each language,
        `tables["transfer"]` a row for each pair of languages; `tables["retrieval"]` a row for each language and system;
        `tables["layers"]` a row for each layer; `tables["related"]` a row for each language to which some
        languages are related and some distant; `tables["frozen"]` a row for each number of frozen layers
        and language. Data with tags, trees or answers give no `retrieval` and no `layers`, translations no `pieces` and
        no `transfer`.

    Raises:
        BadInput: the texts cannot be used, the model is no encoder, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_file

    settings = settings_from(arguments, LanguagesSettings)
    from wordworth.studies.languages.study import STUDY

    with as_file(data) as path:
        return STUDY.answer(settings, out=out, progress=progress, data=path)
