"""`DistillSettings`: the settings of `distill`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from wordworth.errors import BadInput, nearest
from wordworth.inference.embed_settings import Engine
from wordworth.settings_validation import (
    LEARNING_RATE,
    POSITIVE,
    ValidRange,
    at_least,
    setting,
    settings_from,
    validate,
)
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.training.finetuning.settings import FinetuneSettings

MethodName = Literal["finetune", "kd", "pkd-last", "pkd-skip", "distilbert", "tinybert"]
CONTROL = "finetune"
"""The method without a teacher."""
DEV_SHARE = 0.1
"""The share of the training rows that are held out to choose each student's weights, and the student to write."""
ANSWERS = "kd"
"""The method that learns from the teacher's answers alone."""
TEACHER_LAYERS, PRETRAINED, BILSTM = "teacher", "pretrained", "bilstm"
"""The values of the setting `start` that are no name or folder: layers of the teacher, layers of the pretrained model
that it was fine-tuned from, and a new BiLSTM."""
BILSTM_RATE = 1e-3
"""The peak learning rate of a new BiLSTM, 20 times that of BERT's layers."""
_OF_ANSWERS = ("finetune", "kd")
"""The methods that do not compare hidden states, and so work for a BiLSTM too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistillSettings:
    """Settings of `distill`. For a setting of None, the value depends on the teacher, the method or the rows."""

    layers: int | None = setting(
        None, "Number of layers of the student. [default: half of the teacher's; 1 of a BiLSTM]", at_least(1)
    )
    start: str = setting(
        TEACHER_LAYERS,
        "What the student begins as: teacher, the first layers of the fine-tuned model; pretrained, those of the model "
        "that it was fine-tuned from (Sun et al. 2019), under a new output layer; that model's name or folder; or "
        "bilstm, a new BiLSTM over the teacher's word embeddings.",
    )
    method: MethodName | None = setting(
        None, "What the student learns from its teacher. [default: pkd-skip; kd of a BiLSTM]"
    )
    compare: str = setting(CONTROL, "Methods to compare with, separated by commas; finetune has no teacher.")
    data: Path | str = setting(MISSING, "Labelled rows to learn from, such as those that the teacher learned from.")
    test: str | float | Path | None = setting(
        None,
        "A file to test on, or a share of the rows such as 0.2. [default: a quarter, at least 200, at most two fifths, "
        "as in fine-tuning]",
    )
    seeds: int = setting(5, "Number of students of each method, with different seeds.", at_least(1))
    temperature: float | None = setting(None, "Temperature of the answers. [default: by the method]", POSITIVE)
    alpha: float | None = setting(
        None,
        "Weight of the teacher's answers; that of the labels is 1 less this. [default: by the method]",
        ValidRange(lambda share: 0 <= share <= 1, "a number from 0 to 1"),
    )
    beta: float | None = setting(None, "Weight of the states. [default: by the method]", at_least(0))
    learning_rate: float | None = setting(None, "Peak learning rate. [default: as in fine-tuning]", LEARNING_RATE)
    batch_size: int | None = setting(None, "Examples per update. [default: 16]", at_least(1))
    epochs: float | None = setting(None, "Passes over the training part. [default: by its size]", POSITIVE)
    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts, for pairs.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    metric: str | None = setting(None, "Metric: accuracy, macro_f1, matthews, f1:CLASS, ...")
    limit: int | None = setting(
        None, "Maximum number of rows, drawn by class; a test file is read whole.", at_least(40)
    )
    seed: int = setting(0, "Random seed.", at_least(0))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    engine: Engine = setting(
        "local",
        "Where the teacher's answers are computed: local, or ray: by a Ray cluster. Students are trained "
        "on this machine.",
    )
    processes: int | None = setting(None, "Runs at the same time. [default: one per core or GPU]", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
        if self.method is None:
            object.__setattr__(self, "method", ANSWERS if self.start == BILSTM else "pkd-skip")
        for name in self.methods:
            if name not in get_args(MethodName):
                raise BadInput(f"no method {name!r:.60}", where="--compare", mend=nearest(name, get_args(MethodName)))
            if self.start == BILSTM and name not in _OF_ANSWERS:
                what = f"{name} compares states of layers, which a BiLSTM does not share with its teacher"
                raise BadInput(what, mend="give --method kd, and --compare finetune")

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods that are compared, without repetition; the last method's best student is written."""
        names = [name.strip() for name in self.compare.split(",") if name.strip()]
        return (*dict.fromkeys(name for name in names if name != self.method), str(self.method))

    @property
    def read(self) -> ReadSettings:
        """The settings by which the labelled rows are read."""
        return settings_from(asdict(self), ReadSettings)

    def finetuning(self, teacher: str, **facts: object) -> FinetuneSettings:
        """Return the settings for fine-tuning the students.

        Args:
            teacher: name of the teacher.
            facts: settings that students share with the teacher, by name: pooling, embeddings, bilstm.
        """
        own = {name: getattr(self, name) for name in ("learning_rate", "batch_size", "epochs", "seed", "device")}
        if self.start == BILSTM and self.learning_rate is None:
            own["learning_rate"] = BILSTM_RATE
        return settings_from(
            {**own, "processes": self.processes, "restarts": self.seeds, "model": teacher, **facts}, FinetuneSettings
        )
