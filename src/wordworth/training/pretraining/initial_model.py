"""The initial model of continued pretraining: a finished model, or a copy of it with another vocabulary.

`keep` reads the new text with the model's own vocabulary; `extend` adds subwords that are frequent in the new text;
`replace` takes another vocabulary. The embedding of a new subword is initialised as the mean of the embeddings of the
old subwords that spell it.
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
from wordworth.models.save_encoder import keep_sentence_files, write_checkpoint
from wordworth.models.vocabulary_transfer import with_vocabulary
from wordworth.models.weight_files import weight_files
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.read_documents import CorpusSettings, corpus_files
from wordworth.text.corpus.token_store import META
from wordworth.text.derived_tokenizers import extend_vocabulary, missing_pieces
from wordworth.text.read_compressed_file import file_sha256
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.training.pretraining.run_identity import compare

Vocabulary = Literal["keep", "extend", "replace"]
MADE_OF = "made_of.json"
_MORE = 2_000
_FORMER_NAMES = {"number of pieces": "number of new subwords"}
"""Former names in the record of what an initial model was made of, and their names today."""
_MEND = "remove the folder it is in, which is then made anew, or choose another --out"


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyChange:
    """A change of a model's vocabulary before its pretraining is continued.

    Attributes:
        vocabulary: `keep` (no change), `extend` (add subwords) or `replace` (take another tokenizer).
        tokenizer: folder of the new tokenizer, for `replace`.
        new_subwords: maximal number of subwords to add, for `extend`; None for 2,000.
    """

    vocabulary: Vocabulary = "keep"
    tokenizer: Path | None = None
    new_subwords: int | None = None

    def __post_init__(self) -> None:
        if (self.vocabulary == "replace") != (self.tokenizer is not None):
            raise BadInput(
                "replacing the vocabulary needs a tokenizer", mend="give replace and a tokenizer, or neither"
            )
        if self.new_subwords is not None and self.vocabulary != "extend":
            raise BadInput(
                "--new-subwords is only for extending a vocabulary", mend="give extend, or leave --new-subwords out"
            )
        if self.num_new_subwords < 1:
            raise BadInput(f"--new-subwords {self.num_new_subwords} is out of range", mend="give 1 or more")

    @property
    def num_new_subwords(self) -> int:
        """The maximal number of subwords to add to the vocabulary, used for `extend`."""
        return _MORE if self.new_subwords is None else self.new_subwords


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialModel:
    """A model whose pretraining is continued, and the change of its vocabulary before that, if any.

    Attributes:
        model: the model's folder.
        change: the change of its vocabulary.
        corpora: files or folders of text, from which new subwords are learned.
        reading: how the corpora are read.
    """

    model: Path
    change: VocabularyChange
    corpora: Sequence[Path]
    reading: CorpusSettings

    def folder(self, target: Path, progress: Progress = SILENT) -> Path:
        """Return the folder of the model with its vocabulary changed, or of the model itself if nothing is changed.

        The changed model is made once, by one process.

        Args:
            target: the folder for the changed model.
            progress: receives the progress of making it.

        Raises:
            BadInput: the model at `target` was made from something else, the vocabularies do not fit, or the disk is
                full.
        """
        if self.change.vocabulary == "keep":
            return self.model
        wanted = self.made_of()
        if not target.exists():  # else a run may be at work there, which holds the lock to its end
            with alone_in(target.parent):
                if not target.exists():
                    self._make(target, wanted, progress)
        compare(recorded_origin(target / MADE_OF), wanted, target.parent)
        return target

    def _make(self, target: Path, wanted: Mapping[str, Any], progress: Progress) -> None:
        remove_partial_files(target.parent)
        with replacing_folder(target) as part:
            self._write(part, progress)
            (part / MADE_OF).write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")

    def made_of(self) -> dict[str, Any]:
        """Return everything that decides the bytes of the initial model, as readable names and JSON values."""
        change, parts = self.change, (*map(sha256, weight_files(self.model)), Tokenizer.read(self.model).fingerprint)
        facts: dict[str, Any] = {"model": content_key(*parts), "vocabulary": change.vocabulary}
        if change.tokenizer is not None:
            return {**facts, "tokenizer": Tokenizer.read(change.tokenizer).fingerprint}
        read = {"text column": self.reading.text, "layout": self.reading.layout}
        return {
            **facts,
            "number of new subwords": change.num_new_subwords,
            "corpus": content_key(*map(file_sha256, self._files())),
            **read,
        }

    def _files(self) -> list[Path]:
        for corpus in self.corpora:
            if (corpus / META).is_file():
                what = "this corpus is a token store of the old vocabulary"
                raise BadInput(what, where=str(corpus), mend="give the text itself, or keep the vocabulary")
        return [file for corpus in self.corpora for file in corpus_files(corpus)]

    def _write(self, part: Path, progress: Progress) -> None:
        """Write the model with the new vocabulary into a folder."""
        old = Tokenizer.read(self.model)
        new = Tokenizer.read(self.change.tokenizer) if self.change.tokenizer else self._extended(old, part, progress)
        model, transfer = with_vocabulary(read_checkpoint(self.model), old, new)
        progress.note(
            f"vocabulary: {transfer.shared:,} subwords kept, {transfer.spelt:,} initialised as the mean of their old "
            f"subwords, {transfer.unknown:,} as the mean of all"
        )
        save_tokenizer(new, part, segments=model.model.config.has_segments)
        names = model.raw.get("architectures") or [model.family.encoder_class]
        write_checkpoint(model, part, architecture=str(names[0]))
        keep_sentence_files(self.model, model.model.width, part)

    def _extended(self, old: Tokenizer, part: Path, progress: Progress) -> Tokenizer:
        """Return the old vocabulary with new subwords appended that are frequent in the new text.

        A vocabulary is learned from the new text, larger than the old one by the number of wanted subwords, so that it
        cannot consist of old subwords alone. Its first subwords that the old vocabulary lacks are appended.
        """
        if not any(piece.startswith("##") for piece in old.vocabulary):
            raise BadInput("only a WordPiece vocabulary can be extended", mend="keep it, or replace it")
        wanted = self.change.num_new_subwords
        training = TokenizerSettings(
            size=old.vocab_size + wanted, exact=False, lowercase=old.lowercase, corpus=self.reading
        )
        trained = train_tokenizer(self._files(), part / "offered", training, progress).tokenizer
        added = missing_pieces(old, trained, wanted)
        if len(added) < wanted:
            progress.note(f"this text has only {len(added):,} new subwords for the model, not {wanted:,}")
        return extend_vocabulary(old, added)


def recorded_origin(path: Path) -> dict[str, Any]:
    """Read what `InitialModel.made_of` returned when the vocabulary was changed; {} if the file does not exist."""
    record = read_object(path, _MEND) if path.is_file() else {}
    return {_FORMER_NAMES.get(name, name): value for name, value in record.items()}
