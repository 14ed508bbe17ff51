"""`RungPredictor`: a rung that was read from a folder, as the study `worth` wrote it.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from wordworth.inference.predictor_base import PredictorBase, require_frozen_dtype
from wordworth.models.cpu_inference import DtypeOption, require_dtype
from wordworth.representations.saved_rung import SavedRung, read_rung
from wordworth.tasks.task_types.base import DIGITS
from wordworth.training.finetuning.checkpoint_metadata import RUNG

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples


@dataclass(frozen=True, slots=True)
class RungPredictor(PredictorBase):
    """A rung that was read from a folder, with the folder's metadata.

    Attributes:
        rung: the text representation, with the classifier or regression that was fitted on it.
        facts: the folder's metadata by field: kind of task, classes and so on.
        dtype: dtype of the computation.
    """

    rung: SavedRung
    facts: Mapping[str, Any]
    dtype: str = "float32"

    @classmethod
    def read(cls, folder: Path, facts: Mapping[str, Any], device: str = "auto", dtype: str = "auto") -> RungPredictor:
        """Read the rung in a folder, as the study `worth` wrote it.

        Only a rung with an encoder or a BiLSTM tagger needs torch, and only a rung with an encoder accepts a device or
        dtype other than the default.

        Args:
            folder: the model's folder.
            facts: the folder's metadata by field.
            device: where an encoder computes: `cpu`, `cuda` or `auto`.
            dtype: dtype of an encoder's computation.

        Raises:
            BadInput: the folder is damaged, the encoder or table that the rung reads is not on this machine, or the
                device or dtype does not exist.
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

        A tagger answers with `tags`, one for each word. Probabilities are calibrated on held-out training labels. The
        label is the class with the best score. If the study's metric favours rare classes, scores are shifted towards
        them, and the label need not be the most probable class.
        """
        predictions, names = self.rung.predict(examples), self.classes
        answers = [self.task_type.answer(prediction, names) for prediction in predictions]
        if not self.task_type.multiclass:
            return answers
        shares = np.round(
            self.rung.calibration.probabilities(np.asarray(predictions, dtype=np.float64)), DIGITS
        ).tolist()
        return [
            {**answer, "probabilities": dict(zip(names, row, strict=True))}
            for answer, row in zip(answers, shares, strict=True)
        ]
