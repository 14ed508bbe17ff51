"""Gains by slice, and what a static table keeps of them."""

from __future__ import annotations

import dataclasses
import re

import pytest
from elements import named
from example_record import example, without
from worth_pages import drawn

from wordworth.records import Table
from wordworth.reports import render


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


def test_a_slice_without_two_halves_is_said_to_have_none(page: str) -> None:
    assert "too few texts in a half" in page


def test_a_record_with_a_contextual_rung_and_no_slices_says_that() -> None:
    assert "The record holds no slices." in render(without(example(), "slices"))


def test_the_slices_title_says_what_chance_alone_would_give() -> None:
    title = next(heading.text for heading in named(drawn("two classes"), "h3") if "hard half" in heading.text)
    assert re.fullmatch(
        r"The gap to MiniLM \(fine-tuned\) is larger on the hard half in \d+ of \d+ comparisons, "
        r"in (none|\d+) of them by more than would be expected anyway( \(one in 20 is by luck\))?",
        title,
    )


def test_the_slices_table_says_how_often_won_texts_are_the_harder_and_older_records_lack_it() -> None:
    assert "0.61 (0.55 to 0.66)" in drawn("two classes")
    rows = [
        {key: value for key, value in row.items() if "rank" not in key} for row in example().tables["slices"].rows()
    ]
    older = Table.of(rows, dict.fromkeys(rows[0], ""))
    assert "harder when won" in render(dataclasses.replace(example(), tables={**example().tables, "slices": older}))


def test_what_a_static_table_keeps_stands_beside_what_was_foretold(page: str) -> None:
    words = page.replace("\u00a0", " ").replace("\\u00a0", " ")  # in the page, and in its data
    assert "A static table keeps 81 % (62 % to 104 %) of what MiniLM (frozen) adds" in words
    assert "predicted 58 %" in words


def test_where_the_encoder_adds_nothing_no_share_of_it_is_told() -> None:
    html = drawn("cannot tell")
    assert "adds nothing that is sure" in html
    assert "A static table keeps" not in html


def test_without_a_distilled_table_the_question_is_not_asked() -> None:
    assert "Could a static table do?" not in drawn("no contextual rung")


def test_the_tables_of_two_encoders_have_each_a_heading_of_its_own() -> None:
    record = example()
    (row,) = record.tables["static_share"].rows()
    both = Table.of([row, {**row, "against": "minilm-finetuned"}], dict.fromkeys(row, ""))
    html = render(dataclasses.replace(record, tables={**record.tables, "static_share": both}))
    for encoder in ("MiniLM (frozen)", "MiniLM (fine-tuned)"):
        assert f'class="group halo">{encoder}<' in html
