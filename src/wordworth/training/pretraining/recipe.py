"""Recipes: the settings of a pretraining run, each of which can be changed alone."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import POSITIVE, ValidRange, at_least, out_of_range, setting
from wordworth.training.lr_schedules import CURVES

Sequences = Literal["pairs", "ordered", "packed", "sentences", "dialogues"]
Unit = Literal["token", "word", "span"]
ScheduleName = Literal["linear", "original", "one-cycle", "cosine", "stable"]
_NARROW = 512
_SHORTEST = 8
_BERT_BASE = 768
_FRACTION = ValidRange(lambda x: 0 <= x <= 1, "a fraction, from 0 to 1")
_BELOW_1 = ValidRange(lambda x: 0 <= x < 1, "0 or more, and less than 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The recipe of a pretraining run: architecture details, masking, batches, learning rate and optimiser."""

    name: str = setting("modern", "Name of the recipe that this one began as.")
    sequences: Sequences = setting(
        "packed",
        "`pairs` for next sentence prediction, `ordered` for sentence order, `packed` runs of one document, `sentences`"
        " whole sentences across documents; these two have no second text and no objective about it. `dialogues` reads"
        " files of turns, for the dialogue language model.",
    )
    pair_objective: bool = setting(
        True,
        "Have an objective about the two texts of a pair, or about a dialogue; `no` is the paper's ablation without"
        " next sentence prediction: the same pairs, trained with masks alone.",
    )
    mlm_probability: float = setting(
        0.2,
        "Fraction of tokens that are predicted; the part of them that becomes neither [MASK] nor a random subword"
        " stays. Counts are rounded, not drawn.",
        _FRACTION,
    )
    mask_replace_prob: float = setting(0.8, "Fraction of the predicted tokens that become [MASK].", _FRACTION)
    random_replace_prob: float = setting(0.1, "Fraction of them that become a random subword.", _FRACTION)
    masking_unit: Unit = setting("token", "What is masked together.")
    lengths: tuple[int, int] = setting((128, 512), "Longest sequence of each of the two phases, in tokens.")
    first_phase_fraction: float = setting(
        0.9, "Fraction of the steps before the second phase; 1 for one phase only.", _FRACTION
    )
    batch_size: int = setting(128, "Sequences in a step.")
    constant_tokens: bool = setting(True, "Give a longer phase fewer sequences in a step, for as many tokens.")
    batch_warmup: float = setting(
        0.0,
        "Fraction of the steps over which the batch grows, from a quarter of it by way of a half; 0 for none.",
        _FRACTION,
    )
    learning_rate: float | None = setting(None, "Peak learning rate; None chooses by width.", POSITIVE)
    lr_schedule: ScheduleName = setting(
        "linear", "Learning-rate schedule, one of `wordworth.training.lr_schedules.CURVES`."
    )
    warmup: float = setting(0.06, "Fraction of the steps in which the rate rises.", _FRACTION)
    bias_correction: bool = setting(True, "Let Adam have bias correction; BERT's did not.")
    beta2: float = setting(0.98, "Decay of Adam's second moments.", _BELOW_1)
    weight_decay: float = setting(0.01, "Weight decay of matrices.", at_least(0))
    max_grad_norm: float = setting(1.0, "Largest norm of all gradients together; 0 for no limit.", at_least(0))
    norm: Literal["post", "pre"] = setting("post", "`post` as BERT, which transformers loads; `pre` as GPT-2.")
    activation: Literal["gelu_erf", "gelu_tanh", "relu"] = setting("gelu_erf", "Activation of the mlp.")
    positions: Literal["learned", "rotary"] = setting(
        "learned", "`learned` rows of a table, or `rotary`; a rotary model has no `init_neighbour_heads`."
    )
    biases: bool = setting(True, "Give the linear maps inside the layers biases.")
    gated_mlp: bool = setting(
        False, "Make the mlp a gated one (GeGLU with gelu), a third narrower, for as many parameters."
    )
    dropout: float = setting(0.0, "Dropout, also of attention weights.", _BELOW_1)
    init_std: float = setting(0.02, "Initial standard deviation of matrices at a width of 768.", POSITIVE)
    scale_init_by_width: bool = setting(
        True,
        "Let `init_std` grow for narrower models as `sqrt(768 / width)`. With 0.02 at a width of 256 a post-norm layer"
        " adds so little to its input that the model may stay a bag of words.",
    )
    init_neighbour_heads: bool = setting(
        True,
        "Initialise a BERT's first layer to attend to neighbours, and positions to sinusoids"
        " (`wordworth.models.neighbour_attention_init`): it is off the plateau from the first step on.",
    )
    pad_vocab_to_multiple: int = setting(
        64,
        "The embedding's rows are padded to a multiple of it, for matrix units; the rows beyond the vocabulary are"
        " never read.",
    )
    anisotropy: float = setting(
        0.0,
        "Weight of the penalty on the mean cosine between last states of unrelated tokens"
        " (`wordworth.training.objectives.anisotropy`); 0 leaves it out.",
        at_least(0),
    )
    objectives: tuple[str, ...] = setting(
        (), "Names in `wordworth.training.objectives.OBJECTIVES`, in place of those of the architecture."
    )
    objective_options: tuple[tuple[str, str, str], ...] = setting(
        (), "(objective, option, value) for objectives that have options."
    )

    def __post_init__(self) -> None:
        if self.lr_schedule not in CURVES:
            raise BadInput(f"unknown lr_schedule {self.lr_schedule!r}", mend=nearest(self.lr_schedule, CURVES))
        if min(self.lengths) < _SHORTEST or self.batch_size < 1 or self.pad_vocab_to_multiple < 1:
            raise BadInput(
                "lengths, batch_size or pad_vocab_to_multiple is too small",
                mend=f"give lengths of {_SHORTEST} or more, and 1 or more of the others",
            )
        for name, value, words in out_of_range(self):
            raise BadInput(f"{name}={value:g} is out of range", mend=f"give {words}")
        if self.mask_replace_prob + self.random_replace_prob > 1 + 1e-9:
            both = f"mask_replace_prob={self.mask_replace_prob:g} and random_replace_prob={self.random_replace_prob:g}"
            raise BadInput(f"{both} add up to more than 1", mend="lower one of them")

    def peak(self, width: int) -> float:
        """Return the peak learning rate for a model of a given width, as the recipe sets it, or else a default.

        The default is 1e-3 up to a width of 512, and less in proportion for wider models.

        Args:
            width: width of the model.
        """
        return 1e-3 * min(1.0, _NARROW / width) if self.learning_rate is None else self.learning_rate

    def scaled_init_std(self, width: int) -> float:
        """Return the standard deviation of the initial weights of matrices for a model of a width.

        The standard deviation depends on the width only if `scale_init_by_width` is set.
        """
        return self.init_std * math.sqrt(_BERT_BASE / width) if self.scale_init_by_width else self.init_std

    @property
    def phase_starts(self) -> Sequence[float]:
        """The fractions of the run at which the sequence length or the batch size changes, beginning with 0."""
        changes = (0.0, self.batch_warmup / 2, self.batch_warmup, self.first_phase_fraction)
        return sorted({fraction for fraction in changes if fraction < 1})

    def length_at(self, fraction: float) -> int:
        """Return the number of tokens of the longest sequence once a fraction of the run has passed."""
        return self.lengths[fraction >= self.first_phase_fraction]

    def batch_at(self, fraction: float) -> int:
        """Return the number of sequences in a step once a fraction of the run has passed."""
        length = self.length_at(fraction) if self.constant_tokens else self.lengths[0]
        full = self.batch_size * self.lengths[0] // length
        factor = 0.25 if fraction < self.batch_warmup / 2 else 0.5 if fraction < self.batch_warmup else 1.0
        return max(1, int(full * factor))


