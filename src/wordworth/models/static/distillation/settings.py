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
"""Options for postprocessing, by names that users take for methods."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilSettings:
    """Settings by which a static table is distilled from an encoder.

    Attributes:
        method: how a word's occurrences are aggregated: `mean`, their mean (aggregated, mean pooling: Bommasani et al.
            2020); `pc1`, their first principal direction, uncentred, of length 1, oriented towards their mean
            (Ethayarajh 2019, section 4.4); `pieces`: no occurrences, each piece of the vocabulary goes through the
            encoder alone and the states around it are averaged (model2vec).
        layer: the layer whose states are taken, 0 for the input layer, negative from the last; None is 1, or the last
            for `pieces`.
        words: largest number of words; the most frequent are taken.
        least: smallest number of occurrences of a word.
        occurrences: largest number of occurrences of a word that are read, the first ones; sentences without a needed
            one are skipped. None reads all.
        back_off: whether words beyond the vocabulary are spelled in the encoder's pieces (WordPiece only).
        remove_top: number of top directions of the centred vocabulary to remove (all-but-the-top, Mu and Viswanath
            2018).
        width: final width of the vectors, by principal components; `auto` is 256, or as many as the encoder and the
            words allow; 0 or None is the encoder's width.
        whiten: scale every component to the same variance (Su et al. 2021).
        sif: the a of the weights a / (a + p) that reduce frequent words (Arora et al. 2017); 0 or None for no weights.
        half: whether the table is stored in float16.
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
            lowered = str(self.method).lower()
            mend = f"add {_OPTIONS[lowered]} to a method" if lowered in _OPTIONS else nearest(lowered, METHODS)
            raise BadInput(f"no method {self.method!r}", where="--method", mend=mend)
        if self.width is not None and self.width != _AUTO and self.width < 0:
            raise BadInput(f"width is {self.width}", where="--width", mend="give 1 or more; 0 for the encoder's own")
        bounds = {"words": self.words, "least": self.least, "occurrences": self.occurrences}
        for name, value in bounds.items():
            if value is not None and value < 1:
                raise BadInput(f"{name} is {value}", where=f"--{name}", mend="give 1 or more")
        if self.remove_top < 0:
            raise BadInput(f"remove_top is {self.remove_top}", where="--remove-top", mend="give 0 or more")
        if self.sif is not None and not self.sif >= 0:
            mend = "give a number above 0, usually 0.0001 to 0.003; 0 for no weights"
            raise BadInput(f"sif is {self.sif}", where="--sif", mend=mend)
