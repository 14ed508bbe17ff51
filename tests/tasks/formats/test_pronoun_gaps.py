"""Gaps in the place of pronouns, and tables of them as multiple choice."""

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.formats.pronoun_gaps import gap_in, pronoun_gap, pronoun_part
from wordworth.text.read_compressed_file import RawFile

HEADER = "text\tpronoun\tcandidates\tanswer\n"


def table(*rows):
    return RawFile("p.tsv", ".tsv", "0", (HEADER + "".join(f"{row}\n" for row in rows)).encode())


def test_candidates_are_written_as_the_place_has_them():
    gap = gap_in("The bee sat, since it was hot.", "it", ("The bee", "the sun"), "")
    assert (gap.before, gap.after, gap.candidates) == ("The bee sat, since ", " was hot.", ("the bee", "the sun"))
    assert pronoun_gap("", "It", " fell.", ("the cup", "Ann")).candidates == ("The cup", "Ann")


def test_a_table_becomes_choices_between_what_comes_before_and_after():
    part = pronoun_part(table("Ann saw Joan as she left.\tshe\tAnn|Joan\tJoan", "She saw Al.\tShe\tAnn|Eve\tAnn"))
    assert part.examples.first == ("Ann saw Joan as ", "")
    assert part.examples.second == (" left.", " saw Al.")
    assert part.examples.options == (("Ann", "Joan"), ("Ann", "Eve"))
    assert part.labels.tolist() == [1, 0]
    assert part.notes == ()


def test_rows_whose_pronoun_stands_twice_are_left_out_and_counted():
    twice = "he said he left.\the\tAnn|Joan\tJoan"
    part = pronoun_part(table("Ann saw Joan as she left.\tshe\tAnn|Joan\tJoan", twice))
    assert len(part) == part.origins[0].rows == 1
    assert part.notes[0].text.startswith("1 row left out whose pronoun stands more than once")
    with pytest.raises(BadInput, match=r"p.tsv: no row has its pronoun exactly once; write \[MASK\]"):
        pronoun_part(table(twice))


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("Ann left.\tshe\tAnn|Joan\tAnn", r"p.tsv, line 2: the pronoun 'she' is not in the text"),
        ("she left.\tshe\tAnn\tAnn", r"p.tsv, line 2: fewer than two different candidates"),
        ("she left.\tshe\tAnn|Joan\tEve", r"p.tsv, line 2: the answer is none of the candidates"),
    ],
)
def test_rows_that_are_none_are_refused_with_their_line(row, what):
    with pytest.raises(BadInput, match=what):
        pronoun_part(table(row))
