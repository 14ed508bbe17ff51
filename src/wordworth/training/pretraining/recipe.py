"""Recipes: the ingredients of a pretraining run, each a field that can be changed alone."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import Range, out_of_range
from wordworth.training.lr_schedules import CURVES

Sequences = Literal["pairs", "ordered", "packed", "sentences"]
Unit = Literal["token", "word", "span"]
CurveName = Literal["linear", "original", "one-cycle", "cosine", "stable"]
_NARROW = 512
_SHORTEST = 8
_BERT_BASE = 768
_RANGES: Sequence[Range] = (
    (("masking", "mask", "random", "phases", "ramp", "warmup"), lambda x: 0 <= x <= 1, "a share, from 0 to 1"),
    (("dropout", "beta2"), lambda x: 0 <= x < 1, "0 or more, and less than 1"),
    (("rate", "spread"), lambda x: 0 < x < math.inf, "more than 0"),
    (("clip", "weight_decay", "anisotropy"), lambda x: 0 <= x < math.inf, "0 or more"),
)
"""Numeric ingredients and their ranges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a language model is pretrained.

    Attributes:
        name: of the recipe that this one began as.
        sequences: `pairs` for next sentence prediction, `ordered` for sentence order, `packed` runs of one document,
            `sentences` whole sentences across documents; the last two have no second text and no objective about it.
        ask_pairs: whether there is an objective about the two texts of a pair; `no` is the paper's ablation without
            next sentence prediction: the same pairs, trained with masks alone.
        masking: fraction of tokens that are predicted; `mask` of them become [MASK], `random` a random subword, the
            rest stays.
        unit: what is masked together.
        lengths: longest sequence of each of the two phases, in tokens.
        phases: fraction of the steps before the second phase; 1 for one phase only.
        batch: sequences in a step.
        even: whether a longer phase has fewer sequences in a step, for the same number of tokens.
        ramp: fraction of the steps over which the batch grows, from a quarter of it by way of a half; 0 for none.
        rate: peak learning rate; None chooses by width.
        curve: learning-rate schedule (`wordworth.training.lr_schedules.CURVES`); `warmup` is the fraction of the steps
            in which it rises.
        corrected: whether Adam has bias correction; BERT's did not.
        norm: `post` as BERT, which transformers loads; `pre` as GPT-2.
        positions: `learned` rows of a table, or `rotary`; a rotary model has no `neighbours` initialisation.
        biases: whether the linear maps inside the layers have biases.
        gated: whether the mlp is a gated one (GeGLU with gelu), a third narrower, for as many parameters.
        spread: initial standard deviation of matrices at a width of 768.
        by_width: whether `spread` grows for narrower models as `sqrt(768 / width)`. With 0.02 at a width of 256 a
            post-norm layer adds so little to its input that the model may stay a bag of words.
        neighbours: whether a BERT's first layer is initialised to attend to neighbours, and positions to sinusoids
            (`wordworth.models.neighbour_attention_init`): it is off the plateau from the first step on.
        multiple: the embedding's rows are padded to a multiple of it, for matrix units; the rows beyond the vocabulary
            are never read.
        anisotropy: weight of the penalty on the mean cosine between last states of unrelated tokens
            (`wordworth.training.objectives.anisotropy`); 0 leaves it out.
    """

    name: str = "modern"
    sequences: Sequences = "packed"
    ask_pairs: bool = True
    masking: float = 0.2
    mask: float = 0.8
    random: float = 0.1
    unit: Unit = "token"
    lengths: tuple[int, int] = (128, 512)
    phases: float = 0.9
    batch: int = 128
    even: bool = True
    ramp: float = 0.0
    rate: float | None = None
    curve: CurveName = "linear"
    warmup: float = 0.06
    corrected: bool = True
    beta2: float = 0.98
    weight_decay: float = 0.01
    clip: float = 1.0
    norm: Literal["post", "pre"] = "post"
    activation: Literal["gelu_erf", "gelu_tanh", "relu"] = "gelu_erf"
    positions: Literal["learned", "rotary"] = "learned"
    biases: bool = True
    gated: bool = False
    dropout: float = 0.0
    spread: float = 0.02
    by_width: bool = True
    neighbours: bool = True
    multiple: int = 64
    anisotropy: float = 0.0

    def __post_init__(self) -> None:
        if self.curve not in CURVES:
            raise BadInput(f"unknown curve {self.curve!r}", mend=nearest(self.curve, CURVES))
        if min(self.lengths) < _SHORTEST or self.batch < 1 or self.multiple < 1:
            raise BadInput(
                "lengths, batch or multiple is too small",
                mend=f"give lengths of {_SHORTEST} or more, batch and multiple of 1 or more",
            )
        for name, value, mend in out_of_range(self, _RANGES):
            raise BadInput(f"{name}={value:g} is out of range", mend=mend)

        if self.mask + self.random > 1 + 1e-9:
            raise BadInput(
                f"mask={self.mask:g} and random={self.random:g} add up to more than 1", mend="lower one of them"
            )

    def peak(self, width: int) -> float:
        """Return the peak rate, if not given 1e-3 up to a width of 512 and less in proportion for wider models."""
        return 1e-3 * min(1.0, _NARROW / width) if self.rate is None else self.rate

    def initial_spread(self, width: int) -> float:
        """Return the initial standard deviation of matrices."""
        return self.spread * math.sqrt(_BERT_BASE / width) if self.by_width else self.spread

    @property
    def turns(self) -> Sequence[float]:
        """The fractions of the run at which sequence length or batch size changes, 0 among them."""
        return sorted({share for share in (0.0, self.ramp / 2, self.ramp, self.phases) if share < 1})

    def length_at(self, share: float) -> int:
        """Return the tokens of the longest sequence once that fraction of the run has passed."""
        return self.lengths[share >= self.phases]

    def batch_at(self, share: float) -> int:
        """Return the sequences in a step once that fraction of the run has passed."""
        full = self.batch * self.lengths[0] // self.length_at(share) if self.even else self.batch
        factor = 0.25 if share < self.ramp / 2 else 0.5 if share < self.ramp else 1.0
        return max(1, int(full * factor))


PAPER = Recipe(
    name="paper",
    sequences="pairs",
    masking=0.15,
    batch=256,
    even=False,
    rate=1e-4,
    curve="original",
    warmup=0.01,
    corrected=False,
    beta2=0.999,
    activation="gelu_tanh",
    dropout=0.1,
    by_width=False,
    neighbours=False,
    multiple=1,
)
"""Devlin et al. 2019, appendix A.2, and the code of google-research/bert."""

MODERN = Recipe()
"""What the literature on small budgets found to pay off, if transformers can load the result: bias-corrected Adam at
a high rate that ends at 0 with the budget (Izsak et al. 2021), sequences packed without padding and no objective about
pairs (Liu et al. 2019), more than 15 % masked (Wettig et al. 2023), no dropout within few epochs (Geiping and
Goldstein 2023), initialisation by width."""

ADAPT = dataclasses.replace(MODERN, name="adapt", masking=0.15, phases=1.0, batch=64, rate=2e-4, dropout=0.1)
"""For continued pretraining: a lower rate, and dropout, since a domain's text is read again and again."""

