"""The page of a `words` record."""

import json
import re

import pytest
from tests.studies.word_benchmarks.small_sets import FILES, NAMES, pairs, part, table
from tests.tasks.datasets.data_folder import write

from wordworth.records import read
from wordworth.reports import render
from wordworth.studies.word_benchmarks import words

HOSTILE = "<b>bold</b>"


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


def test_the_head_says_who_leads_by_how_much_and_over_which_sets(record, page):
    numbers = record.finding("verdict").numbers
    head = page.split('id="answer"')[1].split("</section>")[0]
    assert f"{numbers['gap']:.3f} (" in head.split("<h1")[1].split("</h1>")[0]
    assert "over 2 sets (SimLex-999 and Rubenstein-Goodenough 65)" in head
    assert "<dt>one.txt</dt>" in head
    assert str(record.tables["leads"].columns["model"][0]) not in page  # its short name is enough


def test_every_score_is_a_dot_with_its_interval_and_a_number_of_three_decimals(record, page):
    shown = [row for row in record.tables["scores"].rows() if row["policy"] == "common"]
    for name, kind in (("similarity", True), ("others", False)):
        figure = page.split(f'data-chart="{name}"')[1].split("</figure>")[0]
        mine = [row for row in shown if (row["kind"] == "similarity") == kind and row["score"] == row["score"]]
        dots = len(mine) + (2 if kind else 0)  # the mean of either table as well
        wide = figure.split("<svg")[1]
        assert wide.count("marker") == dots + 2  # and the two of the key
        for row in mine:
            assert f"{row['score']:.3f}".replace("-", "−") in figure
    told = re.sub(r"<[^>]*>", " ", page.split("<main>")[1].split('id="how"')[0])
    assert not re.search(r"\d\.\d{4}", told)


def test_a_chart_is_titled_by_who_is_ahead_and_equals_are_nobodys(record, page):
    shown = [row for row in record.tables["scores"].rows() if row["policy"] == "common" and row["kind"] == "similarity"]
    pairs_of = [[row["score"] for row in shown if row["set"] == name] for name in ("rg65", "mc30", "simlex")]
    ahead = sum(one > two for one, two in pairs_of)
    title = page.split('id="similarity-title">')[1].split("</h3>")[0]
    assert title == f"one.txt scores highest on {ahead} of 3 sets"
    assert "one.txt 1.000" in page  # the words of the first row for whoever points at it


def test_two_tables_that_are_equal_are_not_told_as_first_and_second(tmp_path):
    data = write(tmp_path / "wordsets", FILES)
    same = [table(tmp_path / name) for name in ("one.txt", "two.txt")]
    page = render(words(same, data=data, sets=("similarity",), draws=100))
    assert "No table is ahead on any of 2 sets" in page
    assert "are level: +0.000" in page


def test_the_page_is_the_same_before_and_after_saving_and_escapes_names(record, page, tmp_path):
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == page
    text = (tmp_path / "record.json").read_text().replace("one.txt", HOSTILE)
    (tmp_path / "record.json").write_text(text)
    hostile = render(read(tmp_path / "record.json"))
    assert HOSTILE not in hostile
    assert "&lt;b&gt;bold" in hostile


def test_one_table_alone_and_one_with_no_score_have_pages(tmp_path):
    data = write(tmp_path / "wordsets", FILES)
    alone = render(words(table(tmp_path / "one.txt"), data=data, draws=100))
    assert (
        re.search(r"From [\d.−]+ on [\w -]+ to 1.000 on (Rubenstein|Miller)", alone) or "on Miller-Charles 30" in alone
    )
    assert re.search(r"<h1[^>]*>one.txt: 1.000 \(", alone)
    assert "Each table against" not in alone
    nothing = words(table(tmp_path / "two.txt", part("w1", "w2")), data=data, sets=("rg65", "mc30"), draws=100)
    assert json.loads(nothing.to_json())["findings"][0]["numbers"]["headline"] == "Nothing could be scored."
    assert "No set has a score" in render(nothing)
