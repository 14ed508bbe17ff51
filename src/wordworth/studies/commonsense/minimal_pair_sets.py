"""Read minimal pairs: BLiMP, the agreement sets of Marvin and Linzen and of Gulordava, and tables of a user's own."""

from __future__ import annotations

import csv
import io
import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.files import require_regular, sha256_of_bytes
from wordworth.json_file import parse_json
from wordworth.studies.commonsense.items import Choice
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile, read_raw

_COUNTED_UNDER = {"s-selection": "argument_structure"}
"""Phenomenon in BLiMP's files -> the one under which the paper of BLiMP counts it (Warstadt et al. 2020, table 4)."""
_COLUMNS = {
    ("sentence_good", "sentence_bad"): ("UID", "linguistics_term"),
    ("good", "bad"): ("paradigm", "phenomenon"),
}
_TEMPLATES = {"reflexive": "reflexive pronouns", "npi": "negative polarity items"}


def with_third_column(raw: RawFile) -> RawFile:
    """Return Marvin and Linzen's table with three columns in every row; any other file is returned as it is.

    Rows without a third sentence have only two columns in the file; they get an empty third cell.
    """
    if not raw.data.startswith(b"template\t"):
        return raw
    header, *lines = raw.data.splitlines()
    width = header.count(b"\t")
    whole = [line + b"\t" * (width - line.count(b"\t")) for line in lines]
    return replace(raw, data=b"\n".join([header, *whole]))


def pair_items(table: TextTable) -> Iterator[Choice] | None:
    """Return the minimal pairs in a table; None if the table has no columns of minimal pairs."""
    if {"pattern", "class", "form", "len_prefix", "sent"} <= table.columns.keys():
        return _agreement(table)
    for (good, bad), names in _COLUMNS.items():
        if {good, bad} <= table.columns.keys():
            return _pairs(table, (good, bad), names)
    return None


def _pairs(table: TextTable, sides: tuple[str, str], names: tuple[str, str]) -> Iterator[Choice]:
    if "template" in table.columns:  # Marvin and Linzen
        paradigms = table.column("template")
        phenomena = [_phenomenon(name) for name in paradigms]
    else:
        paradigms, phenomena = (table.columns.get(name, [""] * len(table)) for name in names)
    goods, bads = (table.column(side) for side in sides)
    for row, (good, bad) in enumerate(zip(goods, bads, strict=True)):
        phenomenon = _COUNTED_UNDER.get(phenomena[row], phenomena[row]) or paradigms[row]
        yield Choice("", (good, bad), "", 0, paradigm=paradigms[row], phenomenon=phenomenon)


def _phenomenon(template: str) -> str:
    return next((name for part, name in _TEMPLATES.items() if part in template), "subject-verb agreement")


def _agreement(table: TextTable) -> Iterator[Choice]:
    """Yield the minimal pairs of Gulordava et al. (2018); a pair's sentences (right and wrong form) are two rows."""
    unpaired: dict[tuple[str, ...], dict[str, str]] = {}
    columns = [table.column(name) for name in ("pattern", "constr_id", "sent_id", "type")]
    for row, key in enumerate(zip(*columns, strict=True)):
        words, target = table.column("sent")[row].removesuffix("<eos>").split(), table.column("len_prefix")[row]
        if not target.isdecimal() or int(target) >= len(words):
            raise BadInput(f"len_prefix {target!r:.20} is no word of sent", where=table.where(row), mend=FETCH_AGAIN)
        words[int(target)] = table.column("form")[row]
        sides = unpaired.setdefault(key, {})
        sides[table.column("class")[row]] = " ".join(words)
        if sides.keys() == {"correct", "wrong"}:
            pattern, _, _, kind = key
            yield Choice(
                "", (sides["correct"], sides["wrong"]), "", 0, paradigm=pattern, phenomenon=f"{kind} sentences"
            )
            unpaired.pop(key)


def archived_tables(path: Path) -> list[TextTable]:
    """Return the tables of all `.jsonl` files in a folder or a `.tar` archive (perhaps compressed), sorted by name.

    Raises:
        BadInput: there are no such files, or one cannot be read.
    """
    tables = list(map(read_table, _files(path)))
    if not tables:
        raise BadInput("no .jsonl files here", where=str(path), mend="give BLiMP's folder of .jsonl files or archive")
    return tables


def _files(path: Path) -> Iterator[RawFile]:
    if path.is_dir():
        yield from map(read_raw, sorted(path.glob("*.jsonl")))
        return
    require_regular(path)
    try:
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda each: each.name):
                file = archive.extractfile(member) if member.name.endswith(".jsonl") else None
                if file is not None:
                    data = file.read()
                    name = f"{path}:{member.name}"
                    yield RawFile(name, ".jsonl", sha256_of_bytes(data), data)
    except (OSError, EOFError, tarfile.TarError) as error:
        raise BadInput(f"cannot read: {error}", where=str(path), mend="give BLiMP's folder or archive") from error


def published_accuracies(folder: Path) -> dict[str, dict[str, float]]:
    """Return the accuracies that Warstadt et al. (2020) published with BLiMP, from the files in a folder.

    Returns:
        Name of a paradigm or phenomenon -> `human` or the name of a model (`ngram`, `lstm`, `txl`, `gpt2`) -> accuracy,
        0 to 1. The mapping is empty if the folder lacks these files.

    Raises:
        BadInput: a file is damaged.
    """
    accuracies: dict[str, dict[str, float]] = {}
    for name, read in _PUBLISHED.items():
        path = folder / name
        if path.is_file():
            try:
                for key, values in read(path.read_text(encoding="utf-8")):
                    accuracies.setdefault(key, {}).update(values)
            except (ValueError, KeyError, TypeError) as error:
                raise BadInput(f"not BLiMP's file of accuracies: {error}", where=str(path), mend=FETCH_AGAIN) from error
    return accuracies


def _of_people(text: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    for row in csv.DictReader(io.StringIO(text)):
        yield row["Condition"], {"human": float(row["total_mean"])}


def _of_models(text: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    for row in map(parse_json, text.splitlines()):
        key = row["linguistics_term"] if row["UID"] == "overall" else row["UID"]
        yield key, {name: float(row[name]) for name in ("ngram", "lstm", "txl", "gpt2")}


_Read = Callable[[str], Iterator[tuple[str, Mapping[str, float]]]]
_PUBLISHED: dict[str, _Read] = {"human_validation_summary.csv": _of_people, "models_summary.jsonl": _of_models}
