"""`RungPredictor`: a rung of the ladder read from a folder, which answers each example with named values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from wordworth.inference.run_facts import RunFacts, require_frozen_dtype
from wordworth.models.cpu_inference import DtypeOption, require_dtype
from wordworth.representations.saved_rung import SavedRung, read_rung
from wordworth.tasks.task_types.base import DIGITS
from wordworth.training.finetuning.checkpoint_metadata import RUNG

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples


@dataclass(frozen=True, slots=True)
class RungPredictor(RunFacts):
    """A rung with the metadata of its folder.

    Attributes:
        rung: the representation under its head.
        facts: the folder's metadata by field: kind of task, classes and so on.
        dtype: dtype of the computation.
    """

    rung: SavedRung
    facts: Mapping[str, Any]
    dtype: str = "float32"

    @classmethod
    def read(cls, folder: Path, facts: Mapping[str, Any], device: str = "auto", dtype: str = "auto") -> RungPredictor:
        """Read the rung in a folder; only one with an encoder needs torch, or takes another device or dtype.

        Args:
            folder: the model's folder.
            facts: its metadata.
            device: where an encoder computes.
            dtype: dtype of its computation.

        Raises:
            BadInput: the folder is damaged, its model is not here, or the device or dtype does not exist.
        """
        require_dtype(dtype)
        if not facts[RUNG].get("contextual"):
            require_frozen_dtype(dtype)
            return cls(read_rung(folder, facts), facts)
        from wordworth.models.devices import device_of

        where = str(device_of(device, dtype))
        rung = read_rung(folder, facts, dtype=cast("DtypeOption", dtype), device=where)
        return cls(rung, facts, rung.dtype)

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`).

        Probabilities are calibrated on held-out training labels; a label is the one with the best score, which where
        the metric leans towards rare classes need not be the most probable one.
        """
        predictions, names = np.asarray(self.rung.predict(examples)), self.classes
        answers = [self.task_type.answer(prediction, names) for prediction in predictions]
        if not self.task_type.multiclass:
            return answers
        shares = np.round(self.rung.calibration.probabilities(predictions.astype(np.float64)), DIGITS).tolist()
        return [
            {**answer, "probabilities": dict(zip(names, row, strict=True))}
            for answer, row in zip(answers, shares, strict=True)
        ]
