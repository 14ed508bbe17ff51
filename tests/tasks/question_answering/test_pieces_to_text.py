"""The original's way back from pieces to text, and where exact offsets differ from it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.datasets.data_folder import DATA, needs
from tests.tasks.question_answering.questions import one_question

from wordworth.measures.squad import normalised
from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.question_answering.decode_spans import DecodingSettings, decode
from wordworth.tasks.question_answering.pieces_to_text import ContextWords, plain_words
from wordworth.tasks.question_answering.windows import span_windows
from wordworth.text.wordpiece_reference import GOOGLE, basic_words


def aligned(pieces, words, *, lowercase):
    """The part of some words that the pieces stand for, the words cleaned together."""
    return ContextWords(words, lowercase=lowercase).original(pieces, 0, len(words))


@pytest.mark.parametrize(
    ("pieces", "words", "text"),
    [
        (["steve", "smith"], "Steve Smith's", "Steve Smith"),
        (["foot", "##ball"], "(football)", "football"),
        (["##ball"], "football,", "ball"),
        (["caf", "##e"], "Café", "Café"),  # one letter for one
        (["a", "[UNK]"], "a ℞ b", "a ℞ b"),  # cannot be matched: the whole words
        (["strasse"], "straße-bahn", "straße-bahn"),
        (["the", "end"], "The end the end", "The end"),
    ],
)
def test_letters_are_matched_one_by_one_or_the_words_come_back_whole(pieces, words, text):
    assert aligned(pieces, words, lowercase=True) == text


def test_cased_models_keep_their_case():
    assert aligned(["Smith"], "Steve Smith's", lowercase=False) == "Smith"
    assert aligned(["smith"], "Steve Smith's", lowercase=False) == "Steve Smith's"


def test_words_are_what_white_space_parts_the_narrow_no_break_space_too():
    context = "a\u202fb  c\u00a0d"
    assert [context[a:b] for a, b in plain_words(context)] == ["a", "b", "c\u00a0d"]
    words = ContextWords(context, lowercase=True)
    assert words.original(["[UNK]"], 2, 6) == "b c\u00a0d"  # the whole words that the characters touch


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_words_cleaned_one_by_one_are_the_words_cleaned_together(seed):
    rng = np.random.default_rng(seed)
    context = "".join(rng.choice(list("aAéßΣς.,'- \u00a0\u202f\u0301İ中x"), 30))
    words = [context[a:b] for a, b in plain_words(context)]
    assert [piece for word in words for piece in basic_words(word, GOOGLE)] == basic_words(" ".join(words), GOOGLE)


@pytest.mark.parametrize(
    ("context", "first", "last", "offsets", "original"),
    [
        ("the  cat", 0, 3, "the  cat", "the cat"),  # white space becomes one blank
        ("cat, the", 0, 2, "cat", "cat"),
        ("a ẞ b", 1, 1, "ẞ", "ẞ"),
    ],
)
def test_offsets_keep_the_exact_characters(letters, context, first, last, offsets, original):
    windows = span_windows(one_question("q", context), letters)
    starts, ends = (np.zeros((1, int(windows.lengths[0])), dtype=np.float32) for _ in range(2))
    starts[0, 3 + first] = ends[0, 3 + last] = 9
    said = [
        decode(windows, list(starts), list(ends), DecodingSettings(text=text)).answers()
        for text in ("offsets", "original")
    ]
    assert said == [[offsets], [original]]


@pytest.mark.slow
def test_on_squad_the_two_differ_in_an_answer_of_a_thousand_and_hardly_in_a_score(minilm):
    """Gold answers of the SQuAD 1.1 dev set: what differs is white space, [UNK], and letters of several marks."""
    needs("squad_v1")
    part = find_dataset_spec("squad1").parts(("dev",), DATA)["dev"]
    windows = span_windows(part.examples, minilm)
    starts, ends = ([np.zeros(length, dtype=np.float32) for length in windows.lengths] for _ in range(2))
    for window, (first, last) in enumerate(windows.gold(tuple(part.labels))):
        if first > 0:
            starts[window][first] = ends[window][last] = 9
    both = [DecodingSettings(best=1, text=text) for text in ("offsets", "original")]
    exact, original = (decode(windows, starts, ends, one).answers() for one in both)
    differ = [(a, b) for a, b in zip(exact, original, strict=True) if a != b]
    assert 0 < len(differ) <= 10
    assert sum(normalised(a) != normalised(b) for a, b in differ) <= 3
