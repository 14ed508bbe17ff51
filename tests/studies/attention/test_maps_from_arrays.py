"""Arrays of any library become maps; what is no attention is refused with what is wrong and how to mend it."""

import numpy as np
import pytest
import torch
from tests.measures.test_attention_maps import softmax_maps

from wordworth.errors import BadInput
from wordworth.studies.attention.maps_from_arrays import MOST_TOKENS, maps_of_arrays, require_page_length

WEIGHTS = softmax_maps(0)
TOKENS = ("[CLS]", "un", "##do", "it", "[SEP]")


def maps(attention=WEIGHTS, tokens=TOKENS, **options):
    return maps_of_arrays(attention, tokens, name="model", **options)


@pytest.mark.parametrize(
    "attention",
    [
        WEIGHTS,
        WEIGHTS.astype(np.float64).tolist(),
        list(WEIGHTS[:, None]),
        tuple(torch.tensor(layer[None], requires_grad=True) for layer in WEIGHTS),
        torch.tensor(WEIGHTS[:, None]),
    ],
    ids=["array", "lists", "list of [1, heads, n, n]", "tensors with gradients", "tensor of batches"],
)
def test_every_form_gives_the_same_weights(attention):
    assert maps(attention).weights == pytest.approx(WEIGHTS)


def test_half_precision_is_read_too():
    assert maps([torch.tensor(layer).bfloat16() for layer in WEIGHTS]).weights == pytest.approx(WEIGHTS, abs=0.01)


def test_special_tokens_and_words_are_known_by_their_spelling():
    read = maps()
    assert read.special.tolist() == [True, False, False, False, True]
    assert read.words.names == ("[CLS]", "undo", "it", "[SEP]")


def test_words_of_byte_pairs_begin_with_a_mark():
    read = maps(tokens=("<s>", "un", "do", "Ġit", "</s>"))
    assert read.words.names == ("<s>", "undo", "it", "</s>")


def test_word_ids_as_tokenizers_give_them_decide_words_and_special_tokens():
    read = maps(tokens=("a", "b", "c", "d", "e"), word_ids=[None, 0, 0, 0, None], sentence_b_start=3)
    assert read.words.names == ("a", "bc", "d", "e")
    assert read.special.tolist() == [True, False, False, False, True]


def test_plain_tokens_have_no_words():
    assert maps(tokens=tuple("abcde")).words is None


def test_the_user_says_which_tokens_are_special():
    assert maps(special=[False, True, False, False, False]).special.tolist() == [False, True, False, False, False]


def test_queries_and_keys_of_any_model_are_taken():
    vectors = np.ones((2, 3, 5, 4), np.float32)
    assert maps(query=vectors, key=list(vectors[:, None])).vectors.key.shape == (2, 3, 5, 4)


def broken(value: float) -> np.ndarray:
    weights = WEIGHTS.copy()
    weights[1, 2, 0, 0] = value
    return weights


@pytest.mark.parametrize(
    ("attention", "options", "what", "mend"),
    [
        (None, {}, "is empty", "eager"),
        ((), {}, "is empty", "eager"),
        ((None, None), {}, "is empty", "eager"),
        (np.zeros((0, 3, 5, 5)), {}, "is empty", "eager"),
        (WEIGHTS[0], {}, "layer of attention is 5 by 5", "layers, heads, tokens"),
        (WEIGHTS[..., :4], {}, "3 by 5 by 4, and there are 5 tokens", "5 by 5"),
        (np.stack([WEIGHTS, WEIGHTS], axis=1), {}, "batch of 2 texts", "one text"),
        ([WEIGHTS[0], WEIGHTS[1][:2]], {}, "differ in shape", "as many heads"),
        (broken(np.nan), {}, "layer 2, head 3 has NaN", "masked"),
        (broken(np.inf), {}, "layer 2, head 3 has NaN or infinite", "masked"),
        (broken(-0.5), {}, "weights from -0.5", "softmax"),
        (broken(7), {}, "to 7", "softmax"),
        ([["a"]], {}, "no array of numbers", "numbers"),
        (np.full((1, 1, 2, 2), 0.5 + 0j), {}, "holds complex numbers", "softmax"),
        (WEIGHTS, {"tokens": TOKENS[:4]}, "there are 4 tokens", "4 by 4"),
        (WEIGHTS, {"tokens": "abcde"}, "not a list of strings", "one string for each row"),
        (WEIGHTS, {"tokens": (1, 2, 3, 4, 5)}, "not a list of strings", "one string for each row"),
        (WEIGHTS, {"tokens": ()}, "no tokens", "one string for each row"),
        (WEIGHTS, {"sentence_b_start": 5}, "sentence_b_start is 5", "index"),
        (WEIGHTS, {"sentence_b_start": True}, "sentence_b_start is True", "index"),
        (WEIGHTS, {"tokens": None}, "tokens are not a list of strings", "one string"),
        (WEIGHTS, {"special": [True]}, "special has 1 values for 5 tokens", "one for each token"),
        (WEIGHTS, {"word_ids": [0]}, "word_ids has 1 values for 5 tokens", "one for each token"),
        (WEIGHTS, {"query": WEIGHTS}, "only one of query and key", "both"),
        (WEIGHTS, {"query": WEIGHTS[:1], "key": WEIGHTS[:1]}, "query is 1 by 3", "layer, head and token"),
        (WEIGHTS, {"query": broken(np.nan), "key": WEIGHTS}, "query has NaN", "finite"),
    ],
)
def test_what_is_no_attention_is_refused(attention, options, what, mend):
    with pytest.raises(BadInput) as refused:
        maps(attention, **options)
    assert what in refused.value.what
    assert mend in refused.value.mend


def test_a_page_has_an_end():
    require_page_length(MOST_TOKENS)
    with pytest.raises(BadInput, match="too many for a page"):
        require_page_length(MOST_TOKENS + 1)
