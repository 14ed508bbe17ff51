"""Find the model and other files in the output folder of a fine-tuning, without loading torch."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.sources import FINE_TUNED, RUN_MODEL
from wordworth.training.finetuning.unwritten_verdict import unwritten_verdict

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


def output_file(run: Path, name: str) -> Path | None:
    """Return the path of a file in the output folder of a fine-tuning; None if the file does not exist.

    Args:
        run: the output folder, or the model folder in it.
        name: path of the file, relative to the output folder.
    """
    return next((folder / name for folder in (run, run.parent) if (folder / name).is_file()), None)


def _why_not(run: Path) -> str:
    """Return the reason, for an error message, why `run` is not the folder of a fine-tuned model."""
    if run.is_dir():
        return f"this is not the folder of a fine-tuned model: no {METADATA} in it"
    return "this is not a folder" if run.exists() else "no such folder, so not the folder of a fine-tuned model"
