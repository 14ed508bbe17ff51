"""What an adapted model begins as: the given one, or a copy of it with another vocabulary.

`keep` reads the new text with the model's own vocabulary; `extend` adds the pieces that the new text is full of;
`replace` takes another vocabulary. New rows begin as the mean of the old pieces that spell them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wordworth.errors import BadInput
from wordworth.files import content_key, remove_partial_files, replacing_folder, sha256
from wordworth.folder_lock import alone_in
from wordworth.json_file import read_object
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.export import has_segments, keep_sentence_files, write_checkpoint
from wordworth.models.vocabulary_transfer import with_vocabulary
from wordworth.models.weight_files import weight_files
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import CorpusSettings, corpus_files
from wordworth.text.corpus.store import META
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_saving import save_tokenizer
from wordworth.text.train_wordpiece import WordPieceSettings, train_wordpiece
from wordworth.text.vocabulary_extension import extended, unknown_pieces
from wordworth.training.pretraining.run_identity import compare

Vocabulary = Literal["keep", "extend", "replace"]
MADE_OF = "made_of.json"
_MORE = 2_000
_MEND = "remove the folder it is in, which is then made anew, or choose another --out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What becomes of a model's vocabulary.

    Attributes:
        vocabulary: `keep`, `extend` or `replace`.
        tokenizer: the folder of the one that replaces it.
        more: pieces that are added to an extended one, at most; 2,000 if not given.
    """

    vocabulary: Vocabulary = "keep"
    tokenizer: Path | None = None
    more: int | None = None

    def __post_init__(self) -> None:
        if (self.vocabulary == "replace") != (self.tokenizer is not None):
            raise BadInput("a vocabulary is replaced by another one", mend="give replace and a tokenizer, or neither")
        if self.more is not None and self.vocabulary != "extend":
            raise BadInput("pieces are added to a vocabulary that is extended", mend="give extend, or no --pieces")
        if self.wanted < 1:
            raise BadInput(f"--pieces {self.wanted}", mend="give 1 or more")

    @property
    def wanted(self) -> int:
        """Pieces that an extended vocabulary gets, at most."""
        return _MORE if self.more is None else self.more


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A model to go on from, and the text that its new pieces come from.

    Attributes:
        model: its folder.
        pieces: what becomes of its vocabulary.
        corpora: files or folders of text.
        reading: how they are read.
    """

    model: Path
    pieces: Pieces
    corpora: Sequence[Path]
    reading: CorpusSettings

    def folder(self, place: Path, progress: Progress = SILENT) -> Path:
        """The model's own folder, or `place`, where it has the new vocabulary; made there once, by one process.

        Raises:
            BadInput: what is at `place` was made of something else, the vocabularies do not serve, or the disk is full.
        """
        if self.pieces.vocabulary == "keep":
            return self.model
        wanted = self.made_of()
        if not place.exists():  # else a run may be at work there, which holds the lock to its end
            with alone_in(place.parent):
                if not place.exists():
                    self._make(place, wanted, progress)
        compare(written_start(place / MADE_OF), wanted, place.parent)
        return place

    def _make(self, place: Path, wanted: Mapping[str, Any], progress: Progress) -> None:
        remove_partial_files(place.parent)
        with replacing_folder(place) as part:
            self._write(part, progress)
            (part / MADE_OF).write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")

    def made_of(self) -> dict[str, Any]:
        """Everything that decides the bytes of the new start, by the names that people know; as JSON holds it."""
        pieces, parts = self.pieces, (*map(sha256, weight_files(self.model)), Tokenizer.read(self.model).fingerprint)
        found: dict[str, Any] = {"model": content_key(*parts), "vocabulary": pieces.vocabulary}
        if pieces.tokenizer is not None:
            return {**found, "tokenizer": Tokenizer.read(pieces.tokenizer).fingerprint}
        read = {"text column": self.reading.text, "layout": self.reading.layout}
        return {**found, "number of pieces": pieces.wanted, "corpus": content_key(*map(sha256, self._files())), **read}

    def _files(self) -> list[Path]:
        for corpus in self.corpora:
            if (corpus / META).is_file():
                what = "this text is tokens already, of the old vocabulary"
                raise BadInput(what, where=str(corpus), mend="give the text itself, or keep the vocabulary")
        return [file for corpus in self.corpora for file in corpus_files(corpus)]

    def _write(self, part: Path, progress: Progress) -> None:
        """The model with the new vocabulary, as a folder."""
        old = Tokenizer.read(self.model)
        new = Tokenizer.read(self.pieces.tokenizer) if self.pieces.tokenizer else self._extended(old, part, progress)
        given, surgery = with_vocabulary(read_checkpoint(self.model), old, new)
        progress.note(
            f"{surgery.kept:,} pieces stay, {surgery.spelt:,} begin as the mean of their old ones, "
            f"{surgery.unread:,} as the mean of all"
        )
        save_tokenizer(new, part, segments=has_segments(given.model.config))
        names = given.raw.get("architectures") or [given.family.architecture]
        write_checkpoint(given, part, architecture=str(names[0]))
        keep_sentence_files(self.model, given.model.width, part)

    def _extended(self, old: Tokenizer, part: Path, progress: Progress) -> Tokenizer:
        """The old vocabulary with the pieces behind it that the new text is full of and the old one lacks.

        They are the first that the old one lacks of a vocabulary that cannot consist of old pieces alone.
        """
        if not any(piece.startswith("##") for piece in old.pieces):
            raise BadInput("only a WordPiece vocabulary can be extended", mend="keep it, or replace it")
        wanted = self.pieces.wanted
        asked = WordPieceSettings(
            size=old.vocab_size + wanted, exact=False, lowercase=old.lowercase, corpus=self.reading
        )
        trained = train_wordpiece(self._files(), part / "offered", asked, progress).tokenizer
        found = unknown_pieces(old, trained, wanted)
        if len(found) < wanted:
            progress.note(f"this text has {len(found):,} new pieces for the model, not {wanted:,}")
        return extended(old, found)


def written_start(path: Path) -> dict[str, Any]:
    """What a start was made of; nothing that anyone asks for where it does not say."""
    return read_object(path, _MEND) if path.is_file() else {}
