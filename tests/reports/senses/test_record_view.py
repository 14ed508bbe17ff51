import re

import pytest
from changed import changed, with_table
from senses_record import example

from wordworth.records import Table
from wordworth.reports import render


@pytest.fixture(scope="module")
def record():
    return example()


@pytest.fixture(scope="module")
def page(record):
    return render(record)


def test_explanations_that_are_undefined_are_said_to_be_so(record):
    columns = {"model": "made-up model", "data": "made-up", "value": None, "low": None, "high": None, "words": 20}
    rows = [
        {**columns, "layer": layer, "explanation": name, "held": held}
        for name in ("senses", "contexts", "variety", "forms") for held in (False, True) for layer in (0, 1)
    ]  # fmt: skip
    made = Table.of(rows, record.tables["explanations"].describe)
    page = render(with_table(record, "explanations", made))
    assert page.count("Undefined: each follows wholly from the others") == 2


def test_a_difference_that_may_go_either_way_is_not_called_level(record):
    title = render(changed(record, "scores", gap_low=-0.05, gap_high=0.05))
    assert "not told apart from the most frequent sense" in title
    assert "level with the most frequent sense" not in title


def title(page, name):
    return page.split(f'id="{name}-title">')[1].split("</h3>")[0]


def test_every_model_is_told_in_titles_and_beside_the_large_figure(page):
    for name in ("senses-made-up", "pairs-wic", "apart-made-up"):
        assert "made-up model" in title(page, name), name
        assert "made-up table" in title(page, name), name
    assert "made-up model ahead of the most frequent sense" in title(page, "senses-made-up")
    tile = page.split('class="tiles"')[1].split("</div>")[0]
    assert re.search(
        r'made-up model: % right</dt>.*"under">[\d.–]+; layer 1; made-up table [\d.]+; most frequent', tile
    )
    assert len(re.findall("<li>", page.split('<ul class="sentences">')[1].split("</ul>")[0])) == 2  # a line a set


@pytest.mark.parametrize(
    ("teachers", "said"),
    [
        ("part", "the train part shows two senses or more"),
        ("documents", "other documents show two senses or more"),
        ("sentences", "other sentences show two senses or more"),
    ],
)
def test_who_showed_the_senses_is_true_of_the_set(record, teachers, said):
    note = render(changed(record, "sets", teachers=teachers)).split('data-chart="senses-made-up"')[1]
    assert said in note.split("</figure>")[0]
    assert "best on the other half of the tested texts: made-up model layer 1" in note


def test_published_lines_are_explained_only_where_there_are_any(record, page):
    assert "Dashed grey: published." in page
    assert "Grey: published, the same pairs." in page
    none = Table.of([], record.tables["published"].describe)
    without = render(with_table(record, "published", none))
    assert "grey: published" not in without.lower()
