"""`SentenceTrainingSettings`: the settings of `train-sentences` in Python, the command line and the record of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import LEARNING_RATE, POSITIVE, at_least, setting, validate
from wordworth.sources import require, require_encoder
from wordworth.tasks.reading.settings import DevPart

_LEAST_TOKENS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceTrainingSettings(DevPart):
    """Settings for training a sentence encoder.

    If a setting is None, the loss and the encoder decide its value, which is recorded.
    """

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    loss: str = setting(
        "ranking",
        "ranking (in-batch negatives), softmax (of labels), cosine (of scores), triplet, or mse (a teacher's vectors).",
    )
    layers: int | None = setting(
        None, "Number of the encoder's first layers to train; the others are left out. [default: all]", at_least(1)
    )
    teacher: str | None = setting(
        None, "With mse: the model whose vectors are learned. [default: the encoder itself, with all its layers]"
    )
    dev: str | float | Path = setting(
        0.1,
        "Share of the rows, or a file, that chooses the step kept; scored pairs are judged by Spearman. 0 for none.",
    )
    epochs: float | None = setting(
        None, "Passes over the rows. [default: 1, or as many as make 500 updates, up to 10]", POSITIVE
    )
    batch_size: int | None = setting(
        None,
        "Rows per update; the states of 8,192 tokens are in memory at a time. [default: ranking 64, others 16]",
        at_least(1),
    )
    learning_rate: float | None = setting(
        None,
        "Peak learning rate. [default: by the encoder's width]",
        LEARNING_RATE,
    )
    pooling: str | None = setting(None, "mean, cls, max, ... [default: as the checkpoint was made]")
    prompt: str | None = setting(
        None, "Text before every text, in training and ever after. [default: as the checkpoint was made]"
    )
    query_prompt: str | None = setting(
        None, "Text before every first text, and before queries ever after. [default: as the checkpoint was made]"
    )
    document_prompt: str | None = setting(
        None,
        "Text before every other text, and before documents ever after. [default: as the checkpoint was made]",
    )
    matryoshka: str | tuple[int, ...] = setting(
        (), "Also train the first numbers of each vector, such as 64,128, so that vectors can be cut to them."
    )
    concatenation: tuple[str, ...] = setting(
        ("u", "v", "difference"), "With softmax: what is read of two vectors: u, v, difference, product. Repeatable."
    )
    max_length: int = setting(128, "Maximum length of a text in tokens; longer ones are cut.", at_least(_LEAST_TOKENS))
    text: str | None = setting(None, "Column of the first texts; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts; guessed if not given.")
    text_c: str | None = setting(None, "Column of texts that the first are unlike; guessed if not given.")
    label: str | None = setting(None, "Column of labels or scores; guessed if not given.")
    positive: str | None = setting(None, "Label of texts that are alike. [default: entailment, 1, duplicate, ...]")
    negatives_from: str | None = setting(
        None, "Model whose vectors find a hard negative for each row without a third text."
    )
    seed: int = setting(0, "Random seed.", at_least(0))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    threads: int = setting(1, "Threads.", at_least(1))
    save_every: float = setting(60.0, "Seconds between checkpoints.", POSITIVE)

    def __post_init__(self) -> None:
        from wordworth.training.sentences.losses import LOSSES
        from wordworth.training.sentences.losses.softmax import PARTS

        validate(self)
        if self.loss not in LOSSES.names():
            raise BadInput(f"no loss {self.loss!r}", where="--loss", mend=nearest(self.loss, LOSSES.names()))
        if self.negatives_from is not None and LOSSES.get(self.loss).target != "none":
            what = f"the loss {self.loss} has no use for hard negatives"
            raise BadInput(what, where="--negatives-from", mend="leave it out, or choose --loss ranking or triplet")
        has_teacher = LOSSES.get(self.loss).target == "vector"
        self._require_teacher(has_teacher=has_teacher)
        self._require_one_kind_of_prompt(has_pairs=not has_teacher)
        self._require_rows_in_batch(LOSSES.get(self.loss).least_rows)
        self.read_dev()
        unknown = next((part for part in self.concatenation if part not in PARTS), None)
        if unknown is not None or not self.concatenation:
            raise BadInput(f"no part {unknown!r}", where="--concatenation", mend=nearest(unknown or "", PARTS))
        object.__setattr__(self, "matryoshka", _widths(self.matryoshka))

    def _require_teacher(self, *, has_teacher: bool) -> None:
        """Refuse a teacher for a loss that has none, and a student that would be its own teacher."""
        if self.teacher is not None and not has_teacher:
            mend = "leave it out, or choose --loss mse"
            raise BadInput(f"the loss {self.loss} has no teacher", where="--teacher", mend=mend)
        if has_teacher and self.teacher is None and self.layers is None:
            what = f"{self.model} has nothing to learn from itself"
            raise BadInput(what, where="--loss mse", mend="give --layers, or another --teacher")

    def _require_one_kind_of_prompt(self, *, has_pairs: bool) -> None:
        """Refuse a prompt by role together with a prompt before all texts, or for a loss of single texts."""
        by_flag = {"--query-prompt": self.query_prompt, "--document-prompt": self.document_prompt}
        flag = next((flag for flag, prompt in by_flag.items() if prompt is not None), None)
        if flag is None:
            return
        if self.prompt is not None:
            what = "--prompt stands before every text, and this before some of them"
            raise BadInput(what, where=flag, mend=f"give --prompt or {flag}, not both")
        if not has_pairs:
            what = f"the loss {self.loss} learns from single texts, which are neither queries nor documents"
            raise BadInput(what, where=flag, mend="give --prompt, which stands before every text")

    def _require_rows_in_batch(self, least: int) -> None:
        """Refuse batches of fewer rows than the loss learns from."""
        if self.batch_size is not None and self.batch_size < least:
            what = (
                f"the loss {self.loss} tells a row's text from those of other rows, and a batch has {self.batch_size}"
            )
            raise BadInput(what, where="--batch-size", mend=f"give {least} or more, or choose another --loss")

    @property
    def prompts(self) -> dict[str, str] | None:
        """Role (query or document) -> its prompt, for the encoder; None keeps the prompts of the encoder's checkpoint.

        The dict is empty if `prompt` is set, which is put before all texts.
        """
        if self.prompt is not None:
            return {}
        if self.query_prompt is None and self.document_prompt is None:
            return None
        return {"query": self.query_prompt or "", "document": self.document_prompt or ""}

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the prefixes of vectors to which the loss is also applied, ascending."""
        return _widths(self.matryoshka)