PAPER = Recipe(
    name="paper",
    sequences="pairs",
    mlm_probability=0.15,
    batch_size=256,
    constant_tokens=False,
    learning_rate=1e-4,
    lr_schedule="original",
    warmup=0.01,
    bias_correction=False,
    beta2=0.999,
    activation="gelu_tanh",
    dropout=0.1,
    scale_init_by_width=False,
    init_neighbour_heads=False,
    pad_vocab_to_multiple=1,
)
"""Devlin et al. 2019, appendix A.2, and the code of google-research/bert."""

MODERN = Recipe()
"""What the literature on small budgets found to pay off, if transformers can load the result: bias-corrected Adam at
a high rate that ends at 0 with the budget (Izsak et al. 2021), sequences packed without padding and no objective about
pairs (Liu et al. 2019), more than 15 % masked (Wettig et al. 2023), no dropout within few epochs (Geiping and
Goldstein 2023), initialisation by width."""

ADAPT = dataclasses.replace(
    MODERN,
    name="adapt",
    mlm_probability=0.15,
    first_phase_fraction=1.0,
    batch_size=64,
    learning_rate=2e-4,
    dropout=0.1,
)
"""For continued pretraining: a lower rate, and dropout, since a domain's text is read again and again."""

RECIPES = {"paper": PAPER, "modern": MODERN, "adapt": ADAPT}


