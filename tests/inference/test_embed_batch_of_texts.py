"""The vectors of a part are those of its texts, and a text that does not fit is named by its row in the file."""

import numpy as np
import pytest
from tests.serving.served import tiny_encoder

from wordworth.inference.embed_batch_of_texts import TextBatch, encode_batch, kernel_of
from wordworth.text.windows import TooLong


def test_a_part_has_the_vectors_of_its_texts_and_says_if_one_was_long(tmp_path):
    encoder = tiny_encoder(tmp_path)
    texts = ["a bad cab", "the zebra " * 30]
    part = encode_batch(TextBatch(3, 100, texts), encoder, "cut")
    assert part.number == 3
    assert np.array_equal(part.vectors, encoder.encode(texts, long_texts="cut"))
    assert part.limit == 24
    assert encode_batch(TextBatch(0, 0, texts[:1]), encoder, "error").limit == 0
    with pytest.raises(TooLong, match="text 101 "):
        encode_batch(TextBatch(3, 100, texts), encoder, "error")
    assert kernel_of(encoder)
