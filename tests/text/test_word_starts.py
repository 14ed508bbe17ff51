"""Where words begin: the same for each kind of tokenizer, and as a plain splitter says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.text.families import byte_pairs, unigrams
from tests.text.subwords.conftest import IDEOGRAPHS, SYLLABLES, folders, scripts, trained  # noqa: F401 - fixtures

from wordworth.text.subwords.pre_tokenization import splitting
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.word_starts import WordStarts

CHARACTERS = "".join(SYLLABLES) + IDEOGRAPHS + "漢ß12,.!'-(☃😀한국 "
EXACTLY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def words(tokenizer, text):
    """The words of a text as runs of its pieces, joined and without marks."""
    (ids,) = tokenizer.ids([text], special=False)
    starts = WordStarts.of(tokenizer).find(ids)
    groups = np.split(ids, np.flatnonzero(starts)[1:]) if len(ids) else []
    return ["".join(tokenizer.tokens(group)) for group in groups]


def split(text, algorithm):
    """The words as the tokenizer's own splitter has them."""
    steps = splitting(algorithm, lowercase=False)
    text = steps.normalizer.normalize_str(text) if steps.normalizer else text
    return [word for word, _ in steps.splitter.pre_tokenize_str(text)]


@pytest.mark.parametrize("algorithm", ["byte-level", "unigram"])
@EXACTLY
@given(text=st.lists(st.text(CHARACTERS.replace(" ", ""), min_size=1, max_size=8), max_size=6).map(" ".join))
def test_words_begin_where_the_splitter_begins_them(trained, algorithm, text):  # noqa: F811 - a fixture
    tokenizer = trained[algorithm].tokenizer
    expected = split(text, algorithm)
    if algorithm == "unigram":  # what is unknown has no spelling
        (ids,) = tokenizer.ids([text], special=False)
        assume(tokenizer.special_ids["unk"] not in ids)
        assert int(WordStarts.of(tokenizer).find(ids).sum()) == len(expected)
    else:
        assert words(tokenizer, text) == expected


def test_four_words_with_one_space_between_them(trained):  # noqa: F811 - a fixture
    for algorithm, mark in (("byte-level", "Ġ"), ("unigram", "▁")):
        split = words(trained[algorithm].tokenizer, "bako, 天地")
        assert len(split) == 4
        assert split[1] == ","
        assert split[2].startswith(mark)
    assert words(trained["wordpiece"].tokenizer.literal(), "bako, 天地")[1:] == [",", "天", "地"]


def test_published_families_split_punctuation_from_words_too(tmp_path):
    for folder, make in (("r", lambda at: byte_pairs(at, ["<s>", "<pad>", "</s>", "<unk>"])), ("x", unigrams)):
        (tmp_path / folder).mkdir()
        tokenizer = Tokenizer.read(make(tmp_path / folder))
        assert [word.lstrip("Ġ▁") for word in words(tokenizer, "the mat, the cat")] == ["the", "mat", ",", "the", "cat"]


def test_a_word_does_not_begin_inside_a_character(trained):  # noqa: F811 - a fixture
    tokenizer = trained["byte-level"].tokenizer
    (ids,) = tokenizer.ids(["漢"], special=False)
    assert len(ids) == 3  # a character of its own bytes
    assert WordStarts.of(tokenizer).find(ids).tolist() == [True, False, False]


def test_no_ids_have_no_starts():
    assert WordStarts.of_continuations(np.array([False])).find(np.zeros(0, np.int64)).tolist() == []
