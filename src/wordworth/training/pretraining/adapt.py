"""A finished model goes on with other text (Gururangan et al. 2020, arXiv 2004.10964), and perhaps other pieces.

`keep` reads the new text with the model's own vocabulary; `extend` adds the pieces that the new text is full of;
`replace` takes another vocabulary. New rows begin as the mean of the old pieces that spell them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wordworth.errors import BadInput
from wordworth.files import replacing_folder, sweep
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.saving import write_checkpoint
from wordworth.models.vocabulary_surgery import with_vocabulary
from wordworth.progress import SILENT, Progress
from wordworth.sources import resolve
from wordworth.text.corpus.documents import corpus_files
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_saving import save_tokenizer
from wordworth.text.vocabulary_extension import extended, unknown_pieces
from wordworth.text.wordpiece_training import WordPieceSettings, train_wordpiece
from wordworth.training.pretraining.command import run
from wordworth.training.pretraining.run import PretrainingResult

Vocabulary = Literal["keep", "extend", "replace"]
_OFFERED = 4
"""So many times the pieces wanted are trained: most of them the model knows already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What becomes of a model's vocabulary.

    Attributes:
        vocabulary: `keep`, `extend` or `replace`.
        tokenizer: the folder of the one that replaces it.
        more: pieces that are added, at most.
    """

    vocabulary: Vocabulary = "keep"
    tokenizer: Path | None = None
    more: int = 2000

    def __post_init__(self) -> None:
        if (self.vocabulary == "replace") != (self.tokenizer is not None):
            raise BadInput("a vocabulary is replaced by another one", mend="give replace and a tokenizer, or neither")


def adapt(
    model: str,
    corpora: Sequence[Path],
    *,
    out: Path,
    pieces: Pieces | None = None,
    recipe: tuple[str, Sequence[str]] = ("adapt", ()),
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - as `command.run`
) -> PretrainingResult:
    """Continue a model on other text; stopped at any point, the same call goes on.

    Args:
        model: a folder, a catalogue name or a cached hub name of an encoder.
        corpora: files or folders of text, or token stores of the very vocabulary.
        out: where the new model goes.
        pieces: what becomes of its vocabulary; kept, if not given.
        recipe: a recipe's name and changes of ingredients.
        progress: who is told.
        choices: as `command.run` takes them.

    Raises:
        BadInput: there is no such model, it reads no pieces, or as `command.run`.
    """
    folder = resolve(model).folder
    start = _start(folder, corpora, pieces or Pieces(), out / "training" / "start", progress)
    return run(corpora, out=out, recipe=recipe, start=start, tokenizer=start, progress=progress, **choices)


def _start(folder: Path, corpora: Sequence[Path], pieces: Pieces, place: Path, progress: Progress) -> Path:
    """The model's folder, or one in `place` in which it has the new vocabulary."""
    if pieces.vocabulary == "keep" or (place / "model.safetensors").exists():
        return folder if pieces.vocabulary == "keep" else place
    sweep(place.parent)
    with replacing_folder(place) as part:
        _write_start(folder, corpora, pieces, part, progress)
    return place


def _write_start(folder: Path, corpora: Sequence[Path], pieces: Pieces, part: Path, progress: Progress) -> None:
    """The model with the new vocabulary, as a folder."""
    old = Tokenizer.read(folder)
    new = Tokenizer.read(pieces.tokenizer) if pieces.tokenizer else _extended(old, corpora, pieces.more, part, progress)
    given, surgery = with_vocabulary(read_checkpoint(folder), old, new)
    progress.note(
        f"{surgery.kept:,} pieces stay, {surgery.spelt:,} begin as the mean of their old ones, "
        f"{surgery.unread:,} as the mean of all"
    )
    save_tokenizer(new, part)
    names = given.raw.get("architectures") or [given.family.architecture]
    write_checkpoint(given, part, architecture=str(names[0]))


def _extended(old: Tokenizer, corpora: Sequence[Path], more: int, place: Path, progress: Progress) -> Tokenizer:
    """The old vocabulary with the pieces behind it that the new text is full of and the old one lacks."""
    if not any(piece.startswith("##") for piece in old.pieces):
        raise BadInput("only a WordPiece vocabulary can be extended", mend="keep it, or replace it")
    files = [file for corpus in corpora for file in corpus_files(corpus)]
    asked = WordPieceSettings(size=_OFFERED * more, lowercase=old.lowercase)
    trained = train_wordpiece(files, place / "offered", asked, progress).tokenizer
    return extended(old, unknown_pieces(old, trained, more))
