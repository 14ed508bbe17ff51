"""`DistilSettings`: the settings by which a static table is distilled from an encoder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.models.cpu_inference import DtypeOption
from wordworth.settings_validation import ValidRange, at_least, setting, validate
from wordworth.text.corpus.read_documents import CorpusSettings

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
"""Name of a postprocessing that users may pass as a method -> the option that requests it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilSettings:
    """Settings by which a static table is distilled from an encoder.

    Attributes:
        method: how a word's vector is made. `mean`: the mean over its occurrences in a corpus (Bommasani et al. 2020).
            `pc1`: the first principal direction of its occurrences, not centred, of length 1, oriented towards their
            mean (Ethayarajh 2019, section 4.4). `pieces`: without a corpus, the encoder reads each piece of its
            vocabulary alone, and the mean over the states of the piece and of the special tokens is the piece's vector
            (model2vec).
        remove_top: number of common directions to remove (all-but-the-top, Mu and Viswanath 2018).
        width: number of principal components to keep; 0 or None keeps the encoder's width, without PCA.
        whiten: whether to scale the components to equal variance (Su et al. 2021).
        sif: a in the weight a / (a + p) of a word with frequency p (Arora et al. 2017); 0 or None for no weights.
    """

    method: Method = setting("pc1", "How the states of a word's occurrences become one vector.")
    layer: int | None = setting(
        None, "Layer of the states: 0 is the input layer, -1 the last. [default: 1; for pieces the last]"
    )
    words: int = setting(20_000, "Vocabulary size: the most frequent words.", at_least(1))
    least: int = setting(5, "Minimum count of a word.", at_least(1))
    occurrences: int | None = setting(None, "Most occurrences of a word to read. [default: all]", at_least(1))
    width: int | Literal["auto"] | None = setting(
        _AUTO, "Number of principal components to keep; 0 skips PCA. [default: 256, or all if fewer]"
    )
    remove_top: int = setting(0, "Number of common directions to remove.", at_least(0))
    whiten: bool = setting(False, "Scale all components to the same variance.")
    sif: float | None = setting(
        1e-3,
        "SIF smoothing, which weighs frequent words down; 0 disables it.",
        ValidRange(lambda a: a >= 0, "a number above 0, usually 0.0001 to 0.003; 0 for no weights"),
    )
    back_off: bool = setting(True, "Do not spell unknown words in the encoder's pieces.")
    dtype: DtypeOption = setting("float32", "Data type that the encoder computes in.")
    half: bool = setting(True, "Store the table in float16.", option=False)
    read_as: CorpusSettings = field(default_factory=CorpusSettings, metadata={"option": False})

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            lowered = str(self.method).lower()
            methods = ", ".join(METHODS)
            mend = (
                f"add {_OPTIONS[lowered]} to a method: {methods}" if lowered in _OPTIONS else nearest(lowered, METHODS)
            )
            raise BadInput(f"no method {self.method!r}", where="--method", mend=mend)
        if self.width is not None and self.width != _AUTO and self.width < 0:
            raise BadInput(f"width is {self.width}", where="--width", mend="give 1 or more; 0 for the encoder's own")
        validate(self)
