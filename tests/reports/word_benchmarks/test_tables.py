import re

import pytest
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, pairs, part, table
from tests.tasks.datasets.data_folder import write

from wordworth.reports import render
from wordworth.studies.word_benchmarks import words


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    data = write(
        folder / "wordsets", FILES | {"sim/EN-SIMLEX-999.txt": pairs(count=11), "sim/EN-YP-130.txt": pairs(count=9)}
    )
    return words([table(folder / "one.txt"), table(folder / "two.txt", part(*NAMES, noise=1.0))], data=data, draws=100)


@pytest.fixture(scope="module")
def page(record):
    return render(record)


def test_what_was_not_scored_is_said_in_its_place(page):
    assert "9 of 9: not scored" in page
    assert "Yang-Powers 130, 9 of 9 pairs in common" in page
    assert "Left out, with fewer than 10 items" in page
    assert "too few items" in page.split("<summary>Show the numbers")[1].split("</details>")[0]


def test_numbers_lead_to_what_was_counted(page):
    links = re.findall(r'<a href="#(set-[\w-]+)">', page)
    assert {"set-rg65", "set-google", "set-semeval2012"} <= set(links)
    for link in set(links):
        assert page.count(f'id="{link}"') == 1


def test_a_score_of_pairs_leads_to_pairs_that_the_table_and_people_see_otherwise(record, page):
    links = re.findall(r'<a href="#(pairs-[\w-]+)">', page)
    assert {"pairs-rg65-1", "pairs-simlex-1"} <= set(links)
    for link in links:
        assert page.count(f'id="{link}"') == 1
    row = record.tables["misjudged"].rows()[0]
    summary_table = page.split("<summary>Pairs on which")[1].split("</table>")[0]
    assert f"{row['first']}, {row['second']}" in summary_table


def test_policies_that_say_the_same_stand_once(page):
    grid = page.split("<summary>Means under each policy")[1].split("</table>")[0]
    assert grid.count("<tr") - 1 == 4  # rg65 has a pair that neither table knows: for `mean` the numbers are others
    assert "what every table knows; what the table knows itself" in grid or "itself; what every table knows" in grid