RECIPES = {"paper": PAPER, "modern": MODERN, "adapt": ADAPT}


_WORDS = {"yes": True, "true": True, "no": False, "false": False}
_MASKS = ("masking", "mask", "random", "unit", "neighbours", "ask_pairs")
_LAYERS = ("norm", "positions", "biases", "gated")
_LSTMS = (*_MASKS, *_LAYERS, "activation", "spread", "by_width")
IDLE = {"causal-bert": _MASKS, "gpt": (*_MASKS, *_LAYERS), "bilm": _LSTMS}
"""Ingredients that have no effect for an architecture."""
OF_FRESH = ("norm", "activation", "positions", "biases", "gated", "spread", "by_width", "neighbours", "multiple")
"""Ingredients that shape a new network: an existing one keeps its own."""


def recipe(name: str, changes: Iterable[str] = ()) -> Recipe:
    """Return the recipe of that name with some ingredients changed, each `name=value`.

    >>> recipe("modern", ["dropout=0.1", "norm=pre"]).dropout
    0.1

    Raises:
        BadInput: no recipe or ingredient has that name, or a value is invalid.
    """
    if name not in RECIPES:
        raise BadInput(f"unknown recipe {name!r}", mend=nearest(name, RECIPES))
    return dataclasses.replace(RECIPES[name], **dict(_change(text) for text in changes))


def continued_recipe(name: str, changes: Sequence[str] = ()) -> Recipe:
    """Return the recipe as `recipe` does, for a network that exists already.

    Raises:
        BadInput: as `recipe`, and for an ingredient that shapes new networks.
    """
    fixed = [change for change in changes if change.partition("=")[0] in OF_FRESH]
    if fixed:
        free = ", ".join(field.name for field in dataclasses.fields(Recipe) if field.name not in {"name", *OF_FRESH})
        raise BadInput(f"{fixed[0]} cannot be changed for an existing model", mend=f"you can change {free}")
    return recipe(name, changes)


def require_used(changes: Sequence[str], architecture: str, lexicon: Path | None = None) -> None:
    """Check that every ingredient which the user changes has an effect on the run.

    Raises:
        BadInput: the architecture does not use it, or a lexicon already decides what is masked together.
    """
    for name in (change.partition("=")[0] for change in changes):
        if name in IDLE.get(architecture, ()):
            raise BadInput(f"{name} has no effect for architecture {architecture}", where="--with", mend="leave it out")
        if name == "unit" and lexicon is not None:
            message = "unit has no effect with a lexicon, whose phrases are masked whole as are all other words"
            raise BadInput(message, where="--with unit", mend="leave it out, or --lexicon")


def _change(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    hints = {field: hint for field, hint in get_type_hints(Recipe).items() if field != "name"}
    if name not in hints:
        raise BadInput(f"unknown ingredient {name!r}", mend=nearest(name, hints))
    if not equals:
        raise BadInput(f"{name} has no value", where="--with", mend=f"write {name}=VALUE")
    try:
        return name, _read(hints[name], value)
    except ValueError as error:
        raise BadInput(f"{name}={value!r} is invalid: expected {error}", mend="see docs/pretraining.md") from error


def _read(hint: Any, value: str) -> Any:  # noqa: ANN401 - a type and its value
    """Parse a value by the type of its field."""
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError(f"one of {', '.join(get_args(hint))}")
        return value
    if get_origin(hint) is tuple:
        first, comma, second = value.partition(",")
        if not (first.isdecimal() and comma and second.isdecimal()):
            raise ValueError("two whole numbers, such as 128,512")
        return int(first), int(second)
    if hint is bool:
        if value not in _WORDS:
            raise ValueError("yes or no")
        return _WORDS[value]
    plain = next(each for each in get_args(hint) if each is not types.NoneType) if get_args(hint) else hint
    try:
        return plain(value)
    except ValueError as error:
        raise ValueError("a whole number" if plain is int else "a number") from error
