"""Continued pretraining on other text (Gururangan et al. 2020, arXiv 2004.10964), optionally with a new vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import no_empty_folders, require_writable
from wordworth.models.checkpoint import read_checkpoint
from wordworth.progress import SILENT, Progress
from wordworth.sources import resolve
from wordworth.text.corpus.documents import CorpusSettings
from wordworth.training.pretraining.command import names_no_batch, on_text, settings_of
from wordworth.training.pretraining.corpora import CorpusSource, require_text
from wordworth.training.pretraining.factory import architecture_of
from wordworth.training.pretraining.initial_model import Start, VocabularyChange
from wordworth.training.pretraining.recipe import continued_recipe, require_used
from wordworth.training.pretraining.run import PretrainingResult
from wordworth.training.pretraining.run_identity import require_room


def adapt(  # noqa: PLR0913 - what a person may choose
    model: str,
    corpora: Sequence[Path],
    *,
    out: Path,
    vocabulary: VocabularyChange | None = None,
    recipe: tuple[str, Sequence[str]] = ("adapt", ()),
    reading: CorpusSettings | None = None,
    held_out: Path | None = None,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - as `command.settings_of`
) -> PretrainingResult:
    """Continue a model on other text with the objective it was made for; if stopped, the same call resumes.

    Args:
        model: a folder, a catalogue name or a cached hub name of an encoder.
        corpora: files or folders of text, or token stores of the same vocabulary.
        out: folder for the new model.
        vocabulary: what becomes of its vocabulary; None keeps it.
        recipe: a recipe's name and changes to those ingredients that apply to an existing network.
        reading: how text is read.
        held_out: text or a store to evaluate on.
        progress: shows the run.
        choices: as `command.settings_of` takes them.

    Raises:
        BadInput: there is no such model, it does not read subwords, or as `command.run`.
    """
    source, reading_settings = resolve(model, kept=True), reading or CorpusSettings()
    if source.kind != "encoder":
        raise BadInput(f"{model!r} is a table of word vectors and not an encoder", mend="name an encoder: adapt mini")
    folder, name = source.folder, source.folder.resolve().name if source.place == "folder" else model
    built: dict[str, Any] = {
        "start": folder,
        "start_name": name,
        "architecture": architecture_of(read_checkpoint(folder).model.config, folder),
    }
    require_used(recipe[1], built["architecture"])
    settings = settings_of(
        out=out, recipe=continued_recipe(*recipe), fit_batch=names_no_batch(recipe[1]), **built, **choices
    )
    require_writable(out)
    require_room(out, folder)
    require_text([*corpora, *([held_out] if held_out else [])])
    initial = Start(model=folder, change=vocabulary or VocabularyChange(), corpora=corpora, reading=reading_settings)
    with no_empty_folders(out, out / "training"):
        start = initial.folder(out / "training" / "start", progress)
    return on_text(corpora, replace(settings, start=start), CorpusSource(start, reading_settings), held_out, progress)
