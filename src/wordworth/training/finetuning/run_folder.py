"""Find the model and other files in the output folder of a fine-tuning, without loading torch."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.records import RECORD, read
from wordworth.sources import FINE_TUNED, RUN_MODEL

METADATA = FINE_TUNED
_MEND = "give the --out folder of wordworth finetune, probe or worth"


def find_model_folder(run: Path) -> Path | None:
    """Return the model folder of a fine-tuning; None if `run` is not the folder of a fine-tuning.

    Args:
        run: the model folder itself, or the output folder that holds it.
    """
    return next((folder for folder in (run, run / RUN_MODEL) if (folder / METADATA).exists()), None)


def model_folder(run: Path) -> Path:
    """Return the model folder of a fine-tuning.

    Args:
        run: the model folder itself, or the output folder that holds it.

    Raises:
        BadInput: `run` is missing, is not a folder, or holds no fine-tuned model.
    """
    folder = find_model_folder(run)
    if folder is None:
        raise unwritten_verdict(run) or BadInput(_why_not(run), where=str(run), mend=_MEND)
    require_regular(folder / METADATA)
    return folder


def unwritten_verdict(run: Path) -> BadInput | None:
    """Return the error for a study `worth` that has not written the model that its verdict names.

    Args:
        run: a folder without a model; the result is None if it holds no such study.
    """
    if not (run / RECORD).is_file():
        return None
    try:
        record = read(run / RECORD)
        named = record.finding("verdict").numbers["rung"] if record.kind == "worth" else None
        constants = [row["rung"] for row in record.tables["ladder"].rows() if row["family"] == "constant"]
    except (BadInput, KeyError):
        return None
    if named is None:
        return None
    if named in constants:
        what, mend = "it gives every text the same answer", "run wordworth worth on more labels"
    else:
        what, mend = "`worth` does not write it as a model", "make it with wordworth finetune, and give that folder"
    return BadInput(f"the verdict of this study names {named!r}, and {what}", where=str(run), mend=mend)


def output_file(run: Path, name: str) -> Path | None:
    """Return the path of a file in the output folder of a fine-tuning; None if the file does not exist.

    Args:
        run: the output folder, or the model folder in it.
        name: path of the file, relative to the output folder.
    """
    return next((folder / name for folder in (run, run.parent) if (folder / name).is_file()), None)


def _why_not(run: Path) -> str:
    """Return in words why there is no fine-tuned model in `run`."""
    if run.is_dir():
        return f"this is not the folder of a fine-tuned model: no {METADATA} in it"
    return "this is not a folder" if run.exists() else "no such folder, so not the folder of a fine-tuned model"
