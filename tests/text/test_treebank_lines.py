"""The form of a treebank's file is told by its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.text.treebank import ROOT, read_treebank


def written(tmp_path, text):
    path = tmp_path / "dev.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_form_of_attention_analysis_is_read(tmp_path):
    read = read_treebank(written(tmp_path, "\nThe 2-det\ndog 3-nsubj\nbarks 0-root\n\n\n# 2-dep\n1-2 0-root\n"))
    first, second = read.sentences
    assert first.words == ("The", "dog", "barks")
    assert first.heads.tolist() == [1, 2, ROOT]
    assert first.relations == ("det", "nsubj", "root")
    assert (first.line, second.line) == (2, 7)
    assert (first.document, second.document) == (0, 1)
    assert second.words == ("#", "1-2")  # no comments, no ranges in this form


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("The 2-det\ndog barks 0-root\n", "line 2"),
        ("The 2-det\ndog 0root\n", "line 2"),
        ("The 2-det\ndog 3-nsubj\n", "no word of its sentence of 2 words"),
        ("The 2-det\ndog 1-nsubj\n", "0 roots"),
        ("The 0-root\ndog 0-root\n", "2 roots"),
        ("a 0-root\nb 3-x\nc 2-x\n", "circle"),
        ("The dog barks.\n", "CoNLL-U"),
        ("The 2-det\ndog\t0-root\n", "columns between tabs"),
    ],
)
def test_a_line_in_no_form_is_refused_with_its_number(text, what, tmp_path):
    with pytest.raises(BadInput) as refused:
        read_treebank(written(tmp_path, text))
    assert what in str(refused.value)
    assert "dev.txt" in str(refused.value)


WORDS = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=5)


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_a_tree_is_the_same_in_both_forms(tmp_path_factory, words):
    heads = [0, *range(1, len(words))]
    labels = ["root", *["dep-x:y"] * (len(words) - 1)]
    rows = list(zip(words, heads, labels, strict=True))
    plain = "".join(f"{word} {head}-{label}\n" for word, head, label in rows)
    columns = "".join(
        f"{number}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n" for number, (word, head, label) in enumerate(rows, 1)
    )
    folder = tmp_path_factory.mktemp("forms")
    one, other = (read_treebank(written(folder, text)).sentences[0] for text in (plain, columns))
    assert one.words == other.words
    assert one.heads.tolist() == other.heads.tolist()
    assert one.relations == other.relations
