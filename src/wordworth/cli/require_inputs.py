"""Check that the model and the file given to a command are there, before torch is imported, which takes seconds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.sources import require
from wordworth.text.read_compressed_file import check_file


def require_inputs(choices: Mapping[str, Any]) -> None:
    """Check the choices `model` and `data` of a command, as far as they are given.

    Args:
        choices: name of each choice -> its value; `model` is a name or a folder, `data` a file.

    Raises:
        BadInput: the model or the file is not there.
    """
    if "model" in choices:
        require(choices["model"])
    if "data" in choices:
        check_file(Path(choices["data"]))
