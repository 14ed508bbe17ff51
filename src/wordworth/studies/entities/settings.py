"""`EntitiesSettings`: the settings of `study entities`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import POSITIVE, at_least, setting, settings_from, validate
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.training.finetuning.settings import FinetuneSettings

_KINDS = ("classification", "pair_classification", "multilabel", "regression")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitiesSettings:
    """Settings of the study `entities`, which measures what entity vectors add to a task."""

    model: str = setting(MISSING, "A model that fuses entities: the folder of `kg fuse`, or of `adapt` after it.")
    control: str | None = setting(
        None,
        "Model to compare with, which fuses entities too and is fine-tuned without links, such as one adapted to the "
        "same text without links.",
    )
    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts, for pairs.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    kind: str | None = setting(
        None, "classification, pair_classification, multilabel or regression; guessed from the data if not given."
    )
    metric: str | None = setting(None, "Metric: accuracy, macro_f1, micro_f1, f1:CLASS, ...")
    test: str | float | Path | None = setting(
        None,
        "A file to test on, or a share of the rows such as 0.2. [default: a quarter, at least 200, at most two fifths]",
    )
    limit: int | None = setting(
        None, "Maximum number of rows, drawn by class; a test file is read whole.", at_least(40)
    )
    runs: int = setting(3, "Fine-tunings of each system, with different seeds.", at_least(1))
    learning_rate: float | None = setting(None, "Peak learning rate. [default: as in fine-tuning]", POSITIVE)
    batch_size: int | None = setting(None, "Examples per update. [default: 16]", at_least(1))
    epochs: float | None = setting(None, "Passes over the training part. [default: by its size]", POSITIVE)
    draws: int = setting(1_000, "Bootstrap resamples of test rows and runs per interval.", at_least(100))
    seed: int = setting(0, "Random seed.", at_least(0))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    processes: int | None = setting(None, "Runs at the same time. [default: one per core or GPU]", at_least(1))

    def __post_init__(self) -> None:
        from wordworth.tasks import task_types

        validate(self)
        if self.kind is not None and task_types.get(self.kind).name not in _KINDS:
            what = f"{self.kind} is not one of the kinds of rows whose entities are measured"
            raise BadInput(what, where="--kind", mend=f"give one of {', '.join(_KINDS)}")

    @property
    def read(self) -> ReadSettings:
        """The settings by which the labelled rows are read."""
        return settings_from(asdict(self), ReadSettings)

    def finetuning(self, model: str) -> FinetuneSettings:
        """Return the settings for fine-tuning a model, whose embeddings are trained too, because the markers are new.

        Args:
            model: name of the model.
        """
        own = {name: getattr(self, name) for name in ("learning_rate", "batch_size", "epochs", "seed", "device")}
        own |= {"processes": self.processes, "restarts": self.runs, "embeddings": False}
        return settings_from({**own, "model": model}, FinetuneSettings)
