"""Conformance checks of an encoder: what users may expect of anything that turns texts into vectors.

    @pytest.mark.parametrize("check", encoder_checks(), ids=lambda check: check.__name__)
    def test_my_encoder_conforms(check):
        check(my_encoder)

An encoder here is anything with `width` and `encode(texts) -> float32 [n, width]`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-5
"""Largest change of a number with the batch, relative to the largest number of the vectors; for float32."""


class Encoder(Protocol):
    """The interface that the checks need of an encoder."""

    @property
    def width(self) -> int:
        """Width of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text, in their order, float32 [texts, width]."""
        ...


def encoder_checks() -> list[Callable[[Encoder], None]]:
    """Return all checks of an encoder; each takes an encoder and raises AssertionError if it fails."""
    return [
        check_batch_invariance,
        check_order_is_kept,
        check_empty_texts_have_vectors,
        check_same_text_same_vector,
        check_vectors_are_finite_whatever_the_text,
        check_width_and_type_are_as_said,
        check_no_texts_no_rows,
        check_long_texts_are_read_to_their_end,
        check_different_texts_differ,
    ]


TEXTS = ("a short one", "The bank by the river was steep.", "", "She said: «no»!", "a b c d e f g " * 6)
STRANGE = (
    "\x00\x01",
    "🙂👩‍👩‍👧",
    "שָׁלוֹם עולם",
    "\u202e\u200b",
    "日本語テキスト",
    "<b>&amp;</b>",
    "a" * 3000,
    "\ud800",
    "\n\t ",
)


def check_batch_invariance(encoder: Encoder) -> None:
    """Check that a text has the same vector alone and in a batch with other texts."""
    together = encoder.encode(list(TEXTS))
    for text, in_batch in zip(TEXTS, together, strict=True):
        _same(encoder.encode([text])[0], in_batch, together)


def check_order_is_kept(encoder: Encoder) -> None:
    """Check that row i of the result is the vector of text i, however the encoder batches texts."""
    vectors = encoder.encode(list(TEXTS))
    order = [3, 0, 4, 2, 1, 0]
    _same(encoder.encode([TEXTS[index] for index in order]), vectors[order], vectors)


def check_empty_texts_have_vectors(encoder: Encoder) -> None:
    """Check that empty texts, blanks and line ends have finite vectors."""
    vectors = encoder.encode(["", " ", "\n"])
    assert vectors.shape == (3, encoder.width)
    assert np.isfinite(vectors).all()


def check_same_text_same_vector(encoder: Encoder) -> None:
    """Check that the same call twice returns the same bytes."""
    assert np.array_equal(encoder.encode(list(TEXTS)), encoder.encode(list(TEXTS)))


def check_vectors_are_finite_whatever_the_text(encoder: Encoder) -> None:
    """Check that control characters, emoji, any script, markup and lone surrogates have finite vectors."""
    assert np.isfinite(encoder.encode(list(STRANGE))).all()


def check_width_and_type_are_as_said(encoder: Encoder) -> None:
    """Check that the result is float32 [texts, width], with the encoder's own `width`."""
    vectors = encoder.encode(list(TEXTS))
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), encoder.width)


def check_no_texts_no_rows(encoder: Encoder) -> None:
    """Check that an empty list gives an array [0, width]."""
    assert encoder.encode([]).shape == (0, encoder.width)


def check_long_texts_are_read_to_their_end(encoder: Encoder) -> None:
    """Check that the last words of a text of thousands of words change its vector: nothing is truncated silently."""
    long = "the bank by the river " * 700
    first, second = encoder.encode([long + "no " * 300, long + "she said yes " * 300])
    assert np.abs(first - second).max() > 100 * TOLERANCE * np.abs(first).max()


def check_different_texts_differ(encoder: Encoder) -> None:
    """Check that two texts without a common word have different vectors."""
    first, second = encoder.encode(["a short one", "She said: «no»!"])
    assert np.abs(first - second).max() > 100 * TOLERANCE * np.abs(first).max()


def _same(actual: NDArray[np.float32], expected: NDArray[np.float32], scale: NDArray[np.float32]) -> None:
    difference = float(np.abs(actual - expected).max())
    assert difference <= TOLERANCE * max(1.0, float(np.abs(scale).max())), f"they differ by {difference}"
