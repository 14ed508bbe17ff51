"""Checks that a training's output folder is new or empty, or holds the same training, which then resumes."""

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
"""Name of the folder, inside the output folder, that holds the training's identity and checkpoints."""


def require_own_or_free(out: Path, kind: str) -> ReportFolder:
    """Check that an output folder is new, empty, or holds a training of the same kind; return it as a report folder.

    Args:
        out: the folder.
        kind: the kind of the study's records.

    Raises:
        BadInput: the folder holds other files, or cannot be written.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / TRAINING / FILE).exists():
        what = "this folder holds something else already"
        raise BadInput(what, where=str(out), mend="give another --out, or remove it first")
    return ReportFolder.of(out, kind)


def require_same(own: Mapping[str, Any], training: Path) -> None:
    """Check that a folder holds the same training as the one to start, so that only the same training resumes in it.

    If the folder is new, the identity of the training is written into it.

    Args:
        own: the identity of the training: everything that decides its results, as JSON values.
        training: the folder `TRAINING` inside the output folder.

    Raises:
        BadInput: the folder holds another training.
    """
    if (training / FILE).exists():
        compare(read_object(training / FILE), own, training)
    else:
        write_text(training / FILE, json.dumps(own, indent=1) + "\n")
