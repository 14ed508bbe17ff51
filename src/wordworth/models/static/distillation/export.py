"""`Distilled`: a table that was made, and how it is written down."""

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

_INSIDE = "##"
_SAYS = {"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True, "seq_length": 1_000_000}


class Notes(NamedTuple):
    """What a table was made of.

    Attributes:
        words: whole words with occurrences.
        pieces: pieces that went through the encoder alone.
        occurrences: of words that were read.
        sentences: that were read.
        passed_over: sentences that could bring nothing more.
        word_share: how much of the variance of the states read the words alone account for
            (`measures.geometry.explained.group_share`); NaN where none were read.
    """

    words: int = 0
    pieces: int = 0
    occurrences: int = 0
    sentences: int = 0
    passed_over: int = 0
    word_share: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """A static table.

    Attributes:
        encoder: that it comes from.
        layer: whose states were taken.
        settings: how it was made.
        entries: words, then pieces; entry i is row i + 1.
        vectors: float32 [entries + 1, d]; row 0, the unknown token, is all zeros.
        tokenizer: the text of its `tokenizer.json`.
        told: what it was made of.
        doubts: what could mislead whoever uses it.
        axes: that the vectors were brought to, after the top was removed and before they were weighed down; None where
            they are as wide as the encoder's.
    """

    encoder: str
    layer: int
    settings: DistilSettings
    entries: tuple[str, ...]
    vectors: NDArray[np.float32]
    tokenizer: str
    told: Notes
    doubts: tuple[str, ...] = ()
    axes: Axes | None = None

    def save(self, out: Path | str) -> None:
        """Write the table: as word2vec text where `out` ends in .txt or .vec, else as a folder.

        The folder is what model2vec writes (`model.safetensors`, `tokenizer.json`, `config.json`), and what it loads;
        the text holds whole words only, each a line behind a line of two counts.

        Raises:
            BadInput: the place cannot be written.
        """
        path = Path(out)
        if path.suffix in {".txt", ".vec"}:
            self._save_text(path)
            return
        kept = self.vectors.astype(np.float16) if self.settings.half else self.vectors
        with atomic_write(path / "model.safetensors") as neighbour:
            neighbour.write_bytes(save({"embeddings": np.ascontiguousarray(kept)}))
        write_text(path / "tokenizer.json", self.tokenizer)
        resolved = {"layer": self.layer, "width": kept.shape[1]}
        made = {"encoder": self.encoder, **asdict(self.settings), **resolved, **_said(self.told)}
        says = _SAYS | {"hidden_dim": kept.shape[1], "embedding_dtype": kept.dtype.name, "wordworth": made}
        write_text(path / "config.json", json.dumps(says, indent=1) + "\n")

    def _save_text(self, path: Path) -> None:
        whole = [row for row, entry in enumerate(self.entries, start=1) if not entry.startswith(_INSIDE)]
        with atomic_write(path) as neighbour, neighbour.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{len(whole)} {self.vectors.shape[1]}\n")
            for row in whole:
                numbers = " ".join(f"{number:.6g}" for number in self.vectors[row])
                file.write(f"{self.entries[row - 1]} {numbers}\n")


def require_no_other_model(out: Path) -> None:
    """Find out before the work that a table would be written into the folder of something else.

    Raises:
        BadInput: the folder holds a study's record, or a model that is no static table.
    """
    config = out / "config.json"
    if (out / "record.json").exists():
        held = "a study's record"
    elif config.exists() and (kind := _model_type(config)) != _SAYS["model_type"]:
        held = f"another model ({kind})"
    else:
        return
    raise BadInput(f"this folder holds {held}", where=str(out), mend="give another --out, or remove it first")


def _model_type(config: Path) -> object:
    try:
        return read_object(config).get("model_type")
    except BadInput:
        return "a damaged one"


def _said(told: Notes) -> dict[str, float | None]:
    """As JSON has it, to four decimals; None for what is undefined."""
    share = None if math.isnan(told.word_share) else round(told.word_share, 4)
    return told._asdict() | {"word_share": share}
