"""`PretrainingConfig`: all settings of a pretraining run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.models.model_sizes import shape
from wordworth.settings_validation import at_least, setting, validate
from wordworth.training.objectives.masking.lexicon_files import read_lexicon
from wordworth.training.pretraining.recipe import MODERN, Recipe

_ARCHITECTURES = ("bert", "causal-bert", "gpt", "bilm")
FORMER_FIELDS = {
    "shape": "model_size",
    "evaluations": "evals",
    "at_once": "micro_batch_tokens",
    "start": "initial_model",
    "start_name": "initial_model_name",
}
"""Former names of `PretrainingConfig`'s fields, and their names today."""
_BERTS = ("learned", True, False)
"""Positions, biases and gates as in BERT, and in a recipe that does not set them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainingConfig:
    """Settings of a pretraining run.

    Exactly one of `steps`, `epochs` and `budget` is set.
    """

    stores: tuple[Path, ...]
    """Folders of token stores, all with the same tokenizer."""
    out: Path
    """Folder for the model; the run's log and checkpoints go to `training/` in it."""
    model_size: str = setting("mini", "A name in `wordworth.models.model_sizes`, or layers x width.")
    architecture: str = setting(
        "bert",
        "`bert`, `causal-bert` (the same, left to right), `gpt` (GPT-2's), `bilm` (ELMo's two LSTMs), or one that"
        " another package has registered.",
    )
    recipe: Recipe = setting(MODERN, "How the model is pretrained.")
    steps: int | None = setting(None, "Number of updates.")
    epochs: float | None = setting(None, "Passes over the corpus.")
    budget: float | None = setting(None, "Seconds by the clock.")
    initial_model: Path | None = setting(None, "Folder of a model to continue, in place of fresh weights.")
    initial_model_name: str = setting("", "Its name in the model card; its folder's name where empty.")
    sampling: float = setting(
        1.0, "Exponent of the corpora's sizes in the mixture; 1 keeps them as they are.", at_least(0)
    )
    lexicon: Path | None = setting(
        None,
        "A file of phrases, one per line, or of tagged sentences, whose spans are masked whole; other words are masked"
        " whole too.",
    )
    held_out: Path | None = setting(None, "Folder of a token store to evaluate on.")
    held_out_parts: tuple[tuple[int, Path], ...] = setting(
        (), "The number of a corpus and the folder of a token store that it alone is evaluated on."
    )
    evals: int = setting(20, "Number of evaluations over the run; without held-out text there are none.", at_least(1))
    seed: int = setting(0, "Random seed.")
    dtype: Literal["auto", "float32", "bfloat16"] = setting(
        "auto",
        "Type of computation; weights are always float32. `auto` takes bfloat16 where that is faster.",
    )
    micro_batch_tokens: int | None = setting(
        None,
        "Tokens in a micro-batch; a larger step is split, with the same result but for rounding. None takes what suits"
        " a CPU's cache or a GPU.",
        at_least(1),
    )
    checkpoint_minutes: float = setting(
        10.0,
        "Time between checkpoints; another is written at the end and when the run is stopped.",
        at_least(0),
    )
    checkpoint_steps: int | None = setting(None, "Also write a checkpoint every so many steps.")
    milestones: tuple[float, ...] = setting(
        (),
        "Fractions of the run, each above 0 and below 1, at which the model as it is then is kept beside the log"
        " (`training/milestones/<step>/`), for curves of what pretraining is worth.",
    )
    device: str = setting("auto", "`auto` takes a GPU where there is one.")
    compiled: bool | None = setting(None, "Whether torch compiles the layers; None does where the device is a GPU.")
    sharded: bool = setting(False, "Under torchrun, let each process hold only a part of the weights (FSDP2).")
    fit_batch: bool = setting(
        False, "Let a budget choose a smaller batch than the recipe's, to leave time for more updates."
    )

    def __post_init__(self) -> None:
        lengths = [name for name in ("steps", "epochs", "budget") if getattr(self, name) is not None]
        if len(lengths) != 1:
            message = f"{' and '.join(lengths)} are given" if lengths else "no length of the run is given"
            raise BadInput(message, mend="give one of steps, epochs and budget")
        if self.initial_model is None:
            shape(self.model_size)
        validate(self)
        if any(not 0 < share < 1 for share in self.milestones):
            raise BadInput(
                "a milestone must be a fraction of the run", mend="give numbers above 0 and below 1, such as 0.1"
            )
        if not 0 < float(getattr(self, lengths[0])) < math.inf:
            raise BadInput(f"{lengths[0]} is {getattr(self, lengths[0])}", mend="give more than 0")
        self._require_parts()

    def _require_parts(self) -> None:
        """Raise BadInput unless the architecture exists and has all parts that the recipe and the lexicon refer to."""
        if self.architecture not in _ARCHITECTURES:
            self._reads()
        if self.lexicon is not None:
            self._require_lexicon(self.lexicon)
        if self.initial_model is not None:
            return
        recipe = self.recipe
        if self.architecture == "bert" and recipe.init_neighbour_heads and recipe.positions == "rotary":
            raise BadInput(
                "positions=rotary has no position table that init_neighbour_heads=yes could initialise",
                mend="add init_neighbour_heads=no",
            )
        if self.architecture in {"gpt", "bilm"} and (recipe.positions, recipe.biases, recipe.gated_mlp) != _BERTS:
            message = f"positions, biases and gated_mlp are fixed for architecture {self.architecture}"
            raise BadInput(message, mend="leave them out, or pretrain a bert or causal-bert")

    def _require_lexicon(self, path: Path) -> None:
        require_regular(path)
        if not path.is_file():
            raise BadInput("no such lexicon", where=str(path), mend="make one with `wordworth phrases`")
        if self._reads() != "masked":
            raise BadInput(
                f"architecture {self.architecture} masks nothing", mend="leave the lexicon out, or pretrain a bert"
            )
        read_lexicon(path)  # before any work

    def _reads(self) -> str:
        from wordworth.models.families import reads_of  # torch, which settings of our own architectures do not need

        return reads_of(self.architecture)

    def deciding(self) -> Mapping[str, Any]:
        """Return the settings that decide a run's results, by name; a run resumes only if they are unchanged.

        The number of steps is not included: it is recorded in the run's `Plan`, and a time budget may change it.
        Settings of evaluations and checkpoints are not included either, as they do not change the results.
        """
        free = {
            "steps",
            "epochs",
            "evals",
            "out",
            "checkpoint_minutes",
            "checkpoint_steps",
            "milestones",
            "device",
            "compiled",
            "sharded",
            "fit_batch",
            "stores",
            "held_out",
            "held_out_parts",
            "initial_model",
            "initial_model_name",
            "lexicon",
        }
        plain = dataclasses.asdict(self)
        return {name: value for name, value in plain.items() if name not in free}
