"""The catalogue of sense data sets, and how a name or a file is read as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.files import content_key
from wordworth.studies.senses.semcor import read_semcor
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.tagged_file import read_coarsewsd, read_tagged_rows
from wordworth.studies.senses.wic import Pairs, read_pairs
from wordworth.studies.word_vectors_by_layer import require_unique_names
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import COMPRESSIONS, is_file, read_raw

Dataset = SenseDataset | Pairs
_Read = Callable[[str, Path, int | None, int], Dataset]
_MEND = "set WORDWORTH_DATA to a folder with {} (docs/data.md says what is in it), or give --data a file of your own"


def _wic(name: str, path: Path, limit: int | None, seed: int) -> Pairs:
    return read_pairs(name, read_plain_tsv(read_raw(path)), limit, seed)


CATALOGUE: dict[str, tuple[Path, _Read]] = {
    "semcor": (Path("senses", "semcor", "semcor3.txt"), read_semcor),
    "coarsewsd": (Path("senses", "coarsewsd20", "coarsewsd20.tsv"), read_coarsewsd),
    "wic": (Path("senses", "wic", "wic.tsv"), _wic),
}


def read_sets(settings: SensesSettings) -> list[Dataset]:
    """Read the requested data sets; by default all sets of the catalogue that are on this machine.

    Raises:
        BadInput: a set is missing or cannot be read, or two have the same name.
    """
    names = settings.data or _available()
    sets = [_read_set(name, settings) for name in names]
    require_unique_names((dataset.name for dataset in sets), called="sets", mend="rename one of the files")
    return sets


def _available() -> Sequence[str]:
    names = [name for name, (path, _) in CATALOGUE.items() if shared_file(path)]
    if not names:
        raise BadInput("no words tagged with senses were given", where="--data", mend=_MEND.format("senses/"))
    return names


def _read_set(name: str, settings: SensesSettings) -> Dataset:
    if name in CATALOGUE and not is_file(name):
        file, read = CATALOGUE[name]
        path = shared_file(file)
        if path is None:
            raise BadInput(f"{name} is not on this machine", where="--data", mend=_MEND.format(file))
        return read(name, path, settings.limit, settings.seed)
    refuse_unknown_name(name, CATALOGUE)
    dataset = _read_user_file(Path(name), settings)
    return replace(dataset, seed_name=content_key(*dataset.sentences))


def refuse_unknown_name(data: str, names: Iterable[str]) -> None:
    """Raise `BadInput` if `data` looks like a name, not a path, and is no file or folder.

    Args:
        data: the data set as the user gave it; not one of `names`.
        names: the names of the published data sets, for the hint.
    """
    if not (Path(data).suffix or len(Path(data).parts) > 1 or is_file(data) or Path(data).exists()):
        raise BadInput(f"no data set or file {data!r}", where="--data", mend=nearest(data, names))


def _read_user_file(path: Path, settings: SensesSettings) -> Dataset:
    """Read a user's file: a .txt in SemCor's format, a table with a column `sentence1` as pairs, else tagged words."""
    name = path.name
    for packing in COMPRESSIONS:
        name = name.removesuffix(packing)
    called = Path(name).stem
    if name.endswith(".txt"):
        return read_semcor(called, path, settings.limit, settings.seed)
    table = read_rows(path)
    read = read_pairs if "sentence1" in table.columns else read_tagged_rows
    return read(called, table, settings.limit, settings.seed)
