"""Arc lengths of English texts by the parser that comes with Wordworth."""

import json
import shutil

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.inference.dependency_arc_lengths import MOST_WORDS, SHIPPED, arc_lengths, sentences
from wordworth.progress import FractionProgress


def test_long_distances_are_long_and_texts_without_arcs_have_none():
    near, far = "the small cat sat .", "the cat that the dog of the neighbours had bitten in the garden last year sat ."
    short, long, single, empty = arc_lengths([near.split(" "), far.split(" "), ["yes"], []])
    assert 1 <= short < long
    assert single == 0
    assert np.isnan(empty)


def test_a_text_of_sentences_has_the_mean_over_all_their_arcs():
    first = ["the", "cat", "sat", "."]
    second = ["a", "dog", "with", "a", "bone", "ran", "away", "from", "the", "cat", "."]
    one, other, both = arc_lengths([first, second, first + second])
    assert both == pytest.approx((3 * one + 10 * other) / 13)


def test_every_sentence_that_is_parsed_is_reported():
    fractions = list[float]()
    arc_lengths([["it", "sat", ".", "It", "ran"], ["yes"]] * 100, progress=FractionProgress(fractions.append, 300))
    assert len(fractions) == 3  # batches of 128 sentences, of 300
    assert sum(fractions) == pytest.approx(1)


def test_only_the_beginning_of_a_long_text_is_parsed():
    text = ("the cat saw a dog . " * 40).split()
    whole, cut = arc_lengths([text, text[:MOST_WORDS]])
    assert whole == cut


def test_sentences_end_after_their_marks_and_are_never_too_long():
    text = ["Really", "?!", "I", "did", ".", "It", "is"]
    text = [mark for word in text for mark in (word if word == "?!" else [word])]
    assert sentences(text) == [["Really", "?", "!"], ["I", "did", "."], ["It", "is"]]
    assert [len(each) for each in sentences(["word"] * 130)] == [60, 60, 10]
    assert sentences([]) == []


def test_a_parser_is_not_put_on_another_encoder(tmp_path):
    folder = tmp_path / "parser"
    shutil.copytree(SHIPPED, folder)
    facts = json.loads((folder / "parser.json").read_text())
    (folder / "parser.json").write_text(json.dumps(facts | {"fingerprint": "another"}))
    with pytest.raises(BadInput, match="another encoder"):
        arc_lengths([["a", "cat"]], folder)
