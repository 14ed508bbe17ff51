"""The settings of `wordworth study sentences`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.settings_validation import at_least, setting, validate
from wordworth.sources import require

ALL = "sts"
"""The name of all sets that are there."""
SETS = ("sts12", "sts13", "sts14", "sts15", "sts16", "stsb", "sick")


@dataclass(frozen=True, kw_only=True, slots=True)
class SentencesSettings:
    """Settings of the study `sentences`, which scores sentence vectors on pairs of texts."""

    model: str = setting("minilm", "An encoder or a static table: a name, a folder or a hub name.")
    data: Path | str | None = setting(None, "Pairs of texts with a score.")
    sets: tuple[str, ...] = setting(
        (), "Published sets: sts12 to sts16, stsb, sick, or sts for all that are there. [default: sts without --data]"
    )
    labelled_pairs: Path | str | None = setting(
        None, "Pairs with a class each, such as NLI: what should a classifier read of two vectors?"
    )
    other_models: tuple[str, ...] = setting(("glove",), "Other models, scored on the same pairs, each once.")
    dimensions: tuple[int, ...] = setting((), "Also score the vectors cut to their first so many numbers.")
    text: str | None = setting(None, "Column of the first texts in --data; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts; guessed if not given.")
    label: str | None = setting(None, "Column of the scores; guessed if not given.")
    limit: int = setting(4_000, "Most pairs of a set, drawn at random.", at_least(10))
    draws: int = setting(1_000, "Bootstrap resamples of pairs per interval.", at_least(100))
    seed: int = setting(0, "Random seed.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)
        require(self.model)
        unknown = next((name for name in self.sets if name not in (ALL, *SETS)), None)
        if unknown is not None:
            raise BadInput(f"no set {unknown!r}", where="--sets", mend=nearest(unknown, (ALL, *SETS)))
        object.__setattr__(self, "dimensions", tuple(dict.fromkeys(self.dimensions)))
        others: dict[str, str] = {}
        for name in self.other_models:
            others.setdefault(_location(name), name)
        others.pop(_location(self.model), None)
        object.__setattr__(self, "other_models", tuple(others.values()))
        if any(number < 1 for number in self.dimensions):
            raise BadInput("a vector cannot be cut to nothing", where="--dimensions", mend="give 64, 128 or the like")

    @property
    def published(self) -> tuple[str, ...]:
        """The published data sets to score: the names in `sets`, or `sts` if neither `sets` nor `data` is given.

        `sts` stands for all STS sets that are on this machine. A set that `sets` names by its own name must be there.
        """
        if not self.sets:
            return () if self.data is not None else (ALL,)
        return self.sets


def _location(model: str) -> str:
    """Return the absolute path of a model's folder, or else its name, so that two spellings of one folder are equal."""
    return str(Path(model).resolve()) if Path(model).exists() else model
