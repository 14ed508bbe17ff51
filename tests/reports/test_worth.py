"""The page of a worth record: whatever the record holds, the page stands, says it, and shows no more than it knows."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from pathlib import Path

import pytest
from elements import elements, named
from example_record import Shape, example, without
from worth_pages import VARIANTS, drawn

from wordworth.errors import BadInput
from wordworth.records import Finding, Table, read
from wordworth.reports import render
from wordworth.reports.captions import with_captions

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&</style>]]>--><svg/onload=alert(3)>\x00\x1b\u202e"


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


@pytest.mark.parametrize("name", VARIANTS)
def test_every_kind_of_record_becomes_a_whole_page(name: str) -> None:
    html = drawn(name)
    assert len(named(html, "h1")) == 1
    assert len(html) < (3_000_000 if name == "long names" else 300_000)


@pytest.mark.parametrize("name", VARIANTS)
def test_no_undefined_value_is_written_out_in_the_words_of_a_program(name: str) -> None:
    body = next(element for element in elements(drawn(name)) if element.name == "main")
    for word in (r"\bNone\b", r"\bnan\b", r"\binf\b", r"\bNaN\b", r"\bUndefined\b", "<function"):
        assert not re.search(word, body.text), f"{word} stands in the page"


def test_a_record_without_any_rows_says_what_is_missing_instead_of_drawing_it() -> None:
    whole = example(Shape(timed=False))
    html = render(without(whole, *whole.tables))
    assert not [svg for svg in named(html, "svg") if svg.attributes.get("role") == "img"]
    for reason in ("The record holds no curve", "holds none", "No rung has both"):
        assert reason in html


def test_hostile_strings_from_anywhere_show_as_text() -> None:
    shape = Shape(label=HOSTILE, title=HOSTILE, text=HOSTILE, kind="pair", metric=f"f1:{HOSTILE}")
    record = example(shape)
    source = {"path": HOSTILE, "sha256": HOSTILE, "rows": 3}
    html = render(
        dataclasses.replace(
            record,
            data={**record.data, "name": HOSTILE, "sources": [source]},
            settings={**record.settings, HOSTILE: HOSTILE, "currency": HOSTILE},
            findings=[
                *record.findings,
                *(Finding(f"{kind}.x", HOSTILE) for kind in ("warning", "condition", "method")),
            ],
            environment={**record.environment, "cpu": HOSTILE},
        )
    )
    found = elements(html)
    assert len([element for element in found if element.name == "script"]) == 2
    assert not [element for element in found if element.name == "img"]
    assert not [name for element in found for name in element.attributes if name.startswith("on")]
    assert sum("<script>alert(1)</script>" in element.text for element in found if element.name == "bdi") > 3
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", html)


def test_data_for_the_script_cannot_end_its_element_or_open_another() -> None:
    html = render(example(Shape(title=HOSTILE)))
    block = re.search(r'<script type="application/json" id="pointers">(.*?)</script>', html, re.DOTALL)
    assert block is not None
    assert not set("<>&") & set(block[1])
    told = json.loads(block[1])
    assert any(HOSTILE in line for _, lines in told["curves"]["words"] for _, line in lines)


def test_lone_surrogates_do_not_keep_a_page_from_being_saved(tmp_path: Path) -> None:
    html = render(example(Shape(text="half a \ud83d face")))
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    assert "half a ? face" in html


def test_the_policy_lets_only_this_style_and_this_script_work(page: str) -> None:
    policy = next(meta.attributes["content"] for meta in named(page, "meta") if meta.attributes.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert policy.count("'sha256-") == 2
    assert not [element for element in elements(page) if "style" in element.attributes]


def test_nothing_on_the_page_points_elsewhere(page: str) -> None:
    assert not re.findall(r"(?:https?:)?//[a-z]", page)
    assert not [element for element in elements(page) if element.attributes.get("src")]
    links = [element.attributes["href"] for element in elements(page) if "href" in element.attributes]
    assert all(link.startswith(("#", "data:")) for link in links)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_table_stands_behind_every_chart(name: str) -> None:
    found = elements(drawn(name))
    figures = [place for place, element in enumerate(found) if element.name == "figure"]
    assert len(figures) == (3 if name == "no contextual rung" else 5)  # no encoder, no table of it, no gap to split
    for start, end in zip(figures, [*figures[1:], len(found)], strict=True):
        inner = [element for element in found[start:end] if "figure" in element.inside]
        charts = [element for element in inner if element.attributes.get("role") == "img"]
        tables = [element for element in inner if element.name == "table"]
        assert bool(charts) <= bool(tables)


def test_charts_are_named_described_and_reached_by_keyboard(page: str) -> None:
    found = elements(page)
    names = {element.attributes["id"]: element.text for element in found if "id" in element.attributes}
    charts = [element for element in found if element.attributes.get("role") == "img"]
    assert len(charts) == 10
    for chart in charts:
        assert names[chart.attributes["aria-labelledby"]]
        assert names[chart.attributes["aria-describedby"]]
        assert chart.attributes["tabindex"] == "0"


def test_no_two_elements_share_an_id(page: str) -> None:
    ids = [element.attributes["id"] for element in elements(page) if "id" in element.attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", VARIANTS)
def test_headings_go_down_one_level_at_a_time(name: str) -> None:
    levels = [int(e.name[1]) for e in elements(drawn(name)) if re.fullmatch("h[1-6]", e.name)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_page_has_a_language_and_landmarks(page: str) -> None:
    assert named(page, "html")[0].attributes["lang"] == "en"
    assert {"header", "main"} <= {element.name for element in elements(page)}


def test_long_texts_are_folded_and_kept_whole() -> None:
    text = "a word and then another " * 60
    html = render(example(Shape(text=text)))
    folded = [element for element in named(html, "details") if element.attributes.get("class") == "long"]
    assert folded
    assert text.split() == folded[0].text.partition("…fold")[2].split()


def test_a_page_is_the_same_before_and_after_its_record_is_saved(tmp_path: Path) -> None:
    record = example()
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == render(record)


def test_the_page_of_an_earlier_record_without_captions_is_that_of_one_with_them() -> None:
    assert render(example()) == render(with_captions(example()))


def test_every_rung_keeps_its_colour_all_over_the_page(page: str) -> None:
    rungs = {"TF-IDF + linear": set(), "GloVe 6B 50d": set()}  # type: dict[str, set[str]]
    for element in elements(page):
        look = re.search(r"series-\d", element.attributes.get("class", ""))
        if element.name == "g" and look and element.text in rungs:
            rungs[element.text].add(look[0])
    assert all(len(looks) == 1 for looks in rungs.values())
    assert rungs["TF-IDF + linear"] != rungs["GloVe 6B 50d"]


def test_a_record_that_lacks_what_its_page_needs_is_refused() -> None:
    record = example()
    columns = {name: column for name, column in record.tables["ladder"].columns.items() if name != "family"}
    broken = {**record.tables, "ladder": Table(columns, {})}
    with pytest.raises(BadInput, match="lacks 'family'"):
        render(dataclasses.replace(record, tables=broken))
