"""`mini`, the language model that comes with Wordworth."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.language_model import language_model
from wordworth.serving.doctor import doctor
from wordworth.sources import resolve

SENTENCES = (
    "the children went to school in the morning and came home late .",
    "she wrote a letter to her brother about the new house .",
    "the army crossed the river before the end of the war .",
    "most of the people in the city did not know his name .",
    "he was the first president of the university .",
    "the company said that it would not sell the land .",
)


@pytest.fixture(scope="module")
def mini():
    return language_model("mini")


def test_it_is_here_without_a_network_and_small_enough_for_a_repository():
    found = resolve("mini")
    assert found.location == "package"
    assert sum(path.stat().st_size for path in found.folder.iterdir()) < 40_000_000


def test_the_doctor_finds_nothing_wrong_with_it():
    assert [check for check in doctor("mini") if not check.passed] == []


def test_it_fills_a_gap_with_a_word_of_the_right_kind(mini):
    (guesses,) = ww.fill(mini, "she put the book on the [MASK].", top=50).gaps
    assert {"table", "floor", "ground", "bed", "wall", "shelf"} & {guess.piece for guess in guesses}
    (guesses,) = ww.fill(mini, "they [MASK] been here for years.", top=3).gaps
    assert {"have", "had"} & {guess.piece for guess in guesses}


def test_a_sentence_is_likelier_than_its_own_words_in_another_order(mini):
    rng = np.random.default_rng(0)
    mixed = [" ".join([*rng.permutation(text.split()[:-1]), "."]) for text in SENTENCES]
    whole, torn = (log_likelihoods(mini, list(texts)) for texts in (SENTENCES, mixed))
    gaps = (whole.logs - torn.logs) / whole.pieces
    assert (gaps > 0).all()
    assert gaps.mean() > 1


def test_it_prefers_what_is_grammatical_where_that_is_easy(mini):
    pairs = [
        ("he has seen the house .", "he has saw the house ."),
        ("she saw a dog and two cats .", "she saw a dogs and two cat ."),
        ("they were in the city .", "they was in the city ."),
    ]
    good, bad = (log_likelihoods(mini, list(texts)).logs for texts in zip(*pairs, strict=True))
    assert (good > bad).all()


def test_it_gives_vectors_like_any_encoder():
    vectors = ww.load("mini").encode(["a text", "another", ""])
    assert vectors.shape == (3, ww.load("mini").width)
    assert np.isfinite(vectors).all()
