"""The settings of the study `worth`, shared by Python, the command line and the record.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import ValidRange, at_least, parse_duration, setting, validate
from wordworth.sources import short_name
from wordworth.tasks.reading.settings import ReadSettings


@dataclass(frozen=True, slots=True)
class RowLimit:
    """The largest numbers of rows of a file that a study uses if the user sets no limit.

    Attributes:
        texts: the largest number in tasks that label texts.
        sentences: the largest number in tasks that label words.
    """

    texts: int
    sentences: int


MOST_ROWS = RowLimit(texts=10_000, sentences=1_000)
"""Limits of a study that is not quick. Sentences are fewer than texts, as a tagging head takes seconds for a fit and a
linear head milliseconds."""
DEFAULT_MODELS = ("minilm",)
QUICK_ROWS = RowLimit(texts=1_000, sentences=300)
_LONGEST_CURRENCY = 4
_PRICE = at_least(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorthReadSettings(ReadSettings):
    """Settings of how `worth` reads a file, with the columns of sampling weights and of categories."""

    categories: tuple[str, ...] = setting(
        (),
        "Column of categories of the test rows (phenomena, topics), several in a cell separated by `;`: the score of "
        "every rung by category, and where context surely helps. Repeatable.",
        flags=("--category", "--categories"),
    )
    test_weight: str | None = setting(
        None,
        "Column of sampling weights in the file to test on, as --to-label writes them: every score is weighted by it.",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class WorthSettings:
    """Settings of the study `worth`.

    `margin` is how far below the best rung a rung may score and still be good enough, in points: 1 is 0.01 of the
    metric. A `quick` study reads at most 1,000 rows and distils no static table; if the encoder is too slow for 1,000
    rows, long texts are truncated, and fewer rows are read, but at least 200. With a `budget` of time, the study leaves
    out only what would exceed it, by a forecast for this machine.
    """

    models: tuple[str, ...] = setting(
        DEFAULT_MODELS,
        "Contextual encoders, one each time: a name, a folder or a hub name; `none` leaves encoders out. Repeatable.",
        flags=("--model", "--models"),
    )
    vectors: tuple[str, ...] = setting(
        (), "A static table, or vectors of your rows (.npy, .parquet, .csv, .jsonl, as embed writes them). Repeatable."
    )
    rungs: tuple[str, ...] = setting(
        (), "Measure only the rungs of these names, besides the baseline. Repeatable.", flags=("--rung", "--rungs")
    )
    vector_price: float = setting(0.0, "Price of a million texts at the provider of your vectors.", _PRICE)
    margin: float = setting(
        1.0,
        "Points that a rung may score below the others and still be good enough.",
        ValidRange(lambda points: 0 < points < inf, "more than 0 points", "; 1 is a hundredth of the metric"),
    )
    seeds: int = setting(
        5, "Folds, and random draws of each training subset.", at_least(2, ": one run shows no spread")
    )
    seed: int = setting(0, "Random seed.")
    hourly_price: float = setting(0.10, "Price of an hour of this machine.", _PRICE)
    label_price: float = setting(0.04, "Price of one label.", _PRICE)
    currency: str = setting("$", "Currency sign on the page.")
    costs: str | Path | None = setting(
        None,
        "A file with columns true, predicted and cost: what an error of each kind costs. A right answer costs 0 if not "
        "given.",
    )
    threads: int = setting(2, "Fits at the same time; the results do not depend on it.", at_least(1))
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    budget: str = setting(
        "15m",
        "Time of the study on this machine, such as 15m or 2h, or none: where it would take longer, long texts are "
        "cut, fine-tuned rungs have one run, no static table is made, and rows are left out, in this order.",
    )
    quick: bool = setting(
        False, "Answer in about a minute from at most 1,000 rows, fewer of long texts or on a slow machine."
    )
    distil: bool = setting(True, "Do not distil the encoder into a static table.")
    finetune: bool = setting(True, "Do not fine-tune the encoder.")
    draws: int = setting(
        1_000, "Bootstrap resamples of every interval.", at_least(100, ": fewer give no 95 % interval"), option=False
    )

    def __post_init__(self) -> None:
        validate(self)
        if not 0 < len(self.currency) <= _LONGEST_CURRENCY:
            what = f"--currency {self.currency} is out of range"
            raise BadInput(what, mend="give one to four characters, such as € or CHF")
        if self.vector_price and not self.vectors:
            raise BadInput("--vector-price is the price of your own vectors, and none are given", mend="add --vectors")
        if self.models == ("none",):
            object.__setattr__(self, "models", ())
        if "none" in self.models:
            raise BadInput("--models none together with another model", mend="give none alone, or leave it out")
        _require_distinct("--models", self.models)
        _require_distinct("--vectors", self.vectors)
        _seconds(self.budget)

    @property
    def budget_seconds(self) -> float:
        """The study's budget of time in seconds; infinite if the user set no limit."""
        return _seconds(self.budget)

    @property
    def metric_margin(self) -> float:
        """How far a rung may score below the best rung and still be good enough, on the metric's own scale."""
        return self.margin / 100


def _seconds(budget: str) -> float:
    """Return the seconds of a budget such as `15m`; infinite for `none`.

    Raises:
        BadInput: the budget is neither a duration nor `none`.
    """
    return inf if budget == "none" else parse_duration(budget)


def _require_distinct(flag: str, names: Sequence[str]) -> None:
    """Refuse a model that is named twice, and two models with one short name, since rungs are named by it."""
    first: dict[str, str] = {}
    for name in map(str, names):
        other = first.setdefault(short_name(name), name)
        if other == name and list(map(str, names)).count(name) > 1:
            raise BadInput(f"{flag} has {name} twice", mend="name each once")
        if other != name:
            what = f"{flag} has {other} and {name}, whose rungs would both be called {short_name(name)!r}"
            raise BadInput(what, mend="rename one of the folders")


__all__ = [
    "DEFAULT_MODELS",
    "MOST_ROWS",
    "QUICK_ROWS",
    "ReadSettings",
    "RowLimit",
    "WorthReadSettings",
    "WorthSettings",
]
