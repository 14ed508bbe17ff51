"""Arrays of any library become a page by one call."""

import numpy as np
import pytest
from tests.measures.test_attention_maps import softmax_maps
from tests.reports.attention_data import payload

import wordworth as ww
from wordworth.errors import BadInput

TOKENS = ["[CLS]", "un", "##do", "it", "[SEP]"]


def test_a_page_that_saves_itself_and_shows_itself(tmp_path):
    page = ww.page_from_attention(softmax_maps(0), TOKENS, sentence_b_start=3, out=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert payload(page)[0]["second"] == 3
    assert "<iframe" in page._repr_html_()


def test_two_models_by_name_stand_side_by_side():
    page = ww.page_from_attention({"before": softmax_maps(0), "after": softmax_maps(1)}, TOKENS)
    assert [model["name"] for model in payload(page)] == ["before", "after"]
    assert "The two differ most in" in page


def test_queries_and_keys_give_the_third_view():
    vectors = np.ones((2, 3, 5, 4))
    assert payload(ww.page_from_attention(softmax_maps(0), TOKENS, query=vectors, key=vectors))[0]["hasVectors"]
    assert not payload(ww.page_from_attention(softmax_maps(0), TOKENS))[0]["hasVectors"]


def test_one_layer_head_and_token_is_a_page_too():
    assert payload(ww.page_from_attention([[[[1.0]]]], ["a"]))[0]["tokens"] == ["a"]


@pytest.mark.parametrize(
    ("attention", "options", "what"),
    [
        ({}, {}, "got 0 models"),
        (dict.fromkeys("abc", softmax_maps(0)), {}, "got 3 models"),
        (dict.fromkeys("ab", softmax_maps(0)), {"query": softmax_maps(0)}, "of one model"),
        (softmax_maps(0)[:, :, :4, :4], {}, "there are 5 tokens"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(tmp_path, attention, options, what):
    with pytest.raises(BadInput, match=what):
        ww.page_from_attention(attention, TOKENS, out=tmp_path / "page.html", **options)
    assert not (tmp_path / "page.html").exists()
