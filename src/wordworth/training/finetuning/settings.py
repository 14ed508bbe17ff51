"""`FinetuneSettings`: the settings of a fine-tuning, shared by Python, the command line and the record."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import Range, out_of_range
from wordworth.sources import kind_of, require, resolve
from wordworth.tasks.reading.settings import share_or_file
from wordworth.tasks.task_types import TaskType

Recipe = Literal["modern", "paper"]
Grid = Literal["none", "paper"]
FORMER_SETTINGS = {"rate": "learning_rate", "batch": "batch_size", "tokens": "max_length"}
"""Former name of a setting -> its name today."""
_LEAST_TOKENS = 8
"""The special tokens and a few more."""
_MOST_DEV = 0.5
"""A larger share would leave too little to train on."""
_RANGES: Sequence[Range] = (
    (("restarts", "batch_size", "processes", "threads"), lambda x: x >= 1, "1 or more"),
    (("learning_rate",), lambda x: 0 < x < 1, "more than 0 and less than 1, such as 5e-5"),
    (("epochs", "save_every"), lambda x: 0 < x < math.inf, "more than 0"),
    (("max_length",), lambda x: x >= _LEAST_TOKENS, f"{_LEAST_TOKENS} or more"),
    (("context",), lambda x: x >= 0, "0 or more"),
)
"""The valid ranges of numbers."""
ENCODER = "name an encoder: --model minilm"
"""The remedy for a model that cannot be fine-tuned."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FinetuneSettings:
    """The settings of the study. A setting of None is chosen by recipe, task and encoder, and recorded.

    Attributes:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        recipe: `paper` is Devlin et al. 2019, A.3: batch 32, 3 epochs, the optimiser without bias correction, the last
            weights; `modern` corrects the bias, trains longer on small sets and keeps the weights that are best on dev.
        grid: `paper` tries batch 16 and 32, rates 5e-5, 3e-5 and 2e-5, and 2 to 4 epochs, with successive halving.
        restarts: the number of runs of the chosen configuration, each with its own seed.
        learning_rate: peak learning rate.
        batch_size: examples per update.
        epochs: passes over the training part.
        max_length: of a sequence in tokens, special ones included.
        pooling: `pooler` (BERT's tanh layer over the first token), or as in sentence encoders (`mean`, `cls`, ...).
        embeddings: whether the embedding is trained too.
        context: for tags, the number of tokens that a sentence and its neighbours in the document fill; 0: no
            neighbours.
        crf: for tags, whether a CRF decodes the scores.
        bilstm: whether a newly initialised BiLSTM between the encoder and the output layer is trained with them (the
            paper's table 5).
        features: for tags, the layers whose frozen states a two-layer BiLSTM reads; the encoder is not trained.
        dev: share of the training part on which choices are made, at most 1,000 examples; 0 for none. With a file of
            your own also the path of a dev file with the same columns.
        device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one. The last bits of numbers depend on it.
        seed: seed of everything random.
        processes: the number of runs at the same time, each with its own `threads`; by default one per core, or one per
            GPU. Several runs can share a GPU.
        threads: the number of threads of one run; the last bits of its numbers depend on it.
        save_every: seconds between checkpoints, from which a stopped run resumes.
    """

    model: str = "minilm"
    recipe: Recipe = "modern"
    grid: Grid = "none"
    restarts: int = 5
    learning_rate: float | None = None
    batch_size: int | None = None
    epochs: float | None = None
    max_length: int | None = None
    pooling: str | None = None
    embeddings: bool = True
    context: int | None = None
    crf: bool = False
    bilstm: bool = False
    features: str | None = None
    dev: float | str | Path = 0.1
    seed: int = 0
    device: str = "auto"
    processes: int | None = None
    threads: int = 1
    save_every: float = 60.0

    def __post_init__(self) -> None:
        for name, known in (("recipe", get_args(Recipe)), ("grid", get_args(Grid))):
            if getattr(self, name) not in known:
                raise BadInput(f"no {name} {getattr(self, name)!r}", mend=nearest(str(getattr(self, name)), known))
        for name, value, mend in out_of_range(self, _RANGES):
            raise BadInput(f"--{name.replace('_', '-')} {value} is out of range", mend=mend)
        object.__setattr__(self, "dev", share_or_file(self.dev))  # frozen; a number written as text is a number
        if self.dev_share is not None and not 0 <= self.dev_share <= _MOST_DEV:
            mend = f"give a share from 0 to {_MOST_DEV}, or a file"
            raise BadInput(f"--dev {self.dev} is out of range", mend=mend)
        if self.bilstm and self.features is not None:
            raise BadInput("frozen features are read by a BiLSTM already", where="--bilstm", mend="leave it out")
        if self.grid == "paper" and self.dev == 0:
            raise BadInput("a grid search needs a dev part", where="--dev 0", mend="give --dev 0.1")

    @property
    def dev_share(self) -> float | None:
        """The share of the training part to use as dev part; None where the dev part is a file."""
        return self.dev if isinstance(self.dev, float) else None

    @property
    def dev_file(self) -> str | None:
        """The dev file; None where the dev part is a share of the training part."""
        return None if isinstance(self.dev, float) else str(self.dev)


