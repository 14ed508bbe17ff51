"""Settings and a warning that are shared by studies which score a model on a user's labelled rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from wordworth.records import Finding
from wordworth.settings_validation import at_least, setting, settings_from, validate
from wordworth.tasks.reading.settings import ReadSettings

if TYPE_CHECKING:
    from wordworth.tasks.task import Task

_FEW_ROWS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRows:
    """Settings by which a study reads a user's labelled rows; the settings of each such study extend this class."""

    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts, for pairs.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    metric: str | None = setting(None, "Metric: accuracy, macro_f1, f1:CLASS, spearman, entity_f1, ...")
    limit: int = setting(1_000, "Most rows, drawn by class.", at_least(40))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)

    @property
    def read(self) -> ReadSettings:
        """The settings by which the labelled rows are read."""
        return settings_from(asdict(self), ReadSettings)


def few_rows(task: Task) -> Iterator[Finding]:
    """Yield a warning if the test part of a task has fewer than 200 rows."""
    if len(task.test) < _FEW_ROWS:
        text = f"{len(task.test)} rows measure: changes of a few points cannot be told from luck."
        yield Finding("warning.few_rows", text, {"rows": len(task.test)})
