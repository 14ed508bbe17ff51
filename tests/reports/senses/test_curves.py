import pytest
from senses_record import example

from wordworth.reports import render


@pytest.fixture(scope="module")
def record():
    return example()


@pytest.fixture(scope="module")
def page(record):
    return render(record)


def test_every_set_has_its_curve_beside_what_needs_no_vectors(page):
    for name in ("senses-made-up", "pairs-wic", "apart-made-up"):
        figure = page.split(f'data-chart="{name}"')[1].split("</figure>")[0]
        assert figure.count("<svg") == 2, name
        assert 'class="band' in figure, name
        assert "null-of" in figure, name


def test_published_figures_of_the_same_pairs_are_drawn_and_all_stand_in_a_table(page):
    assert "BERT-large" in page.split('data-chart="pairs-wic"')[1].split("</figure>")[0]
    assert "DeConf" in page.split("<summary>Published figures")[1].split("</details>")[0]
