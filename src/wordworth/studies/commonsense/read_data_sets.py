"""Read the data sets of the study `commonsense`: published ones by name, and a user's files by their columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.files import content_key
from wordworth.studies.commonsense.ending_sets import ending_items, layout_of
from wordworth.studies.commonsense.items import Choice, ChoiceSet, Kind
from wordworth.studies.commonsense.minimal_pair_sets import (
    archived_tables,
    pair_items,
    published_accuracies,
    with_third_column,
)
from wordworth.studies.commonsense.pronoun_sets import pronoun_items, schema_items
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, named_file, shared_file
from wordworth.tasks.formats.pronoun_rows import FOLDER
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import file_sha256, is_file, read_raw, suffix_of

PUBLISHED = {
    **{name: FOLDER / f"{name}.tsv" for name in ("pdp60", "wsc273", "winogender", "dpr_train", "dpr_test")},
    "codah": Path("codah", "all.csv"),
    "copa": Path("stories", "copa_en", "dev.jsonl"),
    "hellaswag": Path("stories", "hellaswag", "val.jsonl"),
    "blimp": Path("blimp", "blimp_data.tar"),
    "marvin_linzen": Path("syntax", "agreement", "marvin_linzen_sample.tsv"),
    "gulordava": Path("syntax", "agreement", "gulordava_en.tab"),
}
"""Name of a published data set -> its path in `$WORDWORTH_DATA`; the file may be compressed."""
USUAL = ("pdp60", "wsc273", "winogender", "dpr_test", "codah", "copa")
"""The data sets that are read if the user names none."""
_LAYOUTS = (
    "of pronouns: text, pronoun, candidates (with | between) and answer; of endings: context, endings and label; of "
    "minimal pairs: good and bad"
)


def read_sets(data: Sequence[str]) -> list[ChoiceSet]:
    """Read the data sets that a user names.

    Args:
        data: for each data set its file, its folder or archive (BLiMP), or its name in `PUBLISHED`; if empty, the data
            sets in `USUAL` that are on this machine.

    Raises:
        BadInput: a named data set does not exist, a file is damaged or has other columns, or a name occurs twice.
    """
    names = list(data) or [name for name in USUAL if shared_file(PUBLISHED[name])]
    if not names:
        mend = f"give files with --data, or set {DATA_VARIABLE} to a folder with {PUBLISHED[USUAL[0]].parent}"
        raise BadInput("no data are given, and no published set is on this machine", mend=mend)
    sets = [_read(name) for name in names]
    twice = [each.name for number, each in enumerate(sets) if each.name in {other.name for other in sets[:number]}]
    if twice:
        raise BadInput(f"two data sets are called {twice[0]!r}", mend="give each once, or rename a file")
    return sets


def _read(name: str) -> ChoiceSet:
    path = data_set_path(name)
    kind, items, rows, sha256 = _items(path)
    if not items:
        what = "no row has its pronoun exactly once" if kind == "pronouns" else "nothing to choose from"
        raise BadInput(what, where=str(path), mend=f"give rows {_LAYOUTS}")
    published = published_accuracies(path.parent if path.is_file() else path) if kind == "pairs" else {}
    called, seed_name = (name, name) if name in PUBLISHED else (path.name, content_key(*items))
    return ChoiceSet(called, kind, items, path.name, sha256, rows, published, seed_name)


def data_set_path(name: str) -> Path:
    """Return the path of a data set.

    Args:
        name: a file, folder or archive, or a name in `PUBLISHED`.

    Raises:
        BadInput: there is no such file and no such published data set on this machine.
    """
    if name not in PUBLISHED and not Path(name).suffix and not Path(name).exists() and not is_file(name):
        raise BadInput(f"no data set {name!r}", mend=f"give a file, or a published set ({nearest(name, PUBLISHED)})")
    return named_file(name, PUBLISHED.get(name, Path(name)), "data set")


def _items(path: Path) -> tuple[Kind, list[Choice], int, str]:
    """Return the kind of a file's items, the items, the number of rows, and the SHA-256 of the file."""
    if path.is_dir() or suffix_of(path.name) == ".tar":
        return _archive(path)
    raw = read_raw(path)
    if raw.suffix == ".xml":
        schemas = list(schema_items(raw))
        return "pronouns", schemas, len(schemas), raw.sha256
    table = read_table(with_third_column(raw), "csv" if raw.suffix == ".tab" else None)
    pairs = pair_items(table)
    if pairs is not None:
        return _differing(list(pairs), raw.sha256)
    layout = layout_of(table)
    if layout is not None:
        return "endings", list(ending_items(layout, table)), len(table), raw.sha256
    if not {"pronoun", "candidates"} & table.columns.keys():
        listed = ", ".join(list(table.columns)[:6])
        raise BadInput(f"no known columns ({listed:.80})", where=str(path), mend=f"give a table {_LAYOUTS}")
    return "pronouns", list(pronoun_items(table)), len(table), raw.sha256


def _archive(path: Path) -> tuple[Kind, list[Choice], int, str]:
    items: list[Choice] = []
    for table in archived_tables(path):
        pairs = pair_items(table)
        if pairs is None:
            raise BadInput("no columns of minimal pairs", where=table.path, mend=f"give files {_LAYOUTS}")
        items += pairs
    return _differing(items, "" if path.is_dir() else file_sha256(path))


def _differing(pairs: list[Choice], sha256: str) -> tuple[Kind, list[Choice], int, str]:
    """Return the same as `_items` for minimal pairs, without pairs of equal sentences, of which BLiMP has some.

    The number of rows counts all pairs.
    """
    return "pairs", [pair for pair in pairs if len(set(pair.options)) > 1], len(pairs), sha256
