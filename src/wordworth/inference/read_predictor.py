"""`read_predictor`: read the model in a run's folder: a fine-tuned model, a probe, a cascade or a rung.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from wordworth.json_file import read_object
from wordworth.training.finetuning.checkpoint_metadata import BILSTM, CASCADE, RUNG, TAGGER, read_metadata
from wordworth.training.finetuning.run_folder import METADATA, model_folder

if TYPE_CHECKING:
    from wordworth.inference.cascade import CascadePredictor
    from wordworth.inference.rung_predictor import RungPredictor
    from wordworth.inference.task_predictor import TaskPredictor

    AnyPredictor: TypeAlias = TaskPredictor | RungPredictor | CascadePredictor


def needs_torch(folder: Path) -> bool:
    """Return whether the model in a folder needs torch: all do but models of `worth` without encoder and BiLSTM.

    Raises:
        BadInput: the metadata of the folder are not JSON.
    """
    metadata = read_object(folder / METADATA)
    if CASCADE in metadata:
        return any(needs_torch(folder / name) for name in ("first", "second"))
    rung = metadata.get(RUNG)
    return not isinstance(rung, dict) or rung.get("contextual") is not False or rung.get(TAGGER) == BILSTM


def read_predictor(run: Path, device: str = "auto", dtype: str = "auto") -> AnyPredictor:
    """Read the model in a run's folder; torch is imported only where the model needs it.

    Args:
        run: the output folder of a fine-tuning, a probe, a study `worth` or a cascade, or the model folder inside that.
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
    if CASCADE in facts:
        from wordworth.inference.cascade import FIRST, SECOND, CascadePredictor

        folders = (folder / FIRST, folder / SECOND)
        # Nothing of TF-IDF is computed in bfloat16.
        dtypes = (dtype if needs_torch(each) else "auto" for each in folders)
        first, second = (read_predictor(each, device, own) for each, own in zip(folders, dtypes, strict=True))
        return CascadePredictor(first, second, facts)
    from wordworth.inference.task_predictor import TaskPredictor

    return TaskPredictor.read(run, device, dtype)
