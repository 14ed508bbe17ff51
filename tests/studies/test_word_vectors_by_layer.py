"""Models as studies of layers see them."""

import json

import numpy as np
import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.contextuality.study import reader
from wordworth.studies.senses import senses
from wordworth.studies.word_vectors_by_layer import (
    EncoderLayers,
    StaticLayers,
    long_texts,
    require_unique_names,
    unknown_pieces,
)

SHORT, LONG = "a b c", "a b c d e f " * 8
"""The tiny models read 24 tokens at once."""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return EncoderLayers.of(load(write_tiny(tmp_path_factory.mktemp("tiny"))))


def test_texts_and_sentences_of_given_words_that_are_too_long_are_counted(encoder):
    assert encoder.lengths([SHORT, LONG, LONG]).windowed == 2
    assert encoder.lengths([SHORT.split(), LONG.split()]).windowed == 1
    assert encoder.lengths([SHORT]).windowed == 0
    (said,) = long_texts("tiny", encoder.lengths([SHORT, LONG]))
    assert "1 text of 2 did not fit into 24 tokens" in said.text
    assert list(long_texts("tiny", encoder.lengths([SHORT]))) == []


def test_texts_in_a_script_that_the_tokenizer_lacks_are_warned_of():
    (found,) = unknown_pieces(load("mini"), ["꧁ ꧂ ꦏ", "a cat sat"])
    assert "does not know" in found.text
    assert not list(unknown_pieces(load("mini"), ["a cat sat on the mat"]))


def test_states_say_which_texts_were_read_in_windows(encoder):
    assert encoder.encoder.states([SHORT, LONG]).lengths.windowed == 1
    assert encoder.encoder.word_states([SHORT.split(), LONG.split()]).lengths.windowed == 1
    assert encoder.encoder.piece_states([SHORT]).lengths.windowed == 0


def test_a_table_reads_texts_of_any_length(tmp_path):
    (tmp_path / "table.txt").write_text("a 1 2\nb 2 1\n")
    table = StaticLayers.of(load(tmp_path / "table.txt"))
    assert table.lengths([LONG]) is None
    assert list(long_texts("table", table.lengths([LONG]))) == []
    assert table.last_layer_note == ""


def test_the_last_layer_of_gpt2_is_named_and_berts_is_no_choice(encoder, tmp_path):
    gpt2 = load(write_tiny(tmp_path / "gpt2", "gpt2", modules=False))
    assert EncoderLayers.of(gpt2).last_layer_note == "after the final norm"
    assert encoder.last_layer_note == ""


def test_namesakes_are_refused():
    require_unique_names(("a", "b"), called="models", mend="")
    with pytest.raises(BadInput, match="two models are called 'a'; rename a folder"):
        require_unique_names(("a", "b", "a"), called="models", mend="rename a folder")


def test_a_study_of_senses_tells_of_sentences_that_it_read_in_windows(tmp_path):
    rows = [
        f"cab,{'taxi' if n % 2 else 'part'},{'a b' if n % 2 else 'the dab'} cab {'abcdef'[n % 6]}" for n in range(60)
    ]
    rows[0] += " a b c d e f" * 5
    (tmp_path / "words.csv").write_text("\n".join(["word,sense,sentence", *rows]))
    folder = write_tiny(tmp_path / "tiny")
    record = senses(models=(str(folder),), data=(str(tmp_path / "words.csv"),), draws=100, words=0)
    assert record.finding("warning.long_texts.tiny").numbers == {"windowed": 1, "texts": 60, "limit": 24}
    assert "warning.long_texts" in json.dumps([finding.name for finding in record.warnings])


TEXTS = ["The abs, a!", "b as the"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(write_tiny(tmp_path_factory.mktemp("tiny")))


def test_words_are_the_mean_of_their_pieces_and_special_tokens_are_left_out(folder):
    words = reader(folder, ContextSettings())
    assert words.forms(TEXTS) == [["the", "abs", ",", "a", "!"], ["b", "as", "the"]]
    pieces = reader(folder, ContextSettings(units="pieces"))
    assert pieces.forms(TEXTS) == [["the", "a", "##b", "##s", ",", "a", "!"], ["b", "a", "##s", "the"]]
    by_word, by_piece = words.vectors(TEXTS), pieces.vectors(TEXTS)
    assert by_word.shape == (3, 8, 32)
    assert by_piece.shape == (3, 11, 32)
    assert by_word[:, 1] == pytest.approx(by_piece[:, 1:4].mean(axis=1), abs=1e-5)
    assert by_word[:, 7] == pytest.approx(by_piece[:, 10], abs=1e-5)


@pytest.mark.parametrize(("pooling", "piece"), [("first", 1), ("last", 3)])
def test_a_word_may_be_its_first_or_last_piece(folder, pooling, piece):
    word = reader(folder, ContextSettings(pooling=pooling)).vectors(TEXTS[:1])
    pieces = reader(folder, ContextSettings(units="pieces")).vectors(TEXTS[:1])
    assert word[:, 1] == pytest.approx(pieces[:, piece], abs=1e-5)


@pytest.mark.parametrize("units", ["words", "pieces"])
def test_every_unit_is_found_in_its_text(folder, units):
    read = reader(folder, ContextSettings(units=units))
    for text, forms, spans in zip(TEXTS, read.forms(TEXTS), read.spans(TEXTS), strict=True):
        assert [text[start:end].lower() for start, end in spans] == [form.removeprefix("##") for form in forms]


def test_what_counts_as_a_word_is_said(folder):
    assert "mean of its pieces" in reader(folder, ContextSettings()).unit
    assert "pieces of the tokenizer" in reader(folder, ContextSettings(units="pieces")).unit


def test_piece_states_tie_pieces_to_their_characters(folder):
    states = load(folder).piece_states(["The abs"], layers=[0, -1])
    assert states.words == ("the", "a", "##b", "##s")
    assert states.spans.tolist() == [[0, 3], [4, 5], [5, 6], [6, 7]]
    assert states.layers == (0, 2)


def test_a_table_has_one_layer_and_one_vector_a_word(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text("the 1 2 3\nb 0 1 0\nas 0 0 0\n")
    table = reader(str(path), ContextSettings())
    assert table.layers == 1
    assert table.spans(["the as b"]) == [[(0, 3), (4, 6), (7, 8)]]
    assert table.forms(["the as b nothing"]) == [["the", None, "b", None]]
    vectors = table.vectors(["the as b nothing", "b"])
    assert vectors.shape == (1, 5, 3)
    assert (vectors[0, 2] == vectors[0, 4]).all()
    assert np.array_equal(vectors[0, 0], [1, 2, 3])


@pytest.mark.parametrize("settings", [{}, {"units": "pieces"}])
def test_an_encoder_may_compute_in_fewer_bits(folder, settings):
    exact, fast = (reader(folder, ContextSettings(dtype=dtype, **settings)) for dtype in ("float32", "bfloat16"))
    one, other = exact.vectors(TEXTS), fast.vectors(TEXTS)
    assert other == pytest.approx(one, abs=0.1)
    assert not np.array_equal(one, other)
