"""Published data sets in several languages that the study knows by name."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.studies.languages.settings import NAMED_SETS
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, shared, shared_file


def named_set(name: str) -> tuple[Path, ...]:
    """Return the file or the folders of a published data set, such as `xquad` or `sib200`.

    Args:
        name: one of `NAMED_SETS`.

    Raises:
        BadInput: a file or folder is not on this machine.
    """
    return tuple(_stored(name, Path(relative_path)) for relative_path in NAMED_SETS[name])


def _stored(name: str, relative_path: Path) -> Path:
    path = shared_file(relative_path) if relative_path.suffix else shared(relative_path)
    if path is None:
        mend = f"set {DATA_VARIABLE} to a folder that has {relative_path}, or name a file or folder of your own"
        raise BadInput(f"the files of {name} are not on this machine", mend=mend)
    return path
