"""`encode_symbols`: the codes of features by a codebook, as numbers or as words in a table of sequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import as_path, atomic_write, require_distinct
from wordworth.inference.prediction_files import free_name
from wordworth.models.codebook import Codebook, Codes
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import at_least, setting, settings_from, validate
from wordworth.text.captioned_sequences import Numbers, read_bounds
from wordworth.text.file_formats.base import FileFormat
from wordworth.text.file_formats.in_memory import TableSource, as_files
from wordworth.text.file_formats.read import read_rows, require_writable
from wordworth.text.file_formats.table import TextTable
from wordworth.training.codebook.feature_rows import FeatureRows

COLUMN = "codes"


@dataclass(frozen=True, kw_only=True, slots=True)
class EncodeSymbolsSettings:
    """Settings of `encode_symbols`, which turns rows of features into codes by a codebook."""

    sequences: Path | str | None = setting(None, "Table with columns start and end, rows of FEATURES.")
    depth: int | None = setting(None, "First digits of a code. [default: all]", at_least(1))

    def __post_init__(self) -> None:
        validate(self)


def encode_symbols(
    codebook: Path | str,
    features: Path | str,
    out: Path | str | None = None,
    *,
    sequences: TableSource | None = None,
    depth: int | None = None,
    progress: Progress = SILENT,
) -> Codes:
    """Return the code of each row of features by a codebook that `learn_symbols` has made.

    Args:
        codebook: the folder of the codebook.
        features: an .npy of floating-point numbers, as wide as the features that the codebook was learned from.
        out: an .npy for the codes; or, with `sequences`, a .csv, .jsonl or .parquet for that table with a column
            `codes` (`codes_` if the table has a column `codes` already). Each code in the column is a word, so that
            every command about texts reads it. None writes nothing.
        sequences: a table with columns `start` and `end`: the first row of features of each sequence, and the one after
            its last. Where both are empty, as in a row of text alone, the codes are empty too.
        depth: number of digits, from the first, that a code has; None takes all. A code is a number in base k, with one
            digit for each level of the codebook's tree, in which each cluster is divided into k clusters.
        progress: receives the progress.

    Returns:
        The code of each row, int64 [rows], in [0, k ** depth).

    Raises:
        BadInput: there is no codebook, the features have another width or hold NaN, a sequence is empty, or `out`
            cannot be written.

    >>> encode_symbols("codes", "features.npy", "clips.csv", sequences="captions.csv")  # doctest: +SKIP
    """
    arguments = dict(locals())
    with as_files(sequences) as (table,):
        settings = settings_from(arguments | {"sequences": table}, EncodeSymbolsSettings)
        target = None if out is None else as_path(out, "--out")
        return _encode(settings, as_path(codebook, "codebook"), as_path(features, "features"), target, progress)


def _encode(
    settings: EncodeSymbolsSettings, codebook: Path, features: Path, target: Path | None, progress: Progress
) -> Codes:
    tree, rows = Codebook.read(codebook), FeatureRows.open(features)
    tree = tree if settings.depth is None else tree.to_depth(settings.depth)
    rows.require_width(tree.width)
    if target is not None:
        _require_target(settings, features, target)
    table = None if settings.sequences is None else read_rows(settings.sequences)
    bounds = None if table is None else read_bounds(table, len(rows))
    codes = _encoded(tree, rows, progress)
    if target is not None:
        with atomic_write(target) as neighbour:
            if table is None or bounds is None:
                with neighbour.open("wb") as file:
                    np.save(file, codes)
            else:
                _write_words(neighbour, require_writable(target), table, bounds, codes)
    return codes


def _require_target(settings: EncodeSymbolsSettings, features: Path, target: Path) -> None:
    require_distinct(target, features, *([] if settings.sequences is None else [settings.sequences]))
    if settings.sequences is not None:
        require_writable(target)
    elif target.suffix != ".npy":
        mend = "give an .npy, or --sequences, a table whose sequences get their codes as words"
        raise BadInput(f"codes are not written as {target.suffix or 'a file without suffix'}", where="--out", mend=mend)


def _encoded(tree: Codebook, rows: FeatureRows, progress: Progress) -> Codes:
    codes = np.empty(len(rows), dtype=np.int64)
    with progress.step("encoding", 2 * len(rows)) as step:
        rows.require_finite(step)
        for block, vectors in rows.blocks():
            codes[block] = tree.encode(vectors)
            step.advance(len(vectors))
    return codes


def words_of(codes: Codes) -> str:
    """Return codes as text, in which each code is a word.

    >>> words_of(np.array([7, 130]))
    'c7 c130'
    """
    return " ".join(f"c{code}" for code in codes.tolist())


def _write_words(path: Path, chosen: FileFormat, table: TextTable, bounds: Numbers, codes: Codes) -> None:
    """Write a table with one more column, the codes of each row's sequence as words.

    Args:
        path: the file to write.
        chosen: the format of the file.
        table: the table.
        bounds: int64 [rows of the table, 2], the index in `codes` of a sequence's first code, and of the one after its
            last.
        codes: int64 [rows of features], all codes.
    """
    column = free_name(COLUMN, list(table.columns))

    def cells() -> Iterator[dict[str, str]]:
        for row, (start, end) in enumerate(bounds.tolist()):
            yield {name: values[row] for name, values in table.columns.items()} | {column: words_of(codes[start:end])}

    chosen.write(path, cells(), dict.fromkeys([*table.columns, column], "text"))
