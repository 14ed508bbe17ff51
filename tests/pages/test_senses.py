"""The page of a `senses` record."""

import re
from dataclasses import replace

import pytest
from changed import changed
from senses_record import example

from wordworth.pages import render
from wordworth.records import Table, read

HOSTILE = "<script>document.title='caught'</script>"


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


def test_senses_differ_in_shape_and_are_named_so_that_a_grey_print_reads(page):
    entry = page.split('id="word-0"')[1].split("</article>")[0]
    picture = entry.split('class="map"')[1].split("</svg>")[0]
    assert picture.count("<circle") > 1
    assert picture.count("<polygon") > 1
    looks = set(re.findall(r'<g class="(look-\d)"', picture))
    named = re.findall(r'<li><svg class="key (look-\d)".*?</svg>(\w+)', entry)
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


def test_explanations_that_are_undefined_are_said_to_be_so(record):
    columns = {"model": "made-up model", "data": "made-up", "value": None, "low": None, "high": None, "words": 20}
    rows = [
        {**columns, "layer": layer, "explanation": name, "held": held}
        for name in ("senses", "contexts", "variety", "forms") for held in (False, True) for layer in (0, 1)
    ]  # fmt: skip
    made = Table.of(rows, record.tables["explanations"].describe)
    page = render(replace(record, tables={**record.tables, "explanations": made}))
    assert page.count("Undefined: each is told wholly by the others") == 2


def test_a_difference_that_may_go_either_way_is_not_called_level(record):
    title = render(changed(record, "scores", gap_low=-0.05, gap_high=0.05))
    assert "not told apart from the most frequent sense" in title
    assert "level with the most frequent sense" not in title
