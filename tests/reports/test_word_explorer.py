"""The word explorer on the page of a `context` record."""

import re
from dataclasses import replace

import pytest
from changed import changed
from context_record import example, large

from wordworth.records import Table
from wordworth.reports import render

HOSTILE = "<script>document.title='caught'</script>"


@pytest.fixture(scope="module")
def record():
    return example()


@pytest.fixture(scope="module")
def tagged():
    return example(tagged=True)


def entries(page):
    return dict(re.findall(r'<article class="entry" id="(word-\d+)">(.*?)</article>', page, re.DOTALL))


def test_every_word_can_be_opened_by_its_link_without_a_script(record):
    page = render(record)
    links = re.findall(r'<a href="#(word-\d+)" data-word="(\w+)"', page)
    assert [word for _, word in links] == sorted(record.tables["explorer"].columns["word"])
    assert {identity for identity, _ in links} == set(entries(page))


def test_a_word_has_its_curve_with_a_band_beside_that_of_any_two_words_and_the_numbers(record):
    for entry in entries(render(record)).values():
        curve = entry.split('class="curve-of"')[1].split("</svg>")[0]
        assert curve.count('class="band') == 1
        assert "any two words" in curve
        assert entry.count("<td") == 3 * 3


def test_a_file_without_senses_has_one_look_and_one_key(record):
    page = render(record)
    assert "sense not tagged" not in page
    for entry in entries(page).values():
        picture, keys = (
            entry.split('class="map"')[1].split("</svg>")[0],
            entry.split('class="senses"')[1].split("</ul>")[0],
        )
        assert len(set(re.findall(r'class="(series-\d)"', picture))) == 1
        assert keys.count("<li>") == 1
        assert re.search(r"\d+ occurrences", keys)


def test_a_tagged_file_colours_the_senses_and_says_which_occurrences_nobody_tagged(tagged):
    page = render(tagged)
    number = {row["word"]: row["entry"] for row in tagged.tables["explorer"].rows()}
    known = entries(page)[f"word-{number['w0']}"]
    assert len(set(re.findall(r'<g class="(series-\d)"><title', known))) == 2
    keys = known.split('class="senses"')[1].split("</ul>")[0]
    assert re.findall(r"</svg>(\w+)", keys) == tagged.tables["explorer"].rows()[number["w0"]]["senses"]
    some = entries(page)[f"word-{number['w1']}"]
    assert "sense not tagged" in some
    assert "by sense" in page.split('class="hint"')[1].split("</p>")[0]


def test_more_senses_than_shapes_share_the_last_shape(tagged):
    names, counts = [f"sense {number}" for number in range(9)], list(range(9, 0, -1))
    many = changed(tagged, "explorer", senses=names, counts=counts)
    places = {**many.tables["occurrences"].columns}
    places["sense"] = [number % 9 for number in range(len(places["sense"]))]
    many = replace(many, tables={**many.tables, "occurrences": Table(places, {})})
    keys = entries(render(many))["word-0"].split('class="senses"')[1].split("</ul>")[0]
    assert re.findall(r"</svg>([\w ]+) <", keys) == [*names[:6], "3 rarer senses"]
    assert len(set(re.findall(r'class="key (series-\d)".*?<(\w+)', keys))) == 7
    assert "3 rarer senses <small>(4 of 6)</small>" in keys  # marks, of the occurrences known


def test_the_two_contexts_bear_the_numbers_of_their_marks(record):
    for entry in entries(render(record)).values():
        picture = entry.split('class="map"')[1].split("</svg>")[0]
        assert sorted(re.findall(r"<text[^>]*>(\d)</text>", picture)) == ["1", "2"]
        assert re.findall(r'class="nth">(\d)<', entry) == ["1", "2"]


def test_an_occurrence_under_another_is_told_of(record):
    twice = {**record.tables["occurrences"].columns}
    twice["x"], twice["y"] = ([*column[:1], *column[:1], *column[2:]] for column in (twice["x"], twice["y"]))
    hidden = replace(record, tables={**record.tables, "occurrences": Table(twice, {})})
    assert "1 mark lies under another." in entries(render(hidden))["word-0"]
    assert "under another" not in entries(render(record))["word-0"]


def test_marks_stand_at_a_word_without_a_blank(record):
    rows = {"before": "he said (", "form": "word", "after": ") and went."}
    assert "he said (<b>word</b>) and went." in render(changed(record, "neighbours", **rows))
    rows = {"before": "he said", "form": "word", "after": "and went."}
    assert "he said <b>word</b> and went." in render(changed(record, "neighbours", **rows))


def test_words_sentences_and_senses_are_escaped(tagged):
    text = {"before": HOSTILE, "form": HOSTILE, "after": HOSTILE}
    pages = (
        changed(tagged, "explorer", word=HOSTILE, senses=[HOSTILE] * 3, counts=[1] * 3),
        changed(tagged, "occurrences", **text),
        changed(tagged, "neighbours", **text, words=[HOSTILE]),
    )
    for record in pages:
        page = render(record)
        assert HOSTILE not in page
        assert "&lt;script&gt;document.title" in page


def test_a_record_from_before_there_was_an_explorer_has_a_page(record):
    there = {
        name: table for name, table in record.tables.items() if name not in {"explorer", "occurrences", "neighbours"}
    }
    page = render(replace(record, tables=there))
    assert "Word explorer" not in page
    assert "How it was done" in page


def test_words_whose_interval_is_not_known_have_a_curve_and_a_dash(record):
    nothing = [None] * 3
    entry = entries(render(changed(record, "explorer", low=nothing, high=nothing)))["word-0"]
    assert "95\u00a0%:" not in entry
    assert "nan" not in entry.lower()


def test_a_page_of_150_words_under_13_layers_stays_under_three_megabytes(record):
    page = render(large(record, words=150, occurrences=16, layers=13))
    assert len(entries(page)) == 150
    assert len(page.encode()) < 3_000_000
