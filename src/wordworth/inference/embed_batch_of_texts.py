"""`encode_batch`: the vectors of a batch of a file's texts, in this process or in a worker of a Ray cluster."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.progress import UNREPORTED, Progress
from wordworth.text.windows import LongTexts, TooLong


class TextBatch(NamedTuple):
    """Consecutive texts of a file, which are embedded as one unit of work.

    Attributes:
        number: number of the batch in the file, from 0.
        first: number of its first row in the file, from 0.
        texts: the texts.
    """

    number: int
    first: int
    texts: list[str]


class EncodedBatch(NamedTuple):
    """The vectors of a `TextBatch`.

    Attributes:
        number: number of the batch in the file, from 0.
        vectors: float32 [texts, width].
        limit: the encoder's limit in tokens if a text exceeds it, else 0.
    """

    number: int
    vectors: NDArray[np.float32]
    limit: int


class Encoder(Protocol):
    """Interface of the model that embeds texts: an encoder or a static table."""

    @property
    def width(self) -> int:
        """Width of a vector."""

    def encode(self, texts: list[str], *, progress: Progress) -> NDArray[np.float32]:
        """Return the vectors of texts, float32 [texts, width]."""


def encode_batch(batch: TextBatch, encoder: Encoder, long_texts: LongTexts) -> EncodedBatch:
    """Return the vectors of a batch of texts.

    Args:
        batch: the texts, with their position in the file.
        encoder: the model.
        long_texts: how texts longer than the model's window are read.

    Raises:
        TooLong: a text is longer than the model's window, and `long_texts` is `error`; the error's index is the number
            of the row in the file.
    """
    if not hasattr(encoder, "embed"):  # a static table, which reads texts of any length
        vectors = encoder.encode(batch.texts, progress=UNREPORTED)  # what it would say of a batch is said of the whole
        return EncodedBatch(batch.number, vectors, 0)
    try:
        embedded = encoder.embed(batch.texts, long_texts=long_texts, progress=UNREPORTED)
    except TooLong as error:
        raise TooLong(batch.first + error.index, error.length, error.limit) from error
    lengths = embedded.lengths
    return EncodedBatch(batch.number, embedded.vectors, lengths.limit if lengths.windowed or lengths.cut else 0)


def kernel_of(encoder: object) -> str:
    """Return the name of the matrix kernel that computes a model's vectors, whose last bits differ between kernels."""
    kernel, model = str(getattr(encoder, "kernel", "none")), getattr(encoder, "model", None)  # a table has neither
    return kernel if model is None or model.device.type == "cpu" else f"{kernel} on {model.device.type}"
