"""The settings of the study, shared by Python, the command line and the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from numbers import Integral, Real

from wordworth.errors import BadInput
from wordworth.tasks.reading.settings import ReadSettings


@dataclass(frozen=True, slots=True)
class RowLimit:
    """The number of rows of a file used where the user sets no limit."""

    texts: int
    sentences: int


MOST_ROWS = RowLimit(texts=10_000, sentences=1_000)
"""Fewer sentences than texts: a tagging head takes seconds per fit, a linear head milliseconds."""
DEFAULT_MODELS = ("minilm",)
QUICK_ROWS = RowLimit(texts=1_000, sentences=300)
_LONGEST_CURRENCY = 4
_NUMBERS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("epsilon", "hourly_price", "label_price", "vector_price"), (Real, "a number")),
    **dict.fromkeys(("seeds", "draws", "threads"), (Integral, "a whole number")),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class WorthSettings:
    """The study's settings.

    Attributes:
        models: contextual encoders on the ladder (catalogue names, folders or hub names); `none` alone for none.
        vectors: further static tables or files of the user's own vectors; each is a rung.
        rungs: names of the rungs to measure, beside the baseline; all if empty.
        epsilon: points by which a rung may be worse than another and still be good enough (1 = 0.01 of the metric).
        seeds: independent draws of each training subset.
        quick: answer within a minute from at most 1,000 rows, with wider intervals; where the encoder is too slow for
            that, from truncated long texts and fewer rows, at least 200.
        finetune: whether to fine-tune the encoders as the ladder's last rung.
        distil: whether to make a static table of each encoder and the training texts, as a rung; not when `quick`, as
            it takes some seconds more than a minute has.
        hourly_price: price of an hour of this machine.
        label_price: price of one label.
        vector_price: price of a million texts at the provider of the user's own vectors (a paid API).
        currency: currency sign on the page.
        seed: the seed of everything random.
        draws: bootstrap resamples of every interval.
        threads: fits that run at the same time; no number depends on it.
    """

    models: tuple[str, ...] = DEFAULT_MODELS
    vectors: tuple[str, ...] = ()
    rungs: tuple[str, ...] = ()
    epsilon: float = 1.0
    seeds: int = 5
    quick: bool = False
    finetune: bool = True
    distil: bool = True
    hourly_price: float = 0.10
    label_price: float = 0.04
    vector_price: float = 0.0
    currency: str = "$"
    seed: int = 0
    draws: int = 1_000
    threads: int = 2

    def __post_init__(self) -> None:
        for name, (kind, wanted) in _NUMBERS.items():
            if not isinstance(getattr(self, name), kind):
                raise BadInput(f"--{name.replace('_', '-')} is {getattr(self, name)!r}", mend=f"give {wanted}")
        checks = {
            "epsilon": (0 < self.epsilon < inf, "more than 0 points; 1 is a hundredth of the metric"),
            "seeds": (self.seeds >= 2, "2 or more: one run shows no spread"),  # noqa: PLR2004 - see the message
            "hourly_price": (0 <= self.hourly_price < inf, "0 or more"),
            "label_price": (0 <= self.label_price < inf, "0 or more"),
            "vector_price": (0 <= self.vector_price < inf, "0 or more"),
            "currency": (0 < len(self.currency) <= _LONGEST_CURRENCY, "one to four characters, such as € or CHF"),
            "draws": (self.draws >= 100, "100 or more: fewer give no 95 % interval"),  # noqa: PLR2004 - see the message
            "threads": (self.threads >= 1, "1 or more"),
        }
        for name, (holds, wanted) in checks.items():
            if not holds:
                what = f"--{name.replace('_', '-')} {getattr(self, name)} is out of range"
                raise BadInput(what, mend=f"give {wanted}")
        if self.vector_price and not self.vectors:
            raise BadInput("--vector-price is the price of your own vectors, and none are given", mend="add --vectors")
        if self.models == ("none",):
            object.__setattr__(self, "models", ())
        if "none" in self.models:
            raise BadInput("--model none together with another model", mend="give none alone, or leave it out")

    @property
    def margin(self) -> float:
        """How far a rung may score below another and still be good enough: epsilon on the metric's own scale."""
        return self.epsilon / 100


__all__ = ["DEFAULT_MODELS", "MOST_ROWS", "QUICK_ROWS", "ReadSettings", "RowLimit", "WorthSettings"]
