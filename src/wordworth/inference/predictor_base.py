"""`PredictorBase`: base class of the predictors read from folders; their metadata are available without torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.inference.prediction_files import Layout
from wordworth.tasks import task_types
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM

if TYPE_CHECKING:
    from wordworth.inference.finetuned_network import Network
    from wordworth.tasks.task import Examples
    from wordworth.tasks.task_types import TaskType


class PredictorBase(ABC):
    """A predictor that was read from a folder, with the folder's metadata.

    Attributes:
        facts: the folder's metadata by field: kind of task, classes and so on.
        dtype: dtype of the computation.
    """

    __slots__ = ()
    facts: Mapping[str, Any]
    dtype: str

    @property
    def task_type(self) -> TaskType:
        """The kind of task that the model was trained on."""
        return task_types.get(self.facts["kind"])

    @property
    def pairs(self) -> bool:
        """True if the model reads two texts per example."""
        return bool(self.facts["second"]) and self.task_type.takes_pairs

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the text columns in the file that the model was trained on."""
        return tuple(self.facts.get("columns", ()))

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes or tags that the model predicts; empty if it predicts values, choices or spans."""
        return tuple(self.facts["classes"])

    @property
    def learned_from(self) -> frozenset[str]:
        """SHA-256 of each file of training rows; empty for a model that an older version wrote."""
        return frozenset(self.facts.get(LEARNED_FROM, ()))

    @property
    def reads_neighbours(self) -> bool:
        """True if a prediction depends on the rows before and after the predicted row."""
        return bool(self.facts.get("context"))

    @property
    def network(self) -> Network | None:
        """The fine-tuned network; None for a model without one."""
        return None

    @property
    def predicts_no_answer(self) -> bool:
        """True if the model can predict that a question has no answer."""
        return "threshold" in self.facts

    @abstractmethod
    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`)."""

    def without_text(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer for a row without text: a dict with the names of `answer`, in which every value is None.

        Args:
            answer: the answer to any row, from which the names of the values are taken.
        """
        return dict.fromkeys(answer)

    def layout(self, input_columns: Sequence[str]) -> Layout:
        """Return the columns of a table of this model's answers: the input's columns, then the answers' columns."""
        return Layout(self.task_type, self.classes, input_columns, self.predicts_no_answer)


def require_frozen_dtype(dtype: str) -> None:
    """Check the dtype of a model over frozen features, which computes in float32 alone.

    Raises:
        BadInput: the dtype is neither `auto` nor `float32`.
    """
    if dtype not in ("auto", "float32"):
        mend = "leave --dtype out, or give float32"
        raise BadInput("frozen features are read in float32", where="--dtype", mend=mend)