_NOT_CHANGED = {"name", "objective_options"}
_WORDS = {"yes": True, "true": True, "no": False, "false": False}
_MASKS = (
    "mlm_probability",
    "mask_replace_prob",
    "random_replace_prob",
    "masking_unit",
    "init_neighbour_heads",
    "pair_objective",
)
_LAYERS = ("norm", "positions", "biases", "gated_mlp")
_INIT = ("init_std", "scale_init_by_width")
IDLE = {"causal-bert": _MASKS, "gpt": (*_MASKS, *_LAYERS), "bilm": (*_MASKS, *_LAYERS, "activation", *_INIT)}
"""Settings that have no effect for an architecture."""
OF_FRESH = (*_LAYERS, "activation", *_INIT, "init_neighbour_heads", "pad_vocab_to_multiple")
"""Settings that shape a new network: an existing one keeps its own."""
FORMER_NAMES = {
    "ask_pairs": "pair_objective",
    "masking": "mlm_probability",
    "mask": "mask_replace_prob",
    "random": "random_replace_prob",
    "unit": "masking_unit",
    "phases": "first_phase_fraction",
    "batch": "batch_size",
    "even": "constant_tokens",
    "ramp": "batch_warmup",
    "rate": "learning_rate",
    "clip": "max_grad_norm",
    "curve": "lr_schedule",
    "corrected": "bias_correction",
    "gated": "gated_mlp",
    "spread": "init_std",
    "by_width": "scale_init_by_width",
    "neighbours": "init_neighbour_heads",
    "multiple": "pad_vocab_to_multiple",
}
"""Former names of settings -> their names today. Both are understood; runs that began under the former ones resume."""


def todays_change(change: str) -> str:
    """Return a change of a recipe, `name=value`, with a former name of a setting replaced by its current name.

    >>> todays_change("rate=0.01")
    'learning_rate=0.01'
    """
    name, equals, value = change.partition("=")
    return FORMER_NAMES.get(name, name) + equals + value


def recipe(name: str, changes: Iterable[str] = ()) -> Recipe:
    """Return the recipe of that name with some settings changed, each `name=value`.

    Args:
        name: name of the recipe.
        changes: the changed settings, `name=value` each.

    Raises:
        BadInput: no recipe or setting has that name, or a value is invalid.

    >>> recipe("modern", ["dropout=0.1", "norm=pre"]).dropout
    0.1
    """
    if name not in RECIPES:
        raise BadInput(f"unknown recipe {name!r}", mend=nearest(name, RECIPES))
    todays = [todays_change(text) for text in changes]
    options = tuple(_objective_option(text) for text in todays if "." in text.partition("=")[0])
    settings = dict(_change(text) for text in todays if "." not in text.partition("=")[0])
    return dataclasses.replace(RECIPES[name], **settings, objective_options=options)