def _widths(widths: str | Sequence[int | str]) -> tuple[int, ...]:
    """Return widths, given as a text such as `64,128` or as several numbers, as numbers in ascending order.

    Raises:
        BadInput: one of them is not a whole number from 1 on.
    """
    each = widths.split(",") if isinstance(widths, str) else widths
    try:
        numbers = tuple(sorted({int(width) for width in each}))
    except (TypeError, ValueError):
        numbers = (0,)
    if any(width < 1 for width in numbers):
        raise BadInput(f"{widths!r:.60} are no widths", where="--matryoshka", mend="give whole numbers, as 64,128")
    return numbers


def require_known(settings: SentenceTrainingSettings) -> None:
    """Check, before data or weights are read, that the names of model, device and pooling exist.

    Raises:
        BadInput: a name is unknown, or the model is a static table.
    """
    require(settings.model)
    for other in (settings.negatives_from, settings.teacher):
        if other is not None:
            require(other)
    require_encoder(settings.model, "trained")
    from typing import get_args

    from wordworth.models.devices import device_of
    from wordworth.models.pooling import SentencePooling

    device_of(settings.device)
    known = get_args(SentencePooling)
    if settings.pooling is not None and settings.pooling not in known:
        raise BadInput(f"no pooling {settings.pooling!r}", where="--pooling", mend=nearest(settings.pooling, known))
