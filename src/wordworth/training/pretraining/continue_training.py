"""A finished model goes on with other text (Gururangan et al. 2020, arXiv 2004.10964), and perhaps other pieces."""

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
from wordworth.training.pretraining.initial_model import Pieces, Start
from wordworth.training.pretraining.recipe import continued_recipe, require_used
from wordworth.training.pretraining.run import PretrainingResult
from wordworth.training.pretraining.run_identity import require_room


def adapt(  # noqa: PLR0913 - what a person may choose
    model: str,
    corpora: Sequence[Path],
    *,
    out: Path,
    pieces: Pieces | None = None,
    recipe: tuple[str, Sequence[str]] = ("adapt", ()),
    reading: CorpusSettings | None = None,
    held_out: Path | None = None,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - as `command.settings_of`
) -> PretrainingResult:
    """Continue a model on other text by the objective it was made for; stopped at any point, the same call goes on.

    Args:
        model: a folder, a catalogue name or a cached hub name of an encoder.
        corpora: files or folders of text, or token stores of the very vocabulary.
        out: where the new model goes.
        pieces: what becomes of its vocabulary; kept, if not given.
        recipe: a recipe's name and changes of those ingredients that a finished network can be given.
        reading: how text is read.
        held_out: text or a store that is looked at, never learned.
        progress: who is told.
        choices: as `command.settings_of` takes them.

    Raises:
        BadInput: there is no such model, it reads no pieces, or as `command.run`.
    """
    found, how = resolve(model, kept=True), reading or CorpusSettings()
    if found.kind != "encoder":
        raise BadInput(f"{model!r} is a table of vectors, which reads no text", mend="name an encoder: adapt mini")
    folder, called = found.folder, found.folder.resolve().name if found.place == "folder" else model
    built: dict[str, Any] = {
        "start": folder,
        "start_name": called,
        "architecture": architecture_of(read_checkpoint(folder).model.config, folder),
    }
    require_used(recipe[1], built["architecture"])
    settings = settings_of(
        out=out, recipe=continued_recipe(*recipe), fit_batch=names_no_batch(recipe[1]), **built, **choices
    )
    require_writable(out)
    require_room(out, folder)
    require_text([*corpora, *([held_out] if held_out else [])])
    given = Start(model=folder, pieces=pieces or Pieces(), corpora=corpora, reading=how)
    with no_empty_folders(out, out / "training"):
        start = given.folder(out / "training" / "start", progress)
    return on_text(corpora, replace(settings, start=start), CorpusSource(start, how), held_out, progress)
