"""Sentences with a pronoun are read from a table; rows in which it cannot be found are counted, wrong ones refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.syntactic_relations.pronoun_sentences import read_pronouns

HEAD = "sentence\tpronoun\tcandidates\tanswer\n"


def table(tmp_path, *rows, head=HEAD):
    path = tmp_path / "p.tsv"
    path.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_the_last_word_of_each_candidate_and_the_pronoun_are_found(tmp_path):
    path = table(
        tmp_path,
        "The big bee landed on the flower, because it wanted pollen.\tit\tThe big bee|the flower\tThe big bee",
        "the Flower drew The big bee since it smelled.\tit\tthe flower|the big bee\tthe flower",
        "Ann called Joan's sister.\tshe\tAnn|Joan\tAnn",
        "It fell since it was old and it broke.\tit\tIt fell|was old\twas old",
    )
    read = read_pronouns(path)
    first, second = read.sentences
    assert [first.words[place] for place in (first.pronoun, *first.candidates)] == ["it", "bee", "flower"]
    assert (first.answer, second.answer) == (0, 0)
    assert second.words[second.candidates[1]] == "bee"
    assert first.group == second.group  # the same two candidates
    assert (read.rows, read.name, len(read.sha256)) == (4, "p.tsv", 64)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (["A b c.\ta\tb\tb"], "fewer than two different candidates"),
        (["A b c.\ta\tb|b\tb"], "fewer than two different candidates"),
        (["A b c.\ta\tb|c\td"], "the answer is none of the candidates"),
        (["A b c.\tx\tb|c\tb"], "no row has its pronoun"),
        (["A b c.\t\tb|c\tb"], "no row has its pronoun"),
    ],
)
def test_rows_that_say_nothing_are_refused(rows, what, tmp_path):
    with pytest.raises(BadInput, match=what):
        read_pronouns(table(tmp_path, *rows))


def test_a_missing_column_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no column 'answer'"):
        read_pronouns(table(tmp_path, "A b c.\ta\tb|c", head="sentence\tpronoun\tcandidates\n"))
