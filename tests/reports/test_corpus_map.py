"""The page of a map: what it shows, escaped and within its size."""

import html
import json
import re
from dataclasses import replace

import pytest
from tests.studies.corpus_map.topics import HOSTILE, index_of, rows

import wordworth as ww
from wordworth.records import Record, Table
from wordworth.reports import render
from wordworth.reports.corpus_map import cell_text, fitting


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Record:
    folder = tmp_path_factory.mktemp("map")
    texts = rows(60)
    for row in texts[:8]:
        row["text"] = f"{row['topic']}0 {HOSTILE}"
    texts[1]["topic"] = HOSTILE
    return ww.map_index(index_of(folder, texts), clusters=4, colour="topic")


LONG = "東京" * 100
"""A text of which a character takes six bytes of JSON."""


def pointers(page: str) -> dict:
    return json.loads(re.search(r'id="pointers">(.*?)</script>', page, re.DOTALL)[1])


def test_it_shows_clusters_words_texts_and_values(record):
    page = html.unescape(render(record)).replace("\u00a0", " ")
    for row in record.tables["clusters"].rows():
        assert ", ".join(row["words"][:6]) in page
    for row in record.tables["texts"].rows():
        assert row["text"] in page
    assert "distances between far places, sizes and gaps mean nothing" in page
    assert "Values of “topic” in each cluster" in page
    assert "Only the given number was tried" in page


def test_strings_of_the_data_are_escaped_everywhere(record):
    page = render(record)
    assert "<script>alert" not in page
    assert "<b>river0" not in page
    assert any("<script>alert(1)" in words[1][0][1] for words in pointers(page)["map"]["words"])


def test_hovering_shows_the_cluster_and_the_text_of_every_point(record):
    found = pointers(render(record))
    assert len(found["map"]["words"]) == len(found["column"]["words"]) == 60
    first = record.tables["points"].rows()[0]
    title, [[_, text]] = found["map"]["words"][0]
    assert title.startswith(f"{first['cluster']} · ")
    assert text == first["text"]
    assert found["column"]["words"][0][0].endswith(f"cluster {first['cluster']}")


def test_every_cluster_has_a_number_on_the_map_and_a_marker_of_its_own(record):
    page = render(record)
    chart = re.search(r'data-chart="map">(.*?)</figure>', page, re.DOTALL)[1]
    for drawing in re.findall(r"<svg.*?</svg>", chart, re.DOTALL):
        assert {int(number) for number in re.findall(r">(\d)[ <]", drawing)} == {1, 2, 3, 4}
        assert len(set(re.findall(r'class="dots (series-\d)"', drawing))) == 4


def test_the_curve_of_agreement_is_drawn_where_several_numbers_were_tried(record):
    row = record.tables["agreement"].rows()[0]
    several = Table.of([row, {**row, "clusters": 8, "mean": 0.1}], record.tables["agreement"].describe)
    findings = [each for each in record.findings if not each.name.startswith("caption.")]
    page = render(replace(record, tables={**record.tables, "agreement": several}, findings=findings))
    assert "Halves agree most beyond a single cloud about 4 clusters" in page
    assert "single cloud" in re.search(r'data-chart="agreement">(.*?)</figure>', page, re.DOTALL)[1]


def test_the_page_of_the_most_points_with_long_texts_of_any_language_is_below_two_megabytes(record):
    points = record.tables["points"].rows()
    long = [{**points[each % 60], "x": each * 0.37, "y": (each * 7.3) % 91, "text": LONG} for each in range(3_000)]
    many = Table.of(long, record.tables["points"].describe)
    assert len(render(replace(record, tables={**record.tables, "points": many}))) < 2_000_000


def test_a_text_is_cut_where_its_json_would_be_too_long():
    assert fitting("abc", 3) == "abc"
    assert fitting("<é\n", 7) == "<é…"


def test_an_empty_value_is_written_as_such():
    assert cell_text(" ") == "(empty)"
