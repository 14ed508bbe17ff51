"""The settings of `pretrain` and `adapt` as users give them, for Python and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.settings_validation import POSITIVE, at_least, setting, validate

Override = Mapping[str, object] | Sequence[str]
"""Changes of a recipe's settings: name -> value, or `name=value` each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Settings that the functions `pretrain` and `adapt` share."""

    steps: int | None = setting(None, "Length of the run in updates; else give --epochs or --budget.")
    epochs: float | None = setting(None, "Length of the run in passes over the corpus.")
    budget: str | None = setting(None, "Length of the run in time: 30m, 2h, 1d.")
    held_out: Path | str | None = setting(
        None,
        "Text (or a token store) to evaluate on; it is never trained on. Files or folders in it with the names of "
        "corpora are evaluated one by one too.",
    )
    sampling: float = setting(1.0, "Exponent of the corpus sizes when several are mixed.", at_least(0))
    language_column: str | None = setting(
        None, "Column of the language in files that have columns: each language is a corpus of its own."
    )
    lexicon: Path | str | None = setting(
        None,
        "File of phrases and entities that are masked whole: one per line, as `wordworth phrases` writes them, or the "
        "spans of tagged sentences (.conll).",
    )
    seed: int = setting(0, "Random seed.")
    dtype: Literal["auto", "float32", "bfloat16"] = setting("auto", "Data type to compute in.")
    threads: int | None = setting(None, "Number of torch threads.", at_least(1))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    checkpoint_minutes: float = setting(10.0, "Minutes between checkpoints.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainSettings(RunSettings):
    """Settings of the function `pretrain`."""

    tokenizer: Path | str | None = setting(None, "Folder of the tokenizer; not needed for token stores.")
    model_size: str = setting("mini", "tiny, mini, small, medium, base or large; or LAYERSxWIDTH, such as 6x384.")
    architecture: str = setting(
        "bert",
        "bert; causal-bert, the same from left to right; gpt, GPT-2; bilm, ELMo's two LSTMs; or one that another "
        "package brings.",
    )
    recipe: Literal["modern", "paper"] = setting("modern", "Today's procedure, or the BERT paper's.")
    evals: int = setting(20, "Number of evaluations on held-out text.", at_least(1))
    micro_batch_tokens: int | None = setting(
        None, "Tokens per forward pass. [default: 8,192; on a GPU 32,768]", at_least(1)
    )
    milestones: tuple[float, ...] = setting(
        (), "Fraction of the run after which a copy of the model is kept. Repeatable.", flags=("--milestone",)
    )
    sharded: bool = setting(False, "Under torchrun: divide the weights among the processes (FSDP).")
    checkpoint_steps: int | None = setting(None, "Updates between checkpoints.", POSITIVE, option=False)
    compiled: bool | None = setting(None, "Whether torch compiles the layers.", option=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptSettings(RunSettings):
    """Settings of the function `adapt`."""

    vocabulary: Literal["keep", "extend", "replace"] = setting(
        "keep", "Keep the model's vocabulary, add subwords to it, or replace it."
    )
    new_subwords: int | None = setting(None, "With --vocabulary extend: most subwords to add. [default: 2,000]")
    tokenizer: Path | str | None = setting(None, "With --vocabulary replace: folder of the new tokenizer.")
    evals: int = setting(10, "Number of evaluations on held-out text.", at_least(1))


def changes_of(override: Override) -> tuple[str, ...]:
    """Return changes of a recipe's settings as the command line writes them, `name=value`.

    >>> changes_of({"learning_rate": 1e-4, "biases": False, "lengths": (64, 128)})
    ('learning_rate=0.0001', 'biases=no', 'lengths=64,128')
    """
    if not isinstance(override, Mapping):
        return tuple(override)
    return tuple(f"{name}={_option_text(value)}" for name, value in override.items())


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
