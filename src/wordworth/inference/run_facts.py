"""`RunFacts`: what the metadata of a run's folder say of its model, read without torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.inference.prediction_files import Layout
from wordworth.tasks import task_types
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples
    from wordworth.tasks.task_types import TaskType


class RunFacts(ABC):
    """A predictor with the metadata of its folder.

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
        """Whether the model reads two texts per example."""
        return bool(self.facts["second"]) and self.task_type.takes_pairs

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the text columns in the file that the model was trained on."""
        return tuple(self.facts.get("columns", ()))

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes or tags that the model predicts; empty for values, choices and spans."""
        return tuple(self.facts["classes"])

    @property
    def learned_from(self) -> frozenset[str]:
        """SHA-256 of the files that the training rows are from; empty for a model of an older version."""
        return frozenset(self.facts.get(LEARNED_FROM, ()))

    @property
    def needs_all(self) -> bool:
        """Whether an answer depends on the rows before and after the answered row."""
        return bool(self.facts.get("context"))

    @property
    def may_be_silent(self) -> bool:
        """Whether the model can predict that a question has no answer."""
        return "threshold" in self.facts

    @abstractmethod
    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`)."""

    def without_text(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer for a row that has no text: its values are None."""
        return dict.fromkeys(answer)

    def layout(self, input_columns: Sequence[str]) -> Layout:
        """Return the columns of a table of answers."""
        return Layout(self.task_type, self.classes, input_columns, self.may_be_silent)


def require_frozen_dtype(dtype: str) -> None:
    """Make sure that a model over frozen features can compute in a dtype.

    Raises:
        BadInput: it is another than float32.
    """
    if dtype not in ("auto", "float32"):
        mend = "leave --dtype out, or give float32"
        raise BadInput("frozen features are read in float32", where="--dtype", mend=mend)
