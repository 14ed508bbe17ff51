import numpy as np
import pytest
from tests.models.tiny import write_tiny

from wordworth.models.load import load
from wordworth.studies.context.settings import ContextSettings
from wordworth.studies.context.study import reader

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
