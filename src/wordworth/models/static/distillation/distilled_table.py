"""`Distilled`: a distilled table, and how it is saved."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from wordworth.errors import BadInput
from wordworth.files import atomic_write, write_text
from wordworth.json_file import read_object
from wordworth.measures.geometry.directions import Axes
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.save_static_table import CONFIG

_INSIDE = "##"


class Notes(NamedTuple):
    """Counts of the words, pieces and sentences that a distilled table was made from.

    Attributes:
        words: number of whole words with occurrences.
        pieces: number of pieces read alone by the encoder.
        occurrences: number of occurrences of words that were read.
        sentences: number of sentences that were read.
        passed_over: number of sentences skipped since they had no needed occurrence.
        word_share: share, 0 to 1, of the states' variance that lies between words rather than within them
            (`measures.geometry.explainable_variance.group_share`); NaN if no states were read.
    """

    words: int = 0
    pieces: int = 0
    occurrences: int = 0
    sentences: int = 0
    passed_over: int = 0
    word_share: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """A distilled static table.

    Attributes:
        encoder: name of the encoder.
        layer: the layer whose states were taken.
        settings: settings of the distillation.
        entries: the words of the table, then its pieces; entry i is row i + 1 of `vectors`.
        vectors: float32 [entries + 1, d]; row 0, the unknown token, is all zeros.
        tokenizer: the text of the table's `tokenizer.json`.
        counts: counts of what the table was made from.
        warnings: warnings for the table's users.
        axes: the projection of the vectors to principal axes, which came after the removal of top directions and before
            SIF weights; None if the vectors were not projected.
    """

    encoder: str
    layer: int
    settings: DistilSettings
    entries: tuple[str, ...]
    vectors: NDArray[np.float32]
    tokenizer: str
    counts: Notes
    warnings: tuple[str, ...] = ()
    axes: Axes | None = None

    def __repr__(self) -> str:
        rows, width = self.vectors.shape
        return f"<Distilled from {self.encoder!r}: {rows:,} vectors, {width} wide, layer {self.layer}>"

    def save(self, out: Path | str) -> None:
        """Write the table: as word2vec text if `out` ends in .txt or .vec, else as a folder.

        The folder is in the format of model2vec (`model.safetensors`, `tokenizer.json`, `config.json`); the text file
        has whole words only, one per line, after a header with two counts.

        Raises:
            BadInput: `out` cannot be written.
        """
        path = Path(out)
        if path.suffix in {".txt", ".vec"}:
            self._save_text(path)
            return
        vectors = self.vectors.astype(np.float16) if self.settings.half else self.vectors
        with atomic_write(path / "model.safetensors") as neighbour:
            neighbour.write_bytes(save({"embeddings": np.ascontiguousarray(vectors)}))
        write_text(path / "tokenizer.json", self.tokenizer)
        resolved = {"layer": self.layer, "width": vectors.shape[1]}
        provenance = {"encoder": self.encoder, **asdict(self.settings), **resolved, **_notes_json(self.counts)}
        config = CONFIG | {
            "hidden_dim": vectors.shape[1],
            "embedding_dtype": vectors.dtype.name,
            "wordworth": provenance,
        }
        write_text(path / "config.json", json.dumps(config, indent=1) + "\n")

    def _save_text(self, path: Path) -> None:
        word_rows = [row for row, entry in enumerate(self.entries, start=1) if not entry.startswith(_INSIDE)]
        with atomic_write(path) as neighbour, neighbour.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{len(word_rows)} {self.vectors.shape[1]}\n")
            for row in word_rows:
                numbers = " ".join(f"{number:.6g}" for number in self.vectors[row])
                file.write(f"{self.entries[row - 1]} {numbers}\n")


def require_no_other_model(out: Path) -> None:
    """Check that a folder for a static table does not hold a study's record or another kind of model.

    Raises:
        BadInput: the folder holds a study's record, or a model that is not a static table.
    """
    config = out / "config.json"
    if (out / "record.json").exists():
        content = "a study's record"
    elif config.exists() and (kind := _model_type(config)) != CONFIG["model_type"]:
        content = f"another model ({kind})"
    else:
        return
    raise BadInput(f"this folder holds {content}", where=str(out), mend="give another --out, or remove it first")


def _model_type(config: Path) -> object:
    try:
        return read_object(config).get("model_type")
    except BadInput:
        return "damaged"


def _notes_json(notes: Notes) -> dict[str, float | None]:
    """Convert notes to JSON values, with four decimals; None for an undefined share."""
    share = None if math.isnan(notes.word_share) else round(notes.word_share, 4)
    return notes._asdict() | {"word_share": share}
