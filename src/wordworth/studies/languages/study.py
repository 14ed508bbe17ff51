"""The study `languages`: what it measures is chosen by what the data hold."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.languages.label_transfer import label_transfer
from wordworth.studies.languages.settings import KIND, LanguagesSettings
from wordworth.studies.languages.tagging.study import tag_transfer
from wordworth.studies.languages.tagging.tagged_languages import is_tagged, tables_by_language, tables_in
from wordworth.studies.languages.translation_retrieval.pairs import holds_translations
from wordworth.studies.languages.translation_retrieval.study import translation_retrieval
from wordworth.studies.study import Study
from wordworth.text.file_formats.read import read_rows


def study(settings: LanguagesSettings, progress: Progress, *, data: Path | str) -> Record:
    """Measure how well a model serves each language: transfer of labels or tags, or retrieval of translations.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        data: texts with their languages, and with their labels, tags or translations; or a folder with a file of tagged
            sentences for each language.

    Raises:
        BadInput: the file cannot be used, or the model is no encoder.
    """
    path = Path(data)
    with progress.step("reading texts"):
        tables = tables_in(path, settings.languages) if path.is_dir() else {}
        table = None if tables else read_rows(path)
    if table is not None and is_tagged(table):
        tables = tables_by_language(table, settings)
    translations = table is not None and not tables and holds_translations(table, settings)
    if settings.freeze and (tables or translations):
        what = "only labels of whole texts are fine-tuned on"
        raise BadInput(what, where="--freeze", mend="leave it out, or use wordworth finetune")
    if table is None or tables:
        return tag_transfer(settings, progress, tables, path.name)
    return (translation_retrieval if translations else label_transfer)(settings, progress, table)


STUDY = Study(
    KIND,
    "Measure how well a model serves each language of labelled texts, tagged sentences or translations.",
    LanguagesSettings,
    study,
    inputs={"data": "texts with their languages, and with their labels, tags or translations"},
)
