"""`FinetuneSettings`: the settings of a fine-tuning, shared by Python, the command line and the record of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import LEARNING_RATE, POSITIVE, at_least, flag_of, setting, validate
from wordworth.sources import require, require_encoder, resolve
from wordworth.tasks.reading.settings import DevPart

if TYPE_CHECKING:
    from wordworth.tasks.task_types import TaskType

Recipe = Literal["modern", "paper"]
Grid = Literal["none", "paper"]
_LEAST_TOKENS = 8
"""The special tokens and a few more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FinetuneSettings(DevPart):
    """Settings of a fine-tuning; if a setting is None, recipe, task and encoder decide its value, which is recorded.

    `recipe="paper"` is Devlin et al. 2019, A.3: batches of 32, 3 epochs, Adam without bias correction, the last
    weights. `modern` has bias correction, trains longer on small sets and keeps the weights that are best on the dev
    part. `grid="paper"` tries batches of 16 and 32, learning rates 5e-5, 3e-5 and 2e-5, and 2 to 4 epochs, with
    successive halving. The dev part has at most 1,000 examples; `dev=0` makes none. The last bits of numbers depend on
    `device` and `threads`.
    """

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    recipe: Recipe = setting("modern", "Today's procedure, or the BERT paper's.")
    grid: Grid = setting("none", "First search the paper's learning rates, batch sizes and epochs.")
    restarts: int = setting(5, "Number of runs with different seeds.", at_least(1))
    learning_rate: float | None = setting(
        None,
        "Peak learning rate. [default: by the encoder's width]",
        LEARNING_RATE,
    )
    batch_size: int | None = setting(None, "Examples per update. [default: 16; paper: 32]", at_least(1))
    epochs: float | None = setting(None, "Passes over the training part. [default: by its size; paper: 3]", POSITIVE)
    max_length: int | None = setting(
        None,
        "Maximum length of an input in tokens. [default: 128; choice 256, span 384, tags 512]",
        at_least(_LEAST_TOKENS),
    )
    pooling: str | None = setting(None, "pooler, mean, cls, ... [default: as the checkpoint was made]")
    embeddings: bool = setting(True, "Freeze the embeddings.")
    context: int | None = setting(
        None, "For tags: read each sentence within this many tokens of its document.", at_least(0)
    )
    crf: bool = setting(False, "For tags: decode with a CRF.")
    bilstm: bool = setting(False, "Add a BiLSTM between the encoder and the output layer.")
    features: str | None = setting(
        None,
        "For tags: freeze the encoder and train a BiLSTM on: last, concat-last-four, weighted-all, ...",
    )
    margin: float | None = setting(
        None, "For choices: train with a multi-margin loss of this margin, such as 0.2, and no softmax.", POSITIVE
    )
    options_only: bool = setting(
        False, "For choices: read the options without their context, a control for what they betray alone."
    )
    controls: bool = setting(
        False, "With --then: also the target alone, shuffled labels, as many updates, options without contexts."
    )
    from_scratch: bool = setting(False, "Begin from random weights: a control for what pretraining gives.")
    keep_path: bool = setting(
        False, "Keep what study finetuning reads: weights on the way, another seed's model, some rows."
    )
    dev: str | float | Path = setting(0.1, "Share of the training part held out to choose on; with --data also a file.")
    seed: int = setting(0, "Random seed.", at_least(0))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    processes: int | None = setting(
        None,
        "Runs at the same time. [default: one per core, or one per GPU, which can hold several]",
        at_least(1),
    )
    threads: int = setting(1, "Threads per run.", at_least(1))
    save_every: float = setting(60.0, "Seconds between checkpoints.", POSITIVE)

    def __post_init__(self) -> None:
        validate(self)
        self.read_dev()
        if self.bilstm and self.features is not None:
            raise BadInput("frozen features are read by a BiLSTM already", where="--bilstm", mend="leave it out")
        idle = next((name for name in ("keep_path", "from_scratch") if getattr(self, name) and self.features), None)
        if idle is not None:
            what = "with --features the layers of the encoder are not trained"
            raise BadInput(what, where=flag_of(idle), mend="leave it out")
        if self.grid == "paper" and self.dev == 0:
            raise BadInput("a grid search needs a dev part", where="--dev 0", mend="give --dev 0.1")


