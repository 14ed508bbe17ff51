"""The study `languages`: recognise the kind of data (labels, tags, trees, answers, translations), and measure on it."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.languages.label_transfer import label_transfer
from wordworth.studies.languages.language_files import holds_files
from wordworth.studies.languages.parsing.study import parser_transfer
from wordworth.studies.languages.parsing.treebanks_by_language import TREEBANKS
from wordworth.studies.languages.published_sets import named_set
from wordworth.studies.languages.question_answering.questions_by_language import QUESTIONS
from wordworth.studies.languages.question_answering.study import answer_transfer
from wordworth.studies.languages.settings import KIND, NAMED_SETS, LanguagesSettings
from wordworth.studies.languages.tagging.study import tag_transfer
from wordworth.studies.languages.tagging.tagged_sentences_by_language import (
    TAGGED,
    is_tagged,
    tables_by_language,
    tables_in,
)
from wordworth.studies.languages.translation_retrieval.pairs import holds_translations
from wordworth.studies.languages.translation_retrieval.study import translation_retrieval
from wordworth.studies.study import Study
from wordworth.text.file_formats.read import read_rows


def study(settings: LanguagesSettings, progress: Progress, *, data: Path | str) -> Record:
    """Measure how well a model works in each language: by transfer between languages, or by retrieval of translations.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        data: texts with their languages, and with their labels, tags or translations; or a folder with a file of tagged
            sentences, a treebank in CoNLL-U, or questions in SQuAD's form, for each language; or a name of
            `NAMED_SETS`.

    Raises:
        BadInput: the file cannot be used, or the model is no encoder.
    """
    paths = named_set(str(data)) if str(data) in NAMED_SETS and not Path(data).exists() else (Path(data),)
    path = paths[0]
    if path.is_dir() and holds_files(path, TREEBANKS):
        _require_texts(settings)
        return parser_transfer(settings, progress, path)
    if path.is_dir() and holds_files(path, QUESTIONS) and not holds_files(path, TAGGED):
        _require_texts(settings)
        return answer_transfer(settings, progress, path)
    with progress.step("reading texts"):
        tables = tables_in(paths, settings.languages) if path.is_dir() else {}
        table = None if tables else read_rows(path)
    if table is not None and is_tagged(table):
        tables = tables_by_language(table, settings)
    translations = table is not None and not tables and holds_translations(table, settings)
    if tables or translations:
        _require_texts(settings)
    if table is None or tables:
        return tag_transfer(settings, progress, tables, path.name if len(paths) == 1 else str(data))
    return (translation_retrieval if translations else label_transfer)(settings, progress, table)


def _require_texts(settings: LanguagesSettings) -> None:
    """Raise BadInput if layers are to be frozen, where the data hold no labels of whole texts."""
    if settings.freeze:
        what = "only labels of whole texts are fine-tuned on"
        raise BadInput(what, where="--freeze", mend="leave it out, or use wordworth finetune")


STUDY = Study(
    KIND,
    "Measure how well a model serves each language of labelled texts, tagged or parsed sentences, questions or "
    "translations.",
    LanguagesSettings,
    study,
    inputs={"data": "texts with their languages, and with their labels, tags or translations; or a folder"},
)
