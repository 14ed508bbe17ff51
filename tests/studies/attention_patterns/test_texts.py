"""Texts of tables, and the JSON of attention-analysis."""

import json

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.studies.attention_patterns.texts import read_sources, tokens_of


@pytest.fixture(scope="module")
def tokenizer():
    return load("mini").tokenizer


def write(folder, value):
    path = folder / "texts.json"
    path.write_text(json.dumps(value))
    return path


def test_text_words_and_tokens_of_one_sentence_are_the_same_ids(tmp_path, tokenizer):
    text = "the cat sat on the mat ."
    pieces = tokenizer.tokens(tokenizer.encode([text])[0].ids)
    forms = [{"text": text, "id": 7}, {"words": text.split()}, {"tokens": pieces}]
    ids = [tokens_of(source, tokenizer).ids for source in read_sources(write(tmp_path, forms), "text")]
    assert np.array_equal(ids[0], ids[1])
    assert np.array_equal(ids[0], ids[2])


def test_tokens_of_a_pair_have_two_segments(tokenizer):
    pieces = ["[CLS]", "the", "[SEP]", "the", "[SEP]"]
    assert tokens_of({"tokens": pieces}, tokenizer).segments.tolist() == [0, 0, 0, 1, 1]
    assert tokens_of({"tokens": pieces[:3]}, tokenizer).segments.tolist() == [0, 0, 0]


def test_a_table_is_read_by_its_column_and_blank_texts_are_left_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,review\n1,good\n2, \n3,bad\n")
    assert read_sources(path, "review") == ["good", "bad"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"text": "a"}, "not a list"),
        ([{"text": "a", "words": ["a"]}], "text and words together"),
        ([{"sentence": "a"}], "neither text, words nor tokens"),
        ([{"text": "a"}, "b"], "object 2"),
        ([{"words": "a b"}], "`words` is not a list of strings"),
        ([{"text": ["a"]}], "`text` is not a string"),
    ],
)
def test_other_json_is_refused(tmp_path, value, what):
    with pytest.raises(BadInput, match=what):
        read_sources(write(tmp_path, value), "text")


def test_an_unknown_token_is_refused(tokenizer):
    with pytest.raises(BadInput, match="not in the vocabulary"):
        tokens_of({"tokens": ["[CLS]", "nosuchtokenatall", "[SEP]"]}, tokenizer)
