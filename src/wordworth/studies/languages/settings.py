"""The settings of `wordworth study languages`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.settings_validation import ValidRange, at_least, setting, validate
from wordworth.sources import require


@dataclass(frozen=True, kw_only=True, slots=True)
class LanguagesSettings:
    """Settings of the study of how well a model serves each language of a file of labelled texts."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    language: str | None = setting(None, "Column of the languages; guessed if not given.")
    item: str | None = setting(
        None, "Column that has the same value where texts are translations of each other; guessed if not given."
    )
    languages: tuple[str, ...] = setting((), "Languages to study, as the file names them. [default: all]")
    source: str | None = setting(
        None, "Language whose labels are taken to the others. [default: English, else the first of the file]"
    )
    test: float = setting(
        0.5, "Share of the texts that test.", ValidRange(lambda share: 0 < share < 1, "between 0 and 1")
    )
    limit: int = setting(1_000, "Most texts of a language, drawn at random.", at_least(40))
    draws: int = setting(1_000, "Bootstrap resamples of texts per interval.", at_least(100))
    seed: int = setting(0, "Random seed.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)
        require(self.model)
        if len(self.languages) == 1:
            raise BadInput("one language cannot be compared with another", where="--languages", mend="name several")
