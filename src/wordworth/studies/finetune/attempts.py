"""A run in the making: fine-tuning, or a tagger over frozen states; a study treats them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wordworth.tasks.task import Rows
    from wordworth.training.loop import Loop
    from wordworth.training.task_heads.base import TaskPredictions


class TrainableRun(Protocol):
    """A run that can go on."""

    @property
    def loop(self) -> Loop[Rows]:
        """What learns, step by step."""
        ...

    @property
    def steps(self) -> int:
        """Updates of the whole run."""
        ...

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Set what is set on the dev part (the threshold of no answer); what was chosen, by name, and what is said."""
        ...

    def predict(self, rows: Rows) -> TaskPredictions:
        """What it says of rows of the task, with the weights that it has now."""
        ...
