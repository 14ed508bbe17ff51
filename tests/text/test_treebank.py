"""Treebanks are read with their trees; what is no tree is refused with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.treebank import ROOT, read_treebank


def line(number, word, head, relation="dep"):
    return "\t".join([str(number), word, "_", "_", "_", "_", str(head), relation, "_", "_"])


def treebank(tmp_path, *lines, name="t.conllu"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_sentences_have_words_heads_and_relations(tmp_path):
    path = treebank(
        tmp_path,
        "# sent_id = 1",
        line("1-2", "don't", "_"),
        line(1, "do", 2, "aux"),
        line(2, "not", 0, "root"),
        line("2.1", "empty", "_"),
        "",
        "",
        line(1, "Cats", 2, "nsubj:pass"),
        line(2, "sat", 0, "root"),
    )
    read = read_treebank(path)
    first, second = read.sentences
    assert first.words == ("do", "not")
    assert first.heads.tolist() == [1, ROOT]
    assert second.relations == ("nsubj:pass", "root")
    assert second.universal_relations == ("nsubj", "root")
    assert (first.document, second.document) == (0, 1)
    assert second.line == 8
    assert (first.name, second.name) == ("1", "")
    assert len(read.sha256) == 64


def test_documents_are_those_that_the_file_marks(tmp_path):
    one = line(1, "Yes", 0, "root")
    path = treebank(tmp_path, "# newdoc id = a", one, "", one, "", "# newdoc", one)
    assert [sentence.document for sentence in read_treebank(path).sentences] == [1, 1, 2]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["1 Cats 0"], "line 1.*columns"),
        ([line(1, "a", 0), line(3, "b", 1)], "line 2.*numbered '3'"),
        ([line(1, "a", 0), line(2, "b", 3)], "line 2.*the head '3'"),
        ([line(1, "a", 0), line(2, "b", "x")], "the head 'x'"),
        ([line(1, "a", 0), line(2, "b", "9" * 400)], "the head"),
        ([line(1, "a", 2), line(2, "b", 1)], "0 roots"),
        ([line(1, "a", 0), line(2, "b", 0)], "2 roots"),
        ([line(1, "a", 0), line(2, "b", 3), line(3, "c", 2)], "circle"),
        ([line(1, "a", 0), line(2, "b", 2)], "circle"),
        (["# only a comment"], "no sentences"),
    ],
)
def test_what_is_no_tree_is_refused(lines, what, tmp_path):
    with pytest.raises(BadInput) as refused:
        read_treebank(treebank(tmp_path, *lines))
    pattern = what.split(".*")
    assert all(part in str(refused.value) for part in pattern)
    assert len(str(refused.value)) < 400


@given(st.lists(st.integers(0, 100), min_size=1, max_size=40))
def test_every_chain_of_heads_that_goes_back_is_a_tree(tmp_path_factory, heads):
    lines = [line(1, "w", 0), *(line(n + 2, "w", 1 + head % (n + 1)) for n, head in enumerate(heads))]
    path = treebank(tmp_path_factory.mktemp("tree"), *lines)
    assert len(read_treebank(path).sentences[0]) == len(heads) + 1
