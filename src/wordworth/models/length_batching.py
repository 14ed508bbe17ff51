"""Batches of sequences of similar length, and the report on sequences that exceed the model's length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordworth.settings_validation import at_least, require_number

ROWS_A_BATCH = 2048
"""Largest number of rows of a batch on a CPU: 1,000 to 8,000 rows are equally fast, and fewer need less memory."""
ROWS_ON_GPU = 8 * ROWS_A_BATCH
"""The number of rows on a GPU is larger: launching the kernels of a small batch takes longer than computing them."""
GRAIN = 8
"""In bfloat16 a sequence takes a multiple of this many rows: 3.5 extra on average, 32 lengths up to 256 tokens."""
LONE = 3
"""Sequences of up to this many tokens are not padded: single pieces are encoded by the ten thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthReport:
    """Report on how texts longer than the model's window were read.

    Attributes:
        texts: number of texts, long or not.
        limit: number of tokens that the model reads at once, special ones included.
        windowed: number of texts read in overlapping windows.
        cut: number of texts of which some tokens were not read.
        dropped: number of tokens that were not read, over all texts.
    """

    texts: int
    limit: int
    windowed: int = 0
    cut: int = 0
    dropped: int = 0

    def __str__(self) -> str:
        parts = [f"{self.windowed} read in overlapping windows"] if self.windowed else []
        parts += [f"{self.cut} cut ({self.dropped} tokens lost)"] if self.cut else []
        return f"of {self.texts} texts, {' and '.join(parts) or 'none'}: longer than {self.limit} tokens"


def long_text_warning(name: str, limit: int) -> str:
    """Return the warning about long texts.

    The warning has no counts, so that it is the same in every call: Python shows equal warnings from one line of code
    only once.

    Args:
        name: name of the encoder.
        limit: most tokens that the encoder reads at once.
    """
    return (
        f"{name} reads {limit} tokens at once; longer texts are read whole, in overlapping windows, where "
        "sentence-transformers cuts them: long_texts='cut' cuts them too, long_texts='window' silences this warning"
    )


def require_batch_size(batch_size: object) -> None:
    """Check that a batch size is a whole number of at least 1, or None for no limit.

    Raises:
        BadInput: the batch size is neither None nor a whole number of at least 1.
    """
    if batch_size is not None:
        require_number("--batch-size", batch_size, int, at_least(1))


def rows_of(length: int) -> int:
    """Return the number of rows that a sequence takes in a padded layout.

    The length is rounded up to a multiple of 8 (`GRAIN`), unless it is at most 3 (`LONE`).

    >>> rows_of(2), rows_of(4), rows_of(17)
    (2, 8, 24)
    """
    return length if length <= LONE else -(-length // GRAIN) * GRAIN


def batches(lengths: Sequence[int], budget: int = ROWS_A_BATCH, most: int | None = None) -> Iterator[list[int]]:
    """Yield batches of sequences of similar length, each a list of indices into `lengths`.

    The longest sequences come first, so that a lack of memory shows at once and threads end at about the same time.

    Args:
        lengths: number of tokens of each sequence.
        budget: largest number of rows of a batch, where a sequence takes `rows_of` its length; a sequence with more
            rows is a batch of its own.
        most: most sequences in a batch; None for no limit.
    """
    batch: list[int] = []
    total = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (total + rows_of(lengths[index]) > budget or len(batch) == most):
            yield batch
            batch, total = [], 0
        batch.append(index)
        total += rows_of(lengths[index])
    if batch:
        yield batch
