"""The settings of `wordworth study languages`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.settings_validation import ValidRange, at_least, setting, validate
from wordworth.sources import require

KIND = "languages"
"""The kind of the study's records."""
NAMED_SETS: dict[str, tuple[str, ...]] = {
    "xquad": ("xquad",),
    "sib200": ("parallel/sib200/train.csv",),
    "uner": ("parallel/uner",),
    "conll2002": ("conll2003", "conll2002_es", "conll2002_nl"),
    "tatoeba": ("tatoeba/tatoeba.tsv",),
}
"""Name of a published data set -> its file, or its folders, under `$WORDWORTH_DATA`; a file may be compressed.

The languages of `conll2002` are Spanish and Dutch of 2002 and English of 2003, as in Wu and Dredze (2019)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LanguagesSettings:
    """Settings of the study `languages`, of how well a model serves each language of a data set."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    language: str | None = setting(None, "Column of the languages; guessed if not given.")
    item: str | None = setting(
        None, "Column that has the same value where texts are translations of each other; guessed if not given."
    )
    translation: str | None = setting(
        None,
        "Column of the texts' translations into the source language, to measure whether translations find each other; "
        "such texts need no labels. Guessed if not given and there are no labels.",
    )
    languages: tuple[str, ...] = setting((), "Languages to study, as the file names them. [default: all]")
    source: str | None = setting(
        None,
        "Language whose labels are taken to the others, or into which texts are translated. [default: English, else "
        "the first of the file, or the name of the column of translations]",
    )
    test: float = setting(
        0.5, "Share of the texts that test.", ValidRange(lambda share: 0 < share < 1, "between 0 and 1")
    )
    limit: int = setting(1_000, "Most texts of a language, drawn at random.", at_least(40))
    draws: int = setting(1_000, "Bootstrap resamples of texts per interval.", at_least(100))
    freeze: bool = setting(
        False,
        "Also fine-tune on the source's labels: with nothing frozen, the embeddings, then more and more layers. This "
        "takes minutes to hours.",
    )
    restarts: int | None = setting(None, "With --freeze: runs with different seeds. [default: 3]", at_least(2))
    seed: int = setting(0, "Random seed.", at_least(0))

    def __post_init__(self) -> None:
        validate(self)
        if self.restarts is not None and not self.freeze:
            raise BadInput("--restarts is the number of fine-tuning runs", mend="add --freeze, or leave it out")
        require(self.model)
