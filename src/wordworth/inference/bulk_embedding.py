"""`embed`: a file of texts of any size becomes a file of vectors; stopped at any point, it goes on from there.

Texts are read a few hundred at a time. The vectors of each such part are written to a file of their own, whole or not
at all, in `OUT.parts/`; one that was damaged since is made again. When all are there they are put together into OUT.
What is in a part depends on its texts, the model and the settings alone, so a run that was stopped and taken up again
gives the same bytes as one that was not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.files import require_distinct
from wordworth.inference.bulk_embedding_parts import Parts
from wordworth.inference.vector_files import check_kind, join
from wordworth.models.load import Wanted, load
from wordworth.progress import SILENT, Progress
from wordworth.sources import Resolved, resolve
from wordworth.text.streams import Columns, file_sha256, stream
from wordworth.text.windows import LongTexts, TooLong

_LOOKED_AT = 1_000
_READ = {"window": "read whole, in overlapping windows", "cut": "cut: their beginning alone is read"}
"""What is said of long texts, by what becomes of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedSettings:
    """How a file of texts is embedded.

    Attributes:
        model: a catalogue name, a local folder or a cached hub name.
        dtype: what the model computes in; vectors are float32. `auto` is bfloat16 where the CPU has it.
        text: the column of texts.
        id: the column that names a row in the output; None where its number, from 0, does.
        rows: texts a part, at most.
        characters: of them together, at most; a longer text is a part of its own.
        threads: how many torch uses; None leaves it as it is.
        long_texts: what becomes of a text that is longer than an encoder reads at once, as `TextEncoder.encode` has it;
            a static table reads texts of any length.
    """

    model: str = "minilm"
    dtype: Wanted = "auto"
    text: str = "text"
    id: str | None = None
    rows: int = 512
    characters: int = 1 << 20
    threads: int | None = None
    long_texts: LongTexts = "window"

    def __post_init__(self) -> None:
        if self.long_texts not in get_args(LongTexts):
            mend = nearest(str(self.long_texts), get_args(LongTexts))
            raise BadInput(f"no way with long texts is called {self.long_texts!r}", mend=mend)

    @property
    def columns(self) -> Columns:
        """What is read of each row."""
        return Columns(self.text, self.id)


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What was written.

    Attributes:
        out: where.
        rows, width: how many vectors, and the numbers of each.
        resumed: rows that an earlier run had made.
        blank: rows of zeros: a static table knows no word of their texts (empty, or of another script).
        unread: the share of words or pieces of the first texts that the model does not know.
        empty: rows whose text is empty or null; an encoder gives them all one vector.
        dtype: what the model computed in.
    """

    out: Path
    rows: int
    width: int
    resumed: int
    blank: int = 0
    unread: float = 0.0
    empty: int = 0
    dtype: str = "float32"


class _Encoder(Protocol):
    @property
    def width(self) -> int:
        """Numbers a vector."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """A vector a text."""


def embed(
    path: Path | str, out: Path | str, settings: EmbedSettings | None = None, *, progress: Progress = SILENT
) -> EmbedReport:
    """Write a vector for every text of a file.

    Args:
        path: .jsonl, .csv, .tsv, .txt (a text a line) or .parquet; all but the last also packed by .gz, .xz or .bz2.
        out: a `.parquet` with the columns `id` and `vector`, or a `.npy`, float32 [rows, width].
        settings: the model, the columns and so on.
        progress: who is told how far it is.

    Raises:
        BadInput: the file or a column is missing or damaged, `out` cannot be written, or the parts of an earlier run
            were made of something else, or another process writes the same output.
    """
    chosen, source, target = settings or EmbedSettings(), Path(path), Path(out)
    check_kind(target, named=chosen.id is not None)
    require_distinct(target, source)
    parts = Parts(target.with_name(f"{target.name}.parts"))
    with parts.alone():
        return _embed_alone(source, target, chosen, parts, progress)


def _embed_alone(source: Path, target: Path, chosen: EmbedSettings, parts: Parts, progress: Progress) -> EmbedReport:
    """As `embed`, in a folder of parts in which no other process works."""
    counts = _count(source, chosen, progress)
    found = resolve(chosen.model, kept=True)
    encoder = load(chosen.model, dtype=chosen.dtype, threads=chosen.threads)
    parts.claim(_made_of(source, chosen, found, _kernel(encoder)))
    if target.exists():
        progress.note(f"{target} is there already and will be replaced when all is done")
    resumed = _encode_all(source, chosen, parts, encoder, (counts.rows, progress))
    names = (name for name, _ in stream(source, chosen.columns)) if chosen.id is not None else None
    join(parts.files(counts.parts), target, encoder.width, names)
    blank = sum(int((~np.load(part, mmap_mode="r").any(axis=1)).sum()) for part in parts.files(counts.parts))
    parts.remove()
    unread = encoder.unknown_rate(next(_chunks(source, replace(chosen, rows=_LOOKED_AT))))
    dtype = str(getattr(encoder, "dtype", "float32"))
    return EmbedReport(target, counts.rows, encoder.width, resumed, blank, unread, counts.empty, dtype)


def _encode_all(
    source: Path, chosen: EmbedSettings, parts: Parts, encoder: _Encoder, watch: tuple[int, Progress]
) -> int:
    """Make every part that is not there; how many rows were."""
    total, progress = watch
    resumed = kept = 0
    noted = False
    try:
        with progress.step(f"embedding with {chosen.model}", total) as step:
            for number, texts in enumerate(_chunks(source, chosen)):
                whole = parts.whole(number)
                if not whole:
                    vectors, longer = _vectors(encoder, texts, chosen.long_texts)
                    parts.write(number, vectors)
                    if longer and not noted:
                        progress.note(f"texts of over {longer} tokens are {_READ[chosen.long_texts]}")
                        noted = True
                kept += len(texts)
                resumed += len(texts) * whole
                (step.skip if whole else step.advance)(len(texts))
    except TooLong as error:
        row = f"row {kept + error.place} (the first is 0)"
        said = f"{row} has {error.length:,} tokens, and {chosen.model} reads {error.limit:,}"
        raise BadInput(said, where=str(source), mend="give --long-texts window or cut, or shorten it") from error
    except KeyboardInterrupt:
        then = "the same command goes on from there" if kept else f"a part is kept every {chosen.rows} texts"
        progress.note(f"kept {kept:,} of {total:,} texts in {parts.folder}: {then}")
        raise
    finally:
        parts.remove_empty()
    return resumed


def _vectors(encoder: _Encoder, texts: list[str], long_texts: LongTexts) -> tuple[NDArray[np.float32], int]:
    """The vectors of texts; the tokens that the encoder reads at once if a text has more, else 0."""
    if not hasattr(encoder, "embed"):  # a static table, which reads texts of any length
        return encoder.encode(texts), 0
    embedded = encoder.embed(texts, long_texts=long_texts)
    lengths = embedded.lengths
    return embedded.vectors, lengths.limit if lengths.windowed or lengths.cut else 0


def _chunks(source: Path, chosen: EmbedSettings) -> Iterator[list[str]]:
    """The texts of each part: so many, and of so many characters, that they fit in memory whatever their lengths."""
    chunk: list[str] = []
    characters = 0
    for _, text in stream(source, chosen.columns):
        if chunk and (len(chunk) == chosen.rows or characters + len(text) > chosen.characters):
            yield chunk
            chunk, characters = [], 0
        chunk.append(text)
        characters += len(text)
    if chunk:
        yield chunk


class _Counts(NamedTuple):
    """How many rows a file has, how many of these have no text, and the parts they make."""

    rows: int
    empty: int
    parts: int


def _count(source: Path, chosen: EmbedSettings, progress: Progress) -> _Counts:
    """A look that finds what is wrong with a file before the work."""
    rows = empty = parts = 0
    with progress.step(f"reading {source.name}"):
        for texts in _chunks(source, chosen):
            rows, empty, parts = rows + len(texts), empty + sum(not text.strip() for text in texts), parts + 1
    if not rows:
        raise BadInput("the file has no texts", where=str(source), mend="give a file with rows")
    return _Counts(rows, empty, parts)


def _made_of(source: Path, chosen: EmbedSettings, found: Resolved, kernel: str) -> dict[str, str]:
    """Everything that the bytes of the parts depend on.

    The model's files are known by their bytes, since parts are kept.
    """
    digests = {name: found.sha256.get(name) or file_sha256(path) for name, path in sorted(found.files.items())}
    settings = {name: str(value) for name, value in asdict(chosen).items() if name not in {"threads", "model"}}
    model = json.dumps(digests, sort_keys=True)
    return {**settings, "input": file_sha256(source), "model": model, "kernel": kernel}


def _kernel(encoder: object) -> str:
    return str(getattr(encoder, "kernel", "none"))