def require_kind(settings: FinetuneSettings, task_type: TaskType, name: str) -> None:
    """Refuse settings that do not apply to a kind of task.

    Args:
        settings: of the study.
        task_type: of the task.
        name: of the task, for the message.

    Raises:
        BadInput: a setting is only for tagging, or it pools sequences in a task about words.
    """
    of_tags = {"crf": settings.crf or None, "context": settings.context, "features": settings.features}
    idle = next((option for option, value in of_tags.items() if value is not None), None)
    if idle is not None and not task_type.labels_words:
        raise BadInput(f"{name} is not a tagging task", where=f"--{idle}", mend=f"leave --{idle} out, or tag words")
    if settings.pooling is not None and not task_type.pooled:
        what = f"{name} makes predictions for words and does not pool sequences"
        raise BadInput(what, where="--pooling", mend="leave it out")


def require_known(settings: FinetuneSettings) -> None:
    """Refuse unknown names and more tokens than the model reads, before a file or weights are read.

    Raises:
        BadInput: there is no such model, device, pooling or kind of features, or the model has too few positions.
    """
    require(settings.model)
    if kind_of(settings.model) == "static":
        raise BadInput(f"{settings.model!r} is a table of vectors and cannot be fine-tuned", mend=ENCODER)
    if settings.device not in {"auto", "cpu"}:
        from wordworth.models.devices import device_of

        device_of(settings.device)
    if settings.features is not None:
        from wordworth.training.finetuning.feature_tagger import parse_strategy

        parse_strategy(settings.features)
        learning = {
            "context": settings.context,
            "max-length": settings.max_length,
            "no-embeddings": not settings.embeddings,
        }
        idle = next((option for option, value in learning.items() if value), None)
        if idle is not None:
            what = "with --features the encoder reads each sentence alone and whole, and is not trained"
            raise BadInput(what, where=f"--{idle}", mend=f"leave --{idle} out")
    if settings.pooling is not None:
        from wordworth.models.pooling import SentencePooling

        known = ("pooler", *get_args(SentencePooling))
        if settings.pooling not in known:
            raise BadInput(f"no pooling {settings.pooling!r}", where="--pooling", mend=nearest(settings.pooling, known))
    if settings.max_length is not None or settings.context is not None:
        from wordworth.models.checkpoint import opened
        from wordworth.models.sentence_transformers_format import read_sentence_settings

        _, _, config = opened(read_sentence_settings(resolve(settings.model).folder).home)
        require_room(settings, config.max_length)


def require_room(settings: FinetuneSettings, most: int) -> None:
    """Refuse more tokens than the model reads at once.

    Raises:
        BadInput: `max_length` or `context` exceeds `most`.
    """
    for name in ("max_length", "context"):
        value = getattr(settings, name) or 0
        if value > most:
            what = f"{settings.model} reads at most {most:,} tokens at once, not {value:,}"
            raise BadInput(what, where=f"--{name.replace('_', '-')}", mend=f"give {most} or less")
