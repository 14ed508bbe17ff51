"""`TrainableRun`: the interface of a training run, for fine-tuning and for a tagger over frozen features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wordworth.tasks.task import Rows
    from wordworth.training.loop import Loop
    from wordworth.training.task_heads.base import TaskPredictions


class TrainableRun(Protocol):
    """A run that can be trained further."""

    @property
    def loop(self) -> Loop[Rows]:
        """The training loop."""
        ...

    @property
    def steps(self) -> int:
        """The number of updates in the whole run."""
        ...

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Tune what is chosen on the dev part (the threshold of no answer); return the choices and the predictions."""
        ...

    def predict(self, rows: Rows) -> TaskPredictions:
        """Predict rows of the task with the current weights."""
        ...
