"""`read_predictor`: the one door to the models that folders hold, fine-tuned ones, probes and rungs of the ladder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.json_file import read_object
from wordworth.training.finetuning.checkpoint_metadata import RUNG, read_metadata
from wordworth.training.finetuning.run_folder import METADATA, model_folder

if TYPE_CHECKING:
    from wordworth.inference.rung_predictor import RungPredictor
    from wordworth.inference.task_predictor import TaskPredictor


def needs_torch(folder: Path) -> bool:
    """Return whether the model in a folder needs torch: all do but a rung without an encoder.

    Raises:
        BadInput: the metadata of the folder are no JSON.
    """
    rung = read_object(folder / METADATA).get(RUNG)
    return not isinstance(rung, dict) or rung.get("contextual") is not False


def read_predictor(run: Path, device: str = "auto", dtype: str = "auto") -> TaskPredictor | RungPredictor:
    """Read the model in a run's folder; torch is imported only where the model needs it.

    Args:
        run: the output folder of a fine-tuning, a probe or a study `worth`, or the model folder inside that.
        device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one.
        dtype: dtype of an encoder's computation.

    Raises:
        BadInput: the folder holds no model, the model is damaged, or the device or dtype does not exist.
    """
    folder = model_folder(run)
    facts = read_metadata(folder)
    if RUNG in facts:
        from wordworth.inference.rung_predictor import RungPredictor

        return RungPredictor.read(folder, facts, device, dtype)
    from wordworth.inference.task_predictor import TaskPredictor

    return TaskPredictor.read(run, device, dtype)
