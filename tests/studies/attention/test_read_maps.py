"""Maps of a model: rows sum to 1, queries and keys give them, and pairs, words and special tokens are known."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from tests.models.tiny import loud_, write_tiny

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.models.transformer import Transformer
from wordworth.studies.attention.read_maps import read_maps, require_one_or_two
from wordworth.text.tokens import Tokens

FAMILIES = ("bert", "roberta", "xlm-roberta", "distilbert", "gpt2")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {name: load(write_tiny(folder / name, name)) for name in FAMILIES}


def softmax_of_scores(maps, *, causal: bool) -> np.ndarray:
    scores = maps.vectors.query @ maps.vectors.key.swapaxes(-1, -2) / maps.vectors.query.shape[-1] ** 0.5
    if causal:
        scores = np.where(np.triu(np.ones(scores.shape[-2:], bool), 1), -np.inf, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_are_the_softmax_of_queries_and_keys(tiny, family):
    maps = read_maps(tiny[family], ["the cat, a dog."], family)
    assert maps.weights.shape[:2] == (2, 4)
    assert maps.weights.sum(-1) == pytest.approx(np.ones(maps.weights.shape[:3]), abs=1e-5)
    assert softmax_of_scores(maps, causal=family == "gpt2") == pytest.approx(maps.weights, abs=1e-5)


def test_rotary_positions_turn_queries_and_keys_before_they_are_read(tiny):
    model = tiny["bert"].model
    config = replace(model.config, positions="rotary")
    rotary = Transformer(config, model.embedding).eval()
    loud_(rotary)
    maps = read_maps(tiny["bert"].with_model(rotary), ["the cat, a dog."], "rotary")
    assert softmax_of_scores(maps, causal=False) == pytest.approx(maps.weights, abs=1e-5)


class Unseparated:
    """A tokenizer that puts two texts after each other, as GPT-2's does."""

    special_ids: ClassVar = {"bos": 0}

    def encode(self, *texts):
        one = np.arange(1, 2 * len(texts) + 1)
        zeros = np.zeros(4, np.int64)
        return [Tokens(one, zeros, np.zeros((4, 2), np.int32), np.array([0, 1, 2, 3], np.int32))]


def test_two_texts_need_a_tokenizer_that_separates_them(tiny):
    encoder = replace(tiny["gpt2"], tokenizer=Unseparated())
    with pytest.raises(BadInput, match="puts nothing between two texts"):
        read_maps(encoder, ["the cat", "a dog"], "gpt2")


def test_words_pieces_and_special_tokens_are_as_the_text_writes_them(tiny):
    maps = read_maps(tiny["bert"], ["The as."], "bert")
    assert maps.tokens == ("[CLS]", "The", "a", "##s", ".", "[SEP]")
    assert maps.special.tolist() == [True, False, False, False, False, True]
    assert maps.words.names == ("[CLS]", "The", "as", ".", "[SEP]")
    assert maps.second is None


def test_a_pair_begins_anew_after_the_separator(tiny):
    maps = read_maps(tiny["bert"], ["The as.", "a cat"], "bert")
    assert maps.second == 6
    assert maps.tokens[5] == "[SEP]"
    assert maps.words.names[maps.words.of_token[6]] == "a"


@pytest.mark.parametrize(
    ("family", "texts", "what"),
    [
        ("bert", ["a " * 30], "32 tokens are more than the 24 that bert reads at once"),
        ("bert", ["a " * 12, "a " * 12], "27 tokens are more than the 24"),
    ],
)
def test_a_text_that_is_too_long_is_refused(tiny, family, texts, what):
    with pytest.raises(BadInput, match=what):
        read_maps(tiny[family], texts, family)


@pytest.mark.parametrize(
    ("texts", "what"), [([], "got 0 texts"), (["a"] * 3, "got 3 texts"), ([" \n"], "empty"), (["a", ""], "empty")]
)
def test_other_numbers_of_texts_and_empty_ones_are_refused(texts, what):
    with pytest.raises(BadInput, match=what):
        require_one_or_two(texts)
