"""How a static table is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.text.corpus.documents import CorpusSettings

Method = Literal["mean", "pc1", "pieces"]
METHODS: tuple[Method, ...] = ("pc1", "mean", "pieces")
_AUTO: Literal["auto"] = "auto"
_OPTIONS = {
    "sif": "--sif 0.001",
    "whiten": "--whiten",
    "whitening": "--whiten",
    "all-but-the-top": "--remove-top 2",
    "abtt": "--remove-top 2",
    "pca": "--width 256",
}
"""What finishes a table of any method, by the names that people give it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilSettings:
    """How a static table is made.

    Attributes:
        method: what becomes of a word's occurrences: `mean`, their mean (aggregated, mean pooling: Bommasani et al.
            2020); `pc1`, their first principal direction, uncentred, of length one, turned towards their mean
            (Ethayarajh 2019, section 4.4); `pieces`: no occurrences, each piece of the vocabulary goes through the
            encoder alone and the states around it are averaged (model2vec).
        layer: whose states are taken, 0 the input layer, negative from the last; None: 1, for `pieces` the last.
        words: at most so many words, the most frequent.
        least: a word occurs at least so often.
        occurrences: at most so many occurrences of a word are read, the first ones; sentences that bring none are
            passed over. None: all.
        back_off: whether words beyond the vocabulary are spelled in the encoder's pieces (WordPiece only).
        remove_top: all-but-the-top: so many directions of the centred vocabulary taken away (Mu and Viswanath 2018).
        width: numbers a vector has in the end, by principal components; `auto`: 256, or as many as the encoder and the
            words give; 0 or None: the encoder's own.
        whiten: bring every component to the same variance (Su et al. 2021).
        sif: frequent words are weighed down by a / (a + p) with this a (Arora et al. 2017); 0 or None: not.
        half: whether the table is kept in float16.
        read_as: how the corpus is read.
    """

    method: Method = "pc1"
    layer: int | None = None
    words: int = 20_000
    least: int = 5
    occurrences: int | None = None
    back_off: bool = True
    remove_top: int = 0
    width: int | Literal["auto"] | None = _AUTO
    whiten: bool = False
    sif: float | None = 1e-3
    half: bool = True
    read_as: CorpusSettings = field(default_factory=CorpusSettings)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            named = str(self.method).lower()
            mend = f"give {_OPTIONS[named]} beside a method" if named in _OPTIONS else nearest(named, METHODS)
            raise BadInput(f"no method {self.method!r}", where="--method", mend=mend)
        if self.width is not None and self.width != _AUTO and self.width < 0:
            raise BadInput(f"width is {self.width}", where="--width", mend="give 1 or more; 0 for the encoder's own")
        bounds = {"words": self.words, "least": self.least, "occurrences": self.occurrences}
        for name, value in bounds.items():
            if value is not None and value < 1:
                raise BadInput(f"{name} is {value}", where=f"--{name}", mend="give 1 or more")
        if self.remove_top < 0:
            raise BadInput(f"{self.remove_top} directions to remove", where="--remove-top", mend="give 0 or more")
        if self.sif is not None and not self.sif >= 0:
            mend = "give a number above 0, usually 0.0001 to 0.003; 0 for none of this"
            raise BadInput(f"an a of {self.sif}", where="--sif", mend=mend)
