"""Published data sets in several languages that the study knows by name."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.studies.languages.settings import NAMED_SETS
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, shared, shared_file


def named_set(name: str) -> Path:
    """Return the folder or file of a published data set, such as `xquad` or `sib200`.

    Args:
        name: one of `NAMED_SETS`.

    Raises:
        BadInput: the data set is not on this machine.
    """
    relative_path = Path(NAMED_SETS[name])
    path = shared_file(relative_path) if relative_path.suffix else shared(relative_path)
    if path is None:
        mend = f"set {DATA_VARIABLE} to a folder that has {relative_path}, or name a file or folder of your own"
        raise BadInput(f"the files of {name} are not on this machine", mend=mend)
    return path
