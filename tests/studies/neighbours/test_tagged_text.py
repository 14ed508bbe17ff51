"""The texts of a corpus and of a query are read as words; what cannot be is one clear error."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.neighbours.tagged_text import read_query, read_texts

TREE = "1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


def test_the_word_in_brackets_is_the_query():
    text, index = read_query("He sat by the [bank] of the river.")
    assert text.text == "He sat by the bank of the river."
    assert text.words[index] == "bank"


@pytest.mark.parametrize("sentence", ["no brackets", "[two] [words]", "an [ ] empty one", "[]", ""])
def test_not_one_word_in_brackets_is_refused(sentence):
    with pytest.raises(BadInput):
        read_query(sentence)


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
