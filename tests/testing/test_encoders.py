"""Each check passes an encoder that keeps all promises and catches one that breaks one of them."""

import zlib

import numpy as np
import pytest

from wordworth.testing import encoders
from wordworth.testing.encoders import encoder_checks


class Hashed:
    """Every word adds a vector of its own, so that all promises are kept."""

    width = 16

    def encode(self, texts):
        rows = [self.vector(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, self.width)

    def vector(self, text):
        words = [text, *text.split()]
        return np.mean([self.word(word) for word in words], axis=0)

    def word(self, word):
        seed = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        return np.random.default_rng(seed).normal(size=self.width)


class Centred(Hashed):
    """A vector depends on the batch."""

    def encode(self, texts):
        vectors = super().encode(texts)
        return vectors - vectors.mean(0) if len(texts) > 1 else vectors


class Sorting(Hashed):
    """Longest first, and left so."""

    def encode(self, texts):
        return super().encode(sorted(texts, key=len, reverse=True))


class NoBlanks(Hashed):
    """The mean of no words is undefined."""

    def vector(self, text):
        return super().vector(text) if text.strip() else np.full(self.width, np.nan)


class Restless(Hashed):
    calls = 0

    def encode(self, texts):
        self.calls += 1
        return super().encode(texts) + 1e-7 * np.float32(self.calls)


class Narrow(Hashed):
    """No vector for what UTF-8 cannot write."""

    def word(self, word):
        try:
            word.encode()
        except UnicodeEncodeError:
            return np.full(self.width, np.inf)
        return super().word(word)


class Double(Hashed):
    def encode(self, texts):
        return super().encode(texts).astype(np.float64)


class Flat(Hashed):
    def encode(self, texts):
        return super().encode(texts) if len(texts) else np.zeros(0, np.float32)


class Cutting(Hashed):
    def vector(self, text):
        return super().vector(" ".join(text.split()[:100]))


class Deaf(Hashed):
    def vector(self, text):  # noqa: ARG002 - it is deaf
        return np.ones(self.width)


@pytest.mark.parametrize("check", encoder_checks(), ids=lambda check: check.__name__)
def test_an_encoder_that_keeps_its_promises_passes(check):
    check(Hashed())


@pytest.mark.parametrize(
    ("check", "encoder"),
    [
        (encoders.check_batch_invariance, Centred()),
        (encoders.check_order_is_kept, Sorting()),
        (encoders.check_empty_texts_have_vectors, NoBlanks()),
        (encoders.check_same_text_same_vector, Restless()),
        (encoders.check_vectors_are_finite_whatever_the_text, Narrow()),
        (encoders.check_width_and_type_are_as_said, Double()),
        (encoders.check_no_texts_no_rows, Flat()),
        (encoders.check_long_texts_are_read_to_their_end, Cutting()),
        (encoders.check_different_texts_differ, Deaf()),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_an_encoder_that_breaks_a_promise_is_caught(check, encoder):
    assert check in encoder_checks()
    with pytest.raises(AssertionError):
        check(encoder)
