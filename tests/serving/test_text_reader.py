"""A static table as a server reads it, and what is no model."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.serving.text_reader import reader_of


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "words.txt"
    path.write_text("the 1 0 2\ncab 0 3 1\nbad 1 1 1\n")
    return ww.load(path)


def test_vectors_of_a_table_are_those_of_encode(table):
    texts, reader = ["the cab", "cab", "the the bad"], reader_of(table)
    read = reader.read(texts, cut=False)
    assert np.array_equal(reader.embed(read), table.encode(texts))
    assert [each.size for each in read] == [2, 1, 3]
    assert [states.shape for states in reader.embed_tokens(read)] == [(2, 3), (1, 3), (3, 3)]


def test_a_text_without_known_words_is_zeros(table):
    reader = reader_of(table)
    assert not reader.embed(reader.read(["", "zzz"], cut=False)).any()


def test_a_table_has_no_tokens_to_show(table):
    with pytest.raises(BadInput, match="no tokenizer"):
        reader_of(table).token_spans(["a"], special=True)


def test_what_is_no_model_is_refused():
    with pytest.raises(BadInput, match="cannot serve"):
        reader_of([1, 2])
