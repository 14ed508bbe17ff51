"""The page of a `similarity` record: a map for each pair that is shown, and tables over pairs."""

import pytest

import wordworth as ww
from wordworth.reports import render

PAIRS = [{"text_a": f"the {n} cat <b>sat", "text_b": f"a cat {n} was on the mat"} for n in range(12)]


@pytest.fixture(scope="module")
def pairs():
    return ww.study_similarity(data=PAIRS, draws=200, examples=2)


def test_two_texts_are_one_map_with_a_square_for_each_cell():
    record = ww.study_similarity(["The film was great.", "A wonderful movie."])
    page = render(record)
    cells = len(record.tables["cells"].rows())
    assert page.count('class="share"') == 2 * cells  # on a wide page and on a phone
    assert "drop without it" in page
    assert "What the cosines are made of" not in page


def test_a_table_of_pairs_shows_some_of_them_and_what_all_are_made_of(pairs):
    page = render(pairs)
    assert "What the cosines are made of" in page
    assert "Pair 2: cosine" in page
    assert "Pair 3: cosine" not in page
    assert "Words with the largest shares" in page


def test_texts_are_escaped(pairs):
    assert "<b>sat" not in render(pairs)


def test_long_texts_have_a_table_in_place_of_a_map():
    page = render(ww.study_similarity(["the cat sat on the mat " * 8, "the dog"]))
    assert "too long to draw" in page
    assert 'class="share"' not in page
