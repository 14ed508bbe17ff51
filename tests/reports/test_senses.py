"""The page of a `senses` record."""

import re
from dataclasses import replace

import pytest
from changed import changed, with_table
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


def test_the_key_says_how_many_marks_there_are_of_how_many_examples(record, page):
    row = next(row for row in record.tables["explorer"].rows() if row["entry"] == 0)
    pictured = [one["sense"] for one in record.tables["occurrences"].rows() if one["entry"] == 0]
    entry = page.split('id="word-0"')[1].split("</article>")[0]
    counts = re.findall(r"<small>\((\d+) of (\d+)\)</small>", entry)
    assert [(int(a), int(b)) for a, b in counts] == [(pictured.count(s), row["counts"][s]) for s in (0, 1)]
    assert f"Learned from {row['occurrences']} tagged examples, {len(pictured)} of them shown." in entry
