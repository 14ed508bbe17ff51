"""The folder of a training that is one study: free or its own, and going on only as the training that it began with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object
from wordworth.studies.report_folder import ReportFolder
from wordworth.training.pretraining.run_identity import FILE, compare

TRAINING = "training"
"""The folder inside it that holds the identity of the training and its checkpoints."""


def require_own_or_free(out: Path, kind: str) -> ReportFolder:
    """Return the folder of the record, after checking that it is free, or holds a training.

    Args:
        out: the folder.
        kind: of the study's records.

    Raises:
        BadInput: it holds something else, or cannot be written.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / TRAINING / FILE).exists():
        what = "this folder holds something else already"
        raise BadInput(what, where=str(out), mend="give another --out, or remove it first")
    return ReportFolder.of(out, kind)


def require_same(own: Mapping[str, Any], training: Path) -> None:
    """Check that a folder's training is the one that is asked for; a new one is noted there.

    Args:
        own: everything that decides the numbers, as JSON values.
        training: the folder `TRAINING`.

    Raises:
        BadInput: it is another.
    """
    if (training / FILE).exists():
        compare(read_object(training / FILE), own, training)
    else:
        write_text(training / FILE, json.dumps(own, indent=1) + "\n")