def continued_recipe(name: str, changes: Sequence[str] = ()) -> Recipe:
    """Return a recipe for continued pretraining, with some settings changed, each `name=value`.

    Args:
        name: name of the recipe.
        changes: the changed settings, `name=value` each.

    Raises:
        BadInput: no recipe or setting has that name, a value is invalid, or a change sets what only a new network can
            have.
    """
    fixed = [change for change in map(todays_change, changes) if change.partition("=")[0] in OF_FRESH]
    if fixed:
        free = ", ".join(
            field.name for field in dataclasses.fields(Recipe) if field.name not in {*_NOT_CHANGED, *OF_FRESH}
        )
        raise BadInput(f"{fixed[0]} cannot be changed for an existing model", mend=f"you can change {free}")
    return recipe(name, changes)


def require_used(changes: Sequence[str], architecture: str, lexicon: Path | None = None) -> None:
    """Check that every setting that the user changes has an effect on the run.

    Args:
        changes: the user's changes of settings, `name=value` each.
        architecture: name of the architecture.
        lexicon: the file of a lexicon, or None.

    Raises:
        BadInput: the architecture does not use a setting, or a lexicon decides what is masked together instead.
    """
    for name in (todays_change(change).partition("=")[0] for change in changes):
        if name in IDLE.get(architecture, ()):
            raise BadInput(
                f"{name} has no effect for architecture {architecture}", where="--override", mend="leave it out"
            )
        if name == "masking_unit" and lexicon is not None:
            message = "masking_unit has no effect with a lexicon: its phrases and all other words are masked whole"
            raise BadInput(message, where="--override masking_unit", mend="leave it out, or --lexicon")


def _change(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    hints = {field: hint for field, hint in get_type_hints(Recipe).items() if field not in _NOT_CHANGED}
    if name not in hints:
        raise BadInput(f"unknown setting {name!r}", mend=nearest(name, [*hints, *FORMER_NAMES]))
    if not equals:
        raise BadInput(f"{name} has no value", where="--override", mend=f"write {name}=VALUE")
    return name, parse_value(name, hints[name], value)


def _objective_option(text: str) -> tuple[str, str, str]:
    """Parse `OBJECTIVE.OPTION=VALUE`; return (objective, option, value)."""
    name, _, value = text.partition("=")
    objective, _, option = name.partition(".")
    return objective, option, value


def parse_value(name: str, hint: Any, text: str) -> Any:  # noqa: ANN401 - a type and its value
    """Parse the value of a setting of a recipe by the type of its field.

    Args:
        name: the name of the setting, for the error.
        hint: the type of its field.
        text: the value as the user wrote it.

    Raises:
        BadInput: the text is not a value of this type.
    """
    try:
        return _parse(hint, text)
    except ValueError as error:
        raise BadInput(f"{name}={text!r} is invalid: expected {error}", mend="see docs/pretraining.md") from error


def _parse(hint: Any, text: str) -> Any:  # noqa: ANN401 - a type and its value
    if get_origin(hint) is Literal:
        if text not in get_args(hint):
            raise ValueError(f"one of {', '.join(get_args(hint))}")
        return text
    if hint is bool:
        if text not in _WORDS:
            raise ValueError("yes or no")
        return _WORDS[text]
    if get_origin(hint) is tuple:
        return tuple(text.split(",")) if get_args(hint)[0] is str else _two_numbers(text)
    plain = next(each for each in get_args(hint) if each is not types.NoneType) if get_args(hint) else hint
    try:
        return plain(text)
    except ValueError as error:
        raise ValueError("a whole number" if plain is int else "a number") from error


def _two_numbers(text: str) -> tuple[int, int]:
    first, _, second = text.partition(",")
    if not (first.isdecimal() and second.isdecimal()):
        raise ValueError("two whole numbers, such as 128,512")
    return int(first), int(second)
