"""Rows of pronouns: their columns in either spelling, candidates in either form, and names of published files."""

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.formats.pronoun_rows import pronoun_path, pronoun_row

CELLS = {"sentence": "Ann saw Joan; she waved.", "pronoun": "she", "candidates": "Ann|Joan", "answer": "Joan"}


def test_candidates_are_a_list_or_have_a_bar_between_them_and_the_text_is_called_either_way():
    plain = pronoun_row(CELLS, "")
    assert (plain.candidates, plain.answer, plain.pronoun) == (("Ann", "Joan"), 1, "she")
    assert pronoun_row({**CELLS, "candidates": '["Ann", "Joan"]'}, "") == plain
    text = {("text" if name == "sentence" else name): cell for name, cell in CELLS.items()}
    assert pronoun_row(text, "") == plain


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"candidates": "Ann"}, "fewer than two different candidates"),
        ({"candidates": "Ann|Ann"}, "fewer than two different candidates"),
        ({"candidates": "Ann||Joan"}, "fewer than two different candidates"),
        ({"candidates": ""}, "fewer than two different candidates"),
        ({"answer": "Eve"}, "the answer is none of the candidates"),
    ],
)
def test_rows_without_a_choice_are_refused_with_their_line(changed, what):
    with pytest.raises(BadInput, match=f"t.tsv, line 3: {what}"):
        pronoun_row({**CELLS, **changed}, "t.tsv, line 3")


def test_a_missing_column_is_named():
    with pytest.raises(BadInput, match="no column 'answer'"):
        pronoun_row({name: cell for name, cell in CELLS.items() if name != "answer"}, "")


def test_a_name_is_found_in_the_data_folder_and_an_unknown_one_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    with pytest.raises(BadInput, match="no sentences with pronouns 'dpr'"):
        pronoun_path("dpr")
    folder = tmp_path / "senses" / "winograd"
    folder.mkdir(parents=True)
    (folder / "dpr.tsv").write_text("x")
    assert pronoun_path("dpr") == folder / "dpr.tsv"
    assert pronoun_path(tmp_path / "mine.csv") == tmp_path / "mine.csv"
