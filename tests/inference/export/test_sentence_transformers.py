"""The ranges of int8 vectors are written beside the model, from the texts that are given or from our own."""

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.models.vector_codes import Int8Ranges


def test_ranges_are_those_of_the_texts_that_are_given(tmp_path):
    encoder = write_tiny(tmp_path / "encoder", "bert")
    texts = ["the cat sat", "a cat", "the s, a s! the cat sat on it"]
    folder = ww.export(encoder, tmp_path / "own", to="sentence-transformers", data=texts)
    vectors = ww.load(encoder).encode(texts)
    assert Int8Ranges.read(folder).low == pytest.approx(vectors.min(0), abs=1e-6)


def test_without_texts_one_query_alone_is_no_zeros_all_the_same(tmp_path):
    folder = ww.export("mini", tmp_path / "usual", to="sentence-transformers")
    encoder, ranges = ww.load(folder), Int8Ranges.read(folder)
    alone = ranges.codes(encoder.encode("where is my parcel?"))
    assert (alone != 0).mean() > 0.9
    several = ranges.codes(encoder.encode(["where is my parcel?", "a dog barked"]))
    assert (abs(several[0].astype(int) - alone) <= 1).all()
