"""The folder of published data sets, where there is one."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[4] / "shared" / "data"))


def needs(name: str) -> Path:
    """The folder of a data set; the test is skipped where it is not on this machine."""
    if not (DATA / name).is_dir():
        pytest.skip(f"{DATA / name} is not here: set WORDWORTH_DATA to the folder of the data sets")
    return DATA / name


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files by name; the folder itself comes back."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
