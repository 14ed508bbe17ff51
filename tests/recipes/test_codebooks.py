"""The recipe that counts what words tell of codes: by hand, where words tell all, and where they tell nothing."""

import math

import numpy as np
import pytest
from tests.studies.crossmodal.made_up import write_inputs

import codebooks
from wordworth.errors import BadInput
from wordworth.text.captioned_sequences import read_captioned
from wordworth.training.codebook.feature_rows import FeatureRows


@pytest.fixture
def inputs(tmp_path):
    """Two rows of features a word, near the middle of the word; six speakers."""
    features, captions = write_inputs(tmp_path, count=120, sounds=False)
    rows = FeatureRows.open(features)
    return rows, read_captioned(captions, len(rows))


def test_a_clip_has_the_part_of_the_word_that_is_said_then(tmp_path):
    rows = "start,end,text,group\n0,6,red blue,a\n6,8,blue,b\n,,green,c\n8,9,,c\n"
    (tmp_path / "captions.csv").write_text(rows)
    clips = codebooks.Clips.of(read_captioned(tmp_path / "captions.csv", 9))
    assert clips.row.tolist() == list(range(8))
    assert clips.position.tolist() == [0, 1, 2, 3, 4, 5, 0, 1]
    assert clips.part.tolist() == [1, 3, 5, 7, 9, 11, 7, 10]  # six parts of red, then six of blue
    assert clips.of_sequences(np.array([1])).row.tolist() == [6, 7]


def test_probabilities_are_those_of_the_position_and_of_the_part_of_the_word():
    clips = codebooks.Clips(*(np.array(own) for own in ([0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 0, 1], [0, 5, 6, 11])))
    by_position, by_word = codebooks.probabilities(clips, clips, np.array([0, 1, 2, 1]), 3)
    everywhere = np.array([2, 3, 2]) / 7
    first = (np.array([1, 0, 1]) + codebooks.SMOOTHING * everywhere) / (2 + codebooks.SMOOTHING)
    assert by_position[0] == pytest.approx(first)
    assert by_word[0] == pytest.approx((np.array([1, 0, 0]) + codebooks.SMOOTHING * first) / (1 + codebooks.SMOOTHING))
    assert by_word.sum(1) == pytest.approx(np.ones(4))


def test_scores_are_bits_and_ranks():
    scores = codebooks.scored(np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]), np.array([0, 1]))
    assert scores.tolist() == [[math.log2(0.5), 1, 1], [math.log2(0.25), 0, 1]]


def test_words_tell_codes_that_are_theirs_and_nothing_where_they_are_dealt_out_anew(inputs):
    features, sequences = inputs
    made = codebooks.compared(features, sequences, ["4x1", "2x1"], 3)
    gains = {row["codebook"]: row["tests"][0] for row in made["codebooks"]}
    assert gains["4x1"]["difference"] > gains["2x1"]["difference"] > 0
    assert {fold["codebook"] for fold in made["chosen"]} == {"4x1"}
    (top,) = [row for row in made["tests"] if row["measure"] == "top 1"]
    assert top["by_word"] > 0.9
    assert top["difference_low"] > 0
    dealt = sequences.texts[1:] + sequences.texts[:1]
    other = type(sequences)(sequences.table, sequences.bounds, dealt, sequences.groups, None, sequences.audio)
    (row,) = codebooks.compared(features, other, ["4x1"], 3)["codebooks"]
    assert row["tests"][1]["difference"] < 0.2
    assert row["tests"][1]["difference"] < top["difference"] / 2


def test_the_choice_in_a_fold_is_by_its_validation_groups(inputs):
    made = codebooks.compared(*inputs, ["2x1", "4x1"], 3)
    for number, fold in enumerate(made["chosen"]):
        bits = {row["codebook"]: row["validation_bits"][number] for row in made["codebooks"]}
        assert fold["codebook"] == max(bits, key=bits.get)
        assert not set(fold["valid"]) & set(fold["test"])


@pytest.mark.parametrize("codebook", ["4", "4x", "axb", "99x9"])
def test_what_is_no_codebook_is_refused(codebook):
    with pytest.raises(BadInput, match=r"is no codebook|codes"):
        codebooks.settings_of(codebook)