def require_kind(settings: FinetuneSettings, task_type: TaskType, name: str) -> None:
    """Check that the settings apply to a kind of task.

    Args:
        settings: the settings of the fine-tuning.
        task_type: the kind of the task.
        name: name of the task, for messages.

    Raises:
        BadInput: a setting does not apply to the task: a setting for tagging or for choices in another task; `pooling`
            in a task about words; `keep_path` in question answering; or `bilstm` or `from_scratch` in a task that needs
            the model's head over its vocabulary.
    """
    of_tags = {"crf": settings.crf or None, "context": settings.context, "features": settings.features}
    idle = next((option for option, value in of_tags.items() if value is not None), None)
    if idle is not None and not task_type.labels_words:
        raise BadInput(f"{name} is not a tagging task", where=f"--{idle}", mend=f"leave --{idle} out, or tag words")
    of_choices = {"margin": settings.margin, "options-only": settings.options_only or None}
    idle = next((option for option, value in of_choices.items() if value is not None), None)
    if idle is not None and not task_type.scores_options:
        what = f"{name} does not score the options of a choice"
        raise BadInput(what, where=f"--{idle}", mend=f"leave --{idle} out, or give a task of kind multiple_choice")
    if settings.keep_path and task_type.asks_questions:
        what = f"{name} asks questions about passages, which study finetuning does not read"
        raise BadInput(what, where="--keep-path", mend="leave it out")
    unread = next((name for name in ("bilstm", "from_scratch") if getattr(settings, name)), None)
    if unread is not None and task_type.fills_masks:
        what = f"{name} is answered by the model's own head over its vocabulary"
        raise BadInput(what, where=flag_of(unread), mend="leave it out")
    if settings.pooling is not None and not task_type.pooled:
        what = f"{name} makes predictions for words and does not pool sequences"
        raise BadInput(what, where="--pooling", mend="leave it out")


def require_known(settings: FinetuneSettings) -> None:
    """Check, before data or weights are read, that names exist and that the model can read the requested lengths.

    Raises:
        BadInput: there is no such model, device, pooling or kind of features, or the model has too few positions.
    """
    require(settings.model)
    require_encoder(settings.model, "fine-tuned")
    if settings.device not in {"auto", "cpu"}:
        from wordworth.models.devices import device_of

        device_of(settings.device)
    if settings.features is not None:
        _require_features(settings, settings.features)
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


def _require_features(settings: FinetuneSettings, features: str) -> None:
    """Refuse an unknown kind of frozen features, and settings that apply only if the encoder is trained."""
    from wordworth.training.finetuning.feature_tagger import parse_strategy

    parse_strategy(features)
    values = {
        "context": settings.context,
        "max-length": settings.max_length,
        "no-embeddings": not settings.embeddings,
    }
    idle = next((option for option, value in values.items() if value), None)
    if idle is not None:
        what = "with --features the encoder reads each sentence alone and whole, and is not trained"
        raise BadInput(what, where=f"--{idle}", mend=f"leave --{idle} out")


def require_room(settings: FinetuneSettings, most: int) -> None:
    """Check that lengths do not exceed the tokens that the model reads at once.

    Args:
        settings: the settings of the fine-tuning.
        most: number of tokens that the model reads at once.

    Raises:
        BadInput: `max_length` or `context` exceeds `most`.
    """
    for name in ("max_length", "context"):
        value = getattr(settings, name) or 0
        if value > most:
            what = f"{settings.model} reads at most {most:,} tokens at once, not {value:,}"
            raise BadInput(what, where=flag_of(name), mend=f"give {most} or less")
