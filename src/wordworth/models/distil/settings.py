"""How a static table is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wordworth.errors import BadInput
from wordworth.text.corpus.documents import CorpusSettings

Method = Literal["mean", "pc1", "pieces"]


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
        width: numbers a vector has in the end, by principal components; None: the encoder's own.
        whiten: bring every component to the same variance (Su et al. 2021).
        sif: frequent words are weighed down by a / (a + p) with this a (Arora et al. 2017); None: not.
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
    width: int | None = 256
    whiten: bool = False
    sif: float | None = 1e-3
    half: bool = True
    read_as: CorpusSettings = field(default_factory=CorpusSettings)

    def __post_init__(self) -> None:
        bounds = {"words": self.words, "least": self.least, "occurrences": self.occurrences, "width": self.width}
        for name, value in bounds.items():
            if value is not None and value < 1:
                raise BadInput(f"{name} is {value}", where=f"--{name}", mend="give 1 or more")
        if self.remove_top < 0:
            raise BadInput(f"{self.remove_top} directions to remove", where="--remove-top", mend="give 0 or more")
        if self.sif is not None and not self.sif > 0:
            raise BadInput(f"an a of {self.sif}", where="--sif", mend="give a number above 0, usually 0.0001 to 0.003")
