"""`CascadePredictor`: a cheap model predicts all texts, a costly model the texts that the cheap model is unsure of.

The first model is unsure of a text if its largest class probability is below the threshold of the cascade (Viola and
Jones 2001).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.inference.predictor_base import PredictorBase
from wordworth.training.finetuning.checkpoint_metadata import CASCADE, write_metadata
from wordworth.training.finetuning.run_folder import model_folder

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples

FIRST, SECOND = "first", "second"
_COMMON = ("kind", "classes", "second", "columns")


@dataclass(frozen=True, slots=True)
class CascadePredictor(PredictorBase):
    """Two models of the same classes: the second predicts the examples that the first is unsure of.

    Attributes:
        first, second: the models, the cheap one first.
        facts: metadata of the cascade's folder by field, with the threshold.
    """

    first: PredictorBase
    second: PredictorBase
    facts: Mapping[str, Any]

    @property
    def dtype(self) -> str:  # type: ignore[override]  # a field of the others
        """The dtype of the second model's computation."""
        return self.second.dtype

    @property
    def threshold(self) -> float:
        """The probability, from 0 to 1, below which the first model is unsure."""
        return float(self.facts[CASCADE]["threshold"])

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`)."""
        answers = self.first.answers(examples)
        unsure = np.flatnonzero(confidence(answers) < self.threshold)
        if len(unsure):
            for row, answer in zip(unsure, self.second.answers(examples.take(unsure)), strict=True):
                answers[row] = answer
        return answers


def confidence(answers: Sequence[Mapping[str, Any]]) -> NDArray[np.float64]:
    """Return the largest class probability of each answer, float64 [n]."""
    return np.array([max(answer["probabilities"].values()) for answer in answers], dtype=np.float64)


def require_pair(first: PredictorBase, second: PredictorBase) -> None:
    """Check that two models can be a cascade.

    Raises:
        BadInput: the models differ in their kind of task, classes or number of texts, give no probability for each
            class, or one reads a sentence with its neighbours.
    """
    if not (first.task_type.multiclass and first.task_type.class_probabilities):
        what = f"a cascade needs a probability for each class, and {first.task_type.name} has none"
        raise BadInput(what, mend="give models of texts with one class each")
    if first.reads_neighbours or second.reads_neighbours:
        raise BadInput("a model reads a sentence with its neighbours", mend="give models that read a row alone")
    for field in ("kind", "classes", "second"):
        if first.facts[field] != second.facts[field]:
            what = f"the models differ in {field!r}: {first.facts[field]!r:.80} and {second.facts[field]!r:.80}"
            raise BadInput(what, mend="train both on the same labels")


def write_cascade(folder: Path, runs: tuple[Path, Path], facts: Mapping[str, Any], cascade: Mapping[str, Any]) -> None:
    """Write a cascade with copies of its two models into a folder; an old folder is replaced.

    Args:
        folder: the folder to write.
        runs: the folders of the two models, the cheap one first.
        facts: metadata of the first model by field; the cascade takes its kind of task, classes and so on from it.
        cascade: metadata of the cascade by field: `threshold`, and the values that were measured for it.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    with replacing_folder(folder) as new:
        for name, run in zip((FIRST, SECOND), runs, strict=True):
            copytree(model_folder(run), new / name)
        write_metadata(new, {**{name: facts[name] for name in _COMMON if name in facts}, CASCADE: dict(cascade)})
