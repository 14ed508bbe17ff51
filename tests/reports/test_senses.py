"""The page of a `senses` record."""

import re
from dataclasses import replace

import pytest
from changed import changed
from senses_record import example

from wordworth.records import Table, read
from wordworth.reports import render

HOSTILE = "<script>document.title='caught'</script>"


@pytest.fixture(scope="module")
def record():
    return example()


@pytest.fixture(scope="module")
def page(record):
    return render(record)


def test_senses_differ_in_shape_and_are_named_so_that_a_grey_print_reads(page):
    entry = page.split('id="word-0"')[1].split("</article>")[0]
    picture = entry.split('class="map"')[1].split("</svg>")[0]
    assert picture.count("<circle") > 1
    assert picture.count("<polygon") > 1
    looks = set(re.findall(r'<g class="(series-\d)"', picture))
    named = re.findall(r'<li><svg class="key (series-\d)".*?</svg>(\w+)', entry)
    assert {look for look, _ in named} == looks


def test_each_mark_can_be_read_with_its_sentence(page):
    picture = page.split('class="map"')[1].split("</svg>")[0]
    assert picture.count("<title>") == picture.count("<g")
    assert re.search(r"<title>\w+: .*(BANK|BAT)", picture)


def test_every_word_can_be_opened_by_its_link_without_a_script(page):
    links = re.findall(r'<a href="#(word-\d+)" data-word="(\w+)"', page)
    assert {word for _, word in links} == {"bank", "bat"}
    for identity, _ in links:
        assert page.count(f'id="{identity}"') == 1


def test_words_sentences_and_senses_are_escaped(record):
    page = render(changed(record, "explorer", word=HOSTILE, senses=[HOSTILE] * 3, data=HOSTILE))
    assert HOSTILE not in page
    page = render(changed(record, "occurrences", before=HOSTILE, form=HOSTILE, after=HOSTILE))
    assert HOSTILE not in page
    page = render(changed(record, "neighbours", before=HOSTILE, form=HOSTILE, after=HOSTILE, words=[HOSTILE]))
    assert HOSTILE not in page


def test_a_page_is_the_same_before_and_after_saving(record, page, tmp_path):
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == page


def test_a_record_without_an_explorer_or_pairs_has_a_page(record):
    empty = {name: Table.of([], record.tables[name].describe)
             for name in ("explorer", "occurrences", "neighbours", "apart", "explanations", "published")}  # fmt: skip
    page = render(replace(record, tables={**record.tables, **empty}))
    assert "Word explorer" not in page
    assert "How it was done" in page


def test_the_key_says_how_many_marks_there_are_of_how_many_examples(record, page):
    row = next(row for row in record.tables["explorer"].rows() if row["entry"] == 0)
    pictured = [one["sense"] for one in record.tables["occurrences"].rows() if one["entry"] == 0]
    entry = page.split('id="word-0"')[1].split("</article>")[0]
    counts = re.findall(r"<small>\((\d+) of (\d+)\)</small>", entry)
    assert [(int(a), int(b)) for a, b in counts] == [(pictured.count(s), row["counts"][s]) for s in (0, 1)]
    assert f"Learned from {row['occurrences']} tagged examples, {len(pictured)} of them shown." in entry
