"""Vectors of words in their sentences: those of the model, of the layer or head that was asked for."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.models.taps import Taps
from wordworth.studies.neighbours.corpus import plain_text, read_query, read_texts, word_vectors

TREE = "1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return load(write_tiny(tmp_path_factory.mktemp("tiny")))


def test_the_word_in_brackets_is_the_query():
    text, index = read_query("He sat by the [bank] of the river.")
    assert text.text == "He sat by the bank of the river."
    assert text.words[index] == "bank"


@pytest.mark.parametrize("sentence", ["no brackets", "[two] [words]", "an [ ] empty one", "[]", ""])
def test_not_one_word_in_brackets_is_refused(sentence):
    with pytest.raises(BadInput):
        read_query(sentence)


def test_states_of_a_layer_are_those_of_the_encoder(encoder):
    texts = [plain_text("the as."), plain_text("a cat, the dog")]
    read = word_vectors(encoder, texts, -1, None)
    states = encoder.states([text.text for text in texts], layers=[0, -1])
    assert np.abs(read.vectors - states.layer(2)).max() < 1e-4
    assert np.abs(read.inputs - states.layer(0)).max() < 1e-4
    assert read.text.tolist() == states.sentences.tolist()
    assert read.position.tolist()[:3] == [0, 1, 2]


def test_the_output_of_a_head_is_that_of_the_tap(encoder):
    read = word_vectors(encoder, [plain_text("a b")], 2, 3)
    [text] = encoder.activations(["a b"], Taps(read=("layers.1.attention.heads",)))
    assert read.vectors == pytest.approx(text.values["layers.1.attention.heads"][1:3, 2], abs=1e-5)


def test_texts_that_are_too_long_are_left_out(encoder):
    read = word_vectors(encoder, [plain_text("a " * 40), plain_text("a b")], -1, None)
    assert [text.text for text in read.texts] == ["a b"]
    with pytest.raises(BadInput, match="more than 24 tokens"):
        word_vectors(encoder, [plain_text("a " * 40)], -1, None)


@pytest.mark.parametrize(("layer", "head"), [(0, 1), (1, 5), (9, None)])
def test_a_layer_or_head_that_is_not_there_is_refused(encoder, layer, head):
    with pytest.raises(BadInput):
        word_vectors(encoder, [plain_text("a")], layer, head)


def test_a_treebank_gives_relations_and_syntactic_heads(tmp_path):
    (tmp_path / "a.conllu").write_text(TREE * 3, encoding="utf-8")
    text = read_texts(tmp_path / "a.conllu", "text", 2, 0)[0]
    assert (text.words, text.relations, text.governors) == (("The", "cat"), ("det", "root"), ("cat", "(root)"))
    assert text.tags == ("DET", "NOUN")


def test_texts_are_drawn_in_order_and_by_the_seed(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"text {number}\n" for number in range(50)), encoding="utf-8")
    one, two, other = (read_texts(tmp_path / "a.txt", "text", 10, seed) for seed in (0, 0, 1))
    assert one == two != other
    numbers = [int(text.words[1]) for text in one]
    assert numbers == sorted(numbers)
    assert len(numbers) == 10


def test_a_file_without_texts_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("only one\n", encoding="utf-8")
    with pytest.raises(BadInput, match="fewer than two texts"):
        read_texts(tmp_path / "a.txt", "text", 10, 0)
